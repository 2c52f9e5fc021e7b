//! `lacre lists`: the EU list of lists and national lists.

mod pack;
mod update;

use crate::default_lists;
use crate::entities;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input;
use crate::output::{line, write_text};
use crate::trust::{PackerArguments, SignerArguments, load};
use lacre::{
    Time,
    trust::{ListState, Role, TrustedLists},
};
use std::path::PathBuf;

/// Works with the EU list of lists and national lists.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Fetches the list of lists, and every list that it points at, into a folder.
    Update(update::Arguments),
    /// Says of each list in a folder how old it is, who signed it, its number, its expiry and what is wrong with it.
    Show(Show),
    /// Writes what is trusted of a folder's lists into one file, which is loaded in a few milliseconds.
    Pack(Box<pack::Arguments>),
}

#[derive(Debug, clap::Args)]
struct Show {
    /// The folder, or a snapshot of one; or a list of trusted entities (TS 119 602). Default: LACRE_TRUSTED_LISTS, else
    /// ~/.local/share/lacre/lists.
    #[arg(value_name = "DIR|SNAPSHOT|LIST")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    signers: SignerArguments,
    #[command(flatten)]
    packers: PackerArguments,
    /// The time to judge expiry and age for. Default: now.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    match &arguments.command {
        Command::Update(update) => update::run(update),
        Command::Show(show) => {
            let at = show.at.unwrap_or_else(input::now);
            let folder = default_lists::folder(show.folder.as_deref())?;
            if let Some(text) = entities::shown(&folder, at) {
                write_text(&text, None)?;
                return Ok(ExitStatus::Passed);
            }
            let lists = load(std::slice::from_ref(&folder), show.at, &show.signers, &show.packers)?;
            write_text(&shown(&lists, at), None)?;
            Ok(if lists.trusted() > 0 { ExitStatus::Passed } else { ExitStatus::NotDone })
        }
        Command::Pack(pack) => pack::run(pack),
    }
}

/// Returns the state of each list, for a reader.
fn shown(lists: &TrustedLists, at: Time) -> String {
    let mut text = String::new();
    let mut states: Vec<&ListState> = lists.states().iter().collect();
    states.sort_by_key(|state| (state.role, state.territory.clone(), state.sequence_number));
    for state in states {
        one(&mut text, state, at);
    }
    if let Some(packer) = lists.snapshot_signer() {
        line!(text, "packed by {} ({})", packer.subject, packer.sha256);
    }
    for missing in lists.missing() {
        line!(text, "{:4} missing: {}", missing.territory.as_deref().unwrap_or("?"), missing.url);
    }
    line!(
        text,
        "{} of {} lists are trusted, {} are missing",
        lists.trusted(),
        lists.states().len(),
        lists.missing().len()
    );
    text
}

/// Returns the day of a moment, in UTC.
pub fn day(time: Option<Time>) -> String {
    time.map_or_else(|| "none".into(), |time| time.to_string()[..10].to_owned())
}

fn one(text: &mut String, state: &ListState, at: Time) {
    let role = match state.role {
        Role::ListOfLists => "list of lists",
        Role::Pivot => "pivot",
        Role::TrustedList => "trusted list",
        _ => "not used",
    };
    let number = state.sequence_number.map_or_else(|| "?".into(), |number| number.to_string());
    line!(
        text,
        "{:4} {role} {number}, issued {}, next update {}{}, loaded {}: {}",
        state.territory.as_deref().unwrap_or("?"),
        day(state.issue_date),
        day(state.next_update),
        if state.is_expired_at(at) { " (expired)" } else { "" },
        day(state.loaded),
        if state.trusted { "trusted" } else { "NOT TRUSTED" },
    );
    line!(text, "     {}", state.name);
    if let Some(signer) = &state.signer {
        line!(text, "     signed by {signer}");
    }
    for service in &state.recognised {
        let (name, since) = (&service.legal_identifier, day(Some(service.since)));
        let word = if service.enacted { "recognised" } else { "NOT recognised" };
        line!(text, "     {word} as “{name}” under mutual recognition since {since}");
    }
    if state.third_country {
        line!(text, "     of a third country, for advanced signatures");
    }
    for problem in &state.problems {
        line!(text, "     {}: {}", problem.key, problem.message);
    }
    for lack in &state.structure {
        line!(text, "     note: {lack}");
    }
}
