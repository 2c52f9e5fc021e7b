//! What a report says: facts and verdicts projected once into plain rows, before a language or a form is chosen.
//!
//! The reports for people (text, HTML, PDF) are all written from a [`Model`]. It draws no conclusion: every
//! verdict in it was reached by the judgement, every time and name was collected.

mod checks;
mod evidence;
mod glossary;
mod known;
mod proof;
mod rows;
mod saying;
mod section;
mod timeline;

pub use evidence::{CertificateRow, Evidence, ListRow, RevocationRow, TimestampRow};
pub use glossary::Entry;
pub use rows::{Check, Finding, Row, Severity};
pub use saying::Saying;
pub use section::Section;
pub use timeline::{Event, Span, TimeLine};

pub(super) use evidence::status;
pub(super) use known::{Known, name};
pub(super) use rows::findings;
pub(super) use section::listed;
pub(super) use section::{code, issuer, trust};

use super::messages::Phrase;
use super::{PolicyName, Report, Wanted, WantedKind};
use crate::facts::{Facts, ObjectModifications, PdfRevision, ScopeType, Signature};
use crate::time::Time;
use crate::validation::outcome::Indication;

/// What a verdict comes down to for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// TOTAL-PASSED, PASSED.
    Valid,
    /// TOTAL-FAILED, FAILED.
    NotValid,
    /// INDETERMINATE.
    Undecided,
    /// There is nothing to judge.
    Nothing,
}

/// The whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The worst of all verdicts.
    pub state: State,
    /// The same in ETSI's word.
    pub indication: Indication,
    /// The verdict in one sentence.
    pub sentence: Saying,
    /// What that means for the reader.
    pub meaning: Saying,
    /// How many signatures there are, and how many of each state.
    pub counts: Vec<(Phrase, usize)>,
    /// The file.
    pub name: Option<String>,
    /// What is known of the file and of the circumstances of the judgement.
    pub about: Vec<Row>,
    /// The SHA-256 of the file, where the file was at hand.
    pub sha256: Option<String>,
    /// The time for which was judged.
    pub time: Time,
    /// By which policy.
    pub policy: PolicyName,
    /// A section a signature; where there is none, one a proof of time.
    pub sections: Vec<Section>,
    /// What could change the verdict.
    pub wanted: Vec<Saying>,
    /// What the verdicts rest on.
    pub evidence: Evidence,
    /// The codes that occur, each with its meaning.
    pub glossary: Vec<Entry>,
}

impl Model {
    /// What the report says.
    pub fn of(report: &Report) -> Self {
        let known = Known::new(report);
        let mut sections: Vec<Section> = report
            .signatures()
            .enumerate()
            .map(|(at, (signature, verdict))| section::signature(&known, at + 1, signature, verdict))
            .collect();
        if sections.is_empty() {
            sections = proof::sections(&known);
        }
        let counts = counts(report);
        let (sentence, meaning) = verdict(report, &counts);
        let facts = report.facts();
        Self {
            state: State::of(report.indication()),
            indication: report.indication(),
            sentence,
            meaning,
            counts,
            name: facts.document.name.clone(),
            about: about(report),
            sha256: facts.document.sha256.clone(),
            time: report.verdicts().time,
            policy: report.policy.clone(),
            wanted: wishes(&known, &report.wanted()),
            evidence: evidence::evidence(&known),
            glossary: glossary::glossary(report, &sections),
            sections,
        }
    }
}

impl State {
    /// The state of an indication.
    pub fn of(indication: Indication) -> Self {
        match indication {
            Indication::TotalPassed | Indication::Passed => Self::Valid,
            Indication::TotalFailed | Indication::Failed => Self::NotValid,
            Indication::Indeterminate => Self::Undecided,
            Indication::NoSignatureFound => Self::Nothing,
        }
    }

    /// The state in a word.
    pub fn word(self) -> Phrase {
        match self {
            Self::Valid => Phrase::Valid,
            Self::NotValid => Phrase::NotValid,
            Self::Undecided => Phrase::Undecided,
            Self::Nothing => Phrase::NothingSigned,
        }
    }

    /// Word and sign belong together: no meaning rests on colour.
    pub fn sign(self) -> char {
        match self {
            Self::Valid => '✔',
            Self::NotValid => '✘',
            Self::Undecided => '?',
            Self::Nothing => '–',
        }
    }
}

/// Signatures, and how many of each state; how many of them are qualified, where that was asked.
fn counts(report: &Report) -> Vec<(Phrase, usize)> {
    let of = |state| report.verdicts.signatures.iter().filter(|s| State::of(s.indication) == state).count();
    let proofs = report.facts.timestamps.len() + report.facts.evidence_records.len();
    let mut counts = vec![
        (Phrase::CountSignatures, report.facts.signatures.len()),
        (Phrase::CountValid, of(State::Valid)),
        (Phrase::CountNotValid, of(State::NotValid)),
        (Phrase::CountUndecided, of(State::Undecided)),
    ];
    if !report.facts.trusted_lists.is_empty() {
        let qualified = report.facts.signatures.iter().filter(|s| {
            use crate::qualification::SignatureQualification::{Qeseal, Qesig, UnknownQcQscd};
            matches!(report.signature_quality(&s.id), Qesig | Qeseal | UnknownQcQscd)
        });
        counts.push((Phrase::CountQualified, qualified.count()));
    }
    counts.push((Phrase::CountProofs, proofs));
    counts
}

/// The verdict on the whole in one sentence, and what it means.
fn verdict(report: &Report, counts: &[(Phrase, usize)]) -> (Saying, Saying) {
    let of = |phrase| counts.iter().find(|(p, _)| *p == phrase).map_or(0, |(_, n)| *n);
    let [n, valid, not_valid, undecided] =
        [Phrase::CountSignatures, Phrase::CountValid, Phrase::CountNotValid, Phrase::CountUndecided].map(of);
    let state = State::of(report.indication());
    let sentence = match (n, state) {
        (0, State::Nothing) => Phrase::NoSignature,
        (0, State::Valid) => Phrase::ProofsValid,
        (0, State::NotValid) => Phrase::ProofsNotValid,
        (0, State::Undecided) => Phrase::ProofsUndecided,
        (1, State::Valid) => Phrase::OneValid,
        (1, State::NotValid) => Phrase::OneNotValid,
        (1, _) => Phrase::OneUndecided,
        _ if valid == n => Phrase::AllValid,
        _ if not_valid == n => Phrase::NoneValid,
        _ if undecided == n => Phrase::AllUndecided,
        _ => Phrase::Mixed,
    };
    let meaning = match (n, state) {
        (0, State::Nothing) => Phrase::MeansNothing,
        (0, _) => Phrase::MeansProofs,
        (_, State::Valid) if covers_the_whole(report.facts()) => Phrase::MeansValid,
        (_, State::Valid) => Phrase::MeansValidInPart,
        (_, State::NotValid) => Phrase::MeansNotValid,
        _ => Phrase::MeansUndecided,
    };
    let sentence = Saying::text(sentence)
        .with("n", n)
        .with("valid", valid)
        .with("not_valid", not_valid)
        .with("undecided", undecided);
    (sentence, meaning.into())
}

/// Whether every signature covers all of what it names, and nothing beside or after it is irregular.
fn covers_the_whole(facts: &Facts) -> bool {
    let whole = |signature: &Signature| {
        let partly = signature.scopes.iter().any(|scope| scope.kind == ScopeType::Partial);
        signature.irregularities.is_empty()
            && (!partly || signature.pdf_revision.as_deref().is_some_and(only_proofs_follow))
    };
    facts.irregularities.is_empty() && facts.signatures.iter().filter(|s| !s.counter_signature).all(whole)
}

/// Whether nothing but proofs for long-term validity was added to a PDF after this revision.
fn only_proofs_follow(revision: &PdfRevision) -> bool {
    let proofs = |objects: &ObjectModifications| {
        objects.signature_or_form_fill.is_empty() && objects.annotation.is_empty() && objects.undefined.is_empty()
    };
    revision.modifications.as_ref().is_some_and(|changes| {
        changes.visual_differences.is_empty()
            && changes.page_differences.is_empty()
            && changes.objects.as_ref().is_some_and(proofs)
    })
}

/// The file, and the time and the rules of the judgement.
fn about(report: &Report) -> Vec<Row> {
    let document = &report.facts.document;
    let octets = |size: u64| Saying::text(Phrase::Octets).with("n", Saying::code(thousands(size)));
    let rows = [
        Row::maybe(Phrase::File, document.name.as_deref().map(Saying::from)),
        Row::maybe(Phrase::Size, document.size.map(octets)),
        Row::maybe(Phrase::Sha256, document.sha256.clone().map(Saying::Code)),
        Row::maybe(Phrase::Format, super::json::format_of(&report.facts).map(Saying::code)),
        Some(Row::one(Phrase::JudgedFor, report.verdicts.time)),
        Some(Row::one(Phrase::Rules, &*report.policy.name)),
    ];
    rows.into_iter().flatten().collect()
}

/// A number with a narrow space between groups of three digits (ISO 80000-1 §7.3.1).
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join("\u{202f}")
}

/// Each piece of evidence that could change the verdict, as a wish.
pub(super) fn wishes(known: &Known<'_>, wanted: &[Wanted]) -> Vec<Saying> {
    let wish = |want: &Wanted| {
        let phrase = match want.kind {
            WantedKind::Ocsp => Phrase::WantedOcsp,
            WantedKind::Crl => Phrase::WantedCrl,
            WantedKind::Issuer => Phrase::WantedIssuer,
            WantedKind::TrustedList => Phrase::WantedTrustedList,
            WantedKind::Content => Phrase::WantedContent,
        };
        let url = want.urls.first().map_or("", String::as_str);
        if want.kind == WantedKind::Content {
            return Saying::text(phrase).with("name", url);
        }
        let wish = Saying::text(phrase).with("name", known.name_or_id(&want.about));
        if url.is_empty() { wish } else { Saying::text(Phrase::WantedFrom).with("what", wish).with("address", url) }
    };
    wanted.iter().map(wish).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_in_groups_of_three() {
        for (number, written) in [(0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567")] {
            assert_eq!(super::thousands(number).replace('\u{202f}', " "), written);
        }
    }
}
