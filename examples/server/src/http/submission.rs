//! What is to be judged, and what the caller says about it.

use super::failure::Failure;
use super::problem;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{Document, Time};
use lacre_map::FileBytes;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use std::fmt;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// The longest name of a file and the longest password, in bytes.
pub const TEXT: usize = 1024;

/// The most detached contents.
pub const CONTENTS: usize = 64;

/// A file to be validated, and what the caller says about it.
///
/// NOTE: not `Debug`, as the password is nothing to be written down.
pub struct Submission {
    /// The file.
    pub file: FileBytes,
    /// Its name.
    pub name: Option<Name>,
    /// The password of an encrypted PDF.
    pub password: Option<Zeroizing<String>>,
    /// What its signatures sign without holding it.
    pub contents: Vec<(Name, FileBytes)>,
    /// As of when it is judged; otherwise now.
    pub time: Option<Time>,
}

impl From<FileBytes> for Submission {
    fn from(file: FileBytes) -> Self {
        Self { file, name: None, password: None, contents: vec![], time: None }
    }
}

impl Submission {
    /// Returns the document as the library takes it; `otherwise` is its name where nobody stated one.
    pub fn document<'a>(&'a self, otherwise: Option<&'a str>) -> Document<'a> {
        let mut document = Document::new(&self.file);
        if let Some(name) = self.name.as_ref().map(Name::as_str).or(otherwise) {
            document = document.named(name);
        }
        if let Some(password) = &self.password {
            document = document.with_password(password.as_bytes());
        }
        for (name, bytes) in &self.contents {
            document = document.with_content(name.as_str(), bytes);
        }
        document
    }

    /// Adds a detached content.
    ///
    /// # Errors
    ///
    /// 400 where there are too many.
    pub fn add_content(&mut self, name: Name, bytes: FileBytes) -> Result<(), Failure> {
        if self.contents.len() == CONTENTS {
            return Err(Failure::of(problem::BAD_PARAMETER, format!("contents: expected at most {CONTENTS}")));
        }
        self.contents.push((name, bytes));
        Ok(())
    }
}

/// A file's name, as somebody stated it: a text for the report and for references by name, never a path here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Reads a name; `what` is whose it is.
    ///
    /// # Errors
    ///
    /// 400 where it is empty, too long, or has control characters.
    pub fn read(text: &str, what: &str) -> Result<Self, Failure> {
        match (1..=TEXT).contains(&text.len()) && !text.chars().any(char::is_control) {
            true => Ok(Self(text.to_owned())),
            false => Err(Failure::of(
                problem::BAD_PARAMETER,
                format!("{what}: expected 1 to {TEXT} bytes of UTF-8 without control characters"),
            )),
        }
    }

    /// Returns the name of a file that has none.
    pub fn unnamed() -> Self {
        Self("document".to_owned())
    }

    /// Returns its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads a password.
///
/// # Errors
///
/// 400 where it is too long.
pub fn password(text: Zeroizing<String>) -> Result<Zeroizing<String>, Failure> {
    match text.len() <= TEXT {
        true => Ok(text),
        false => Err(Failure::of(problem::BAD_PARAMETER, format!("password: expected at most {TEXT} bytes"))),
    }
}

/// Reads the moment as of which a file is judged.
///
/// # Errors
///
/// 400 where it is none.
pub fn time(text: &str) -> Result<Time, Failure> {
    text.parse().map_err(|_| Failure::of(problem::BAD_PARAMETER, "time: expected RFC 3339 as in 2027-01-01T00:00:00Z"))
}

/// A file to be validated, as JSON.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationRequest {
    /// The signed file in Base64.
    #[schema(value_type = String, min_length = 4,
        pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")]
    document: Base64,
    /// Its name, for the report and for references by name; otherwise the process id.
    #[schema(min_length = 1, max_length = 256, pattern = r"^[^\x00-\x1f\x7f-\x9f]+$")]
    name: Option<String>,
    /// The password of an encrypted PDF, its user's or its owner's.
    #[schema(format = Password, max_length = 256)]
    password: Option<String>,
    /// What the file's signatures sign without holding it: files beside it.
    #[serde(default)]
    #[schema(max_items = 64)]
    contents: Vec<DetachedContent>,
    /// As of when the file is judged (RFC 3339); otherwise now.
    #[schema(format = DateTime)]
    time: Option<String>,
}

/// A detached content: what a signature beside it signs.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DetachedContent {
    /// Its file name, by which signatures refer to it.
    #[schema(min_length = 1, max_length = 256, pattern = r"^[^\x00-\x1f\x7f-\x9f]+$")]
    name: String,
    /// Its bytes in Base64.
    #[schema(value_type = String,
        pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")]
    content: Base64,
}

impl ValidationRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// 400 where it is none.
    pub fn read(bytes: &[u8]) -> Result<Submission, Failure> {
        let asked: Self = serde_json::from_slice(bytes).map_err(|error| {
            let detail = format!("{error}; a JSON signature itself is sent as application/octet-stream");
            Failure::of(problem::BAD_JSON, detail)
        })?;
        if asked.document.0.is_empty() {
            return Err(Failure::of(problem::EMPTY_BODY, "document: found no bytes, expected a file"));
        }
        let mut submission = Submission::from(FileBytes::from(asked.document.0));
        submission.name = asked.name.map(|name| Name::read(&name, "name")).transpose()?;
        submission.password = asked.password.map(|text| password(Zeroizing::new(text))).transpose()?;
        submission.time = asked.time.map(|text| time(&text)).transpose()?;
        for DetachedContent { name, content } in asked.contents {
            submission.add_content(Name::read(&name, "contents")?, content.0.into())?;
        }
        Ok(submission)
    }
}

/// Bytes that stand in JSON as Base64.
struct Base64(Vec<u8>);

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Base64;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("Base64")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Base64, E> {
                BASE64_STANDARD.decode(text).map(Base64).map_err(|error| E::custom(format!("expected Base64: {error}")))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, taken) in [
            ("contract.pdf", true),
            ("../../etc/passwd", true),
            ("\u{202e}fdp.exe", true),
            ("a\" or 'b'; <c>", true),
            (&"x".repeat(TEXT), true),
            (&"x".repeat(TEXT + 1), false),
            ("", false),
            ("a\r\nSet-Cookie: b", false),
            ("a\0b", false),
            ("a\u{85}b", false),
        ] {
            assert_eq!(Name::read(text, "name").is_ok(), taken, "{text:?}");
        }
    }

    #[test]
    fn requests() {
        let many =
            format!(r#"{{"document":"eA==","contents":[{}]}}"#, vec![r#"{"name":"a","content":""}"#; 65].join(","));
        for (text, expected) in [
            (r#"{"document":"eA=="}"#, Ok("x")),
            (r#"{"document":"eA==","name":"a","password":"b","time":"2027-01-01T00:00:00Z","contents":[]}"#, Ok("x")),
            (r#"{"document":"\u0065A=="}"#, Ok("x")),
            (r#"{"document":""}"#, Err("empty-body")),
            (r#"{"document":"eA"}"#, Err("bad-json")),
            (r#"{"document":"eA==","document":"eQ=="}"#, Err("bad-json")),
            (r#"{"document":"eA==","payload":"","signatures":[]}"#, Err("bad-json")),
            (r#"{"payload":"","protected":"","signature":""}"#, Err("bad-json")),
            (r#"{"document":"eA==","time":"yesterday"}"#, Err("bad-parameter")),
            (r#"{"document":"eA==","name":"a\u0000"}"#, Err("bad-parameter")),
            (&many, Err("bad-parameter")),
            ("[]", Err("bad-json")),
        ] {
            match (ValidationRequest::read(text.as_bytes()), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(&found.file[..], expected.as_bytes(), "{text}"),
                (Err(Failure::Problem { kind, .. }), Err(expected)) => assert_eq!(kind.name, expected, "{text}"),
                (found, expected) => panic!("{text}: {:?}, expected {expected:?}", found.map(|found| found.file.len())),
            }
        }
    }
}
