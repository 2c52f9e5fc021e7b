//! The JSON report, `lacre-report/2`: field names and spellings are a contract.

use super::name::IdentifierKind;
use super::trust_service::TrustService;
use super::view::{
    CertificateView, EvidenceRecordView, Finding, IrregularityView, RevocationView, ScopeView, SignatureView,
    TimestampView,
};
use super::{PolicyName, Report, family};
use crate::facts::{self, CertificateRevocation, CertificateStatus, Covered, Id, RevocationReason, ScopeType};
use crate::time::Time;
use crate::validation::Process;
use crate::validation::blocks::BuildingBlocks;
use crate::validation::engine::{Block, Conclusion};
use crate::validation::outcome::{Indication, SubIndication};
use serde::Serialize;

/// Writes the report as one JSON object on one line.
pub(super) fn write(report: &Report) -> String {
    /// The size of a short report, some thousand bytes.
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

/// The trust anchors and trusted lists of the judgement.
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    irregularities: Vec<IrregularityView<'a>>,
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
    /// `null` where the signature has no value that can be read.
    value_sha256: Option<String>,
    parent: Option<&'a Id>,
    format: &'static str,
    level: Option<facts::SignatureLevel>,
    file: &'a str,
    field: Option<&'a str>,
    signer: Option<Person<'a>>,
    indication: Indication,
    sub_indication: Option<SubIndication>,
    basic: Outcome,
    long_term: Outcome,
    archival: Outcome,
    claimed_signing_time: Option<Time>,
    best_signature_time: Time,
    reason: Option<&'a str>,
    location: Option<String>,
    roles: Vec<Role<'a>>,
    commitments: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes_since_signing: Option<Changes>,
    signing_certificate: Option<Certificate<'a>>,
    chain: Vec<Option<&'a str>>,
    algorithm: Algorithm,
    scope: Vec<Scope<'a>>,
    qualification: &'static str,
    qualification_text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust_service: Option<TrustService<'a>>,
    timestamps: &'a [Id],
    blocks: Blocks,
    findings: Vec<Finding<'a>>,
    qualification_findings: Vec<Finding<'a>>,
}

/// The subject of a certificate.
#[derive(Serialize)]
pub(super) struct Person<'a> {
    name: &'a str,
    given_name: Option<&'a str>,
    surname: Option<&'a str>,
    pseudonym: Option<&'a str>,
    organisation: Option<&'a str>,
    organisation_identifier: Option<Identifier<'a>>,
    serial_number: Option<Identifier<'a>>,
    country: Option<&'a str>,
}

/// An identifier, its kind (EN 319 412-1 §5.1.3) and the country that gave it.
#[derive(Serialize)]
struct Identifier<'a> {
    value: &'a str,
    #[serde(rename = "type")]
    kind: Option<IdentifierKind>,
    country: Option<&'a str>,
}

#[derive(Serialize)]
struct Role<'a> {
    role: &'a str,
    certified: bool,
}

/// What later revisions of a PDF changed: the number of objects of each class, and whether pages look different.
#[derive(Serialize)]
struct Changes {
    extension: usize,
    form_fill: usize,
    annotation: usize,
    undefined: usize,
    pages_added_or_removed: bool,
    pages_look_different: bool,
}

#[derive(Serialize)]
pub(super) struct Certificate<'a> {
    sha256: Option<&'a str>,
    name: &'a str,
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
    data: &'a Id,
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
    qualification_findings: Vec<Finding<'a>>,
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
    sha256: Option<&'a str>,
    name: &'a str,
    subject: &'a str,
    trusted: bool,
}

#[derive(Serialize)]
struct RevocationToken<'a> {
    id: &'a Id,
    #[serde(rename = "type")]
    kind: &'static str,
    sha256: Option<&'a str>,
    producer: Option<&'a str>,
    this_update: Option<Time>,
    next_update: Option<Time>,
    /// The certificate that it speaks of; `null` where it speaks of none of the report.
    certificate: Option<&'a Id>,
    status: Option<CertificateStatus>,
    revocation_time: Option<Time>,
    /// Since when the certificate is not to be relied on, where that is stated: RFC 5280 §5.3.2.
    #[serde(skip_serializing_if = "Option::is_none")]
    invalidity_time: Option<Time>,
    reason: Option<RevocationReason>,
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
        schema: "lacre-report/2",
        generator: GENERATOR,
        validation_time: report.verdicts.time,
        policy: &report.policy,
        document: document(report),
        conclusion: Total { indication: report.indication(), signatures: facts.signatures.len(), passed },
        signatures: report.signatures().map(signature).collect(),
        timestamps: report.timestamps().map(timestamp).collect(),
        evidence_records: report.evidence_records().map(evidence_record).collect(),
        certificates: report.certificates().map(certificate_token).collect(),
        revocations: report.revocations().flat_map(revocation_tokens).collect(),
        trusted_lists: facts.trusted_lists.iter().map(list_token).collect(),
        trust: trust(facts),
        wanted: report.wanted(),
    }
}

pub(super) fn trust(facts: &facts::Facts) -> Option<Trust<'_>> {
    facts.trust_store.as_ref().map(|store| Trust { state: store.state(), store })
}

pub(super) fn certificate_token(certificate: CertificateView<'_>) -> CertificateToken<'_> {
    CertificateToken {
        id: certificate.id(),
        sha256: certificate.sha256(),
        name: certificate.name(),
        subject: certificate.subject(),
        trusted: certificate.is_trusted(),
    }
}

/// A certificate, and what revocation data says of it.
type Statement<'a> = (CertificateView<'a>, &'a CertificateRevocation);

/// Returns one entry for each certificate that revocation data speaks of; one entry where it speaks of none.
fn revocation_tokens(revocation: RevocationView<'_>) -> impl Iterator<Item = RevocationToken<'_>> {
    let entry = move |statement| revocation_token(revocation, statement);
    let mut statements = revocation.statements();
    let first = statements.next();
    std::iter::once(first).chain(statements.map(Some)).map(entry)
}

fn revocation_token<'a>(revocation: RevocationView<'a>, statement: Option<Statement<'a>>) -> RevocationToken<'a> {
    let said = statement.map(|(_, said)| said);
    RevocationToken {
        id: revocation.id(),
        kind: revocation_kind(revocation),
        sha256: revocation.sha256(),
        producer: revocation.signer().map(|signer| signer.name()),
        this_update: revocation.this_update(),
        next_update: revocation.next_update(),
        certificate: statement.map(|(certificate, _)| certificate.id()),
        status: said.map(|said| said.status),
        revocation_time: said.and_then(|said| said.revocation_date),
        invalidity_time: said.and_then(|said| said.invalidity_date),
        reason: said.and_then(|said| said.reason),
    }
}

pub(super) fn revocation_kind(revocation: RevocationView<'_>) -> &'static str {
    match revocation.kind() {
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

/// Returns the family of formats of the document, or what else it is than a signed document.
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
        irregularities: report.irregularities().collect(),
    }
}

fn signature(signature: SignatureView<'_>) -> Signature<'_> {
    let (facts, verdict) = (signature.facts(), signature.verdict());
    Signature {
        id: signature.id(),
        value_sha256: signature.value_sha256(),
        parent: facts.parent.as_ref(),
        format: signature.level().map_or("unknown", family),
        level: signature.level(),
        file: &facts.file,
        field: signature.field_name(),
        signer: signature.signer().map(person),
        indication: signature.indication(),
        sub_indication: signature.sub_indication(),
        basic: process(&verdict.basic),
        long_term: process(&verdict.long_term),
        archival: process(&verdict.archival),
        claimed_signing_time: signature.claimed_signing_time(),
        best_signature_time: signature.best_signature_time().time,
        reason: signature.reason(),
        location: signature.location(),
        roles: facts.roles.iter().map(role).collect(),
        commitments: facts.commitments.iter().map(|c| c.description.as_deref().unwrap_or(&c.identifier)).collect(),
        changes_since_signing: facts.pdf_revision.as_deref().and_then(changes),
        signing_certificate: signature.signer().map(described),
        chain: signature.chain().map(|certificate| certificate.sha256()).collect(),
        algorithm: Algorithm {
            signature: facts.basic.key_algorithm.map(|a| a.as_str()),
            digest: facts.basic.digest_algorithm.map(|a| a.as_str()),
            key: facts.basic.key_length,
        },
        scope: signature.scope().map(scope).collect(),
        qualification: signature.qualification().as_str(),
        qualification_text: signature.qualification_text(),
        trust_service: signature.trust_service(),
        timestamps: &facts.found_timestamps,
        blocks: blocks(&verdict.blocks),
        findings: signature.findings().collect(),
        qualification_findings: signature.qualification_findings().collect(),
    }
}

pub(super) fn person(certificate: CertificateView<'_>) -> Person<'_> {
    let names = &certificate.facts().attributes;
    Person {
        name: certificate.name(),
        given_name: names.given_name.as_deref(),
        surname: names.surname.as_deref(),
        pseudonym: names.pseudonym.as_deref(),
        organisation: names.organization.as_deref(),
        organisation_identifier: names.organization_identifier.as_deref().map(identifier),
        serial_number: names.serial_number.as_deref().map(identifier),
        country: names.country.as_deref(),
    }
}

fn identifier(value: &str) -> Identifier<'_> {
    let (kind, country) = IdentifierKind::of(value).unzip();
    Identifier { value, kind, country }
}

fn role(role: &facts::SignerRole) -> Role<'_> {
    Role { role: &role.role, certified: role.category == facts::RoleCategory::Certified }
}

/// Returns what later revisions changed, where something was compared.
fn changes(revision: &facts::PdfRevision) -> Option<Changes> {
    let found = revision.modifications.as_ref()?;
    let of = |list: fn(&facts::ObjectModifications) -> usize| found.objects.as_ref().map_or(0, list);
    Some(Changes {
        extension: of(|objects| objects.extension.len()),
        form_fill: of(|objects| objects.signature_or_form_fill.len()),
        annotation: of(|objects| objects.annotation.len()),
        undefined: of(|objects| objects.undefined.len()),
        pages_added_or_removed: !found.page_differences.is_empty(),
        pages_look_different: !found.visual_differences.is_empty(),
    })
}

fn scope(scope: ScopeView<'_>) -> Scope<'_> {
    Scope { name: scope.name(), kind: scope.kind(), data: scope.id() }
}

fn timestamp(timestamp: TimestampView<'_>) -> Timestamp<'_> {
    Timestamp {
        id: timestamp.id(),
        kind: timestamp.kind_name(),
        time: timestamp.time(),
        indication: timestamp.indication(),
        sub_indication: timestamp.sub_indication(),
        qualification: timestamp.qualification().as_str(),
        qualification_text: timestamp.qualification_text(),
        signing_certificate: timestamp.signer().map(described),
        blocks: blocks(&timestamp.verdict().blocks),
        findings: timestamp.findings().collect(),
        qualification_findings: timestamp.qualification_findings().collect(),
        covers: ids(&timestamp.facts().covered),
    }
}

fn evidence_record(record: EvidenceRecordView<'_>) -> EvidenceRecord<'_> {
    EvidenceRecord {
        id: record.id(),
        kind: record.kind(),
        indication: record.indication(),
        sub_indication: record.sub_indication(),
        time: record.proof_of_existence().time,
        findings: record.findings().collect(),
        covers: ids(&record.facts().covered),
    }
}

pub(super) fn described(certificate: CertificateView<'_>) -> Certificate<'_> {
    Certificate {
        sha256: certificate.sha256(),
        name: certificate.name(),
        subject: certificate.subject(),
        issuer: certificate.issuer_name(),
        serial: certificate.serial(),
        not_before: certificate.not_before(),
        not_after: certificate.not_after(),
    }
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
