//! Validation context initialization: EN 319 102-1 §5.2.4.
//!
//! The constraints come from the validation policy; what is left is the signature policy that the signature names.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded};
use super::outcome::outcomes;
use super::token::Token;
use crate::facts::Signature;
use crate::policy::{Level, PolicySection, Rule, RuleName};

outcomes! {
    /// The outcomes of context initialization: EN 319 102-1 §5.2.4.3.
    enum NotInitialized {
        PolicyProcessingError,
        SignaturePolicyNotAvailable,
    }
}

const NO_POLICY: &str = "NO_POLICY";
const ANY_POLICY: &str = "ANY_POLICY";
const IMPLICIT_POLICY: &str = "IMPLICIT_POLICY";

/// Initializes the context of `signature`.
pub fn vci(cx: &ValidationContext<'_>, signature: &Signature) -> Block {
    let mut block = BlockBuilder::new(BlockKind::ValidationContextInitialization, &signature.id);
    let _ = run(cx, &mut block, signature);
    block.finish()
}

fn run(cx: &ValidationContext<'_>, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
    let section = PolicySection::Token(Token::Signature(signature).context());
    let id = signature.policy.as_ref().map_or("", |policy| policy.id.as_str());
    let rule = cx.rule(section, RuleName::AcceptablePolicies);
    let acceptable = rule.is_some_and(|rule| accepts(rule, id));
    block.check(rule, CheckId::SignaturePolicyAccepted, acceptable, NotInitialized::PolicyProcessingError)?;

    let Some(policy) = signature.policy.as_ref().filter(|policy| policy.id != IMPLICIT_POLICY) else { return Ok(()) };
    let not_available = NotInitialized::SignaturePolicyNotAvailable;
    let rule = cx.rule(section, RuleName::PolicyAvailable);
    block.check(rule, CheckId::SignaturePolicyAvailable, policy.identified, not_available)?;
    let rule = cx.rule(section, RuleName::SignaturePolicyStorePresent);
    block.check(rule, CheckId::SignaturePolicyStorePresent, signature.policy_store.is_some(), not_available)?;

    // The document's digest can only be compared when there is a document, and a digest.
    let mismatch = NotInitialized::PolicyProcessingError;
    if policy.identified && policy.zero_hash {
        block.check_at(Level::Warn, CheckId::SignaturePolicyZeroHash, true, mismatch)
    } else if policy.identified {
        let rule = cx.rule(section, RuleName::PolicyHashMatch);
        block.check(rule, CheckId::SignaturePolicyDigestMatch, policy.digest_match == Some(true), mismatch)
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

#[cfg(test)]
mod tests {
    use super::vci;
    use crate::facts::{Facts, SignaturePolicy};
    use crate::validation::situations::{answer, check, policy};

    fn names<'f>(facts: &'f mut Facts, id: &str) -> &'f mut SignaturePolicy {
        facts.signatures[0].policy.insert(SignaturePolicy { id: id.into(), ..SignaturePolicy::default() })
    }

    #[test]
    fn situations() {
        let strict = |ids: &str| {
            policy(&format!(
                "<SignatureConstraints><AcceptablePolicies Level='FAIL'>{ids}</AcceptablePolicies>\
                 <PolicyAvailable Level='FAIL'/><PolicyHashMatch Level='FAIL'/></SignatureConstraints>"
            ))
        };
        check(
            &strict("<Id>NO_POLICY</Id><Id>1.2.3</Id>"),
            "2021-06-02",
            |cx| answer(&vci(cx, &cx.facts.signatures[0])),
            &[
                ("5.2.4", "no policy is named, which is accepted", |_| {}, "PASSED"),
                (
                    "5.2.4",
                    "a policy is named that is not accepted",
                    |f| _ = names(f, "1.2.4"),
                    "INDETERMINATE/POLICY_PROCESSING_ERROR BBB_VCI_ISPK_ANS",
                ),
                (
                    "5.2.4",
                    "the policy's document is not at hand",
                    |f| _ = names(f, "1.2.3"),
                    "INDETERMINATE/SIGNATURE_POLICY_NOT_AVAILABLE BBB_VCI_ISPA_ANS",
                ),
                (
                    "5.2.4",
                    "the document has another digest",
                    |f| names(f, "1.2.3").identified = true,
                    "INDETERMINATE/POLICY_PROCESSING_ERROR BBB_VCI_ISPM_ANS",
                ),
                (
                    "5.2.4",
                    "the signature states no digest of it, but zeros",
                    |f| {
                        let policy = names(f, "1.2.3");
                        policy.identified = true;
                        policy.zero_hash = true;
                    },
                    "PASSED",
                ),
            ],
        );
        check(
            &strict("<Id>ANY_POLICY</Id>"),
            "2021-06-02",
            |cx| answer(&vci(cx, &cx.facts.signatures[0])),
            &[
                (
                    "5.2.4",
                    "some policy must be named, and none is",
                    |_| {},
                    "INDETERMINATE/POLICY_PROCESSING_ERROR BBB_VCI_ISPK_ANS",
                ),
                ("5.2.4", "an implied policy has no document", |f| _ = names(f, "IMPLICIT_POLICY"), "PASSED"),
            ],
        );
    }
}
