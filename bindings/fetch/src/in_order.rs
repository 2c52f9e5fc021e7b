//! Independent work on several cores, with results in the order of the items.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many results each worker may be ahead of what was consumed.
const AHEAD: usize = 2;

/// Works on `items` in parallel. `consume` is given each result as soon as it and all those before it are there, on the
/// calling thread. No more results wait than `AHEAD` a worker, however slow an item is: memory does not grow with the
/// number of items.
///
/// # Errors
///
/// The first error of `consume`, after which no further work is begun.
pub fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    workers: usize,
    work: impl Fn(usize, &T) -> R + Sync,
    mut consume: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let workers = workers.min(items.len());
    if workers <= 1 {
        return items.iter().enumerate().try_for_each(|(index, item)| consume(index, work(index, item)));
    }
    let window =
        Window { items: items.len(), ahead: workers * AHEAD, state: Mutex::default(), changed: Condvar::new() };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let _guard = StopOnPanic(&window);
                while let Some(index) = window.begin() {
                    window.finish(index, work(index, &items[index]));
                }
            });
        }
        let _guard = Stop(&window);
        for index in 0..items.len() {
            // None: a worker panicked, and the panic goes on when the scope ends.
            let Some(result) = window.wait_for(index) else { break };
            consume(index, result)?;
        }
        Ok(())
    })
}

/// The items that are being worked on, and the results that wait.
struct Window<R> {
    items: usize,
    ahead: usize,
    state: Mutex<State<R>>,
    changed: Condvar,
}

struct State<R> {
    begun: usize,
    consumed: usize,
    waiting: BTreeMap<usize, R>,
    stopped: bool,
}

impl<R> Default for State<R> {
    fn default() -> Self {
        Self { begun: 0, consumed: 0, waiting: BTreeMap::new(), stopped: false }
    }
}

impl<R> Window<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ready` says something.
    fn wait<A>(&self, mut ready: impl FnMut(&mut State<R>) -> Option<A>) -> A {
        let mut state = self.lock();
        loop {
            if let Some(answer) = ready(&mut state) {
                self.changed.notify_all();
                return answer;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the next item, as soon as it is in the window.
    fn begin(&self) -> Option<usize> {
        self.wait(|state| {
            if state.stopped || state.begun == self.items {
                return Some(None);
            }
            (state.begun < state.consumed + self.ahead).then(|| {
                state.begun += 1;
                Some(state.begun - 1)
            })
        })
    }

    fn finish(&self, index: usize, result: R) {
        self.lock().waiting.insert(index, result);
        self.changed.notify_all();
    }

    fn wait_for(&self, index: usize) -> Option<R> {
        self.wait(|state| match state.waiting.remove(&index) {
            Some(result) => {
                state.consumed = index + 1;
                Some(Some(result))
            }
            None => state.stopped.then_some(None),
        })
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// Lets no further work begin, once it is dropped.
struct Stop<'w, R>(&'w Window<R>);

impl<R> Drop for Stop<'_, R> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The same, where a worker panics.
struct StopOnPanic<'w, R>(&'w Window<R>);

impl<R> Drop for StopOnPanic<'_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn results_come_in_order_and_few_of_them_wait() {
        let items: Vec<usize> = (0..500).collect();
        for workers in [0, 1, 2, 7, 40] {
            let (begun, mut consumed, most) = (AtomicUsize::new(0), vec![], AtomicUsize::new(0));
            let done = AtomicUsize::new(0);
            let work = |_: usize, item: &usize| {
                let ahead = begun.fetch_add(1, SeqCst) + 1 - done.load(SeqCst);
                most.fetch_max(ahead, SeqCst);
                // The first of each ten is slow.
                if item.is_multiple_of(10) {
                    (0..20_000).for_each(|_| std::hint::spin_loop());
                }
                item * 2
            };
            let all: Result<(), ()> = in_order(&items, workers, work, |index, result| {
                consumed.push((index, result));
                done.fetch_add(1, SeqCst);
                Ok(())
            });
            assert_eq!(all, Ok(()));
            assert_eq!(consumed, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>(), "{workers} workers");
            let bound = workers.clamp(1, items.len()) * AHEAD + 1;
            assert!(most.load(SeqCst) <= bound, "{workers} workers: {most:?} at once, at most {bound} are wanted");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let begun = AtomicUsize::new(0);
        let work = |_: usize, item: &usize| {
            begun.fetch_add(1, SeqCst);
            *item
        };
        let done = in_order(&items, 4, work, |index, _| if index == 10 { Err("full") } else { Ok(()) });
        assert_eq!(done, Err("full"));
        assert!(begun.load(SeqCst) <= 11 + 4 * AHEAD, "{begun:?}");
    }

    #[test]
    fn a_panic_ends_the_work_and_is_not_swallowed() {
        let items: Vec<usize> = (0..1_000).collect();
        let work = |_: usize, item: &usize| assert_ne!(*item, 100);
        let done = std::panic::catch_unwind(|| in_order(&items, 4, work, |_, ()| Ok::<(), ()>(())));
        assert!(done.is_err());
    }
}
