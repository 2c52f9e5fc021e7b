//! Values of certificates, CRLs and OCSP responses that were verified before, for whoever validates many documents.
//!
//! The same authorities stand behind many documents. Whether a key verifies a token is a pure function of the octets of
//! both, so that an answer once calculated holds for good: no verdict, chain or time is remembered, only arithmetic. A
//! report is the same with and without it.

use sha2::Digest as _;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers kept: those of some thousand documents without an authority in common. 128 octets each make 2 MiB.
const MOST: usize = 16_384;

/// Whose value was asked for, and by whose key: SHA-256 of the token, and of the SubjectPublicKeyInfo.
type Question = ([u8; 32], [u8; 32]);

/// What was calculated before, for all clones of a validator together.
#[derive(Debug, Default)]
pub struct Memo(Mutex<HashMap<Question, bool>>);

impl Memo {
    /// Whether the key verifies the token: as calculated before, else now, by `verifies`.
    pub(super) fn answer(&self, token: [u8; 32], spki: &[u8], verifies: impl FnOnce() -> bool) -> bool {
        let question = (token, sha2::Sha256::digest(spki).into());
        if let Some(&known) = self.answers().get(&question) {
            return known;
        }
        // Others may calculate the same meanwhile; the answer is the same.
        let answer = verifies();
        let mut answers = self.answers();
        if answers.len() >= MOST {
            answers.clear();
        }
        answers.insert(question, answer);
        answer
    }

    /// Forgets all answers.
    pub fn clear(&self) {
        self.answers().clear();
    }

    /// Whoever panicked while it held the lock left no half of an answer behind.
    fn answers(&self) -> MutexGuard<'_, HashMap<Question, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        for number in 0..=MOST {
            memo.answer([0; 32], &number.to_be_bytes(), || true);
        }
        assert_eq!(memo.answers().len(), 1);
    }
}
