//! What an issuer signs.

use crate::failure::Failure;
use crate::input::{Source, moment};
use crate::key::{Key, public_key, randomness};
use crate::trust;
use crate::words::word;
use crate::work;
use lacre::decode_pem;
use lacre::issuance::{
    self, CertificateRequest, CertificateStatus, Locations, OcspResponder, OcspUpdate, Profile, RevocationList,
    RevocationReason, Revoked, Subject, TimestampUnit, Validity,
};
use lacre::signing::{Certificate, PublicKey};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::collections::HashMap;

/// A certificate with its key, and where its certificates and revocation lists are published.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Issuer {
    certificate: Certificate,
    key: Py<Key>,
    locations: Locations,
}

/// The attributes of a subject, or where things are published, by their names.
type Named = HashMap<String, String>;

/// Revoked certificates: their serial numbers (contents of the INTEGERs), since when, and why.
type Since = Vec<(Vec<u8>, i64, String)>;

#[pymethods]
impl Issuer {
    #[new]
    fn new(py: Python<'_>, certificate: Source, key: Py<Key>, locations: Named) -> PyResult<Self> {
        let issuer = Self { certificate: trust::certificate(&certificate)?, key, locations: places(&locations) };
        work::run(py, || issuer.signing(|_| Ok(())))?;
        Ok(issuer)
    }

    /// Makes a root authority, which signs its own certificate.
    #[staticmethod]
    fn root(
        py: Python<'_>,
        key: Py<Key>,
        subject: Named,
        not_before: i64,
        not_after: i64,
        locations: Named,
    ) -> PyResult<Self> {
        let locations = places(&locations);
        let made = work::run(py, || {
            let (subject, validity) = (subject_of(&subject, false), validity(not_before, not_after)?);
            let root =
                issuance::Issuer::root(&subject, key.get().signing(), validity, locations.clone(), &mut randomness())?;
            Ok(root.certificate().clone())
        })?;
        Ok(Self { certificate: made, key, locations })
    }

    /// Returns the issuer's certificate, DER.
    fn certificate<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.certificate.der())
    }

    /// Issues a certificate (DER) for a public key, a certificate's key, or a request (PKCS#10).
    fn issue<'py>(
        &self,
        py: Python<'py>,
        profile: &str,
        subject: Named,
        key: Source,
        not_before: i64,
        not_after: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let profile: Profile = word("the profile", profile, Profile::ALL.iter().map(|profile| profile.as_str()))?;
        let made = work::run(py, || {
            let (subject, validity) = (subject_of(&subject, profile.is_natural()), validity(not_before, not_after)?);
            let key = key_of(&key)?;
            self.signing(|issuer| Ok(issuer.issue(profile, &subject, &key, validity, &mut randomness())?))
        })?;
        Ok(PyBytes::new(py, made.der()))
    }

    /// Makes a revocation list (DER).
    fn revocation_list<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        this_update: i64,
        next_update: i64,
        revoked: Since,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let list = work::run(py, || {
            let validity = validity(this_update, next_update)?;
            let revoked = revoked_of(&revoked)?;
            let (this_update, next_update) = (validity.from, validity.to);
            let list = RevocationList { number, this_update, next_update, revoked: &revoked };
            self.signing(|issuer| Ok(issuer.revocation_list(&list, &mut randomness())?))
        })?;
        Ok(PyBytes::new(py, &list))
    }

    /// Returns the serial numbers (contents of their INTEGERs) for which a request (RFC 6960) names the authority: the
    /// issuer itself, or the one that it answers for.
    #[pyo3(signature = (request, authority))]
    fn asked<'py>(
        &self,
        py: Python<'py>,
        request: PyBackedBytes,
        authority: Option<Source>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let serials = work::run(py, || {
            self.responding(authority.as_ref(), |responder| {
                Ok(responder.asked(&request).into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>())
            })
        })?;
        Ok(serials.iter().map(|serial| PyBytes::new(py, serial)).collect())
    }

    /// Answers a request (RFC 6960) with a response (DER). What is neither good nor revoked is unknown.
    #[pyo3(signature = (request, authority, this_update, next_update, good, revoked))]
    #[expect(clippy::too_many_arguments, reason = "Python names each of them")]
    fn ocsp_response<'py>(
        &self,
        py: Python<'py>,
        request: PyBackedBytes,
        authority: Option<Source>,
        this_update: i64,
        next_update: i64,
        good: Vec<Vec<u8>>,
        revoked: Since,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let response = work::run(py, || {
            let Validity { from, to } = validity(this_update, next_update)?;
            let (update, revoked) = (OcspUpdate { this_update: from, next_update: to }, revoked_of(&revoked)?);
            let status = |serial: &[u8]| match revoked.iter().find(|one| one.serial == serial) {
                Some(Revoked { since, reason, .. }) => CertificateStatus::Revoked { since: *since, reason: *reason },
                None if good.iter().any(|one| one == serial) => CertificateStatus::Good,
                None => CertificateStatus::Unknown,
            };
            self.responding(authority.as_ref(), |responder| {
                Ok(responder.respond(&request, &status, update, &mut randomness())?)
            })
        })?;
        Ok(PyBytes::new(py, &response))
    }

    /// Answers a request (RFC 3161) as the time-stamping unit whose certificate this is.
    fn timestamp<'py>(&self, py: Python<'py>, request: PyBackedBytes, at: i64) -> PyResult<Bound<'py, PyBytes>> {
        let response = work::run(py, || {
            self.signing(|issuer| Ok(TimestampUnit::new(issuer).respond(&request, moment(at), &mut randomness())?))
        })?;
        Ok(PyBytes::new(py, &response))
    }
}

impl Issuer {
    fn signing<T>(&self, sign: impl FnOnce(issuance::Issuer<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let key = self.key.get().signing();
        sign(issuance::Issuer::new(self.certificate.clone(), key, self.locations.clone())?)
    }

    /// Answers as the responder that this is: of the authority, or of its own certificates.
    fn responding<T>(
        &self,
        authority: Option<&Source>,
        respond: impl FnOnce(OcspResponder<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let authority = authority.map_or_else(|| Ok(self.certificate.clone()), trust::certificate)?;
        self.signing(|issuer| respond(OcspResponder::new(authority, issuer)))
    }
}

/// Makes the request (RFC 6960, DER) for the status of a certificate.
#[pyfunction]
pub(crate) fn ocsp_request<'py>(py: Python<'py>, certificate: Source, issuer: Source) -> PyResult<Bound<'py, PyBytes>> {
    let (certificate, issuer) = (trust::certificate(&certificate)?, trust::certificate(&issuer)?);
    Ok(PyBytes::new(py, &lacre_core::x509::ocsp_request(&certificate, &issuer)))
}

/// Reads what is revoked, its reasons as words.
fn revoked_of(revoked: &Since) -> Result<Vec<Revoked>, Failure> {
    let reasons = || RevocationReason::ALL.iter().map(|reason| reason.as_str());
    let read = |(serial, since, reason): &(Vec<u8>, i64, String)| {
        let (since, reason) = (moment(*since), word("the reason", reason, reasons())?);
        Ok(Revoked { serial: serial.clone(), since, reason })
    };
    revoked.iter().map(read).collect()
}

/// Makes a period, which may not end before it begins.
fn validity(from: i64, to: i64) -> Result<Validity, Failure> {
    let (from, to) = (moment(from), moment(to));
    match from < to {
        true => Ok(Validity { from, to }),
        false => Err(Failure::plain("ISSUANCE", format!("found a time from {from} to {to}, expected a later end"))),
    }
}

/// Makes a subject: what is missing is empty here, and refused by name when the certificate is issued.
fn subject_of(named: &Named, is_natural: bool) -> Subject {
    let of = |name: &str| named.get(name).cloned().unwrap_or_default();
    let country = of("country");
    match is_natural {
        true => Subject::NaturalPerson {
            country,
            given_name: of("given_name"),
            surname: of("surname"),
            serial_number: of("serial_number"),
        },
        false => Subject::LegalPerson {
            country,
            organization: of("organisation"),
            organization_identifier: of("organisation_identifier"),
            common_name: of("common_name"),
        },
    }
}

fn places(named: &Named) -> Locations {
    let of = |name: &str| named.get(name).cloned();
    let disclosure = of("disclosure").map(|url| ("en".to_owned(), url)).into_iter().collect();
    Locations { issuer: of("issuer"), ocsp: of("ocsp"), crl: of("crl"), disclosure }
}

/// Returns the key of a request, whose possession it proves; else a public key.
fn key_of(source: &Source) -> Result<PublicKey, Failure> {
    match CertificateRequest::from_der(&decode_pem(&source.open()?)) {
        Ok(request) => Ok(request.public_key().clone()),
        Err(_) => public_key(source),
    }
}

impl From<issuance::Error> for Failure {
    fn from(error: issuance::Error) -> Self {
        Self::new("ISSUANCE", &error)
    }
}
