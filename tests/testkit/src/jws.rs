//! JWS and JAdES.

use crate::cms::{STAMPED, Token};
use crate::lab::Lab;
use crate::pki::sha256;
use base64::prelude::*;
use serde_json::{Value, json};

pub fn url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

impl Lab {
    /// A protected header with those entries besides the usual ones; `null` takes one away.
    pub fn header(&self, more: Value) -> Value {
        let certificate = &self.alice.certificate;
        let mut header = json!({
            "alg": "ES256",
            "x5c": [BASE64_STANDARD.encode(certificate)],
            "x5t#S256": url(&sha256(certificate)),
            "sigT": crate::lab::SIGNED,
            "crit": ["sigT"],
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            header[key] = value.clone();
        }
        header.as_object_mut().expect("it is an object").retain(|_, value| !value.is_null());
        header
    }

    /// Unsigned: revocation data, a time-stamp over the value.
    fn unprotected(&self, signature: &str) -> Value {
        let token = Token::over(signature.as_bytes(), STAMPED).by(&self.tsa);
        json!({ "etsiU": [
            { "rVals": { "crlVals": [{ "val": BASE64_STANDARD.encode(&self.crl) }] } },
            { "sigTst": { "tstTokens": [{ "val": BASE64_STANDARD.encode(token) }] } },
        ] })
    }

    /// The flattened serialisation over these bytes after the header and a dot.
    pub fn flattened(&self, header: &Value, payload: Option<&str>, signed: &[u8]) -> Value {
        let protected = url(header.to_string().as_bytes());
        let input = [protected.as_bytes(), b".", signed].concat();
        let signature = url(&self.alice.key.sign_concatenated(&input));
        let mut jws = json!({ "protected": protected, "signature": signature, "header": self.unprotected(&signature) });
        if let Some(payload) = payload {
            jws["payload"] = payload.into();
        }
        jws
    }

    /// The flattened serialisation with its payload in Base64url.
    pub fn jws(&self, payload: &[u8], more: Value) -> Value {
        let payload = url(payload);
        self.flattened(&self.header(more), Some(&payload), payload.as_bytes())
    }
}
