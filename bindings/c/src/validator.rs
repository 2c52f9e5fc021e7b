//! Validators: a policy, trust anchors and validation data, applied to documents.

use crate::document::lacre_document;
use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, handle_mut, out_param, run};
use crate::report::{lacre_format, lacre_report};
use crate::text::lacre_buffer;
use crate::time::{moment, stated};
use lacre::{Facts, Policy, Validator, policy::CryptographicSuite};

/// A validation policy, who is trusted, and evidence that documents may lack.
///
/// Made by lacre_validator_new(), changed by the functions that begin with lacre_validator_add, freed with
/// lacre_validator_free(). Not changed any more, it may be used by any number of threads.
///
/// @ingroup validators
pub struct lacre_validator(pub(crate) Validator);

impl Handle for lacre_validator {
    const NAME: &'static str = "lacre_validator";
}

/// Makes a validator that trusts nobody yet.
///
/// Thread safety: any thread.
///
/// @param      policy         A validation policy, a DSS constraint file, or the name of a built-in one: "eidas", or
///                            "dss" for the default policy of EU DSS 6.5. Borrowed for the call. NULL with a length of
///                            0: "eidas", which is the stricter.
/// @param      policy_len     How many bytes it has.
/// @param      suite          Cryptographic suites to judge algorithms by (TS 119 322, XML or JSON), borrowed for the
///                            call. NULL with a length of 0: the policy's.
/// @param      suite_len      How many bytes they have.
/// @param[out] validator_out  On LACRE_OK owned by the caller, freed with lacre_validator_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_POLICY.
/// @ingroup validators
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validator_new(
    policy: *const u8,
    policy_len: usize,
    suite: *const u8,
    suite_len: usize,
    validator_out: *mut *mut lacre_validator,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(validator_out, "validator_out")?;
            let policy = match bytes(policy, policy_len, "policy")? {
                [] => Policy::eidas(),
                stated => Policy::from_bytes(stated).map_err(|e| Failure::of(LACRE_ERROR_POLICY, &e))?,
            };
            let policy = match bytes(suite, suite_len, "suite")? {
                [] => policy,
                stated => {
                    let suite = CryptographicSuite::from_bytes(stated);
                    policy.with_suite(suite.map_err(|e| Failure::of(LACRE_ERROR_POLICY, &e))?)
                }
            };
            place.set(lacre_validator(Validator::new(policy)));
            Ok(())
        })
    }
}

/// Trusts a certificate (DER or PEM; of several in PEM the first). On failure the validator is as it was.
///
/// Thread safety: one thread at a time may change a validator, and none may use it meanwhile.
///
/// @param      validator        The validator.
/// @param      certificate      Borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup validators
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validator_add_trust_anchor(
    validator: *mut lacre_validator,
    certificate: *const u8,
    certificate_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let validator = &mut handle_mut(validator, "validator")?.0;
            *validator = validator.clone().trust_anchor(bytes(certificate, certificate_len, "certificate")?)?;
            Ok(())
        })
    }
}

/// Hands in a certificate, CRL or OCSP response (DER or PEM) that documents may lack; which it is, its bytes tell.
/// On failure the validator is as it was.
///
/// Thread safety: one thread at a time may change a validator, and none may use it meanwhile.
///
/// @param      validator     The validator.
/// @param      evidence      Borrowed for the call.
/// @param      evidence_len  How many bytes it has.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup validators
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validator_add_evidence(
    validator: *mut lacre_validator,
    evidence: *const u8,
    evidence_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let validator = &mut handle_mut(validator, "validator")?.0;
            *validator = validator.clone().evidence(bytes(evidence, evidence_len, "evidence")?)?;
            Ok(())
        })
    }
}

/// Frees a validator. Reports that it made live on.
///
/// Thread safety: any thread, as long as no other uses the validator.
///
/// @param validator  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup validators
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validator_free(validator: *mut lacre_validator) -> lacre_status {
    // SAFETY: `validator` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(validator) }
}

/// Validates every signature of a document, as of one moment.
///
/// The format is told from the bytes. Nothing is fetched from a network, and no clock is read. A document whose
/// signatures are bad is still LACRE_OK: the verdict is in the report.
///
/// Thread safety: any number of threads, also with the same validator and the same document.
///
/// @param      validator   The policy, and who is trusted.
/// @param      document    The document.
/// @param      time        Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
/// @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_UNKNOWN_FORMAT or
///         LACRE_ERROR_UNREADABLE.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validate(
    validator: *const lacre_validator,
    document: *const lacre_document,
    time: i64,
    report_out: *mut *mut lacre_report,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(report_out, "report_out")?;
            let (validator, document) = (handle(validator, "validator")?, handle(document, "document")?);
            let time = stated(time)?;
            place.set(lacre_report::new(validator.0.validate(&document.document(), time)?));
            Ok(())
        })
    }
}

/// Judges stored facts again: those that lacre_inspect() wrote as JSON, or diagnostic data of EU DSS (XML).
///
/// Only the policy of the validator counts; whom the facts trust is in the facts.
///
/// Thread safety: any number of threads, also with the same validator.
///
/// @param      validator   The policy.
/// @param      facts       Borrowed for the call.
/// @param      facts_len   How many bytes they have.
/// @param      time        Milliseconds since 1970-01-01T00:00:00Z, or LACRE_NO_TIME: the moment that the facts state.
/// @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_FACTS.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_judge(
    validator: *const lacre_validator,
    facts: *const u8,
    facts_len: usize,
    time: i64,
    report_out: *mut *mut lacre_report,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(report_out, "report_out")?;
            let validator = handle(validator, "validator")?;
            let facts = bytes(facts, facts_len, "facts")?;
            let facts = Facts::from_bytes(facts).map_err(|e| Failure::of(LACRE_ERROR_FACTS, &e))?;
            let time = moment(time)?.or(facts.validation_time).ok_or_else(|| {
                Failure::new(LACRE_ERROR_FACTS, "the facts state no validation time, and time is LACRE_NO_TIME")
            })?;
            place.set(lacre_report::new(lacre::judge(facts, validator.0.policy(), time)));
            Ok(())
        })
    }
}

/// Says what is inside a document, without a verdict.
///
/// Thread safety: any number of threads, also with the same validator and the same document.
///
/// @param      validator  Whom to trust and what else is known stand in the facts; the policy does not count.
/// @param      document   The document.
/// @param      time       The moment that the facts state: milliseconds since 1970-01-01T00:00:00Z.
/// @param      format     LACRE_FORMAT_TEXT: for people. LACRE_FORMAT_JSON: the facts, which lacre_judge() reads.
/// @param[out] facts_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_UNKNOWN_FORMAT or
///         LACRE_ERROR_UNREADABLE.
/// @ingroup reports
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_inspect(
    validator: *const lacre_validator,
    document: *const lacre_document,
    time: i64,
    format: i32,
    facts_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(facts_out, "facts_out")?;
            let (validator, document) = (handle(validator, "validator")?, handle(document, "document")?);
            let time = stated(time)?;
            let write = lacre_format::text_or_json(format, Facts::to_text, Facts::to_json)?;
            place.set(lacre_buffer::text(write(&validator.0.facts(&document.document(), time)?)));
            Ok(())
        })
    }
}
