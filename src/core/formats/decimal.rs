//! Numbers as decimal digits, by the fewest that mean them: ECMA-262 §6.1.6.1.20, XPath 1.0 §4.2.
//!
//! NOTE: what the standard library writes floats by is 16 kB of a module for browsers, which has serde_json's as well.

/// The absolute value of a number: `0.digits × 10^point`, without zeros around the digits. Zero has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    pub digits: String,
    pub point: i32,
}

impl Decimal {
    /// Returns the fewest digits; `None` where the number is not finite.
    pub(super) fn of(number: f64) -> Option<Self> {
        let text = serde_json::Number::from_f64(number.abs())?.to_string();
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = whole.to_owned() + fraction;
        let digits = all.trim_start_matches('0');
        let length = |text: &str| i32::try_from(text.len()).ok();
        let point = length(whole)? - length(&all)? + length(digits)? + exponent.parse::<i32>().ok()?;
        Some(Self { digits: digits.trim_end_matches('0').to_owned(), point })
    }

    /// Returns the text without an exponent.
    pub(super) fn plain(&self) -> String {
        let Self { digits, point } = self;
        match usize::try_from(*point) {
            _ if digits.is_empty() => "0".to_owned(),
            Ok(point) if point >= digits.len() => format!("{digits:0<point$}"),
            Ok(point @ 1..) => format!("{}.{}", &digits[..point], &digits[point..]),
            _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library writes the fewest digits as well, but of two that are as near not always the even one.
    #[test]
    fn as_the_standard_library() {
        let mut bits = 1u64;
        let drawn = std::iter::repeat_with(|| {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from_bits(bits)
        });
        let chosen =
            [0.0, 1.0, 10.0, 0.1, 0.5, 123.45, 1e21, 1e-7, 9007199254740993.0, 5e-324, f64::MAX, f64::MIN_POSITIVE];
        for number in chosen.into_iter().chain(drawn.filter(|drawn| drawn.is_finite()).take(20_000)) {
            let found = Decimal::of(number).expect("it is finite");
            assert_eq!(found.plain().parse(), Ok(number.abs()), "{number:e}");
            let written = format!("{:e}", number.abs());
            let (mantissa, exponent) = written.split_once('e').expect("it has an exponent");
            let expected = (mantissa.replace('.', ""), exponent.parse::<i32>().expect("a number") + 1);
            let is_even = found.digits.len() == expected.0.len() && found.digits.ends_with(['0', '2', '4', '6', '8']);
            assert!(number == 0.0 || is_even || (found.digits, found.point) == expected, "{number:e}");
        }
        let tie = Decimal::of(1_888_570_120_608_320.2).map(|decimal| decimal.plain());
        assert_eq!(tie.as_deref(), Some("1888570120608320.2"), "ECMA-262 6.1.6.1.20");
        assert_eq!([f64::NAN, f64::INFINITY].map(Decimal::of), [None, None]);
    }
}
