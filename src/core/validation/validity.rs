//! Validity periods, and periods of trust: RFC 5280 §4.1.2.5, TS 119 612 §5.5.5.

use crate::facts::Certificate;
use crate::time::Time;

/// Returns whether `time` is within the validity period.
///
/// NOTE: certificates state whole seconds; the second in which the validity ends belongs to it (RFC 5280 §4.1.2.5).
pub(super) fn is_valid_at(certificate: &Certificate, time: Time) -> bool {
    certificate.not_before <= time && !has_ended(certificate, time)
}

/// Returns whether the validity period is over at `time`.
pub(super) fn has_ended(certificate: &Certificate, time: Time) -> bool {
    Time::from_seconds(time.seconds()) > certificate.not_after
}

/// Returns whether a certificate is trusted and its trust has not ended, however strict the policy is about it.
pub(super) fn is_anchor_in_time(certificate: &Certificate, time: Time) -> bool {
    certificate.trust.trusted && certificate.trust.sunset.is_none_or(|sunset| time < sunset)
}

/// Returns whether the trust in a certificate has begun.
pub(super) fn has_begun(certificate: &Certificate, time: Time) -> bool {
    certificate.trust.start.is_none_or(|start| start <= time)
}
