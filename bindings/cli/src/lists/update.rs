//! `lacre lists update`: the lists in a folder, fetched where they are published.

use crate::default_lists;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::online::NetworkArguments;
use crate::output::{line, write_text};
use crate::terminal::print_note;
use crate::trust::SignerArguments;
use indicatif::{ProgressBar, ProgressStyle};
use lacre_fetch::Limits;
use lacre_fetch::lists::{LIST_OF_LISTS, Outcome, Progress, Update};
use std::path::PathBuf;
use std::time::Duration;

/// Fetches the list of lists, and every list that it points at. What is not good leaves the copy at hand where it is.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder; made if it is not there. Default: LACRE_TRUSTED_LISTS, else ~/.local/share/lacre/lists.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Where the list of lists is published.
    #[arg(long, value_name = "URL", default_value = LIST_OF_LISTS)]
    list_of_lists: String,
    #[command(flatten)]
    signers: SignerArguments,
    #[command(flatten)]
    network: NetworkArguments,
    /// How long one list may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let folder = default_lists::folder(arguments.folder.as_deref())?;
    let (announcement, fetcher) = (arguments.signers.announcement()?, arguments.network.fetcher()?);
    let session = fetcher.session(Limits::of_lists(Duration::from_secs(arguments.patience)));
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("the template is ours"));
    let progress = |progress: Progress<'_>| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(progress.url.to_owned());
    };
    let update = Update {
        session: &session,
        folder: &folder,
        announcement: &announcement,
        list_of_lists: &arguments.list_of_lists,
        progress: &progress,
    };
    let updated = update.run().map_err(|error| CliError::new(folder.display(), &error))?;
    bar.finish_and_clear();
    let mut text = String::new();
    for list in &updated.lists {
        line!(text, "{:4} {} ({})", list.territory.as_deref().unwrap_or("?"), list.outcome, list.url);
    }
    let count = |is: fn(&Outcome) -> bool| updated.lists.iter().filter(|list| is(&list.outcome)).count();
    line!(
        text,
        "{} lists: {} updated, {} unchanged, {} kept as they were, {} missing",
        updated.lists.len(),
        count(|outcome| matches!(outcome, Outcome::Updated { .. })),
        count(|outcome| matches!(outcome, Outcome::Unchanged)),
        count(|outcome| matches!(outcome, Outcome::Kept { .. })),
        count(|outcome| matches!(outcome, Outcome::Missing { .. })),
    );
    write_text(&text, None)?;
    updated.alerts.iter().for_each(|alert| print_note(alert));
    Ok(if updated.is_complete() { ExitStatus::Passed } else { ExitStatus::NotDone })
}
