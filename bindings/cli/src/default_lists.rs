//! Trusted lists that no option names: `LACRE_TRUSTED_LISTS`, else the default place.

use crate::error::CliError;
use crate::terminal::print_note;
use crate::user_dirs;
use std::path::{Path, PathBuf};

/// The variable that names a folder of lists or a snapshot.
const VARIABLE: &str = "LACRE_TRUSTED_LISTS";

/// Returns the lists to judge with where no option says whom to trust. Those of the default place are named on stderr.
pub fn find() -> Option<PathBuf> {
    variable().or_else(|| {
        let place = user_dirs::trusted_lists().filter(|place| place.exists())?;
        print_note(&format!("the trusted lists in {} are used; --no-trusted-lists leaves them out", place.display()));
        Some(place)
    })
}

/// Returns the folder that `lacre lists` works with: that of its argument, else the one of `validate` without an
/// option.
pub fn folder(named: Option<&Path>) -> Result<PathBuf, CliError> {
    let folder = named.map(Path::to_path_buf).or_else(variable).or_else(user_dirs::trusted_lists);
    folder.ok_or_else(|| CliError::plain("no folder of trusted lists is named, and HOME names none"))
}

fn variable() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
}
