//! A certificate's revocation status, algorithms and validity period: EN 319 102-1 §5.2.6.4.

use super::{Link, NotValidInPath};
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus, Revocation, RevocationReason};
use crate::policy::{Context, Level, RuleName, SubContext};
use crate::validation::algorithms::{self, Parts};
use crate::validation::blocks::{AlgorithmObsolescence, RevocationSelection};
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure, Question};
use crate::validation::prevailing;
use crate::validation::revocation_freshness::{check_current_at_use, check_freshness};
use crate::validation::revocation_required::revocation_required;
use crate::validation::revocation_selection;
use crate::validation::token::Token;
use crate::validation::validity::is_valid_at;
use std::sync::Arc;

/// What is known about a certificate's status before its rules are applied.
#[derive(Default)]
pub(super) struct Status<'a> {
    required: bool,
    pub(super) selection: Option<Arc<RevocationSelection>>,
    latest: Option<(&'a CertificateRevocation, &'a Revocation)>,
    pub(super) freshness: Option<Block>,
    revocation_algorithms: Option<AlgorithmObsolescence>,
}

/// Selects revocation data, and judges its freshness and algorithms, whether a rule asks or not: the later
/// processes build on these.
pub(super) fn collect<'a>(link: Link<'_, 'a>) -> Status<'a> {
    let Link { cx, certificate, time, context, sub, .. } = link;
    let required = revocation_required(cx, certificate, cx.time, context, sub);
    let selection =
        (required && !certificate.revocations.is_empty()).then(|| revocation_selection::select(cx, certificate, time));
    let latest = selection.as_ref().and_then(|selection| latest(link, selection));
    Status {
        required,
        freshness: latest.map(|(_, revocation)| check_freshness(cx, revocation, time, context, sub)),
        // NOTE: algorithms are judged at the validation time, whatever time the validity model gives.
        revocation_algorithms: latest
            .map(|(_, data)| algorithms::judge(cx, Token::Revocation(data), Parts::ALL, cx.time)),
        selection,
        latest,
    }
}

fn latest<'a>(
    link: Link<'_, 'a>,
    selection: &RevocationSelection,
) -> Option<(&'a CertificateRevocation, &'a Revocation)> {
    let id = selection.latest.as_ref()?;
    let entry = link.certificate.revocations.iter().find(|entry| entry.revocation == *id)?;
    Some((entry, link.cx.index.revocation(id)?))
}

/// Checks that the certificate is not revoked, as far as that matters for it.
pub(super) fn status(link: Link<'_, '_>, block: &mut BlockBuilder, status: &Status<'_>) -> Result<(), Concluded> {
    let certificate = link.certificate;
    let general = NotValidInPath::CertificateChainGeneralFailure;
    if !status.required {
        let question = CheckId::RevocationDataRequired.about(&certificate.id);
        return block.check(link.rule(RuleName::RevocationDataSkip), question, false, general);
    }

    // RFC 5280 §4.2.1.13, §4.2.2.1: the certificate says where to ask.
    let extensions = &certificate.extensions;
    let points = extensions.crl_distribution_points.iter().flatten().next().is_some();
    let ocsp = extensions.authority_information_access.as_ref().is_some_and(|aia| !aia.ocsp.is_empty());
    let rule = link.rule(RuleName::RevocationInfoAccessPresent);
    block.check(rule, CheckId::RevocationInfoAccessPresent, points || ocsp, general)?;

    let available = !certificate.revocations.is_empty();
    block.check(link.rule(RuleName::RevocationDataAvailable), CheckId::RevocationDataAvailable, available, general)?;
    let Some(selection) = &status.selection else { return Ok(()) };
    selection.relay(block, link.rule(RuleName::AcceptableRevocationDataFound))?;
    let (Some((entry, _)), Some(freshness)) = (status.latest, &status.freshness) else { return Ok(()) };

    let hold = entry.reason == Some(RevocationReason::CertificateHold);
    let since = prevailing::revoked_since(link.cx, entry);
    // NOTE: without a date it may have been revoked at any time, and so at this one. DSS takes it as not revoked.
    let in_effect = entry.status == CertificateStatus::Revoked && since.is_none_or(|date| date <= link.time);
    let revoked = match link.sub {
        SubContext::CaCertificate => NotValidInPath::RevokedCaNoPoe,
        _ => NotValidInPath::RevokedNoPoe,
    };
    let rule = link.rule(RuleName::NotRevoked);
    block.check(rule, CheckId::NotRevoked, !in_effect || hold, revoked)?;
    let rule = link.rule(RuleName::NotOnHold);
    block.check(rule, CheckId::NotOnHold, !(in_effect && hold), NotValidInPath::TryLater)?;

    let question = CheckId::RevocationDataFresh.of_block(BlockKind::RevocationFreshness);
    let failure = Failure::relayed(&freshness.conclusion);
    block.check_at(Level::Fail, question, freshness.is_passed(), failure)?;
    let (Some((_, data)), Some(used)) = (status.latest, link.used) else { return Ok(()) };
    check_current_at_use(block, link.rule(RuleName::RevocationCurrentAtUse), data, used)
}

/// Checks that the algorithms of the certificate and of the revocation data used are reliable.
pub(super) fn algorithms(link: Link<'_, '_>, block: &mut BlockBuilder, status: &Status<'_>) -> Result<(), Concluded> {
    algorithms::check_certificate(block, link.algorithms, &link.certificate.id)?;
    status.revocation_algorithms.as_ref().map_or(Ok(()), |algorithms| algorithms::check_result(block, algorithms))
}

/// Checks that the signing certificate is within its validity period now, and so is the issuer of its revocation data.
pub(super) fn validity(link: Link<'_, '_>, block: &mut BlockBuilder, status: &Status<'_>) -> Result<(), Concluded> {
    if link.sub != SubContext::SigningCertificate {
        return authority_validity(link, block, status);
    }
    let cx = link.cx;
    let issuer =
        status.latest.and_then(|(_, r)| r.signing_certificate.as_ref()).and_then(|id| cx.index.certificate(id));
    let issuer_rule = link.rule(RuleName::RevocationIssuerNotExpired);

    let known_not_revoked = || {
        let trusted =
            |c: &Certificate| cx.is_trust_anchor(c, cx.time, Context::Revocation, SubContext::SigningCertificate);
        let insists = issuer_rule.is_some_and(|rule| rule.level == Level::Fail);
        let good = status.latest.is_some_and(|(entry, _)| entry.status != CertificateStatus::Revoked);
        good && issuer.is_some_and(|issuer| trusted(issuer) || is_valid_at(issuer, cx.time) || !insists)
    };
    let out_of_bounds = match !status.required || known_not_revoked() {
        true => NotValidInPath::OutOfBoundsNotRevoked,
        false => NotValidInPath::OutOfBoundsNoPoe,
    };
    let (certificate, time) = (link.certificate, cx.time);
    let valid = is_valid_at(certificate, time);
    let period = || format!("{} ≤ {time} ≤ {}", certificate.not_before, certificate.not_after);
    let question = Question::from(CheckId::NotExpired).comparing_unless(valid, period);
    block.check(link.rule(RuleName::NotExpired), question, valid, out_of_bounds)?;

    let Some(issuer) = issuer else { return Ok(()) };
    if cx.is_trust_anchor(issuer, cx.time, link.context, SubContext::SigningCertificate) {
        let trusted = cx.is_trust_anchor(issuer, cx.time, Context::Revocation, SubContext::SigningCertificate);
        let failure = NotValidInPath::RevocationOutOfBoundsNoPoe;
        return block.check_at(Level::Warn, CheckId::RevocationIssuerTrusted, trusted, failure);
    }
    let valid = is_valid_at(issuer, cx.time);
    let failure = NotValidInPath::RevocationOutOfBoundsNoPoe;
    block.check(issuer_rule, CheckId::RevocationIssuerNotExpired, valid, failure)
}

/// Checks the same of the certificate of each CA, at the time that the validity model gives: RFC 5280 §6.1.3 (a) (2).
fn authority_validity(link: Link<'_, '_>, block: &mut BlockBuilder, status: &Status<'_>) -> Result<(), Concluded> {
    let Link { certificate, time, .. } = link;
    let good = status.latest.is_some_and(|(entry, _)| entry.status != CertificateStatus::Revoked);
    let out_of_bounds = match !status.required || good {
        true => NotValidInPath::OutOfBoundsNotRevoked,
        false => NotValidInPath::OutOfBoundsNoPoe,
    };
    let question = CheckId::ChainNotExpired
        .about(&certificate.id)
        .comparing(format!("{} ≤ {time} ≤ {}", certificate.not_before, certificate.not_after));
    block.check(link.rule(RuleName::ChainNotExpired), question, is_valid_at(certificate, time), out_of_bounds)
}

#[cfg(test)]
mod tests {
    use crate::facts::{CertificateStatus, Facts, Id, RevocationReason};
    use crate::policy::Policy;
    use crate::validation::bbb::signature_blocks;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::{at, certificate_mut, revoke};

    /// Returns what is said of the signing certificate, apart from what these facts leave out on purpose.
    fn of(cx: &ValidationContext<'_>) -> String {
        let blocks = signature_blocks(cx, &cx.facts.signatures[0], &Default::default());
        let answer = answer(&blocks.certificate_in_path(&Id::new("SIGNER")).unwrap().block);
        let quiet = ["BBB_XCV_AIA_PRES_ANS", "BBB_XCV_IAKIP_ANS", "BBB_XCV_REVOC_PRES_ANS"];
        answer.split(' ').filter(|word| !quiet.contains(word)).collect::<Vec<_>>().join(" ")
    }

    fn hold(facts: &mut Facts, date: &str) {
        revoke(facts, "SIGNER", date);
        certificate_mut(facts, "SIGNER").revocations[0].reason = Some(RevocationReason::CertificateHold);
    }

    #[test]
    fn revoked() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.6.4", "not revoked", |_| {}, "PASSED"),
                (
                    "5.2.6.4",
                    "revoked at that very moment",
                    |f| revoke(f, "SIGNER", "2021-06-02"),
                    "INDETERMINATE/REVOKED_NO_POE BBB_XCV_ISCR_ANS",
                ),
                (
                    "5.2.6.4",
                    "revoked, nobody says when",
                    |f| {
                        revoke(f, "SIGNER", "2021-06-02");
                        certificate_mut(f, "SIGNER").revocations[0].revocation_date = None;
                    },
                    "INDETERMINATE/REVOKED_NO_POE BBB_XCV_ISCR_ANS",
                ),
                ("5.2.6.4", "revoked later", |f| revoke(f, "SIGNER", "2021-06-02T00:00:01Z"), "PASSED"),
                (
                    "5.2.6.4",
                    "revoked and expired counts as revoked",
                    |f| {
                        revoke(f, "SIGNER", "2021-05-01");
                        certificate_mut(f, "SIGNER").not_after = at("2021-06-01");
                    },
                    "INDETERMINATE/REVOKED_NO_POE BBB_XCV_ISCR_ANS",
                ),
                ("5.2.6.4", "on hold", |f| hold(f, "2021-05-01"), "INDETERMINATE/TRY_LATER BBB_XCV_ISCOH_ANS"),
                (
                    "5.2.6.4",
                    "no revocation data",
                    |f| certificate_mut(f, "SIGNER").revocations.clear(),
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_IRDPFC_ANS",
                ),
                (
                    "5.2.6.4",
                    "none that is acceptable",
                    |f| certificate_mut(f, "SIGNER").revocations[0].status = CertificateStatus::Unknown,
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_IARDPFC_ANS",
                ),
            ],
        );
    }

    /// Puts a CA between signer and anchor, valid until then.
    fn authority(facts: &mut Facts, until: &str) {
        let mut ca = certificate_mut(facts, "TSA").clone();
        ca.extensions.extended_key_usage = None;
        ca.id = Id::new("CA");
        ca.not_after = at(until);
        ca.extensions.basic_constraints = Some(crate::facts::BasicConstraints { ca: true, path_length: None });
        ca.extensions.key_usage = Some(vec![crate::facts::KeyUsage::KeyCertSign]);
        ca.extensions.subject_key_identifier = Some(crate::facts::Bytes(vec![1]));
        facts.certificates.push(ca);
        certificate_mut(facts, "SIGNER").chain.insert(0, Id::new("CA"));
        facts.signatures[0].chain.insert(1, Id::new("CA"));
    }

    #[test]
    fn authorities_expire() {
        let of = |cx: &ValidationContext<'_>| {
            let blocks = signature_blocks(cx, &cx.facts.signatures[0], &Default::default());
            let answer = answer(&blocks.certificate_in_path(&Id::new("CA")).unwrap().block);
            answer.split(' ').filter(|word| *word != "BBB_XCV_IAKIP_ANS").collect::<Vec<_>>().join(" ")
        };
        let expired = "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED BBB_XCV_CHAIN_NOT_EXPIRED_ANS";
        for (policy, expected) in [(Policy::eidas(), expired), (Policy::dss(), "PASSED")] {
            check(
                &policy,
                "2021-06-02",
                of,
                &[
                    ("RFC 5280 §6.1.3 (a) (2)", "its last moment", |f| authority(f, "2021-06-02"), "PASSED"),
                    ("RFC 5280 §6.1.3 (a) (2)", "it has ended", |f| authority(f, "2021-06-01"), expected),
                ],
            );
        }
    }

    #[test]
    fn data_that_had_run_out_when_the_token_was_made() {
        let of = |cx: &ValidationContext<'_>| {
            let blocks = crate::validation::bbb::timestamp_blocks(cx, &cx.facts.timestamps[0]);
            let answer = answer(&blocks.certificate_in_path(&Id::new("TSA")).unwrap().block);
            answer.split(' ').filter(|word| word.contains("CURRENT")).collect::<Vec<_>>().join(" ")
        };
        fn until(facts: &mut Facts, end: Option<&str>) {
            let said = certificate_mut(facts, "TSA").revocations[0].revocation.clone();
            let data = facts.revocations.iter_mut().find(|data| data.id == said).unwrap();
            (data.this_update, data.next_update) = (Some(at("2021-04-01")), end.map(at));
        }
        check(
            &Policy::eidas(),
            "2021-06-02",
            of,
            &[
                ("RFC 5280 §5.1.2.5", "the time-stamp is of its last moment", |f| until(f, Some("2021-05-02")), ""),
                (
                    "RFC 5280 §5.1.2.5",
                    "it had run out the day before",
                    |f| until(f, Some("2021-05-01")),
                    "BBB_XCV_REVOC_CURRENT_ANS",
                ),
                ("RFC 6960 §4.2.2.1", "nobody says until when", |f| until(f, None), ""),
            ],
        );
    }

    #[test]
    fn the_last_second_belongs_to_the_validity() {
        let certificate = crate::facts::Certificate { not_after: at("2023-01-01"), ..Default::default() };
        for (time, expected) in [("2023-01-01T00:00:00.999Z", true), ("2023-01-01T00:00:01Z", false)] {
            assert_eq!(super::is_valid_at(&certificate, at(time)), expected, "RFC 5280 §4.1.2.5 {time}");
        }
    }

    #[test]
    fn validity() {
        check(
            &Policy::dss(),
            "2023-01-01",
            of,
            &[
                ("5.2.6.4", "at the last moment", |_| {}, "PASSED"),
                (
                    "5.2.6.4",
                    "expired, and not revoked by then",
                    |f| certificate_mut(f, "SIGNER").not_after = at("2022-12-31"),
                    "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED BBB_XCV_ICTIVRSC_ANS",
                ),
                (
                    "5.2.6.4",
                    "expired, and whoever says that it is not revoked has expired too",
                    |f| {
                        certificate_mut(f, "SIGNER").not_after = at("2022-12-31");
                        certificate_mut(f, "TSA").not_after = at("2022-12-31");
                        f.revocations[0].signing_certificate = Some(Id::new("TSA"));
                        f.revocations[0].chain = vec![Id::new("TSA"), Id::new("ROOT")];
                    },
                    "INDETERMINATE/OUT_OF_BOUNDS_NO_POE BBB_XCV_ICTIVRSC_ANS",
                ),
                (
                    "5.2.6.4",
                    "only whoever says that it is not revoked has expired",
                    |f| {
                        certificate_mut(f, "TSA").not_after = at("2022-12-31");
                        f.revocations[0].signing_certificate = Some(Id::new("TSA"));
                        f.revocations[0].chain = vec![Id::new("TSA"), Id::new("ROOT")];
                    },
                    "INDETERMINATE/REVOCATION_OUT_OF_BOUNDS_NO_POE BBB_XCV_ICTIVRCIRI_ANS",
                ),
            ],
        );
    }
}
