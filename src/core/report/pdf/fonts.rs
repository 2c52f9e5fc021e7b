//! The two faces in which reports are set, and how wide a text is in them.
//!
//! They have Latin, Greek and Cyrillic letters. Every other character is written as its code point, so that nothing
//! is dropped and nothing stands there as an empty box.

use crate::report::escape_control_chars;
use crate::typeface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization as _;

/// Signs that the faces lack and that have a usual spelling.
const SPELLED: [(char, &str); 3] = [('≤', "<="), ('≥', ">="), ('≠', "<>")];

/// A weight of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both weights.
pub(super) struct Fonts {
    regular: Face,
    bold: Face,
}

/// One weight: the face for krilla, and its glyphs and widths by character.
pub(super) struct Face {
    pub(super) font: Font,
    /// In the order of characters: glyph, and advance in ems.
    glyphs: Vec<(char, u32, f32)>,
}

impl Fonts {
    /// Reads the faces that the library carries; `None` if they cannot be read.
    pub(super) fn new() -> Option<Self> {
        Some(Self { regular: Face::new(typeface::REGULAR)?, bold: Face::new(typeface::BOLD)? })
    }

    pub(super) fn face(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Returns the text in characters that the faces have: composed where Unicode has a composed form, and each other
    /// character by its code point.
    pub(super) fn settable(&self, text: &str) -> String {
        let mut settable = String::with_capacity(text.len());
        for c in escape_control_chars(text).nfc() {
            match self.regular.glyph(c) {
                Some(_) => settable.push(c),
                None => match SPELLED.iter().find(|(sign, _)| *sign == c) {
                    Some((_, spelling)) => settable.push_str(spelling),
                    None => write!(settable, "U+{:04X}", u32::from(c)).expect("writing into memory does not fail"),
                },
            }
        }
        settable
    }

    /// Returns the width of a settable text.
    pub(super) fn width(&self, text: &str, weight: Weight, size: f32) -> f32 {
        let face = self.face(weight);
        text.chars().filter_map(|c| face.glyph(c)).map(|(_, advance)| advance * size).sum()
    }
}

impl Face {
    fn new(bytes: &'static [u8]) -> Option<Self> {
        let read = FontRef::new(bytes).ok()?;
        let metrics = read.glyph_metrics(Size::unscaled(), LocationRef::default());
        let em = f32::from(read.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        let mut glyphs: Vec<(char, u32, f32)> = read
            .charmap()
            .mappings()
            .filter_map(|(code, glyph)| {
                Some((char::from_u32(code)?, glyph.to_u32(), metrics.advance_width(glyph)? / em))
            })
            .collect();
        glyphs.sort_unstable_by_key(|(c, ..)| *c);
        Some(Self { font: Font::new(bytes.into(), 0)?, glyphs })
    }

    /// Returns the glyph of a character, and its advance in ems.
    fn glyph(&self, c: char) -> Option<(u32, f32)> {
        let at = self.glyphs.binary_search_by_key(&c, |(c, ..)| *c).ok()?;
        self.glyphs.get(at).map(|(_, glyph, advance)| (*glyph, *advance))
    }

    /// Returns the glyphs of a settable text.
    pub(super) fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        text.char_indices()
            .filter_map(|(at, c)| {
                let (glyph, advance) = self.glyph(c)?;
                Some(KrillaGlyph::new(GlyphId::new(glyph), advance, 0.0, 0.0, 0.0, at..at + c.len_utf8(), None))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_faces_lack_is_written_by_code_point() {
        let fonts = Fonts::new().expect("the library's faces can be read");
        for (text, settable) in [
            ("Łódź, Ωμέγα, Київ, Õ", "Łódź, Ωμέγα, Київ, Õ"),
            ("e\u{301}", "é"),
            ("中", "U+4E2D"),
            ("2026 ≤ 2027 ≥ 2025", "2026 <= 2027 >= 2025"),
            ("a\u{202e}b\u{0}", "aU+202EbU+0000"),
            ("\u{e000}\u{1f600}", "U+E000U+1F600"),
        ] {
            assert_eq!(fonts.settable(text), settable);
        }
    }

    #[test]
    fn both_weights_have_the_same_characters() {
        let fonts = Fonts::new().expect("the library's faces can be read");
        let of = |face: &Face| face.glyphs.iter().map(|(c, ..)| *c).collect::<Vec<_>>();
        assert_eq!(of(&fonts.regular), of(&fonts.bold));
    }
}
