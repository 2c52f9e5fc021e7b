//! The version of the library.

use std::ffi::{CStr, c_char};

/// The version of this header: lacre_version() is that of the library that was linked.
#[allow(dead_code, reason = "it is for the header")]
pub const LACRE_VERSION_MAJOR: i32 = 0;
/// As LACRE_VERSION_MAJOR.
#[allow(dead_code, reason = "it is for the header")]
pub const LACRE_VERSION_MINOR: i32 = 1;
/// As LACRE_VERSION_MAJOR.
#[allow(dead_code, reason = "it is for the header")]
pub const LACRE_VERSION_PATCH: i32 = 0;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
const BUILD: &str = concat!(
    "lacre ",
    env!("CARGO_PKG_VERSION"),
    " for ",
    env!("LACRE_C_TARGET"),
    ", ",
    env!("LACRE_C_PROFILE"),
    " build\0"
);

fn c_text(text: &'static str) -> *const c_char {
    CStr::from_bytes_until_nul(text.as_bytes()).unwrap_or(c"").as_ptr()
}

/// Returns the version of the library, as "0.1.0".
///
/// Thread safety: any thread.
///
/// @return Static, NUL-terminated.
/// @ingroup version
#[unsafe(no_mangle)]
pub extern "C" fn lacre_version() -> *const c_char {
    c_text(VERSION)
}

/// Returns the version, and how the library was built, for reports of defects.
///
/// Thread safety: any thread.
///
/// @return Static, NUL-terminated.
/// @ingroup version
#[unsafe(no_mangle)]
pub extern "C" fn lacre_build_information() -> *const c_char {
    c_text(BUILD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_version_of_the_package() {
        let written = format!("{LACRE_VERSION_MAJOR}.{LACRE_VERSION_MINOR}.{LACRE_VERSION_PATCH}");
        assert_eq!(written, env!("CARGO_PKG_VERSION"));
    }
}
