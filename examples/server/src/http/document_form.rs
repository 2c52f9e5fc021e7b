//! Forms with which documents are signed and extended.

use super::failure::Failure;
use super::form::{content, document};
use super::multipart::{Form, Part, once};
use super::problem;
use super::submission::{self, Name, Submission};
use super::upload::Uploads;
use axum::body::Body;
use lacre_json::SigningRequest;
use lacre_map::FileBytes;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// The longest request, in bytes: it may hold a picture.
const REQUEST: usize = 1 << 21;

/// The most time-stamps, and the most pieces of evidence, that are handed in.
const PIECES: usize = 256;

/// The form that prepares a signature.
#[derive(ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PrepareForm {
    /// What is to be signed, and how, as JSON; it names a certificate, or a key of the caller.
    #[schema(value_type = SigningRequest)]
    pub request: String,
    /// The document.
    #[schema(value_type = String, format = Binary, min_length = 1)]
    pub document: Vec<u8>,
    /// The password of an encrypted PDF.
    #[schema(nullable = false, format = Password, max_length = 256)]
    pub password: Option<String>,
    /// What the signatures of a document sign without holding it: files beside it, each with its file name.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 64)]
    pub contents: Option<Vec<Vec<u8>>>,
}

/// The form that finishes a signature: with its value, or with the key of the caller that makes it.
#[derive(ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FinishForm {
    /// The `state` that preparing answered, as JSON.
    #[schema(value_type = Object)]
    pub state: String,
    /// The document that was prepared.
    #[schema(value_type = String, format = Binary, min_length = 1)]
    pub document: Vec<u8>,
    /// The signature value in Base64; values of ECDSA in DER, or as two numbers one after the other.
    #[schema(nullable = false, pattern = "^[A-Za-z0-9+/]+={0,2}$")]
    pub value: Option<String>,
    /// A key of the caller, which signs: the one of the certificate that was prepared with.
    #[schema(nullable = false, pattern = "^[1-9][0-9]{0,18}$")]
    pub key_id: Option<String>,
    /// The level: B (the default), T, LT or LTA.
    #[schema(nullable = false, pattern = "^(B|T|LT|LTA)$")]
    pub level: Option<String>,
    /// The password of an encrypted PDF.
    #[schema(nullable = false, format = Password, max_length = 256)]
    pub password: Option<String>,
    /// What the signatures of a document sign without holding it: files beside it, each with its file name.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 64)]
    pub contents: Option<Vec<Vec<u8>>>,
    /// Time-stamps that were wanted: tokens, or responses of authorities.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 256)]
    pub timestamps: Option<Vec<Vec<u8>>>,
    /// Certificates, CRLs and OCSP responses, DER or PEM.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 256)]
    pub evidence: Option<Vec<Vec<u8>>>,
}

/// The form that extends a document.
#[derive(ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExtendForm {
    /// The signed document: PDF or CAdES.
    #[schema(value_type = String, format = Binary, min_length = 1)]
    pub document: Vec<u8>,
    /// The level: T, LT or LTA (the default).
    #[schema(nullable = false, pattern = "^(T|LT|LTA)$")]
    pub level: Option<String>,
    /// The signatures that are extended, by their ids in a report; by default all.
    #[schema(nullable = false)]
    pub signature: Option<Vec<String>>,
    /// How recent revocation data has to be: `strict` (the default), issued after the time-stamp; `accept-older`, current when it
    /// was made.
    #[schema(nullable = false, pattern = "^(strict|accept-older)$")]
    pub freshness: Option<String>,
    /// What is overlooked: `broken-timestamp`, `expired-certificate`, `untrusted-chain`, `missing-revocation`.
    #[schema(nullable = false)]
    pub overlook: Option<Vec<String>>,
    /// The password of an encrypted PDF.
    #[schema(nullable = false, format = Password, max_length = 256)]
    pub password: Option<String>,
    /// What the signatures sign without holding it: files beside the document, each with its file name.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 64)]
    pub contents: Option<Vec<Vec<u8>>>,
    /// Time-stamps that were wanted: tokens, or responses of authorities.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 256)]
    pub timestamps: Option<Vec<Vec<u8>>>,
    /// Certificates, CRLs and OCSP responses, DER or PEM.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 256)]
    pub evidence: Option<Vec<Vec<u8>>>,
}

/// Which of the forms.
#[derive(Debug, Clone, Copy)]
pub struct FormKind {
    /// The names of its parts beside those of every form.
    parts: &'static [&'static str],
    /// All of them, in words.
    expected: &'static str,
}

/// The form that prepares a signature.
pub const PREPARE: FormKind = FormKind { parts: &["request"], expected: "request, document, password or contents" };

/// The form that finishes one.
pub const FINISH: FormKind = FormKind {
    parts: &["state", "value", "keyId", "level", "timestamps", "evidence"],
    expected: "state, document, value, keyId, level, password, contents, timestamps or evidence",
};

/// The form that extends a document.
pub const EXTEND: FormKind = FormKind {
    parts: &["level", "signature", "freshness", "overlook", "timestamps", "evidence"],
    expected: "document, level, signature, freshness, overlook, password, contents, timestamps or evidence",
};

/// A document, and what is to be done with it.
pub struct DocumentForm {
    /// The document, with its name, password and detached contents.
    pub document: Submission,
    /// The other parts.
    pub fields: Fields,
}

/// What is said beside the document. What is empty is not there.
#[derive(Default)]
pub struct Fields {
    /// The request to prepare, JSON.
    pub request: Option<String>,
    /// The prepared signature, JSON.
    pub state: Option<FileBytes>,
    /// The signature value, Base64.
    pub value: Option<String>,
    /// The key of the caller.
    pub key_id: Option<String>,
    /// The level.
    pub level: Option<String>,
    /// The freshness of revocation data.
    pub freshness: Option<String>,
    /// What is overlooked.
    pub overlook: Vec<String>,
    /// The ids of signatures.
    pub signatures: Vec<String>,
    /// Time-stamps.
    pub timestamps: Vec<FileBytes>,
    /// Certificates and revocation data.
    pub evidence: Vec<FileBytes>,
}

/// Receives a form.
pub(super) async fn receive(
    uploads: &Uploads,
    body: Body,
    boundary: &str,
    kind: FormKind,
) -> Result<DocumentForm, Failure> {
    let mut form = Form::new(uploads, body, boundary);
    let (mut found, mut password, mut contents, mut fields) = (None, None, vec![], Fields::default());
    while let Some(part) = form.next().await? {
        let called = part.name.clone();
        match &*called {
            "document" => once(&mut found, document(part, &mut form).await?, &called)?,
            "contents" => content(part, &mut form, &mut contents).await?,
            "password" => {
                let text = part.text().await?;
                if !text.is_empty() {
                    once(&mut password, submission::password(text)?, &called)?;
                }
            }
            name if kind.parts.contains(&name) => fields.take(part, &mut form).await?,
            _ => return Err(part.unknown(kind.expected)),
        }
    }
    let Some((file, name)) = found else {
        return Err(Failure::of(problem::BAD_FORM, "found no part `document`, expected the document in it"));
    };
    Ok(DocumentForm { document: submitted(file, name, password, contents), fields })
}

fn submitted(
    file: FileBytes,
    name: Option<Name>,
    password: Option<Zeroizing<String>>,
    contents: Vec<(Name, FileBytes)>,
) -> Submission {
    Submission { file, name, password, contents, time: None }
}

impl Fields {
    async fn take(&mut self, part: Part, form: &mut Form<'_>) -> Result<(), Failure> {
        let called = part.name.clone();
        match &*called {
            "state" => return once(&mut self.state, form.file(part).await?, &called),
            "timestamps" => return keep(&mut self.timestamps, form.file(part).await?, &called),
            "evidence" => return keep(&mut self.evidence, form.file(part).await?, &called),
            _ => {}
        }
        let most = if called == "request" { REQUEST } else { VALUE };
        let text = part.text_up_to(most).await?.to_string();
        if text.is_empty() {
            return Ok(());
        }
        match &*called {
            "request" => once(&mut self.request, text, &called),
            "value" => once(&mut self.value, text, &called),
            "keyId" => once(&mut self.key_id, text, &called),
            "level" => once(&mut self.level, text, &called),
            "freshness" => once(&mut self.freshness, text, &called),
            "overlook" => keep(&mut self.overlook, text, &called),
            _ => keep(&mut self.signatures, text, &called),
        }
    }
}

/// The longest signature value in Base64, in bytes: ML-DSA-87 has 4,627.
const VALUE: usize = 1 << 14;

fn keep<T>(list: &mut Vec<T>, value: T, called: &str) -> Result<(), Failure> {
    if list.len() == PIECES {
        return Err(Failure::of(problem::BAD_PARAMETER, format!("{called}: expected at most {PIECES}")));
    }
    list.push(value);
    Ok(())
}
