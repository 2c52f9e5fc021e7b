//! Time-stamps and evidence records, as C reads them.

use super::signer_name;
use crate::ffi::read_part;
use crate::report::at;
use crate::text::{Text, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use crate::view::{lacre_certificate, lacre_finding};
use crate::words::{lacre_indication, lacre_sub_indication};
use lacre::report::{EvidenceRecordView, TimestampView};
use std::ptr;

/// A time-stamp and its verdict. It belongs to its report, and is never freed.
///
/// @ingroup timestamps
pub struct lacre_timestamp {
    id: Text,
    kind: Text,
    time: i64,
    indication: lacre_indication,
    sub_indication: lacre_sub_indication,
    qualification: Text,
    qualification_text: Text,
    signer: Text,
    chain: Vec<lacre_certificate>,
    findings: Vec<lacre_finding>,
    qualification_findings: Vec<lacre_finding>,
}

impl lacre_timestamp {
    pub(super) fn of(timestamp: TimestampView<'_>) -> Self {
        Self {
            id: Text::new(timestamp.id().as_str()),
            kind: Text::new(timestamp.kind_name()),
            time: millis(Some(timestamp.time())),
            indication: timestamp.indication().into(),
            sub_indication: timestamp.sub_indication().into(),
            qualification: Text::new(timestamp.qualification().as_str()),
            qualification_text: Text::new(timestamp.qualification_text()),
            signer: signer_name(timestamp.signer()),
            chain: timestamp.chain().map(lacre_certificate::of).collect(),
            findings: timestamp.findings().map(lacre_finding::of).collect(),
            qualification_findings: timestamp.qualification_findings().map(lacre_finding::of).collect(),
        }
    }
}

/// An evidence record (RFC 4998, RFC 6283) and its verdict. It belongs to its report, and is never freed.
///
/// @ingroup evidence_records
pub struct lacre_evidence_record {
    id: Text,
    kind: Text,
    time: i64,
    indication: lacre_indication,
    sub_indication: lacre_sub_indication,
    findings: Vec<lacre_finding>,
}

impl lacre_evidence_record {
    pub(super) fn of(record: EvidenceRecordView<'_>) -> Self {
        Self {
            id: Text::new(record.id().as_str()),
            kind: Text::new(record.kind().as_str()),
            time: millis(Some(record.proof_of_existence().time)),
            indication: record.indication().into(),
            sub_indication: record.sub_indication().into(),
            findings: record.findings().map(lacre_finding::of).collect(),
        }
    }
}

/// Returns the id by which reports name the time-stamp.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_id(timestamp: *const lacre_timestamp) -> lacre_str {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_str::EMPTY, |timestamp| timestamp.id.borrow()) }
}

/// Returns what it is for: "signature-timestamp", "document-timestamp", "archive-timestamp" and others.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_type(timestamp: *const lacre_timestamp) -> lacre_str {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_str::EMPTY, |timestamp| timestamp.kind.borrow()) }
}

/// Returns the moment that it states, in milliseconds since 1970.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_time(timestamp: *const lacre_timestamp) -> i64 {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, LACRE_NO_TIME, |timestamp| timestamp.time) }
}

/// Returns the verdict: LACRE_INDICATION_PASSED, _FAILED or _INDETERMINATE.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_indication(timestamp: *const lacre_timestamp) -> lacre_indication {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_indication::LACRE_INDICATION_NONE, |timestamp| timestamp.indication) }
}

/// Returns why it is not PASSED.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_sub_indication(timestamp: *const lacre_timestamp) -> lacre_sub_indication {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(timestamp, lacre_sub_indication::LACRE_SUB_INDICATION_NONE, |timestamp| timestamp.sub_indication)
    }
}

/// Returns whether it is a qualified one: "QTSA", "TSA" or "NA".
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_qualification(timestamp: *const lacre_timestamp) -> lacre_str {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_str::EMPTY, |timestamp| timestamp.qualification.borrow()) }
}

/// Returns the same in words, in English.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_qualification_text(timestamp: *const lacre_timestamp) -> lacre_str {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_str::EMPTY, |timestamp| timestamp.qualification_text.borrow()) }
}

/// Returns who issued it, for people, as lacre_signature_signer().
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_signer(timestamp: *const lacre_timestamp) -> lacre_str {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, lacre_str::EMPTY, |timestamp| timestamp.signer.borrow()) }
}

/// Returns how many certificates its chain has, as far as it could be built.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: 0 comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_certificate_count(timestamp: *const lacre_timestamp) -> usize {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, 0, |timestamp| timestamp.chain.len()) }
}

/// Returns a certificate of its chain: at 0 the signing certificate, then its issuer, and so on.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_certificate(
    timestamp: *const lacre_timestamp,
    index: usize,
) -> *const lacre_certificate {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, ptr::null(), |timestamp| at(&timestamp.chain, index)) }
}

/// Returns how many findings there are: errors first, then warnings, then information.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: 0 comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_finding_count(timestamp: *const lacre_timestamp) -> usize {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, 0, |timestamp| timestamp.findings.len()) }
}

/// Returns a finding.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_finding(
    timestamp: *const lacre_timestamp,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, ptr::null(), |timestamp| at(&timestamp.findings, index)) }
}

/// Returns how many findings there are on its qualification (TS 119 615): errors first, then warnings, then
/// information. An error keeps it from being qualified, and says nothing against its validity.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: 0 comes back.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_qualification_finding_count(timestamp: *const lacre_timestamp) -> usize {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, 0, |timestamp| timestamp.qualification_findings.len()) }
}

/// Returns a finding on its qualification. One on a trusted list has the id of the list as its token.
///
/// Thread safety: any thread.
///
/// @param timestamp  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup timestamps
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_qualification_finding(
    timestamp: *const lacre_timestamp,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `timestamp` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(timestamp, ptr::null(), |timestamp| at(&timestamp.qualification_findings, index)) }
}

/// Returns the id by which reports name the evidence record.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_id(record: *const lacre_evidence_record) -> lacre_str {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, lacre_str::EMPTY, |record| record.id.borrow()) }
}

/// Returns its syntax: "ASN.1 Evidence Record" or "XML Evidence Record".
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_type(record: *const lacre_evidence_record) -> lacre_str {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, lacre_str::EMPTY, |record| record.kind.borrow()) }
}

/// Returns since when it proves that what it covers exists, in milliseconds since 1970.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_time(record: *const lacre_evidence_record) -> i64 {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, LACRE_NO_TIME, |record| record.time) }
}

/// Returns the verdict: LACRE_INDICATION_PASSED, _FAILED or _INDETERMINATE.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_indication(record: *const lacre_evidence_record) -> lacre_indication {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, lacre_indication::LACRE_INDICATION_NONE, |record| record.indication) }
}

/// Returns why it is not PASSED.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_sub_indication(
    record: *const lacre_evidence_record,
) -> lacre_sub_indication {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, lacre_sub_indication::LACRE_SUB_INDICATION_NONE, |record| record.sub_indication) }
}

/// Returns how many findings there are: errors first, then warnings, then information.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: 0 comes back.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_finding_count(record: *const lacre_evidence_record) -> usize {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, 0, |record| record.findings.len()) }
}

/// Returns a finding.
///
/// Thread safety: any thread.
///
/// @param record  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup evidence_records
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_evidence_record_finding(
    record: *const lacre_evidence_record,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `record` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(record, ptr::null(), |record| at(&record.findings, index)) }
}
