//! Rows for the building blocks: what a block answers once the valid facts are spoilt in one place.

use super::context::ValidationContext;
use super::engine::{Block, Status};
use super::testing::{at, valid, with_timestamp, word};
use super::token::Token;
use crate::facts::{Facts, TimestampType};
use crate::policy::Policy;

/// Clause, situation, what is spoilt, and what the block answers then.
pub(super) type Situation = (&'static str, &'static str, fn(&mut Facts), &'static str);

/// Judges the signature `S` with its time-stamp `T` in each situation; `of` makes the answer.
pub(super) fn check(policy: &Policy, time: &str, of: fn(&ValidationContext<'_>) -> String, situations: &[Situation]) {
    for (clause, situation, spoil, expected) in situations {
        let mut facts = with_timestamp(valid(), "T", TimestampType::Signature, "2021-05-02", &["S"]);
        spoil(&mut facts);
        assert_eq!(of(&ValidationContext::new(&facts, policy, at(time))), *expected, "{clause}: {situation}");
    }
}

/// Returns a policy with nothing but what `xml` says.
pub(super) fn policy(xml: &str) -> Policy {
    let text = format!(
        "<ConstraintsParameters Name='test' xmlns='http://dss.esig.europa.eu/validation/policy'>{xml}</ConstraintsParameters>"
    );
    Policy::from_bytes(text.as_bytes()).unwrap()
}

/// Returns what the block concludes, and the failure keys of the checks that do not hold.
pub(super) fn answer(block: &Block) -> String {
    let failing = block.checks.iter().filter(|check| !matches!(check.status, Status::Ok | Status::Ignored));
    let keys: String = failing.map(|check| format!(" {}", check.failure())).collect();
    word(&block.conclusion) + &keys
}

/// Returns the signature.
pub(super) fn signature<'a>(cx: &ValidationContext<'a>) -> Token<'a> {
    Token::Signature(&cx.facts.signatures[0])
}

/// Returns its time-stamp.
pub(super) fn timestamp<'a>(cx: &ValidationContext<'a>) -> Token<'a> {
    Token::Timestamp(&cx.facts.timestamps[0])
}
