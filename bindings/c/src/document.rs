//! Documents to be validated, with their detached contents and passwords.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{self, Handle, bytes, free, handle_mut, out_param, run, text};
use lacre::Document;
use lacre_map::FileBytes;
use std::borrow::Cow;
use std::ffi::c_char;
use std::path::Path;

/// A document, its name, its detached contents, its password.
///
/// Made by lacre_document_from_memory() or lacre_document_from_file(), changed by the functions that begin with
/// lacre_document_set or lacre_document_add, freed with lacre_document_free(). Not changed any more, it may be used by
/// any number of threads.
///
/// @ingroup documents
pub struct lacre_document {
    bytes: Bytes,
    name: Option<String>,
    contents: Vec<(String, Bytes)>,
    password: Option<Vec<u8>>,
}

impl Handle for lacre_document {
    const NAME: &'static str = "lacre_document";
}

enum Bytes {
    /// The caller's, for as long as the handle lives.
    Borrowed(&'static [u8]),
    File(FileBytes),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::File(bytes) => bytes,
        }
    }
}

impl lacre_document {
    fn new(bytes: Bytes, name: Option<String>) -> Self {
        Self { bytes, name, contents: vec![], password: None }
    }

    /// Returns the document as the library sees it.
    pub(crate) fn document(&self) -> Document<'_> {
        self.document_named(self.name.as_deref())
    }

    /// Returns the document as the library sees it, under another name.
    pub(crate) fn document_named<'a>(&'a self, name: Option<&'a str>) -> Document<'a> {
        let mut document = Document::new(self.bytes.get());
        if let Some(name) = name {
            document = document.named(name);
        }
        for (name, bytes) in &self.contents {
            document = document.with_content(name, bytes.get());
        }
        match &self.password {
            Some(password) => document.with_password(password),
            None => document,
        }
    }
}

/// Returns a path as the system spells it: any bytes on Unix, UTF-8 elsewhere.
pub(crate) fn path_of(path: &[u8]) -> Result<Cow<'_, Path>, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Ok(Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(path))))
    }
    #[cfg(not(unix))]
    {
        let text =
            std::str::from_utf8(path).map_err(|_| Failure::new(LACRE_ERROR_INVALID_UTF8, "path is not UTF-8"))?;
        Ok(Cow::Owned(std::path::PathBuf::from(text)))
    }
}

/// Maps a file; its bytes, and the last part of its path as a name.
fn open(path: &[u8]) -> Result<(Bytes, String), Failure> {
    let path = path_of(path)?;
    let bytes = FileBytes::open(&path)
        .map_err(|error| Failure::of(LACRE_ERROR_FILE, &error).about(&path.display().to_string()))?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok((Bytes::File(bytes), name))
}

/// Makes a document of bytes in memory. Nothing is copied.
///
/// Thread safety: any thread.
///
/// @param      document      Borrowed until the handle is freed; NULL only if document_len is 0. Must not change
///                           meanwhile.
/// @param      document_len  How many bytes it has.
/// @param[out] document_out  On LACRE_OK owned by the caller, freed with lacre_document_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_from_memory(
    document: *const u8,
    document_len: usize,
    document_out: *mut *mut lacre_document,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; `document` outlives the handle, hence `'static` to it.
    unsafe {
        run(error_out, || {
            let place = out_param(document_out, "document_out")?;
            let bytes: &'static [u8] = bytes(document, document_len, "document")?;
            place.set(lacre_document::new(Bytes::Borrowed(bytes), None));
            Ok(())
        })
    }
}

/// Makes a document of a file, which is mapped, not read: it may be larger than memory. Its name is the last part of
/// the path. While the handle lives, nobody may truncate the file.
///
/// Thread safety: any thread.
///
/// @param      path          NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
/// @param[out] document_out  On LACRE_OK owned by the caller, freed with lacre_document_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_from_file(
    path: *const c_char,
    document_out: *mut *mut lacre_document,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(document_out, "document_out")?;
            let (bytes, name) = open(ffi::c_string(path, "path")?)?;
            place.set(lacre_document::new(bytes, Some(name)));
            Ok(())
        })
    }
}

/// Gives the document a file name, for the report and for references by name.
///
/// Thread safety: one thread at a time may change a document, and none may use it meanwhile.
///
/// @param      document   The document.
/// @param      name       NUL-terminated UTF-8, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_set_name(
    document: *mut lacre_document,
    name: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let document = handle_mut(document, "document")?;
            document.name = Some(text(name, "name")?.to_owned());
            Ok(())
        })
    }
}

/// Gives the document a password, for an encrypted PDF file: the user's or the owner's. It is copied.
///
/// Thread safety: one thread at a time may change a document, and none may use it meanwhile.
///
/// @param      document      The document.
/// @param      password      Borrowed for the call; NULL only if password_len is 0.
/// @param      password_len  How many bytes it has.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_set_password(
    document: *mut lacre_document,
    password: *const u8,
    password_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let document = handle_mut(document, "document")?;
            document.password = Some(bytes(password, password_len, "password")?.to_vec());
            Ok(())
        })
    }
}

/// Adds a detached content: what the document's signatures sign without holding it. Nothing is copied.
///
/// Thread safety: one thread at a time may change a document, and none may use it meanwhile.
///
/// @param      document     The document.
/// @param      name         The content's file name: NUL-terminated UTF-8, borrowed for the call.
/// @param      content      Borrowed until the document is freed; NULL only if content_len is 0. Must not change
///                          meanwhile.
/// @param      content_len  How many bytes it has.
/// @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_add_content(
    document: *mut lacre_document,
    name: *const c_char,
    content: *const u8,
    content_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; `content` outlives the handle, hence `'static` to it.
    unsafe {
        run(error_out, || {
            let document = handle_mut(document, "document")?;
            let name = text(name, "name")?.to_owned();
            let content: &'static [u8] = bytes(content, content_len, "content")?;
            document.contents.push((name, Bytes::Borrowed(content)));
            Ok(())
        })
    }
}

/// Adds a detached content that is in a file, under the last part of its path. The file is mapped.
///
/// Thread safety: one thread at a time may change a document, and none may use it meanwhile.
///
/// @param      document   The document.
/// @param      path       NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_add_content_file(
    document: *mut lacre_document,
    path: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let document = handle_mut(document, "document")?;
            let (bytes, name) = open(ffi::c_string(path, "path")?)?;
            document.contents.push((name, bytes));
            Ok(())
        })
    }
}

/// Frees a document. What was borrowed by it is the caller's alone again.
///
/// Thread safety: any thread, as long as no other uses the document.
///
/// @param document  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup documents
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_document_free(document: *mut lacre_document) -> lacre_status {
    // SAFETY: `document` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(document) }
}
