//! A file to be validated as a form: `multipart/form-data` (RFC 7578), read part by part and never whole in memory.

use super::failure::Failure;
use super::problem;
use super::submission::{self, Name, Submission, TEXT};
use super::upload::{MEMORY, Uploads, broken, refuse_length};
use axum::body::{Body, Bytes, HttpBody as _};
use futures_util::Stream;
use lacre::Time;
use lacre_map::FileBytes;
use multer::{Field, Multipart};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// The longest head of a part, in bytes.
const HEAD: usize = 1 << 14;

/// The longest piece that is read while a part's head is awaited.
const PIECE: usize = 1 << 12;

/// The form that the validating operations take. A part that is empty is one that is not there.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationForm {
    /// The signed file. Its file name stands in the report, unless there is a `name`.
    #[schema(value_type = String, format = Binary, min_length = 1)]
    pub document: Vec<u8>,
    /// The file's name, for the report and for references by name; without it, and without a file name of `document`, the
    /// process id.
    #[schema(nullable = false, min_length = 1, max_length = 256, pattern = r"^[^\x00-\x1f\x7f-\x9f]+$")]
    pub name: Option<String>,
    /// The password of an encrypted PDF, its user's or its owner's.
    #[schema(nullable = false, format = Password, max_length = 256)]
    pub password: Option<String>,
    /// What the file's signatures sign without holding it: files beside it, each with its file name.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 64)]
    pub contents: Option<Vec<Vec<u8>>>,
    /// As of when the file is judged (RFC 3339); otherwise now.
    #[schema(nullable = false, format = DateTime)]
    pub time: Option<String>,
}

/// The parts that were read so far.
#[derive(Default)]
struct Parts {
    document: Option<(FileBytes, Option<Name>)>,
    name: Option<Name>,
    password: Option<Zeroizing<String>>,
    time: Option<Time>,
    contents: Vec<(Name, FileBytes)>,
}

/// Receives a form.
pub(super) async fn receive(uploads: &Uploads, body: Body, boundary: &str) -> Result<Submission, Failure> {
    let allowance = Arc::new(AtomicUsize::new(0));
    let pieces = Pieces {
        body,
        rest: Bytes::new(),
        given: false,
        limit: uploads.limit,
        length: 0,
        allowance: Arc::clone(&allowance),
    };
    let mut form = Multipart::new(pieces, boundary);
    let mut parts = Parts::default();
    let mut held = 0;
    loop {
        allowance.store(HEAD, Relaxed);
        let Some(part) = form.next_field().await.map_err(failure)? else { break };
        allowance.store(UNBOUNDED, Relaxed);
        parts.take(part, uploads, &mut held).await?;
    }
    let Some((file, file_name)) = parts.document else {
        return Err(Failure::of(problem::BAD_FORM, "found no part `document`, expected the signed file in it"));
    };
    let mut submission = Submission::from(file);
    submission.name = parts.name.or(file_name);
    submission.password = parts.password;
    submission.time = parts.time;
    for (name, bytes) in parts.contents {
        submission.add_content(name, bytes)?;
    }
    Ok(submission)
}

impl Parts {
    /// Takes a part; `held` is what all of them have in memory.
    async fn take(&mut self, part: Field<'_>, uploads: &Uploads, held: &mut usize) -> Result<(), Failure> {
        let called = part.name().unwrap_or_default().to_owned();
        let file_name = part.file_name().filter(|name| !name.is_empty()).map(str::to_owned);
        match &*called {
            "document" => {
                let file = file(part, uploads, held).await?;
                if file.is_empty() {
                    return Err(Failure::of(problem::EMPTY_BODY, "document: found no bytes, expected a file"));
                }
                let name = file_name.map(|name| Name::read(&name, "the file name of document")).transpose()?;
                once(&mut self.document, (file, name), &called)
            }
            "contents" => {
                let file = file(part, uploads, held).await?;
                // What a browser sends where no file was chosen.
                if file.is_empty() && file_name.is_none() {
                    return Ok(());
                }
                self.contents.push((Name::read(&file_name.unwrap_or_default(), "the file name of contents")?, file));
                match self.contents.len() <= submission::CONTENTS {
                    true => Ok(()),
                    false => Err(Failure::of(
                        problem::BAD_PARAMETER,
                        format!("contents: expected at most {}", submission::CONTENTS),
                    )),
                }
            }
            "name" | "password" | "time" => {
                let text = text(part, &called).await?;
                if text.is_empty() {
                    return Ok(());
                }
                match &*called {
                    "name" => once(&mut self.name, Name::read(&text, &called)?, &called),
                    "time" => once(&mut self.time, submission::time(&text)?, &called),
                    _ => once(&mut self.password, submission::password(text)?, &called),
                }
            }
            _ => {
                let found: String = called.escape_debug().take(64).collect();
                let detail = format!("found the part `{found}`, expected document, name, password, contents or time");
                Err(Failure::of(problem::BAD_FORM, detail))
            }
        }
    }
}

fn once<T>(place: &mut Option<T>, value: T, called: &str) -> Result<(), Failure> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Failure::of(problem::BAD_FORM, format!("found the part `{called}` twice"))),
    }
}

/// A part that is a file.
async fn file(mut part: Field<'_>, uploads: &Uploads, held: &mut usize) -> Result<FileBytes, Failure> {
    let mut arriving = uploads.begin(MEMORY.saturating_sub(*held));
    while let Some(piece) = part.chunk().await.map_err(failure)? {
        arriving.push(&piece).await?;
    }
    *held += arriving.in_memory();
    arriving.done().await
}

/// A part that is a text.
async fn text(mut part: Field<'_>, called: &str) -> Result<Zeroizing<String>, Failure> {
    let bad = |expected: String| Failure::of(problem::BAD_PARAMETER, format!("{called}: expected {expected}"));
    // Its room is there from the beginning, so that no copy of a password stays behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(TEXT));
    while let Some(piece) = part.chunk().await.map_err(failure)? {
        if bytes.len() + piece.len() > TEXT {
            return Err(bad(format!("at most {TEXT} bytes")));
        }
        bytes.extend_from_slice(&piece);
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| bad("UTF-8".to_owned()))?;
    Ok(Zeroizing::new(text.to_owned()))
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

/// What was wrong with a form.
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderMap;
    use std::time::Duration;

    fn part(head: &str, bytes: &[u8]) -> Vec<u8> {
        [format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(), bytes, b"\r\n"].concat()
    }

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let parts: Vec<_> = parts.iter().map(|(head, bytes)| part(head, bytes)).collect();
        [&parts.concat()[..], b"--b--\r\n"].concat()
    }

    async fn read(body: impl Into<Body>) -> Result<Submission, Failure> {
        let uploads = Uploads { limit: 1 << 23, time: Duration::from_secs(20), folder: std::env::temp_dir() };
        uploads.form(&HeaderMap::new(), body.into(), "b").await
    }

    const FILE: (&str, &[u8]) = (r#"name="document"; filename="a.pdf""#, b"%PDF-");

    #[tokio::test]
    async fn parts() {
        let large = vec![7; 3 << 20];
        let found = read(form(&[
            (r#"name="contents"; filename="../b.txt""#, b"b"),
            (r#"name="contents"; filename="large""#, &large),
            (r#"name="contents"; filename="""#, b""),
            (r#"name="password""#, "pä ss".as_bytes()),
            (r#"name="name""#, b""),
            (r#"name="time""#, b"2027-01-01T00:00:00Z"),
            FILE,
        ]))
        .await
        .unwrap();
        assert_eq!(&found.file[..], b"%PDF-");
        assert_eq!(found.name.unwrap().as_str(), "a.pdf");
        assert_eq!(found.password.unwrap().as_str(), "pä ss");
        assert_eq!(found.time.unwrap().to_string(), "2027-01-01T00:00:00Z");
        let contents: Vec<_> = found.contents.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        assert_eq!(contents, [("../b.txt", &b"b"[..]), ("large", &large[..])]);
        let named = read(form(&[FILE, (r#"name="name""#, b"other.pdf")])).await.unwrap();
        assert_eq!(named.name.unwrap().as_str(), "other.pdf");
        assert!(read(form(&[(r#"name="document""#, b"x")])).await.unwrap().name.is_none());
    }

    /// However it is cut into pieces, a form is the same.
    #[tokio::test]
    async fn pieces() {
        let bytes = form(&[FILE, (r#"name="contents"; filename="b""#, b"\r\n--\r\n--a\r\n")]);
        for length in [1, 2, 3, 7, 64] {
            let pieces: Vec<_> = bytes.chunks(length).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
            let found = read(Body::from_stream(futures_util::stream::iter(pieces))).await.unwrap();
            assert_eq!(
                (&found.file[..], &found.contents[0].1[..]),
                (&b"%PDF-"[..], &b"\r\n--\r\n--a\r\n"[..]),
                "{length}"
            );
        }
    }

    #[tokio::test]
    async fn refused() {
        let long = "x".repeat(HEAD);
        let many = vec![(r#"name="contents"; filename="a""#, &b"a"[..]); 65];
        let whole = form(&[FILE]);
        let endless = [&vec![b'x'; 1 << 20][..], &whole].concat();
        let endless = endless.chunks(1 << 12).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
        for (situation, body, expected) in [
            ("no file", form(&[(r#"name="name""#, b"a")]).into(), "bad-form"),
            ("an empty file", form(&[(r#"name="document""#, b"")]).into(), "empty-body"),
            ("a file twice", form(&[FILE, FILE]).into(), "bad-form"),
            ("an unknown part", form(&[FILE, (r#"name="policy""#, b"a")]).into(), "bad-form"),
            ("a part without name", form(&[FILE, (r#"filename="a""#, b"a")]).into(), "bad-form"),
            ("a content without file name", form(&[FILE, (r#"name="contents""#, b"a")]).into(), "bad-parameter"),
            ("a name with a line end", form(&[FILE, (r#"name="name""#, b"a\r\nb")]).into(), "bad-parameter"),
            ("a name that is no UTF-8", form(&[FILE, (r#"name="name""#, b"\xff")]).into(), "bad-parameter"),
            ("a long password", form(&[FILE, (r#"name="password""#, long.as_bytes())]).into(), "bad-parameter"),
            ("no time", form(&[FILE, (r#"name="time""#, b"now")]).into(), "bad-parameter"),
            ("many contents", form(&many).into(), "bad-parameter"),
            ("too long", form(&[(r#"name="document""#, &vec![0; 1 << 23])]).into(), "too-large"),
            ("no end", whole[..whole.len() - 8].to_vec().into(), "bad-form"),
            ("another boundary", Body::from("--c\r\n\r\n\r\n--c--"), "bad-form"),
            ("nothing", Body::empty(), "bad-form"),
            ("a head that does not end", Body::from_stream(futures_util::stream::iter(endless)), "bad-form"),
        ] {
            match read(body).await {
                Err(Failure::Problem { kind, .. }) => assert_eq!(kind.name, expected, "{situation}"),
                Err(failure) => panic!("{situation}: {failure:?}"),
                Ok(_) => panic!("{situation}: taken"),
            }
        }
    }
}
