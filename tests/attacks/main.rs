//! Documents that lie, and harmless ones beside them: what must be said of each.
//!
//! Every row makes its document itself, signed in a laboratory of its own, and stands for a weakness: the clause that
//! decides, how the document is made, what is expected. A test shows all rows of its group that are answered
//! otherwise.

mod annotations;
mod appended;
mod beside_pages;
mod bundles;
mod certificates;
mod cms;
mod container_proofs;
mod containers;
mod drawn;
mod fillings;
mod json;
mod judgement;
mod keys;
mod liberties;
mod lists;
mod locks;
mod markup;
mod messages;
mod output_intents;
mod packages;
mod pages;
mod proofs;
mod readers;
mod records;
mod references;
mod revisions;
mod revocation;
mod searched;
mod shown;
mod signed_bytes;
mod statements;
mod unwritten;
mod views;
mod xml;

use lacre::{Document, Facts};
use lacre_testkit::lab::{AT, Answer, Lab};

/// What is expected.
#[derive(Debug, Clone, Copy)]
enum Expect {
    /// TOTAL-PASSED without a finding of severity warning or error.
    Passed,
    /// Anything but TOTAL-PASSED.
    NotPassed,
    /// A finding about the signature or the document, where it passes.
    Finding,
    /// The same, and nothing is called covered as a whole.
    FindingNotWhole,
    /// A finding about the signature or one of its time-stamps.
    FindingOfTimestamp,
}

impl Expect {
    fn holds(self, answer: &Answer) -> bool {
        if !answer.passed() {
            return !matches!(self, Self::Passed);
        }
        match self {
            Self::Passed => answer.worries.is_empty(),
            Self::NotPassed => false,
            Self::Finding => !answer.about.is_empty(),
            Self::FindingNotWhole => !answer.about.is_empty() && !answer.whole(),
            Self::FindingOfTimestamp => !answer.worries.is_empty(),
        }
    }
}

/// A document with what is handed in beside it.
struct Given {
    name: &'static str,
    bytes: Vec<u8>,
    contents: Vec<(String, Vec<u8>)>,
    anchors: Vec<Vec<u8>>,
    evidence: Vec<Vec<u8>>,
}

impl Given {
    fn new(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name, bytes: bytes.into(), contents: vec![], anchors: vec![], evidence: vec![] }
    }

    /// With a content handed in.
    fn with(mut self, name: &str, content: &[u8]) -> Self {
        self.contents.push((name.to_owned(), content.to_vec()));
        self
    }

    /// With somebody else who is trusted.
    fn trusting(mut self, certificate: &[u8]) -> Self {
        self.anchors.push(certificate.to_vec());
        self
    }
}

fn pdf(bytes: Vec<u8>) -> Given {
    Given::new("contract.pdf", bytes)
}

/// The clause, the situation, the expectation, the document.
type Row = (&'static str, &'static str, Expect, fn(&Lab) -> Given);

/// What is collected from a document.
fn facts(lab: &Lab, document: impl AsRef<[u8]>) -> Facts {
    let report = lab.validator().validate(&Document::new(document.as_ref()), AT.parse().expect("a time"));
    report.expect("it is signed").facts().clone()
}

/// Checks every row of a table, and shows all that are answered otherwise.
fn check(rows: &[Row]) {
    let mut wrong = vec![];
    for (clause, situation, expect, make) in rows {
        let mut lab = Lab::new();
        let given = make(&lab);
        lab.anchors.clone_from(&given.anchors);
        lab.evidence.clone_from(&given.evidence);
        let answer = lab.answer(&given.bytes, given.name, &given.contents);
        if !expect.holds(&answer) {
            wrong.push(format!("{clause}: {situation}: expected {expect:?}, found {}", answer.line()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
