//! The reference HTTP server.
#![forbid(unsafe_code)]

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use lacre_server::command::{self, Command};
use lacre_server::config::{self, Config};
use lacre_server::{clock, logs, serve};
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

/// Validates electronic signatures, hands users their certificate and signs hashes, over HTTP.
#[derive(Debug, Parser)]
#[command(name = "lacre-server", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    config: Config,
    /// Print the settings in force, and exit.
    #[arg(long)]
    print_config: bool,
    /// Write the manual pages into a folder, and exit.
    #[arg(long, value_name = "DIR")]
    write_man: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

fn main() -> ExitCode {
    let definition = Cli::command();
    let matches = definition.clone().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if cli.print_config {
        print!("{}", config::print(&definition, &matches));
        return ExitCode::SUCCESS;
    }
    if let Some(folder) = &cli.write_man {
        return ended(std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(definition, folder)));
    }
    ended(run(&cli))
}

/// Returns the exit status of what was done, and the error where it was not.
fn ended<E: Display>(outcome: Result<(), E>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lacre-server: error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Runtime::new()?;
    match &cli.command {
        Some(command) => runtime.block_on(operate(command, &cli.config)),
        None => {
            logs::install(cli.config.log.parse()?);
            runtime.block_on(serve::serve(&cli.config))
        }
    }
}

/// Does what an operator does beside serving, on the store that is set.
async fn operate(command: &Command, config: &Config) -> Result<(), Box<dyn std::error::Error>> {
    let store =
        config.setup.store().await?.ok_or("no store is set: expected --store before the command, or LACRE_STORE")?;
    let said = command::run(command, &*store, || config.setup.master(), clock::now()).await?;
    eprint!("{}", said.talk);
    print!("{}", said.data);
    Ok(())
}
