//! CAdES signatures that are made here are read again: by lacre itself and by OpenSSL.

use ed25519_dalek::Signer as _;
use lacre::issuance::{Issuer, Profile, TimestampRequest, TimestampUnit, Validity};
use lacre::signing::cades::{self, Content, Options};
use lacre::signing::{
    Certificate, Commitment, CryptoRng, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy, KeyAlgorithm, KeyKind,
    Output, Piece, Place, Prepared, PublicKey, SignError, SignatureAlgorithm, SignatureParameters, SignaturePolicy,
    Signer, SigningError, SigningErrorCode, SigningKey, SoftwareKey, digest,
};
use lacre::{Document, Policy, Report, Validator};
use lacre_testkit::authorities::{Pki, key, natural, randomness, time};

const NOW: &str = "2027-03-01T12:00:00Z";
const LETTER: &[u8] = b"a letter";
const SHA256: DigestAlgorithm = DigestAlgorithm::Sha256;

/// An authority, and what is published about its certificates.
struct Desk {
    pki: Pki,
    lists: [Vec<u8>; 2],
}

impl Desk {
    fn new() -> Self {
        let pki = Pki::at("http://pki.example", time(NOW));
        let lists = [pki.crl(false), pki.root_crl()];
        Self { pki, lists }
    }

    fn issued(&self, key: &PublicKey) -> Certificate {
        let validity = Validity::days(time("2027-02-01T00:00:00Z"), 700);
        let issued = self.pki.issuer().issue(Profile::NaturalPerson, &natural(), key, validity, &mut randomness());
        issued.expect("it is issued")
    }

    fn signer(&self, key: &dyn SigningKey, algorithm: SignatureAlgorithm) -> Signer {
        let signer = Signer::new(self.issued(key.public_key()), algorithm).expect("it is the key's");
        signer.with_chain(vec![self.pki.authority.clone(), self.pki.root.clone()])
    }

    fn judged(&self, document: &Document<'_>) -> Report {
        let mut validator = Validator::new(Policy::eidas()).trust_anchor(self.pki.root.der()).expect("a certificate");
        for list in &self.lists {
            validator = validator.evidence(list).expect("a CRL");
        }
        validator.validate(document, time("2027-03-01T13:00:00Z")).expect("a signed document")
    }
}

fn parameters() -> SignatureParameters {
    SignatureParameters::new(time(NOW))
}

fn stating(change: impl FnOnce(&mut SignatureParameters)) -> SignatureParameters {
    let mut parameters = parameters();
    change(&mut parameters);
    parameters
}

fn prepared(content: &Content<'_>, signer: &Signer) -> Prepared {
    cades::prepare(content, &parameters(), &Options::default(), signer).expect("nothing forbids it")
}

/// A key of Ed25519, which the library does not keep.
struct Edwards(ed25519_dalek::SigningKey, PublicKey);

impl Edwards {
    fn new() -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
        // RFC 8410 §4.
        let spki =
            [&[0x30, 42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 33, 0][..], key.verifying_key().as_bytes()].concat();
        Self(key, PublicKey::from_spki(&spki).expect("a key"))
    }
}

impl SigningKey for Edwards {
    fn public_key(&self) -> &PublicKey {
        &self.1
    }

    fn sign(&self, _: &SignatureAlgorithm, message: &[u8], _: &mut dyn CryptoRng) -> Result<Vec<u8>, SignError> {
        Ok(self.0.sign(message).to_bytes().to_vec())
    }
}

fn rsa() -> SoftwareKey {
    SoftwareKey::from_pkcs8(include_bytes!("data/rsa-3072.pk8")).expect("a key")
}

/// What is said against the signatures of a report.
fn worries(report: &Report) -> Vec<String> {
    let found = report.signatures().flat_map(|signature| signature.findings().collect::<Vec<_>>());
    found.map(|finding| format!("{finding:?}")).collect()
}

#[test]
fn each_algorithm_and_packaging_passes() {
    let desk = Desk::new();
    let (p256, p384, rsa, edwards) = (key(KeyKind::P256), key(KeyKind::P384), rsa(), Edwards::new());
    let rows: [(&str, &dyn SigningKey, SignatureAlgorithm); 6] = [
        ("RFC 5753 2.1.1", &p256, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(SHA256))),
        (
            "RFC 5753 2.1.1: values side by side",
            &p256,
            SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(SHA256)).concatenated(),
        ),
        ("RFC 5753 2.1.1", &p384, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha384))),
        ("RFC 3370 3.2", &rsa, SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(DigestAlgorithm::Sha512))),
        ("RFC 4056 3", &rsa, SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(SHA256))),
        ("RFC 8419 3.1", &edwards, SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None)),
    ];
    for (clause, key, algorithm) in rows {
        let signer = desk.signer(key, algorithm);
        let content_digest = digest(signer.digest(), LETTER).expect("it is computed");
        for (content, held) in [
            (Content::Enveloped(LETTER), true),
            (Content::Detached(LETTER), false),
            (Content::Digest(&content_digest), false),
        ] {
            let parameters = stating(|all| all.allow_weak_algorithms = algorithm.key == KeyAlgorithm::EdDsa);
            let prepared =
                cades::prepare(&content, &parameters, &Options::default(), &signer).expect("nothing forbids it");
            let document =
                if matches!(content, Content::Digest(_)) { Document::new(&[]) } else { Document::new(LETTER) };
            let value = key.sign(&algorithm, &prepared.digest(), &mut randomness()).expect("it signs");
            let file = prepared.finish(&document, &value).expect("the value is the key's").to_vec(LETTER);
            let document =
                if held { Document::new(&file) } else { Document::new(&file).with_content("letter", LETTER) };
            let report = desk.judged(&document);
            println!("{clause} {algorithm} {content:?} {} {:?}", report.indication(), worries(&report));
        }
    }
}
