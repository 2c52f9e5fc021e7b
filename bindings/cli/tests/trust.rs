//! Trust on the command line: every command of docs/trust.md, and "nobody could be trusted" told apart.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CACHE: &str = "target/corpus/dss/dss-cookbook/src/test/resources/signature-pool/cache";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lacre(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacre"));
    command.args(arguments).current_dir(folder).output().expect("the command was built")
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// A folder with what the page's commands name: the lists of October 2023, but for the large ones.
fn folder() -> Option<tempfile::TempDir> {
    let cache = root().join(CACHE);
    if !cache.exists() {
        eprintln!("SKIPPED: {} is not there", cache.display());
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(folder.path().join("lists")).expect("a folder can be made");
    for entry in std::fs::read_dir(cache).expect("it is there").flatten() {
        if entry.metadata().is_ok_and(|file| file.len() < 500_000) {
            std::fs::copy(entry.path(), folder.path().join("lists").join(entry.file_name())).expect("it can be copied");
        }
    }
    for name in ["contract.pdf", "root.der"] {
        std::fs::copy(root().join("examples/documents").join(name), folder.path().join(name)).expect("it is there");
    }
    Some(folder)
}

/// The lines of the page's `sh` blocks.
fn commands() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/trust.md")).expect("the page is there");
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn every_command_of_the_page_runs() {
    let Some(folder) = folder() else { return };
    let at = folder.path();
    let commands = commands();
    assert!(commands.len() >= 9, "{commands:?}");
    for line in &commands {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (done, expected): (Output, &[i32]) = match words[..] {
            // What fetches is run against servers of the loopback address by its own tests.
            ["lacre", "lists", "update", ..] => continue,
            // With a stranger's certificate nobody can be trusted.
            ["lacre", "validate", .., "signer.pem"] => (lacre(at, &words[1..]), &[5]),
            ["lacre", "validate", ..] => (lacre(at, &words[1..]), &[0, 1, 3]),
            ["lacre", ..] => (lacre(at, &words[1..]), &[0]),
            _ => {
                let Ok(done) = Command::new("sh").args(["-c", line]).current_dir(at).output() else { continue };
                (done, &[0, 127])
            }
        };
        let told = format!("{line}\n{}{}", text(&done.stdout), text(&done.stderr));
        assert!(done.status.code().is_some_and(|status| expected.contains(&status)), "{told}");
        if words[..] == ["lacre", "lists", "show", "lists/"] {
            assert!(told.contains("EU   list of lists 332") && told.contains("EE   trusted list 62"), "{told}");
            // Some certificate: whoever signed the lists of then is not built in, but found from what is.
            std::fs::copy(at.join("root.der"), at.join("signer.pem")).expect("it can be copied");
        }
        if line.contains("-o trust.lacre") {
            std::fs::copy(at.join("trust.lacre"), at.join("trust-2023-10.lacre")).expect("it was packed");
        }
    }
}

#[test]
fn that_nobody_could_be_trusted_is_told_apart() {
    let empty = tempfile::tempdir().expect("a folder can be made");
    let page = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(page.path().join("TL.xml"), "<html><body>Not found</body></html>").expect("it can be written");
    let (empty, page) = (empty.path().to_string_lossy(), page.path().to_string_lossy());
    let documents = root().join("examples/documents");
    let lists = |folder| vec!["--trusted-lists", folder];
    for (situation, trust, state, status, told) in [
        ("nothing is loaded", vec![], "nobody", 5, "no trusted list is loaded"),
        ("an empty folder", lists(&*empty), "no-usable-list", 5, "none of the trusted lists"),
        ("a page saved as a list", lists(&*page), "no-usable-list", 5, "none of the trusted lists"),
        ("another certificate", vec!["--trust-anchor", "other-root.der"], "anchors", 3, ""),
        ("the right certificate", vec!["--trust-anchor", "root.der"], "anchors", 0, ""),
    ] {
        if trust.last() == Some(&"other-root.der") && !documents.join("other-root.der").exists() {
            continue;
        }
        let plain = ["validate", "contract.pdf", "--at", "2027-01-01", "--format", "json"];
        let done = lacre(&documents, &[&plain[..], &trust].concat());
        assert_eq!(done.status.code(), Some(status), "{situation}: {}", text(&done.stderr));
        assert!(text(&done.stdout).contains(&format!(r#""trust":{{"state":"{state}""#)), "{situation}");
        assert!(text(&done.stderr).contains(told), "{situation}: {}", text(&done.stderr));
    }
    let shown = lacre(&documents, &["lists", "show", &page]);
    assert_eq!(shown.status.code(), Some(5), "a folder without a list is no healthy one");
    assert!(text(&shown.stdout).contains("unreadable"), "{}", text(&shown.stdout));
}
