//! XML signatures made for tests of what they cover.

use super::{Root, Unpacked};
use crate::algorithm::DigestAlgorithm::Sha256;
use crate::crypto::digest;
use crate::document::Document;
use crate::facts::{Irregularity, IrregularityKind, ScopeType};
use crate::formats::Contents;
use crate::formats::xml::{self, DSIG, Options};
use base64::Engine as _;

pub(super) const ENVELOPED: &str = "<Transform Algorithm='http://www.w3.org/2000/09/xmldsig#enveloped-signature'/>";
pub(super) const C14N: &str = "<Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>";

pub(super) fn xpath(expression: &str) -> String {
    format!(
        "<Transform Algorithm='http://www.w3.org/TR/1999/REC-xpath-19991116'><XPath xmlns:d='{DSIG}'>{expression}\
         </XPath></Transform>"
    )
}

pub(super) fn filter(operation: &str, expression: &str) -> String {
    format!(
        "<Transform Algorithm='http://www.w3.org/2002/06/xmldsig-filter2'><f:XPath xmlns:d='{DSIG}' \
         xmlns:f='http://www.w3.org/2002/06/xmldsig-filter2' Filter='{operation}'>{expression}</f:XPath></Transform>"
    )
}

/// Returns a reference to what has these bytes after its transforms.
pub(super) fn reference(uri: &str, transforms: &str, bytes: &str) -> String {
    let value = digest(Sha256, bytes.as_bytes()).expect("SHA-256");
    let value = base64::engine::general_purpose::STANDARD.encode(value);
    format!(
        "<Reference URI='{uri}'><Transforms>{transforms}</Transforms>\
         <DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><DigestValue>{value}</DigestValue></Reference>"
    )
}

/// Returns a signature with these references, and these elements after its value.
pub(super) fn signature(references: &str, rest: &str) -> String {
    format!(
        "<Signature xmlns='{DSIG}'><SignedInfo><CanonicalizationMethod \
         Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><SignatureMethod Algorithm='m'/>{references}</SignedInfo>\
         <SignatureValue>AAAA</SignatureValue>{rest}</Signature>"
    )
}

/// Returns what is irregular about the first signature, what is covered as a whole, and what is covered in part.
pub(super) fn read(document: &str, contents: &[(&str, &[u8])]) -> (Vec<(IrregularityKind, String)>, usize, usize) {
    let tree = xml::read(document.as_bytes(), &Options::default()).expect("well-formed");
    let Root::Signed(unpacked) = Unpacked::of(tree) else { panic!("a signature") };
    let mut beside = Document::new(document.as_bytes());
    for (name, bytes) in contents {
        beside = beside.with_content(*name, bytes);
    }
    let draft = unpacked.draft(&Contents::of(&beside));
    let facts = &draft.signatures[0].facts;
    let about = |one: &Irregularity| (one.kind, one.subject.as_deref().unwrap_or_default().to_owned());
    let count = |kind| facts.scopes.iter().filter(|scope| scope.kind == kind).count();
    (facts.irregularities.iter().map(about).collect(), count(ScopeType::Full), count(ScopeType::Partial))
}
