//! `lacre completions`: scripts for shells.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::output::write_output;
use clap_complete::Shell;

/// Prints a script by which a shell completes lacre's arguments.
///
/// bash: lacre completions bash > ~/.local/share/bash-completion/completions/lacre
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: &Arguments, mut command: clap::Command) -> Result<ExitStatus, CliError> {
    let name = command.get_name().to_owned();
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    write_output(&script, None)?;
    Ok(ExitStatus::Passed)
}
