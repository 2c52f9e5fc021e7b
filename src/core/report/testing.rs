//! Reports on small facts, for unit tests.

use super::{PolicyName, Report};
use crate::facts::Facts;
use crate::policy::Policy;
use crate::time::Time;
use crate::{qualification, validation};

/// Returns the report on facts under the built-in policy, as of 2026-01-01.
pub(super) fn report(facts: Facts) -> Report {
    let (policy, time): (_, Time) = (Policy::eidas(), "2026-01-01T00:00:00Z".parse().expect("a time"));
    let verdicts = validation::validate(&facts, &policy, time);
    let qualifications = qualification::qualify(&facts, &policy, &verdicts, time);
    let name = PolicyName { name: policy.name.clone(), sha256: policy.sha256().to_owned() };
    Report::new(facts, verdicts, qualifications, name)
}
