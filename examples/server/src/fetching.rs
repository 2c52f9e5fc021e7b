//! Time-stamps and evidence: asked for at the addresses that the settings name or permit, never at one of a request.

use crate::config::Augmentation;
use crate::http::failure::{DocumentFailure, Failure};
use crate::http::problem;
use lacre::Time;
use lacre::augmentation::{EvidenceWant, TimestampWant};
use lacre::report::{Attempt, Tried};
use lacre::signing::DigestAlgorithm;
use lacre_fetch::{Addresses, Credentials, Fetcher, Limits, TimestampAuthority, TimestampError, side_by_side};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Requests of callers for which something is asked at once. They wait for others, and take none of the workers.
const AT_ONCE: usize = 32;

/// Addresses that are asked at once for one request.
const SIDE_BY_SIDE: usize = 4;

/// How long all that one request makes the server ask may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How long one answer may take.
const ONE: Duration = Duration::from_secs(15);

/// Asks for time-stamps and evidence.
pub struct Fetching {
    shared: Arc<Shared>,
    places: Arc<Semaphore>,
    /// The digest function of time-stamps.
    pub digest: DigestAlgorithm,
    /// Whether evidence is fetched.
    pub evidence: bool,
}

struct Shared {
    fetcher: Fetcher,
    authorities: Vec<TimestampAuthority>,
}

/// Evidence that came, and where there was none.
pub type Evidence = (Vec<Vec<u8>>, Vec<Attempt>);

impl Fetching {
    /// Sets up fetching as the settings have it.
    ///
    /// # Errors
    ///
    /// When the file with the login cannot be read.
    pub fn new(settings: &Augmentation, addresses: Addresses) -> Result<Self, String> {
        let login = settings.tsa_login_file.as_deref().map(login).transpose()?;
        let authority = |url: &String| {
            let mut authority = TimestampAuthority::at(url);
            if let Some(login) = &login {
                authority = authority.with_credentials(login.clone());
            }
            match &settings.tsa_policy {
                Some(policy) => authority.with_policy(policy),
                None => authority,
            }
        };
        let authorities = settings.tsa.iter().map(authority).collect();
        Ok(Self {
            shared: Arc::new(Shared { fetcher: Fetcher::new(addresses), authorities }),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            digest: settings.tsa_digest,
            evidence: settings.fetch_evidence,
        })
    }

    /// Returns whether somebody is named who makes time-stamps.
    pub fn names_authority(&self) -> bool {
        !self.shared.authorities.is_empty()
    }

    /// Gets a time-stamp token, of one of the authorities.
    ///
    /// # Errors
    ///
    /// 502 where none of them gives one; 503 where too many wait for one.
    pub async fn timestamp(
        &self,
        function: DigestAlgorithm,
        imprint: &[u8],
        now: Time,
        begun: Instant,
    ) -> Result<Vec<u8>, Failure> {
        let imprint = imprint.to_vec();
        let asked = self.ask(begun, move |shared, limits| {
            let session = shared.fetcher.session(limits);
            session.timestamp(&shared.authorities, function, &imprint, now)
        });
        let stamp = asked.await?.map_err(|error| no_timestamp(&error))?;
        for failure in &stamp.failures {
            tracing::warn!(%failure, "no time-stamp");
        }
        Ok(stamp.token)
    }

    /// Gets a time-stamp that an extension wants.
    ///
    /// # Errors
    ///
    /// As [`timestamp`](Self::timestamp).
    pub async fn wanted_timestamp(&self, want: &TimestampWant, now: Time, begun: Instant) -> Result<Vec<u8>, Failure> {
        self.timestamp(want.algorithm, &want.imprint, now, begun).await
    }

    /// Fetches evidence that an extension wants.
    ///
    /// # Errors
    ///
    /// 503 where too many wait for some.
    pub async fn wanted_evidence(&self, wants: Vec<EvidenceWant>, begun: Instant) -> Result<Evidence, Failure> {
        let asked = self.ask(begun, move |shared, limits| {
            let session = shared.fetcher.session(limits);
            let (mut found, mut attempts) = (vec![], vec![]);
            for (bytes, failures) in side_by_side(&wants, SIDE_BY_SIDE, |want| session.evidence(want)) {
                found.extend(bytes);
                for failure in &failures {
                    // Why, is the log's: certificates of callers name addresses, and must not find out what is at them.
                    tracing::info!(%failure, "no evidence");
                    let Attempt { kind, about, tried } = failure.attempt();
                    let tried = Tried { reason: "it gave nothing of use".to_owned(), ..tried };
                    attempts.push(Attempt { kind, about, tried });
                }
            }
            (found, attempts)
        });
        asked.await
    }

    async fn ask<T: Send + 'static>(
        &self,
        begun: Instant,
        work: impl FnOnce(&Shared, Limits) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let full = || Failure::of(problem::FULL, "too many requests wait for time-stamps or evidence");
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| full())?;
        let shared = Arc::clone(&self.shared);
        let mut limits = Limits::default();
        (limits.time, limits.patience) = (PATIENCE.saturating_sub(begun.elapsed()), ONE);
        let done = tokio::task::spawn_blocking(move || {
            // The place goes with the work: who hangs up does not make room before it has ended.
            let _place = place;
            work(&shared, limits)
        });
        done.await.map_err(|_| Failure::internal("a fetching thread panicked"))
    }
}

/// Makes a failure of what each authority said, without the addresses: those are the operator's.
fn no_timestamp(error: &TimestampError) -> Failure {
    for failure in &error.failures {
        tracing::warn!(%failure, "no time-stamp");
    }
    let each: Vec<String> = error.failures.iter().map(|failure| failure.error.to_string()).collect();
    Failure::Document(Box::new(DocumentFailure {
        kind: problem::TIMESTAMP,
        code: error.code().as_str(),
        detail: format!("no time-stamp: {}", each.join("; ")),
        hint: error.failures.last().map(|failure| failure.error.hint()),
        wanted: vec![],
        material: None,
    }))
}

/// Reads `NAME:PASSWORD`.
fn login(path: &Path) -> Result<Credentials, String> {
    let because = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = zeroize::Zeroizing::new(std::fs::read_to_string(path).map_err(|error| because(&error))?);
    let line = text.lines().next().unwrap_or_default();
    let (user, password) =
        line.split_once(':').ok_or_else(|| because(&"found a line without a colon, expected NAME:PASSWORD"))?;
    Ok(Credentials::Basic { user: user.to_owned(), password: password.to_owned().into() })
}
