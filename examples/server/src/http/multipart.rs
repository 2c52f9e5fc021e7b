//! Forms (`multipart/form-data`, RFC 7578), read part by part and never whole in memory.

use super::failure::Failure;
use super::problem;
use super::submission::TEXT;
use super::upload::{MEMORY, Uploads, broken, refuse_length};
use axum::body::{Body, Bytes, HttpBody as _};
use futures_util::Stream;
use lacre_map::FileBytes;
use multer::{Field, Multipart};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use zeroize::Zeroizing;

/// The longest head of a part, in bytes.
pub(super) const HEAD: usize = 1 << 14;

/// The longest piece that is read while a part's head is awaited.
const PIECE: usize = 1 << 12;

/// A form that arrives.
pub(super) struct Form<'u> {
    uploads: &'u Uploads,
    parts: Multipart<'static>,
    allowance: Arc<AtomicUsize>,
    /// What all parts together have in memory.
    held: usize,
}

/// A part of a form, of which the head has arrived.
pub(super) struct Part {
    /// What it is called.
    pub name: String,
    /// Its file name, where it has one.
    pub file_name: Option<String>,
    field: Field<'static>,
}

impl<'u> Form<'u> {
    /// Begins to read a form whose parts stand between lines of this boundary.
    pub fn new(uploads: &'u Uploads, body: Body, boundary: &str) -> Self {
        let allowance = Arc::new(AtomicUsize::new(0));
        let pieces = Pieces {
            body,
            rest: Bytes::new(),
            given: false,
            limit: uploads.limit,
            length: 0,
            allowance: Arc::clone(&allowance),
        };
        Self { uploads, parts: Multipart::new(pieces, boundary), allowance, held: 0 }
    }

    /// Reads the next part, once the one before is read.
    pub async fn next(&mut self) -> Result<Option<Part>, Failure> {
        self.allowance.store(HEAD, Relaxed);
        let Some(field) = self.parts.next_field().await.map_err(failure)? else { return Ok(None) };
        self.allowance.store(UNBOUNDED, Relaxed);
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().filter(|name| !name.is_empty()).map(str::to_owned);
        Ok(Some(Part { name, file_name, field }))
    }

    /// Reads a part that is a file.
    pub async fn file(&mut self, part: Part) -> Result<FileBytes, Failure> {
        let mut field = part.field;
        let mut arriving = self.uploads.begin(MEMORY.saturating_sub(self.held));
        while let Some(piece) = field.chunk().await.map_err(failure)? {
            arriving.push(&piece).await?;
        }
        self.held += arriving.in_memory();
        arriving.done().await
    }
}

impl Part {
    /// Reads a part that is a text.
    pub async fn text(self) -> Result<Zeroizing<String>, Failure> {
        self.text_up_to(TEXT).await
    }

    /// Reads a part that is a text of at most so many bytes.
    pub async fn text_up_to(self, most: usize) -> Result<Zeroizing<String>, Failure> {
        let Self { name, mut field, .. } = self;
        let bad = |expected: String| Failure::of(problem::BAD_PARAMETER, format!("{name}: expected {expected}"));
        // Its room is there from the beginning, so that no copy of a password stays behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(TEXT));
        while let Some(piece) = field.chunk().await.map_err(failure)? {
            if bytes.len() + piece.len() > most {
                return Err(bad(format!("at most {most} bytes")));
            }
            bytes.extend_from_slice(&piece);
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| bad("UTF-8".to_owned()))?;
        Ok(Zeroizing::new(text.to_owned()))
    }

    /// Makes the failure that the form has no such part.
    pub fn unknown(&self, expected: &str) -> Failure {
        let found: String = self.name.escape_debug().take(64).collect();
        Failure::of(problem::BAD_FORM, format!("found the part `{found}`, expected {expected}"))
    }
}

/// Keeps what a part holds that a form may have once.
pub(super) fn once<T>(place: &mut Option<T>, value: T, called: &str) -> Result<(), Failure> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Failure::of(problem::BAD_FORM, format!("found the part `{called}` twice"))),
    }
}

/// The pieces of a body, one a turn: whoever reads the form takes all that there are, and holds them.
struct Pieces {
    body: Body,
    /// What is left of the piece that arrived last.
    rest: Bytes,
    given: bool,
    limit: u64,
    length: u64,
    /// How many bytes may still come before the part that is awaited begins; [`UNBOUNDED`] within a part.
    allowance: Arc<AtomicUsize>,
}

const UNBOUNDED: usize = usize::MAX;

impl Pieces {
    /// Waits for a piece that has bytes.
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Result<Bytes, Failure>> {
        while self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                None => break,
                Some(frame) => frame.map_err(|_| broken())?,
            };
            // Trailers are no bytes of the body.
            self.rest = frame.into_data().unwrap_or_default();
            self.length += self.rest.len() as u64;
            refuse_length(self.length, self.limit)?;
        }
        let allowance = self.allowance.load(Relaxed);
        if allowance == UNBOUNDED {
            return Poll::Ready(Ok(std::mem::take(&mut self.rest)));
        }
        if allowance == 0 {
            let detail = format!("found a part whose head does not end within {HEAD} bytes");
            return Poll::Ready(Err(Failure::of(problem::BAD_FORM, detail)));
        }
        let piece = self.rest.split_to(self.rest.len().min(PIECE).min(allowance));
        self.allowance.store(allowance - piece.len(), Relaxed);
        Poll::Ready(Ok(piece))
    }
}

impl Stream for Pieces {
    type Item = Result<Bytes, Unread>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let piece = ready!(self.poll_piece(context)).map_err(Unread);
        self.given = true;
        Poll::Ready(Some(piece).filter(|piece| !piece.as_ref().is_ok_and(Bytes::is_empty)))
    }
}

/// Why a body was not read on.
#[derive(Debug, thiserror::Error)]
#[error("{0:?}")]
struct Unread(Failure);

/// Makes a failure of what was wrong with a form.
fn failure(error: multer::Error) -> Failure {
    match error {
        multer::Error::StreamReadFailed(cause) => {
            cause.downcast::<Unread>().map_or_else(|_| broken(), |unread| unread.0)
        }
        multer::Error::IncompleteStream
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteFieldData { .. } => {
            Failure::of(problem::BAD_FORM, "found no end, expected the line of the boundary that closes the form")
        }
        _ => Failure::of(problem::BAD_FORM, "found a part whose head cannot be read"),
    }
}
