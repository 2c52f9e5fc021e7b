//! From a root to a signature over a hash, as its users type it.

mod common;
#[path = "common/folder.rs"]
mod folder;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use folder::{Folder, secret};
use std::path::Path;

const COMPANY: &str = "--country EE --organization Example --organization-identifier NTREE-12345678";
const AT: &str = "--at 2027-01-01T00:00:00Z";

fn pki(folder: &Folder) {
    folder.ok(&format!(
        "lacre issue root {COMPANY} --common-name Root --key root.pk8 --new-key ecdsa-p384 {AT} -o root.der"
    ));
    let issuer = "--issuer root.der --issuer-key root.pk8";
    folder.ok(&format!(
        "lacre issue ca {issuer} {COMPANY} --common-name CA --key ca.pk8 --new-key ecdsa-p256 {AT} -o ca.der"
    ));
    folder.ok(&format!(
        "lacre issue user --issuer ca.der --issuer-key ca.pk8 --country PT --given-name Ana --surname Silva --serial-number PASPT-1 --key ana.pk8 --new-key ecdsa-p256 {AT} -o ana.der"
    ));
}

#[test]
fn a_chain_a_list_and_a_signed_hash() {
    let folder = Folder::new("issue");
    pki(&folder);
    let printed = folder.ok("openssl x509 -inform DER -in ana.der -noout -serial -subject -nameopt RFC2253");
    assert!(printed.contains("CN=Ana Silva"), "{printed}");
    let serial =
        printed.lines().find_map(|line| line.strip_prefix("serial=")).expect("openssl prints the serial number");

    folder.ok(&format!(
        "lacre issue crl --issuer ca.der --issuer-key ca.pk8 --number 1 --revoked {serial}=2027-01-02T00:00:00Z,superseded {AT} -o ca.crl"
    ));
    let printed = folder.ok("openssl crl -inform DER -in ca.crl -noout -text");
    assert!(printed.contains(serial) && printed.contains("Superseded"), "RFC 5280 5.3.1: {printed}");

    std::fs::write(folder.0.join("text"), b"some text").expect("a file can be written");
    folder.ok("openssl dgst -sha256 -binary -out digest text");
    let digest = BASE64_STANDARD.encode(std::fs::read(folder.0.join("digest")).expect("openssl wrote it"));
    let value = folder.ok(&format!("lacre sign hash --key ana.pk8 {digest}"));
    std::fs::write(folder.0.join("value"), BASE64_STANDARD.decode(value.trim()).expect("it is Base64"))
        .expect("written");
    folder.ok("openssl x509 -inform DER -in ana.der -noout -pubkey -out ana.pem");
    assert!(folder.ok("openssl dgst -sha256 -verify ana.pem -signature value text").contains("Verified OK"));
}

#[test]
fn what_is_refused_and_why() {
    let folder = Folder::new("issue-refused");
    pki(&folder);
    let user = "lacre issue user --issuer ca.der --issuer-key ca.pk8 --country PT -o out.der";
    for (situation, line, expected) in [
        (
            "a key is never written over",
            format!("{user} --given-name A --surname B --serial-number 1 --key ana.pk8 --new-key ecdsa-p256"),
            "ana.pk8",
        ),
        ("a name that is missing", format!("{user} --given-name A --surname B --key ana.pk8"), "--serial-number"),
        (
            "another profile's name",
            format!("{user} --profile legal-person --given-name A --key ana.pk8"),
            "--organization",
        ),
        ("an authority is no user", format!("{user} --profile ca --key ana.pk8"), "lacre issue ca"),
        (
            "another certificate's key",
            "lacre issue crl --issuer root.der --issuer-key ca.pk8 --number 1 -o out.crl".into(),
            "is not the one of",
        ),
        (
            "a status that cannot be read",
            "lacre issue crl --issuer ca.der --issuer-key ca.pk8 --number 1 --revoked xyz -o out.crl".into(),
            "SERIAL=TIME",
        ),
        (
            "a digest of another length",
            "lacre sign hash --key ana.pk8 AAAA".into(),
            "3 bytes, expected the 32 of SHA256",
        ),
        (
            "SHA-1: TS 119 312",
            "lacre sign hash --key ana.pk8 --digest-algorithm SHA1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=".into(),
            "cannot sign with SHA1withECDSA",
        ),
    ] {
        let (text, status) = folder.run(&line);
        assert_eq!(status, Some(5), "{situation}: {text}");
        assert!(text.contains(expected), "{situation}: {text}");
        assert!(
            !folder.0.join("out.der").exists() && !folder.0.join("out.crl").exists(),
            "{situation}: nothing is written"
        );
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(folder.0.join("ana.pk8")).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600, "only its owner reads a private key");
    }
}

const DIGEST: &str = "mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE=";

#[test]
fn sealed_keys() {
    let folder = Folder::new("issue-sealed");
    secret(&folder, "master.key", &"0f".repeat(32));
    secret(&folder, "other.key", &"1e".repeat(32));
    let root = format!("lacre issue root {COMPANY} --common-name Root --key root.lsk --new-key ecdsa-p256 {AT}");
    folder.ok(&format!("{root} --master-key master.key -o root.der"));
    let sealed = std::fs::read(folder.0.join("root.lsk")).expect("the key was written");
    assert!(sealed.starts_with(b"LSK\x01"), "it is sealed");
    folder.ok("lacre issue crl --issuer root.der --issuer-key root.lsk --master-key master.key --number 1 -o root.crl");
    folder.ok(&format!("lacre sign hash --master-key master.key --key root.lsk {DIGEST}"));
    for (situation, line, expected) in [
        ("no master key", format!("lacre sign hash --key root.lsk {DIGEST}"), "LACRE_MASTER_KEY is not set"),
        (
            "another master key",
            format!("lacre sign hash --key root.lsk --master-key other.key {DIGEST}"),
            "sealed under the master key",
        ),
    ] {
        let (text, status) = folder.run(&line);
        assert!(status == Some(5) && text.contains(expected), "{situation}: {text}");
    }
}

#[test]
#[ignore = "needs SoftHSM (Debian package softhsm2)"]
fn keys_in_a_token() {
    let module = "/usr/lib/softhsm/libsofthsm2.so";
    assert!(Path::new(module).exists(), "SoftHSM is not installed (Debian package softhsm2)");
    let folder = Folder::new("issue-token");
    let settings = format!("directories.tokendir = {}\n", folder.0.display());
    std::fs::write(folder.0.join("softhsm2.conf"), settings).expect("written");
    folder.ok("softhsm2-util --init-token --free --label lacre --pin 271828 --so-pin 31415926");
    secret(&folder, "pin", "271828\n");
    let key = |label: &str| format!("--pkcs11 {module}/lacre/{label} --pin-file pin");
    let root = format!("lacre issue root {COMPANY} --common-name Root --new-key ecdsa-p384 {AT}");
    folder.ok(&format!("{root} {} -o root.der", key("root")));
    let (text, status) = folder.run(&format!("{root} {} -o again.der", key("root")));
    assert!(status == Some(5) && text.contains("has a key of this label already"), "{text}");

    let user = "lacre issue user --country PT --given-name Ana --surname Silva --serial-number PASPT-1";
    let issuer = format!("--issuer root.der --issuer-pkcs11 {module}/lacre/root");
    folder.ok(&format!("{user} {issuer} --new-key rsa-3072 {} {AT} -o ana.der", key("ana")));
    folder.ok("openssl x509 -inform DER -in root.der -out root.pem");
    folder.ok("openssl x509 -inform DER -in ana.der -out ana.pem");
    folder.ok("openssl verify -attime 1800000000 -CAfile root.pem ana.pem");

    std::fs::write(folder.0.join("text"), b"text").expect("written");
    folder.ok("openssl x509 -inform DER -in ana.der -noout -pubkey -out ana.pub");
    for (options, verified) in [("", ""), (" --pss", " -sigopt rsa_padding_mode:pss")] {
        let value = folder.ok(&format!("lacre sign hash {DIGEST} {}{options}", key("ana")));
        std::fs::write(folder.0.join("value"), BASE64_STANDARD.decode(value.trim()).expect("Base64")).expect("written");
        let line = format!("openssl dgst -sha256 -verify ana.pub{verified} -signature value text");
        assert!(folder.ok(&line).contains("Verified OK"), "{options}");
    }
    for options in ["", "--pss --digest SHA512 --overwrite"] {
        folder.ok(&format!("lacre sign text --certificate ana.der {} {AT} {options}", key("ana")));
        let line =
            "openssl cms -verify -cades -inform DER -in text.p7m -CAfile root.pem -purpose any -attime 1800000000";
        assert!(folder.ok(line).contains("CAdES Verification successful"), "{options}");
    }
    let (text, status) = folder.run(&format!("lacre sign hash {DIGEST} {}", key("nobody")));
    assert!(status == Some(5) && text.contains("has 0 private keys labelled \"nobody\""), "{text}");
    secret(&folder, "pin", "161803\n");
    let (text, status) = folder.run(&format!("lacre sign hash {DIGEST} {}", key("ana")));
    assert!(status == Some(5) && text.contains("PinIncorrect") && !text.contains("161803"), "{text}");
}
