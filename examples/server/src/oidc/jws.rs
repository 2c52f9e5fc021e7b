//! A JWS in compact serialisation: RFC 7515 §3.1, §5.2.

use super::jwk::KeySet;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use lacre::signing::SignatureAlgorithm;
use lacre_core::crypto::{Signed, VerifyError, verify};
use serde::Deserialize;

/// RFC 7518 §3.1 and RFC 8037 §3.1, but for shared secrets and no signature at all.
const ALGORITHMS: [&str; 10] =
    ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/// A longer token is none; certificates and the like have no place in it.
const LONGEST: usize = 16 * 1024;

/// A JWS that nobody has verified yet.
#[derive(Debug)]
pub struct Jws<'a> {
    /// The name of its key.
    pub key: Option<String>,
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// What is signed: header, dot, payload, as sent.
    signed: &'a str,
    payload: &'a str,
    value: Vec<u8>,
}

/// Why a token is no JWS of a key that is known.
#[derive(Debug, thiserror::Error)]
pub enum JwsError {
    /// It is not three parts of Base64url, the first of them a header.
    #[error("found no JWS in compact serialisation")]
    Structure,
    /// An algorithm that is not accepted.
    #[error("the algorithm is none of {}", ALGORITHMS.join(", "))]
    Algorithm,
    /// An extension that has to be understood, or another type of token.
    #[error("{header}: not understood")]
    Header {
        /// Which header.
        header: &'static str,
    },
    /// No key of the set is named and made so.
    #[error("the key set has no key of that name for {algorithm}")]
    Key {
        /// For which algorithm.
        algorithm: &'static str,
    },
    /// The value does not verify.
    #[error("the signature does not verify: {0}")]
    Value(VerifyError),
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<serde_json::Value>,
}

impl<'a> Jws<'a> {
    /// Reads a token.
    pub fn read(token: &'a str) -> Result<Self, JwsError> {
        let (signed, value) = token.rsplit_once('.').ok_or(JwsError::Structure)?;
        let (header, payload) = signed.split_once('.').ok_or(JwsError::Structure)?;
        if token.len() > LONGEST || payload.contains('.') {
            return Err(JwsError::Structure);
        }
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| JwsError::Structure)?;
        let algorithm = ALGORITHMS.into_iter().find(|name| *name == header.alg).ok_or(JwsError::Algorithm)?;
        // RFC 7515 §4.1.11.
        if header.crit.is_some() {
            return Err(JwsError::Header { header: "crit" });
        }
        // RFC 9068 §2.1; issuers that are older than it write JWT.
        let typ = header.typ.unwrap_or_default().to_ascii_lowercase();
        if !matches!(typ.trim_start_matches("application/"), "at+jwt" | "jwt" | "") {
            return Err(JwsError::Header { header: "typ" });
        }
        Ok(Self { key: header.kid, algorithm, signed, payload, value: decoded(value)? })
    }

    /// Returns the payload, once a key of the set has verified the value.
    pub fn verified(&self, keys: &KeySet) -> Result<Vec<u8>, JwsError> {
        let key = keys.find(self).ok_or(JwsError::Key { algorithm: self.algorithm })?;
        let algorithm = SignatureAlgorithm::from_jose(self.algorithm).ok_or(JwsError::Algorithm)?;
        verify(key, &algorithm, Signed::Message(self.signed.as_bytes()), &self.value).map_err(JwsError::Value)?;
        decoded(self.payload)
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, JwsError> {
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| JwsError::Structure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7515 appendix A.3, an ES256 key and what it signed, with a `typ` and without.
    const KEY: &str = r#"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#;
    const TOKEN: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

    #[test]
    fn rfc_7515_a_3() {
        let keys = KeySet::from_json(KEY.as_bytes()).unwrap();
        let payload = Jws::read(TOKEN).unwrap().verified(&keys).unwrap();
        assert!(payload.starts_with(br#"{"iss":"joe","#));
        let changed = TOKEN.replacen("eyJpc3Mi", "eyJpc3Ni", 1);
        assert!(matches!(Jws::read(&changed).unwrap().verified(&keys), Err(JwsError::Value(_))));
    }

    #[test]
    fn what_is_refused() {
        let header = |json: &str| format!("{}.e30.AAAA", BASE64_URL_SAFE_NO_PAD.encode(json));
        for (clause, token, accepted) in [
            ("RFC 7515 3.1", "e30.e30".to_owned(), false),
            ("RFC 7515 3.1: five parts are a JWE", format!("{TOKEN}.AA.AA"), false),
            ("RFC 7515 2: padding", TOKEN.to_owned() + "==", false),
            ("RFC 8725 3.2: none", header(r#"{"alg":"none"}"#), false),
            ("RFC 8725 2.1: shared secret", header(r#"{"alg":"HS256"}"#), false),
            ("RFC 7515 4.1.11", header(r#"{"alg":"ES256","crit":["exp"]}"#), false),
            ("RFC 9068 2.1", header(r#"{"alg":"ES256","typ":"at+jwt"}"#), true),
            ("RFC 9068 4: another type", header(r#"{"alg":"ES256","typ":"logout+jwt"}"#), false),
            ("too long", header(&format!(r#"{{"alg":"ES256","x":"{}"}}"#, "x".repeat(LONGEST))), false),
        ] {
            assert_eq!(Jws::read(&token).is_ok(), accepted, "{clause}");
        }
    }
}
