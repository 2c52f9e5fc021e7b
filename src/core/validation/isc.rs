//! Identification of the signing certificate: EN 319 102-1 §5.2.3.
//!
//! Which certificate it is was found while the facts were collected; here is asked whether there is one, and
//! whether the token's own reference names it.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded};
use super::outcome::outcomes;
use super::token::Token;
use crate::policy::{Context, PolicySection, RuleName, SubContext};

outcomes! {
    /// The outcomes of identification: EN 319 102-1 §5.2.3.3.
    enum NotIdentified {
        NoSigningCertificateFound,
    }
}

/// Identifies the signing certificate of `token`.
pub fn isc(cx: &ValidationContext<'_>, token: Token<'_>) -> Block {
    let mut block = BlockBuilder::new(BlockKind::IdentificationOfSigningCertificate, token.id());
    let _ = run(cx, &mut block, token);
    block.finish()
}

fn run(cx: &ValidationContext<'_>, block: &mut BlockBuilder, token: Token<'_>) -> Result<(), Concluded> {
    let context = token.context();
    let failure = NotIdentified::NoSigningCertificateFound;
    let recognition =
        cx.rule(PolicySection::Certificate(context, SubContext::SigningCertificate), RuleName::Recognition);
    let found = token.signing_certificate().is_some_and(|id| cx.index.certificate(id).is_some());
    block.check(recognition, CheckId::SigningCertificateFound, found, failure)?;

    let references = token.signing_references();
    if references.is_empty() || !matches!(context, Context::Signature | Context::CounterSignature | Context::Timestamp)
    {
        return Ok(());
    }

    // 1), 2) Some reference has the certificate's digest.
    let section = PolicySection::SignedAttributes(context);
    let present = references.iter().any(|(_, reference)| reference.digest.is_some());
    block.check(cx.rule(section, RuleName::CertDigestPresent), CheckId::CertDigestPresent, present, failure)?;
    let matches = references.iter().any(|(_, r)| r.digest.is_some() && r.digest_match == Some(true));
    let stated = references.iter().filter_map(|(_, reference)| reference.described());
    let question = if matches { CheckId::CertDigestMatch.into() } else { CheckId::CertDigestMatch.naming(stated) };
    block.check(cx.rule(section, RuleName::CertDigestMatch), question, matches, failure)?;

    // 3) Issuer and serial number, where stated, are the certificate's.
    if let Some((_, reference)) = token.signing_reference().filter(|(_, r)| r.issuer_serial.is_some()) {
        let matches = reference.issuer_serial_match == Some(true);
        block.check(cx.rule(section, RuleName::IssuerSerialMatch), CheckId::IssuerSerialMatch, matches, failure)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::isc;
    use crate::policy::Policy;
    use crate::validation::situations::{answer, check, signature};

    #[test]
    fn situations() {
        check(
            &Policy::dss(),
            "2021-06-02",
            |cx| answer(&isc(cx, signature(cx))),
            &[
                ("5.2.3", "the reference names the certificate", |_| {}, "PASSED"),
                (
                    "5.2.3",
                    "there is no signing certificate",
                    |f| f.signatures[0].signing_certificate = None,
                    "INDETERMINATE/NO_SIGNING_CERTIFICATE_FOUND BBB_ICS_ISCI_ANS",
                ),
                (
                    "5.2.3",
                    "the signing certificate is not among the facts",
                    |f| f.signatures[0].signing_certificate = Some(crate::facts::Id::new("NOBODY")),
                    "INDETERMINATE/NO_SIGNING_CERTIFICATE_FOUND BBB_ICS_ISCI_ANS",
                ),
                ("5.2.3.4", "there is no reference", |f| f.signatures[0].found_certificates.clear(), "PASSED"),
                (
                    "5.2.3.4 2)",
                    "the reference states no digest",
                    |f| f.signatures[0].found_certificates[0].references[0].digest = None,
                    "INDETERMINATE/NO_SIGNING_CERTIFICATE_FOUND BBB_ICS_ISACDP_ANS",
                ),
                (
                    "5.2.3.4 2)",
                    "the digest is another certificate's",
                    |f| f.signatures[0].found_certificates[0].references[0].digest_match = Some(false),
                    "INDETERMINATE/NO_SIGNING_CERTIFICATE_FOUND BBB_ICS_ICDVV_ANS",
                ),
            ],
        );
    }
}
