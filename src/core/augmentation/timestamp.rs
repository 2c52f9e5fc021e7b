//! Time-stamps without a signature: over a file, over a PDF, and their renewal.

use super::cades::{digest_left_out, filled, longer};
use super::checked::{checked, verified};
#[cfg(feature = "pdf")]
use super::extend::File;
use super::extend::once;
use super::material::{Material, Tokens};
use super::needs::needs_of_timestamps;
use super::state::State;
use super::target::Target;
use super::want::{Extended, Extension, TimestampWant, Want};
use crate::algorithm::DigestAlgorithm;
use crate::crypto;
#[cfg(feature = "pdf")]
use crate::document::Syntax;
use crate::document::{Document, decode_pem};
use crate::facts::TimestampType;
use crate::formats::ers::renewal::Renewal;
use crate::formats::tsp::Token;
use crate::output::Output;
use crate::signing::{SigningError, SigningErrorCode};
use crate::time::Time;
use crate::validator::Validator;

/// Adds a time-stamp to a document: a document time-stamp to a PDF (EN 319 142-1 §5.4.3), signed or not; of any other file
/// the token itself, which stands beside the file (`.tst`).
///
/// It says nothing of signatures in a PDF, and their state does not matter. What they and older time-stamps need is
/// added before, as far as it can be had; so it also renews a document time-stamp. Of the target it takes freshness and
/// digest function.
///
/// # Errors
///
/// As [`extend`](super::extend()).
pub fn timestamp(
    validator: &Validator,
    document: &Document<'_>,
    target: &Target,
    material: &Material,
    time: Time,
) -> Result<Extension, SigningError> {
    let validator = material.supplied_to(validator)?;
    let tokens = material.tokens()?;
    let time = tokens.moment(time)?;
    let run = Run { validator: &validator, target, material, tokens: &tokens, time };
    match document.syntax() {
        #[cfg(feature = "pdf")]
        Some(Syntax::Pdf) => run.pdf(document),
        _ => run.file(document),
    }
}

/// Renews a time-stamp that stands beside a file: a token, which becomes an evidence record (RFC 4998), or such a record,
/// which gets another time-stamp. The file is among the document's contents.
///
/// What the last time-stamp needs is put into it before. Of the target it takes freshness, digest function and what is
/// overlooked.
///
/// # Errors
///
/// As [`extend`](super::extend()).
pub fn renew(
    validator: &Validator,
    document: &Document<'_>,
    target: &Target,
    material: &Material,
    time: Time,
) -> Result<Extension, SigningError> {
    let validator = material.supplied_to(validator)?;
    let tokens = material.tokens()?;
    let time = tokens.moment(time)?;
    Run { validator: &validator, target, material, tokens: &tokens, time }.record(document)
}

struct Run<'r> {
    validator: &'r Validator,
    target: &'r Target,
    material: &'r Material,
    tokens: &'r Tokens<'r>,
    time: Time,
}

impl Run<'_> {
    /// Makes a token over a file.
    fn file(&self, document: &Document<'_>) -> Result<Extension, SigningError> {
        let algorithm = self.target.digest;
        let imprint = crypto::digest(algorithm, document.bytes()).ok_or_else(|| digest_left_out(algorithm))?;
        let Some(token) = self.token(algorithm, &imprint)? else {
            return Ok(wanted(algorithm, imprint, TimestampType::Content));
        };
        let token = token.to_vec();
        let beside = Document::new(&token).with_content(document.name().unwrap_or_default(), document.bytes());
        let after = State::of(self.validator, &beside, self.time, self.target)?;
        self.finished(None, after, Output::new(token.clone()))
    }

    /// Adds a document time-stamp to a PDF, after what older ones and signatures need.
    #[cfg(feature = "pdf")]
    fn pdf(&self, document: &Document<'_>) -> Result<Extension, SigningError> {
        use super::pades::{PdfFile, last_digest};
        let target = self.target.clone().overlooking_what_is_missing();
        let pdf = PdfFile::of(document, self.validator.limits(), false);
        let mut file = File::of(document);
        let before = file.judged(self.validator, self.time, self.target)?;
        let needs = super::needs::needs_of_all(&before, &target, self.material);
        if !needs.wants.is_empty() {
            return Ok(Extension::Wanted(once(needs.wants)));
        }
        if !needs.is_empty() {
            file.apply(&pdf.stored(&file.bytes, &[(None, &needs)])?);
        }
        let digest = longer(self.target.digest, last_digest(&before));
        match pdf.timestamped(&file.bytes, self.tokens, digest)? {
            Ok(output) => file.apply(&output),
            Err(want) => {
                self.tokens.all_used()?;
                return Ok(Extension::Wanted(vec![Want::Timestamp(want)]));
            }
        }
        let after = file.judged(self.validator, self.time, self.target)?;
        self.finished(Some(before), after, file.finish())
    }

    /// Makes an evidence record over the last time-stamp.
    fn record(&self, document: &Document<'_>) -> Result<Extension, SigningError> {
        let bytes = decode_pem(document.bytes());
        let mut renewal = renewal(document, &bytes)?;
        let [content] = document.contents() else {
            let found = document.contents().len();
            let message = format!("found {found} files beside the time-stamp, expected the one that it is over");
            return Err(SigningError::new(SigningErrorCode::ContentNeeded, message));
        };
        let before = State::of(self.validator, document, self.time, self.target)?;
        let needs = needs_of_timestamps(&before, self.target, self.material);
        if !needs.wants.is_empty() {
            return Ok(Extension::Wanted(once(needs.wants)));
        }
        if let Some(error) = needs.missing {
            return Err(error);
        }
        let newest = before.report.timestamps().max_by_key(|stamp| stamp.time());
        if let Some(defect) = newest.and_then(|stamp| before.defect(&stamp)) {
            return Err(defect);
        }
        if !needs.is_empty() {
            renewal.fill(filled(renewal.token(), &needs)?);
        }
        let last = Token::parse(renewal.token()).ok().and_then(|token| token.info.imprint.algorithm);
        let algorithm = longer(self.target.digest, last);
        let digest = |algorithm| crypto::digest(algorithm, content.bytes);
        let prepared = renewal.prepare(algorithm, digest).ok_or_else(|| digest_left_out(algorithm))?;
        let Some(token) = self.token(algorithm, &prepared.imprint)? else {
            return Ok(wanted(algorithm, prepared.imprint, TimestampType::EvidenceRecord));
        };
        let renewed = renewal.finish(&prepared, token);
        let after = State::of(self.validator, &document.with_bytes(&renewed), self.time, self.target)?;
        self.finished(Some(before), after, Output::new(renewed.clone()))
    }

    fn token(&self, algorithm: DigestAlgorithm, imprint: &[u8]) -> Result<Option<&[u8]>, SigningError> {
        let found = self.tokens.find(algorithm, imprint);
        self.tokens.all_used().map(|()| found)
    }

    /// Judges what was written.
    fn finished(&self, before: Option<State<'_>>, after: State<'_>, output: Output) -> Result<Extension, SigningError> {
        let wants = verified(before.as_ref(), &after, self.target, self.material)?;
        if !wants.is_empty() {
            return Ok(Extension::Wanted(wants));
        }
        if let Some(before) = &before {
            checked(before, &after, &[], self.target)?;
        }
        let signatures = before.map(|before| super::extend::results(&before, &after, vec![])).unwrap_or_default();
        Ok(Extension::Done(Box::new(Extended { output, signatures, report: after.report })))
    }
}

fn wanted(algorithm: DigestAlgorithm, imprint: Vec<u8>, kind: TimestampType) -> Extension {
    Extension::Wanted(vec![Want::Timestamp(TimestampWant { algorithm, imprint, kind, about: None })])
}

/// Reads what is renewed: a token, or an evidence record in ASN.1.
fn renewal(document: &Document<'_>, bytes: &[u8]) -> Result<Renewal, SigningError> {
    let unreadable = || {
        let message = format!(
            "the file begins with {}, expected a time-stamp or an evidence record in ASN.1, over a known digest",
            document.preview()
        );
        SigningError::new(SigningErrorCode::NotExtendable, message)
    };
    match Token::parse(bytes) {
        Ok(token) => Renewal::of_token(&token).ok_or_else(unreadable),
        Err(_) => Renewal::of_record(bytes).ok().flatten().ok_or_else(unreadable),
    }
}
