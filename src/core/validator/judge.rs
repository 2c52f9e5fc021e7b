//! Judging by itself: pure functions of a record, a policy and a moment.

use crate::budget::Budget;
use crate::facts::{Facts, Id};
use crate::policy::Policy;
use crate::qualification;
use crate::report::{CertificateReport, PolicyName, Report};
use crate::time::Time;
use crate::validation;

/// Judges facts under a policy, as of `time`: EN 319 102-1, then TS 119 615.
///
/// ```
/// use lacre::{Document, Policy, Validator, judge};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir("../..")?;
/// let contract = std::fs::read("examples/documents/contract.pdf")?;
/// let facts = Validator::new(Policy::eidas()).facts(&Document::new(&contract), "2027-01-01".parse()?)?;
///
/// // The record is enough to judge for another moment: the document is not read again.
/// let later = judge(facts, &Policy::eidas(), "2032-01-01".parse()?);
/// println!("{}", later.indication());
/// # Ok(())
/// # }
/// ```
pub fn judge(facts: Facts, policy: &Policy, time: Time) -> Report {
    judge_within(facts, policy, time, &Budget::default())
}

/// Judges as [`judge`] does, within a budget.
pub fn judge_within(facts: Facts, policy: &Policy, time: Time, budget: &Budget) -> Report {
    let verdicts = validation::validate_within(&facts, policy, time, budget);
    let qualifications = qualification::qualify(&facts, policy, &verdicts, time);
    let name = PolicyName { name: policy.name.clone(), sha256: policy.sha256().to_owned() };
    Report::new(facts, verdicts, qualifications, name)
}

/// Judges one certificate of a record by itself, as of `time`: EN 319 102-1 §5.2.6, then TS 119 615 §4.4. `None` when
/// the record does not hold it.
pub fn judge_certificate(facts: Facts, policy: &Policy, id: &Id, time: Time) -> Option<CertificateReport> {
    judge_certificate_within(facts, policy, id, time, &Budget::default())
}

/// Judges as [`judge_certificate`] does, within a budget.
pub fn judge_certificate_within(
    facts: Facts,
    policy: &Policy,
    id: &Id,
    time: Time,
    budget: &Budget,
) -> Option<CertificateReport> {
    let verdict = validation::validate_certificate(&facts, policy, id, time, budget)?;
    let qualified = qualification::certificate(&facts, policy, id, time).filter(|_| policy.has_eidas());
    Some(CertificateReport::new(judge_within(facts, policy, time, budget), verdict, qualified))
}
