//! A new archive time-stamp v3: EN 319 122-1 §5.5.

use super::archive::Archive;
use super::hash_index;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Writer};
use crate::formats::cms::edit::Edits;
use crate::formats::cms::{Error, SignedData, SignerInfo, oids};
use crate::formats::content::Content;
use crate::formats::digest_work::DigestWork;

/// An archive time-stamp that lacks only its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchiveTimestamp {
    /// The `ATSHashIndexV3`, DER.
    index: Vec<u8>,
    /// The message imprint of the token.
    pub imprint: Vec<u8>,
}

impl ArchiveTimestamp {
    /// Prepares a time-stamp over a signer and everything there is in the file now; `None` where the content or a digest
    /// of it is not at hand.
    pub(crate) fn prepare(
        signed_data: &SignedData<'_>,
        signer: &SignerInfo<'_>,
        content: &Content<'_>,
        algorithm: DigestAlgorithm,
    ) -> Option<Self> {
        let index = hash_index::write(signed_data, &signer.unsigned, algorithm)?;
        let imprint =
            Archive::new(signed_data, signer, content, &DigestWork::default()).imprint_v3(algorithm, &index)?;
        Some(Self { index, imprint })
    }

    /// Returns the unsigned attribute with this token, to which the hash index is added (§5.5.2).
    ///
    /// # Errors
    ///
    /// [`Error`] where the token is not CMS.
    pub(crate) fn attribute(&self, token: &[u8]) -> Result<Vec<u8>, Error> {
        let mut edits = Edits::new(token)?;
        edits.unsigned_attribute(0, attribute(oids::HASH_INDEX_V3, &self.index));
        Ok(attribute(oids::ARCHIVE_TIMESTAMP_V3, &edits.output()?.to_vec(token)))
    }
}

/// Returns an `Attribute` with one value, DER.
pub(crate) fn attribute(kind: Oid<'_>, value: &[u8]) -> Vec<u8> {
    let mut attribute = Writer::new();
    attribute.sequence(|w| {
        w.oid(kind).set(|w| {
            w.raw(value);
        });
    });
    attribute.finish()
}
