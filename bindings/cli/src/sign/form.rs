//! Which kind of signature a file gets: by its content, or by `--format`.

use crate::error::CliError;
use crate::outputs::Ending;
use lacre::signing::Packaging;
use lacre::{Document, Id, Syntax};
use lacre_core::formats::cms::SignedData;
use std::path::Path;

/// The content type of time-stamps: RFC 3161 §2.4.2.
const TST_INFO: &str = "1.2.840.113549.1.9.16.1.4";

/// A format of signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// In a PDF: EN 319 142-1.
    Pades,
    /// Around a file or beside it: EN 319 122-1.
    Cades,
}

/// Returns how the name of the output ends.
pub fn ending(packaging: Packaging) -> Ending {
    match packaging {
        Packaging::Enveloping => Ending::Added("p7m"),
        Packaging::Detached => Ending::Added("p7s"),
        _ => Ending::Same,
    }
}

/// What the arguments say of it.
#[derive(Debug, clap::Args)]
pub struct FormArguments {
    /// The format. Default: PAdES for a PDF; for a file with CAdES signatures one more beside them; else CAdES around
    /// the file.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// CAdES beside the file, which stays as it is.
    #[arg(long, conflicts_with_all = ["parallel", "counter"])]
    detached: bool,
    /// Add the signature to those of a CAdES file; nothing else is taken.
    #[arg(long, conflicts_with = "counter")]
    parallel: bool,
    /// Counter-sign one of the signatures of a CAdES file, by its id in a report.
    #[arg(long, value_name = "ID")]
    counter: Option<String>,
}

impl FormArguments {
    /// Returns the signature that is counter-signed.
    pub fn counter(&self) -> Option<Id> {
        self.counter.as_deref().map(Id::new)
    }

    /// Returns what becomes of this file.
    pub fn of(&self, path: &Path, document: &Document<'_>) -> Result<Packaging, CliError> {
        let refused = |message: &str| Err(CliError::plain(message).about(path));
        let wants_cms = self.detached || self.parallel || self.counter.is_some();
        if self.format == Some(Format::Pades) && wants_cms {
            return refused("found --format pades with an option of CAdES, expected one of them");
        }
        let is_signed = || is_signature(document);
        if self.parallel || self.counter.is_some() {
            if !is_signed() {
                return refused("found no CAdES signature, expected one to add to");
            }
            return Ok(if self.counter.is_some() { Packaging::Counter } else { Packaging::Parallel });
        }
        let is_pdf = document.syntax() == Some(Syntax::Pdf);
        match self.format {
            _ if self.detached => Ok(Packaging::Detached),
            Some(Format::Pades) if !is_pdf => refused("found no PDF, expected one for --format pades"),
            Some(Format::Cades) => Ok(Packaging::Enveloping),
            _ if is_pdf => Ok(Packaging::Pdf),
            _ if is_signed() => Ok(Packaging::Parallel),
            _ => Ok(Packaging::Enveloping),
        }
    }
}

/// Returns whether a file is a CMS signature, and no time-stamp: what gets a signature more.
pub fn is_signature(document: &Document<'_>) -> bool {
    content_type(document).is_some_and(|kind| kind != TST_INFO)
}

/// Returns whether a file is a time-stamp token.
pub fn is_token(document: &Document<'_>) -> bool {
    content_type(document).is_some_and(|kind| kind == TST_INFO)
}

/// Returns the content type of signed data that somebody signed: RFC 5652 §5.1.
fn content_type(document: &Document<'_>) -> Option<String> {
    if !matches!(document.syntax(), Some(Syntax::Asn1 | Syntax::Base64Asn1)) {
        return None;
    }
    let bytes = lacre::decode_pem(document.bytes());
    let signed = SignedData::parse(&bytes).ok().filter(|signed| !signed.signers.is_empty())?;
    Some(signed.content_type.dotted())
}
