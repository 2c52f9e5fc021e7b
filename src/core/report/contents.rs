//! Facts as plain text, without a verdict.

use super::escape_control_chars;
use crate::facts::{Certificate, Facts, Id};
use std::fmt::{self, Write as _};

impl Facts {
    /// Writes what is inside the document for a terminal, as plain text in English and without a verdict.
    ///
    /// ```
    /// use lacre::{Document, Policy, Validator};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # std::env::set_current_dir("../..")?;
    /// let contract = std::fs::read("examples/documents/contract.pdf")?;
    /// let facts = Validator::new(Policy::eidas()).facts(&Document::new(&contract), "2027-01-01".parse()?)?;
    /// assert!(facts.to_text().contains("Signature PAdES-BASELINE-LT"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        render(self, &mut text).expect("writing into memory does not fail");
        text
    }
}

fn render(facts: &Facts, out: &mut String) -> fmt::Result {
    let document = &facts.document;
    writeln!(out, "{}", escape_control_chars(document.name.as_deref().unwrap_or("document")))?;
    line(out, "bytes", document.size.map(|n| n.to_string()))?;
    line(out, "SHA-256", document.sha256.clone())?;
    if let Some(container) = &facts.container {
        line(out, "container", Some(container.kind.map_or("of no stated type", |k| k.as_str()).to_owned()))?;
        line(out, "media type", container.mimetype.as_deref().map(|text| text.trim().to_owned()))?;
        line(out, "comment", container.zip_comment.clone())?;
        container.contents.iter().try_for_each(|name| line(out, "holds", Some(name.clone())))?;
        for manifest in &container.manifests {
            let of = manifest.signature_file.as_ref().map_or(String::new(), |file| format!(" of {file}"));
            line(out, "manifest", Some(format!("{}{of}", manifest.file)))?;
            manifest.entries.iter().try_for_each(|name| line(out, "  lists", Some(name.to_string())))?;
        }
    }
    for signature in &facts.signatures {
        let what = if signature.counter_signature { "Counter-signature" } else { "Signature" };
        writeln!(out, "\n{what} {}", signature.level.map_or("of unknown format", |l| l.as_str()))?;
        line(out, "id", Some(signature.id.to_string()))?;
        line(out, "file", Some(signature.file.clone()).filter(|_| facts.container.is_some()))?;
        line(out, "signer", certificate(facts, signature.signing_certificate.as_ref()).map(name))?;
        line(out, "claimed", signature.claimed_signing_time.map(|t| t.to_string()))?;
        line(out, "algorithm", Some(algorithm(&signature.basic)))?;
        line(out, "policy", signature.policy.as_ref().map(|p| p.id.clone()))?;
        if let Some(revision) = &signature.pdf_revision {
            line(out, "field", revision.fields.first().map(|f| f.name.clone()))?;
            let range = revision.byte_range.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
            line(out, "byte range", Some(range))?;
            line(out, "reason", revision.reason.clone())?;
        }
        for scope in &signature.scopes {
            let name = scope.name.as_deref().unwrap_or("document");
            line(out, "covers", Some(format!("{name} ({})", scope.kind)))?;
        }
        signature
            .chain
            .iter()
            .skip(1)
            .try_for_each(|id| line(out, "issued by", certificate(facts, Some(id)).map(name)))?;
    }
    for timestamp in &facts.timestamps {
        writeln!(out, "\nTime-stamp {} ({})", timestamp.production_time, timestamp.kind)?;
        line(out, "id", Some(timestamp.id.to_string()))?;
        line(out, "file", timestamp.file.clone())?;
        line(out, "made by", certificate(facts, timestamp.signing_certificate.as_ref()).map(name))?;
        line(out, "algorithm", Some(algorithm(&timestamp.basic)))?;
        line(out, "covers", Some(format!("{} objects", timestamp.covered.len())))?;
    }
    for record in &facts.evidence_records {
        writeln!(out, "\n{}", record.kind)?;
        line(out, "id", Some(record.id.to_string()))?;
        line(out, "file", record.file.clone())?;
        line(out, "time-stamps", Some(record.timestamps.len().to_string()))?;
    }
    writeln!(out, "\n{} certificates, {} CRLs and OCSP responses", facts.certificates.len(), facts.revocations.len())?;
    for certificate in &facts.certificates {
        let until = format!("{} to {}", certificate.not_before, certificate.not_after);
        writeln!(out, "    {} ({until})", escape_control_chars(&name(certificate)))?;
    }
    Ok(())
}

fn line(out: &mut String, label: &str, value: Option<String>) -> fmt::Result {
    match value {
        Some(value) => writeln!(out, "    {label:<12} {}", escape_control_chars(&value)),
        None => Ok(()),
    }
}

fn certificate<'a>(facts: &'a Facts, id: Option<&Id>) -> Option<&'a Certificate> {
    facts.certificates.iter().find(|c| Some(&c.id) == id)
}

fn name(certificate: &Certificate) -> String {
    certificate.attributes.common_name.clone().unwrap_or_else(|| certificate.subject.rfc2253.clone())
}

fn algorithm(basic: &crate::facts::BasicSignature) -> String {
    let key = basic.key_algorithm.map_or("unknown algorithm", |a| a.as_str());
    let digest = basic.digest_algorithm.map_or("unknown digest", |a| a.as_str());
    let length = basic.key_length.map_or_else(String::new, |bits| format!(", {bits} bits"));
    format!("{key} with {digest}{length}")
}
