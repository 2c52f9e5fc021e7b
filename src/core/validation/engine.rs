//! How checks run: each at the level that the policy gives it, the first conclusion wins.
//!
//! A building block is an ordered list of checks. A check whose rule is absent is not made at all; under IGNORE it is
//! only recorded. A failing check under FAIL concludes the block; under WARN or INFORM it leaves a message.
//! [`BlockBuilder`] keeps that discipline, so that a block reads as the clause: one line a check, `?` where the
//! standard says "shall return". What a failing check concludes is one of the outcomes that its clause allows
//! ([`outcomes!`](super::outcome)), or the conclusion of an inner block.

use super::check_id::CheckId;
use super::outcome::{Indication, Outcome, SubIndication};
use crate::facts::Id;
use crate::policy::{Level, Rule};
use crate::vocabulary::string_enum;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

string_enum! {
    /// A building block or process of EN 319 102-1, or a step of TS 119 615.
    pub enum BlockKind {
        /// Format checking: EN 319 102-1 §5.2.2.
        FormatChecking = "FC",
        /// Identification of the signing certificate: EN 319 102-1 §5.2.3.
        IdentificationOfSigningCertificate = "ISC",
        /// Validation context initialization: EN 319 102-1 §5.2.4.
        ValidationContextInitialization = "VCI",
        /// X.509 certificate validation: EN 319 102-1 §5.2.6.
        X509CertificateValidation = "XCV",
        /// One certificate of the path within X.509 certificate validation.
        SubX509CertificateValidation = "SUB_XCV",
        /// Selection of revocation data: EN 319 102-1 §5.2.6.4.
        RevocationDataSelection = "CRS",
        /// Acceptance of one piece of revocation data: EN 319 102-1 §5.2.6.4.
        RevocationAcceptance = "RAC",
        /// Revocation freshness checker: EN 319 102-1 §5.2.5.
        RevocationFreshness = "RFC",
        /// Cryptographic verification: EN 319 102-1 §5.2.7.
        CryptographicVerification = "CV",
        /// Signature acceptance validation: EN 319 102-1 §5.2.8.
        SignatureAcceptance = "SAV",
        /// Cryptographic constraints on algorithms: EN 319 102-1 §5.2.8.4.1.
        AlgorithmObsolescence = "AOV",
        /// Past signature validation: EN 319 102-1 §5.6.2.4.
        PastSignatureValidation = "PSV",
        /// Past certificate validation: EN 319 102-1 §5.6.2.1.
        PastCertificateValidation = "PCV",
        /// Validation time sliding: EN 319 102-1 §5.6.2.2.
        ValidationTimeSliding = "VTS",
        /// Validation process for basic signatures: EN 319 102-1 §5.3.
        BasicValidation = "BASIC",
        /// Validation process for time-stamps: EN 319 102-1 §5.4.
        TimestampValidation = "TST",
        /// Validation of time-stamps with archival data: EN 319 102-1 §5.6.2.
        TimestampArchivalValidation = "TST_LTA",
        /// Validation process for signatures with time and long-term validation material: EN 319 102-1 §5.5.
        LongTermValidation = "LTV",
        /// Validation process for signatures with archival data: EN 319 102-1 §5.6.
        ArchivalValidation = "LTA",
        /// Evidence record validation process: EN 319 102-1 §5.6.2.5.
        EvidenceRecordValidation = "ER",
        /// Qualification of a signature: eIDAS articles 26, 32, 36 and 40.
        SignatureQualification = "SIG_QUAL",
        /// Qualification of a certificate: TS 119 615 §4.4.
        CertificateQualification = "CERT_QUAL",
        /// Qualification of a time-stamp: TS 119 615 §4.6, §4.7.
        TimestampQualification = "TST_QUAL",
        /// Analysis of a trusted list: TS 119 615 §4.1, §4.2.
        TrustedListAnalysis = "TL",
    }
}

string_enum! {
    /// The result of a check.
    pub enum Status {
        /// It holds.
        Ok = "OK",
        /// It does not hold, and that concludes the block.
        NotOk = "NOT OK",
        /// It does not hold, which is only warned of.
        Warning = "WARNING",
        /// It does not hold, which is only worth knowing.
        Information = "INFORMATION",
        /// The policy has it ignored.
        Ignored = "IGNORED",
    }
}

/// What a check that does not hold reports.
#[derive(Debug, Clone)]
pub struct Message {
    /// The check whose failure it states.
    pub check: CheckId,
    /// The token that the check looked at.
    pub token: Option<Id>,
    /// The values compared.
    pub compared: Option<Arc<str>>,
}

impl Message {
    /// Returns the key of the failure, by which reports state it.
    pub fn key(&self) -> &'static str {
        self.check.failure()
    }
}

/// Two messages are the same where a report would say the same: checks may share the key of their failure.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        (self.key(), &self.token, &self.compared) == (other.key(), &other.token, &other.compared)
    }
}

impl Eq for Message {}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key(), &self.token, &self.compared).hash(state);
    }
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The check.
    pub id: CheckId,
    /// The check whose failure it reports: itself, or the one that it relays.
    pub reports: CheckId,
    /// Its result.
    pub status: Status,
    /// The token that it looked at, where that is not the block's own.
    pub token: Option<Id>,
    /// The values compared.
    pub compared: Option<Arc<str>>,
    /// The kind of the block whose result it relays.
    pub block: Option<BlockKind>,
}

impl Check {
    /// Returns the key of its question.
    pub fn question(&self) -> &'static str {
        self.id.question()
    }

    /// Returns the key of the failure that it reports.
    pub fn failure(&self) -> &'static str {
        self.reports.failure()
    }
}

/// What a block concludes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    /// The main status indication.
    pub indication: Indication,
    /// The sub-indication, where the indication is not PASSED and its clause gives one.
    pub sub_indication: Option<SubIndication>,
    /// What keeps the block from PASSED.
    pub errors: Vec<Message>,
    /// What the policy only warns of.
    pub warnings: Vec<Message>,
    /// What may be good to know.
    pub infos: Vec<Message>,
}

impl Conclusion {
    /// Returns PASSED without messages.
    pub fn passed() -> Self {
        Self { indication: Indication::Passed, sub_indication: None, errors: vec![], warnings: vec![], infos: vec![] }
    }

    /// Returns whether the indication is PASSED.
    pub fn is_passed(&self) -> bool {
        self.indication == Indication::Passed
    }

    /// Adds the messages of an inner block; indication and sub-indication stay.
    pub fn add_messages_of(&mut self, inner: &Self) {
        self.add_messages_where(inner, |_| true);
    }

    /// Adds those messages of an inner block that are wanted; indication and sub-indication stay.
    pub fn add_messages_where(&mut self, inner: &Self, wanted: impl Fn(&Message) -> bool) {
        self.errors.extend(inner.errors.iter().filter(|message| wanted(message)).cloned());
        self.warnings.extend(inner.warnings.iter().filter(|message| wanted(message)).cloned());
        self.infos.extend(inner.infos.iter().filter(|message| wanted(message)).cloned());
    }
}

/// What a failing check concludes: indication and sub-indication, and the errors reported in place of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    indication: Indication,
    sub_indication: Option<SubIndication>,
    /// Where there are none, the check reports its own.
    errors: Vec<Message>,
}

impl Failure {
    /// Returns FAILED without a sub-indication.
    pub fn failed() -> Self {
        Self { indication: Indication::Failed, sub_indication: None, errors: vec![] }
    }

    /// Relays the conclusion of an inner block with its errors.
    pub fn relayed(inner: &Conclusion) -> Self {
        Self { errors: inner.errors.clone(), ..Self::result_of(inner) }
    }

    /// Relays indication and sub-indication of an inner block, without its errors.
    pub fn result_of(inner: &Conclusion) -> Self {
        Self { indication: inner.indication, sub_indication: inner.sub_indication, errors: vec![] }
    }

    /// Reports these errors in place of the check's own.
    pub fn reporting(mut self, errors: &[Message]) -> Self {
        self.errors = errors.to_vec();
        self
    }

    /// Reports a message after the errors relayed.
    pub fn and(mut self, message: Message) -> Self {
        self.errors.push(message);
        self
    }
}

/// A clause's outcome becomes the indication that the standard puts its sub-indication under.
impl<O: Outcome> From<O> for Failure {
    fn from(outcome: O) -> Self {
        let sub = outcome.sub_indication();
        Self { indication: sub.indication(), sub_indication: Some(sub), errors: vec![] }
    }
}

/// A finished block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The building block or process.
    pub kind: BlockKind,
    /// The token judged.
    pub token: Option<Id>,
    /// The checks made, in the order of the clause.
    pub checks: Vec<Check>,
    /// What they conclude.
    pub conclusion: Conclusion,
}

impl Block {
    /// Returns whether it concludes PASSED.
    pub fn is_passed(&self) -> bool {
        self.conclusion.is_passed()
    }
}

/// The most things that a check names: pages, files, extensions.
pub const NAMED: usize = 20;

/// The most characters of what a check names: room for SHA-512 in hexadecimal.
const LONGEST: usize = 160;

/// A check about to be made: which, about which token, comparing which values.
#[derive(Debug, Clone)]
pub struct Question {
    check: CheckId,
    reports: CheckId,
    token: Option<Id>,
    compared: Option<Arc<str>>,
    block: Option<BlockKind>,
    silent: bool,
}

impl From<CheckId> for Question {
    fn from(check: CheckId) -> Self {
        Self { check, reports: check, token: None, compared: None, block: None, silent: false }
    }
}

impl Question {
    /// Asks about that token.
    pub fn about<'i>(mut self, token: impl Into<Option<&'i Id>>) -> Self {
        self.token = token.into().cloned();
        self
    }

    /// Compares these values.
    pub fn comparing(mut self, values: impl Into<Arc<str>>) -> Self {
        self.compared = Some(values.into());
        self
    }

    /// Compares these values where the check does not hold: what holds is not described.
    pub fn comparing_unless(self, holds: bool, values: impl FnOnce() -> String) -> Self {
        if holds { self } else { self.comparing(values()) }
    }

    /// Relays the result of a block of that kind.
    pub fn of_block(mut self, kind: BlockKind) -> Self {
        self.block = Some(kind);
        self
    }

    /// Reports the failure of another check, which this one relays.
    pub fn relaying(mut self, check: CheckId) -> Self {
        self.reports = check;
        self
    }

    /// Leaves no warning or information, as the report has it elsewhere; an error stays one.
    pub fn silent(self) -> Self {
        self.silent_if(true)
    }

    /// Makes it [`silent`](Self::silent) on that condition.
    pub fn silent_if(mut self, silent: bool) -> Self {
        self.silent = silent;
        self
    }

    /// Returns what the check reports where it does not hold: about the token that it asks about, else about that of its
    /// block.
    pub fn message(&self, of_block: Option<&Id>) -> Message {
        let token = self.token.as_ref().or(of_block).cloned();
        Message { check: self.reports, token, compared: self.compared.as_ref().map(as_found) }
    }
}

/// Returns a comparison of times that does not hold as what was found: `2027-… > 2019-…` for `2027-… ≤ 2019-…`, and of
/// `from ≤ time ≤ to` the half that does not hold. Other values stay as they are.
///
/// NOTE: times in UTC are in the order of their letters, but for fractions of the same second.
fn as_found(compared: &Arc<str>) -> Arc<str> {
    let is_time = |word: &str| word.ends_with('Z') && word.starts_with(|first: char| first.is_ascii_digit());
    let (mut names, mut first, mut operator) = (String::new(), "", "");
    for word in compared.split(' ') {
        if !is_time(word) {
            if first.is_empty() {
                names = names + word + " ";
            }
            operator = word;
            continue;
        }
        let found = match operator {
            "≤" if first > word => "> ",
            "≥" if first < word => "< ",
            "<" if first >= word => "≥ ",
            ">" if first <= word => "≤ ",
            _ => "",
        };
        if !first.is_empty() && !found.is_empty() {
            return (names + first + " " + found + word).into();
        }
        first = word;
    }
    compared.clone()
}

/// A check as a question: the methods of [`Question`].
impl CheckId {
    /// Asks about that token.
    pub fn about<'i>(self, token: impl Into<Option<&'i Id>>) -> Question {
        Question::from(self).about(token)
    }

    /// Compares these values.
    pub fn comparing(self, values: impl Into<Arc<str>>) -> Question {
        Question::from(self).comparing(values)
    }

    /// States the names of what it is about: the first [`NAMED`] of them, each cut to a bounded length. Every signature
    /// of a container may name the same files.
    pub fn naming(self, names: impl IntoIterator<Item: AsRef<str>>) -> Question {
        let mut named = String::new();
        for (at, name) in names.into_iter().take(NAMED + 1).enumerate() {
            named += if at > 0 { ", " } else { "" };
            let name = if at < NAMED { name.as_ref() } else { "…" };
            match name.char_indices().nth(LONGEST) {
                Some((end, _)) => named.extend([&name[..end], "…"]),
                None => named += name,
            }
        }
        if named.is_empty() { self.into() } else { self.comparing(named) }
    }

    /// Relays the result of a block of that kind.
    pub fn of_block(self, kind: BlockKind) -> Question {
        Question::from(self).of_block(kind)
    }
}

/// Signals that the block has its conclusion: the clause's "shall return", passed upwards by `?`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concluded;

/// A block while its checks are made.
#[derive(Debug)]
pub struct BlockBuilder {
    kind: BlockKind,
    token: Option<Id>,
    checks: Vec<Check>,
    failure: Option<Failure>,
    warnings: Vec<Message>,
    infos: Vec<Message>,
}

impl BlockBuilder {
    /// Begins a block about `token`.
    pub fn new(kind: BlockKind, token: &Id) -> Self {
        let token = Some(token.clone());
        Self { kind, token, checks: vec![], failure: None, warnings: vec![], infos: vec![] }
    }

    /// Makes a check at the level of the policy's rule; without a rule it is not made.
    pub fn check(
        &mut self,
        rule: Option<&Rule>,
        question: impl Into<Question>,
        holds: bool,
        failure: impl Into<Failure>,
    ) -> Result<(), Concluded> {
        self.check_at(rule.map(|rule| rule.level), question, holds, failure)
    }

    /// Makes a check at a level; without one it is not made.
    pub fn check_at(
        &mut self,
        level: impl Into<Option<Level>>,
        question: impl Into<Question>,
        holds: bool,
        failure: impl Into<Failure>,
    ) -> Result<(), Concluded> {
        match level.into() {
            Some(level) => self.record(level, question.into(), holds, failure.into()),
            None => Ok(()),
        }
    }

    fn record(&mut self, level: Level, question: Question, holds: bool, failure: Failure) -> Result<(), Concluded> {
        let status = match (level, holds) {
            (Level::Ignore, _) => Status::Ignored,
            (_, true) => Status::Ok,
            (Level::Fail, false) => Status::NotOk,
            (Level::Warn, false) => Status::Warning,
            (Level::Inform, false) => Status::Information,
        };
        match status {
            Status::NotOk => self.fail(&question, failure),
            Status::Warning if !question.silent => self.warnings.push(question.message(self.token.as_ref())),
            Status::Information if !question.silent => self.infos.push(question.message(self.token.as_ref())),
            _ => {}
        }
        let Question { check: id, reports, token, compared, block, silent: _ } = question;
        self.checks.push(Check { id, reports, status, token, compared, block });
        if status == Status::NotOk { Err(Concluded) } else { Ok(()) }
    }

    /// Takes the first failure as the conclusion; later ones add their errors.
    fn fail(&mut self, question: &Question, mut failure: Failure) {
        if failure.errors.is_empty() {
            failure.errors.push(question.message(self.token.as_ref()));
        }
        match &mut self.failure {
            Some(first) => first.errors.extend(failure.errors),
            None => self.failure = Some(failure),
        }
    }

    /// Ends the block with that failure although no check failed.
    pub fn conclude(&mut self, failure: impl Into<Failure>) -> Concluded {
        self.failure.get_or_insert(failure.into());
        Concluded
    }

    /// Ends the block: the conclusion reached, or PASSED, with the warnings and information of its checks.
    pub fn finish(self) -> Block {
        let Self { kind, token, checks, failure, warnings, infos } = self;
        let (indication, sub_indication, errors) = match failure {
            Some(Failure { indication, sub_indication, errors }) => (indication, sub_indication, errors),
            None => (Indication::Passed, None, vec![]),
        };
        Block { kind, token, checks, conclusion: Conclusion { indication, sub_indication, errors, warnings, infos } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::outcome::outcomes;
    use crate::validation::testing::word;

    outcomes! {
        /// Outcomes for these tests.
        enum Unwell {
            HashFailure,
            TryLater,
        }
    }

    fn block() -> BlockBuilder {
        BlockBuilder::new(BlockKind::CryptographicVerification, &Id::default())
    }

    #[test]
    fn what_a_level_makes_of_a_failure() {
        for (level, status, expected) in [
            (Level::Fail, Status::NotOk, "FAILED/HASH_FAILURE"),
            (Level::Warn, Status::Warning, "PASSED"),
            (Level::Inform, Status::Information, "PASSED"),
            (Level::Ignore, Status::Ignored, "PASSED"),
        ] {
            let mut block = block();
            let result = block.check_at(level, CheckId::ReferencedDataIntact, false, Unwell::HashFailure);
            assert_eq!(result.is_err(), level == Level::Fail);
            let block = block.finish();
            assert_eq!((block.checks[0].status, word(&block.conclusion).as_str()), (status, expected));
            let conclusion = &block.conclusion;
            let said = conclusion.errors.len() + conclusion.warnings.len() + conclusion.infos.len();
            assert_eq!(said, usize::from(level != Level::Ignore), "{level:?}");
        }
    }

    #[test]
    fn a_silent_check_leaves_only_errors() {
        for (level, said) in [(Level::Fail, 1), (Level::Warn, 0), (Level::Inform, 0)] {
            let mut block = block();
            let question = Question::from(CheckId::ReferencedDataIntact).silent();
            let _ = block.check_at(level, question, false, Unwell::HashFailure);
            let Block { checks, conclusion, .. } = block.finish();
            assert_eq!(checks.len(), 1, "{level:?}");
            assert_eq!(conclusion.errors.len() + conclusion.warnings.len() + conclusion.infos.len(), said, "{level:?}");
        }
    }

    #[test]
    fn without_a_rule_there_is_no_check() {
        let mut block = block();
        assert!(block.check(None, CheckId::ReferencedDataIntact, false, Unwell::HashFailure).is_ok());
        assert_eq!(block.finish().checks, []);
    }

    #[test]
    fn an_inner_block_speaks_for_itself() {
        let mut inner = BlockBuilder::new(BlockKind::RevocationFreshness, &Id::default());
        let _ = inner.check_at(Level::Fail, CheckId::YoungerThanMaximumAge, false, Unwell::TryLater);
        let inner = inner.finish();
        let mut outer = BlockBuilder::new(BlockKind::SubX509CertificateValidation, &Id::default());
        let relayed = Failure::relayed(&inner.conclusion);
        let _ = outer.check_at(Level::Fail, CheckId::RevocationDataFresh, false, relayed);
        let outer = outer.finish();
        assert_eq!(outer.conclusion, inner.conclusion);
        assert_eq!(outer.checks[0].failure(), "BBB_XCV_RFC_ANS");
    }

    #[test]
    fn what_does_not_hold_is_said_as_found() {
        let [early, middle, late] = ["2019-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2027-01-01T00:00:00Z"];
        let rows = [
            ("after", format!("{late} ≤ {early}"), format!("{late} > {early}")),
            ("with a name", format!("RSA 1024: {late} ≤ {early}"), format!("RSA 1024: {late} > {early}")),
            ("past the end", format!("{early} ≤ {late} ≤ {middle}"), format!("{late} > {middle}")),
            ("before the beginning", format!("{middle} ≤ {early} ≤ {late}"), format!("{middle} > {early}")),
            ("not after", format!("{early} > {late}"), format!("{early} ≤ {late}")),
            ("what holds", format!("{early} ≤ {late}"), format!("{early} ≤ {late}")),
            ("no times", "a ≤ b".to_owned(), "a ≤ b".to_owned()),
        ];
        for (situation, compared, expected) in rows {
            let message = CheckId::RevocationDataFresh.comparing(compared).message(None);
            assert_eq!(message.compared.as_deref(), Some(&*expected), "{situation}");
        }
    }

    #[test]
    fn what_is_named_is_bounded() {
        let long = "ä".repeat(LONGEST + 1);
        let of = |names: &[&str]| CheckId::AllFilesSigned.naming(names).compared.map(|text| text.to_string());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["a", "b"]).as_deref(), Some("a, b"));
        assert_eq!(of(&[&long]), Some("ä".repeat(LONGEST) + "…"));
        assert_eq!(of(&["a"; NAMED + 5]), Some("a, ".repeat(NAMED) + "…"));
    }
}
