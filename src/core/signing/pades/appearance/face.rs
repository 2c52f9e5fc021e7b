//! Typefaces: how wide a text is, and the subset that is embedded. ISO 32000-1 §9.7, §9.8.

use super::content::add_compressed;
use crate::formats::pdf::Reference;
use crate::formats::pdf::write::{Entries, Update, Value};
use crate::signing::{SigningError, SigningErrorCode};
use sha2::{Digest, Sha256};
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::TableProvider as _;
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use std::borrow::Cow;
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;

/// A TrueType typeface.
pub(super) struct Face<'f> {
    bytes: &'f [u8],
    font: FontRef<'f>,
    /// Units of an em.
    em: f64,
    /// How far letters reach up and down from the line, in ems; the latter is negative.
    pub ascent: f64,
    pub descent: f64,
}

impl<'f> Face<'f> {
    /// Reads a typeface, or takes the one that the library carries.
    ///
    /// # Errors
    ///
    /// `parameter-invalid` where it is no TrueType.
    pub fn read(bytes: Option<&'f [u8]>) -> Result<Self, SigningError> {
        let bytes = bytes.unwrap_or(crate::typeface::REGULAR);
        let read = || {
            let font = FontRef::new(bytes).ok()?;
            // Outlines of PostScript are embedded in another way.
            font.glyf().ok()?;
            let metrics = font.metrics(Size::unscaled(), LocationRef::default());
            let em = f64::from(metrics.units_per_em);
            let (ascent, descent) = (f64::from(metrics.ascent) / em, f64::from(metrics.descent) / em);
            (em > 0.0).then_some(Self { bytes, font, em, ascent, descent })
        };
        read().ok_or_else(|| {
            let found = "found a typeface that cannot be read, expected TrueType";
            SigningError::new(SigningErrorCode::ParameterInvalid, found)
        })
    }

    fn glyph(&self, character: char) -> Option<GlyphId> {
        self.font.charmap().map(character).filter(|glyph| *glyph != GlyphId::NOTDEF)
    }

    /// Returns the width of a character in ems; zero where there is none.
    pub fn advance(&self, character: char) -> f64 {
        let metrics = self.font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let advance = self.glyph(character).and_then(|glyph| metrics.advance_width(glyph));
        advance.map_or(0.0, |advance| f64::from(advance) / self.em)
    }

    /// Returns the width of a text in ems.
    pub fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    /// Returns the characters of a text that it does not have.
    pub fn missing(&self, text: &str) -> Vec<char> {
        let mut missing: Vec<char> = text.chars().filter(|character| self.glyph(*character).is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    fn name(&self) -> String {
        let names = self.font.localized_strings(StringId::POSTSCRIPT_NAME);
        let name: String = names.english_or_first().map(|name| name.chars().collect()).unwrap_or_default();
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(63).collect();
        if name.is_empty() { "Face".into() } else { name }
    }
}

/// The glyphs of a typeface that are used.
pub(super) struct Subset {
    /// The code and width of each character.
    codes: BTreeMap<char, (u16, f64)>,
    program: Vec<u8>,
    count: u16,
}

impl Subset {
    /// Takes the characters out of a typeface that has them.
    ///
    /// # Errors
    ///
    /// `parameter-invalid` where the typeface is broken.
    pub fn of(face: &Face<'_>, characters: impl Iterator<Item = char>) -> Result<Self, SigningError> {
        let mut characters: Vec<char> = characters.collect();
        characters.sort_unstable();
        characters.dedup();
        let mut remapper = GlyphRemapper::new();
        let mut codes = BTreeMap::new();
        for character in characters {
            let glyph = face.glyph(character).and_then(|glyph| u16::try_from(glyph.to_u32()).ok());
            if let Some(glyph) = glyph {
                codes.insert(character, (remapper.remap(glyph), face.advance(character)));
            }
        }
        let broken = |error: String| {
            let found = format!("found a typeface that cannot be embedded ({error}), expected TrueType");
            SigningError::new(SigningErrorCode::ParameterInvalid, found)
        };
        let program = subsetter::subset(face.bytes, 0, &remapper).map_err(|error| broken(error.to_string()))?;
        let count = FontRef::new(&program).ok().and_then(|font| Some(font.maxp().ok()?.num_glyphs()));
        let count = count.ok_or_else(|| broken("no glyphs".into()))?;
        Ok(Self { codes, program, count })
    }

    /// Returns the code of a character: that of its glyph.
    pub fn code(&self, character: char) -> u16 {
        self.codes.get(&character).map_or(0, |(code, _)| *code)
    }

    /// Writes the font, and returns it: a font of two-byte codes (§9.7.6), each that of a glyph.
    pub fn write(&self, face: &Face<'_>, update: &mut Update<'_, '_, '_>) -> Reference {
        let name = self.name(face);
        let name = || Value::Name(Cow::Owned(name.clone().into_bytes()));
        let program = Entries::new().with("Length1", self.program.len() as i64);
        let program = add_compressed(update, program, &self.program);
        let set = add_compressed(update, Entries::new(), &self.set());
        let metrics = face.font.metrics(Size::unscaled(), LocationRef::default());
        let thousandth = |value: f32| Value::Integer((f64::from(value) * 1000.0 / face.em).round() as i64);
        let bounds = metrics.bounds.map_or([0.0; 4], |bounds| [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]);
        let descriptor = Entries::new()
            .with("Type", Value::name("FontDescriptor"))
            .with("FontName", name())
            // Symbolic: its codes are those of no other encoding.
            .with("Flags", 4)
            .with("FontBBox", bounds.map(thousandth).to_vec())
            .with("ItalicAngle", metrics.italic_angle.round() as i64)
            .with("Ascent", thousandth(metrics.ascent))
            .with("Descent", thousandth(metrics.descent))
            .with("CapHeight", thousandth(metrics.cap_height.unwrap_or(metrics.ascent)))
            .with("StemV", 80)
            .with("FontFile2", program)
            .with("CIDSet", set);
        let descriptor = update.add(descriptor);
        let system = Entries::new()
            .with("Registry", Value::String(b"Adobe".to_vec()))
            .with("Ordering", Value::String(b"Identity".to_vec()))
            .with("Supplement", 0);
        let descendant = Entries::new()
            .with("Type", Value::name("Font"))
            .with("Subtype", Value::name("CIDFontType2"))
            .with("BaseFont", name())
            .with("CIDSystemInfo", system)
            .with("FontDescriptor", descriptor)
            .with("DW", 0)
            .with("W", self.widths())
            .with("CIDToGIDMap", Value::name("Identity"));
        let descendant = update.add(descendant);
        let characters = add_compressed(update, Entries::new(), self.characters().as_bytes());
        let font = Entries::new()
            .with("Type", Value::name("Font"))
            .with("Subtype", Value::name("Type0"))
            .with("BaseFont", name())
            .with("Encoding", Value::name("Identity-H"))
            .with("DescendantFonts", vec![descendant.into()])
            .with("ToUnicode", characters);
        update.add(font)
    }

    /// Returns the name with the tag of a subset: §9.6.4.
    fn name(&self, face: &Face<'_>) -> String {
        let digest = Sha256::digest(&self.program);
        let tag: String = digest.iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect();
        format!("{tag}+{}", face.name())
    }

    /// Returns the widths of the codes in thousandths: §9.7.4.3.
    fn widths(&self) -> Vec<Value> {
        let mut by_code: Vec<(u16, f64)> = self.codes.values().copied().collect();
        by_code.sort_by_key(|(code, _)| *code);
        by_code.dedup_by_key(|(code, _)| *code);
        let width = |advance: f64| Value::Integer((advance * 1000.0).round() as i64);
        by_code
            .into_iter()
            .flat_map(|(code, advance)| [Value::Integer(code.into()), Value::Array(vec![width(advance)])])
            .collect()
    }

    /// Returns the codes that the program has, a bit each: table 124.
    fn set(&self) -> Vec<u8> {
        let mut set = vec![0u8; usize::from(self.count).div_ceil(8)];
        for code in 0..usize::from(self.count) {
            set.iter_mut().skip(code / 8).take(1).for_each(|byte| *byte |= 0x80 >> (code % 8));
        }
        set
    }

    /// Returns the characters of the codes: §9.10.3.
    fn characters(&self) -> String {
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) \
             /Ordering (UCS) /Supplement 0>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
             1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
        );
        let codes: Vec<(&char, &(u16, f64))> = self.codes.iter().collect();
        for hundred in codes.chunks(100) {
            map += &format!("{} beginbfchar\n", hundred.len());
            for (character, (code, _)) in hundred {
                let units: String =
                    character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect();
                map += &format!("<{code:04X}> <{units}>\n");
            }
            map += "endbfchar\n";
        }
        map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    }
}
