//! The one place where the clock is read.

use lacre::Time;

/// Returns this moment.
pub fn now() -> Time {
    Time::from_millis(jiff::Timestamp::now().as_millisecond())
}

/// Returns this moment in whole seconds, as reports, certificates and lists state moments.
pub fn second() -> Time {
    Time::from_seconds(now().seconds())
}

/// Returns a moment as error bodies state it: RFC 3339, always with milliseconds.
pub fn with_millis(time: Time) -> String {
    let (year, month, day, hour, minute, second) = time.civil();
    let millis = time.millis().rem_euclid(1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_are_always_written() {
        for (millis, expected) in [(0, "1970-01-01T00:00:00.000Z"), (1_795_255_200_042, "2026-11-21T10:00:00.042Z")] {
            assert_eq!(with_millis(Time::from_millis(millis)), expected);
        }
    }
}
