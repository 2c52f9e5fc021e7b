//! Confusable names: a small part of UTS #39.
//!
//! Two names look alike where they differ in letters of the same shape, in invisible characters, or in what a file
//! system folds. [`skeleton`] is equal for both.

use crate::normalization::nfkc;

/// Returns whether the character is invisible: default-ignorable code points (UAX #44), and letters and signs whose
/// glyph is blank.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the skeleton of a text: equal for texts that look alike.
pub fn skeleton(text: &str) -> String {
    let text = nfkc(text);
    let seen = text.chars().filter(|c| !is_invisible(*c)).map(latin).flat_map(char::to_lowercase).map(latin);
    let seen = seen.collect::<String>();
    // A letter and its capital may be composed otherwise.
    if seen == text { seen } else { nfkc(&seen) }
}

/// Returns the Latin letter or ASCII sign of the same shape, or the character itself.
fn latin(c: char) -> char {
    match SAME_SHAPE.binary_search_by_key(&c, |(other, _)| *other) {
        Ok(at) => SAME_SHAPE[at].1,
        Err(_) => c,
    }
}

/// By code point: letters of other scripts that are drawn as a Latin one is (UTS #39 §4, confusables.txt).
const SAME_SHAPE: &[(char, char)] = &[
    ('0', 'o'),
    ('1', 'l'),
    ('|', 'l'),
    ('\u{131}', 'i'),
    ('\u{251}', 'a'),
    ('\u{261}', 'g'),
    ('\u{269}', 'i'),
    ('\u{28b}', 'u'),
    ('\u{391}', 'a'),
    ('\u{392}', 'b'),
    ('\u{395}', 'e'),
    ('\u{396}', 'z'),
    ('\u{397}', 'h'),
    ('\u{399}', 'i'),
    ('\u{39a}', 'k'),
    ('\u{39c}', 'm'),
    ('\u{39d}', 'n'),
    ('\u{39f}', 'o'),
    ('\u{3a1}', 'p'),
    ('\u{3a4}', 't'),
    ('\u{3a5}', 'y'),
    ('\u{3a7}', 'x'),
    ('\u{3b1}', 'a'),
    ('\u{3b3}', 'y'),
    ('\u{3b9}', 'i'),
    ('\u{3ba}', 'k'),
    ('\u{3bd}', 'v'),
    ('\u{3bf}', 'o'),
    ('\u{3c1}', 'p'),
    ('\u{3c3}', 'o'),
    ('\u{3c5}', 'u'),
    ('\u{3c7}', 'x'),
    ('\u{3f2}', 'c'),
    ('\u{3f3}', 'j'),
    ('\u{3f9}', 'c'),
    ('\u{405}', 's'),
    ('\u{406}', 'i'),
    ('\u{408}', 'j'),
    ('\u{410}', 'a'),
    ('\u{412}', 'b'),
    ('\u{415}', 'e'),
    ('\u{41a}', 'k'),
    ('\u{41c}', 'm'),
    ('\u{41d}', 'h'),
    ('\u{41e}', 'o'),
    ('\u{420}', 'p'),
    ('\u{421}', 'c'),
    ('\u{422}', 't'),
    ('\u{423}', 'y'),
    ('\u{425}', 'x'),
    ('\u{430}', 'a'),
    ('\u{435}', 'e'),
    ('\u{43a}', 'k'),
    ('\u{43e}', 'o'),
    ('\u{440}', 'p'),
    ('\u{441}', 'c'),
    ('\u{443}', 'y'),
    ('\u{445}', 'x'),
    ('\u{455}', 's'),
    ('\u{456}', 'i'),
    ('\u{458}', 'j'),
    ('\u{475}', 'v'),
    ('\u{4ae}', 'y'),
    ('\u{4af}', 'y'),
    ('\u{4bb}', 'h'),
    ('\u{4bd}', 'e'),
    ('\u{4c0}', 'l'),
    ('\u{4cf}', 'l'),
    ('\u{501}', 'd'),
    ('\u{50c}', 'g'),
    ('\u{51b}', 'q'),
    ('\u{51c}', 'w'),
    ('\u{51d}', 'w'),
    ('\u{54d}', 'u'),
    ('\u{54f}', 's'),
    ('\u{555}', 'o'),
    ('\u{561}', 'w'),
    ('\u{563}', 'q'),
    ('\u{566}', 'q'),
    ('\u{570}', 'h'),
    ('\u{575}', 'j'),
    ('\u{578}', 'n'),
    ('\u{57d}', 'u'),
    ('\u{581}', 'g'),
    ('\u{584}', 'f'),
    ('\u{585}', 'o'),
    ('\u{13a0}', 'd'),
    ('\u{13a1}', 'r'),
    ('\u{13a2}', 't'),
    ('\u{13a5}', 'i'),
    ('\u{13a9}', 'y'),
    ('\u{13aa}', 'a'),
    ('\u{13ab}', 'j'),
    ('\u{13ac}', 'e'),
    ('\u{13b3}', 'w'),
    ('\u{13b7}', 'm'),
    ('\u{13bb}', 'h'),
    ('\u{13c0}', 'g'),
    ('\u{13c2}', 'h'),
    ('\u{13c3}', 'z'),
    ('\u{13cf}', 'b'),
    ('\u{13d2}', 'r'),
    ('\u{13d4}', 'w'),
    ('\u{13d5}', 's'),
    ('\u{13d9}', 'v'),
    ('\u{13da}', 's'),
    ('\u{13de}', 'l'),
    ('\u{13df}', 'c'),
    ('\u{13e2}', 'p'),
    ('\u{13e6}', 'k'),
    ('\u{13e7}', 'd'),
    ('\u{13f4}', 'b'),
    ('\u{1d0f}', 'o'),
    ('\u{2010}', '-'),
    ('\u{2011}', '-'),
    ('\u{2012}', '-'),
    ('\u{2013}', '-'),
    ('\u{2014}', '-'),
    ('\u{2015}', '-'),
    ('\u{2044}', '/'),
    ('\u{2212}', '-'),
    ('\u{2215}', '/'),
    ('\u{29f8}', '/'),
];

/// A script whose letters are drawn as those of another one are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Georgian,
    Cherokee,
    Coptic,
    Lisu,
}

/// Returns the script of a letter, `None` for what is no letter and for scripts of another appearance.
fn script(c: char) -> Option<Script> {
    Some(match c {
        // µ and Ω are units as well.
        '\u{b5}' | '\u{d7}' | '\u{f7}' | '\u{2126}' => return None,
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{250}'..='\u{2af}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{1d00}'..='\u{1d25}' | '\u{2c60}'..='\u{2c7f}' | '\u{a722}'..='\u{a7ff}' => Script::Latin,
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Script::Latin,
        '\u{3e2}'..='\u{3ef}' | '\u{2c80}'..='\u{2cff}' => Script::Coptic,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => Script::Cyrillic,
        '\u{531}'..='\u{588}' => Script::Armenian,
        '\u{10a0}'..='\u{10ff}' | '\u{2d00}'..='\u{2d2f}' => Script::Georgian,
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Script::Cherokee,
        '\u{a4d0}'..='\u{a4ff}' => Script::Lisu,
        _ => return None,
    })
}

/// Returns the first word in the text that has letters of several scripts that are drawn alike (UTS #39 §5.1).
pub fn mixed(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric() && !is_invisible(c)).find(|word| {
        let mut scripts = word.chars().filter_map(script);
        let first = scripts.next();
        scripts.any(|other| Some(other) != first)
    })
}

/// Returns whether the text is made to look like another: by a word of several scripts, or by invisible characters.
pub fn deceives(text: &str) -> bool {
    // Most names are plain ASCII.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return false;
    }
    let mut before = '\0';
    let hidden = text.chars().any(|c| {
        // Joiners belong to the scripts of Persia and India, selectors to pictures.
        let fits = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}') && before >= '\u{600}';
        before = c;
        c.is_control() || is_invisible(c) && !fits
    });
    hidden || mixed(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(SAME_SHAPE.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn what_looks_alike_has_one_skeleton() {
        for (situation, one, other) in [
            ("capitals", "Contract.TXT", "contract.txt"),
            ("a Cyrillic letter", "\u{441}ontract", "contract"),
            ("a Greek capital", "\u{391}nnex", "annex"),
            ("composed and not", "caf\u{e9}", "cafe\u{301}"),
            ("full width", "\u{ff41}nnex", "annex"),
            ("a ligature", "\u{fb01}le", "file"),
            ("without width", "con\u{200b}tract\u{feff}", "contract"),
            ("blank letters", "annex\u{3164}\u{2800}", "annex"),
            ("the number one", "fi1e", "file"),
            ("a variation selector", "a\u{fe0f}", "a"),
            ("all of another script", "\u{441}\u{43e}\u{440}\u{443}", "copy"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "UTS #39 4 {situation}");
        }
        for (one, other) in [("contract", "contact"), ("résumé", "resume"), ("договор", "договоры"), ("a2", "a3")]
        {
            assert_ne!(skeleton(one), skeleton(other));
        }
    }

    #[test]
    fn what_is_made_to_be_taken_for_another() {
        for (text, expected) in [
            ("Alice\u{200b} Honest", true),
            ("Alice\u{200d}Honest", true),
            ("\u{410}lice", true),
            ("Alice\nHonest", true),
            ("\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}", false),
            ("\u{2602}\u{fe0f}.txt", false),
            ("Alice Honest", false),
        ] {
            assert_eq!(deceives(text), expected, "{text:?}");
        }
    }

    #[test]
    fn words_of_several_scripts() {
        for (text, expected) in [
            ("\u{410}lice Honest", Some("\u{410}lice")),
            ("annex \u{441}ontract.txt", Some("\u{441}ontract")),
            ("p\u{3b1}y\u{200b}", Some("p\u{3b1}y\u{200b}")),
            ("договор.pdf", None),
            ("Ωμέγα plc", None),
            ("10µm", None),
            ("CDプレーヤー", None),
            ("José Ñandú", None),
            ("", None),
        ] {
            assert_eq!(mixed(text), expected, "UTS #39 5.1 {text}");
        }
    }
}
