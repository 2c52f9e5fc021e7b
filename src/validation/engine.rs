//! How checks run: each under the level that the policy gives it, first conclusion wins.
//!
//! A building block is an ordered list of checks. A check whose rule is absent is
//! not made at all; under IGNORE it is only recorded. A failing check under FAIL
//! concludes the block; under WARN or INFORM it leaves a message. [`Steps`] keeps
//! that discipline, so that a block reads as the clause: one line a check, `?`
//! where the standard says "shall return".

#![allow(missing_docs)]

use super::outcome::{Indication, SubIndication};
use crate::facts::Id;
use crate::policy::{Level, Rule};
use crate::vocabulary::string_enum;
use std::sync::Arc;

string_enum! {
    /// A building block or process of EN 319 102-1.
    pub enum BlockKind {
        FormatChecking = "FC",
        IdentificationOfSigningCertificate = "ISC",
        ValidationContextInitialization = "VCI",
        X509CertificateValidation = "XCV",
        /// One certificate within XCV.
        SubX509CertificateValidation = "SUB_XCV",
        RevocationDataSelection = "CRS",
        RevocationAcceptance = "RAC",
        RevocationFreshness = "RFC",
        CryptographicVerification = "CV",
        SignatureAcceptance = "SAV",
        AlgorithmObsolescence = "AOV",
        PastSignatureValidation = "PSV",
        PastCertificateValidation = "PCV",
        ValidationTimeSliding = "VTS",
        BasicValidation = "BASIC",
        TimestampValidation = "TST",
        /// Time-stamps with archival data.
        TimestampArchivalValidation = "TST_LTA",
        LongTermValidation = "LTV",
        ArchivalValidation = "LTA",
        EvidenceRecordValidation = "ER",
        SignatureQualification = "SIG_QUAL",
        CertificateQualification = "CERT_QUAL",
        TimestampQualification = "TST_QUAL",
        TrustedListAnalysis = "TL",
    }
}

string_enum! {
    /// How a check went.
    pub enum Status {
        Ok = "OK",
        NotOk = "NOT OK",
        Warning = "WARNING",
        Information = "INFORMATION",
        Ignored = "IGNORED",
    }
}

/// What a failing check reports. `key` is the stable failure key (DSS's `…_ANS`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The key.
    pub key: &'static str,
    /// The token that the check looked at.
    pub token: Option<Id>,
    /// The values compared.
    pub compared: Option<Arc<str>>,
}

/// One check that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The key of the question.
    pub question: &'static str,
    /// The key of the failure.
    pub failure: &'static str,
    /// How it went.
    pub status: Status,
    /// The token that it looked at, where that is not the block's own.
    pub token: Option<Id>,
    /// The values compared.
    pub compared: Option<Arc<str>>,
    /// The kind of the block whose result it relays.
    pub block: Option<BlockKind>,
}

impl Check {
    /// What the check has to say when it does not hold.
    pub fn message(&self) -> Message {
        Message { key: self.failure, token: self.token.clone(), compared: self.compared.clone() }
    }
}

/// What a block concludes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    pub indication: Indication,
    pub sub_indication: Option<SubIndication>,
    pub errors: Vec<Message>,
    pub warnings: Vec<Message>,
    pub infos: Vec<Message>,
}

impl Conclusion {
    /// PASSED, with nothing to say.
    pub fn passed() -> Self {
        Self { indication: Indication::Passed, sub_indication: None, errors: vec![], warnings: vec![], infos: vec![] }
    }

    /// Whether the indication is PASSED.
    pub fn is_passed(&self) -> bool {
        self.indication == Indication::Passed
    }

    /// Takes over the messages of an inner block; the two words stay.
    pub fn add_messages_of(&mut self, inner: &Self) {
        self.errors.extend(inner.errors.iter().cloned());
        self.warnings.extend(inner.warnings.iter().cloned());
        self.infos.extend(inner.infos.iter().cloned());
    }
}

/// What a failing check concludes: the two words, and the messages of an inner block that it relays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub indication: Indication,
    pub sub_indication: Option<SubIndication>,
    /// When not empty, these stand in place of the check's own error.
    pub previous_errors: Vec<Message>,
}

impl Failure {
    /// FAILED with that sub-indication.
    pub fn failed(sub: SubIndication) -> Self {
        Self { indication: Indication::Failed, sub_indication: Some(sub), previous_errors: vec![] }
    }

    /// INDETERMINATE with that sub-indication.
    pub fn indeterminate(sub: SubIndication) -> Self {
        Self { indication: Indication::Indeterminate, sub_indication: Some(sub), previous_errors: vec![] }
    }

    /// The conclusion of an inner block, passed on.
    pub fn relayed(inner: &Conclusion) -> Self {
        Self {
            indication: inner.indication,
            sub_indication: inner.sub_indication,
            previous_errors: inner.errors.clone(),
        }
    }
}

/// A finished block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// The token judged.
    pub token: Option<Id>,
    pub checks: Vec<Check>,
    pub conclusion: Conclusion,
}

impl Block {
    /// Whether it concludes PASSED.
    pub fn is_passed(&self) -> bool {
        self.conclusion.is_passed()
    }
}

/// The block has its conclusion; later checks are not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concluded;

/// The steps of a block while it runs.
#[derive(Debug)]
pub struct Steps {
    kind: BlockKind,
    token: Option<Id>,
    checks: Vec<Check>,
    conclusion: Option<Conclusion>,
}

/// A check about to be made: question and failure key, what it looked at.
#[derive(Debug, Clone)]
pub struct Ask {
    pub question: &'static str,
    pub failure: &'static str,
    pub token: Option<Id>,
    pub compared: Option<Arc<str>>,
    pub block: Option<BlockKind>,
}

impl Ask {
    /// The check with question key `question` and failure key `failure`.
    pub fn new(question: &'static str, failure: &'static str) -> Self {
        Self { question, failure, token: None, compared: None, block: None }
    }

    /// What the check has to say when it does not hold.
    pub fn message(&self) -> Message {
        Message { key: self.failure, token: self.token.clone(), compared: self.compared.clone() }
    }

    /// About that token.
    pub fn about(mut self, token: &Id) -> Self {
        self.token = Some(token.clone());
        self
    }

    /// Comparing these values.
    pub fn comparing(mut self, values: impl Into<Arc<str>>) -> Self {
        self.compared = Some(values.into());
        self
    }

    /// Relaying the result of a block of that kind.
    pub fn of_block(mut self, kind: BlockKind) -> Self {
        self.block = Some(kind);
        self
    }
}

impl Steps {
    /// Begins a block about `token`.
    pub fn new(kind: BlockKind, token: Option<&Id>) -> Self {
        Self { kind, token: token.cloned(), checks: vec![], conclusion: None }
    }

    /// Makes a check under the policy's rule; an absent rule means no check.
    pub fn rule(&mut self, rule: Option<&Rule>, ask: Ask, holds: bool, failure: Failure) -> Result<(), Concluded> {
        self.level(rule.map(|r| r.level), ask, holds, failure)
    }

    /// Makes a check at a level; `None` means no check.
    pub fn level(&mut self, level: Option<Level>, ask: Ask, holds: bool, failure: Failure) -> Result<(), Concluded> {
        let Some(level) = level else { return Ok(()) };
        let status = match (level, holds) {
            (Level::Ignore, _) => Status::Ignored,
            (_, true) => Status::Ok,
            (Level::Fail, false) => Status::NotOk,
            (Level::Warn, false) => Status::Warning,
            (Level::Inform, false) => Status::Information,
        };
        let check = Check {
            question: ask.question,
            failure: ask.failure,
            status,
            token: ask.token,
            compared: ask.compared,
            block: ask.block,
        };
        if status == Status::NotOk {
            let errors =
                if failure.previous_errors.is_empty() { vec![check.message()] } else { failure.previous_errors };
            match &mut self.conclusion {
                Some(first) => first.errors.extend(errors),
                None => {
                    self.conclusion = Some(Conclusion {
                        indication: failure.indication,
                        sub_indication: failure.sub_indication,
                        errors,
                        warnings: vec![],
                        infos: vec![],
                    });
                }
            }
        }
        self.checks.push(check);
        if status == Status::NotOk { Err(Concluded) } else { Ok(()) }
    }

    /// Ends the block with that conclusion although no check failed.
    pub fn conclude(&mut self, conclusion: Conclusion) -> Concluded {
        self.conclusion.get_or_insert(conclusion);
        Concluded
    }

    /// Whether a check has failed already.
    pub fn has_concluded(&self) -> bool {
        self.conclusion.is_some()
    }

    /// Ends the block: the conclusion reached, or PASSED, with the warnings and information of its checks.
    pub fn finish(self) -> Block {
        self.finish_showing(|_| true)
    }

    /// As [`finish`](Self::finish), with the warnings and information of those checks only that are to be shown.
    pub fn finish_showing(self, shown: impl Fn(&Check) -> bool) -> Block {
        let mut conclusion = self.conclusion.unwrap_or_else(Conclusion::passed);
        for check in self.checks.iter().filter(|check| shown(check)) {
            match check.status {
                Status::Warning => conclusion.warnings.push(check.message()),
                Status::Information => conclusion.infos.push(check.message()),
                Status::Ok | Status::NotOk | Status::Ignored => {}
            }
        }
        Block { kind: self.kind, token: self.token, checks: self.checks, conclusion }
    }
}

/// The check whose failure key is its question key and `_ANS`.
macro_rules! ask {
    ($question:literal) => {
        $crate::validation::engine::Ask::new($question, concat!($question, "_ANS"))
    };
}
pub(crate) use ask;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::outcome::SubIndication;
    use crate::validation::testing::word;

    #[test]
    fn what_a_level_makes_of_a_failure() {
        for (level, status, expected) in [
            (Level::Fail, Status::NotOk, "FAILED/HASH_FAILURE"),
            (Level::Warn, Status::Warning, "PASSED"),
            (Level::Inform, Status::Information, "PASSED"),
            (Level::Ignore, Status::Ignored, "PASSED"),
        ] {
            let mut steps = Steps::new(BlockKind::CryptographicVerification, None);
            let failure = Failure::failed(SubIndication::HashFailure);
            let result = steps.level(Some(level), ask!("BBB_CV_IRDOI"), false, failure);
            assert_eq!(result.is_err(), level == Level::Fail);
            let block = steps.finish();
            assert_eq!((block.checks[0].status, word(&block.conclusion).as_str()), (status, expected));
            let conclusion = &block.conclusion;
            let said = conclusion.errors.len() + conclusion.warnings.len() + conclusion.infos.len();
            assert_eq!(said, usize::from(level != Level::Ignore), "{level:?}");
        }
    }

    #[test]
    fn without_a_rule_there_is_no_check() {
        let mut steps = Steps::new(BlockKind::CryptographicVerification, None);
        let failure = Failure::failed(SubIndication::HashFailure);
        assert!(steps.rule(None, ask!("BBB_CV_IRDOI"), false, failure).is_ok());
        assert_eq!(steps.finish().checks, []);
    }

    #[test]
    fn an_inner_block_speaks_for_itself() {
        let mut inner = Steps::new(BlockKind::RevocationFreshness, None);
        let _ = inner.level(
            Some(Level::Fail),
            ask!("BBB_RFC_IRIF"),
            false,
            Failure::indeterminate(SubIndication::TryLater),
        );
        let inner = inner.finish();
        let mut outer = Steps::new(BlockKind::SubX509CertificateValidation, None);
        let _ = outer.level(Some(Level::Fail), ask!("BBB_XCV_RFC"), false, Failure::relayed(&inner.conclusion));
        let outer = outer.finish();
        assert_eq!(outer.conclusion, inner.conclusion);
        assert_eq!(outer.checks[0].failure, "BBB_XCV_RFC_ANS");
    }
}
