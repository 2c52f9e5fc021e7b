//! Empty signature fields, to be signed later: ISO 32000-1 §12.7.4.5.

use super::certification::Terms;
use super::error::{check_read, open};
use super::field::Target;
use super::forbidden::Earlier;
use super::options::{NewField, check_lock};
use super::{Lock, SeedValues};
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto;
use crate::document::Document;
use crate::formats::pdf::File;
use crate::formats::pdf::write::{Accepted, Update, form};
use crate::output::Output;
use crate::signing::SigningError;

/// An empty signature field to be made.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EmptyField {
    /// Its name and place.
    pub field: NewField,
    /// The fields that nobody may change once it is signed (ISO 32000-1 table 233).
    pub lock: Option<Lock>,
    /// What it asks of its signer (table 234).
    pub seed_values: SeedValues,
    /// Whether it may lie on top of other fields and of annotations.
    pub allow_overlap: bool,
}

impl From<NewField> for EmptyField {
    fn from(field: NewField) -> Self {
        Self { field, ..Self::default() }
    }
}

/// A document with a new field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AddedField {
    /// The fully qualified name of the field.
    pub name: String,
    /// Whether the document was signed before: a validator then reports the field as a change.
    pub is_after_signature: bool,
    /// The new file.
    pub output: Output,
}

/// Adds an empty signature field, to be signed later.
///
/// Where a document is to be signed by several, all fields are best there before the first of them signs: viewers differ
/// in whether a new field changes what was signed.
///
/// # Errors
///
/// As [`prepare`](super::prepare) has them about fields and earlier signatures; `certified-no-changes` where one of these
/// permits no new fields, `locked-by-field` where the new one could never be signed; `parameter-invalid`.
pub fn add_field(document: &Document<'_>, field: &EmptyField, budget: &Budget) -> Result<AddedField, SigningError> {
    field.lock.as_ref().map_or(Ok(()), check_lock)?;
    let seed_values = field.seed_values.entries()?;
    let bytes = document.bytes();
    let file = File::new(bytes, budget)?;
    let revision = open(&file, document)?;
    let digest = crypto::digest(DigestAlgorithm::Sha256, bytes).unwrap_or_default();
    let seed = std::array::from_fn(|index| digest.get(index).copied().unwrap_or_default());
    let mut update = Update::begin(&revision, seed, Accepted::default())?;
    let fields = form::fields(&revision);
    let target = Target::new_field(&revision, &fields, &field.field)?;
    let earlier = Earlier::read(&revision, &fields);
    earlier.check(&file, &target, true)?;
    if !field.allow_overlap {
        target.check_overlap(&revision)?;
    }
    let terms = Terms { lock: field.lock.clone(), lock_is_new: true, ..Terms::default() };
    target.write(&mut update, None, None, &terms, seed_values)?;
    let appended = update.finish()?;
    check_read(&file, &revision)?;
    let output = Output::appended(bytes.len(), appended.bytes);
    Ok(AddedField { name: target.name().to_owned(), is_after_signature: earlier.has_signatures(), output })
}
