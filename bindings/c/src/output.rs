//! New files that are made of documents, as they go out.

use crate::error::Failure;
use crate::ffi::{Out, out_param};
use crate::text::lacre_buffer;
use lacre::signing::{Output, Piece};

/// Where a new file goes, and where is said how much of the document it begins with.
pub(crate) struct Place {
    file: Out<lacre_buffer>,
    kept: *mut usize,
}

impl Place {
    /// Checks both out-parameters, and sets them to nothing.
    ///
    /// # Safety
    ///
    /// Each is NULL or may be written until the function returns.
    pub(crate) unsafe fn of(file: *mut *mut lacre_buffer, kept: *mut usize) -> Result<Self, Failure> {
        if !kept.is_null() {
            // SAFETY: not NULL, hence writable: the contract of this function.
            unsafe { kept.write(0) };
        }
        // SAFETY: the contract of this function.
        Ok(Self { file: unsafe { out_param(file, "file_out") }?, kept })
    }

    /// Sets them to a new file, which was made of this document.
    pub(crate) fn set(self, output: &Output, document: &[u8]) {
        self.file.set(lacre_buffer::bytes(output.to_vec(document)));
        if !self.kept.is_null() {
            // SAFETY: it may be written until the function returns.
            unsafe { self.kept.write(kept(output)) };
        }
    }
}

/// Returns with how many bytes of the document the file begins.
fn kept(output: &Output) -> usize {
    match output.pieces().first() {
        Some(Piece::Kept(range)) if range.start == 0 => range.end,
        _ => 0,
    }
}
