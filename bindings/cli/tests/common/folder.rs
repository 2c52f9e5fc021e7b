//! A folder of a test, in which commands are run as their users type them.

use super::common;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    /// Runs a command line, its words apart by blanks; what it prints, and its exit status.
    pub fn run(&self, line: &str) -> (String, Option<i32>) {
        let mut words = line.split_ascii_whitespace();
        let mut command = match words.next() {
            Some("lacre") => common::lacre(),
            other => Command::new(other.unwrap_or_default()),
        };
        command.env("SOFTHSM2_CONF", self.0.join("softhsm2.conf"));
        let done = command.args(words).current_dir(&self.0).output();
        let done = done.unwrap_or_else(|e| panic!("{line}: the program is installed: {e}"));
        let text = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        (text, done.status.code())
    }

    pub fn ok(&self, line: &str) -> String {
        let (text, status) = self.run(line);
        assert_eq!(status, Some(0), "{line}\n{text}");
        text
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("the folder is ours");
    }
}

/// A file that only its owner can read.
pub fn secret(folder: &Folder, name: &str, text: &str) {
    folder.write(name, text.as_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o600)).expect("the file is ours");
    }
}
