//! The report for a terminal: the verdict first, then who, when, what, why, and what would help.

use super::messages::{self, Language, Phrase};
use super::{Report, Wanted, WantedKind};
use crate::facts::{self, Id, ScopeType};
use crate::validation::engine::Message;
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::{Findings, SignatureVerdict};
use std::fmt::{self, Write as _};

/// Writes the report; no line depends on colour.
pub(super) fn write(report: &Report) -> String {
    let mut text = String::new();
    render(report, &mut text).expect("writing into memory does not fail");
    text
}

fn render(report: &Report, out: &mut String) -> fmt::Result {
    let indication = report.indication();
    let name = report.facts.document.name.as_deref().map_or_else(String::new, |name| format!("  {}", visible(name)));
    writeln!(out, "{} {indication}{name}", sign(indication))?;
    writeln!(out, "  {}", summary(report))?;
    writeln!(out, "  judged for {} by \"{}\"", report.verdicts.time, visible(&report.policy.name))?;
    for (at, (signature, verdict)) in report.signatures().enumerate() {
        self::signature(report, at, signature, verdict, out)?;
    }
    if report.facts.signatures.is_empty() {
        alone(report, out)?;
    }
    wanted(report, out)
}

fn summary(report: &Report) -> String {
    let count = report.facts.signatures.len();
    let passed = report.verdicts.signatures.iter().filter(|s| s.indication == Indication::TotalPassed).count();
    let phrase = match (count, passed) {
        (0, _) if report.facts.timestamps.is_empty() && report.facts.evidence_records.is_empty() => Phrase::NoSignature,
        (0, _) => Phrase::ProofsUndecided,
        (1, 1) => Phrase::OneValid,
        (1, _) if report.indication() == Indication::TotalFailed => Phrase::OneNotValid,
        (1, _) => Phrase::OneUndecided,
        (n, p) if n == p => Phrase::AllValid,
        _ => Phrase::Mixed,
    };
    let failed = report.verdicts.signatures.iter().filter(|s| s.indication == Indication::TotalFailed).count();
    let [n, valid, not_valid, undecided] = [count, passed, failed, count - passed - failed].map(|n| n.to_string());
    let values = [("n", &*n), ("valid", &valid), ("not_valid", &not_valid), ("undecided", &undecided)];
    messages::fill(messages::phrase(report.language, phrase), &values)
}

fn signature(
    report: &Report,
    at: usize,
    facts: &facts::Signature,
    verdict: &SignatureVerdict,
    out: &mut String,
) -> fmt::Result {
    let count = report.facts.signatures.len();
    writeln!(out)?;
    write!(out, "{} Signature {} of {count}: {}", sign(verdict.indication), at + 1, verdict.indication)?;
    writeln!(out, "{}", because(verdict.sub_indication))?;
    let mut field = |label: &str, value: &str| writeln!(out, "    {label:<12} {}", visible(value));
    let signer = facts.signing_certificate.as_ref().and_then(|id| name_of(report, id));
    field("signer", signer.unwrap_or("not known"))?;
    if let Some(issuer) = facts.chain.get(1).and_then(|id| name_of(report, id)) {
        field("issued by", issuer)?;
    }
    if let Some(level) = facts.level {
        field("format", level.as_str())?;
    }
    let quality = report.signature_quality(&facts.id);
    if quality.as_str() != "NA" {
        field("legally", &format!("{quality}: {}", messages::phrase(report.language, quality)))?;
    }
    if let Some(time) = facts.claimed_signing_time {
        field("signed at", &format!("{time} (claimed by the signer)"))?;
    }
    let best = verdict.best_signature_time();
    let proof = if best.provider.is_some() { "proven by a time-stamp" } else { "the time of this validation" };
    field("no later than", &format!("{} ({proof})", best.time))?;
    if let Some(revision) = &facts.pdf_revision {
        let names: Vec<&str> = revision.fields.iter().map(|f| f.name.as_str()).collect();
        field("field", &names.join(", "))?;
    }
    for scope in &facts.scopes {
        field("covers", &scope_in_words(scope))?;
    }
    findings(report.language, &verdict.findings, out)
}

fn because(sub_indication: Option<SubIndication>) -> String {
    sub_indication.map_or_else(String::new, |sub| format!(", {sub}"))
}

fn scope_in_words(scope: &facts::Scope) -> String {
    let name = scope.name.as_deref().unwrap_or("the document");
    match scope.kind {
        ScopeType::Full => format!("{name}, whole"),
        ScopeType::Partial => format!("{name}, in part: {}", scope.description),
        ScopeType::Digest => format!("{name}, by its digest"),
        ScopeType::Archived => format!("{name}, inside an archive"),
        _ => format!("another signature: {name}"),
    }
}

/// A document with time-stamps or evidence records and no signature.
fn alone(report: &Report, out: &mut String) -> fmt::Result {
    for timestamp in &report.facts.timestamps {
        let Some(verdict) = report.verdicts.timestamp(&timestamp.id) else { continue };
        let conclusion = verdict.conclusion();
        writeln!(out)?;
        write!(
            out,
            "{} Time-stamp of {}: {}",
            sign(conclusion.indication),
            timestamp.production_time,
            conclusion.indication
        )?;
        writeln!(out, "{}", because(conclusion.sub_indication))?;
        if let Some(name) = timestamp.signing_certificate.as_ref().and_then(|id| name_of(report, id)) {
            writeln!(out, "    {:<12} {}", "made by", visible(name))?;
        }
        findings(report.language, &verdict.findings, out)?;
    }
    for record in &report.facts.evidence_records {
        let Some(verdict) = report.verdicts.evidence_record(&record.id) else { continue };
        let conclusion = &verdict.result.conclusion;
        writeln!(out)?;
        write!(out, "{} Evidence record: {}", sign(conclusion.indication), conclusion.indication)?;
        writeln!(out, "{}", because(conclusion.sub_indication))?;
        writeln!(out, "    {:<12} {}", "proves", verdict.proof_of_existence.time)?;
        findings(report.language, &verdict.findings, out)?;
    }
    Ok(())
}

fn findings(language: Language, findings: &Findings, out: &mut String) -> fmt::Result {
    for (label, list) in [("error", &findings.errors), ("warning", &findings.warnings), ("note", &findings.infos)] {
        for message in list {
            writeln!(out, "    {label:<12} {}", finding(language, message))?;
        }
    }
    Ok(())
}

fn finding(language: Language, message: &Message) -> String {
    let sentence = messages::sentence(language, message.key);
    let compared = message.compared.as_deref().map_or_else(String::new, |values| format!(" [{}]", visible(values)));
    if sentence == message.key {
        format!("{sentence}{compared}")
    } else {
        format!("{sentence}{compared} ({})", message.key)
    }
}

fn wanted(report: &Report, out: &mut String) -> fmt::Result {
    let wants = report.wanted();
    if wants.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nThis could change the verdict:")?;
    for Wanted { kind, urls, about } in &wants {
        let what = match kind {
            WantedKind::Ocsp => "an OCSP response for",
            WantedKind::Crl => "the CRL that covers",
            WantedKind::Issuer => "the certificate of the issuer of",
            WantedKind::TrustedList => "a trusted list that covers",
            WantedKind::Content => "the signed content of",
        };
        let name = name_of(report, about).unwrap_or(about.as_str());
        let from = if urls.is_empty() { String::new() } else { format!(" ({})", visible(&urls.join(" or "))) };
        writeln!(out, "    {what} {}{from}", visible(name))?;
    }
    Ok(())
}

fn name_of<'a>(report: &'a Report, id: &Id) -> Option<&'a str> {
    let certificate = report.facts.certificates.iter().find(|c| c.id == *id)?;
    Some(certificate.attributes.common_name.as_deref().unwrap_or(&certificate.subject.rfc2253))
}

/// Word and sign belong together: no meaning rests on colour.
fn sign(indication: Indication) -> char {
    match indication {
        Indication::TotalPassed | Indication::Passed => '✔',
        Indication::TotalFailed | Indication::Failed => '✘',
        Indication::Indeterminate => '?',
        Indication::NoSignatureFound => '–',
    }
}

/// Hostile text made harmless: control and direction characters are shown by their code points.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let direction =
            matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if c.is_control() || direction {
            shown.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}
