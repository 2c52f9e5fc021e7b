//! The people and authorities of the matrix: a root; below it an authority for persons with its responder, and an authority
//! for time-stamping units; one signer a key; one unit for every two years.

use crate::cell::hex;
use crate::random;
use lacre::issuance::{
    CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList, Subject, TimestampUnit,
    Validity,
};
use lacre::signing::{Certificate, DigestAlgorithm, KeyKind, SignatureAlgorithm, Signer, SigningKey, SoftwareKey};
use lacre::{Policy, Time, Validator};
use lacre_core::algorithm::KeyAlgorithm;
use lacre_core::x509::ocsp_request;
use std::collections::BTreeMap;
use std::path::Path;

/// When everything begins: the claimed time of a first signature.
pub const SIGNED: &str = "2027-03-01T10:00:00Z";
const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// So many minutes after a time.
pub fn minutes(time: Time, minutes: i64) -> Time {
    time.plus_millis(minutes * MINUTE)
}

/// So many years (of 365 days) after a time.
pub fn years(time: Time, years: i64) -> Time {
    time.plus_millis(years * 365 * DAY)
}

/// The moment at which everything begins.
pub fn signed() -> Time {
    time(SIGNED)
}

pub fn time(text: &str) -> Time {
    text.parse().expect("a valid time")
}

/// A signer's key: creation.md §6.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Rsa2048,
    Rsa3072Pss,
    Rsa4096,
    P256,
    P384,
    P521,
    Ed25519,
    Ed448,
    Brainpool256,
    Brainpool384,
}

impl Key {
    pub const ALL: [Self; 10] = [
        Self::Rsa2048,
        Self::Rsa3072Pss,
        Self::Rsa4096,
        Self::P256,
        Self::P384,
        Self::P521,
        Self::Ed25519,
        Self::Ed448,
        Self::Brainpool256,
        Self::Brainpool384,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rsa2048 => "RSA-2048",
            Self::Rsa3072Pss => "RSA-3072-PSS",
            Self::Rsa4096 => "RSA-4096",
            Self::P256 => "P-256",
            Self::P384 => "P-384",
            Self::P521 => "P-521",
            Self::Ed25519 => "Ed25519",
            Self::Ed448 => "Ed448",
            Self::Brainpool256 => "brainpoolP256r1",
            Self::Brainpool384 => "brainpoolP384r1",
        }
    }

    /// Whether a policy by TS 119 312 does not accept it, so that it signs only where that is asked for.
    pub fn is_weak(self) -> bool {
        matches!(self, Self::Rsa2048 | Self::Ed25519 | Self::Ed448)
    }

    fn digest(self) -> DigestAlgorithm {
        match self {
            Self::P384 | Self::Brainpool384 => DigestAlgorithm::Sha384,
            Self::P521 | Self::Rsa4096 | Self::Ed25519 => DigestAlgorithm::Sha512,
            Self::Ed448 => DigestAlgorithm::Shake256_512,
            _ => DigestAlgorithm::Sha256,
        }
    }

    fn load(self) -> Option<SoftwareKey> {
        let bytes: &[u8] = match self {
            Self::P256 => return Some(generated(KeyKind::P256, "signer P-256")),
            Self::P384 => return Some(generated(KeyKind::P384, "signer P-384")),
            Self::Rsa2048 => include_bytes!("../keys/rsa-2048.pk8"),
            Self::Rsa3072Pss => include_bytes!("../../data/rsa-3072.pk8"),
            Self::Rsa4096 => include_bytes!("../keys/rsa-4096.pk8"),
            Self::P521 => include_bytes!("../keys/p521.pk8"),
            Self::Ed25519 => include_bytes!("../keys/ed25519.pk8"),
            Self::Ed448 => include_bytes!("../keys/ed448.pk8"),
            Self::Brainpool256 => include_bytes!("../keys/bp256.pk8"),
            Self::Brainpool384 => include_bytes!("../keys/bp384.pk8"),
        };
        SoftwareKey::from_pkcs8(bytes).ok()
    }

    fn algorithm(self, key: &SoftwareKey) -> SignatureAlgorithm {
        match self {
            Self::Rsa3072Pss => SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(self.digest())),
            _ => key.algorithm(self.digest()),
        }
    }
}

fn generated(kind: KeyKind, name: &str) -> SoftwareKey {
    SoftwareKey::generate(kind, &mut random::of(name)).expect("a key is generated")
}

fn legal(name: &str) -> Subject {
    Subject::LegalPerson {
        country: "EE".into(),
        organization: "Example Trust AS".into(),
        organization_identifier: "NTREE-12345678".into(),
        common_name: name.into(),
    }
}

/// An authority or unit: its certificate, its key, and where what it issues is published.
pub struct Entity {
    pub certificate: Certificate,
    pub key: SoftwareKey,
    locations: Locations,
}

impl Entity {
    fn issuer(&self) -> Issuer<'_> {
        Issuer::new(self.certificate.clone(), &self.key, self.locations.clone()).expect("the key is the certificate's")
    }

    fn issue(&self, profile: Profile, name: &str, key: &SoftwareKey, from: Time, to: Time) -> Certificate {
        let subject = match profile.is_natural() {
            true => Subject::NaturalPerson {
                country: "PT".into(),
                given_name: "Inês".into(),
                surname: "Conceição".into(),
                serial_number: format!("PASPT-{name}"),
            },
            false => legal(name),
        };
        let validity = Validity { from, to };
        let numbers = &mut random::of(&format!("certificate of {name}"));
        self.issuer().issue(profile, &subject, key.public_key(), validity, numbers).expect("it is issued")
    }
}

/// A signer.
pub struct User {
    pub signer: Signer,
    pub key: SoftwareKey,
}

/// Everybody.
pub struct World {
    pub root: Entity,
    pub persons: Entity,
    pub times: Entity,
    responder: Entity,
    pub units: Vec<Entity>,
    users: BTreeMap<Key, User>,
}

impl World {
    pub fn new() -> Self {
        let at = |name: &str, ocsp: bool| Locations {
            issuer: Some(format!("http://pki.example/{name}.der")),
            ocsp: ocsp.then(|| format!("http://pki.example/{name}/ocsp")),
            crl: (!ocsp).then(|| format!("http://pki.example/{name}.crl")),
            disclosure: vec![],
        };
        let (from, to) = (time("2020-01-01T00:00:00Z"), time("2079-01-01T00:00:00Z"));
        let key = generated(KeyKind::P384, "root");
        let numbers = &mut random::of("certificate of root");
        let own = Issuer::root(&legal("Matrix Root"), &key, Validity { from, to }, at("root", false), numbers);
        let certificate = own.expect("the root is issued").certificate().clone();
        let root = Entity { certificate, key, locations: at("root", false) };
        let authority = |name: &str, published: Locations| {
            let key = generated(KeyKind::P384, name);
            let certificate = root.issue(Profile::IssuingAuthority, name, &key, from, minutes(to, -1));
            Entity { certificate, key, locations: published }
        };
        let persons = authority("Matrix CA", at("ca", true));
        let times = authority("Matrix Time CA", at("time", false));
        let responder = {
            let key = generated(KeyKind::P256, "responder");
            let until = minutes(to, -2);
            let certificate = persons.issue(Profile::OcspResponder, "Matrix OCSP", &key, from, until);
            Entity { certificate, key, locations: Locations::default() }
        };
        // A unit for two years, whose certificate is good for five.
        let units = (0..16).map(|number| {
            let (name, key) = (format!("Matrix TSU {number}"), generated(KeyKind::P256, &format!("unit {number}")));
            let from = time(&format!("{}-01-01T00:00:00Z", 2026 + 2 * number));
            let certificate = times.issue(Profile::TimestampUnit, &name, &key, from, years(from, 5));
            Entity { certificate, key, locations: Locations::default() }
        });
        let units = units.collect();
        let users = Key::ALL.into_iter().filter_map(|kind| {
            let key = kind.load()?;
            let (from, to) = (time("2026-06-01T00:00:00Z"), time("2028-06-01T00:00:00Z"));
            let profile = Profile::NaturalPersonQualifiedDevice;
            let certificate = persons.issue(profile, kind.name(), &key, from, to);
            let signer = Signer::new(certificate, kind.algorithm(&key)).expect("the algorithm is the key's");
            let chain = vec![persons.certificate.clone(), root.certificate.clone()];
            Some((kind, User { signer: signer.with_chain(chain), key }))
        });
        let users = users.collect();
        Self { root, persons, times, responder, units, users }
    }

    pub fn user(&self, key: Key) -> Result<&User, String> {
        self.users.get(&key).ok_or_else(|| format!("no key of the kind {} can be read", key.name()))
    }

    pub fn validator(&self) -> Validator {
        Validator::new(Policy::eidas()).trust_anchor(self.root.certificate.der()).expect("the root is a certificate")
    }

    /// The unit that stamps at that time.
    pub fn unit(&self, time: Time) -> &Entity {
        let fits = |unit: &&Entity| unit.certificate.is_valid_at(time) && unit.certificate.is_valid_at(years(time, 3));
        self.units.iter().find(fits).expect("there is a unit for each year")
    }

    /// The answer to a time-stamp request.
    pub fn stamp(&self, request: &[u8], time: Time) -> Vec<u8> {
        let unit = self.unit(time);
        let numbers = &mut random::of(&format!("stamp of {} at {time}", hex(request)));
        TimestampUnit::new(unit.issuer()).respond(request, time, numbers).expect("the unit's key signs")
    }

    /// A time-stamp over that imprint.
    pub fn token(&self, function: DigestAlgorithm, imprint: &[u8], time: Time) -> Vec<u8> {
        use lacre_testkit::der;
        let identifier = der::sequence(&[&der::oid(function.oid())]);
        let imprint = der::sequence(&[&identifier, &der::bytes(imprint)]);
        let request = der::sequence(&[&der::integer(1), &imprint, &der::boolean(true)]);
        self.stamp(&request, time)
    }

    /// Everybody with a certificate below the root.
    fn everybody(&self) -> Vec<(&Certificate, &Entity)> {
        let units = self.units.iter().map(|unit| (&unit.certificate, &self.times));
        let users = self.users.values().map(|user| (user.signer.certificate(), &self.persons));
        [(&self.persons.certificate, &self.root), (&self.times.certificate, &self.root)]
            .into_iter()
            .chain(units)
            .chain(users)
            .collect()
    }

    /// An OCSP response about the certificate as of that time, or the CRL of its issuer.
    fn revocation(&self, certificate: &Certificate, issuer: &Entity, time: Time) -> (&'static str, Vec<u8>) {
        let numbers = &mut random::of(&format!("status of {} at {time}", certificate.id()));
        if issuer.locations.ocsp.is_some() {
            let responder = OcspResponder::new(issuer.certificate.clone(), self.responder.issuer());
            let request = ocsp_request(certificate, &issuer.certificate);
            let update = OcspUpdate { this_update: time, next_update: time.plus_millis(DAY) };
            let answer = responder.respond(&request, &|_| CertificateStatus::Good, update, numbers);
            return ("ocsp", answer.expect("the responder's key signs"));
        }
        let number = u64::try_from(time.millis() / 1000).unwrap_or(1);
        let list = RevocationList { number, this_update: time, next_update: time.plus_millis(7 * DAY), revoked: &[] };
        ("crl", issuer.issuer().revocation_list(&list, numbers).expect("the authority's key signs"))
    }

    /// What the authorities answer at that time, where validation data about a certificate is wanted: revocation data, and
    /// the certificate of its issuer.
    pub fn answer(&self, about: &[u8], issuer_only: bool, time: Time) -> Option<Vec<u8>> {
        let (certificate, issuer) = self.everybody().into_iter().find(|(certificate, _)| certificate.der() == about)?;
        if issuer_only {
            return Some(issuer.certificate.der().to_vec());
        }
        Some(self.revocation(certificate, issuer, time).1)
    }

    /// Everything that can be known at that time.
    pub fn evidence(&self, time: Time) -> Vec<Vec<u8>> {
        let mut all: Vec<Vec<u8>> = self
            .everybody()
            .into_iter()
            .map(|(certificate, issuer)| self.revocation(certificate, issuer, time).1)
            .collect();
        all.extend([&self.root, &self.persons, &self.times].map(|authority| authority.certificate.der().to_vec()));
        all
    }

    /// Writes what other programs need: certificates and keys in `folder`.
    pub fn publish(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let write = |name: &str, certificate: &Certificate, key: Option<&SoftwareKey>| {
            std::fs::write(folder.join(format!("{name}.der")), certificate.der())?;
            match key.and_then(|key| key.to_pkcs8().ok()) {
                Some(bytes) => std::fs::write(folder.join(format!("{name}.pk8")), &*bytes),
                None => Ok(()),
            }
        };
        for (name, entity) in [("root", &self.root), ("ca", &self.persons), ("time", &self.times)] {
            write(name, &entity.certificate, None)?;
        }
        write("responder", &self.responder.certificate, None)?;
        for (number, unit) in self.units.iter().enumerate() {
            write(&format!("unit-{number}"), &unit.certificate, Some(&unit.key))?;
        }
        for (kind, user) in &self.users {
            write(kind.name(), user.signer.certificate(), Some(&user.key))?;
        }
        Ok(())
    }

    /// Writes what the authorities answer at that time to `folder`: a file a certificate, named by its SHA-256.
    pub fn publish_answers(&self, folder: &Path, time: Time) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (certificate, issuer) in self.everybody() {
            let (kind, bytes) = self.revocation(certificate, issuer, time);
            std::fs::write(folder.join(format!("{}.{kind}", hex(certificate.sha256()))), bytes)?;
        }
        Ok(())
    }
}
