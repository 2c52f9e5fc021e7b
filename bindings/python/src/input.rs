//! What is handed in: files by their paths, and bytes, which are borrowed from Python.

use crate::failure::Failure;
use lacre::{Document, Time};
use lacre_map::FileBytes;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::ops::Deref;
use std::path::PathBuf;

/// Bytes that are not read yet.
pub(crate) enum Source {
    /// Those of a file.
    Path(PathBuf),
    /// Those of a `bytes` of Python, which nobody can change; they are not copied.
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes.to_owned().into())),
            Err(_) => Ok(Self::Path(object.extract()?)),
        }
    }
}

/// Bytes that are there.
pub(crate) enum Opened<'s> {
    File(FileBytes),
    Bytes(&'s [u8]),
}

impl Source {
    /// Opens the file. One of a megabyte or more is mapped, as the command does it.
    pub(crate) fn open(&self) -> Result<Opened<'_>, Failure> {
        match self {
            Self::Path(path) => match FileBytes::open(path) {
                Ok(bytes) => Ok(Opened::File(bytes)),
                Err(error) => Err(Failure::file(path, error)),
            },
            Self::Bytes(bytes) => Ok(Opened::Bytes(bytes)),
        }
    }
}

impl Deref for Opened<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::File(bytes) => bytes,
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A document and what stands beside it: the document, its name, contents with their names, the password.
#[derive(FromPyObject)]
pub(crate) struct Input(Source, Option<String>, Vec<(String, Source)>, Option<PyBackedBytes>);

impl Input {
    /// Opens all of it, and hands the document over.
    pub(crate) fn with<T>(&self, use_it: impl FnOnce(&Document<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let Self(source, name, contents, password) = self;
        let bytes = source.open()?;
        let contents = contents.iter().map(|(name, source)| Ok((name, source.open()?)));
        let contents = contents.collect::<Result<Vec<_>, Failure>>()?;
        let mut document = Document::new(&bytes);
        if let Some(name) = name {
            document = document.named(name);
        }
        for (name, content) in &contents {
            document = document.with_content(*name, content);
        }
        if let Some(password) = password {
            document = document.with_password(password);
        }
        use_it(&document)
    }
}

/// Milliseconds since 1970 as a moment.
pub(crate) fn moment(millis: i64) -> Time {
    Time::from_millis(millis)
}
