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
pub use record::{ArchiveTimestamp, Chain, Record};
pub use verify::Object;
pub(in crate::formats) use xml::is_record;
pub use xml::{Error as XmlError, XmlRecord};

use crate::facts::{EvidenceRecordOrigin, MatcherType, Scope, Shared};
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use crate::formats::draft::{CoveredObject, Draft};
use crate::formats::scope::SignedScope;

/// Returns an evidence record that stands alone, over the contents supplied with it.
pub fn standalone<'a>(record: &Record<'a>, contents: &Contents<'_>) -> Draft<'a> {
    let mut signed_data = Vec::new();
    let mut objects = Vec::new();
    for content in contents.iter() {
        let subject = SignedScope::whole(content);
        objects.push(Object::of(content, subject.scopes, false));
        signed_data.extend(subject.signed_data);
    }
    let mut draft = record.verify(&objects, EvidenceRecordOrigin::External, b"");
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
                match method.and_then(|method| xml::canonical(&content.whole()?, method)) {
                    Some(bytes) => crate::crypto::digest(algorithm, &bytes).into_iter().collect(),
                    None => content.digest(algorithm).into_iter().collect(),
                }
            }),
            covers: CoveredObject::signed_data(&scopes).collect(),
            scopes,
        }
    }
}
