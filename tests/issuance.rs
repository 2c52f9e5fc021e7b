//! What is issued is read again: by lacre itself and by OpenSSL.

use lacre::{
    Document, Policy, Validator,
    issuance::{
        CertificateRequest, CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList,
        RevocationReason, Revoked, TimestampUnit, Validity,
    },
    signing::{SignatureParameters, Signer, SigningErrorCode, cades},
};
use lacre_core::{
    algorithm::DigestAlgorithm,
    crypto::{KeyKind, SigningKey as _},
    x509::Certificate,
};
use lacre_testkit::authorities::{Pki, cms, key, natural, randomness, time};
use std::path::{Path, PathBuf};
use std::process::Command;

const NOW: &str = "2027-03-01T12:00:00Z";

/// A folder of the test's own, where OpenSSL reads what was issued.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("issuance-{name}"));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> &Self {
        std::fs::write(self.0.join(name), bytes).expect("the folder for temporary files can be written");
        self
    }

    fn pem(&self, name: &str, certificate: &Certificate) -> &Self {
        let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, certificate.der());
        let lines: Vec<&str> = text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        let pem = format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"));
        self.write(name, pem.as_bytes())
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("the file is there")
    }

    /// What OpenSSL prints; it must succeed.
    fn openssl(&self, arguments: &str) -> String {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(&self.0).output();
        let run = run.expect("openssl is installed (Debian package openssl)");
        let text = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "openssl {arguments}\n{text}");
        text
    }
}

fn pki() -> Pki {
    Pki::at("http://pki.example", time(NOW))
}

/// A validator that trusts the root and has the root's list.
fn validator(pki: &Pki) -> Validator {
    let validator = Validator::new(Policy::eidas()).trust_anchor(pki.root.der()).expect("a certificate");
    validator.evidence(&pki.root_crl()).expect("a revocation list")
}

#[test]
fn every_profile_is_read_again() {
    let pki = pki();
    let folder = Folder::new("profiles");
    folder.pem("root.pem", &pki.root).pem("ca.pem", &pki.authority);
    assert!(folder.openssl("verify -x509_strict -attime 1803902400 -CAfile root.pem ca.pem").contains("ca.pem: OK"));
    let signer = key(KeyKind::P256);
    for (profile, clause, text) in [
        (Profile::NaturalPerson, "EN 319 412-2 4.3.2", "Non Repudiation"),
        (Profile::NaturalPersonQualified, "EN 319 411-2 5.3 QCP-n", "0.4.0.194112.1.0"),
        (Profile::NaturalPersonQualifiedDevice, "EN 319 411-2 5.3 QCP-n-qscd", "0.4.0.194112.1.2"),
        (Profile::LegalPerson, "EN 319 412-3 4.2.1", "organizationIdentifier"),
        (Profile::LegalPersonQualified, "EN 319 411-2 5.3 QCP-l", "0.4.0.194112.1.1"),
        (Profile::LegalPersonQualifiedDevice, "EN 319 411-2 5.3 QCP-l-qscd", "0.4.0.194112.1.3"),
        (Profile::OcspResponder, "RFC 6960 4.2.2.2", "OCSP Signing"),
        (Profile::TimestampUnit, "RFC 3161 2.3", "Time Stamping"),
    ] {
        let certificate = pki.issue(profile, &signer);
        folder.pem("end.pem", &certificate);
        let printed = folder.openssl("x509 -in end.pem -noout -text -nameopt RFC2253,lname");
        assert!(printed.contains(text), "{clause}: {printed}");
        assert!(printed.contains("http://pki.example/ca.crl"), "{printed}");
        let verified =
            folder.openssl("verify -x509_strict -attime 1803902400 -CAfile root.pem -untrusted ca.pem end.pem");
        assert!(verified.contains("end.pem: OK"), "{profile}: {verified}");

        let extensions = certificate.extensions();
        let qc = extensions.qc_statements.as_ref();
        let qualified = profile.as_str().contains("qualified") || profile.as_str().contains("qscd");
        assert_eq!(qc.is_some_and(|qc| qc.compliance), qualified, "{profile}: EN 319 412-5 4.2.1");
        assert_eq!(qc.is_some_and(|qc| qc.sscd), profile.as_str().contains("qscd"), "{profile}: EN 319 412-5 4.2.2");
        // 17 bytes, the first a one: 128 bits are left to chance.
        assert_eq!(certificate.serial().len(), 17, "{profile}: EN 319 412-2 serial numbers");
    }
}

#[test]
fn what_a_request_must_show() {
    let pki = pki();
    let folder = Folder::new("requests");
    folder.openssl("req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -subj /CN=ignored -outform DER -out request.der");
    let bytes = folder.read("request.der");
    let request = CertificateRequest::from_der(&bytes).expect("OpenSSL signs what it asks for");
    assert_eq!(request.subject(), "CN=ignored");
    let validity = Validity::days(time("2027-01-01T00:00:00Z"), 365);
    let issued = pki.issuer().issue_to(&request, Profile::NaturalPerson, &natural(), validity, &mut randomness());
    let issued = issued.expect("it is issued");
    assert_eq!(issued.spki(), request.public_key().spki());
    assert!(!issued.subject().rfc2253().contains("ignored"), "names are the issuer's to say");

    let mut other = bytes.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    assert!(CertificateRequest::from_der(&other).is_err(), "RFC 2986 3: possession");
    assert!(CertificateRequest::from_der(&bytes[..bytes.len() - 1]).is_err());

    let late = Validity::days(time("2027-01-01T00:00:00Z"), 36_500);
    let refused = pki.issuer().issue_to(&request, Profile::NaturalPerson, &natural(), late, &mut randomness());
    assert!(refused.is_err(), "RFC 5280 6.1.3: no certificate outlives its issuer");
    let refused = pki.issuer().issue_to(&request, Profile::LegalPerson, &natural(), validity, &mut randomness());
    assert!(refused.is_err(), "EN 319 412-3 is for legal persons");
    assert!(
        Issuer::new(pki.root.clone(), &key(KeyKind::P384), Locations::default()).is_err(),
        "another certificate's key"
    );
}

#[test]
fn revocation_lists_and_answers() {
    let pki = pki();
    let folder = Folder::new("revocation");
    let (signing, responder_key) = (key(KeyKind::P256), key(KeyKind::P384));
    let (good, bad) = (pki.issue(Profile::NaturalPerson, &signing), pki.issue(Profile::NaturalPerson, &signing));
    let responder = pki.issue(Profile::OcspResponder, &responder_key);
    folder.pem("root.pem", &pki.root).pem("ca.pem", &pki.authority).pem("good.pem", &good).pem("bad.pem", &bad);

    let (since, reason) = (time("2027-02-01T00:00:00Z"), RevocationReason::KeyCompromise);
    let revoked = [Revoked { serial: bad.serial().to_vec(), since, reason }];
    let (this_update, next_update) = (time(NOW), time("2027-03-08T12:00:00Z"));
    let list = RevocationList { number: 7, this_update, next_update, revoked: &revoked };
    let crl = pki.issuer().revocation_list(&list, &mut randomness()).expect("it is issued");
    folder.write("ca.crl", &crl);
    let printed = folder.openssl("crl -inform DER -in ca.crl -noout -text -CAfile ca.pem");
    for expected in ["verify OK", "Key Compromise", "X509v3 CRL Number", "Feb  1 00:00:00 2027 GMT"] {
        assert!(printed.contains(expected), "RFC 5280 5: {expected} in {printed}");
    }
    let empty = RevocationList { revoked: &[], ..list };
    folder.write("empty.crl", &pki.issuer().revocation_list(&empty, &mut randomness()).unwrap());
    assert!(folder.openssl("crl -inform DER -in empty.crl -noout -text").contains("No Revoked Certificates"));

    let signer = Issuer::new(responder, &responder_key, Locations::default()).unwrap();
    let responder = OcspResponder::new(pki.authority.clone(), signer);
    let status = |serial: &[u8]| match serial {
        serial if serial == bad.serial() => CertificateStatus::Revoked { since, reason },
        serial if serial == good.serial() => CertificateStatus::Good,
        _ => CertificateStatus::Unknown,
    };
    let update = OcspUpdate { this_update, next_update };
    folder.pem("other.pem", &pki.root);
    folder.openssl("ocsp -sha256 -issuer ca.pem -cert good.pem -cert bad.pem -reqout request.der");
    let answer = responder.respond(&folder.read("request.der"), &status, update, &mut randomness()).unwrap();
    folder.write("answer.der", &answer);
    let printed = folder.openssl(
        "ocsp -respin answer.der -reqin request.der -no_nonce -sha256 -issuer ca.pem -cert good.pem -cert bad.pem -CAfile root.pem -verify_other ca.pem -attime 1803902400",
    );
    // OpenSSL compares the times of an answer with its own clock, and says so; nothing else may be wrong.
    for expected in ["Response verify OK", "\ngood\n", "\nrevoked\n", "Reason: keyCompromise"] {
        assert!(printed.contains(expected), "RFC 6960 4.2: {expected} in {printed}");
    }
    assert!(!printed.contains("nonce"), "RFC 9654: the nonce comes back: {printed}");
    let malformed = responder.respond(b"not a request", &status, update, &mut randomness()).unwrap();
    assert_eq!(malformed, [0x30, 3, 0x0a, 1, 1], "RFC 6960 4.2.1: malformedRequest");

    // The same material, judged by lacre: the revoked certificate's signature does not pass.
    for (certificate, expected) in [(&good, "TOTAL-PASSED"), (&bad, "INDETERMINATE")] {
        let signed = cms(certificate, &signing, std::slice::from_ref(&pki.authority), b"text", time(NOW));
        for evidence in [&crl, &answer] {
            let validator = validator(&pki).evidence(evidence).unwrap();
            let report = validator.validate(&Document::new(&signed), time("2027-03-01T13:00:00Z")).unwrap();
            assert_eq!(report.indication().to_string(), expected, "{}", report.to_text());
        }
    }
}

#[test]
fn time_stamps() {
    let pki = pki();
    let folder = Folder::new("timestamps");
    let unit_key = key(KeyKind::P256);
    let unit = pki.issue(Profile::TimestampUnit, &unit_key);
    folder.pem("root.pem", &pki.root).pem("ca.pem", &pki.authority).write("data", b"some data");
    let unit = TimestampUnit::new(Issuer::new(unit, &unit_key, Locations::default()).unwrap());
    folder.openssl("ts -query -data data -sha256 -cert -out request.tsq");
    let response = unit.respond(&folder.read("request.tsq"), time(NOW), &mut randomness()).unwrap();
    folder.write("response.tsr", &response);
    let verified = folder.openssl(
        "ts -verify -queryfile request.tsq -in response.tsr -CAfile root.pem -untrusted ca.pem -attime 1803902400",
    );
    assert!(verified.contains("Verification: OK"), "RFC 3161 2.4.2: {verified}");
    assert!(folder.openssl("ts -reply -in response.tsr -text").contains("Mar  1 12:00:00 2027 GMT"));

    folder.openssl("ts -query -data data -sha1 -out weak.tsq");
    for (clause, request, number) in
        [("TS 119 312 5: SHA-1", folder.read("weak.tsq"), 0), ("RFC 3161 2.4.2: badRequest", b"nonsense".to_vec(), 2)]
    {
        let response = unit.respond(&request, time(NOW), &mut randomness()).unwrap();
        folder.write("rejected.tsr", &response);
        let printed = folder.openssl("ts -reply -in rejected.tsr -text");
        assert!(printed.contains("Status: Rejected."), "{clause}: {printed}");
        let failure = if number == 0 { "unrecognized or unsupported algorithm" } else { "transaction not permitted" };
        assert!(printed.contains(failure), "{clause}: {printed}");
    }
}

#[test]
fn a_signed_hash_becomes_a_signature_that_passes() {
    let pki = pki();
    let folder = Folder::new("cades");
    let content = b"a contract";
    folder.pem("root.pem", &pki.root).pem("ca.pem", &pki.authority).write("content", content);
    let list =
        RevocationList { number: 1, this_update: time(NOW), next_update: time("2027-03-08T12:00:00Z"), revoked: &[] };
    let crl = pki.issuer().revocation_list(&list, &mut randomness()).unwrap();
    for kind in [KeyKind::P256, KeyKind::P384] {
        let signer = key(kind);
        let certificate = pki.issue(Profile::NaturalPerson, &signer);
        let algorithm = signer.algorithm(DigestAlgorithm::Sha256);
        let who = Signer::new(certificate, algorithm).unwrap().with_chain(vec![pki.authority.clone()]);
        let (enveloped, parameters) = (cades::Content::Enveloped(content), SignatureParameters::new(time(NOW)));
        let prepared = cades::prepare(&enveloped, &parameters, &cades::Options::default(), &who).unwrap();
        let value = signer.sign(&algorithm, &prepared.digest(), &mut randomness()).unwrap();
        let document = Document::new(content);
        let signed = prepared.finish(&document, &value).unwrap().to_vec(content);
        folder.write("signed.p7m", &signed);
        let printed = folder
            .openssl("cms -verify -cades -inform DER -in signed.p7m -CAfile root.pem -purpose any -attime 1803902400");
        assert!(printed.contains("successful"), "{printed}");

        let validator = validator(&pki).evidence(&crl).unwrap();
        let report = validator.validate(&Document::new(&signed), time("2027-03-01T13:00:00Z")).unwrap();
        assert_eq!(report.indication().to_string(), "TOTAL-PASSED", "{}", report.to_text());
        assert!(report.to_json().contains("CAdES-BASELINE-B"), "EN 319 122-1 6.3");

        let mut other = value.clone();
        let last = other.len() - 1;
        other[last] ^= 1;
        let refused = prepared.finish(&document, &other).unwrap_err();
        assert_eq!(refused.code(), SigningErrorCode::ValueDoesNotVerify, "a value of another digest");
    }
}
