//! Verifying an evidence record: RFC 4998 §4.3, §5.3; RFC 6283 §3.3, §4.3.

use super::record::{ArchiveTimestamp, Chain, Record};
use super::tree;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{
    ArchiveTimestampType, CoveredKind, Digest, DigestMatcher, EvidenceRecordOrigin, EvidenceRecordTimestampType,
    EvidenceRecordType, Irregularity, IrregularityKind, MatcherType, Scope, Shared, StructuralValidation,
    TimestampType,
};
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{
    CoveredObject, EvidenceRecordDraft, EvidenceRecordFacts, Material, TimestampDraft, previous,
};
use crate::formats::ids;
use crate::formats::tsp::Imprint;
use crate::formats::xml::Canonicalization;
use crate::time::Time;
use std::borrow::Cow;
use std::sync::Arc;

/// What an archived object's digests are under a digest function, of XML in a canonical form: several where encodings
/// differ.
type Digests<'o> = Box<dyn Fn(DigestAlgorithm, Option<&Canonicalization>) -> Vec<Vec<u8>> + 'o>;

/// An object that the record may cover.
pub struct Object<'o, 'a> {
    /// A content, or the signature that holds the record.
    pub kind: MatcherType,
    /// Its file name.
    pub name: Option<Arc<str>>,
    /// Whether it is at hand.
    pub found: bool,
    /// Whether a record that does not cover it is wrong.
    pub required: bool,
    /// Its digests.
    pub digests: Digests<'o>,
    /// What is covered with it, as scopes.
    pub scopes: Vec<Shared<Scope>>,
    /// What is covered with it.
    pub covers: Vec<CoveredObject<'a>>,
}

impl<'a> Record<'a> {
    /// Compares the leaves of every tree with the objects, computes the roots, and says what is covered.
    ///
    /// `discriminator` tells its id from that of the same record found elsewhere. What it digests is taken from `work`.
    pub fn verify(
        &self,
        objects: &[Object<'_, 'a>],
        origin: EvidenceRecordOrigin,
        discriminator: &[u8],
        work: &DigestWork,
    ) -> EvidenceRecordDraft<'a> {
        let (id, digest) = ids::of_token("ER-", discriminator, self.bytes);
        let initial = leaves(&self.chains[0], self.kind, objects, work);
        let covered_objects = || objects.iter().zip(&initial.matched).filter(|(_, matched)| **matched).map(|(o, _)| o);
        let covers: Vec<CoveredObject<'a>> =
            covered_objects().flat_map(|object| object.covers.iter().cloned()).collect();
        let scopes: Vec<Shared<Scope>> = covered_objects().flat_map(|object| object.scopes.iter().cloned()).collect();

        let mut timestamps: Vec<TimestampDraft<'a>> = Vec::new();
        for (chain_at, chain) in self.chains.iter().enumerate() {
            for (at, archive) in chain.timestamps.iter().enumerate() {
                let (kind, found) = match (chain_at, at) {
                    (0, 0) => (EvidenceRecordTimestampType::First, Leaves { matchers: vec![], ..initial.clone() }),
                    (_, 0) => {
                        let renewed = leaves(chain, self.kind, objects, work);
                        (EvidenceRecordTimestampType::HashTreeRenewal, renewed)
                    }
                    _ => {
                        let input = &chain.timestamps[at - 1].renewal_input;
                        (EvidenceRecordTimestampType::TimestampRenewal, renewal(archive, input, work))
                    }
                };
                let position = format!("{id} {chain_at} {at}");
                let mut draft = self.timestamp(archive, &found, position.as_bytes(), work);
                draft.facts.evidence_record_type = Some(kind);
                draft.facts.digest_matchers.extend(found.matchers);
                draft.facts.scopes = scopes.clone();
                draft.covers = covers.clone();
                draft.covers.push(CoveredObject::token(CoveredKind::EvidenceRecord, &id));
                draft.covers.extend(previous(&timestamps));
                timestamps.push(draft);
            }
        }
        EvidenceRecordDraft {
            facts: EvidenceRecordFacts {
                id,
                file: None,
                kind: self.kind,
                origin,
                incorporation: None,
                structural_validation: Some(StructuralValidation { valid: true, messages: vec![] }),
                digest_matchers: initial.matchers,
                scopes,
                digest,
                parent: None,
                irregularities: self.order(),
            },
            timestamps,
            material: Material {
                certificates: self.certificates.clone(),
                revocations: self.revocations.clone(),
                ..Material::default()
            },
            covers,
        }
    }

    /// Checks that the time-stamps are in ascending order of their time, and that a chain has one digest function (RFC
    /// 4998 §5.1, §5.3). A renewal proves the existence of what it renews, and cannot be the elder.
    fn order(&self) -> Vec<Irregularity> {
        let about = |subject: String| Irregularity::about(IrregularityKind::EvidenceRecordOrder, subject);
        let mut found = vec![];
        let times: Vec<Time> =
            self.chains.iter().flat_map(|chain| &chain.timestamps).map(|archive| archive.token.info.gen_time).collect();
        if let Some((before, after)) = times.iter().zip(times.iter().skip(1)).find(|(before, after)| after < before) {
            found.push(about(format!("{after} after {before}")));
        }
        for chain in &self.chains {
            let functions: Vec<Option<DigestAlgorithm>> = chain.timestamps.iter().map(|one| one.digest).collect();
            let mut pairs = functions.iter().zip(functions.iter().skip(1));
            if let Some((before, after)) = pairs.find(|(before, after)| after != before) {
                let name = |function: &Option<DigestAlgorithm>| function.map_or("unknown", |one| one.as_str());
                found.push(about(format!("{} after {} in one chain", name(after), name(before))));
            }
        }
        found
    }

    /// Returns the time-stamp over the root of the tree; without a tree over the one digest that the tree would start
    /// from.
    fn timestamp(
        &self,
        archive: &ArchiveTimestamp<'a>,
        leaves: &Leaves,
        position: &[u8],
        work: &DigestWork,
    ) -> TimestampDraft<'a> {
        let compute = |algorithm| match archive.tree.is_empty() {
            true => leaves.treeless.clone(),
            false if leaves.objects_missing => vec![],
            false => tree::root(algorithm, &archive.tree, work).into_iter().collect(),
        };
        // A time-stamp under another digest function than its tree's is not over the tree. RFC 6283 §3.1 has one function
        // for the chain, to which it then does not belong; RFC 4998 §4.1 one for each archive time-stamp.
        let other = |_| vec![];
        let imprint = match (archive.digest == archive.token.info.imprint.algorithm, self.kind) {
            (true, _) => Imprint::Computed(&compute),
            (false, EvidenceRecordType::Asn1) => Imprint::Computed(&other),
            (false, EvidenceRecordType::Xml) => Imprint::Missing,
        };
        let mut draft = archive.token.draft(TimestampType::EvidenceRecord, imprint, position);
        draft.facts.archive_type = Some(match self.kind {
            EvidenceRecordType::Xml => ArchiveTimestampType::XmlEvidenceRecord,
            EvidenceRecordType::Asn1 => ArchiveTimestampType::Asn1EvidenceRecord,
        });
        draft
    }
}

/// What the leaves of a tree are of.
#[derive(Clone, Default)]
struct Leaves {
    matchers: Vec<Shared<DigestMatcher>>,
    /// Which of the objects have their leaf.
    matched: Vec<bool>,
    /// The digests that the imprint has to be one of, where there is no tree.
    treeless: Vec<Vec<u8>>,
    /// RFC 6283 §4.2.2: only the chains before have a leaf, and no object.
    objects_missing: bool,
}

/// What it costs to compare a leaf with the digest of an object, in digested bytes.
const COMPARISON: u64 = 4;

/// Matches objects and leaves of a chain's first archive time-stamp, which after a hash-tree renewal also account for
/// all chains before.
///
/// RFC 4998 §5.3 step 4: a leaf is then the digest of an object's digest and that of the chains one after the other.
/// RFC 6283 §4.2.2: the digest of the chains is a leaf of its own beside the objects'.
fn leaves(chain: &Chain<'_>, kind: EvidenceRecordType, objects: &[Object<'_, '_>], work: &DigestWork) -> Leaves {
    let archive = &chain.timestamps[0];
    let joined = kind == EvidenceRecordType::Asn1;
    let before = chain.sequence_before.as_ref();
    let before =
        before.map(|before| archive.digest.map(|algorithm| before.digests(algorithm, work)).unwrap_or_default());
    let (joined, sequence) = if joined { (before, None) } else { (None, before) };
    let of =
        |object| archive.digest.map(|a| object_leaves(object, a, chain, joined.as_deref(), work)).unwrap_or_default();
    let digests: Vec<Vec<Vec<u8>>> = objects.iter().map(of).collect();
    let Some(stated) = archive.tree.first() else { return treeless(archive, digests, sequence, objects, work) };
    let comparisons = digests.iter().map(Vec::len).sum::<usize>().saturating_mul(stated.len());
    if !work.take(COMPARISON.saturating_mul(comparisons as u64)) {
        return Leaves::default();
    }
    let mut matched = vec![false; objects.len()];
    let mut matchers = Vec::new();
    let mut rest = Vec::new();
    let mut sequence_found = false;
    for leaf in stated {
        if sequence.as_ref().is_some_and(|digests| digests.contains(leaf)) {
            sequence_found = true;
            matchers.push(matcher(archive, MatcherType::ErArchiveTimestampSequence, leaf, true, true, &None));
        } else if !digests.iter().any(|digests| digests.contains(leaf)) {
            rest.push(leaf);
        }
    }
    // RFC 4998 §4.3 asks of each object whether its hash is among them: files that are the same may share a leaf.
    for ((object, digests), matched) in objects.iter().zip(&digests).zip(&mut matched) {
        if let Some(leaf) = stated.iter().find(|leaf| digests.contains(leaf)) {
            *matched = true;
            matchers.push(matcher(archive, object.kind, leaf, true, true, &object.name));
        }
    }
    if sequence.is_some() && !sequence_found {
        matchers.push(matcher(archive, MatcherType::ErArchiveTimestampSequence, &[], true, false, &None));
    }
    let alone = objects.len() == 1 && stated.len() == 1 && sequence.is_none();
    let mut rest = rest.into_iter();
    let mut taken = false;
    for object in missed(objects, &matched, alone) {
        let leaf = rest.next();
        match leaf {
            Some(leaf) => matchers.push(matcher(archive, object.kind, leaf, object.found, false, &object.name)),
            None if !taken => matchers.push(matcher(archive, object.kind, &[], object.found, false, &None)),
            None => {}
        }
        taken |= leaf.is_some();
    }
    let orphan = |leaf: &[u8]| matcher(archive, MatcherType::ErOrphanReference, leaf, false, false, &None);
    let objects_missing = sequence_found && stated.len() == 1;
    if objects_missing {
        matchers.push(orphan(&[]));
    }
    matchers.extend(rest.map(|leaf| orphan(leaf)));
    Leaves { matchers, matched, objects_missing, ..Leaves::default() }
}

/// Returns the objects that should have a leaf and have none: contents before the signature that holds the record.
///
/// A leaf of nothing at hand is either of an object that was changed, or of one that is not our concern.
fn missed<'o, 'i, 'a>(objects: &'o [Object<'i, 'a>], matched: &[bool], alone: bool) -> Vec<&'o Object<'i, 'a>> {
    let missed = objects.iter().zip(matched).filter(|(object, matched)| !**matched && (object.required || alone));
    let (signatures, contents): (Vec<_>, Vec<_>) =
        missed.map(|(object, _)| object).partition(|object| object.kind == MatcherType::ErMasterSignature);
    [contents, signatures].concat()
}

/// Compares the imprint of a time-stamp without a tree: it is the digest of the one object, or after a renewal by RFC
/// 6283 that of the object and the chains before (RFC 4998 §4.2). Of several objects each has to be covered, so that it
/// is none of these (§4.3).
fn treeless(
    archive: &ArchiveTimestamp<'_>,
    digests: Vec<Vec<Vec<u8>>>,
    sequence: Option<Vec<Vec<u8>>>,
    objects: &[Object<'_, '_>],
    work: &DigestWork,
) -> Leaves {
    let imprint = &archive.token.info.imprint.value.0;
    let roots = |own: &[Vec<u8>]| -> Vec<Vec<u8>> {
        let (Some(before), Some(algorithm)) = (&sequence, archive.digest) else { return own.to_vec() };
        let groups = own.iter().flat_map(|o| before.iter().map(|b| vec![vec![o.clone(), b.clone()]]));
        groups.filter_map(|group| tree::root(algorithm, &group, work)).collect()
    };
    let roots: Vec<Vec<Vec<u8>>> = digests.iter().map(|own| roots(own)).collect();
    let several = objects.len() > 1 && !objects.iter().any(|object| object.required);
    let covered = roots.iter().position(|r| r.contains(imprint)).filter(|_| !several);
    let required = || objects.iter().position(|object| object.required);
    let Some(at) = covered.or((objects.len() == 1).then_some(0)).or_else(required) else {
        let orphan = matcher(archive, MatcherType::ErOrphanReference, &[], false, false, &None);
        return Leaves { matchers: vec![orphan], matched: vec![false; objects.len()], ..Leaves::default() };
    };
    let object = &objects[at];
    // What is computed is the object's; whether it is what was time-stamped, the imprint says.
    let own = digests[at].iter().find(|digest| *digest == imprint).or(digests[at].first());
    let found = object.found && own.is_some();
    let value = own.map(Vec::as_slice).unwrap_or_default();
    let mut matchers = vec![matcher(archive, object.kind, value, found, found, &object.name)];
    let matched: Vec<bool> = roots.iter().map(|own| own.contains(imprint)).collect();
    let others =
        objects.iter().zip(&matched).enumerate().filter(|(other, (object, _))| *other != at && object.required);
    matchers.extend(others.map(|(_, (other, same))| {
        let value = if *same { value } else { &[] };
        matcher(archive, other.kind, value, other.found, *same, &other.name)
    }));
    if let Some(before) = sequence.as_ref().and_then(|before| before.first()) {
        matchers.push(matcher(archive, MatcherType::ErArchiveTimestampSequence, before, true, true, &None));
    }
    Leaves { matchers, matched, treeless: roots[at].clone(), objects_missing: false }
}

fn matcher(
    archive: &ArchiveTimestamp<'_>,
    kind: MatcherType,
    value: &[u8],
    found: bool,
    intact: bool,
    name: &Option<Arc<str>>,
) -> Shared<DigestMatcher> {
    let matcher = DigestMatcher {
        digest: Digest { algorithm: archive.digest.filter(|_| !value.is_empty()), value: value.into() },
        data_found: found,
        data_intact: intact,
        document_name: name.clone(),
        ..DigestMatcher::missing(kind)
    };
    matcher.into()
}

/// Returns the digests by which a tree may have the object.
///
/// NOTE: RFC 4998 does not say in which order the two digests of a renewal stand; writers have sorted them. Both are
/// tried.
fn object_leaves(
    object: &Object<'_, '_>,
    algorithm: DigestAlgorithm,
    chain: &Chain<'_>,
    joined: Option<&[Vec<u8>]>,
    work: &DigestWork,
) -> Vec<Vec<u8>> {
    let own = (object.digests)(algorithm, chain.canonicalization.as_ref());
    let Some(joined) = joined else { return own };
    let mut found = Vec::new();
    for sequence in joined {
        for hash in &own {
            let orders = [[&hash[..], &sequence[..]].concat(), [&sequence[..], &hash[..]].concat()];
            let sorted = usize::from(hash > sequence);
            found.extend(work.digest(algorithm, &orders[0]));
            found.extend(work.digest(algorithm, &orders[sorted]));
        }
    }
    found
}

/// Compares the first leaf group with the digest of the time-stamp before, which it has to hold (RFC 4998 §5.3 step 3).
fn renewal(archive: &ArchiveTimestamp<'_>, inputs: &[Cow<'_, [u8]>], work: &DigestWork) -> Leaves {
    let digests: Vec<Vec<u8>> =
        inputs.iter().filter_map(|input| archive.digest.and_then(|function| work.digest(function, input))).collect();
    let kind = MatcherType::ErArchiveTimestamp;
    let Some(stated) = archive.tree.first() else {
        let imprint = &archive.token.info.imprint.value.0;
        let own = digests.iter().find(|digest| *digest == imprint).or(digests.first());
        let value = own.map(Vec::as_slice).unwrap_or_default();
        let matchers = vec![matcher(archive, kind, value, true, own.is_some(), &None)];
        return Leaves { matchers, treeless: digests, ..Leaves::default() };
    };
    let at = stated.iter().position(|leaf| digests.contains(leaf));
    let mut matchers = Vec::new();
    // A single leaf is what should have been the time-stamp's.
    if at.is_none() && stated.len() == 1 {
        let matchers = vec![matcher(archive, kind, &stated[0], true, false, &None)];
        return Leaves { matchers, ..Leaves::default() };
    }
    if at.is_none() {
        matchers.push(matcher(archive, kind, &[], true, false, &None));
    }
    for (index, leaf) in stated.iter().enumerate() {
        matchers.push(match Some(index) == at {
            true => matcher(archive, kind, leaf, true, true, &None),
            false => matcher(archive, MatcherType::ErOrphanReference, leaf, false, false, &None),
        });
    }
    Leaves { matchers, ..Leaves::default() }
}
