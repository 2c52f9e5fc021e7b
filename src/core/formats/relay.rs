//! Digests of bytes while they are made: one thread makes them, those that the caller lends digest them.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::executor::Executor;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes from which on another thread is asked for: it costs less than their digest.
pub(super) const SHARED: u64 = 256 << 10;
/// Pieces that wait for one digest, at most. Whoever makes more of them digests them first.
const WAITING: usize = 64;

/// Returns what `make` returns, and the digests of the bytes that it hands over, in the order of their functions.
///
/// No more than [`WAITING`] pieces are held. `None` where `make` has nothing, or a function is known by name only.
pub(super) fn digested<R: Send>(
    executor: &dyn Executor,
    functions: &[DigestAlgorithm],
    make: impl Fn(&mut dyn FnMut(&[u8])) -> Option<R> + Sync,
) -> Option<(R, Vec<Vec<u8>>)> {
    let relay = Relay::new(functions)?;
    let made = Mutex::new(None);
    executor.for_each(1 + functions.len(), &|number| match number {
        0 if relay.begin() => {
            let ending = Ending(&relay);
            let outcome = make(&mut |piece| relay.hand_over(piece));
            drop(ending);
            relay.help();
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        }
        _ => relay.help(),
    });
    let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    match made.zip(relay.finish()) {
        Some((made, digests)) => Some((made?, digests)),
        // The executor left out a piece, or stopped in one: what it is to do is done here.
        None => digested_alone(functions, make),
    }
}

/// Does the same on the thread of the caller.
pub(super) fn digested_alone<R>(
    functions: &[DigestAlgorithm],
    make: impl FnOnce(&mut dyn FnMut(&[u8])) -> Option<R>,
) -> Option<(R, Vec<Vec<u8>>)> {
    let mut hashers = functions.iter().map(|&function| Hasher::new(function)).collect::<Option<Vec<Hasher>>>()?;
    let made = make(&mut |piece| hashers.iter_mut().for_each(|hasher| hasher.update(piece)))?;
    Some((made, hashers.into_iter().map(Hasher::finish).collect()))
}

/// The digests under way, and what waits for them.
///
/// A piece that waits is taken only by who holds the digest that it waits for, so that all come in their order.
struct Relay {
    hashers: Vec<Mutex<Hasher>>,
    state: Mutex<State>,
    /// Something waits, or nothing more will come.
    changed: Condvar,
}

struct State {
    begun: bool,
    ended: bool,
    /// Whether another thread was lent.
    helped: bool,
    idle: usize,
    /// For each digest the pieces that wait.
    waiting: Vec<VecDeque<Arc<[u8]>>>,
}

/// Says that nothing more comes, also where making it has panicked: nobody waits for ever.
struct Ending<'r>(&'r Relay);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.state().ended = true;
        self.0.changed.notify_all();
    }
}

impl Relay {
    fn new(functions: &[DigestAlgorithm]) -> Option<Self> {
        let hashers = functions.iter().map(|&function| Hasher::new(function).map(Mutex::new)).collect::<Option<_>>()?;
        let waiting = vec![VecDeque::new(); functions.len()];
        let state = Mutex::new(State { begun: false, ended: false, helped: false, idle: 0, waiting });
        Some(Self { hashers, state, changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it had not begun before.
    fn begin(&self) -> bool {
        !std::mem::replace(&mut self.state().begun, true)
    }

    /// Takes the next bytes: copies them for who helps, or digests them where nobody does.
    fn hand_over(&self, piece: &[u8]) {
        let mut state = self.state();
        if !state.helped {
            drop(state);
            self.hashers.iter().filter_map(|hasher| hasher.lock().ok()).for_each(|mut hasher| hasher.update(piece));
            return;
        }
        let shared: Arc<[u8]> = piece.into();
        state.waiting.iter_mut().for_each(|waiting| waiting.push_back(shared.clone()));
        let full: Vec<usize> = (0..self.hashers.len()).filter(|at| state.waiting[*at].len() >= WAITING).collect();
        let idle = state.idle > 0;
        drop(state);
        if idle {
            self.changed.notify_all();
        }
        for at in full {
            // Held for no longer than another piece takes.
            let hasher = self.hashers[at].lock();
            let first = self.state().waiting[at].pop_front();
            if let (Ok(mut hasher), Some(first)) = (hasher, first) {
                hasher.update(&first);
            }
        }
    }

    /// Takes the next piece for the digest that nobody makes and for which the most wait.
    fn take(&self, state: &mut State) -> Option<(Arc<[u8]>, MutexGuard<'_, Hasher>)> {
        let (mut most, mut chosen) = (0, None);
        for (waiting, hasher) in state.waiting.iter_mut().zip(&self.hashers) {
            if waiting.len() > most
                && let Ok(hasher) = hasher.try_lock()
            {
                (most, chosen) = (waiting.len(), Some((waiting, hasher)));
            }
        }
        chosen.and_then(|(waiting, hasher)| Some((waiting.pop_front()?, hasher)))
    }

    /// Digests whatever waits, until nothing more will come.
    fn help(&self) {
        let mut state = self.state();
        if !state.begun {
            // Who makes the bytes may come after this one, on the same thread.
            return;
        }
        state.helped = true;
        loop {
            state = match self.take(&mut state) {
                Some((piece, mut hasher)) => {
                    drop(state);
                    hasher.update(&piece);
                    drop(hasher);
                    self.state()
                }
                None if state.ended => return,
                None => {
                    state.idle += 1;
                    let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.idle -= 1;
                    state
                }
            };
        }
    }

    /// Returns the digests; `None` where one of them was stopped.
    fn finish(self) -> Option<Vec<Vec<u8>>> {
        let State { waiting, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = self.hashers.into_iter().zip(waiting).map(|(hasher, waiting)| {
            let mut hasher = hasher.into_inner().ok()?;
            waiting.iter().for_each(|piece| hasher.update(piece));
            Some(hasher.finish())
        });
        finished.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::digest;
    use crate::executor::Sequential;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn threads(count: usize, piece: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| (0..count).for_each(|number| drop(scope.spawn(move || piece(number)))));
    }

    /// Pieces of other lengths each time, of which there are more than may wait.
    fn pieces() -> Vec<Vec<u8>> {
        (0..10 * WAITING).map(|n| vec![n as u8; n * 37 % 5000]).collect()
    }

    #[test]
    fn whatever_the_executor_does() {
        let backwards = |count: usize, piece: &(dyn Fn(usize) + Sync)| (0..count).rev().for_each(piece);
        let none = |_: usize, _: &(dyn Fn(usize) + Sync)| ();
        let helpers_only = |count: usize, piece: &(dyn Fn(usize) + Sync)| (1..count).for_each(piece);
        let wild = |count: usize, piece: &(dyn Fn(usize) + Sync)| threads(3 * count, &|number| piece(number / 2));
        let executors: [(&str, &dyn Executor); 6] = [
            ("one after the other", &Sequential),
            ("in another order", &backwards),
            ("none", &none),
            ("nobody who makes the bytes", &helpers_only),
            ("twice, and some that are not there", &wild),
            ("at once", &threads),
        ];
        let pieces = pieces();
        let functions = [DigestAlgorithm::Sha512, DigestAlgorithm::Sha256];
        let expected: Vec<Vec<u8>> =
            functions.iter().map(|&function| digest(function, &pieces.concat()).unwrap()).collect();
        for (situation, executor) in executors {
            for _ in 0..50 {
                let hand_over = |sink: &mut dyn FnMut(&[u8])| {
                    pieces.iter().for_each(|piece| sink(piece));
                    Some(7)
                };
                assert_eq!(digested(executor, &functions, hand_over), Some((7, expected.clone())), "{situation}");
                let give_up = |sink: &mut dyn FnMut(&[u8])| {
                    pieces.iter().take(40).for_each(|piece| sink(piece));
                    None::<()>
                };
                assert_eq!(digested(executor, &functions, give_up), None, "{situation}: there is nothing");
            }
        }
    }

    #[test]
    fn never_more_than_may_wait() {
        let relay = Relay::new(&[DigestAlgorithm::Sha256]).unwrap();
        relay.begin();
        relay.state().helped = true;
        for piece in pieces() {
            relay.hand_over(&piece);
            assert!(relay.state().waiting[0].len() < WAITING);
        }
        assert_eq!(relay.finish(), digest(DigestAlgorithm::Sha256, &pieces().concat()).map(|digest| vec![digest]));
    }

    #[test]
    fn a_panic_lets_nobody_wait() {
        let executor: &dyn Executor = &threads;
        let panics = catch_unwind(AssertUnwindSafe(|| {
            digested(executor, &[DigestAlgorithm::Sha256], |sink| {
                pieces().iter().take(3).for_each(|piece| sink(piece));
                if true { panic!("as asked") } else { Some(()) }
            })
        }));
        assert!(panics.is_err());
    }
}
