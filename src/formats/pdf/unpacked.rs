//! A PDF's signatures with everything unpacked that lies in it encoded: `/Contents` in hexadecimal,
//! validation data in deflated streams. What reads them afterwards borrows from here.

use super::appended::Appended;
use super::date;
use super::error::PdfError;
use super::file::File;
use super::revision_facts::Final;
use super::signature::{Purpose, Signatures, signatures, sorted};
use super::store::{self, Blobs, Store};
use super::update::Flaw;
use crate::budget::Budget;
use crate::facts;
use crate::time::Time;
use std::collections::HashSet;
use std::ops::Range;

/// The signatures, time-stamps and validation data of a PDF.
#[derive(Debug)]
pub struct Unpacked {
    /// From the innermost to the outermost.
    pub signatures: Vec<UnpackedSignature>,
    /// The document security stores, each with the end of a revision that has it; from the oldest to the newest.
    pub stores: Vec<(usize, Store)>,
    /// Whether the final catalog still has one: EN 319 142-1 §5.4.2.1.
    pub stored: bool,
    /// Those of revisions that no signature ends, and a later one covers.
    pub between: Vec<Store>,
    /// The octets of what is in the stores.
    pub blobs: Blobs,
    /// Signature fields that hold something which cannot be read as a signature.
    pub irregular: Vec<facts::Irregularity>,
    /// Whether objects had to be searched for because cross-references were broken.
    pub repaired: bool,
    /// The file's length.
    pub length: usize,
}

/// A signature or document time-stamp.
#[derive(Debug)]
pub struct UnpackedSignature {
    /// Which of the two.
    pub purpose: Purpose,
    /// What stands around it.
    pub facts: facts::Shared<facts::PdfRevision>,
    /// The octets of `/Contents`.
    pub contents: Vec<u8>,
    /// The two stretches that it covers; `None` where `/ByteRange` is not what it must be.
    pub covered: Option<[Range<usize>; 2]>,
    /// Where its revision ends.
    pub end: usize,
    /// `/M`.
    pub signing_time: Option<Time>,
    /// What is irregular about it.
    pub irregularities: Vec<facts::Irregularity>,
}

impl Unpacked {
    /// Unpacks what `octets`, opened with `password` where needed, hold.
    pub fn read(octets: &[u8], password: Option<&[u8]>, budget: &Budget) -> Result<Self, PdfError> {
        let file = File::new(octets, budget)?;
        let opened = file.open(password);
        // Before what follows from it, such as a catalog that is not there.
        file.kept_bounds()?;
        let last = Final::new(opened?);
        let mut blobs = Blobs::default();
        let mut stores: Vec<(usize, Store)> = Vec::new();
        let mut unpacked = Vec::new();
        let mut read = HashSet::new();
        let mut appended = Appended::default();
        let limit = budget.tokens.min(SIGNATURES);
        let Signatures { readable, irregular, .. } = signatures(&last.revision);
        if readable.len() + irregular.len() > limit {
            return Err(PdfError::TooManySignatures { limit });
        }
        for (purpose, signature) in sorted(&file, readable) {
            let signed = signature.revision_end(octets).and_then(|end| file.revision(end).ok());
            if let Some(signed) = &signed {
                add_store(&mut stores, signed.end(), store::read(signed, &mut blobs));
                read.extend(signed.newer());
            }
            let covered = signature.covered(octets);
            let mut facts = last.facts(&signature, covered.is_some(), signed.as_ref());
            if let Some(signed) = signed.as_ref().filter(|signed| signed.end() < octets.len()) {
                flawed(&mut facts, &appended.flaws(&last.revision, signed.end())?);
            }
            unpacked.push(UnpackedSignature {
                purpose,
                facts: facts.into(),
                contents: signature.contents.bytes().into_owned(),
                covered,
                end: signature.revision_end(octets).unwrap_or(octets.len()),
                signing_time: signature.text(&last.revision, b"M").and_then(|text| date::parse(&text)),
                irregularities: vec![],
            });
        }
        let store = store::read(&last.revision, &mut blobs);
        let stored = store.is_some();
        add_store(&mut stores, octets.len(), store);
        // ISO 32000-2 §7.5.6: what an update takes away is no longer of the document, unless a signature covers it.
        let newest = read.iter().min();
        let inside = |newer: &usize| newest.is_some_and(|newest| newer > newest) && !read.contains(newer);
        let earlier = file.earlier().take(SIGNATURES).filter(|(newer, _)| inside(newer));
        let between = earlier.filter_map(|(_, revision)| store::read(&revision, &mut blobs)).collect();
        file.kept_bounds()?;
        let repaired = last.revision.repaired();
        Ok(Self { signatures: unpacked, irregular, stores, stored, between, blobs, repaired, length: octets.len() })
    }
}

/// Signatures of one PDF. A time-stamp covers all that is inside of it, so that facts grow with the
/// square of their number; 500 make some 60 MB. The largest known test file has 25.
const SIGNATURES: usize = 500;

/// Octets that readers read differently are a change that nothing explains.
fn flawed(facts: &mut facts::PdfRevision, flaws: &[Flaw]) {
    let objects = facts.modifications.as_mut().and_then(|modifications| modifications.objects.as_mut());
    let change = |Flaw { at, what }: &Flaw| facts::ObjectModification {
        action: facts::ModificationAction::Modification,
        path: format!("octet {at}: {what}"),
        field_name: None,
        kind: None,
    };
    objects.into_iter().for_each(|objects| objects.undefined.extend(flaws.iter().map(change)));
}

/// Adds a store unless the revision before has the same.
fn add_store(stores: &mut Vec<(usize, Store)>, end: usize, store: Option<Store>) {
    if let Some(store) = store
        && stores.last().is_none_or(|(_, last)| *last != store)
    {
        stores.push((end, store));
    }
}
