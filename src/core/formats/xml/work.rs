//! The work that a document may cost, and what was spent of it: of the nodes visited, of the bytes in canonical form, and of
//! the nodes held.

use super::canonical;
use super::options::Options;
use super::tree::Tree;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Work that the signatures in a document can ask for again and again.
#[derive(Debug)]
pub(super) struct Work {
    visits: Spent,
    bytes: Spent,
    /// Bytes of the file that the document is of, as it was given, and of the largest content beside it.
    given: AtomicU64,
    beside: AtomicU64,
    /// How the document was read, and how what is inside it is read.
    pub(super) options: Options,
}

impl Work {
    pub(super) fn new(options: &Options, given: usize) -> Self {
        let (visits, bytes) = (Spent::new(options.visits), Spent::new(options.canonical));
        let (given, beside) = (AtomicU64::new(given as u64), AtomicU64::default());
        Self { visits, bytes, given, beside, options: options.clone() }
    }

    /// Returns whether that many nodes more may be visited.
    pub(super) fn visit(&self, nodes: usize) -> bool {
        self.visits.spend(nodes as u64, 0)
    }

    /// Returns whether that many bytes more may be put in canonical form, of what was given and of what it was
    /// compressed to.
    pub(super) fn canonicalize(&self, bytes: u64) -> bool {
        self.bytes.spend(bytes, self.always())
    }

    /// Returns what is allowed of any document.
    fn always(&self) -> u64 {
        32 * self.given.load(Ordering::Relaxed).saturating_add(self.beside.load(Ordering::Relaxed))
    }

    /// Returns the bounds of the budget that were reached.
    fn bounds_reached(&self) -> impl Iterator<Item = &'static str> {
        let both = [("xpath_visits", &self.visits), ("canonical_bytes", &self.bytes)];
        both.into_iter().filter(|(_, spent)| spent.exceeded.load(Ordering::Relaxed)).map(|(bound, _)| bound)
    }
}

/// Work that all documents in one file share, once the first of them was read.
#[derive(Debug, Default)]
pub struct SharedWork(Option<Arc<Work>>);

/// What was spent of a bound of the budget.
#[derive(Debug)]
struct Spent {
    so_far: AtomicU64,
    limit: u64,
    /// Whether more was asked for.
    exceeded: AtomicBool,
}

impl Spent {
    fn new(limit: u64) -> Self {
        Self { so_far: AtomicU64::new(0), limit, exceeded: AtomicBool::new(false) }
    }

    fn spend(&self, more: u64, beside: u64) -> bool {
        let within =
            self.so_far.fetch_add(more, Ordering::Relaxed).saturating_add(more) <= self.limit.saturating_add(beside);
        if !within {
            self.exceeded.store(true, Ordering::Relaxed);
        }
        within
    }
}

/// Nodes and attributes of a document that is read within or beside another one, whatever it was compressed to: held, they
/// take some 150 MB. Real files that are transformed: below 500,000.
const NODES: usize = 2_000_000;
/// The fewest bytes of a node: `<a/>`.
const BYTES_OF_A_NODE: u64 = 4;

/// Returns whether a document of this text may be held beside another one of so many `given` bytes.
pub fn is_held(text: &str, given: u64) -> bool {
    nodes(text) <= nodes_held(given)
}

/// Returns the most nodes and attributes that are held of what was compressed, in a file of so many bytes.
pub fn nodes_held(given: u64) -> usize {
    NODES.saturating_add(usize::try_from(given / BYTES_OF_A_NODE).unwrap_or(usize::MAX))
}

/// Returns the most nodes and attributes that a text can have.
pub fn nodes(text: &str) -> usize {
    memchr::memchr2_iter(b'<', b'=', text.as_bytes()).count()
}

impl Tree<'_> {
    /// Notes that a document beside it has so many bytes as it was given, and may have as many nodes as these can be.
    pub fn is_beside(&self, bytes: u64) {
        self.work.beside.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Returns whether a document of this text may be read and held as well.
    pub(super) fn affords_document(&self, text: &str) -> bool {
        let within = is_held(text, self.work.beside.load(Ordering::Relaxed));
        if !within {
            self.work.bytes.exceeded.store(true, Ordering::Relaxed);
        }
        within && self.affords(2 * canonical::NODE * nodes(text) as u64)
    }

    /// Shares the bounds of its work with other documents in one file, which has so many bytes.
    pub fn share_work(&mut self, shared: &mut SharedWork, file: usize) {
        if shared.0.is_none() {
            self.work.given.store(file as u64, Ordering::Relaxed);
        }
        self.work = shared.0.get_or_insert_with(|| self.work.clone()).clone();
    }

    /// Returns the bounds of the budget that were reached, so that not all was compared.
    pub fn bounds_reached(&self) -> impl Iterator<Item = &'static str> {
        self.work.bounds_reached()
    }

    /// Spends so many bytes of the budget for canonical forms, and returns whether it allows for them.
    pub fn affords(&self, bytes: u64) -> bool {
        self.work.canonicalize(bytes)
    }

    /// Returns the same as [`affords`](Self::affords), of what lies outside the document: it may be gone through some
    /// times, whatever its size.
    pub fn affords_outside(&self, bytes: u64) -> bool {
        self.work.bytes.spend(bytes, self.work.always() + 8 * bytes)
    }
}
