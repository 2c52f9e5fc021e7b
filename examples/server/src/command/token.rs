//! `lacre-server token`.

use super::{Error, Said, moment, token_id};
use crate::registry::tokens;
use crate::storage::{Person, Store, TokenId, User};
use lacre::{Time, issuance::Validity};

/// Access tokens.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Issues a token and prints it, this once: only its SHA-256 is stored.
    Issue(Issue),
    /// Revokes a token.
    Revoke {
        /// The token's id: the number in it.
        #[arg(value_parser = token_id)]
        id: TokenId,
    },
    /// Lists the tokens: id, user, issued, expires, revoked.
    List,
}

/// Whose token it is, and what their certificate will say.
#[derive(Debug, clap::Args)]
pub struct Issue {
    /// Whose token it is. A user may have many.
    #[arg(long, value_name = "NAME")]
    user: User,
    /// Given names, as the user's certificate will say. Default: the user's name.
    #[arg(long)]
    given_name: Option<String>,
    /// Surname. Default: the user's name.
    #[arg(long)]
    surname: Option<String>,
    /// What tells the person from others of the same name: PASPT-1. Default: of the SHA-256 of
    /// the user's name 32 hexadecimal digits.
    #[arg(long, value_name = "ID")]
    serial_number: Option<String>,
    /// ISO 3166-1 code of the country.
    #[arg(long, value_name = "CC", default_value = "EE")]
    country: String,
    /// How many days it is valid. Default: until it is revoked.
    #[arg(long)]
    days: Option<u32>,
}

impl Issue {
    fn person(&self) -> Person {
        let known = Person::known_as(self.user.clone(), self.country.as_str());
        let or = |given: &Option<String>, known: String| given.clone().unwrap_or(known);
        Person {
            given_name: or(&self.given_name, known.given_name),
            surname: or(&self.surname, known.surname),
            serial_number: or(&self.serial_number, known.serial_number),
            ..known
        }
    }
}

pub async fn run(command: &Command, store: &dyn Store, now: Time) -> Result<Said, Error> {
    match command {
        Command::Issue(issue) => {
            let expires = issue.days.map(|days| Validity::days(now, days).to);
            let token = tokens::issue(store, issue.person(), expires, now).await?;
            let talk = format!("token {} of {}: it is shown this once\n", token.id(), issue.user);
            Ok(Said { data: format!("{}\n", token.text()), talk })
        }
        Command::Revoke { id } => match tokens::revoke(store, *id, now).await? {
            true => Ok(Said { talk: format!("token {id} is revoked\n"), ..Said::default() }),
            false => Err(Error::NoToken(*id)),
        },
        Command::List => {
            let lines = store.tokens().await?.into_iter().map(|token| {
                let (expires, revoked) = (moment(token.expires), moment(token.revoked));
                format!("{}\t{}\t{}\t{expires}\t{revoked}\n", token.id, token.person.user, token.issued)
            });
            Ok(Said::data(lines.collect()))
        }
    }
}
