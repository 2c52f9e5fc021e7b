//! One certificate judged by itself, whatever it signs: EN 319 102-1 §5.2.6.

use super::bbb::certificate_blocks;
use super::blocks::BuildingBlocks;
use super::context::ValidationContext;
use super::engine::Conclusion;
use super::findings;
use super::verdict::CertificateVerdict;
use crate::budget::Budget;
use crate::facts::{Facts, Id};
use crate::policy::Policy;
use crate::time::Time;

/// Judges one certificate of the record, as of `time`. `None` when the record does not hold it.
pub fn validate_certificate(
    facts: &Facts,
    policy: &Policy,
    id: &Id,
    time: Time,
    budget: &Budget,
) -> Option<CertificateVerdict> {
    let cx = ValidationContext::within(facts, policy, time, budget);
    let blocks = certificate_blocks(&cx, cx.index.certificate(id)?);
    let conclusion = own(&blocks, id).unwrap_or(&blocks.conclusion);
    Some(CertificateVerdict {
        id: id.clone(),
        time,
        indication: conclusion.indication,
        sub_indication: conclusion.sub_indication,
        findings: findings::of_certificate(&blocks),
        blocks,
    })
}

/// Returns what keeps the certificate itself from PASSED, before what is wrong with the chain above it.
///
/// NOTE: the clause gives one result for the path. EU DSS reports each certificate of the path with its own result; so
/// do we, but where that is PASSED the path's counts, too.
fn own<'b>(blocks: &'b BuildingBlocks, id: &Id) -> Option<&'b Conclusion> {
    let conclusion = &blocks.certificate_in_path(id)?.block.conclusion;
    (!conclusion.is_passed()).then_some(conclusion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::situations::check;
    use crate::validation::testing::certificate_mut;

    /// Returns the result of the certificate that the first signature is made with.
    fn of(cx: &ValidationContext<'_>) -> String {
        let signer = cx.facts.signatures[0].signing_certificate.clone().unwrap_or_default();
        let verdict = validate_certificate(cx.facts, cx.policy, &signer, cx.time, &cx.budget);
        verdict.map_or("none".into(), |v| {
            let sub = v.sub_indication.map_or(String::new(), |sub| format!("/{sub}"));
            format!("{}{sub}", v.indication)
        })
    }

    #[test]
    fn results() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.6", "a chain to an anchor", |_| {}, "PASSED"),
                (
                    "5.2.6.4 2)",
                    "no anchor",
                    |f| certificate_mut(f, "ROOT").trust.trusted = false,
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND",
                ),
                ("5.2.6.4 2)", "itself the anchor", |f| certificate_mut(f, "SIGNER").trust.trusted = true, "PASSED"),
                (
                    "5.2.6.4 4)",
                    "no revocation data",
                    |f| certificate_mut(f, "SIGNER").revocations.clear(),
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE",
                ),
                ("5.2.6", "not in the record", |f| f.signatures[0].signing_certificate = None, "none"),
            ],
        );
    }
}
