//! Irregularities of the file and of the token, each judged by the rule of its name.
//!
//! A policy of EU DSS has none of these rules, so that nothing of it is checked.

use super::case::Case;
use super::engine::{Ask, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::{FormatFailure, SignedDataNotFound};
use crate::facts::{Irregularity, IrregularityKind as Kind};
use crate::policy::{Place, RuleName};

/// Makes a check for each irregularity of the document and of the token.
pub(super) fn check(case: &Case<'_>, steps: &mut Steps, place: Place, own: &[Irregularity]) -> Result<(), Concluded> {
    for irregularity in own.iter().chain(&case.facts.irregularities) {
        let (rule, mut ask, failure) = row(irregularity.kind);
        if let Some(subject) = &irregularity.subject {
            ask = ask.comparing(subject.clone());
        }
        steps.rule(case.rule(place, rule), ask, false, failure)?;
    }
    Ok(())
}

/// The rule of a kind, what is asked, and what follows where the rule decides.
fn row(kind: Kind) -> (RuleName, Ask, Failure) {
    use RuleName as R;
    let format = || Failure::failed(FormatFailure);
    let not_found = || Failure::indeterminate(SignedDataNotFound);
    match kind {
        Kind::UncoveredOctets => (R::UncoveredOctets, ask!("BBB_FC_UNCOVERED_OCTETS"), format()),
        Kind::SecondFileType => (R::SecondFileType, ask!("BBB_FC_SECOND_FILE_TYPE"), format()),
        Kind::AmbiguousFileNames => (R::AmbiguousFileNames, ask!("BBB_FC_AMBIGUOUS_NAMES"), format()),
        Kind::ConfusableFileNames => (R::ConfusableFileNames, ask!("BBB_FC_CONFUSABLE_NAMES"), format()),
        Kind::UnexpectedContainerEntry => (R::UnexpectedContainerEntry, ask!("BBB_FC_UNEXPECTED_ENTRY"), format()),
        Kind::UnreadableSignature => (R::UnreadableSignature, ask!("BBB_FC_UNREADABLE_SIGNATURE"), format()),
        Kind::UnreferencedContent => (R::UnreferencedContent, ask!("BBB_CV_UNREFERENCED_CONTENT"), not_found()),
        Kind::OtherSignedFile => (R::OtherSignedFile, ask!("BBB_CV_OTHER_SIGNED_FILE"), not_found()),
        Kind::PartlySignedContent => (R::PartlySignedContent, ask!("BBB_CV_PARTLY_SIGNED"), format()),
        Kind::EmptySignedContent => (R::EmptySignedContent, ask!("BBB_CV_NOTHING_SIGNED"), not_found()),
        Kind::UnsignedObject => (R::UnsignedObject, ask!("BBB_CV_UNSIGNED_OBJECT"), format()),
        Kind::JoinedContents => (R::JoinedContents, ask!("BBB_CV_JOINED_CONTENTS"), format()),
        Kind::ContentTypeMismatch => (R::ContentTypeMismatch, ask!("BBB_FC_CONTENT_TYPE"), format()),
        Kind::SignerIdentifierMismatch => (R::SignerIdentifierMismatch, ask!("BBB_ICS_SIGNER_IDENTIFIERS"), format()),
        Kind::MalformedHeader => (R::MalformedHeader, ask!("BBB_FC_MALFORMED_HEADER"), format()),
        Kind::FormatViolation => (R::FormatViolation, ask!("BBB_FC_FORMAT_VIOLATION"), format()),
        Kind::PageNotCompared => (R::PageNotCompared, ask!("BBB_FC_PAGE_NOT_COMPARED"), format()),
        Kind::BudgetExceeded => (R::BudgetExceeded, ask!("BBB_FC_BUDGET_EXCEEDED"), format()),
        Kind::CaSigner => (R::CaSigner, ask!("BBB_XCV_CA_SIGNER"), format()),
        Kind::UnnamedSigner => (R::UnnamedSigner, ask!("BBB_XCV_UNNAMED_SIGNER"), format()),
        Kind::DeceptiveName => (R::DeceptiveName, ask!("BBB_XCV_DECEPTIVE_NAME"), format()),
        Kind::TimestampingPurpose => (R::TimestampingPurpose, ask!("BBB_XCV_TIMESTAMPING_PURPOSE"), format()),
        Kind::CoarseTime => (R::CoarseTime, ask!("BBB_TAV_COARSE_TIME"), format()),
        Kind::EvidenceRecordOrder => (R::EvidenceRecordOrder, ask!("BBB_ER_ORDER"), format()),
    }
}
