//! `lacre-server audit`.

use super::{Error, Said};
use crate::audit::{self, Entry, Head};
use crate::storage::Store;

/// The audit log.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Checks the chain from the first entry to the last; prints its head, or says which entry is the first broken one.
    Verify {
        /// A head that was printed before and noted elsewhere: the log has to go through it.
        #[arg(long, value_name = "NUMBER:HASH")]
        noted: Option<Head>,
    },
    /// Prints entries: number, time, action, user, key, token, detail, hash.
    List {
        /// The first one.
        #[arg(long, default_value_t = 1, value_name = "NUMBER")]
        from: u64,
        /// The last ones instead: so many.
        #[arg(long, value_name = "NUMBER", conflicts_with_all = ["from", "most"])]
        last: Option<usize>,
        /// How many.
        #[arg(long, default_value_t = 100, value_name = "NUMBER")]
        most: usize,
    },
}

pub async fn run(command: &Command, store: &dyn Store) -> Result<Said, Error> {
    match command {
        Command::Verify { noted } => {
            let head = audit::verify(store, *noted).await?;
            Ok(Said { data: format!("{head}\n"), talk: format!("{} entries, each of them in the chain\n", head.count) })
        }
        Command::List { from, most, last: None } => list(store, *from, *most).await,
        Command::List { last: Some(last), .. } => {
            let count = store.audit_head().await?.count;
            list(store, count.saturating_sub(*last as u64) + 1, *last).await
        }
    }
}

/// Entries, and what to say where more of them follow.
async fn list(store: &dyn Store, from: u64, most: usize) -> Result<Said, Error> {
    let entries = store.audit(from, most).await?;
    let head = store.audit_head().await?;
    let next = entries.last().map_or(from, |entry| entry.number + 1);
    let talk = match (head.count + 1).saturating_sub(next) {
        0 => String::new(),
        more => format!("{more} more: go on with --from {next}, or see the end with --last {most}\n"),
    };
    Ok(Said { data: entries.iter().map(line).collect(), talk })
}

fn line(Entry { number, event, hash }: &Entry) -> String {
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let user = shown(event.user.as_ref().map(ToString::to_string));
    let (key, token) = (shown(event.key.map(|id| id.to_string())), shown(event.token.map(|id| id.to_string())));
    let detail = if event.detail.is_empty() { "-" } else { &event.detail };
    format!("{number}\t{}\t{}\t{user}\t{key}\t{token}\t{detail}\t{hash}\n", event.time, event.action)
}
