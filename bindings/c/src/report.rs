//! Reports: writes them in their formats, and reads their parts.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, free, handle, out_param, read, run};
use crate::text::{lacre_buffer, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use crate::view::{View, lacre_evidence_record, lacre_signature, lacre_timestamp, lacre_wanted};
use crate::words::{lacre_indication, language_of, one_of};
use lacre::Report;
use std::ffi::c_char;
use std::ptr;
use std::sync::OnceLock;

/// A form in which a report is written. A function takes it as int32_t.
///
/// @ingroup reports
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_format {
    /// For people, as plain text in UTF-8.
    LACRE_FORMAT_TEXT = 1,
    /// For programs: lacre-report/2, one object on one line.
    LACRE_FORMAT_JSON = 2,
    /// For programs: XML after ETSI TS 119 102-2.
    LACRE_FORMAT_ETSI_XML = 3,
    /// For people, as one page for a browser, which loads nothing.
    LACRE_FORMAT_HTML = 4,
    /// For people and for the file: PDF/A-3a and PDF/UA-1, with JSON and XML attached.
    LACRE_FORMAT_PDF = 5,
    /// For experts: every check, what it compared, and its clause, as plain text in UTF-8.
    LACRE_FORMAT_TRACE = 6,
}

use lacre_format::*;

impl lacre_format {
    pub(crate) fn of(number: i32) -> Result<Self, Failure> {
        const ALL: [lacre_format; 6] = [
            LACRE_FORMAT_TEXT,
            LACRE_FORMAT_JSON,
            LACRE_FORMAT_ETSI_XML,
            LACRE_FORMAT_HTML,
            LACRE_FORMAT_PDF,
            LACRE_FORMAT_TRACE,
        ];
        one_of(number, &ALL.map(|format| (format as i32, format)), "format")
    }

    /// Returns the one of two functions that writes a form: for what is written as text and as JSON only.
    pub(crate) fn text_or_json<T>(
        number: i32,
        text: fn(&T) -> String,
        json: fn(&T) -> String,
    ) -> Result<fn(&T) -> String, Failure> {
        match Self::of(number)? {
            LACRE_FORMAT_TEXT => Ok(text),
            LACRE_FORMAT_JSON => Ok(json),
            _ => Err(Failure::argument(format!("format is {number}, expected text or JSON"))),
        }
    }
}

/// What was found in a document, and what was concluded. Immutable; freed with lacre_report_free().
///
/// @ingroup reports
pub struct lacre_report {
    report: Report,
    /// The parts that C reads one by one, with a NUL behind each text; made when the first is read.
    view: OnceLock<Box<View>>,
}

impl Handle for lacre_report {
    const NAME: &'static str = "lacre_report";
}

impl lacre_report {
    pub(crate) fn new(report: Report) -> Self {
        Self { report, view: OnceLock::new() }
    }

    fn view(&self) -> &View {
        self.view.get_or_init(|| Box::new(View::of(&self.report)))
    }
}

fn write(report: &Report, format: lacre_format) -> Result<lacre_buffer, Failure> {
    Ok(match format {
        LACRE_FORMAT_TEXT => lacre_buffer::text(report.to_text()),
        LACRE_FORMAT_JSON => lacre_buffer::text(report.to_json()),
        LACRE_FORMAT_ETSI_XML => lacre_buffer::text(report.to_etsi_xml()),
        LACRE_FORMAT_HTML => lacre_buffer::text(report.to_html()),
        LACRE_FORMAT_PDF => lacre_buffer::bytes(report.to_pdf().map_err(|e| Failure::of(LACRE_ERROR_REPORT, &e))?),
        LACRE_FORMAT_TRACE => lacre_buffer::text(report.to_trace()),
    })
}

/// Writes a report down. The same report gives the same bytes, on every machine.
///
/// Thread safety: any number of threads, also with the same report.
///
/// @param      report      The report.
/// @param      format      One of lacre_format.
/// @param      language    The language of its sentences: "en", "de", "fr", "es", "it", "pt", "et" or "fi",
///                         NUL-terminated, borrowed for the call. NULL: English. Keys and codes are the same in all.
/// @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or
///         LACRE_ERROR_REPORT.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_write(
    report: *const lacre_report,
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
            let format = lacre_format::of(format)?;
            let language = language_of(language)?;
            place.set(match language == report.language() {
                true => write(report, format)?,
                false => write(&report.clone().in_language(language), format)?,
            });
            Ok(())
        })
    }
}

/// Frees a report, and with it all that was borrowed from it.
///
/// Thread safety: any thread, as long as no other uses the report.
///
/// @param report  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_free(report: *mut lacre_report) -> lacre_status {
    // SAFETY: `report` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(report) }
}

/// Returns the verdict on the document: the worst over its signatures. One with time-stamps or evidence records only is
/// told by those; one with nothing has LACRE_INDICATION_NO_SIGNATURE_FOUND.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_indication(report: *const lacre_report) -> lacre_indication {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_indication::LACRE_INDICATION_NONE, |report| report.report.indication().into()) }
}

/// Returns the moment that was judged for, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_validation_time(report: *const lacre_report) -> i64 {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, LACRE_NO_TIME, |report| millis(Some(report.report.verdicts().time))) }
}

/// Returns the name of the policy that judged.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_policy(report: *const lacre_report) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().policy.borrow()) }
}

/// Returns the SHA-256 of the document, in lower-case hexadecimal; empty where stored facts do not state it.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_document_sha256(report: *const lacre_report) -> lacre_str {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, lacre_str::EMPTY, |report| report.view().sha256.borrow()) }
}

/// Returns how many signatures there are, counter-signatures too.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_signature_count(report: *const lacre_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().signatures.len()) }
}

/// Returns how many of the signatures are TOTAL-PASSED.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_passed_count(report: *const lacre_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe {
        read(report, 0, |report| report.view().signatures.iter().filter(|signature| signature.has_passed()).count())
    }
}

/// Returns a signature, in the order of the document.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_signature(report: *const lacre_report, index: usize) -> *const lacre_signature {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().signatures, index)) }
}

/// Returns how many time-stamps there are, of every kind.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_timestamp_count(report: *const lacre_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().timestamps.len()) }
}

/// Returns a time-stamp, in the order of the document.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_timestamp(report: *const lacre_report, index: usize) -> *const lacre_timestamp {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().timestamps, index)) }
}

/// Returns how many evidence records there are.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_evidence_record_count(report: *const lacre_report) -> usize {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, 0, |report| report.view().evidence_records.len()) }
}

/// Returns an evidence record, in the order of the document.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_evidence_record(
    report: *const lacre_report,
    index: usize,
) -> *const lacre_evidence_record {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().evidence_records, index)) }
}

/// Returns how many pieces of evidence could change the verdict.
///
/// Thread safety: any thread.
///
/// @param report  May be NULL: 0 comes back.
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_wanted_count(report: *const lacre_report) -> usize {
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
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_report_wanted(report: *const lacre_report, index: usize) -> *const lacre_wanted {
    // SAFETY: `report` is NULL or a live handle, as the header asks.
    unsafe { read(report, ptr::null(), |report| at(&report.view().wanted, index)) }
}

/// Returns a pointer to an element, NULL past the end.
pub(crate) fn at<T>(list: &[T], index: usize) -> *const T {
    list.get(index).map_or(ptr::null(), ptr::from_ref)
}
