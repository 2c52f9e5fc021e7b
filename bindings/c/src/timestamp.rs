//! Time-stamps: what is asked of an authority (RFC 3161), whether what comes back answers it, and callbacks that ask.

use crate::error::{Failure, lacre_error, lacre_status, lacre_status::*};
use crate::ffi::{Handle, bytes, free, handle_mut, into_handle, out_param, run, text};
use crate::keys::digest_of;
use crate::random::Generator;
use crate::text::lacre_buffer;
use crate::time::stated;
use lacre::Time;
use lacre::issuance::TimestampQuery;
use lacre::signing::{DigestAlgorithm, SigningError, SigningErrorCode};
use rand_core::Rng as _;
use std::ffi::{c_char, c_void};

/// Bytes of a nonce.
const NONCE: usize = 16;

/// Where a callback puts what it got. It lives for the call.
///
/// @ingroup signing
pub struct lacre_answer(Option<Result<Vec<u8>, String>>);

impl Handle for lacre_answer {
    const NAME: &'static str = "lacre_answer";
}

/// Asks a time-stamping authority: sends the request (application/timestamp-query), and gives its response
/// (application/timestamp-reply) to lacre_answer_set(). As a callback for signing, it must return.
///
/// @param user_data    What was handed in with the callback.
/// @param request      A TimeStampReq, borrowed for the call.
/// @param request_len  How many bytes it has.
/// @param answer       Where the response goes.
/// @return 0 when there is a response; any other number is a failure, and stands in the error, with what
///         lacre_answer_fail() said.
/// @ingroup signing
pub type lacre_timestamp_callback = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        request: *const u8,
        request_len: usize,
        answer: *mut lacre_answer,
    ) -> i32,
>;

/// Lets a callback answer: what it made of its answer, or what it said of its failure.
///
/// # Safety
///
/// `call` gives its pointer to a callback that does as its documentation says.
pub(crate) unsafe fn answered(name: &str, call: impl FnOnce(*mut lacre_answer) -> i32) -> Result<Vec<u8>, String> {
    let pointer = into_handle(lacre_answer(None));
    let code = call(pointer);
    // SAFETY: it is the handle that was made here, and the callback has returned.
    let answer = unsafe { handle_mut(pointer, "answer") }.ok().and_then(|answer| answer.0.take());
    // SAFETY: as above; nobody uses it any more.
    let _ = unsafe { free(pointer) };
    match (code, answer) {
        (0, Some(Ok(bytes))) => Ok(bytes),
        (0, None) => Err(format!("the callback for {name} returned 0 without an answer, expected one")),
        (_, Some(Err(reason))) => Err(reason),
        _ => Err(format!("the callback for {name} returned {code}, expected 0")),
    }
}

/// An authority behind a callback, and what is asked of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Authority<'a> {
    pub(crate) callback: lacre_timestamp_callback,
    pub(crate) user_data: *mut c_void,
    pub(crate) policy: Option<&'a str>,
    pub(crate) nonce: bool,
}

impl Authority<'_> {
    /// Checks that there is a callback.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let missing = || Failure::new(LACRE_ERROR_NULL_ARGUMENT, "timestamp is NULL, expected a function");
        self.callback.map(|_| ()).ok_or_else(missing)
    }

    /// Gets a time-stamp token over an imprint, checked as of a moment.
    ///
    /// # Safety
    ///
    /// The callback does as its documentation says with its data.
    pub(crate) unsafe fn token(
        &self,
        function: DigestAlgorithm,
        imprint: &[u8],
        time: Time,
        random: &mut Generator,
    ) -> Result<Vec<u8>, Failure> {
        self.check()?;
        let mut nonce = vec![0; if self.nonce { NONCE } else { 0 }];
        random.fill_bytes(&mut nonce);
        let request = request(function, imprint, nonce, self.policy)?;
        // SAFETY: the contract of this function; every pointer is to memory that lives for the call.
        let response = unsafe {
            answered("time-stamps", |answer| match self.callback {
                Some(ask) => ask(self.user_data, request.as_ptr(), request.len(), answer),
                None => -1,
            })
        };
        let unreachable = |reason| Failure::new(LACRE_ERROR_CALLBACK, reason).because(SigningErrorCode::TsaUnreachable);
        token(&request, &response.map_err(unreachable)?, time)
    }
}

/// Makes a `TimeStampReq`.
pub(crate) fn request(
    function: DigestAlgorithm,
    imprint: &[u8],
    nonce: Vec<u8>,
    policy: Option<&str>,
) -> Result<Vec<u8>, Failure> {
    let query = TimestampQuery::new(function, imprint).ok_or_else(|| {
        let (found, expected) = (imprint.len(), function.length());
        Failure::argument(format!("imprint has {found} bytes, expected {expected} ({function})"))
    })?;
    let query = match policy {
        None => query,
        Some(policy) => query.with_policy(policy).ok_or_else(|| {
            Failure::argument(format!("policy is {policy:?}, expected an object identifier such as 0.4.0.2023.1.1"))
        })?,
    };
    Ok(query.with_nonce(nonce).to_der())
}

/// Returns the token of a response to a request.
pub(crate) fn token(request: &[u8], response: &[u8], time: Time) -> Result<Vec<u8>, Failure> {
    let query = TimestampQuery::from_der(request).map_err(|rejection| {
        Failure::argument(format!("request is no TimeStampReq that can be read ({})", rejection.as_str()))
    })?;
    let token = query.token(response, time).map_err(SigningError::from)?;
    Ok(token.to_vec())
}

/// Gives a callback's answer. The bytes are copied.
///
/// Thread safety: the thread of the callback.
///
/// @param answer        What the callback was given.
/// @param answer_bytes  Borrowed for the call.
/// @param answer_len    How many bytes it has.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_answer_set(
    answer: *mut lacre_answer,
    answer_bytes: *const u8,
    answer_len: usize,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(std::ptr::null_mut(), || {
            let answer = handle_mut(answer, "answer")?;
            answer.0 = Some(Ok(bytes(answer_bytes, answer_len, "answer_bytes")?.to_vec()));
            Ok(())
        })
    }
}

/// Says why a callback has no answer; it returns another number than 0 then.
///
/// Thread safety: the thread of the callback.
///
/// @param answer  What the callback was given.
/// @param reason  A sentence: NUL-terminated UTF-8, borrowed for the call.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_answer_fail(answer: *mut lacre_answer, reason: *const c_char) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(std::ptr::null_mut(), || {
            let answer = handle_mut(answer, "answer")?;
            answer.0 = Some(Err(text(reason, "reason")?.to_owned()));
            Ok(())
        })
    }
}

/// Gives the request for a time-stamp over an imprint: a TimeStampReq (RFC 3161), which asks for the authority's
/// certificate.
///
/// Thread safety: any thread.
///
/// @param      digest       One of lacre_digest: the function that made the imprint.
/// @param      imprint      The digest that is to be stamped, borrowed for the call.
/// @param      imprint_len  How many bytes it has.
/// @param      nonce        8 to 16 random bytes, by which the response is known to be new; borrowed for the call. NULL
///                          with a length of 0: none.
/// @param      nonce_len    How many bytes it has.
/// @param      policy       The policy to stamp under, an object identifier: NUL-terminated, borrowed for the call.
///                          NULL: the authority's choice.
/// @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_request(
    digest: i32,
    imprint: *const u8,
    imprint_len: usize,
    nonce: *const u8,
    nonce_len: usize,
    policy: *const c_char,
    request_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(request_out, "request_out")?;
            let imprint = bytes(imprint, imprint_len, "imprint")?;
            let nonce = bytes(nonce, nonce_len, "nonce")?.to_vec();
            let policy = optional_text(policy, "policy")?;
            place.set(lacre_buffer::bytes(request(digest_of(digest)?, imprint, nonce, policy)?));
            Ok(())
        })
    }
}

/// Returns a text that may be left out.
///
/// # Safety
///
/// As [`text`].
pub(crate) unsafe fn optional_text<'a>(pointer: *const c_char, name: &str) -> Result<Option<&'a str>, Failure> {
    match pointer.is_null() {
        true => Ok(None),
        // SAFETY: the contract of this function.
        false => Ok(Some(unsafe { text(pointer, name) }?)),
    }
}

/// Checks that a response answers a request, and gives the time-stamp token that it holds: granted, over the imprint,
/// with the nonce and the policy that were asked for, of within five minutes, signed with the certificate inside, which
/// is for time-stamping alone. Whether the authority is trusted is not looked at.
///
/// Thread safety: any thread.
///
/// @param      request       The TimeStampReq, borrowed for the call.
/// @param      request_len   How many bytes it has.
/// @param      response      The TimeStampResp, borrowed for the call.
/// @param      response_len  How many bytes it has.
/// @param      time          When it was received: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] token_out     On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TIMESTAMP.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_timestamp_token(
    request: *const u8,
    request_len: usize,
    response: *const u8,
    response_len: usize,
    time: i64,
    token_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(token_out, "token_out")?;
            let request = bytes(request, request_len, "request")?;
            let response = bytes(response, response_len, "response")?;
            place.set(lacre_buffer::bytes(token(request, response, stated(time)?)?));
            Ok(())
        })
    }
}
