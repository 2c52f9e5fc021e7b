//! Authorities as `lacre_core::issuance` makes them, and the files that they issue.

use crate::der;
use lacre::{
    Document, Time,
    issuance::{
        CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList, RevocationReason,
        Revoked, Subject, Validity,
    },
    signing::{SignatureParameters, Signer, cades},
};
use lacre_core::{
    algorithm::DigestAlgorithm,
    crypto::{KeyKind, SigningKey, SoftwareKey},
    x509::Certificate,
};
use signature::rand_core::UnwrapErr;
use std::time::SystemTime;

const DAY: i64 = 86_400_000;

/// The system's random numbers.
pub fn randomness() -> UnwrapErr<getrandom::SysRng> {
    UnwrapErr(getrandom::SysRng)
}

pub fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("the clock is right");
    Time::from_seconds(i64::try_from(since.as_secs()).expect("the clock is right"))
}

/// A time as lacre writes it.
pub fn time(text: &str) -> Time {
    text.parse().expect("a valid time")
}

/// A new key.
pub fn key(kind: KeyKind) -> SoftwareKey {
    SoftwareKey::generate(kind, &mut randomness()).expect("a key is generated")
}

/// A legal person of that common name.
pub fn legal(name: &str) -> Subject {
    Subject::LegalPerson {
        country: "EE".into(),
        organization: "Example Trust AS".into(),
        organization_identifier: "NTREE-12345678".into(),
        common_name: name.into(),
    }
}

/// A natural person.
pub fn natural() -> Subject {
    Subject::NaturalPerson {
        country: "PT".into(),
        given_name: "Inês".into(),
        surname: "Conceição".into(),
        serial_number: "PASPT-C123456".into(),
    }
}

/// A root, an authority below it, and a legal person whose seal the authority certified.
pub struct Pki {
    now: Time,
    pub root: Certificate,
    root_key: SoftwareKey,
    pub authority: Certificate,
    authority_key: SoftwareKey,
    pub signer: Certificate,
    signer_key: SoftwareKey,
    locations: Locations,
}

impl Pki {
    /// The same as [`Pki::at`], by the clock.
    pub fn new(base: &str) -> Self {
        Self::at(base, now())
    }

    /// Authorities that issue at `now`. The authority's certificate names `/root.crl` below `base`; the certificates that
    /// the authority issues name `/ca.der`, `/ocsp`, `/ca.crl` and `/pds.pdf`.
    pub fn at(base: &str, now: Time) -> Self {
        let url = |path: &str| Some(format!("{base}{path}"));
        let (root_key, authority_key, signer_key) = (key(KeyKind::P384), key(KeyKind::P256), key(KeyKind::P256));
        let validity = |days: i64| Validity { from: now.plus_millis(-30 * DAY), to: now.plus_millis(days * DAY) };
        let of_root = Locations { crl: url("/root.crl"), ..Locations::default() };
        let locations = Locations {
            issuer: url("/ca.der"),
            ocsp: url("/ocsp"),
            crl: url("/ca.crl"),
            disclosure: url("/pds.pdf").map(|url| ("en".into(), url)).into_iter().collect(),
        };
        let root = Issuer::root(&legal("Example Root"), &root_key, validity(4000), of_root, &mut randomness()).unwrap();
        let (profile, name, public) = (Profile::IssuingAuthority, legal("Example CA"), authority_key.public_key());
        let authority = root.issue(profile, &name, public, validity(3000), &mut randomness()).unwrap();
        let root = root.certificate().clone();
        let issuer = Issuer::new(authority.clone(), &authority_key, locations.clone()).unwrap();
        let (profile, name, public) =
            (Profile::LegalPersonQualifiedDevice, legal("Example Seal"), signer_key.public_key());
        let signer = issuer.issue(profile, &name, public, validity(700), &mut randomness()).unwrap();
        Self { now, root, root_key, authority, authority_key, signer, signer_key, locations }
    }

    /// So many days after the authorities issue.
    fn days(&self, days: i64) -> Time {
        self.now.plus_millis(days * DAY)
    }

    /// The authority, which issues certificates and revocation lists.
    pub fn issuer(&self) -> Issuer<'_> {
        Issuer::new(self.authority.clone(), &self.authority_key, self.locations.clone()).unwrap()
    }

    /// A certificate for a key, valid for two years.
    pub fn issue(&self, profile: Profile, key: &dyn SigningKey) -> Certificate {
        let subject = if profile.is_natural() { natural() } else { legal("Example Unit") };
        let validity = Validity { from: self.days(-1), to: self.days(729) };
        self.issuer().issue(profile, &subject, key.public_key(), validity, &mut randomness()).expect("it is issued")
    }

    fn list(&self, issuer: &Issuer<'_>, revoked: &[Revoked]) -> Vec<u8> {
        let (this_update, next_update) = (self.now, self.days(7));
        let list = RevocationList { number: 1, this_update, next_update, revoked };
        issuer.revocation_list(&list, &mut randomness()).unwrap()
    }

    /// The root's CRL: nothing is revoked.
    pub fn root_crl(&self) -> Vec<u8> {
        self.list(&Issuer::new(self.root.clone(), &self.root_key, Locations::default()).unwrap(), &[])
    }

    /// The authority's CRL, with the signer in it or not.
    pub fn crl(&self, revoked: bool) -> Vec<u8> {
        let (since, reason) = (self.days(-1), RevocationReason::KeyCompromise);
        let entry = Revoked { serial: self.signer.serial().to_vec(), since, reason };
        self.list(&self.issuer(), if revoked { std::slice::from_ref(&entry) } else { &[] })
    }

    /// The authority's answer to an OCSP request: everything is good.
    pub fn ocsp(&self, request: &[u8]) -> Vec<u8> {
        self.answer(request, self.issuer(), self.now, CertificateStatus::Good)
    }

    /// The same, nine days old; it was to be replaced a day later.
    pub fn old_ocsp(&self, request: &[u8]) -> Vec<u8> {
        self.answer(request, self.issuer(), self.days(-9), CertificateStatus::Good)
    }

    /// The answer of a responder to which the authority issued a certificate of this profile.
    pub fn delegated_ocsp(&self, request: &[u8], profile: Profile, status: CertificateStatus) -> Vec<u8> {
        self.responder_ocsp(request, &self.issuer(), profile, status)
    }

    /// The answer of a stranger's responder, whose issuer has the authority's name and another key.
    pub fn strange_ocsp(&self, request: &[u8]) -> Vec<u8> {
        let (own_key, validity) = (key(KeyKind::P256), Validity { from: self.days(-1), to: self.days(30) });
        let own =
            Issuer::root(&legal("Example CA"), &own_key, validity, Locations::default(), &mut randomness()).unwrap();
        self.responder_ocsp(request, &own, Profile::OcspResponder, CertificateStatus::Good)
    }

    fn responder_ocsp(
        &self,
        request: &[u8],
        issuer: &Issuer<'_>,
        profile: Profile,
        status: CertificateStatus,
    ) -> Vec<u8> {
        let (key, validity) = (key(KeyKind::P256), Validity { from: self.days(-1), to: self.days(30) });
        let subject = legal("Example OCSP");
        let certificate = issuer.issue(profile, &subject, key.public_key(), validity, &mut randomness()).unwrap();
        self.answer(request, Issuer::new(certificate, &key, Locations::default()).unwrap(), self.now, status)
    }

    fn answer(&self, request: &[u8], signer: Issuer<'_>, this_update: Time, status: CertificateStatus) -> Vec<u8> {
        let update = OcspUpdate { this_update, next_update: this_update.plus_millis(DAY) };
        let responder = OcspResponder::new(self.authority.clone(), signer);
        responder.respond(request, &|_| status, update, &mut randomness()).unwrap()
    }

    /// A CMS signature over `text` by the signer. It holds the signer's certificate only.
    pub fn signed(&self, text: &[u8]) -> Vec<u8> {
        cms(&self.signer, &self.signer_key, &[], text, self.now)
    }
}

/// A CAdES-B signature over `text`, which it encloses.
pub fn cms(certificate: &Certificate, key: &SoftwareKey, chain: &[Certificate], text: &[u8], time: Time) -> Vec<u8> {
    let signer = Signer::new(certificate.clone(), key.algorithm(DigestAlgorithm::Sha256)).unwrap();
    let (content, parameters) = (cades::Content::Enveloped(text), SignatureParameters::new(time));
    let signer = signer.with_chain(chain.to_vec());
    let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &signer).unwrap();
    prepared.sign(&Document::new(text), key, &mut randomness()).unwrap().to_vec(text)
}

/// An attribute certificate of this holder, which states a role: RFC 5755 §4.1.
pub fn attribute_certificate(holder: &[u8], from: &str, to: &str) -> Vec<u8> {
    let time = |text: &str| der::tlv(0x18, &[text.as_bytes()]);
    let algorithm = der::sequence(&[&der::oid("1.2.840.10045.4.3.2")]);
    let issuer = der::tlv(0xa0, &[&der::sequence(&[&der::tlv(0x82, &[b"roles.example"])])]);
    let role = der::tlv(0xa1, &[&der::tlv(0x86, &[b"urn:role:notary"])]);
    let role = der::sequence(&[&der::oid("2.5.4.72"), &der::set_of(&[der::sequence(&[&role])])]);
    let info = der::sequence(&[
        &der::integer(1),
        &der::tlv(0x30, &[holder]),
        &issuer,
        &algorithm,
        &der::integer(7),
        &der::sequence(&[&time(from), &time(to)]),
        &der::sequence(&[&role]),
    ]);
    der::sequence(&[&info, &algorithm, &der::tlv(0x03, &[&[0, 1, 2]])])
}
