//! Request bodies: bounded in length and in time, and never whole in memory when they are large.

use super::document_form::{self, DocumentForm, FormKind};
use super::failure::Failure;
use super::form;
use super::media::{Media, refuse_multipart};
use super::problem;
use super::submission::Submission;
use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use http_body_util::BodyExt as _;
use lacre_map::FileBytes;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

/// Up to this length a body stays in memory; a longer one goes to a temporary file, which is mapped.
pub(super) const MEMORY: usize = 1 << 20;

/// The longest JSON and digest that is read.
const SMALL: u64 = 1 << 18;

/// What bodies may cost.
#[derive(Debug, Clone)]
pub struct Uploads {
    /// The longest file, in bytes.
    pub limit: u64,
    /// How long a body may take to arrive.
    pub time: Duration,
    /// Where temporary files are made.
    pub folder: PathBuf,
}

impl Uploads {
    /// Receives a file.
    ///
    /// # Errors
    ///
    /// 413 before anything is read when `Content-Length` says so, and once the body is longer; 408 when it does not
    /// arrive in time; 400 when it is empty or breaks off; 500 when there is no room for it.
    pub async fn file(&self, headers: &HeaderMap, body: Body) -> Result<FileBytes, Failure> {
        let file = self.in_time(headers, self.limit, self.receive(body)).await?;
        match file.is_empty() {
            true => Err(Failure::of(problem::EMPTY_BODY, "found no bytes, expected a file")),
            false => Ok(file),
        }
    }

    /// Receives a form whose parts stand between lines of this boundary.
    ///
    /// # Errors
    ///
    /// As [`Uploads::file`], and 400 when it is not the form that is expected.
    pub async fn form(&self, headers: &HeaderMap, body: Body, boundary: &str) -> Result<Submission, Failure> {
        self.in_time(headers, self.limit, form::receive(self, body, boundary)).await
    }

    /// Receives a document as a form, with what is to be done with it.
    ///
    /// # Errors
    ///
    /// As [`Uploads::form`], and 415 when the body is no form.
    pub async fn document(&self, headers: &HeaderMap, body: Body, kind: FormKind) -> Result<DocumentForm, Failure> {
        let Media::Form(boundary) = Media::of(headers)? else {
            return Err(Failure::of(problem::MEDIA_TYPE, "found no form, expected multipart/form-data"));
        };
        self.in_time(headers, self.limit, document_form::receive(self, body, &boundary, kind)).await
    }

    /// Receives a digest or a JSON text.
    ///
    /// # Errors
    ///
    /// As [`Uploads::file`], with a limit of its own; and 415 for a multipart body, whose envelope is neither.
    pub async fn small(&self, headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Failure> {
        refuse_multipart(headers)?;
        let receive = async {
            let mut body = body;
            let mut bytes = vec![];
            while let Some(piece) = next(&mut body).await? {
                bytes.extend_from_slice(&piece);
                refuse_length(bytes.len() as u64, SMALL)?;
            }
            Ok(bytes)
        };
        self.in_time(headers, SMALL, receive).await
    }

    /// Receives a JSON text, and reads it.
    ///
    /// # Errors
    ///
    /// As [`Uploads::small`], and 400 when it is not what is expected.
    pub async fn json<T: DeserializeOwned>(&self, headers: &HeaderMap, body: Body) -> Result<T, Failure> {
        let bytes = self.small(headers, body).await?;
        serde_json::from_slice(&bytes).map_err(|error| Failure::of(problem::BAD_JSON, error.to_string()))
    }

    /// Begins a file that may have so many bytes in memory; the rest of a longer one goes to a temporary file.
    pub(super) fn begin(&self, memory: usize) -> Arriving<'_> {
        Arriving { folder: &self.folder, memory, bytes: vec![], file: None }
    }

    async fn receive(&self, mut body: Body) -> Result<FileBytes, Failure> {
        let mut arriving = self.begin(MEMORY);
        let mut length = 0;
        while let Some(piece) = next(&mut body).await? {
            length += piece.len() as u64;
            refuse_length(length, self.limit)?;
            arriving.push(&piece).await?;
        }
        arriving.done().await
    }

    async fn in_time<T>(
        &self,
        headers: &HeaderMap,
        limit: u64,
        receive: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        refuse_stated_length(headers, limit)?;
        timeout(self.time, receive)
            .await
            .map_err(|_| Failure::of(problem::SLOW, format!("the body took longer than {} s", self.time.as_secs())))?
    }
}

/// A file that arrives piece by piece: in memory as long as it is short.
pub(super) struct Arriving<'a> {
    folder: &'a Path,
    memory: usize,
    bytes: Vec<u8>,
    file: Option<(NamedTempFile, File)>,
}

impl Arriving<'_> {
    /// Adds a piece.
    pub(super) async fn push(&mut self, piece: &[u8]) -> Result<(), Failure> {
        if let Some((_, file)) = &mut self.file {
            return file.write_all(piece).await.map_err(Failure::internal);
        }
        self.bytes.extend_from_slice(piece);
        if self.bytes.len() > self.memory {
            let named = NamedTempFile::new_in(self.folder).map_err(Failure::internal)?;
            let mut file = File::from_std(named.reopen().map_err(Failure::internal)?);
            file.write_all(&std::mem::take(&mut self.bytes)).await.map_err(Failure::internal)?;
            self.file = Some((named, file));
        }
        Ok(())
    }

    /// Returns the bytes that it has in memory.
    pub(super) fn in_memory(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the whole file.
    pub(super) async fn done(self) -> Result<FileBytes, Failure> {
        let Some((named, mut file)) = self.file else { return Ok(self.bytes.into()) };
        file.flush().await.map_err(Failure::internal)?;
        // The name goes once the file is mapped; its bytes go with the map.
        FileBytes::open(named.path()).map_err(Failure::internal)
    }
}

pub(super) async fn next(body: &mut Body) -> Result<Option<Bytes>, Failure> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| broken())?;
        // Trailers are no bytes of the body.
        if let Ok(piece) = frame.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

pub(super) fn broken() -> Failure {
    Failure::of(problem::BROKEN_BODY, "the connection broke off")
}

fn refuse_stated_length(headers: &HeaderMap, limit: u64) -> Result<(), Failure> {
    let stated = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    refuse_length(stated.unwrap_or(0), limit)
}

pub(super) fn refuse_length(length: u64, limit: u64) -> Result<(), Failure> {
    match length > limit {
        true => Err(Failure::of(problem::TOO_LARGE, format!("the body may have {limit} bytes"))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uploads(limit: u64) -> Uploads {
        Uploads { limit, time: Duration::from_millis(200), folder: std::env::temp_dir() }
    }

    #[tokio::test]
    async fn lengths() {
        for (situation, length, limit, expected) in [
            ("in memory", 10, 10, Ok(10)),
            ("in a file", MEMORY + 7, 1 << 30, Ok(MEMORY + 7)),
            ("too long for memory already", 11, 10, Err("too-large")),
            ("too long once in a file", MEMORY + 7, MEMORY as u64 + 6, Err("too-large")),
            ("nothing", 0, 10, Err("empty-body")),
        ] {
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let found = uploads(limit).file(&HeaderMap::new(), Body::from(bytes.clone())).await;
            match (found, expected) {
                (Ok(found), Ok(length)) => assert!(found.len() == length && found[..] == bytes[..], "{situation}"),
                (Err(Failure::Problem { kind, .. }), Err(name)) => assert_eq!(kind.name, name, "{situation}"),
                (found, expected) => panic!("{situation}: {found:?}, expected {expected:?}"),
            }
        }
    }

    #[tokio::test]
    async fn a_stated_length_is_refused_before_reading() {
        let headers = HeaderMap::from_iter([(CONTENT_LENGTH, "11".parse().unwrap())]);
        let unread = Body::new(http_body_util::combinators::BoxBody::new(
            http_body_util::Full::new(Bytes::from("bytes")).map_frame(|_| panic!("read")).map_err(|e| match e {}),
        ));
        let found = uploads(10).file(&headers, unread).await;
        assert!(matches!(found, Err(Failure::Problem { kind, .. }) if kind == problem::TOO_LARGE));
    }
}
