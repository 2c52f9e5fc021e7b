//! The JSON report, `lacre-report/1`: field names and spellings are a contract.

use super::trust_service::{self, TrustService};
use super::{Language, PolicyName, Report, family, messages};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{self, Covered, Id, ScopeType};
use crate::hex;
use crate::time::Time;
use crate::validation::blocks::BuildingBlocks;
use crate::validation::engine::{Block, Conclusion, Message};
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::{EvidenceRecordVerdict, Findings, Process, SignatureVerdict, TimestampVerdict};
use serde::Serialize;
use sha2::Digest as _;

/// The report as one JSON object on one line.
pub(super) fn write(report: &Report) -> String {
    /// Short reports have some thousand octets.
    const ROOM: usize = 16 << 10;
    let mut out = Vec::with_capacity(ROOM);
    serde_json::to_writer(&mut out, &root(report)).expect("every key is a text and every value has a JSON form");
    String::from_utf8(out).expect("JSON is UTF-8")
}

#[derive(Serialize)]
struct Root<'a> {
    schema: &'static str,
    generator: Generator,
    validation_time: Time,
    policy: &'a PolicyName,
    document: Document<'a>,
    conclusion: Total,
    signatures: Vec<Signature<'a>>,
    timestamps: Vec<Timestamp<'a>>,
    evidence_records: Vec<EvidenceRecord<'a>>,
    certificates: Vec<CertificateToken<'a>>,
    revocations: Vec<RevocationToken<'a>>,
    trusted_lists: Vec<ListToken<'a>>,
    trust: Option<Trust<'a>>,
    wanted: Vec<super::Wanted>,
}

#[derive(Serialize)]
pub(super) struct Generator {
    name: &'static str,
    version: &'static str,
}

/// This version of lacre.
pub(super) const GENERATOR: Generator = Generator { name: "lacre", version: env!("CARGO_PKG_VERSION") };

/// Who could be trusted at all.
#[derive(Serialize)]
pub(super) struct Trust<'a> {
    state: facts::TrustState,
    #[serde(flatten)]
    store: &'a facts::TrustStore,
}

#[derive(Serialize)]
struct Document<'a> {
    name: Option<&'a str>,
    size: Option<u64>,
    sha256: Option<&'a str>,
    format: Option<&'static str>,
    container: Option<&'static str>,
}

#[derive(Serialize)]
struct Total {
    indication: Indication,
    signatures: usize,
    passed: usize,
}

#[derive(Serialize, Default)]
struct Outcome {
    indication: Option<Indication>,
    sub_indication: Option<SubIndication>,
}

#[derive(Serialize)]
struct Signature<'a> {
    id: &'a Id,
    /// Absent where the signature has no value that can be read.
    value_sha256: Option<String>,
    parent: Option<&'a Id>,
    format: &'static str,
    level: Option<facts::SignatureLevel>,
    file: &'a str,
    field: Option<&'a str>,
    indication: Indication,
    sub_indication: Option<SubIndication>,
    basic: Outcome,
    long_term: Outcome,
    archival: Outcome,
    claimed_signing_time: Option<Time>,
    best_signature_time: Time,
    signing_certificate: Option<Certificate<'a>>,
    chain: Vec<Option<String>>,
    algorithm: Algorithm,
    scope: Vec<Scope<'a>>,
    qualification: &'static str,
    qualification_text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust_service: Option<TrustService<'a>>,
    timestamps: &'a [Id],
    blocks: Blocks,
    findings: Vec<Finding<'a>>,
}

#[derive(Serialize)]
pub(super) struct Certificate<'a> {
    sha256: Option<String>,
    subject: &'a str,
    issuer: &'a str,
    serial: &'a str,
    not_before: Time,
    not_after: Time,
}

#[derive(Serialize)]
struct Algorithm {
    signature: Option<&'static str>,
    digest: Option<&'static str>,
    key: Option<u32>,
}

#[derive(Serialize)]
struct Scope<'a> {
    name: Option<&'a str>,
    kind: ScopeType,
}

/// `blocks`: each building block that ran.
#[derive(Serialize, Default)]
#[serde(rename_all = "UPPERCASE")]
struct Blocks {
    #[serde(skip_serializing_if = "Option::is_none")]
    fc: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    isc: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vci: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xcv: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cv: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sav: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    psv: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pcv: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vts: Option<Outcome>,
}

#[derive(Serialize)]
pub(super) struct Finding<'a> {
    severity: &'static str,
    check: &'static str,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<&'a str>,
    token: Option<&'a Id>,
}

#[derive(Serialize)]
struct Timestamp<'a> {
    id: &'a Id,
    #[serde(rename = "type")]
    kind: String,
    time: Time,
    indication: Indication,
    sub_indication: Option<SubIndication>,
    qualification: &'static str,
    qualification_text: &'static str,
    signing_certificate: Option<Certificate<'a>>,
    blocks: Blocks,
    findings: Vec<Finding<'a>>,
    covers: Vec<&'a Id>,
}

#[derive(Serialize)]
struct EvidenceRecord<'a> {
    id: &'a Id,
    #[serde(rename = "type")]
    kind: facts::EvidenceRecordType,
    indication: Indication,
    sub_indication: Option<SubIndication>,
    time: Time,
    findings: Vec<Finding<'a>>,
    covers: Vec<&'a Id>,
}

#[derive(Serialize)]
pub(super) struct CertificateToken<'a> {
    id: &'a Id,
    sha256: Option<String>,
    subject: &'a str,
    trusted: bool,
}

#[derive(Serialize)]
struct RevocationToken<'a> {
    id: &'a Id,
    #[serde(rename = "type")]
    kind: &'static str,
    sha256: Option<String>,
    this_update: Option<Time>,
    next_update: Option<Time>,
}

#[derive(Serialize)]
pub(super) struct ListToken<'a> {
    id: &'a Id,
    url: &'a str,
    country: Option<&'a str>,
    sequence_number: Option<i64>,
    issue_date: Option<Time>,
    next_update: Option<Time>,
    list_of_lists: bool,
}

fn root(report: &Report) -> Root<'_> {
    let facts = &report.facts;
    let passed = report.verdicts.signatures.iter().filter(|s| s.indication == Indication::TotalPassed).count();
    Root {
        schema: "lacre-report/1",
        generator: GENERATOR,
        validation_time: report.verdicts.time,
        policy: &report.policy,
        document: document(report),
        conclusion: Total { indication: report.indication(), signatures: facts.signatures.len(), passed },
        signatures: report.signatures().map(|(facts, verdict)| signature(report, facts, verdict)).collect(),
        timestamps: facts
            .timestamps
            .iter()
            .filter_map(|t| Some(timestamp(report, t, report.verdicts.timestamp(&t.id)?)))
            .collect(),
        evidence_records: facts
            .evidence_records
            .iter()
            .filter_map(|r| Some(evidence_record(report, r, report.verdicts.evidence_record(&r.id)?)))
            .collect(),
        certificates: facts.certificates.iter().map(certificate_token).collect(),
        revocations: facts.revocations.iter().map(revocation_token).collect(),
        trusted_lists: facts.trusted_lists.iter().map(list_token).collect(),
        trust: trust(facts),
        wanted: report.wanted(),
    }
}

pub(super) fn trust(facts: &facts::Facts) -> Option<Trust<'_>> {
    facts.trust_store.as_ref().map(|store| Trust { state: store.state(), store })
}

pub(super) fn certificate_token(certificate: &facts::Certificate) -> CertificateToken<'_> {
    CertificateToken {
        id: &certificate.id,
        sha256: sha256(&certificate.id, certificate.digest.as_ref()),
        subject: &certificate.subject.rfc2253,
        trusted: certificate.trust.trusted,
    }
}

fn revocation_token(revocation: &facts::Revocation) -> RevocationToken<'_> {
    RevocationToken {
        id: &revocation.id,
        kind: revocation_kind(revocation),
        sha256: sha256(&revocation.id, revocation.digest.as_ref()),
        this_update: revocation.this_update,
        next_update: revocation.next_update,
    }
}

pub(super) fn revocation_kind(revocation: &facts::Revocation) -> &'static str {
    match revocation.kind {
        facts::RevocationType::Crl => "crl",
        facts::RevocationType::Ocsp => "ocsp",
    }
}

pub(super) fn list_token(list: &facts::TrustedList) -> ListToken<'_> {
    ListToken {
        id: &list.id,
        url: &list.url,
        country: list.country.as_deref(),
        sequence_number: list.sequence_number,
        issue_date: list.issue_date,
        next_update: list.next_update,
        list_of_lists: list.lotl,
    }
}

/// The family of formats of the document, or what it is instead of signed.
pub(super) fn format_of(facts: &facts::Facts) -> Option<&'static str> {
    match (facts.signatures.first(), facts.timestamps.first(), facts.evidence_records.first()) {
        (Some(signature), ..) => signature.level.map(family),
        (None, _, Some(_)) => Some("evidence-record"),
        (None, Some(_), None) => Some("timestamp"),
        (None, None, None) => None,
    }
}

fn document(report: &Report) -> Document<'_> {
    let facts = &report.facts;
    let container = facts.container.as_ref().map(|c| match (&c.mimetype, c.kind) {
        (Some(mimetype), _) if mimetype.contains("opendocument") => "ODF",
        (_, Some(facts::ContainerType::AsicS)) => "ASiC-S",
        _ => "ASiC-E",
    });
    Document {
        name: facts.document.name.as_deref(),
        size: facts.document.size,
        sha256: facts.document.sha256.as_deref(),
        format: format_of(facts),
        container,
    }
}

fn signature<'a>(report: &'a Report, facts: &'a facts::Signature, verdict: &'a SignatureVerdict) -> Signature<'a> {
    let qualification = report.signature_quality(&facts.id);
    let signer = facts.signing_certificate.as_ref().and_then(|id| certificate_of(report, id));
    let best_signature_time = verdict.best_signature_time().time;
    let trust_service = signer.and_then(|signer| trust_service::of(&report.facts, signer, best_signature_time));
    Signature {
        id: &facts.id,
        value_sha256: value_sha256(facts),
        parent: facts.parent.as_ref(),
        format: facts.level.map_or("unknown", family),
        level: facts.level,
        file: &facts.file,
        field: facts.pdf_revision.as_ref().and_then(|r| r.fields.first()).map(|f| f.name.as_str()),
        indication: verdict.indication,
        sub_indication: verdict.sub_indication,
        basic: process(&verdict.basic),
        long_term: process(&verdict.long_term),
        archival: process(&verdict.archival),
        claimed_signing_time: facts.claimed_signing_time,
        best_signature_time,
        signing_certificate: certificate(report, facts.signing_certificate.as_ref()),
        chain: facts
            .chain
            .iter()
            .map(|id| sha256(id, certificate_of(report, id).and_then(|c| c.digest.as_ref())))
            .collect(),
        algorithm: Algorithm {
            signature: facts.basic.key_algorithm.map(|a| a.as_str()),
            digest: facts.basic.digest_algorithm.map(|a| a.as_str()),
            key: facts.basic.key_length,
        },
        scope: facts.scopes.iter().map(|s| Scope { name: s.name.as_deref(), kind: s.kind }).collect(),
        qualification: qualification.as_str(),
        qualification_text: messages::phrase(report.language, qualification),
        trust_service,
        timestamps: &facts.found_timestamps,
        blocks: blocks(&verdict.blocks),
        findings: findings(report.language, &verdict.findings),
    }
}

fn timestamp<'a>(report: &'a Report, facts: &'a facts::Timestamp, verdict: &'a TimestampVerdict) -> Timestamp<'a> {
    let conclusion = verdict.conclusion();
    let qualification = report.timestamp_quality(&facts.id);
    Timestamp {
        id: &facts.id,
        kind: facts.kind.as_str().to_ascii_lowercase().replace('_', "-"),
        time: facts.production_time,
        indication: conclusion.indication,
        sub_indication: conclusion.sub_indication,
        qualification: qualification.as_str(),
        qualification_text: messages::phrase(report.language, qualification),
        signing_certificate: certificate(report, facts.signing_certificate.as_ref()),
        blocks: blocks(&verdict.blocks),
        findings: findings(report.language, &verdict.findings),
        covers: ids(&facts.covered),
    }
}

fn evidence_record<'a>(
    report: &Report,
    facts: &'a facts::EvidenceRecord,
    verdict: &'a EvidenceRecordVerdict,
) -> EvidenceRecord<'a> {
    let conclusion = &verdict.result.conclusion;
    EvidenceRecord {
        id: &facts.id,
        kind: facts.kind,
        indication: conclusion.indication,
        sub_indication: conclusion.sub_indication,
        time: verdict.proof_of_existence.time,
        findings: findings(report.language, &verdict.findings),
        covers: ids(&facts.covered),
    }
}

fn certificate<'a>(report: &'a Report, id: Option<&Id>) -> Option<Certificate<'a>> {
    certificate_of(report, id?).map(described)
}

pub(super) fn described(certificate: &facts::Certificate) -> Certificate<'_> {
    Certificate {
        sha256: sha256(&certificate.id, certificate.digest.as_ref()),
        subject: &certificate.subject.rfc2253,
        issuer: &certificate.issuer.rfc2253,
        serial: &certificate.serial,
        not_before: certificate.not_before,
        not_after: certificate.not_after,
    }
}

pub(super) fn certificate_of<'a>(report: &'a Report, id: &Id) -> Option<&'a facts::Certificate> {
    report.facts.certificates.iter().find(|c| c.id == *id)
}

fn ids(covered: &[Covered]) -> Vec<&Id> {
    covered.iter().map(|c| &c.id).collect()
}

fn process(process: &Process) -> Outcome {
    outcome(&process.block.conclusion)
}

fn outcome(conclusion: &Conclusion) -> Outcome {
    Outcome { indication: Some(conclusion.indication), sub_indication: conclusion.sub_indication }
}

fn blocks(blocks: &BuildingBlocks) -> Blocks {
    let of = |block: &Option<Block>| block.as_ref().map(|b| outcome(&b.conclusion));
    Blocks {
        fc: of(&blocks.fc),
        isc: of(&blocks.isc),
        vci: of(&blocks.vci),
        xcv: blocks.xcv.as_ref().map(|x| outcome(&x.block.conclusion)),
        cv: of(&blocks.cv),
        sav: of(&blocks.sav),
        psv: of(&blocks.psv),
        pcv: of(&blocks.pcv),
        vts: of(&blocks.vts),
    }
}

pub(super) fn findings(language: Language, findings: &Findings) -> Vec<Finding<'_>> {
    [("error", &findings.errors), ("warning", &findings.warnings), ("info", &findings.infos)]
        .into_iter()
        .flat_map(|(severity, list)| list.iter().map(move |message| finding(language, severity, message)))
        .collect()
}

/// The same of errors alone.
pub(super) fn errors(language: Language, errors: &[Message]) -> Vec<Finding<'_>> {
    errors.iter().map(|message| finding(language, "error", message)).collect()
}

fn finding<'a>(language: Language, severity: &'static str, message: &'a Message) -> Finding<'a> {
    Finding {
        severity,
        check: message.key(),
        message: messages::sentence(language, message.key()),
        compared: message.compared.as_deref(),
        token: message.token.as_ref(),
    }
}

/// The SHA-256 of a signature's value, which names it across validators; `None` where it has no value that can be read.
pub fn value_sha256(signature: &facts::Signature) -> Option<String> {
    (!signature.value.0.is_empty()).then(|| hex::lower(&sha2::Sha256::digest(&signature.value.0)))
}

/// The SHA-256 of a token: stated, else from its id, which ends in it.
///
/// Facts of other validators may leave zeros at its beginning out of the id, or name tokens otherwise.
pub fn sha256(id: &Id, stated: Option<&facts::Digest>) -> Option<String> {
    if let Some(digest) = stated.filter(|d| d.algorithm == Some(DigestAlgorithm::Sha256) && d.value.0.len() == 32) {
        return Some(hex::lower(&digest.value.0));
    }
    let last = id.as_str().rsplit('-').next().unwrap_or_default();
    let is_digest = (56..=64).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_hexdigit());
    is_digest.then(|| format!("{:0>64}", last.to_ascii_lowercase()))
}
