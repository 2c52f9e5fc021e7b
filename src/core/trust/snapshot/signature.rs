//! The signature that follows a snapshot.
//!
//! ```text
//! …    the snapshot, as it is without a signature
//! …    CAdES-B over it, detached: CMS SignedData
//! u32  length of the signature
//! "lacre-packed/1\n"
//! ```

use super::super::TrustedLists;
use super::super::signature::{SignatureDefect, valid};
use super::error::SnapshotError;
use crate::budget::Budget;
use crate::document::Document;
use crate::facts::SnapshotSigner;
use crate::formats::cades;
use crate::formats::cms::SignedData;
use crate::formats::{Contents, DigestWork};
use crate::hex;
use crate::policy::Policy;
use crate::x509::Certificate;
use std::rc::Rc;

/// How a signed snapshot ends.
const END: &[u8] = b"lacre-packed/1\n";

/// Appends a signature to a snapshot: a detached CAdES signature over the snapshot, in DER.
pub fn append_signature(mut snapshot: Vec<u8>, signature: &[u8]) -> Vec<u8> {
    snapshot.extend_from_slice(signature);
    // A signature has some kilobytes. With a length that does not fit, the file would be refused when read.
    snapshot.extend(u32::try_from(signature.len()).unwrap_or_default().to_be_bytes());
    snapshot.extend_from_slice(END);
    snapshot
}

/// Splits a file into the snapshot and the signature that follows it.
pub(super) fn split(file: &[u8]) -> (&[u8], Option<&[u8]>) {
    let signed = || {
        let (rest, length) = file.strip_suffix(END)?.split_last_chunk::<4>()?;
        rest.split_at_checked(rest.len().checked_sub(u32::from_be_bytes(*length) as usize)?)
    };
    signed().map_or((file, None), |(snapshot, signature)| (snapshot, Some(signature)))
}

/// Returns the signer of the snapshot if the signature is valid. Whether to rely on the signer is the caller's
/// decision.
pub(super) fn of(snapshot: &[u8], signature: &[u8]) -> Result<SnapshotSigner, SnapshotError> {
    let unreadable = |_| SnapshotError::Unreadable { part: "signature" };
    let read = SignedData::parse(signature).map_err(unreadable)?;
    // A signature over embedded content does not cover the snapshot.
    if !read.is_detached() {
        return Err(SignatureDefect::NotWhole.into());
    }
    if read.signers.len() != 1 {
        return Err(SignatureDefect::Several { found: read.signers.len() }.into());
    }
    let document = Document::new(signature).with_content("", snapshot);
    let budget = Budget::default();
    let work = DigestWork::of(&budget, signature.len() as u64 + snapshot.len() as u64);
    let draft = cades::read(signature, &Contents::within(&document, &Rc::new(work)), &budget).map_err(unreadable)?;
    let claimed = draft.signatures.first().and_then(|signature| signature.facts.claimed_signing_time);
    let signer = valid(draft, &Policy::trusted_lists(), claimed.unwrap_or_default())?;
    Ok(SnapshotSigner { subject: signer.subject().rfc2253().to_owned(), sha256: hex::lower(signer.sha256()) })
}

/// The snapshot has no signature by an accepted signer.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot {found}, expected one of {wanted} that may have")]
pub struct SignerMismatch {
    found: String,
    wanted: usize,
}

impl TrustedLists {
    /// Checks that one of these certificates signed the snapshot from which the lists come.
    ///
    /// # Errors
    ///
    /// [`SignerMismatch`] where another certificate signed it, or none.
    pub fn require_snapshot_signer(&self, certificates: &[Certificate]) -> Result<(), SignerMismatch> {
        let packer = self.snapshot_signer();
        let theirs = |packer: &SnapshotSigner| certificates.iter().any(|one| hex::lower(one.sha256()) == packer.sha256);
        if packer.is_some_and(theirs) {
            return Ok(());
        }
        let found = packer.map_or("is not signed".to_owned(), |packer| format!("is signed by {}", packer.subject));
        Err(SignerMismatch { found, wanted: certificates.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_snapshot_and_perhaps_a_signature() {
        let ending = |length: u32| [b"snapshot+signature", &length.to_be_bytes()[..], END].concat();
        let rows: [(&str, Vec<u8>, Option<&[u8]>); 6] = [
            ("no signature", b"snapshot".to_vec(), None),
            ("a signature", ending(9), Some(b"signature")),
            ("an empty one", ending(0), Some(b"")),
            ("longer than the file", ending(19), None),
            ("much longer", ending(u32::MAX), None),
            ("no length", END.to_vec(), None),
        ];
        for (situation, file, expected) in rows {
            let (snapshot, signature) = split(&file);
            assert_eq!(signature, expected, "{situation}");
            assert_eq!(snapshot.len() + signature.map_or(0, |s| s.len() + 4 + END.len()), file.len(), "{situation}");
        }
        assert!(of(b"snapshot", b"").is_err() && of(b"snapshot", &[0x30, 0]).is_err());
    }
}
