//! What an extension is to reach, and what came of it: as JSON.

use crate::parameters::digest_function;
use crate::{Level, Refused};
use lacre::Id;
use lacre::augmentation::{Extended, Freshness, Obstacle, Target};
use lacre::signing::SigningErrorCode;
use serde::{Deserialize, Serialize};

/// What an extension is to reach, and how.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExtensionRequest {
    /// The level; LTA where none is stated.
    pub level: Option<Level>,
    /// The signatures, by their ids in a report; all where none is stated.
    pub signatures: Vec<String>,
    /// How recent revocation data has to be.
    pub freshness: Option<Freshness>,
    /// What is overlooked.
    pub overlook: Vec<Obstacle>,
    /// The digest function of time-stamps.
    pub digest_algorithm: Option<String>,
    /// Leaves signatures of level LTA as they are.
    pub no_renewal: bool,
}

impl ExtensionRequest {
    /// Returns the target.
    ///
    /// # Errors
    ///
    /// `parameter-invalid`.
    pub fn target(&self) -> Result<Target, Refused> {
        let level = self.level.unwrap_or(Level::Lta).above_b();
        let level = level
            .ok_or_else(|| Refused::new(SigningErrorCode::ParameterInvalid, "level: found B, expected T, LT or LTA"))?;
        let mut target = Target::new(level);
        target.freshness = self.freshness.unwrap_or(target.freshness);
        target.renewal = !self.no_renewal;
        if let Some(name) = &self.digest_algorithm {
            target = target.digest(digest_function(name)?);
        }
        target = self.overlook.iter().fold(target, |target, obstacle| target.overlooking(*obstacle));
        Ok(self.signatures.iter().fold(target, |target, id| target.only(Id::new(id.as_str()))))
    }
}

/// What became of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtensionResult {
    /// The level, that of the lowest of the signatures that were chosen.
    pub level: &'static str,
    /// What became of each signature.
    pub signatures: Vec<SignatureResult>,
}

/// What became of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureResult {
    /// Its id in the document as it was given.
    pub id: String,
    /// Its id in the document that was written.
    pub new_id: String,
    /// The profile that it fulfilled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<&'static str>,
    /// The profile that it fulfils.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<&'static str>,
    /// Why it was not extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SignatureError>,
}

/// Why a signature was not extended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignatureError {
    /// The cause as a code.
    pub code: &'static str,
    /// What was found and what was expected.
    pub message: String,
    /// What can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ExtensionResult {
    /// Returns what became of the signatures of a target.
    pub fn of(extended: &Extended, target: &Target) -> Self {
        let signatures = extended.signatures.iter().map(|signature| SignatureResult {
            id: signature.id.to_string(),
            new_id: signature.new_id.to_string(),
            before: signature.before.map(|level| level.as_str()),
            after: signature.after.map(|level| level.as_str()),
            error: signature.obstacle.as_ref().map(|error| SignatureError {
                code: error.code().as_str(),
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            }),
        });
        Self { level: extended.lowest_level(target).as_str(), signatures: signatures.collect() }
    }
}
