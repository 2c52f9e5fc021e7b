//! What a signature value is made over.

/// What was signed: the input of [`verify`](super::verify).
#[derive(Debug, Clone, Copy)]
pub enum Signed<'a> {
    /// The message itself.
    Message(&'a [u8]),
    /// Its digest, by the digest function of the signature algorithm.
    Digest(&'a [u8]),
}
