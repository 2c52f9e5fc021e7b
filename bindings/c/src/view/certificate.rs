//! A certificate of a chain, as C reads it.

use crate::ffi::read_part;
use crate::text::{Text, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use lacre::report::CertificateView;

/// A certificate. It belongs to its report, and is never freed.
///
/// @ingroup certificates
pub struct lacre_certificate {
    id: Text,
    sha256: Text,
    subject: Text,
    issuer: Text,
    common_name: Text,
    serial: Text,
    not_before: i64,
    not_after: i64,
    trusted: bool,
}

impl lacre_certificate {
    pub(crate) fn of(certificate: CertificateView<'_>) -> Self {
        Self {
            id: Text::new(certificate.id().as_str()),
            sha256: Text::maybe(certificate.sha256()),
            subject: Text::new(certificate.subject()),
            issuer: Text::new(certificate.issuer_name()),
            common_name: Text::maybe(certificate.facts().attributes.common_name.as_deref()),
            serial: Text::new(certificate.serial()),
            not_before: millis(Some(certificate.not_before())),
            not_after: millis(Some(certificate.not_after())),
            trusted: certificate.is_trusted(),
        }
    }
}

/// The id by which reports name the certificate.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_id(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.id.borrow()) }
}

/// The SHA-256 of its DER, in lower-case hexadecimal; empty where stored facts do not state it.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_sha256(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.sha256.borrow()) }
}

/// Whose it is: the whole name, after RFC 2253.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_subject(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.subject.borrow()) }
}

/// Who issued it: the whole name, after RFC 2253.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_issuer(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.issuer.borrow()) }
}

/// The common name of its subject; empty where it has none.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_common_name(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.common_name.borrow()) }
}

/// Its serial number, in decimal.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_serial(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.serial.borrow()) }
}

/// The first moment of its validity, in milliseconds since 1970.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_not_before(certificate: *const lacre_certificate) -> i64 {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, LACRE_NO_TIME, |certificate| certificate.not_before) }
}

/// The last moment of its validity, in milliseconds since 1970.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_not_after(certificate: *const lacre_certificate) -> i64 {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, LACRE_NO_TIME, |certificate| certificate.not_after) }
}

/// Whether it is a trust anchor.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: false comes back.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_is_trusted(certificate: *const lacre_certificate) -> bool {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, false, |certificate| certificate.trusted) }
}
