//! Access tokens: `lacre_ID_SECRET`. The id finds the record, the secret is 256 random bits, and only SHA-256 of the
//! whole is stored.

use crate::storage::TokenId;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use lacre::signing::{CryptoRng, DigestAlgorithm, digest};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

const PREFIX: &str = "lacre_";
/// Bytes of the secret.
const SECRET: usize = 32;
/// Longer than any token is.
const MOST: usize = 128;

/// A token as its user presents it; wiped when dropped, never printed.
pub struct Token {
    id: TokenId,
    text: Zeroizing<String>,
}

impl Token {
    /// Makes a new one.
    pub fn generate(randomness: &mut dyn CryptoRng) -> Self {
        let id = TokenId::random(randomness);
        let mut secret = Zeroizing::new([0; SECRET]);
        randomness.fill_bytes(&mut *secret);
        let secret = Zeroizing::new(BASE64_URL_SAFE_NO_PAD.encode(*secret));
        Self { id, text: Zeroizing::new(format!("{PREFIX}{id}_{}", *secret)) }
    }

    /// Reads what a user presents; `None` where it cannot be a token.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, _) = text.strip_prefix(PREFIX).filter(|_| text.len() <= MOST)?.split_once('_')?;
        let id = id.bytes().all(|digit| digit.is_ascii_digit()).then_some(id)?;
        Some(Self { id: TokenId::new(id.parse().ok()?)?, text: Zeroizing::new(text.to_owned()) })
    }

    /// Returns its id.
    pub fn id(&self) -> TokenId {
        self.id
    }

    /// Returns the text, to be shown once.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns what is stored of it.
    pub fn sha256(&self) -> [u8; 32] {
        let whole = digest(DigestAlgorithm::Sha256, self.text.as_bytes()).expect("SHA-256 is always there");
        whole.try_into().expect("SHA-256 has 32 bytes")
    }

    /// Returns whether it is the one of which this was stored. Takes the same time for every answer.
    pub fn is(&self, sha256: &[u8; 32]) -> bool {
        self.sha256().ct_eq(sha256).into()
    }
}

/// Why a token is not accepted. The user is told nothing of it, the audit log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no token of ours.
    #[error("malformed")]
    Malformed,
    /// Nobody has a token with this id.
    #[error("unknown")]
    Unknown,
    /// The secret is another one.
    #[error("wrong secret")]
    Secret,
    /// It expired.
    #[error("expired")]
    Expired,
    /// It was revoked.
    #[error("revoked")]
    Revoked,
    /// An OIDC access token that did not hold.
    #[error("not accepted by the OIDC check")]
    Oidc,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_token() {
        let token = Token::generate(&mut crate::rng::system());
        let again = Token::parse(token.text()).expect("what is shown is read");
        assert_eq!(again.id(), token.id());
        assert!(again.is(&token.sha256()) && !again.is(&[0; 32]));
        let mut other = token.text().to_owned();
        other.pop();
        let other = Token::parse(&other).expect("the secret's length is not asked");
        assert!(!other.is(&token.sha256()), "a shorter secret is another one");
        for (situation, text) in [
            ("nothing", ""),
            ("another prefix", "bearer_1_x"),
            ("no secret", "lacre_1"),
            ("id zero", "lacre_0_x"),
            ("id past 2^63", "lacre_9223372036854775808_x"),
            ("a signed id", "lacre_+1_x"),
            ("no id", "lacre__x"),
            ("too long", &format!("lacre_1_{}", "x".repeat(200))),
        ] {
            assert!(Token::parse(text).is_none(), "{situation}");
        }
    }
}
