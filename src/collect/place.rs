//! Where embedded octets lie, by which what was made of them is found again.
//!
//! Signatures of one document hand over the same octets again and again: a PDF's all of them its DSS dictionary,
//! those of a container a shared certificate. To tell by their digest that they are known would be most of the
//! collector's work.

/// The address and length of octets of a draft.
///
/// All drafts are alive when the first of them is assembled, so that of what is looked up later no two different
/// octets lie at one place. The address is compared, and nothing else is done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    address: usize,
    length: usize,
}

impl Place {
    /// Where these lie.
    pub fn of(octets: &[u8]) -> Self {
        Self { address: octets.as_ptr() as usize, length: octets.len() }
    }
}
