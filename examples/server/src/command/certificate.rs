//! `lacre-server certificate`.

use super::{Error, Said, key_id, moment};
use crate::registry::certificates;
use crate::storage::{KeyId, Store, User};
use lacre::{Time, issuance::RevocationReason};

/// The users' certificates.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Revokes a certificate: from now on its key does not sign, on any node.
    Revoke {
        /// The id of its key.
        #[arg(value_parser = key_id)]
        key: KeyId,
        /// Why: RFC 5280 §5.3.1 (keyCompromise, superseded, cessationOfOperation, …).
        #[arg(long, default_value_t = RevocationReason::Unspecified)]
        reason: RevocationReason,
    },
    /// Lists a user's certificates, oldest first: key id, issued, expires, revoked.
    List {
        /// The user.
        #[arg(long, value_name = "NAME")]
        user: User,
    },
}

pub async fn run(command: &Command, store: &dyn Store, now: Time) -> Result<Said, Error> {
    match command {
        Command::Revoke { key, reason } => match certificates::revoke(store, *key, *reason, now).await? {
            true => Ok(Said { talk: format!("the certificate of key {key} is revoked\n"), ..Said::default() }),
            false => Err(Error::NoCertificate(*key)),
        },
        Command::List { user } => {
            let lines = store.history(user).await?.into_iter().map(|issued| {
                let revoked = moment(issued.revoked.map(|revocation| revocation.since));
                format!("{}\t{}\t{}\t{revoked}\n", issued.key, issued.issued, issued.expires)
            });
            Ok(Said::data(lines.collect()))
        }
    }
}
