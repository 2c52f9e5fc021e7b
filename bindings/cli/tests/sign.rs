//! `lacre sign`, `lacre extend`, `lacre timestamp`, as their users type them, without a network.

mod common;
#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, secret};
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;

const COMPANY: &str = "--country EE --organization Example --organization-identifier NTREE-12345678";
const ISSUED: &str = "--at 2027-01-01T00:00:00Z";
const SIGNED: &str = "--at 2027-02-01T12:00:00Z";
/// The list of that hour: what is signed then is proven by it.
const LATER: &str = "--at 2027-02-01T12:10:00Z";
const ANA: &str = "--key ana.key --certificate ana.der";
const UNIT: &str = "--tsa-key tsu.key --tsa-certificate tsu.der";
const TRUST: &str = "--trust-anchor root.der --evidence root.crl";

/// A folder with a root, a person, a time-stamping unit, a revocation list of the hour, and files to be signed.
fn world(name: &str) -> Folder {
    static ISSUED_ONCE: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    let all = ISSUED_ONCE.get_or_init(|| {
        let folder = Folder::new(&format!("sign-issued-{name}"));
        let root = format!("--common-name Root --key root.key --new-key ecdsa-p384 {ISSUED} -o root.der");
        folder.ok(&format!("lacre issue root {COMPANY} {root}"));
        let by = "--issuer root.der --issuer-key root.key";
        let person = "--country PT --given-name Ana --surname Silva --serial-number PASPT-1";
        folder.ok(&format!("lacre issue user {by} {person} --key ana.key --new-key ecdsa-p256 {ISSUED} -o ana.der"));
        let unit = "--profile timestamp-unit --common-name Stamps --days 7000";
        folder.ok(&format!(
            "lacre issue user {by} {COMPANY} {unit} --key tsu.key --new-key ecdsa-p256 {ISSUED} -o tsu.der"
        ));
        folder.ok(&format!("lacre issue crl {by} --number 1 {SIGNED} -o root.crl"));
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
        for (from, to) in [("letter.txt", "letter.txt"), ("not-signed.pdf", "report.pdf"), ("contract.pdf", "old.pdf")]
        {
            folder.write(to, &std::fs::read(examples.join(from)).expect("an example"));
        }
        let named = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
            (path.file_name().expect("it has one").to_string_lossy().into_owned(), bytes)
        };
        folder.files().into_iter().map(named).collect()
    });
    let folder = Folder::new(&format!("sign-{name}"));
    all.iter().for_each(|(name, bytes)| folder.write(name, bytes));
    folder
}

/// What is said of a signed file.
fn judged(folder: &Folder, file: &str, options: &str) -> Value {
    let line = format!("lacre validate {file} {options} --trust-anchor root.der --format json");
    let (text, status) = folder.run(&line);
    assert_eq!(status, Some(0), "{line}: {text}");
    let line = text.lines().find(|line| line.starts_with('{')).expect("a report");
    serde_json::from_str(line).expect("a report")
}

fn levels(report: &Value) -> Vec<&str> {
    let signatures = report["signatures"].as_array().expect("signatures");
    signatures.iter().map(|signature| signature["level"].as_str().expect("a level")).collect()
}

#[test]
fn each_level_of_each_form_is_what_lacre_validates() {
    let folder = world("levels");
    for (form, file, options, output, content) in [
        ("CAdES", "letter.txt", "", "letter.txt.p7m", ""),
        ("CAdES", "letter.txt", "--detached", "letter.txt.p7s", " --content letter.txt"),
        ("CAdES", "report.pdf", "--format cades", "report.pdf.p7m", ""),
        ("PAdES", "report.pdf", "", "report.signed.pdf", ""),
    ] {
        for level in ["b", "t", "lt", "lta"] {
            let expected = format!("{form}-BASELINE-{}", level.to_uppercase());
            let line = format!("lacre sign {file} {options} {ANA} {UNIT} {TRUST} --level {level} {SIGNED}");
            let told = folder.ok(&line.replace("  ", " "));
            assert_eq!(told, format!("{expected:<18}  {file} -> {output}\n"), "EN 319 122-1 6, EN 319 142-1 6");
            // The evidence of level LT is inside.
            let evidence = if level.starts_with('l') { "" } else { " --evidence root.crl" };
            let report = judged(&folder, output, &format!("{LATER}{content}{evidence}"));
            assert_eq!(levels(&report), [&expected], "{output}");
            std::fs::remove_file(folder.path(output)).expect("it is ours");
        }
    }
}

#[test]
fn a_signature_is_extended_step_by_step_and_renewed_years_later() {
    let folder = world("extended");
    let by = "--issuer root.der --issuer-key root.key";
    for (file, form, name) in [("letter.txt", "CAdES", "letter.txt"), ("report.pdf", "PAdES", "report")] {
        folder.ok(&format!("lacre sign {file} {ANA} {SIGNED} -o {name}.b"));
        let mut before = "b";
        for (level, at) in [("t", SIGNED), ("lt", SIGNED), ("lta", LATER)] {
            let told = folder
                .ok(&format!("lacre extend {name}.{before} --level {level} {UNIT} {TRUST} {at} -o {name}.{level}"));
            assert!(told.starts_with(&format!("{form}-BASELINE-{}", level.to_uppercase())), "{told}");
            before = level;
        }
        // Ten years on; the signer's certificate has ended long ago.
        let at = "--at 2037-02-01T12:00:00Z";
        folder.ok(&format!("lacre issue crl {by} --number 2 {at} -o root.crl"));
        folder.ok(&format!("lacre extend {name}.lta {UNIT} {TRUST} {at} -o {name}.lta2"));
        let report = judged(&folder, &format!("{name}.lta2"), "--at 2037-02-02T12:00:00Z");
        assert_eq!(levels(&report), [format!("{form}-BASELINE-LTA")]);
        let (told, status) = folder.run(&format!("lacre extend {name}.lta --level lt {UNIT} {TRUST} {at}"));
        assert!(status == Some(0) && told.contains("UNCHANGED"), "nothing is to be done: {told}");
        folder.ok(&format!("lacre issue crl {by} --number 1 {SIGNED} -o root.crl"));
    }
}

#[test]
fn many_files_have_a_line_each_and_totals() {
    let folder = world("many");
    let files = "letter.txt report.pdf missing.pdf";
    let (told, status) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out"));
    let expected = "CAdES-BASELINE-B    letter.txt -> out/letter.txt.p7m\n\
                    PAdES-BASELINE-B    report.pdf -> out/report.signed.pdf\n\
                    ERROR               missing.pdf\n\
                    3 files: 2 written, 1 ERROR\n";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("lacre: error: missing.pdf: "), "{told}");
    assert_eq!(status, Some(5));

    let (told, _) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out --json"));
    let objects: Vec<Value> =
        told.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).expect(line)).collect();
    let messages = objects.iter().map(|object| object["error"]["message"].as_str().unwrap_or_default());
    let there = messages.filter(|message| message.contains("there is a file of this name")).count();
    assert_eq!(there, 2, "what is there stays: {told}");
    assert_eq!(objects[3]["totals"]["error"], 3, "{told}");

    let (told, _) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out --json --overwrite"));
    let first: Value = serde_json::from_str(told.lines().next().expect("a line")).expect("an object");
    assert_eq!(first["path"], "letter.txt");
    assert_eq!((&first["level"], &first["output"]), (&"CAdES-BASELINE-B".into(), &"out/letter.txt.p7m".into()));
}

#[test]
fn a_signature_more_and_a_counter_signature() {
    let folder = world("parallel");
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED}"));
    let later = "--at 2027-02-01T12:05:00Z";
    let told = folder.ok(&format!("lacre sign letter.txt.p7m {ANA} {later} -o two.p7m --role Notary --place PT/Porto"));
    assert!(told.starts_with("CAdES-BASELINE-B"), "{told}");
    let report = judged(&folder, "two.p7m", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report).len(), 2, "RFC 5652 5.1: a file may have several signers");

    let id = report["signatures"][0]["id"].as_str().expect("an id");
    folder.ok(&format!("lacre sign two.p7m --counter {id} {ANA} {later} -o three.p7m"));
    let report = judged(&folder, "three.p7m", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report).len(), 3, "RFC 5652 11.4");

    // What is at a higher level is raised alone.
    folder.ok(&format!("lacre issue crl --issuer root.der --issuer-key root.key --number 2 {LATER} -o root.crl"));
    folder.ok(&format!("lacre sign letter.txt.p7m {ANA} {UNIT} {TRUST} {LATER} --level lta -o raised.p7m"));
    let report = judged(&folder, "raised.p7m", &format!("{LATER} --evidence root.crl"));
    let mut found = levels(&report);
    found.sort_unstable();
    assert_eq!(found, ["CAdES-BASELINE-B", "CAdES-BASELINE-LTA"], "the other signature stays what it was");

    // PEM is taken, and DER written.
    folder.ok("openssl cms -cmsout -inform DER -in letter.txt.p7m -outform PEM -out letter.pem");
    folder.ok(&format!("lacre sign letter.pem --parallel {ANA} {later} -o four.p7m"));
    assert_eq!(folder.read("four.p7m")[0], 0x30, "DER");

    // A file beside its signature.
    folder.ok(&format!("lacre sign letter.txt --detached {ANA} {SIGNED}"));
    folder.ok(&format!("lacre sign letter.txt.p7s --content letter.txt {ANA} {later} -o two.p7s"));
    let report = judged(&folder, "two.p7s", &format!("{LATER} --content letter.txt --evidence root.crl"));
    assert_eq!(levels(&report).len(), 2);
}

#[test]
fn in_two_steps_by_a_key_that_is_elsewhere() {
    let folder = world("steps");
    for (file, options, output) in [
        ("letter.txt", "--detached", "letter.txt.p7s"),
        ("letter.txt", "", "letter.txt.p7m"),
        ("report.pdf", "--reason Agreed --level t", "report.signed.pdf"),
    ] {
        let prepare = |state: &str| {
            format!("lacre sign {file} {options} --prepare {state} --certificate ana.der {SIGNED}").replace("  ", " ")
        };
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
    folder.ok("openssl pkcs12 -export -inkey ana.key.pem -in ana.pem -certfile root.pem -name ana -passout file:password -out ana.p12");
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
        folder.ok(&line.replace("  ", " "));
        for file in ["letter.txt.p7m", "report.signed.pdf"] {
            let report = judged(&folder, file, &format!("{LATER} --evidence root.crl"));
            assert!(report.to_string().contains(&digest[3..]), "{kind}: {report}");
        }
    }
}

#[test]
fn what_is_refused_leaves_everything_as_it_was() {
    let folder = world("refused");
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} --certify 1 -o certified.pdf"));
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED} -o signed.p7m"));
    folder.ok(&format!("lacre sign letter.txt {ANA} {UNIT} {SIGNED} --level t -o t.p7m"));
    let mut broken = folder.read("signed.p7m");
    let end = broken.len() - 9;
    broken[end] ^= 1;
    folder.write("broken.p7m", &broken);
    folder.write("cut.pdf", &folder.read("report.pdf")[..300]);
    folder.write("there.pdf", b"something of the user's");
    folder.write("page.html", b"<!DOCTYPE html><html></html>");
    let weak = "lacre issue user --issuer root.der --issuer-key root.key --country PT --given-name Eva --surname B";
    folder.ok(&format!("{weak} --serial-number 2 --key eva.key --new-key ecdsa-p256 --days 10 {ISSUED} -o eva.der"));
    folder
        .ok(&format!("lacre sign letter.txt --key eva.key --certificate eva.der --at 2027-01-05T00:00:00Z -o eva.p7m"));
    let serial = folder.ok("openssl x509 -inform DER -in ana.der -noout -serial");
    let serial = serial.trim().trim_start_matches("serial=");
    let by = "--issuer root.der --issuer-key root.key";
    folder.ok(&format!(
        "lacre issue crl {by} --number 3 --revoked {serial}=2027-01-02T00:00:00Z,keyCompromise {SIGNED} -o revoked.crl"
    ));
    folder.ok(&format!("lacre issue crl {by} --number 1 --at 2027-01-30T00:00:00Z -o old.crl"));

    let sign = |rest: &str| format!("lacre sign {rest} {ANA} {SIGNED}");
    let extend = |rest: &str| format!("lacre extend {rest} {UNIT} {SIGNED} --trust-anchor root.der");
    let rows: Vec<(&str, String, i32, &str)> = vec![
        ("no file", sign("missing.txt"), 5, "missing.txt: "),
        ("a name that is taken", sign("report.pdf -o there.pdf"), 5, "--overwrite"),
        ("over the original", sign("report.pdf -o report.pdf --overwrite"), 5, "--in-place"),
        ("in place of another kind", sign("letter.txt --in-place"), 5, "another kind"),
        ("several files into one", sign("report.pdf letter.txt -o x"), 5, "--output-dir"),
        ("no authority", sign("letter.txt --level t"), 5, "--tsa-key"),
        ("a damaged PDF", sign("cut.pdf"), 5, "[pdf-needs-repair]"),
        ("another format", sign("letter.txt --format pades"), 5, "found no PDF"),
        ("no signature to add to", sign("letter.txt --parallel"), 5, "found no CAdES signature"),
        ("a signature that is not there", sign("signed.p7m --counter S-1"), 4, "[signature-not-found]"),
        ("ISO 32000-1 12.8.2.2: certified, P 1", sign("certified.pdf"), 1, "[certified-no-changes]"),
        ("a second certification", sign("old.pdf --certify 2"), 1, "[certification-not-first]"),
        ("no such field", sign("report.pdf --field Nobody"), 5, "[field-not-found]"),
        ("no such page", sign("report.pdf --page 9"), 5, "[field-outside-page]"),
        ("outside of the page", sign("report.pdf --box 5000,5000,10,10"), 5, "[field-outside-page]"),
        (
            "EN 319 142-1 6.3: reason and commitment",
            sign("report.pdf --reason x --commitment approval"),
            5,
            "[parameters-conflict]",
        ),
        ("a reason in CAdES", sign("letter.txt --reason x"), 5, "[parameter-not-in-format]"),
        ("no country", sign("letter.txt --place Portugal"), 5, "[parameter-invalid]"),
        ("no picture", sign("report.pdf --box 10,10,90,40 --picture letter.txt"), 5, "[picture-unreadable]"),
        ("a policy without digest", sign("letter.txt --policy-id 1.2.3"), 5, "[parameter-invalid]"),
        ("TS 119 312: SHA-1", sign("letter.txt --digest SHA1"), 1, "[algorithm-not-allowed]"),
        (
            "RFC 5280 4.1.2.5: an ended certificate",
            "lacre sign letter.txt --key eva.key --certificate eva.der --at 2027-02-01T00:00:00Z".into(),
            1,
            "[certificate-outside-validity]",
        ),
        (
            "no revocation data",
            sign(&format!("letter.txt --level lt {UNIT} --trust-anchor root.der")),
            5,
            "[revocation-missing]",
        ),
        ("nobody trusted", sign(&format!("letter.txt --level lt {UNIT} --no-trusted-lists")), 5, "[chain-not-trusted]"),
        ("no signature", extend("letter.txt"), 5, "[document-unreadable]"),
        ("a web page", extend("page.html"), 4, "[not-extendable]"),
        ("a broken signature", extend("broken.p7m"), 1, "[signature-invalid]"),
        ("no revocation data", extend("t.p7m"), 5, "[revocation-missing]"),
        ("older than the time-stamp", extend("t.p7m --evidence old.crl"), 5, "[revocation-too-old]"),
        ("revoked before", extend("t.p7m --evidence revoked.crl"), 1, "[certificate-revoked]"),
        ("expired before any proof", extend("eva.p7m --level t"), 1, "[certificate-expired]"),
        ("another signature", extend("t.p7m --signature S-1"), 4, "[signature-not-found]"),
        ("no authority", format!("lacre extend signed.p7m {SIGNED} {TRUST}"), 5, "[tsa-unreachable]"),
        ("no authority", "lacre timestamp letter.txt".into(), 5, "--tsa-key"),
        (
            "a unit of another key",
            format!("lacre timestamp letter.txt --tsa-key ana.key --tsa-certificate tsu.der {SIGNED}"),
            5,
            "tsu.der: ",
        ),
    ];
    let before = folder.files();
    for (situation, line, status, expected) in rows {
        let (told, found) = folder.run(&line);
        assert_eq!(found, Some(status), "{situation}: {line}\n{told}");
        assert!(told.contains(expected), "{situation}: {line}\n{told}");
        assert!(folder.files() == before, "{situation}: {line}: the folder is as it was");
    }
}

#[test]
fn a_level_that_cannot_be_reached() {
    let folder = world("lower");
    let (told, status) = folder.run(&format!(
        "lacre sign letter.txt {ANA} {UNIT} {SIGNED} --trust-anchor root.der --level lta --accept-lower"
    ));
    assert_eq!(status, Some(3), "{told}");
    assert!(told.starts_with("CAdES-BASELINE-T    letter.txt -> letter.txt.p7m"), "{told}");
    assert!(told.contains("lacre: note: letter.txt: not extended: "), "{told}");
    folder.ok(&format!("lacre extend letter.txt.p7m {UNIT} {TRUST} {SIGNED} --in-place"));
    assert_eq!(levels(&judged(&folder, "letter.txt.p7m", LATER)), ["CAdES-BASELINE-LTA"]);
}

#[test]
fn in_place_only_where_told() {
    let folder = world("in-place");
    let original = folder.read("report.pdf");
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} --in-place"));
    let signed = folder.read("report.pdf");
    assert!(signed.starts_with(&original) && signed.len() > original.len(), "ISO 32000-1 7.5.6: it is appended to");
    folder.ok(&format!("lacre extend report.pdf {UNIT} {TRUST} {SIGNED} --in-place"));
    assert!(folder.read("report.pdf").starts_with(&signed));
    assert_eq!(levels(&judged(&folder, "report.pdf", LATER)), ["PAdES-BASELINE-LTA"]);
}

/// A limit of the size of files stands in for a disk that fills.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_changes_nothing() {
    use std::process::Command;
    let folder = world("full");
    let original: Vec<u8> = folder.read("letter.txt").repeat(2000);
    folder.write("long.txt", &original);
    folder.ok(&format!("lacre sign long.txt {ANA} {SIGNED} -o long.p7m"));
    let before = folder.files();
    for arguments in [
        format!("sign long.txt {ANA} {SIGNED}"),
        format!("sign long.p7m {ANA} --at 2027-02-01T12:05:00Z --in-place"),
        format!("extend long.p7m --level t {UNIT} {TRUST} {SIGNED} --in-place"),
    ] {
        // 16 blocks of 512 bytes, or of 1,024; the signal that comes with it is ignored, as on a full disk there is none.
        let script = format!("trap '' XFSZ; ulimit -f 16; exec {} {arguments}", env!("CARGO_BIN_EXE_lacre"));
        let mut command = Command::new("sh");
        common::without_settings(&mut command);
        let done = command.args(["-c", &script]).current_dir(&folder.0).output().expect("there is a shell");
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(5), "{arguments}: {told}");
        assert!(told.contains("too large"), "{arguments}: {told}");
        assert!(folder.files() == before, "{arguments}: nothing half-written");
    }
}

#[test]
fn time_stamps_over_files() {
    let folder = world("stamps");
    let told = folder.ok(&format!("lacre timestamp letter.txt report.pdf {UNIT} {TRUST} {SIGNED}"));
    assert!(told.contains("TIME-STAMP          letter.txt -> letter.txt.tst\n"), "{told}");
    assert!(told.contains("TIME-STAMP          report.pdf -> report.stamped.pdf\n"), "{told}");
    let report = folder.ok(&format!("lacre validate letter.txt.tst --content letter.txt {LATER} {TRUST}"));
    assert!(report.contains("TOTAL-PASSED") && report.contains("letter.txt (entire)"), "{report}");
    let report = folder.ok(&format!("lacre validate report.stamped.pdf {LATER} {TRUST}"));
    assert!(report.contains("TOTAL-PASSED"), "{report}");
    assert!(folder.read("report.stamped.pdf").starts_with(&folder.read("report.pdf")));

    folder.ok("openssl x509 -inform DER -in root.der -out root.pem");
    let verified = folder
        .ok("openssl ts -verify -data letter.txt -in letter.txt.tst -token_in -CAfile root.pem -attime 1801483200");
    assert!(verified.contains("Verification: OK"), "{verified}");

    let at = "--at 2037-02-01T12:00:00Z";
    folder.ok(&format!("lacre issue crl --issuer root.der --issuer-key root.key --number 2 {at} -o root.crl"));
    folder.ok(&format!("lacre timestamp report.stamped.pdf --renew {UNIT} {TRUST} {at}"));
    let renewed = folder.read("report.stamped.renewed.pdf");
    assert!(renewed.starts_with(&folder.read("report.stamped.pdf")));
}

#[test]
fn what_would_be_wanted_is_said_and_nothing_written() {
    let folder = world("dry");
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED}"));
    let before = folder.files();
    let dry = format!("lacre extend letter.txt.p7m --dry-run {SIGNED} --trust-anchor root.der");
    let told = folder.ok(&format!("{dry} --evidence root.crl"));
    assert!(told.starts_with("==> letter.txt.p7m <==\nCAdES-BASELINE-B    S-"), "{told}");
    assert!(told.ends_with("\n  time-stamps for LTA: 2\n"), "{told}");
    let (told, status) = folder.run(&format!("{dry} --json"));
    let object: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!(status, Some(5), "the status of doing it");
    assert_eq!(object["signatures"][0]["level"], "CAdES-BASELINE-B", "{object}");
    assert_eq!(object["signatures"][0]["error"]["code"], "revocation-missing", "{object}");
    assert!(folder.files() == before);
}

#[test]
fn a_signature_that_is_seen() {
    let folder = world("seen");
    let seen =
        "--box 50,50,200,60 --page 1 --field Approval --reason Agreed --location Porto --contact ana@example.com";
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} {seen}"));
    let report = judged(&folder, "report.signed.pdf", &format!("{LATER} --evidence root.crl"));
    let text = report.to_string();
    assert!(text.contains("Agreed") && text.contains("Porto"), "{text}");
    let signed = folder.read("report.signed.pdf");
    let has = |words: &[u8]| signed.windows(words.len()).any(|window| window == words);
    assert!(has(b"/AP") && has(b"(Approval)"), "ISO 32000-1 12.5.5");
    // Another one beside it, in the next free field.
    folder.ok(&format!(
        "lacre sign report.signed.pdf {ANA} --at 2027-02-01T12:05:00Z --text {{name}} --box 50,200,200,60"
    ));
    let report = judged(&folder, "report.signed.signed.pdf", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report), ["PAdES-BASELINE-B", "PAdES-BASELINE-B"]);
}
