//! Numbers, and the references that begin with one: ISO 32000-1 §7.3.3, §7.3.10.

use super::Lexer;
use crate::formats::pdf::characters::is_regular;
use crate::formats::pdf::object::{Object, Reference};

impl<'a> Lexer<'a> {
    /// Reads a whole number or a reference, if it is written as nearly all are: a number in digits; a reference in digits,
    /// one space, a zero, one space, `R`.
    pub(super) fn digits(&mut self) -> Option<Object<'a>> {
        let rest = self.rest();
        let mut number = 0;
        let mut digits = 0;
        // Nine digits are less than 32 bits hold.
        while let Some(digit @ b'0'..=b'9') = rest.get(digits).filter(|_| digits < 9) {
            number = number * 10 + u32::from(digit - b'0');
            digits += 1;
        }
        let after = rest.get(digits..).filter(|_| digits > 0)?;
        if let Some((b" 0 R", after)) = after.split_at_checked(4)
            && !after.first().is_some_and(|&byte| is_regular(byte))
        {
            self.position += digits + 4;
            return Some(Object::Reference(Reference { number, generation: 0 }));
        }
        if after.first().is_some_and(|&byte| is_regular(byte) && byte != b'R') {
            return None;
        }
        if after.first() == Some(&b'R') {
            self.take_liberty();
        }
        self.position += digits;
        Some(Object::Integer(number.into()))
    }

    /// Makes a reference of the last two items, whole numbers before an `R`.
    pub(super) fn ends_reference(&mut self) -> bool {
        let [.., Object::Integer(number), Object::Integer(generation)] = self.items[..] else { return false };
        let (Ok(number), Ok(generation)) = (u32::try_from(number), u16::try_from(generation)) else { return false };
        if self.rest().get(1).is_some_and(|&byte| is_regular(byte)) {
            return false;
        }
        self.position += 1;
        self.items.truncate(self.items.len() - 2);
        self.items.push(Object::Reference(Reference { number, generation }));
        true
    }

    /// Reads a number, or the reference that starts with one: ISO 32000-1 §7.3.3, §7.3.10.
    pub(super) fn number_or_reference(&mut self) -> Object<'a> {
        let start = self.position;
        match self.digits() {
            Some(Object::Integer(_)) | None => self.position = start,
            Some(reference) => return reference,
        }
        let word = self.regular();
        if !well_formed(word) {
            self.take_liberty();
        }
        let object = number(word);
        let after = self.position;
        if let Object::Integer(value) = object
            && word.iter().all(u8::is_ascii_digit)
            && let Ok(number) = u32::try_from(value)
            && let Some(generation) = self.generation_and_r()
        {
            return Object::Reference(Reference { number, generation });
        }
        self.position = after.max(start + 1);
        object
    }

    fn generation_and_r(&mut self) -> Option<u16> {
        // A reference's parts are on average two bytes apart: a cheap look first.
        self.skip_space();
        let generation = u16::try_from(self.unsigned()?).ok()?;
        let after = self.position;
        self.skip_space();
        let rest = self.rest();
        if after == self.position && rest.first() == Some(&b'R') {
            self.take_liberty();
        }
        if rest.first() == Some(&b'R') && !rest.get(1).is_some_and(|&o| is_regular(o)) {
            self.position += 1;
            return Some(generation);
        }
        None
    }
}

/// Returns whether a word is a number as ISO 32000-1 §7.3.3 prescribes, which every reader holds: a sign, digits, one point among
/// them. Some readers count modulo 2³² what is more than 32 bits hold (annex C).
fn well_formed(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    let points = digits.iter().filter(|&&byte| byte == b'.').count();
    // More than 64 bits hold, if it is whole; more than the powers of ten that a reader may divide by, if it is not.
    let longest = if points == 0 { 18 } else { 128 };
    points <= 1
        && (points + 1..=longest).contains(&digits.len())
        && digits.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.')
        && i32::try_from(whole(digits)).is_ok()
}

/// Returns the whole number that the first digits of a word spell.
fn whole(word: &[u8]) -> i64 {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |value: i64, &digit| value.saturating_mul(10).saturating_add((digit - b'0').into()))
}

/// Reads a number, also in the odd spellings of the field: `--5`, `4.`, `1.2.3`.
fn number(word: &[u8]) -> Object<'static> {
    let (sign, digits) = match word {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, word),
    };
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    let point = digits.iter().take_while(|o| o.is_ascii_digit()).count();
    if digits.get(point) != Some(&b'.') {
        return Object::Integer(sign * whole(digits));
    }
    let fraction = digits[point + 1..].iter().take_while(|o| o.is_ascii_digit()).count();
    Object::Real(f64::from(sign as i32) * real(&digits[..point + 1 + fraction], fraction))
}

/// The powers of ten by which decimal fractions are divided: `f64` has each of them exactly.
const POWERS: [f64; 16] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Returns the value of digits with a point among them, of which `fraction` digits follow it.
fn real(text: &[u8], fraction: usize) -> f64 {
    let digits = text.iter().filter(|&&byte| byte != b'.').map(|byte| u64::from(byte - b'0'));
    // Up to fifteen digits are a whole number that `f64` has exactly; then the quotient is rounded once, as parsing does.
    if text.len() <= POWERS.len()
        && let Some(power) = POWERS.get(fraction)
    {
        return digits.fold(0, |value, digit| value * 10 + digit) as f64 / power;
    }
    // Of more digits the first eighteen count: `u64` holds them, and `f64` tells no more apart.
    let significant = digits.skip_while(|&digit| digit == 0);
    let whole = significant.clone().take(18).fold(0, |value, digit| value * 10 + digit);
    let left_out = significant.count().saturating_sub(18);
    let exponent = i32::try_from(left_out)
        .unwrap_or(i32::MAX)
        .saturating_sub_unsigned(u32::try_from(fraction).unwrap_or(u32::MAX));
    whole as f64 * 10_f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_rounded_as_by_parsing() {
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..20_000 {
            let (whole, fraction) = (random(8) as usize, random(9) as usize);
            let digits: String = (0..whole + fraction).map(|_| char::from(b'0' + random(10) as u8)).collect();
            let text = format!("{}.{}", &digits[..whole], &digits[whole..]);
            let parsed: f64 = text.parse().unwrap_or(0.0);
            assert_eq!(real(text.as_bytes(), fraction), parsed, "7.3.3: {text}");
        }
    }

    #[test]
    fn more_digits_than_f64_has_are_nearly_the_number_that_they_spell() {
        let zeros = "0".repeat(400);
        for text in [
            "3.14159265358979323846264338327950288",
            "1234567890123456789.5",
            "00000000000000000000000000000012.50",
            ".000000000000000000001",
            &format!("{zeros}1.5"),
            &format!("0.{zeros}1"),
            &format!("1{zeros}."),
            &format!("{zeros}.{zeros}"),
        ] {
            let fraction = text.len() - text.find('.').unwrap() - 1;
            let (found, parsed) = (real(text.as_bytes(), fraction), text.parse::<f64>().unwrap());
            let near = found == parsed || (found - parsed).abs() <= parsed * 1e-15;
            assert!(near, "7.3.3: {text} is {parsed:e}, found {found:e}");
        }
    }
}
