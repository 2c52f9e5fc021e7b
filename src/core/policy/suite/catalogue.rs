//! Catalogues of algorithms: TS 119 322, which extends RFC 5698, in XML and in JSON.
//!
//! A catalogue names digest functions, signature algorithms and key algorithms
//! by OID and URI. A key algorithm named alone stands for its signature
//! algorithms with every digest function of the catalogue, none of which
//! outlives its digest function. Signatures of catalogues are not verified here.

use super::{CryptographicSuite, Evaluation, SuiteLevels};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, RSA_PSS_URI, SignatureAlgorithm};
use crate::policy::Level;
use crate::time::Time;
use crate::xml_reader::{self, XmlReader, shortened};
use std::collections::BTreeMap;

mod json;
mod xml;

/// A file that is not a catalogue of algorithms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The first byte that matters begins neither XML nor JSON.
    #[error("found neither XML nor JSON, expected a TS 119 322 catalogue of algorithms")]
    Neither,
    /// The bytes are no text.
    #[error("a catalogue of algorithms is text in UTF-8, and byte {offset} is not UTF-8")]
    NotText {
        /// How many bytes are before it.
        offset: usize,
    },
    /// XML that is no catalogue.
    #[error("catalogue of algorithms, {0}")]
    Xml(#[from] xml_reader::Error),
    /// JSON that is no catalogue.
    #[error("catalogue of algorithms, line {line}, column {column}: {what}")]
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
}

impl CryptographicSuite {
    /// Reads a TS 119 322 catalogue, in XML or JSON, whichever its bytes are.
    ///
    /// What the catalogue does not accept fails, but ends that were still to come when it was issued warn.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SuiteError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| SuiteError::NotText { offset: error.valid_up_to() })?;
        let catalogue = match bytes.iter().find(|b| !b.is_ascii_whitespace()) {
            Some(b'<') => xml::read(text)?,
            Some(b'{') => json::read(text)?,
            _ => return Err(SuiteError::Neither),
        };
        Ok(catalogue.suite())
    }
}

/// A catalogue as it is written.
#[derive(Debug, Default)]
struct Catalogue {
    name: Option<String>,
    issued: Option<Time>,
    algorithms: Vec<(Identifier, Vec<Evaluation>)>,
}

/// `AlgorithmIdentifierType`.
#[derive(Debug, Default)]
struct Identifier {
    name: String,
    oids: Vec<String>,
    uris: Vec<String>,
}

/// What an identifier means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Digest(DigestAlgorithm),
    Signature(KeyAlgorithm, Option<DigestAlgorithm>),
}

impl Identifier {
    /// Returns what the identifier means: by URI, else by OID, else by name, since published catalogues
    /// have wrong OIDs beside right URIs. `None` for curves and what we do not know.
    fn named(&self) -> Option<Named> {
        let signature = |algorithm: SignatureAlgorithm| Named::Signature(algorithm.key, algorithm.digest);
        let by_uri = |uri: &String| {
            let digest = DigestAlgorithm::from_uri(uri).map(Named::Digest);
            let pss = || (uri == RSA_PSS_URI).then_some(Named::Signature(KeyAlgorithm::RsassaPss, None));
            digest.or_else(pss).or_else(|| SignatureAlgorithm::from_uri(uri).map(signature))
        };
        let by_oid = |oid: &String| {
            let oid = oid.strip_prefix("urn:oid:").unwrap_or(oid);
            let digest = DigestAlgorithm::from_oid(oid).map(Named::Digest);
            let key = || KeyAlgorithm::from_oid(oid).map(|key| Named::Signature(key, None));
            digest.or_else(|| SignatureAlgorithm::from_oid(oid).map(signature)).or_else(key)
        };
        let by_name = || {
            let key = || KeyAlgorithm::from_name(&self.name).map(|key| Named::Signature(key, None));
            DigestAlgorithm::from_name(&self.name).map(Named::Digest).or_else(key)
        };
        self.uris.iter().find_map(by_uri).or_else(|| self.oids.iter().find_map(by_oid)).or_else(by_name)
    }
}

impl Catalogue {
    fn suite(self) -> CryptographicSuite {
        let mut suite = CryptographicSuite {
            name: self.name,
            update: self.issued,
            levels: SuiteLevels {
                signature_algorithm: Some(Level::Fail),
                digest: Some(Level::Fail),
                key_size: Some(Level::Fail),
                expiry: Some(Level::Fail),
                expiry_after_update: Some(Level::Warn),
            },
            digests: BTreeMap::new(),
            signatures: BTreeMap::new(),
        };
        let mut alone = vec![];
        for (identifier, evaluations) in self.algorithms {
            match identifier.named() {
                Some(Named::Digest(digest)) => suite.digests.entry(digest).or_default().extend(evaluations),
                Some(Named::Signature(key, None)) => alone.push((key, evaluations)),
                Some(Named::Signature(key, digest)) => {
                    suite.signatures.entry((key, digest)).or_default().extend(evaluations);
                }
                None => {}
            }
        }
        for (key, evaluations) in alone {
            for (digest, ends) in &suite.digests {
                let limited = || evaluations.iter().flat_map(|own| ends.iter().map(|digest| own.within(digest)));
                suite.signatures.entry((key, Some(*digest))).or_insert_with(|| limited().collect());
            }
            suite.signatures.entry((key, None)).or_insert(evaluations);
        }
        suite
    }
}

/// Reads a key length parameter: RFC 5698 §3.4 and TS 119 322 name it after the mathematics.
fn is_key_length(parameter: &str) -> bool {
    matches!(parameter, "moduluslength" | "plength")
}

/// Returns whether we understand a parameter. An evaluation with another one is about keys that cannot be told from the
/// rest, and counts for none (RFC 5698 §3.4).
fn is_understood(parameter: &str) -> bool {
    is_key_length(parameter) || parameter == "qlength"
}

/// Reads a date, also with an offset or a time. A time that is the last moment of a day is taken as it is.
fn date(text: &str) -> Result<Time, String> {
    let text = text.trim();
    let whole = text.parse().ok().or_else(|| {
        // `xs:date` may have an offset.
        let (day, offset) = (text.get(..10)?, text.get(10..)?);
        format!("{day}T00:00:00{offset}").parse().ok()
    });
    whole.ok_or_else(|| format!("`{}` is not a date", shortened(text)))
}
