//! `lacre-server keys`.

use super::{Error, Said};
use crate::audit::{Action, Event};
use crate::authority::user_key;
use crate::storage::{KeyId, Store};
use crate::{pki, rng};
use lacre::Time;
use lacre_keys::{MasterKey, SealError};
use std::path::PathBuf;

/// How many keys are sealed in one transaction.
const AT_ONCE: usize = 500;

/// The users' keys.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Seals every key again, under another master key; with the servers stopped. What an earlier run sealed is left.
    Reseal {
        /// The new master key: a file of 64 hexadecimal digits. The old one is the one that is set.
        #[arg(long, value_name = "FILE")]
        new_master_key_file: PathBuf,
        /// Files with sealed keys, as that of the authority, to be sealed again, too.
        #[arg(long, value_name = "FILE")]
        file: Vec<PathBuf>,
    },
}

pub async fn run(command: &Command, store: &dyn Store, old: &MasterKey, now: Time) -> Result<Said, Error> {
    let Command::Reseal { new_master_key_file, file } = command;
    let new = MasterKey::from_file(new_master_key_file)?;
    let mut sealed = 0;
    let mut after = None;
    loop {
        let stored = store.stored_keys(after, AT_ONCE).await?;
        let Some((last, _)) = stored.last() else { break };
        after = Some(*last);
        let mut resealed = Vec::with_capacity(stored.len());
        for (key, bytes) in stored {
            resealed.extend(one(key, &bytes, old, &new)?.map(|bytes| (key, bytes)));
        }
        if !resealed.is_empty() {
            let count = resealed.len();
            let event = Event::new(now, Action::KeysResealed).detail(format!("{count} keys under {}", new.name()));
            store.replace_keys(resealed, event).await?;
            sealed += count;
        }
    }
    let mut talk = format!("{sealed} keys are sealed under the new master key\n");
    for path in file {
        let done = if pki::reseal(path, old, &new)? { "sealed under the new master key" } else { "was so already" };
        talk += &format!("{}: {done}\n", path.display());
    }
    Ok(Said { talk, ..Said::default() })
}

/// Seals the key anew; `None` where it is sealed so already, or is in a token.
fn one(key: KeyId, bytes: &[u8], old: &MasterKey, new: &MasterKey) -> Result<Option<Vec<u8>>, Error> {
    let label = user_key(key);
    match lacre_keys::label(bytes) {
        None => return Ok(None),
        Some(found) if found != label => {
            return Err(Error::Key(key, SealError::Label { found, expected: label }));
        }
        Some(_) => {}
    }
    lacre_keys::reseal(bytes, old, new, &mut rng::system()).map_err(|error| Error::Key(key, error))
}
