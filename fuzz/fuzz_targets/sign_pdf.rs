//! A PDF, whole or damaged, is signed or refused; what is signed keeps every byte, and its signature is TOTAL-PASSED.
#![no_main]

use lacre::issuance::{Issuer, Locations, Profile, RevocationList, Subject, Validity};
use lacre::report::Indication;
use lacre::signing::pades::{self, Appearance, Field, NewField, Options, Placement};
use lacre::signing::{DigestAlgorithm, KeyKind, SignatureParameters, Signer, SigningKey, SoftwareKey};
use lacre::{Budget, Document, Policy, Time, Validator};
use std::sync::OnceLock;

const SIGNED: &str = "2027-03-01T12:00:00Z";
const JUDGED: &str = "2027-03-01T14:00:00Z";

fn time(text: &str) -> Time {
    text.parse().expect("a time")
}

/// A key, its certificate, and who trusts it and knows that nothing was revoked after it signed.
fn desk() -> &'static (SoftwareKey, Signer, Validator) {
    static DESK: OnceLock<(SoftwareKey, Signer, Validator)> = OnceLock::new();
    DESK.get_or_init(|| {
        let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
        let [root_key, key] = [(); 2].map(|()| SoftwareKey::generate(KeyKind::P256, &mut randomness).expect("a key"));
        let [root, subject] = ["Example Root", "Example"].map(|name| Subject::LegalPerson {
            country: "EE".into(),
            organization: "Example AS".into(),
            organization_identifier: "NTREE-12345678".into(),
            common_name: name.into(),
        });
        let validity = Validity::days(time("2027-01-01T00:00:00Z"), 365);
        let issuer = Issuer::root(&root, &root_key, validity, Locations::default(), &mut randomness).expect("a root");
        let certificate = issuer
            .issue(Profile::LegalPerson, &subject, key.public_key(), validity, &mut randomness)
            .expect("a certificate");
        let signer = Signer::new(certificate, key.algorithm(DigestAlgorithm::Sha256)).expect("a signer");
        let anchor = issuer.certificate().der();
        let list = RevocationList {
            number: 1,
            this_update: time("2027-03-01T13:00:00Z"),
            next_update: time("2027-03-08T13:00:00Z"),
            revoked: &[],
        };
        let list = issuer.revocation_list(&list, &mut randomness).expect("a list");
        let validator = Validator::new(Policy::eidas()).trust_anchor(anchor).expect("an anchor");
        let validator = validator.evidence(&list).expect("a list that is read");
        drop(issuer);
        (key, signer, validator)
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (key, signer, validator) = desk();
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
    let parameters = SignatureParameters::new(time(SIGNED));
    let Ok(prepared) = pades::prepare(&document, &parameters, &options, signer, &Budget::default()) else { return };
    let mut randomness = signature::rand_core::UnwrapErr(getrandom::SysRng);
    let output = prepared.sign(&document, key, &mut randomness).expect("what is prepared can be finished");
    let signed = output.to_vec(bytes);
    assert!(signed.starts_with(bytes), "what was there stays");
    let report =
        validator.validate(&Document::new(&signed).with_password(b"secret"), time(JUDGED)).expect("it is read");
    let whole = report.facts().signatures.iter().find(|signature| {
        let ranges = signature.pdf_revision.as_ref().map(|revision| revision.byte_range.clone()).unwrap_or_default();
        matches!(ranges[..], [0, _, second, length] if second + length == signed.len() as i64)
    });
    let new = whole.expect("a signature over the whole file");
    let verdict = report.signatures().find(|signature| *signature.id() == new.id).expect("its verdict");
    let findings: Vec<_> = verdict.findings().map(|finding| finding.check).collect();
    assert_eq!(verdict.indication(), Indication::TotalPassed, "{:?} {findings:?}", verdict.sub_indication());
    assert_eq!(new.level.map(|level| level.to_string()).as_deref(), Some("PAdES-BASELINE-B"));
});
