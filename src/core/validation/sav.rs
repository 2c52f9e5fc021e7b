//! Signature acceptance validation: EN 319 102-1 §5.2.8.
//!
//! What the signature's attributes must be like for the policy, and last whether its algorithms are still good.

use super::algorithms;
use super::blocks::{AlgorithmObsolescence, BuildingBlocks, Judged};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure, Question};
use super::lta_material;
use super::outcome::{SubIndication, outcomes};
use super::poe::is_content;
use super::token::Token;
use super::validity::is_valid_at;
use crate::facts::{
    CertificateRefOrigin, MatcherType, RoleCategory, Signature, SignatureForm, Timestamp, TimestampType,
};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName};

outcomes! {
    /// The outcome of acceptance, but for the algorithms': EN 319 102-1 §5.2.8.3.
    enum NotAccepted {
        SigConstraintsFailure,
    }
}

/// Accepts `token`, whose algorithms were judged before.
pub fn sav(
    cx: &ValidationContext<'_>,
    token: Token<'_>,
    token_algorithms: &AlgorithmObsolescence,
    judged: &Judged,
) -> Block {
    let mut block = BlockBuilder::new(BlockKind::SignatureAcceptance, token.id());
    let checks = Attributes { cx, token };
    let _ = match token {
        Token::Signature(signature) => checks.signature(&mut block, signature, judged),
        Token::Timestamp(timestamp) => checks.timestamp(&mut block, timestamp),
        _ => Ok(()),
    }
    .and_then(|()| algorithms::check_result(&mut block, token_algorithms));

    block.finish()
}

/// Checks, for a process that looks back, that the token was accepted but for its algorithms: those are judged again as
/// of that time. What stands in its attributes was so at any time.
pub(super) fn check_acceptance(block: &mut BlockBuilder, blocks: &BuildingBlocks) -> Result<(), Concluded> {
    let Some(sav) = &blocks.sav else { return Ok(()) };
    let algorithms = matches!(
        sav.conclusion.sub_indication,
        Some(SubIndication::CryptoConstraintsFailure | SubIndication::CryptoConstraintsFailureNoPoe)
    );
    let question = CheckId::SignatureAcceptancePassed.about(&blocks.token).of_block(BlockKind::SignatureAcceptance);
    block.check_at(Level::Fail, question, sav.is_passed() || algorithms, Failure::result_of(&sav.conclusion))
}

/// Returns the rule by which a content time-stamp must be valid. Without one it is only recorded, and so it is where
/// long-term material may prove that it once was.
fn timestamp_rule<'a>(cx: &ValidationContext<'a>, signature: &'a Signature) -> Option<&'a Rule> {
    let rule = cx.rule(PolicySection::Token(Context::Timestamp), RuleName::TimestampValid);
    rule.filter(|_| !lta_material::is_present(cx, signature))
}

/// The checks of attributes.
struct Attributes<'c, 'a, 't> {
    cx: &'c ValidationContext<'a>,
    token: Token<'t>,
}

impl<'a, 't> Attributes<'_, 'a, 't> {
    fn signed(&self, name: RuleName) -> Option<&'a Rule> {
        self.cx.rule(PolicySection::SignedAttributes(self.token.context()), name)
    }

    fn unsigned(&self, name: RuleName) -> Option<&'a Rule> {
        self.cx.rule(PolicySection::UnsignedAttributes(self.token.context()), name)
    }

    /// Checks the attributes of a signature, in DSS's order: §5.2.8.4.2.
    fn signature(&self, block: &mut BlockBuilder, signature: &'t Signature, judged: &Judged) -> Result<(), Concluded> {
        let rule = self.cx.rule(PolicySection::Token(self.token.context()), RuleName::StructuralValidation);
        let valid = signature.structural_validation.as_ref().is_some_and(|structure| structure.valid);
        check(block, rule, CheckId::StructureValid, valid)?;
        self.signing_certificate(block)?;
        self.key_identifier(block, signature)?;
        self.signing_time(block, signature)?;
        self.content(block, signature)?;
        self.signer(block, signature)?;
        self.content_timestamps(block, signature, judged)?;
        self.unsigned_attributes(block, signature)
    }

    /// Checks (§5.2.8.4.2.1) that the signing-certificate attribute is there, once, and names only certificates of the
    /// path.
    fn signing_certificate(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let references = self.token.signing_references();
        check(
            block,
            self.signed(RuleName::SigningCertificatePresent),
            CheckId::SigningCertificatePresent,
            !references.is_empty(),
        )?;
        if references.is_empty() {
            return Ok(());
        }
        let rule = self.signed(RuleName::UnicitySigningCertificate);
        check(block, rule, CheckId::SigningCertificateUnique, references.len() == 1)?;

        let chain = self.token.chain();
        let unknown = || references.iter().filter(|(certificate, _)| !chain.contains(certificate));
        let known = unknown().next().is_none();
        let question = CheckId::ReferencesWithinChain.naming(unknown().filter_map(|(_, stated)| stated.described()));
        check(block, self.signed(RuleName::SigningCertificateRefersCertificateChain), question, known)?;

        let all = chain.iter().all(|id| references.iter().any(|(certificate, _)| *certificate == id));
        check(block, self.signed(RuleName::ReferencesToAllCertificateChainPresent), CheckId::WholeChainReferenced, all)
    }

    /// Checks `kid`, by which JAdES may name the certificate too: RFC 7515 §4.1.4.
    fn key_identifier(&self, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
        if form(signature) != Some(SignatureForm::Jades) {
            return Ok(());
        }
        let references = || {
            signature.found_certificates.iter().flat_map(|found| {
                found
                    .references
                    .iter()
                    .filter(|r| r.origin == CertificateRefOrigin::KeyIdentifier)
                    .map(move |r| (found, r))
            })
        };
        let own = references().find(|(found, _)| Some(&found.certificate) == signature.signing_certificate.as_ref());
        let identifier = own.or_else(|| references().find(|(found, _)| found.orphan));
        check(block, self.signed(RuleName::KeyIdentifierPresent), CheckId::KeyIdentifierPresent, identifier.is_some())?;
        let Some((_, reference)) = identifier else { return Ok(()) };
        let matches = reference.issuer_serial_match == Some(true);
        check(block, self.signed(RuleName::KeyIdentifierMatch), CheckId::KeyIdentifierMatch, matches)
    }

    /// Checks that the claimed signing time is there, and within the certificate's validity.
    fn signing_time(&self, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
        let time = signature.claimed_signing_time;
        check(block, self.signed(RuleName::SigningTime), CheckId::SigningTimePresent, time.is_some())?;
        let Some(certificate) = signature.signing_certificate.as_ref().and_then(|id| self.cx.index.certificate(id))
        else {
            return Ok(());
        };
        let Some(time) = time else { return Ok(()) };
        let within = is_valid_at(certificate, time);
        check(block, self.signed(RuleName::SigningTimeInCertRange), CheckId::SigningTimeInCertificateValidity, within)
    }

    /// Checks what is said of the content.
    fn content(&self, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
        let rule = self.signed(RuleName::ContentType);
        // Without values none is expected.
        let holds = match content_type(signature) {
            Some(kind) => one(rule, Some(kind)),
            None => rule.is_some_and(|rule| rule.values.is_empty()),
        };
        check(block, rule, CheckId::ContentTypeAccepted, holds)?;
        let rule = self.signed(RuleName::ContentHints);
        check(block, rule, CheckId::ContentHintsAccepted, one(rule, signature.content_hints.as_deref()))?;

        let needed = match form(signature) {
            Some(SignatureForm::Jades) => None,
            Some(SignatureForm::Xades | SignatureForm::DigidocXml) => Some(Some(MatcherType::SignedProperties)),
            Some(SignatureForm::Cades | SignatureForm::Pades | SignatureForm::Pkcs7) => {
                Some(Some(MatcherType::MessageDigest))
            }
            _ => Some(None),
        };
        if let Some(kind) = needed {
            let present = kind.is_some_and(|kind| signature.digest_matchers.iter().any(|m| m.kind == kind));
            let rule = self.signed(RuleName::MessageDigestOrSignedPropertiesPresent);
            check(block, rule, CheckId::MessageDigestOrSignedPropertiesPresent, present)?;
        }
        let rule = self.signed(RuleName::ContentIdentifier);
        check(block, rule, CheckId::ContentIdentifierAccepted, one(rule, signature.content_identifier.as_deref()))
    }

    /// Checks what is said of the signer.
    fn signer(&self, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
        let rule = self.signed(RuleName::CommitmentTypeIndication);
        let committed = !signature.commitments.is_empty()
            && rule.is_none_or(|rule| {
                rule.values.is_empty() || signature.commitments.iter().all(|c| rule.values.contains(&c.identifier))
            });
        check(block, rule, CheckId::CommitmentTypeAccepted, committed)?;
        let rule = self.signed(RuleName::SignerLocation);
        check(block, rule, CheckId::SignerLocationPresent, signature.production_place.is_some())?;
        let rule = self.signed(RuleName::ClaimedRoles);
        check(block, rule, CheckId::ClaimedRoleAccepted, has_role(rule, signature, RoleCategory::Claimed))?;
        let rule = self.signed(RuleName::CertifiedRoles);
        check(block, rule, CheckId::CertifiedRoleAccepted, has_role(rule, signature, RoleCategory::Certified))
    }

    /// Checks (§5.2.8.4.2.6) that content time-stamps are there, valid, and about the content.
    fn content_timestamps(
        &self,
        block: &mut BlockBuilder,
        signature: &'t Signature,
        judged: &Judged,
    ) -> Result<(), Concluded> {
        let all: Vec<&Timestamp> = self
            .cx
            .index
            .timestamps(&signature.found_timestamps)
            .filter(|timestamp| is_content(timestamp.kind))
            .collect();
        check(block, self.signed(RuleName::ContentTimeStamp), CheckId::ContentTimestampPresent, !all.is_empty())?;
        if all.is_empty() {
            return Ok(());
        }
        // One that is not valid is worth a message only where the policy insists on it now.
        let rule = timestamp_rule(self.cx, signature);
        let level = rule.map_or(Level::Warn, |rule| rule.level);
        for timestamp in all {
            if let Some(blocks) = judged.get(&timestamp.id) {
                let question = CheckId::ContentTimestampValid.about(&timestamp.id).silent_if(rule.is_none());
                let holds = blocks.conclusion.is_passed();
                block.check_at(level, question, holds, NotAccepted::SigConstraintsFailure)?;
            }
            let imprint = timestamp.digest_matchers.iter().find(|m| m.kind == MatcherType::MessageImprint);
            let matches = imprint.is_some_and(|imprint| imprint.data_found && imprint.data_intact);
            let question = CheckId::TimestampImprintMatch.about(&timestamp.id);
            check(block, self.signed(RuleName::ContentTimeStampMessageImprint), question, matches)?;
        }
        Ok(())
    }

    /// Checks the unsigned attributes that the policy demands.
    fn unsigned_attributes(&self, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
        let countersigned = self.cx.index.is_countersigned(&signature.id);
        check(block, self.unsigned(RuleName::CounterSignature), CheckId::CounterSignaturePresent, countersigned)?;
        let mut present = |name, wanted: CheckId, kind| {
            let has = self.cx.index.timestamps(&signature.found_timestamps).any(|timestamp| timestamp.kind == kind);
            check(block, self.unsigned(name), wanted, has)
        };
        use {RuleName as Rule, TimestampType as Type};
        present(Rule::SignatureTimeStamp, CheckId::SignatureTimestampPresent, Type::Signature)?;
        present(Rule::ValidationDataTimeStamp, CheckId::ValidationDataTimestampPresent, Type::ValidationData)?;
        present(
            Rule::ValidationDataRefsOnlyTimeStamp,
            CheckId::ValidationDataRefsTimestampPresent,
            Type::ValidationDataRefsOnly,
        )?;
        present(Rule::ArchiveTimeStamp, CheckId::ArchiveTimestampPresent, Type::Archive)?;
        if form(signature) == Some(SignatureForm::Pades) {
            present(Rule::DocumentTimeStamp, CheckId::DocumentTimestampPresent, Type::Document)?;
        }
        Ok(())
    }

    /// Checks the signing certificate of a time-stamp, and the name that it gives its issuer: EN 319 422, RFC 3161
    /// §2.4.2.
    fn timestamp(&self, block: &mut BlockBuilder, timestamp: &Timestamp) -> Result<(), Concluded> {
        self.signing_certificate(block)?;
        let rule = |name| self.cx.rule(PolicySection::Token(self.token.context()), name);
        // EN 319 102-1 §5.4: what is stamped existed by then, and that time is still to come.
        let begun = timestamp.production_time.millis() <= self.cx.time.millis().saturating_add(CLOCKS_DIFFER);
        let question = CheckId::TimestampNotInFuture;
        let question = question.comparing(format!("{} ≤ {}", timestamp.production_time, self.cx.time));
        check(block, rule(RuleName::TimestampNotInFuture), question, begun)?;
        // EN 319 421 §7.6.4: no unit stamps before it has its certificate; whoever got its key later states what time he likes.
        let unit = timestamp.signing_certificate.as_ref().and_then(|id| self.cx.index.certificate(id));
        if let Some(unit) = unit {
            let time = timestamp.production_time;
            let question = CheckId::TimestampInCertificateValidity
                .comparing(format!("{} ≤ {time} ≤ {}", unit.not_before, unit.not_after));
            check(block, self.signed(RuleName::SigningTimeInCertRange), question, is_valid_at(unit, time))?;
        }
        let name = timestamp.tsa_name.as_ref();
        check(block, rule(RuleName::TSAGeneralNamePresent), CheckId::TsaNamePresent, name.is_some())?;
        let Some(name) = name else { return Ok(()) };
        check(block, rule(RuleName::TSAGeneralNameContentMatch), CheckId::TsaNameMatch, name.content_match)?;
        check(block, rule(RuleName::TSAGeneralNameOrderMatch), CheckId::TsaNameOrderMatch, name.order_match)
    }
}

/// Milliseconds by which the verifier's clock may be behind that of a time-stamping authority.
const CLOCKS_DIFFER: i64 = 5 * 60_000;

fn check(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    question: impl Into<Question>,
    holds: bool,
) -> Result<(), Concluded> {
    block.check(rule, question, holds, NotAccepted::SigConstraintsFailure)
}

fn form(signature: &Signature) -> Option<SignatureForm> {
    signature.level.and_then(|level| level.form())
}

/// Returns the content type. By RFC 7515 §4.1.10 what JSON signatures state as `cty` is a media type, without
/// `application/`.
fn content_type(signature: &Signature) -> Option<&str> {
    let media = signature.mime_type.as_deref().filter(|_| form(signature) == Some(SignatureForm::Jades));
    let short = media.map(|media| media.strip_prefix("application/").unwrap_or(media));
    signature.content_type.as_deref().or(short)
}

/// Returns whether the value is among those that the policy accepts; `*` accepts any.
fn one(rule: Option<&Rule>, value: Option<&str>) -> bool {
    value.filter(|value| !value.is_empty()).zip(rule).is_some_and(|(value, rule)| rule.accepts(value))
}

fn has_role(rule: Option<&Rule>, signature: &Signature, category: RoleCategory) -> bool {
    let mut roles = signature.roles.iter().filter(|role| role.category == category).peekable();
    rule.is_some_and(|rule| match roles.peek() {
        None => rule.values.is_empty(),
        // RFC 5755 §5: an attribute certificate that nobody has verified attests nothing.
        Some(_) => roles.any(|role| role.verified != Some(false) && !role.role.is_empty() && rule.accepts(&role.role)),
    })
}

#[cfg(test)]
mod tests {
    use crate::facts::{CertificateRef, Facts, RoleCategory, SignatureLevel, SignerRole, TimestampType, TsaName};
    use crate::policy::Policy;
    use crate::validation::algorithms::{self, Parts};
    use crate::validation::bbb::timestamp_blocks;
    use crate::validation::blocks::Judged;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{Situation, answer, check, policy, signature, timestamp};
    use crate::validation::testing::{at, certificate_mut, with_timestamp};
    use crate::validation::token::Token;

    fn sav(cx: &ValidationContext<'_>, token: Token<'_>) -> String {
        let algorithms = algorithms::judge(cx, token, Parts::ALL, cx.time);
        let judged: Judged = cx.facts.timestamps.iter().map(|t| (t.id.clone(), timestamp_blocks(cx, t))).collect();
        answer(&super::sav(cx, token, &algorithms, &judged))
    }

    #[test]
    fn signatures() {
        check(
            &Policy::dss(),
            "2021-06-02",
            |cx| sav(cx, signature(cx)),
            &[
                (
                    "5.2.8.4.2.1",
                    "there is no reference to the certificate",
                    |f| f.signatures[0].found_certificates.clear(),
                    "PASSED BBB_SAV_ISSV_ANS BBB_ICS_ISASCP_ANS",
                ),
                (
                    "5.2.8.4.2.1",
                    "there are two",
                    |f| {
                        let references = &mut f.signatures[0].found_certificates[0].references;
                        let again: CertificateRef = references[0].clone();
                        references.push(again);
                    },
                    "PASSED BBB_SAV_ISSV_ANS BBB_ICS_ISASCPU_ANS",
                ),
                (
                    "5.2.8.4.2.2",
                    "no signing time is claimed",
                    |f| f.signatures[0].claimed_signing_time = None,
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISSV_ANS BBB_SAV_ISQPSTP_ANS",
                ),
                (
                    "5.2.8.4.2.2",
                    "a time after the certificate's end is claimed",
                    |f| f.signatures[0].claimed_signing_time = Some(at("2023-01-01T00:00:01Z")),
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISSV_ANS BBB_SAV_ISQPSTWSCVR_ANS",
                ),
                (
                    "EN 319 122-1 §5.1.2",
                    "CAdES without message-digest",
                    |f| f.signatures[0].digest_matchers.clear(),
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISSV_ANS BBB_SAV_ISQPMDOSPP_ANS",
                ),
                (
                    "EN 319 122-1 §5.1.2",
                    "XAdES without signed properties",
                    |f| f.signatures[0].level = Some(SignatureLevel::XadesBaselineB),
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISSV_ANS BBB_SAV_ISQPMDOSPP_ANS",
                ),
            ],
        );
    }

    #[test]
    fn content_types() {
        let json = |f: &mut Facts| {
            f.signatures[0].level = Some(SignatureLevel::JadesBaselineB);
            f.signatures[0].mime_type = Some("application/json".into());
        };
        const REFUSED: &str = "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISQPCTP_ANS";
        let rule = |values: &str| {
            policy(&format!(
                "<SignatureConstraints><SignedAttributes><ContentType Level='FAIL'>{values}</ContentType>\
                 </SignedAttributes></SignatureConstraints>"
            ))
        };
        let of = |cx: &ValidationContext<'_>| sav(cx, signature(cx));
        let text: fn(&mut Facts) = |f| f.signatures[0].content_type = Some("text/plain".into());
        let rows: &[Situation] = &[
            ("RFC 5652 §11.1", "the second of the accepted types", text, "PASSED"),
            ("RFC 5652 §11.1", "no type", |f| f.signatures[0].content_type = None, REFUSED),
            ("RFC 7515 §4.1.10", "`json` is short for `application/json`", json, "PASSED"),
        ];
        check(&rule("<Id>text/xml</Id><Id>text/plain</Id><Id>json</Id>"), "2021-06-02", of, rows);
        let rows: &[Situation] = &[
            ("RFC 5652 §11.1", "a type where none is expected", text, REFUSED),
            ("RFC 5652 §11.1", "none, as expected", |f| f.signatures[0].content_type = None, "PASSED"),
        ];
        check(&rule(""), "2021-06-02", of, rows);
    }

    #[test]
    fn certified_roles() {
        fn notary(facts: &mut Facts, verified: Option<bool>) {
            let role = SignerRole::new("notary".to_owned(), RoleCategory::Certified);
            facts.signatures[0].roles = vec![SignerRole { verified, ..role }];
        }
        let rules = policy(
            "<SignatureConstraints><SignedAttributes><CertifiedRoles Level='FAIL'><Id>notary</Id></CertifiedRoles>\
             </SignedAttributes></SignatureConstraints>",
        );
        const REFUSED: &str = "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ICERRM_ANS";
        let rows: &[Situation] = &[
            ("RFC 5755 §5", "none", |_| {}, REFUSED),
            ("RFC 5755 §5", "in a certificate that was not verified", |f| notary(f, Some(false)), REFUSED),
            ("RFC 5755 §5", "in one that was", |f| notary(f, Some(true)), "PASSED"),
            ("RFC 5755 §5", "as somebody else states it", |f| notary(f, None), "PASSED"),
        ];
        check(&rules, "2021-06-02", |cx| sav(cx, signature(cx)), rows);
    }

    #[test]
    fn a_time_that_is_not_claimed_is_not_out_of_range() {
        let rules = policy(
            "<SignatureConstraints><SignedAttributes><SigningTimeInCertRange Level='FAIL'/></SignedAttributes>\
             </SignatureConstraints>",
        );
        let none: Situation = ("5.2.8.4.2.2", "no time", |f| f.signatures[0].claimed_signing_time = None, "PASSED");
        check(&rules, "2021-06-02", |cx| sav(cx, signature(cx)), &[none]);
    }

    #[test]
    fn content_timestamps() {
        fn content(facts: &mut Facts) {
            facts.timestamps[0].kind = TimestampType::Content;
        }
        fn broken(facts: &mut Facts) {
            content(facts);
            facts.timestamps[0].basic.intact = false;
        }
        let rules = policy(
            "<SignatureConstraints><SignedAttributes><ContentTimeStamp Level='FAIL'/>\
             <ContentTimeStampMessageImprint Level='FAIL'/></SignedAttributes></SignatureConstraints>\
             <Timestamp><TimestampValid Level='FAIL'/><BasicSignatureConstraints><SignatureIntact Level='FAIL'/>\
             </BasicSignatureConstraints></Timestamp>",
        );
        check(
            &rules,
            "2021-06-02",
            |cx| sav(cx, signature(cx)),
            &[
                ("5.2.8.4.2.6", "none", |_| {}, "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ISQPCTSIP_ANS"),
                ("5.2.8.4.2.6", "a good one", content, "PASSED"),
                (
                    "5.2.8.4.2.6",
                    "one that is not valid",
                    broken,
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_ICTVS_ANS",
                ),
                (
                    "5.2.8.4.2.6",
                    "one that is not valid, with long-term material",
                    |f| {
                        broken(f);
                        *f = with_timestamp(std::mem::take(f), "T2", TimestampType::Archive, "2021-05-03", &["S"]);
                    },
                    "PASSED BBB_SAV_ICTVS_ANS",
                ),
                (
                    "5.2.8.4.2.6",
                    "one over other content",
                    |f| {
                        content(f);
                        f.timestamps[0].digest_matchers[0].data_intact = false;
                    },
                    "INDETERMINATE/SIG_CONSTRAINTS_FAILURE BBB_SAV_DMICTSTMCMI_ANS",
                ),
            ],
        );
    }

    #[test]
    fn timestamps() {
        check(
            &Policy::dss(),
            "2021-06-02",
            |cx| sav(cx, timestamp(cx)),
            &[
                ("EN 319 422", "all is well", |_| {}, "PASSED"),
                (
                    "RFC 3161 §2.4.2",
                    "its `tsa` is not the certificate's subject",
                    |f| {
                        f.timestamps[0].tsa_name =
                            Some(TsaName { name: "CN=TSA".into(), content_match: false, order_match: false });
                    },
                    "PASSED BBB_TAV_DTSAVM_ANS",
                ),
            ],
        );
        check(
            &Policy::dss(),
            "2026-06-02",
            |cx| sav(cx, timestamp(cx)),
            &[(
                "5.2.8.4.1",
                "SHA-1 is not reliable any more",
                |f| {
                    f.timestamps[0].basic.digest_algorithm = Some(crate::algorithm::DigestAlgorithm::Sha1);
                    certificate_mut(f, "TSA").not_after = at("2035-01-01");
                },
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ACCM_ANS",
            )],
        );
    }

    /// EN 319 102-1 §5.4: a time that is still to come proves nothing; clocks differ by minutes.
    #[test]
    fn time_stamps_of_the_future() {
        for (now, expected) in [
            ("2021-05-01T23:54:59Z", "INDETERMINATE/SIG_CONSTRAINTS_FAILURE"),
            ("2021-05-01T23:55:00Z", "PASSED"),
            ("2021-05-03T00:00:00Z", "PASSED"),
        ] {
            let facts = with_timestamp(
                crate::validation::testing::valid(),
                "T",
                TimestampType::Signature,
                "2021-05-02",
                &["S"],
            );
            let policy = Policy::eidas();
            let cx = ValidationContext::new(&facts, &policy, at(now));
            let found = sav(&cx, timestamp(&cx));
            let future = found.contains("BBB_TAV_NOT_IN_FUTURE");
            assert_eq!(future, expected != "PASSED", "5.4 {now}: {found}");
            assert!(!future || found.starts_with(expected), "5.4 {now}: {found}");
        }
    }
}
