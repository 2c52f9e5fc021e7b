//! The content stream of an appearance: ISO 32000-1 §7.8.2.

use super::colour::operands;
use super::face::Subset;
use super::layout::Line;
use super::options::Colour;
use crate::formats::pdf::Reference;
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::write::{Entries, Update, Value};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;

/// A content stream, whose resources are the colour space `C`, the picture `P` and the font `F`.
#[derive(Debug, Default)]
pub(super) struct Content(String);

impl Content {
    /// Fills an area.
    pub fn fill(&mut self, colour: Colour, area: &Rectangle) {
        let Rectangle { left, bottom, .. } = area;
        let numbers = [*left, *bottom, area.width(), area.height()].map(number).join(" ");
        self.0 += &format!("q /C cs {} sc {numbers} re f Q\n", operands(colour));
    }

    /// Draws a border inside of the edges.
    pub fn border(&mut self, colour: Colour, line: f64, (width, height): (f64, f64)) {
        let half = line / 2.0;
        let numbers = [half, half, (width - line).max(0.0), (height - line).max(0.0)].map(number).join(" ");
        self.0 += &format!("q /C CS {} SC {} w {numbers} re S Q\n", operands(colour), number(line));
    }

    /// Draws the picture.
    pub fn picture(&mut self, area: &Rectangle) {
        let Rectangle { left, bottom, .. } = area;
        let numbers = [area.width(), 0.0, 0.0, area.height(), *left, *bottom].map(number).join(" ");
        self.0 += &format!("q {numbers} cm /P Do Q\n");
    }

    /// Shows lines of text.
    pub fn text(&mut self, colour: Colour, size: f64, lines: &[Line], subset: &Subset) {
        self.0 += &format!("q BT /C cs {} sc /F {} Tf\n", operands(colour), number(size));
        for line in lines {
            let place = [line.left, line.baseline].map(number).join(" ");
            let glyphs: String = line.text.chars().map(|character| format!("{:04X}", subset.code(character))).collect();
            self.0 += &format!("1 0 0 1 {place} Tm <{glyphs}> Tj\n");
        }
        self.0 += "ET Q\n";
    }

    /// Writes the stream with these entries.
    pub fn write(self, entries: Entries, update: &mut Update<'_, '_, '_>) -> Reference {
        add_compressed(update, entries, self.0.as_bytes())
    }
}

/// Writes a number without an exponent, and without more digits than can be seen.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(short, "" | "-0") { "0".into() } else { short.into() }
}

/// Adds a stream, deflated: ISO 32000-1 §7.4.4.
pub(super) fn add_compressed(update: &mut Update<'_, '_, '_>, entries: Entries, bytes: &[u8]) -> Reference {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(deflated) => update.add_stream(entries.with("Filter", Value::name("FlateDecode")), deflated),
        // Writing into memory does not fail.
        Err(_) => update.add_stream(entries, bytes.to_vec()),
    }
}
