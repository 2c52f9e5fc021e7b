//! Unicode's compatibility forms NFKD and NFKC (UAX #15), by which names are compared.
//!
//! The table is small: what the tables of other implementations hold ready to be looked up is read from it at first use. It
//! is made from those of `unicode-normalization` (the test `the_table_is_that_of_another_implementation` says how).

use crate::order;
use std::ops::Range;
use std::sync::LazyLock;

/// Two lists of runs, each after its length. Classes: characters left out, characters in a row, their combining class.
/// Decompositions, complete: characters left out, characters in a row, and of how many each consists, with one added to twice
/// that where they compose again; then for each of them its parts, as their distances from those in the same places before.
const TABLE: &[u8] = include_bytes!("normalization.bin");

/// The most characters that one decomposes to.
const LONGEST: usize = 18;

/// Hangul syllables are composed by arithmetic: The Unicode Standard, section 3.12.
const SYLLABLES: u32 = 0xac00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const TRAILING: u32 = 0x11a7;
/// Syllables that begin alike, and those of them that have the same vowel.
const OF_LEADING: u32 = 588;
const OF_VOWEL: u32 = 28;
/// Syllables.
const COUNT: u32 = 11_172;

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::read(TABLE).unwrap_or_default());

#[derive(Default)]
struct Tables {
    /// First, last, combining class.
    classes: Vec<(u32, u32, u8)>,
    decompositions: Vec<Decomposition>,
    characters: Vec<char>,
    /// The places of the decompositions that compose again, in the order of their characters.
    compositions: Vec<u32>,
    /// The characters that such a decomposition ends in, in their order.
    last: Vec<char>,
}

struct Decomposition {
    of: u32,
    start: u32,
    length: u8,
}

/// Returns the text in the form NFKD.
pub(crate) fn nfkd(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_owned(),
        false => TABLES.decomposed(text).into_iter().map(|(c, _)| c).collect(),
    }
}

/// Returns the text in the form NFKC.
pub(crate) fn nfkc(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_owned(),
        false => TABLES.composed(TABLES.decomposed(text)),
    }
}

impl Tables {
    fn read(table: &[u8]) -> Option<Self> {
        let mut reader = Reader(table);
        let mut tables = Self::default();
        let mut next = 0;
        for _ in 0..reader.number()? {
            let first = next + reader.number()?;
            next = first + reader.number()?;
            tables.classes.push((first, next - 1, reader.byte()?));
        }
        let (mut next, mut before) = (0, [0_u32; LONGEST]);
        for _ in 0..reader.number()? {
            let first = next + reader.number()?;
            next = first + reader.number()?;
            let twice = reader.number()?;
            let parts = before.get_mut(..(twice >> 1) as usize)?;
            tables.read_run(&mut reader, first..next, parts, twice & 1 == 1)?;
        }
        let mut compositions = std::mem::take(&mut tables.compositions);
        order::sort_by(&mut compositions, |a, b| tables.characters_of(*a).cmp(tables.characters_of(*b)));
        tables.last = compositions.iter().filter_map(|at| tables.characters_of(*at).last()).copied().collect();
        order::sort(&mut tables.last);
        tables.compositions = compositions;
        Some(tables)
    }

    /// Reads what characters in a row decompose to: `before` are the parts of the character before them.
    fn read_run(&mut self, reader: &mut Reader<'_>, run: Range<u32>, before: &mut [u32], composes: bool) -> Option<()> {
        for of in run {
            if composes {
                self.compositions.push(self.decompositions.len() as u32);
            }
            let start = self.characters.len() as u32;
            self.decompositions.push(Decomposition { of, start, length: before.len() as u8 });
            for part in &mut *before {
                let distance = reader.number()?;
                *part = part.wrapping_add((distance >> 1) ^ (distance & 1).wrapping_neg());
                self.characters.push(char::from_u32(*part)?);
            }
        }
        Some(())
    }

    /// Returns what the character at that place decomposes to.
    fn characters_of(&self, place: u32) -> &[char] {
        self.decompositions.get(place as usize).map_or(&[], |found| self.characters_in(found))
    }

    fn characters_in(&self, found: &Decomposition) -> &[char] {
        let start = found.start as usize;
        self.characters.get(start..start + usize::from(found.length)).unwrap_or_default()
    }

    /// Returns the canonical combining class.
    fn class(&self, c: char) -> u8 {
        let c = u32::from(c);
        let found = self.classes.binary_search_by(|(first, last, _)| match (*last < c, *first > c) {
            (true, _) => std::cmp::Ordering::Less,
            (_, true) => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Equal,
        });
        found.ok().and_then(|at| self.classes.get(at)).map_or(0, |(_, _, class)| *class)
    }

    /// Returns the characters that a text decomposes to, in canonical order, each with its class.
    fn decomposed(&self, text: &str) -> Vec<(char, u8)> {
        let mut out = Vec::with_capacity(text.len());
        for c in text.chars() {
            let syllable = u32::from(c).wrapping_sub(SYLLABLES);
            if c.is_ascii() {
                out.push((c, 0));
            } else if syllable < COUNT {
                let trailing = syllable % OF_VOWEL;
                let parts = [LEADING + syllable / OF_LEADING, VOWELS + syllable % OF_LEADING / OF_VOWEL];
                let parts = parts.into_iter().chain((trailing > 0).then_some(TRAILING + trailing));
                out.extend(parts.filter_map(char::from_u32).map(|part| (part, 0)));
            } else {
                match self.decompositions.binary_search_by_key(&u32::from(c), |known| known.of) {
                    Ok(at) => out.extend(self.characters_of(at as u32).iter().map(|part| (*part, self.class(*part)))),
                    Err(_) => out.push((c, self.class(c))),
                }
            }
        }
        for marks in out.split_mut(|(_, class)| *class == 0) {
            order::sort_by_key(marks, |(_, class)| *class);
        }
        out
    }

    /// Composes characters in canonical order: The Unicode Standard, section 3.11, D117.
    fn composed(&self, decomposed: Vec<(char, u8)>) -> String {
        let mut out: Vec<char> = Vec::with_capacity(decomposed.len());
        // The last starter, and the class of what stands between it and the next character.
        let (mut starter, mut between): (Option<usize>, Option<u8>) = (None, None);
        for (c, class) in decomposed {
            let is_blocked = between.is_some_and(|between| between == 0 || between >= class);
            if let Some(at) = starter
                && !is_blocked
                && let Some(composite) = self.composite(out[at], c)
            {
                out[at] = composite;
                continue;
            }
            between = match class {
                0 => None,
                class => Some(class),
            };
            if class == 0 {
                starter = Some(out.len());
            }
            out.push(c);
        }
        out.into_iter().collect()
    }

    /// Returns the primary composite of two characters.
    fn composite(&self, first: char, second: char) -> Option<char> {
        let (a, b) = (u32::from(first), u32::from(second));
        if let (Some(leading), Some(vowel)) = (a.checked_sub(LEADING), b.checked_sub(VOWELS))
            && leading < COUNT / OF_LEADING
            && vowel < OF_LEADING / OF_VOWEL
        {
            return char::from_u32(SYLLABLES + leading * OF_LEADING + vowel * OF_VOWEL);
        }
        if let (Some(syllable), Some(trailing)) = (a.checked_sub(SYLLABLES), b.checked_sub(TRAILING))
            && syllable < COUNT
            && syllable % OF_VOWEL == 0
            && (1..OF_VOWEL).contains(&trailing)
        {
            return char::from_u32(a + trailing);
        }
        if self.last.binary_search(&second).is_err() {
            return None;
        }
        // The first of two may be a composite itself.
        let known = self.decompositions.binary_search_by_key(&a, |known| known.of).ok();
        let mut parts = match known.map(|at| self.characters_of(at as u32)) {
            Some(parts) => parts.to_vec(),
            None => vec![first],
        };
        parts.push(second);
        let found = self.compositions.binary_search_by(|place| self.characters_of(*place).cmp(&parts)).ok()?;
        let place = *self.compositions.get(found)?;
        char::from_u32(self.decompositions.get(place as usize)?.of)
    }
}

/// Reads numbers of seven bits a byte, the lowest first.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization as _;
    use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical, decompose_compatible};

    fn number(mut number: u32, out: &mut Vec<u8>) {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }

    /// Returns whether the character composes again. Where its compatibility decomposition is another one, nothing does.
    fn composing(c: char, compatible: &[char]) -> bool {
        let mut parts = vec![];
        decompose_canonical(c, |part| parts.push(part));
        let again = parts.iter().copied().reduce(|a, b| compose(a, b).unwrap_or('\0'));
        parts.len() > 1 && parts == compatible && again == Some(c)
    }

    fn table() -> Vec<u8> {
        let characters = || ('\0'..=char::MAX).filter(|c| !('\u{ac00}'..='\u{d7a3}').contains(c));
        let mut rows: Vec<(u32, u32, u8)> = vec![];
        for (c, class) in
            characters().map(|c| (u32::from(c), canonical_combining_class(c))).filter(|(_, class)| *class > 0)
        {
            match rows.last_mut().filter(|(first, length, known)| *first + *length == c && *known == class) {
                Some((_, length, _)) => *length += 1,
                None => rows.push((c, 1, class)),
            }
        }
        let mut out = vec![];
        number(rows.len() as u32, &mut out);
        let mut next = 0;
        for (first, length, class) in rows {
            number(first - next, &mut out);
            number(length, &mut out);
            out.push(class);
            next = first + length;
        }
        let decomposed = |c: char| {
            let mut parts = vec![];
            decompose_compatible(c, |part| parts.push(part));
            (c, parts)
        };
        let rows: Vec<_> = characters().map(decomposed).filter(|(c, parts)| *parts != [*c]).collect();
        let form = |(c, parts): &(char, Vec<char>)| parts.len() as u32 * 2 + u32::from(composing(*c, parts));
        let runs: Vec<_> = rows.chunk_by(|a, b| u32::from(a.0) + 1 == u32::from(b.0) && form(a) == form(b)).collect();
        number(runs.len() as u32, &mut out);
        let (mut next, mut before) = (0, [0_u32; LONGEST]);
        for run in runs {
            let first = u32::from(run[0].0);
            number(first - next, &mut out);
            number(run.len() as u32, &mut out);
            number(form(&run[0]), &mut out);
            next = first + run.len() as u32;
            for (place, part) in run.iter().flat_map(|(_, parts)| parts.iter().copied().map(u32::from).enumerate()) {
                let before = &mut before[place];
                let distance = part.wrapping_sub(*before) as i32;
                number(((distance << 1) ^ (distance >> 31)) as u32, &mut out);
                *before = part;
            }
        }
        out
    }

    #[test]
    fn the_table_is_that_of_another_implementation() {
        // To make it anew: LACRE_WRITE_TABLE=1 cargo test -p lacre-core normalization
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/normalization.bin");
        let table = table();
        if std::env::var_os("LACRE_WRITE_TABLE").is_some() {
            std::fs::write(path, &table).unwrap();
        }
        assert!(std::fs::read(path).unwrap() == table, "src/core/normalization.bin is of another version of Unicode");
    }

    #[test]
    fn every_character_is_as_another_implementation_has_it() {
        for c in '\0'..=char::MAX {
            let text = String::from(c);
            assert_eq!(nfkd(&text), text.nfkd().collect::<String>(), "NFKD of {c:?}");
            assert_eq!(nfkc(&text), text.nfkc().collect::<String>(), "NFKC of {c:?}");
        }
    }

    #[test]
    fn texts_are_as_another_implementation_has_them() {
        // Starters, marks of several classes, composites, Hangul, and what decomposes to several.
        let letters: Vec<char> = "aoeuAO \u{1e9b}\u{301}\u{300}\u{323}\u{327}\u{345}\u{30c}\u{308}\u{304}\u{1dce}éǖợ\u{1100}\u{1161}\u{11a8}\u{11a7}가각ﬁ㎏\u{fdfa}\u{5d0}\u{5b8}\u{5bc}\u{915}\u{93c}\u{9c7}\u{9be}\u{9d7}\u{1b05}\u{1b35}\u{340}\u{344}\u{f71}\u{f72}\u{f73}\u{212b}\u{2126}\u{1d15e}\u{110ba}\u{3a9}ΐ\u{ff76}\u{ff9e}"
            .chars()
            .collect();
        let mut state = 1_u64;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..6 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push(letters[(state >> 33) as usize % letters.len()]);
            }
            assert_eq!(nfkd(&text), text.nfkd().collect::<String>(), "NFKD of {text:?}");
            assert_eq!(nfkc(&text), text.nfkc().collect::<String>(), "NFKC of {text:?}");
        }
    }
}
