//! PKCS#12 files (RFC 7292) of OpenSSL, Java and NSS, whole and spoilt. `tests/data/keys/make.sh` makes those of old
//! programs.

use lacre::signing::{DigestAlgorithm, KeyKind, SigningKey as _, SoftwareKey};
use lacre_core::crypto::{Signed, verify};
use lacre_core::x509::Certificate;
use lacre_keys::{Identity, Pkcs12, Pkcs12Error};
use lacre_testkit::authorities::{Pki, key, randomness};
use lacre_testkit::der::{children, integer, sequence, tlv};
use std::path::{Path, PathBuf};
use std::process::Command;

const RC2_40: &[u8] = include_bytes!("../../../tests/data/keys/rc2-40.p12");
const RC2_128: &[u8] = include_bytes!("../../../tests/data/keys/rc2-128.p12");
const RC4: &[u8] = include_bytes!("../../../tests/data/keys/rc4.p12");
const JAVA: &[u8] = include_bytes!("../../../tests/data/keys/java.p12");
const NSS: &[u8] = include_bytes!("../../../tests/data/keys/nss.p12");
const USER: &[u8] = include_bytes!("../../../tests/data/keys/user.der");

/// What an identity is: its name, its certificate and those above it by their common names. The key signs for the
/// certificate.
fn described(identity: &Identity) -> String {
    let algorithm = identity.key.algorithm(DigestAlgorithm::Sha256);
    let value = identity.key.sign_message(&algorithm, b"message", &mut randomness()).expect("the key signs");
    let public = identity.certificate.public_key().expect("a key that is known");
    assert_eq!(verify(public, &algorithm, Signed::Message(b"message"), &value), Ok(()), "the key is the certificate's");
    let name = |certificate: &Certificate| {
        let name = certificate.subject().rfc2253();
        name.split(',').find_map(|part| part.strip_prefix("CN=")).unwrap_or(name).to_owned()
    };
    let chain: Vec<String> = std::iter::once(&identity.certificate).chain(&identity.chain).map(name).collect();
    format!("{}: {}", identity.alias.as_deref().unwrap_or("-"), chain.join(" < "))
}

fn opened(bytes: &[u8], password: &str, alias: Option<&str>) -> Result<String, Pkcs12Error> {
    Pkcs12::open(bytes, password)?.identity(alias).map(|identity| described(&identity))
}

#[test]
fn files_of_old_programs() {
    for (situation, file, alias, expected) in [
        ("RFC 7292 C: RC2 with 40 bits, Triple DES", RC2_40, None, "user: User < CA < Root"),
        ("RFC 7292 C: RC2 with 128 bits, Triple DES with two keys", RC2_128, None, "user: User < CA < Root"),
        ("NSS: BER, strings in pieces", NSS, None, "user: User < CA < Root"),
        ("Java: two keys, by name", JAVA, Some("second"), "second: second"),
        ("Java: two keys, by name", JAVA, Some("first"), "first: first"),
    ] {
        assert_eq!(opened(file, "secret", alias).as_deref(), Ok(expected), "{situation}");
        assert_eq!(opened(file, "Secret", alias), Err(Pkcs12Error::Password), "{situation}: another password");
        assert_eq!(opened(file, "", alias), Err(Pkcs12Error::Password), "{situation}: no password");
    }
    let user = Pkcs12::open(RC2_40, "secret").and_then(|file| file.identity(None)).expect("it opens");
    assert_eq!(user.certificate.der(), USER);
    let names = || vec!["first".to_owned(), "second".to_owned()];
    assert_eq!(opened(JAVA, "secret", None), Err(Pkcs12Error::Several { names: names() }), "two keys, and no name");
    let unknown = Pkcs12Error::Alias { asked: "third".into(), names: names() };
    assert_eq!(opened(JAVA, "secret", Some("third")), Err(unknown), "a name that is not there");
    let rc4 = opened(RC4, "secret", None).expect_err("RC4 is not opened").to_string();
    assert!(rc4.contains("1.2.840.113549.1.12.1.1"), "what it is encrypted by is named: {rc4}");
}

/// A folder of the test's own, where OpenSSL makes files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pkcs12-{name}"));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    fn pem(&self, name: &str, label: &str, blocks: &[&[u8]]) -> &Self {
        let block = |der: &&[u8]| {
            let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, der);
            let lines: Vec<&str> =
                text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
            format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
        };
        let text: String = blocks.iter().map(block).collect();
        std::fs::write(self.0.join(name), text).expect("the folder for temporary files can be written");
        self
    }

    /// What `openssl pkcs12 -export` makes with these options, and that password.
    fn export(&self, options: &str, password: &str) -> Vec<u8> {
        let mut command = Command::new("openssl");
        command.args(["pkcs12", "-export", "-out", "out.p12", "-passout"]).arg(format!("pass:{password}"));
        let run = command.args(options.split(' ')).current_dir(&self.0).output();
        let run = run.expect("openssl is installed (Debian package openssl)");
        assert!(run.status.success(), "openssl pkcs12 {options}\n{}", String::from_utf8_lossy(&run.stderr));
        std::fs::read(self.0.join("out.p12")).expect("the file is there")
    }
}

/// The authorities, a key that they certified, and its folder.
fn made(name: &str) -> (Pki, SoftwareKey, Certificate, Folder) {
    let (pki, key) = (Pki::new("http://pki.example"), key(KeyKind::P384));
    let certificate = pki.issue(lacre::issuance::Profile::LegalPerson, &key);
    let folder = Folder::new(name);
    folder.pem("key.pem", "PRIVATE KEY", &[&key.to_pkcs8().expect("it is written")]);
    folder.pem("own.pem", "CERTIFICATE", &[certificate.der()]);
    folder.pem("above.pem", "CERTIFICATE", &[pki.root.der(), pki.signer.der(), pki.authority.der()]);
    (pki, key, certificate, folder)
}

#[test]
fn files_of_openssl() {
    let (_, _, _, folder) = made("openssl");
    let whole = "-inkey key.pem -in own.pem -certfile above.pem";
    let chain = "Example Unit < Example CA < Example Root";
    for (situation, options, password, expected) in [
        ("as it is made", format!("{whole} -name seal"), "secret", format!("seal: {chain}")),
        ("without a name", whole.to_owned(), "secret", format!("-: {chain}")),
        ("the certificate alone", "-inkey key.pem -in own.pem".into(), "secret", "-: Example Unit".into()),
        ("RFC 7292 4: a MAC by SHA-384", format!("{whole} -macalg sha384"), "secret", format!("-: {chain}")),
        (
            "a MAC by SHA-512 of one round",
            format!("{whole} -macalg sha512 -nomaciter"),
            "secret",
            format!("-: {chain}"),
        ),
        ("no MAC", format!("{whole} -nomac"), "secret", format!("-: {chain}")),
        ("certificates in the clear", format!("{whole} -certpbe NONE"), "secret", format!("-: {chain}")),
        ("all in the clear", format!("{whole} -certpbe NONE -keypbe NONE"), "secret", format!("-: {chain}")),
        (
            "RFC 8018: AES-128",
            format!("{whole} -certpbe AES-128-CBC -keypbe AES-128-CBC"),
            "secret",
            format!("-: {chain}"),
        ),
        ("an empty password", whole.to_owned(), "", format!("-: {chain}")),
        ("an empty password, Triple DES", format!("{whole} -keypbe PBE-SHA1-3DES"), "", format!("-: {chain}")),
        ("letters of all kinds", format!("{whole} -keypbe PBE-SHA1-3DES"), "пароль €", format!("-: {chain}")),
        ("RFC 7292 B.1: beyond 16 bits", whole.to_owned(), "key 🗝", format!("-: {chain}")),
    ] {
        let file = folder.export(&options, password);
        assert_eq!(opened(&file, password, None), Ok(expected), "{situation}");
        let wrong = opened(&file, "another", None);
        assert_eq!(wrong, Err(Pkcs12Error::Password), "{situation}: another password");
    }
}

/// A file without a MAC whose safe has the parts of all these files, which have none either.
fn joined(files: &[&[u8]]) -> Vec<u8> {
    let safes = files.iter().flat_map(|file| {
        let content = children(&children(file)[1])[1].clone();
        let octets = children(&content)[0].clone();
        children(&children_of_octets(&octets))
    });
    let safe = sequence(&[&safes.collect::<Vec<_>>().concat()]);
    let data = lacre_testkit::der::oid("1.2.840.113549.1.7.1");
    sequence(&[&integer(3), &sequence(&[&data, &tlv(0xa0, &[&tlv(4, &[&safe])])])])
}

fn children_of_octets(octets: &[u8]) -> Vec<u8> {
    lacre_core::asn1::Tlv::whole(octets).expect("an OCTET STRING").content.to_vec()
}

#[test]
fn files_that_give_no_key() {
    let (pki, _, _, folder) = made("broken");
    let whole = folder.export("-inkey key.pem -in own.pem -certfile above.pem", "secret");
    let certificates = folder.export("-nokeys -in above.pem", "secret");
    folder.pem("other.pem", "PRIVATE KEY", &[&key(KeyKind::P256).to_pkcs8().expect("it is written")]);
    folder.pem("others.pem", "CERTIFICATE", &[pki.root.der()]);
    let no_mac = |options: &str| folder.export(&format!("{options} -nomac"), "secret");
    let without_own = joined(&[&no_mac("-inkey key.pem -nocerts"), &no_mac("-nokeys -in others.pem")]);
    let with_name =
        joined(&[&no_mac("-inkey key.pem -in own.pem -name one"), &no_mac("-inkey key.pem -in own.pem -name two")]);
    let one_unusable = joined(&[&no_mac("-inkey other.pem -nocerts"), &no_mac("-inkey key.pem -in own.pem")]);
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    for (situation, file, expected) in [
        ("no file", vec![], "PFX cannot be read"),
        ("a text", b"secret".to_vec(), "PFX cannot be read"),
        ("a certificate", USER.to_vec(), "PFX cannot be read"),
        ("another version", sequence(&[&integer(4), &sequence(&[])]), "the version of PFX cannot be read"),
        ("cut", whole[..whole.len() - 1].to_vec(), "PFX cannot be read"),
        (
            "RFC 7292 4: changed under its MAC",
            changed,
            "the password does not open the PKCS#12 file, or the file was changed",
        ),
        ("no key", certificates, "the PKCS#12 file has no private key, only 3 certificates"),
        ("the certificate of another key", without_own, "the PKCS#12 file has 1 certificates, expected one with"),
        ("a key without a certificate beside one with", one_unusable, "-: Example Unit"),
        (
            "two of them",
            with_name,
            "the PKCS#12 file has several private keys, expected the name of one of them: one, two",
        ),
    ] {
        let found = opened(&file, "secret", None).unwrap_or_else(|error| error.to_string());
        assert!(found.starts_with(expected), "{situation}: {found}");
    }
    // A MAC of two thousand million rounds, and one by a function that is not known.
    let parts = children(&whole);
    let mac = children(&parts[2]);
    let with_mac = |mac: &[&[u8]]| sequence(&[&parts[0], &parts[1], &sequence(mac)]);
    for (situation, file) in [
        ("two thousand million rounds", with_mac(&[&mac[0], &mac[1], &integer(2_000_000_000)])),
        ("no round", with_mac(&[&mac[0], &mac[1], &integer(0)])),
        ("more rounds than a number has", with_mac(&[&mac[0], &mac[1], &tlv(2, &[&[1; 12]])])),
        (
            "another function",
            with_mac(&[
                &sequence(&[&sequence(&[&lacre_testkit::der::oid("1.2.840.113549.1.5.14")]), &tlv(4, &[&[0; 32]])]),
                &mac[1],
            ]),
        ),
    ] {
        let found = opened(&file, "secret", None).expect_err(situation);
        assert!(matches!(found, Pkcs12Error::Integrity { .. } | Pkcs12Error::Format { .. }), "{situation}: {found}");
    }
    // Whatever is changed: no panic. What has a MAC does not open.
    for at in (0..RC2_40.len()).step_by(7) {
        let mut changed = RC2_40.to_vec();
        changed[at] ^= 0x21;
        let _ = opened(&changed, "secret", None);
        assert!(opened(&RC2_40[..at], "secret", None).is_err(), "cut after {at} bytes");
    }
    let clear = no_mac("-inkey key.pem -in own.pem -certpbe NONE -keypbe NONE");
    for at in 0..clear.len() {
        let mut changed = clear.clone();
        changed[at] ^= 0x21;
        let _ = Pkcs12::open(&changed, "secret");
    }
}
