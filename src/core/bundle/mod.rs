//! Evidence bundles: everything that a verdict rests on, in one file that gives the same report again, offline.
//!
//! A bundle is a ZIP file of objects, each named by its SHA-256: the facts, the policy with its cryptographic suites,
//! the report, every certificate, CRL and OCSP response of the facts, and what the caller supplied. A manifest says
//! which object is what. The document is not in the bundle; the manifest states its digest. The same validation gives
//! the same bytes; a bundle in which any byte differs is refused.
//!
//! [`Bundle::replay`] judges the stored facts again. [`Bundle::replay_with`] reads the document again with the stored
//! trust anchors and validation data, and compares the facts too. Both report the differences.

mod file;
mod manifest;
mod replay;
mod schema;

pub use manifest::Described;
pub use replay::{Difference, Replay};

use crate::document::Document;
use crate::facts::{Bytes, Facts};
use crate::policy::Policy;
use crate::report::{Language, Report};
use crate::time::Time;
use crate::validator::Validator;
use manifest::{Kind, Manifest};
use std::collections::BTreeMap;

/// An evidence bundle: what a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    manifest: Manifest,
    /// By their SHA-256 in lower-case hexadecimal.
    objects: BTreeMap<String, Vec<u8>>,
}

/// Why a bundle is not read or not replayed.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The file is not a ZIP file, or can be read in two ways.
    #[error("the bundle cannot be read")]
    Zip(#[from] crate::formats::asic::ZipError),
    /// The bytes of an entry do not have the SHA-256 that is its name.
    #[error("the entry {entry} was changed: its SHA-256 is {found}")]
    Changed { entry: String, found: String },
    /// The ZIP file around the entries differs from what was written; `offset` is the first byte that differs.
    #[error("the bundle was changed at byte {offset}, at the entry {entry}")]
    Rearranged { entry: String, offset: usize },
    /// A required entry is absent.
    #[error("the entry {entry} is not in the bundle")]
    Missing { entry: String },
    /// The manifest does not list an entry.
    #[error("the entry {entry} is not listed in the bundle's manifest")]
    Unlisted { entry: String },
    /// An entry cannot be read as its kind.
    #[error("the entry {entry} cannot be read: {what}")]
    Unreadable { entry: String, what: String },
    /// The bundle is of another version of the format.
    #[error("the bundle is of the format {found}, expected {expected}")]
    Schema { found: String, expected: &'static str },
    /// The supplied document is not the one that was judged.
    #[error("the document has the SHA-256 {found}, expected {expected}")]
    OtherDocument { found: String, expected: String },
    /// The supplied document cannot be judged.
    #[error("the document cannot be judged")]
    Document(#[from] crate::Error),
}

impl Bundle {
    /// Validates a document as [`Validator::validate`] does, and keeps everything that the report, in `language`, rests on.
    ///
    /// ```
    /// use lacre::report::Language;
    /// use lacre::{Bundle, Document, Policy, Validator};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # std::env::set_current_dir("../..")?;
    /// let root = std::fs::read("examples/documents/root.der")?;
    /// let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
    /// let contract = std::fs::read("examples/documents/contract.pdf")?;
    ///
    /// let (_, bundle) =
    ///     Bundle::record(&validator, &Document::new(&contract), "2027-01-01".parse()?, Language::English)?;
    /// let replay = Bundle::from_zip(&bundle.to_zip())?.replay()?;
    /// assert!(replay.differences.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn record(
        validator: &Validator,
        document: &Document<'_>,
        time: Time,
        language: Language,
    ) -> Result<(Report, Self), crate::Error> {
        let (facts, crls) = validator.facts_with_crls(document, time)?;
        let trusted_lists = validator.snapshot_of_lists(&facts);
        let report = validator.judged(facts, time).in_language(language);
        let bundle = Self::of(&report, validator, document, trusted_lists.as_deref(), &crls);
        Ok((report, bundle))
    }

    /// Makes the bundle of a report. `trusted_lists` is a snapshot of the lists that the facts name; `crls` are the bytes
    /// of the CRLs in the facts, which do not hold them.
    fn of(
        report: &Report,
        validator: &Validator,
        document: &Document<'_>,
        trusted_lists: Option<&[u8]>,
        crls: &[Bytes],
    ) -> Self {
        let mut objects = Objects::default();
        let facts = report.facts();
        for bytes in facts.certificates.iter().filter_map(|c| c.bytes.as_ref()) {
            objects.add(Kind::Certificate, &bytes.0);
        }
        for bytes in facts.revocations.iter().filter_map(|r| r.bytes.as_ref()) {
            objects.add(Kind::Ocsp, &bytes.0);
        }
        crls.iter().for_each(|bytes| drop(objects.add(Kind::Crl, &bytes.0)));
        let trust_anchors = validator.anchors().map(|der| objects.add(Kind::Certificate, der)).collect();
        let evidence = validator.supplied().map(|der| objects.add(Kind::Evidence, der)).collect();
        let trusted_lists = trusted_lists.map(|snapshot| objects.add(Kind::TrustedLists, snapshot));
        let manifest = Manifest {
            schema: manifest::SCHEMA.to_owned(),
            generator: manifest::generator(),
            validation_time: report.verdicts().time,
            language: report.language(),
            document: Described::of(document.name(), document.bytes()),
            contents: document.contents().iter().map(|c| Described::of(Some(&c.name), c.bytes)).collect(),
            facts: objects.add(Kind::Facts, facts.to_json().as_bytes()),
            policy: objects.add(Kind::Policy, validator.policy().to_json().as_bytes()),
            report: objects.add(Kind::Report, report.to_json().as_bytes()),
            trust_anchors,
            trusted_lists,
            evidence,
            entries: objects.entries.into_values().collect(),
        };
        Self { manifest, objects: objects.bytes }
    }

    /// Returns the description of the document that was judged.
    pub fn document(&self) -> &Described {
        &self.manifest.document
    }

    /// Returns the descriptions of the detached contents that were supplied with it.
    pub fn contents(&self) -> &[Described] {
        &self.manifest.contents
    }

    /// Returns the validation time.
    pub fn validation_time(&self) -> Time {
        self.manifest.validation_time
    }

    /// Returns the report as it was written, in JSON.
    pub fn report(&self) -> &[u8] {
        self.bytes(&self.manifest.report)
    }

    fn facts(&self) -> Result<Facts, BundleError> {
        Facts::from_bytes(self.bytes(&self.manifest.facts)).map_err(|e| self.unreadable(&self.manifest.facts, &e))
    }

    /// Returns the policy under which the document was judged. It is the choice of the bundle's author, not of its
    /// reader.
    ///
    /// # Errors
    ///
    /// [`BundleError::Unreadable`] where it cannot be read.
    pub fn policy(&self) -> Result<Policy, BundleError> {
        Policy::from_json(self.bytes(&self.manifest.policy)).map_err(|e| self.unreadable(&self.manifest.policy, &e))
    }

    /// Returns the bytes of an object; [`Bundle::from_zip`] has seen to it that it is there.
    fn bytes(&self, sha256: &str) -> &[u8] {
        self.objects.get(sha256).map_or(&[], Vec::as_slice)
    }

    fn unreadable(&self, sha256: &str, error: &dyn std::error::Error) -> BundleError {
        BundleError::Unreadable { entry: self.manifest.name(sha256), what: error.to_string() }
    }
}

/// Objects while a bundle is made.
#[derive(Default)]
struct Objects {
    bytes: BTreeMap<String, Vec<u8>>,
    entries: BTreeMap<String, manifest::Entry>,
}

impl Objects {
    /// Adds an object, once; its digest.
    fn add(&mut self, kind: Kind, bytes: &[u8]) -> String {
        let sha256 = manifest::sha256(bytes);
        if !self.bytes.contains_key(&sha256) {
            let entry = manifest::Entry { kind, sha256: sha256.clone(), size: bytes.len() as u64 };
            self.entries.insert(sha256.clone(), entry);
            self.bytes.insert(sha256.clone(), bytes.to_vec());
        }
        sha256
    }
}
