//! Dates: ISO 32000-1 §7.9.4.

use crate::time::Time;

/// Reads `D:YYYYMMDDHHmmSSOHH'mm'`, of which all but the year may be missing.
pub fn parse(text: &str) -> Option<Time> {
    let text = text.trim();
    let digits = text.strip_prefix("D:").unwrap_or(text).as_bytes();
    let mut at = 0;
    let mut number = |length: usize, default: u8| -> Option<u32> {
        match digits.get(at..at + length).filter(|part| part.iter().all(u8::is_ascii_digit)) {
            Some(part) => {
                at += length;
                Some(part.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')))
            }
            None if length == 4 => None,
            None => Some(default.into()),
        }
    };
    let year = number(4, 0)?;
    let [month, day, hour, minute, second] = [1, 1, 0, 0, 0].map(|default| number(2, default).unwrap_or(0) as u8);
    let local = Time::from_civil(year.into(), month, day, hour, minute, second)?;
    let (sign, zone) = match digits.get(at..) {
        Some([b'+', zone @ ..]) => (1, zone),
        Some([b'-', zone @ ..]) => (-1, zone),
        _ => return Some(local),
    };
    let mut parts =
        zone.split(|byte| *byte == b'\'').map(|part| std::str::from_utf8(part).ok()?.trim().parse::<i64>().ok());
    let (hours, minutes) = (parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0));
    // NOTE: the apostrophe may be missing: `+0200`.
    let (hours, minutes) = if hours > 99 { (hours / 100, hours % 100) } else { (hours, minutes) };
    if hours > 23 || minutes > 59 {
        return None;
    }
    Some(local.plus_millis(-sign * (hours * 60 + minutes) * 60_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let rows = [
            ("7.9.4", "all there is", "D:20240910131523+02'00'", Some("2024-09-10T11:15:23Z")),
            ("7.9.4", "west of Greenwich", "D:199812231952-08'30'", Some("1998-12-24T04:22:00Z")),
            ("7.9.4", "universal time", "D:20200101000000Z00'00'", Some("2020-01-01T00:00:00Z")),
            ("7.9.4", "no zone", "D:20200101", Some("2020-01-01T00:00:00Z")),
            ("7.9.4", "no prefix", "2020", Some("2020-01-01T00:00:00Z")),
            ("7.9.4", "no apostrophe", "D:20200101000000+0100", Some("2019-12-31T23:00:00Z")),
            ("7.9.4", "no such month", "D:20201301", None),
            ("7.9.4", "no date", "yesterday", None),
        ];
        for (clause, situation, text, expected) in rows {
            assert_eq!(parse(text).map(|time| time.to_string()).as_deref(), expected, "{clause}: {situation}");
        }
    }
}
