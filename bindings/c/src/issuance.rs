//! Issuing of certificates, revocation lists and time-stamps.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, bytes, free, handle, handle_mut, out_param, run, text};
use crate::keys::{lacre_key, public_key_of};
use crate::random::{Generator, generator, lacre_random_callback};
use crate::text::lacre_buffer;
use crate::time::{moment, stated};
use crate::words::one_of;
use lacre::{
    decode_pem,
    issuance::{
        self, Certificate, CertificateRequest, Issuer, Locations, Profile, RevocationList, Subject, TimestampUnit,
        Validity,
    },
    signing::PublicKey,
};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};

/// What a certificate is for. A function takes it as int32_t.
///
/// @ingroup issuing
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_profile {
    /// A root authority, which signs itself.
    LACRE_PROFILE_ROOT = 1,
    /// An authority that issues to everybody but authorities.
    LACRE_PROFILE_ISSUING_AUTHORITY = 2,
    /// A natural person's signatures: EN 319 412-2.
    LACRE_PROFILE_NATURAL_PERSON = 3,
    /// The same, qualified: EN 319 412-5.
    LACRE_PROFILE_NATURAL_PERSON_QUALIFIED = 4,
    /// The same, its key in a qualified device.
    LACRE_PROFILE_NATURAL_PERSON_QSCD = 5,
    /// A legal person's seals: EN 319 412-3.
    LACRE_PROFILE_LEGAL_PERSON = 6,
    /// The same, qualified: EN 319 412-5.
    LACRE_PROFILE_LEGAL_PERSON_QUALIFIED = 7,
    /// The same, its key in a qualified device.
    LACRE_PROFILE_LEGAL_PERSON_QSCD = 8,
    /// A delegated OCSP responder: RFC 6960.
    LACRE_PROFILE_OCSP_RESPONDER = 9,
    /// A time-stamping unit: EN 319 422.
    LACRE_PROFILE_TIMESTAMP_UNIT = 10,
}

use lacre_profile::*;

const PROFILES: [(i32, Profile); 10] = [
    (LACRE_PROFILE_ROOT as i32, Profile::Root),
    (LACRE_PROFILE_ISSUING_AUTHORITY as i32, Profile::IssuingAuthority),
    (LACRE_PROFILE_NATURAL_PERSON as i32, Profile::NaturalPerson),
    (LACRE_PROFILE_NATURAL_PERSON_QUALIFIED as i32, Profile::NaturalPersonQualified),
    (LACRE_PROFILE_NATURAL_PERSON_QSCD as i32, Profile::NaturalPersonQualifiedDevice),
    (LACRE_PROFILE_LEGAL_PERSON as i32, Profile::LegalPerson),
    (LACRE_PROFILE_LEGAL_PERSON_QUALIFIED as i32, Profile::LegalPersonQualified),
    (LACRE_PROFILE_LEGAL_PERSON_QSCD as i32, Profile::LegalPersonQualifiedDevice),
    (LACRE_PROFILE_OCSP_RESPONDER as i32, Profile::OcspResponder),
    (LACRE_PROFILE_TIMESTAMP_UNIT as i32, Profile::TimestampUnit),
];

/// What a certificate says. A function takes it as int32_t.
///
/// Natural persons have country, given name, surname and serial number; everybody else has country, organisation,
/// organisation identifier and common name. Locations are the issuer's, and each may be left out.
///
/// @ingroup issuing
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum lacre_attribute {
    /// ISO 3166-1: two capital letters.
    LACRE_ATTRIBUTE_COUNTRY = 1,
    /// Given names.
    LACRE_ATTRIBUTE_GIVEN_NAME = 2,
    /// Surname.
    LACRE_ATTRIBUTE_SURNAME = 3,
    /// What tells persons of one name apart, as "PASSK-P3000180" (EN 319 412-1).
    LACRE_ATTRIBUTE_SERIAL_NUMBER = 4,
    /// The full registered name.
    LACRE_ATTRIBUTE_ORGANIZATION = 5,
    /// Its identifier, as "VATBE-0876866142" (EN 319 412-1).
    LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER = 6,
    /// The name that it is commonly known by.
    LACRE_ATTRIBUTE_COMMON_NAME = 7,
    /// Where the issuer's certificate is published.
    LACRE_ATTRIBUTE_ISSUER_URL = 8,
    /// The issuer's OCSP responder.
    LACRE_ATTRIBUTE_OCSP_URL = 9,
    /// The issuer's revocation list.
    LACRE_ATTRIBUTE_CRL_URL = 10,
    /// The disclosure statement of qualified certificates, in English.
    LACRE_ATTRIBUTE_DISCLOSURE_URL = 11,
}

use lacre_attribute::*;

const ATTRIBUTES: [lacre_attribute; 11] = [
    LACRE_ATTRIBUTE_COUNTRY,
    LACRE_ATTRIBUTE_GIVEN_NAME,
    LACRE_ATTRIBUTE_SURNAME,
    LACRE_ATTRIBUTE_SERIAL_NUMBER,
    LACRE_ATTRIBUTE_ORGANIZATION,
    LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER,
    LACRE_ATTRIBUTE_COMMON_NAME,
    LACRE_ATTRIBUTE_ISSUER_URL,
    LACRE_ATTRIBUTE_OCSP_URL,
    LACRE_ATTRIBUTE_CRL_URL,
    LACRE_ATTRIBUTE_DISCLOSURE_URL,
];

/// A certificate to be issued.
///
/// Made by lacre_certificate_order_new(), changed by the functions that begin with lacre_certificate_order_set, freed
/// with lacre_certificate_order_free().
///
/// @ingroup issuing
pub struct lacre_certificate_order {
    profile: Profile,
    attributes: BTreeMap<lacre_attribute, String>,
    validity: Option<Validity>,
    key: Option<PublicKey>,
}

impl Handle for lacre_certificate_order {
    const NAME: &'static str = "lacre_certificate_order";
}

impl From<issuance::Error> for Failure {
    fn from(error: issuance::Error) -> Self {
        match error {
            issuance::Error::Signature(error) => error.into(),
            error => Self::of(LACRE_ERROR_ISSUANCE, &error),
        }
    }
}

impl lacre_certificate_order {
    fn subject(&self) -> Subject {
        // What is missing is empty here, and refused by name when the certificate is issued.
        let of = |attribute| self.attributes.get(&attribute).cloned().unwrap_or_default();
        let country = of(LACRE_ATTRIBUTE_COUNTRY);
        match self.profile.is_natural() {
            true => Subject::NaturalPerson {
                country,
                given_name: of(LACRE_ATTRIBUTE_GIVEN_NAME),
                surname: of(LACRE_ATTRIBUTE_SURNAME),
                serial_number: of(LACRE_ATTRIBUTE_SERIAL_NUMBER),
            },
            false => Subject::LegalPerson {
                country,
                organization: of(LACRE_ATTRIBUTE_ORGANIZATION),
                organization_identifier: of(LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER),
                common_name: of(LACRE_ATTRIBUTE_COMMON_NAME),
            },
        }
    }

    fn locations(&self) -> Locations {
        let of = |attribute| self.attributes.get(&attribute).cloned();
        Locations {
            issuer: of(LACRE_ATTRIBUTE_ISSUER_URL),
            ocsp: of(LACRE_ATTRIBUTE_OCSP_URL),
            crl: of(LACRE_ATTRIBUTE_CRL_URL),
            disclosure: of(LACRE_ATTRIBUTE_DISCLOSURE_URL).map(|url| ("en".to_owned(), url)).into_iter().collect(),
        }
    }

    fn validity(&self) -> Result<Validity, Failure> {
        let missing = "the order has no validity, expected lacre_certificate_order_set_validity() before";
        self.validity.ok_or_else(|| Failure::new(LACRE_ERROR_ISSUANCE, missing))
    }

    /// Issues the certificate by this key; without an issuer's certificate the subject is the issuer.
    fn issue(&self, issuer: Option<&[u8]>, key: &lacre_key, random: &mut Generator) -> Result<Vec<u8>, Failure> {
        let (subject, locations, validity) = (self.subject(), self.locations(), self.validity()?);
        let key = key.0.signing();
        let Some(issuer) = issuer else {
            if self.profile != Profile::Root {
                let message = format!("issuer is NULL, expected a certificate: the order is for {}", self.profile);
                return Err(Failure::new(LACRE_ERROR_NULL_ARGUMENT, message));
            }
            let root = Issuer::root(&subject, key, validity, locations, random)?;
            return Ok(root.certificate().der().to_vec());
        };
        if self.profile == Profile::Root {
            return Err(Failure::argument("issuer is a certificate, expected NULL: a root signs itself"));
        }
        let issuer = Issuer::new(certificate_of(issuer, "issuer")?, key, locations)?;
        let missing = "the order has no key, expected lacre_certificate_order_set_public_key() before";
        let public = self.key.as_ref().ok_or_else(|| Failure::new(LACRE_ERROR_ISSUANCE, missing))?;
        Ok(issuer.issue(self.profile, &subject, public, validity, random)?.der().to_vec())
    }
}

/// Reads a certificate handed in.
fn certificate_of(bytes: &[u8], name: &str) -> Result<Certificate, Failure> {
    let certificate = Certificate::from_der(&decode_pem(bytes));
    certificate.map_err(|error| Failure::of(LACRE_ERROR_EVIDENCE, &error).about(name))
}

/// Begins a certificate.
///
/// Thread safety: any thread.
///
/// @param      profile    One of lacre_profile.
/// @param[out] order_out  On LACRE_OK owned by the caller, freed with lacre_certificate_order_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_new(
    profile: i32,
    order_out: *mut *mut lacre_certificate_order,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(order_out, "order_out")?;
            let profile = one_of(profile, &PROFILES, "profile")?;
            place.set(lacre_certificate_order { profile, attributes: BTreeMap::new(), validity: None, key: None });
            Ok(())
        })
    }
}

/// Sets what the certificate says of its subject, or where its issuer publishes.
///
/// Thread safety: one thread at a time may change an order, and none may use it meanwhile.
///
/// @param      order      The order.
/// @param      attribute  One of lacre_attribute. What the profile does not use is left aside.
/// @param      value      NUL-terminated UTF-8, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_set_attribute(
    order: *mut lacre_certificate_order,
    attribute: i32,
    value: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let order = handle_mut(order, "order")?;
            let attribute = one_of(attribute, &ATTRIBUTES.map(|known| (known as i32, known)), "attribute")?;
            order.attributes.insert(attribute, text(value, "value")?.to_owned());
            Ok(())
        })
    }
}

/// Sets from when until when the certificate is valid. It may not outlive its issuer's.
///
/// Thread safety: one thread at a time may change an order, and none may use it meanwhile.
///
/// @param      order      The order.
/// @param      from       The first moment: milliseconds since 1970-01-01T00:00:00Z.
/// @param      to         The last moment: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_set_validity(
    order: *mut lacre_certificate_order,
    from: i64,
    to: i64,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let order = handle_mut(order, "order")?;
            match (moment(from)?, moment(to)?) {
                (Some(from), Some(to)) if from < to => order.validity = Some(Validity { from, to }),
                _ => return Err(Failure::argument(format!("a validity from {from} to {to}, expected a later end"))),
            }
            Ok(())
        })
    }
}

/// Sets the subject's key, of whose possession the caller knows. Roots have the issuer's.
///
/// Thread safety: one thread at a time may change an order, and none may use it meanwhile.
///
/// @param      order           The order.
/// @param      public_key      A SubjectPublicKeyInfo (RFC 5280), DER or PEM, as lacre_key_public() writes it; borrowed
///                             for the call.
/// @param      public_key_len  How many bytes it has.
/// @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_set_public_key(
    order: *mut lacre_certificate_order,
    public_key: *const u8,
    public_key_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let order = handle_mut(order, "order")?;
            order.key = Some(public_key_of(bytes(public_key, public_key_len, "public_key")?)?);
            Ok(())
        })
    }
}

/// Sets the subject's key from a request, whose signature proves its possession. Nothing else is taken from it.
///
/// Thread safety: one thread at a time may change an order, and none may use it meanwhile.
///
/// @param      order        The order.
/// @param      request      PKCS #10 (RFC 2986), DER or PEM, borrowed for the call.
/// @param      request_len  How many bytes it has.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_ISSUANCE.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_set_request(
    order: *mut lacre_certificate_order,
    request: *const u8,
    request_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let order = handle_mut(order, "order")?;
            let request = CertificateRequest::from_der(&decode_pem(bytes(request, request_len, "request")?))?;
            order.key = Some(request.public_key().clone());
            Ok(())
        })
    }
}

/// Issues a certificate.
///
/// Thread safety: any number of threads, also with the same order and the same key.
///
/// @param      order            What it says.
/// @param      issuer           The issuer's certificate (DER or PEM), borrowed for the call; for a root NULL.
/// @param      issuer_len       How many bytes it has.
/// @param      issuer_key       The issuer's key; for a root its own.
/// @param      random           Where randomness comes from; NULL: the system.
/// @param      random_data      Handed to the callback.
/// @param[out] certificate_out  The certificate in DER. On LACRE_OK owned by the caller, freed with
///                              lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
///         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE or LACRE_ERROR_CALLBACK.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_issue(
    order: *const lacre_certificate_order,
    issuer: *const u8,
    issuer_len: usize,
    issuer_key: *const lacre_key,
    random: lacre_random_callback,
    random_data: *mut c_void,
    certificate_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(certificate_out, "certificate_out")?;
            let (order, key) = (handle(order, "order")?, handle(issuer_key, "issuer_key")?);
            let issuer = Some(bytes(issuer, issuer_len, "issuer")?).filter(|bytes| !bytes.is_empty());
            place.set(lacre_buffer::bytes(order.issue(issuer, key, &mut generator(random, random_data)?)?));
            Ok(())
        })
    }
}

/// Issues a revocation list (RFC 5280 §5) of an authority that has revoked nobody.
///
/// Thread safety: any number of threads, also with the same key.
///
/// @param      issuer       The authority's certificate (DER or PEM), borrowed for the call.
/// @param      issuer_len   How many bytes it has.
/// @param      issuer_key   The authority's key.
/// @param      number       The number of the list: greater than that of every earlier one.
/// @param      this_update  When it is issued: milliseconds since 1970-01-01T00:00:00Z.
/// @param      next_update  When the next will have been issued: milliseconds since 1970-01-01T00:00:00Z.
/// @param      random       Where randomness comes from; NULL: the system.
/// @param      random_data  Handed to the callback.
/// @param[out] crl_out      The list in DER. On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise
///                          NULL.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
///         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_issue_crl(
    issuer: *const u8,
    issuer_len: usize,
    issuer_key: *const lacre_key,
    number: u64,
    this_update: i64,
    next_update: i64,
    random: lacre_random_callback,
    random_data: *mut c_void,
    crl_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(crl_out, "crl_out")?;
            let certificate = certificate_of(bytes(issuer, issuer_len, "issuer")?, "issuer")?;
            let key = handle(issuer_key, "issuer_key")?.0.signing();
            let (this_update, next_update) = (stated(this_update)?, stated(next_update)?);
            if this_update >= next_update {
                return Err(Failure::argument(format!(
                    "a list from {this_update} to {next_update}, expected a later end"
                )));
            }
            let issuer = Issuer::new(certificate, key, Locations::default())?;
            let list = RevocationList { number, this_update, next_update, revoked: &[] };
            place.set(lacre_buffer::bytes(issuer.revocation_list(&list, &mut generator(random, random_data)?)?));
            Ok(())
        })
    }
}

/// Answers a request for a time-stamp (RFC 3161): a time-stamping unit of your own. A request that is not accepted is
/// answered too, with the reason.
///
/// Thread safety: any number of threads, also with the same key.
///
/// @param      unit          The certificate of the time-stamping unit (DER or PEM), borrowed for the call:
///                           LACRE_PROFILE_TIMESTAMP_UNIT.
/// @param      unit_len      How many bytes it has.
/// @param      unit_key      Its key.
/// @param      request       The TimeStampReq, borrowed for the call.
/// @param      request_len   How many bytes it has.
/// @param      time          The time that is stamped: milliseconds since 1970-01-01T00:00:00Z.
/// @param      random        Where randomness comes from; NULL: the system.
/// @param      random_data   Handed to the callback.
/// @param[out] response_out  The TimeStampResp in DER. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
///                           Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
///         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_issue_timestamp(
    unit: *const u8,
    unit_len: usize,
    unit_key: *const lacre_key,
    request: *const u8,
    request_len: usize,
    time: i64,
    random: lacre_random_callback,
    random_data: *mut c_void,
    response_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(response_out, "response_out")?;
            let certificate = certificate_of(bytes(unit, unit_len, "unit")?, "unit")?;
            let key = handle(unit_key, "unit_key")?.0.signing();
            let (request, time) = (bytes(request, request_len, "request")?, stated(time)?);
            let unit = TimestampUnit::new(Issuer::new(certificate, key, Locations::default())?);
            place.set(lacre_buffer::bytes(unit.respond(request, time, &mut generator(random, random_data)?)?));
            Ok(())
        })
    }
}

/// Frees an order. What was issued of it lives on.
///
/// Thread safety: any thread, as long as no other uses the order.
///
/// @param order  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup issuing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_certificate_order_free(order: *mut lacre_certificate_order) -> lacre_status {
    // SAFETY: `order` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(order) }
}
