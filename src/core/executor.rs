//! Independent pieces of work, run side by side where the caller has threads for them.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Runs independent pieces of work, on as many threads as it likes.
///
/// The library starts no threads. Where a document holds much work that can be done in any order (the manifests of a
/// container, the values of hundreds of time-stamps, the digests of a large content), it leaves that work to the executor of its
/// [`Validator`](crate::Validator). Reports are the same with every executor. A piece of work may itself call the executor.
///
/// A function of the same arguments is an executor, too:
///
/// ```
/// use lacre::{Policy, Validator};
///
/// fn on_threads(count: usize, piece: &(dyn Fn(usize) + Sync)) {
///     std::thread::scope(|scope| (0..count).for_each(|number| drop(scope.spawn(move || piece(number)))));
/// }
///
/// let validator = Validator::new(Policy::eidas()).with_executor(on_threads);
/// ```
pub trait Executor: Send + Sync {
    /// Calls `piece` with every number below `count`, in any order, and returns when all calls have returned.
    fn for_each(&self, count: usize, piece: &(dyn Fn(usize) + Sync));
}

impl<F: Fn(usize, &(dyn Fn(usize) + Sync)) + Send + Sync> Executor for F {
    fn for_each(&self, count: usize, piece: &(dyn Fn(usize) + Sync)) {
        self(count, piece);
    }
}

impl fmt::Debug for dyn Executor + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Executor")
    }
}

/// Runs one piece after the other, on the thread of the caller.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn for_each(&self, count: usize, piece: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(piece);
    }
}

/// Calls `one` with every item; the answers stand in the order of the items.
pub(crate) fn map<T: Sync, A: Send>(executor: &dyn Executor, items: &[T], one: impl Fn(&T) -> A + Sync) -> Vec<A> {
    if items.len() < 2 {
        return items.iter().map(one).collect();
    }
    let answers: Vec<Mutex<Option<A>>> = items.iter().map(|_| Mutex::default()).collect();
    executor.for_each(items.len(), &|number| {
        if let Some((item, slot)) = items.get(number).zip(answers.get(number)) {
            let answer = one(item);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        }
    });
    let answers = answers.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    // The trait cannot enforce that every piece was run: what the executor left out is done here.
    items.iter().zip(answers).map(|(item, answer)| answer.unwrap_or_else(|| one(item))).collect()
}

/// Calls both functions, and returns both answers.
pub(crate) fn join<A: Send, B: Send>(
    executor: &dyn Executor,
    first: impl Fn() -> A + Sync,
    second: impl Fn() -> B + Sync,
) -> (A, B) {
    let (left, right) = (Mutex::new(None), Mutex::new(None));
    let set = |number: usize| match number {
        0 => *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(first()),
        _ => *right.lock().unwrap_or_else(PoisonError::into_inner) = Some(second()),
    };
    executor.for_each(2, &set);
    let left = left.into_inner().unwrap_or_else(PoisonError::into_inner);
    let right = right.into_inner().unwrap_or_else(PoisonError::into_inner);
    (left.unwrap_or_else(&first), right.unwrap_or_else(&second))
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
        let executors: [(&str, &dyn Executor); 5] = [
            ("one after the other", &Sequential),
            ("in another order", &backwards),
            ("one of them only", &lazy),
            ("twice, and some that are not there", &wild),
            ("at once", &threads),
        ];
        for (situation, executor) in executors {
            assert_eq!(map(executor, &[1, 2, 3], |item| item * 2), [2, 4, 6], "{situation}");
            assert_eq!(join(executor, || 1, || "two"), (1, "two"), "{situation}");
        }
    }
}
