//! The README's lines, run as written.

use crate::support::server::{ROOT, Server};
use std::path::Path;
use std::process::Command;

#[test]
fn the_three_lines() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let lines: Vec<_> = readme.lines().filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 3, "certificate, PDF report, XML report");
    let (server, token) = Server::demo(&[]);
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), folder.path().join("examples")).unwrap();
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
