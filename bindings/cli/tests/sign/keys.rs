//! Keys in files of others, of each kind, and elsewhere.

use super::folder::secret;
use super::*;

#[test]
fn in_two_steps_by_a_key_that_is_elsewhere() {
    let folder = world("steps");
    for (file, options, output) in [
        ("letter.txt", "--detached", "letter.txt.p7s"),
        ("letter.txt", "", "letter.txt.p7m"),
        ("report.pdf", "--reason Agreed --level t", "report.signed.pdf"),
    ] {
        let prepare =
            |state: &str| format!("lacre sign {file} {options} --prepare {state} --certificate ana.der {SIGNED}");
        let told = folder.ok(&prepare("one"));
        assert!(told.contains("lacre: note: the digest to be signed, with SHA256withECDSA:"), "{told}");
        folder.ok(&prepare("two"));
        assert_eq!(folder.read("one"), folder.read("two"), "the same input, the same bytes");

        let digest = told.lines().find(|line| !line.starts_with("lacre:")).expect("a digest");
        folder.ok(&format!("lacre sign hash --key ana.key {digest} -o value"));
        let raise = if options.contains("--level t") { format!(" --level t {UNIT} {SIGNED}") } else { String::new() };
        let finish = format!("lacre sign {file} --finish one --value");
        folder.ok(&format!("{finish} value{raise}"));
        let content = if output.ends_with("p7s") { " --content letter.txt" } else { "" };
        judged(&folder, output, &format!("{LATER}{content} --evidence root.crl"));

        let before = folder.files();
        folder.write("other", &[7; 64]);
        folder.write("half", &[7; 5]);
        let state = String::from_utf8(folder.read("one")).expect("JSON");
        folder.write("tampered", state.replacen("\"length\":", "\"length\":1", 1).as_bytes());
        folder.write("future", state.replacen("\"version\":1", "\"version\":9", 1).as_bytes());
        folder.write("changed", &[&folder.read(file)[..], b" "].concat());
        for (situation, line, code) in [
            ("another value", format!("{finish} other -o x"), "value-does-not-verify"),
            ("no value", format!("{finish} half -o x"), "value-form"),
            (
                "a state that was changed",
                format!("lacre sign {file} --finish tampered --value value -o x"),
                "state-tampered",
            ),
            (
                "another version",
                format!("lacre sign {file} --finish future --value value -o x"),
                "state-of-other-version",
            ),
            ("no state", format!("lacre sign {file} --finish letter.txt --value value -o x"), "state-unreadable"),
            ("another file", "lacre sign changed --finish one --value value -o x".into(), "content-differs"),
        ] {
            let (told, status) = folder.run(&line);
            assert!(status == Some(5) || status == Some(1), "{situation}: {told}");
            assert!(told.contains(&format!("[{code}]")), "{situation}: {told}");
            assert!(!folder.path("x").exists(), "{situation}");
        }
        ["other", "half", "tampered", "future", "changed"]
            .iter()
            .for_each(|name| std::fs::remove_file(folder.path(name)).expect("it is ours"));
        assert_eq!(folder.files(), before, "errors leave nothing");
        ["one", "two", "value"].iter().for_each(|name| std::fs::remove_file(folder.path(name)).expect("it is ours"));
    }
}

#[test]
fn keys_in_files_of_others() {
    let folder = world("keys");
    secret(&folder, "password", "open sesame\n");
    secret(&folder, "wrong", "open cumin\n");
    folder.ok("openssl x509 -inform DER -in ana.der -out ana.pem");
    folder.ok("openssl x509 -inform DER -in root.der -out root.pem");
    folder.ok("openssl pkey -inform DER -in ana.key -out ana.key.pem");
    let identity = "-inkey ana.key.pem -in ana.pem -certfile root.pem -name ana -passout file:password";
    folder.ok(&format!("openssl pkcs12 -export {identity} -out ana.p12"));
    folder.ok("openssl pkcs8 -topk8 -in ana.key.pem -passout file:password -out ana.sealed.pem");
    let pem = "--certificate ana.pem --chain root.pem";
    for (situation, key) in [
        ("PKCS#12", "--pkcs12 ana.p12 --key-password-file password".to_owned()),
        ("PKCS#12, by name", "--pkcs12 ana.p12 --alias ana --key-password-file password".to_owned()),
        ("encrypted PKCS#8", format!("--key ana.sealed.pem --key-password-file password {pem}")),
        ("PEM", format!("--key ana.key.pem {pem}")),
    ] {
        folder.ok(&format!("lacre sign letter.txt {key} {SIGNED} --overwrite"));
        judged(&folder, "letter.txt.p7m", &format!("{LATER} --evidence root.crl"));
        assert!(!situation.is_empty());
    }
    let before = folder.files();
    for (situation, key, expected) in [
        ("a wrong password", "--pkcs12 ana.p12 --key-password-file wrong", "--key-password-file"),
        ("no password", "--key ana.sealed.pem --certificate ana.pem", "--key-password-file"),
        ("another name", "--pkcs12 ana.p12 --alias eva --key-password-file password", "--alias"),
        ("another's key", "--key root.key --certificate ana.der", "[certificate-key-mismatch]"),
        ("no key", "--key letter.txt --certificate ana.der", "expected a PKCS#8 private key"),
        ("no certificate", "--key ana.key --certificate letter.txt", "letter.txt: "),
    ] {
        let (told, status) = folder.run(&format!("lacre sign letter.txt {key} {SIGNED} -o x"));
        assert!(status == Some(5) && told.contains(expected), "{situation}: {status:?} {told}");
        assert!(!told.contains("sesame") && !told.contains("cumin"), "{situation}: {told}");
    }
    assert_eq!(folder.files(), before, "errors leave nothing");
}

#[test]
fn keys_of_each_kind() {
    let folder = world("kinds");
    let by = "--issuer root.der --issuer-key root.key";
    for (kind, options, digest) in [
        ("ecdsa-p384", "", "SHA384"),
        ("ecdsa-p521", "", "SHA512"),
        ("rsa-3072", "", "SHA256"),
        ("rsa-3072", "--pss --digest SHA512", "SHA512"),
    ] {
        let name = format!("{kind}{}", options.len());
        let user = format!("--country PT --given-name Eva --surname {name} --serial-number PASPT-2");
        folder.ok(&format!("lacre issue user {by} {user} --key {name}.key --new-key {kind} {ISSUED} -o {name}.der"));
        let line = format!(
            "lacre sign letter.txt report.pdf --key {name}.key --certificate {name}.der {options} {SIGNED} --overwrite"
        );
        folder.ok(&line);
        for file in ["letter.txt.p7m", "report.signed.pdf"] {
            let report = judged(&folder, file, &format!("{LATER} --evidence root.crl"));
            assert!(report.to_string().contains(&digest[3..]), "{kind}: {report}");
        }
    }
}
