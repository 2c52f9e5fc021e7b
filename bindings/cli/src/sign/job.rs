//! One file: prepared, signed, raised to its level, written.

use super::form::ending;
use super::{Arguments, Level};
use crate::augment::{Augmenter, Stamper};
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions};
use crate::issue::key::randomness;
use crate::made::Made;
use crate::new_file::NewFile;
use crate::outputs::Outputs;
use lacre::augmentation::{self, Target};
use lacre::report::SignatureLevel;
use lacre::signing::{
    Output, Packaging, Place, Prepared, Signer, SigningError, SigningErrorCode, SigningKey, cades, digest, pades,
};
use lacre::{Budget, Document, Id, Policy, decode_pem};
use lacre_map::FileBytes;
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What is the same for every file.
pub struct Job<'a> {
    arguments: &'a Arguments,
    signer: Option<Signer>,
    raise: Raise,
    options: DocumentOptions,
    /// How signatures in PDF look.
    appearance: Option<pades::Appearance>,
    outputs: Outputs,
    /// Whether the keeper of the key refused: nothing more is asked of it, because PINs may be tried a few times only.
    refused: AtomicBool,
}

/// How levels above B are reached.
enum Raise {
    No,
    /// Level T: a time-stamp in the signature.
    Stamp(Stamper),
    /// Levels LT and LTA: the same, and then an extension.
    Extend(Box<Augmenter>, augmentation::Level),
}

/// A file whose signature is prepared.
pub struct Begun {
    bytes: FileBytes,
    /// Where it goes.
    file: NewFile,
    pub prepared: Prepared,
}

/// A signed file, on its way to the disk.
struct Signed<'b> {
    /// What the pieces of the output are taken from.
    original: Cow<'b, [u8]>,
    output: Output,
    level: SignatureLevel,
    status: ExitStatus,
}

impl<'a> Job<'a> {
    /// Opens what all files need; `signer` is not there where a prepared signature is finished.
    fn open(arguments: &'a Arguments, signer: Option<Signer>) -> Result<Self, CliError> {
        let (augment, secrets) = (&arguments.augment, &arguments.secrets);
        // An authority of the network stamps at the real time.
        let at = arguments.statement.at().filter(|_| !augment.is_remote());
        let extend = |level| Ok(Raise::Extend(Box::new(augment.open(Policy::eidas(), at, secrets)?), level));
        let raise = match arguments.level {
            Level::B => Raise::No,
            // To prepare takes no more than the room for a time-stamp.
            _ if arguments.steps.is_prepare() => Raise::Stamp(augment.stamper(at, secrets)?),
            Level::T => Raise::Stamp(augment.stamper(at, secrets)?),
            Level::Lt => extend(augmentation::Level::Lt)?,
            Level::Lta => extend(augmentation::Level::Lta)?,
        };
        Ok(Self {
            arguments,
            signer,
            raise,
            options: DocumentOptions::open(&arguments.content, arguments.password.as_deref())?,
            appearance: arguments.pdf.appearance()?,
            outputs: Outputs::new(&arguments.output, &arguments.files, "signed")?,
            refused: AtomicBool::new(false),
        })
    }

    /// Opens what all files of this signer need.
    pub fn new(arguments: &'a Arguments, signer: Signer) -> Result<Self, CliError> {
        Self::open(arguments, Some(signer))
    }

    /// Opens what is needed to finish what was prepared.
    pub fn finishing(arguments: &'a Arguments) -> Result<Self, CliError> {
        Self::open(arguments, None)
    }

    /// Returns who signs.
    pub fn signer(&self) -> Result<&Signer, CliError> {
        self.signer.as_ref().ok_or_else(|| CliError::plain("no certificate was given"))
    }

    /// Signs a file with a key at hand.
    pub fn sign(&self, index: usize, path: &Path, key: &dyn SigningKey) -> Result<Made, CliError> {
        let begun = self.begin(index, path)?;
        let prepared = &begun.prepared;
        self.check_not_refused(path)?;
        let value = key.sign(prepared.algorithm(), &prepared.digest(), &mut randomness()).map_err(|error| {
            self.refuse();
            CliError::new(path.display(), &error).coded(SigningErrorCode::KeyRefused)
        })?;
        self.complete(path, begun, &value)
    }

    /// Checks that the keeper of the key may be asked once more.
    pub fn check_not_refused(&self, path: &Path) -> Result<(), CliError> {
        if !self.refused.load(Relaxed) {
            return Ok(());
        }
        let error = CliError::plain("not signed, because the key was refused for a file before");
        Err(error.about(path).coded(SigningErrorCode::KeyRefused))
    }

    /// Notes that the keeper of the key refused.
    pub fn refuse(&self) {
        self.refused.store(true, Relaxed);
    }

    /// Opens a file and prepares its signature. The place where it goes is there before anything is signed or stamped.
    pub fn begin(&self, index: usize, path: &Path) -> Result<Begun, CliError> {
        let bytes = input::open(path)?;
        let packaging = self.packaging(path, &bytes)?;
        let file = self.outputs.begin(index, path, ending(packaging))?;
        let prepared = self.prepare(path, &self.document(path, &original(packaging, &bytes)), packaging)?;
        Ok(Begun { bytes, file, prepared })
    }

    /// Finishes a prepared signature with its value.
    pub fn finish(&self, path: &Path, prepared: Prepared, value: &[u8]) -> Result<Made, CliError> {
        let bytes = input::open(path)?;
        let file = self.outputs.begin(0, path, ending(prepared.packaging()))?;
        self.complete(path, Begun { bytes, file, prepared }, value)
    }

    fn document<'d>(&'d self, path: &Path, bytes: &'d [u8]) -> Document<'d> {
        self.options.apply(Document::new(bytes).named(input::name(path)))
    }

    /// Returns how this file is signed.
    pub fn packaging(&self, path: &Path, bytes: &[u8]) -> Result<Packaging, CliError> {
        let packaging = self.arguments.form.of(path, &Document::new(bytes))?;
        let is_pdf = packaging == Packaging::Pdf;
        let misplaced = |what: &str, format: &str| {
            let error = CliError::plain(format!("found {what}, which {format} has no place for, expected none"));
            Err(error.about(path).coded(SigningErrorCode::ParameterNotInFormat))
        };
        match (is_pdf, self.arguments.pdf.is_given(), self.arguments.is_about_content()) {
            (false, true, _) => misplaced("an option of signatures in PDF", "CAdES"),
            (true, _, true) => misplaced("what CAdES states of its content", "PAdES"),
            _ => Ok(packaging),
        }
    }

    /// Returns how many bytes are reserved for a time-stamp in the signature, where there is to be one.
    fn timestamp_room(&self) -> Option<usize> {
        match &self.raise {
            Raise::No => None,
            Raise::Stamp(stamper) => Some(stamper.room()),
            Raise::Extend(augmenter, _) => Some(augmenter.stamper().room()),
        }
    }

    /// Prepares the signature of a file.
    pub fn prepare(&self, path: &Path, document: &Document<'_>, packaging: Packaging) -> Result<Prepared, CliError> {
        let (arguments, signer) = (self.arguments, self.signer()?);
        let mut parameters = arguments.statement.parameters()?;
        if let Some(location) = arguments.pdf.location() {
            parameters.place = Some(Place { locality: Some(location.to_owned()), ..Place::default() });
        }
        let refused = |error: SigningError| CliError::of_signing(path, &error);
        let counter = arguments.form.counter();
        let digest = match packaging {
            // Where another process finishes, the content is compared with the one prepared.
            Packaging::Detached if !arguments.steps.is_prepare() => digest(signer.digest(), document.bytes()),
            _ => None,
        };
        let content = match (packaging, &counter) {
            (Packaging::Pdf, _) => {
                let options = arguments.pdf.options(self.appearance.as_ref(), self.timestamp_room());
                return pades::prepare(document, &parameters, &options, signer, &Budget::default()).map_err(refused);
            }
            // Nothing of the content is written, so one digest of it is enough.
            (Packaging::Detached, _) => match &digest {
                Some(digest) => cades::Content::Digest(digest),
                None => cades::Content::Detached(document.bytes()),
            },
            (Packaging::Parallel, _) => cades::Content::Parallel(document),
            (Packaging::Counter, Some(id)) => cades::Content::Signature(document, id),
            _ => cades::Content::Enveloped(document.bytes()),
        };
        let mut options = cades::Options::default();
        options.mime_type.clone_from(&arguments.media_type);
        options.identifier = arguments.content_identifier.as_ref().map(|text| text.as_bytes().to_vec());
        if let Some(other) = &arguments.about {
            let reference = cades::ContentReference::to(&decode_pem(&input::open(other)?), None);
            options.reference = Some(reference.map_err(|error| CliError::of_signing(other, &error))?);
        }
        cades::prepare(&content, &parameters, &options, signer).map_err(refused)
    }

    /// Writes a signature with its value, raised to its level.
    pub fn complete(&self, path: &Path, begun: Begun, value: &[u8]) -> Result<Made, CliError> {
        let Begun { bytes, mut file, prepared } = begun;
        let mut notes = vec![];
        let (level, status) = {
            let original = original(prepared.packaging(), &bytes);
            if matches!(original, Cow::Owned(_)) {
                notes.push("found Base64; what is written is DER".to_owned());
            }
            let document = self.document(path, &original);
            let signed = self.raised(path, &document, &prepared, value, &mut notes)?;
            file.write(signed.output.parts(&signed.original))?;
            (signed.level, signed.status)
        };
        drop(bytes);
        let output = file.path().to_path_buf();
        file.finish()?;
        Ok(Made { level: Some(level), field: None, output, signatures: vec![], status, notes })
    }

    /// Finishes a signature at its level.
    fn raised<'b>(
        &self,
        path: &Path,
        document: &Document<'b>,
        prepared: &Prepared,
        value: &[u8],
        notes: &mut Vec<String>,
    ) -> Result<Signed<'b>, CliError> {
        let refused = |error: SigningError| CliError::of_signing(path, &error);
        let [b, t] = [false, true].map(|with_timestamp| prepared.level(with_timestamp));
        let original = Cow::Borrowed(document.bytes());
        let (stamper, augmenter) = match &self.raise {
            Raise::No => {
                let output = prepared.finish(document, value).map_err(refused)?;
                return Ok(Signed { original, output, level: b, status: ExitStatus::Passed });
            }
            Raise::Stamp(stamper) => (stamper, None),
            Raise::Extend(augmenter, level) => (augmenter.stamper(), Some((augmenter, *level))),
        };
        let stamped = self.stamped(path, document, prepared, value, stamper, notes);
        let output = match stamped {
            Ok(output) => output,
            Err(error) if self.arguments.accept_lower => {
                notes.push(format!("without a time-stamp: {}", error.message()));
                let output = prepared.finish(document, value).map_err(refused)?;
                return Ok(Signed { original, output, level: b, status: ExitStatus::Indeterminate });
            }
            Err(error) => return Err(error),
        };
        let Some((augmenter, level)) = augmenter else {
            return Ok(Signed { original, output, level: t, status: ExitStatus::Passed });
        };
        let bytes = output.to_vec(document.bytes());
        match self.extended(path, document, prepared.packaging(), &bytes, (augmenter, level), notes) {
            Ok((output, reached)) => {
                let below = augmentation::Level::of(reached) < Some(level);
                let status = if below { ExitStatus::Indeterminate } else { ExitStatus::Passed };
                Ok(Signed { original: Cow::Owned(bytes), output, level: reached, status })
            }
            Err(error) if self.arguments.accept_lower => {
                notes.push(format!("not extended: {}", error.message()));
                Ok(Signed { original, output, level: t, status: ExitStatus::Indeterminate })
            }
            Err(error) => Err(error),
        }
    }

    /// Adds a time-stamp to the signature, asked for once its value is known to be good.
    fn stamped(
        &self,
        path: &Path,
        document: &Document<'_>,
        prepared: &Prepared,
        value: &[u8],
        stamper: &Stamper,
        notes: &mut Vec<String>,
    ) -> Result<Output, CliError> {
        let refused = |error: SigningError| CliError::of_signing(path, &error);
        let imprint = prepared.timestamp_imprint(value, stamper.digest()).map_err(refused)?;
        let token = stamper.token(stamper.digest(), &imprint, notes).map_err(|error| error.about(path))?;
        prepared.finish_with_timestamp(document, value, &token).map_err(refused)
    }

    /// Extends the new signature, and no other, of a signed file; the profile that it then fulfils.
    fn extended(
        &self,
        path: &Path,
        original: &Document<'_>,
        packaging: Packaging,
        signed: &[u8],
        (augmenter, level): (&Augmenter, augmentation::Level),
        notes: &mut Vec<String>,
    ) -> Result<(Output, SignatureLevel), CliError> {
        let document = match packaging {
            Packaging::Detached => Document::new(signed).with_content(input::name(path), original.bytes()),
            _ => self.options.apply(Document::new(signed).named(input::name(path))),
        };
        let before = match packaging {
            Packaging::Pdf | Packaging::Parallel => values(path, original, augmenter)?,
            _ => vec![],
        };
        let new = values(path, &document, augmenter)?
            .into_iter()
            .find(|(_, value)| !before.iter().any(|(_, of)| of == value));
        let Some((id, _)) = new else {
            return Err(CliError::plain("found this very signature in the file already, expected another").about(path));
        };
        let target: Target = augmenter.target(level, [id.clone()]);
        let extended = augmenter.extend(path, &document, &target, notes)?;
        let of_new = extended.signatures.iter().find(|signature| signature.id == id);
        if let Some(error) = of_new.and_then(|signature| signature.obstacle.as_ref()) {
            return Err(CliError::of_signing(path, error));
        }
        let reached = of_new.and_then(|signature| signature.after).unwrap_or(SignatureLevel::Unknown);
        Ok((extended.output, reached))
    }
}

/// Returns the bytes that get a signature: into a CMS file it goes as bytes, not as Base64.
pub fn original(packaging: Packaging, bytes: &[u8]) -> Cow<'_, [u8]> {
    match packaging {
        Packaging::Parallel | Packaging::Counter => decode_pem(bytes),
        _ => Cow::Borrowed(bytes),
    }
}

/// Returns the signatures of a file, with their values.
fn values(path: &Path, document: &Document<'_>, augmenter: &Augmenter) -> Result<Vec<(Id, Vec<u8>)>, CliError> {
    let facts = augmenter.validator().facts(document, augmenter.stamper().now());
    let facts = facts.map_err(|error| CliError::of_document(path, &error))?;
    Ok(facts.signatures.iter().map(|signature| (signature.id.clone(), signature.value.0.clone())).collect())
}
