//! The manifest of a bundle.

use crate::report::Language;
use crate::time::Time;
use crate::vocabulary::string_enum;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// The format of bundles that is written, and the only one that is read.
pub(super) const SCHEMA: &str = "lacre-bundle/1";

/// The folder of the manifest, whose only entry it is.
pub(super) const FOLDER: &str = "manifest";

string_enum! {
    /// What an object is, as the folder in which it lies.
    pub enum Kind {
        Facts = "facts",
        Policy = "policy",
        Report = "report",
        Certificate = "certificates",
        Crl = "crls",
        Ocsp = "ocsp-responses",
        TrustedLists = "trusted-lists",
        /// Supplied by the caller, and not of a kind named before.
        Evidence = "evidence",
    }
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Self::Facts | Self::Policy | Self::Report => "json",
            Self::TrustedLists => "lacre",
            _ => "der",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub schema: String,
    pub generator: Generator,
    pub validation_time: Time,
    pub language: Language,
    pub document: Described,
    pub contents: Vec<Described>,
    pub facts: String,
    pub policy: String,
    pub report: String,
    /// In the order in which the caller supplied them, as is `evidence`.
    pub trust_anchors: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted_lists: Option<String>,
    pub evidence: Vec<String>,
    /// By digest.
    pub entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Generator {
    pub name: String,
    pub version: String,
}

/// A file that is not in the bundle, by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub kind: Kind,
    pub sha256: String,
    pub size: u64,
}

impl Described {
    pub(super) fn of(name: Option<&str>, bytes: &[u8]) -> Self {
        Self { name: name.map(str::to_owned), size: bytes.len() as u64, sha256: sha256(bytes) }
    }
}

impl Entry {
    /// Returns its name in the ZIP file.
    pub(super) fn name(&self) -> String {
        format!("{}/{}.{}", self.kind, self.sha256, self.kind.extension())
    }
}

impl Manifest {
    /// Returns the name in the ZIP file of the object with that digest.
    pub(super) fn name(&self, sha256: &str) -> String {
        self.entries.iter().find(|entry| entry.sha256 == sha256).map_or_else(|| sha256.to_owned(), Entry::name)
    }

    /// Returns the digests of the objects that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = &String> {
        [&self.facts, &self.policy, &self.report]
            .into_iter()
            .chain(&self.trust_anchors)
            .chain(&self.trusted_lists)
            .chain(&self.evidence)
    }
}

pub(super) fn generator() -> Generator {
    Generator { name: "lacre".into(), version: env!("CARGO_PKG_VERSION").into() }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    crate::hex::lower(&sha2::Sha256::digest(bytes))
}
