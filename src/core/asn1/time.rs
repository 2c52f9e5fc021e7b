use super::{Error, Tag, Tlv};
use crate::time::Time;

impl Tlv<'_> {
    /// Reads a UTCTime or GeneralizedTime, also in the forms that DER does not allow: without seconds, with an offset,
    /// with a fraction, without the `Z` (read as UTC).
    pub fn time(&self) -> Result<Time, Error> {
        let bytes = self.bytes()?;
        let malformed = Error::Malformed { expected: "time", found: "not a date and time" };
        if self.is(Tag::UTC_TIME) {
            utc_time(&bytes).ok_or(malformed)
        } else if self.is(Tag::GENERALIZED_TIME) || self.tag.class == super::Class::Context {
            generalized_time(&bytes).ok_or(malformed)
        } else {
            Err(Error::Unexpected { expected: Tag::GENERALIZED_TIME, found: self.tag })
        }
    }
}

/// Reads `YYMMDDhhmm[ss]` and `Z` or an offset. Years from 50 are of the 20th century (RFC 5280 §4.1.2.5.1).
fn utc_time(text: &[u8]) -> Option<Time> {
    let (year, rest) = digits(text, 2)?;
    let year = if year >= 50 { 1900 + year } else { 2000 + year };
    date_time(year, rest)
}

/// Reads `YYYYMMDDhh[mm[ss[.fraction]]]` and `Z`, an offset or nothing (X.680 §46).
fn generalized_time(text: &[u8]) -> Option<Time> {
    let (year, rest) = digits(text, 4)?;
    date_time(year, rest)
}

fn date_time(year: i64, text: &[u8]) -> Option<Time> {
    let (month, text) = digits(text, 2)?;
    let (day, text) = digits(text, 2)?;
    let (hour, text) = digits(text, 2)?;
    let (minute, text) = digits(text, 2).unwrap_or((0, text));
    let (second, mut text) = digits(text, 2).unwrap_or((0, text));
    let mut millis = 0;
    if let [b'.' | b',', fraction @ ..] = text {
        let length = fraction.iter().take_while(|c| c.is_ascii_digit()).count();
        if length == 0 {
            return None;
        }
        for place in 0..3 {
            millis = millis * 10 + fraction[..length].get(place).map_or(0, |digit| i64::from(digit - b'0'));
        }
        text = &fraction[length..];
    }
    let offset = match text {
        b"" | b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let (hours, rest) = digits(rest, 2)?;
            let (minutes, rest) = digits(rest, 2).unwrap_or((0, rest));
            if !rest.is_empty() || hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'+' { 1 } else { -1 }
        }
        _ => return None,
    };
    // Two digits are at most 99.
    let small = |number: i64| number as u8;
    let time = Time::from_civil(year, small(month), small(day), small(hour), small(minute), small(second))?;
    Some(time.plus_millis(millis - offset * 60_000))
}

fn digits(text: &[u8], count: usize) -> Option<(i64, &[u8])> {
    let (head, rest) = text.split_at_checked(count)?;
    let number = |number: i64, digit: &u8| number * 10 + i64::from(digit - b'0');
    head.iter().all(u8::is_ascii_digit).then(|| (head.iter().fold(0, number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (clause, tag, text, expected) in [
            ("RFC 5280 4.1.2.5.1", Tag::UTC_TIME, "500101000000Z", Some("1950-01-01T00:00:00Z")),
            ("RFC 5280 4.1.2.5.1", Tag::UTC_TIME, "491231235959Z", Some("2049-12-31T23:59:59Z")),
            ("X.680 47", Tag::UTC_TIME, "2001010000Z", Some("2020-01-01T00:00:00Z")),
            ("X.680 47", Tag::UTC_TIME, "200101000000+0200", Some("2019-12-31T22:00:00Z")),
            ("X.680 47", Tag::UTC_TIME, "20010100000", None),
            ("RFC 5280 4.1.2.5.2", Tag::GENERALIZED_TIME, "20500101000000Z", Some("2050-01-01T00:00:00Z")),
            ("RFC 3161 2.4.2", Tag::GENERALIZED_TIME, "20200101000000.34Z", Some("2020-01-01T00:00:00.340Z")),
            ("RFC 3161 2.4.2", Tag::GENERALIZED_TIME, "20200101000000.123456Z", Some("2020-01-01T00:00:00.123Z")),
            ("X.680 46", Tag::GENERALIZED_TIME, "20200101000000,5", Some("2020-01-01T00:00:00.500Z")),
            ("X.680 46", Tag::GENERALIZED_TIME, "2020010112", Some("2020-01-01T12:00:00Z")),
            ("X.680 46", Tag::GENERALIZED_TIME, "20200101000000.Z", None),
            ("X.680 46", Tag::GENERALIZED_TIME, "20200230000000Z", None),
            ("X.680 46", Tag::GENERALIZED_TIME, "20200101000000Zx", None),
            ("X.680 46", Tag::GENERALIZED_TIME, "", None),
        ] {
            let bytes = super::super::tlv(tag, text.as_bytes());
            let found = Tlv::whole(&bytes).unwrap().time().ok().map(|time| time.to_string());
            assert_eq!(found.as_deref(), expected, "{clause} {text}");
        }
    }
}
