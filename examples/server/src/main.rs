//! The reference HTTP server.
#![forbid(unsafe_code)]

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use lacre_server::config::{self, Config};
use lacre_server::{logs, serve};
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
}

fn main() -> ExitCode {
    let command = Cli::command();
    let matches = command.clone().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if cli.print_config {
        print!("{}", config::print(&command, &matches));
        return ExitCode::SUCCESS;
    }
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lacre-server: error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<(), Box<dyn std::error::Error>> {
    logs::install(cli.config.log.parse()?);
    tokio::runtime::Runtime::new()?.block_on(serve::serve(&cli.config))
}
