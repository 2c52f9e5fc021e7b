//! Digests of prefixes of one byte string.

use super::Hasher;
use crate::algorithm::DigestAlgorithm;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// Digests prefixes of a byte string: each byte once for each function, however many prefixes are asked for.
///
/// Every signature of a PDF covers the file from its first byte, and so does the digest of the whole file. The state
/// of a digest is kept at the end of every prefix that was asked for; a longer prefix goes on from there.
pub struct PrefixHashes<'a> {
    bytes: &'a [u8],
    states: RefCell<BTreeMap<(DigestAlgorithm, usize), Hasher>>,
}

impl<'a> PrefixHashes<'a> {
    /// Makes the digests of `bytes`, of which nothing is digested yet.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, states: RefCell::default() }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns a digest that has taken in the first `length` bytes; `None` where there are fewer, or where the function
    /// is known by name only.
    pub fn hasher(&self, algorithm: DigestAlgorithm, length: usize) -> Option<Hasher> {
        self.go_on(algorithm, length).map(|(_, hasher)| hasher)
    }

    /// Returns how many of the first `length` bytes a digest of them would take in, since no shorter prefix has them yet.
    pub fn fresh(&self, algorithm: DigestAlgorithm, length: usize) -> usize {
        let states = self.states.borrow();
        let known = states.range((algorithm, 0)..=(algorithm, length)).next_back();
        length - known.map_or(0, |(&(_, known), _)| known)
    }

    /// Returns the digest of all bytes.
    pub fn digest(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        let (known, hasher) = self.go_on(algorithm, self.bytes.len())?;
        // Nothing in the document asks for this digest: only what it adds is work.
        Some(hasher.without_counting(known).finish())
    }

    /// Returns after how many bytes a state was known, and the one after `length` of them.
    fn go_on(&self, algorithm: DigestAlgorithm, length: usize) -> Option<(usize, Hasher)> {
        let mut states = self.states.borrow_mut();
        let (start, mut hasher) = match states.range((algorithm, 0)..=(algorithm, length)).next_back() {
            Some((&(_, start), hasher)) => (start, hasher.clone()),
            None => (0, Hasher::new(algorithm)?),
        };
        let rest = self.bytes.get(start..length)?;
        if !rest.is_empty() {
            hasher.update(rest);
            states.insert((algorithm, length), hasher.clone());
        }
        Some((start, hasher))
    }
}

impl fmt::Debug for PrefixHashes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrefixHashes({} bytes)", self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::digest;

    #[test]
    fn whatever_was_asked_before() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let prefixes = PrefixHashes::new(&bytes);
        assert_eq!(prefixes.bytes(), bytes);
        assert_eq!(prefixes.fresh(DigestAlgorithm::Sha256, 700), 700);
        for (situation, length) in
            [("the first", 700), ("a longer one", 900), ("a shorter one", 100), ("the same", 700), ("nothing", 0)]
        {
            for algorithm in [DigestAlgorithm::Sha256, DigestAlgorithm::Sha1, DigestAlgorithm::Sha512] {
                let found = prefixes.hasher(algorithm, length).map(Hasher::finish);
                assert_eq!(found, digest(algorithm, &bytes[..length]), "FIPS 180-4, {algorithm}: {situation}");
            }
        }
        for (length, fresh) in [(1000, 100), (900, 0), (800, 100), (99, 99)] {
            assert_eq!(prefixes.fresh(DigestAlgorithm::Sha256, length), fresh, "{length}");
        }
        assert_eq!(prefixes.fresh(DigestAlgorithm::Sha384, 900), 900, "another function");
        assert_eq!(prefixes.digest(DigestAlgorithm::Sha384), digest(DigestAlgorithm::Sha384, &bytes));
        assert!(prefixes.hasher(DigestAlgorithm::Sha256, 1001).is_none(), "more than there is");
    }
}
