//! Signature acceptance validation: EN 319 102-1 §5.2.8.
//!
//! What the signature's attributes must be like for the policy, and last whether its algorithms are still good.

use super::aov;
use super::bbb::Judged;
use super::blocks::Aov;
use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::lta_material;
use super::outcome::SubIndication::SigConstraintsFailure;
use super::poe::is_content;
use super::token::Token;
use crate::facts::{
    CertificateRefOrigin, MatcherType, RoleCategory, Signature, SignatureForm, Timestamp, TimestampType,
};
use crate::policy::{Context, Level, Place, Rule, RuleName};

/// Accepts `token`, whose algorithms were judged to be `algorithms`.
pub fn sav(case: &Case<'_>, token: Token<'_>, algorithms: &Aov, judged: &Judged) -> Block {
    let mut steps = Steps::new(BlockKind::SignatureAcceptance, Some(token.id()));
    let checks = Attributes { case, token };
    let _ = match token {
        Token::Signature(signature) => checks.signature(&mut steps, signature, judged),
        Token::Timestamp(timestamp) => checks.timestamp(&mut steps, timestamp),
        _ => Ok(()),
    }
    .and_then(|()| aov::check_result(&mut steps, algorithms));

    // A content time-stamp that is not valid is worth a message only where the policy insists on it now.
    let insists = match token {
        Token::Signature(signature) => timestamp_rule(case, signature).is_some(),
        _ => true,
    };
    steps.finish_showing(|check| insists || check.question != "BBB_SAV_ICTVS")
}

/// The rule by which a content time-stamp must be valid. Without one it is only recorded, and so it is where
/// long-term material may prove that it once was.
fn timestamp_rule<'a>(case: &Case<'a>, signature: &'a Signature) -> Option<&'a Rule> {
    let rule = case.rule(Place::Token(Context::Timestamp), RuleName::TimestampValid);
    rule.filter(|_| !lta_material::is_present(case, signature))
}

/// The checks of attributes: every failure is SIG_CONSTRAINTS_FAILURE.
struct Attributes<'c, 'a, 't> {
    case: &'c Case<'a>,
    token: Token<'t>,
}

impl<'a, 't> Attributes<'_, 'a, 't> {
    fn signed(&self, name: RuleName) -> Option<&'a Rule> {
        self.case.rule(Place::SignedAttributes(self.token.context()), name)
    }

    fn unsigned(&self, name: RuleName) -> Option<&'a Rule> {
        self.case.rule(Place::UnsignedAttributes(self.token.context()), name)
    }

    /// §5.2.8.4.2, in DSS's order.
    fn signature(&self, steps: &mut Steps, signature: &'t Signature, judged: &Judged) -> Result<(), Concluded> {
        let rule = self.case.rule(Place::Token(self.token.context()), RuleName::StructuralValidation);
        let valid = signature.structural_validation.as_ref().is_some_and(|structure| structure.valid);
        check(steps, rule, ask!("BBB_SAV_ISSV"), valid)?;
        self.signing_certificate(steps)?;
        self.key_identifier(steps, signature)?;
        self.signing_time(steps, signature)?;
        self.content(steps, signature)?;
        self.signer(steps, signature)?;
        self.content_timestamps(steps, signature, judged)?;
        self.unsigned_attributes(steps, signature)
    }

    /// §5.2.8.4.2.1: the signing-certificate attribute is there, once, and names only certificates of the path.
    fn signing_certificate(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let references = self.token.signing_references();
        check(steps, self.signed(RuleName::SigningCertificatePresent), ask!("BBB_ICS_ISASCP"), !references.is_empty())?;
        if references.is_empty() {
            return Ok(());
        }
        let rule = self.signed(RuleName::UnicitySigningCertificate);
        check(steps, rule, ask!("BBB_ICS_ISASCPU"), references.len() == 1)?;

        let chain = self.token.chain();
        let known = references.iter().all(|(certificate, _)| chain.contains(certificate));
        let rule = self.signed(RuleName::SigningCertificateRefersCertificateChain);
        check(steps, rule, ask!("BBB_SAV_DSCACRCC"), known)?;

        let all = chain.iter().all(|id| references.iter().any(|(certificate, _)| *certificate == id));
        check(steps, self.signed(RuleName::ReferencesToAllCertificateChainPresent), ask!("BBB_SAV_ACPCCRSCA"), all)
    }

    /// RFC 7515 §4.1.4: `kid`, by which JAdES may name the certificate too.
    fn key_identifier(&self, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
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
        check(steps, self.signed(RuleName::KeyIdentifierPresent), ask!("BBB_ICS_ISAKIDP"), identifier.is_some())?;
        let Some((_, reference)) = identifier else { return Ok(()) };
        let matches = reference.issuer_serial_match == Some(true);
        check(steps, self.signed(RuleName::KeyIdentifierMatch), ask!("BBB_ICS_DKIDVM"), matches)
    }

    /// The claimed signing time is there, and within the certificate's validity.
    fn signing_time(&self, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
        let time = signature.claimed_signing_time;
        check(steps, self.signed(RuleName::SigningTime), ask!("BBB_SAV_ISQPSTP"), time.is_some())?;
        let Some(certificate) = signature.signing_certificate.as_ref().and_then(|id| self.case.certificate(id)) else {
            return Ok(());
        };
        let Some(time) = time else { return Ok(()) };
        let within = certificate.not_before <= time && time <= certificate.not_after;
        check(steps, self.signed(RuleName::SigningTimeInCertRange), ask!("BBB_SAV_ISQPSTWSCVR"), within)
    }

    /// What is said of the content.
    fn content(&self, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
        let rule = self.signed(RuleName::ContentType);
        // Without values none is expected.
        let holds = match content_type(signature) {
            Some(kind) => one(rule, Some(kind)),
            None => rule.is_some_and(|rule| rule.values.is_empty()),
        };
        check(steps, rule, ask!("BBB_SAV_ISQPCTP"), holds)?;
        let rule = self.signed(RuleName::ContentHints);
        check(steps, rule, ask!("BBB_SAV_ISQPCHP"), one(rule, signature.content_hints.as_deref()))?;

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
            check(steps, rule, ask!("BBB_SAV_ISQPMDOSPP"), present)?;
        }
        let rule = self.signed(RuleName::ContentIdentifier);
        check(steps, rule, ask!("BBB_SAV_ISQPCIP"), one(rule, signature.content_identifier.as_deref()))
    }

    /// What is said of the signer.
    fn signer(&self, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
        let rule = self.signed(RuleName::CommitmentTypeIndication);
        let committed = !signature.commitments.is_empty()
            && rule.is_none_or(|rule| {
                rule.values.is_empty() || signature.commitments.iter().all(|c| rule.values.contains(&c.identifier))
            });
        check(steps, rule, ask!("BBB_SAV_ISQPXTIP"), committed)?;
        let rule = self.signed(RuleName::SignerLocation);
        check(steps, rule, ask!("BBB_SAV_ISQPSLP"), signature.production_place.is_some())?;
        let rule = self.signed(RuleName::ClaimedRoles);
        check(steps, rule, ask!("BBB_SAV_ICRM"), has_role(rule, signature, RoleCategory::Claimed))?;
        let rule = self.signed(RuleName::CertifiedRoles);
        check(steps, rule, ask!("BBB_SAV_ICERRM"), has_role(rule, signature, RoleCategory::Certified))
    }

    /// §5.2.8.4.2.6: content time-stamps are there, valid, and about the content.
    fn content_timestamps(
        &self,
        steps: &mut Steps,
        signature: &'t Signature,
        judged: &Judged,
    ) -> Result<(), Concluded> {
        let all: Vec<&Timestamp> =
            self.case.timestamps(&signature.found_timestamps).filter(|timestamp| is_content(timestamp.kind)).collect();
        check(steps, self.signed(RuleName::ContentTimeStamp), ask!("BBB_SAV_ISQPCTSIP"), !all.is_empty())?;
        if all.is_empty() {
            return Ok(());
        }
        let level = timestamp_rule(self.case, signature).map_or(Level::Warn, |rule| rule.level);
        for timestamp in all {
            if let Some(blocks) = judged.get(&timestamp.id) {
                let question = ask!("BBB_SAV_ICTVS").about(&timestamp.id);
                let failure = Failure::indeterminate(SigConstraintsFailure);
                steps.level(Some(level), question, blocks.conclusion.is_passed(), failure)?;
            }
            let imprint = timestamp.digest_matchers.iter().find(|m| m.kind == MatcherType::MessageImprint);
            let matches = imprint.is_some_and(|imprint| imprint.data_found && imprint.data_intact);
            let question = ask!("BBB_SAV_DMICTSTMCMI").about(&timestamp.id);
            check(steps, self.signed(RuleName::ContentTimeStampMessageImprint), question, matches)?;
        }
        Ok(())
    }

    /// The unsigned attributes that the policy demands.
    fn unsigned_attributes(&self, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
        let countersigned = self.case.countersigned.contains(&signature.id);
        check(steps, self.unsigned(RuleName::CounterSignature), ask!("BBB_SAV_IUQPCSP"), countersigned)?;
        let mut present = |name, question: Ask, kind| {
            let has = self.case.timestamps(&signature.found_timestamps).any(|timestamp| timestamp.kind == kind);
            check(steps, self.unsigned(name), question, has)
        };
        use {RuleName as Rule, TimestampType as Type};
        present(Rule::SignatureTimeStamp, ask!("BBB_SAV_IUQPSTSP"), Type::Signature)?;
        present(Rule::ValidationDataTimeStamp, ask!("BBB_SAV_IUQPVDTSP"), Type::ValidationData)?;
        present(Rule::ValidationDataRefsOnlyTimeStamp, ask!("BBB_SAV_IUQPVDROTSP"), Type::ValidationDataRefsOnly)?;
        present(Rule::ArchiveTimeStamp, ask!("BBB_SAV_IUQPATSP"), Type::Archive)?;
        if form(signature) == Some(SignatureForm::Pades) {
            present(Rule::DocumentTimeStamp, ask!("BBB_SAV_IDTSP"), Type::Document)?;
        }
        Ok(())
    }

    /// EN 319 422, RFC 3161 §2.4.2: the signing certificate, and the name that the time-stamp gives its issuer.
    fn timestamp(&self, steps: &mut Steps, timestamp: &Timestamp) -> Result<(), Concluded> {
        self.signing_certificate(steps)?;
        let rule = |name| self.case.rule(Place::Token(self.token.context()), name);
        // EN 319 102-1 §5.4: what is stamped existed by then, and that time is still to come.
        let begun = timestamp.production_time.millis() <= self.case.time.millis().saturating_add(CLOCKS_DIFFER);
        let question = ask!("BBB_TAV_NOT_IN_FUTURE");
        let question = question.comparing(format!("{} ≤ {}", timestamp.production_time, self.case.time));
        check(steps, rule(RuleName::TimestampNotInFuture), question, begun)?;
        let name = timestamp.tsa_name.as_ref();
        check(steps, rule(RuleName::TSAGeneralNamePresent), ask!("BBB_TAV_ITSAP"), name.is_some())?;
        let Some(name) = name else { return Ok(()) };
        check(steps, rule(RuleName::TSAGeneralNameContentMatch), ask!("BBB_TAV_DTSAVM"), name.content_match)?;
        check(steps, rule(RuleName::TSAGeneralNameOrderMatch), ask!("BBB_TAV_DTSAOM"), name.order_match)
    }
}

/// Milliseconds by which the clock of whoever judges may be behind that of a time-stamping authority.
const CLOCKS_DIFFER: i64 = 5 * 60_000;

fn check(steps: &mut Steps, rule: Option<&Rule>, question: Ask, holds: bool) -> Result<(), Concluded> {
    steps.rule(rule, question, holds, Failure::indeterminate(SigConstraintsFailure))
}

fn form(signature: &Signature) -> Option<SignatureForm> {
    signature.level.and_then(|level| level.form())
}

/// RFC 7515 §4.1.10: what JSON signatures state as `cty` is a media type, without `application/`.
fn content_type(signature: &Signature) -> Option<&str> {
    let media = signature.mime_type.as_deref().filter(|_| form(signature) == Some(SignatureForm::Jades));
    let short = media.map(|media| media.strip_prefix("application/").unwrap_or(media));
    signature.content_type.as_deref().or(short)
}

/// The value is among those that the policy accepts; `*` accepts any.
fn one(rule: Option<&Rule>, value: Option<&str>) -> bool {
    value.filter(|value| !value.is_empty()).zip(rule).is_some_and(|(value, rule)| rule.accepts(value))
}

fn has_role(rule: Option<&Rule>, signature: &Signature, category: RoleCategory) -> bool {
    let mut roles = signature.roles.iter().filter(|role| role.category == category).peekable();
    rule.is_some_and(|rule| match roles.peek() {
        None => rule.values.is_empty(),
        Some(_) => roles.any(|role| !role.role.is_empty() && rule.accepts(&role.role)),
    })
}

#[cfg(test)]
mod tests {
    use crate::facts::{CertificateRef, Facts, SignatureLevel, TimestampType, TsaName};
    use crate::policy::Policy;
    use crate::validation::aov::{self, Parts};
    use crate::validation::bbb::{Judged, timestamp_blocks};
    use crate::validation::case::Case;
    use crate::validation::situations::{Situation, answer, check, policy, signature, timestamp};
    use crate::validation::testing::{at, certificate_mut, with_timestamp};
    use crate::validation::token::Token;

    fn sav(case: &Case<'_>, token: Token<'_>) -> String {
        let algorithms = aov::aov(case, token, Parts::ALL, case.time);
        let judged: Judged = case.facts.timestamps.iter().map(|t| (t.id.clone(), timestamp_blocks(case, t))).collect();
        answer(&super::sav(case, token, &algorithms, &judged))
    }

    #[test]
    fn signatures() {
        check(
            &Policy::dss(),
            "2021-06-02",
            |case| sav(case, signature(case)),
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
        let of = |case: &Case<'_>| sav(case, signature(case));
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
    fn a_time_that_is_not_claimed_is_not_out_of_range() {
        let rules = policy(
            "<SignatureConstraints><SignedAttributes><SigningTimeInCertRange Level='FAIL'/></SignedAttributes>\
             </SignatureConstraints>",
        );
        let none: Situation = ("5.2.8.4.2.2", "no time", |f| f.signatures[0].claimed_signing_time = None, "PASSED");
        check(&rules, "2021-06-02", |case| sav(case, signature(case)), &[none]);
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
            |case| sav(case, signature(case)),
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
            |case| sav(case, timestamp(case)),
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
            |case| sav(case, timestamp(case)),
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
            let case = Case::new(&facts, &policy, at(now));
            let found = sav(&case, timestamp(&case));
            let future = found.contains("BBB_TAV_NOT_IN_FUTURE");
            assert_eq!(future, expected != "PASSED", "5.4 {now}: {found}");
            assert!(!future || found.starts_with(expected), "5.4 {now}: {found}");
        }
    }
}
