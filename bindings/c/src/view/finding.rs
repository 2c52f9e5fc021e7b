//! What the checks found, as C asks for it.

use crate::border::part;
use crate::text::{Text, lacre_str};
use crate::words::lacre_severity;
use lacre::report::{Language, messages};
use lacre::validation::Findings;

/// Something that a reader should see. It belongs to its report, and is never freed.
///
/// @ingroup findings
pub struct lacre_finding {
    severity: lacre_severity,
    check: Text,
    message: Text,
    compared: Text,
    token: Text,
}

impl lacre_finding {
    /// All of them: errors, then warnings, then information.
    pub(crate) fn all(language: Language, findings: &Findings) -> Vec<Self> {
        [
            (lacre_severity::LACRE_SEVERITY_ERROR, &findings.errors),
            (lacre_severity::LACRE_SEVERITY_WARNING, &findings.warnings),
            (lacre_severity::LACRE_SEVERITY_INFO, &findings.infos),
        ]
        .into_iter()
        .flat_map(|(severity, list)| {
            list.iter().map(move |message| Self {
                severity,
                check: Text::new(message.key()),
                message: Text::new(messages::sentence(language, message.key())),
                compared: Text::maybe(message.compared.as_deref()),
                token: Text::maybe(message.token.as_ref().map(|id| id.as_str())),
            })
        })
        .collect()
    }
}

/// How much it weighs.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: LACRE_SEVERITY_NONE comes back.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_severity(finding: *const lacre_finding) -> lacre_severity {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { part(finding, lacre_severity::LACRE_SEVERITY_NONE, |finding| finding.severity) }
}

/// The stable key of the check, such as "BBB_XCV_CCCBB_ANS": the same as EU DSS's where there is one.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_check(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { part(finding, lacre_str::EMPTY, |finding| finding.check.borrow()) }
}

/// What was found, in words, in English. A report written in another language has it in that language.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_message(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { part(finding, lacre_str::EMPTY, |finding| finding.message.borrow()) }
}

/// The values that were compared; empty where there are none.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_compared(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { part(finding, lacre_str::EMPTY, |finding| finding.compared.borrow()) }
}

/// The id of what the check looked at; empty where it is the signature or time-stamp itself.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_token(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { part(finding, lacre_str::EMPTY, |finding| finding.token.borrow()) }
}
