//! CMS signatures (RFC 5652) and their profile CAdES (EN 319 122).
//!
//! [`SignedData`] reads the syntax where it lies: nothing is copied, and nothing is read
//! that nobody asked for, so one broken CRL spoils only itself. [`Reading`] makes one of
//! its signers a signature: what the attributes state, whether the digests match, what
//! the value is over, which time-stamps cover what, which profiles are fulfilled. PAdES
//! takes both, with a PDF's byte ranges as [`Content`].

mod archive;
pub(crate) mod attribute;
mod content;
mod error;
mod evidence_records;
mod hash_index;
mod level;
pub(crate) mod oids;
pub(crate) mod policy;
pub(crate) mod references;
pub(crate) mod revocation;
mod signature;
mod signed_attributes;
mod signed_data;
pub(crate) mod signer;
#[cfg(test)]
mod tests;
mod timestamps;

pub use attribute::{Attribute, Attributes};
pub use content::Content;
pub(crate) use content::LARGE;
pub use error::Error;
pub(crate) use policy::compare as compare_policy;
pub(crate) use signature::add_unsigned_material;
pub use signature::{Reading, Subject};
pub(crate) use signed_attributes::certified_roles;
pub(crate) use signed_data::digest_algorithm;
pub use signed_data::{SignedData, SignerInfo};

use crate::budget::Budget;
use crate::formats::contents::Contents;
use crate::formats::draft::{Draft, Family};

/// Reads a CMS signature or several, attached or over the first of the contents beside it.
pub fn read<'a>(octets: &'a [u8], contents: &Contents<'_>, budget: &Budget) -> Result<Draft<'a>, Error> {
    let signed_data = SignedData::parse(octets)?;
    let content = match (signed_data.content_pieces(), contents.first()) {
        (Some(pieces), _) => Content::pieces(pieces),
        // What cannot be read is not replaced by what somebody supplies.
        (None, Some(detached)) if signed_data.is_detached() => {
            detached.refer();
            detached.clone()
        }
        (None, _) => Content::missing(),
    };
    let mut subject = Subject::whole(&content);
    let reading = Reading { file: contents.file(), family: Family::Cades, salt: &[], tokens: budget.tokens };
    let mut draft = Draft::default();
    for signer in &signed_data.signers {
        // There are too many already, which whoever asked for the draft says.
        if draft.signatures.len() > budget.tokens {
            break;
        }
        draft.signatures.extend(reading.signature(&signed_data, signer, &content, &mut subject));
    }
    evidence_records::share(&mut draft.signatures);
    draft.signed_data = subject.signed_data;
    Ok(draft)
}
