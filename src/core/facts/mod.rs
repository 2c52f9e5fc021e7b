//! The facts: everything that the judgement may know, and nothing that it concludes.
//!
//! Collecting facts (formats, cryptography, chain building) ends in one
//! [`Facts`]; judging starts from it. The record is immutable, serialisable and
//! self-contained: it never refers to the bytes of the document. Its concepts
//! are those of EU DSS's diagnostic data (`DiagnosticData.xsd`), so that stored
//! diagnostic data can be read into it (`facts/dss`) and judged years later.
//!
//! Tokens refer to each other by [`Id`]. Ids of our own are a letter and the
//! upper-case SHA-256 of what the token is made of, as DSS's are.

mod certificate;
mod dss;
mod evidence_record;
mod import;
mod irregularity;
mod material;
mod pdf;
mod revocation;
mod shared;
mod signature;
mod timestamp;
mod trust;

pub use certificate::*;
pub use evidence_record::*;
pub use import::ImportError;
pub use irregularity::*;
pub use material::*;
pub use pdf::*;
pub use revocation::*;
pub use shared::Shared;
pub use signature::*;
pub use timestamp::*;
pub use trust::*;

use crate::time::Time;
use crate::vocabulary::string_enum;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The name of a token within one record.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Id(Arc<str>);

impl Id {
    /// Returns the id with this text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

impl std::fmt::Debug for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

/// All that was collected about one document and its evidence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The document.
    pub document: DocumentFacts,
    /// The validation time for which the facts were collected; the default time of the judgement.
    pub validation_time: Option<Time>,
    /// The ASiC or OpenDocument container.
    pub container: Option<Container>,
    /// The PDF/A profile that the document claims, where one was checked.
    pub pdfa: Option<PdfA>,
    /// The connection for which a website certificate is judged (TS 119 411-5).
    pub connection: Option<Connection>,
    /// Signatures and counter-signatures, in the order of the document.
    pub signatures: Vec<Signature>,
    /// Time-stamps of every kind, also those of evidence records.
    pub timestamps: Vec<Timestamp>,
    /// Evidence records (RFC 4998, RFC 6283).
    pub evidence_records: Vec<EvidenceRecord>,
    /// Every certificate that any token or chain refers to.
    pub certificates: Vec<Certificate>,
    /// Every CRL and OCSP response that concerns one of the certificates.
    pub revocations: Vec<Revocation>,
    /// Certificates that are only embedded or referred to, in no chain.
    pub orphan_certificates: Vec<OrphanCertificate>,
    /// Revocation data that is only embedded or referred to.
    pub orphan_revocations: Vec<OrphanRevocation>,
    /// What the signatures sign.
    pub signed_data: Vec<SignedData>,
    /// The trusted lists that were consulted.
    pub trusted_lists: Vec<TrustedList>,
    /// Irregularities of the document as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
    /// The configured trust; `None` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust_store: Option<TrustStore>,
}

/// The document itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentFacts {
    /// Its file name, where the caller gave one.
    pub name: Option<String>,
    /// Its length in bytes.
    pub size: Option<u64>,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: Option<String>,
}

string_enum! {
    /// The two kinds of ASiC container (EN 319 162-1).
    pub enum ContainerType {
        AsicS = "ASiC-S",
        AsicE = "ASiC-E",
    }
}

/// A container's own statements (EN 319 162-1 §4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Container {
    /// Which kind it is; `None` when nothing says so.
    pub kind: Option<ContainerType>,
    /// The ZIP file's comment.
    pub zip_comment: Option<String>,
    /// Whether there is an entry `mimetype`.
    pub mimetype_present: bool,
    /// What that entry says.
    pub mimetype: Option<String>,
    /// The manifests.
    pub manifests: Vec<Manifest>,
    /// The names of the signed contents: every file that is not the container's own.
    pub contents: Vec<String>,
}

/// An ASiC manifest: which file is signed with which others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The manifest's own name.
    pub file: String,
    /// The signature or time-stamp that it belongs to.
    pub signature_file: Option<String>,
    /// The files it lists. Manifests by the hundred list the same ones.
    pub entries: Vec<Arc<str>>,
}

/// The result of a PDF/A check by another program; only in imported facts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PdfA {
    /// The profile, such as `PDF/A-2B`.
    pub profile: String,
    /// Whether the document conforms.
    pub compliant: bool,
    /// What the check found.
    pub messages: Vec<String>,
}

/// A TLS connection whose certificate is judged as a QWAC (TS 119 411-5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Connection {
    /// Where the connection went.
    pub url: String,
    /// The certificate presented.
    pub tls_certificate: Option<Id>,
    /// The `Link` header's location of a binding signature.
    pub binding_url: Option<String>,
    /// The binding signature.
    pub binding_signature: Option<Id>,
}

/// Something that a signature signs, by digest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignedData {
    /// Its id.
    pub id: Id,
    /// The name by which the signature refers to it.
    pub name: Option<String>,
    /// Its digest.
    pub digest: Digest,
    /// The signed data that this is a part of.
    pub parent: Option<Id>,
}
