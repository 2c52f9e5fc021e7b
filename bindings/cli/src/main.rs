//! The `lacre` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lacre_cli::run(std::env::args_os()).into()
}
