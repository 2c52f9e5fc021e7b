//! Files that are written whole or not at all.
//!
//! The bytes go to a new file in the folder of the target, and to the disk; only then is it renamed. Whatever goes
//! wrong before (a full disk, an error, the power), the target is what it was.

use crate::error::CliError;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is written.
    Kept,
    /// It is replaced.
    Replaced,
    /// It is replaced by its successor: the same owner, the same permissions, and not if it changed meanwhile.
    Succeeded,
}

/// A file that is being written.
#[derive(Debug)]
pub struct NewFile {
    /// Where it will be, as that was given.
    given: PathBuf,
    /// The same, but for links.
    target: PathBuf,
    existing: Existing,
    file: NamedTempFile,
    /// The file that is succeeded, as it was at the beginning.
    before: Option<Metadata>,
}

impl NewFile {
    /// Begins to write `target`. `like` is the file that it is made from: nobody may read the new one who may not read
    /// that.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written to; when the target is there and may not be replaced.
    pub fn begin(target: &Path, existing: Existing, like: &Path) -> Result<Self, CliError> {
        let (given, failed) = (target, |error: io::Error| CliError::new(target.display(), &error));
        // What a link points at is succeeded, not the link.
        let target = match existing {
            Existing::Succeeded => target.canonicalize().map_err(failed)?,
            _ => target.to_path_buf(),
        };
        let before = match existing {
            Existing::Kept if fs::symlink_metadata(&target).is_ok() => return Err(is_there(&target)),
            Existing::Succeeded => Some(fs::metadata(&target).map_err(failed)?),
            _ => None,
        };
        if before.as_ref().is_some_and(|before| before.permissions().readonly()) {
            return Err(CliError::plain(format!("{}: the file is read-only", target.display())));
        }
        let folder = folder(&target);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lacre-").suffix(".tmp");
        #[cfg(unix)]
        if let Some(permissions) = permissions_like(like) {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(folder).map_err(|error| CliError::new(folder.display(), &error))?;
        let _ = like;
        Ok(Self { given: given.to_path_buf(), target, existing, file, before })
    }

    /// Returns where it will be, as that was given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Writes the bytes, to the disk.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn write<'p>(&mut self, parts: impl IntoIterator<Item = &'p [u8]>) -> Result<(), CliError> {
        let file = self.file.as_file_mut();
        let written = parts.into_iter().try_for_each(|part| file.write_all(part)).and_then(|()| file.sync_all());
        written.map_err(|error| CliError::new(self.target.display(), &error))
    }

    /// Puts it where it belongs. What it was made from is closed by then: some systems rename over no file that is
    /// open.
    ///
    /// # Errors
    ///
    /// When a file came there meanwhile, or the one that is succeeded changed.
    pub fn finish(self) -> Result<(), CliError> {
        let Self { target, existing, file, before, .. } = self;
        let failed = |error: io::Error| CliError::new(target.display(), &error);
        if let Some(before) = before {
            let now = fs::metadata(&target).map_err(failed)?;
            if now.len() != before.len() || now.modified().ok() != before.modified().ok() {
                return Err(CliError::plain(format!("{}: the file changed meanwhile", target.display())));
            }
            succeed(file.as_file(), &before).map_err(failed)?;
        }
        let renamed = match existing {
            Existing::Kept => file.persist_noclobber(&target),
            Existing::Replaced | Existing::Succeeded => file.persist(&target),
        };
        renamed.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => is_there(&target),
            _ => failed(error.error),
        })?;
        sync_folder(folder(&target));
        Ok(())
    }
}

fn is_there(target: &Path) -> CliError {
    let error = CliError::plain(format!("{}: there is a file of this name", target.display()));
    error.hint(Some("--overwrite replaces it; --output, --output-dir or --suffix gives another name"))
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns who may read the file that the new one is made from, less what the process takes away from new files.
#[cfg(unix)]
fn permissions_like(like: &Path) -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(like).ok()?.permissions().mode();
    Some(fs::Permissions::from_mode(mode & 0o666 | 0o200))
}

/// Gives the new file the owner, as far as the user may, and the permissions of the old one.
fn succeed(file: &File, before: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let _ = std::os::unix::fs::fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

/// Writes a folder to the disk: a name is on it once its folder is. Where a folder cannot be opened, the system sees to
/// that.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, b"old").expect("written");

        let mut given_up = NewFile::begin(&new, Existing::Kept, &old).expect("begun");
        given_up.write([&b"half"[..]]).expect("written");
        drop(given_up);
        assert_eq!(names(folder.path()), ["old"], "what is given up leaves nothing");

        let mut file = NewFile::begin(&new, Existing::Kept, &old).expect("begun");
        file.write([&b"ne"[..], b"w"]).expect("written");
        file.finish().expect("renamed");
        assert_eq!(fs::read(&new).expect("it is there"), b"new");

        let refused = NewFile::begin(&new, Existing::Kept, &old).expect_err("it is there");
        assert!(refused.message().contains("there is a file of this name"), "{}", refused.message());

        let mut late = NewFile::begin(&folder.path().join("late"), Existing::Kept, &old).expect("begun");
        fs::write(folder.path().join("late"), b"other").expect("written");
        late.write([&b"mine"[..]]).expect("written");
        late.finish().expect_err("a file came there meanwhile");
        assert_eq!(fs::read(folder.path().join("late")).expect("it is there"), b"other");
        assert_eq!(names(folder.path()), ["late", "new", "old"]);
    }

    #[test]
    fn a_successor_replaces_what_did_not_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = folder.path().join("old");
        fs::write(&old, b"old").expect("written");
        let mut file = NewFile::begin(&old, Existing::Succeeded, &old).expect("begun");
        file.write([&b"newer"[..]]).expect("written");
        fs::write(&old, b"changed").expect("written");
        file.finish().expect_err("it changed");
        assert_eq!(fs::read(&old).expect("it is there"), b"changed");
        assert_eq!(names(folder.path()), ["old"]);

        let mut file = NewFile::begin(&old, Existing::Succeeded, &old).expect("begun");
        file.write([&b"newer"[..]]).expect("written");
        file.finish().expect("renamed");
        assert_eq!(fs::read(&old).expect("it is there"), b"newer");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay_what_they_were() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        let (old, link) = (folder.path().join("old"), folder.path().join("link"));
        fs::write(&old, b"old").expect("written");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).expect("ours");
        symlink("old", &link).expect("made");
        let mut file = NewFile::begin(&link, Existing::Succeeded, &link).expect("begun");
        file.write([&b"new"[..]]).expect("written");
        file.finish().expect("renamed");
        assert_eq!((fs::read(&old).expect("there"), mode(&old)), (b"new".to_vec(), 0o640));
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink(), "the link is left");

        fs::set_permissions(&old, fs::Permissions::from_mode(0o600)).expect("ours");
        let beside = folder.path().join("beside");
        NewFile::begin(&beside, Existing::Kept, &old).expect("begun").finish().expect("renamed");
        assert_eq!(mode(&beside), 0o600, "nobody reads a copy who may not read the original");

        fs::set_permissions(&old, fs::Permissions::from_mode(0o400)).expect("ours");
        NewFile::begin(&old, Existing::Succeeded, &old).expect_err("read-only files stay");
    }
}
