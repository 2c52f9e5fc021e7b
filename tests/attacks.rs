//! Documents that lie, and harmless ones beside them: what must be said of each.
//!
//! Every row makes its document itself, signed in a laboratory of its own, and stands for a weakness: the clause that
//! decides, how the document is made, what is expected. A test shows all rows of its group that are answered
//! otherwise.

#[path = "attacks/annotations.rs"]
mod annotations;
#[path = "attacks/appended.rs"]
mod appended;
#[path = "attacks/beside_pages.rs"]
mod beside_pages;
#[path = "attacks/bundles.rs"]
mod bundles;
#[path = "attacks/certificates.rs"]
mod certificates;
#[path = "attacks/cms.rs"]
mod cms;
#[path = "attacks/container_proofs.rs"]
mod container_proofs;
#[path = "attacks/containers.rs"]
mod containers;
#[path = "attacks/drawn.rs"]
mod drawn;
#[path = "attacks/fillings.rs"]
mod fillings;
#[path = "attacks/json.rs"]
mod json;
#[path = "attacks/judgement.rs"]
mod judgement;
#[path = "attacks/keys.rs"]
mod keys;
#[path = "attacks/liberties.rs"]
mod liberties;
#[path = "attacks/lists.rs"]
mod lists;
#[path = "attacks/locks.rs"]
mod locks;
#[path = "attacks/markup.rs"]
mod markup;
#[path = "attacks/messages.rs"]
mod messages;
#[path = "attacks/output_intents.rs"]
mod output_intents;
#[path = "attacks/packages.rs"]
mod packages;
#[path = "attacks/pages.rs"]
mod pages;
#[path = "attacks/proofs.rs"]
mod proofs;
#[path = "attacks/readers.rs"]
mod readers;
#[path = "attacks/records.rs"]
mod records;
#[path = "attacks/references.rs"]
mod references;
#[path = "attacks/revisions.rs"]
mod revisions;
#[path = "attacks/revocation.rs"]
mod revocation;
#[path = "attacks/searched.rs"]
mod searched;
#[path = "attacks/shown.rs"]
mod shown;
#[path = "attacks/signed_bytes.rs"]
mod signed_bytes;
#[path = "attacks/statements.rs"]
mod statements;
#[path = "attacks/unwritten.rs"]
mod unwritten;
#[path = "attacks/views.rs"]
mod views;
#[path = "attacks/xml.rs"]
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
