//! Lists as they lie on the disk: a snapshot, or a folder of files.

use crate::side_by_side;
use lacre::{
    Time,
    trust::{LotlSigningCertificates, SnapshotError, Source, TrustedLists, read},
};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io, thread};

/// Why lists could not be loaded.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or folder.
    #[error("{}: cannot be read", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A file that is no snapshot of lists.
    #[error("{}", path.display())]
    Snapshot { path: PathBuf, source: SnapshotError },
}

/// Returns the lists of a snapshot, or of a folder, which is read on all cores.
///
/// # Errors
///
/// When a file cannot be read, or is no snapshot. A file in a folder that is no list is a state of
/// [`TrustedLists::states`] and keeps nobody from the others.
pub fn load(from: &Path, announcement: &LotlSigningCertificates) -> Result<TrustedLists, LoadError> {
    if from.is_dir() {
        return Ok(TrustedLists::assemble(sources(&files(from)?)?, announcement));
    }
    let wrong = |source| LoadError::Snapshot { path: from.to_owned(), source };
    TrustedLists::from_snapshot(&bytes(from)?).map_err(wrong)
}

/// Returns the files right inside a folder, by name, but for those that begin with a dot.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable = |source| LoadError::File { path: folder.to_owned(), source };
    let mut files = vec![];
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && !name(&path).starts_with('.') {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads every file as a list, in the order given.
fn sources(files: &[PathBuf]) -> Result<Vec<Source>, LoadError> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    side_by_side(files, workers, |path| source(path)).into_iter().collect()
}

/// Reads a file as a list, loaded when the file was last written.
fn source(path: &Path) -> Result<Source, LoadError> {
    let bytes = bytes(path)?;
    let written = fs::metadata(path).and_then(|file| file.modified()).ok();
    let since = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let loaded = since.and_then(|since| i64::try_from(since.as_secs()).ok()?.checked_mul(1000)).map(Time::from_millis);
    Ok(read(&name(path), &bytes, loaded))
}

fn bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    fs::read(path).map_err(|source| LoadError::File { path: path.to_owned(), source })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
