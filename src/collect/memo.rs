//! What documents of the same authorities have in common, for whoever validates many of them: certificates, CRLs and OCSP
//! responses as read, and which of their values were verified before.
//!
//! What octets say, and whether a key verifies a token, are pure functions of the octets, so that an answer once found holds
//! for good: no verdict, chain or time is remembered. A report is the same with and without it.

use crate::asn1::Tlv;
use crate::x509::{Certificate, Crl, OcspResponse};
use sha2::Digest as _;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers kept: those of some thousand documents without an authority in common. 128 octets each make 2 MiB.
const ANSWERS: usize = 16_384;
/// Certificates and OCSP responses kept, in octets: some 2,000 of each, those of some hundred documents without an authority in
/// common. What is read of them takes three times as much beside.
const SMALL: Room = Room { octets: 4 << 20, each: 16 << 10 };
/// CRLs kept, in octets. Longer ones than 4 MiB are rare and change often.
const LARGE: Room = Room { octets: 16 << 20, each: 4 << 20 };

/// Whose value was asked for, and by whose key: SHA-256 of the token, and of the SubjectPublicKeyInfo.
type Question = ([u8; 32], [u8; 32]);

/// What was found out before, for all clones of a validator together.
#[derive(Debug, Default)]
pub struct Memo {
    answers: Mutex<HashMap<Question, bool>>,
    certificates: Mutex<Kept<Certificate>>,
    responses: Mutex<Kept<OcspResponse>>,
    crls: Mutex<Kept<Crl>>,
}

/// What was read of octets, by their SHA-256.
#[derive(Debug)]
struct Kept<T> {
    read: HashMap<[u8; 32], T>,
    octets: usize,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { read: HashMap::new(), octets: 0 }
    }
}

/// How many octets are kept in all, and of how many there may be in one piece.
struct Room {
    octets: usize,
    each: usize,
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
        let mut answers = locked(&self.answers);
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        answers.insert(question, answer);
        answer
    }

    /// The certificate whose octets have this SHA-256: as read before, else now, by `read`.
    pub(super) fn certificate(
        &self,
        sha256: [u8; 32],
        read: impl FnOnce() -> Option<Certificate>,
    ) -> Option<Certificate> {
        known(&self.certificates, sha256, SMALL, |certificate: &Certificate| certificate.der().len(), read)
    }

    /// The OCSP response in these octets; what follows it is ignored.
    pub(super) fn ocsp(&self, octets: &[u8]) -> Option<OcspResponse> {
        let (sent, _) = Tlv::split(octets).ok()?;
        let read = || OcspResponse::from_der(sent.raw).ok();
        known(&self.responses, sha2::Sha256::digest(sent.raw).into(), SMALL, |ocsp| ocsp.basic().len(), read)
    }

    /// The CRL in these octets; what follows it is ignored.
    pub(super) fn crl(&self, octets: &[u8]) -> Option<Crl> {
        let (sent, _) = Tlv::split(octets).ok()?;
        let sha256 = sha2::Sha256::digest(sent.raw).into();
        known(&self.crls, sha256, LARGE, |crl| crl.der().len(), || Crl::digested(&sent, sha256).ok())
    }

    /// Forgets everything.
    pub fn clear(&self) {
        locked(&self.answers).clear();
        *locked(&self.certificates) = Kept::default();
        *locked(&self.responses) = Kept::default();
        *locked(&self.crls) = Kept::default();
    }
}

/// Whoever panicked while it held the lock left no half of an entry behind.
fn locked<T>(entries: &Mutex<T>) -> MutexGuard<'_, T> {
    entries.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What octets of this SHA-256 are: as read before, else now. Too much at once is not kept, and full room is emptied.
fn known<T: Clone>(
    kept: &Mutex<Kept<T>>,
    sha256: [u8; 32],
    room: Room,
    length: impl Fn(&T) -> usize,
    read: impl FnOnce() -> Option<T>,
) -> Option<T> {
    if let Some(known) = locked(kept).read.get(&sha256) {
        return Some(known.clone());
    }
    let read = read()?;
    let octets = length(&read);
    if octets <= room.each {
        let mut kept = locked(kept);
        if kept.octets + octets > room.octets {
            *kept = Kept::default();
        }
        kept.octets += octets;
        kept.read.insert(sha256, read.clone());
    }
    Some(read)
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
    fn what_is_read_is_kept_as_long_as_there_is_room() {
        let (kept, room) = (Mutex::default(), || Room { octets: 100, each: 50 });
        for (situation, number, octets, reads) in [
            ("the first time", 1, 50, true),
            ("again", 1, 50, false),
            ("one that fits beside it", 2, 50, true),
            ("the first still", 1, 50, false),
            ("one for which there is no room", 3, 1, true),
            ("the first once more", 1, 50, true),
            ("one that is too long", 4, 51, true),
            ("which is not kept", 4, 51, true),
            ("nor in place of others", 1, 50, false),
        ] {
            let mut read = false;
            let length = known(
                &kept,
                [number; 32],
                room(),
                |length| *length,
                || {
                    read = true;
                    Some(octets)
                },
            );
            assert_eq!((length, read), (Some(octets), reads), "{situation}");
        }
    }

    #[test]
    fn a_certificate_is_read_once() {
        const ROOT: &[u8] = include_bytes!("../../examples/documents/root.der");
        let memo = Memo::default();
        let long = [ROOT, &[0]].concat();
        for (situation, octets, reads) in [
            ("the first time", ROOT, [true, false]),
            ("where something follows it", &long, [true, false]),
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
