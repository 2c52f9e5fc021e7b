//! How a signature looks on its page: ISO 32000-1 §12.5.5.
//!
//! One form XObject, and only what every part of PDF/A allows: an embedded subset of the typeface, colours that depend on no
//! device, nothing transparent. It says nothing that depends on the signature value.

mod colour;
mod content;
mod face;
mod layout;
mod options;
mod picture;

pub use options::{Alignment, Appearance, Arrangement, Colour, Rotation, Scaling};

use super::options::Options;
use crate::formats::pdf::Reference;
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::write::form::number;
use crate::formats::pdf::write::page::Page;
use crate::formats::pdf::write::{Entries, Update, Value};
use crate::signing::{SignatureParameters, Signer, SigningError};
use content::Content;
use face::{Face, Subset};
use picture::Picture;

/// Where an appearance is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// The area on the page, in the coordinates of the page.
    pub rectangle: Rectangle,
    /// By how many degrees viewers turn the page clockwise.
    pub rotation: u16,
    /// How many points a unit of the page has.
    pub unit: f64,
}

impl Shown {
    /// Takes an area on a page.
    pub fn on(page: &Page<'_>, rectangle: Rectangle) -> Self {
        Self { rectangle, rotation: page.rotation, unit: page.unit }
    }
}

/// Writes the form XObject of an appearance, and returns it.
///
/// # Errors
///
/// `font-missing-glyph`, `picture-unreadable`; `parameter-invalid` where the text does not fit.
pub(super) fn write(
    update: &mut Update<'_, '_, '_>,
    appearance: &Appearance,
    shown: &Shown,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
) -> Result<Reference, SigningError> {
    appearance.check()?;
    let turned = appearance.rotation.degrees(shown.rotation);
    let (width, height) = match turned {
        90 | 270 => (shown.rectangle.height(), shown.rectangle.width()),
        _ => (shown.rectangle.width(), shown.rectangle.height()),
    };
    let text = appearance.text.as_ref().map(|text| layout::filled_in(text, parameters, options, signer));
    let picture = appearance.picture.as_ref().map(|bytes| Picture::read(bytes, appearance)).transpose()?;
    let face = Face::read(appearance.font.as_deref())?;
    let layout = layout::lay_out(appearance, (width, height), shown.unit, text.as_deref(), picture.as_ref(), &face)?;

    let mut content = Content::default();
    let mut resources = Entries::new();
    resources.set(b"ColorSpace", Entries::new().with("C", colour::rgb()));
    if let Some(colour) = appearance.background {
        content.fill(colour, &Rectangle { left: 0.0, bottom: 0.0, right: width, top: height });
    }
    if let Some((picture, area)) = picture.as_ref().zip(layout.picture) {
        let image = picture.write(update);
        resources.set(b"XObject", Entries::new().with("P", image));
        content.picture(&area);
    }
    if let Some(border) = appearance.border {
        content.border(appearance.colour, border / shown.unit, (width, height));
    }
    if !layout.lines.is_empty() {
        let subset = Subset::of(&face, layout.lines.iter().flat_map(|line| line.text.chars()))?;
        content.text(appearance.colour, layout.size, &layout.lines, &subset);
        resources.set(b"Font", Entries::new().with("F", subset.write(&face, update)));
    }
    let entries = Entries::new()
        .with("Type", Value::name("XObject"))
        .with("Subtype", Value::name("Form"))
        .with("BBox", [0.0, 0.0, width, height].map(number).to_vec())
        .with("Matrix", matrix(turned, width, height).map(number).to_vec())
        .with("Resources", resources);
    Ok(content.write(entries, update))
}

/// Returns the matrix that turns what is so wide and high counter-clockwise, its lower left corner at the origin.
fn matrix(degrees: u16, width: f64, height: f64) -> [f64; 6] {
    match degrees {
        90 => [0.0, 1.0, -1.0, 0.0, height, 0.0],
        180 => [-1.0, 0.0, 0.0, -1.0, width, height],
        270 => [0.0, -1.0, 1.0, 0.0, 0.0, width],
        _ => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    }
}
