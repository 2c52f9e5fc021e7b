//! Signature attributes (TS 119 102-2 annex A) and the algorithm of a verdict (clause 4.3.4.4.5).

use super::writer::{UNIDENTIFIED, Writer};
use super::{Associated, Etsi};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::facts::{CertificateOrigin, CertificateRefOrigin, RevocationOrigin, RevocationRefOrigin, RevocationType};
use crate::facts::{Id, MatcherType, RevocationRef, Signature, TimestampType};
use crate::report::view::SignatureView;
use crate::time::Time;
use std::borrow::Cow;

impl Etsi<'_> {
    /// Writes the attributes of annex A, in the order of EU DSS's reports.
    pub(super) fn signature_attributes(&self, xml: &mut Writer, view: SignatureView<'_>) {
        let signature = view.facts();
        if !self.has_attributes(signature) {
            return;
        }
        xml.element("SignatureAttributes", |xml| {
            if let Some(time) = signature.claimed_signing_time {
                // PDF states it in the signature dictionary, which is not a signed attribute of CMS.
                signed(xml, "SigningTime", signature.pdf_revision.is_none(), |xml| xml.time("Time", time));
            }
            self.signing_certificate(xml, signature);
            if signature.content_type.is_some() || signature.mime_type.is_some() {
                signed(xml, "DataObjectFormat", true, |xml| {
                    optional(xml, "ContentType", signature.content_type.as_deref());
                    optional(xml, "MimeType", signature.mime_type.as_deref());
                });
            }
            for commitment in &signature.commitments {
                signed(xml, "CommitmentTypeIndication", true, |xml| {
                    xml.text("CommitmentTypeIdentifier", &commitment.identifier);
                });
            }
            let of_all = [TimestampType::AllDataObjects, TimestampType::Content];
            timestamps(xml, view, &of_all, "AllDataObjectsTimeStamp", true);
            timestamps(xml, view, &[TimestampType::IndividualDataObjects], "IndividualDataObjectsTimeStamp", true);
            if let Some(policy) = signature.policy.as_ref().filter(|p| !p.id.is_empty()) {
                signed(xml, "SigPolicyIdentifier", true, |xml| xml.text("SigPolicyId", &policy.id));
            }
            production_place(xml, signature);
            if !signature.roles.is_empty() {
                signed(xml, "SignerRole", true, |xml| {
                    for role in &signature.roles {
                        xml.element("RoleDetails", |xml| {
                            xml.text("Role", &role.role);
                            xml.text("EndorsementType", role.category.as_str());
                        });
                    }
                });
            }
            counter_signatures(xml, view);
            timestamps(xml, view, &[TimestampType::Signature], "SignatureTimeStamp", false);
            self.certificate_refs(
                xml,
                signature,
                CertificateRefOrigin::CompleteCertificateRefs,
                "CompleteCertificateRefs",
            );
            revocation_refs(xml, signature, RevocationRefOrigin::CompleteRevocationRefs, "CompleteRevocationRefs");
            self.certificate_refs(
                xml,
                signature,
                CertificateRefOrigin::AttributeCertificateRefs,
                "AttributeCertificateRefs",
            );
            revocation_refs(xml, signature, RevocationRefOrigin::AttributeRevocationRefs, "AttributeRevocationRefs");
            timestamps(xml, view, &[TimestampType::ValidationData], "SigAndRefsTimeStamp", false);
            timestamps(xml, view, &[TimestampType::ValidationDataRefsOnly], "RefsOnlyTimeStamp", false);
            values(xml, "CertificateValues", certificates(signature, &[CertificateOrigin::CertificateValues]));
            values(xml, "RevocationValues", revocations(signature, &[RevocationOrigin::RevocationValues]));
            values(
                xml,
                "AttrAuthoritiesCertValues",
                certificates(signature, &[CertificateOrigin::AttrAuthoritiesCertValues]),
            );
            values(
                xml,
                "AttributeRevocationValues",
                revocations(signature, &[RevocationOrigin::AttributeRevocationValues]),
            );
            let mut data = certificates(signature, &[CertificateOrigin::TimestampValidationData]);
            data.extend(revocations(signature, &[RevocationOrigin::TimestampValidationData]));
            values(xml, "TimeStampValidationData", data);
            timestamps(xml, view, &[TimestampType::Archive], "ArchiveTimeStamp", false);
            let digest = signature.digest_matchers.iter().find(|m| m.kind == MatcherType::MessageDigest);
            if let Some(digest) = digest {
                signed(xml, "MessageDigest", true, |xml| xml.base64("Digest", &digest.digest.value.0));
            }
            pdf(xml, view);
        });
    }

    fn has_attributes(&self, signature: &Signature) -> bool {
        signature.claimed_signing_time.is_some()
            || signature.signing_certificate.is_some()
            || signature.content_type.is_some()
            || signature.mime_type.is_some()
            || !signature.digest_matchers.is_empty()
            || signature.pdf_revision.is_some()
            || !signature.found_timestamps.is_empty()
    }

    /// Writes the certificates that the signing-certificate attribute names (A.3).
    fn signing_certificate(&self, xml: &mut Writer, signature: &Signature) {
        let named: Vec<&Id> = signature
            .found_certificates
            .iter()
            .filter(|found| found.references.iter().any(|r| r.origin == CertificateRefOrigin::SigningCertificate))
            .map(|found| &found.certificate)
            .filter(|id| self.is_object(id))
            .collect();
        if !named.is_empty() {
            signed(xml, "SigningCertificate", true, |xml| attribute_objects(xml, &named));
        }
    }

    fn certificate_refs(&self, xml: &mut Writer, signature: &Signature, origin: CertificateRefOrigin, name: &str) {
        let found = signature.found_certificates.iter().filter(|f| f.references.iter().any(|r| r.origin == origin));
        let known: Vec<&Id> =
            found.clone().filter(|f| self.is_object(&f.certificate)).map(|f| &f.certificate).collect();
        let digests: Vec<_> = found
            .filter(|f| !self.is_object(&f.certificate))
            .flat_map(|f| &f.references)
            .filter_map(|r| r.digest.as_ref())
            .collect();
        if known.is_empty() && digests.is_empty() {
            return;
        }
        xml.element(name, |xml| {
            attribute_objects(xml, &known);
            for digest in digests {
                xml.element("CertID", |xml| {
                    xml.digest_parts(digest);
                });
            }
        });
    }

    fn is_object(&self, id: &Id) -> bool {
        self.report.certificate(id).is_some()
    }
}

fn timestamps(xml: &mut Writer, signature: SignatureView<'_>, kinds: &[TimestampType], name: &str, is_signed: bool) {
    for timestamp in signature.timestamps().filter(|timestamp| kinds.contains(&timestamp.kind())) {
        signed(xml, name, is_signed, |xml| {
            attribute_objects(xml, &[timestamp.id()]);
            xml.time("TimeStampValue", timestamp.time());
        });
    }
}

/// Writes the counter-signatures, each by its digest (A.11).
fn counter_signatures(xml: &mut Writer, signature: SignatureView<'_>) {
    for counter in signature.counter_signatures() {
        let Some(reference) = &counter.facts().digest_reference else { continue };
        xml.element("CounterSignature", |xml| {
            attribute_objects(xml, &[counter.id()]);
            xml.element("CounterSignature", |xml| super::objects::signature_reference(xml, reference));
        });
    }
}

/// Writes what a PDF states around the signature (A.27 to A.35).
fn pdf(xml: &mut Writer, view: SignatureView<'_>) {
    let signature = view.facts();
    let Some(revision) = &signature.pdf_revision else { return };
    let list = |ids: Vec<&Id>| ids.into_iter().map(Id::as_str).collect::<Vec<_>>().join(" ");
    for (name, certificate, revocation) in [
        ("DSS", CertificateOrigin::DssDictionary, RevocationOrigin::DssDictionary),
        ("VRI", CertificateOrigin::VriDictionary, RevocationOrigin::VriDictionary),
    ] {
        let certs = certificates(signature, &[certificate]);
        let of = |kind| {
            let all = signature.found_revocations.iter().filter(|r| r.kind == kind && !r.orphan);
            all.filter(|r| r.origins.contains(&revocation)).map(|r| &r.revocation).collect::<Vec<_>>()
        };
        let (crls, ocsps) = (of(RevocationType::Crl), of(RevocationType::Ocsp));
        if certs.is_empty() && crls.is_empty() && ocsps.is_empty() {
            continue;
        }
        xml.element(name, |xml| {
            for (child, ids) in [("Certs", certs), ("CRLs", crls), ("OCSPs", ocsps)] {
                if !ids.is_empty() {
                    xml.empty(child, &[("VOReference", &list(ids))]);
                }
            }
        });
    }
    timestamps(xml, view, &[TimestampType::Document], "DocTimeStamp", false);
    for (name, child, value) in [
        ("Reason", "ReasonElement", &revision.reason),
        ("Name", "NameElement", &revision.signer_name),
        ("ContactInfo", "ContactInfoElement", &revision.contact_info),
        ("SubFilter", "SubFilterElement", &revision.sub_filter),
    ] {
        if let Some(value) = value {
            xml.element(name, |xml| xml.text(child, value));
        }
    }
    if !revision.byte_range.is_empty() {
        xml.text("ByteRange", &revision.byte_range.iter().map(i64::to_string).collect::<Vec<_>>().join(" "));
    }
    if let Some(filter) = &revision.filter {
        xml.element("Filter", |xml| xml.text("Filter", filter));
    }
}

/// Writes an attribute element; `Signed` only where it is.
fn signed(xml: &mut Writer, name: &str, is_signed: bool, content: impl FnOnce(&mut Writer)) {
    xml.open(name, if is_signed { &[("Signed", "true")] } else { &[] });
    content(xml);
    xml.close(name);
}

fn attribute_objects(xml: &mut Writer, ids: &[&Id]) {
    for id in ids {
        xml.empty("AttributeObject", &[("VOReference", id.as_str())]);
    }
}

fn optional(xml: &mut Writer, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        xml.text(name, value);
    }
}

fn production_place(xml: &mut Writer, signature: &Signature) {
    let Some(place) = &signature.production_place else { return };
    let lines: Vec<&str> = place
        .postal_address
        .iter()
        .map(String::as_str)
        .chain(
            [&place.city, &place.state, &place.post_office_box, &place.postal_code]
                .into_iter()
                .filter_map(|v| v.as_deref()),
        )
        .chain([&place.country, &place.street_address].into_iter().filter_map(|v| v.as_deref()))
        .collect();
    if !lines.is_empty() {
        signed(xml, "SignatureProductionPlace", signature.pdf_revision.is_none(), |xml| {
            lines.iter().for_each(|line| xml.text("AddressString", line));
        });
    }
}

fn certificates<'a>(signature: &'a Signature, origins: &[CertificateOrigin]) -> Vec<&'a Id> {
    let found = signature.found_certificates.iter().filter(|f| !f.orphan);
    found.filter(|f| f.origins.iter().any(|o| origins.contains(o))).map(|f| &f.certificate).collect()
}

fn revocations<'a>(signature: &'a Signature, origins: &[RevocationOrigin]) -> Vec<&'a Id> {
    let found = signature.found_revocations.iter().filter(|f| !f.orphan);
    found.filter(|f| f.origins.iter().any(|o| origins.contains(o))).map(|f| &f.revocation).collect()
}

fn values(xml: &mut Writer, name: &str, ids: Vec<&Id>) {
    if !ids.is_empty() {
        xml.element(name, |xml| attribute_objects(xml, &ids));
    }
}

fn revocation_refs(xml: &mut Writer, signature: &Signature, origin: RevocationRefOrigin, name: &str) {
    let found: Vec<_> = signature
        .found_revocations
        .iter()
        .flat_map(|f| f.references.iter().filter(|r| r.origins.contains(&origin)).map(move |r| (f, r)))
        .collect();
    if found.is_empty() {
        return;
    }
    xml.element(name, |xml| {
        for (_, known) in found.iter().map(|(f, _)| (f.orphan, &f.revocation)).filter(|(orphan, _)| !orphan) {
            attribute_objects(xml, &[known]);
        }
        for (_, reference) in found.iter().filter(|(f, _)| f.orphan) {
            revocation_id(xml, reference);
        }
    });
}

/// Writes what identifies revocation data: an OCSP response by responder and time, a CRL by digest (A.14).
fn revocation_id(xml: &mut Writer, reference: &RevocationRef) {
    match (reference.produced_at, &reference.responder, &reference.digest) {
        (Some(produced_at), Some(responder), _) => ocsp_id(xml, produced_at, responder),
        (_, _, Some(digest)) => xml.element("CRLID", |xml| {
            xml.digest_parts(digest);
        }),
        _ => {}
    }
}

fn ocsp_id(xml: &mut Writer, produced_at: Time, responder: &crate::facts::SignerInfo) {
    xml.element("OCSPID", |xml| {
        xml.time("ProducedAt", produced_at);
        match (&responder.issuer, &responder.ski) {
            (Some(name), _) => xml.text("ResponderIDByName", name),
            (None, Some(key)) => xml.base64("ResponderIDByKey", &key.0),
            (None, None) => xml.text("ResponderIDByName", ""),
        }
    });
}

/// Writes the algorithm that decided, else the token's own, and until when it is good enough (clause 4.3.4.4.5).
pub(super) fn crypto_information(xml: &mut Writer, data: &Associated<'_>) {
    let aov = data.blocks.algorithms.as_ref();
    let own = aov.and_then(|aov| aov.signature.as_ref());
    let decided = aov.and_then(|aov| aov.all().find(|check| !check.conclusion.is_passed())).or(own);
    let (token, uri) = match decided {
        Some(check) => (&check.token, uri(check.key, check.digest)),
        None => (data.token, uri(data.algorithm.key_algorithm, data.algorithm.digest_algorithm)),
    };
    let secure = uri.is_some() && decided.is_none_or(|check| check.conclusion.is_passed());
    xml.element("CryptoInformation", |xml| {
        xml.empty("ValidationObjectId", &[("VOReference", token.as_str())]);
        xml.text("Algorithm", uri.as_deref().unwrap_or(UNIDENTIFIED));
        xml.boolean("SecureAlgorithm", secure);
        if let Some(end) = decided.and_then(|check| check.not_after) {
            xml.time("NotAfter", end);
        }
    });
}

/// Returns the URI of a signature algorithm, or of a digest function alone.
fn uri(key: Option<KeyAlgorithm>, digest: Option<DigestAlgorithm>) -> Option<Cow<'static, str>> {
    match (key, digest) {
        (Some(key), digest) => SignatureAlgorithm::new(key, digest).uri(),
        (None, digest) => digest.map(|digest| digest.uri()),
    }
}
