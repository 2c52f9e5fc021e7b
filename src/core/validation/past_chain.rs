//! The certificates of the path below the anchor, in the past: RFC 5280 §6.1.3 (a), EN 319 102-1 §5.2.6.
//!
//! Answers whether all of them were in order when a token is known to have existed. The clauses ask that only of the
//! certificate whose finding they look back for. What that finding hides, of the same certificate or of one above, is
//! asked here.

use super::algorithms::{self, Parts};
use super::blocks::RevocationSelection;
use super::certificate_in_path::{Link, judge_lasting};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::outcomes;
use super::past_selection::Basis;
use super::prevailing;
use super::revocation_freshness::{check_current_at_use, check_freshness};
use super::revocation_required::revocation_required;
use super::token::Token;
use super::validity::has_ended;
use crate::facts::{Certificate, Id, Revocation};
use crate::policy::{Context, Level, PolicySection, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcomes for a certificate that had ended, or was revoked.
    enum NotInOrder {
        NotYetValid,
        OutOfBoundsNoPoe,
        RevokedNoPoe,
        RevokedCaNoPoe,
        TryLater,
    }
}

/// Checks of each certificate of the token's path below the anchor that it had not ended at `time`, when the token
/// existed, that it was neither revoked nor on hold by then, as far as was known, and that it is what the path and the policy
/// permit.
///
/// NOTE: a policy that does not ask whether the path had ended (DSS's) asks nothing of it in the past but the algorithms.
///
/// NOTE: that one above the first had not begun yet is no objection: a CA renews its certificate, and the path is built over
/// the new one.
pub(super) fn path_was_in_order<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    token: Token<'a>,
    time: Time,
) -> Result<(), Concluded> {
    let (cx, context) = (basis.cx, token.context());
    // Without them no path was validated, and there is none to look back at.
    let Some(algorithms) = &basis.blocks.algorithms else {
        return Err(block.conclude(NotInOrder::OutOfBoundsNoPoe));
    };
    let (below, anchor) = cx.chain_to_anchor(token.chain(), time, context);
    if let Some(certificate) = anchor.filter(|_| below.is_empty()) {
        let link = Link { cx, certificate, time, context, sub: SubContext::SigningCertificate, used: None, algorithms };
        permitted(block, link, true)?;
    }
    let mut issued: Option<(&Certificate, SubContext)> = None;
    for (depth, certificate) in below.into_iter().enumerate() {
        let sub = SubContext::at_depth(depth);
        not_revoked(cx, block, certificate, sub, time)?;
        if let Some((below, sub)) = issued.replace((certificate, sub)) {
            known_before_revocation_of_ca(basis, block, certificate, below, sub, (time, context))?;
        }
        not_suspended(basis, block, certificate, time)?;
        let rule = cx.rule(PolicySection::Certificate(context, sub), RuleName::ChainNotExpired);
        if rule.is_none_or(|rule| rule.level == Level::Ignore) {
            continue;
        }
        permitted(block, Link { cx, certificate, time, context, sub, used: None, algorithms }, false)?;
        if depth == 0 {
            let question = CheckId::BestSignatureTimeAfterIssuance;
            let question = question.comparing(format!("{time} ≥ {}", certificate.not_before));
            block.check_at(Level::Fail, question, time >= certificate.not_before, NotInOrder::NotYetValid)?;
        }
        let question = CheckId::ChainNotExpired.about(&certificate.id);
        let question = question.comparing(format!("{time} ≤ {}", certificate.not_after));
        block.check(rule, question, !has_ended(certificate, time), NotInOrder::OutOfBoundsNoPoe)?;
        status_was_known(basis, block, certificate, sub, token, time)?;
    }
    Ok(())
}

/// Checks what the path and the policy ask of the certificate, whatever the time: §5.2.6.4 4). A key that is for
/// something else, or an issuer that is no CA, were so before, too.
fn permitted(block: &mut BlockBuilder, link: Link<'_, '_>, is_anchor: bool) -> Result<(), Concluded> {
    let lasting = judge_lasting(link, is_anchor);
    let question = CheckId::CertificateInPathValid.about(&link.certificate.id);
    let question = question.of_block(BlockKind::SubX509CertificateValidation).silent();
    block.check_at(Level::Fail, question, lasting.is_passed(), Failure::relayed(&lasting.conclusion))
}

/// Checks that the certificate's revocation data was recent enough at `time`, and can be relied on: §5.5.4 6). What ran
/// out before says nothing of that time.
fn status_was_known<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    certificate: &'a Certificate,
    sub: SubContext,
    token: Token<'a>,
    time: Time,
) -> Result<(), Concluded> {
    let (cx, context) = (basis.cx, token.context());
    let latest = selection(basis, certificate).and_then(|selection| selection.latest.as_ref());
    let Some(data) = latest.and_then(|id| cx.index.revocation(id)) else { return Ok(()) };
    let fresh = check_freshness(cx, data, time, context, sub);
    let question = CheckId::RevocationDataFresh.about(&data.id).of_block(BlockKind::RevocationFreshness);
    block.check_at(Level::Fail, question, fresh.is_passed(), Failure::relayed(&fresh.conclusion))?;
    // §5.6.2.4 4): at a time when its own algorithms were reliable the data was there.
    let existed = basis.poes.lowest(&data.id).time;
    algorithms::check_result(block, &algorithms::judge(cx, Token::Revocation(data), Parts::ALL, existed))?;
    let Token::Timestamp(timestamp) = token else { return Ok(()) };
    let rule = cx.rule(PolicySection::Certificate(context, sub), RuleName::RevocationCurrentAtUse);
    check_current_at_use(block, rule, data, timestamp.production_time)
}

/// Checks, where a stated revocation is final, that it is later than `time`.
fn not_revoked<'a>(
    cx: &ValidationContext<'a>,
    block: &mut BlockBuilder,
    certificate: &'a Certificate,
    sub: SubContext,
    time: Time,
) -> Result<(), Concluded> {
    if !prevailing::is_final(cx) {
        return Ok(());
    }
    let Some((said, _)) = prevailing::stated_revocation(cx, certificate) else { return Ok(()) };
    let since = prevailing::revoked_since(cx, said);
    let later = !prevailing::reaches_back(cx, said, sub) || since.is_some_and(|date| date > time);
    let question = CheckId::RevokedAfterBestSignatureTime.about(&certificate.id).comparing(after(since, time));
    let failure = match sub {
        SubContext::SigningCertificate => NotInOrder::RevokedNoPoe,
        SubContext::CaCertificate => NotInOrder::RevokedCaNoPoe,
    };
    block.check_at(Level::Fail, question, later, failure)
}

/// Checks, where the CA was revoked and others may have its key, that acceptable revocation data on a certificate that it
/// issued is known to have existed before, and was current at `time`: EN 319 102-1 §5.6.2.2. Whoever has the key writes
/// what time he likes.
fn known_before_revocation_of_ca<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    ca: &'a Certificate,
    certificate: &'a Certificate,
    sub: SubContext,
    (time, context): (Time, Context),
) -> Result<(), Concluded> {
    let cx = basis.cx;
    if !prevailing::is_final(cx) || !revocation_required(cx, certificate, time, context, sub) {
        return Ok(());
    }
    let stated = prevailing::stated_revocation(cx, ca).filter(|(said, _)| prevailing::key_may_be_known(said));
    let Some(date) = stated.and_then(|(said, _)| prevailing::revoked_since(cx, said)) else { return Ok(()) };
    let current = |data: &Revocation| data.next_update.or(data.this_update).is_some_and(|until| until >= time);
    let mut data = acceptable(basis, certificate).iter().filter_map(|id| cx.index.revocation(id));
    let known = data.any(|data| current(data) && basis.poes.exists(&data.id, date));
    let question = CheckId::StatusKnownBeforeCaRevocation.about(&certificate.id).comparing(format!("≤ {date}"));
    block.check_at(Level::Fail, question, known, NotInOrder::RevokedCaNoPoe)
}

/// Checks, where a stated revocation is final, that a hold that nothing ended is later than `time`: §5.5.4 6).
fn not_suspended<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    certificate: &'a Certificate,
    time: Time,
) -> Result<(), Concluded> {
    if !prevailing::is_final(basis.cx) {
        return Ok(());
    }
    let acceptable = acceptable(basis, certificate);
    let Some((said, _)) = prevailing::stated_hold(basis.cx, certificate, acceptable) else { return Ok(()) };
    let since = prevailing::revoked_since(basis.cx, said);
    let later = since.is_some_and(|date| date > time);
    let question = CheckId::SuspendedAfterBestSignatureTime.about(&certificate.id).comparing(after(since, time));
    block.check_at(Level::Fail, question, later, NotInOrder::TryLater)
}

/// Returns the revocation data on the certificate that the token's own chain validation found acceptable.
fn acceptable<'c>(basis: &Basis<'c, '_>, certificate: &Certificate) -> &'c [Id] {
    selection(basis, certificate).map_or(&[], |selection| selection.acceptable.as_slice())
}

fn selection<'c>(basis: &Basis<'c, '_>, certificate: &Certificate) -> Option<&'c RevocationSelection> {
    basis.blocks.certificate_in_path(&certificate.id)?.selection.as_deref()
}

/// Writes the date of a revocation or hold, and the time that it has to follow.
fn after(since: Option<Time>, time: Time) -> String {
    match since {
        Some(date) => format!("{date} > {time}"),
        None => format!("no revocation date; {time}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::{Certificate, CertificateRevocation, Id, Revocation, TimestampType, Trust};
    use crate::policy::Policy;
    use crate::validation::outcome::Indication;
    use crate::validation::testing::*;
    use crate::validation::validate;

    /// The unit ended since; its archive time-stamp is of another authority.
    #[test]
    fn a_status_that_had_run_out_when_a_time_stamp_was_made() {
        for (made, expected) in [("2021-06-05", true), ("2021-07-01", false)] {
            let mut facts = with_timestamp(valid(), "T", TimestampType::Signature, made, &["S", "D"]);
            certificate_mut(&mut facts, "TSA").not_after = at("2022-01-01");
            let covered = &["S", "D", "T", "SIGNER", "TSA", "R-SIGNER", "R-TSA"];
            facts = with_timestamp(facts, "TA", TimestampType::Archive, "2021-07-02", covered);
            let tsa = certificate_mut(&mut facts, "TSA").clone();
            let trust = Trust { trusted: true, start: None, sunset: None };
            let not_after = at("2035-01-01");
            facts.certificates.push(Certificate { id: Id::new("OTHER"), trust, not_after, chain: vec![], ..tsa });
            let archive = &mut facts.timestamps[1];
            (archive.signing_certificate, archive.chain) = (Some(Id::new("OTHER")), vec![Id::new("OTHER")]);
            archive.found_certificates[0].certificate = Id::new("OTHER");
            let verdicts = validate(&facts, &Policy::eidas(), at("2024-01-01"));
            let passed = |at: usize| verdicts.timestamps[at].archival.is_passed();
            assert_eq!((passed(0), passed(1)), (expected, true), "RFC 5280 §5.1.2.5: stamped on {made}");
        }
    }

    /// The authority above the signer was revoked, and others may have its key: what somebody wrote in its name before.
    #[test]
    fn data_that_nobody_believes_proves_nothing_before_the_revocation_of_a_ca() {
        for (covered, expected) in [("R-SIGNER", true), ("R-FORGED", false)] {
            let mut facts = with_authority(valid());
            revoke(&mut facts, "CA", "2021-05-20");
            let said = &mut certificate_mut(&mut facts, "SIGNER").revocations;
            said.push(CertificateRevocation { revocation: Id::new("R-FORGED"), ..said[0].clone() });
            let mut forged = Revocation { id: Id::new("R-FORGED"), ..facts.revocations[0].clone() };
            forged.basic.intact = false;
            facts.revocations.push(forged);
            let facts = with_timestamp(facts, "T", TimestampType::Signature, "2021-05-10", &["S", "D"]);
            let facts =
                with_timestamp(facts, "TA", TimestampType::Archive, "2021-05-15", &["S", "D", "SIGNER", covered]);
            let verdicts = validate(&facts, &Policy::eidas(), at("2021-06-02"));
            let passed = verdicts.signatures[0].indication == Indication::TotalPassed;
            assert_eq!(passed, expected, "5.6.2.2: {covered} existed before");
        }
    }

    /// A list whose key is too short by now, which existed before or is of today.
    #[test]
    fn data_by_an_algorithm_that_ended_is_known_to_have_existed_before() {
        for (covered, expected) in [(&["S", "D", "SIGNER", "R-SIGNER"][..], true), (&["S", "D", "SIGNER"], false)] {
            let mut facts = valid();
            facts.revocations[0].basic.key_length = Some(1024);
            for name in ["SIGNER", "TSA"] {
                certificate_mut(&mut facts, name).not_before = at("2017-01-01");
            }
            facts.signatures[0].claimed_signing_time = Some(at("2018-05-01"));
            for data in &mut facts.revocations {
                let (issued, next) = (at("2018-06-01"), at("2030-01-01"));
                (data.this_update, data.production_date, data.next_update) = (Some(issued), Some(issued), Some(next));
            }
            facts = with_timestamp(facts, "TA", TimestampType::Archive, "2018-06-02", covered);
            certificate_mut(&mut facts, "TSA").trust.trusted = true;
            let verdicts = validate(&facts, &Policy::eidas(), at("2024-01-01"));
            let signature = &verdicts.signatures[0];
            let passed = signature.archival.block.is_passed();
            assert_eq!(passed, expected, "5.6.2.4 4): over {covered:?}: {:#?}", signature.findings);
        }
    }
}
