//! A PDF, whole or damaged, is signed or refused; what is signed keeps every byte, and its signature is good.
#![no_main]

use lacre::issuance::{Issuer, Locations, Profile, Subject, Validity};
use lacre::signing::pades::{self, Appearance, Field, NewField, Options, Placement};
use lacre::signing::{DigestAlgorithm, KeyKind, SignatureParameters, Signer, SigningKey, SoftwareKey};
use lacre::{Budget, Document, Policy, Validator};
use std::sync::OnceLock;

/// A key, its certificate, and who trusts it.
fn desk() -> &'static (SoftwareKey, Signer, Validator) {
    static DESK: OnceLock<(SoftwareKey, Signer, Validator)> = OnceLock::new();
    DESK.get_or_init(|| {
        let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
        let key = SoftwareKey::generate(KeyKind::P256, &mut randomness).expect("a key");
        let subject = Subject::LegalPerson {
            country: "EE".into(),
            organization: "Example AS".into(),
            organization_identifier: "NTREE-12345678".into(),
            common_name: "Example".into(),
        };
        let validity = Validity::days("2027-01-01T00:00:00Z".parse().expect("a time"), 365);
        let issuer = Issuer::root(&subject, &key, validity, Locations::default(), &mut randomness).expect("a root");
        let certificate = issuer
            .issue(Profile::LegalPerson, &subject, key.public_key(), validity, &mut randomness)
            .expect("a certificate");
        let signer = Signer::new(certificate, key.algorithm(DigestAlgorithm::Sha256)).expect("a signer");
        let anchor = issuer.certificate().der();
        let validator = Validator::new(Policy::eidas()).trust_anchor(anchor).expect("an anchor");
        drop(issuer);
        (key, signer, validator)
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (key, signer, validator) = desk();
    let time = "2027-03-01T12:00:00Z".parse().expect("a time");
    let mut options = Options::default();
    match bytes.last().copied().unwrap_or_default() % 3 {
        0 => options.field = Field::OnlyEmpty,
        1 => {
            let mut field = NewField::default();
            field.placement = Some(Placement::Displayed { left: 10.0, top: 10.0, width: 100.0, height: 40.0 });
            options.field = Field::New(field);
            options.appearance = Some(Appearance::saying("{name}"));
        }
        _ => {}
    }
    let document = Document::new(bytes).with_password(b"secret");
    let parameters = SignatureParameters::new(time);
    let Ok(prepared) = pades::prepare(&document, &parameters, &options, signer, &Budget::default()) else { return };
    let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
    let output = prepared.sign(&document, key, &mut randomness).expect("what is prepared can be finished");
    let signed = output.to_vec(bytes);
    assert!(signed.starts_with(bytes), "what was there stays");
    let facts = validator.facts(&Document::new(&signed).with_password(b"secret"), time).expect("it is read");
    let whole = facts.signatures.iter().find(|signature| {
        let ranges = signature.pdf_revision.as_ref().map(|revision| revision.byte_range.clone()).unwrap_or_default();
        matches!(ranges[..], [0, _, second, length] if second + length == signed.len() as i64)
    });
    let new = whole.expect("a signature over the whole file");
    assert!(new.basic.intact && new.basic.valid, "the signature is good");
    assert_eq!(new.level.map(|level| level.to_string()).as_deref(), Some("PAdES-BASELINE-B"));
});
