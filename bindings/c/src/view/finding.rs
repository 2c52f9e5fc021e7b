//! The findings of the checks, as C reads them.

use crate::ffi::read_part;
use crate::text::{Text, lacre_str};
use crate::words::lacre_severity;
use lacre::report::Finding;

/// Something that a reader should see. It belongs to its report, and is never freed.
///
/// @ingroup findings
pub struct lacre_finding {
    severity: lacre_severity,
    check: Text,
    subject: Text,
    message: Text,
    compared: Text,
    token: Text,
}

impl lacre_finding {
    pub(crate) fn of(finding: Finding<'_>) -> Self {
        Self {
            severity: finding.severity.into(),
            check: Text::new(finding.check),
            subject: Text::new(&*finding.subject),
            message: Text::new(finding.message),
            compared: Text::maybe(finding.compared),
            token: Text::new(finding.token.as_str()),
        }
    }
}

/// Returns how much it weighs.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: LACRE_SEVERITY_NONE comes back.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_severity(finding: *const lacre_finding) -> lacre_severity {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_severity::LACRE_SEVERITY_NONE, |finding| finding.severity) }
}

/// Returns the stable key of the check, such as "BBB_XCV_CCCBB_ANS": the same as EU DSS's where there is one.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_check(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_str::EMPTY, |finding| finding.check.borrow()) }
}

/// Returns what it is about, in English: a token by its number or name, a reference by what it refers to.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_subject(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_str::EMPTY, |finding| finding.subject.borrow()) }
}

/// Returns what was found, in words, in English. A report written in another language has it in that language.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_message(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_str::EMPTY, |finding| finding.message.borrow()) }
}

/// Returns the values that were compared; empty where there are none.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_compared(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_str::EMPTY, |finding| finding.compared.borrow()) }
}

/// Returns the id of what the check looked at; empty where it is the signature or time-stamp itself.
///
/// Thread safety: any thread.
///
/// @param finding  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup findings
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_finding_token(finding: *const lacre_finding) -> lacre_str {
    // SAFETY: `finding` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(finding, lacre_str::EMPTY, |finding| finding.token.borrow()) }
}
