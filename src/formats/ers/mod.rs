//! Evidence records: RFC 4998 (ASN.1), RFC 6283 (XML).
//!
//! Both say the same: chains of archive time-stamps, each over the root of a hash tree
//! of which the record keeps what leads from the archived objects to the root. The
//! syntax ends in a [`Record`]; [`Record::verify`] walks the trees.

mod asn1;
mod record;
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

use crate::document::Document;
use crate::facts::{Covered, CoveredKind, EvidenceRecordOrigin, MatcherType, Scope, Shared};
use crate::formats::cms::{Content, Subject};
use crate::formats::draft::{Covers, Draft};

/// An evidence record that stands alone, over the contents handed in with it.
pub fn standalone<'a>(record: &Record<'a>, document: &Document<'a>) -> Draft<'a> {
    let mut signed_data = Vec::new();
    let contents: Vec<Content<'_>> =
        document.contents().iter().map(|c| Content::pieces(vec![c.bytes]).named(Some(c.name.clone()))).collect();
    let mut objects = Vec::new();
    for content in &contents {
        let subject = Subject::whole(content);
        objects.push(Object::of(content, subject.scopes, false));
        signed_data.extend(subject.signed_data);
    }
    let mut draft = record.verify(&objects, EvidenceRecordOrigin::External, b"");
    draft.facts.file = document.name().map(str::to_owned);
    Draft { evidence_records: vec![draft], signed_data, ..Draft::default() }
}

impl<'o, 'a> Object<'o, 'a> {
    /// A content, found or not; what the scopes refer to is covered with it.
    pub fn of(content: &'o Content<'_>, scopes: Vec<Shared<Scope>>, required: bool) -> Self {
        let covered = |scope: &Scope| Covered { kind: CoveredKind::SignedData, id: scope.signed_data.clone() };
        Self {
            kind: MatcherType::ErArchiveObject,
            name: content.name().map(Into::into),
            found: content.is_found(),
            required,
            digests: Box::new(|algorithm, canonicalization| {
                // Only records in XML name a canonical form: where they are not read, nothing of it is linked.
                let method = if cfg!(feature = "xml") { canonicalization } else { None };
                match method.and_then(|method| xml::canonical(&content.whole()?, method)) {
                    Some(octets) => crate::crypto::digest(algorithm, &octets).into_iter().collect(),
                    None => content.digest(algorithm).into_iter().collect(),
                }
            }),
            covers: scopes.iter().map(|scope| Covers::Token(covered(scope))).collect(),
            scopes,
        }
    }
}
