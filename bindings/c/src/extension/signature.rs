//! What became of a signature of an extended document, as C reads it.

use crate::ffi::read_part;
use crate::text::{Text, lacre_str};
use crate::words::lacre_indication;
use lacre::augmentation::ExtendedSignature;

/// What became of a signature. It belongs to its extension, and is never freed.
///
/// @ingroup extending
pub struct lacre_extended_signature {
    id: Text,
    new_id: Text,
    level_before: Text,
    level_after: Text,
    indication_before: lacre_indication,
    indication_after: lacre_indication,
    cause: Text,
    message: Text,
    hint: Text,
}

impl lacre_extended_signature {
    pub(super) fn of(signature: &ExtendedSignature) -> Self {
        let obstacle = signature.obstacle.as_ref();
        Self {
            id: Text::new(signature.id.as_str()),
            new_id: Text::new(signature.new_id.as_str()),
            level_before: Text::maybe(signature.before.map(|level| level.as_str())),
            level_after: Text::maybe(signature.after.map(|level| level.as_str())),
            indication_before: signature.indication_before.into(),
            indication_after: signature.indication_after.into(),
            cause: Text::maybe(obstacle.map(|error| error.code().as_str())),
            message: Text::maybe(obstacle.map(|error| error.to_string())),
            hint: Text::maybe(obstacle.and_then(|error| error.hint())),
        }
    }
}

/// Its id in the document as it was.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_id(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.id.borrow()) }
}

/// Its id in the new file.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_new_id(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.new_id.borrow()) }
}

/// The profile that it fulfilled, such as "PAdES-BASELINE-B"; empty where none is known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_level_before(
    signature: *const lacre_extended_signature,
) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level_before.borrow()) }
}

/// The profile that it fulfils in the new file, such as "PAdES-BASELINE-LTA"; empty where none is known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_level_after(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level_after.borrow()) }
}

/// The verdict on it before.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_indication_before(
    signature: *const lacre_extended_signature,
) -> lacre_indication {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_indication::LACRE_INDICATION_NONE, |signature| signature.indication_before) }
}

/// The verdict on it in the new file.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_indication_after(
    signature: *const lacre_extended_signature,
) -> lacre_indication {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_indication::LACRE_INDICATION_NONE, |signature| signature.indication_after) }
}

/// Why it was not extended, as a word like those of lacre_error_cause(); empty where it was, and where it was not chosen.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_cause(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.cause.borrow()) }
}

/// Why it was not extended: what was found and what was expected, in English.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_message(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.message.borrow()) }
}

/// What the user could do about it; empty where there is no advice.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the extension.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extended_signature_hint(signature: *const lacre_extended_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live extension, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.hint.borrow()) }
}
