//! Digests that other threads make: of bytes while they are inflated, and of the file, which waits until nothing else does.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, digest};
use crate::executor::{self, Executor};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes from which on another thread is asked for: it costs less than their digest.
const SHARED: u64 = 256 << 10;
/// Pieces that wait for one digest, at most. Whoever makes more of them digests them first.
const WAITING: usize = 64;
/// Bytes of the file that are digested before somebody looks whether something else waits.
const PIECE: usize = 64 << 10;

/// Tells whether so many bytes are worth another thread. None is ever lent in WebAssembly.
pub fn is_shared(size: u64) -> bool {
    cfg!(not(target_family = "wasm")) && size >= SHARED
}

/// What waits to be digested on the threads that the caller lends, of one document.
///
/// One such thread does for the file and for what is inflated of it: a third one would take its time from the one that
/// inflates, where two cores are all there are.
pub struct Relay<'d> {
    executor: &'d dyn Executor,
    file: Option<File<'d>>,
    state: Mutex<State>,
    /// Something waits, or nothing more will come.
    changed: Condvar,
}

/// The file, and how much of it is digested.
struct File<'d> {
    bytes: &'d [u8],
    made: Mutex<Option<(usize, Hasher)>>,
}

#[derive(Default)]
struct State {
    /// Digests of bytes that are being made.
    streams: Vec<Arc<Stream>>,
    /// Threads that make bytes.
    makers: usize,
    /// Threads that digest what others make.
    helpers: usize,
    /// Those of the helpers that have nothing to do.
    idle: usize,
}

/// A digest under way, and the pieces that wait for it. One is taken only by who holds the digest, so that all come in their order.
struct Stream {
    hasher: Mutex<Option<Hasher>>,
    waiting: Mutex<VecDeque<Arc<[u8]>>>,
}

/// Returns what `make` returns, and the digests of the bytes that it hands over, in the order of their functions.
///
/// No more than [`WAITING`] pieces are held. `None` where `make` has nothing, or a function is known by name only.
pub(super) fn digested<R: Send>(
    relay: &Relay<'_>,
    functions: &[DigestAlgorithm],
    make: impl Fn(&mut dyn FnMut(&[u8])) -> Option<R> + Sync,
) -> Option<(R, Vec<Vec<u8>>)> {
    let (begun, made) = (AtomicBool::new(false), Mutex::new(None));
    let work = |number: usize| match number {
        0 if !begun.swap(true, Ordering::Relaxed) => {
            let outcome = relay.make(functions, &make);
            *made.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
        }
        _ => relay.help(),
    };
    // Who helps already digests this as well.
    if relay.state().helpers > 0 {
        work(0)
    } else {
        relay.executor.for_each(1 + functions.len(), &work)
    }
    match made.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((made, digests)) => Some((made?, digests)),
        // The executor left out a piece, or a digest was stopped: what was to be done is done here.
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

impl<'d> Relay<'d> {
    /// Returns the relay of a document that is read without a digest of the file.
    pub fn new(executor: &'d dyn Executor) -> Self {
        Self { executor, file: None, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Returns the executor that lends the threads.
    pub fn executor(&self) -> &'d dyn Executor {
        self.executor
    }

    /// Returns what `read` returns, and the SHA-256 of the file, which another thread makes meanwhile.
    pub fn beside<R: Send>(
        executor: &'d dyn Executor,
        file: &'d [u8],
        read: impl Fn(&Relay<'_>) -> R + Sync,
    ) -> (R, Option<Vec<u8>>) {
        let sha256 = Hasher::new(DigestAlgorithm::Sha256).map(|hasher| (0, hasher));
        let relay = Relay { file: Some(File { bytes: file, made: Mutex::new(sha256) }), ..Relay::new(executor) };
        let (read, ()) = executor::join(executor, || read(&relay), || relay.help());
        (read, relay.file.and_then(File::finish))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes bytes, and their digests with whoever helps; `None` where one who helped was stopped, or a function is known by name only.
    fn make<R>(
        &self,
        functions: &[DigestAlgorithm],
        make: impl FnOnce(&mut dyn FnMut(&[u8])) -> Option<R>,
    ) -> Option<(Option<R>, Vec<Vec<u8>>)> {
        let streams = functions.iter().map(|&function| Stream::new(function)).collect::<Option<Vec<Arc<Stream>>>>()?;
        let mut state = self.state();
        state.makers += 1;
        state.streams.extend(streams.iter().cloned());
        drop(state);
        let ending = Ending(self);
        let made = make(&mut |piece| self.hand_over(&streams, piece));
        drop(ending);
        let digests: Option<Vec<Vec<u8>>> = streams.iter().map(|stream| stream.finish()).collect();
        self.state().streams.retain(|stream| !streams.iter().any(|own| Arc::ptr_eq(own, stream)));
        Some((made, digests?))
    }

    /// Takes the next bytes: copies them for who helps, or digests them where nobody does.
    fn hand_over(&self, streams: &[Arc<Stream>], piece: &[u8]) {
        if self.state().helpers == 0 {
            return streams.iter().for_each(|stream| stream.update(piece));
        }
        let shared: Arc<[u8]> = piece.into();
        streams.iter().for_each(|stream| stream.waiting().push_back(shared.clone()));
        if self.state().idle > 0 {
            self.changed.notify_all();
        }
        streams.iter().filter(|stream| stream.waiting().len() >= WAITING).for_each(|stream| stream.step());
    }

    /// Digests what waits, and the file when nothing does, until nobody makes bytes.
    fn help(&self) {
        self.state().helpers += 1;
        let _leaving = Leaving(self);
        let mut file = self.file.as_ref();
        let mut state = self.state();
        loop {
            if let Some(stream) = state.streams.iter().find(|stream| stream.waits()).cloned() {
                drop(state);
                stream.step();
            } else if let Some(open) = file {
                drop(state);
                file = Some(open).filter(|open| open.step());
            } else if state.makers == 0 {
                return;
            } else {
                state.idle += 1;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
                continue;
            }
            state = self.state();
        }
    }
}

impl fmt::Debug for Relay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Relay")
    }
}

/// Says that one makes no more bytes, also where making them has panicked: nobody waits for ever.
struct Ending<'r, 'd>(&'r Relay<'d>);

impl Drop for Ending<'_, '_> {
    fn drop(&mut self) {
        self.0.state().makers -= 1;
        self.0.changed.notify_all();
    }
}

/// Says that one helps no more.
struct Leaving<'r, 'd>(&'r Relay<'d>);

impl Drop for Leaving<'_, '_> {
    fn drop(&mut self) {
        self.0.state().helpers -= 1;
    }
}

impl File<'_> {
    /// Digests the next bytes of it; `false` where there are none, or another thread does.
    fn step(&self) -> bool {
        let Ok(mut made) = self.made.try_lock() else { return false };
        let Some((at, hasher)) = &mut *made else { return false };
        let rest = &self.bytes[*at..];
        let piece = &rest[..rest.len().min(PIECE)];
        hasher.update(piece);
        *at += piece.len();
        !piece.is_empty()
    }

    fn finish(self) -> Option<Vec<u8>> {
        let Ok(Some((at, mut hasher))) = self.made.into_inner() else {
            return digest(DigestAlgorithm::Sha256, self.bytes);
        };
        hasher.update(&self.bytes[at..]);
        Some(hasher.finish())
    }
}

impl Stream {
    fn new(function: DigestAlgorithm) -> Option<Arc<Self>> {
        Some(Arc::new(Self { hasher: Mutex::new(Some(Hasher::new(function)?)), waiting: Mutex::default() }))
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Arc<[u8]>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a piece waits and nobody holds the digest.
    fn waits(&self) -> bool {
        self.hasher.try_lock().is_ok() && !self.waiting().is_empty()
    }

    /// Digests the piece that has waited longest.
    fn step(&self) {
        let Ok(mut hasher) = self.hasher.lock() else { return };
        let first = self.waiting().pop_front();
        hasher.iter_mut().zip(first).for_each(|(hasher, first)| hasher.update(&first));
    }

    /// Digests what waits, and then these bytes.
    fn update(&self, piece: &[u8]) {
        let Ok(mut hasher) = self.hasher.lock() else { return };
        let waiting = std::mem::take(&mut *self.waiting());
        let waiting = waiting.iter().map(|waiting| &**waiting);
        hasher.iter_mut().for_each(|hasher| waiting.clone().chain([piece]).for_each(|piece| hasher.update(piece)));
    }

    /// Returns the digest; `None` where who held it was stopped.
    fn finish(&self) -> Option<Vec<u8>> {
        self.update(&[]);
        Some(self.hasher.lock().ok()?.take()?.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Sequential;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn threads(count: usize, piece: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| (0..count).for_each(|number| drop(scope.spawn(move || piece(number)))));
    }

    /// Returns pieces of other lengths each time, of which there are more than may wait.
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
        let file: Vec<u8> = (0..10 * PIECE).map(|n| n as u8).collect();
        let sha256 = digest(DigestAlgorithm::Sha256, &file);
        let expected: Vec<Vec<u8>> =
            functions.iter().map(|&function| digest(function, &pieces.concat()).unwrap()).collect();
        for (situation, executor) in executors {
            for _ in 0..50 {
                let hand_over = |sink: &mut dyn FnMut(&[u8])| {
                    pieces.iter().for_each(|piece| sink(piece));
                    Some(7)
                };
                let whole = Some((7, expected.clone()));
                assert_eq!(digested(&Relay::new(executor), &functions, hand_over), whole, "{situation}");
                let (made, of_file) = Relay::beside(executor, &file, |relay| digested(relay, &functions, hand_over));
                assert_eq!((made, of_file), (whole, sha256.clone()), "{situation}: beside the file");
                let give_up = |sink: &mut dyn FnMut(&[u8])| {
                    pieces.iter().take(40).for_each(|piece| sink(piece));
                    None::<()>
                };
                assert_eq!(digested(&Relay::new(executor), &functions, give_up), None, "{situation}: there is nothing");
                let (made, of_file) = Relay::beside(executor, &file, |relay| digested(relay, &functions, give_up));
                assert_eq!((made, of_file), (None, sha256.clone()), "{situation}: there is nothing beside the file");
            }
        }
    }

    #[test]
    fn never_more_than_may_wait() {
        let relay = Relay::new(&Sequential);
        relay.state().helpers = 1;
        let stream = Stream::new(DigestAlgorithm::Sha256).unwrap();
        for piece in pieces() {
            relay.hand_over(std::slice::from_ref(&stream), &piece);
            assert!(stream.waiting().len() < WAITING);
        }
        assert_eq!(stream.finish(), digest(DigestAlgorithm::Sha256, &pieces().concat()));
    }

    #[test]
    fn a_panic_lets_nobody_wait() {
        let executor: &dyn Executor = &threads;
        let panics = catch_unwind(AssertUnwindSafe(|| {
            Relay::beside(executor, &[0; 3 * PIECE], |relay| {
                digested(relay, &[DigestAlgorithm::Sha256], |sink| {
                    pieces().iter().take(3).for_each(|piece| sink(piece));
                    if true { panic!("as asked") } else { Some(()) }
                })
            })
        }));
        assert!(panics.is_err());
    }
}
