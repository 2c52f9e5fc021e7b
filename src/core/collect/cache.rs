//! What documents of the same authorities have in common: certificates, CRLs and OCSP responses as read, and which of
//! their values were verified before.
//!
//! What bytes say, and whether a key verifies a token, are pure functions of the bytes, so that an answer once found holds
//! for good: no verdict, chain or time is kept. A report is the same with and without it.

use crate::asn1::Tlv;
use crate::hashed::{Map, RandomState};
use crate::x509::{Certificate, Crl, OcspResponse};
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Answers kept: those of some thousand documents without an authority in common. 128 bytes each make 2 MiB.
const ANSWERS: usize = 16_384;
/// Certificates and OCSP responses kept, in bytes: some 2,000 of each, those of some hundred documents without an authority
/// in common. What is read of them takes three times as much beside.
const SMALL: Capacity = Capacity { total: 4 << 20, each: 16 << 10 };
/// CRLs kept, in bytes. Longer ones than 4 MiB are rare and change often.
const LARGE: Capacity = Capacity { total: 16 << 20, each: 4 << 20 };

/// Names a value and a key: SHA-256 of the token, and of a certificate that has the key.
type Question = ([u8; 32], [u8; 32]);

/// Keeps certificates, CRLs and OCSP responses as read, and which of their values were verified, from one document to the
/// next.
///
/// It is bounded: to 26 MiB, and what is read of them. Clones share what is kept, and so do the validators
/// that were given one, whatever their policies.
///
/// ```
/// use lacre::{Cache, Policy, Validator};
///
/// let cache = Cache::default();
/// let validator = Validator::new(Policy::eidas()).with_cache(cache.clone());
/// // … documents of today …
/// cache.clear();
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cache(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    answers: Mutex<Map<Question, bool>>,
    hashes: RandomState,
    certificates: Mutex<Parsed<Certificate>>,
    responses: Mutex<Parsed<OcspResponse>>,
    crls: Mutex<Parsed<Crl>>,
}

/// Holds what was read of bytes, by a hash of them. The hash only finds: whether it was these very bytes is compared.
#[derive(Debug)]
struct Parsed<T> {
    read: Map<u64, T>,
    bytes: usize,
}

impl<T> Default for Parsed<T> {
    fn default() -> Self {
        Self { read: Map::default(), bytes: 0 }
    }
}

/// Bounds how many bytes are kept in all, and how many in one piece.
struct Capacity {
    total: usize,
    each: usize,
}

impl Cache {
    /// Empties it, for everyone that shares it.
    pub fn clear(&self) {
        locked(&self.0.answers).clear();
        *locked(&self.0.certificates) = Parsed::default();
        *locked(&self.0.responses) = Parsed::default();
        *locked(&self.0.crls) = Parsed::default();
    }

    /// Says whether the certificate's key verifies the token: as calculated before, else now, by `verifies`.
    pub(super) fn answer(&self, token: [u8; 32], certificate: [u8; 32], verifies: impl FnOnce() -> bool) -> bool {
        let question = (token, certificate);
        if let Some(&known) = locked(&self.0.answers).get(&question) {
            return known;
        }
        // Others may calculate the same meanwhile; the answer is the same.
        let answer = verifies();
        let mut answers = locked(&self.0.answers);
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        answers.insert(question, answer);
        answer
    }

    /// Returns the certificate in these bytes, as read before, else now.
    pub(super) fn certificate(&self, bytes: &[u8]) -> Option<Certificate> {
        let is = |certificate: &Certificate| certificate.der() == bytes;
        self.known(&self.0.certificates, bytes, SMALL, is, || Certificate::from_der(bytes).ok())
    }

    /// Returns the OCSP response in these bytes; what follows it is ignored.
    pub(super) fn ocsp(&self, bytes: &[u8]) -> Option<OcspResponse> {
        let sent = Tlv::split(bytes).ok()?.0.raw;
        let is = |ocsp: &OcspResponse| ocsp.basic() == sent || ocsp.der() == sent;
        self.known(&self.0.responses, sent, SMALL, is, || OcspResponse::from_der(sent).ok())
    }

    /// Returns the CRL in these bytes; what follows it is ignored.
    pub(super) fn crl(&self, bytes: &[u8]) -> Option<Crl> {
        let sent = Tlv::split(bytes).ok()?.0.raw;
        self.known(&self.0.crls, sent, LARGE, |crl| crl.der() == sent, || Crl::from_der(sent).ok())
    }

    /// Returns what bytes are, as read before, else now. What is not those bytes again, or too large, is not kept; where the
    /// capacity is used up, everything of its kind is dropped.
    fn known<T: Clone>(
        &self,
        parsed: &Mutex<Parsed<T>>,
        bytes: &[u8],
        capacity: Capacity,
        is: impl Fn(&T) -> bool,
        read: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let hash = self.0.hashes.hash_one(bytes);
        let known = locked(parsed).read.get(&hash).cloned();
        if let Some(known) = known.filter(&is) {
            return Some(known);
        }
        let read = read()?;
        if bytes.len() <= capacity.each && is(&read) {
            let mut parsed = locked(parsed);
            if parsed.bytes + bytes.len() > capacity.total {
                *parsed = Parsed::default();
            }
            parsed.bytes += bytes.len();
            parsed.read.insert(hash, read.clone());
        }
        Some(read)
    }
}

/// Locks the entries. A thread that panicked while it held the lock left no half of one behind.
fn locked<T>(entries: &Mutex<T>) -> MutexGuard<'_, T> {
    entries.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_one_token_and_one_key() {
        let cache = Cache::default();
        for (situation, token, key, calculated, expected) in [
            ("the first time", 1, 8, Some(true), true),
            ("again", 1, 8, None, true),
            ("another key", 1, 9, Some(false), false),
            ("another key again", 1, 9, None, false),
            ("another token", 2, 8, Some(false), false),
        ] {
            let mut asked = false;
            let answer = cache.answer([token; 32], [key; 32], || {
                asked = true;
                calculated.unwrap_or_default()
            });
            assert_eq!((answer, asked), (expected, calculated.is_some()), "{situation}");
        }
        cache.clear();
        assert!(cache.answer([2; 32], [8; 32], || true), "cleared");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let cache = Cache::default();
        for number in 0..=ANSWERS as u64 {
            let token = std::array::from_fn(|at| number.to_be_bytes()[at % 8]);
            cache.answer(token, [0; 32], || true);
        }
        assert_eq!(locked(&cache.0.answers).len(), 1);
    }

    #[test]
    fn what_is_read_is_kept_as_long_as_there_is_room() {
        let (cache, parsed, capacity) = (Cache::default(), Mutex::default(), || Capacity { total: 100, each: 50 });
        for (situation, bytes, reads) in [
            ("the first time", [1; 50].as_slice(), true),
            ("again", &[1; 50], false),
            ("one that fits beside it", &[2; 50], true),
            ("the first still", &[1; 50], false),
            ("one for which there is no room", &[3], true),
            ("the first once more", &[1; 50], true),
            ("one that is too long", &[4; 51], true),
            ("which is not kept", &[4; 51], true),
            ("nor in place of others", &[1; 50], false),
            ("what does not come out as it was sent", &[0], true),
            ("is not kept", &[0], true),
        ] {
            let mut asked = false;
            let is = |known: &Vec<u8>| known == bytes;
            let read = cache.known(&parsed, bytes, capacity(), is, || {
                asked = true;
                Some(bytes.iter().copied().filter(|byte| *byte != 0).collect())
            });
            assert_eq!((read.is_some(), asked), (true, reads), "{situation}");
        }
    }

    #[test]
    fn other_bytes_of_the_same_hash_are_read() {
        let (cache, parsed) = (Cache::default(), Mutex::<Parsed<Vec<u8>>>::default());
        let hash = cache.0.hashes.hash_one([1_u8].as_slice());
        locked(&parsed).read.insert(hash, vec![2]);
        let read = cache.known(&parsed, &[1], SMALL, |known| known == &[1], || Some(vec![1]));
        assert_eq!((read, &locked(&parsed).read[&hash]), (Some(vec![1]), &vec![1]));
    }

    #[test]
    fn a_certificate_is_what_its_bytes_are() {
        const ROOT: &[u8] = include_bytes!("../../../examples/documents/root.der");
        let cache = Cache::default();
        for (situation, bytes) in [
            ("a certificate", ROOT),
            ("again", ROOT),
            ("something follows it", &[ROOT, &[0]].concat()),
            ("no certificate", b"no certificate"),
        ] {
            assert_eq!(cache.certificate(bytes), Certificate::from_der(bytes).ok(), "{situation}");
        }
        assert_eq!(locked(&cache.0.certificates).bytes, ROOT.len(), "as it was sent alone it is kept");
        cache.clear();
        assert_eq!(locked(&cache.0.certificates).bytes, 0, "cleared");
    }
}
