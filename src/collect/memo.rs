//! What documents of the same authorities have in common, for whoever validates many of them: certificates, CRLs and OCSP
//! responses as read, and which of their values were verified before.
//!
//! What octets say, and whether a key verifies a token, are pure functions of the octets, so that an answer once found holds
//! for good: no verdict, chain or time is remembered. A report is the same with and without it.

use crate::asn1::Tlv;
use crate::hashed::{Map, RandomState};
use crate::x509::{Certificate, Crl, OcspResponse};
use std::hash::BuildHasher as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers kept: those of some thousand documents without an authority in common. 128 octets each make 2 MiB.
const ANSWERS: usize = 16_384;
/// Certificates and OCSP responses kept, in octets: some 2,000 of each, those of some hundred documents without an authority in
/// common. What is read of them takes three times as much beside.
const SMALL: Room = Room { octets: 4 << 20, each: 16 << 10 };
/// CRLs kept, in octets. Longer ones than 4 MiB are rare and change often.
const LARGE: Room = Room { octets: 16 << 20, each: 4 << 20 };

/// Whose value was asked for, and by whose key: SHA-256 of the token, and of a certificate that has the key.
type Question = ([u8; 32], [u8; 32]);

/// What was found out before, for all clones of a validator together.
#[derive(Debug, Default)]
pub struct Memo {
    answers: Mutex<Map<Question, bool>>,
    places: RandomState,
    certificates: Mutex<Kept<Certificate>>,
    responses: Mutex<Kept<OcspResponse>>,
    crls: Mutex<Kept<Crl>>,
}

/// What was read of octets, by a hash of them. It only finds: whether it was these very octets is compared.
#[derive(Debug)]
struct Kept<T> {
    read: Map<u64, T>,
    octets: usize,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { read: Map::default(), octets: 0 }
    }
}

/// How many octets are kept in all, and of how many there may be in one piece.
struct Room {
    octets: usize,
    each: usize,
}

impl Memo {
    /// Whether the certificate's key verifies the token: as calculated before, else now, by `verifies`.
    pub(super) fn answer(&self, token: [u8; 32], certificate: [u8; 32], verifies: impl FnOnce() -> bool) -> bool {
        let question = (token, certificate);
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

    /// The certificate in these octets, as read before, else now.
    pub(super) fn certificate(&self, octets: &[u8]) -> Option<Certificate> {
        let is = |certificate: &Certificate| certificate.der() == octets;
        self.known(&self.certificates, octets, SMALL, is, || Certificate::from_der(octets).ok())
    }

    /// The OCSP response in these octets; what follows it is ignored.
    pub(super) fn ocsp(&self, octets: &[u8]) -> Option<OcspResponse> {
        let sent = Tlv::split(octets).ok()?.0.raw;
        let is = |ocsp: &OcspResponse| ocsp.basic() == sent || ocsp.der() == sent;
        self.known(&self.responses, sent, SMALL, is, || OcspResponse::from_der(sent).ok())
    }

    /// The CRL in these octets; what follows it is ignored.
    pub(super) fn crl(&self, octets: &[u8]) -> Option<Crl> {
        let sent = Tlv::split(octets).ok()?.0.raw;
        self.known(&self.crls, sent, LARGE, |crl| crl.der() == sent, || Crl::from_der(sent).ok())
    }

    /// What octets are, as read before, else now. What is not those octets again, or too much at once, is not kept, and full
    /// room is emptied.
    fn known<T: Clone>(
        &self,
        kept: &Mutex<Kept<T>>,
        octets: &[u8],
        room: Room,
        is: impl Fn(&T) -> bool,
        read: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let place = self.places.hash_one(octets);
        let known = locked(kept).read.get(&place).cloned();
        if let Some(known) = known.filter(&is) {
            return Some(known);
        }
        let read = read()?;
        if octets.len() <= room.each && is(&read) {
            let mut kept = locked(kept);
            if kept.octets + octets.len() > room.octets {
                *kept = Kept::default();
            }
            kept.octets += octets.len();
            kept.read.insert(place, read.clone());
        }
        Some(read)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_one_token_and_one_key() {
        let memo = Memo::default();
        for (situation, token, key, calculated, expected) in [
            ("the first time", 1, 8, Some(true), true),
            ("again", 1, 8, None, true),
            ("another key", 1, 9, Some(false), false),
            ("another key again", 1, 9, None, false),
            ("another token", 2, 8, Some(false), false),
        ] {
            let mut asked = false;
            let answer = memo.answer([token; 32], [key; 32], || {
                asked = true;
                calculated.unwrap_or_default()
            });
            assert_eq!((answer, asked), (expected, calculated.is_some()), "{situation}");
        }
        memo.clear();
        assert!(memo.answer([2; 32], [8; 32], || true), "forgotten");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let memo = Memo::default();
        for number in 0..=ANSWERS as u64 {
            let token = std::array::from_fn(|at| number.to_be_bytes()[at % 8]);
            memo.answer(token, [0; 32], || true);
        }
        assert_eq!(locked(&memo.answers).len(), 1);
    }

    #[test]
    fn what_is_read_is_kept_as_long_as_there_is_room() {
        let (memo, kept, room) = (Memo::default(), Mutex::default(), || Room { octets: 100, each: 50 });
        for (situation, octets, reads) in [
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
            let is = |known: &Vec<u8>| known == octets;
            let read = memo.known(&kept, octets, room(), is, || {
                asked = true;
                Some(octets.iter().copied().filter(|octet| *octet != 0).collect())
            });
            assert_eq!((read.is_some(), asked), (true, reads), "{situation}");
        }
    }

    #[test]
    fn other_octets_at_the_same_place_are_read() {
        let (memo, kept) = (Memo::default(), Mutex::<Kept<Vec<u8>>>::default());
        let place = memo.places.hash_one([1_u8].as_slice());
        locked(&kept).read.insert(place, vec![2]);
        let read = memo.known(&kept, &[1], SMALL, |known| known == &[1], || Some(vec![1]));
        assert_eq!((read, &locked(&kept).read[&place]), (Some(vec![1]), &vec![1]));
    }

    #[test]
    fn a_certificate_is_what_its_octets_are() {
        const ROOT: &[u8] = include_bytes!("../../examples/documents/root.der");
        let memo = Memo::default();
        for (situation, octets) in [
            ("a certificate", ROOT),
            ("again", ROOT),
            ("something follows it", &[ROOT, &[0]].concat()),
            ("no certificate", b"no certificate"),
        ] {
            assert_eq!(memo.certificate(octets), Certificate::from_der(octets).ok(), "{situation}");
        }
        assert_eq!(locked(&memo.certificates).octets, ROOT.len(), "as it was sent alone it is kept");
        memo.clear();
        assert_eq!(locked(&memo.certificates).octets, 0, "forgotten");
    }
}
