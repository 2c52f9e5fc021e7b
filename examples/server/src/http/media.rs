//! Which of the ways to send a file a body is: by `Content-Type`, and by nothing that stands in the file.

use super::failure::Failure;
use super::problem;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;

/// A way to send a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Media {
    /// The file's bytes, and nothing else: whatever is none of the others, as the bytes decide what a file is.
    Bytes,
    /// `multipart/form-data`, whose parts stand between lines of this boundary (RFC 7578).
    Form(String),
    /// `application/json`.
    Json,
}

impl Media {
    /// Reads `Content-Type`.
    ///
    /// # Errors
    ///
    /// 415 for a multipart body that is no form, 400 for a form without boundary.
    pub fn of(headers: &HeaderMap) -> Result<Self, Failure> {
        let stated = stated(headers);
        if essence(stated).eq_ignore_ascii_case("multipart/form-data") {
            // RFC 2046 §5.1.1: 1 to 70 characters.
            let boundary = multer::parse_boundary(stated).ok().filter(|boundary| (1..=70).contains(&boundary.len()));
            return boundary.map(Self::Form).ok_or_else(|| {
                Failure::of(problem::BAD_FORM, "Content-Type: expected multipart/form-data with its boundary")
            });
        }
        if is_multipart(stated) {
            let detail = format!(
                "found {}, expected the file's bytes, multipart/form-data or application/json",
                essence(stated)
            );
            return Err(Failure::of(problem::MEDIA_TYPE, detail));
        }
        Ok(if essence(stated).eq_ignore_ascii_case("application/json") { Self::Json } else { Self::Bytes })
    }
}

/// Refuses what has an envelope around it, for operations that take bytes or JSON only.
///
/// # Errors
///
/// 415 for a multipart body.
pub fn refuse_multipart(headers: &HeaderMap) -> Result<(), Failure> {
    match is_multipart(stated(headers)) {
        true => Err(Failure::of(problem::MEDIA_TYPE, "found a multipart body, expected the bytes or the JSON itself")),
        false => Ok(()),
    }
}

/// Refuses a form that is sent as if it were a file: its envelope would be judged, and a good file in it called changed.
///
/// # Errors
///
/// 415 for bytes that begin as a form does.
pub fn refuse_envelope(bytes: &[u8]) -> Result<(), Failure> {
    let head = &bytes[..bytes.len().min(1024)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let is_form = head.starts_with("--")
        && head.split("\r\n\r\n").next().is_some_and(|head| head.contains("\r\ncontent-disposition: form-data"));
    match is_form {
        true => {
            Err(Failure::of(problem::MEDIA_TYPE, "found a form, expected its Content-Type to be multipart/form-data"))
        }
        false => Ok(()),
    }
}

fn stated(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns the type without its parameters.
fn essence(stated: &str) -> &str {
    stated.split(';').next().unwrap_or_default().trim()
}

fn is_multipart(stated: &str) -> bool {
    essence(stated).split('/').next().is_some_and(|kind| kind.eq_ignore_ascii_case("multipart"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (stated, expected) in [
            ("", Ok(Media::Bytes)),
            ("application/octet-stream", Ok(Media::Bytes)),
            ("application/pdf", Ok(Media::Bytes)),
            // What curl states for --data-binary.
            ("application/x-www-form-urlencoded", Ok(Media::Bytes)),
            ("application/jose+json", Ok(Media::Bytes)),
            ("application/json", Ok(Media::Json)),
            ("Application/JSON; charset=utf-8", Ok(Media::Json)),
            ("multipart/form-data; boundary=abc", Ok(Media::Form("abc".into()))),
            ("Multipart/Form-Data; boundary=\"a b\"", Ok(Media::Form("a b".into()))),
            ("multipart/form-data", Err("bad-form")),
            ("multipart/form-data; boundary=\"\"", Err("bad-form")),
            ("multipart/mixed; boundary=abc", Err("media-type")),
            ("multipart", Err("media-type")),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, stated.parse().unwrap())]);
            let found = Media::of(&headers).map_err(|failure| match failure {
                Failure::Problem { kind, .. } => kind.name,
                other => panic!("{stated}: {other:?}"),
            });
            assert_eq!(found, expected, "{stated}");
        }
    }

    #[test]
    fn envelopes() {
        for (bytes, refused) in [
            (&b"--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n%PDF-1.7"[..], true),
            (b"--x\r\nContent-Type: application/pdf\r\ncontent-disposition: form-data\r\n\r\n%PDF-", true),
            (b"%PDF-1.7\r\nContent-Disposition: form-data", false),
            (b"--x\r\n\r\nContent-Disposition: form-data", false),
            (b"-----BEGIN PKCS7-----\r\n", false),
            (b"", false),
        ] {
            assert_eq!(refuse_envelope(bytes).is_err(), refused, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
