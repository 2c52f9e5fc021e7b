//! Trusted lists whose next update was due before the validation time, as the findings of a qualification name them:
//! TS 119 612 §5.3.15.

use super::Report;
use super::messages::{self, CommonId, Key};
use crate::facts::TrustedList;
use crate::validation::Findings;
use crate::validation::check_id::CheckId;
use crate::validation::engine::Message;

/// Returns what a qualification means: that it was not determined, where an overdue list keeps the token from being qualified.
pub(super) fn meaning(report: &Report, findings: Option<&Findings>, qualification: impl Into<Key>) -> &'static str {
    let is_overdue = findings.is_some_and(|findings| deciding(report, findings).next().is_some());
    let meant = if is_overdue { CommonId::NotDeterminedOverdue.into() } else { qualification.into() };
    messages::common(report.language, meant)
}

/// Returns the overdue lists that keep a token from being qualified.
pub(super) fn deciding<'a>(
    report: &'a Report,
    findings: &'a Findings,
) -> impl Iterator<Item = &'a TrustedList> + use<'a> {
    lists(report, &findings.errors)
}

/// Returns the overdue lists that a qualification rests on or would rest on, whatever the policy makes of it.
pub(super) fn all<'a>(report: &'a Report, findings: &'a Findings) -> impl Iterator<Item = &'a TrustedList> + use<'a> {
    let Findings { errors, warnings, infos, .. } = findings;
    [errors, warnings, infos].into_iter().flat_map(move |messages| lists(report, messages))
}

fn lists<'a>(report: &'a Report, messages: &'a [Message]) -> impl Iterator<Item = &'a TrustedList> + use<'a> {
    let overdue = messages.iter().filter(|message| message.check == CheckId::TrustedListNotExpired);
    overdue.filter_map(|message| report.trusted_list(message.token.as_ref()?))
}
