//! Identification of the signing certificate: EN 319 102-1 §5.2.3.
//!
//! Which certificate it is was found while the facts were collected; here is asked whether there is one, and
//! whether the token's own reference names it.

use super::case::Case;
use super::engine::{Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::NoSigningCertificateFound;
use super::token::Token;
use crate::policy::{Context, Place, RuleName, SubContext};

/// Identifies the signing certificate of `token`.
pub fn isc(case: &Case<'_>, token: Token<'_>) -> Block {
    let mut steps = Steps::new(BlockKind::IdentificationOfSigningCertificate, Some(token.id()));
    let _ = run(case, &mut steps, token);
    steps.finish()
}

fn run(case: &Case<'_>, steps: &mut Steps, token: Token<'_>) -> Result<(), Concluded> {
    let context = token.context();
    let failure = || Failure::indeterminate(NoSigningCertificateFound);
    let recognition = case.rule(Place::Certificate(context, SubContext::SigningCertificate), RuleName::Recognition);
    let found = token.signing_certificate().is_some_and(|id| case.certificate(id).is_some());
    steps.rule(recognition, ask!("BBB_ICS_ISCI"), found, failure())?;

    let references = token.signing_references();
    if references.is_empty() || !matches!(context, Context::Signature | Context::CounterSignature | Context::Timestamp)
    {
        return Ok(());
    }

    // 1), 2) Some reference has the certificate's digest.
    let place = Place::SignedAttributes(context);
    let present = references.iter().any(|(_, reference)| reference.digest.is_some());
    steps.rule(case.rule(place, RuleName::CertDigestPresent), ask!("BBB_ICS_ISACDP"), present, failure())?;
    let matches = references.iter().any(|(_, r)| r.digest.is_some() && r.digest_match == Some(true));
    steps.rule(case.rule(place, RuleName::CertDigestMatch), ask!("BBB_ICS_ICDVV"), matches, failure())?;

    // 3) Issuer and serial number, where stated, are the certificate's.
    if let Some((_, reference)) = token.signing_reference().filter(|(_, r)| r.issuer_serial.is_some()) {
        let matches = reference.issuer_serial_match == Some(true);
        steps.rule(case.rule(place, RuleName::IssuerSerialMatch), ask!("BBB_ICS_AIDNASNE"), matches, failure())?;
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
            |case| answer(&isc(case, signature(case))),
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
