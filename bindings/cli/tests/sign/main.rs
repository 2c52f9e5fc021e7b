//! `lacre sign`, `lacre extend`, `lacre timestamp`, as their users type them, without a network.

#[path = "../common/mod.rs"]
mod common;
mod fields;
#[path = "../common/folder.rs"]
mod folder;
mod forms;
mod keys;
mod levels;
mod network;
mod outputs;
mod refused;
mod remote;

use folder::Folder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
        let named = |(path, bytes): (PathBuf, Vec<u8>)| {
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

impl Folder {
    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// All files in it, with their bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the folder is ours") {
                let path = entry.expect("the folder is ours").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => _ = found.insert(path.clone(), std::fs::read(&path).expect("the file is ours")),
                }
            }
        }
        found
    }
}
