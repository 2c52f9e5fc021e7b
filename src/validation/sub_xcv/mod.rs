//! One certificate within X.509 certificate validation: EN 319 102-1 §5.2.6.4 4), RFC 5280 §6.1, and the
//! constraints of the validation policy (TS 119 172-4).
//!
//! The rules come in a fixed order, and the first that fails decides: a revoked *and* expired certificate is
//! reported as revoked, and missing revocation data hides expiry.

mod constraints;
mod imported;
mod path;
mod status;

pub(super) use status::current_at_use;

use super::blocks::{Aov, SubXcv};
use super::case::Case;
use super::engine::{Ask, BlockKind, Concluded, Failure, Steps};
use super::outcome::SubIndication::NoCertificateChainFoundNoPoe;
use super::xcv::is_anchor_in_time;
use crate::facts::Certificate;
use crate::policy::{Context, Level, Place, Rule, RuleName, SubContext};
use crate::time::Time;

/// The question whether a trust anchor's trust has ended.
pub(super) const SUNSET: &str = "BBB_XCV_IVTBCTSD";
/// The question whether there is another anchor above one whose trust has ended.
pub(super) const OTHER_ANCHOR: &str = "BBB_XCV_IOTAA";

/// Where a certificate stands while it is judged.
#[derive(Clone, Copy)]
struct Link<'c, 'a> {
    case: &'c Case<'a>,
    certificate: &'a Certificate,
    /// The time that the validity model gives; expiry and algorithms are judged at the validation time.
    time: Time,
    context: Context,
    sub: SubContext,
    /// When the token was made, where that is known.
    used: Option<Time>,
    /// What is known of the algorithms of the token whose chain it is.
    algorithms: &'c Aov,
}

impl<'a> Link<'_, 'a> {
    fn rule(&self, name: RuleName) -> Option<&'a Rule> {
        self.case.rule(Place::Certificate(self.context, self.sub), name)
    }
}

/// Judges `certificate` in the chain of a token whose algorithms are known.
#[allow(clippy::too_many_arguments)]
pub(super) fn sub_xcv<'a>(
    case: &Case<'a>,
    certificate: &'a Certificate,
    time: Time,
    context: Context,
    sub: SubContext,
    used: Option<Time>,
    algorithms: &Aov,
) -> SubXcv {
    judge(Link { case, certificate, time, context, sub, used, algorithms })
}

fn judge(link: Link<'_, '_>) -> SubXcv {
    let certificate = link.certificate;
    let mut steps = Steps::new(BlockKind::SubX509CertificateValidation, Some(&certificate.id));
    let anchor = is_end_of_path(link);
    let status = (!anchor).then(|| status::collect(link));
    let _ = anchor_in_time(link, &mut steps).and_then(|()| match &status {
        None => Ok(()),
        Some(status) => constraints::subject(link, &mut steps)
            .and_then(|()| constraints::qualified(link, &mut steps))
            .and_then(|()| path::path(link, &mut steps))
            .and_then(|()| status::status(link, &mut steps, status))
            .and_then(|()| status::algorithms(link, &mut steps, status))
            .and_then(|()| status::validity(link, &mut steps, status)),
    });
    let mut block = steps.finish();
    let status = status.unwrap_or_default();
    for inner in status.selection.iter().map(|selection| &selection.block).chain(&status.freshness) {
        if inner.is_passed() {
            block.conclusion.add_messages_of(&inner.conclusion);
        }
    }
    // Warnings about the token's algorithms are repeated with each of its certificates.
    if link.algorithms.block.is_passed() {
        block.conclusion.add_messages_of(&link.algorithms.block.conclusion);
    }
    SubXcv {
        certificate: certificate.id.clone(),
        sub_context: link.sub,
        trust_anchor: certificate.trust.trusted,
        block,
        crs: status.selection,
        rfc: status.freshness,
    }
}

/// A trust anchor, or a trusted certificate with none above, is not judged further.
fn is_end_of_path(link: Link<'_, '_>) -> bool {
    let (case, certificate) = (link.case, link.certificate);
    certificate.trust.trusted
        && (case.is_trust_anchor(certificate, case.time, link.context, link.sub)
            || !case.has_trusted_issuer(certificate))
}

/// §5.2.6.4 1): where the anchor has dates, validation is before its sunset, or there is another anchor above.
fn anchor_in_time(link: Link<'_, '_>, steps: &mut Steps) -> Result<(), Concluded> {
    let (case, certificate) = (link.case, link.certificate);
    if !certificate.trust.trusted || certificate.trust.start.is_none() && certificate.trust.sunset.is_none() {
        return Ok(());
    }
    let question = Ask::new(SUNSET, "BBB_XCV_IVTBCTSD_ANS");
    before_sunset_asking(case, steps, certificate, question, link.context, link.sub)?;
    if is_anchor_in_time(certificate, case.time) {
        return Ok(());
    }
    let question = Ask::new(OTHER_ANCHOR, "BBB_XCV_IOTAA_ANS");
    let failure = Failure::indeterminate(NoCertificateChainFoundNoPoe);
    steps.rule(link.rule(RuleName::SunsetDate), question, case.has_trusted_issuer(certificate), failure)
}

/// Whether validation is before the end of a certificate's trust: at most a warning.
pub(super) fn before_sunset(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    context: Context,
    sub: SubContext,
) -> Result<(), Concluded> {
    let question = Ask::new(SUNSET, "BBB_XCV_IVTBCTSD_ANS").about(&certificate.id);
    before_sunset_asking(case, steps, certificate, question, context, sub)
}

fn before_sunset_asking(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    question: Ask,
    context: Context,
    sub: SubContext,
) -> Result<(), Concluded> {
    let trust = certificate.trust;
    let before = trust.sunset.map_or(trust.trusted, |sunset| case.time < sunset);
    let rule = case.rule(Place::Certificate(context, sub), RuleName::SunsetDate);
    let level = rule.map(|rule| rule.level.max(Level::Warn));
    steps.level(level, question, before, Failure::indeterminate(NoCertificateChainFoundNoPoe))
}
