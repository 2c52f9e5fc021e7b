//! Validation context initialization: EN 319 102-1 §5.2.4.
//!
//! The constraints come from the validation policy; what is left is the signature policy that the signature names.

use super::case::Case;
use super::engine::{Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::{PolicyProcessingError, SignaturePolicyNotAvailable};
use super::token::Token;
use crate::facts::Signature;
use crate::policy::{Level, Place, Rule, RuleName};

const NO_POLICY: &str = "NO_POLICY";
const ANY_POLICY: &str = "ANY_POLICY";
const IMPLICIT_POLICY: &str = "IMPLICIT_POLICY";

/// Initializes the context of `signature`.
pub fn vci(case: &Case<'_>, signature: &Signature) -> Block {
    let mut steps = Steps::new(BlockKind::ValidationContextInitialization, Some(&signature.id));
    let _ = run(case, &mut steps, signature);
    steps.finish()
}

fn run(case: &Case<'_>, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
    let place = Place::Token(Token::Signature(signature).context());
    let id = signature.policy.as_ref().map_or("", |policy| policy.id.as_str());
    let rule = case.rule(place, RuleName::AcceptablePolicies);
    let acceptable = rule.is_some_and(|rule| accepts(rule, id));
    steps.rule(rule, ask!("BBB_VCI_ISPK"), acceptable, Failure::indeterminate(PolicyProcessingError))?;

    let Some(policy) = signature.policy.as_ref().filter(|policy| policy.id != IMPLICIT_POLICY) else { return Ok(()) };
    let not_available = || Failure::indeterminate(SignaturePolicyNotAvailable);
    let rule = case.rule(place, RuleName::PolicyAvailable);
    steps.rule(rule, ask!("BBB_VCI_ISPA"), policy.identified, not_available())?;
    let rule = case.rule(place, RuleName::SignaturePolicyStorePresent);
    steps.rule(rule, ask!("BBB_VCI_ISPSUPP"), signature.policy_store.is_some(), not_available())?;

    // The document's digest can only be compared when there is a document, and a digest.
    let mismatch = Failure::indeterminate(PolicyProcessingError);
    if policy.identified && policy.zero_hash {
        steps.level(Some(Level::Warn), ask!("BBB_VCI_IZHSP"), true, mismatch)
    } else if policy.identified {
        let rule = case.rule(place, RuleName::PolicyHashMatch);
        steps.rule(rule, ask!("BBB_VCI_ISPM"), policy.digest_match == Some(true), mismatch)
    } else {
        Ok(())
    }
}

fn accepts(rule: &Rule, id: &str) -> bool {
    let has = |word: &str| rule.values.iter().any(|value| value == word);
    match id {
        "" => has(NO_POLICY),
        IMPLICIT_POLICY if has(IMPLICIT_POLICY) => true,
        id => has(ANY_POLICY) || rule.accepts(id),
    }
}
