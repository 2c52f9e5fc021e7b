//! Issuers: a certificate and its key.

use super::{CertificateRequest, Error, Locations, Profile, Subject};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::Writer;
use crate::crypto::{CryptoRng, PublicKey, SigningKey};
use crate::time::Time;
use crate::x509::Certificate;
use der::asn1::BitString;
use der::{DateTime, Decode, Encode};
use spki::{
    AlgorithmIdentifierOwned, Document, DynSignatureAlgorithmIdentifier, EncodePublicKey, SubjectPublicKeyInfoRef,
};
use x509_cert::TbsCertificate;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectKeyIdentifier;
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;

/// A validity period (RFC 5280 §4.1.2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    /// `notBefore`.
    pub from: Time,
    /// `notAfter`, inclusive.
    pub to: Time,
}

impl Validity {
    /// Returns the period of so many days of 24 hours from `from`.
    pub fn days(from: Time, days: u32) -> Self {
        Self { from, to: from.plus_millis(i64::from(days) * 86_400_000) }
    }
}

/// An issuer: a certificate, its key, and the locations at which its certificates and revocation data are published.
pub struct Issuer<'a> {
    certificate: Certificate,
    key: &'a dyn SigningKey,
    locations: Locations,
}

impl<'a> Issuer<'a> {
    /// Returns an issuer with this certificate and key.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] where the key is not that of the certificate.
    pub fn new(certificate: Certificate, key: &'a dyn SigningKey, locations: Locations) -> Result<Self, Error> {
        if certificate.spki() != key.public_key().spki() {
            return Err(Error::Key { subject: certificate.subject().rfc2253().to_owned() });
        }
        Ok(Self { certificate, key, locations })
    }

    /// Creates a root authority, which signs its own certificate.
    ///
    /// # Errors
    ///
    /// [`Error::Subject`] where the subject breaks its profile; [`Error::Algorithm`] and [`Error::Signature`] where the
    /// key cannot sign.
    pub fn root(
        subject: &Subject,
        key: &'a dyn SigningKey,
        validity: Validity,
        locations: Locations,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        let name = subject.name()?;
        let content = Content { profile: Profile::Root, issuer: name.clone(), subject: name, issuer_key: None };
        let certificate = content.certificate(key.public_key(), validity, &locations, key, randomness)?;
        Self::new(certificate, key, locations)
    }

    /// Returns the issuer's certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Issues a certificate for a key whose possession the caller has established.
    ///
    /// # Errors
    ///
    /// [`Error::Profile`] where the profile is for another kind of subject; [`Error::Validity`] where the period is
    /// empty or ends after the issuer's own (RFC 5280 §6.1.3 a) 2)); [`Error::Subject`] where the subject breaks its
    /// profile; [`Error::Algorithm`] and [`Error::Signature`] where the key cannot sign.
    pub fn issue(
        &self,
        profile: Profile,
        subject: &Subject,
        key: &PublicKey,
        validity: Validity,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Certificate, Error> {
        if profile.is_natural() != subject.is_natural() {
            let expected =
                if profile.is_natural() { "natural persons" } else { "legal persons, authorities and units" };
            return Err(Error::Profile { profile, expected });
        }
        // A certificate that outlives its issuer cannot be validated to its end: RFC 5280 §6.1.3 a) 2).
        if validity.from >= validity.to || validity.to > self.certificate.not_after() {
            let Validity { from, to } = validity;
            return Err(Error::Validity { from, to, limit: self.certificate.not_after() });
        }
        let content = Content {
            profile,
            issuer: Name::from_der(self.certificate.subject().der())?,
            subject: subject.name()?,
            issuer_key: Some(key_identifier(self.key.public_key())?),
        };
        content.certificate(key, validity, &self.locations, self.key, randomness)
    }

    /// Issues a certificate for a request, which proves possession of its key. Subject and extensions are the issuer's
    /// choice; those of the request are not used.
    ///
    /// # Errors
    ///
    /// As [`issue`](Self::issue).
    pub fn issue_to(
        &self,
        request: &CertificateRequest,
        profile: Profile,
        subject: &Subject,
        validity: Validity,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Certificate, Error> {
        self.issue(profile, subject, request.public_key(), validity, randomness)
    }

    /// Makes and signs `SEQUENCE { to-be-signed, AlgorithmIdentifier, BIT STRING }`: certificates aside, what X.509
    /// signs.
    pub(super) fn signed(&self, to_be_signed: &[u8], randomness: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        let algorithm = algorithm(self.key);
        let identifier = algorithm.to_algorithm_identifier().ok_or(Error::Algorithm)?;
        let value = sign(self.key, to_be_signed, randomness)?;
        let mut signed = Writer::new();
        signed.sequence(|w| {
            w.raw(to_be_signed).raw(&identifier).bit_string(&value);
        });
        Ok(signed.finish())
    }

    /// Returns the identifier of the algorithm that [`signed`](Self::signed) states.
    pub(super) fn algorithm_identifier(&self) -> Result<Vec<u8>, Error> {
        algorithm(self.key).to_algorithm_identifier().ok_or(Error::Algorithm)
    }

    pub(super) fn key(&self) -> &'a dyn SigningKey {
        self.key
    }
}

/// Returns the algorithm with which a key issues: a digest as strong as the key, TS 119 312 §6 and §7.
pub(super) fn algorithm(key: &dyn SigningKey) -> SignatureAlgorithm {
    let public = key.public_key();
    let digest = match (public.algorithm(), public.bits()) {
        (KeyAlgorithm::Ecdsa, Some(257..=384)) => DigestAlgorithm::Sha384,
        (KeyAlgorithm::Ecdsa, Some(385..)) => DigestAlgorithm::Sha512,
        _ => DigestAlgorithm::Sha256,
    };
    key.algorithm(digest)
}

pub(super) fn sign(key: &dyn SigningKey, bytes: &[u8], randomness: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
    Ok(key.sign_message(&algorithm(key), bytes, randomness)?)
}

/// Returns the identifier of a key by method (1) of RFC 5280 §4.2.1.2.
pub(super) fn key_identifier(key: &PublicKey) -> Result<SubjectKeyIdentifier, Error> {
    Ok(SubjectKeyIdentifier::try_from(SubjectPublicKeyInfoRef::from_der(key.spki())?)?)
}

/// What a certificate says, but for keys and times.
struct Content {
    profile: Profile,
    issuer: Name,
    subject: Name,
    /// The issuer's key identifier; `None` where the subject is the issuer.
    issuer_key: Option<SubjectKeyIdentifier>,
}

impl Content {
    fn certificate(
        self,
        subject_key: &PublicKey,
        validity: Validity,
        locations: &Locations,
        key: &dyn SigningKey,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Certificate, Error> {
        let wrong = |e: x509_cert::builder::Error| Error::Encoding(e.to_string());
        let identifier = key_identifier(subject_key)?;
        let extensions = self.profile.extensions(&self.subject, identifier, self.issuer_key, locations)?;
        let rows = Rows { issuer: self.issuer, subject: self.subject, extensions };
        let validity = x509_cert::time::Validity::new(time(validity.from)?, time(validity.to)?);
        let public = x509_cert::spki::SubjectPublicKeyInfoOwned::from_der(subject_key.spki())?;
        let mut builder = CertificateBuilder::new(rows, serial_number(randomness)?, validity, public).map_err(wrong)?;
        let signer = Signer(key);
        let to_be_signed = builder.finalize(&signer).map_err(wrong)?;
        let value = BitString::from_bytes(&sign(key, &to_be_signed, randomness)?)?;
        let certificate = builder.assemble(value, &signer).map_err(wrong)?.to_der()?;
        Certificate::from_der(&certificate).map_err(|_| Error::Structure { expected: "a certificate (RFC 5280 §4.1)" })
    }
}

/// Makes a serial number of 128 random bits, positive without losing one: 17 bytes, the first of them 1. RFC 5280
/// §4.1.2.2 allows 20.
fn serial_number(randomness: &mut dyn CryptoRng) -> Result<SerialNumber, Error> {
    let mut bytes = [1; 17];
    randomness.fill_bytes(&mut bytes[1..]);
    Ok(SerialNumber::new(&bytes)?)
}

fn time(time: Time) -> Result<x509_cert::time::Time, Error> {
    let (year, month, day, hour, minute, second) = time.civil();
    let year = u16::try_from(year).map_err(|_| Error::Encoding(format!("the year {year}")))?;
    Ok(DateTime::new(year, month, day, hour, minute, second)?.into())
}

/// The extensions of [`Profile::extensions`] in the form that the builder takes.
struct Rows {
    issuer: Name,
    subject: Name,
    extensions: Vec<Extension>,
}

impl BuilderProfile for Rows {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.subject.clone()
    }

    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> x509_cert::builder::Result<Vec<Extension>> {
        Ok(self.extensions.clone())
    }
}

/// A key as the builder wants to see it.
struct Signer<'a>(&'a dyn SigningKey);

/// Its public half.
#[derive(Clone)]
struct Public(PublicKey);

impl signature::Keypair for Signer<'_> {
    type VerifyingKey = Public;

    fn verifying_key(&self) -> Public {
        Public(self.0.public_key().clone())
    }
}

impl EncodePublicKey for Public {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Ok(Document::try_from(self.0.spki())?)
    }
}

impl DynSignatureAlgorithmIdentifier for Signer<'_> {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        let identifier = algorithm(self.0).to_algorithm_identifier().ok_or(spki::Error::AlgorithmParametersMissing)?;
        Ok(AlgorithmIdentifierOwned::from_der(&identifier)?)
    }
}
