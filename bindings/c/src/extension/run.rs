//! The loop of an extension around two callbacks.

use super::{lacre_extension, lacre_want};
use crate::error::{Failure, lacre_error, lacre_status, lacre_status::*};
use crate::ffi::{handle, handle_mut, run};
use crate::random::{Generator, generator, lacre_random_callback};
use crate::time::stated;
use crate::timestamp::{Authority, answered, lacre_answer, lacre_timestamp_callback};
use lacre::{Document, Id, Time, signing::SigningErrorCode};
use std::collections::HashSet;
use std::ffi::{c_char, c_void};

/// Why nobody was asked.
const NOBODY: &str = "not asked, because there is no callback for evidence";

/// Asks for a piece of evidence at one address, and gives what it got to lacre_answer_set(): a CRL, a certificate, an
/// OCSP response. As a callback for signing, it must return.
///
/// @param user_data    What was handed in with the callback.
/// @param want         What is wanted, borrowed for the call.
/// @param url          Where it may be had: NUL-terminated, borrowed for the call.
/// @param request      Of an OCSP response the OCSPRequest, to be sent by POST (application/ocsp-request); otherwise
///                     NULL, and the address is asked by GET. Borrowed for the call.
/// @param request_len  How many bytes it has.
/// @param answer       Where the evidence goes.
/// @return 0 when there is some; any other number: not at this address, for the reason that lacre_answer_fail() gave.
/// @ingroup extending
pub type lacre_evidence_callback = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        want: *const lacre_want,
        url: *const c_char,
        request: *const u8,
        request_len: usize,
        answer: *mut lacre_answer,
    ) -> i32,
>;

/// Who is asked.
struct Sources {
    timestamp: lacre_timestamp_callback,
    evidence: lacre_evidence_callback,
    user_data: *mut c_void,
}

impl lacre_extension {
    /// Goes on until it is done.
    ///
    /// # Safety
    ///
    /// The callbacks do as their documentation says with their data.
    unsafe fn run(
        &mut self,
        document: &Document<'_>,
        time: Time,
        sources: &Sources,
        random: &mut Generator,
    ) -> Result<(), Failure> {
        for _ in 0..super::ROUNDS {
            if self.advance(document, time)? {
                return Ok(());
            }
            let mut places: Vec<usize> = (0..self.wants.len()).collect();
            places.sort_by_key(|place| self.wants.get(*place).map(|want| want.rank().0));
            let mut about: HashSet<Id> = HashSet::new();
            for place in places {
                let want = self.want(place)?;
                match want.rank().1.cloned() {
                    // SAFETY: the contract of this function.
                    None => unsafe { self.ask_authority(place, time, sources, random) }?,
                    // Of several about one certificate one is enough.
                    Some(id) if about.insert(id.clone()) => {
                        // SAFETY: the contract of this function.
                        let found = unsafe { self.ask_for_evidence(place, sources) }?;
                        if !found {
                            about.remove(&id);
                        }
                    }
                    Some(_) => {}
                }
            }
        }
        let message = format!("found more wanted after {} rounds, expected an end", super::ROUNDS);
        Err(Failure::new(LACRE_ERROR_EXTENSION, message))
    }

    /// Asks the authority for a time-stamp.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn ask_authority(
        &mut self,
        place: usize,
        time: Time,
        sources: &Sources,
        random: &mut Generator,
    ) -> Result<(), Failure> {
        let authority = Authority {
            callback: sources.timestamp,
            user_data: sources.user_data,
            policy: self.timestamp_policy.as_deref(),
            nonce: self.timestamp_nonce,
        };
        if authority.callback.is_none() {
            let message = "a time-stamp is wanted, and there is no callback for time-stamps";
            let failure = Failure::new(LACRE_ERROR_EXTENSION, message);
            return Err(failure.because(SigningErrorCode::TsaUnreachable));
        }
        let (function, imprint) = self.want(place)?.imprint()?;
        // SAFETY: the contract of this function.
        let token = unsafe { authority.token(function, imprint, time, random) }?;
        self.stamp(place, token)
    }

    /// Asks for a piece of evidence at its addresses, until one has it.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn ask_for_evidence(&mut self, place: usize, sources: &Sources) -> Result<bool, Failure> {
        let Some(callback) = sources.evidence else {
            return self.failed(place, None, NOBODY).map(|()| false);
        };
        let want = self.want(place)?;
        let (key, request) = (want.evidence()?, want.ocsp_request());
        let mut failures = vec![];
        let mut found = None;
        for (url, text) in want.urls() {
            // In C such an address would be another one.
            if url.contains('\0') {
                failures.push((url.clone(), "not asked, because there is a NUL in the address".to_owned()));
                continue;
            }
            let (data, len) = request.as_ref().map_or((std::ptr::null(), 0), |bytes| (bytes.as_ptr(), bytes.len()));
            // SAFETY: the contract of this function; every pointer is to memory that lives for the call.
            let answer = unsafe {
                answered("evidence", |answer| callback(sources.user_data, want, text.data, data, len, answer))
            };
            let readable = |bytes: Vec<u8>| match self.pieces(key, &bytes) {
                Ok(_) => Ok(bytes),
                Err(failure) => Err(failure.message().to_owned()),
            };
            match answer.and_then(readable) {
                Ok(bytes) => {
                    found = Some((url.clone(), bytes));
                    break;
                }
                Err(reason) => failures.push((url.clone(), reason)),
            }
        }
        for (url, reason) in failures {
            self.failed(place, Some(&url), &reason)?;
        }
        match found {
            Some((url, bytes)) => self.answer(place, &bytes, Some(&url)).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Extends: takes steps, and asks callbacks for what is wanted, until it is done. Of evidence that nobody has, the
/// callback's reasons stand in the error.
///
/// Thread safety: one thread at a time may use an extension; the callbacks are called from this one.
///
/// @param      extension    The extension.
/// @param      time         This moment: milliseconds since 1970-01-01T00:00:00Z. Time-stamps have to be of within five
///                          minutes.
/// @param      timestamp    Asks a time-stamping authority; NULL where no time-stamp will be wanted.
/// @param      evidence     Asks for revocation data and certificates; NULL: nobody is asked.
/// @param      user_data    Handed to both callbacks.
/// @param      random       Where the randomness of nonces comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_TIMESTAMP,
///         LACRE_ERROR_EXTENSION, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_run(
    extension: *mut lacre_extension,
    time: i64,
    timestamp: lacre_timestamp_callback,
    evidence: lacre_evidence_callback,
    user_data: *mut c_void,
    random: lacre_random_callback,
    random_data: *mut c_void,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; the document is the caller's word at lacre_extension_new().
    unsafe {
        run(error_out, || {
            let extension = handle_mut(extension, "extension")?;
            let document = handle(extension.document, "document")?.document();
            let sources = Sources { timestamp, evidence, user_data };
            extension.run(&document, stated(time)?, &sources, &mut generator(random, random_data)?)
        })
    }
}
