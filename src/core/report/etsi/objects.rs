//! Validation objects (TS 119 102-2 clause 4.4): every token that the report refers to.

use super::quality::timestamp_uri;
use super::writer::{Writer, digest_uri};
use super::{Associated, Etsi, Qualification, REVOCATION_BLOCKS, TIMESTAMP_BLOCKS, proof_of_existence};
use crate::facts::{Bytes, Covered, CoveredKind, Digest, Id, RevocationType, SignatureDigestReference};
use crate::report::model;
use crate::report::view::{EvidenceRecordView, RevocationView, TimestampView};
use crate::time::Time;
use crate::validation::ProofOfExistence;
use std::collections::{BTreeSet, HashSet};

impl Etsi<'_> {
    /// Writes the objects in the order evidence records, time-stamps, certificates, revocation data, signed data
    /// (clause 4.4).
    pub(super) fn objects(&self, xml: &mut Writer) {
        let facts = &self.report.facts;
        if facts.certificates.is_empty() && facts.signed_data.is_empty() && facts.timestamps.is_empty() {
            return;
        }
        let listed = self.listed();
        let mut written = BTreeSet::new();
        let mut once = |id: &Id| written.insert(id.clone());
        xml.element("SignatureValidationObjects", |xml| {
            for record in self.report.evidence_records().filter(|r| once(r.id())) {
                self.evidence_record(xml, record, &listed);
            }
            for timestamp in self.report.timestamps().filter(|t| once(t.id())) {
                self.timestamp_object(xml, timestamp, &listed);
            }
            for certificate in facts.certificates.iter().filter(|c| once(&c.id)) {
                self.plain(xml, &certificate.id, "certificate", &certificate.bytes, &certificate.digest);
            }
            for orphan in facts.orphan_certificates.iter().filter(|c| once(&c.id)) {
                self.plain(xml, &orphan.id, "certificate", &orphan.bytes, &orphan.digest);
            }
            for revocation in self.report.revocations().filter(|r| once(r.id())) {
                self.revocation(xml, revocation);
            }
            for orphan in facts.orphan_revocations.iter().filter(|r| once(&r.id)) {
                self.plain(xml, &orphan.id, revocation_type(orphan.kind), &orphan.bytes, &orphan.digest);
            }
            for data in facts.signed_data.iter().filter(|d| once(&d.id)) {
                self.plain(xml, &data.id, "signedData", &None, &Some(data.digest.clone()));
            }
        });
    }

    fn open(&self, xml: &mut Writer, id: &Id, kind: &str, bytes: &Option<Bytes>, digest: &Option<Digest>) {
        xml.open("ValidationObject", &[("id", id.as_str())]);
        xml.text("ObjectType", &format!("urn:etsi:019102:validationObject:{kind}"));
        xml.element("ValidationObjectRepresentation", |xml| match (bytes, digest) {
            (Some(bytes), _) => xml.base64("base64", &bytes.0),
            (None, Some(digest)) => xml.digest("DigestAlgAndValue", digest),
            (None, None) => xml.text("URI", "urn:cef:dss:notAvailable"),
        });
        xml.element("POE", |xml| match self.report.verdicts.existence.get(id) {
            Some(proof) => proof_of_existence(xml, proof),
            None => proof_of_existence(xml, &ProofOfExistence { time: self.report.verdicts.time, provider: None }),
        });
    }

    fn plain(&self, xml: &mut Writer, id: &Id, kind: &str, bytes: &Option<Bytes>, digest: &Option<Digest>) {
        self.open(xml, id, kind, bytes, digest);
        xml.close("ValidationObject");
    }

    /// Writes what a time-stamp or record proves the existence of (clause 4.4.8).
    fn provisioning(&self, xml: &mut Writer, time: Time, covered: &[Covered], listed: &HashSet<&Id>) {
        let mut objects = HashSet::new();
        xml.element("POEProvisioning", |xml| {
            xml.time("POETime", time);
            for object in covered.iter().filter(|c| c.kind != CoveredKind::Signature) {
                if listed.contains(&object.id) && objects.insert(&object.id) {
                    xml.empty("ValidationObject", &[("VOReference", object.id.as_str())]);
                }
            }
            for object in covered.iter().filter(|c| c.kind == CoveredKind::Signature) {
                let signature = self.report.signature(&object.id);
                if let Some(reference) = signature.and_then(|s| s.facts().digest_reference.as_ref()) {
                    xml.element("SignatureReference", |xml| signature_reference(xml, reference));
                }
            }
        });
    }

    /// Returns the ids in the list of objects, so that only references to these are written.
    fn listed(&self) -> HashSet<&Id> {
        let facts = &self.report.facts;
        let records = facts.evidence_records.iter().map(|e| &e.id);
        records
            .chain(facts.timestamps.iter().map(|t| &t.id))
            .chain(facts.certificates.iter().map(|c| &c.id))
            .chain(facts.orphan_certificates.iter().map(|c| &c.id))
            .chain(facts.revocations.iter().map(|r| &r.id))
            .chain(facts.orphan_revocations.iter().map(|r| &r.id))
            .chain(facts.signed_data.iter().map(|d| &d.id))
            .collect()
    }

    fn timestamp_object(&self, xml: &mut Writer, timestamp: TimestampView<'_>, listed: &HashSet<&Id>) {
        let (facts, verdict) = (timestamp.facts(), timestamp.verdict());
        self.open(xml, timestamp.id(), "timestamp", &facts.bytes, &facts.digest);
        self.provisioning(xml, timestamp.time(), &facts.covered, listed);
        xml.element("ValidationReport", |xml| {
            self.constraints(xml, TIMESTAMP_BLOCKS, &verdict.blocks);
            self.signer_information(xml, timestamp.signer(), false);
            xml.element("SignatureQuality", |xml| {
                xml.text("SignatureQualityInformation", timestamp_uri(timestamp.qualification()));
            });
            let data = Associated {
                token: timestamp.id(),
                chain: &facts.chain,
                algorithm: &facts.basic,
                blocks: &verdict.blocks,
                sub_indication: timestamp.sub_indication(),
                trust_service: vec![],
                messages: [&verdict.findings.errors, &verdict.findings.warnings, &verdict.findings.infos],
                qualification: self.qualification(
                    timestamp.qualification_findings(),
                    &model::steps_of_timestamp(self.report, timestamp),
                ),
            };
            self.status(xml, timestamp.indication(), timestamp.sub_indication(), Some(&data));
        });
        xml.close("ValidationObject");
    }

    fn evidence_record(&self, xml: &mut Writer, record: EvidenceRecordView<'_>, listed: &HashSet<&Id>) {
        let facts = record.facts();
        self.open(xml, record.id(), "evidencerecord", &facts.bytes, &facts.digest);
        self.provisioning(xml, record.proof_of_existence().time, &facts.covered, listed);
        xml.element("ValidationReport", |xml| {
            xml.element("SignatureValidationStatus", |xml| self.conclusion(xml, &record.verdict().result.conclusion));
        });
        xml.close("ValidationObject");
    }

    fn revocation(&self, xml: &mut Writer, revocation: RevocationView<'_>) {
        let facts = revocation.facts();
        self.open(xml, revocation.id(), revocation_type(facts.kind), &facts.bytes, &facts.digest);
        if let Some(verdict) = revocation.verdict() {
            xml.element("ValidationReport", |xml| {
                self.constraints(xml, REVOCATION_BLOCKS, verdict);
                self.signer_information(xml, revocation.signer(), false);
                let conclusion = &verdict.conclusion;
                let data = Associated {
                    token: revocation.id(),
                    chain: &facts.chain,
                    algorithm: &facts.basic,
                    blocks: verdict,
                    sub_indication: conclusion.sub_indication,
                    trust_service: vec![],
                    messages: [&conclusion.errors, &conclusion.warnings, &conclusion.infos],
                    qualification: Qualification::default(),
                };
                self.status(xml, conclusion.indication, conclusion.sub_indication, Some(&data));
            });
        }
        xml.close("ValidationObject");
    }
}

fn revocation_type(kind: RevocationType) -> &'static str {
    match kind {
        RevocationType::Crl => "CRL",
        RevocationType::Ocsp => "OCSPResponse",
    }
}

/// Writes a `SignatureReferenceType`: a signature by the digest of its value.
pub(super) fn signature_reference(xml: &mut Writer, reference: &SignatureDigestReference) {
    if let Some(method) = &reference.canonicalization {
        xml.text("CanonicalizationMethod", method);
    }
    xml.text("DigestMethod", &digest_uri(&reference.digest));
    xml.base64("DigestValue", &reference.digest.value.0);
}
