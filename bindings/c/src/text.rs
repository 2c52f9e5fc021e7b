//! Texts and bytes that the library returns.

use crate::error::lacre_status;
use crate::ffi::{Handle, free, read};
use std::ffi::c_char;
use std::ptr;

/// A text that belongs to somebody else: UTF-8, len bytes, then a NUL that is not counted.
///
/// data is never NULL; what is absent is an empty text. Where the text itself holds a NUL (a hostile name may),
/// "%s" prints less than there is, and len tells. Valid as long as what it was asked of.
///
/// @ingroup values
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lacre_str {
    /// The bytes, NUL-terminated.
    pub data: *const c_char,
    /// How many there are, without the NUL.
    pub len: usize,
}

impl lacre_str {
    pub(crate) const EMPTY: Self = Self { data: c"".as_ptr(), len: 0 };
}

/// A text with a NUL behind it.
#[derive(Debug, Clone)]
pub(crate) struct Text(Box<str>);

impl Text {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let mut text = text.into();
        text.push('\0');
        Self(text.into())
    }

    /// Makes a text of one that may be absent: an empty one then.
    pub(crate) fn maybe(text: Option<impl Into<String>>) -> Self {
        text.map_or_else(|| Self::new(""), Self::new)
    }

    pub(crate) fn borrow(&self) -> lacre_str {
        lacre_str { data: self.0.as_ptr().cast(), len: self.0.len() - 1 }
    }
}

/// Bytes or a text that the caller owns. Immutable; freed with lacre_buffer_free(). Private keys are wiped then.
///
/// @ingroup values
pub struct lacre_buffer {
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    len: usize,
}

impl Handle for lacre_buffer {
    const NAME: &'static str = "lacre_buffer";
}

impl lacre_buffer {
    /// Makes a buffer of bytes as they are.
    pub(crate) fn bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let len = bytes.as_ref().len();
        Self { bytes: Box::new(bytes), len }
    }

    /// Makes a buffer of a text, with a NUL behind it that is not counted.
    pub(crate) fn text(mut text: String) -> Self {
        let len = text.len();
        text.push('\0');
        Self { bytes: Box::new(text), len }
    }
}

/// Returns the bytes of a buffer. A text has a NUL behind it; other bytes have not.
///
/// Thread safety: any thread.
///
/// @param buffer  May be NULL: NULL comes back.
/// @return Borrowed from the buffer.
/// @ingroup values
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_buffer_data(buffer: *const lacre_buffer) -> *const u8 {
    // SAFETY: `buffer` is NULL or a live handle, as the header asks.
    unsafe { read(buffer, ptr::null(), |buffer| (*buffer.bytes).as_ref().as_ptr()) }
}

/// Returns how many bytes a buffer has, without the NUL behind a text.
///
/// Thread safety: any thread.
///
/// @param buffer  May be NULL: 0 comes back.
/// @ingroup values
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_buffer_len(buffer: *const lacre_buffer) -> usize {
    // SAFETY: `buffer` is NULL or a live handle, as the header asks.
    unsafe { read(buffer, 0, |buffer| buffer.len) }
}

/// Frees a buffer.
///
/// Thread safety: any thread, as long as no other uses the buffer.
///
/// @param buffer  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup values
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_buffer_free(buffer: *mut lacre_buffer) -> lacre_status {
    // SAFETY: `buffer` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(buffer) }
}
