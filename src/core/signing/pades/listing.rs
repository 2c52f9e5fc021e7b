//! The signature fields of a form.

use super::error::open;
use super::options::Rectangle;
use super::seed_values::SeedValues;
use super::{Lock, permissions};
use crate::budget::Budget;
use crate::document::Document;
use crate::formats::pdf::write::form::{self, FormField};
use crate::formats::pdf::{File, Object, Revision, pages};
use crate::signing::SigningError;
use std::collections::HashMap;

/// A signature field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FieldInfo {
    /// Its fully qualified name.
    pub name: String,
    /// Whether it has a signature, or another value.
    pub is_signed: bool,
    /// The number of its page, from one on; `None` where it is on none.
    pub page: Option<u32>,
    /// Where it is on the page, in the coordinates of the page; `None` where it has no area.
    pub rectangle: Option<Rectangle>,
    /// Which fields its signature locks (ISO 32000-1 table 233).
    pub lock: Option<Lock>,
    /// What it asks of its signer (table 234).
    pub seed_values: SeedValues,
}

/// Returns the signature fields of a document.
///
/// # Errors
///
/// `document-unreadable`, `password-needed` and `password-wrong`.
pub fn fields(document: &Document<'_>, budget: &Budget) -> Result<Vec<FieldInfo>, SigningError> {
    let file = File::new(document.bytes(), budget)?;
    let revision = open(&file, document)?;
    let on_page = widgets_on_pages(&revision);
    let fields = form::fields(&revision);
    let listed = fields.iter().filter(|field| field.is_signature()).map(|field| info(&revision, field, &on_page));
    let listed = listed.collect();
    file.check_limits()?;
    Ok(listed)
}

fn info<'a>(revision: &Revision<'a, '_>, field: &FormField<'a>, on_page: &HashMap<u32, u32>) -> FieldInfo {
    let widget = field.widgets.first();
    let page = widget.and_then(|(id, _)| on_page.get(&id.as_ref()?.number).copied());
    let rectangle = widget.and_then(|(_, widget)| Rectangle::read_entry(revision, widget, b"Rect"));
    FieldInfo {
        name: field.name.clone(),
        is_signed: field.is_filled(),
        page,
        rectangle: rectangle.filter(|rectangle| !rectangle.is_empty()),
        lock: permissions::lock_of_field(revision, &field.dictionary),
        seed_values: SeedValues::of(revision, &field.dictionary),
    }
}

/// Returns the numbers of the pages on which annotations are, by the numbers of these.
fn widgets_on_pages(revision: &Revision<'_, '_>) -> HashMap<u32, u32> {
    let mut on_page = HashMap::new();
    for (number, page) in (1..).zip(pages::pages(revision)) {
        let annotations = revision.array(&page, b"Annots").unwrap_or_default();
        on_page.extend(annotations.iter().filter_map(Object::reference).map(|id| (id.number, number)));
    }
    on_page
}
