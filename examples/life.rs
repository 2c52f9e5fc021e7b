//! The life of a signature, offline: a root, a CA, a person and a time-stamping authority; a letter is signed, extended to
//! level LTA, and renewed twice within twenty years. Every step is judged.
//!
//! ```sh
//! cargo run --example life --features signing
//! ```
//!
//! Authorities of a test answer what is wanted. A program asks real ones over HTTP, adds the answers to the same
//! [`Material`], and is the same otherwise.

use lacre::augmentation::{EvidenceWant, Extension, Level, Material, Target, TimestampWant, Want, extend};
use lacre::issuance::{
    Certificate, Issuer, Locations, Profile, RevocationList, Subject, TimestampQuery, TimestampUnit, Validity,
};
use lacre::report::WantedKind;
use lacre::signing::{DigestAlgorithm, KeyKind, Output, SignatureParameters, Signer, SigningKey, SoftwareKey, cades};
use lacre::{Document, Policy, Time, Validator};
use std::error::Error;

const DAY: i64 = 86_400_000;
const YEAR: u32 = 365;

/// The authorities. Each issues a revocation list whenever it is asked for one.
struct Authorities {
    root: Certificate,
    root_key: SoftwareKey,
    ca: Certificate,
    ca_key: SoftwareKey,
}

impl Authorities {
    fn new(from: Time) -> Result<Self, Box<dyn Error>> {
        let (root_key, ca_key) = (key(KeyKind::P384)?, key(KeyKind::P384)?);
        let validity = Validity::days(from, 40 * YEAR);
        let root = Issuer::root(&organization("Example Root"), &root_key, validity, published("root"), &mut random())?;
        let validity = Validity::days(from, 35 * YEAR);
        let name = organization("Example CA");
        let ca = root.issue(Profile::IssuingAuthority, &name, ca_key.public_key(), validity, &mut random())?;
        let root = root.certificate().clone();
        Ok(Self { root, root_key, ca, ca_key })
    }

    fn root(&self) -> Result<Issuer<'_>, Box<dyn Error>> {
        Ok(Issuer::new(self.root.clone(), &self.root_key, published("root"))?)
    }

    fn ca(&self) -> Result<Issuer<'_>, Box<dyn Error>> {
        Ok(Issuer::new(self.ca.clone(), &self.ca_key, published("ca"))?)
    }

    /// Issues a certificate for a key, valid for so many years.
    fn certificate(
        &self,
        profile: Profile,
        subject: &Subject,
        key: &SoftwareKey,
        from: Time,
        years: u32,
    ) -> Result<Certificate, Box<dyn Error>> {
        let validity = Validity::days(from, years * YEAR);
        Ok(self.ca()?.issue(profile, subject, key.public_key(), validity, &mut random())?)
    }

    /// Makes the token of a time-stamping unit that began to work the day before.
    fn timestamp(&self, want: &TimestampWant, now: Time) -> Result<Vec<u8>, Box<dyn Error>> {
        let key = key(KeyKind::P256)?;
        let subject = organization("Example Time-Stamping");
        let certificate = self.certificate(Profile::TimestampUnit, &subject, &key, now.plus_millis(-DAY), 12)?;
        let unit = TimestampUnit::new(Issuer::new(certificate, &key, Locations::default())?);
        let query = TimestampQuery::new(want.algorithm, &want.imprint).ok_or("a digest of another length")?;
        Ok(unit.respond(&query.to_der(), now, &mut random())?)
    }

    /// Answers a want: by the list of who issued the certificate, or by the certificate of the CA.
    fn answer(&self, want: &EvidenceWant, now: Time) -> Result<Vec<u8>, Box<dyn Error>> {
        if want.wanted.kind == WantedKind::Issuer {
            return Ok(self.ca.der().to_vec());
        }
        let of_root = Certificate::from_der(&want.certificate)?.issuer() == self.root.subject();
        let issuer = if of_root { self.root()? } else { self.ca()? };
        let number = u64::try_from(now.millis())?;
        let list = RevocationList { number, this_update: now, next_update: now.plus_millis(DAY), revoked: &[] };
        Ok(issuer.revocation_list(&list, &mut random())?)
    }
}

fn random() -> impl lacre::signing::CryptoRng {
    getrandom::rand_core::UnwrapErr(getrandom::SysRng)
}

fn key(kind: KeyKind) -> Result<SoftwareKey, Box<dyn Error>> {
    Ok(SoftwareKey::generate(kind, &mut random())?)
}

fn organization(name: &str) -> Subject {
    Subject::LegalPerson {
        country: "PT".into(),
        organization: "Example".into(),
        organization_identifier: "NTRPT-1".into(),
        common_name: name.into(),
    }
}

/// Returns where an authority publishes its certificate and its list.
fn published(name: &str) -> Locations {
    let url = |kind: &str| Some(format!("http://pki.example/{name}.{kind}"));
    Locations { issuer: url("der"), crl: url("crl"), ..Locations::default() }
}

/// Extends a file: everything that is wanted is answered, until nothing is.
fn extended(
    authorities: &Authorities,
    validator: &Validator,
    file: &[u8],
    level: Level,
    now: &mut Time,
) -> Result<Output, Box<dyn Error>> {
    let (document, target, mut material) = (Document::new(file), Target::new(level), Material::new());
    loop {
        match extend(validator, &document, &target, &material, *now)? {
            Extension::Done(extended) => return Ok(extended.output),
            Extension::Wanted(wants) => {
                for want in wants {
                    *now = now.plus_millis(1000);
                    match want {
                        Want::Timestamp(want) => material.timestamp(authorities.timestamp(&want, *now)?),
                        Want::Evidence(want) => material.evidence(authorities.answer(&want, *now)?),
                    };
                }
            }
        }
    }
}

/// Walks through the life of a signature.
///
/// # Errors
///
/// Where a step is not judged as it should be.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut now: Time = "2027-03-01T12:00:00Z".parse()?;
    let authorities = Authorities::new(now.plus_millis(-30 * DAY))?;
    let validator = Validator::new(Policy::eidas()).trust_anchor(authorities.root.der())?;

    let person = Subject::NaturalPerson {
        country: "PT".into(),
        given_name: "Ana".into(),
        surname: "Silva".into(),
        serial_number: "PASPT-1".into(),
    };
    let ana = key(KeyKind::P256)?;
    let certificate = authorities.certificate(Profile::NaturalPerson, &person, &ana, now.plus_millis(-DAY), 2)?;
    let signer = Signer::new(certificate, ana.algorithm(DigestAlgorithm::Sha256))?;
    let letter = b"Dear Ines, all is well.";
    let content = cades::Content::Enveloped(letter);
    let prepared = cades::prepare(&content, &SignatureParameters::new(now), &cades::Options::default(), &signer)?;
    let mut file = prepared.sign(&Document::new(letter), &ana, &mut random())?.to_vec(letter);

    for (years, level) in [(0, Level::T), (0, Level::Lt), (0, Level::Lta), (10, Level::Lta), (10, Level::Lta)] {
        now = now.plus_millis(i64::from(years * YEAR) * DAY);
        file = extended(&authorities, &validator, &file, level, &mut now)?.to_vec(&file);

        let report = validator.validate(&Document::new(&file), now)?;
        let signature = report.signatures().next().ok_or("it is signed")?;
        let reached = signature.level().map_or("no level", |level| level.as_str());
        println!("{now}  {} bytes  {reached}  {}", file.len(), report.indication());
        if reached != format!("CAdES-BASELINE-{level}")
            || level > Level::T && report.indication().as_str() != "TOTAL-PASSED"
        {
            return Err(report.to_text().into());
        }
    }
    Ok(())
}
