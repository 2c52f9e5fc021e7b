//! The loop of an extension: judge and write by the workers, ask on the network, again.

use crate::app::App;
use crate::clock;
use crate::http::body::FetchedMaterial;
use crate::http::document_form::Fields;
use crate::http::failure::{DocumentFailure, Failure};
use crate::http::problem;
use crate::http::submission::Submission;
use lacre::augmentation::{self, Asked, Extended, Extension, Material, Target, Want};
use lacre::{Id, Time, Validator};
use lacre_json::{Base64, Wanted, wanted};
use std::collections::BTreeSet;
use std::time::Instant;

/// How often is judged again. An extension to LTA takes two time-stamps, and responders' own chains some more.
const ROUNDS: usize = 24;

/// Time-stamps and evidence: those that the caller handed in, and those that were fetched.
#[derive(Debug, Clone, Default)]
pub struct Supplies {
    material: Material,
    fetched: FetchedMaterial,
}

impl Supplies {
    /// Takes the supplies that the caller handed in.
    pub fn of(fields: &Fields) -> Self {
        let mut material = Material::new();
        fields.timestamps.iter().for_each(|bytes| {
            material.timestamp(bytes.to_vec());
        });
        Self { material, fetched: FetchedMaterial::default() }.with_evidence(fields)
    }

    /// Takes the caller's evidence alone.
    pub fn without_timestamps(fields: &Fields) -> Self {
        Self::default().with_evidence(fields)
    }

    fn with_evidence(mut self, fields: &Fields) -> Self {
        fields.evidence.iter().for_each(|bytes| {
            self.material.evidence(bytes.to_vec());
        });
        self
    }

    /// Adds a time-stamp that the caller handed in.
    pub fn timestamp(&mut self, bytes: Vec<u8>) {
        self.material.timestamp(bytes);
    }

    /// Notes a signature value that the caller's key made: what is handed in again is over it.
    pub fn made(&mut self, value: &[u8]) {
        self.fetched.value = Some(Base64(value.to_vec()));
    }

    /// Notes a time-stamp that is in the signature already.
    pub fn stamped(&mut self, token: &[u8]) {
        self.fetched.timestamps.push(Base64(token.to_vec()));
    }

    fn fetched_timestamp(&mut self, token: Vec<u8>) {
        self.fetched.timestamps.push(Base64(token.clone()));
        self.material.timestamp(token);
    }

    fn fetched_evidence(&mut self, bytes: Vec<u8>) {
        self.fetched.evidence.push(Base64(bytes.clone()));
        self.material.evidence(bytes);
    }

    /// Makes the failure that something is missing which this server does not fetch.
    pub fn missing(&self, wanted: Vec<Wanted>) -> Failure {
        let each: BTreeSet<&str> = wanted.iter().map(|want| want.kind).collect();
        let each: Vec<&str> = each.into_iter().collect();
        Failure::Document(Box::new(DocumentFailure {
            kind: problem::EVIDENCE_MISSING,
            code: problem::EVIDENCE_MISSING.name,
            detail: format!("found nothing that is as wanted, expected: {}", each.join(", ")),
            hint: Some("ask for what is wanted, and send the form again with it".to_owned()),
            wanted,
            material: Some(self.fetched.clone()).filter(|fetched| *fetched != FetchedMaterial::default()),
        }))
    }
}

/// Extends a document; gives it back with what came of it.
///
/// # Errors
///
/// 422 where it cannot be extended so, or the caller has to hand something in; 502 where no authority gives a time-stamp; 503
/// where too many requests wait.
pub async fn extend(
    app: &App,
    mut document: Submission,
    target: Target,
    mut supplies: Supplies,
    begun: Instant,
) -> Result<(Submission, Box<Extended>), Failure> {
    // Without the authority's own list, which is another one every moment: what was chosen before is chosen again.
    let validator = app.trusted.validator()?;
    let mut asked = Asked::default();
    own_evidence(app, &mut supplies).await;
    for _ in 0..ROUNDS {
        let (validator, target, material) = (validator.clone(), target.clone(), supplies.material.clone());
        let time = clock::second();
        let job = move || {
            let step = augmentation::extend(&validator, &document.document(None), &target, &material, time);
            (document, step)
        };
        let step;
        (document, step) = app.workers.run(job).await?;
        let wants = match step {
            Ok(Extension::Done(extended)) => return Ok((document, extended)),
            Ok(Extension::Wanted(wants)) => wants,
            Err(error) => return Err(Failure::signing(error)),
        };
        let stamps = wants.iter().any(|want| matches!(want, Want::Timestamp(_)));
        let evidence = wants.iter().any(|want| matches!(want, Want::Evidence(_)));
        if (stamps && !app.fetching.names_authority()) || (evidence && !app.fetching.evidence) {
            return Err(supplies.missing(wants.iter().map(wanted).collect()));
        }
        let mut now = vec![];
        for want in wants {
            match want {
                Want::Timestamp(want) => {
                    let token = app.fetching.wanted_timestamp(&want, clock::now(), begun).await?;
                    supplies.fetched_timestamp(token);
                }
                Want::Evidence(want) => now.push(want),
            }
        }
        if stamps {
            // What the server's own authority says has to be as new as the time-stamp.
            own_evidence(app, &mut supplies).await;
        }
        let now = asked.next(now, &mut supplies.material);
        if !now.is_empty() {
            let (found, attempts) = app.fetching.wanted_evidence(now, begun).await?;
            found.into_iter().for_each(|bytes| supplies.fetched_evidence(bytes));
            attempts.into_iter().for_each(|attempt| {
                supplies.material.attempt(attempt);
            });
        }
    }
    Err(Failure::internal(format!("more was wanted after {ROUNDS} rounds")))
}

/// Adds what the server's own authority says as of now, after all that is there.
async fn own_evidence(app: &App, supplies: &mut Supplies) {
    let (chain, list) = app.own_evidence(clock::now()).await;
    chain.into_iter().for_each(|certificate| {
        supplies.material.evidence(certificate);
    });
    list.into_iter().for_each(|list| supplies.fetched_evidence(list));
}

/// The values of the signatures of a document.
pub type Values = Vec<(Id, Vec<u8>)>;

/// Reads the values of the signatures of a document.
///
/// # Errors
///
/// 415 where it cannot be read.
pub fn values(validator: &Validator, document: &Submission, time: Time) -> Result<Values, Failure> {
    let facts = validator.facts(&document.document(None), time);
    let facts = facts.map_err(|error| Failure::of(problem::UNKNOWN_FORMAT, error.to_string()))?;
    Ok(facts.signatures.iter().map(|signature| (signature.id.clone(), signature.value.0.clone())).collect())
}

/// Returns the id of the signature of a document that was not in it before, by its value.
///
/// # Errors
///
/// 415 where the document cannot be read, 400 where the very signature was in it before.
pub fn new_signature(validator: &Validator, before: Values, after: &Submission, time: Time) -> Result<Id, Failure> {
    let is_old = |value: &Vec<u8>| before.iter().any(|(_, old)| old == value);
    let new = values(validator, after, time)?.into_iter().find(|(_, value)| !is_old(value));
    new.map(|(id, _)| id).ok_or_else(|| {
        let detail = "found this very signature in the document already, expected another";
        Failure::of(problem::BAD_PARAMETER, detail)
    })
}
