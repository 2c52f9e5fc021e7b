//! Cryptographic verification: EN 319 102-1 §5.2.7.
//!
//! Digests and values were computed while the facts were collected; here they are weighed.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Question};
use super::outcome::outcomes;
use super::token::Token;
use crate::facts::{Digest, DigestMatcher, EvidenceRecordTimestampType, MatcherType, Shared, Timestamp, TimestampType};
use crate::policy::{Context, PolicySection, Rule, RuleName};
use crate::uri::unescaped;
use std::collections::BTreeMap;
use std::sync::Arc;

outcomes! {
    /// The outcomes of cryptographic verification: EN 319 102-1 §5.2.7.3.
    enum NotVerified {
        SignedDataNotFound,
        HashFailure,
        SigCryptoFailure,
    }
}

/// Verifies `token`.
pub fn cv(cx: &ValidationContext<'_>, token: Token<'_>) -> Block {
    let mut block = BlockBuilder::new(BlockKind::CryptographicVerification, token.id());
    let _ = run(cx, &mut block, token);
    block.finish()
}

fn run(cx: &ValidationContext<'_>, block: &mut BlockBuilder, token: Token<'_>) -> Result<(), Concluded> {
    let rules = Rules { cx, section: PolicySection::Basic(token.context()) };
    let matchers = token.digest_matchers();
    // Without a key (§5.2.7.2), or by an algorithm that is not known, no value was verified: whether it is one, nobody knows.
    let keyless =
        token.signing_certificate().is_none() && token.found_certificates().iter().all(|c| c.origins.is_empty());
    let unknown = !token.basic().intact && (keyless || token.basic().key_algorithm.is_none());
    let comparable = rules.get(RuleName::DigestComparable).filter(|_| unknown);
    // The entries of a signed `ds:Manifest` come below; those of an ASiC manifest are signed data like any other.
    let has_manifest = matchers.iter().any(|matcher| matcher.kind == MatcherType::Manifest);
    for matcher in matchers {
        match matcher.kind {
            MatcherType::ManifestEntry if has_manifest => {}
            // RFC 4998 §4.2: a group may hold digests of objects that are not at hand.
            MatcherType::ErOrphanReference => {}
            MatcherType::JwsSigningInput if matcher.data_found && comparable.is_some() => {}
            _ => reference(&rules, block, matcher)?,
        }
    }
    if let Token::Timestamp(timestamp) = token {
        hash_tree_renewal(cx, block, timestamp)?;
    }
    if has_manifest {
        manifest(&rules, block, matchers)?;
    }

    // 3), 4) The signature value.
    if comparable.is_some() {
        let check = if keyless { CheckId::SigningCertificateFound } else { CheckId::DigestComparable };
        block.check(comparable, check, false, NotVerified::SignedDataNotFound)?;
    }
    let check = match token.context() {
        Context::Certificate => CheckId::CertificateSignatureIntact,
        Context::Revocation => CheckId::RevocationSignatureIntact,
        Context::Timestamp => CheckId::TimestampSignatureIntact,
        _ => CheckId::SignatureIntact,
    };
    block.check(rules.get(RuleName::SignatureIntact), check, token.basic().intact, NotVerified::SigCryptoFailure)
}

struct Rules<'c, 'a> {
    cx: &'c ValidationContext<'a>,
    section: PolicySection,
}

impl<'a> Rules<'_, 'a> {
    fn get(&self, name: RuleName) -> Option<&'a Rule> {
        self.cx.rule(self.section, name)
    }
}

/// Checks 1) that the signed data object is there, 2) that it has the digest that the signature states.
fn reference(rules: &Rules<'_, '_>, block: &mut BlockBuilder, matcher: &DigestMatcher) -> Result<(), Concluded> {
    let name = name(matcher);
    comparable(rules, block, matcher, name.clone())?;
    let found = named(data_found(matcher.kind), name.clone());
    let rule = rules.get(RuleName::ReferenceDataExistence);
    block.check(rule, found, matcher.data_found, NotVerified::SignedDataNotFound)?;
    if matcher.data_found {
        intact(block, rules.get(RuleName::ReferenceDataIntact), matcher, name.clone())?;
    }
    same_name(block, rules.get(RuleName::ReferenceDataNameMatch), matcher, name)
}

/// Checks that the digest is by a function that is known. Otherwise nothing was compared: whether the data was changed, or is
/// there at all, nobody knows.
fn comparable(
    rules: &Rules<'_, '_>,
    block: &mut BlockBuilder,
    matcher: &DigestMatcher,
    name: Option<Arc<str>>,
) -> Result<(), Concluded> {
    let Digest { algorithm, value } = &matcher.digest;
    if matcher.data_intact || value.0.is_empty() || algorithm.is_some() {
        return Ok(());
    }
    let question = named(CheckId::DigestComparable, name);
    block.check(rules.get(RuleName::DigestComparable), question, false, NotVerified::SignedDataNotFound)
}

/// Returns the check that the data is found, for its kind.
fn data_found(kind: MatcherType) -> CheckId {
    match kind {
        MatcherType::MessageImprint => CheckId::ImprintDataFound,
        MatcherType::CounterSignedSignatureValue => CheckId::CountersignedValueFound,
        MatcherType::ManifestEntry => CheckId::ManifestEntryFound,
        MatcherType::ErArchiveTimestamp => CheckId::RenewedTimestampFound,
        MatcherType::ErArchiveTimestampSequence => CheckId::RenewedSequenceFound,
        _ => CheckId::ReferencedDataFound,
    }
}

/// Checks that the data has the digest stated.
fn intact(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    matcher: &DigestMatcher,
    name: Option<Arc<str>>,
) -> Result<(), Concluded> {
    let check = match matcher.kind {
        MatcherType::MessageImprint => CheckId::ImprintIntact,
        MatcherType::CounterSignedSignatureValue => CheckId::CountersignedValueIntact,
        MatcherType::ManifestEntry => CheckId::ManifestEntryIntact,
        MatcherType::ErArchiveTimestamp => CheckId::RenewedTimestampIntact,
        MatcherType::ErArchiveTimestampSequence => CheckId::RenewedSequenceIntact,
        _ => CheckId::ReferencedDataIntact,
    };
    block.check(rule, named(check, name), matcher.data_intact, NotVerified::HashFailure)
}

/// Checks that the document that was found has the name that the reference gives, where both are known.
fn same_name(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    matcher: &DigestMatcher,
    name: Option<Arc<str>>,
) -> Result<(), Concluded> {
    let (Some(uri), Some(document)) = (&matcher.uri, &matcher.document_name) else { return Ok(()) };
    let check = match matcher.kind {
        MatcherType::ManifestEntry => CheckId::ManifestEntryNameMatch,
        _ => CheckId::ReferencedNameMatch,
    };
    // TS 119 182-1 §5.2.8: what `sigD` names are URIs.
    let same = uri == document || matcher.kind == MatcherType::SigDEntry && unescaped(uri) == **document;
    let compared = if same { name } else { Some(format!("{uri} / {document}").into()) };
    block.check(rule, named(check, compared), same, NotVerified::SignedDataNotFound)
}

/// Asks about data of that name, where it has one.
fn named(check: CheckId, name: Option<Arc<str>>) -> Question {
    match name {
        Some(name) => check.comparing(name),
        None => check.into(),
    }
}

/// Returns the name by which a report speaks of what a matcher matches. It is shared by the checks on it: containers
/// have tens of thousands of these.
fn name(matcher: &DigestMatcher) -> Option<Arc<str>> {
    matcher.id.as_ref().or(matcher.uri.as_ref()).filter(|name| !name.trim().is_empty()).cloned()
}

/// Checks that a renewed hash tree (RFC 4998 §5.3) covers every object that the record covered before.
fn hash_tree_renewal(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    let renewal = Some(EvidenceRecordTimestampType::HashTreeRenewal);
    if timestamp.kind != TimestampType::EvidenceRecord || timestamp.evidence_record_type != renewal {
        return Ok(());
    }
    let record = cx.facts.evidence_records.iter().find(|record| record.timestamps.contains(&timestamp.id));
    let covered = objects(&timestamp.digest_matchers);
    let is_covered = |(object, count): (&Option<&str>, &usize)| covered.get(object).is_some_and(|n| n >= count);
    let covers_all = record.is_some_and(|record| objects(&record.digest_matchers).iter().all(is_covered));
    // Digests of unknown objects: the objects are there, but not these.
    let others = timestamp.digest_matchers.iter().any(|m| m.kind == MatcherType::ErOrphanReference);
    let (check, failure) = if others {
        (CheckId::HashTreeRenewalMatches, NotVerified::HashFailure)
    } else {
        (CheckId::HashTreeRenewalComplete, NotVerified::SignedDataNotFound)
    };
    let rule = cx.rule(PolicySection::Token(Context::EvidenceRecord), RuleName::HashTreeRenewal);
    block.check(rule, check, covers_all, failure)
}

/// Returns how often each object was found, by its name.
fn objects(matchers: &[Shared<DigestMatcher>]) -> BTreeMap<Option<&str>, usize> {
    let mut objects = BTreeMap::new();
    for matcher in matchers.iter().filter(|m| m.kind == MatcherType::ErArchiveObject && m.data_found) {
        *objects.entry(matcher.document_name.as_deref()).or_default() += 1;
    }
    objects
}

/// Checks a manifest. By XMLDSig §5.1, what a signed `ds:Manifest` lists is for the application to judge, that is, for
/// the policy.
fn manifest(
    rules: &Rules<'_, '_>,
    block: &mut BlockBuilder,
    matchers: &[Shared<DigestMatcher>],
) -> Result<(), Concluded> {
    let not_found = NotVerified::SignedDataNotFound;
    let entries: Vec<&DigestMatcher> =
        matchers.iter().map(|m| &**m).filter(|m| m.kind == MatcherType::ManifestEntry).collect();
    let some = entries.iter().any(|entry| entry.data_found);
    let check = if entries.is_empty() { CheckId::ManifestHasEntry } else { CheckId::ManifestHasEntryWithData };
    let rule = rules.get(RuleName::ManifestEntryObjectExistence);
    block.check(rule, check, some, not_found)?;
    if some {
        let all = entries.iter().all(|entry| entry.data_found);
        block.check(rules.get(RuleName::ManifestEntryObjectGroup), CheckId::AllManifestEntriesFound, all, not_found)?;
    }
    for entry in entries.iter().filter(|entry| entry.data_found) {
        let name = name(entry);
        comparable(rules, block, entry, name.clone())?;
        intact(block, rules.get(RuleName::ManifestEntryObjectIntact), entry, name.clone())?;
        same_name(block, rules.get(RuleName::ManifestEntryNameMatch), entry, name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::cv;
    use crate::facts::{
        Digest, DigestMatcher, EvidenceRecord, EvidenceRecordOrigin, EvidenceRecordTimestampType, EvidenceRecordType,
        Facts, Id, MatcherType, Shared, TimestampType,
    };
    use crate::policy::Policy;
    use crate::validation::situations::{answer, check, signature, timestamp};

    /// Adds a signed manifest with one entry.
    fn manifest(facts: &mut Facts) -> &mut DigestMatcher {
        let matchers = &mut facts.signatures[0].digest_matchers;
        matchers.push(DigestMatcher { kind: MatcherType::Manifest, ..(*matchers[0]).clone() }.into());
        matchers.push(DigestMatcher { kind: MatcherType::ManifestEntry, ..(*matchers[0]).clone() }.into());
        &mut matchers[2]
    }

    #[test]
    fn signatures() {
        check(
            &Policy::dss(),
            "2021-06-02",
            |cx| answer(&cv(cx, signature(cx))),
            &[
                ("5.2.7.4", "all is intact", |_| {}, "PASSED"),
                (
                    "5.2.7.4 1)",
                    "the data is not there",
                    |f| f.signatures[0].digest_matchers[0].data_found = false,
                    "INDETERMINATE/SIGNED_DATA_NOT_FOUND BBB_CV_IRDOF_ANS",
                ),
                (
                    "5.2.7.4 2)",
                    "the data was changed",
                    |f| f.signatures[0].digest_matchers[0].data_intact = false,
                    "FAILED/HASH_FAILURE BBB_CV_IRDOI_ANS",
                ),
                (
                    "5.2.7.4 4)",
                    "the value is another's",
                    |f| f.signatures[0].basic.intact = false,
                    "FAILED/SIG_CRYPTO_FAILURE BBB_CV_ISI_ANS",
                ),
                (
                    "5.2.7.4",
                    "the document has another name than the reference",
                    |f| {
                        let matcher = &mut f.signatures[0].digest_matchers[0];
                        matcher.uri = Some("a.txt".into());
                        matcher.document_name = Some("b.txt".into());
                    },
                    "PASSED BBB_CV_DRNMND_ANS",
                ),
                ("XMLDSig §5.1", "a manifest whose entry is found", |f| _ = manifest(f), "PASSED"),
                (
                    "XMLDSig §5.1",
                    "a manifest none of whose entries is found",
                    |f| manifest(f).data_found = false,
                    "PASSED BBB_CV_ISMEC_ANS_2",
                ),
                (
                    "XMLDSig §5.1",
                    "a manifest whose entry was changed",
                    |f| manifest(f).data_intact = false,
                    "FAILED/HASH_FAILURE BBB_CV_IMEDOI_ANS",
                ),
                (
                    "XMLDSig §5.1",
                    "a manifest without entries",
                    |f| {
                        manifest(f);
                        f.signatures[0].digest_matchers.pop();
                    },
                    "PASSED BBB_CV_ISMEC_ANS",
                ),
            ],
        );
    }

    #[test]
    fn a_digest_by_a_function_that_nobody_knows() {
        let unknown = |f: &mut Facts| {
            let digest = Digest { algorithm: None, value: vec![1].into() };
            let matcher = &mut f.signatures[0].digest_matchers[0];
            *matcher = DigestMatcher { digest, data_intact: false, ..(**matcher).clone() }.into();
        };
        for (policy, expected) in [
            (Policy::eidas(), "INDETERMINATE/SIGNED_DATA_NOT_FOUND BBB_CV_DIGEST_KNOWN_ANS"),
            (Policy::dss(), "FAILED/HASH_FAILURE BBB_CV_IRDOI_ANS"),
        ] {
            let rows = [("5.2.7.4 2)", "GOST", unknown as fn(&mut Facts), expected)];
            check(&policy, "2021-06-02", |cx| answer(&cv(cx, signature(cx))), &rows);
        }
    }

    #[test]
    fn a_value_that_nobody_has_the_key_for() {
        let keyless = |f: &mut Facts| {
            f.signatures[0].signing_certificate = None;
            f.signatures[0].found_certificates.clear();
            f.signatures[0].basic.intact = false;
        };
        for (policy, expected) in [
            (Policy::eidas(), "INDETERMINATE/SIGNED_DATA_NOT_FOUND BBB_ICS_ISCI_ANS"),
            (Policy::dss(), "FAILED/SIG_CRYPTO_FAILURE BBB_CV_ISI_ANS"),
        ] {
            let rows = [("5.2.7.2", "no certificate", keyless as fn(&mut Facts), expected)];
            check(&policy, "2021-06-02", |cx| answer(&cv(cx, signature(cx))), &rows);
        }
    }

    #[test]
    fn timestamps() {
        /// Adds a renewal of a hash tree over `renewed` objects, in a record over two.
        fn renewal(facts: &mut Facts, renewed: usize) {
            let object = facts.signatures[0].digest_matchers[0].clone();
            let object = Shared::from(DigestMatcher { kind: MatcherType::ErArchiveObject, ..(*object).clone() });
            let timestamp = &mut facts.timestamps[0];
            timestamp.kind = TimestampType::EvidenceRecord;
            timestamp.evidence_record_type = Some(EvidenceRecordTimestampType::HashTreeRenewal);
            timestamp.digest_matchers.extend(vec![object.clone(); renewed]);
            facts.evidence_records.push(EvidenceRecord {
                digest_matchers: vec![object; 2],
                timestamps: vec![timestamp.id.clone()],
                ..EvidenceRecord::new(Id::new("E"), EvidenceRecordType::Asn1, EvidenceRecordOrigin::Container)
            });
        }
        check(
            &Policy::dss(),
            "2021-06-02",
            |cx| answer(&cv(cx, timestamp(cx))),
            &[
                (
                    "5.2.7.4 1)",
                    "what is time-stamped is not there",
                    |f| f.timestamps[0].digest_matchers[0].data_found = false,
                    "INDETERMINATE/SIGNED_DATA_NOT_FOUND BBB_CV_TSP_IRDOF_ANS",
                ),
                (
                    "5.2.7.4 2)",
                    "what is time-stamped was changed",
                    |f| f.timestamps[0].digest_matchers[0].data_intact = false,
                    "FAILED/HASH_FAILURE BBB_CV_TSP_IRDOI_ANS",
                ),
                ("RFC 4998 §5.3", "a renewal over all objects", |f| renewal(f, 2), "PASSED"),
                (
                    "RFC 4998 §5.3",
                    "a renewal that leaves one of two alike out",
                    |f| renewal(f, 1),
                    "INDETERMINATE/SIGNED_DATA_NOT_FOUND BBB_CV_ER_TST_RN_ANS_1",
                ),
                (
                    "RFC 4998 §5.3",
                    "a renewal over another object",
                    |f| {
                        renewal(f, 1);
                        let matchers = &mut f.timestamps[0].digest_matchers;
                        matchers.push(
                            DigestMatcher { kind: MatcherType::ErOrphanReference, ..(*matchers[0]).clone() }.into(),
                        );
                    },
                    "FAILED/HASH_FAILURE BBB_CV_ER_TST_RN_ANS_2",
                ),
            ],
        );
    }
}
