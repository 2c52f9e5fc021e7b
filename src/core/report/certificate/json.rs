//! The JSON report on a certificate, `lacre-certificate/2`: field names and spellings are a contract.

use super::super::json::{
    Certificate, CertificateToken, GENERATOR, Generator, ListToken, Trust, certificate_token, described, list_token,
    revocation_kind, trust,
};
use super::super::trust_service::{self, TrustService};
use super::super::view::{Finding, RevocationView, Severity};
use super::super::{PolicyName, Wanted};
use super::CertificateReport;
use crate::facts::{CertificateStatus, Id, RevocationReason};
use crate::time::Time;
use crate::validation::engine::Block;
use crate::validation::outcome::{Indication, SubIndication};
use serde::Serialize;

const SCHEMA: &str = "lacre-certificate/2";

#[derive(Serialize)]
struct Root<'a> {
    schema: &'static str,
    generator: Generator,
    validation_time: Time,
    policy: &'a PolicyName,
    file: Option<&'a str>,
    certificate: Option<Certificate<'a>>,
    indication: Indication,
    sub_indication: Option<SubIndication>,
    qualification_at_issuance: &'static str,
    qualification_at_issuance_text: &'static str,
    qualification_at_time: &'static str,
    qualification_at_time_text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust_service: Option<TrustService<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    website: Option<Website<'a>>,
    /// From the certificate upwards.
    chain: Vec<Option<&'a str>>,
    certificates: Vec<CertificateToken<'a>>,
    revocations: Vec<Revocation<'a>>,
    trusted_lists: Vec<ListToken<'a>>,
    trust: Option<Trust<'a>>,
    findings: Vec<Finding<'a>>,
    qualification_findings: Vec<Finding<'a>>,
    wanted: Vec<Wanted>,
}

/// The connection for which a website certificate was presented, and what it is under TS 119 411-5.
#[derive(Serialize)]
struct Website<'a> {
    url: &'a str,
    profile: &'static str,
    /// Why it is no 1-QWAC.
    qwac_1: Vec<Finding<'a>>,
    /// Why it is not bound by a 2-QWAC; where the site offers a binding.
    #[serde(skip_serializing_if = "Option::is_none")]
    qwac_2: Option<Vec<Finding<'a>>>,
}

/// A CRL or OCSP response, and what it says.
#[derive(Serialize)]
struct Revocation<'a> {
    id: &'a Id,
    #[serde(rename = "type")]
    kind: &'static str,
    sha256: Option<&'a str>,
    this_update: Option<Time>,
    next_update: Option<Time>,
    says: Vec<Statement<'a>>,
}

/// What it says of one certificate.
#[derive(Serialize)]
struct Statement<'a> {
    certificate: Option<&'a str>,
    status: CertificateStatus,
    reason: Option<RevocationReason>,
    revoked_since: Option<Time>,
}

#[derive(Serialize)]
struct Refused<'a> {
    schema: &'static str,
    generator: Generator,
    file: &'a str,
    error: &'a str,
}

/// Writes the report as one JSON object on one line.
pub(super) fn write(report: &CertificateReport) -> String {
    serde_json::to_string(&root(report)).expect("every key is a text and every value has a JSON form")
}

/// Writes the line that stands in the place of a report where there was no certificate.
pub(super) fn error(file: &str, error: &str) -> String {
    let refused = Refused { schema: SCHEMA, generator: GENERATOR, file, error };
    serde_json::to_string(&refused).expect("every key is a text and every value has a JSON form")
}

fn root(report: &CertificateReport) -> Root<'_> {
    let (facts, around) = (report.facts(), &report.report);
    let certificate = report.certificate();
    let time = around.verdicts.time;
    Root {
        schema: SCHEMA,
        generator: GENERATOR,
        validation_time: time,
        policy: &around.policy,
        file: report.name.as_deref(),
        certificate: certificate.map(described),
        indication: report.indication(),
        sub_indication: report.sub_indication(),
        qualification_at_issuance: report.qualification_at_issuance().as_str(),
        qualification_at_issuance_text: report.qualification_at_issuance_text(),
        qualification_at_time: report.qualification_at_time().as_str(),
        qualification_at_time_text: report.qualification_at_time_text(),
        trust_service: certificate.and_then(|certificate| trust_service::of(around, certificate.facts(), time)),
        website: website(report),
        chain: report.chain().map(|certificate| certificate.sha256()).collect(),
        certificates: around.certificates().map(certificate_token).collect(),
        revocations: around.revocations().map(revocation).collect(),
        trusted_lists: facts.trusted_lists.iter().map(list_token).collect(),
        trust: trust(facts),
        findings: report.findings().collect(),
        qualification_findings: report.qualification_findings().collect(),
        wanted: report.wanted(),
    }
}

fn website(report: &CertificateReport) -> Option<Website<'_>> {
    let found = report.connection()?;
    Some(Website {
        url: &report.facts().connection.as_ref()?.url,
        profile: found.profile.as_str(),
        qwac_1: errors(report, &found.one),
        qwac_2: found.two.as_ref().map(|block| errors(report, block)),
    })
}

/// Returns why it is not that kind of certificate.
fn errors<'a>(report: &'a CertificateReport, block: &'a Block) -> Vec<Finding<'a>> {
    let finding = |message| Finding::new(&report.report, report.id(), Severity::Error, message);
    block.conclusion.errors.iter().map(finding).collect()
}

fn revocation(revocation: RevocationView<'_>) -> Revocation<'_> {
    let says = revocation.statements().map(|(certificate, said)| Statement {
        certificate: certificate.sha256(),
        status: said.status,
        reason: said.reason,
        revoked_since: said.revocation_date,
    });
    Revocation {
        id: revocation.id(),
        kind: revocation_kind(revocation),
        sha256: revocation.sha256(),
        this_update: revocation.this_update(),
        next_update: revocation.next_update(),
        says: says.collect(),
    }
}
