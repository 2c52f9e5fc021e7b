//! CAdES signatures that are made here are read again: by lacre itself and by OpenSSL.

use ed25519_dalek::Signer as _;
use lacre::issuance::{Issuer, Locations, Profile, TimestampUnit, Validity};
use lacre::report::SignatureLevel;
use lacre::signing::cades::{self, Content, ContentReference, Options};
use lacre::signing::{
    Certificate, Commitment, CommitmentQualifier, CryptoRng, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy,
    KeyAlgorithm, KeyKind, Place, Prepared, PublicKey, SignError, SignatureAlgorithm, SignatureParameters,
    SignaturePolicy, Signer, SigningError, SigningErrorCode, SigningKey, SoftwareKey, digest,
};
use lacre::{Document, Policy, Report, Validator};
use lacre_core::formats::cms::SignedData;
use lacre_testkit::authorities::{Pki, attribute_certificate, key, natural, randomness, time};
use lacre_testkit::der;
use lacre_testkit::files::{corpus, manifest};
use std::path::{Path, PathBuf};
use std::process::Command;

const NOW: &str = "2027-03-01T12:00:00Z";
const LATER: &str = "2027-03-01T12:00:01Z";
const LETTER: &[u8] = b"a letter";
const SHA256: DigestAlgorithm = DigestAlgorithm::Sha256;
const ECDSA: SignatureAlgorithm = SignatureAlgorithm {
    key: KeyAlgorithm::Ecdsa,
    digest: Some(SHA256),
    pss: None,
    form: lacre_core::algorithm::ValueForm::Usual,
};

/// An authority, what is published about its certificates, and a signer.
struct Desk {
    pki: Pki,
    lists: [Vec<u8>; 2],
    key: SoftwareKey,
    signer: Signer,
}

impl Desk {
    fn new() -> Self {
        let pki = Pki::at("http://pki.example", time(NOW));
        let (lists, key) = ([pki.crl(false), pki.root_crl()], key(KeyKind::P256));
        let signer = signer(&pki, &key, ECDSA);
        Self { pki, lists, key, signer }
    }

    fn validator(&self) -> Validator {
        let validator = Validator::new(Policy::eidas()).trust_anchor(self.pki.root.der()).expect("a certificate");
        self.lists.iter().fold(validator, |validator, list| validator.evidence(list).expect("a CRL"))
    }

    fn judged(&self, document: &Document<'_>) -> Report {
        self.validator().validate(document, time("2027-03-01T13:00:00Z")).expect("a signed document")
    }

    fn prepared(&self, content: &Content<'_>) -> Prepared {
        // The same signature is not made twice.
        let is_parallel = matches!(content, Content::Parallel(_) | Content::ParallelDigest(..));
        let parameters = if is_parallel { SignatureParameters::new(time(LATER)) } else { parameters() };
        cades::prepare(content, &parameters, &Options::default(), &self.signer).expect("nothing forbids it")
    }

    /// The file with one signature more, made of `document`.
    fn signed(&self, content: &Content<'_>, document: &[u8]) -> Vec<u8> {
        let signed = self.prepared(content).sign(&Document::new(document), &self.key, &mut randomness());
        signed.expect("the key signs").to_vec(document)
    }

    /// A time-stamp token over a digest.
    fn token(&self, imprint: &[u8]) -> Vec<u8> {
        let unit_key = key(KeyKind::P256);
        let unit = self.pki.issue(Profile::TimestampUnit, &unit_key);
        let unit = TimestampUnit::new(Issuer::new(unit, &unit_key, Locations::default()).expect("the key is its"));
        let function = der::sequence(&[&der::oid(SHA256.oid())]);
        let imprint = der::sequence(&[&function, &der::bytes(imprint)]);
        let request = der::sequence(&[&der::integer(1), &imprint, &der::boolean(true)]);
        unit.respond(&request, time(NOW), &mut randomness()).expect("it responds")
    }
}

fn issued(pki: &Pki, profile: Profile, key: &PublicKey) -> Certificate {
    let validity = Validity::days(time("2027-02-01T00:00:00Z"), 700);
    pki.issuer().issue(profile, &natural(), key, validity, &mut randomness()).expect("it is issued")
}

fn signer(pki: &Pki, key: &dyn SigningKey, algorithm: SignatureAlgorithm) -> Signer {
    let signer =
        Signer::new(issued(pki, Profile::NaturalPerson, key.public_key()), algorithm).expect("it is the key's");
    signer.with_chain(vec![pki.authority.clone(), pki.root.clone()])
}

fn parameters() -> SignatureParameters {
    SignatureParameters::new(time(NOW))
}

fn stating(change: impl FnOnce(&mut SignatureParameters)) -> SignatureParameters {
    let mut parameters = parameters();
    change(&mut parameters);
    parameters
}

fn about(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// A key of Ed25519, which the library does not keep.
struct Edwards(ed25519_dalek::SigningKey, PublicKey);

impl Edwards {
    fn new() -> Self {
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
struct OpenSsl(Folder, PublicKey);

impl OpenSsl {
    fn new(kind: &str, root: &Certificate) -> Self {
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

fn rsa() -> SoftwareKey {
    SoftwareKey::from_pkcs8(include_bytes!("data/rsa-3072.pk8")).expect("a key")
}

/// What is said against the signatures of a report.
fn worries(report: &Report) -> Vec<String> {
    let found = report.signatures().flat_map(|signature| signature.findings().collect::<Vec<_>>());
    found.map(|finding| format!("{finding:?}")).collect()
}

fn levels(report: &Report) -> Vec<Option<SignatureLevel>> {
    report.signatures().map(|signature| signature.level()).collect()
}

/// A folder where OpenSSL reads what was made.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, root: &Certificate) -> Self {
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

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("the folder for temporary files can be written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("the file is there")
    }

    fn openssl(&self, arguments: &str) {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(&self.0).output();
        let run = run.expect("openssl is installed (Debian package openssl)");
        assert!(run.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// OpenSSL verifies the file with the attributes of CAdES.
    fn verify(&self, about: &str, file: &[u8], detached: bool) {
        self.write("signed", file);
        let content = if detached { " -content letter" } else { "" };
        let options = "-CAfile root.pem -purpose any -attime 1803902400 -out content";
        self.openssl(&format!("cms -verify -cades -binary -inform DER -in signed {options}{content}"));
        assert_eq!(self.read("content"), LETTER, "{about}");
    }
}

#[test]
fn each_algorithm_and_packaging_passes() {
    let desk = Desk::new();
    let folder = Folder::new("algorithms", &desk.pki.root);
    let (p256, p384, rsa, ed25519) = (key(KeyKind::P256), key(KeyKind::P384), rsa(), Edwards::new());
    let [p521, brainpool, ed448] = ["P-521", "brainpoolP256r1", "Ed448"].map(|kind| OpenSsl::new(kind, &desk.pki.root));
    let sha512 = Some(DigestAlgorithm::Sha512);
    let rows: [(&str, &dyn SigningKey, SignatureAlgorithm); 9] = [
        ("RFC 5753 2.1.1", &p256, ECDSA),
        ("RFC 5753 2.1.1: the key gives both numbers side by side", &p256, ECDSA.concatenated()),
        ("RFC 5753 2.1.1", &p384, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha384))),
        ("RFC 5753 2.1.1: P-521", &p521, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, sha512)),
        ("RFC 5753 2.1.1: brainpoolP256r1", &brainpool, ECDSA),
        ("RFC 3370 3.2", &rsa, SignatureAlgorithm::new(KeyAlgorithm::Rsa, sha512)),
        ("RFC 4056 3", &rsa, SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(SHA256))),
        ("RFC 8419 3.1: Ed25519", &ed25519, SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None)),
        ("RFC 8419 3.1: Ed448", &ed448, SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None)),
    ];
    for (clause, key, algorithm) in rows {
        let signer = signer(&desk.pki, key, algorithm);
        let by_digest = digest(signer.digest(), LETTER).expect("it is computed");
        for (packaging, content) in [
            ("enveloping", Content::Enveloped(LETTER)),
            ("detached", Content::Detached(LETTER)),
            ("by digest", Content::Digest(&by_digest)),
        ] {
            let about = format!("{clause}, {algorithm}, {packaging}");
            let edwards = algorithm.key == KeyAlgorithm::EdDsa;
            let parameters = stating(|all| all.allow_weak_algorithms = edwards);
            let prepared = cades::prepare(&content, &parameters, &Options::default(), &signer);
            let prepared = prepared.expect("nothing forbids it");
            assert_eq!(prepared.needs_message(), edwards, "{about}");
            let document = Document::new(if packaging == "by digest" { b"" } else { LETTER });
            let value = key.sign(&algorithm, &prepared.digest(), &mut randomness()).expect("it signs");
            let file = prepared.finish(&document, &value).expect("the value is the key's").to_vec(LETTER);

            let detached = packaging != "enveloping";
            let document = Document::new(&file);
            let report = desk.judged(&if detached { document.with_content("letter", LETTER) } else { document });
            // TS 119 312 does not list EdDSA.
            if !edwards {
                assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{about}: {}", report.to_text());
                assert_eq!(worries(&report), [] as [&str; 0], "{about}");
            }
            assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB)], "EN 319 122-1 6.3: {about}");
            assert!(report.facts().signatures[0].basic.valid, "{about}");
            // OpenSSL 3 does not read EdDSA in CMS.
            if !edwards {
                folder.verify(&about, &file, detached);
            }
        }
    }
}

#[test]
fn what_is_stated_is_read() {
    let desk = Desk::new();
    let stamp = desk.token(&digest(SHA256, LETTER).expect("it is computed"));
    let document = b"rules for signing".to_vec();
    let explicit = ExplicitPolicy {
        oid: "1.2.3.4.5".into(),
        digest_algorithm: DigestAlgorithm::Sha384,
        digest: digest(DigestAlgorithm::Sha384, &document).expect("it is computed"),
        uri: Some("http://policy.example/rules.txt".into()),
        user_notice: Some("Read the rules".into()),
        document_specification: Some("http://policy.example/syntax".into()),
        document: Some(document),
    };
    let parameters = stating(|all| {
        let text = |text: &str| Some(text.to_owned());
        let postal_address = vec!["Rua Nova 1".into(), "4000 Porto".into()];
        all.place = Some(Place { country: text("PT"), locality: text("Porto"), postal_address });
        all.claimed_roles = vec!["Procurador".into(), "Notário".into()];
        all.signed_assertions = vec!["<saml:Assertion/>".into()];
        all.commitments = vec![Commitment::ProofOfApproval, Commitment::Other("1.2.3.4".into())];
        all.policy = Some(SignaturePolicy::Explicit(explicit));
        all.content_timestamps = vec![stamp];
        all.certificate_digest = DigestAlgorithm::Sha512;
        all.embedded = EmbeddedCertificates::ChainWithRoot;
    });
    let options = about(|all| {
        all.mime_type = Some("text/plain".into());
        all.identifier = Some(b"letter-7".to_vec());
    });
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters, &options, &desk.signer).expect("it fits");
    let signed = prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness()).expect("the key signs");
    let file = signed.to_vec(LETTER);
    let report = desk.judged(&Document::new(&file));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB)], "EN 319 122-1 6.3");
    let facts = &report.facts().signatures[0];
    assert_eq!(facts.claimed_signing_time, Some(time(NOW)), "RFC 5652 11.3");
    assert_eq!(facts.mime_type.as_deref(), Some("text/plain"), "5.2.4.2");
    assert_eq!(facts.content_identifier.as_deref(), Some("letter-7"), "RFC 2634 2.7");
    let place = facts.production_place.clone().expect("5.2.5");
    assert_eq!((place.country.as_deref(), place.city.as_deref()), (Some("PT"), Some("Porto")), "5.2.5");
    assert_eq!(place.postal_address, ["Rua Nova 1", "4000 Porto"], "5.2.5");
    let roles: Vec<_> = facts.roles.iter().map(|role| (role.role.as_str(), role.category.as_str())).collect();
    let expected = [("Procurador", "claimed"), ("Notário", "claimed"), ("<saml:Assertion/>", "signed")];
    assert_eq!(roles, expected, "5.2.6.1");
    let mut commitments: Vec<_> = facts.commitments.iter().map(|one| one.identifier.as_str()).collect();
    commitments.sort_unstable();
    assert_eq!(commitments, ["1.2.3.4", "1.2.840.113549.1.9.16.6.5"], "5.2.3");
    let policy = facts.policy.clone().expect("5.2.9");
    assert_eq!((policy.id.as_str(), policy.digest_match), ("1.2.3.4.5", Some(true)), "5.2.9, 5.2.10");
    assert_eq!(policy.url.as_deref(), Some("http://policy.example/rules.txt"), "5.2.9.2");
    assert_eq!(policy.user_notice.and_then(|n| n.explicit_text).as_deref(), Some("Read the rules"), "5.2.9.2");
    let specification = policy.document_specification.expect("5.2.9.2");
    assert_eq!(specification.id, "http://policy.example/syntax", "5.2.9.2");
    let timestamp = &report.facts().timestamps[0];
    assert_eq!(timestamp.kind.as_str(), "CONTENT_TIMESTAMP", "5.2.8");
    assert!(timestamp.digest_matchers.iter().all(|matcher| matcher.data_intact), "5.2.8: the imprint is the content's");

    let read = SignedData::parse(&file).expect("it is CMS");
    assert_eq!(read.x509_certificates().count(), 3, "6.3: signer and chain");
    let attributes: Vec<&[u8]> = read.signers[0].signed.iter().map(|attribute| attribute.raw.raw).collect();
    assert!(attributes.is_sorted(), "RFC 5652 5.4: sent in the order of DER, for readers that do not sort");

    let described = about(|all| all.description = Some("a letter to nobody".into()));
    let implied = stating(|all| all.policy = Some(SignaturePolicy::Implied));
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &implied, &described, &desk.signer).expect("it fits");
    let signed = prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness()).expect("the key signs");
    let report = desk.judged(&Document::new(&signed.to_vec(LETTER)));
    let facts = &report.facts().signatures[0];
    let hints = facts.content_hints.as_deref();
    assert_eq!(hints, Some("1.2.840.113549.1.7.1 [a letter to nobody]"), "RFC 2634 2.9");
    assert_eq!(facts.mime_type, None, "5.2.4: one of the two");
    assert_eq!(facts.policy.as_ref().map(|policy| policy.id.as_str()), Some("IMPLICIT_POLICY"), "5.2.9.1");
}

fn refused<T>(result: Result<T, SigningError>) -> SigningErrorCode {
    match result {
        Ok(_) => panic!("nothing was refused"),
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("found"), "an error says what was found: {text}");
            error.code()
        }
    }
}

#[test]
fn what_cannot_be_signed_is_refused() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let place = |country: &str, lines: usize| {
        let (country, postal_address) = (Some(country.to_owned()), vec!["a line".to_owned(); lines]);
        stating(|all| all.place = Some(Place { country, postal_address, ..Place::default() }))
    };
    let policy = |change: &dyn Fn(&mut ExplicitPolicy)| {
        let mut explicit = ExplicitPolicy {
            oid: "1.2.3".into(),
            digest_algorithm: SHA256,
            digest: digest(SHA256, b"rules").expect("it is computed"),
            uri: None,
            user_notice: None,
            document_specification: Some("1.2.3.4".into()),
            document: None,
        };
        change(&mut explicit);
        stating(|all| all.policy = Some(SignaturePolicy::Explicit(explicit)))
    };
    let at = |text: &str| SignatureParameters::new(time(text));
    let other_stamp = desk.token(&[1; 32]);
    let none = Options::default;
    let rows = [
        ("RFC 5280 4.1.2.5: before", at("2027-01-31T23:59:59Z"), none(), CertificateOutsideValidity),
        ("RFC 5280 4.1.2.5: after", at("2029-03-01T00:00:00Z"), none(), CertificateOutsideValidity),
        ("5.2.5: another name of a country", place("Portugal", 0), none(), ParameterInvalid),
        ("5.2.5: seven lines", place("PT", 7), none(), ParameterInvalid),
        ("5.2.5: nothing", stating(|all| all.place = Some(Place::default())), none(), ParameterInvalid),
        ("5.2.6.1", stating(|all| all.claimed_roles = vec![String::new()]), none(), ParameterInvalid),
        ("5.2.3", stating(|all| all.commitments = vec![Commitment::Other("4.1".into())]), none(), ParameterInvalid),
        ("5.2.3", stating(|all| all.commitments = vec![Commitment::Other("1.99".into())]), none(), ParameterInvalid),
        ("5.2.9.1: oid", policy(&|all| all.oid = "rules".into()), none(), ParameterInvalid),
        ("5.2.9.1: digest", policy(&|all| all.digest.truncate(20)), none(), DigestLength),
        ("5.2.9.2: IA5String", policy(&|all| all.uri = Some("http://prova.it/città".into())), none(), ParameterInvalid),
        ("RFC 5280 4.2.1.4", policy(&|all| all.user_notice = Some("a".repeat(201))), none(), ParameterInvalid),
        ("5.2.10: another document", policy(&|all| all.document = Some(vec![1])), none(), ParametersConflict),
        (
            "5.2.10: no specification",
            policy(&|all| (all.document, all.document_specification) = (Some(b"rules".to_vec()), None)),
            none(),
            ParametersConflict,
        ),
        ("5.2.8", stating(|all| all.content_timestamps = vec![vec![0x30, 0]]), none(), TsaReplyUnreadable),
        ("5.2.8: of another content", stating(|all| all.content_timestamps = vec![other_stamp]), none(), TsaImprint),
        ("5.2.2", stating(|all| all.certificate_digest = DigestAlgorithm::Sha1), none(), AlgorithmNotAllowed),
        (
            "5.2.4",
            parameters(),
            about(|all| (all.mime_type, all.description) = (Some("text/plain".into()), Some("a letter".into()))),
            ParametersConflict,
        ),
        ("5.2.4.2", parameters(), about(|all| all.mime_type = Some("text".into())), ParameterInvalid),
    ];
    for (clause, parameters, options, expected) in rows {
        let found = refused(cades::prepare(&Content::Enveloped(LETTER), &parameters, &options, &desk.signer));
        assert_eq!(found, expected, "EN 319 122-1 {clause}");
    }

    let with = |algorithm: SignatureAlgorithm, key: &dyn SigningKey| {
        let signer = Signer::new(issued(&desk.pki, Profile::NaturalPerson, key.public_key()), algorithm)?;
        cades::prepare(&Content::Digest(&[0; 32]), &parameters(), &Options::default(), &signer)
    };
    let of = |key, digest| SignatureAlgorithm::new(key, Some(digest));
    let (edwards, rsa) = (Edwards::new(), rsa());
    for (clause, algorithm, key, expected) in [
        ("RFC 5652 5.3", of(KeyAlgorithm::Rsa, SHA256), &desk.key as &dyn SigningKey, AlgorithmKeyMismatch),
        ("RFC 5652 5.3", of(KeyAlgorithm::Ecdsa, SHA256), &rsa, AlgorithmKeyMismatch),
        ("RFC 8419 2.3", of(KeyAlgorithm::EdDsa, DigestAlgorithm::Shake256_512), &edwards, AlgorithmKeyMismatch),
        ("RFC 3370 3.2: no digest", SignatureAlgorithm::new(KeyAlgorithm::Rsa, None), &rsa, AlgorithmKeyMismatch),
        ("TS 119 312 5.2", of(KeyAlgorithm::Ecdsa, DigestAlgorithm::Sha1), &desk.key, AlgorithmNotAllowed),
        ("TS 119 312 6.2", SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None), &edwards, AlgorithmNotAllowed),
        ("a digest of another length", of(KeyAlgorithm::Ecdsa, DigestAlgorithm::Sha384), &desk.key, DigestLength),
    ] {
        assert_eq!(refused(with(algorithm, key)), expected, "{clause} {algorithm}");
    }

    let authority = Signer::new(desk.pki.authority.clone(), ECDSA).expect("its key is on P-256");
    let found = refused(cades::prepare(&Content::Enveloped(LETTER), &parameters(), &Options::default(), &authority));
    assert_eq!(found, CertificateNotForSigning, "RFC 5280 4.2.1.3: keyCertSign and cRLSign");
}

#[test]
fn another_process_finishes() {
    let desk = Desk::new();
    let prepared = desk.prepared(&Content::Enveloped(LETTER));
    assert_eq!(desk.prepared(&Content::Enveloped(LETTER)), prepared, "the same input, the same bytes");
    let json = prepared.to_json();
    assert_eq!(desk.prepared(&Content::Enveloped(LETTER)).to_json(), json, "the same input, the same bytes");
    let again = Prepared::from_json(&json).expect("it is read again");
    assert_eq!(again, prepared);
    assert_eq!(
        (again.to_json(), again.algorithm(), again.certificate()),
        (json.clone(), &ECDSA, desk.signer.certificate())
    );
    let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
    let document = Document::new(LETTER);
    let finished = again.finish(&document, &value).expect("the value is the key's");
    assert_eq!(Ok(finished), prepared.finish(&document, &value), "the same input, the same bytes");

    let text = String::from_utf8(json.clone()).expect("JSON is UTF-8");
    let swapped = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        text.replacen(from, to, 1)
    };
    use SigningErrorCode::*;
    for (situation, changed, expected) in [
        ("the document's length", swapped("\"length\":8", "\"length\":9"), StateTampered),
        ("the packaging", swapped("enveloping", "detached"), StateTampered),
        ("another version", swapped("\"version\":1", "\"version\":2"), StateOfOtherVersion),
        ("cut", text[..text.len() - 9].to_owned(), StateUnreadable),
        ("no prepared signature", "{\"version\":1}".into(), StateUnreadable),
        ("nothing", String::new(), StateUnreadable),
    ] {
        assert_eq!(refused(Prepared::from_json(changed.as_bytes())), expected, "{situation}");
    }
    for at in 0..json.len() {
        let mut damaged = json.clone();
        damaged[at] ^= 1;
        let read = Prepared::from_json(&damaged);
        assert!(read.is_err() || read.as_ref() == Ok(&prepared), "byte {at} of {text}");
    }
}

/// The JSON of a prepared signature in which one text was exchanged for another, with the digest that it then has.
fn exchanged(prepared: &Prepared, from: &str, to: &str) -> Prepared {
    let text = String::from_utf8(prepared.to_json()).expect("JSON is UTF-8");
    let (state, _) = text.rsplit_once(",\"sha256\":").expect("it states its digest");
    assert!(state.contains(from), "{from} in {state}");
    let state = state.replacen(from, to, 1) + "}";
    let sha256 = digest(SHA256, state.as_bytes()).expect("it is computed");
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("{},\"sha256\":\"{sha256}\"}}", &state[..state.len() - 1]);
    Prepared::from_json(text.as_bytes()).expect("its digest is that of the rest")
}

#[test]
fn what_is_signed_cannot_be_exchanged() {
    let desk = Desk::new();
    let in_base64 = |bytes: &[u8]| base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes);
    let [of_letter, of_lettex] = [LETTER, b"a lettex"].map(|letter| in_base64(&digest(SHA256, letter).unwrap()));
    let signed = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let other = desk.signed(&Content::Enveloped(b"a lettex"), b"a lettex");
    let of_file = |file: &[u8]| in_base64(&digest(SHA256, file).unwrap());
    let document = Document::new(&signed);
    let rows = [
        (
            "enveloping",
            desk.prepared(&Content::Enveloped(LETTER)),
            of_letter.clone(),
            of_lettex.clone(),
            &b"a lettex"[..],
        ),
        ("detached", desk.prepared(&Content::Detached(LETTER)), of_letter, of_lettex, b"a lettex"),
        ("parallel", desk.prepared(&Content::Parallel(&document)), of_file(&signed), of_file(&other), &other),
    ];
    for (situation, prepared, from, to, document) in rows {
        let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
        let length = |length: usize| format!("\"length\":{length}");
        let changed = exchanged(&prepared, &from, &to);
        let changed = match situation {
            "parallel" => exchanged(&changed, &length(signed.len()), &length(other.len())),
            _ => changed,
        };
        let found = changed.finish(&Document::new(document), &value);
        assert_eq!(refused(found), SigningErrorCode::StateTampered, "RFC 5652 11.2: {situation}");
    }
}

#[test]
fn what_does_not_fit_is_not_finished() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let (document, prepared) = (Document::new(LETTER), desk.prepared(&Content::Enveloped(LETTER)));
    let sign = |digest: &[u8], key: &SoftwareKey| key.sign(&ECDSA, digest, &mut randomness()).expect("the key signs");
    let value = sign(&prepared.digest(), &desk.key);
    for (situation, document) in [("changed", &b"a lettex"[..]), ("longer", b"a letter."), ("none", b"")] {
        let found = prepared.finish(&Document::new(document), &value);
        assert_eq!(refused(found), ContentDiffers, "EN 319 102-1 4.2: {situation}");
    }
    let twice = digest(SHA256, &prepared.digest()).expect("it is computed");
    let cut = value[..value.len() - 1].to_vec();
    let rows = [
        (
            "another key",
            sign(&prepared.digest(), &key(KeyKind::P256)),
            ValueDoesNotVerify,
            "the key of the certificate",
        ),
        ("the digest of the digest", sign(&twice, &desk.key), ValueDoesNotVerify, "digest of the digest"),
        ("nothing", vec![], ValueForm, "without Base64"),
        ("cut", cut, ValueForm, "without Base64"),
        ("63 bytes", vec![1; 63], ValueForm, "without Base64"),
        ("64 bytes of zeros", vec![0; 64], ValueDoesNotVerify, "the key of the certificate"),
    ];
    for (situation, value, expected, hint) in rows {
        let error = prepared.finish(&document, &value).expect_err("nothing is written");
        assert_eq!(error.code(), expected, "{situation}: {error}");
        assert!(error.hint().is_some_and(|said| said.contains(hint)), "{situation}: {:?}", error.hint());
    }
    prepared.finish(&document, &value).expect("a value that was refused leaves it as it is");

    let rsa = rsa();
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(SHA256));
    let signer = signer(&desk.pki, &rsa, algorithm);
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters(), &Options::default(), &signer);
    let prepared = prepared.expect("nothing forbids it");
    let sha512 = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(DigestAlgorithm::Sha512));
    let by_sha512 = digest(DigestAlgorithm::Sha512, prepared.to_be_signed()).expect("it is computed");
    let value = rsa.sign(&sha512, &by_sha512, &mut randomness()).expect("the key signs");
    let error = prepared.finish(&document, &value).expect_err("nothing is written");
    assert_eq!(
        (error.code(), error.hint()),
        (ValueDoesNotVerify, Some("the value is one with SHA512: ask for SHA256withRSA"))
    );
}

#[test]
fn a_time_stamp_at_once() {
    let desk = Desk::new();
    let (document, prepared) = (Document::new(LETTER), desk.prepared(&Content::Enveloped(LETTER)));
    let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
    let imprint = prepared.timestamp_imprint(&value, SHA256).expect("the value is the key's");
    let token = desk.token(&imprint);
    let file = prepared.finish_with_timestamp(&document, &value, &token).expect("the token fits").to_vec(LETTER);
    let report = desk.judged(&Document::new(&file));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineT)], "EN 319 122-1 6.3");

    let other = prepared.finish_with_timestamp(&document, &value, &desk.token(&[1; 32]));
    assert_eq!(refused(other), SigningErrorCode::TsaImprint, "EN 319 122-1 5.3");
    let mut changed = token;
    *changed.last_mut().expect("it ends with its value") ^= 1;
    let forged = prepared.finish_with_timestamp(&document, &value, &changed);
    assert_eq!(refused(forged), SigningErrorCode::TsaCertificate, "RFC 3161 2.2: its signature is verified");
    let none = prepared.finish_with_timestamp(&document, &value, LETTER);
    assert_eq!(refused(none), SigningErrorCode::TsaReplyUnreadable, "RFC 3161 2.4.2");
    let wrong = prepared.timestamp_imprint(&[0; 64], SHA256);
    assert_eq!(refused(wrong), SigningErrorCode::ValueDoesNotVerify, "nothing is time-stamped in vain");
}

/// The same in BER: lengths that are not stated, the content in pieces (X.690 §8.1.3.6, §8.7.3).
fn to_ber(file: &[u8]) -> Vec<u8> {
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

#[test]
fn a_second_signer_keeps_the_bytes_of_the_first() {
    let desk = Desk::new();
    let enveloping = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let ber = to_ber(&enveloping);
    assert_eq!(ber[..2], [0x30, 0x80]);
    let other = Desk::new();
    let folder = Folder::new("parallel", &desk.pki.root);
    let by_digest = digest(SHA256, LETTER).expect("it is computed");
    for (situation, file, beside) in [
        ("enveloping", &enveloping, None),
        ("enveloping, in BER", &ber, None),
        ("detached", &detached, Some(false)),
        ("detached, by digest", &detached, Some(true)),
    ] {
        let document = Document::new(file);
        let with_content = document.clone().with_content("letter", LETTER);
        let content = match beside {
            None => Content::Parallel(&document),
            Some(false) => Content::Parallel(&with_content),
            Some(true) => Content::ParallelDigest(&document, &by_digest),
        };
        // Another person under the same authority.
        let second = key(KeyKind::P384);
        let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha384));
        let who = signer(&desk.pki, &second, algorithm);
        let by_digest = digest(DigestAlgorithm::Sha384, LETTER).expect("it is computed");
        let content = match content {
            Content::ParallelDigest(document, _) => Content::ParallelDigest(document, &by_digest),
            content => content,
        };
        let prepared = cades::prepare(&content, &parameters(), &Options::default(), &who).expect("nothing forbids it");
        let output = prepared.sign(&document, &second, &mut randomness()).expect("the key signs");
        let both = output.to_vec(file);

        let (before, after) = (SignedData::parse(file).expect("CMS"), SignedData::parse(&both).expect("CMS"));
        assert_eq!(after.signers.len(), 2, "{situation}");
        assert_eq!(after.signers[0].raw.raw, before.signers[0].raw.raw, "RFC 5652 5.1: {situation}");
        assert_eq!(after.content_info.raw, before.content_info.raw, "RFC 5652 5.1: {situation}");
        let held: Vec<_> = after.x509_certificates().collect();
        assert!(before.x509_certificates().all(|certificate| held.contains(&certificate)), "{situation}");
        assert_eq!(held.len(), before.x509_certificates().count() + 1, "{situation}: the authority's is there");
        let named = [SHA256, DigestAlgorithm::Sha384];
        assert_eq!(after.digest_algorithms, named, "RFC 5652 5.1: {situation}");

        let document = Document::new(&both);
        let report = desk.judged(&if beside.is_some() { document.with_content("letter", LETTER) } else { document });
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{situation}: {}", report.to_text());
        assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB); 2], "{situation}");
        assert_eq!(worries(&report), [] as [&str; 0], "{situation}");
        folder.verify(situation, &both, beside.is_some());

        let changed = [file, &[0][..]].concat();
        let value = second.sign(&algorithm, &prepared.digest(), &mut randomness()).expect("the key signs");
        let found = prepared.finish(&Document::new(&changed), &value);
        assert_eq!(refused(found), SigningErrorCode::ContentDiffers, "{situation}: another file");
    }
    drop(other);
}

#[test]
fn what_cannot_take_a_signature_is_refused() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let enveloping = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let token = der::children(&desk.token(&[1; 32])).pop().expect("a token follows the status");
    let pem = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, &enveloping);
    let with = |oid: &str| {
        let attribute = der::sequence(&[&der::oid(oid), &der::set_of(&[der::sequence(&[])])]);
        let mut edits = vec![];
        let read = SignedData::parse(&enveloping).expect("CMS");
        let info = read.signers[0].raw.raw;
        edits.push(der::sequence(&[&der::children(info).concat(), &der::tlv(0xa1, &[&attribute])]));
        let explicit = der::children(&enveloping)[1].clone();
        let mut fields = der::children(&der::children(&explicit)[0]);
        fields.pop();
        let signed_data = der::sequence(&[&fields.concat(), &der::set_of(&edits)]);
        der::sequence(&[&der::oid("1.2.840.113549.1.7.2"), &der::tlv(0xa0, &[&signed_data])])
    };
    let (record, archive) = (with("1.2.840.113549.1.9.16.2.49"), with("1.2.840.113549.1.9.16.2.48"));
    let third = with("0.4.0.1733.2.4");
    let letter = |file| Document::new(file).with_content("letter", LETTER);
    // Its certificates are not there yet.
    let second = key(KeyKind::P256);
    let who = signer(&desk.pki, &second, ECDSA);
    for (clause, document, expected) in [
        ("RFC 5652 5.2: no content", Document::new(&detached), ContentNeeded),
        ("RFC 5652 5.2: a content too many", letter(&enveloping), PackagingDiffers),
        ("RFC 5652 5.2: two contents", letter(&detached).with_content("other", b"other"), PackagingDiffers),
        ("RFC 7468", Document::new(pem.as_bytes()), DocumentUnreadable),
        ("no signature", Document::new(LETTER), DocumentUnreadable),
        ("RFC 3161 2.4.2: a token", Document::new(&token), DocumentUnreadable),
        ("RFC 4998 appendix A", Document::new(&record), EvidenceRecordInside),
        ("TS 101 733 6.4.1", Document::new(&archive), CoveredByArchiveTimestamp),
    ] {
        let found = cades::prepare(&Content::Parallel(&document), &parameters(), &Options::default(), &who);
        assert_eq!(refused(found), expected, "{clause}");
    }
    for (clause, file) in
        [("5.5.3: version 3 covers no additions", &third), ("6.4.1: no certificate is added", &archive)]
    {
        let (document, who) = (Document::new(file), if file == &third { &who } else { &desk.signer });
        let later = SignatureParameters::new(time(LATER));
        let found = cades::prepare(&Content::Parallel(&document), &later, &Options::default(), who);
        assert!(found.is_ok(), "{clause}: {found:?}");
    }
}

#[test]
fn counter_signatures() {
    let desk = Desk::new();
    let first = desk.signed(&Content::Enveloped(LETTER), LETTER);
    for file in [first.clone(), to_ber(&first)] {
        let document = Document::new(&file);
        let id = desk.judged(&document).facts().signatures[0].id.clone();
        let second = key(KeyKind::P256);
        let who = signer(&desk.pki, &second, ECDSA);
        let parameters = stating(|all| all.claimed_roles = vec!["Notário".into()]);
        let content = Content::Signature(&document, &id);
        let prepared = cades::prepare(&content, &parameters, &Options::default(), &who).expect("nothing forbids it");
        let both = prepared.sign(&document, &second, &mut randomness()).expect("the key signs").to_vec(&file);
        let report = desk.judged(&Document::new(&both));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "RFC 5652 11.4: {}", report.to_text());
        let counter: Vec<_> = report.signatures().filter(|signature| signature.parent().is_some()).collect();
        assert_eq!(counter.len(), 1, "RFC 5652 11.4");
        assert_eq!(counter[0].level(), Some(SignatureLevel::CadesBaselineB), "EN 319 122-1 6.3");
        assert_eq!(counter[0].facts().content_type, None, "RFC 5652 11.4: a counter-signature has no content-type");
        assert_eq!(counter[0].facts().mime_type, None, "EN 319 122-1 5.2.4.2");
        assert_eq!(worries(&report), [] as [&str; 0]);
        let (before, after) = (SignedData::parse(&file).expect("CMS"), SignedData::parse(&both).expect("CMS"));
        let (before, after) = (&before.signers[0], &after.signers[0]);
        assert_eq!(after.signed_attributes.map(|set| set.raw), before.signed_attributes.map(|set| set.raw));
        assert_eq!(after.signature.raw, before.signature.raw, "RFC 5652 11.4");

        let again = counter[0].id().clone();
        let both = Document::new(&both);
        let found = cades::prepare(&Content::Signature(&both, &again), &parameters, &Options::default(), &who);
        assert_eq!(refused(found), SigningErrorCode::SignatureNotFound, "one level deep");
        let options = about(|all| all.mime_type = Some("text/plain".into()));
        let found = cades::prepare(&content, &parameters, &options, &who);
        assert_eq!(refused(found), SigningErrorCode::ParameterNotInFormat, "EN 319 122-1 5.2.4.2");
    }
}

#[test]
fn attributes_that_others_certify() {
    let desk = Desk::new();
    let certificate = desk.signer.certificate();
    let directory = |name: &[u8]| der::tlv(0xa4, &[name]);
    let (issuer, subject) = (directory(certificate.issuer().der()), directory(certificate.subject().der()));
    let serial = der::tlv(0x02, &[certificate.serial()]);
    let base = der::tlv(0xa0, &[&der::sequence(&[&issuer]), &serial]);
    let named = der::tlv(0xa1, &[&subject]);
    let valid = |holder: &[u8]| attribute_certificate(holder, "20270101000000Z", "20280101000000Z");
    let made = |certificate: Vec<u8>| {
        let parameters = stating(|all| all.certified_attributes = vec![certificate]);
        let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters, &Options::default(), &desk.signer)?;
        Ok(prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness())?.to_vec(LETTER))
    };
    for (holder, holds) in
        [(&base, "by serial number"), (&named, "by name"), (&[&base[..], &named].concat(), "by both")]
    {
        let file = made(valid(holder)).unwrap_or_else(|error: SigningError| panic!("{holds}: {error}"));
        let report = desk.judged(&Document::new(&file));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{holds}: {}", report.to_text());
        let roles = &report.facts().signatures[0].roles;
        let roles: Vec<_> = roles.iter().map(|role| (role.role.as_str(), role.category.as_str())).collect();
        assert_eq!(roles, [("urn:role:notary", "certified")], "5.2.6: {holds}");
        Folder::new("certified", &desk.pki.root).verify(holds, &file, false);
    }
    let other = der::tlv(0xa0, &[&der::sequence(&[&issuer]), &der::integer(5)]);
    let stranger = der::tlv(0xa1, &[&issuer]);
    for (clause, certificate) in [
        ("RFC 5755 4.2.2: another serial number", valid(&other)),
        ("RFC 5755 4.2.2: another name", valid(&stranger)),
        ("RFC 5755 4.2.2: one of two", valid(&[&base[..], &stranger].concat())),
        ("RFC 5755 4.2.2: nobody", valid(&[])),
        ("RFC 5755 4.2.6: ended", attribute_certificate(&base, "20260101000000Z", "20270101000000Z")),
        ("RFC 5755 4.2.6: not begun", attribute_certificate(&base, "20280101000000Z", "20290101000000Z")),
        ("RFC 5755 4.2.6: no time", attribute_certificate(&base, "x", "20290101000000Z")),
        ("RFC 5755 4.1: a public-key certificate", certificate.der().to_vec()),
        ("RFC 5755 4.1: two of them", [valid(&base), valid(&base)].concat()),
        ("RFC 5755 4.1: cut", valid(&base)[..80].to_vec()),
        ("RFC 5755 4.1: nothing", vec![]),
    ] {
        assert_eq!(refused(made(certificate)), SigningErrorCode::ParameterInvalid, "{clause}");
    }
}

#[test]
fn commitments_with_qualifiers_and_references_to_signatures() {
    let desk = Desk::new();
    let qualifier = |oid: &str, value: Option<Vec<u8>>| CommitmentQualifier { oid: oid.into(), value };
    let text = der::tlv(0x0c, &["until the end of the year".as_bytes()]);
    let qualified = |qualifiers| {
        stating(|all| {
            all.commitments = vec![Commitment::Qualified { oid: "1.2.840.113549.1.9.16.6.5".into(), qualifiers }]
        })
    };
    let question = about(|all| all.identifier = Some(b"question-1".to_vec()));
    let made = |parameters: &SignatureParameters, options: &Options| {
        let prepared = cades::prepare(&Content::Enveloped(LETTER), parameters, options, &desk.signer)?;
        Ok::<_, SigningError>(prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness())?.to_vec(LETTER))
    };
    let both = vec![qualifier("1.2.3.4", Some(text.clone())), qualifier("1.2.3.5", None)];
    let asked = made(&qualified(both), &question).expect("nothing forbids it");
    let report = desk.judged(&Document::new(&asked));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    let signature = &report.facts().signatures[0];
    let read: Vec<_> =
        signature.commitments[0].qualifiers.iter().map(|one| (&one.identifier[..], &one.value)).collect();
    assert_eq!(read, [("1.2.3.4", &Some(text.into())), ("1.2.3.5", &None)], "5.2.3");
    let wrong: [(&str, Vec<CommitmentQualifier>); 5] = [
        ("none", vec![]),
        ("no identifier", vec![qualifier("x", None)]),
        ("no value", vec![qualifier("1.2.3", Some(vec![]))]),
        ("two values", vec![qualifier("1.2.3", Some(vec![5, 0, 5, 0]))]),
        ("no DER", vec![qualifier("1.2.3", Some(vec![4, 9, 0]))]),
    ];
    for (situation, qualifiers) in wrong {
        let found = refused(made(&qualified(qualifiers), &Options::default()));
        assert_eq!(found, SigningErrorCode::ParameterInvalid, "5.2.3: {situation}");
    }

    let id = signature.id.clone();
    for id in [None, Some(&id)] {
        let reference = ContentReference::to(&asked, id).expect("RFC 2634 2.11");
        let answer = made(&parameters(), &about(|all| all.reference = Some(reference))).expect("nothing forbids it");
        let report = desk.judged(&Document::new(&answer));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
        let read = report.facts().signatures[0].content_reference.clone().expect("RFC 2634 2.11");
        assert_eq!((&read.content_type[..], &read.identifier[..]), ("1.2.840.113549.1.7.1", "question-1"));
        assert_eq!(read.value, signature.value, "RFC 2634 2.11: the value of the other one");
    }
    let plain = desk.signed(&Content::Enveloped(LETTER), LETTER);
    for (situation, found, expected) in [
        ("no identifier", ContentReference::to(&plain, None), SigningErrorCode::ParameterInvalid),
        ("another id", ContentReference::to(&asked, Some(&lacre::Id::new("S-1"))), SigningErrorCode::SignatureNotFound),
        ("no signature", ContentReference::to(LETTER, None), SigningErrorCode::DocumentUnreadable),
    ] {
        assert_eq!(refused(found), expected, "RFC 2634 2.11: {situation}");
    }
    for reference in [
        ContentReference::new("x", vec![1], vec![1]),
        ContentReference::new("1.2.3", vec![], vec![1]),
        ContentReference::new("1.2.3", vec![1], vec![]),
    ] {
        let found = refused(made(&parameters(), &about(|all| all.reference = Some(reference))));
        assert_eq!(found, SigningErrorCode::ParameterInvalid, "RFC 2634 2.11");
    }
}

#[test]
fn the_same_signature_is_not_made_twice() {
    let desk = Desk::new();
    let file = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let by_digest = digest(SHA256, LETTER).expect("it is computed");
    let ber = to_ber(&file);
    let (one, two, three) = (Document::new(&file), Document::new(&detached), Document::new(&ber));
    let with_content = two.clone().with_content("letter", LETTER);
    let later = SignatureParameters::new(time(LATER));
    for (situation, content) in [
        ("enveloping", Content::Parallel(&one)),
        ("in BER", Content::Parallel(&three)),
        ("detached", Content::Parallel(&with_content)),
        ("by digest", Content::ParallelDigest(&two, &by_digest)),
    ] {
        let again = |parameters: &SignatureParameters, options: &Options| {
            cades::prepare(&content, parameters, options, &desk.signer)
        };
        let found = again(&parameters(), &Options::default());
        assert_eq!(refused(found), SigningErrorCode::AlreadySigned, "X.690 11.6: {situation}");
        assert!(again(&later, &Options::default()).is_ok(), "{situation}: another time");
        let role = stating(|all| all.claimed_roles = vec!["Notário".into()]);
        assert!(again(&role, &Options::default()).is_ok(), "{situation}: another statement");
    }
    let id = desk.judged(&one).facts().signatures[0].id.clone();
    let counter = Content::Signature(&one, &id);
    let prepared = desk.prepared(&counter);
    let both = prepared.sign(&one, &desk.key, &mut randomness()).expect("the key signs").to_vec(&file);
    let both = Document::new(&both);
    let id = desk.judged(&both).facts().signatures.iter().find(|one| one.parent.is_none()).expect("it").id.clone();
    let again = |parameters: &SignatureParameters| {
        cades::prepare(&Content::Signature(&both, &id), parameters, &Options::default(), &desk.signer)
    };
    assert_eq!(refused(again(&parameters())), SigningErrorCode::AlreadySigned, "RFC 5652 11.4");
    assert!(again(&later).is_ok(), "RFC 5652 11.4: another time");
}

/// A content may be larger than the memory: it is read where it lies, and the file keeps pieces of it.
#[test]
fn contents_are_not_copied() {
    let desk = Desk::new();
    let large = vec![7; 32 << 20];
    let document = Document::new(&large);
    let enveloping = desk.signed(&Content::Enveloped(&large), &large);
    let file = Document::new(&enveloping);
    for (situation, content, document) in [
        ("enveloping", Content::Enveloped(&large), &document),
        ("detached", Content::Detached(&large), &document),
        ("a second signer", Content::Parallel(&file), &file),
    ] {
        let used = allocation_counter::measure(|| {
            let prepared = desk.prepared(&content);
            let output = prepared.sign(document, &desk.key, &mut randomness()).expect("the key signs");
            assert_eq!(output.len() > large.len(), situation != "detached", "{situation}");
        });
        assert!(used.bytes_max < 1 << 20, "{situation}: {} bytes", used.bytes_max);
    }
}

/// Whatever the bytes: refused, or added so that the first signer is what it was.
#[test]
fn damaged_files_are_refused_or_keep_their_signer() {
    let desk = Desk::new();
    let file = to_ber(&desk.signed(&Content::Enveloped(LETTER), LETTER));
    let id = desk.judged(&Document::new(&file)).facts().signatures[0].id.clone();
    let (mut refusals, mut added) = (0, 0);
    for at in 0..file.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] ^= flip;
            let document = Document::new(&damaged);
            for content in [Content::Parallel(&document), Content::Signature(&document, &id)] {
                let prepared = cades::prepare(&content, &parameters(), &Options::default(), &desk.signer);
                let Ok(prepared) = prepared else {
                    refusals += 1;
                    continue;
                };
                // To verify each value takes long; every seventh place shows as much.
                if at % 7 != 0 {
                    continue;
                }
                let Ok(output) = prepared.sign(&document, &desk.key, &mut randomness()) else { continue };
                let both = output.to_vec(&damaged);
                let (before, after) =
                    (SignedData::parse(&damaged).expect("CMS"), SignedData::parse(&both).expect("CMS"));
                assert_eq!(after.content_info.raw, before.content_info.raw, "byte {at}");
                let signed = |data: &SignedData<'_>| {
                    let signer = &data.signers[0];
                    (signer.signed_attributes.map(|set| set.raw.to_vec()), signer.signature.raw.to_vec())
                };
                assert_eq!(signed(&after), signed(&before), "byte {at}");
                added += 1;
            }
        }
    }
    assert!(refusals > 100 && added > 100, "{refusals} refused, {added} added");
}

/// Each file of the corpus to which a signature can be added: what is said of the signatures in it stays what it was.
#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn signatures_of_the_corpus_stay_what_they_were() {
    let desk = Desk::new();
    let folder = corpus();
    let (mut added, mut refusals) = (0, std::collections::BTreeMap::<&str, usize>::new());
    for path in manifest() {
        let Ok(bytes) = std::fs::read(folder.join(&path)) else { continue };
        let document = Document::new(&bytes);
        if document.syntax() != Some(lacre::Syntax::Asn1) || SignedData::parse(&bytes).is_err() {
            continue;
        }
        let read = SignedData::parse(&bytes).expect("it was read");
        let by_digest = [0; 32];
        let content = match read.is_detached() {
            true => Content::ParallelDigest(&document, &by_digest),
            false => Content::Parallel(&document),
        };
        let prepared = match cades::prepare(&content, &parameters(), &Options::default(), &desk.signer) {
            Ok(prepared) => prepared,
            Err(error) => {
                *refusals.entry(error.code().as_str()).or_default() += 1;
                continue;
            }
        };
        let output = prepared.sign(&document, &desk.key, &mut randomness()).expect("the key signs");
        let both = output.to_vec(&bytes);
        let after = SignedData::parse(&both).expect("CMS");
        let signers =
            |data: &SignedData<'_>| data.signers.iter().map(|signer| signer.raw.raw.to_vec()).collect::<Vec<_>>();
        assert_eq!(signers(&after)[..read.signers.len()], signers(&read), "{path}");
        assert_eq!(after.content_info.raw, read.content_info.raw, "{path}");
        let said = |bytes: &[u8]| {
            let facts = desk.validator().without_cache().facts(&Document::new(bytes), time(NOW)).expect("it is read");
            let signatures = facts.signatures.iter().map(|one| (one.basic.clone(), one.digest_matchers.clone()));
            let stamps = facts.timestamps.iter().map(|one| (one.basic.clone(), one.digest_matchers.clone()));
            (signatures.collect::<Vec<_>>(), stamps.collect::<Vec<_>>())
        };
        let (before, with) = (said(&bytes), said(&both));
        assert_eq!(with.0[..before.0.len()], before.0[..], "{path}: signatures");
        assert_eq!(with.1, before.1, "{path}: time-stamps");
        added += 1;
    }
    println!("{added} files with a signature more; refused: {refusals:?}");
    assert!(added > 50, "{added} files, {refusals:?}");
}
