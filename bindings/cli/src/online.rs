//! `--online`: what is missing is fetched, and judged with.

use crate::error::CliError;
use crate::terminal::print_note;
use crate::user_dirs;
use lacre::{Error, Validator, report::Attempt};
use lacre_fetch::{Addresses, Answered, Cache, Fetcher, Judged, Limits, Session, answered};
use std::borrow::Cow;
use std::path::PathBuf;

/// Whether and how to fetch.
#[derive(Debug, clap::Args)]
pub struct OnlineArguments {
    /// Fetch the issuers, OCSP responses and CRLs that are missing, and judge with them.
    #[arg(long)]
    online: bool,
    #[command(flatten)]
    network: NetworkArguments,
    /// Where fetched evidence is kept as long as HTTP allows. Default: lacre's folder in the user's cache.
    #[arg(long, value_name = "DIR", env = "LACRE_CACHE")]
    cache: Option<PathBuf>,
}

/// Which addresses may be asked.
#[derive(Debug, clap::Args)]
pub struct NetworkArguments {
    /// An address of the own network that may be asked, too: 10.1.2.3 or 10.1.2.3:8080. Others than public ones are not.
    #[arg(long, value_name = "ADDRESS")]
    allow_address: Vec<String>,
}

impl NetworkArguments {
    /// Connections to these addresses.
    pub fn fetcher(&self) -> Result<Fetcher, CliError> {
        let allowed = self.allow_address.iter().try_fold(Addresses::public(), |addresses, address| {
            let expected = "expected an IP address, with or without a port";
            addresses.and(address).ok_or_else(|| CliError::plain(format!("found the address {address}, {expected}")))
        });
        Ok(Fetcher::new(allowed?))
    }
}

/// Fetches for a command.
#[derive(Debug)]
pub struct Online {
    fetcher: Fetcher,
}

impl Online {
    /// Begins to fetch for one document.
    pub fn session(&self, limits: Limits) -> Session<'_> {
        self.fetcher.session(limits)
    }
}

impl OnlineArguments {
    /// Returns which addresses may be asked, also where nothing is fetched but time-stamps.
    pub fn network(&self) -> &NetworkArguments {
        &self.network
    }

    /// Opens what fetches, where that is wanted.
    pub fn open(&self) -> Result<Option<Online>, CliError> {
        if !self.online {
            return Ok(None);
        }
        let fetcher = self.network.fetcher()?;
        let Some(folder) = self.cache.clone().or_else(user_dirs::cache) else { return Ok(Some(Online { fetcher })) };
        match Cache::open(&folder) {
            Ok(cache) => Ok(Some(Online { fetcher: fetcher.cached(cache) })),
            Err(error) => {
                print_note(&format!("nothing is kept in {}: {error}", folder.display()));
                Ok(Some(Online { fetcher }))
            }
        }
    }
}

/// A verdict, the validator that gave it, with what was fetched handed in to it, and what could not be had.
pub struct Outcome<'v, R> {
    pub verdict: R,
    pub validator: Cow<'v, Validator>,
    pub attempts: Vec<Attempt>,
    /// The same for people.
    pub notes: Vec<String>,
}

/// Judges, with what can be fetched where there is a connection. What could not be had is said.
pub fn judged<'v, R: Judged>(
    online: Option<&Online>,
    validator: &'v Validator,
    judge: impl Fn(&Validator) -> Result<R, Error>,
) -> Result<Outcome<'v, R>, Error> {
    let Some(online) = online else {
        return Ok(Outcome {
            verdict: judge(validator)?,
            validator: Cow::Borrowed(validator),
            attempts: vec![],
            notes: vec![],
        });
    };
    let session = online.fetcher.session(Limits::default());
    let Answered { verdict, validator, failures, .. } = answered(validator.clone(), &session, judge)?;
    let notes = failures.iter().map(ToString::to_string).collect();
    let attempts = failures.iter().map(|failure| failure.attempt()).collect();
    Ok(Outcome { verdict, validator: Cow::Owned(validator), attempts, notes })
}
