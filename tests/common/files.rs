//! The files below a folder.

use std::path::{Path, PathBuf};

/// Every file below a folder whose name ends so, in order; none where there is no such folder.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    found.sort();
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path, ending),
        false if path.to_string_lossy().ends_with(ending) => vec![path],
        false => vec![],
    };
    found.into_iter().flat_map(below).collect()
}
