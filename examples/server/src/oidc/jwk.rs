//! Public keys as JSON: RFC 7517, RFC 7518 §6, RFC 8037 §2.

use super::jws::Jws;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use lacre::signing::PublicKey;
use lacre_core::asn1::Writer;
use serde::Deserialize;

/// An issuer's keys. Those that are of another kind, for another use or too weak are left out.
#[derive(Debug, Clone)]
pub struct KeySet(Vec<Key>);

#[derive(Debug, Clone)]
struct Key {
    id: Option<String>,
    /// For which algorithms: what it states, else those of its kind.
    algorithms: Vec<String>,
    key: PublicKey,
}

/// One key as JSON has it.
#[derive(Debug, Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    r#use: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// AlgorithmIdentifiers in DER: RFC 3279 §2.3.1, RFC 5480 §2.1.1, RFC 8410 §3; and which algorithms a key signs with.
const KINDS: [(&str, &[u8], &[&str]); 5] = [
    ("P-256", b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07", &["ES256"]),
    ("P-384", b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22", &["ES384"]),
    ("P-521", b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x23", &["ES512"]),
    ("Ed25519", b"\x30\x05\x06\x03\x2b\x65\x70", &["EdDSA"]),
    (
        "RSA",
        b"\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00",
        &["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
    ),
];

/// RFC 7518 §3.3 and §3.5.
const RSA_BITS: u32 = 2048;

impl KeySet {
    /// Reads a JWK Set: RFC 7517 §5, whose members that are not understood are left out.
    pub fn from_json(json: &[u8]) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<serde_json::Value>,
        }
        let set: Set = serde_json::from_slice(json)?;
        let keys = set.keys.into_iter().filter_map(|key| Key::read(serde_json::from_value(key).ok()?));
        Ok(Self(keys.collect()))
    }

    /// Returns the key that a token names; where it names none, the only one for its algorithm.
    pub fn find(&self, jws: &Jws<'_>) -> Option<&PublicKey> {
        let fits = |key: &&Key| {
            key.algorithms.iter().any(|own| own == jws.algorithm) && (jws.key.is_none() || key.id == jws.key)
        };
        let mut fitting = self.0.iter().filter(fits);
        fitting.next().filter(|_| fitting.next().is_none()).map(|key| &key.key)
    }
}

impl Key {
    fn read(jwk: Jwk) -> Option<Self> {
        let kind = match (&*jwk.kty, jwk.crv.as_deref()) {
            ("RSA", _) => "RSA",
            ("EC", Some(curve @ ("P-256" | "P-384" | "P-521"))) | ("OKP", Some(curve @ "Ed25519")) => curve,
            _ => return None,
        };
        if jwk.r#use.as_deref().is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let (_, identifier, algorithms) = KINDS.into_iter().find(|(name, ..)| *name == kind)?;
        let number = |text: &Option<String>| BASE64_URL_SAFE_NO_PAD.decode(text.as_ref()?).ok();
        let bytes = match &*jwk.kty {
            "RSA" => {
                let (n, e) = (number(&jwk.n)?, number(&jwk.e)?);
                let positive = |bytes: Vec<u8>| [vec![0], bytes].concat();
                let mut key = Writer::new();
                key.sequence(|w| {
                    w.integer(&positive(n)).integer(&positive(e));
                });
                key.finish()
            }
            // SEC 1 §2.3.3: an uncompressed point.
            "EC" => [vec![4], number(&jwk.x)?, number(&jwk.y)?].concat(),
            _ => number(&jwk.x)?,
        };
        let mut spki = Writer::new();
        spki.sequence(|w| {
            w.raw(identifier).bit_string(&bytes);
        });
        let key = PublicKey::from_spki(&spki.finish()).ok()?;
        if kind == "RSA" && key.bits() < Some(RSA_BITS) {
            return None;
        }
        let stated = jwk.alg.as_deref();
        let algorithms = algorithms.iter().filter(|name| stated.is_none_or(|stated| stated == **name));
        Some(Self { id: jwk.kid, algorithms: algorithms.map(ToString::to_string).collect(), key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_keys_are_taken() {
        let x = r#""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU""#;
        let y = r#""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#;
        for (clause, jwk, taken) in [
            ("RFC 7518 6.2", format!(r#"{{"kty":"EC","crv":"P-256",{x},{y}}}"#), true),
            ("RFC 7517 4.2", format!(r#"{{"kty":"EC","crv":"P-256","use":"enc",{x},{y}}}"#), false),
            ("RFC 7518 6.2.1.1", format!(r#"{{"kty":"EC","crv":"P-256K",{x},{y}}}"#), false),
            ("RFC 7518 6.2.1.3", format!(r#"{{"kty":"EC","crv":"P-256",{x}}}"#), false),
            ("RFC 8037 2", format!(r#"{{"kty":"OKP","crv":"Ed25519",{x}}}"#), true),
            ("RFC 7518 6.4", r#"{"kty":"oct","k":"AAAA"}"#.to_owned(), false),
            ("RFC 7518 3.3: 1,024 bits", format!(r#"{{"kty":"RSA","n":"{}8","e":"AQAB"}}"#, "_".repeat(170)), false),
            ("RFC 7518 3.3: 2,048 bits", format!(r#"{{"kty":"RSA","n":"{}w","e":"AQAB"}}"#, "_".repeat(341)), true),
        ] {
            let set = KeySet::from_json(format!(r#"{{"keys":[{jwk}]}}"#).as_bytes()).unwrap();
            assert_eq!(set.0.len(), usize::from(taken), "{clause}");
        }
    }
}
