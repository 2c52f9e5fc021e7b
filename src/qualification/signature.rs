//! What a signature is: TS 119 615 §4.7, in the light of eIDAS articles 26, 32 and 36.

use super::certificate::{Moment, QualificationAt, at};
use super::codes::SignatureQualification;
use super::kind::CertificateType;
use super::lists::failed;
use super::reach::{Reach, reach};
use super::{gather, matrix};
use crate::facts::{Certificate, Facts, Signature};
use crate::policy::Level;
use crate::time::Time;
use crate::validation::engine::{Ask, Block, BlockKind, Concluded, Steps};
use crate::validation::outcome::Indication;

/// A signature's qualification and how it came about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QualifiedSignature {
    /// Which signature.
    pub id: crate::facts::Id,
    /// What it is.
    pub qualification: SignatureQualification,
    /// The checks, and a conclusion with the messages of everything below it.
    pub block: Block,
    /// The signing certificate at issuance and at the best-signature-time, where a list spoke of it.
    pub certificates: Vec<QualificationAt>,
}

/// The qualification of a signature that ended with `indication` and existed at `best_signature_time`.
pub(crate) fn qualify(
    facts: &Facts,
    analyses: &[Block],
    signature: &Signature,
    indication: Indication,
    best_signature_time: Time,
) -> QualifiedSignature {
    let certificate = signature.signing_certificate.as_ref();
    let certificate = certificate.and_then(|id| facts.certificates.iter().find(|c| c.id == *id));
    let mut steps = Steps::new(BlockKind::SignatureQualification, Some(&signature.id));
    let mut reached = Reach::default();
    let mut certificates = vec![];
    let mut run = || -> Result<SignatureQualification, Concluded> {
        // Without a signing certificate there is nothing to ask about.
        let Some(certificate) = certificate else { return Ok(SignatureQualification::Na) };
        is_ades(&mut steps, indication)?;
        reach(&mut steps, facts, analyses, certificate, &mut reached)?;
        certificates = both(certificate, &reached, best_signature_time);
        let [issuance, signing] = &certificates[..] else { return Ok(SignatureQualification::Na) };
        article_32(&mut steps, issuance, signing)?;
        let last = issuance.qualification.and_at_signing(signing.qualification);
        Ok(matrix::signature(last, indication))
    };
    let qualification = run().unwrap_or(SignatureQualification::Na);
    let block = gather(steps.finish(), &reached, certificates.iter().map(|c| &c.block));
    QualifiedSignature { id: signature.id.clone(), qualification, block, certificates }
}

fn both(certificate: &Certificate, reached: &Reach, best_signature_time: Time) -> Vec<QualificationAt> {
    vec![
        at(certificate, &reached.services, Moment::Issuance, certificate.not_before),
        at(certificate, &reached.services, Moment::Signing, best_signature_time),
    ]
}

/// Whether the signature is an advanced one at all (eIDAS articles 26 and 36).
fn is_ades(steps: &mut Steps, indication: Indication) -> Result<(), Concluded> {
    let (holds, failure) = match indication {
        Indication::Passed | Indication::TotalPassed => (true, "QUAL_IS_ADES_IND"),
        Indication::Failed | Indication::TotalFailed => (false, "QUAL_IS_ADES_INV"),
        Indication::Indeterminate | Indication::NoSignatureFound => (false, "QUAL_IS_ADES_IND"),
    };
    let ask = Ask::new("QUAL_IS_ADES", failure).comparing(indication.as_str());
    steps.level(Some(Level::Warn), ask, holds, failed())
}

/// What eIDAS article 32 asks of the certificate: points a, b and f.
fn article_32(steps: &mut Steps, issuance: &QualificationAt, signing: &QualificationAt) -> Result<(), Concluded> {
    if !issuance.spoken && !signing.spoken {
        // No service spoke of the certificate: its own checks have said so.
        return Ok(());
    }
    let warn = Some(Level::Warn);
    let then = signing.qualification;
    steps.level(warn, Ask::new("QUAL_QC_AT_ST", "QUAL_QC_AT_ST_ANS"), then.is_qualified(), failed())?;
    let kind = then.kind();
    let ask = Ask::new("QUAL_CERT_TYPE_AT_ST", "QUAL_CERT_TYPE_AT_ST_ANS").comparing(kind.as_str());
    steps.level(warn, ask, kind != CertificateType::Unknown, failed())?;
    let issued = issuance.qualification.is_qualified();
    steps.level(warn, Ask::new("QUAL_QC_AT_CC", "QUAL_QC_AT_CC_ANS"), issued, failed())?;
    steps.level(warn, Ask::new("QUAL_QSCD_AT_ST", "QUAL_QSCD_AT_ST_ANS"), then.in_device(), failed())
}
