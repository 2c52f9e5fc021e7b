//! What an extension wants of its caller, and what it ends in.

use super::target::{Level, Target};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{Id, SignatureLevel, TimestampType};
use crate::output::Output;
use crate::report::{Report, Wanted};
use crate::signing::SigningError;
use crate::time::Time;
use crate::validation::outcome::Indication;

/// A step of an extension.
#[derive(Debug, Clone)]
pub enum Extension {
    /// Something is missing: add it to the [`Material`](super::Material) and call again.
    Wanted(Vec<Want>),
    /// The document is extended.
    Done(Box<Extended>),
}

/// Something that an extension cannot go on without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// A time-stamp.
    Timestamp(TimestampWant),
    /// A certificate or revocation data. Of several wants about one certificate one is enough.
    Evidence(EvidenceWant),
}

/// A time-stamp that is wanted (RFC 3161).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimestampWant {
    /// The digest function of the message imprint.
    pub algorithm: DigestAlgorithm,
    /// The message imprint.
    pub imprint: Vec<u8>,
    /// What the time-stamp will be.
    pub kind: TimestampType,
    /// The signature that it is for, by its id in the document as it was given; `None` where it is for all, or for a
    /// document without signatures.
    pub about: Option<Id>,
}

/// A certificate, a CRL or an OCSP response that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceWant {
    /// Its kind, where it may be had, what it is about, and where it was looked for in vain.
    pub wanted: Wanted,
    /// The name of the certificate that it is about, for people.
    pub name: String,
    /// The certificate that it is about, DER.
    pub certificate: Vec<u8>,
    /// The certificate of its issuer, DER, where it is known: an OCSP request names it.
    pub issuer: Option<Vec<u8>>,
    /// Revocation data issued before does not help.
    pub not_before: Option<Time>,
    /// When its issuer will have issued the next, where what there is says so.
    pub retry_at: Option<Time>,
}

/// An extended document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Extended {
    /// The file, made from the document that was given. One in PEM or Base64 becomes DER.
    pub output: Output,
    /// What became of each signature, in the order of the document.
    pub signatures: Vec<ExtendedSignature>,
    /// The judgement of the file that was written.
    pub report: Report,
}

impl Extended {
    /// Returns the level of the lowest of the signatures that were chosen; `Unknown` where there is none.
    pub fn lowest_level(&self, target: &Target) -> SignatureLevel {
        let chosen = |id: &Id| target.only.as_ref().is_none_or(|only| only.contains(id));
        let after = self.signatures.iter().filter(|signature| chosen(&signature.id)).filter_map(|one| one.after);
        after.min_by_key(|level| Level::of(*level)).unwrap_or(SignatureLevel::Unknown)
    }
}

/// What became of a signature.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExtendedSignature {
    /// Its id in the document as it was given.
    pub id: Id,
    /// Its id in the file that was written.
    pub new_id: Id,
    /// The profile that it fulfilled.
    pub before: Option<SignatureLevel>,
    /// The profile that it fulfils.
    pub after: Option<SignatureLevel>,
    /// The verdict on it before.
    pub indication_before: Indication,
    /// The verdict on it after.
    pub indication_after: Indication,
    /// Why it was not extended; `None` where it was, and where it was not chosen.
    pub obstacle: Option<SigningError>,
}
