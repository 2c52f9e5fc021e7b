//! Authorities over decades: a root, a CA, persons, time-stamping units and responders, and what they answer when.
//!
//! Keys and numbers are no secret, and the same in every run.

use crate::authorities::{legal, natural};
use crate::der::{bytes, integer, oid, sequence};
use crate::pki::Seeded;
use lacre::{
    Budget, Id, Policy, Time, Validator,
    augmentation::{EvidenceWant, Extended, Extension, Material, Target, TimestampWant, Want, extend},
    issuance::{
        CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList, RevocationReason,
        Revoked, TimestampQuery, TimestampUnit, Validity,
    },
    report::{Attempt, Tried, WantedKind},
    signing::{SignatureParameters, Signer, SigningError, cades, pades},
};
use lacre_core::{
    Document,
    algorithm::DigestAlgorithm,
    crypto::{KeyKind, SigningKey, SoftwareKey},
    x509::{Certificate, ocsp_request},
};
use std::cell::{Cell, RefCell};

const DAY: i64 = 86_400_000;
/// Years in which a time-stamping unit stamps; its certificate is valid for twice as long.
const UNIT_YEARS: i64 = 10;

/// Somebody who signs.
pub struct Person {
    pub certificate: Certificate,
    pub key: SoftwareKey,
}

/// A root, an authority below it, and all that they issue.
pub struct Decades {
    pub root: Certificate,
    root_key: SoftwareKey,
    pub authority: Certificate,
    authority_key: SoftwareKey,
    from: Time,
    units: RefCell<Vec<(i64, Certificate, SoftwareKey)>>,
    randomness: RefCell<Seeded>,
    /// Who is revoked since when.
    revoked: RefCell<Vec<(Vec<u8>, Time)>>,
    /// Whether responders answer; else there are only lists.
    pub responds: Cell<bool>,
    /// How old answers are, in milliseconds.
    pub age: Cell<i64>,
}

impl Decades {
    /// Authorities that begin at that time, for sixty years.
    pub fn from(from: Time) -> Self {
        Self::seeded(from, 20)
    }

    /// The same with other keys.
    pub fn seeded(from: Time, seed: u64) -> Self {
        let mut randomness = Seeded(seed);
        let key = |kind, of| SoftwareKey::generate(kind, &mut Seeded(seed + of)).expect("a key is generated");
        let (root_key, authority_key) = (key(KeyKind::P384, 1), key(KeyKind::P384, 2));
        let validity = |days: i64| Validity { from, to: from.plus_millis(days * DAY) };
        let of_root = Locations { crl: Some("http://pki.example/root.crl".into()), ..Locations::default() };
        let root = Issuer::root(&legal("Root of Decades"), &root_key, validity(22_000), of_root, &mut randomness);
        let root = root.expect("a root");
        let (name, public) = (legal("CA of Decades"), authority_key.public_key());
        let authority = root.issue(Profile::IssuingAuthority, &name, public, validity(21_950), &mut randomness);
        let (authority, root) = (authority.expect("an authority"), root.certificate().clone());
        Self {
            root,
            root_key,
            authority,
            authority_key,
            from,
            units: RefCell::default(),
            randomness: RefCell::new(randomness),
            revoked: RefCell::default(),
            responds: Cell::new(true),
            age: Cell::new(0),
        }
    }

    /// A validator that trusts the root.
    pub fn validator(&self) -> Validator {
        Validator::new(Policy::eidas()).trust_anchor(self.root.der()).expect("a certificate")
    }

    fn issuer(&self) -> Issuer<'_> {
        let url = |path: &str| Some(format!("http://pki.example/{path}"));
        let locations = Locations {
            issuer: url("ca.der"),
            ocsp: url("ocsp").filter(|_| self.responds.get()),
            crl: url("ca.crl"),
            disclosure: vec![],
        };
        Issuer::new(self.authority.clone(), &self.authority_key, locations).expect("the authority's key")
    }

    fn issue(&self, profile: Profile, key: &SoftwareKey, validity: Validity) -> Certificate {
        let name = if profile.is_natural() { natural() } else { legal("Unit of Decades") };
        let mut randomness = self.randomness.borrow_mut();
        self.issuer().issue(profile, &name, key.public_key(), validity, &mut *randomness).expect("it is issued")
    }

    /// A person with a certificate of so many days.
    pub fn person(&self, seed: u64, from: Time, days: i64) -> Person {
        self.person_with(KeyKind::P256, seed, from, days)
    }

    /// The same with a key of that kind.
    pub fn person_with(&self, kind: KeyKind, seed: u64, from: Time, days: i64) -> Person {
        let key = SoftwareKey::generate(kind, &mut Seeded(1_000 + seed)).expect("a key is generated");
        let certificate = self.issue(Profile::NaturalPerson, &key, Validity { from, to: from.plus_millis(days * DAY) });
        Person { certificate, key }
    }

    /// Revokes a certificate.
    pub fn revoke(&self, certificate: &Certificate, since: Time) {
        self.revoked.borrow_mut().push((certificate.serial().to_vec(), since));
    }

    /// A time-stamp token over an imprint.
    pub fn token(&self, algorithm: DigestAlgorithm, imprint: &[u8], time: Time) -> Vec<u8> {
        let epoch = (time.millis() - self.from.millis()) / (UNIT_YEARS * 365 * DAY);
        if !self.units.borrow().iter().any(|(of, ..)| *of == epoch) {
            let seed = 2_000 + u64::try_from(epoch).expect("time goes on");
            let key = SoftwareKey::generate(KeyKind::P256, &mut Seeded(seed)).expect("a key is generated");
            let from = self.from.plus_millis(epoch * UNIT_YEARS * 365 * DAY);
            let to = from.plus_millis(2 * UNIT_YEARS * 365 * DAY);
            let certificate = self.issue(Profile::TimestampUnit, &key, Validity { from, to });
            self.units.borrow_mut().push((epoch, certificate, key));
        }
        let units = self.units.borrow();
        let (_, certificate, key) = units.iter().find(|(of, ..)| *of == epoch).expect("there is one now");
        let unit = Issuer::new(certificate.clone(), key, Locations::default()).expect("the unit's key");
        let identifier = sequence(&[&oid(algorithm.oid())]);
        let imprint = sequence(&[&identifier, &bytes(imprint)]);
        let request = sequence(&[&integer(1), &imprint, &crate::der::boolean(true)]);
        let request = TimestampQuery::from_der(&request).expect("a request");
        let mut randomness = self.randomness.borrow_mut();
        TimestampUnit::new(unit).token(&request, time, &mut *randomness).expect("a token")
    }

    /// The list of the root or of the authority, issued each day at midnight.
    pub fn crl(&self, of_root: bool, time: Time) -> Vec<u8> {
        let time = time.plus_millis(-self.age.get());
        let this_update = Time::from_millis(time.millis() - time.millis().rem_euclid(DAY));
        let next_update = this_update.plus_millis(DAY);
        let issuer = match of_root {
            true => Issuer::new(self.root.clone(), &self.root_key, Locations::default()).expect("the root's key"),
            false => self.issuer(),
        };
        let revoked = self.revoked.borrow();
        let revoked: Vec<Revoked> = revoked
            .iter()
            .filter(|(_, since)| !of_root && *since <= this_update)
            .map(|(serial, since)| Revoked {
                serial: serial.clone(),
                since: *since,
                reason: RevocationReason::KeyCompromise,
            })
            .collect();
        let number = u64::try_from(this_update.millis() / DAY).expect("after 1970");
        let list = RevocationList { number, this_update, next_update, revoked: &revoked };
        issuer.revocation_list(&list, &mut *self.randomness.borrow_mut()).expect("a list")
    }

    /// The answer of a responder to which the authority issued a certificate that day.
    pub fn ocsp(&self, certificate: &Certificate, time: Time) -> Vec<u8> {
        let time = time.plus_millis(-self.age.get());
        let day = Time::from_millis(time.millis() - time.millis().rem_euclid(DAY));
        let key = SoftwareKey::generate(KeyKind::P256, &mut Seeded(77)).expect("a key is generated");
        let responder = self.issue(Profile::OcspResponder, &key, Validity { from: day, to: day.plus_millis(30 * DAY) });
        let signer = Issuer::new(responder, &key, Locations::default()).expect("the responder's key");
        let update = OcspUpdate { this_update: time, next_update: time.plus_millis(DAY) };
        let revoked = self.revoked.borrow();
        let status = |serial: &[u8]| match revoked.iter().find(|(of, since)| of == serial && *since <= time) {
            Some((_, since)) => CertificateStatus::Revoked { since: *since, reason: RevocationReason::KeyCompromise },
            None => CertificateStatus::Good,
        };
        let request = ocsp_request(certificate, &self.authority);
        let responder = OcspResponder::new(self.authority.clone(), signer);
        responder.respond(&request, &status, update, &mut *self.randomness.borrow_mut()).expect("an answer")
    }

    /// What is answered to a want at that time.
    pub fn answer(&self, want: &EvidenceWant, time: Time) -> Vec<u8> {
        let certificate = Certificate::from_der(&want.certificate).expect("a certificate");
        let of_root = certificate.issuer() == self.root.subject();
        match want.wanted.kind {
            WantedKind::Ocsp => self.ocsp(&certificate, time),
            WantedKind::Crl => self.crl(of_root, time),
            WantedKind::Issuer => self.authority.der().to_vec(),
            other => panic!("found a want of {other}, expected a certificate or revocation data"),
        }
    }

    /// A token for a want.
    pub fn stamp(&self, want: &TimestampWant, time: Time) -> Vec<u8> {
        self.token(want.algorithm, &want.imprint, time)
    }

    /// Extends a document: everything wanted is answered, a second later each.
    pub fn extend(&self, document: &Document<'_>, target: &Target, now: &mut Time) -> Result<Extended, SigningError> {
        self.extend_with(document, target, &mut Material::new(), now)
    }

    /// The same, and leaves the material that was handed in.
    pub fn extend_with(
        &self,
        document: &Document<'_>,
        target: &Target,
        material: &mut Material,
        now: &mut Time,
    ) -> Result<Extended, SigningError> {
        let validator = self.validator();
        self.answered(material, now, |material, now| extend(&validator, document, target, material, now))
    }

    /// Answers what a step wants, until it is done.
    pub fn answered(
        &self,
        material: &mut Material,
        now: &mut Time,
        step: impl Fn(&Material, Time) -> Result<Extension, SigningError>,
    ) -> Result<Extended, SigningError> {
        let mut answered: Vec<(WantedKind, Id)> = vec![];
        for _ in 0..12 {
            let wants = match step(material, *now)? {
                Extension::Done(extended) => return Ok(*extended),
                Extension::Wanted(wants) => wants,
            };
            let mut asked = vec![];
            for want in wants {
                *now = now.plus_millis(1000);
                match want {
                    Want::Timestamp(want) => material.timestamp(self.stamp(&want, *now)),
                    Want::Evidence(want) if asked.contains(&want.wanted.about) => continue,
                    Want::Evidence(want) => {
                        let (kind, about) = (want.wanted.kind, want.wanted.about.clone());
                        asked.push(about.clone());
                        if answered.contains(&(kind, about.clone())) {
                            let tried = Tried { url: want.wanted.urls[0].clone(), reason: "as before".into() };
                            material.attempt(Attempt { kind, about, tried })
                        } else {
                            answered.push((kind, about));
                            material.evidence(self.answer(&want, *now))
                        }
                    }
                };
            }
        }
        panic!("what is wanted was handed in, and is still wanted")
    }

    /// A CAdES-B signature that holds the text.
    pub fn enveloping(&self, person: &Person, text: &[u8], time: Time) -> Vec<u8> {
        self.signed(person, &cades::Content::Enveloped(text), &Document::new(text), time)
    }

    /// A CAdES-B signature beside the text.
    pub fn detached(&self, person: &Person, text: &[u8], time: Time) -> Vec<u8> {
        self.signed(person, &cades::Content::Detached(text), &Document::new(text), time)
    }

    /// Another signature in a signed file.
    pub fn parallel(&self, person: &Person, file: &Document<'_>, time: Time) -> Vec<u8> {
        self.signed(person, &cades::Content::Parallel(file), file, time)
    }

    /// A counter-signature of the first signature of a file.
    pub fn counter(&self, person: &Person, file: &Document<'_>, time: Time) -> Vec<u8> {
        let facts = self.validator().facts(file, time).expect("it is read");
        self.signed(person, &cades::Content::Signature(file, &facts.signatures[0].id), file, time)
    }

    /// A PAdES-B signature in a new field of a PDF.
    pub fn pdf(&self, person: &Person, document: &Document<'_>, time: Time) -> Vec<u8> {
        let signer = Signer::new(person.certificate.clone(), person.key.algorithm(DigestAlgorithm::Sha256));
        let (parameters, options) = (SignatureParameters::new(time), pades::Options::default());
        let signer = signer.expect("the key's algorithm");
        let prepared = pades::prepare(document, &parameters, &options, &signer, &Budget::default());
        let signed = prepared.expect("it is prepared").sign(document, &person.key, &mut *self.randomness.borrow_mut());
        signed.expect("it is signed").to_vec(document.bytes())
    }

    fn signed(&self, person: &Person, content: &cades::Content<'_>, document: &Document<'_>, time: Time) -> Vec<u8> {
        let signer = Signer::new(person.certificate.clone(), person.key.algorithm(DigestAlgorithm::Sha256));
        let (parameters, options) = (SignatureParameters::new(time), cades::Options::default());
        let prepared = cades::prepare(content, &parameters, &options, &signer.expect("the key's algorithm"));
        let signed = prepared.expect("it is prepared").sign(document, &person.key, &mut *self.randomness.borrow_mut());
        signed.expect("it is signed").to_vec(document.bytes())
    }
}
