//! Files as answers: never whole in memory when they are large, however slowly they are read.

use super::failure::Failure;
use super::upload::MEMORY;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream;
use lacre_map::FileBytes;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::Path;
use tempfile::NamedTempFile;

/// Bytes that are sent at once.
const PIECE: usize = 1 << 16;

/// Makes a file of its parts: in memory where it is short, else in a temporary file, which is mapped.
///
/// # Errors
///
/// 500 when there is no room for it.
pub fn file<'p>(folder: &Path, length: usize, mut parts: impl Iterator<Item = &'p [u8]>) -> Result<FileBytes, Failure> {
    if length <= MEMORY {
        let mut bytes = Vec::with_capacity(length);
        parts.for_each(|part| bytes.extend_from_slice(part));
        return Ok(bytes.into());
    }
    let mut named = NamedTempFile::new_in(folder).map_err(Failure::internal)?;
    parts.try_for_each(|part| named.write_all(part)).map_err(Failure::internal)?;
    // The name goes once the file is mapped; its bytes go with the map.
    FileBytes::open(named.path()).map_err(Failure::internal)
}

/// Answers with a file.
pub fn answer(file: FileBytes, media: &'static str) -> Response {
    let length = file.len();
    let body = if length <= MEMORY {
        Body::from(file.to_vec())
    } else {
        Body::from_stream(stream::unfold((file, 0), |(file, at)| async move {
            let piece = file.get(at..(at + PIECE).min(file.len())).filter(|piece| !piece.is_empty())?;
            let piece = Bytes::copy_from_slice(piece);
            let next = at + piece.len();
            Some((Ok::<_, Infallible>(piece), (file, next)))
        }))
    };
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}
