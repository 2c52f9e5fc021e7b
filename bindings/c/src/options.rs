//! Options by name: what they may be, and what is said where they are not.

use crate::error::Failure;
use lacre::signing::DigestAlgorithm;
use std::str::FromStr;

/// Takes the value of an option, or says what it is and what was expected.
pub(crate) type Setting<T, V> = fn(&mut T, &V) -> Result<(), String>;

/// Finds an option of a table by its name.
pub(crate) fn find<T, V: ?Sized>(
    table: &[(&'static str, Setting<T, V>)],
    key: &str,
) -> Result<(&'static str, Setting<T, V>), Failure> {
    table.iter().find(|(known, _)| *known == key).copied().ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
        Failure::argument(format!("found the option {key:?}, expected one of {}", known.join(", ")))
    })
}

/// Reads a word of a list.
pub(crate) fn one_of_words<T>(word: &str, known: impl IntoIterator<Item = (&'static str, T)>) -> Result<T, String> {
    let mut words = vec![];
    for (name, value) in known {
        if name == word {
            return Ok(value);
        }
        words.push(name);
    }
    Err(format!("{word:?}, expected {}", words.join(", ")))
}

/// Yes or no.
pub(crate) fn truth(word: &str) -> Result<bool, String> {
    one_of_words(word, [("true", true), ("false", false)])
}

/// Reads a whole number within the bounds of its type.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("{text:?}, expected a whole number that is not too large"))
}

/// Reads a length in points.
pub(crate) fn length(text: &str) -> Result<f64, String> {
    let length = text.trim().parse().ok().filter(|length: &f64| length.is_finite());
    length.ok_or_else(|| format!("{text:?}, expected a number"))
}

/// Returns a digest function by its name.
pub(crate) fn digest_function(name: &str) -> Result<DigestAlgorithm, String> {
    let known = DigestAlgorithm::from_name(name);
    known.ok_or_else(|| format!("{name:?}, expected a digest function such as SHA256"))
}

/// Reads bytes from hexadecimal digits, which may have colons between.
pub(crate) fn bytes_of_hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text.bytes().filter(|digit| *digit != b':').collect();
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(value(*high)? << 4 | value(*low)?),
        _ => None,
    });
    pairs.collect::<Option<_>>().ok_or_else(|| format!("{text:?}, expected hexadecimal digits, two a byte"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers() {
        assert_eq!(truth("true"), Ok(true));
        assert!(truth("1").is_err());
        assert_eq!((number::<i32>(" -1"), length("2.5")), (Ok(-1), Ok(2.5)));
        assert!(number::<i16>("40000").is_err() && number::<usize>("-1").is_err());
        for wrong in ["", "x", "NaN", "inf", "-inf", "1e999"] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bytes_of_hex("00:fF"), Ok(vec![0, 255]));
        for wrong in ["0", "0g", "é0", "0 0"] {
            assert!(bytes_of_hex(wrong).is_err(), "{wrong}");
        }
        assert_eq!(digest_function("sha-256"), Ok(DigestAlgorithm::Sha256));
        assert!(digest_function("SHA257").is_err());
    }
}
