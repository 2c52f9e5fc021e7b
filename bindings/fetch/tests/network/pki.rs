//! Authorities whose certificates say that a server of the test has what belongs to them.

use lacre::algorithm::DigestAlgorithm;
use lacre::crypto::{KeyKind, SigningKey as _, SoftwareKey};
use lacre::issuance::{
    CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList, RevocationReason,
    Revoked, Subject, Validity,
};
use lacre::signing::cades::Preparation;
use lacre::time::Time;
use lacre::x509::Certificate;
use signature::rand_core::UnwrapErr;
use std::time::SystemTime;

pub fn randomness() -> UnwrapErr<getrandom::SysRng> {
    UnwrapErr(getrandom::SysRng)
}

pub fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("the clock is right");
    Time::from_seconds(i64::try_from(since.as_secs()).expect("the clock is right"))
}

fn days(days: i64) -> Time {
    now().plus_millis(days * 86_400_000)
}

/// A root, an authority below it, and a signer.
pub struct Pki {
    pub root: Certificate,
    root_key: SoftwareKey,
    pub authority: Certificate,
    authority_key: SoftwareKey,
    pub signer: Certificate,
    signer_key: SoftwareKey,
    locations: Locations,
}

fn legal(name: &str) -> Subject {
    Subject::LegalPerson {
        country: "EE".into(),
        organization: "Example Trust AS".into(),
        organization_identifier: "NTREE-12345678".into(),
        common_name: name.into(),
    }
}

impl Pki {
    /// The root says `/root.crl`; the authority's certificates say `/ca.der`, `/ocsp` and `/ca.crl` below `base`.
    pub fn new(base: &str) -> Self {
        let key = || SoftwareKey::generate(KeyKind::P256, &mut randomness()).expect("a key is generated");
        let at = |path: &str| Some(format!("{base}{path}"));
        let (root_key, authority_key, signer_key) = (key(), key(), key());
        let validity = |to| Validity { from: days(-30), to: days(to) };
        let of_root = Locations { issuer: None, ocsp: None, crl: at("/root.crl"), disclosure: vec![] };
        let locations = Locations { issuer: at("/ca.der"), ocsp: at("/ocsp"), crl: at("/ca.crl"), disclosure: vec![] };
        let root = Issuer::root(&legal("Example Root"), &root_key, validity(4000), of_root, &mut randomness()).unwrap();
        let authority = root
            .issue(
                Profile::IssuingAuthority,
                &legal("Example CA"),
                authority_key.public_key(),
                validity(3000),
                &mut randomness(),
            )
            .unwrap();
        let root = root.certificate().clone();
        let issuer = Issuer::new(authority.clone(), &authority_key, locations.clone()).unwrap();
        let signer = issuer
            .issue(
                Profile::LegalPersonQualifiedDevice,
                &legal("Example Seal"),
                signer_key.public_key(),
                validity(700),
                &mut randomness(),
            )
            .unwrap();
        Self { root, root_key, authority, authority_key, signer, signer_key, locations }
    }

    fn issuer(&self) -> Issuer<'_> {
        Issuer::new(self.authority.clone(), &self.authority_key, self.locations.clone()).unwrap()
    }

    fn list(issuer: &Issuer<'_>, revoked: &[Revoked]) -> Vec<u8> {
        let list = RevocationList { number: 1, this_update: now(), next_update: days(7), revoked };
        issuer.revocation_list(&list, &mut randomness()).unwrap()
    }

    /// The root's CRL: nothing is revoked.
    pub fn root_crl(&self) -> Vec<u8> {
        Self::list(&Issuer::new(self.root.clone(), &self.root_key, Locations::default()).unwrap(), &[])
    }

    /// The authority's CRL, with the signer in it or not.
    pub fn crl(&self, revoked: bool) -> Vec<u8> {
        let entry =
            Revoked { serial: self.signer.serial().to_vec(), since: days(-1), reason: RevocationReason::KeyCompromise };
        Self::list(&self.issuer(), if revoked { std::slice::from_ref(&entry) } else { &[] })
    }

    /// The authority's answer to an OCSP request: everything is good.
    pub fn ocsp(&self, request: &[u8]) -> Vec<u8> {
        self.answer(request, self.issuer(), now(), CertificateStatus::Good)
    }

    /// The same, some days old; it was to be replaced long ago.
    pub fn old_ocsp(&self, request: &[u8]) -> Vec<u8> {
        self.answer(request, self.issuer(), days(-9), CertificateStatus::Good)
    }

    /// The answer of somebody to whom the authority issued a certificate of this profile.
    pub fn delegated_ocsp(&self, request: &[u8], profile: Profile, status: CertificateStatus) -> Vec<u8> {
        let key = SoftwareKey::generate(KeyKind::P256, &mut randomness()).unwrap();
        let validity = Validity { from: days(-1), to: days(30) };
        let certificate = self
            .issuer()
            .issue(profile, &legal("Example OCSP"), key.public_key(), validity, &mut randomness())
            .unwrap();
        self.answer(request, Issuer::new(certificate, &key, Locations::default()).unwrap(), now(), status)
    }

    /// The answer of a stranger who calls himself as the authority does, and has a responder's certificate by himself.
    pub fn strange_ocsp(&self, request: &[u8]) -> Vec<u8> {
        let key = || SoftwareKey::generate(KeyKind::P256, &mut randomness()).unwrap();
        let (own_key, key, validity) = (key(), key(), Validity { from: days(-1), to: days(30) });
        let own =
            Issuer::root(&legal("Example CA"), &own_key, validity, Locations::default(), &mut randomness()).unwrap();
        let subject = legal("Example OCSP");
        let certificate =
            own.issue(Profile::OcspResponder, &subject, key.public_key(), validity, &mut randomness()).unwrap();
        let signer = Issuer::new(certificate, &key, Locations::default()).unwrap();
        self.answer(request, signer, now(), CertificateStatus::Good)
    }

    fn answer(&self, request: &[u8], signer: Issuer<'_>, this_update: Time, status: CertificateStatus) -> Vec<u8> {
        let update = OcspUpdate { this_update, next_update: this_update.plus_millis(86_400_000) };
        let responder = OcspResponder::new(self.authority.clone(), signer);
        responder.respond(request, &|_| status, update, &mut randomness()).unwrap()
    }

    /// A text, signed by the signer. Only the signer's certificate is in it.
    pub fn signed(&self, text: &[u8]) -> Vec<u8> {
        let algorithm = self.signer_key.algorithm(DigestAlgorithm::Sha256);
        let prepared = Preparation::enveloping(&self.signer, &[], algorithm, text, now()).unwrap();
        let value = self.signer_key.sign(&algorithm, &prepared.digest(), &mut randomness()).unwrap();
        prepared.assemble(&value).unwrap()
    }
}
