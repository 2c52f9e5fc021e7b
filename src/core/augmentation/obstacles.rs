//! What keeps a signature from being extended.

use super::state::{State, is_hold, proves_signature};
use super::target::{Level, Obstacle, Target};
use crate::facts::{self, CertificateStatus, Irregularity, IrregularityKind, SignatureForm, SignatureLevel};
use crate::report::view::SignatureView;
use crate::signing::{SigningError, SigningErrorCode};
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::prevailing::revoked_since;
use crate::validation::revocation_selection;

/// A condition, and whether a caller may overlook it.
type Condition = (Option<Obstacle>, fn(&State<'_>, &SignatureView<'_>, &Target) -> Option<SigningError>);

/// The conditions that no time-stamp changes, in the order in which they are looked at: the first that holds is reported.
const LASTING: [Condition; 7] = [
    (None, level_reached),
    (None, no_profile),
    (None, evidence_record),
    (None, content_missing),
    (None, value_broken),
    (Some(Obstacle::BrokenTimestamp), timestamp_broken),
    (None, last_timestamp_too_weak),
];

/// The conditions that depend on since when the signature is known to exist.
const BY_TIME: [Condition; 2] = [(None, revoked), (Some(Obstacle::ExpiredCertificate), outside_validity)];

/// Returns what keeps a signature from being extended, whatever is handed in.
pub(super) fn lasting(state: &State<'_>, signature: &SignatureView<'_>, target: &Target) -> Option<SigningError> {
    first(&LASTING, state, signature, target)
}

/// Returns what keeps a signature from being extended, unless a time-stamp proves that it existed before.
pub(super) fn by_time(state: &State<'_>, signature: &SignatureView<'_>, target: &Target) -> Option<SigningError> {
    first(&BY_TIME, state, signature, target)
}

fn first(
    conditions: &[Condition],
    state: &State<'_>,
    signature: &SignatureView<'_>,
    target: &Target,
) -> Option<SigningError> {
    let counts = |overlooked: &Option<Obstacle>| overlooked.is_none_or(|obstacle| !target.overlooks(obstacle));
    conditions
        .iter()
        .filter(|(overlooked, _)| counts(overlooked))
        .find_map(|(_, holds)| holds(state, signature, target))
}

fn error(code: SigningErrorCode, message: String, hint: &str) -> Option<SigningError> {
    Some(SigningError::new(code, message).with_hint(hint))
}

/// Refuses a signature that has reached the level; at level LT, more recent revocation data may still be wanted.
fn level_reached(state: &State<'_>, signature: &SignatureView<'_>, target: &Target) -> Option<SigningError> {
    let level = state.level(signature)?;
    let done = match target.level {
        Level::T => true,
        Level::Lt => level > Level::Lt,
        Level::Lta => level == Level::Lta && !target.renewal,
    };
    let found = signature.level().map_or("none", SignatureLevel::as_str);
    let message = format!("found the level {found}, expected one below {}", target.level);
    done.then(|| SigningError::new(SigningErrorCode::AlreadyAtLevel, message))
}

/// Refuses a signature without an AdES profile, which only one that names its signing certificate has (EN 319 122-1 §5,
/// EN 319 142-1 §6). PDF signatures of ISO 32000-1 may be extended by what a PDF holds beside them.
fn no_profile(_: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    let level = signature.level().unwrap_or(SignatureLevel::Unknown);
    let form = level.form();
    let known = matches!(form, Some(SignatureForm::Cades | SignatureForm::Pades | SignatureForm::Pkcs7));
    if known && !level.as_str().ends_with("NOT-ETSI") {
        return None;
    }
    let message = format!("found a signature of the profile {level}, expected CAdES or PAdES");
    error(SigningErrorCode::NotExtendable, message, "have the document signed again, in an AdES profile")
}

/// Refuses a signature with an evidence record in it, which covers the whole file, so that nothing may be added (RFC
/// 4998 appendix A).
fn evidence_record(state: &State<'_>, _: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    state.report.facts().evidence_records.iter().find(|record| record.embedded)?;
    let message = "found an evidence record in the signature, which covers all of it; expected none".to_owned();
    error(SigningErrorCode::EvidenceRecordInside, message, "renew the evidence record instead")
}

fn content_missing(_: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    signature.facts().digest_matchers.iter().find(|matcher| !matcher.data_found)?;
    let message = "the signed content is not there, expected it beside the signature".to_owned();
    error(SigningErrorCode::ContentNeeded, message, "hand in the signed file with the signature")
}

/// Refuses a signature that is broken: it gets no proof that it existed.
fn value_broken(_: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    let failed = signature.indication() == Indication::TotalFailed && !is_of_certificate(signature.sub_indication());
    if signature.facts().basic.valid && !failed && !is_malformed(signature.facts()) {
        return None;
    }
    let why = signature.sub_indication().map_or("no reason given", SubIndication::as_str);
    let message = format!("found the signature {} ({why}), expected one that holds", signature.indication());
    error(SigningErrorCode::SignatureInvalid, message, "a report on the document says more")
}

/// Returns whether a verdict is about the certificate, which other conditions look at.
fn is_of_certificate(sub: Option<SubIndication>) -> bool {
    use SubIndication::{Expired, NotYetValid, Revoked};
    matches!(sub, Some(Revoked | Expired | NotYetValid))
}

/// Returns whether readers may see different things in the signature: what is extended would be what the signer did not
/// see.
fn is_malformed(signature: &facts::Signature) -> bool {
    let violation = |one: &Irregularity| one.kind == IrregularityKind::FormatViolation;
    signature.irregularities.iter().any(violation)
}

fn timestamp_broken(state: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    let broken = |found: &SigningError| found.code() != SigningErrorCode::ChainNotTrusted;
    let failed = signature.timestamps().filter(|stamp| stamp.indication() == Indication::Failed);
    let found = failed.filter_map(|stamp| state.defect(&stamp)).find(broken)?;
    let message = format!("found {found}; expected time-stamps that hold");
    error(SigningErrorCode::TimestampInvalid, message, "overlook the broken time-stamp to build upon the others")
}

/// Refuses a signature whose newest time-stamp has algorithms that are not reliable: nothing proves what it covers then
/// (TS 119 312).
fn last_timestamp_too_weak(state: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    use SubIndication::{CryptoConstraintsFailure, CryptoConstraintsFailureNoPoe};
    let newest = state.proofs(signature).max_by_key(|stamp| stamp.time())?;
    let weak = matches!(newest.sub_indication(), Some(CryptoConstraintsFailure | CryptoConstraintsFailureNoPoe));
    let message = format!("the algorithms of the newest time-stamp, of {}, are no longer reliable", newest.time());
    weak.then(|| error(SigningErrorCode::TooLate, message, "an evidence record made in time would still prove it"))
        .flatten()
}

/// Refuses a signature of a certificate that was revoked before it is known to exist. A later revocation does not matter.
fn revoked(state: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    let exists = state.existence(signature).unwrap_or(state.time);
    let cx = state.context();
    let signer = signature.facts().signing_certificate.iter();
    let chain = signer.chain(&signature.facts().chain).filter_map(|id| cx.index.certificate(id));
    for certificate in chain.take_while(|certificate| !certificate.trust.trusted) {
        let Some(latest) = revocation_selection::select(&cx, certificate, state.time).latest.clone() else { continue };
        let said = certificate.revocations.iter().find(|said| said.revocation == latest);
        let Some(said) = said.filter(|said| said.status == CertificateStatus::Revoked) else { continue };
        let since = revoked_since(&cx, said);
        if since.is_some_and(|date| date > exists) {
            continue;
        }
        let name = state.name(&certificate.id);
        let since = since.map_or_else(|| "an unknown time".to_owned(), |date| date.to_string());
        let message = match is_hold(said.reason) {
            true => format!("the certificate of {name} is on hold since {since}"),
            false => format!("the certificate of {name} is revoked since {since}"),
        };
        let message = format!("{message}, expected it in force when the signature is known to exist, at {exists}");
        return error(SigningErrorCode::CertificateRevoked, message, "nothing proves that it was signed before");
    }
    None
}

fn outside_validity(state: &State<'_>, signature: &SignatureView<'_>, _: &Target) -> Option<SigningError> {
    let signer = state.certificate(signature.facts().signing_certificate.as_ref()?)?;
    let exists = state.existence(signature).unwrap_or(state.time);
    if signer.not_before <= exists && exists <= signer.not_after {
        return None;
    }
    let code = match exists < signer.not_before {
        true => SigningErrorCode::CertificateOutsideValidity,
        // NOTE: with a time-stamp that proves nothing any more it was extended too late.
        false if signature.timestamps().any(|stamp| proves_signature(stamp.kind())) => SigningErrorCode::TooLate,
        false => SigningErrorCode::CertificateExpired,
    };
    let message = format!(
        "the certificate of {} is valid from {} to {}, and the signature is known to exist at {exists} only",
        state.name(&signer.id),
        signer.not_before,
        signer.not_after,
    );
    error(code, message, "an older proof of existence would help: a time-stamp or an evidence record")
}
