//! PAdES-BASELINE-B: EN 319 142-1 §6.3.
//!
//! [`prepare`] adds a signature to a PDF, in an incremental update that leaves every byte as it was: what others signed
//! before stays signed. The update is laid out before anything is digested, with a gap for the signature of the size that
//! it can have at most; [`Prepared::finish`] fills the gap.
//!
//! What earlier signatures forbid, what the form asks of a signer, and what readers would read differently is refused with
//! the reason.

#[cfg(feature = "visible-signatures")]
mod appearance;
mod body;
mod certification;
mod dictionary;
mod empty_field;
mod error;
mod field;
mod forbidden;
mod listing;
mod options;
mod reserved;
mod seed_values;
mod version;

#[cfg(feature = "visible-signatures")]
pub use appearance::{Alignment, Appearance, Arrangement, Colour, Rotation, Scaling};
pub(super) use body::Body;
pub use empty_field::{AddedField, EmptyField, add_field};
pub use listing::{FieldInfo, fields};
pub use options::{Extensions, Field, NewField, Options, Placement, Rectangle};
pub use seed_values::SeedValues;

pub use crate::facts::{Lock, LockAction, Permission};

use crate::formats::pdf::permissions::{self, level};

use super::attributes::{Profile, check_content_timestamps, policy_store, signed_attributes};
use super::check::check;
use super::prepared::{self, Input, checked_digest};
use super::{Prepared, SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::{self, PrefixHashes};
use crate::document::Document;
use crate::formats::cms::oids;
use crate::formats::pdf::File;
use crate::formats::pdf::write::{Accepted, Appended, Update, form};
pub(crate) use error::{check_read, open};
use field::Target;
use forbidden::Earlier;

/// Prepares a signature of the profile PAdES-BASELINE-B in a PDF.
///
/// # Errors
///
/// [`SigningError`] with the code of what forbids it.
pub fn prepare(
    document: &Document<'_>,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
    budget: &Budget,
) -> Result<Prepared, SigningError> {
    check(signer, parameters)?;
    options.check(parameters)?;
    let laid_out = LaidOut::new(document, parameters, options, signer, budget)?;
    check_content_timestamps(parameters, |function| laid_out.digest(function))?;
    let digest = laid_out.digest(signer.digest()).unwrap_or_default();
    let to_be_signed = signed_attributes(Profile::Pades, signer, parameters, oids::DATA, &digest)?;
    let input = Input::of(document.bytes(), signer.digest(), laid_out.before.digest(signer.digest()))?;
    let body = Body::new(
        laid_out.appended,
        signer.embedded(parameters.embedded).iter().map(|held| held.der().into()).collect(),
        policy_store(parameters)?.into_iter().map(Into::into).collect(),
    )?;
    Ok(Prepared::new(signer, Some(input), to_be_signed, prepared::Body::Pades(body)))
}

/// Returns the digest of what a signature would cover, by another function: the imprint of a content time-stamp (EN 319
/// 122-1 §5.2.8), which is given to [`prepare`] together with the same options. [`Options::reserved`] has to be set, because
/// the size of the time-stamp is part of what is reserved otherwise.
///
/// # Errors
///
/// As [`prepare`].
pub fn content_digest(
    document: &Document<'_>,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
    budget: &Budget,
    function: DigestAlgorithm,
) -> Result<Vec<u8>, SigningError> {
    options.check(parameters)?;
    let laid_out = LaidOut::new(document, parameters, options, signer, budget)?;
    laid_out.digest(function).ok_or_else(|| {
        let found = format!("found the digest function {function}, expected one that is computed here");
        SigningError::new(SigningErrorCode::AlgorithmNotAllowed, found)
    })
}

/// Adds the field of a document time-stamp, which nobody sees, to an update that has the time-stamp (EN 319 142-1 §5.4.3).
///
/// # Errors
///
/// `permission-denied`; `document-unreadable` where the form or the first page is not as the standard has it.
pub(crate) fn add_timestamp_field(
    update: &mut Update<'_, '_, '_>,
    timestamp: crate::formats::pdf::Reference,
) -> Result<(), SigningError> {
    let revision = update.revision();
    // What is added for the long term needs no more than filling in a field does.
    forbidden::check_access(revision.file(), false)?;
    let fields = form::fields(revision);
    let name = field::free_name(&fields, "Timestamp");
    let target = Target::new_field(revision, &fields, &NewField { name: Some(name), ..NewField::default() })?;
    target.write(update, Some(timestamp), None, &certification::Terms::default(), None)
}

/// A document with the update of a signature that lacks only its value.
struct LaidOut<'d> {
    before: PrefixHashes<'d>,
    appended: Appended,
}

impl<'d> LaidOut<'d> {
    fn new(
        document: &Document<'d>,
        parameters: &SignatureParameters,
        options: &Options,
        signer: &Signer,
        budget: &Budget,
    ) -> Result<Self, SigningError> {
        let bytes = document.bytes();
        let file = File::new(bytes, budget)?;
        let revision = open(&file, document)?;
        let before = PrefixHashes::new(bytes);
        let seed = seed(&before, parameters, signer)?;
        let accepted = Accepted { hybrid: options.allow_hybrid };
        let mut update = Update::begin(&revision, seed, accepted)?;
        let fields = form::fields(&revision);
        let earlier = Earlier::read(&revision, &fields);
        let target = Target::choose(&revision, &fields, options)?;
        let wishes = target.seed_values(&revision, options);
        let terms = earlier.terms(&revision, &target, &wishes, options)?;
        wishes.check(parameters, options, signer)?;

        if !options.allow_overlap {
            target.check_overlap(&revision)?;
        }
        let signature = update.reserve();
        #[cfg(feature = "visible-signatures")]
        let appearance = match &options.appearance {
            Some(appearance) => {
                let shown = target.shown(&revision)?;
                Some(appearance::write(&mut update, appearance, &shown, parameters, options, signer)?)
            }
            None => None,
        };
        #[cfg(not(feature = "visible-signatures"))]
        let appearance = None;
        target.write(&mut update, Some(signature), appearance, &terms, None)?;
        let entries = dictionary::entries(parameters, options, &terms, update.catalog());
        update.put_signature(signature, entries, reserved::size(parameters, options, signer)?);
        certification::enter(&mut update, signature, &terms)?;
        if !earlier.has_signatures() {
            field::stop_regenerating(&mut update, &fields)?;
        }
        version::enter(&mut update, options, !earlier.has_signatures())?;
        let appended = update.finish()?;
        check_read(&file, &revision)?;
        Ok(Self { before, appended })
    }

    /// Returns the digest of what the signature covers.
    fn digest(&self, function: DigestAlgorithm) -> Option<Vec<u8>> {
        let mut hasher = self.before.hasher(function, self.before.bytes().len())?;
        self.appended.covered().into_iter().for_each(|covered| hasher.update(covered));
        Some(hasher.finish())
    }
}

/// Returns what stands for this signature: who signs what, when, and for what purpose.
fn seed(
    before: &PrefixHashes<'_>,
    parameters: &SignatureParameters,
    signer: &Signer,
) -> Result<[u8; 32], SigningError> {
    let document = match before.digest(signer.digest()) {
        Some(digest) => digest,
        None => checked_digest(signer.digest(), b"")?,
    };
    let parts: [&[u8]; 4] =
        [&document, signer.certificate().sha256(), &parameters.signing_time.millis().to_be_bytes(), b"signature"];
    let whole = crypto::digest(DigestAlgorithm::Sha256, &parts.concat()).unwrap_or_default();
    Ok(std::array::from_fn(|index| whole.get(index).copied().unwrap_or_default()))
}
