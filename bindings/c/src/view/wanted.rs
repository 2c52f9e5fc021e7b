//! Missing validation data that could change a verdict, as C reads it.

use crate::ffi::read_part;
use crate::text::{Text, lacre_str};
use crate::words::lacre_evidence_kind;
use lacre::report::Wanted;

/// A piece of evidence that could change the verdict. It belongs to its report, and is never freed.
///
/// @ingroup wanted
pub struct lacre_wanted {
    kind: lacre_evidence_kind,
    about: Text,
    urls: Vec<Text>,
}

impl lacre_wanted {
    pub(crate) fn of(wanted: &Wanted) -> Self {
        Self {
            kind: wanted.kind.into(),
            about: Text::new(wanted.about.as_str()),
            urls: wanted.urls.iter().map(|url| Text::new(url.as_str())).collect(),
        }
    }
}

/// Returns what kind of evidence it is.
///
/// Thread safety: any thread.
///
/// @param wanted  May be NULL: LACRE_EVIDENCE_NONE comes back.
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_wanted_kind(wanted: *const lacre_wanted) -> lacre_evidence_kind {
    // SAFETY: `wanted` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(wanted, lacre_evidence_kind::LACRE_EVIDENCE_NONE, |wanted| wanted.kind) }
}

/// Returns the id of the token that it is about.
///
/// Thread safety: any thread.
///
/// @param wanted  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_wanted_about(wanted: *const lacre_wanted) -> lacre_str {
    // SAFETY: `wanted` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(wanted, lacre_str::EMPTY, |wanted| wanted.about.borrow()) }
}

/// Returns at how many places it may be had.
///
/// Thread safety: any thread.
///
/// @param wanted  May be NULL: 0 comes back.
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_wanted_url_count(wanted: *const lacre_wanted) -> usize {
    // SAFETY: `wanted` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(wanted, 0, |wanted| wanted.urls.len()) }
}

/// Returns where it may be had, best first; of a content, its name.
///
/// Thread safety: any thread.
///
/// @param wanted  May be NULL: an empty text.
/// @param index   From 0; past the last an empty text.
/// @return Borrowed from the report.
/// @ingroup wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_wanted_url(wanted: *const lacre_wanted, index: usize) -> lacre_str {
    // SAFETY: `wanted` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(wanted, lacre_str::EMPTY, |wanted| wanted.urls.get(index).map_or(lacre_str::EMPTY, Text::borrow))
    }
}
