//! What the caller hands in: time-stamps, certificates, revocation data, and where there were none.

use super::want::EvidenceWant;
use crate::algorithm::DigestAlgorithm;
use crate::facts::Id;
use crate::formats::tsp::Token;
use crate::hex;
use crate::report::{Attempt, Tried, WantedKind};
use crate::signing::{SigningError, SigningErrorCode};
use crate::time::Time;
use crate::validator::Validator;
use std::cell::Cell;

/// Milliseconds by which a time-stamp may be ahead of the caller's clock: as much as the judgement allows revocation
/// data.
const CLOCK_SKEW: i64 = 300_000;

/// Time-stamps and evidence that an extension wanted.
///
/// The caller adds what it got and calls again. Nothing is taken out: what an extension chose before, it chooses again.
#[derive(Debug, Clone, Default)]
pub struct Material {
    timestamps: Vec<Vec<u8>>,
    evidence: Vec<Vec<u8>>,
    attempts: Vec<Attempt>,
}

impl Material {
    /// Returns no material.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a time-stamp: a `TimeStampToken`, or the `TimeStampResp` that holds it (RFC 3161 §2.4.2). It is found again
    /// by its message imprint.
    pub fn timestamp(&mut self, token: impl Into<Vec<u8>>) -> &mut Self {
        self.timestamps.push(token.into());
        self
    }

    /// Adds a certificate, a CRL or an OCSP response (DER or PEM).
    pub fn evidence(&mut self, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.evidence.push(bytes.into());
        self
    }

    /// Says that something wanted was looked for in vain, so that it is not wanted there again.
    pub fn attempt(&mut self, attempt: Attempt) -> &mut Self {
        self.attempts.push(attempt);
        self
    }

    /// Says that a piece of evidence was looked for in vain at all of its addresses.
    pub fn in_vain(&mut self, want: &EvidenceWant, reason: &str) -> &mut Self {
        for url in &want.wanted.urls {
            let tried = Tried { url: url.clone(), reason: reason.to_owned() };
            self.attempt(Attempt { kind: want.wanted.kind, about: want.wanted.about.clone(), tried });
        }
        self
    }

    /// Returns the attempts at an item.
    pub(super) fn tried(&self, kind: WantedKind, about: &Id) -> Vec<Tried> {
        let of = |attempt: &&Attempt| attempt.kind == kind && attempt.about == *about;
        self.attempts.iter().filter(of).map(|attempt| attempt.tried.clone()).collect()
    }

    /// Returns the validator with the evidence.
    pub(super) fn supplied_to(&self, validator: &Validator) -> Result<Validator, SigningError> {
        self.evidence.iter().try_fold(validator.clone(), |validator, bytes| {
            validator.evidence(bytes).map_err(|error| {
                SigningError::new(SigningErrorCode::EvidenceUnreadable, error.to_string())
                    .with_hint("evidence is a certificate, a CRL or an OCSP response, in DER or PEM")
            })
        })
    }

    /// Reads the time-stamps.
    pub(super) fn tokens(&self) -> Result<Tokens<'_>, SigningError> {
        let read = self.timestamps.iter().map(|bytes| {
            let token = Token::parse(bytes).map_err(|error| {
                SigningError::new(SigningErrorCode::TsaReplyUnreadable, format!("the time-stamp handed in: {error}"))
                    .with_hint("hand in the TimeStampToken or the TimeStampResp as the authority sent it")
            })?;
            Ok::<_, SigningError>(Handed { token, used: Cell::new(false) })
        });
        read.collect::<Result<_, SigningError>>().map(Tokens)
    }
}

/// The time-stamps that were handed in.
#[derive(Debug)]
pub(super) struct Tokens<'m>(Vec<Handed<'m>>);

#[derive(Debug)]
struct Handed<'m> {
    token: Token<'m>,
    used: Cell<bool>,
}

impl<'m> Tokens<'m> {
    /// Returns the time-stamp over that imprint, which counts as used.
    pub(super) fn find(&self, algorithm: DigestAlgorithm, imprint: &[u8]) -> Option<&'m [u8]> {
        let over = |handed: &&Handed<'m>| {
            let stated = &handed.token.info.imprint;
            stated.algorithm == Some(algorithm) && stated.value.0 == imprint
        };
        let found = self.0.iter().find(over)?;
        found.used.set(true);
        Some(found.token.bytes)
    }

    /// Refuses time-stamps that are over nothing that was wanted.
    pub(super) fn all_used(&self) -> Result<(), SigningError> {
        let Some(stray) = self.0.iter().find(|handed| !handed.used.get()) else { return Ok(()) };
        let info = &stray.token.info;
        let function = info.imprint.algorithm.map_or("an unknown digest function", |algorithm| algorithm.as_str());
        let found = hex::lower(&info.imprint.value.0[..info.imprint.value.0.len().min(64)]);
        Err(SigningError::new(
            SigningErrorCode::TsaImprint,
            format!(
                "found a time-stamp of {} over {function} {found}, expected one over a wanted imprint",
                info.gen_time
            ),
        )
        .with_hint("the document or the material changed since the time-stamp was wanted; ask for a new one"))
    }

    /// Returns the moment to judge at: that of the caller, or of the newest time-stamp where the authority's clock is
    /// ahead of the caller's.
    pub(super) fn moment(&self, time: Time) -> Result<Time, SigningError> {
        let newest = self.0.iter().map(|handed| handed.token.info.gen_time).max().unwrap_or(time).max(time);
        if newest > time.plus_millis(CLOCK_SKEW) {
            return Err(SigningError::new(
                SigningErrorCode::TsaTime,
                format!("found a time-stamp of {newest}, expected none later than {time}"),
            )
            .with_hint("check the clock that the time was taken from"));
        }
        Ok(newest)
    }
}
