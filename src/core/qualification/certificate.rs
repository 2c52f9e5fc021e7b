//! What a certificate by itself is, when it was issued and now: TS 119 615 §4.4.

use super::at_moment::{Moment, QualificationAt, at};
use super::codes::CertificateQualification;
use super::gather;
use super::lists::Analyses;
use super::reach::{Reach, reach};
use crate::facts::{Certificate, Facts, Id};
use crate::policy::Policy;
use crate::time::Time;
use crate::validation::Findings;
use crate::validation::engine::{Block, BlockBuilder, BlockKind};

/// A certificate's qualification at issuance and at a time, and how it came about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QualifiedCertificate {
    /// Which certificate.
    pub id: Id,
    /// What it was when it was issued.
    pub at_issuance: CertificateQualification,
    /// What it is at the time asked about.
    pub at_time: CertificateQualification,
    /// Whether lists were reached and may be relied on; its conclusion has the messages of everything below it.
    pub block: Block,
    /// What a reader should see of these messages; those about a trusted list name it as their token.
    pub findings: Findings,
    /// The two moments; none where no list spoke.
    pub moments: Vec<QualificationAt>,
}

/// Qualifies one certificate, whatever it signs: at issuance and at `now`. `None` when the record does not hold it.
pub fn certificate(facts: &Facts, policy: &Policy, id: &Id, now: Time) -> Option<QualifiedCertificate> {
    let certificate = facts.certificates.iter().find(|c| c.id == *id)?;
    Some(qualify(&Analyses::new(facts, policy, now), certificate, now))
}

/// Qualifies a certificate, given the analyses of the lists.
pub(crate) fn qualify(analyses: &Analyses, certificate: &Certificate, now: Time) -> QualifiedCertificate {
    let mut block = BlockBuilder::new(BlockKind::CertificateQualification, &certificate.id);
    let mut reached = Reach::default();
    let moments = match reach(&mut block, analyses, certificate, &mut reached) {
        Ok(()) => vec![
            at(certificate, &reached.services, Moment::Issuance, certificate.not_before),
            at(certificate, &reached.services, Moment::Validation, now),
        ],
        Err(_) => vec![],
    };
    let qualification = |moment| {
        let found = moments.iter().find(|at| at.moment == moment);
        found.map_or(CertificateQualification::Na, |at| at.qualification)
    };
    let (at_issuance, at_time) = (qualification(Moment::Issuance), qualification(Moment::Validation));
    let block = gather(block.finish(), &reached, moments.iter().map(|at| &at.block));
    let findings = Findings::of(&block.conclusion);
    QualifiedCertificate { id: certificate.id.clone(), at_issuance, at_time, block, findings, moments }
}
