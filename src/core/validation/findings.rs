//! What a reader should see of the processes' messages.
//!
//! Each process collects what its blocks have to say, so that the same message stands in several; here they are
//! brought together, each once. Errors of an earlier process count only while they explain the result.

use super::blocks::BuildingBlocks;
use super::engine::{Block, Conclusion, Message};
use super::verdict::Findings;
use std::collections::HashSet;

/// Collects the findings on a signature, from its three processes.
pub(super) fn of_signature(basic: &Block, long_term: &Block, archival: &Block) -> Findings {
    let highest = &archival.conclusion;
    let mut findings = Findings::default();
    for conclusion in [&basic.conclusion, &long_term.conclusion, highest] {
        if conclusion.sub_indication == highest.sub_indication {
            add(&mut findings.errors, &conclusion.errors);
        }
        add_others(&mut findings, conclusion);
    }
    findings
}

/// Collects the findings on a time-stamp, from its two processes.
pub(super) fn of_timestamp(basic: &Block, archival: &Block) -> Findings {
    let mut findings = Findings::default();
    if !archival.is_passed() {
        add(&mut findings.errors, &basic.conclusion.errors);
    }
    add(&mut findings.errors, &archival.conclusion.errors);
    add_others(&mut findings, &basic.conclusion);
    add_others(&mut findings, &archival.conclusion);
    findings
}

/// Collects the findings on an evidence record.
pub(super) fn of_evidence_record(result: &Block) -> Findings {
    Findings::of(&result.conclusion)
}

/// Collects the findings on a certificate that is judged by itself.
pub(super) fn of_certificate(blocks: &BuildingBlocks) -> Findings {
    Findings::of(&blocks.conclusion)
}

impl Findings {
    /// Collects the messages of a conclusion, each once.
    pub(crate) fn of(conclusion: &Conclusion) -> Self {
        let mut findings = Self::default();
        add(&mut findings.errors, &conclusion.errors);
        add_others(&mut findings, conclusion);
        findings
    }
}

fn add_others(findings: &mut Findings, conclusion: &Conclusion) {
    add(&mut findings.warnings, &conclusion.warnings);
    add(&mut findings.infos, &conclusion.infos);
}

fn add(known: &mut Vec<Message>, new: &[Message]) {
    let mut seen: HashSet<&Message> = known.iter().collect();
    let added: Vec<Message> = new.iter().filter(|message| seen.insert(message)).cloned().collect();
    known.extend(added);
}
