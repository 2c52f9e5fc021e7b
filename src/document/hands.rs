//! Independent pieces of work, done side by side where somebody lends the threads.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Who does several pieces of work: told how many there are and what does the one of a number.
pub(super) type Helper<'a> = &'a (dyn Fn(usize, &(dyn Fn(usize) + Sync)) + Sync);

/// Those that help with a document, or nobody.
#[derive(Clone, Copy, Default)]
pub struct Hands<'a>(pub(super) Option<Helper<'a>>);

impl fmt::Debug for Hands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Hands" } else { "NoHands" })
    }
}

impl Hands<'_> {
    /// Does `one` to every item; the answers stand in the order of the items.
    pub fn each<T: Sync, A: Send>(self, items: &[T], one: impl Fn(&T) -> A + Sync) -> Vec<A> {
        let Some(help) = self.0 else { return items.iter().map(one).collect() };
        let answers: Vec<Mutex<Option<A>>> = items.iter().map(|_| Mutex::default()).collect();
        help(items.len(), &|number| {
            if let Some((item, place)) = items.get(number).zip(answers.get(number)) {
                let answer = one(item);
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
            }
        });
        let made = answers.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner));
        // What nobody did is done here.
        items.iter().zip(made).map(|(item, made)| made.unwrap_or_else(|| one(item))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_its_answer() {
        let backwards = |count: usize, piece: &(dyn Fn(usize) + Sync)| (0..count).rev().for_each(piece);
        let lazy = |_: usize, piece: &(dyn Fn(usize) + Sync)| piece(1);
        let wild =
            |count: usize, piece: &(dyn Fn(usize) + Sync)| (0..2 * count).for_each(|number| piece(number / 2 + 2));
        let threads = |count: usize, piece: &(dyn Fn(usize) + Sync)| {
            std::thread::scope(|scope| (0..count).for_each(|number| drop(scope.spawn(move || piece(number)))));
        };
        let helpers: [(&str, Option<Helper<'_>>); 5] = [
            ("nobody", None),
            ("in another order", Some(&backwards)),
            ("one of them only", Some(&lazy)),
            ("twice, and some that are not there", Some(&wild)),
            ("at once", Some(&threads)),
        ];
        for (situation, helper) in helpers {
            assert_eq!(Hands(helper).each(&[1, 2, 3], |item| item * 2), [2, 4, 6], "{situation}");
        }
    }
}
