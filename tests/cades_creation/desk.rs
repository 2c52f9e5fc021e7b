//! Who signs, with which keys, and who reads what was made.

use ed25519_dalek::Signer as _;
use lacre::issuance::{Issuer, Locations, Profile, TimestampUnit, Validity};
use lacre::report::SignatureLevel;
use lacre::signing::cades::{self, Content, Options};
use lacre::signing::{
    Certificate, CryptoRng, DigestAlgorithm, KeyAlgorithm, KeyKind, Prepared, PublicKey, SignError, SignatureAlgorithm,
    SignatureParameters, Signer, SigningError, SigningErrorCode, SigningKey, SoftwareKey,
};
use lacre::{Document, Policy, Report, Validator};
use lacre_testkit::authorities::{Pki, key, natural, randomness, time};
use lacre_testkit::der;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const NOW: &str = "2027-03-01T12:00:00Z";
pub const LATER: &str = "2027-03-01T12:00:01Z";
pub const LETTER: &[u8] = b"a letter";
pub const SHA256: DigestAlgorithm = DigestAlgorithm::Sha256;
pub const ECDSA: SignatureAlgorithm = SignatureAlgorithm {
    key: KeyAlgorithm::Ecdsa,
    digest: Some(SHA256),
    pss: None,
    form: lacre_core::algorithm::ValueForm::Usual,
};

/// An authority, what is published about its certificates, and a signer.
pub struct Desk {
    pub pki: Pki,
    pub lists: [Vec<u8>; 2],
    pub key: SoftwareKey,
    pub signer: Signer,
}

impl Desk {
    pub fn new() -> Self {
        let pki = Pki::at("http://pki.example", time(NOW));
        let (lists, key) = ([pki.crl(false), pki.root_crl()], key(KeyKind::P256));
        let signer = signer(&pki, &key, ECDSA);
        Self { pki, lists, key, signer }
    }

    pub fn validator(&self) -> Validator {
        let validator = Validator::new(Policy::eidas()).trust_anchor(self.pki.root.der()).expect("a certificate");
        self.lists.iter().fold(validator, |validator, list| validator.evidence(list).expect("a CRL"))
    }

    pub fn judged(&self, document: &Document<'_>) -> Report {
        self.validator().validate(document, time("2027-03-01T13:00:00Z")).expect("a signed document")
    }

    pub fn prepared(&self, content: &Content<'_>) -> Prepared {
        // The same signature is not made twice.
        let is_parallel = matches!(content, Content::Parallel(_) | Content::ParallelDigest(..));
        let parameters = if is_parallel { SignatureParameters::new(time(LATER)) } else { parameters() };
        cades::prepare(content, &parameters, &Options::default(), &self.signer).expect("nothing forbids it")
    }

    /// The file with one signature more, made of `document`.
    pub fn signed(&self, content: &Content<'_>, document: &[u8]) -> Vec<u8> {
        let signed = self.prepared(content).sign(&Document::new(document), &self.key, &mut randomness());
        signed.expect("the key signs").to_vec(document)
    }

    /// A time-stamp token over a digest.
    pub fn token(&self, imprint: &[u8]) -> Vec<u8> {
        let unit_key = key(KeyKind::P256);
        let unit = self.pki.issue(Profile::TimestampUnit, &unit_key);
        let unit = TimestampUnit::new(Issuer::new(unit, &unit_key, Locations::default()).expect("the key is its"));
        let function = der::sequence(&[&der::oid(SHA256.oid())]);
        let imprint = der::sequence(&[&function, &der::bytes(imprint)]);
        let request = der::sequence(&[&der::integer(1), &imprint, &der::boolean(true)]);
        unit.respond(&request, time(NOW), &mut randomness()).expect("it responds")
    }
}

pub fn issued(pki: &Pki, profile: Profile, key: &PublicKey) -> Certificate {
    let validity = Validity::days(time("2027-02-01T00:00:00Z"), 700);
    pki.issuer().issue(profile, &natural(), key, validity, &mut randomness()).expect("it is issued")
}

pub fn signer(pki: &Pki, key: &dyn SigningKey, algorithm: SignatureAlgorithm) -> Signer {
    let signer =
        Signer::new(issued(pki, Profile::NaturalPerson, key.public_key()), algorithm).expect("it is the key's");
    signer.with_chain(vec![pki.authority.clone(), pki.root.clone()])
}

pub fn parameters() -> SignatureParameters {
    SignatureParameters::new(time(NOW))
}

pub fn stating(change: impl FnOnce(&mut SignatureParameters)) -> SignatureParameters {
    let mut parameters = parameters();
    change(&mut parameters);
    parameters
}

pub fn about(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// A key of Ed25519, which the library does not keep.
pub struct Edwards(ed25519_dalek::SigningKey, PublicKey);

impl Edwards {
    pub fn new() -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
        // RFC 8410 §4.
        let head = [0x30, 42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 33, 0];
        let spki = [&head[..], key.verifying_key().as_bytes()].concat();
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

/// A key that OpenSSL keeps, of a kind that the library does not.
pub struct OpenSsl(Folder, PublicKey);

impl OpenSsl {
    pub fn new(kind: &str, root: &Certificate) -> Self {
        let folder = Folder::new(kind, root);
        let arguments = match kind {
            "Ed448" => "genpkey -algorithm ED448 -out key.pem".to_owned(),
            curve => format!("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out key.pem"),
        };
        folder.openssl(&arguments);
        folder.openssl("pkey -in key.pem -pubout -outform DER -out public.der");
        let public = PublicKey::from_spki(&folder.read("public.der")).expect("a key");
        Self(folder, public)
    }
}

impl SigningKey for OpenSsl {
    fn public_key(&self) -> &PublicKey {
        &self.1
    }

    fn sign(&self, algorithm: &SignatureAlgorithm, digest: &[u8], _: &mut dyn CryptoRng) -> Result<Vec<u8>, SignError> {
        self.0.write("digest", digest);
        let raw = if algorithm.needs_message() { "-rawin " } else { "" };
        self.0.openssl(&format!("pkeyutl -sign -inkey key.pem {raw}-in digest -out value"));
        Ok(self.0.read("value"))
    }
}

pub fn rsa() -> SoftwareKey {
    SoftwareKey::from_pkcs8(include_bytes!("../data/rsa-3072.pk8")).expect("a key")
}

/// What is said against the signatures of a report.
pub fn worries(report: &Report) -> Vec<String> {
    let found = report.signatures().flat_map(|signature| signature.findings().collect::<Vec<_>>());
    found.map(|finding| format!("{finding:?}")).collect()
}

pub fn levels(report: &Report) -> Vec<Option<SignatureLevel>> {
    report.signatures().map(|signature| signature.level()).collect()
}

/// A folder where OpenSSL reads what was made.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str, root: &Certificate) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cades-{name}"));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, root.der());
        let lines: Vec<&str> = text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        let pem = format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"));
        let folder = Self(folder);
        folder.write("root.pem", pem.as_bytes());
        folder.write("letter", LETTER);
        folder
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("the folder for temporary files can be written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("the file is there")
    }

    pub fn openssl(&self, arguments: &str) {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(&self.0).output();
        let run = run.expect("openssl is installed (Debian package openssl)");
        assert!(run.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// OpenSSL verifies the file with the attributes of CAdES.
    pub fn verify(&self, about: &str, file: &[u8], detached: bool) {
        self.write("signed", file);
        let content = if detached { " -content letter" } else { "" };
        let options = "-CAfile root.pem -purpose any -attime 1803902400 -out content";
        self.openssl(&format!("cms -verify -cades -binary -inform DER -in signed {options}{content}"));
        assert_eq!(self.read("content"), LETTER, "{about}");
    }
}

pub fn refused<T>(result: Result<T, SigningError>) -> SigningErrorCode {
    match result {
        Ok(_) => panic!("nothing was refused"),
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("found"), "an error says what was found: {text}");
            error.code()
        }
    }
}

/// The same in BER: lengths that are not stated, the content in pieces (X.690 §8.1.3.6, §8.7.3).
pub fn to_ber(file: &[u8]) -> Vec<u8> {
    fn indefinite(element: &[u8], depth: usize) -> Vec<u8> {
        let constructed = element[0] & 0x20 != 0;
        let (start, end) = der::read(element, 0);
        if depth == 0 || !constructed {
            return match element[0] {
                4 if depth > 0 && end - start > 1 => {
                    let (first, second) = element[start..end].split_at(1);
                    [&[0x24, 0x80][..], &der::bytes(first), &der::bytes(second), &[0, 0]].concat()
                }
                _ => element.to_vec(),
            };
        }
        let parts = der::children(element);
        let parts = parts.iter().enumerate().map(|(place, part)| {
            // Certificates and signers stay as they are.
            let inside = if element[0] == 0x30 && parts.len() > 3 && place > 2 { 0 } else { depth - 1 };
            indefinite(part, inside)
        });
        [&[element[0], 0x80][..], &parts.collect::<Vec<_>>().concat(), &[0, 0]].concat()
    }
    indefinite(file, 6)
}
