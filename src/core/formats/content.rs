//! What a signature is over, and its digests, each made once.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, PrefixHashes};
use crate::executor::Executor;
use crate::facts;
use crate::formats::deflated::Deflated;
use crate::formats::relay::{SHARED, digested, digested_alone};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes of a compressed content that are held at once, where something has to look at them (transforms, a container
/// within the container). XML that is signed after transforms is below 10 MiB.
const HELD: u64 = 64 << 20;

/// Bytes of a content from which on a digest takes as long as many signature checks.
pub(crate) const LARGE: u64 = 16 << 20;

/// The signed content: bytes in pieces (BER strings, a mapped file), a PDF's byte ranges, compressed bytes, or only
/// digests of it. A digest is made without ever holding the bytes.
///
/// Clones share their digests: each is made once.
#[derive(Debug, Clone, Default)]
pub struct Content<'a> {
    bytes: Bytes<'a>,
    name: Option<String>,
    cache: Rc<DigestCache>,
}

/// The digests made so far, shared by all clones of a content.
#[derive(Debug, Default)]
struct DigestCache {
    digests: RefCell<BTreeMap<DigestAlgorithm, Vec<u8>>>,
    referenced: Cell<bool>,
}

/// Where the bytes are.
#[derive(Debug, Clone, Default)]
enum Bytes<'a> {
    #[default]
    Missing,
    Pieces(Vec<&'a [u8]>),
    /// The beginning of a file, up to a byte, and a later stretch of it.
    Covered(&'a PrefixHashes<'a>, usize, &'a [u8]),
    /// Compressed, and who digests while it is inflated.
    Deflated(Deflated<'a>, &'a dyn Executor),
}

impl<'a> Content<'a> {
    /// Returns a content that is not at hand.
    pub fn missing() -> Self {
        Self::default()
    }

    /// Returns the content made of these pieces, one after the other.
    pub fn pieces(pieces: Vec<&'a [u8]>) -> Self {
        Self { bytes: Bytes::Pieces(pieces), ..Self::default() }
    }

    /// Returns what a PDF signature covers: the file up to `first`, and a later stretch of it.
    pub fn covered(file: &'a PrefixHashes<'a>, first: usize, second: &'a [u8]) -> Self {
        Self { bytes: Bytes::Covered(file, first, second), ..Self::default() }
    }

    /// Returns a content that is compressed, and is digested on `executor`.
    pub fn deflated(deflated: Deflated<'a>, executor: &'a dyn Executor) -> Self {
        Self { bytes: Bytes::Deflated(deflated, executor), ..Self::default() }
    }

    /// Returns a content of which only these digests are known.
    pub fn digests(digests: impl IntoIterator<Item = facts::Digest>) -> Self {
        let known = digests.into_iter().filter_map(|d| Some((d.algorithm?, d.value.0))).collect();
        Self {
            cache: Rc::new(DigestCache { digests: RefCell::new(known), ..DigestCache::default() }),
            ..Self::default()
        }
    }

    /// Sets the file name.
    pub fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Returns the file name, where the content is a file.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Records that a reference means this content: it was compared with what is signed, whatever the outcome.
    pub fn refer(&self) {
        self.cache.referenced.set(true);
    }

    /// Whether a reference means it.
    pub fn is_referenced(&self) -> bool {
        self.cache.referenced.get()
    }

    /// Whether the bytes are at hand, or at least a digest.
    pub fn is_found(&self) -> bool {
        self.has_bytes() || !self.cache.digests.borrow().is_empty()
    }

    /// Whether the bytes are at hand.
    pub fn has_bytes(&self) -> bool {
        !matches!(self.bytes, Bytes::Missing)
    }

    /// Whether the bytes are compressed, so that each time they are asked for they are inflated.
    pub fn is_compressed(&self) -> bool {
        matches!(self.bytes, Bytes::Deflated(..))
    }

    /// Returns the bytes in one piece, borrowed where they lie in one piece.
    pub fn whole(&self) -> Option<Cow<'a, [u8]>> {
        match &self.bytes {
            Bytes::Pieces(pieces) => match pieces[..] {
                [only] => Some(Cow::Borrowed(only)),
                _ => Some(Cow::Owned(pieces.concat())),
            },
            Bytes::Deflated(deflated, _) if deflated.size > HELD => None,
            Bytes::Deflated(deflated, _) => deflated.whole().ok().map(Cow::Owned),
            _ => {
                let mut bytes = Vec::new();
                self.write(&mut |piece| bytes.extend_from_slice(piece))?;
                Some(Cow::Owned(bytes))
            }
        }
    }

    /// Writes the bytes piece by piece; `None` where they are not at hand or not what is stated of them.
    pub fn write(&self, sink: &mut dyn FnMut(&[u8])) -> Option<()> {
        match &self.bytes {
            Bytes::Missing => None,
            Bytes::Pieces(pieces) => {
                pieces.iter().for_each(|piece| sink(piece));
                Some(())
            }
            Bytes::Covered(file, first, second) => {
                sink(file.bytes().get(..*first)?);
                sink(second);
                Some(())
            }
            Bytes::Deflated(deflated, _) => deflated.write(sink).ok(),
        }
    }

    /// Whether the bytes begin with these.
    pub fn begins_with(&self, beginning: &[u8]) -> bool {
        match &self.bytes {
            Bytes::Missing => false,
            Bytes::Pieces(pieces) => pieces.iter().copied().flatten().take(beginning.len()).eq(beginning),
            Bytes::Covered(file, first, _) => {
                file.bytes().get(..*first).is_some_and(|bytes| bytes.starts_with(beginning))
            }
            Bytes::Deflated(deflated, _) => deflated.beginning(beginning.len()) == beginning,
        }
    }

    /// Returns the digest, computed at the first call.
    pub fn digest(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        if let Some(digest) = self.cache.digests.borrow().get(&algorithm) {
            return Some(digest.clone());
        }
        let digest = match &self.bytes {
            Bytes::Covered(file, first, second) => {
                let mut hasher = file.hasher(algorithm, *first)?;
                hasher.update(second);
                hasher.finish()
            }
            // Only containers have compressed contents.
            Bytes::Deflated(..) if cfg!(feature = "asic") => self.digested(&[algorithm])?.pop()?,
            _ => {
                let mut hasher = Hasher::new(algorithm)?;
                self.write(&mut |piece| hasher.update(piece))?;
                hasher.finish()
            }
        };
        self.cache.digests.borrow_mut().insert(algorithm, digest.clone());
        Some(digest)
    }

    /// Digests the bytes in one pass, compressed ones while they are inflated.
    fn digested(&self, functions: &[DigestAlgorithm]) -> Option<Vec<Vec<u8>>> {
        let ((), digests) = match self.bytes {
            Bytes::Deflated(deflated, executor) if deflated.size >= SHARED => {
                digested(executor, functions, |sink| deflated.write(sink).ok())?
            }
            _ => digested_alone(functions, |sink| self.write(sink))?,
        };
        Some(digests)
    }

    /// As [`whole`](Self::whole), where [`any_digest`](Self::any_digest) will be asked for as well: compressed bytes are
    /// inflated once for both.
    pub fn whole_and_any(&self) -> Option<Cow<'a, [u8]>> {
        let Bytes::Deflated(deflated, executor) = self.bytes else { return self.whole() };
        if !cfg!(feature = "asic") || deflated.size > LARGE {
            return self.whole();
        }
        let functions = [DigestAlgorithm::Sha256];
        let (bytes, digests) = if deflated.size >= SHARED {
            digested(executor, &functions, |sink| deflated.whole_and_write(sink).ok())?
        } else {
            digested_alone(&functions, |sink| deflated.whole_and_write(sink).ok())?
        };
        self.take_digests(functions.into_iter().zip(digests));
        Some(Cow::Owned(bytes))
    }

    /// As [`digest`](Self::digest), where [`any_digest`](Self::any_digest) will be asked for as well: compressed bytes are
    /// inflated once for both.
    pub fn digest_and_any(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        let sha256 = DigestAlgorithm::Sha256;
        let none_made = self.cache.digests.borrow().is_empty();
        let is_compressed = cfg!(feature = "asic") && self.is_compressed();
        if none_made && algorithm != sha256 && self.size() <= LARGE && is_compressed {
            let functions = [algorithm, sha256];
            self.take_digests(functions.into_iter().zip(self.digested(&functions)?));
        }
        self.digest(algorithm)
    }

    /// Adds digests that were made elsewhere, of the same bytes.
    pub fn take_digests(&self, digests: impl IntoIterator<Item = (DigestAlgorithm, Vec<u8>)>) {
        self.cache.digests.borrow_mut().extend(digests);
    }

    /// Returns one digest by which to tell it from other contents: its SHA-256, else one of those known. Of a large content
    /// it is one that was made already, where there is one.
    pub fn any_digest(&self) -> Option<(DigestAlgorithm, Vec<u8>)> {
        let made =
            || self.cache.digests.borrow().iter().next_back().map(|(algorithm, digest)| (*algorithm, digest.clone()));
        let large = made()
            .filter(|_| self.size() > LARGE && !self.cache.digests.borrow().contains_key(&DigestAlgorithm::Sha256));
        let sha256 = || self.digest(DigestAlgorithm::Sha256).map(|digest| (DigestAlgorithm::Sha256, digest));
        large.or_else(sha256).or_else(made)
    }

    /// Returns the number of bytes; 0 where they are not at hand.
    pub fn size(&self) -> u64 {
        match &self.bytes {
            Bytes::Missing => 0,
            Bytes::Pieces(pieces) => pieces.iter().map(|piece| piece.len() as u64).sum(),
            Bytes::Covered(_, first, second) => *first as u64 + second.len() as u64,
            Bytes::Deflated(deflated, _) => deflated.size,
        }
    }

    /// Whether only digests are known.
    pub fn is_digest_only(&self) -> bool {
        !self.has_bytes() && self.is_found()
    }
}
