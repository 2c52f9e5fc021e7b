//! The report for people in plain rows, before a language or a form is chosen.
//!
//! Text, HTML and PDF are all written from a [`Model`]. It draws no conclusion: every verdict in it was reached by the
//! judgement, every time and name was collected.

mod checks;
mod evidence;
mod existence;
mod glossary;
mod localized_text;
mod proof;
mod qualification;
mod revocation;
mod rows;
mod section;
mod timeline;

pub use evidence::Evidence;
pub use glossary::Entry;
pub use localized_text::LocalizedText;
pub(super) use localized_text::day;
pub use rows::{Check, Finding, Row};
pub use section::Section;
pub use timeline::TimeLine;

pub(super) use qualification::{
    advice, findings as qualification_findings, legally, list_name, lists_could_speak, steps_of_signature,
    steps_of_timestamp,
};
pub(super) use revocation::revocation_status;
pub(super) use rows::findings;
pub(super) use section::listed;
pub(super) use section::{code, identifier, issuer, organization, period, trust};

use super::messages::MessageId;
use super::view::IrregularityView;
use super::{PolicyName, Report, Wanted, WantedKind};
use crate::facts::{Facts, ObjectModifications, PdfRevision, ScopeType, Signature};
use crate::time::Time;
use crate::validation::outcome::Indication;
use std::collections::HashSet;

/// A verdict as a reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// TOTAL-PASSED, PASSED.
    Valid,
    /// TOTAL-FAILED, FAILED.
    NotValid,
    /// INDETERMINATE.
    Undecided,
    /// NO_SIGNATURE_FOUND.
    Nothing,
}

/// The whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The worst of all verdicts, as a reader sees it.
    pub state: State,
    /// The worst of all verdicts, in ETSI's word.
    pub indication: Indication,
    /// The verdict in one sentence.
    pub sentence: LocalizedText,
    /// What the verdict means for the reader.
    pub meaning: LocalizedText,
    /// The number of signatures, and of those in each state.
    pub counts: Vec<(MessageId, usize)>,
    /// The name of the file.
    pub name: Option<String>,
    /// The file, the validation time and the policy.
    pub about: Vec<Row>,
    /// The SHA-256 of the file, where the file was at hand.
    pub sha256: Option<String>,
    /// The validation time.
    pub time: Time,
    /// The policy.
    pub policy: PolicyName,
    /// One section for each signature; without signatures, one for each proof of time.
    pub sections: Vec<Section>,
    /// The missing validation data that could change the verdict.
    pub wanted: Vec<LocalizedText>,
    /// The validation data that the verdicts rest on.
    pub evidence: Evidence,
    /// The codes that occur, each with its meaning.
    pub glossary: Vec<Entry>,
}

impl Model {
    /// Makes the model of a report.
    pub fn of(report: &Report) -> Self {
        let mut sections: Vec<Section> = report
            .signatures()
            .enumerate()
            .map(|(at, signature)| section::signature(report, at + 1, signature))
            .collect();
        if sections.is_empty() {
            sections = proof::sections(report);
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
            wanted: wishes(report, &report.wanted()),
            evidence: evidence::evidence(report),
            glossary: glossary::glossary(report, &sections),
            sections,
        }
    }
}

impl State {
    /// Returns the state of an indication.
    pub fn of(indication: Indication) -> Self {
        match indication {
            Indication::TotalPassed | Indication::Passed => Self::Valid,
            Indication::TotalFailed | Indication::Failed => Self::NotValid,
            Indication::Indeterminate => Self::Undecided,
            Indication::NoSignatureFound => Self::Nothing,
        }
    }

    /// Returns the state in a word.
    pub fn word(self) -> MessageId {
        match self {
            Self::Valid => MessageId::Valid,
            Self::NotValid => MessageId::NotValid,
            Self::Undecided => MessageId::Undecided,
            Self::Nothing => MessageId::NothingSigned,
        }
    }

    /// Returns the sign that stands beside the word, so that no meaning rests on colour.
    pub fn sign(self) -> char {
        match self {
            Self::Valid => '✔',
            Self::NotValid => '✘',
            Self::Undecided => '?',
            Self::Nothing => '–',
        }
    }
}

/// Counts the signatures, those in each state, the qualified ones where trusted lists were loaded, and the proofs of time.
fn counts(report: &Report) -> Vec<(MessageId, usize)> {
    let of = |state| report.verdicts.signatures.iter().filter(|s| State::of(s.indication) == state).count();
    let proofs = report.facts.timestamps.len() + report.facts.evidence_records.len();
    let mut counts = vec![
        (MessageId::CountSignatures, report.facts.signatures.len()),
        (MessageId::CountValid, of(State::Valid)),
        (MessageId::CountNotValid, of(State::NotValid)),
        (MessageId::CountUndecided, of(State::Undecided)),
    ];
    if !report.facts.trusted_lists.is_empty() {
        let qualified = report.signatures().filter(|signature| {
            use crate::qualification::SignatureQualification::{Qeseal, Qesig, UnknownQcQscd};
            matches!(signature.qualification(), Qesig | Qeseal | UnknownQcQscd)
        });
        counts.push((MessageId::CountQualified, qualified.count()));
    }
    counts.push((MessageId::CountProofs, proofs));
    counts
}

/// Returns the verdict on the whole in one sentence, and what it means.
fn verdict(report: &Report, counts: &[(MessageId, usize)]) -> (LocalizedText, LocalizedText) {
    let of = |id| counts.iter().find(|(p, _)| *p == id).map_or(0, |(_, n)| *n);
    let [n, valid, not_valid, undecided] =
        [MessageId::CountSignatures, MessageId::CountValid, MessageId::CountNotValid, MessageId::CountUndecided]
            .map(of);
    let state = State::of(report.indication());
    let sentence = match (n, state) {
        (0, State::Nothing) => MessageId::NoSignature,
        (0, State::Valid) => MessageId::ProofsValid,
        (0, State::NotValid) => MessageId::ProofsNotValid,
        (0, State::Undecided) => MessageId::ProofsUndecided,
        (1, State::Valid) => MessageId::OneValid,
        (1, State::NotValid) => MessageId::OneNotValid,
        (1, _) => MessageId::OneUndecided,
        _ if valid == n => MessageId::AllValid,
        _ if not_valid == n => MessageId::NoneValid,
        _ if undecided == n => MessageId::AllUndecided,
        _ => MessageId::Mixed,
    };
    let meaning = match (n, state) {
        (0, State::Nothing) => MessageId::MeansNothing,
        (0, _) => MessageId::MeansProofs,
        (_, State::Valid) if covers_the_whole(report.facts()) => MessageId::MeansValid,
        (_, State::Valid) => MessageId::MeansValidInPart,
        (_, State::NotValid) => MessageId::MeansNotValid,
        _ => MessageId::MeansUndecided,
    };
    let sentence = LocalizedText::new(sentence)
        .with("n", n)
        .with("valid", valid)
        .with("not_valid", not_valid)
        .with("undecided", undecided);
    (sentence, meaning.into())
}

/// Returns whether every signature covers all of what it names, and nothing beside or after it is irregular.
fn covers_the_whole(facts: &Facts) -> bool {
    let whole = |signature: &Signature| {
        let partly = signature.scopes.iter().any(|scope| scope.kind == ScopeType::Partial);
        signature.irregularities.is_empty()
            && (!partly || signature.pdf_revision.as_deref().is_some_and(only_proofs_follow))
    };
    facts.irregularities.is_empty() && facts.signatures.iter().filter(|s| !s.counter_signature).all(whole)
}

/// Returns whether nothing but proofs for long-term validity was added to a PDF after this revision.
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

/// Returns the rows on the file, the validation time and the policy.
fn about(report: &Report) -> Vec<Row> {
    let document = &report.facts.document;
    let bytes = |size: u64| LocalizedText::new(MessageId::Bytes).with("n", LocalizedText::code(thousands(size)));
    let rows = [
        Row::maybe(MessageId::File, document.name.as_deref().map(LocalizedText::from)),
        Row::maybe(MessageId::Size, document.size.map(bytes)),
        Row::maybe(MessageId::Sha256, document.sha256.clone().map(LocalizedText::Code)),
        Row::maybe(MessageId::Format, super::json::format_of(&report.facts).map(LocalizedText::code)),
        Some(Row::one(MessageId::JudgedFor, report.verdicts.time)),
        Some(Row::one(MessageId::Rules, &*report.policy.name)),
        Row::many(MessageId::Why, report.irregularities().map(irregularity)),
    ];
    rows.into_iter().flatten().collect()
}

/// Returns what is irregular, and in what part of the file.
fn irregularity(irregularity: IrregularityView<'_>) -> LocalizedText {
    let sentence = LocalizedText::sentence(irregularity.check);
    match irregularity.subject {
        None => sentence,
        Some(subject) => LocalizedText::new(MessageId::FindingLine).with("subject", subject).with("finding", sentence),
    }
}

/// Writes a number with a narrow space between groups of three digits (ISO 80000-1 §7.3.1).
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join("\u{202f}")
}

/// Turns each piece of missing validation data into a sentence.
pub(super) fn wishes(report: &Report, wanted: &[Wanted]) -> Vec<LocalizedText> {
    let wish = |want: &Wanted| {
        let id = match want.kind {
            WantedKind::Ocsp => MessageId::WantedOcsp,
            WantedKind::Crl => MessageId::WantedCrl,
            WantedKind::Issuer => MessageId::WantedIssuer,
            WantedKind::TrustedList if report.trusted_list(&want.about).is_some() => MessageId::WantedCurrentList,
            WantedKind::TrustedList => MessageId::WantedTrustedList,
            WantedKind::Content => MessageId::WantedContent,
        };
        let url = want.urls.first().map_or("", String::as_str);
        if want.kind == WantedKind::Content {
            return LocalizedText::new(id).with("name", url);
        }
        let wish = LocalizedText::new(id);
        let wish = match report.trusted_list(&want.about) {
            Some(list) => wish.with("list", qualification::list_name(list)),
            None => wish.with("name", report.name_or_id(&want.about)),
        };
        if url.is_empty() {
            wish
        } else {
            LocalizedText::new(MessageId::WantedFrom).with("what", wish).with("address", url)
        }
    };
    let lists = wanted.iter().any(|want| want.kind == WantedKind::TrustedList);
    // Certificates of one holder are several wants and one sentence.
    let mut seen = HashSet::new();
    let wishes = wanted.iter().map(wish).filter(|wish| seen.insert(wish.clone()));
    wishes.chain(lists.then(|| MessageId::UpdateLists.into())).collect()
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
