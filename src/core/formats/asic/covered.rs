//! What is covered with a file of the container: EN 319 162-1 §4.4.4, annex A.7; EN 319 102-1 §5.6.

use crate::facts::{Covered, CoveredKind, Id, Scope, Shared};
use crate::formats::draft::{CoveredObject, DedupKey, EvidenceRecordDraft, Material, SignatureDraft, TimestampDraft};
use crate::hashed::Map;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What the tokens in each file are, and what they hold: existing before whatever covers that file.
///
/// Archive time-stamps by the hundred cover each other's files, and what was listed once is listed by each of them.
/// So each thing is kept once, under a number.
#[derive(Debug, Default)]
pub(super) struct Held<'u> {
    things: Vec<Rc<CoveredObject<'u>>>,
    /// The numbers of tokens and signed data,
    tokens: Map<Covered, usize>,
    /// and of everything else.
    numbers: HashMap<Same<'u>, usize>,
    by_file: HashMap<&'u str, InFile>,
}

/// The numbers of what is in one file.
#[derive(Debug, Default)]
struct InFile {
    /// In the order in which it was met.
    numbers: Vec<usize>,
    /// The same numbers as bits, once [settled](Held::settle); none where the bits would take more room.
    bits: Vec<u64>,
}

impl InFile {
    fn add(&mut self, number: usize) {
        self.numbers.push(number);
        self.bits.clear();
    }

    fn settle(&mut self) {
        let words = self.numbers.iter().max().map_or(0, |most| most / 64 + 1);
        if words <= self.numbers.len() {
            let mut bits = vec![0; words];
            self.numbers.retain(|&number| see(&mut bits, number));
            self.bits = bits;
        }
    }

    /// Returns the numbers that are not among the seen ones, and adds them to these.
    fn unseen(&self, seen: &mut [u64]) -> Vec<usize> {
        if self.bits.is_empty() {
            return self.numbers.iter().copied().filter(|number| see(seen, *number)).collect();
        }
        // What is new stands at the end: what one archive time-stamp is over, others of them are over as well.
        let new = self.bits.iter().zip(&*seen).map(|(bits, seen)| (bits & !seen).count_ones() as usize).sum();
        let backwards = self.numbers.iter().rev().copied();
        let mut found: Vec<usize> = backwards.filter(|number| see(seen, *number)).take(new).collect();
        found.reverse();
        found
    }
}

/// Notes that a number was seen; whether it was not before.
fn see(seen: &mut [u64], number: usize) -> bool {
    let (word, bit) = (&mut seen[number / 64], 1 << (number % 64));
    let new = *word & bit == 0;
    *word |= bit;
    new
}

/// Equal to what is the same thing.
#[derive(Debug)]
struct Same<'u>(Rc<CoveredObject<'u>>);

impl PartialEq for Same<'_> {
    fn eq(&self, other: &Self) -> bool {
        DedupKey::of(&self.0) == DedupKey::of(&other.0)
    }
}

impl Eq for Same<'_> {}

impl Hash for Same<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        DedupKey::of(&self.0).hash(state);
    }
}

impl<'u> Held<'u> {
    /// Prepares for many questions; to be called where all is known and much is going to be asked.
    pub(super) fn settle(&mut self) {
        self.by_file.values_mut().for_each(InFile::settle);
    }

    /// Returns what is covered with the files, each thing once.
    pub(super) fn in_files<'f>(&self, files: impl Iterator<Item = &'f str>) -> Vec<CoveredObject<'u>> {
        self.unseen_in(self.none_seen(), files)
    }

    /// Returns what the time-stamp in `file` covers with the files, each thing once, but for the data that it stamps
    /// itself.
    pub(super) fn beside_own<'f>(&self, file: &str, files: impl Iterator<Item = &'f str>) -> Vec<CoveredObject<'u>> {
        let mut seen = self.none_seen();
        for &number in self.by_file.get(file).into_iter().flat_map(|file| &file.numbers) {
            if matches!(&*self.things[number], CoveredObject::Token(token) if token.kind == CoveredKind::SignedData) {
                see(&mut seen, number);
            }
        }
        self.unseen_in(seen, files)
    }

    /// Returns one bit for each number.
    fn none_seen(&self) -> Vec<u64> {
        vec![0; self.things.len() / 64 + 1]
    }

    fn unseen_in<'f>(&self, mut seen: Vec<u64>, files: impl Iterator<Item = &'f str>) -> Vec<CoveredObject<'u>> {
        let files = files.filter_map(|file| self.by_file.get(file));
        let numbers = files.flat_map(|file| file.unseen(&mut seen));
        numbers.map(|number| (*self.things[number]).clone()).collect()
    }

    /// Adds a signature or counter-signature, with its time-stamps and validation data.
    pub(super) fn signature(&mut self, file: &'u str, draft: &SignatureDraft<'u>) {
        self.scopes(file, &draft.facts.scopes);
        self.token(file, CoveredKind::Signature, &draft.facts.id);
        self.material(file, &draft.material);
        draft.timestamps.iter().for_each(|draft| self.stamp(file, draft));
        draft.evidence_records.iter().for_each(|draft| self.record(file, draft));
    }

    /// Adds a time-stamp.
    pub(super) fn timestamp(&mut self, file: &'u str, draft: &TimestampDraft<'u>) {
        self.scopes(file, &draft.facts.scopes);
        self.stamp(file, draft);
    }

    /// Adds an evidence record.
    pub(super) fn record(&mut self, file: &'u str, draft: &EvidenceRecordDraft<'u>) {
        self.token(file, CoveredKind::EvidenceRecord, &draft.facts.id);
        self.material(file, &draft.material);
        draft.timestamps.iter().for_each(|draft| self.stamp(file, draft));
    }

    fn stamp(&mut self, file: &'u str, draft: &TimestampDraft<'u>) {
        self.token(file, CoveredKind::Timestamp, &draft.facts.id);
        self.material(file, &draft.material);
    }

    fn scopes(&mut self, file: &'u str, scopes: &[Shared<Scope>]) {
        scopes.iter().for_each(|scope| self.token(file, CoveredKind::SignedData, &scope.signed_data));
    }

    fn material(&mut self, file: &'u str, material: &Material<'u>) {
        for reference in &material.certificate_refs {
            self.add(file, CoveredObject::certificate_ref(reference.clone()));
        }
        for (kind, reference) in &material.revocation_refs {
            self.add(file, CoveredObject::revocation_ref(*kind, reference.clone()));
        }
        for certificate in &material.certificates {
            self.add(file, CoveredObject::Certificate(certificate.bytes.clone()));
        }
        for revocation in &material.revocations {
            self.add(file, CoveredObject::Revocation(revocation.kind, revocation.bytes.clone()));
        }
    }

    fn token(&mut self, file: &'u str, kind: CoveredKind, id: &Id) {
        let next = self.things.len();
        let covered = Covered { kind, id: id.clone() };
        let number = match self.tokens.get(&covered) {
            Some(&number) => number,
            None => {
                self.things.push(CoveredObject::Token(covered.clone()).into());
                self.tokens.insert(covered, next);
                next
            }
        };
        self.by_file.entry(file).or_default().add(number);
    }

    fn add(&mut self, file: &'u str, covers: CoveredObject<'u>) {
        let covers = Rc::new(covers);
        let number = *self.numbers.entry(Same(covers.clone())).or_insert(self.things.len());
        if number == self.things.len() {
            self.things.push(covers);
        }
        self.by_file.entry(file).or_default().add(number);
    }
}

/// Returns a token that is covered.
pub(super) fn token<'u>(kind: CoveredKind, id: &Id) -> CoveredObject<'u> {
    CoveredObject::Token(Covered { kind, id: id.clone() })
}
