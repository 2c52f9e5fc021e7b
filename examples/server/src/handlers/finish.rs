//! A signature of a document, finished: with its value, or with a key of the caller.

use super::prepare::{bad, key_of};
use super::{algorithms, hash};
use crate::app::App;
use crate::clock;
use crate::extending::{self, Supplies};
use crate::hexadecimal;
use crate::http::access::Signer;
use crate::http::body::Bytes;
use crate::http::document_form::{self, DocumentForm, Fields, FinishForm};
use crate::http::download;
use crate::http::failure::{DocumentErrors, Failure};
use crate::http::observe::Noted;
use crate::http::problem;
use crate::http::submission::{Name, Submission};
use crate::metrics;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::augmentation::{self, Target, TimestampWant};
use lacre::report::{SignatureLevel, TimestampType};
use lacre::signing::{DigestAlgorithm, Output, Packaging, Prepared, SigningErrorCode, digest};
use lacre_core::formats::tsp::Token;
use lacre_json::{Level, Refused, Wanted};
use lacre_map::FileBytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The header that says which level was reached.
pub const LEVEL_HEADER: HeaderName = HeaderName::from_static("x-signature-level");

/// Finishes a prepared signature, and raises it to its level: the signed document. The value is verified, and the document is the
/// one that was prepared, before anything is written.
#[utoipa::path(
    post, path = "/api/signature/document/finish", tag = "signature", operation_id = "finishSignature",
    security(("token" = []), ("bearer" = [])),
    request_body(content = FinishForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "The signed document; of a detached signature the signature alone", content(
            (Bytes = "application/pdf"), (Bytes = "application/pkcs7-mime"), (Bytes = "application/pkcs7-signature"),
        ), headers(("X-Signature-Level" = String, description = "The level, as in PAdES-BASELINE-T"))),
        DocumentErrors,
    ),
)]
pub async fn finish(
    State(app): State<Arc<App>>,
    signer: Signer,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let finished = async {
        app.workers.room()?;
        finished(&app, &signer, app.uploads.document(&headers, body, document_form::FINISH).await?).await
    };
    signer.told(&app, finished.await).await
}

async fn finished(app: &App, caller: &Signer, form: DocumentForm) -> Result<Response, Failure> {
    let begun = Instant::now();
    let DocumentForm { document, fields } = form;
    let level = read_level(fields.level.as_deref(), Level::B)?;
    let Some(state) = &fields.state else {
        return Err(Failure::of(problem::BAD_FORM, "found no part `state`, expected what preparing answered"));
    };
    let state = state.to_vec();
    let prepared = app.workers.run(move || Prepared::from_json(&state)).await?.map_err(Failure::signing)?;
    let packaging = prepared.packaging();
    if packaging == Packaging::Counter && level > Level::T {
        let found =
            "found a counter-signature, whose level is B or T: it is extended with the signature that it is about";
        return Err(Failure::signing(Refused::new(SigningErrorCode::ParameterNotInFormat, found)));
    }
    let (value, mut supplies) = value(app, caller, &prepared, &fields).await?;
    let job = Finishing { prepared, value, document, folder: app.uploads.folder.clone() };

    // First without a time-stamp: whether value and document are good is known before one is asked for.
    let (job, written) = app.workers.run(move || job.written(None)).await?;
    let mut written = written?;
    let Some(above_b) = level.above_b() else {
        return Ok(written.answer_at("finish", media(packaging), job.prepared.level(false)));
    };
    let token = job.timestamp(app, &fields, &mut supplies, begun).await?;
    let (job, stamped) = app.workers.run(move || job.written(Some(&token))).await?;
    written = stamped?;
    if level == Level::T {
        return Ok(written.answer_at("finish", media(packaging), job.prepared.level(true)));
    }
    job.raised(app, written, above_b, supplies, begun).await
}

/// Returns the value that was sent, or that the key of the caller makes.
async fn value(
    app: &App,
    caller: &Signer,
    prepared: &Prepared,
    fields: &Fields,
) -> Result<(Vec<u8>, Supplies), Failure> {
    let mut supplies = Supplies::without_timestamps(fields);
    match (&fields.value, &fields.key_id) {
        (Some(_), Some(_)) => Err(bad("found both value and keyId, expected one of them")),
        (None, None) => Err(bad("found neither value nor keyId, expected one of them")),
        (Some(text), None) => {
            let value = BASE64_STANDARD.decode(text.trim());
            Ok((value.map_err(|error| bad(format!("value: expected Base64: {error}")))?, supplies))
        }
        (None, Some(text)) => {
            let key = hash::key(app, caller, key_of(text)?).await?;
            if key.issued().certificate != prepared.certificate().der() {
                let found = "found a signature prepared with the certificate of another key, expected that of the key";
                let refused = Refused::new(SigningErrorCode::CertificateKeyMismatch, found);
                return Err(Failure::signing(refused.with_hint("prepare with the keyId that finishes")));
            }
            let algorithm = *prepared.algorithm();
            if !algorithms::all_of_key(key.kind()).any(|own| own == algorithm) {
                let detail = format!("found {algorithm}, expected an algorithm of the key");
                return Err(Failure::of(problem::UNKNOWN_ALGORITHM, detail));
            }
            let value = hash::sign(app, &key, algorithm, &prepared.digest()).await?;
            supplies.made(&value);
            Ok((value, supplies))
        }
    }
}

/// A signature that is finished.
struct Finishing {
    prepared: Prepared,
    value: Vec<u8>,
    document: Submission,
    folder: PathBuf,
}

/// A document that was written.
pub(super) struct Written {
    file: FileBytes,
    sha256: String,
}

impl Written {
    /// Writes a document, made from `original`.
    pub fn new(folder: &Path, output: &Output, original: &[u8]) -> Result<Self, Failure> {
        let file = download::file(folder, output.len(), output.parts(original))?;
        let sha256 = hexadecimal::lower(&digest(DigestAlgorithm::Sha256, &file).unwrap_or_default());
        Ok(Self { file, sha256 })
    }

    /// Answers with it, of that media type and level.
    pub fn answer_at(self, operation: &'static str, media: &'static str, level: SignatureLevel) -> Response {
        metrics::document(operation, level.as_str());
        let mut response = download::answer(self.file, media);
        response.headers_mut().insert(LEVEL_HEADER, HeaderValue::from_static(level.as_str()));
        response.extensions_mut().insert(Noted {
            document: Some(self.sha256),
            indication: None,
            level: Some(level.to_string()),
        });
        response
    }
}

impl Finishing {
    /// Writes the signature, with a time-stamp where one is there.
    fn written(self, token: Option<&[u8]>) -> (Self, Result<Written, Failure>) {
        let document = self.document.document(None);
        let output = match token {
            None => self.prepared.finish(&document, &self.value),
            Some(token) => self.prepared.finish_with_timestamp(&document, &self.value, token),
        };
        let written =
            output.map_err(Failure::signing).and_then(|output| Written::new(&self.folder, &output, document.bytes()));
        drop(document);
        (self, written)
    }

    /// Returns the time-stamp over the value: one that was handed in, else an authority's. Others that were handed in
    /// are for later.
    async fn timestamp(
        &self,
        app: &App,
        fields: &Fields,
        supplies: &mut Supplies,
        begun: Instant,
    ) -> Result<Vec<u8>, Failure> {
        let (over_value, others): (Vec<_>, Vec<_>) =
            fields.timestamps.iter().partition(|bytes| self.is_stamped_by(bytes));
        others.into_iter().for_each(|bytes| supplies.timestamp(bytes.to_vec()));
        if let Some(token) = over_value.first() {
            return Ok(token.to_vec());
        }
        let function = app.fetching.digest;
        let imprint = self.prepared.timestamp_imprint(&self.value, function).map_err(Failure::signing)?;
        if !app.fetching.names_authority() {
            let kind = TimestampType::Signature;
            let want = TimestampWant { algorithm: function, imprint, kind, about: None };
            return Err(supplies.missing(vec![Wanted::of_timestamp(&want)]));
        }
        let token = app.fetching.timestamp(function, &imprint, clock::now(), begun).await?;
        supplies.stamped(&token);
        Ok(token)
    }

    /// Returns whether these bytes are a time-stamp over the value.
    fn is_stamped_by(&self, bytes: &[u8]) -> bool {
        let Ok(token) = Token::parse(bytes) else { return false };
        let stated = token.info.imprint;
        let imprint = stated.algorithm.and_then(|function| self.prepared.timestamp_imprint(&self.value, function).ok());
        imprint.is_some_and(|imprint| imprint == stated.value.0)
    }

    /// Extends the new signature, and no other.
    async fn raised(
        self,
        app: &App,
        written: Written,
        level: augmentation::Level,
        supplies: Supplies,
        begun: Instant,
    ) -> Result<Response, Failure> {
        let Self { prepared, document, folder, .. } = self;
        let packaging = prepared.packaging();
        let has_others = matches!(packaging, Packaging::Pdf | Packaging::Parallel);
        let (validator, time) = (app.validator(clock::now()).await?, clock::second());
        let job = move || {
            let (name, password) = (document.name.clone(), document.password.clone());
            let (mut contents, mut before) = (vec![], None);
            match packaging {
                Packaging::Detached => contents.push((name.clone().unwrap_or_else(Name::unnamed), document.file)),
                _ if has_others => {
                    before = Some(extending::values(&validator, &document, time)?);
                    contents = document.contents;
                }
                _ => {}
            }
            let after = Submission { file: written.file, name, password, contents, time: None };
            let id = extending::new_signature(&validator, before.unwrap_or_default(), &after, time)?;
            Ok::<_, Failure>((after, id))
        };
        let (after, id) = app.workers.run(job).await??;
        let target = Target::new(level).digest(app.fetching.digest).only(id.clone());
        let (after, extended) = extending::extend(app, after, target, supplies, begun).await?;
        let of_new = extended.signatures.iter().find(|signature| signature.id == id);
        if let Some(error) = of_new.and_then(|signature| signature.obstacle.clone()) {
            return Err(Failure::signing(error));
        }
        let reached = of_new.and_then(|signature| signature.after).unwrap_or(SignatureLevel::Unknown);
        let written = app.workers.run(move || Written::new(&folder, &extended.output, &after.file)).await??;
        Ok(written.answer_at("finish", media(packaging), reached))
    }
}

/// Reads a level.
pub(super) fn read_level(text: Option<&str>, otherwise: Level) -> Result<Level, Failure> {
    let Some(text) = text else { return Ok(otherwise) };
    Level::from_text(text).ok_or_else(|| bad("level: expected B, T, LT or LTA"))
}

/// Returns the media type of a signed file: for CMS files that of RFC 8551 §3.2.1.
fn media(packaging: Packaging) -> &'static str {
    match packaging {
        Packaging::Pdf => "application/pdf",
        Packaging::Detached => "application/pkcs7-signature",
        _ => "application/pkcs7-mime",
    }
}
