//! Cryptographic verification: EN 319 102-1 §5.2.7.
//!
//! Digests and values were computed while the facts were collected; here they are weighed.

use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::{HashFailure, SigCryptoFailure, SignedDataNotFound};
use super::token::Token;
use crate::facts::{DigestMatcher, EvidenceRecordTimestampType, MatcherType, Timestamp, TimestampType};
use crate::policy::{Context, Place, Rule, RuleName};

/// Verifies `token`.
pub fn cv(case: &Case<'_>, token: Token<'_>) -> Block {
    let mut steps = Steps::new(BlockKind::CryptographicVerification, Some(token.id()));
    let _ = run(case, &mut steps, token);
    steps.finish()
}

fn run(case: &Case<'_>, steps: &mut Steps, token: Token<'_>) -> Result<(), Concluded> {
    let rules = Rules { case, place: Place::Basic(token.context()) };
    let matchers = token.digest_matchers();
    // The entries of a signed `ds:Manifest` come below; those of an ASiC manifest are signed data like any other.
    let has_manifest = matchers.iter().any(|matcher| matcher.kind == MatcherType::Manifest);
    for matcher in matchers {
        match matcher.kind {
            MatcherType::ManifestEntry if has_manifest => {}
            // RFC 4998 §4.2: a group may hold digests of objects that are not at hand.
            MatcherType::ErOrphanReference => {}
            _ => reference(&rules, steps, matcher)?,
        }
    }
    if let Token::Timestamp(timestamp) = token {
        hash_tree_renewal(case, steps, timestamp)?;
    }
    if has_manifest {
        manifest(&rules, steps, matchers)?;
    }

    // 3), 4) The signature value.
    let question = match token.context() {
        Context::Certificate => "BBB_CV_ISIC",
        Context::Revocation => "BBB_CV_ISIR",
        Context::Timestamp => "BBB_CV_ISIT",
        _ => "BBB_CV_ISI",
    };
    let failure = Failure::failed(SigCryptoFailure);
    steps.rule(
        rules.get(RuleName::SignatureIntact),
        Ask::new(question, "BBB_CV_ISI_ANS"),
        token.basic().intact,
        failure,
    )
}

struct Rules<'c, 'a> {
    case: &'c Case<'a>,
    place: Place,
}

impl<'a> Rules<'_, 'a> {
    fn get(&self, name: RuleName) -> Option<&'a Rule> {
        self.case.rule(self.place, name)
    }
}

/// 1) The signed data object is there, 2) it has the digest that the signature states.
fn reference(rules: &Rules<'_, '_>, steps: &mut Steps, matcher: &DigestMatcher) -> Result<(), Concluded> {
    found(steps, rules.get(RuleName::ReferenceDataExistence), matcher)?;
    if matcher.data_found {
        intact(steps, rules.get(RuleName::ReferenceDataIntact), matcher)?;
    }
    same_name(steps, rules.get(RuleName::ReferenceDataNameMatch), matcher)
}

/// Whether the data is found, asked in the words for its kind.
pub(super) fn found(steps: &mut Steps, rule: Option<&Rule>, matcher: &DigestMatcher) -> Result<(), Concluded> {
    let question = match matcher.kind {
        MatcherType::MessageImprint => ask!("BBB_CV_TSP_IRDOF"),
        MatcherType::CounterSignedSignatureValue => ask!("BBB_CV_CS_CSSVF"),
        MatcherType::ManifestEntry => ask!("BBB_CV_IMEOF"),
        MatcherType::ErArchiveTimestamp => ask!("BBB_CV_ER_ATSRF"),
        MatcherType::ErArchiveTimestampSequence => ask!("BBB_CV_ER_ATSSRF"),
        _ => ask!("BBB_CV_IRDOF"),
    };
    steps.rule(rule, named(question, matcher), matcher.data_found, Failure::indeterminate(SignedDataNotFound))
}

/// Whether the data has the digest stated, asked in the words for its kind.
pub(super) fn intact(steps: &mut Steps, rule: Option<&Rule>, matcher: &DigestMatcher) -> Result<(), Concluded> {
    let question = match matcher.kind {
        MatcherType::MessageImprint => ask!("BBB_CV_TSP_IRDOI"),
        MatcherType::CounterSignedSignatureValue => ask!("BBB_CV_CS_CSPS"),
        MatcherType::ManifestEntry => ask!("BBB_CV_IMEDOI"),
        MatcherType::ErArchiveTimestamp => ask!("BBB_CV_ER_ATSRI"),
        MatcherType::ErArchiveTimestampSequence => ask!("BBB_CV_ER_ATSSRI"),
        _ => ask!("BBB_CV_IRDOI"),
    };
    steps.rule(rule, named(question, matcher), matcher.data_intact, Failure::failed(HashFailure))
}

/// Whether the document that was found has the name that the reference gives, where both are known.
pub(super) fn same_name(steps: &mut Steps, rule: Option<&Rule>, matcher: &DigestMatcher) -> Result<(), Concluded> {
    let (Some(uri), Some(name)) = (&matcher.uri, &matcher.document_name) else { return Ok(()) };
    let question = match matcher.kind {
        MatcherType::ManifestEntry => ask!("BBB_CV_DMENMND"),
        _ => ask!("BBB_CV_DRNMND"),
    };
    let question = question.comparing(format!("{uri} / {name}"));
    steps.rule(rule, question, uri == name, Failure::indeterminate(SignedDataNotFound))
}

fn named(question: Ask, matcher: &DigestMatcher) -> Ask {
    match matcher.id.as_ref().or(matcher.uri.as_ref()).filter(|name| !name.trim().is_empty()) {
        Some(name) => question.comparing(name.as_str()),
        None => question,
    }
}

/// RFC 4998 §5.3: a renewed hash tree covers every object that the record covered before.
fn hash_tree_renewal(case: &Case<'_>, steps: &mut Steps, timestamp: &Timestamp) -> Result<(), Concluded> {
    let renewal = Some(EvidenceRecordTimestampType::HashTreeRenewal);
    if timestamp.kind != TimestampType::EvidenceRecord || timestamp.evidence_record_type != renewal {
        return Ok(());
    }
    let objects = |matchers: &[DigestMatcher]| -> Vec<Option<String>> {
        let found = matchers.iter().filter(|m| m.kind == MatcherType::ErArchiveObject && m.data_found);
        found.map(|m| m.document_name.clone()).collect()
    };
    let record = case.facts.evidence_records.iter().find(|record| record.timestamps.contains(&timestamp.id));
    let mut covered = objects(&timestamp.digest_matchers);
    let covers_all = record.is_some_and(|record| {
        objects(&record.digest_matchers).iter().all(|object| {
            let at = covered.iter().position(|other| other == object);
            at.map(|at| covered.swap_remove(at)).is_some()
        })
    });
    // Digests of unknown objects: the objects are there, but not these.
    let others = timestamp.digest_matchers.iter().any(|m| m.kind == MatcherType::ErOrphanReference);
    let (key, failure) = if others {
        ("BBB_CV_ER_TST_RN_ANS_2", Failure::failed(HashFailure))
    } else {
        ("BBB_CV_ER_TST_RN_ANS_1", Failure::indeterminate(SignedDataNotFound))
    };
    let rule = case.rule(Place::Token(Context::EvidenceRecord), RuleName::HashTreeRenewal);
    steps.rule(rule, Ask::new("BBB_CV_ER_TST_RN", key), covers_all, failure)
}

/// XMLDSig §5.1: what a signed `ds:Manifest` lists is for the application to judge, that is, for the policy.
fn manifest(rules: &Rules<'_, '_>, steps: &mut Steps, matchers: &[DigestMatcher]) -> Result<(), Concluded> {
    let not_found = || Failure::indeterminate(SignedDataNotFound);
    let entries: Vec<&DigestMatcher> = matchers.iter().filter(|m| m.kind == MatcherType::ManifestEntry).collect();
    let some = entries.iter().any(|entry| entry.data_found);
    let key = if entries.is_empty() { "BBB_CV_ISMEC_ANS" } else { "BBB_CV_ISMEC_ANS_2" };
    let rule = rules.get(RuleName::ManifestEntryObjectExistence);
    steps.rule(rule, Ask::new("BBB_CV_ISMEC", key), some, not_found())?;
    if some {
        let all = entries.iter().all(|entry| entry.data_found);
        steps.rule(rules.get(RuleName::ManifestEntryObjectGroup), ask!("BBB_CV_AAMEF"), all, not_found())?;
    }
    for entry in entries.iter().filter(|entry| entry.data_found) {
        intact(steps, rules.get(RuleName::ManifestEntryObjectIntact), entry)?;
        same_name(steps, rules.get(RuleName::ManifestEntryNameMatch), entry)?;
    }
    Ok(())
}
