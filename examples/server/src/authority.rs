//! Who issues the users' certificates.

use crate::storage::{KeyId, Person};
use lacre::crypto::{CryptoRng, KeyKind, PublicKey, SigningKey};
use lacre::issuance::{
    CertificateStatus, Error, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList, Revoked, Validity,
};
use lacre::time::Time;
use lacre::x509::Certificate;
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
    /// A certificate that expires after this moment need not be renewed.
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
}

impl Authority {
    /// An authority. `chain` is its issuers, up to the root.
    pub fn new(
        certificate: Certificate,
        key: Box<dyn SigningKey>,
        locations: Locations,
        chain: Vec<Certificate>,
    ) -> Result<Self, Error> {
        Issuer::new(certificate.clone(), &*key, locations.clone())?;
        Ok(Self { certificate, key, locations, chain })
    }

    /// Its certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The certificates above its own, up to the root.
    pub fn chain(&self) -> &[Certificate] {
        &self.chain
    }

    /// A user's certificate. It does not outlive the authority's.
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

    /// Its revocation list, which holds for a day. Milliseconds number it: later lists have greater numbers.
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

    /// The serial numbers that an OCSP request asks about.
    pub fn asked<'t>(&self, request: &'t [u8]) -> Result<Vec<&'t [u8]>, Error> {
        Ok(OcspResponder::new(self.certificate.clone(), self.issuer()?).asked(request))
    }

    /// The response to an OCSP request, which holds for a day.
    pub fn respond(
        &self,
        request: &[u8],
        status: &dyn Fn(&[u8]) -> CertificateStatus,
        now: Time,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let update = OcspUpdate { this_update: now, next_update: Validity::days(now, 1).to };
        OcspResponder::new(self.certificate.clone(), self.issuer()?).respond(request, status, update, randomness)
    }

    fn issuer(&self) -> Result<Issuer<'_>, Error> {
        Issuer::new(self.certificate.clone(), &*self.key, self.locations.clone())
    }
}

/// The label under which a user's key is kept.
pub fn user_key(key: KeyId) -> Label {
    Label::new("user", key.to_string())
}
