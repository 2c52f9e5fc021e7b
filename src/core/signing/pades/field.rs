//! The field that is signed: a new one or one of the form. ISO 32000-1 §12.7.4.5.

use super::certification::{Terms, lock_dictionary};
use super::options::{Field, NewField, Options, Placement, Rectangle};
use super::seed_values::SeedValues;
use super::{Lock, permissions};
use crate::formats::pdf::write::claims::Claims;
use crate::formats::pdf::write::form::{self, FormField, add_field, flag_signatures};
use crate::formats::pdf::write::page::Page;
use crate::formats::pdf::write::structure::{add_form_element, order_by_structure};
use crate::formats::pdf::write::{Entries, Update, Value, WriteError};
use crate::formats::pdf::{Reference, Revision};
use crate::signing::{SigningError, SigningErrorCode as Code};

/// The field that is signed.
#[derive(Debug, Clone)]
pub(super) enum Target<'a> {
    /// A new one.
    New { name: String, place: form::Place, page: Page<'a>, rectangle: Option<Rectangle>, tooltip: Option<String> },
    /// One of the form, which is an object of its own.
    Existing { field: Box<FormField<'a>>, id: Reference },
}

impl<'a> Target<'a> {
    /// Finds the field, or the place of a new one.
    ///
    /// # Errors
    ///
    /// `field-not-found`, `field-not-signature`, `field-signed`; `field-name-invalid` and `field-outside-page`.
    pub fn choose(
        revision: &Revision<'a, '_>,
        fields: &[FormField<'a>],
        options: &Options,
    ) -> Result<Self, SigningError> {
        match &options.field {
            Field::New(field) => Self::new_field(revision, fields, field),
            Field::Named(name) => Self::named(fields, name),
            Field::OnlyEmpty => {
                let mut empty = empty_fields(fields);
                match (empty.next(), empty.next()) {
                    (Some(field), None) => Self::named(fields, &field.name),
                    (None, _) => Err(not_found("found no empty signature field, expected one".into(), fields)),
                    _ => Err(not_found("found several empty signature fields, expected one".into(), fields)),
                }
            }
        }
    }

    fn named(fields: &[FormField<'a>], name: &str) -> Result<Self, SigningError> {
        let mut of_name = fields.iter().filter(|field| field.name == name);
        let (field, second) = (of_name.next(), of_name.next());
        let Some(field) = field else {
            return Err(not_found(format!("found no field {name}, expected an empty signature field"), fields));
        };
        let refused = |code, found: &str| {
            Err(SigningError::new(code, format!("found {found} of the name {name}, expected an empty signature field")))
        };
        if second.is_some() {
            return refused(Code::FieldNameInvalid, "several fields");
        }
        if !field.is_signature() {
            return refused(Code::FieldNotSignature, "another kind of field");
        }
        if field.is_filled() {
            return refused(Code::FieldSigned, "a signed field");
        }
        match field.id {
            Some(id) => Ok(Self::Existing { field: Box::new(field.clone()), id }),
            None => refused(Code::DocumentUnreadable, "a field inside of another object"),
        }
    }

    /// Finds the place of a new field.
    pub fn new_field(
        revision: &Revision<'a, '_>,
        fields: &[FormField<'a>],
        field: &NewField,
    ) -> Result<Self, SigningError> {
        let name = match &field.name {
            Some(name) => name.clone(),
            None => free_name(fields, "Signature"),
        };
        let place = form::place(fields, &name).map_err(|found| {
            let found = format!("{found} ({name}), expected a name that no field has");
            SigningError::new(Code::FieldNameInvalid, found)
        })?;
        let page = Page::numbered(revision, field.page)?.ok_or_else(|| {
            let found = format!("found no page {}, expected one of the document", field.page);
            SigningError::new(Code::FieldOutsidePage, found)
        })?;
        let rectangle = field.placement.map(|placement| within(&page, placement)).transpose()?;
        Ok(Self::New { name, place, page, rectangle, tooltip: field.tooltip.clone() })
    }

    /// Returns its fully qualified name.
    pub fn name(&self) -> &str {
        match self {
            Self::New { name, .. } => name,
            Self::Existing { field, .. } => &field.name,
        }
    }

    /// Returns whether more than a signature is added: parents of fields, or a new field that is seen.
    pub fn adds_more_than_signature(&self) -> bool {
        matches!(self, Self::New { place, rectangle, .. } if place.makes_parents() || rectangle.is_some())
    }

    /// Returns the lock that it has (table 233).
    pub fn lock(&self, revision: &Revision<'a, '_>) -> Option<Lock> {
        let Self::Existing { field, .. } = self else { return None };
        permissions::lock_of_field(revision, &field.dictionary)
    }

    /// Returns what it asks of its signer (table 234), where that is to be obeyed.
    pub fn seed_values(&self, revision: &Revision<'a, '_>, options: &Options) -> SeedValues {
        match self {
            Self::Existing { field, .. } if options.obey_seed_values => SeedValues::of(revision, &field.dictionary),
            _ => SeedValues::default(),
        }
    }

    /// Checks that a new field lies on no other annotation that is seen.
    ///
    /// # Errors
    ///
    /// `field-overlaps`.
    pub fn check_overlap(&self, revision: &Revision<'a, '_>) -> Result<(), SigningError> {
        let Self::New { name, page, rectangle: Some(rectangle), .. } = self else { return Ok(()) };
        if !page.annotations(revision).iter().any(|area| area.overlaps(rectangle)) {
            return Ok(());
        }
        let found =
            format!("found the place of the field {name} on top of another field or a note, expected a free one");
        Err(SigningError::new(Code::FieldOverlaps, found).with_hint("place it elsewhere, or allow the overlap"))
    }

    /// Returns where its signature is seen.
    ///
    /// # Errors
    ///
    /// `field-outside-page` where it has no area.
    #[cfg(feature = "visible-signatures")]
    pub fn shown(&self, revision: &Revision<'a, '_>) -> Result<super::appearance::Shown, SigningError> {
        let found = match self {
            Self::New { page, rectangle, .. } => rectangle.map(|rectangle| (page.clone(), rectangle)),
            Self::Existing { field, .. } => match field.widgets.first() {
                Some((Some(id), widget)) => {
                    let area = Rectangle::read_entry(revision, widget, b"Rect").filter(|area| !area.is_empty());
                    Page::with_annotation(revision, *id, widget)?.zip(area)
                }
                _ => None,
            },
        };
        let shown = found.map(|(page, area)| super::appearance::Shown::on(&page, area));
        shown.ok_or_else(|| {
            let found = format!("found an appearance for the field {}, which has no area on a page", self.name());
            SigningError::new(Code::FieldOutsidePage, found).with_hint("say where it is, or leave the appearance out")
        })
    }

    /// Writes the field with its signature, or a new one without, which may ask something of its signer.
    ///
    /// # Errors
    ///
    /// `document-unreadable` where the form is not as the standard has it.
    pub fn write(
        &self,
        update: &mut Update<'_, '_, '_>,
        signature: Option<Reference>,
        appearance: Option<Reference>,
        terms: &Terms,
        seed_values: Option<Entries>,
    ) -> Result<(), SigningError> {
        let lock = terms.lock.as_ref().filter(|_| terms.lock_is_new).map(lock_dictionary);
        match self {
            Self::New { name, place, page, rectangle, tooltip } => {
                let mut more = Entries::new();
                let claims = Claims::read(update.revision());
                // ISO 19005-1 §6.9: also one that nobody sees.
                let appearance = match claims.archive_part {
                    Some(1) if appearance.is_none() => Some(update.add_stream(empty_form(), vec![])),
                    _ => appearance,
                };
                appearance.into_iter().for_each(|form| more.set(b"AP", appearances(form)));
                if let Some(lock) = lock {
                    let lock = update.add(lock);
                    more.set(b"Lock", lock);
                }
                if let Some(values) = seed_values {
                    let values = update.add(values);
                    more.set(b"SV", values);
                }
                // ISO 14289-1 §7.18.1: there is always something to read out.
                let tooltip = tooltip.as_deref().or(claims.is_accessible.then_some(name));
                // §7.18.1, §7.18.4: what lies outside of the page is not part of the structure. A field that nobody sees leaves the
                // structure as earlier signers knew it.
                let is_seen = rectangle.is_some();
                let rectangle = rectangle.or(claims.is_accessible.then(|| outside(&page.area)));
                let (page, value) = (page.id, signature);
                let field = form::NewField { name, tooltip, page, rectangle, value, more };
                let widget = add_field(update, place, field)?;
                if claims.is_accessible {
                    order_by_structure(update, page)?;
                }
                if claims.is_accessible && is_seen {
                    add_form_element(update, page, widget)?;
                }
            }
            Self::Existing { id, field } => {
                if let Some(signature) = signature {
                    update.set(*id, &[], b"V", signature)?;
                }
                if let (Some(appearance), Some((Some(widget), _))) = (appearance, field.widgets.first()) {
                    update.set(*widget, &[], b"AP", appearances(appearance))?;
                }
                if let Some(lock) = lock {
                    let lock = update.add(lock);
                    update.set(*id, &[], b"Lock", lock)?;
                }
            }
        }
        Ok(flag_signatures(update, signature.is_some())?)
    }
}

/// Returns a rectangle without area outside of another.
fn outside(area: &Rectangle) -> Rectangle {
    let (left, bottom) = (area.left - 1.0, area.bottom - 1.0);
    Rectangle { left, bottom, right: left, top: bottom }
}

/// Returns an appearance dictionary, which has but the normal one (ISO 19005-1 §6.5.3).
fn appearances(form: Reference) -> Entries {
    Entries::new().with("N", form)
}

/// Returns the entries of a form XObject in which nothing is drawn.
fn empty_form() -> Entries {
    let bounds = [0; 4].map(Value::Integer).to_vec();
    Entries::new().with("Type", Value::name("XObject")).with("Subtype", Value::name("Form")).with("BBox", bounds)
}

/// Returns the empty signature fields.
pub(super) fn empty_fields<'f, 'a>(fields: &'f [FormField<'a>]) -> impl Iterator<Item = &'f FormField<'a>> {
    fields.iter().filter(|field| field.is_signature() && !field.is_filled())
}

/// Returns the first name with a number that no field has.
pub(super) fn free_name(fields: &[FormField<'_>], stem: &str) -> String {
    // One more than there are fields is free at the latest.
    let mut names = (1..=fields.len() + 1).map(|number| format!("{stem}{number}"));
    let is_free = |name: &String| fields.iter().all(|field| &field.name != name);
    names.find(is_free).unwrap_or_else(|| stem.to_owned())
}

fn not_found(found: String, fields: &[FormField<'_>]) -> SigningError {
    let names: Vec<&str> = empty_fields(fields).take(20).map(|field| &field.name[..]).collect();
    let error = SigningError::new(Code::FieldNotFound, found);
    match &names[..] {
        [] => error.with_hint("sign a new field"),
        names => error.with_hint(format!("the empty signature fields are: {}", names.join(", "))),
    }
}

/// Returns a placement in the coordinates of the page, which it has to lie on.
fn within(page: &Page<'_>, placement: Placement) -> Result<Rectangle, SigningError> {
    // NOTE: the rectangle around points leaves out what is no number.
    if let Placement::Displayed { left, top, width, height } = placement
        && !(left.is_finite() && top.is_finite() && width > 0.0 && height > 0.0)
    {
        let found = format!("found a field at {left} {top}, {width} wide and {height} high, expected a size above 0");
        return Err(SigningError::new(Code::FieldOutsidePage, found));
    }
    let rectangle = match placement {
        Placement::Page(Rectangle { left, bottom, right, top }) => {
            Rectangle { left: left.min(right), bottom: bottom.min(top), right: left.max(right), top: bottom.max(top) }
        }
        Placement::Displayed { left, top, width, height } => page.displayed(left, top, width, height),
    };
    let Rectangle { left, bottom, right, top } = rectangle;
    let numbers = [left, bottom, right, top];
    let area = page.area;
    // What rounding makes of an edge.
    let slack = 0.01;
    let is_inside = left >= area.left - slack
        && right <= area.right + slack
        && bottom >= area.bottom - slack
        && top <= area.top + slack;
    if !is_inside || !numbers.iter().all(|number| number.is_finite()) || rectangle.is_empty() {
        let [l, b, r, t] = [area.left, area.bottom, area.right, area.top];
        let found = format!(
            "found a field from {left} {bottom} to {right} {top}, expected one with an area, within {l} {b} to {r} {t}"
        );
        return Err(SigningError::new(Code::FieldOutsidePage, found)
            .with_hint("the numbers are those of the page as it is displayed, its crop box"));
    }
    Ok(rectangle)
}

/// Says that viewers need not make appearances anew, where no field needs it: `/NeedAppearances` (ISO 32000-1 table 218).
/// Viewers that do change the document after it was signed, and some do not show the signature then.
pub(super) fn stop_regenerating(update: &mut Update<'_, '_, '_>, fields: &[FormField<'_>]) -> Result<(), WriteError> {
    let needs = |field: &FormField<'_>| {
        let is_shown = field.widgets.iter().all(|(_, widget)| widget.get(b"AP").is_some());
        !field.is_parent && !field.is_signature() && !is_shown
    };
    let catalog = update.catalog();
    if fields.iter().any(needs) || update.revision().catalog().is_none() {
        return Ok(());
    }
    if let Some((_, Value::Dictionary(form))) = update.find(catalog, &[b"AcroForm"])?
        && form.get(b"NeedAppearances") == Some(&Value::Boolean(true))
    {
        form.remove(b"NeedAppearances");
    }
    Ok(())
}
