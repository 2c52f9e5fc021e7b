//! Irregularities of the file and of the token, each judged by the rule of its name.
//!
//! A policy of EU DSS has none of these rules, so that nothing of it is checked.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, Concluded};
use super::outcome::outcomes;
use crate::facts::{Irregularity, IrregularityKind};
use crate::policy::{PolicySection, RuleName};

outcomes! {
    /// The outcomes of an irregularity.
    enum Irregular {
        FormatFailure,
        SignedDataNotFound,
    }
}

/// Makes a check for each irregularity of the document and of the token.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    section: PolicySection,
    own: &[Irregularity],
) -> Result<(), Concluded> {
    for irregularity in own.iter().chain(&cx.facts.irregularities) {
        let (rule, check, failure) = row(irregularity.kind);
        let question = match &irregularity.subject {
            Some(subject) => check.comparing(subject.clone()),
            None => check.into(),
        };
        block.check(cx.rule(section, rule), question, false, failure)?;
    }
    Ok(())
}

impl IrregularityKind {
    /// Returns the check of that name.
    pub(crate) fn check(self) -> CheckId {
        row(self).1
    }
}

/// Defines the row of a kind: the rule and the check of the same name, and what follows where the rule decides.
macro_rules! rows {
    ($($kind:ident: $outcome:ident;)+) => {
        fn row(kind: IrregularityKind) -> (RuleName, CheckId, Irregular) {
            match kind {
                $(IrregularityKind::$kind => (RuleName::$kind, CheckId::$kind, Irregular::$outcome),)+
            }
        }
    };
}

rows! {
    UncoveredOctets: FormatFailure;
    SecondFileType: FormatFailure;
    AmbiguousFileNames: FormatFailure;
    ConfusableFileNames: FormatFailure;
    UnexpectedContainerEntry: FormatFailure;
    PackageManifestMismatch: FormatFailure;
    EncryptedContent: FormatFailure;
    UnreadableSignature: FormatFailure;
    UnreferencedContent: SignedDataNotFound;
    OtherSignedFile: SignedDataNotFound;
    PartlySignedContent: FormatFailure;
    EmptySignedContent: SignedDataNotFound;
    UnsignedObject: FormatFailure;
    JoinedContents: FormatFailure;
    ContentTypeMismatch: FormatFailure;
    SignerIdentifierMismatch: FormatFailure;
    MalformedHeader: FormatFailure;
    FormatViolation: FormatFailure;
    PageNotCompared: FormatFailure;
    BudgetExceeded: FormatFailure;
    CaSigner: FormatFailure;
    UnnamedSigner: FormatFailure;
    DeceptiveName: FormatFailure;
    TimestampingPurpose: FormatFailure;
    CoarseTime: FormatFailure;
    EvidenceRecordOrder: FormatFailure;
}
