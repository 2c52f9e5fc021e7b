//! Extending PDF files: PAdES, EN 319 142-1 §5.4.

use super::cades::{digest_left_out, longer};
use super::carrier::{Carrier, Step};
use super::material::Tokens;
use super::needs::Needs;
use super::state::State;
use super::store::Store;
use super::want::TimestampWant;
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::{PrefixHashes, digest};
use crate::document::Document;
use crate::facts::{Signature, TimestampType};
use crate::formats::pdf::write::{Accepted, Appended, Entries, Update, Value};
use crate::formats::pdf::{File, Revision};
use crate::output::Output;
use crate::signing::pades::{add_timestamp_field, check_read, open};
use crate::signing::{SigningError, SigningErrorCode};
use std::ops::Range;

/// Bytes reserved for the token of a document time-stamp: real ones have 3 to 8 thousand.
const RESERVED: usize = 12 << 10;

/// A PDF file, with its password.
pub(super) struct PdfFile<'d> {
    document: Document<'d>,
    budget: Budget,
    /// Whether VRI dictionaries are written.
    vri: bool,
}

impl<'d> PdfFile<'d> {
    /// Takes the password of a document.
    pub(super) fn of(document: &Document<'d>, budget: &Budget, vri: bool) -> Self {
        Self { document: document.clone(), budget: budget.clone(), vri }
    }

    /// Adds a document time-stamp, or says which one is wanted.
    pub(super) fn timestamped(
        &self,
        file: &[u8],
        tokens: &Tokens<'_>,
        algorithm: DigestAlgorithm,
    ) -> Result<Result<Output, TimestampWant>, SigningError> {
        let before = PrefixHashes::new(file);
        let mut reserved = RESERVED;
        // A token that does not fit is thrown away once, with another imprint than before.
        loop {
            let mut appended = self.laid_out(&before, reserved)?;
            let imprint = imprint(&before, &appended, algorithm).ok_or_else(|| digest_left_out(algorithm))?;
            match tokens.find(algorithm, &imprint) {
                Some(token) if token.len() > reserved => reserved = token.len().saturating_mul(5) / 4,
                Some(token) => {
                    appended.fill(token)?;
                    return Ok(Ok(Output::appended(file.len(), appended.bytes)));
                }
                None => {
                    let kind = TimestampType::Document;
                    return Ok(Err(TimestampWant { algorithm, imprint, kind, about: None }));
                }
            }
        }
    }

    /// Writes the update of a document time-stamp that lacks its token: EN 319 142-1 §5.4.3.
    fn laid_out(&self, before: &PrefixHashes<'_>, reserved: usize) -> Result<Appended, SigningError> {
        let file = File::new(before.bytes(), &self.budget)?;
        let revision = self.opened(&file)?;
        let mut update = begin(&revision, before, b"document time-stamp")?;
        let stamp = update.reserve();
        add_timestamp_field(&mut update, stamp)?;
        let dictionary = Entries::new()
            .with("Type", Value::name("DocTimeStamp"))
            .with("Filter", Value::name("Adobe.PPKLite"))
            .with("SubFilter", Value::name("ETSI.RFC3161"));
        update.put_signature(stamp, dictionary, reserved);
        check_read(&file, &revision)?;
        Ok(update.finish()?)
    }

    /// Adds validation data to the DSS dictionary.
    pub(super) fn stored(&self, bytes: &[u8], needs: &[(Option<Vec<u8>>, &Needs)]) -> Result<Output, SigningError> {
        let before = PrefixHashes::new(bytes);
        let file = File::new(bytes, &self.budget)?;
        let revision = self.opened(&file)?;
        let mut update = begin(&revision, &before, b"validation data")?;
        let mut store = Store::open(&mut update, &revision)?;
        for (contents, needs) in needs {
            store.add(&mut update, contents.as_deref(), needs)?;
        }
        if update.is_empty() {
            store.again(&mut update)?;
        }
        check_read(&file, &revision)?;
        Ok(Output::appended(bytes.len(), update.finish()?.bytes))
    }

    /// Opens the latest revision, in which fields may be filled in: a time-stamp asks for no more of an encrypted document.
    fn opened<'a, 'f>(&self, file: &'f File<'a>) -> Result<Revision<'a, 'f>, SigningError> {
        let revision = open(file, &self.document)?;
        if file.access().is_none_or(|access| access.fills_fields()) {
            return Ok(revision);
        }
        let found = "found a protected document that does not allow to fill in and sign fields, expected one that does";
        Err(SigningError::new(SigningErrorCode::PermissionDenied, found).with_hint("give the password of the owner"))
    }

    fn step(
        &self,
        file: &[u8],
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError> {
        let mut step = Step::default();
        if !signatures.is_empty() {
            match self.timestamped(file, tokens, digest)? {
                Ok(output) => step.output = Some(output),
                Err(want) => (step.wants, step.waiting) = (vec![want], signatures.to_vec()),
            }
        }
        Ok(step)
    }
}

impl Carrier for PdfFile<'_> {
    /// Makes one document time-stamp for all of them: what is signed is never opened again.
    fn stamp(
        &self,
        file: &[u8],
        _: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError> {
        self.step(file, signatures, tokens, digest)
    }

    fn fill(&self, file: &[u8], state: &State<'_>, needs: &[(usize, Needs)]) -> Result<Step, SigningError> {
        let contents = |place: &usize| {
            let signature = state.report.facts().signatures.get(*place).filter(|_| self.vri)?;
            contents(file, signature)
        };
        let needs: Vec<_> = needs.iter().map(|(place, needs)| (contents(place), needs)).collect();
        Ok(Step { output: Some(self.stored(file, &needs)?), ..Step::default() })
    }

    fn archive(
        &self,
        file: &[u8],
        state: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError> {
        self.step(file, signatures, tokens, longer(digest, last_digest(state)))
    }
}

/// Returns the digest function of the newest document time-stamp.
pub(super) fn last_digest(state: &State<'_>) -> Option<DigestAlgorithm> {
    let stamps = state.report.facts().timestamps.iter().filter(|stamp| stamp.kind == TimestampType::Document);
    let newest = stamps.max_by_key(|stamp| stamp.production_time)?;
    newest.digest_matchers.first()?.digest.algorithm
}

/// Begins an update whose identifiers follow from the file and what the update is for.
fn begin<'r, 'a, 'f>(
    revision: &'r Revision<'a, 'f>,
    before: &PrefixHashes<'_>,
    purpose: &[u8],
) -> Result<Update<'r, 'a, 'f>, SigningError> {
    let sha256 = DigestAlgorithm::Sha256;
    let of_file = before.digest(sha256).ok_or_else(|| digest_left_out(sha256))?;
    let seed = digest(sha256, &[&of_file, purpose].concat()).ok_or_else(|| digest_left_out(sha256))?;
    let seed = std::array::from_fn(|index| seed.get(index).copied().unwrap_or_default());
    Ok(Update::begin(revision, seed, Accepted::default())?)
}

/// Returns the digest of what a document time-stamp covers.
fn imprint(before: &PrefixHashes<'_>, appended: &Appended, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
    let mut hasher = before.hasher(algorithm, before.bytes().len())?;
    appended.covered().iter().for_each(|part| hasher.update(part));
    Some(hasher.finish())
}

/// Returns the bytes that `/Contents` of a signature stands for, with the zeros behind the CMS: VRI keys are over them.
fn contents(file: &[u8], signature: &Signature) -> Option<Vec<u8>> {
    let range = &signature.pdf_revision.as_ref()?.byte_range;
    let [_, first, second, _] = range[..] else { return None };
    let gap: Range<usize> = usize::try_from(first).ok()?..usize::try_from(second).ok()?;
    let digits = file.get(gap)?.strip_prefix(b"<")?.strip_suffix(b">")?;
    let digits: Vec<u8> = digits.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    // ISO 32000-1 §7.3.4.3: an odd last digit is followed by a zero.
    let pair = |pair: &[u8]| Some(digit(*pair.first()?)? << 4 | pair.get(1).map_or(Some(0), |byte| digit(*byte))?);
    digits.chunks(2).map(pair).collect()
}
