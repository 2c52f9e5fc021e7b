//! Parallel work on many items.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `one` for every item on `workers` threads, the caller's included; returns the results in the order of the items.
pub fn side_by_side<T: Sync, A: Send>(items: &[T], workers: usize, one: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![]);
    let work = || {
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let answer = one(item);
            answers.lock().expect("no worker panics with the lock").push((at, answer));
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers.clamp(1, items.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let mut answers = answers.into_inner().expect("the workers are done");
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
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
