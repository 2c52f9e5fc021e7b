//! Whether a certificate's revocation status matters at all: EN 319 102-1 §5.2.6.4.

use super::context::ValidationContext;
use super::prevailing;
use crate::facts::Certificate;
use crate::policy::{Context, PolicySection, RuleName, SubContext};
use crate::time::Time;

/// Returns whether revocation data is required for `certificate`: it is no trust anchor at `time`, not self-signed, and
/// no extension or policy of it says that its status need not be asked for (RFC 6960 §4.2.2.2.1 `ocsp-nocheck`,
/// RFC 9608, EN 319 412-1 §5.2), as far as the policy's `RevocationDataSkip` names these.
///
/// The level of that rule only colours the message; the skip applies whatever it is. Where a revocation is final, the
/// extension does not silence a statement of it (RFC 9608 §4 says that no data is needed, not that it is wrong).
pub fn revocation_required(
    cx: &ValidationContext<'_>,
    certificate: &Certificate,
    time: Time,
    context: Context,
    sub: SubContext,
) -> bool {
    !cx.is_trust_anchor(certificate, time, context, sub)
        && !certificate.self_signed
        && (!is_skipped(cx, certificate, context, sub)
            || prevailing::is_final(cx) && prevailing::is_contradicted(cx, certificate))
}

fn is_skipped(cx: &ValidationContext<'_>, certificate: &Certificate, context: Context, sub: SubContext) -> bool {
    let Some(rule) = cx.rule(PolicySection::Certificate(context, sub), RuleName::RevocationDataSkip) else {
        return false;
    };
    let names = |accepted: &[String], oid: &str| accepted.iter().any(|a| a == "*" || a == oid);
    let extensions = &certificate.extensions;
    extensions.present.iter().any(|extension| names(&rule.certificate_extensions, &extension.oid))
        || extensions.certificate_policies.iter().flatten().any(|p| names(&rule.certificate_policies, &p.oid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{CertificatePolicy, ExtensionHeader, Id};
    use crate::validation::situations::{check, policy};
    use crate::validation::testing::{at, certificate_mut};

    #[test]
    fn situations() {
        let policy = policy(
            "<SignatureConstraints><BasicSignatureConstraints><SigningCertificate>\
             <RevocationDataSkip Level='IGNORE'><CertificateExtensions><Id>2.5.29.56</Id></CertificateExtensions>\
             <CertificatePolicies><Id>1.2.3</Id></CertificatePolicies></RevocationDataSkip>\
             <SunsetDate Level='FAIL'/></SigningCertificate></BasicSignatureConstraints></SignatureConstraints>",
        );
        let of = |cx: &ValidationContext<'_>| {
            let signer = cx.index.certificate(&Id::new("SIGNER")).unwrap();
            revocation_required(cx, signer, cx.time, Context::Signature, SubContext::SigningCertificate).to_string()
        };
        check(
            &policy,
            "2021-06-02",
            of,
            &[
                ("5.2.6.4", "an ordinary certificate", |_| {}, "true"),
                ("5.2.6.4", "self-signed", |f| certificate_mut(f, "SIGNER").self_signed = true, "false"),
                ("5.2.6.4", "a trust anchor", |f| certificate_mut(f, "SIGNER").trust.trusted = true, "false"),
                (
                    "5.2.6.4",
                    "an anchor whose trust has ended",
                    |f| {
                        let trust = &mut certificate_mut(f, "SIGNER").trust;
                        trust.trusted = true;
                        trust.sunset = Some(at("2021-06-02"));
                    },
                    "true",
                ),
                (
                    "RFC 9608 §4",
                    "an extension that the policy names",
                    |f| {
                        let header = ExtensionHeader { oid: "2.5.29.56".into(), ..ExtensionHeader::default() };
                        certificate_mut(f, "SIGNER").extensions.present.push(header);
                    },
                    "false",
                ),
                (
                    "EN 319 412-1 §5.2",
                    "a certificate policy that the policy names",
                    |f| {
                        let named = CertificatePolicy { oid: "1.2.3".into(), cps_url: None };
                        certificate_mut(f, "SIGNER").extensions.certificate_policies = Some(vec![named]);
                    },
                    "false",
                ),
            ],
        );
    }
}
