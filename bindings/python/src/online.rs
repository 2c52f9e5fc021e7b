//! Fetching over HTTP, within bounds.

use crate::failure::Failure;
use crate::input::{Input, Source, moment};
use crate::report::Report;
use crate::trust::announcement;
use crate::validator::Validator;
use crate::work;
use lacre::Time;
use lacre::signing::DigestAlgorithm;
use lacre_fetch::lists::{LIST_OF_LISTS, Outcome, Update};
use lacre_fetch::{Addresses, Answered, Cache, Limits, TimestampAuthority, answered};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Connections to public addresses, and a cache.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Fetcher(lacre_fetch::Fetcher);

/// What came of a list: its address, its country, what came in a word, the same in a sentence.
type Told = (String, Option<String>, &'static str, String);

#[pymethods]
impl Fetcher {
    /// Makes a fetcher; `allowed` are addresses of the own network that may be asked, too.
    #[new]
    #[pyo3(signature = (allowed, cache))]
    fn new(allowed: Vec<String>, cache: Option<PathBuf>) -> PyResult<Self> {
        let mut addresses = Addresses::public();
        for address in allowed {
            let message = format!("found the address {address}, expected an IP address, with or without a port");
            addresses = addresses.and(&address).ok_or_else(|| Failure::plain("INVALID_ARGUMENT", message))?;
        }
        let fetcher = lacre_fetch::Fetcher::new(addresses);
        Ok(Self(match cache {
            None => fetcher,
            Some(folder) => fetcher.cached(Cache::open(&folder).map_err(|error| Failure::file(&folder, error))?),
        }))
    }

    /// Fetches what is at an address, or what it answers to a request of that media type.
    #[pyo3(signature = (url, content_type, request))]
    fn fetch<'py>(
        &self,
        py: Python<'py>,
        url: &str,
        content_type: Option<&str>,
        request: Option<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let content_type = match content_type {
            Some("application/timestamp-query") => "application/timestamp-query",
            _ => "application/ocsp-request",
        };
        let bytes = work::run(py, || {
            let session = self.0.session(Limits::default());
            let answer = match &request {
                None => session.get(url),
                Some(request) => session.post(url, content_type, request),
            };
            answer.map_err(|error| Failure::plain("FETCH", format!("{url}: {}", error.sentence())))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Validates, fetches what is missing, and validates again with it. Without a moment each judgement is for its own.
    /// Gives the report, and what could not be had.
    #[pyo3(signature = (validator, document, at))]
    fn validate(
        &self,
        py: Python<'_>,
        validator: &Bound<'_, Validator>,
        document: Input,
        at: Option<i64>,
    ) -> PyResult<(Report, Vec<String>)> {
        let validator = validator.get();
        let (report, notes) = work::run(py, || {
            let session = self.0.session(Limits::default());
            document.with(|document| {
                let judge = |validator: &lacre::Validator| validator.validate(document, at.map_or_else(now, moment));
                let Answered { verdict, failures, .. } = answered(validator.validator.clone(), &session, judge)?;
                let notes = failures.iter().map(ToString::to_string).collect();
                let attempts = failures.iter().map(|failure| failure.attempt()).collect();
                Ok((verdict.with_attempts(attempts).in_language(validator.language), notes))
            })
        })?;
        Ok((Report::new(report), notes))
    }

    /// Gets a time-stamp token over a digest, of the first of these authorities that gives one.
    fn timestamp<'py>(
        &self,
        py: Python<'py>,
        authorities: Vec<String>,
        function: &str,
        digest: PyBackedBytes,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let unknown =
            || Failure::plain("INVALID_ARGUMENT", format!("found the digest function `{function}`, expected SHA-256"));
        let function = DigestAlgorithm::from_name(function).ok_or_else(unknown)?;
        let token = work::run(py, || {
            let authorities: Vec<_> = authorities.iter().map(TimestampAuthority::at).collect();
            let session = self.0.session(Limits::default());
            let stamped = session.timestamp(&authorities, function, &digest, now());
            Ok(stamped
                .map_err(|error| {
                    let hint = error.failures.last().map(|failure| failure.error.hint());
                    Failure::plain(error.code().as_str(), error.to_string()).with_hint(hint)
                })?
                .token)
        })?;
        Ok(PyBytes::new(py, &token))
    }

    /// Updates a folder of trusted lists; what came of each, and changes that a person should check.
    #[pyo3(signature = (folder, signers, list_of_lists, patience))]
    fn update_lists(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        signers: Vec<Source>,
        list_of_lists: Option<&str>,
        patience: u64,
    ) -> PyResult<(Vec<Told>, Vec<String>)> {
        let updated = work::run(py, || {
            let announcement = announcement(&signers)?;
            let session = self.0.session(Limits::of_lists(Duration::from_secs(patience)));
            let list_of_lists = list_of_lists.unwrap_or(LIST_OF_LISTS);
            let update = Update {
                session: &session,
                folder: &folder,
                announcement: &announcement,
                list_of_lists,
                progress: &|_| (),
            };
            update.run().map_err(|error| Failure::file(&folder, error))
        })?;
        let told = updated.lists.into_iter().map(|list| {
            let word = match list.outcome {
                Outcome::Unchanged => "unchanged",
                Outcome::Updated { .. } => "updated",
                Outcome::Kept { .. } => "kept",
                Outcome::Missing { .. } => "missing",
            };
            (list.url, list.territory, word, list.outcome.to_string())
        });
        Ok((told.collect(), updated.alerts))
    }
}

/// Returns the moment of the system's clock.
fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
