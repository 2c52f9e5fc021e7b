//! `lacre extend --dry-run`: what each signature has, and what it would take to extend it.

use crate::augment::Augmenter;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::output::{line, write_output, write_text};
use lacre::augmentation::{EvidenceWant, Material, SignatureOutlook, Target, outlook};
use lacre::report::{SignatureLevel, WantedKind};
use lacre::signing::SigningErrorCode;
use lacre::{Document, Id, Time};
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// What is found of a file.
#[derive(Debug, Serialize)]
struct Found<'p> {
    path: Cow<'p, str>,
    signatures: Vec<FoundSignature>,
}

/// What is found of a signature.
#[derive(Debug, Serialize)]
struct FoundSignature {
    id: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<SignatureLevel>,
    /// How many time-stamps it would get.
    timestamps: usize,
    /// What else is missing, as far as it is known.
    wanted: Vec<Item>,
    /// Why it cannot be extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<CliError>,
}

/// A certificate or revocation data.
#[derive(Debug, Serialize)]
struct Item {
    kind: WantedKind,
    /// Whose certificate it is about.
    about: String,
    urls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_at: Option<Time>,
}

impl From<EvidenceWant> for Item {
    fn from(want: EvidenceWant) -> Self {
        let EvidenceWant { wanted, name, not_before, retry_at, .. } = want;
        Self { kind: wanted.kind, about: name, urls: wanted.urls, not_before, retry_at }
    }
}

impl FoundSignature {
    fn new(found: SignatureOutlook) -> Self {
        Self {
            error: found.obstacle.as_ref().map(CliError::of_cause),
            wanted: found.evidence.into_iter().map(Item::from).collect(),
            id: found.id,
            level: found.level,
            timestamps: found.timestamps,
        }
    }

    /// Returns why it cannot be extended, and is not good enough as it is.
    fn obstacle(&self) -> Option<&CliError> {
        self.error.as_ref().filter(|error| error.code() != Some(SigningErrorCode::AlreadyAtLevel))
    }
}

/// Says what would be done with a file; the status is that of doing it, as far as it is known.
pub fn look(
    path: &Path,
    document: &Document<'_>,
    augmenter: &Augmenter,
    target: &Target,
    json: bool,
) -> Result<ExitStatus, CliError> {
    let now = augmenter.stamper().now();
    let outlook = outlook(augmenter.validator(), document, target, &Material::new(), now)
        .map_err(|error| CliError::of_signing(path, &error))?;
    let signatures = outlook.signatures.into_iter().map(FoundSignature::new).collect();
    let found = Found { path: path.to_string_lossy(), signatures };
    if json {
        let json = serde_json::to_string(&found).map_err(|error| CliError::new("a result", &error))?;
        write_output((json + "\n").as_bytes(), None)?;
    } else {
        write_text(&found.text(target), None)?;
    }
    let status = match &found.signatures[..] {
        [] => ExitStatus::NoSignature,
        all => all
            .iter()
            .filter_map(FoundSignature::obstacle)
            .fold(ExitStatus::Passed, |status, error| status.worse(error.status())),
    };
    Ok(status)
}

impl Found<'_> {
    fn text(&self, target: &Target) -> String {
        let mut text = String::new();
        line!(text, "==> {} <==", self.path);
        for signature in &self.signatures {
            let level = signature.level.map_or("UNKNOWN", SignatureLevel::as_str);
            line!(text, "{level:<18}  {}", signature.id);
            match (signature.obstacle(), &signature.error) {
                (Some(error), _) => {
                    let code = error.code().map_or_else(String::new, |code| format!(" [{code}]"));
                    line!(text, "  cannot be extended to {}: {}{code}", target.level, error.message());
                    continue;
                }
                (None, Some(_)) => line!(text, "  has all that {} asks for", target.level),
                (None, None) => {
                    let takes = signature.timestamps;
                    line!(text, "  time-stamps for {}: {takes}", target.level);
                }
            }
            for item in &signature.wanted {
                let from = item.not_before.map_or_else(String::new, |time| format!(", from {time} on"));
                let next = item.retry_at.map_or_else(String::new, |time| format!(", due at {time}"));
                let urls = if item.urls.is_empty() { String::new() } else { format!(": {}", item.urls.join(", ")) };
                line!(text, "  {} of {}{from}{next}{urls}", item.kind, item.about);
            }
        }
        text
    }
}
