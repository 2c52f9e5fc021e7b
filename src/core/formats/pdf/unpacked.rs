//! The signatures of a PDF with everything that is encoded in the file decoded: `/Contents` in hexadecimal, validation data
//! in deflated streams. Later readers borrow from here.

use super::date;
use super::dss::{self, Dss, StreamPool};
use super::error::PdfError;
use super::file::File;
use super::latest_revision::LatestRevision;
use super::signature::{Purpose, Signatures, signatures, sorted};
use super::updates::{Appended, Flaw, linearized_otherwise};
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
    pub dss: Vec<(usize, Dss)>,
    /// Whether the catalog of the latest revision still has one: EN 319 142-1 §5.4.2.1.
    pub has_dss: bool,
    /// Those of revisions that no signature ends and a later signature covers.
    pub intermediate_dss: Vec<Dss>,
    /// The streams of the stores.
    pub streams: StreamPool,
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
    /// The facts that the PDF has about it.
    pub facts: facts::Shared<facts::PdfRevision>,
    /// The bytes of `/Contents`.
    pub contents: Vec<u8>,
    /// The two ranges that it covers; `None` where `/ByteRange` is not what it must be.
    pub covered: Option<[Range<usize>; 2]>,
    /// The byte where its revision ends.
    pub end: usize,
    /// `/M`.
    pub signing_time: Option<Time>,
    /// What is irregular about it.
    pub irregularities: Vec<facts::Irregularity>,
}

impl Unpacked {
    /// Unpacks a PDF, opened with `password` where it is encrypted.
    pub fn read(bytes: &[u8], password: Option<&[u8]>, budget: &Budget) -> Result<Self, PdfError> {
        let file = File::new(bytes, budget)?;
        let last = LatestRevision::new(file.open(password)?);
        let limit = budget.tokens.min(SIGNATURES);
        let signatures = signatures(&last.revision);
        if signatures.readable.len() + signatures.irregular.len() > limit {
            return Err(PdfError::TooManySignatures { limit });
        }
        file.within_limits(|| Self::of(&file, &last, signatures))
    }

    fn of<'a>(file: &File<'a>, last: &LatestRevision<'a, '_>, signatures: Signatures<'a>) -> Result<Self, PdfError> {
        let data = file.data();
        let Signatures { readable, irregular, .. } = signatures;
        let mut streams = StreamPool::default();
        let mut stores: Vec<(usize, Dss)> = Vec::new();
        let mut unpacked = Vec::new();
        // The revisions whose store was read, by their newer sections.
        let mut read = HashSet::new();
        let mut appended = Appended::default();
        for (purpose, signature) in sorted(file, readable) {
            let signed = signature.revision_end(data).and_then(|end| file.revision(end).ok());
            if let Some(signed) = &signed {
                add_store(&mut stores, signed.end(), dss::read(signed, &mut streams));
                read.extend(signed.newer_sections());
            }
            let covered = signature.covered(data);
            let mut facts = last.facts(&signature, covered.is_some(), signed.as_ref());
            if let Some(signed) = signed.as_ref().filter(|signed| signed.end() < data.len()) {
                add_flaws(&mut facts, &appended.flaws(&last.revision, signed.end())?);
            }
            let otherwise = signed.as_ref().and_then(|signed| linearized_otherwise(file, signed.end()));
            add_flaws(&mut facts, otherwise.as_slice());
            let contents = signature.contents.bytes().into_owned();
            last.revision.limits().text(contents.len())?;
            unpacked.push(UnpackedSignature {
                purpose,
                facts: facts.into(),
                contents,
                covered,
                end: signature.revision_end(data).unwrap_or(data.len()),
                signing_time: signature.text(&last.revision, b"M").and_then(|text| date::parse(&text)),
                irregularities: vec![],
            });
        }
        let store = dss::read(&last.revision, &mut streams);
        let has_dss = store.is_some();
        add_store(&mut stores, data.len(), store);
        // ISO 32000-2 §7.5.6: a store that an update takes away is no longer of the document, unless a signature covers it.
        let newest = read.iter().min();
        let is_covered = |newer: &usize| newest.is_some_and(|newest| newer > newest) && !read.contains(newer);
        let earlier = file.earlier().take(SIGNATURES).filter(|(newer, _)| is_covered(newer));
        let intermediate_dss = earlier.filter_map(|(_, revision)| dss::read(&revision, &mut streams)).collect();
        Ok(Self {
            signatures: unpacked,
            dss: stores,
            has_dss,
            intermediate_dss,
            streams,
            irregular,
            repaired: last.revision.repaired(),
            length: data.len(),
        })
    }
}

/// Bounds the signatures of one PDF. A time-stamp covers everything inside of it, so that facts grow with the
/// square of their number; 500 make some 60 MB. The largest known test file has 25.
const SIGNATURES: usize = 500;

/// Adds flaws of the updates after a signature: bytes that readers read differently are a change that no signer permits.
fn add_flaws(facts: &mut facts::PdfRevision, flaws: &[Flaw]) {
    let objects = facts.modifications.as_mut().and_then(|modifications| modifications.objects.as_mut());
    let change = |Flaw { at, what }: &Flaw| facts::ObjectModification {
        action: facts::ModificationAction::Modification,
        path: format!("byte {at}: {what}"),
        field_name: None,
        kind: None,
    };
    objects.into_iter().for_each(|objects| objects.undefined.extend(flaws.iter().map(change)));
}

/// Adds a store, unless the revision before has the same.
fn add_store(stores: &mut Vec<(usize, Dss)>, end: usize, store: Option<Dss>) {
    if let Some(store) = store
        && stores.last().is_none_or(|(_, last)| *last != store)
    {
        stores.push((end, store));
    }
}
