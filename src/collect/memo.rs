//! What documents of the same authorities have in common, for whoever validates many of them: certificates as read, and which
//! values of certificates, CRLs and OCSP responses were verified before.
//!
//! What octets say, and whether a key verifies a token, are pure functions of the octets, so that an answer once found holds
//! for good: no verdict, chain or time is remembered. A report is the same with and without it.

use crate::x509::Certificate;
use sha2::Digest as _;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers kept: those of some thousand documents without an authority in common. 128 octets each make 2 MiB.
const ANSWERS: usize = 16_384;
/// Certificates kept: those of some hundred documents without an authority in common. With what is read of one, 8 KiB each
/// make 16 MiB.
const CERTIFICATES: usize = 2048;
/// The longest certificate kept, in octets. Real ones: below 5,000.
const CERTIFICATE: usize = 8192;

/// Whose value was asked for, and by whose key: SHA-256 of the token, and of the SubjectPublicKeyInfo.
type Question = ([u8; 32], [u8; 32]);

/// What was found out before, for all clones of a validator together.
#[derive(Debug, Default)]
pub struct Memo {
    answers: Mutex<HashMap<Question, bool>>,
    /// By the SHA-256 of their octets.
    certificates: Mutex<HashMap<[u8; 32], Certificate>>,
}

impl Memo {
    /// Whether the key verifies the token: as calculated before, else now, by `verifies`.
    pub(super) fn answer(&self, token: [u8; 32], spki: &[u8], verifies: impl FnOnce() -> bool) -> bool {
        let question = (token, sha2::Sha256::digest(spki).into());
        if let Some(&known) = locked(&self.answers).get(&question) {
            return known;
        }
        // Others may calculate the same meanwhile; the answer is the same.
        let answer = verifies();
        keep(&self.answers, ANSWERS, question, answer);
        answer
    }

    /// The certificate whose octets have this SHA-256: as read before, else now, by `read`.
    pub(super) fn certificate(
        &self,
        sha256: [u8; 32],
        read: impl FnOnce() -> Option<Certificate>,
    ) -> Option<Certificate> {
        if let Some(known) = locked(&self.certificates).get(&sha256) {
            return Some(known.clone());
        }
        let certificate = read()?;
        // Not of octets that something follows, or that are no DER.
        if *certificate.sha256() == sha256 && certificate.der().len() <= CERTIFICATE {
            keep(&self.certificates, CERTIFICATES, sha256, certificate.clone());
        }
        Some(certificate)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        locked(&self.answers).clear();
        locked(&self.certificates).clear();
    }
}

/// Whoever panicked while it held the lock left no half of an entry behind.
fn locked<T>(entries: &Mutex<T>) -> MutexGuard<'_, T> {
    entries.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an entry, at most `most` of them: a full table starts again.
fn keep<K: Eq + Hash, V>(entries: &Mutex<HashMap<K, V>>, most: usize, key: K, value: V) {
    let mut entries = locked(entries);
    if entries.len() >= most {
        entries.clear();
    }
    entries.insert(key, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_one_token_and_one_key() {
        let memo = Memo::default();
        for (situation, token, key, calculated, expected) in [
            ("the first time", 1, b"a", Some(true), true),
            ("again", 1, b"a", None, true),
            ("another key", 1, b"b", Some(false), false),
            ("another key again", 1, b"b", None, false),
            ("another token", 2, b"a", Some(false), false),
        ] {
            let mut asked = false;
            let answer = memo.answer([token; 32], key, || {
                asked = true;
                calculated.unwrap_or_default()
            });
            assert_eq!((answer, asked), (expected, calculated.is_some()), "{situation}");
        }
        memo.clear();
        assert!(memo.answer([2; 32], b"a", || true), "forgotten");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let memo = Memo::default();
        for number in 0..=ANSWERS {
            memo.answer([0; 32], &number.to_be_bytes(), || true);
        }
        assert_eq!(locked(&memo.answers).len(), 1);
    }

    #[test]
    fn a_certificate_is_read_once() {
        const ROOT: &[u8] = include_bytes!("../../examples/documents/root.der");
        let memo = Memo::default();
        let long = [ROOT, &[0]].concat();
        for (situation, octets, reads) in [
            ("the first time", ROOT, [true, false]),
            ("where something follows it", &long, [true, true]),
            ("no certificate", b"no certificate", [true, true]),
        ] {
            for expected in reads {
                let mut read = false;
                let certificate = memo.certificate(sha2::Sha256::digest(octets).into(), || {
                    read = true;
                    Certificate::from_der(octets).ok()
                });
                assert_eq!((certificate, read), (Certificate::from_der(octets).ok(), expected), "{situation}");
            }
        }
        memo.clear();
        assert!(memo.certificate(sha2::Sha256::digest(ROOT).into(), || None).is_none(), "forgotten");
    }
}
