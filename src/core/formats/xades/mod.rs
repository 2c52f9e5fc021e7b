//! XML signatures (XMLDSig) and their profile XAdES (EN 319 132), in all its versions.
//!
//! [`Unpacked`] keeps a document's text and the bytes that it holds in Base64;
//! [`Unpacked::draft`] reads its signatures: which references match, what the
//! value is over, what the properties state, which time-stamps cover what.

mod beside;
mod comments;
mod coverage;
mod evidence_records;
mod key_value;
mod level;
mod matchers;
mod material;
mod media_types;
mod names;
mod objects;
mod policy;
mod properties;
mod references;
mod signature;
mod structure;
#[cfg(test)]
mod testing;
mod timestamps;

pub use key_value::public_key;

use crate::crypto::Hasher;
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::Contents;
use crate::formats::draft::Draft;
use crate::formats::ers;
use crate::formats::xml::signature::{base64_text, signatures};
use crate::formats::xml::{DSIG, Element, NodeId, Sink, Tree};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

impl Sink for Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn weight(&self) -> u64 {
        self.algorithm().weight()
    }
}

/// Elements whose Base64 is a certificate, revocation data or a time-stamp.
const ENCAPSULATED: [&str; 8] = [
    "X509Certificate",
    "EncapsulatedX509Certificate",
    "EncapsulatedCRLValue",
    "EncapsulatedOCSPValue",
    "EncapsulatedTimeStamp",
    "X509CRL",
    "SignaturePolicyDocument",
    "ASN1EvidenceRecord",
];

/// A document with signatures, unpacked so that what is read from it can borrow.
#[derive(Debug)]
pub struct Unpacked<'d> {
    tree: Tree<'d>,
    /// What encapsulating elements hold, by where they begin.
    values: BTreeMap<u32, Vec<u8>>,
    /// Evidence records in XML, by where they begin, or why they are none.
    records: BTreeMap<u32, Result<ers::XmlRecord, ers::XmlError>>,
    /// What stands beside all signatures; looked for when first asked for.
    beside: OnceLock<Vec<Irregularity>>,
    /// The first instruction around the document element, and the first that names a style sheet; looked for when first asked for.
    instructions: OnceLock<[Option<NodeId>; 2]>,
    /// The elements whose attributes say something of what is in them, by these; looked for when first asked for.
    inherited: OnceLock<HashMap<NodeId, Vec<&'static str>>>,
}

/// An XML document, by what is in it.
#[derive(Debug)]
pub enum Root<'d> {
    /// A document with signatures.
    Signed(Unpacked<'d>),
    /// A document without a signature, or an evidence record, whose signatures are its own.
    Other(Tree<'d>),
}

impl<'d> Unpacked<'d> {
    /// Unpacks a document that holds signatures.
    pub fn of(tree: Tree<'d>) -> Root<'d> {
        let (mut values, mut records) = (BTreeMap::new(), BTreeMap::new());
        if tree.document_element().is_some_and(ers::is_record) || signatures(&tree).next().is_none() {
            return Root::Other(tree);
        }
        // What stands within a record is its own; values have nothing within them.
        let mut behind = 0;
        for element in tree.elements(tree.root()) {
            let span = element.span();
            if ENCAPSULATED.contains(&element.local()) && element.children().next().is_none() {
                values.extend(base64_text(element).map(|bytes| (span.start, bytes)));
            } else if span.start >= behind
                && let Some(record) = ers::XmlRecord::within(element).transpose()
            {
                records.insert(span.start, record);
                behind = span.end;
            }
        }
        let (beside, instructions, inherited) = Default::default();
        Root::Signed(Self { tree, values, records, beside, instructions, inherited })
    }

    /// Returns the document.
    pub fn tree(&self) -> &Tree<'d> {
        &self.tree
    }

    /// Returns its signatures and counter-signatures, over what is in it and beside it.
    pub fn draft<'s>(&'s self, contents: &Contents<'_>) -> Draft<'s> {
        let mut draft = Draft::default();
        let mut known = HashSet::new();
        let is_counter = |element: &Element<'_, '_>| element.parent().is_some_and(|p| is(p, "CounterSignature"));
        // What stands as a counter-signature where none is read speaks for itself, as every other signature.
        let (counter, own): (Vec<_>, Vec<_>) = signatures(&self.tree).partition(is_counter);
        for element in own.into_iter().chain(counter) {
            if !known.contains(&element.id()) {
                signature::read(self, element, None, contents, &mut known, &mut draft);
            }
        }
        // References share the bounds, so that those of any signature may be the ones that were left out.
        for bound in self.tree.bounds_reached() {
            let reached = Irregularity::about(IrregularityKind::BudgetExceeded, bound);
            draft.signatures.iter_mut().for_each(|signature| signature.facts.irregularities.push(reached.clone()));
        }
        draft
    }

    /// Returns the evidence record that an element is, in XML or ASN.1, or what is said of an element that is none.
    fn record(&self, element: Element<'_, '_>) -> Result<ers::Record<'_>, Irregularity> {
        match self.records.get(&element.span().start) {
            Some(Ok(record)) => record.record().map_err(|error| ers::malformed(&error)),
            Some(Err(error)) => Err(ers::malformed(error)),
            None => {
                let value = self.value(element).filter(|_| element.local() == "ASN1EvidenceRecord");
                ers::parse(value.unwrap_or_default()).map_err(|error| ers::malformed(&error))
            }
        }
    }

    /// Returns the bytes that an encapsulating element holds.
    fn value(&self, element: Element<'_, '_>) -> Option<&[u8]> {
        self.values.get(&element.span().start).map(Vec::as_slice)
    }
}

/// Returns whether the element is of XAdES (any version) and has that name.
fn is(element: Element<'_, '_>, local: &str) -> bool {
    element.is_named(local) && names::XADES.contains(&element.namespace())
}

/// Returns the first child of XAdES with that name.
fn child<'t, 's>(element: Element<'t, 's>, local: &str) -> Option<Element<'t, 's>> {
    element.children().find(|child| is(*child, local))
}

/// Follows names of XAdES downwards.
fn descend<'t, 's>(element: Element<'t, 's>, path: &[&str]) -> Option<Element<'t, 's>> {
    path.iter().try_fold(element, |element, local| child(element, local))
}

/// Returns the qualifying properties of a signature: EN 319 132-1 §4.3.
fn qualifying<'t, 's>(signature: Element<'t, 's>) -> Option<Element<'t, 's>> {
    signature
        .children()
        .filter(|object| object.is(DSIG, "Object"))
        .find_map(|object| child(object, "QualifyingProperties"))
}

/// Returns the text of an element, without white space around it; `None` when there is none.
fn trimmed(element: Element<'_, '_>) -> Option<String> {
    let text = element.text();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_string())
}
