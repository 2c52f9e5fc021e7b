//! JSON signatures: JWS (RFC 7515, RFC 7797) and their profile JAdES (TS 119 182-1).
//!
//! [`Unpacked`] keeps what a document says: the exact texts that are signed and time-stamped, and the bytes that
//! they hold. [`Unpacked::draft`] says what every value is over, which digests match, which time-stamps cover what.

mod base64url;
mod canonical;
mod etsi_u;
mod header;
mod json;
mod jws;
mod level;
mod material;
mod payload;
mod policy;
mod signature;
mod structure;
#[cfg(test)]
mod tests;
mod timestamps;

pub use json::{JsonError, Node, Value, parse};
pub use jws::JoseError;

use super::ades;
use super::content::Content;
use super::contents::Contents;
use super::draft::Draft;
use crate::budget::Budget;
use jws::Jws;
use payload::Allowance;
use signature::JadesSignature;

/// Signatures over all that is given which are always read.
const ALWAYS: u64 = 16;

/// A document with JSON signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked<'d> {
    signatures: Vec<Jws<'d>>,
    /// The bytes of the document.
    bytes: u64,
}

impl<'d> Unpacked<'d> {
    /// Reads a document, in compact form (RFC 7515 §7.1) or JSON (§7.2); `None` when it is JSON without a signature.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or a protected header cannot be read.
    pub fn read(bytes: &'d [u8], compact: bool, budget: &Budget) -> Result<Option<Self>, JoseError> {
        Ok(jws::read(bytes, compact, budget)?.map(|signatures| Self { signatures, bytes: bytes.len() as u64 }))
    }

    /// Returns the payload that the first signature holds and signs; `None` where it signs something else.
    #[cfg(feature = "trusted-lists")]
    pub(crate) fn payload(&self) -> Option<Vec<u8>> {
        let jws = self.signatures.first()?;
        let text = jws.own_payload()?;
        if jws.protected.get("sigD").is_some() {
            return None;
        }
        match jws.is_unencoded() {
            true => Some(text.as_bytes().to_vec()),
            false => base64url::decode(text),
        }
    }

    /// Returns its signatures, each followed by its counter-signatures; `None` where their payloads have more bytes than
    /// [`Budget::payload_bytes`] allows.
    pub fn draft(&self, contents: &Contents<'_>, budget: &Budget) -> Option<Draft<'_>> {
        let mut draft = Draft::default();
        let given = contents.iter().map(Content::size).fold(self.bytes, u64::saturating_add);
        let allowance = Allowance::new(given.saturating_mul(ALWAYS).saturating_add(budget.payload_bytes));
        for (place, jws) in self.signatures.iter().enumerate() {
            ades::read(JadesSignature::new(jws, &place.to_string(), None, contents, &allowance)?, &mut draft);
        }
        allowance.is_kept().then_some(draft)
    }
}
