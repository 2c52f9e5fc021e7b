//! CAdES, the profile of CMS signatures: EN 319 122.
//!
//! [`SignerInfoReader`] makes one signer of a CMS structure (`cms`) a signature: what the
//! attributes state, whether the digests match, what the value is over, which time-stamps
//! and evidence records cover what, which profiles are fulfilled. PAdES takes it as well,
//! with a PDF's byte ranges as the content.

mod archive;
#[cfg(feature = "signing")]
pub(crate) mod archive_timestamp;
mod evidence_records;
mod hash_index;
mod level;
mod policy;
mod signature;
mod signed_attributes;
#[cfg(test)]
mod tests;
mod timestamps;

pub use signature::SignerInfoReader;

use super::cms::{Error, SignedData};
use super::content::Content;
use super::contents::Contents;
use super::draft::Draft;
use super::level::Family;
use super::scope::SignedScope;
use crate::budget::Budget;
use std::cell::Cell;

/// Reads the signatures of a CMS file, over its own content or over the first of the contents beside it.
///
/// # Errors
///
/// [`Error`] where the file is not CMS.
pub fn read<'a>(bytes: &'a [u8], contents: &Contents<'_>, budget: &Budget) -> Result<Draft<'a>, Error> {
    let signed_data = SignedData::parse(bytes)?;
    let content = content(&signed_data, contents).within(contents.work());
    let mut scope = SignedScope::whole(&content);
    let relations = Cell::default();
    let reader = SignerInfoReader {
        file: contents.file(),
        family: Family::Cades,
        discriminator: &[],
        signatures: budget.tokens,
        relations: &relations,
        work: contents.work(),
    };
    let mut draft = Draft::default();
    for signer in &signed_data.signers {
        // Past the budget, which `Source::read` reports.
        if draft.signatures.len() > budget.tokens {
            break;
        }
        draft.signatures.extend(reader.read(&signed_data, signer, &content, &mut scope));
    }
    draft.relations = relations.get();
    evidence_records::share(&mut draft);
    draft.signed_data = scope.signed_data;
    Ok(draft)
}

/// Returns what the signers of a file sign: its own content, or the first of the contents beside it.
pub(crate) fn content<'c>(signed_data: &SignedData<'c>, contents: &Contents<'c>) -> Content<'c> {
    match (signed_data.content_pieces(), contents.first()) {
        (Some(pieces), _) => Content::pieces(pieces),
        // A content of its own that cannot be read is not replaced by one that somebody supplies.
        (None, Some(detached)) if signed_data.is_detached() => {
            detached.refer();
            detached.clone()
        }
        (None, _) => Content::missing(),
    }
}
