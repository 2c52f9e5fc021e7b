//! Views join what belongs together, whatever the order of the lists.

use super::*;
use crate::facts::{
    Certificate, CertificateRevocation, CertificateStatus, EvidenceRecord, EvidenceRecordOrigin, EvidenceRecordType,
    Facts, NameForms, Revocation, Scope, ScopeType, Signature, SignedData, SubjectAttributes, Timestamp, TimestampType,
    Trust,
};
use crate::qualification::{SignatureQualification, TimestampQualification};
use crate::report::testing;
use crate::time::Time;

fn id(text: &str) -> Id {
    Id::new(text)
}

fn ids<'a>(views: impl Iterator<Item = &'a Id>) -> Vec<&'a str> {
    views.map(Id::as_str).collect()
}

fn certificate(name: &str, issuer: Option<&str>, says: &[&str]) -> Certificate {
    let said = |data: &&str| CertificateRevocation {
        revocation: id(data),
        status: CertificateStatus::Good,
        reason: None,
        revocation_date: None,
        invalidity_date: None,
    };
    Certificate {
        id: id(name),
        sha256: Some(format!("digest of {name}")),
        subject: NameForms { canonical: name.to_lowercase(), rfc2253: format!("CN={name}") }.into(),
        signing_certificate: issuer.map(id),
        chain: issuer.map(id).into_iter().collect(),
        revocations: says.iter().map(said).collect(),
        ..Certificate::default()
    }
}

fn revocation(name: &str, signer: &str) -> Revocation {
    let json = serde_json::json!({ "id": name, "kind": "OCSP", "signing_certificate": signer, "chain": [signer] });
    serde_json::from_value(json).expect("the other fields have defaults")
}

/// Returns a signature S-1 of SIGNER, counter-signed by S-0, with two time-stamps of TSA; OCSP of RESPONDER; all below
/// ROOT.
fn facts() -> Facts {
    let scope = |name: Option<&str>, data: &str| Scope {
        kind: ScopeType::Full,
        name: name.map(str::to_owned),
        description: String::new(),
        transformations: vec![],
        signed_data: id(data),
    };
    let data = |data: &str, name: &str| SignedData { id: id(data), name: Some(name.into()), ..SignedData::default() };
    let signature = |name: &str| Signature {
        id: id(name),
        signing_certificate: Some(id("SIGNER")),
        chain: vec![id("SIGNER"), id("ROOT")],
        ..Signature::default()
    };
    let timestamp = |name: &str| Timestamp {
        signing_certificate: Some(id("TSA")),
        chain: vec![id("TSA"), id("ROOT")],
        ..Timestamp::new(id(name), TimestampType::Signature, Time::from_seconds(1_700_000_000))
    };
    let root = Certificate {
        trust: Trust { trusted: true, start: None, sunset: None },
        self_signed: true,
        ..certificate("ROOT", None, &[])
    };
    Facts {
        signatures: vec![
            Signature { parent: Some(id("S-1")), counter_signature: true, ..signature("S-0") },
            Signature {
                found_timestamps: vec![id("T-2"), id("T-1"), id("T-9")],
                scopes: vec![scope(None, "D-2").into(), scope(Some("a.txt"), "D-1").into()],
                ..signature("S-1")
            },
        ],
        timestamps: vec![timestamp("T-1"), timestamp("T-2"), timestamp("T-3")],
        evidence_records: vec![EvidenceRecord {
            timestamps: vec![id("T-3")],
            ..EvidenceRecord::new(id("E-1"), EvidenceRecordType::Xml, EvidenceRecordOrigin::External)
        }],
        certificates: vec![
            certificate("TSA", Some("ROOT"), &["R-1"]),
            root,
            certificate("SIGNER", Some("ROOT"), &["R-2", "R-1"]),
            certificate("RESPONDER", Some("ROOT"), &[]),
        ],
        revocations: vec![revocation("R-2", "RESPONDER"), revocation("R-1", "ROOT")],
        signed_data: vec![data("D-1", "b.txt"), data("D-2", "c.txt")],
        ..Facts::default()
    }
}

#[test]
fn a_signature_has_its_verdict_and_what_it_names() {
    let report = testing::report(facts());
    assert_eq!(ids(report.signatures().map(|s| s.id())), ["S-0", "S-1"]);
    let signature = report.signature(&id("S-1")).expect("it is there");
    assert_eq!(signature.verdict().id, id("S-1"));
    assert_eq!(signature.indication(), signature.verdict().indication);
    assert_eq!(signature.signer().map(|signer| signer.name()), Some("CN=SIGNER"));
    assert_eq!(ids(signature.chain().map(|c| c.id())), ["SIGNER", "ROOT"]);
    assert_eq!(ids(signature.timestamps().map(|t| t.id())), ["T-2", "T-1"], "T-9 is not in the record");
    let names: Vec<_> = signature.scope().map(|scope| scope.name()).collect();
    assert_eq!(names, [Some("c.txt"), Some("a.txt")], "the signature's own name of the data goes first");
    assert_eq!(ids(signature.counter_signatures().map(|s| s.id())), ["S-0"]);
    let counter = report.signature(&id("S-0")).expect("it is there");
    assert_eq!(counter.parent().map(|parent| parent.id()), Some(&id("S-1")));
    assert_eq!(counter.counter_signatures().count(), 0);
    assert!(report.signature(&id("S-2")).is_none());
}

#[test]
fn a_qualification_is_of_its_own_token() {
    let mut report = testing::report(facts());
    report.qualifications.signatures.reverse();
    report.qualifications.signatures[0].qualification = SignatureQualification::Qesig;
    report.qualifications.timestamps.reverse();
    report.qualifications.timestamps[0].qualification = TimestampQualification::Qtsa;
    let of = |name: &str| report.signature(&id(name)).expect("it is there").qualification();
    assert_eq!((of("S-1"), of("S-0")), (SignatureQualification::Qesig, SignatureQualification::Na));
    let qualified = report.timestamps().filter(|t| t.qualification() == TimestampQualification::Qtsa);
    assert_eq!(ids(qualified.map(|t| t.id())), ["T-3"]);
}

#[test]
fn a_time_stamp_and_an_evidence_record_have_their_verdicts() {
    let report = testing::report(facts());
    for timestamp in report.timestamps() {
        assert_eq!(timestamp.verdict().id, *timestamp.id());
        assert_eq!(timestamp.signer().map(|signer| signer.name()), Some("CN=TSA"));
    }
    assert_eq!(report.timestamp(&id("T-1")).map(|t| t.kind_name()).as_deref(), Some("signature-timestamp"));
    let record = report.evidence_record(&id("E-1")).expect("it is there");
    assert_eq!(record.verdict().id, id("E-1"));
    assert_eq!(ids(record.timestamps().map(|t| t.id())), ["T-3"]);
}

#[test]
fn a_certificate_has_its_roles_and_its_revocation_data() {
    use CertificateRole::{CertificateIssuer, RevocationSigner, SignatureSigner, TimestampSigner, TrustAnchor};
    let report = testing::report(facts());
    for (name, roles, data) in [
        ("SIGNER", vec![SignatureSigner], vec!["R-2", "R-1"]),
        ("TSA", vec![TimestampSigner], vec!["R-1"]),
        ("RESPONDER", vec![RevocationSigner], vec![]),
        ("ROOT", vec![RevocationSigner, CertificateIssuer, TrustAnchor], vec![]),
    ] {
        let certificate = report.certificate(&id(name)).expect("it is there");
        assert_eq!(certificate.roles().collect::<Vec<_>>(), roles, "{name}");
        assert_eq!(ids(certificate.revocations().map(|(data, _)| data.id())), data, "{name}");
        assert_eq!(certificate.sha256(), Some(&*format!("digest of {name}")));
        assert_eq!(certificate.issuer().map(|issuer| issuer.id().as_str()), Some("ROOT").filter(|_| name != "ROOT"));
    }
    let of = |name: &str| report.revocation(&id(name)).expect("it is there");
    assert_eq!(ids(of("R-1").statements().map(|(certificate, _)| certificate.id())), ["TSA", "SIGNER"]);
    assert_eq!(ids(of("R-2").statements().map(|(certificate, _)| certificate.id())), ["SIGNER"]);
    assert_eq!(of("R-2").signer().map(|signer| signer.name()), Some("CN=RESPONDER"));
    assert_eq!(of("R-2").verdict().map(|blocks| &blocks.token), Some(&id("R-2")));
}

#[test]
fn people_call_a_certificate_by_its_common_name() {
    for (common_name, expected) in [(Some("Ada"), "Ada"), (Some(" "), "CN=X"), (None, "CN=X")] {
        let attributes = SubjectAttributes { common_name: common_name.map(str::to_owned), ..Default::default() };
        let certificate = Certificate { attributes: attributes.into(), ..certificate("X", None, &[]) };
        let report = testing::report(Facts { certificates: vec![certificate], ..Facts::default() });
        assert_eq!(report.name_or_id(&id("X")), expected);
        assert_eq!(report.name_or_id(&id("Y")), "Y");
    }
}

#[test]
fn of_two_tokens_with_one_id_the_first_is_found() {
    let twins = ["first", "second"].map(|serial| Certificate { serial: serial.into(), ..certificate("X", None, &[]) });
    let report = testing::report(Facts { certificates: twins.into(), ..Facts::default() });
    assert_eq!(report.certificate(&id("X")).map(|certificate| certificate.serial()), Some("first"));
    assert_eq!(report.certificates().count(), 2);
}

#[test]
fn findings_come_in_the_order_of_their_weight() {
    let report = testing::report(facts());
    let signature = report.signature(&id("S-1")).expect("it is there");
    let found: Vec<Finding<'_>> = signature.findings().collect();
    assert!(found.iter().any(|finding| finding.severity == Severity::Error), "{found:?}");
    assert!(found.is_sorted_by_key(|finding| finding.severity));
    assert!(found.iter().all(|finding| finding.message != finding.check), "each has a sentence");
}
