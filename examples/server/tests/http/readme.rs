//! The lines of the README and of the task's page, run as written.

use crate::support::server::{ROOT, Server};
use lacre_testkit::pages;
use std::path::Path;
use std::process::Command;

fn page(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).expect("the page")
}

/// A folder that looks like the top of a clone, as far as the lines look.
fn top_of_a_clone() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), folder.path().join("examples")).expect("it is ours");
    folder
}

#[test]
fn the_three_lines() {
    let readme = page("README.md");
    let lines: Vec<_> = readme.lines().filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 3, "certificate, PDF report, XML report");
    let (server, token) = Server::demo(&[]);
    let folder = top_of_a_clone();
    let mut said = vec![];
    for line in lines {
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", line]).current_dir(folder.path());
        let done = shell.env("SERVER", server.url("")).env("TOKEN", &token).output();
        let done = done.expect("bash is installed");
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
        said.push(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    assert!(said[0].contains("certificateBytes"), "{}", said[0]);
    assert!(std::fs::read(folder.path().join("report.pdf")).unwrap().starts_with(b"%PDF-"));
    assert!(said[2].contains("total-passed"), "{}", said[2]);
}

#[test]
fn the_commands_of_the_task_do_what_the_page_shows() {
    let (server, token) = Server::demo(&[]);
    let name = "docs/tasks/server.md";
    pages::run(name, &page(name), top_of_a_clone().path(), |shell| {
        shell.env("SERVER", server.url("")).env("TOKEN", &token);
    });
}
