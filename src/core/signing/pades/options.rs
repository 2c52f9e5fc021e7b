//! What the caller of a PDF signature chooses.

use super::{Lock, Permission};
use crate::signing::attributes::not_empty;
use crate::signing::{SignatureParameters, SigningError, SigningErrorCode};

pub use crate::formats::pdf::rectangle::Rectangle;

/// What a PDF signature has besides what the signer states in any format.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The field that is signed: an invisible new one by default.
    pub field: Field,
    /// How the signature looks, in a field that has an area.
    #[cfg(feature = "visible-signatures")]
    pub appearance: Option<super::Appearance>,
    /// Whether a new field may lie on top of others and on annotations, which readers take for a way to hide something.
    pub allow_overlap: bool,
    /// The reason for signing: `/Reason`. Not beside a commitment type or a policy (EN 319 142-1 §6.3).
    pub reason: Option<String>,
    /// How the signer can be reached: `/ContactInfo`.
    pub contact_info: Option<String>,
    /// The name of the signer: `/Name`. Without it viewers show the one in the certificate.
    pub signer_name: Option<String>,
    /// The application that signs: `/Prop_Build`.
    pub application: Option<String>,
    /// Makes it a certification, which says what is permitted afterwards (ISO 32000-1 §12.8.2.2). It has to be the first
    /// signature.
    pub certify: Option<Permission>,
    /// The fields that nobody may change afterwards (ISO 32000-1 table 233), for a field that has no lock of its own.
    pub lock: Option<Lock>,
    /// Whether what the field asks of its signer is obeyed (ISO 32000-1 table 234): yes by default.
    pub obey_seed_values: bool,
    /// How many bytes are reserved for the CMS signature; by default as many as it can need, and some more.
    pub reserved: Option<usize>,
    /// How many bytes a signature-time-stamp may have, where one is to be in the signature:
    /// [`Prepared::finish_with_timestamp`](crate::signing::Prepared::finish_with_timestamp).
    pub timestamp: Option<usize>,
    /// By how many minutes the time in `/M` is ahead of universal time.
    pub utc_offset: i16,
    /// Whether files are signed that have cross-reference tables and streams side by side: yes by default, where both say
    /// the same of what is seen.
    pub allow_hybrid: bool,
    /// What is stated of extensions to ISO 32000-1.
    pub extensions: Extensions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            field: Field::default(),
            #[cfg(feature = "visible-signatures")]
            appearance: None,
            allow_overlap: false,
            reason: None,
            contact_info: None,
            signer_name: None,
            application: None,
            certify: None,
            lock: None,
            obey_seed_values: true,
            reserved: None,
            timestamp: None,
            utc_offset: 0,
            allow_hybrid: true,
            extensions: Extensions::default(),
        }
    }
}

/// The room for a signature-time-stamp of an authority of which nothing is known.
pub(super) const TIMESTAMP: usize = 32 * 1024;

impl Options {
    /// Reserves room for a signature-time-stamp of any usual authority.
    pub fn with_timestamp(mut self) -> Self {
        self.timestamp = Some(TIMESTAMP);
        self
    }

    /// Checks what is wrong whatever the document.
    pub(super) fn check(&self, parameters: &SignatureParameters) -> Result<(), SigningError> {
        let invalid = |found: String| Err(SigningError::new(SigningErrorCode::ParameterInvalid, found));
        let stated = !parameters.commitments.is_empty() || parameters.policy.is_some();
        if self.reason.is_some() && stated {
            let found = "found a reason beside a commitment type or a policy, expected one of them (EN 319 142-1 §6.3)";
            return Err(
                SigningError::new(SigningErrorCode::ParametersConflict, found).with_hint("leave the reason out")
            );
        }
        for (what, text) in [
            ("reason", &self.reason),
            ("contact", &self.contact_info),
            ("name", &self.signer_name),
            ("application", &self.application),
        ] {
            text.iter().try_for_each(|text| not_empty(what, text))?;
        }
        parameters.place.iter().try_for_each(|place| place.check())?;
        if self.utc_offset.unsigned_abs() >= 24 * 60 {
            return invalid(format!("found an offset of {} minutes, expected less than a day", self.utc_offset));
        }
        self.lock.as_ref().map_or(Ok(()), check_lock)
    }
}

/// Checks that a lock names fields where it is to name some, and none where it is of all (ISO 32000-1 table 233).
///
/// # Errors
///
/// `parameter-invalid`.
pub(super) fn check_lock(lock: &Lock) -> Result<(), SigningError> {
    if (lock.action == super::LockAction::All) != lock.fields.is_empty() {
        let found = format!("found a lock of {} fields, expected names to include or exclude", lock.fields.len());
        return Err(SigningError::new(SigningErrorCode::ParameterInvalid, found));
    }
    lock.fields.iter().try_for_each(|name| not_empty("name of a locked field", name))
}

/// The field that is signed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Field {
    /// A new one.
    New(NewField),
    /// The signature field of this name, which is to be empty.
    Named(String),
    /// The only empty signature field.
    OnlyEmpty,
}

impl Default for Field {
    fn default() -> Self {
        Self::New(NewField::default())
    }
}

/// A signature field to be made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NewField {
    /// Its name, by default `Signature1` or the next that is free. Dots separate the names of its parents, which are made
    /// where they are missing.
    pub name: Option<String>,
    /// What it is for, read out to those who do not see: `/TU`.
    pub tooltip: Option<String>,
    /// The number of its page, from one on; from minus one on counted from the last.
    pub page: i32,
    /// Where it is on the page; nowhere, where nothing is to be seen.
    pub placement: Option<Placement>,
}

impl Default for NewField {
    fn default() -> Self {
        Self { name: None, tooltip: None, page: 1, placement: None }
    }
}

/// Where a field is on its page, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Placement {
    /// In the coordinates of the page (ISO 32000-1 §8.3.2.3), whatever it is turned by and cropped to.
    Page(Rectangle),
    /// As the page is displayed: how far its left upper corner is from that of the page, and its size.
    Displayed {
        /// From the left edge.
        left: f64,
        /// From the upper edge.
        top: f64,
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
}

/// What is stated of extensions to ISO 32000-1 in the catalog (§7.12). No validator is known that asks for it; of PDF 2.0
/// nothing is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Extensions {
    /// ETSI's, in a document that has no signature; nothing in others, of which as little as possible is changed.
    #[default]
    Automatic,
    /// Nothing.
    None,
    /// ETSI's: `/ESIC`.
    Etsi,
    /// Adobe's: `/ADBE`, level 8.
    Adobe,
}
