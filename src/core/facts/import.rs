//! Stored facts: lacre's JSON, or DSS's diagnostic data.

use super::{Digest, Facts, Id, dss};
use crate::algorithm::DigestAlgorithm;
use crate::budget::{Budget, RELATIONS};
use crate::{hex, xml_reader};
use std::collections::HashMap;

/// What a list counts among its services: its analysis has up to that many messages, which every token repeats.
const LIST: usize = 8;

/// Why a file is not read as facts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The first byte that is not white space begins neither XML nor JSON.
    #[error("found {found}, expected DSS diagnostic data (XML) or facts of lacre (JSON)")]
    Neither {
        /// The beginning of the file.
        found: String,
    },
    /// The file is not UTF-8.
    #[error("byte {offset} is not UTF-8")]
    NotText {
        /// The offset of the first byte that is not.
        offset: usize,
    },
    /// XML that is not DSS's diagnostic data.
    #[error("DSS diagnostic data, {0}")]
    Dss(#[from] xml_reader::Error),
    /// Signatures and time-stamps under more lists and services than any real file has.
    #[error("the signing certificates are of too many trusted lists and services: more than {limit} over all tokens")]
    TooManyServices {
        /// The bound.
        limit: usize,
    },
    /// JSON that is not lacre's facts.
    #[error("facts in JSON, line {line}, column {column}: {what}")]
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
}

impl Facts {
    /// Reads stored facts: lacre's JSON, or DSS's diagnostic data in XML, whichever the file is.
    ///
    /// # Errors
    ///
    /// [`ImportError`] where the file is neither, or cannot be read.
    ///
    /// ```
    /// use lacre::Facts;
    ///
    /// let facts = Facts::default();
    /// assert_eq!(Facts::from_bytes(facts.to_json().as_bytes())?, facts);
    /// # Ok::<(), lacre::ImportError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ImportError> {
        Self::from_bytes_within(bytes, &Budget::default())
    }

    /// Reads stored facts as [`from_bytes`](Self::from_bytes), within a budget.
    ///
    /// # Errors
    ///
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_within(bytes: &[u8], budget: &Budget) -> Result<Self, ImportError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut facts = match bytes.iter().find(|b| !b.is_ascii_whitespace()) {
            Some(b'<') => {
                let text =
                    std::str::from_utf8(bytes).map_err(|error| ImportError::NotText { offset: error.valid_up_to() })?;
                dss::read(text, budget.nesting)?
            }
            Some(b'{') => Self::from_json(bytes)?,
            Some(_) => return Err(ImportError::Neither { found: beginning(bytes) }),
            None => return Err(ImportError::Neither { found: "nothing".into() }),
        };
        facts.state_sha256();
        match facts.weight_of_lists() {
            ..=RELATIONS => Ok(facts),
            _ => Err(ImportError::TooManyServices { limit: RELATIONS }),
        }
    }

    /// Returns how much qualification looks at: for each token, the lists and services of its signing certificate.
    fn weight_of_lists(&self) -> usize {
        let mut of = HashMap::new();
        for certificate in &self.certificates {
            let each = certificate.trust_service_providers.iter().map(|provider| LIST + provider.services.len());
            of.entry(&certificate.id).or_insert_with(|| each.sum::<usize>());
        }
        let signatures = self.signatures.iter().map(|signature| &signature.signing_certificate);
        let signers = signatures.chain(self.timestamps.iter().map(|timestamp| &timestamp.signing_certificate));
        signers.flatten().filter_map(|id| of.get(id)).fold(0, |sum, weight| sum.saturating_add(*weight))
    }

    /// States the SHA-256 of certificates and revocation data where the file has it in another place.
    fn state_sha256(&mut self) {
        let certificates = self.certificates.iter_mut().map(|c| (&c.id, &c.digest, &mut c.sha256));
        let revocations = self.revocations.iter_mut().map(|r| (&r.id, &r.digest, &mut r.sha256));
        for (id, digest, sha256) in certificates.chain(revocations).filter(|(.., sha256)| sha256.is_none()) {
            *sha256 = digest.as_ref().and_then(stated).or_else(|| named(id));
        }
    }

    fn from_json(bytes: &[u8]) -> Result<Self, ImportError> {
        let read: Result<Stored, _> = serde_json::from_slice(bytes);
        read.map(|stored| stored.facts).map_err(|error| {
            let what = error.to_string();
            let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what).to_owned();
            ImportError::Json { line: error.line(), column: error.column(), what }
        })
    }

    /// Returns the facts as JSON, which [`Facts::from_bytes`] reads.
    pub fn to_json(&self) -> String {
        // Every key is a string and every number finite, so that serialising into memory cannot fail.
        serde_json::to_string(&Store { schema: Schema, facts: self }).unwrap_or_default()
    }
}

/// The value of `schema` that marks lacre's facts.
const SCHEMA: &str = "lacre-facts/1";

struct Schema;

impl serde::Serialize for Schema {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(SCHEMA)
    }
}

impl<'de> serde::Deserialize<'de> for Schema {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let found = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        if found != SCHEMA {
            return Err(serde::de::Error::custom(format!("found schema `{found}`, expected `{SCHEMA}`")));
        }
        Ok(Self)
    }
}

#[derive(serde::Serialize)]
struct Store<'a> {
    schema: Schema,
    facts: &'a Facts,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(rename = "schema")]
    _schema: Schema,
    facts: Facts,
}

/// Returns the value of a SHA-256.
fn stated(digest: &Digest) -> Option<String> {
    let is_sha256 = digest.algorithm == Some(DigestAlgorithm::Sha256) && digest.value.0.len() == 32;
    is_sha256.then(|| hex::lower(&digest.value.0))
}

/// Returns the SHA-256 by which DSS names a certificate, CRL or OCSP response, and by which our own facts named them
/// before they stated it apart.
///
/// NOTE: DSS leaves leading zeros out of such ids. Ids of other shapes are not digests.
fn named(id: &Id) -> Option<String> {
    let last = id.as_str().rsplit('-').next().unwrap_or_default();
    let is_digest = (56..=64).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_hexdigit());
    is_digest.then(|| format!("{last:0>64}").to_ascii_lowercase())
}

/// Returns the first bytes, as they are shown in a message.
fn beginning(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(12)];
    match std::str::from_utf8(start) {
        Ok(text) if !text.chars().any(char::is_control) => format!("a file that begins with `{text}`"),
        _ => format!(
            "a file that begins with the bytes{}",
            start.iter().map(|b| format!(" {b:02x}")).collect::<String>()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Certificate;

    #[test]
    fn the_sha256_of_a_certificate_is_stated_once() {
        let digest = |algorithm, byte| Some(Digest { algorithm: Some(algorithm), value: vec![byte; 32].into() });
        let (sha256, sha512) = (DigestAlgorithm::Sha256, DigestAlgorithm::Sha512);
        let (own, full, short) = ("cd".repeat(32), format!("C-{}", "AB".repeat(32)), format!("C-{}", "AB".repeat(31)));
        for (situation, id, digest, before, after) in [
            ("stated already", &*full, digest(sha256, 1), Some(&own), Some(own.clone())),
            ("stated as a digest", &full, digest(sha256, 1), None, Some("01".repeat(32))),
            ("by the id", &full, None, None, Some("ab".repeat(32))),
            ("by the id, beside another digest", &full, digest(sha512, 1), None, Some("ab".repeat(32))),
            ("by an id without leading zeros", &short, None, None, Some(format!("00{}", "ab".repeat(31)))),
            ("an id that is no digest", "CERTIFICATE_Ada_20210101-1145", None, None, None),
        ] {
            let certificate =
                Certificate { id: Id::new(id), digest, sha256: before.cloned(), ..Certificate::default() };
            let mut facts = Facts { certificates: vec![certificate], ..Facts::default() };
            facts.state_sha256();
            assert_eq!(facts.certificates[0].sha256, after, "{situation}");
        }
    }
}
