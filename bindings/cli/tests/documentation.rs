//! The documentation keeps its word: the commands of its pages do what they show, every link leads somewhere, the site has
//! every page, and the table of dependencies every dependency.

mod common;

use lacre_testkit::pages;
use lacre_testkit::published::Published;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A folder with the example documents, and the trusted lists of a test, in which their root is listed, as `trust.lacre`.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder can be made"));
        for entry in fs::read_dir(root().join("examples/documents")).expect("the examples") {
            let path = entry.expect("the examples").path();
            fs::copy(&path, folder.0.path().join(path.file_name().expect("it has a name"))).expect("it can be copied");
        }
        folder.pack_lists();
        folder
    }

    fn pack_lists(&self) {
        let authority = fs::read(self.0.path().join("root.der")).expect("an example");
        let published = Published::new(&lacre_core::x509::Certificate::from_der(&authority).expect("a certificate"));
        fs::write(self.0.path().join("signer.der"), published.signer.certificate.der()).expect("the folder is ours");
        let options = published.options().join(" ");
        for line in [
            format!("lists update lists --lotl-signer signer.der {options}"),
            "lists pack lists --lotl-signer signer.der -o trust.lacre".into(),
        ] {
            let done = common::lacre().args(line.split(' ')).current_dir(self.0.path()).output();
            let done = done.expect("the command was built");
            assert!(done.status.success(), "{line}\n{}", String::from_utf8_lossy(&done.stderr));
        }
    }

    /// Runs the commands of a page.
    fn run(&self, page: &str) {
        let programs = Path::new(env!("CARGO_BIN_EXE_lacre")).parent().expect("a folder").display().to_string();
        let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
        pages::run(page, &read(page), self.0.path(), |command: &mut Command| {
            common::without_settings(command);
            command.env("PATH", &path).env("HOME", self.0.path());
        });
    }
}

/// Pages of tasks whose commands are run elsewhere: those of the server by its own tests; and that of the npm package, which has none.
const ELSEWHERE: [&str; 2] = ["server.md", "sign-javascript.md"];

#[test]
fn the_commands_of_every_task_do_what_the_page_shows() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("docs/tasks")).expect("the tasks") {
        let name = entry.expect("the tasks").file_name().into_string().expect("UTF-8");
        if !ELSEWHERE.contains(&&*name) {
            Folder::new().run(&format!("docs/tasks/{name}"));
            count += 1;
        }
    }
    assert_eq!(count, 5, "one PDF, a folder, offline, sign, years later");
}

#[test]
fn the_commands_of_other_pages_do_what_they_show() {
    for page in ["docs/quick-start.md", "docs/indeterminate.md", "docs/qualified.md"] {
        Folder::new().run(page);
    }
}

#[test]
fn the_readme_shows_the_command_that_the_checks_run() {
    let line = "-- validate examples/documents/contract.pdf --trust-anchor examples/documents/root.der --at 2027-01-01T00:00:00Z";
    for path in ["README.md", ".ci/run"] {
        assert!(read(path).lines().any(|one| one.starts_with("cargo run --release") && one.ends_with(line)), "{path}");
    }
    assert!(pages::commands(&read("README.md")).iter().all(|block| !block.is_run), "they are marked, or run here");
}

/// Every page of the tree, by its path.
fn all_pages() -> Vec<String> {
    let (root, mut found) = (root(), vec![]);
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the tree can be read") {
            let entry = entry.expect("the tree can be read");
            let (path, name) = (entry.path(), entry.file_name().into_string().expect("UTF-8"));
            let kind = entry.file_type().expect("the tree can be read");
            if kind.is_dir() && !["target", "node_modules", ".git"].contains(&&*name) {
                folders.push(path);
            } else if kind.is_file() && name.ends_with(".md") {
                found.push(path.strip_prefix(&root).expect("below it").to_str().expect("UTF-8").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// What `.ci/site` puts into the site.
const MADE: [&str; 1] = ["docs/check/index.html"];

/// What is wrong with a link, if anything is.
fn defect(page: &str, target: &str) -> Option<&'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return (!target.starts_with("https://")).then_some("is not https");
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let beside = Path::new(page).parent().expect("a page is in a folder");
    let path = if path.is_empty() { PathBuf::from(page) } else { beside.join(path) };
    if MADE.iter().any(|made| path == Path::new(made)) {
        return None;
    }
    if !root().join(&path).exists() {
        return Some("leads to nothing");
    }
    let anchor = anchor.filter(|_| path.extension().is_some_and(|extension| extension == "md"))?;
    (!pages::anchors(&read(&path)).iter().any(|one| one == anchor)).then_some("names no heading")
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = vec![];
    for page in all_pages() {
        for (line, target) in pages::links(&read(&page)) {
            broken.extend(defect(&page, &target).map(|why| format!("{page}:{line}: {target} {why}")));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert_eq!(defect("docs/trust.md", "nothing.md"), Some("leads to nothing"));
    assert_eq!(defect("docs/trust.md", "command.md#nothing"), Some("names no heading"));
    assert_eq!(defect("docs/trust.md", "http://example.com/"), Some("is not https"));
}

#[test]
fn the_site_has_every_page() {
    let summary = read("docs/SUMMARY.md");
    let listed: BTreeSet<_> = pages::links(&summary).into_iter().map(|(_, target)| format!("docs/{target}")).collect();
    let there = all_pages().into_iter().filter(|page| page.starts_with("docs/"));
    let missing: Vec<_> = there.filter(|page| page != "docs/SUMMARY.md" && !listed.contains(page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// The manifests of the crates.
const MANIFESTS: [&str; 13] = [
    "Cargo.toml",
    "src/core/Cargo.toml",
    "bindings/c/Cargo.toml",
    "bindings/cli/Cargo.toml",
    "bindings/json/Cargo.toml",
    "bindings/fetch/Cargo.toml",
    "bindings/go/module/Cargo.toml",
    "bindings/keys/Cargo.toml",
    "bindings/map/Cargo.toml",
    "bindings/python/Cargo.toml",
    "bindings/wasm/Cargo.toml",
    "examples/server/Cargo.toml",
    "tests/testkit/Cargo.toml",
];

/// The names of the crates on which a manifest depends, those of the tree left out.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut is_inside = false;
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_inside = section.trim_end_matches(']').ends_with("dependencies");
        } else if is_inside && !line.contains("path =") && !line.starts_with(['#', ' ']) {
            found.extend(line.split_once(['=', '.']).map(|(name, _)| name.trim()));
        }
    }
    found
}

#[test]
fn the_table_of_dependencies_is_whole() {
    let page = read("docs/dependencies.md");
    let rows: BTreeSet<_> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect();
    let manifests: Vec<_> = MANIFESTS.iter().map(read).collect();
    let used: BTreeSet<_> = manifests.iter().flat_map(|manifest| dependencies(manifest)).collect();
    assert!(used.contains("der") && used.contains("clap") && used.contains("graviola"), "they are found: {used:?}");
    assert_eq!(rows.difference(&used).collect::<Vec<_>>(), Vec::<&&str>::new(), "rows without a dependency");
    assert_eq!(used.difference(&rows).collect::<Vec<_>>(), Vec::<&&str>::new(), "dependencies without a row");
}

#[test]
fn pre_releases_are_named() {
    let [table, deny] = ["docs/dependencies.md", "deny.toml"].map(read);
    for manifest in MANIFESTS.map(read) {
        for line in manifest.lines().filter(|line| line.contains("-rc.") || line.contains("-pre.")) {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            assert!(table.contains(&format!("`{name}` is a pre-release")), "{name}: docs/dependencies.md");
            assert!(deny.contains(&format!("{name} is a pre-release")), "{name}: deny.toml");
        }
    }
}

#[test]
fn nothing_that_is_packed_points_at_a_place_that_does_not_exist() {
    let others = ["pkg/package.json", "docs/report.schema.json", "docs/certificate.schema.json"];
    for path in MANIFESTS.iter().chain(&others) {
        assert!(!read(path).contains("example.invalid"), "{path}");
    }
}
