//! Times in milliseconds.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{self, run};
use lacre::Time;
use std::ffi::c_char;

/// No moment: an answer where there is none, and an argument where the header allows it.
pub const LACRE_NO_TIME: i64 = i64::MIN;

/// Bytes that the longest text of lacre_time_format() needs, with its NUL.
pub const LACRE_TIME_TEXT_SIZE: usize = 32;

/// The moments between which dates are written with a year of four digits: the years 0 to 9999.
const MOMENTS: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// Reads a moment handed in.
pub(crate) fn moment(time: i64) -> Result<Option<Time>, Failure> {
    match time {
        LACRE_NO_TIME => Ok(None),
        _ if MOMENTS.contains(&time) => Ok(Some(Time::from_millis(time))),
        _ => Err(Failure::argument(format!(
            "time is {time} ms since 1970, expected a moment of the years 0 to 9999 (is it in another unit?)"
        ))),
    }
}

/// Reads a moment handed in that may not be left out.
pub(crate) fn stated(time: i64) -> Result<Time, Failure> {
    moment(time)?.ok_or_else(|| Failure::argument("time is LACRE_NO_TIME, expected a moment"))
}

/// Returns a moment as it goes out.
pub(crate) fn millis(time: Option<Time>) -> i64 {
    time.map_or(LACRE_NO_TIME, Time::millis)
}

/// Reads a date and time as in 2026-11-21T10:00:00Z (RFC 3339), or a bare date; without an offset it is UTC.
///
/// Thread safety: any thread.
///
/// @param      text       NUL-terminated UTF-8, borrowed for the call.
/// @param[out] time_out   On LACRE_OK milliseconds since 1970-01-01T00:00:00Z. Otherwise LACRE_NO_TIME.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup values
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_time_parse(
    text: *const c_char,
    time_out: *mut i64,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = time_out
                .as_mut()
                .ok_or_else(|| Failure::new(LACRE_ERROR_NULL_ARGUMENT, "time_out is NULL, expected something"))?;
            *place = LACRE_NO_TIME;
            let text = ffi::text(text, "text")?;
            *place = text.parse::<Time>().map_err(|e| Failure::argument(e.to_string()))?.millis();
            Ok(())
        })
    }
}

/// Writes a moment as in 2026-11-21T10:00:00Z, NUL-terminated.
///
/// Thread safety: any thread.
///
/// @param      time       Milliseconds since 1970-01-01T00:00:00Z; of LACRE_NO_TIME the text is empty.
/// @param[out] text       Where to write; at least LACRE_TIME_TEXT_SIZE bytes.
/// @param      text_size  How many bytes there are.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT; then nothing is written.
/// @ingroup values
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_time_format(time: i64, text: *mut c_char, text_size: usize) -> lacre_status {
    // SAFETY: `text` is NULL or has `text_size` bytes, as the header asks; what is written is shorter.
    unsafe {
        run(std::ptr::null_mut(), || {
            if text.is_null() {
                return Err(Failure::new(LACRE_ERROR_NULL_ARGUMENT, "text is NULL, expected something"));
            }
            if text_size < LACRE_TIME_TEXT_SIZE {
                return Err(Failure::argument(format!("text has {text_size} bytes, expected {LACRE_TIME_TEXT_SIZE}")));
            }
            let written = moment(time)?.map_or_else(String::new, |time| time.to_string());
            text.copy_from_nonoverlapping(written.as_ptr().cast(), written.len());
            text.add(written.len()).write(0);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_fits() {
        for time in [*MOMENTS.start(), *MOMENTS.end(), 0, 1] {
            let text = Time::from_millis(time).to_string();
            assert!(text.len() < LACRE_TIME_TEXT_SIZE, "{text}");
            assert_eq!(text.parse::<Time>().map(Time::millis), Ok(time), "{text}");
        }
        assert!(moment(*MOMENTS.end() + 1).is_err() && moment(i64::MAX).is_err());
        assert_eq!(moment(LACRE_NO_TIME).map_err(|f| f.code), Ok(None));
    }
}
