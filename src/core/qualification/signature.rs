//! What a signature is under eIDAS articles 26, 32, 36 and 40, from what TS 119 615 found of its certificate.

use super::at_moment::{Moment, QualificationAt, at};
use super::codes::SignatureQualification;
use super::kind::CertificateType;
use super::lists::{Analyses, failed};
use super::reach::{Reach, reach};
use super::{gather, matrix};
use crate::facts::{Certificate, Signature};
use crate::policy::Level;
use crate::time::Time;
use crate::validation::Findings;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded};
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
    /// What a reader should see of these messages; those about a trusted list name it as their token.
    pub findings: Findings,
    /// The signing certificate at issuance and at the best-signature-time, where a list spoke of it.
    pub certificates: Vec<QualificationAt>,
}

/// Returns the qualification of a signature that ended with `indication` and existed at `best_signature_time`.
pub(crate) fn qualify(
    analyses: &Analyses,
    signature: &Signature,
    indication: Indication,
    best_signature_time: Time,
) -> QualifiedSignature {
    let certificate = signature.signing_certificate.as_ref();
    let certificate = certificate.and_then(|id| analyses.certificate(id));
    let mut block = BlockBuilder::new(BlockKind::SignatureQualification, &signature.id);
    let mut reached = Reach::default();
    let mut certificates = vec![];
    let mut run = || -> Result<SignatureQualification, Concluded> {
        // Without a signing certificate there is nothing to ask about.
        let Some(certificate) = certificate else { return Ok(SignatureQualification::Na) };
        is_ades(&mut block, indication)?;
        reach(&mut block, analyses, certificate, &mut reached)?;
        certificates = both(certificate, &reached, best_signature_time);
        let [issuance, signing] = &certificates[..] else { return Ok(SignatureQualification::Na) };
        article_32(&mut block, issuance, signing)?;
        let last = issuance.qualification.and_at_signing(signing.qualification);
        Ok(matrix::signature(last, indication))
    };
    let qualification = run().unwrap_or(SignatureQualification::Na);
    let block = gather(block.finish(), &reached, certificates.iter().map(|c| &c.block));
    let findings = Findings::of(&block.conclusion);
    QualifiedSignature { id: signature.id.clone(), qualification, block, findings, certificates }
}

fn both(certificate: &Certificate, reached: &Reach, best_signature_time: Time) -> Vec<QualificationAt> {
    vec![
        at(certificate, &reached.services, Moment::Issuance, certificate.not_before),
        at(certificate, &reached.services, Moment::Signing, best_signature_time),
    ]
}

/// Checks whether the signature is an advanced one at all (eIDAS articles 26 and 36).
fn is_ades(block: &mut BlockBuilder, indication: Indication) -> Result<(), Concluded> {
    let (holds, check) = match indication {
        Indication::Passed | Indication::TotalPassed => (true, CheckId::AdvancedSignatureKnown),
        Indication::Failed | Indication::TotalFailed => (false, CheckId::AdvancedSignature),
        Indication::Indeterminate | Indication::NoSignatureFound => (false, CheckId::AdvancedSignatureKnown),
    };
    let question = check.comparing(indication.as_str());
    block.check_at(Level::Warn, question, holds, failed())
}

/// Checks what eIDAS article 32 asks of the certificate: points a, b and f.
fn article_32(
    block: &mut BlockBuilder,
    issuance: &QualificationAt,
    signing: &QualificationAt,
) -> Result<(), Concluded> {
    if !issuance.spoken && !signing.spoken {
        // No service spoke of the certificate: its own checks have said so.
        return Ok(());
    }
    let warn = Some(Level::Warn);
    let then = signing.qualification;
    block.check_at(warn, CheckId::QualifiedAtSigning, then.is_qualified(), failed())?;
    let kind = then.kind();
    let question = CheckId::TypeKnownAtSigning.comparing(kind.as_str());
    block.check_at(warn, question, kind != CertificateType::Unknown, failed())?;
    let issued = issuance.qualification.is_qualified();
    block.check_at(warn, CheckId::QualifiedAtIssuance, issued, failed())?;
    block.check_at(warn, CheckId::InDeviceAtSigning, then.in_device(), failed())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, list, listed, time};
    use super::super::vocabulary::ServicePurpose::{ESeals, ESignatures};
    use super::super::vocabulary::ServiceQualifier::{NotQualified, QcWithQscd};
    use super::super::vocabulary::ServiceStatus::{Granted, Withdrawn};
    use super::super::vocabulary::{QcType, ServiceStatus};
    use super::*;
    use crate::facts::{Facts, Id, TrustService};
    use crate::policy::Policy;

    const SINCE: &str = "2017-01-01";

    fn qualified(services: Vec<TrustService>, indication: Indication) -> QualifiedSignature {
        let signing = certificate("2020-01-01", true, true, &[QcType::ESign.as_str()], &[]);
        let facts = Facts {
            signatures: vec![Signature {
                id: Id::new("S-1"),
                signing_certificate: Some(Id::new("C-1")),
                ..Signature::default()
            }],
            certificates: vec![listed(signing, services)],
            trusted_lists: vec![list("TL-1", "2022-01-01"), list("LOTL-1", "2022-01-01")],
            ..Facts::default()
        };
        let now = time("2022-01-01T01:00:00Z");
        let lists = Analyses::new(&facts, &Policy::dss(), now);
        qualify(&lists, &facts.signatures[0], indication, time("2021-01-01"))
    }

    fn granted() -> TrustService {
        entry(SINCE, Granted, &[], &[ESignatures])
    }

    /// Status `first` until the middle of 2020, then `then`: between issuance and signing.
    fn changed(first: ServiceStatus, then: ServiceStatus) -> Vec<TrustService> {
        let until = TrustService { end: Some(time("2020-06-01")), ..entry(SINCE, first, &[], &[ESignatures]) };
        vec![entry("2020-06-01", then, &[], &[ESignatures]), until]
    }

    #[test]
    fn qualified_only_without_doubt() {
        use SignatureQualification::*;
        let passed = Indication::Passed;
        let denied = entry(SINCE, Granted, &[NotQualified], &[ESignatures]);
        for (situation, services, indication, expected, error) in [
            ("granted both times", vec![granted()], passed, Qesig, None),
            ("not known to be valid", vec![granted()], Indication::Indeterminate, IndeterminateQesig, None),
            ("invalid", vec![granted()], Indication::Failed, NotAdesQcQscd, None),
            ("no service of a list", vec![], passed, Na, Some("QUAL_VALID_TRUSTED_LIST_PRESENT_ANS")),
            ("withdrawn before signing", changed(Granted, Withdrawn), passed, Adesig, Some("QUAL_HAS_VALID_CAQC_ANS")),
            ("granted after issuance", changed(Withdrawn, Granted), passed, Adesig, Some("QUAL_HAS_VALID_CAQC_ANS")),
            (
                "granted after signing",
                vec![entry("2021-06-01", Granted, &[], &[ESignatures])],
                passed,
                Adesig,
                Some("QUAL_HAS_ATTIME_ANS"),
            ),
            (
                "for seals only",
                vec![entry(SINCE, Granted, &[], &[ESeals])],
                passed,
                Adesig,
                Some("QUAL_HAS_TS_CERT_TYPE_ANS"),
            ),
            ("two entries that disagree", vec![granted(), denied], passed, Na, Some("QUAL_HAS_CONF_ANS")),
            ("two entries that agree", vec![granted(), granted()], passed, Qesig, None),
            ("a device by the list", vec![entry(SINCE, Granted, &[QcWithQscd], &[ESignatures])], passed, Qesig, None),
        ] {
            let found = qualified(services, indication);
            assert_eq!(found.qualification, expected, "eIDAS article 32: {situation}");
            assert_eq!(found.block.conclusion.errors.first().map(|m| m.key()), error, "eIDAS article 32: {situation}");
        }
    }

    #[test]
    fn lists_that_do_not_count() {
        let mut facts = Facts {
            certificates: vec![listed(certificate("2020-01-01", true, true, &[], &[]), vec![granted()])],
            signatures: vec![Signature { signing_certificate: Some(Id::new("C-1")), ..Signature::default() }],
            ..Facts::default()
        };
        let now = time("2022-01-01T01:00:00Z");
        let old = crate::facts::TrustedList { version: Some(4), ..list("LOTL-1", "2022-01-01") };
        for (situation, lists, error) in [
            ("the record does not hold them", vec![], "QUAL_VALID_TRUSTED_LIST_PRESENT_ANS"),
            ("a list of lists that may not be relied on", vec![list("TL-1", "2022-01-01"), old], "QUAL_TL_VERSION_ANS"),
        ] {
            facts.trusted_lists = lists;
            let lists = Analyses::new(&facts, &Policy::dss(), now);
            let found = qualify(&lists, &facts.signatures[0], Indication::Passed, now);
            assert_eq!(found.qualification, SignatureQualification::Na, "TS 119 615 §4.2: {situation}");
            assert!(found.block.conclusion.errors.iter().any(|m| m.key() == error), "TS 119 615 §4.2: {situation}");
        }
        facts.signatures[0].signing_certificate = None;
        let found = qualify(&Analyses::default(), &facts.signatures[0], Indication::Passed, now);
        assert_eq!(found.qualification, SignatureQualification::Na, "eIDAS article 32: no signing certificate");
    }
}
