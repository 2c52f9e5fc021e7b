//! Sorting and sorted collections that are short as machine code. What the standard library sorts by is compiled anew for
//! every type and every comparison, five kilobytes each time, and its maps and sets are collected by such a sort: in a module
//! for browsers, a tenth of everything. Where a list is long and the time counts, its own sort is the better one.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The longest list that is sorted where it is.
const SHORT: usize = 20;

/// Sorts a list by that comparison; what compares as equal stays in its order.
pub(crate) fn sort_by<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if list.len() > SHORT {
        let positions = positions(list.len(), &mut |a, b| compare(&list[a], &list[b]));
        return rearrange(list, positions);
    }
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && compare(&list[at - 1], &list[at]) == Ordering::Greater {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Sorts a list by a key of its elements; those with the same stay in their order.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list.
pub(crate) fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// Returns the positions below `length` in the order of that comparison; those that compare as equal in their own.
pub(crate) fn positions(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..length).collect();
    positions.sort_by(|&a, &b| compare(a, b));
    positions
}

/// Puts at each place the element at the position that is named there.
fn rearrange<T>(list: &mut [T], mut positions: Vec<usize>) {
    for start in 0..list.len() {
        // Round the circle that begins here; what was passed stands where it belongs.
        let mut at = start;
        while positions[at] != start {
            let from = std::mem::replace(&mut positions[at], at);
            list.swap(at, from);
            at = from;
        }
        positions[at] = at;
    }
}

/// Returns the pairs as a map; of those with the same key, the last.
pub(crate) fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    pairs.into_iter().for_each(|(key, value)| {
        map.insert(key, value);
    });
    map
}

/// Returns the elements as a set.
pub(crate) fn set<T: Ord>(elements: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    elements.into_iter().for_each(|element| {
        set.insert(element);
    });
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library() {
        // A generator of numbers, few enough that many are the same.
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for length in (0..60).chain([500, 5000]) {
            let list: Vec<(u64, usize)> = (0..length).map(|place| (next(length as u64 / 2 + 1), place)).collect();
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            sort_by_key(&mut ours, |(key, _)| *key);
            theirs.sort_by_key(|(key, _)| *key);
            assert_eq!(ours, theirs, "{length}");
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            ours.reverse();
            sort(&mut ours);
            theirs.sort();
            assert_eq!(ours, theirs, "{length}");
            assert_eq!(map(list.clone()), list.iter().copied().collect(), "{length}");
            assert_eq!(set(list.clone()), list.iter().copied().collect(), "{length}");
        }
    }
}
