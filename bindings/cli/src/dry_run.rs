//! `lacre extend --dry-run`: what a file has, and what would be wanted first.

use crate::augment::Augmenter;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::output::{line, write_output, write_text};
use lacre::augmentation::{EvidenceWant, Extension, Material, Target, TimestampWant, Want, extend};
use lacre::report::SignatureLevel;
use lacre::signing::SigningErrorCode;
use lacre::{Document, Id};
use serde::Serialize;
use std::path::Path;

/// What is found of a file.
#[derive(Debug, Serialize)]
pub struct Outlook<'p> {
    path: &'p str,
    signatures: Vec<Found>,
    /// What would be wanted first; more may follow.
    wanted: Vec<Item>,
    /// Why it cannot be extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<CliError>,
}

#[derive(Debug, Serialize)]
struct Found {
    id: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<SignatureLevel>,
}

/// Something that would be wanted.
#[derive(Debug, Serialize)]
struct Item {
    kind: String,
    /// Whose certificate it is about; of a time-stamp the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    urls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<String>,
}

impl From<TimestampWant> for Item {
    fn from(want: TimestampWant) -> Self {
        let about = want.about.map(|id| id.to_string());
        Self { kind: want.kind.to_string(), about, urls: vec![], not_before: None }
    }
}

impl From<EvidenceWant> for Item {
    fn from(want: EvidenceWant) -> Self {
        let not_before = want.not_before.map(|time| time.to_string());
        Self { kind: want.wanted.kind.to_string(), about: Some(want.name), urls: want.wanted.urls, not_before }
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
    let report = augmenter.validator().validate(document, now).map_err(|error| CliError::of_document(path, &error))?;
    let signatures = report.signatures().map(|one| Found { id: one.id().clone(), level: one.level() }).collect();
    let (wanted, error) = match extend(augmenter.validator(), document, target, &Material::new(), now) {
        Ok(Extension::Wanted(wants)) => (wants, None),
        Ok(Extension::Done(_)) => (vec![], None),
        Err(error) => (vec![], Some(CliError::of_signing(path, &error))),
    };
    let items = wanted.into_iter().map(|want| match want {
        Want::Timestamp(want) => want.into(),
        Want::Evidence(want) => want.into(),
    });
    let shown = path.to_string_lossy();
    let outlook = Outlook { path: &shown, signatures, wanted: items.collect(), error };
    if json {
        let json = serde_json::to_string(&outlook).map_err(|error| CliError::new("a result", &error))?;
        write_output((json + "\n").as_bytes(), None)?;
    } else {
        write_text(&outlook.text(target), None)?;
        outlook
            .error
            .iter()
            .filter(|error| error.code() != Some(SigningErrorCode::AlreadyAtLevel))
            .for_each(CliError::print);
    }
    Ok(outlook.error.map_or(ExitStatus::Passed, |error| error.status()))
}

impl Outlook<'_> {
    fn text(&self, target: &Target) -> String {
        let mut text = String::new();
        line!(text, "==> {} <==", self.path);
        for signature in &self.signatures {
            let level = signature.level.map_or("UNKNOWN", SignatureLevel::as_str);
            line!(text, "{level:<18}  {}", signature.id);
        }
        match (&self.error, &self.wanted[..]) {
            (Some(error), _) if error.code() == Some(SigningErrorCode::AlreadyAtLevel) => {
                line!(text, "has all that {} asks for", target.level);
            }
            (Some(_), _) => line!(text, "cannot be extended to {}", target.level),
            (None, []) => line!(text, "can be extended to {} with what is at hand", target.level),
            (None, wanted) => {
                line!(text, "for {} would be wanted first:", target.level);
                for item in wanted {
                    let about = item.about.as_ref().map_or_else(String::new, |about| format!(" of {about}"));
                    let from = item.not_before.as_ref().map_or_else(String::new, |time| format!(", from {time} on"));
                    let urls = if item.urls.is_empty() { String::new() } else { format!(": {}", item.urls.join(", ")) };
                    line!(text, "  {}{about}{from}{urls}", item.kind);
                }
            }
        }
        text
    }
}
