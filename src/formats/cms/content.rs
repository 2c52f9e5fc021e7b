//! What a signature is over, and its digests, each made once.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The signed content: octets in pieces (BER strings, a PDF's byte ranges, a mapped file), or only digests of it.
#[derive(Debug, Default)]
pub struct Content<'a> {
    pieces: Option<Vec<&'a [u8]>>,
    name: Option<String>,
    digests: RefCell<BTreeMap<DigestAlgorithm, Vec<u8>>>,
}

impl<'a> Content<'a> {
    /// Content that is not at hand.
    pub fn missing() -> Self {
        Self::default()
    }

    /// The octets of these pieces, one after the other.
    pub fn pieces(pieces: Vec<&'a [u8]>) -> Self {
        Self { pieces: Some(pieces), ..Self::default() }
    }

    /// Content of which only these digests are known.
    pub fn digests(digests: impl IntoIterator<Item = facts::Digest>) -> Self {
        let known = digests.into_iter().filter_map(|d| Some((d.algorithm?, d.value.0))).collect();
        Self { digests: RefCell::new(known), ..Self::default() }
    }

    /// The same with a file name.
    pub fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// The file name, where the content is a file.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the octets are at hand, or at least a digest.
    pub fn is_found(&self) -> bool {
        self.pieces.is_some() || !self.digests.borrow().is_empty()
    }

    /// The octets' pieces.
    pub fn octets(&self) -> Option<&[&'a [u8]]> {
        self.pieces.as_deref()
    }

    /// Its digest, computed at the first call.
    pub fn digest(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        if let Some(digest) = self.digests.borrow().get(&algorithm) {
            return Some(digest.clone());
        }
        let mut hasher = Hasher::new(algorithm)?;
        for piece in self.pieces.as_ref()? {
            hasher.update(piece);
        }
        let digest = hasher.finish();
        self.digests.borrow_mut().insert(algorithm, digest.clone());
        Some(digest)
    }

    /// One digest by which to tell it from other contents: its SHA-256, else one of those known.
    pub fn any_digest(&self) -> Option<(DigestAlgorithm, Vec<u8>)> {
        let sha256 = self.digest(DigestAlgorithm::Sha256).map(|digest| (DigestAlgorithm::Sha256, digest));
        sha256.or_else(|| {
            self.digests.borrow().iter().next_back().map(|(algorithm, digest)| (*algorithm, digest.clone()))
        })
    }

    /// Whether only digests are known.
    pub fn is_digest_only(&self) -> bool {
        self.pieces.is_none() && self.is_found()
    }
}
