//! Folders of the user: XDG Base Directory Specification.

use std::path::PathBuf;

/// Returns the folder for what can be fetched again.
pub fn cache() -> Option<PathBuf> {
    Some(folder("XDG_CACHE_HOME", ".cache")?.join("lacre"))
}

/// Returns the folder for trusted lists: `~/.local/share/lacre/lists` as a rule.
pub fn trusted_lists() -> Option<PathBuf> {
    Some(folder("XDG_DATA_HOME", ".local/share")?.join("lacre").join("lists"))
}

/// Returns the folder that a variable names; on Windows that of local application data; else one in the user's own
/// folder.
fn folder(variable: &str, in_home: &str) -> Option<PathBuf> {
    let named = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named(variable).or_else(|| named("LOCALAPPDATA"));
    folder.or_else(|| Some(named("HOME")?.join(in_home)))
}
