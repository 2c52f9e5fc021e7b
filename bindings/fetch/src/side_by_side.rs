//! Parallel work on many items.

use crate::in_order;
use std::convert::Infallible;

/// Calls `one` for every item on `workers` threads; returns the results in the order of the items.
pub fn side_by_side<T: Sync, A: Send>(items: &[T], workers: usize, one: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let mut answers = Vec::with_capacity(items.len());
    let Ok(()) = in_order(
        items,
        workers,
        |_, item| one(item),
        |_, answer| {
            answers.push(answer);
            Ok::<(), Infallible>(())
        },
    );
    answers
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn answers_stand_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let slow_first = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(100 - item));
            item * 2
        };
        let doubled: Vec<u64> = items.iter().map(|item| item * 2).collect();
        for (situation, workers) in [("none asked for", 0), ("one", 1), ("several", 7), ("more than items", 500)] {
            assert_eq!(side_by_side(&items, workers, slow_first), doubled, "{situation}");
        }
        assert_eq!(side_by_side(&[], 4, slow_first), Vec::<u64>::new());
    }
}
