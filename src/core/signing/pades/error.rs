//! Errors of reading and writing PDF as errors of signing.

use crate::document::Document;
use crate::formats::pdf::write::WriteError;
use crate::formats::pdf::{File, PdfError, Revision};
use crate::signing::{SigningError, SigningErrorCode as Code};

/// Opens the latest revision of a document.
///
/// # Errors
///
/// `password-needed` and `password-wrong`; `document-unreadable`.
pub(crate) fn open<'a, 'f>(file: &'f File<'a>, document: &Document<'_>) -> Result<Revision<'a, 'f>, SigningError> {
    file.open(document.password()).map_err(|error| match (error, document.password()) {
        (PdfError::WrongPassword, None) => SigningError::new(
            Code::PasswordNeeded,
            "found an encrypted document and no password, expected its password",
        )
        .with_hint("give the password of the user or of the owner"),
        (error, _) => error.into(),
    })
}

/// Checks, after all was read that is needed, that no object had to be searched for, and no limit was reached.
pub(crate) fn check_read(file: &File<'_>, revision: &Revision<'_, '_>) -> Result<(), SigningError> {
    file.check_limits()?;
    match revision.repaired() {
        true => Err(WriteError::NeedsRepair { found: "objects elsewhere than the cross-references say".into() }.into()),
        false => Ok(()),
    }
}

impl From<PdfError> for SigningError {
    fn from(error: PdfError) -> Self {
        let message = format!("found no PDF that can be read ({error}), expected one");
        let code = match error {
            PdfError::WrongPassword => Code::PasswordWrong,
            PdfError::UnsupportedEncryption { .. } => Code::PdfEncryption,
            _ => Code::DocumentUnreadable,
        };
        let new = Self::new(code, message);
        match (code, error.hint()) {
            (Code::PasswordWrong, _) => new.with_hint("give the password of the user or of the owner"),
            (Code::PdfEncryption, _) => new.with_hint("decrypt the document before, which takes its protection away"),
            (_, Some(hint)) => new.with_hint(hint),
            _ => new,
        }
    }
}

impl From<WriteError> for SigningError {
    fn from(error: WriteError) -> Self {
        let message = error.to_string();
        let (code, hint) = match error {
            WriteError::Unreadable(error) => return error.into(),
            WriteError::NeedsRepair { .. } | WriteError::Hybrid | WriteError::TwoDocuments { .. } => {
                (Code::PdfNeedsRepair, "write the document anew with a PDF tool, before the first signature")
            }
            WriteError::LeadingBytes { .. } => (Code::PdfLeadingBytes, "cut what stands before `%PDF-`"),
            WriteError::TrailingData { .. } => (Code::PdfTrailingData, "cut what follows `%%EOF`"),
            WriteError::DynamicXfa => (Code::XfaDynamic, "print the form to a PDF without fields, and sign that"),
            WriteError::AuthenticationCode => {
                (Code::PdfEncryption, "decrypt the document before, which takes its protection away")
            }
            WriteError::ContentsTooSmall { needed, .. } => {
                let hint = format!("prepare again with at least {needed} bytes reserved, and sign again");
                return Self::new(Code::ContentsTooSmall, message).with_hint(hint);
            }
            WriteError::Unusual { .. } | WriteError::TooLarge { .. } => {
                (Code::DocumentUnreadable, "write the document anew with a PDF tool, before the first signature")
            }
        };
        Self::new(code, message).with_hint(hint)
    }
}
