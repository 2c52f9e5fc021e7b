//! `lacre man`: manual pages.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use std::path::PathBuf;

/// Writes manual pages, one a command: lacre.1, lacre-validate.1 and so on.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder for them, as in ~/.local/share/man/man1; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(arguments: &Arguments, command: clap::Command) -> Result<ExitStatus, CliError> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .map_err(|error| CliError::new(folder.display(), &error))?;
    Ok(ExitStatus::Passed)
}
