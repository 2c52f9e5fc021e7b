//! Where the tokens of a report stand, by id: built once, so that no join searches a list from its beginning.

use super::CertificateRole;
use crate::facts::{self, Facts, Id};
use crate::order;
use crate::qualification::{QualifiedSignature, QualifiedTimestamp};
use crate::report::Report;
use crate::report::name::Names;
use crate::validation::blocks::BuildingBlocks;
use crate::validation::{EvidenceRecordVerdict, SignatureVerdict, TimestampVerdict};

/// Something that a report finds by id.
pub(in crate::report) trait HasId {
    fn id(&self) -> &Id;
}

macro_rules! has_id {
    ($($kind:ty: $id:ident,)+) => { $(impl HasId for $kind { fn id(&self) -> &Id { &self.$id } })+ };
}

has_id! {
    facts::Signature: id,
    facts::Timestamp: id,
    facts::EvidenceRecord: id,
    facts::Certificate: id,
    facts::Revocation: id,
    facts::SignedData: id,
    facts::TrustedList: id,
    SignatureVerdict: id,
    TimestampVerdict: id,
    EvidenceRecordVerdict: id,
    BuildingBlocks: token,
    QualifiedSignature: id,
    QualifiedTimestamp: id,
}

/// The positions of a list's elements in the order of their ids.
///
/// Binary search over positions copies no id. Of elements with the same id the first is found.
#[derive(Debug, Clone, Default)]
pub(in crate::report) struct ById(Vec<usize>);

impl ById {
    fn of<T: HasId>(list: &[T]) -> Self {
        Self(order::positions(list.len(), &mut |a, b| list[a].id().cmp(list[b].id())))
    }

    pub(in crate::report) fn position<T: HasId>(&self, list: &[T], id: &Id) -> Option<usize> {
        let at = self.0.partition_point(|&position| list[position].id() < id);
        self.0.get(at).copied().filter(|&position| list[position].id() == id)
    }

    pub(in crate::report) fn find<'a, T: HasId>(&self, list: &'a [T], id: &Id) -> Option<&'a T> {
        self.position(list, id).map(|position| &list[position])
    }
}

/// A statement of revocation data: the position of the certificate, and of the statement in that certificate's list.
type Statement = (usize, usize);

/// The index of one report.
#[derive(Debug, Clone)]
pub(in crate::report) struct Index {
    pub(in crate::report) signatures: ById,
    pub(in crate::report) timestamps: ById,
    pub(in crate::report) evidence_records: ById,
    pub(super) certificates: ById,
    pub(super) revocations: ById,
    pub(super) signed_data: ById,
    pub(super) trusted_lists: ById,
    pub(super) signature_verdicts: ById,
    pub(super) timestamp_verdicts: ById,
    pub(super) evidence_record_verdicts: ById,
    pub(super) revocation_verdicts: ById,
    pub(super) qualified_signatures: ById,
    pub(super) qualified_timestamps: ById,
    /// The counter-signatures, in the order of the ids of what they counter-sign, then of the record.
    counter_signatures: Vec<usize>,
    /// In the order of the ids of the revocation data, then of the record.
    statements: Vec<Statement>,
    /// By position of the certificate: a bit for each [`CertificateRole`].
    roles: Vec<u8>,
    /// By position of the certificate.
    pub(super) names: Vec<Names>,
}

impl Index {
    pub(in crate::report) fn of(report: &Report) -> Self {
        let (facts, verdicts, qualifications) = (&report.facts, &report.verdicts, &report.qualifications);
        let certificates = ById::of(&facts.certificates);
        Self {
            signatures: ById::of(&facts.signatures),
            timestamps: ById::of(&facts.timestamps),
            evidence_records: ById::of(&facts.evidence_records),
            revocations: ById::of(&facts.revocations),
            signed_data: ById::of(&facts.signed_data),
            trusted_lists: ById::of(&facts.trusted_lists),
            signature_verdicts: ById::of(&verdicts.signatures),
            timestamp_verdicts: ById::of(&verdicts.timestamps),
            evidence_record_verdicts: ById::of(&verdicts.evidence_records),
            revocation_verdicts: ById::of(&verdicts.revocations),
            qualified_signatures: ById::of(&qualifications.signatures),
            qualified_timestamps: ById::of(&qualifications.timestamps),
            counter_signatures: counter_signatures(facts),
            statements: statements(facts),
            roles: roles(facts, &certificates),
            names: facts.certificates.iter().map(Names::of).collect(),
            certificates,
        }
    }

    /// Returns the signatures that counter-sign the one with that id.
    pub(super) fn counter_signatures<'a>(
        &'a self,
        facts: &'a Facts,
        id: &Id,
    ) -> impl Iterator<Item = &'a facts::Signature> + use<'a> {
        let parent = |at: &usize| facts.signatures[*at].parent.as_ref();
        let from = self.counter_signatures.partition_point(|at| parent(at) < Some(id));
        let until = self.counter_signatures.partition_point(|at| parent(at) <= Some(id));
        self.counter_signatures[from..until].iter().map(move |at| &facts.signatures[*at])
    }

    /// Returns what the revocation data with that id says, and of which certificates, by their positions.
    pub(super) fn statements<'a>(
        &'a self,
        facts: &'a Facts,
        id: &Id,
    ) -> impl Iterator<Item = (usize, &'a facts::CertificateRevocation)> + use<'a> {
        let from = self.statements.partition_point(|at| statement(facts, *at).revocation < *id);
        let until = self.statements.partition_point(|at| statement(facts, *at).revocation <= *id);
        self.statements[from..until].iter().map(move |at| (at.0, statement(facts, *at)))
    }

    /// Returns whether the certificate with that id has the role.
    pub(super) fn has_role(&self, facts: &Facts, id: &Id, role: CertificateRole) -> bool {
        let position = self.certificates.position(&facts.certificates, id);
        position.is_some_and(|position| self.roles[position] & role.bit() != 0)
    }
}

fn counter_signatures(facts: &Facts) -> Vec<usize> {
    let parent = |at: &usize| facts.signatures[*at].parent.as_ref();
    let mut counter: Vec<usize> = (0..facts.signatures.len()).filter(|at| parent(at).is_some()).collect();
    crate::order::sort_by(&mut counter, |a, b| parent(a).cmp(&parent(b)));
    counter
}

fn statement(facts: &Facts, (certificate, statement): Statement) -> &facts::CertificateRevocation {
    &facts.certificates[certificate].revocations[statement]
}

fn statements(facts: &Facts) -> Vec<Statement> {
    let of = |(at, certificate): (usize, &facts::Certificate)| (0..certificate.revocations.len()).map(move |n| (at, n));
    let mut statements: Vec<Statement> = facts.certificates.iter().enumerate().flat_map(of).collect();
    crate::order::sort_by(&mut statements, |a, b| {
        statement(facts, *a).revocation.cmp(&statement(facts, *b).revocation)
    });
    statements
}

fn roles(facts: &Facts, certificates: &ById) -> Vec<u8> {
    let signers = facts.signatures.iter().map(|s| (&s.signing_certificate, CertificateRole::SignatureSigner));
    let authorities = facts.timestamps.iter().map(|t| (&t.signing_certificate, CertificateRole::TimestampSigner));
    let responders = facts.revocations.iter().map(|r| (&r.signing_certificate, CertificateRole::RevocationSigner));
    let issuers = facts.certificates.iter().map(|c| (&c.signing_certificate, CertificateRole::CertificateIssuer));
    let mut roles: Vec<u8> = facts
        .certificates
        .iter()
        .map(|certificate| if certificate.trust.trusted { CertificateRole::TrustAnchor.bit() } else { 0 })
        .collect();
    for (id, role) in signers.chain(authorities).chain(responders).chain(issuers) {
        if let Some(position) = id.as_ref().and_then(|id| certificates.position(&facts.certificates, id)) {
            roles[position] |= role.bit();
        }
    }
    roles
}
