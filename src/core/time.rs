//! Points in time, as the standards' `GeneralizedTime` and `xs:dateTime` state them.

use std::fmt;
use std::str::FromStr;

/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z.
///
/// The core reads no clock: a `Time` comes from the document, from validation
/// data or from the caller. Milliseconds, because RFC 3161 allows fractions
/// of a second in a time-stamp and two tokens may differ by less than one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// Returns the moment `millis` milliseconds after 1970-01-01T00:00:00Z.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the moment `seconds` seconds after 1970-01-01T00:00:00Z.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Returns the milliseconds since 1970-01-01T00:00:00Z.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since 1970-01-01T00:00:00Z, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns this moment moved by `millis` milliseconds, saturating.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Returns the moment of a calendar date and time in UTC; `None` for a date that does not exist.
    pub fn from_civil(year: i64, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> Option<Self> {
        const LENGTHS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = LENGTHS.get(usize::from(month).checked_sub(1)?)? + u8::from(leap && month == 2);
        if day == 0 || day > length || hour > 23 || minute > 59 || second > 60 || !(-9999..=9999).contains(&year) {
            return None;
        }
        let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        Some(Self::from_seconds(days_from_civil(year, month, day) * 86_400 + seconds))
    }

    /// Returns year, month, day, hour, minute and second in UTC.
    pub fn civil(self) -> (i64, u8, u8, u8, u8, u8) {
        let seconds = self.seconds();
        let (year, month, day) = civil_from_days(seconds.div_euclid(86_400));
        let rest = seconds.rem_euclid(86_400);
        (year, month, day, (rest / 3600) as u8, (rest / 60 % 60) as u8, (rest % 60) as u8)
    }
}

/// Returns the days since 1970-01-01 of a proleptic Gregorian date, counted in eras of 400 years from March.
fn days_from_civil(year: i64, month: u8, day: u8) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the date that [`days_from_civil`] counts so.
fn civil_from_days(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u8;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u8;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// RFC 3339 in UTC; the fraction only where there is one.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, hour, minute, second) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match self.0.rem_euclid(1000) {
            0 => f.write_str("Z"),
            millis => write!(f, ".{millis:03}Z"),
        }
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not an RFC 3339 date and time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a date and time as in 2026-11-21T10:00:00Z")]
pub struct InvalidTime {
    /// The text.
    pub found: Box<str>,
}

/// Reads RFC 3339 and `xs:dateTime`, also a bare date; without an offset the time is UTC.
impl FromStr for Time {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        parse(text.trim().as_bytes()).ok_or_else(|| InvalidTime { found: text.chars().take(64).collect() })
    }
}

fn parse(text: &[u8]) -> Option<Time> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    };
    let expect = |at: usize, words: &[u8]| text.get(at).is_some_and(|b| words.contains(b));
    let small = |from: usize| number(from, from + 2).map(|n| n as u8);
    if !expect(4, b"-") || !expect(7, b"-") {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, small(5)?, small(8)?);
    if text.len() == 10 {
        return Time::from_civil(year, month, day, 0, 0, 0);
    }
    if !expect(10, b"Tt ") || !expect(13, b":") || !expect(16, b":") {
        return None;
    }
    let time = Time::from_civil(year, month, day, small(11)?, small(14)?, small(17)?)?;
    let mut at = 19;
    let mut millis = 0;
    if expect(at, b".") {
        let start = at + 1;
        at = start + text[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        if at == start {
            return None;
        }
        for place in 0..3 {
            millis =
                millis * 10 + text.get(start + place).filter(|_| start + place < at).map_or(0, |d| i64::from(d - b'0'));
        }
    }
    let offset = match text.get(at..)? {
        b"" | b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let minutes = i64::from(small(at + 1)?) * 60 + i64::from(small(at + 4)?);
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    Some(time.plus_millis(millis - offset * 60_000))
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_rfc_3339() {
        for (text, written) in [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2026-11-21", "2026-11-21T00:00:00Z"),
            ("2016-07-01T00:00:00+02:00", "2016-06-30T22:00:00Z"),
            ("1949-12-31T12:00:00.5Z", "1949-12-31T12:00:00.500Z"),
            ("2023-01-01T00:00:00.123456-01:30", "2023-01-01T01:30:00.123Z"),
        ] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), written, "{text}");
        }
        for text in [
            "",
            "2023-02-29",
            "2023-13-01",
            "2023-01-01T24:00:00Z",
            "2023-01-01T00:00:00.Z",
            "2023-01-01T00:00:00+2",
            "20230101",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }

    #[test]
    fn civil_dates_round_trip() {
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
    }
}
