//! How wide the glyphs of a font are: ISO 32000-1 §9.2.4, §9.7.4.3.

use super::state::GraphicsState;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::collections::HashMap;

/// Bounds the widths read of one font.
const WIDTHS: usize = 70_000;

/// Bounds the names read of one encoding.
const DIFFERENCES: usize = 1_024;

/// The width of glyphs of which a simple font does not say it, in thousandths.
const SIMPLE: f64 = 600.0;

/// Characters that lead to a blank or stand for it.
const LEADERS: &[u8] = b" _.-:\x85\xa0";

/// The names of their glyphs.
const NAMES: &[&[u8]] = &[
    b"space",
    b"nbspace",
    b"nonbreakingspace",
    b"uni00A0",
    b"underscore",
    b"period",
    b"hyphen",
    b"minus",
    b"endash",
    b"colon",
    b"ellipsis",
    b".notdef",
];

/// The widths of a font's glyphs, in thousandths of the font size.
#[derive(Debug)]
pub(super) enum Font {
    /// A simple font: each byte is a code.
    Simple {
        /// By code.
        widths: Box<[f64; 256]>,
        /// Whether the font says any width.
        has_widths: bool,
        /// Where its glyphs are, if they are content streams (§9.6.5), for a font size of one.
        glyphs: Option<Rectangle>,
        /// Whether the codes of lines and dots may show something else (§9.6.6).
        is_renamed: bool,
    },
    /// A composite font: two bytes are a code.
    Composite {
        /// By code.
        widths: HashMap<u32, f64>,
        /// The width of every other code.
        default: f64,
        /// Whether its lines go down (§9.7.4.3).
        is_vertical: bool,
        /// Where codes are not the numbers of the glyphs, or not of two bytes (§9.7.5): the greatest width of a glyph.
        widest: Option<f64>,
    },
}

impl Font {
    /// Makes the font that stands for one that cannot be read.
    pub fn unknown() -> Self {
        Self::Simple { widths: Box::new([SIMPLE; 256]), has_widths: false, glyphs: None, is_renamed: false }
    }

    /// Reads a font. Of a Type 3 font `glyphs` is where its glyphs are.
    pub fn read<'a>(
        revision: &Revision<'a, '_>,
        font: &Dictionary<'a>,
        glyphs: Option<Rectangle>,
        widths_left: &mut usize,
    ) -> Self {
        match revision.lookup(font, b"Subtype").name() {
            Some(b"Type0") => Self::composite(revision, font, widths_left),
            _ => Self::simple(revision, font, glyphs, widths_left),
        }
    }

    fn simple<'a>(
        revision: &Revision<'a, '_>,
        font: &Dictionary<'a>,
        glyphs: Option<Rectangle>,
        widths_left: &mut usize,
    ) -> Self {
        let mut widths = Box::new([SIMPLE; 256]);
        let mut has_widths = false;
        // §9.6.5: widths of a Type 3 font are in its own glyph space.
        let matrix = revision.array(font, b"FontMatrix").filter(|_| glyphs.is_some());
        let scale =
            matrix.and_then(|matrix| revision.resolve(matrix.first()?).number()).map_or(1.0, |a| a.abs() * 1000.0);
        let first = revision.lookup(font, b"FirstChar").integer().unwrap_or(0).clamp(0, 0xFFFF) as u32;
        let listed = revision.array(font, b"Widths").unwrap_or_default();
        spend(revision, widths_left, listed.len().min(256));
        for (code, width) in (first..).zip(listed.iter()).take(256) {
            let Some(width) = revision.resolve(width).number() else { continue };
            has_widths = true;
            if let Some(of_code) = widths.get_mut(code as usize) {
                *of_code = width * scale;
            }
        }
        let is_renamed = glyphs.is_some() || renames_leaders(revision, font);
        Self::Simple { widths, has_widths, glyphs, is_renamed }
    }

    fn composite<'a>(revision: &Revision<'a, '_>, font: &Dictionary<'a>, widths_left: &mut usize) -> Self {
        let number = |object: &Object<'a>| revision.resolve(object).number();
        let (mut widths, mut default) = (HashMap::new(), 1000.0);
        let encoding = revision.lookup(font, b"Encoding");
        let is_mapped = !matches!(encoding.name(), Some(b"Identity-H" | b"Identity-V"));
        let is_vertical = match &encoding {
            Object::Name(name) => name.ends_with(b"V"),
            Object::Stream(map) => revision.lookup(&map.dictionary, b"WMode").integer() == Some(1),
            _ => false,
        };
        let descendants = revision.array(font, b"DescendantFonts").unwrap_or_default();
        let Some(Object::Dictionary(descendant)) = descendants.first().map(|font| revision.resolve(font)) else {
            return Self::Composite { widths, default, is_vertical, widest: is_mapped.then_some(default) };
        };
        default = revision.lookup(&descendant, b"DW").number().unwrap_or(default);
        let listed = revision.array(&descendant, b"W").unwrap_or_default();
        let mut listed = listed.iter().map(|item| revision.resolve(item));
        // ISO 32000-1 §9.7.4.3: a code with its own and the next widths, or two codes with one width.
        while let (Some(first), Some(next)) = (listed.next().and_then(|first| first.integer()), listed.next()) {
            let first = first.clamp(0, 0xFFFF) as u32;
            match next {
                Object::Array(items) => {
                    spend(revision, widths_left, items.len().min(WIDTHS) + 1);
                    let of_codes = (first..).zip(items.iter()).take(WIDTHS);
                    widths.extend(of_codes.filter_map(|(code, width)| Some((code, number(width)?))));
                }
                last => {
                    let (Some(last), Some(width)) = (last.integer(), listed.next().and_then(|width| width.number()))
                    else {
                        break;
                    };
                    let last = last.clamp(0, 0xFFFF) as u32;
                    spend(revision, widths_left, last.saturating_sub(first) as usize + 1);
                    widths.extend((first..=last).map(|code| (code, width)));
                }
            }
            if *widths_left == 0 || widths.len() > WIDTHS {
                break;
            }
        }
        let widest = is_mapped.then(|| widths.values().copied().fold(default, f64::max));
        Self::Composite { widths, default, is_vertical, widest }
    }

    /// Returns whether the widths of glyphs are known, or those of nearly all.
    pub fn has_widths(&self) -> bool {
        match self {
            Self::Simple { has_widths, .. } => *has_widths,
            Self::Composite { .. } => true,
        }
    }

    /// Returns where the glyphs of a Type 3 font are, which are drawn as content is.
    pub fn glyphs(&self) -> Option<Rectangle> {
        match self {
            Self::Simple { glyphs, .. } => *glyphs,
            Self::Composite { .. } => None,
        }
    }

    /// Returns whether a string shows a line or dots.
    pub fn is_leader(&self, string: &[u8]) -> bool {
        match self {
            Self::Simple { is_renamed: true, .. } => false,
            Self::Simple { .. } => string.iter().all(|byte| LEADERS.contains(byte)),
            // What codes stand for is not known; a line is one code repeated.
            Self::Composite { .. } => string.len() >= 8 && string.chunks(2).all(|code| Some(code) == string.get(..2)),
        }
    }

    /// Returns whether a string may end before where it is said to end: it is not known how many codes it has, and how wide
    /// their glyphs are.
    pub fn is_mapped(&self) -> bool {
        matches!(self, Self::Composite { widest: Some(_), .. })
    }

    /// Returns whether its lines go down.
    pub fn is_vertical(&self) -> bool {
        matches!(self, Self::Composite { is_vertical: true, .. })
    }

    /// Returns how far a string moves the text position along its line, in text space.
    pub fn advance(&self, string: &[u8], state: &GraphicsState) -> f64 {
        let glyph = |width: f64| width / 1000.0 * state.font_size + state.character_spacing;
        let width: f64 = match self {
            Self::Simple { widths, .. } => {
                let spacing = |byte: u8| if byte == b' ' { state.word_spacing } else { 0.0 };
                string.iter().map(|byte| glyph(widths[usize::from(*byte)]) + spacing(*byte)).sum()
            }
            // NOTE: that of the default (`DW2`): glyphs are as high as the font is.
            Self::Composite { is_vertical: true, widest: Some(_), .. } => {
                return string.len() as f64 * (state.font_size - state.character_spacing);
            }
            Self::Composite { is_vertical: true, .. } => {
                return string.len().div_ceil(2) as f64 * (state.font_size - state.character_spacing);
            }
            Self::Composite { widest: Some(widest), .. } => string.len() as f64 * glyph(*widest),
            Self::Composite { widths, default, .. } => {
                let code = |pair: &[u8]| pair.iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
                let codes = string.chunks(2).map(code);
                codes.map(|code| glyph(widths.get(&code).copied().unwrap_or(*default))).sum()
            }
        };
        width * state.horizontal_scaling
    }
}

/// Takes widths from those that may still be read.
fn spend(revision: &Revision<'_, '_>, left: &mut usize, widths: usize) {
    let is_permitted = revision.limits().steps(widths as u64).is_ok();
    *left = if is_permitted { left.saturating_sub(widths) } else { 0 };
}

/// Returns whether a simple font may show something else by the codes of lines and dots: by names of its own (ISO 32000-1
/// §9.6.6.1).
fn renames_leaders<'a>(revision: &Revision<'a, '_>, font: &Dictionary<'a>) -> bool {
    let encoding = revision.dictionary(font, b"Encoding");
    let names = encoding.and_then(|encoding| revision.array(&encoding, b"Differences")).unwrap_or_default();
    let mut next = 0_i64;
    names.len() > DIFFERENCES
        || names.iter().any(|item| match revision.resolve(item) {
            Object::Name(name) => {
                let code = next;
                next = code.saturating_add(1);
                u8::try_from(code).is_ok_and(|code| LEADERS.contains(&code)) && !NAMES.contains(&&*name)
            }
            other => {
                next = other.integer().unwrap_or(0);
                false
            }
        })
}
