//! Addresses of embedded bytes, by which what was made of them is found again.
//!
//! Signatures of one document hold the same bytes again and again: those of a PDF all of its DSS dictionary, those of a
//! container a shared certificate. To recognise them by their digest would be most of the collector's work.

/// The address and length of bytes of a draft.
///
/// All drafts are alive when the record is built, so that no two different byte strings that are looked up have one
/// address. The address is compared, and nothing else is done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ByteAddress {
    address: usize,
    length: usize,
}

impl ByteAddress {
    /// Returns the address of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { address: bytes.as_ptr() as usize, length: bytes.len() }
    }
}
