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
    name: Text,
    serial: Text,
    not_before: i64,
    not_after: i64,
    trusted: bool,
    revocation: Revocation,
}

/// The statement on the revocation status of a certificate.
struct Revocation {
    status: Text,
    time: i64,
    reason: Text,
    producer: Text,
    issued: i64,
}

impl Revocation {
    fn of(certificate: CertificateView<'_>) -> Self {
        let found = certificate.revocation();
        let (data, said) = found.unzip();
        Self {
            status: Text::maybe(said.map(|said| said.status.as_str())),
            time: millis(said.and_then(|said| said.revocation_date)),
            reason: Text::maybe(said.and_then(|said| said.reason).map(|reason| reason.as_str())),
            producer: Text::maybe(data.and_then(|data| data.signer()).map(|signer| signer.name())),
            issued: millis(data.and_then(|data| data.this_update())),
        }
    }
}

impl lacre_certificate {
    pub(crate) fn of(certificate: CertificateView<'_>) -> Self {
        Self {
            id: Text::new(certificate.id().as_str()),
            sha256: Text::maybe(certificate.sha256()),
            subject: Text::new(certificate.subject()),
            issuer: Text::new(certificate.issuer_name()),
            common_name: Text::maybe(certificate.facts().attributes.common_name.as_deref()),
            name: Text::new(certificate.name()),
            serial: Text::new(certificate.serial()),
            not_before: millis(Some(certificate.not_before())),
            not_after: millis(Some(certificate.not_after())),
            trusted: certificate.is_trusted(),
            revocation: Revocation::of(certificate),
        }
    }
}

/// Returns the id by which reports name the certificate.
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

/// Returns the SHA-256 of its DER, in lower-case hexadecimal; empty where stored facts do not state it.
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

/// Returns whose it is: the whole name, after RFC 2253.
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

/// Returns who issued it: the whole name, after RFC 2253.
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

/// Returns the common name of its subject; empty where it has none.
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

/// Returns its serial number, in decimal.
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

/// Returns the first moment of its validity, in milliseconds since 1970.
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

/// Returns the last moment of its validity, in milliseconds since 1970.
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

/// Returns the name by which people call its subject: common name; else given name and surname, pseudonym,
/// organisation, or the whole distinguished name.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_name(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.name.borrow()) }
}

/// Returns what revocation data says of it: GOOD, REVOKED or UNKNOWN; empty where none speaks of it.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_revocation_status(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.revocation.status.borrow()) }
}

/// Returns the time of its revocation, in milliseconds since 1970; LACRE_NO_TIME where it is not revoked.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_revocation_time(certificate: *const lacre_certificate) -> i64 {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, LACRE_NO_TIME, |certificate| certificate.revocation.time) }
}

/// Returns the reason of its revocation, as CRLReason of RFC 5280 names it; empty where none is stated.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_revocation_reason(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.revocation.reason.borrow()) }
}

/// Returns the name of who states its revocation status; empty where the certificate of that signer was not found.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_revocation_producer(certificate: *const lacre_certificate) -> lacre_str {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, lacre_str::EMPTY, |certificate| certificate.revocation.producer.borrow()) }
}

/// Returns the `thisUpdate` of the statement on its revocation status, in milliseconds since 1970; LACRE_NO_TIME where
/// none is stated.
///
/// Thread safety: any thread.
///
/// @param certificate  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup certificates
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_revocation_issued(certificate: *const lacre_certificate) -> i64 {
    // SAFETY: `certificate` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(certificate, LACRE_NO_TIME, |certificate| certificate.revocation.issued) }
}

/// Returns whether it is a trust anchor.
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
