//! Evidence records: RFC 4998 (ASN.1), RFC 6283 (XML).
//!
//! Both say the same: chains of archive time-stamps, each over the root of a hash tree
//! of which the record keeps what leads from the archived objects to the root. The
//! syntax ends in a [`Record`]; [`Record::verify`] walks the trees.

mod asn1;
mod record;
#[cfg(feature = "signing")]
pub(crate) mod renewal;
#[cfg(test)]
mod tests;
mod tree;
mod verify;
mod xml;

pub use asn1::{Error, parse};
pub use record::{ArchiveTimestamp, Chain, Record, SequenceBefore};
pub use verify::Object;
pub(in crate::formats) use xml::is_record;
pub use xml::{Error as XmlError, XmlRecord};

use crate::facts::{EvidenceRecordOrigin, Irregularity, IrregularityKind, MatcherType, Scope, Shared};
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use crate::formats::draft::{CoveredObject, Draft};
use crate::formats::scope::SignedScope;
use crate::formats::xml::Canonicalization;

/// The most chains of one record. Each digests all before it, and begins when a digest function gets weak: a century needs
/// some ten.
const CHAINS: usize = 64;

/// The most archive time-stamps of one record. Each covers all before it, and is made when a certificate ends: every few
/// years.
const ARCHIVE_TIMESTAMPS: usize = 512;

/// The most hashes in one record, and the most that its `cryptoInfos` list. A group of documents has one of each, and a container has no more than 10,000 of them.
const HASHES: usize = 100_000;

/// A bound on what one record may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("evidence record with more than {limit} {what}")]
pub struct TooMany {
    /// What there is too much of.
    what: &'static str,
    limit: usize,
}

impl TooMany {
    /// Checks the bound on the hashes of a record.
    fn check_hashes(hashes: usize) -> Result<(), Self> {
        if hashes > HASHES { Err(Self { what: "hashes", limit: HASHES }) } else { Ok(()) }
    }

    /// Checks the bound on what `cryptoInfos` list.
    fn check_infos(listed: usize) -> Result<(), Self> {
        if listed > HASHES { Err(Self { what: "attributes and values in cryptoInfos", limit: HASHES }) } else { Ok(()) }
    }

    /// Checks the bounds of a record that holds one more chain than these, with so many archive time-stamps.
    fn check(chains: usize, timestamps: usize) -> Result<(), Self> {
        if chains >= CHAINS {
            return Err(Self { what: "chains", limit: CHAINS });
        }
        if timestamps > ARCHIVE_TIMESTAMPS {
            return Err(Self { what: "archive time-stamps", limit: ARCHIVE_TIMESTAMPS });
        }
        Ok(())
    }
}

/// Returns what is said of something that stands where a signature's evidence record stands, and is none.
pub(in crate::formats) fn malformed(error: &dyn std::error::Error) -> Irregularity {
    Irregularity::about(IrregularityKind::MalformedHeader, error.to_string())
}

/// Returns what readers of the contents see, and their canonical forms have not, which a record in XML is over: RFC 6283 §3.2.1.
pub(in crate::formats) fn left_out<'c, 'a: 'c>(contents: impl Iterator<Item = &'c Content<'a>>) -> Vec<Irregularity> {
    let about = |content: &Content<'_>| {
        let what = content.left_out().filter(|_| cfg!(feature = "xml"))?;
        let name = content.name().unwrap_or_default();
        Some(Irregularity::about(IrregularityKind::PartlySignedContent, format!("{name}: {what}")))
    };
    contents.filter_map(about).collect()
}

/// Returns an evidence record that stands alone, over the contents supplied with it.
pub fn standalone<'a>(record: &Record<'a>, contents: &Contents<'_>) -> Draft<'a> {
    let mut signed_data = Vec::new();
    let mut objects = Vec::new();
    for content in contents.iter() {
        let subject = SignedScope::whole(content);
        objects.push(Object::of(content, subject.scopes, false));
        signed_data.extend(subject.signed_data);
    }
    let mut draft = record.verify(&objects, EvidenceRecordOrigin::External, b"", contents.work());
    draft.facts.irregularities.extend(left_out(contents.iter()));
    draft.facts.file = Some(contents.file()).filter(|file| !file.is_empty()).map(str::to_owned);
    // Of several contents those count that have a leaf; the only one is compared also where it has none.
    let compared = draft.facts.digest_matchers.iter().any(|matcher| matcher.kind == MatcherType::ErArchiveObject);
    contents.only().filter(|_| compared).into_iter().for_each(Content::refer);
    Draft { evidence_records: vec![draft], signed_data, ..Draft::default() }
}

impl<'o, 'a> Object<'o, 'a> {
    /// Returns a content, found or not; what the scopes refer to is covered with it.
    pub fn of(content: &'o Content<'_>, scopes: Vec<Shared<Scope>>, required: bool) -> Self {
        Self {
            kind: MatcherType::ErArchiveObject,
            name: content.name().map(Into::into),
            found: content.is_found(),
            required,
            digests: Box::new(|algorithm, canonicalization| {
                // Only records in XML name a canonical form: where they are not read, nothing of it is linked.
                let method = if cfg!(feature = "xml") { canonicalization } else { None };
                let canonical = |method: &Canonicalization| {
                    content.digest_in_form(format!("{method:?}"), algorithm, || xml::canonical(content, method))
                };
                // What is not XML has no canonical form.
                method.and_then(canonical).or_else(|| content.digest(algorithm)).into_iter().collect()
            }),
            covers: CoveredObject::signed_data(&scopes).collect(),
            scopes,
        }
    }
}
