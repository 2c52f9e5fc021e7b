//! What a PDF signature has beside what a signer states in any format: `--reason`, `--field`, `--certify`, …

use crate::error::CliError;
use crate::input;
use lacre::signing::pades::{Appearance, Field, Lock, LockAction, NewField, Options, Permission, Placement};
use std::path::PathBuf;

/// What is seen of a signature by default.
const TEXT: &str = "{name}\n{time}";

/// What a PDF signature has, and no other.
#[derive(Debug, clap::Args)]
pub struct PdfArguments {
    /// Why it is signed. Not beside a commitment or a policy.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Where it is signed, as viewers show it. `--place` with a city says the same in every format.
    #[arg(long, value_name = "TEXT", conflicts_with = "place")]
    location: Option<String>,
    /// How the signer can be reached.
    #[arg(long, value_name = "TEXT")]
    contact: Option<String>,
    /// The name of the signature field: of an empty one that is there; with --page or --box of a new one. Default: a
    /// new field that is not seen.
    #[arg(long, value_name = "NAME")]
    field: Option<String>,
    /// Make a new field on this page, counted from 1; from the last page on with -1. Default: 1.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    page: Option<i32>,
    /// Where the new field is seen: how far its corner is from the left and the upper edge of the page, its width and
    /// its height, in points (72 an inch).
    #[arg(long = "box", value_name = "X,Y,W,H", value_parser = placement)]
    place_on_page: Option<Placement>,
    /// What is seen, a line each. {name}, {time}, {reason} and {place} stand for what the signature states. Default,
    /// with --box: name and time.
    #[arg(long, value_name = "LINE")]
    text: Vec<String>,
    /// A picture that is seen: PNG or JPEG.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// The typeface of the text: TrueType. Default: one that has Latin, Greek and Cyrillic letters.
    #[arg(long, value_name = "FILE", requires = "text")]
    font: Option<PathBuf>,
    /// Certify the document, as its first signature: 1 permits nothing afterwards, 2 filling in and signing, 3
    /// comments, too.
    #[arg(long, value_name = "1|2|3", value_parser = permission)]
    certify: Option<Permission>,
    /// Lock fields against changes: all, or their names, with commas between.
    #[arg(long, value_name = "all|NAME,…", value_parser = lock)]
    lock: Option<Lock>,
}

impl PdfArguments {
    /// Returns whether one of them is given.
    pub fn is_given(&self) -> bool {
        let texts = [&self.reason, &self.location, &self.contact, &self.field];
        texts.iter().any(|text| text.is_some())
            || self.page.is_some()
            || self.place_on_page.is_some()
            || self.certify.is_some()
            || self.lock.is_some()
            || !self.text.is_empty()
            || self.picture.is_some()
    }

    /// Returns where it is signed, in words.
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns how the signature looks, if it is seen.
    pub fn appearance(&self) -> Result<Option<Appearance>, CliError> {
        let read = |path: &PathBuf| Ok::<_, CliError>(input::open(path)?.to_vec());
        let mut appearance = Appearance::default();
        appearance.picture = self.picture.as_ref().map(read).transpose()?;
        appearance.font = self.font.as_ref().map(read).transpose()?;
        appearance.text = (!self.text.is_empty()).then(|| self.text.join("\n"));
        if appearance.text.is_none() && appearance.picture.is_none() {
            let Some(_) = self.place_on_page else { return Ok(None) };
            appearance.text = Some(TEXT.to_owned());
        }
        Ok(Some(appearance))
    }

    /// Returns the options, with so many bytes of room for a time-stamp in the signature.
    pub fn options(&self, appearance: Option<&Appearance>, timestamp: Option<usize>) -> Options {
        let mut options = Options::default();
        options.reason.clone_from(&self.reason);
        options.contact_info.clone_from(&self.contact);
        options.certify = self.certify;
        options.lock.clone_from(&self.lock);
        options.field = match &self.field {
            Some(name) if self.page.is_none() && self.place_on_page.is_none() => Field::Named(name.clone()),
            name => {
                let mut new = NewField::default();
                new.name.clone_from(name);
                new.page = self.page.unwrap_or(new.page);
                new.placement = self.place_on_page;
                Field::New(new)
            }
        };
        options.appearance = appearance.cloned();
        options.timestamp = timestamp;
        options
    }
}

/// Reads a place on a page from four numbers.
pub fn placement(text: &str) -> Result<Placement, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([left, top, width, height]) if numbers.iter().flatten().all(|number| number.is_finite()) => {
            Ok(Placement::Displayed { left: *left, top: *top, width: *width, height: *height })
        }
        _ => Err("expected four numbers: X,Y,W,H".into()),
    }
}

pub fn permission(text: &str) -> Result<Permission, String> {
    Ok(match text {
        "1" => Permission::NoChange,
        "2" => Permission::MinimalChanges,
        "3" => Permission::Changes,
        _ => return Err("expected 1, 2 or 3".into()),
    })
}

pub fn lock(text: &str) -> Result<Lock, String> {
    if text == "all" {
        return Ok(Lock { action: LockAction::All, fields: vec![], permissions: None });
    }
    let fields: Vec<String> = text.split(',').map(str::trim).map(str::to_owned).collect();
    match fields.iter().any(String::is_empty) {
        true => Err("expected all, or names of fields with commas between".into()),
        false => Ok(Lock { action: LockAction::Include, fields, permissions: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_fields() {
        assert_eq!(lock("all").map(|lock| lock.action), Ok(LockAction::All));
        assert_eq!(lock("a, b.c").map(|lock| lock.fields), Ok(vec!["a".to_owned(), "b.c".to_owned()]));
        assert!(lock("a,,b").is_err() && lock("").is_err());
        assert!(placement("1,2,3").is_err() && placement("1,2,3,x").is_err() && placement("1,2,3,inf").is_err());
        assert!(placement("1, 2.5, 30,40").is_ok());
        assert!(permission("0").is_err() && permission("2").is_ok());
    }
}
