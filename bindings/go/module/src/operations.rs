//! The calls of the module, each a function of its request and of the validator that was made before.

use crate::failure::Failure;
use crate::request::{Request, Role};
use lacre::policy::CryptographicSuite;
use lacre::trust::{self, LotlSigningCertificates, TrustedLists};
use lacre::{Facts, Policy, Report, Validator};
use lacre_core::x509::Certificate;
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

/// The parts of an answer.
pub(crate) type Answer = Vec<Vec<u8>>;

static VALIDATOR: Mutex<Option<Validator>> = Mutex::new(None);

/// Returns the validator of this module: what `configure` made of it, else one that trusts nobody.
fn validator() -> Validator {
    let mut kept = VALIDATOR.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get_or_insert_with(|| Validator::new(Policy::eidas())).clone()
}

pub(crate) fn configure(request: &Request<'_>) -> Result<Answer, Failure> {
    let mut validator = Validator::new(policy(request)?);
    for anchor in request.parts(Role::TrustAnchor) {
        validator = validator.trust_anchor(anchor.bytes)?;
    }
    for evidence in request.parts(Role::Evidence) {
        validator = validator.evidence(evidence.bytes)?;
    }
    if let Some(snapshot) = request.part(Role::Snapshot) {
        validator = validator.trusted_lists(&unpacked(request, snapshot)?);
    }
    *VALIDATOR.lock().unwrap_or_else(PoisonError::into_inner) = Some(validator);
    Ok(vec![])
}

fn policy(request: &Request<'_>) -> Result<Policy, Failure> {
    let policy = match request.part(Role::Policy) {
        Some(bytes) => Policy::from_bytes(bytes).map_err(|error| Failure::new("INVALID_POLICY", &error))?,
        None => Policy::eidas(),
    };
    Ok(match request.part(Role::Suite) {
        Some(bytes) => {
            let suite = CryptographicSuite::from_bytes(bytes);
            policy.with_suite(suite.map_err(|error| Failure::new("INVALID_SUITE", &error))?)
        }
        None => policy,
    })
}

/// Reads the lists of a snapshot, signed by one of those who may where any is named.
fn unpacked(request: &Request<'_>, snapshot: &[u8]) -> Result<TrustedLists, Failure> {
    let lists = TrustedLists::from_snapshot(snapshot);
    let lists = lists.map_err(|error| Failure::new("INVALID_TRUSTED_LISTS", &error))?;
    let packers = certificates(request, Role::Packer)?;
    if !packers.is_empty() {
        let theirs = lists.require_snapshot_signer(&packers);
        theirs.map_err(|error| Failure::new("INVALID_TRUSTED_LISTS", &error))?;
    }
    Ok(lists)
}

fn certificates(request: &Request<'_>, role: Role) -> Result<Vec<Certificate>, Failure> {
    let read = request.parts(role).map(|part| Certificate::from_der(&lacre::decode_pem(part.bytes)));
    read.map(|read| read.map_err(|error| Failure::new("INVALID_EVIDENCE", &error))).collect()
}

pub(crate) fn validate(request: &Request<'_>) -> Result<Answer, Failure> {
    let report = validator().validate(&request.document()?, request.time()?)?;
    let facts = report.facts().to_json();
    Ok(vec![report.to_json().into(), facts.into()])
}

pub(crate) fn inspect(request: &Request<'_>) -> Result<Answer, Failure> {
    let facts = validator().facts(&request.document()?, request.time()?)?;
    Ok(vec![match request.form() {
        "json" => facts.to_json().into(),
        "text" => facts.to_text().into(),
        other => return Err(unknown_form(other, "json or text")),
    }])
}

pub(crate) fn judge(request: &Request<'_>) -> Result<Answer, Failure> {
    let facts =
        Facts::from_bytes(request.needed(Role::Facts)?).map_err(|error| Failure::new("INVALID_FACTS", &error))?;
    let time = request
        .stated_time()
        .or(facts.validation_time)
        .ok_or_else(|| Failure::argument("found facts that state no validation time, expected a time to judge for"))?;
    let report = lacre::judge(facts, validator().policy(), time).in_language(request.language()?);
    Ok(vec![write(&report, request.form())?])
}

fn write(report: &Report, form: &str) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        "json" => report.to_json().into(),
        "etsi" => report.to_etsi_xml().into(),
        "text" => report.to_text().into(),
        "trace" => report.to_trace().into(),
        "html" => report.to_html().into(),
        "pdf" => report.to_pdf().map_err(|error| Failure::new("REPORT", &error))?,
        other => return Err(unknown_form(other, "json, etsi, text, trace, html or pdf")),
    })
}

fn unknown_form(form: &str, known: &str) -> Failure {
    Failure::argument(format!("found the form {form:?}, expected {known}"))
}

pub(crate) fn certificate(request: &Request<'_>) -> Result<Answer, Failure> {
    let bytes = request.needed(Role::Certificate)?;
    let mut report = validator().certificate(bytes, request.time()?)?.in_language(request.language()?);
    if let Some(name) = request.name() {
        report = report.named(name);
    }
    let written = match request.form() {
        "json" => report.to_json(),
        "text" => report.to_text(),
        other => return Err(unknown_form(other, "json or text")),
    };
    Ok(vec![written.into(), lacre::decode_pem(bytes).into_owned()])
}

/// What became of trusted lists.
#[derive(Serialize)]
struct Lists<'a> {
    trusted: usize,
    states: &'a [lacre::trust::ListState],
    missing: &'a [lacre::trust::Missing],
}

pub(crate) fn lists(request: &Request<'_>) -> Result<Answer, Failure> {
    let lists = match request.part(Role::Snapshot) {
        Some(snapshot) => unpacked(request, snapshot)?,
        None => {
            let announcement = match certificates(request, Role::ListSigner)? {
                signers if signers.is_empty() => LotlSigningCertificates::official_journal(),
                signers => LotlSigningCertificates::of(&signers),
            };
            let files = request.parts(Role::List);
            let sources = files.map(|file| trust::read(file.name, file.bytes, file.loaded)).collect();
            TrustedLists::assemble(sources, &announcement)
        }
    };
    let told = Lists { trusted: lists.trusted(), states: lists.states(), missing: lists.missing() };
    let told = serde_json::to_vec(&told).map_err(|error| Failure::new("INTERNAL", &error))?;
    // What came as a snapshot stays as it came: its signature is part of it.
    let snapshot = request.part(Role::Snapshot).map_or_else(|| lists.to_snapshot(), <[u8]>::to_vec);
    Ok(vec![told, snapshot])
}
