//! What an extension wants, as C reads it.

use super::Key;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{out_param, read_part, run};
use crate::text::{Text, lacre_buffer, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use crate::words::lacre_evidence_kind;
use lacre::augmentation::{EvidenceWant, TimestampWant, Want};
use lacre::signing::{Certificate, DigestAlgorithm};
use lacre_core::x509::ocsp_request;

/// Something that an extension wants. It belongs to its extension, until the next step, and is never freed.
///
/// @ingroup extending
pub struct lacre_want {
    kind: lacre_evidence_kind,
    about: Text,
    name: Text,
    digest: Text,
    urls: Vec<Text>,
    not_before: i64,
    retry_at: i64,
    /// The addresses where it was not looked for yet.
    pub(super) untried: Vec<String>,
    of: Of,
}

enum Of {
    Timestamp { function: DigestAlgorithm, imprint: Vec<u8> },
    Evidence { key: Key, certificate: Vec<u8>, issuer: Option<Vec<u8>> },
}

impl lacre_want {
    pub(super) fn of(want: &Want) -> Self {
        match want {
            Want::Timestamp(want) => Self::timestamp(want),
            Want::Evidence(want) => Self::of_evidence(want),
        }
    }

    fn timestamp(want: &TimestampWant) -> Self {
        Self {
            kind: lacre_evidence_kind::LACRE_EVIDENCE_TIMESTAMP,
            about: Text::maybe(want.about.as_ref().map(|id| id.as_str())),
            name: Text::new(""),
            digest: Text::new(want.algorithm.as_str()),
            urls: vec![],
            not_before: LACRE_NO_TIME,
            retry_at: LACRE_NO_TIME,
            untried: vec![],
            of: Of::Timestamp { function: want.algorithm, imprint: want.imprint.clone() },
        }
    }

    pub(super) fn of_evidence(want: &EvidenceWant) -> Self {
        let wanted = &want.wanted;
        let tried = |url: &String| wanted.tried.iter().any(|tried| tried.url == *url);
        let untried: Vec<String> = wanted.urls.iter().filter(|url| !tried(url)).cloned().collect();
        Self {
            kind: wanted.kind.into(),
            about: Text::new(wanted.about.as_str()),
            name: Text::new(want.name.as_str()),
            digest: Text::new(""),
            urls: untried.iter().map(|url| Text::new(url.as_str())).collect(),
            not_before: millis(want.not_before),
            retry_at: millis(want.retry_at),
            untried,
            of: Of::Evidence {
                key: (wanted.kind, wanted.about.clone(), want.not_before),
                certificate: want.certificate.clone(),
                issuer: want.issuer.clone(),
            },
        }
    }

    /// Returns what it is, where it is evidence.
    pub(super) fn evidence(&self) -> Result<&Key, Failure> {
        match &self.of {
            Of::Evidence { key, .. } => Ok(key),
            Of::Timestamp { .. } => {
                Err(Failure::argument("what is wanted is a time-stamp, expected a piece of evidence"))
            }
        }
    }

    /// Returns what is to be stamped, where it is a time-stamp.
    pub(super) fn imprint(&self) -> Result<(DigestAlgorithm, &[u8]), Failure> {
        match &self.of {
            Of::Timestamp { function, imprint } => Ok((*function, imprint)),
            Of::Evidence { .. } => {
                Err(Failure::argument("what is wanted is a piece of evidence, expected a time-stamp"))
            }
        }
    }

    /// Returns the request to a responder; `None` where it is no OCSP response, or the issuer is not known.
    pub(super) fn ocsp_request(&self) -> Option<Vec<u8>> {
        let Of::Evidence { certificate, issuer, .. } = &self.of else { return None };
        if self.kind != lacre_evidence_kind::LACRE_EVIDENCE_OCSP {
            return None;
        }
        let read = |der: &[u8]| Certificate::from_der(der).ok();
        Some(ocsp_request(&read(certificate)?, &read(issuer.as_deref()?)?))
    }

    /// Returns its addresses, as C reads them.
    pub(super) fn urls(&self) -> impl Iterator<Item = (&String, lacre_str)> {
        self.untried.iter().zip(self.urls.iter().map(Text::borrow))
    }

    /// Returns in which order it is asked for, and about what: an issuer first, a list only where no responder helps.
    pub(super) fn rank(&self) -> (u8, Option<&lacre::Id>) {
        let rank = match self.kind {
            lacre_evidence_kind::LACRE_EVIDENCE_ISSUER => 0,
            lacre_evidence_kind::LACRE_EVIDENCE_OCSP => 1,
            _ => 2,
        };
        match &self.of {
            Of::Evidence { key, .. } => (rank, Some(&key.1)),
            Of::Timestamp { .. } => (rank, None),
        }
    }
}

/// Returns what it is: LACRE_EVIDENCE_TIMESTAMP, LACRE_EVIDENCE_OCSP, LACRE_EVIDENCE_CRL or LACRE_EVIDENCE_ISSUER.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: LACRE_EVIDENCE_NONE comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_kind(want: *const lacre_want) -> lacre_evidence_kind {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, lacre_evidence_kind::LACRE_EVIDENCE_NONE, |want| want.kind) }
}

/// Returns the id of the certificate that it is about, or of the signature that is to be stamped; empty for a
/// time-stamp for all of them.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_about(want: *const lacre_want) -> lacre_str {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, lacre_str::EMPTY, |want| want.about.borrow()) }
}

/// Returns the name of the certificate that it is about, for people; empty for a time-stamp.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_name(want: *const lacre_want) -> lacre_str {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, lacre_str::EMPTY, |want| want.name.borrow()) }
}

/// Returns the digest function of the imprint of a time-stamp, such as "SHA256"; empty for evidence.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_digest(want: *const lacre_want) -> lacre_str {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, lacre_str::EMPTY, |want| want.digest.borrow()) }
}

/// Returns at how many places evidence may be had where it was not looked for yet; 0 for a time-stamp.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: 0 comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_url_count(want: *const lacre_want) -> usize {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, 0, |want| want.urls.len()) }
}

/// Returns where evidence may be had, best first.
///
/// Thread safety: any thread.
///
/// @param want   May be NULL: an empty text.
/// @param index  From 0; past the last an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_url(want: *const lacre_want, index: usize) -> lacre_str {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, lacre_str::EMPTY, |want| want.urls.get(index).map_or(lacre_str::EMPTY, Text::borrow)) }
}

/// Returns from when on revocation data is recent enough, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME
/// where any is.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_not_before(want: *const lacre_want) -> i64 {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, LACRE_NO_TIME, |want| want.not_before) }
}

/// Returns when its issuer will have issued the next, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME where
/// that is not known.
///
/// Thread safety: any thread.
///
/// @param want  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_retry_at(want: *const lacre_want) -> i64 {
    // SAFETY: `want` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(want, LACRE_NO_TIME, |want| want.retry_at) }
}

/// Gives the imprint that is to be stamped: empty for evidence.
///
/// Thread safety: any thread.
///
/// @param      want         What is wanted.
/// @param[out] imprint_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_imprint(
    want: *const lacre_want,
    imprint_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(imprint_out, "imprint_out")?;
            let imprint = part(want)?.imprint().map(|(_, imprint)| imprint.to_vec());
            place.set(lacre_buffer::bytes(imprint.unwrap_or_default()));
            Ok(())
        })
    }
}

/// Gives the certificate that evidence is about, DER: empty for a time-stamp.
///
/// Thread safety: any thread.
///
/// @param      want             What is wanted.
/// @param[out] certificate_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_certificate(
    want: *const lacre_want,
    certificate_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(certificate_out, "certificate_out")?;
            let certificate = match &part(want)?.of {
                Of::Evidence { certificate, .. } => certificate.clone(),
                Of::Timestamp { .. } => vec![],
            };
            place.set(lacre_buffer::bytes(certificate));
            Ok(())
        })
    }
}

/// Gives the request for an OCSP response: an OCSPRequest (RFC 6960), which is sent to the addresses by POST
/// (application/ocsp-request). Empty where something else is wanted, or the issuer is not known.
///
/// Thread safety: any thread.
///
/// @param      want         What is wanted.
/// @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_want_ocsp_request(
    want: *const lacre_want,
    request_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(request_out, "request_out")?;
            place.set(lacre_buffer::bytes(part(want)?.ocsp_request().unwrap_or_default()));
            Ok(())
        })
    }
}

/// Returns what the pointer leads to, unless it is NULL.
///
/// # Safety
///
/// `want` is NULL or points into a live extension.
unsafe fn part<'a>(want: *const lacre_want) -> Result<&'a lacre_want, Failure> {
    let null = || Failure::new(lacre_status::LACRE_ERROR_NULL_ARGUMENT, "want is NULL, expected something");
    // SAFETY: the contract of this function.
    unsafe { want.as_ref() }.ok_or_else(null)
}
