//! The same input gives the same bytes: in every format, whatever the working folder, time zone and locale; and
//! again from an evidence bundle.

mod common;

use lacre_testkit::pki::{Entity, Key};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const FILES: [&str; 4] = ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf"];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents").canonicalize().expect("the examples")
}

/// A folder of its own for each test, below the one that cargo gives.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("cargo's folder can be written");
    folder
}

/// One way to run the command.
struct Setting {
    folder: PathBuf,
    zone: &'static str,
    locale: &'static str,
}

fn settings() -> [Setting; 2] {
    [
        Setting { folder: examples(), zone: "UTC", locale: "C" },
        Setting { folder: folder("elsewhere"), zone: "Pacific/Kiritimati", locale: "tr_TR.UTF-8" },
    ]
}

fn run(setting: &Setting, arguments: &[&str]) -> Output {
    let mut command = common::lacre();
    command.args(arguments).current_dir(&setting.folder);
    command.env("TZ", setting.zone).env("LANG", setting.locale).env("LC_ALL", setting.locale);
    command.output().expect("the command was built")
}

/// Arguments that are the same wherever the command runs.
fn trust() -> Vec<String> {
    let root = examples().join("root.der");
    ["--trust-anchor", &root.display().to_string(), "--at", "2027-01-01T00:00:00Z"].map(str::to_owned).to_vec()
}

/// The formats that this build writes, as its help lists them.
fn formats() -> Vec<String> {
    let help = run(&settings()[0], &["validate", "-h"]);
    let help = String::from_utf8_lossy(&help.stdout).replace('\n', " ");
    let (_, rest) = help.split_once("--format").expect("there is --format");
    let (_, rest) = rest.split_once("possible values:").expect("the help lists its values");
    let (list, _) = rest.split_once(']').expect("the list ends");
    list.split(',').map(|word| word.trim().to_owned()).collect()
}

#[test]
fn every_format_is_the_same_in_every_setting() {
    let formats = formats();
    assert!(["text", "json", "etsi"].iter().all(|known| formats.iter().any(|f| f == known)), "{formats:?}");
    let out = folder("formats");
    for format in &formats {
        for (file, language) in FILES.iter().zip(["en", "de", "et", "fr"]) {
            let mut written = vec![];
            for (at, setting) in settings().iter().chain(&settings()).enumerate() {
                let to = out.join(format!("{file}.{at}.{format}"));
                let (path, to) = (examples().join(file).display().to_string(), to.display().to_string());
                let mut arguments = vec!["validate", &path, "--format", format, "--language", language, "-o", &to];
                let trust = trust();
                arguments.extend(trust.iter().map(String::as_str));
                let done = run(setting, &arguments);
                written.push(fs::read(&to).unwrap_or_else(|e| panic!("{format}: {e}: {done:?}")));
            }
            assert!(!written[0].is_empty(), "{format}");
            assert!(written.iter().all(|one| *one == written[0]), "{file} as {format} differs from run to run");
        }
    }
}

/// Validates with a bundle; the report as JSON, and the bundle.
fn bundled(setting: &Setting, file: &str, name: &str) -> (Output, PathBuf) {
    let zip = folder("bundles").join(name);
    let (path, to) = (examples().join(file).display().to_string(), zip.display().to_string());
    let mut arguments = vec!["validate", &path, "--format", "json", "--language", "fi", "--bundle", &to];
    let trust = trust();
    arguments.extend(trust.iter().map(String::as_str));
    (run(setting, &arguments), zip)
}

#[test]
fn a_bundle_replays_to_the_same_bytes() {
    let settings = settings();
    for file in FILES {
        let (first, zip) = bundled(&settings[0], file, &format!("{file}.1.zip"));
        let (_, again) = bundled(&settings[1], file, &format!("{file}.2.zip"));
        assert_eq!(fs::read(&zip).expect("it was written"), fs::read(&again).expect("it was written"), "{file}");
        let (zip, path) = (zip.display().to_string(), examples().join(file).display().to_string());
        let replayed = run(&settings[1], &["replay", &zip, &path, "--format", "json"]);
        assert_eq!(replayed.stdout, first.stdout, "{file}");
        assert_eq!(replayed.status, first.status, "{file}: {}", String::from_utf8_lossy(&replayed.stderr));
        // Whose trust it is is said, and nothing else.
        let told = String::from_utf8_lossy(&replayed.stderr).into_owned();
        assert!(told.contains("those of the bundle's author") && told.lines().count() == 1, "{told}");

        // Without the document whoever wrote the bundle may have written any facts: the same words, and no pass.
        let unverified = run(&settings[1], &["replay", &zip, "--format", "json"]);
        assert_eq!(unverified.stdout, first.stdout, "{file}");
        assert!(String::from_utf8_lossy(&unverified.stderr).contains("were not verified again"), "{unverified:?}");
        let expected = if first.status.success() { Some(3) } else { first.status.code() };
        assert_eq!(unverified.status.code(), expected, "{file}");
    }
}

#[test]
fn a_changed_bundle_and_another_document_are_refused() {
    let setting = &settings()[0];
    let (_, zip) = bundled(setting, "contract.pdf", "changed.zip");
    let (path, other) = (zip.display().to_string(), examples().join("revoked.pdf").display().to_string());
    let refused = run(setting, &["replay", &path, &other]);
    assert_eq!(refused.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the document has the SHA-256"), "{refused:?}");

    let mut bytes = fs::read(&zip).expect("it was written");
    let facts = bytes.windows(6).position(|w| w == b"facts/").expect("the facts are in it");
    bytes[facts + 200] ^= 1;
    fs::write(&zip, &bytes).expect("cargo's folder can be written");
    let refused = run(setting, &["replay", &path]);
    assert_eq!(refused.status.code(), Some(5));
    assert!(refused.stdout.is_empty());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("the entry facts/") && told.contains("was changed"), "{told}");

    let two = ["validate", "contract.pdf", "revoked.pdf", "--bundle", &path];
    assert_eq!(run(setting, &two).status.code(), Some(5), "a bundle is of one file");
}

/// Whoever writes a bundle chooses its policy and what that is called.
#[test]
fn a_lenient_policy_is_told_whatever_its_name() {
    let setting = &settings()[0];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let policy = folder.join("lenient.xml");
    let text = "<ConstraintsParameters Name='eIDAS' xmlns='http://dss.esig.europa.eu/validation/policy'>\
                <Description>x</Description></ConstraintsParameters>";
    fs::write(&policy, text).expect("cargo's folder can be written");
    let (policy, zip) = (policy.display().to_string(), folder.join("lenient.zip").display().to_string());
    let path = examples().join("contract.pdf").display().to_string();
    let trust = trust();
    let mut arguments = vec!["validate", &path, "--policy", &policy, "--bundle", &zip];
    arguments.extend(trust.iter().map(String::as_str));
    assert_eq!(run(setting, &arguments).status.code(), Some(0), "the author's policy has no rules");
    let replayed = run(setting, &["replay", &zip, &path]);
    assert_eq!(replayed.status.code(), Some(3), "{replayed:?}");
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("policy of the bundle"), "{replayed:?}");
    let expected = run(setting, &["replay", &zip, &path, "--policy", &policy]);
    assert_eq!(expected.status.code(), Some(0), "{expected:?}");
}

/// Whoever writes a bundle chooses whom it trusts.
#[test]
fn who_is_expected_to_be_trusted() {
    let setting = &settings()[0];
    let (_, zip) = bundled(setting, "contract.pdf", "trusted.zip");
    let (zip, path) = (zip.display().to_string(), examples().join("contract.pdf").display().to_string());
    let author = examples().join("root.der").display().to_string();
    let honest = folder("bundles").join("honest.der").display().to_string();
    fs::write(&honest, Entity::root("Honest Root", Key::of("honest")).certificate)
        .expect("cargo's folder can be written");

    let expected = run(setting, &["replay", &zip, &path, "--trust-anchor", &author]);
    assert_eq!(expected.status.code(), Some(0), "{expected:?}");
    let told = String::from_utf8_lossy(&expected.stderr).into_owned();
    assert!(told.contains("the time is that of the bundle's author") && told.lines().count() == 1, "{told}");

    let other = run(setting, &["replay", &zip, &path, "--trust-anchor", &honest]);
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    assert!(String::from_utf8_lossy(&other.stderr).contains(".trust"), "{other:?}");

    let unread = run(setting, &["replay", &zip, "--trust-anchor", &author]);
    assert_eq!(unread.status.code(), Some(5), "{unread:?}");
    assert!(String::from_utf8_lossy(&unread.stderr).contains("the document was not given"), "{unread:?}");
}
