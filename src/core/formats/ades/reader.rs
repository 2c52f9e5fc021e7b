//! The order in which the parts of an AdES signature are read.
//!
//! CAdES, XAdES and JAdES differ in their syntax, and agree in what depends on what: a time-stamp covers what stands in the
//! signature when it is made (EN 319 122-1 §5.5, EN 319 132-1 §5.5, TS 119 182-1 §5.3.6), and a profile asks for all of
//! it. So a signature is read in this order:
//!
//! 1. references and signed attributes: what is signed, and what the signature states of itself;
//! 2. counter-signatures, which later time-stamps cover;
//! 3. time-stamps over the signed data;
//! 4. the unsigned attributes in their order: each token is over what stands before it;
//! 5. evidence records over the whole signature;
//! 6. the material, and the profiles that all of this fulfils.

use crate::budget::RELATIONS;
use crate::facts::{CoveredKind, Id, SignedData};
use crate::formats::draft::{
    CoveredObject, Draft, EvidenceRecordDraft, SignatureDraft, SignatureFacts, TimestampDraft, previous,
};
use crate::formats::ids;
use std::collections::{HashMap, HashSet};

/// The tokens inside a signature.
#[derive(Debug, Default)]
pub(crate) struct Tokens<'a> {
    /// Time-stamps.
    pub(crate) timestamps: Vec<TimestampDraft<'a>>,
    /// Evidence records.
    pub(crate) evidence_records: Vec<EvidenceRecordDraft<'a>>,
    /// The signed data that stands for the signature in its evidence records.
    pub(crate) signed_data: Vec<SignedData>,
}

impl<'a> Tokens<'a> {
    /// Adds an evidence record, and the signed data that stands for the signature in it.
    pub(crate) fn add_record(&mut self, record: EvidenceRecordDraft<'a>, signed_data: SignedData) {
        self.evidence_records.push(record);
        self.signed_data.push(signed_data);
    }

    /// Returns the number of things that the tokens hold or cover.
    fn relations(&self) -> usize {
        let of = |stamps: &[TimestampDraft<'_>]| stamps.iter().map(TimestampDraft::relations).sum::<usize>();
        of(&self.timestamps) + self.evidence_records.iter().map(|record| of(&record.timestamps)).sum::<usize>()
    }

    fn append(&mut self, other: Tokens<'a>) {
        self.timestamps.extend(other.timestamps);
        self.evidence_records.extend(other.evidence_records);
        self.signed_data.extend(other.signed_data);
    }
}

/// The counter-signatures in each unsigned attribute, by its place, with those that they hold themselves. A time-stamp covers
/// those in attributes before it, and no others.
#[derive(Debug, Default)]
pub(crate) struct CounterSignatures(HashMap<usize, Vec<Id>>);

impl CounterSignatures {
    /// Adds what was read into the draft from the attribute at this place, which is what follows the first `before`.
    pub(crate) fn add(&mut self, place: usize, draft: &Draft<'_>, before: usize) {
        let read = draft.signatures.get(before..).unwrap_or_default();
        self.0.entry(place).or_default().extend(read.iter().map(|draft| draft.facts.id.clone()));
    }

    /// Returns those in the attribute at this place.
    pub(crate) fn at<'a>(&self, place: usize) -> impl Iterator<Item = CoveredObject<'a>> {
        let ids = self.0.get(&place).into_iter().flatten();
        ids.map(|id| CoveredObject::token(CoveredKind::Signature, id))
    }
}

/// Returns time-stamps in one attribute, as many as the bound on relations allows, and one more.
pub(crate) fn bounded<'a>(stamps: impl Iterator<Item = TimestampDraft<'a>>) -> Vec<TimestampDraft<'a>> {
    let mut relations = 0;
    let within = |stamp: &TimestampDraft<'a>| {
        let is_within = relations <= RELATIONS;
        relations += stamp.relations();
        is_within
    };
    stamps.take_while(within).collect()
}

/// A signature in the syntax of one format, as the steps in which it is read.
pub(crate) trait AdesSignature<'a>: Sized {
    /// An entry of the unsigned attributes.
    type Unsigned: Copy;

    /// The unsigned attributes that were read, as later time-stamps cover them.
    type Preceding: Default;

    /// Returns what the length of its attributes counts among the relations, before anything is made of them.
    fn extent(&self) -> usize {
        0
    }

    /// Reads references and signed attributes. What is signed is added to `signed_data`.
    fn signed(&mut self, signed_data: &mut Vec<SignedData>) -> SignatureFacts;

    /// Reads the counter-signatures into the draft, and notes [in which attribute](CounterSignatures) each of them is.
    fn counter_signatures(&mut self, facts: &mut SignatureFacts, draft: &mut Draft<'a>);

    /// Reads the time-stamps over the signed data.
    fn content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'a>>;

    /// Returns the signed references and certificates that name the signer.
    fn named_signer(&self) -> Vec<CoveredObject<'a>>;

    /// Returns the unsigned attributes in the order in which they were added to the signature.
    fn unsigned(&self) -> Vec<Self::Unsigned>;

    /// Reads the tokens in an unsigned attribute. `signature` is what each of them covers at least.
    fn tokens(
        &self,
        attribute: Self::Unsigned,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'a>],
        preceding: &Self::Preceding,
    ) -> Tokens<'a>;

    /// Adds an unsigned attribute to those that precede the next one.
    fn precede(
        &self,
        preceding: &mut Self::Preceding,
        attribute: Self::Unsigned,
        facts: &SignatureFacts,
        tokens: &Tokens<'a>,
    );

    /// Reads the evidence records that are over the whole signature, wherever they stand in it, and counts what they cover.
    fn evidence_records(
        &self,
        _facts: &SignatureFacts,
        _timestamps: &[TimestampDraft<'a>],
        _preceding: &Self::Preceding,
        _relations: &mut usize,
    ) -> Vec<(EvidenceRecordDraft<'a>, SignedData)> {
        vec![]
    }

    /// Reads the material, and decides which profiles are fulfilled.
    fn finish(self, facts: SignatureFacts, tokens: Tokens<'a>) -> SignatureDraft<'a>;
}

/// Reads a signature and, after it, its counter-signatures into the draft.
///
/// Past the bound on relations nothing is read, which `Source::read` reports.
pub(crate) fn read<'a, S: AdesSignature<'a>>(mut signature: S, draft: &mut Draft<'a>) {
    draft.relations += signature.extent();
    if draft.relations > RELATIONS {
        return;
    }
    let mut facts = signature.signed(&mut draft.signed_data);
    let place = draft.signatures.len();
    signature.counter_signatures(&mut facts, draft);
    let mut tokens = tokens(&signature, &facts, &mut draft.relations);
    draft.signed_data.append(&mut tokens.signed_data);
    let finished = signature.finish(facts, tokens);
    draft.relations += finished.material.len();
    draft.signatures.insert(place, finished);
}

/// Reads the tokens of a signature, each over what precedes it.
fn tokens<'a, S: AdesSignature<'a>>(signature: &S, facts: &SignatureFacts, relations: &mut usize) -> Tokens<'a> {
    let mut all = Tokens { timestamps: signature.content_timestamps(facts), ..Tokens::default() };
    let mut covered: Vec<CoveredObject<'a>> = CoveredObject::signed_data(&facts.scopes).collect();
    covered.push(CoveredObject::token(CoveredKind::Signature, &facts.id));
    covered.extend(signature.named_signer());
    covered.extend(previous(&all.timestamps));

    let mut known: HashSet<Id> = all.timestamps.iter().map(|stamp| stamp.facts.id.clone()).collect();
    let mut preceding = S::Preceding::default();
    *relations += all.relations();
    for attribute in signature.unsigned() {
        if *relations > RELATIONS {
            return all;
        }
        let mut tokens = signature.tokens(attribute, facts, &covered, &preceding);
        for id in tokens.timestamps.iter_mut().map(|stamp| &mut stamp.facts.id) {
            // The same token in a later attribute is over more, and judged by itself.
            if !known.insert(id.clone()) {
                *id = ids::of_parts("T-", &[id.as_str().as_bytes(), &known.len().to_be_bytes()]);
                known.insert(id.clone());
            }
        }
        *relations += tokens.relations();
        signature.precede(&mut preceding, attribute, facts, &tokens);
        all.append(tokens);
    }
    for (record, signed_data) in signature.evidence_records(facts, &all.timestamps, &preceding, relations) {
        all.add_record(record, signed_data);
    }
    all
}
