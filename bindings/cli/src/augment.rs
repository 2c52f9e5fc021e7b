//! What raises a level: time-stamps and evidence that an extension wants, and the answers to it.

use crate::authority::{Authority, AuthorityArguments};
use crate::error::CliError;
use crate::input;
use crate::issue::Secrets;
use crate::online::{NetworkArguments, Online, OnlineArguments};
use crate::trust::TrustArguments;
use lacre::augmentation::{
    Asked, EvidenceWant, Extended, Extension, Freshness, Level, Material, Obstacle, Target, TimestampWant, Want, extend,
};
use lacre::signing::{DigestAlgorithm, SigningError};
use lacre::{Document, Id, Policy, Time, Validator};
use lacre_fetch::{Limits, Session, side_by_side};
use std::path::Path;

/// How often is judged again. An extension to LTA takes two time-stamps, and responders' own chains some more.
const ROUNDS: usize = 24;
/// Requests at the same time.
const AT_ONCE: usize = 8;
/// Why nobody was asked.
const OFFLINE: &str = "not asked, because --online was not given";

/// Over the options for what levels LT and LTA take.
const EVIDENCE: &str = "Trust and evidence, for levels lt and lta";

/// How a level is raised.
#[derive(Debug, clap::Args)]
pub struct AugmentArguments {
    #[command(flatten, next_help_heading = "Time-stamps")]
    authority: AuthorityArguments,
    /// How recent revocation data of the levels LT and LTA is: strict, issued after the time-stamp; or older, current
    /// when it was made.
    #[arg(long, help_heading = EVIDENCE, value_name = "strict|older")]
    #[arg(default_value = "strict", value_parser = freshness)]
    freshness: Freshness,
    /// Go on although: a time-stamp is broken (broken-timestamp), the certificate had expired (expired-certificate), a
    /// chain ends at nobody trusted (untrusted-chain), revocation data cannot be had (missing-revocation). The level
    /// may then be lower than asked for, which the exit status says.
    #[arg(long, help_heading = EVIDENCE, value_name = "OBSTACLE")]
    overlook: Vec<Obstacle>,
    #[command(flatten, next_help_heading = EVIDENCE)]
    trust: TrustArguments,
    #[command(flatten)]
    online: OnlineArguments,
}

/// Reads a word for the freshness of revocation data.
fn freshness(word: &str) -> Result<Freshness, String> {
    match word {
        "strict" => Ok(Freshness::Strict),
        "older" => Ok(Freshness::AcceptOlder),
        _ => Err("expected strict or older".into()),
    }
}

impl AugmentArguments {
    /// Returns whether somebody is named who makes time-stamps.
    pub fn names_authority(&self) -> bool {
        self.authority.is_given()
    }

    /// Opens keys, lists and connections. `at` is the moment of every judgement; none: the clock's.
    pub fn open(&self, policy: Policy, at: Option<Time>, secrets: &Secrets) -> Result<Augmenter, CliError> {
        match self.overlook.contains(&Obstacle::UntrustedChain) {
            true => self.open_without_trust(policy, at, secrets),
            false => self.with(self.trust.trusting_validator(policy, at)?, at, secrets),
        }
    }

    /// Opens the same, where nobody needs to be trusted.
    pub fn open_without_trust(
        &self,
        policy: Policy,
        at: Option<Time>,
        secrets: &Secrets,
    ) -> Result<Augmenter, CliError> {
        self.with(self.trust.validator(policy, at)?, at, secrets)
    }

    fn with(&self, validator: Validator, at: Option<Time>, secrets: &Secrets) -> Result<Augmenter, CliError> {
        Ok(Augmenter {
            stamper: self.stamper(at, secrets)?,
            validator,
            online: self.online.open()?,
            freshness: self.freshness,
            overlooked: self.overlook.clone(),
        })
    }

    /// Opens the same for time-stamps alone.
    pub fn stamper(&self, at: Option<Time>, secrets: &Secrets) -> Result<Stamper, CliError> {
        Ok(Stamper {
            authority: self.authority.open(self.online.network(), secrets)?,
            digest: self.authority.digest(),
            at,
        })
    }

    /// Returns which addresses may be asked.
    pub fn network(&self) -> &NetworkArguments {
        self.online.network()
    }

    /// Returns whether the authority's time is the real one.
    pub fn is_remote(&self) -> bool {
        self.authority.is_remote()
    }
}

/// Makes time-stamps.
pub struct Stamper {
    authority: Authority,
    digest: DigestAlgorithm,
    at: Option<Time>,
}

impl Stamper {
    /// Returns the digest function of time-stamps.
    pub fn digest(&self) -> DigestAlgorithm {
        self.digest
    }

    /// Returns the moment of time-stamps: the one that was given, else the clock's.
    pub fn now(&self) -> Time {
        self.at.unwrap_or_else(input::now)
    }

    /// Returns how many bytes are to be reserved for a token.
    pub fn room(&self) -> usize {
        self.authority.room(self.digest, self.now())
    }

    /// Returns a time-stamp token over a digest.
    pub fn token(
        &self,
        function: DigestAlgorithm,
        imprint: &[u8],
        notes: &mut Vec<String>,
    ) -> Result<Vec<u8>, CliError> {
        self.authority.token(function, imprint, self.now(), notes)
    }
}

/// Raises levels.
pub struct Augmenter {
    stamper: Stamper,
    validator: Validator,
    online: Option<Online>,
    freshness: Freshness,
    overlooked: Vec<Obstacle>,
}

impl Augmenter {
    /// Returns the target of this level.
    pub fn target(&self, level: Level, only: impl IntoIterator<Item = Id>) -> Target {
        let target = Target::new(level).freshness(self.freshness).digest(self.stamper.digest);
        let target = self.overlooked.iter().fold(target, |target, obstacle| target.overlooking(*obstacle));
        only.into_iter().fold(target, Target::only)
    }

    /// Returns the validator, which judges.
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Returns what makes time-stamps.
    pub fn stamper(&self) -> &Stamper {
        &self.stamper
    }

    /// Extends a document: what is wanted is made, fetched, or said not to be had. `path` is what errors are about.
    pub fn extend(
        &self,
        path: &Path,
        document: &Document<'_>,
        target: &Target,
        notes: &mut Vec<String>,
    ) -> Result<Box<Extended>, CliError> {
        self.run(path, notes, |material, time| extend(&self.validator, document, target, material, time))
    }

    /// Runs an extension until it is done.
    pub fn run(
        &self,
        path: &Path,
        notes: &mut Vec<String>,
        step: impl Fn(&Material, Time) -> Result<Extension, SigningError>,
    ) -> Result<Box<Extended>, CliError> {
        let session = self.online.as_ref().map(|online| online.session(Limits::default()));
        let (mut material, mut asked) = (Material::new(), Asked::default());
        for _ in 0..ROUNDS {
            let wants = match step(&material, self.stamper.now()) {
                Ok(Extension::Done(extended)) => return Ok(extended),
                Ok(Extension::Wanted(wants)) => wants,
                Err(error) => return Err(CliError::of_signing(path, &error)),
            };
            let (mut stamps, mut evidence): (Vec<TimestampWant>, Vec<EvidenceWant>) = (vec![], vec![]);
            for want in wants {
                match want {
                    Want::Timestamp(want) => stamps.push(want),
                    Want::Evidence(want) => evidence.push(want),
                }
            }
            for want in stamps {
                let token = self.stamper.token(want.algorithm, &want.imprint, notes);
                material.timestamp(token.map_err(|error| error.about(path))?);
            }
            let now = asked.next(evidence, &mut material);
            answer(&now, session.as_ref(), &mut material, notes);
        }
        Err(CliError::plain(format!("found more wanted after {ROUNDS} rounds, expected an end")).about(path))
    }
}

/// Asks for evidence, and hands it in.
fn answer(wants: &[EvidenceWant], session: Option<&Session<'_>>, material: &mut Material, notes: &mut Vec<String>) {
    let Some(session) = session else {
        wants.iter().for_each(|want| _ = material.in_vain(want, OFFLINE));
        return;
    };
    for (found, failures) in side_by_side(wants, AT_ONCE, |want| session.evidence(want)) {
        found.into_iter().for_each(|bytes| {
            material.evidence(bytes);
        });
        for failure in failures {
            notes.push(failure.to_string());
            material.attempt(failure.attempt());
        }
    }
}
