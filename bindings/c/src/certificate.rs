//! Reports on single certificates: path, revocation, and qualification under eIDAS at issuance and at a time.

use crate::error::{lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, out_param, read, run, text};
use crate::report::{at, lacre_format};
use crate::text::{Text, lacre_buffer, lacre_str};
use crate::time::stated;
use crate::validator::lacre_validator;
use crate::view::{lacre_certificate, lacre_finding, lacre_wanted};
use crate::words::{lacre_indication, lacre_sub_indication, language_of};
use lacre::CertificateReport;
use std::ffi::c_char;
use std::ptr;
use std::sync::OnceLock;

/// What was found about one certificate, and what was concluded. Immutable; freed with lacre_certificate_report_free().
///
/// @ingroup certificate_reports
pub struct lacre_certificate_report {
    report: CertificateReport,
    /// The parts that C reads one by one; made when the first is read.
    view: OnceLock<View>,
}

impl Handle for lacre_certificate_report {
    const NAME: &'static str = "lacre_certificate_report";
}

struct View {
    at_issuance: Text,
    at_issuance_sentence: Text,
    at_time: Text,
    at_time_sentence: Text,
    chain: Vec<lacre_certificate>,
    findings: Vec<lacre_finding>,
    wanted: Vec<lacre_wanted>,
}

impl lacre_certificate_report {
    fn view(&self) -> &View {
        self.view.get_or_init(|| {
            let report = &self.report;
            View {
                at_issuance: Text::new(report.qualification_at_issuance().as_str()),
                at_issuance_sentence: Text::new(report.qualification_at_issuance_text()),
                at_time: Text::new(report.qualification_at_time().as_str()),
                at_time_sentence: Text::new(report.qualification_at_time_text()),
                chain: report.chain().map(lacre_certificate::of).collect(),
                findings: report.findings().map(lacre_finding::of).collect(),
                wanted: report.wanted().iter().map(lacre_wanted::of).collect(),
            }
        })
    }
}

/// Judges a certificate by itself, as of one moment: its path, its revocation, and what it is under eIDAS, when it was
/// issued and at that moment. One that is not good is still LACRE_OK: the verdict is in the report.
///
/// Thread safety: any number of threads, also with the same validator.
///
/// @param      validator        The policy, who is trusted, and evidence.
/// @param      certificate      DER or PEM, borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param      name             A file name, for the report: NUL-terminated UTF-8, borrowed for the call. May be NULL.
/// @param      time             Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
/// @param[out] report_out       On LACRE_OK owned by the caller, freed with lacre_certificate_report_free(). Otherwise
///                              NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or
///         LACRE_ERROR_EVIDENCE.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validate_certificate(
    validator: *const lacre_validator,
    certificate: *const u8,
    certificate_len: usize,
    name: *const c_char,
    time: i64,
    report_out: *mut *mut lacre_certificate_report,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(report_out, "report_out")?;
            let validator = handle(validator, "validator")?;
            let certificate = bytes(certificate, certificate_len, "certificate")?;
            let mut report = validator.0.certificate(certificate, stated(time)?)?;
            if !name.is_null() {
                report = report.named(text(name, "name")?);
            }
            place.set(lacre_certificate_report { report, view: OnceLock::new() });
            Ok(())
        })
    }
}

/// Writes a report on a certificate down. The same report gives the same bytes.
///
/// Thread safety: any number of threads, also with the same report.
///
/// @param      report      The report.
/// @param      format      LACRE_FORMAT_TEXT: for people. LACRE_FORMAT_JSON: lacre-certificate/2, one object on one line.
/// @param      language    The language of its sentences, as for lacre_report_write(). NULL: English.
/// @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_write(
    report: *const lacre_certificate_report,
    format: i32,
    language: *const c_char,
    bytes_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(bytes_out, "bytes_out")?;
            let report = &handle(report, "report")?.report;
            let write = lacre_format::text_or_json(format, CertificateReport::to_text, CertificateReport::to_json)?;
            place.set(lacre_buffer::text(write(&report.clone().in_language(language_of(language)?))));
            Ok(())
        })
    }
}

/// Returns the verdict: LACRE_INDICATION_PASSED, LACRE_INDICATION_FAILED or LACRE_INDICATION_INDETERMINATE.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_indication(
    report: *const lacre_certificate_report,
) -> lacre_indication {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_indication::LACRE_INDICATION_NONE, |report| report.report.indication().into()) }
}

/// Returns why the verdict is not LACRE_INDICATION_PASSED.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_sub_indication(
    report: *const lacre_certificate_report,
) -> lacre_sub_indication {
    let none = lacre_sub_indication::LACRE_SUB_INDICATION_NONE;
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, none, |report| report.report.sub_indication().into()) }
}

/// Returns what the certificate was when it was issued, such as "QCERT-FOR-ESIG-QSCD"; "NA" where no trusted list
/// tells.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_qualification_at_issuance(
    report: *const lacre_certificate_report,
) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().at_issuance.borrow()) }
}

/// Returns the same as a sentence, in English.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_qualification_at_issuance_text(
    report: *const lacre_certificate_report,
) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().at_issuance_sentence.borrow()) }
}

/// Returns what the certificate is at the moment judged for, spelt as when it was issued.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_qualification_at_time(
    report: *const lacre_certificate_report,
) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().at_time.borrow()) }
}

/// Returns the same as a sentence, in English.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_qualification_at_time_text(
    report: *const lacre_certificate_report,
) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().at_time_sentence.borrow()) }
}

/// Returns how many certificates the chain has, its own included.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_certificate_count(report: *const lacre_certificate_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().chain.len()) }
}

/// Returns a certificate of the chain: first the one that was judged, then its issuer, upwards.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_certificate(
    report: *const lacre_certificate_report,
    index: usize,
) -> *const lacre_certificate {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().chain, index)) }
}

/// Returns how many findings there are.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_finding_count(report: *const lacre_certificate_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().findings.len()) }
}

/// Returns a finding: errors first, then warnings, then information.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_finding(
    report: *const lacre_certificate_report,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().findings, index)) }
}

/// Returns how many pieces of evidence could change the verdict.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_wanted_count(report: *const lacre_certificate_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().wanted.len()) }
}

/// Returns a piece of evidence that could change the verdict: fetch it, lacre_validator_add_evidence(), validate again.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_wanted(
    report: *const lacre_certificate_report,
    index: usize,
) -> *const lacre_wanted {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().wanted, index)) }
}

/// Frees a report on a certificate, and with it all that was borrowed from it.
///
/// Thread safety: any thread, as long as no other uses the report.
///
/// @param report  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup certificate_reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_report_free(report: *mut lacre_certificate_report) -> lacre_status {
    // SAFETY: `report` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(report) }
}
