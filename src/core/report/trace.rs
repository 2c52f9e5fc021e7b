//! The trace of a verdict: process by process, block by block, check by check, with what was compared.
//!
//! It shows a reader who doubts a verdict which check decided it, and which clause asks for the check. The first lines of
//! each token name that check.

use super::escape_control_chars;
use super::{Language, Report, messages, trust_service};
use crate::facts::{Certificate, Id, TrustService, TrustServiceProvider, TrustedList};
use crate::qualification::{ListedService, Moment, QualifiedSignature, QualifiedTimestamp};
use crate::time::Time;
use crate::validation::blocks::{AlgorithmObsolescence, BuildingBlocks, CertificateInPath, RevocationSelection};
use crate::validation::engine::{Block, BlockKind, Check, Conclusion, Status};
use std::fmt::{self, Write as _};

/// Writes the trace.
pub(super) fn write(report: &Report) -> String {
    let mut out = Trace { text: String::new(), depth: 0, language: report.language };
    out.report(report).expect("writing into memory does not fail");
    out.text
}

struct Trace {
    text: String,
    depth: usize,
    language: Language,
}

impl Trace {
    fn report(&mut self, report: &Report) -> fmt::Result {
        let verdicts = &report.verdicts;
        self.line(&format!("judged for {} by \"{}\"", verdicts.time, escape_control_chars(&report.policy.name)))?;
        for (list, analysis) in report
            .qualifications
            .lists
            .iter()
            .filter_map(|analysis| Some((report.trusted_list(analysis.token.as_ref()?)?, analysis)))
        {
            self.list(list, analysis)?;
        }
        for signature in &verdicts.signatures {
            let archival = &signature.archival.block;
            self.token("Signature", &signature.id, &archival.conclusion)?;
            self.decided_by(&[archival, &signature.long_term.block, &signature.basic.block], &signature.blocks)?;
            self.block(&signature.basic.block)?;
            self.building_blocks(&signature.blocks)?;
            self.best_signature_time(&signature.long_term.best_signature_time)?;
            self.block(&signature.long_term.block)?;
            self.selections(&signature.long_term.selections)?;
            self.best_signature_time(&signature.archival.best_signature_time)?;
            self.block(archival)?;
            self.past(&signature.blocks)?;
            if let Some(qualified) = report.signature(&signature.id).and_then(|signature| signature.qualified()) {
                self.signature_qualification(report, qualified)?;
            }
            self.depth -= 1;
        }
        for timestamp in &verdicts.timestamps {
            self.token("Time-stamp", &timestamp.id, &timestamp.archival.conclusion)?;
            self.decided_by(&[&timestamp.archival, &timestamp.basic], &timestamp.blocks)?;
            self.block(&timestamp.basic)?;
            self.building_blocks(&timestamp.blocks)?;
            self.block(&timestamp.archival)?;
            self.past(&timestamp.blocks)?;
            if let Some(qualified) = report.timestamp(&timestamp.id).and_then(|timestamp| timestamp.qualified()) {
                self.timestamp_qualification(report, qualified)?;
            }
            self.depth -= 1;
        }
        for record in &verdicts.evidence_records {
            self.token("Evidence record", &record.id, &record.result.conclusion)?;
            self.line(&format!("proves existence at {}", record.proof_of_existence.time))?;
            self.block(&record.result)?;
            self.depth -= 1;
        }
        for revocation in &verdicts.revocations {
            self.token("Revocation data", &revocation.token, &revocation.conclusion)?;
            self.building_blocks(revocation)?;
            self.depth -= 1;
        }
        Ok(())
    }

    /// Begins the lines on a token.
    fn token(&mut self, kind: &str, id: &Id, conclusion: &Conclusion) -> fmt::Result {
        writeln!(self.text)?;
        self.line(&format!("{kind} {}: {}", escape_control_chars(id.as_str()), in_words(conclusion)))?;
        self.depth += 1;
        Ok(())
    }

    /// Writes the check that decided: the last failing one of the processes, and the one in the blocks that it relays.
    fn decided_by(&mut self, processes: &[&Block], blocks: &BuildingBlocks) -> fmt::Result {
        let Some(conclusion) = processes.first().map(|block| &block.conclusion) else { return Ok(()) };
        if conclusion.is_passed() {
            return Ok(());
        }
        for block in processes {
            if let Some(check) = block.checks.iter().find(|check| check.status == Status::NotOk) {
                self.line(&format!("decided by {} ({})", check.failure(), clause(block.kind)))?;
            }
        }
        let mut inner: Vec<&Block> = [&blocks.fc, &blocks.isc, &blocks.vci].into_iter().flatten().collect();
        if let Some(xcv) = &blocks.xcv {
            inner.push(&xcv.block);
            inner.extend(xcv.certificates.iter().map(|certificate| &certificate.block));
        }
        inner.extend([&blocks.cv, &blocks.sav, &blocks.psv, &blocks.pcv, &blocks.vts].into_iter().flatten());
        for block in inner {
            if let Some(check) = block.checks.iter().find(|check| check.status == Status::NotOk) {
                let sentence = messages::sentence(self.language, check.failure());
                self.line(&format!("  because of {} ({}): {sentence}", check.failure(), clause(block.kind)))?;
            }
        }
        Ok(())
    }

    fn best_signature_time(&mut self, proof: &crate::validation::ProofOfExistence) -> fmt::Result {
        let by = match &proof.provider {
            Some(provider) => format!("proven by {}", escape_control_chars(provider.as_str())),
            None => "the validation time, as nothing proves an earlier one".into(),
        };
        self.line(&format!("best-signature-time {}, {by}", proof.time))
    }

    /// Writes the blocks FC to SAV, and the algorithms.
    fn building_blocks(&mut self, blocks: &BuildingBlocks) -> fmt::Result {
        self.depth += 1;
        for block in [&blocks.fc, &blocks.isc, &blocks.vci].into_iter().flatten() {
            self.block(block)?;
        }
        if let Some(xcv) = &blocks.xcv {
            self.block(&xcv.block)?;
            self.depth += 1;
            for certificate in &xcv.certificates {
                self.certificate(certificate)?;
            }
            self.depth -= 1;
        }
        for block in [&blocks.cv, &blocks.sav].into_iter().flatten() {
            self.block(block)?;
        }
        if let Some(aov) = &blocks.algorithms {
            self.algorithms(aov)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn certificate(&mut self, certificate: &CertificateInPath) -> fmt::Result {
        self.block(&certificate.block)?;
        self.depth += 1;
        if let Some(crs) = &certificate.selection {
            self.block(&crs.block)?;
            self.depth += 1;
            for rac in &crs.candidates {
                self.block(&rac.block)?;
            }
            self.depth -= 1;
        }
        if let Some(rfc) = &certificate.freshness {
            self.block(rfc)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the analysis of a trusted list.
    fn list(&mut self, list: &TrustedList, analysis: &Block) -> fmt::Result {
        let country = list.country.as_deref().unwrap_or("no country");
        let number = list.sequence_number.map_or_else(|| "none".into(), |number| number.to_string());
        let issued = list.issue_date.map_or_else(|| "at no stated time".into(), |time| time.to_string());
        let next = list.next_update.map_or_else(|| "none: closed".into(), |time| time.to_string());
        writeln!(self.text)?;
        let (country, url) = (escape_control_chars(country), escape_control_chars(&list.url));
        self.line(&format!("Trusted list {country}, {url}, number {number}, issued {issued}, next update {next}"))?;
        self.depth += 1;
        self.block(analysis)?;
        self.depth -= 1;
        Ok(())
    }

    /// Writes the steps to the qualification of a signature.
    fn signature_qualification(&mut self, report: &Report, qualified: &QualifiedSignature) -> fmt::Result {
        self.line(&format!("qualification {}", qualified.qualification))?;
        self.depth += 1;
        self.block(&qualified.block)?;
        for at in &qualified.certificates {
            let moment = match at.moment {
                Moment::Issuance => "at issuance",
                Moment::Signing => "at the best-signature-time",
                Moment::Validation => "at the validation time",
            };
            let certificate = report.certificate(&at.certificate).map(|certificate| certificate.facts());
            self.line(&format!("{moment}, {}: {}", at.time, at.qualification))?;
            self.moment(certificate, at.service, &at.block)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the steps to the qualification of a time-stamp.
    fn timestamp_qualification(&mut self, report: &Report, qualified: &QualifiedTimestamp) -> fmt::Result {
        self.line(&format!("qualification {}", qualified.qualification))?;
        self.depth += 1;
        self.block(&qualified.block)?;
        let signer = report.timestamp(&qualified.id).and_then(|timestamp| timestamp.signer());
        for (at, moment) in qualified.moments.iter().zip(["when it was made", "when it is first proven to exist"]) {
            self.line(&format!("{moment}, {}", at.time))?;
            self.moment(signer.map(|signer| signer.facts()), at.service, &at.block)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the status period that decided at a moment, and the checks.
    fn moment(
        &mut self,
        certificate: Option<&Certificate>,
        service: Option<ListedService>,
        block: &Block,
    ) -> fmt::Result {
        self.depth += 1;
        match certificate.and_then(|certificate| service?.of(certificate)) {
            None => self.line("no trust service entry applies")?,
            Some((provider, period)) => {
                let list = escape_control_chars(provider.trusted_list.as_str());
                self.line(&format!("trust service {} in {list}", in_list(provider, period)))?;
            }
        }
        self.block(block)?;
        self.depth -= 1;
        Ok(())
    }

    /// Writes the algorithms, each with the end of its acceptance.
    fn algorithms(&mut self, aov: &AlgorithmObsolescence) -> fmt::Result {
        self.block(&aov.block)?;
        self.depth += 1;
        let own = [&aov.signature, &aov.signed_attributes, &aov.digest_matchers].into_iter().flatten();
        for check in own.chain(&aov.chain) {
            let mut what = check.key.map_or_else(String::new, |key| format!("{key} with "));
            what += check.digest.map_or("an unknown digest function", |digest| digest.as_str());
            if let Some(bits) = check.key_length {
                let _ = write!(what, ", {bits} bits");
            }
            let until = check.not_after.map_or_else(|| "no end is known".into(), |end| format!("until {end}"));
            self.line(&format!("{what}, {until}, at {}: {}", aov.time, in_words(&check.conclusion)))?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes past validation, where it ran.
    fn past(&mut self, blocks: &BuildingBlocks) -> fmt::Result {
        self.depth += 1;
        if let Some(psv) = &blocks.psv {
            self.block(psv)?;
            self.selections(blocks.psv_selection.as_slice())?;
        }
        if let Some(pcv) = &blocks.pcv {
            self.block(pcv)?;
        }
        if let Some(vts) = &blocks.vts {
            self.block(vts)?;
            self.selections(&blocks.vts_selections)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn selections(&mut self, selections: &[RevocationSelection]) -> fmt::Result {
        self.depth += 1;
        for crs in selections {
            self.block(&crs.block)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        let token =
            block.token.as_ref().map_or_else(String::new, |id| format!(" of {}", escape_control_chars(id.as_str())));
        let (title, clause) = (title(block.kind), clause(block.kind));
        self.line(&format!("{title}{token} ({clause}): {}", in_words(&block.conclusion)))?;
        self.depth += 1;
        for check in &block.checks {
            self.check(check)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn check(&mut self, check: &Check) -> fmt::Result {
        let mut line = match check.status {
            Status::Ok => {
                format!("ok       {} {}", check.question(), messages::question(self.language, check.question()))
            }
            Status::Ignored => {
                format!("ignored  {} {}", check.question(), messages::question(self.language, check.question()))
            }
            Status::NotOk => {
                format!("FAILS    {} {}", check.failure(), messages::sentence(self.language, check.failure()))
            }
            Status::Warning => {
                format!("warns    {} {}", check.failure(), messages::sentence(self.language, check.failure()))
            }
            Status::Information => {
                format!("notes    {} {}", check.failure(), messages::sentence(self.language, check.failure()))
            }
        };
        if let Some(compared) = &check.compared {
            let _ = write!(line, " [{}]", escape_control_chars(compared));
        }
        if let Some(token) = &check.token {
            let _ = write!(line, " {}", escape_control_chars(token.as_str()));
        }
        self.line(&line)
    }

    fn line(&mut self, text: &str) -> fmt::Result {
        writeln!(self.text, "{:width$}{text}", "", width = 2 * self.depth)
    }
}

/// Describes a status period: service, provider, type, status, period, qualifiers.
fn in_list(provider: &TrustServiceProvider, period: &TrustService) -> String {
    let word = |uri: &Option<String>| uri.as_deref().and_then(trust_service::last_word).unwrap_or("none").to_owned();
    let name = |names| trust_service::name(names).unwrap_or("without a name");
    let time = |time: Option<Time>, none: &str| time.map_or_else(|| none.to_owned(), |time| time.to_string());
    let qualifiers: Vec<&str> = period.qualifiers.iter().filter_map(|q| trust_service::last_word(&q.uri)).collect();
    let qualifiers = if qualifiers.is_empty() { "none".to_owned() } else { qualifiers.join(", ") };
    let described = format!(
        "\"{}\" of \"{}\", type {}, status {} from {} to {}, qualifiers {qualifiers}",
        name(&period.names),
        name(&provider.names),
        trust_service::kind(period),
        word(&period.status),
        time(period.start, "no stated time"),
        time(period.end, "now"),
    );
    escape_control_chars(&described)
}

fn in_words(conclusion: &Conclusion) -> String {
    match conclusion.sub_indication {
        Some(sub) => format!("{}, {sub}", conclusion.indication),
        None => conclusion.indication.to_string(),
    }
}

/// Returns the name of a block.
fn title(kind: BlockKind) -> &'static str {
    row(kind).1
}

/// Returns the clause that defines a block.
fn clause(kind: BlockKind) -> &'static str {
    row(kind).2
}

fn row(kind: BlockKind) -> &'static (BlockKind, &'static str, &'static str) {
    TABLE.iter().find(|(k, ..)| *k == kind).unwrap_or(&OTHER)
}

const OTHER: (BlockKind, &str, &str) = (BlockKind::FormatChecking, "Check", "no clause");

/// Every block: its name and its clause.
const TABLE: &[(BlockKind, &str, &str)] = &[
    (BlockKind::FormatChecking, "Format checking", "EN 319 102-1 §5.2.2"),
    (BlockKind::IdentificationOfSigningCertificate, "Identification of the signing certificate", "EN 319 102-1 §5.2.3"),
    (BlockKind::ValidationContextInitialization, "Validation context initialization", "EN 319 102-1 §5.2.4"),
    (BlockKind::RevocationFreshness, "Revocation freshness", "EN 319 102-1 §5.2.5"),
    (BlockKind::X509CertificateValidation, "X.509 certificate validation", "EN 319 102-1 §5.2.6"),
    (BlockKind::SubX509CertificateValidation, "Certificate", "EN 319 102-1 §5.2.6.4, RFC 5280 §6.1"),
    (BlockKind::RevocationDataSelection, "Selection of revocation data", "EN 319 102-1 §5.2.6.4"),
    (BlockKind::RevocationAcceptance, "Acceptance of revocation data", "EN 319 102-1 §5.2.6.4"),
    (BlockKind::CryptographicVerification, "Cryptographic verification", "EN 319 102-1 §5.2.7"),
    (BlockKind::SignatureAcceptance, "Signature acceptance", "EN 319 102-1 §5.2.8"),
    (BlockKind::AlgorithmObsolescence, "Algorithms", "EN 319 102-1 §5.2.8.4, TS 119 312"),
    (BlockKind::BasicValidation, "Basic signature validation", "EN 319 102-1 §5.3"),
    (BlockKind::TimestampValidation, "Time-stamp validation", "EN 319 102-1 §5.4"),
    (BlockKind::LongTermValidation, "Validation with time and long-term material", "EN 319 102-1 §5.5"),
    (BlockKind::ArchivalValidation, "Validation with archival material", "EN 319 102-1 §5.6.3"),
    (BlockKind::TimestampArchivalValidation, "Time-stamp validation with archival material", "EN 319 102-1 §5.6.3"),
    (BlockKind::PastCertificateValidation, "Past certificate validation", "EN 319 102-1 §5.6.2.1"),
    (BlockKind::ValidationTimeSliding, "Validation time sliding", "EN 319 102-1 §5.6.2.2"),
    (BlockKind::PastSignatureValidation, "Past signature validation", "EN 319 102-1 §5.6.2.4"),
    (BlockKind::EvidenceRecordValidation, "Evidence record validation", "EN 319 102-1 §5.6.2.5"),
    (BlockKind::TrustedListAnalysis, "Analysis of the trusted list", "TS 119 615 §4.1, §4.2"),
    (BlockKind::CertificateQualification, "Qualification of the certificate", "TS 119 615 §4.4, §4.5"),
    (BlockKind::SignatureQualification, "Qualification of the signature", "eIDAS art. 26, 32, 36, 40; TS 119 615 §4.8"),
    (BlockKind::TimestampQualification, "Qualification of the time-stamp", "TS 119 615 §4.6, §4.7"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_has_a_clause() {
        for kind in BlockKind::ALL {
            assert!(clause(*kind).contains('§'), "{kind}");
        }
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(escape_control_chars("a\u{1b}[2Jb\n"), "aU+001B[2JbU+000A");
    }
}
