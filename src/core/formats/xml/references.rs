//! References to characters: XML 1.0 §4.1, §4.6.

use super::characters::is_char;

/// Returns the character of a reference that needs no declaration: one by number (§4.1), or one of the five predefined
/// entities (§4.6).
pub(super) fn predefined(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "apos" => Some('\''),
            "quot" => Some('"'),
            _ => None,
        };
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |hex| (hex, 16));
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = plain.then(|| u32::from_str_radix(digits, radix).ok()).flatten();
    code.and_then(char::from_u32).filter(|c| is_char(*c))
}

/// Replaces the references in a literal that need no declaration; `None` where it has others.
pub(super) fn replaced(literal: &str) -> Option<String> {
    let mut result = String::with_capacity(literal.len());
    let mut parts = literal.split('&');
    result.push_str(parts.next()?);
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        result.push(predefined(name)?);
        result.push_str(rest);
    }
    Some(result)
}
