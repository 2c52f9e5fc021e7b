//! Whether a certificate's revocation status matters at all: EN 319 102-1 §5.2.6.4.

use super::case::Case;
use crate::facts::Certificate;
use crate::policy::{Context, Place, RuleName, SubContext};
use crate::time::Time;

/// Whether revocation data is required for `certificate`: it is no trust anchor at `time`, not self-signed, and
/// no extension or policy of it says that its status need not be asked for (RFC 6960 §4.2.2.2.1 `ocsp-nocheck`,
/// RFC 9608, EN 319 412-1 §5.2), as far as the policy's `RevocationDataSkip` names these.
///
/// The level of that rule only colours the message; the skip applies whatever it is.
pub fn revocation_required(
    case: &Case<'_>,
    certificate: &Certificate,
    time: Time,
    context: Context,
    sub: SubContext,
) -> bool {
    !case.is_trust_anchor(certificate, time, context, sub)
        && !certificate.self_signed
        && !is_skipped(case, certificate, context, sub)
}

fn is_skipped(case: &Case<'_>, certificate: &Certificate, context: Context, sub: SubContext) -> bool {
    let Some(rule) = case.rule(Place::Certificate(context, sub), RuleName::RevocationDataSkip) else { return false };
    let names = |accepted: &[String], oid: &str| accepted.iter().any(|a| a == "*" || a == oid);
    let extensions = &certificate.extensions;
    extensions.present.iter().any(|extension| names(&rule.certificate_extensions, &extension.oid))
        || extensions.certificate_policies.iter().flatten().any(|p| names(&rule.certificate_policies, &p.oid))
}
