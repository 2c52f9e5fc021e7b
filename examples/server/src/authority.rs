//! Who issues the users' certificates.

use crate::storage::{KeyId, Person};
use lacre::{
    Time,
    issuance::{
        Certificate, CertificateStatus, Error, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList,
        Revoked, Validity,
    },
    signing::{CryptoRng, KeyKind, PublicKey, SigningKey},
};
use lacre_keys::Label;

/// Under which terms users get certificates.
#[derive(Debug, Clone)]
pub struct CertificatePolicy {
    /// Its number, as users see it.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// What it says, in a sentence.
    pub description: String,
    /// What the certificates say; one for natural persons.
    pub profile: Profile,
    /// The kind of the users' keys.
    pub key: KeyKind,
    /// How many days a certificate is valid.
    pub days: u32,
    /// How many days before that it is renewed.
    pub renewal_days: u32,
}

impl CertificatePolicy {
    /// Returns the moment after which a certificate has to expire, so that it need not be renewed.
    pub fn renewed_until(&self, now: Time) -> Time {
        Validity::days(now, self.renewal_days).to
    }
}

/// An issuing authority: its certificate and key, and what stands above it.
pub struct Authority {
    certificate: Certificate,
    key: Box<dyn SigningKey>,
    locations: Locations,
    chain: Vec<Certificate>,
    /// Who answers OCSP requests in its place.
    responder: Option<(Certificate, Box<dyn SigningKey>)>,
}

/// Why a certificate is not that of an authority's responder: RFC 6960 §4.2.2.2.
#[derive(Debug, thiserror::Error)]
pub enum ResponderError {
    /// Somebody else issued it.
    #[error("the OCSP responder's certificate is issued by {found}, expected the authority itself, {expected}")]
    Issuer {
        /// Who issued it.
        found: String,
        /// The authority.
        expected: String,
    },
    /// It is for something else.
    #[error("the OCSP responder's certificate lacks the purpose id-kp-OCSPSigning")]
    Purpose,
    /// Certificate and key do not belong together.
    #[error(transparent)]
    Issuance(#[from] Error),
}

/// `id-kp-OCSPSigning`.
const OCSP_SIGNING: &str = "1.3.6.1.5.5.7.3.9";

impl Authority {
    /// Makes an authority. `chain` is its issuers, up to the root.
    pub fn new(
        certificate: Certificate,
        key: Box<dyn SigningKey>,
        locations: Locations,
        chain: Vec<Certificate>,
    ) -> Result<Self, Error> {
        Issuer::new(certificate.clone(), &*key, locations.clone())?;
        Ok(Self { certificate, key, locations, chain, responder: None })
    }

    /// Adds a responder, to which it delegated the answers to OCSP requests.
    pub fn with_responder(self, certificate: Certificate, key: Box<dyn SigningKey>) -> Result<Self, ResponderError> {
        Issuer::new(certificate.clone(), &*key, Locations::default())?;
        let (found, expected) = (certificate.issuer(), self.certificate.subject());
        if found.der() != expected.der() {
            let (found, expected) = (found.rfc2253().to_owned(), expected.rfc2253().to_owned());
            return Err(ResponderError::Issuer { found, expected });
        }
        let purposes = certificate.extensions().extended_key_usage.as_ref();
        if !purposes.is_some_and(|purposes| purposes.iter().any(|purpose| purpose == OCSP_SIGNING)) {
            return Err(ResponderError::Purpose);
        }
        Ok(Self { responder: Some((certificate, key)), ..self })
    }

    /// Returns its certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Returns the certificates above its own, up to the root.
    pub fn chain(&self) -> &[Certificate] {
        &self.chain
    }

    /// Issues a user's certificate. It does not outlive the authority's.
    pub fn issue(
        &self,
        policy: &CertificatePolicy,
        person: &Person,
        key: &PublicKey,
        now: Time,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Certificate, Error> {
        let to = Validity::days(now, policy.days).to.min(self.certificate.not_after());
        self.issuer()?.issue(policy.profile, &person.subject(), key, Validity { from: now, to }, randomness)
    }

    /// Issues its revocation list, which holds for a day. Milliseconds number it: later lists have greater numbers.
    pub fn revocation_list(
        &self,
        revoked: &[Revoked],
        now: Time,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let number = u64::try_from(now.millis()).unwrap_or_default();
        let list = RevocationList { number, this_update: now, next_update: Validity::days(now, 1).to, revoked };
        self.issuer()?.revocation_list(&list, randomness)
    }

    /// Returns the serial numbers that an OCSP request asks about.
    pub fn asked<'t>(&self, request: &'t [u8]) -> Result<Vec<&'t [u8]>, Error> {
        Ok(self.responder()?.asked(request))
    }

    /// Makes the response to an OCSP request, which holds for a day.
    pub fn respond(
        &self,
        request: &[u8],
        status: &dyn Fn(&[u8]) -> CertificateStatus,
        now: Time,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let update = OcspUpdate { this_update: now, next_update: Validity::days(now, 1).to };
        self.responder()?.respond(request, status, update, randomness)
    }

    fn responder(&self) -> Result<OcspResponder<'_>, Error> {
        let signer = match &self.responder {
            Some((certificate, key)) => Issuer::new(certificate.clone(), &**key, Locations::default())?,
            None => self.issuer()?,
        };
        Ok(OcspResponder::new(self.certificate.clone(), signer))
    }

    fn issuer(&self) -> Result<Issuer<'_>, Error> {
        Issuer::new(self.certificate.clone(), &*self.key, self.locations.clone())
    }
}

/// Returns the label under which a user's key is kept.
pub fn user_key(key: KeyId) -> Label {
    Label::new("user", key.to_string())
}
