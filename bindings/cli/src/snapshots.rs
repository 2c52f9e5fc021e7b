//! Several snapshots of trusted lists: the one of the day that is asked about.

use crate::error::CliError;
use crate::input;
use crate::terminal::print_note;
use lacre::{Time, trust::TrustedLists};
use lacre_fetch::lists;
use std::path::{Path, PathBuf};

/// Returns the files, where they are several or all that a folder holds, and every one of them is a snapshot.
pub fn among(paths: &[PathBuf]) -> Result<Option<Vec<PathBuf>>, CliError> {
    let folder = match paths {
        [one] if one.is_dir() => lists::files(one).map_err(|error| CliError::new("trusted lists", &error))?,
        [_] => return Ok(None),
        several => several.to_vec(),
    };
    let others = folder.iter().filter(|path| !is_snapshot(path)).count();
    match (paths.len(), others) {
        (1, 0) if !folder.is_empty() => Ok(Some(folder)),
        (1, _) => Ok(None),
        (_, 0) => Ok(Some(folder)),
        _ => Err(CliError::plain("--trusted-lists is given several times, and not every one is a snapshot")),
    }
}

/// Returns the snapshot of the day, and says which: of those whose lists had been issued at `at` the newest, else the
/// oldest of all.
pub fn of_day(
    paths: &[PathBuf],
    at: Time,
    read: impl Fn(&Path) -> Result<TrustedLists, CliError>,
) -> Result<(PathBuf, TrustedLists), CliError> {
    let all = paths.iter().map(|path| Ok((path.clone(), read(path)?))).collect::<Result<Vec<_>, CliError>>()?;
    let oldest_first = |(_, lists): &(PathBuf, TrustedLists)| lists.newest_issue();
    let earlier = all.iter().filter(|(_, lists)| lists.newest_issue().is_some_and(|newest| newest <= at));
    let chosen =
        earlier.max_by_key(|snapshot| oldest_first(snapshot)).or_else(|| all.iter().min_by_key(|s| oldest_first(s)));
    let (path, lists) = chosen.cloned().ok_or_else(|| CliError::plain("there is no snapshot of trusted lists"))?;
    let day = lists.newest_issue().map_or_else(|| "an unknown day".into(), |time| time.to_string()[..10].to_owned());
    print_note(&format!("of {} snapshots, the one with lists up to {day} is used: {}", all.len(), path.display()));
    Ok((path, lists))
}

fn is_snapshot(path: &Path) -> bool {
    input::open(path).is_ok_and(|bytes| TrustedLists::is_snapshot(&bytes))
}
