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
        Command::List { from, most } => Ok(Said::data(store.audit(*from, *most).await?.iter().map(line).collect())),
    }
}

fn line(Entry { number, event, hash }: &Entry) -> String {
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let user = shown(event.user.as_ref().map(ToString::to_string));
    let (key, token) = (shown(event.key.map(|id| id.to_string())), shown(event.token.map(|id| id.to_string())));
    let detail = if event.detail.is_empty() { "-" } else { &event.detail };
    format!("{number}\t{}\t{}\t{user}\t{key}\t{token}\t{detail}\t{hash}\n", event.time, event.action)
}
