//! Trusted lists: files, folders, snapshots.

use crate::failure::Failure;
use crate::input::{Source, moment};
use crate::work;
use lacre::decode_pem;
use lacre::trust::{self, LotlSigningCertificates};
use lacre_core::x509::Certificate;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::num::NonZero;
use std::thread;

/// The lists of a folder or of a snapshot.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct TrustedLists {
    pub(crate) lists: trust::TrustedLists,
}

/// A file of a folder: its name, itself, and when it was written, in milliseconds since 1970.
type File = (String, Source, Option<i64>);

#[pymethods]
impl TrustedLists {
    /// Reads the lists in these files, the list of lists among them, which one of `signers` signed; by default one of
    /// those that are announced in the Official Journal. They are read on all cores.
    #[staticmethod]
    fn assemble(py: Python<'_>, files: Vec<File>, signers: Vec<Source>) -> PyResult<Self> {
        let lists = work::run(py, || {
            let announcement = announcement(&signers)?;
            Ok(trust::TrustedLists::assemble(sources(&files)?, &announcement))
        })?;
        Ok(Self { lists })
    }

    /// Reads the lists of a snapshot, which one of `packed_by` signed, where any is given.
    #[staticmethod]
    fn from_snapshot(py: Python<'_>, snapshot: Source, packed_by: Vec<Source>) -> PyResult<Self> {
        let lists = work::run(py, || {
            let wrong = |error: &dyn std::error::Error| Failure::new("INVALID_TRUSTED_LISTS", error);
            let lists = trust::TrustedLists::from_snapshot(&snapshot.open()?).map_err(|error| wrong(&error))?;
            if !packed_by.is_empty() {
                let packers = certificates(&packed_by)?;
                let theirs = lists.require_snapshot_signer(&packers).map_err(|error| wrong(&error));
                theirs.map_err(|failure| failure.with_hint(Some("`packed_by` names who packed it")))?;
            }
            Ok(lists)
        })?;
        Ok(Self { lists })
    }

    fn to_snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let snapshot = work::run(py, || Ok(self.lists.to_snapshot()))?;
        Ok(PyBytes::new(py, &snapshot))
    }

    /// Returns what each file is, and whether it can be relied on; lists that are pointed at and absent: JSON.
    fn states(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let written = |error| Failure::new("INTERNAL", &error);
        Ok(work::run(py, || {
            let states = serde_json::to_string(self.lists.states()).map_err(written)?;
            Ok((states, serde_json::to_string(self.lists.missing()).map_err(written)?))
        })?)
    }

    /// Returns how many lists can be relied on.
    fn trusted(&self) -> usize {
        self.lists.trusted()
    }

    /// Returns when the newest list was issued: milliseconds since 1970.
    fn newest_issue(&self) -> Option<i64> {
        self.lists.newest_issue().map(lacre::Time::millis)
    }
}

/// Returns whether a file begins as a snapshot of trusted lists.
#[pyfunction]
pub(crate) fn is_snapshot(bytes: &[u8]) -> bool {
    trust::TrustedLists::is_snapshot(bytes)
}

/// Returns the certificates that may sign the list of lists.
pub(crate) fn announcement(signers: &[Source]) -> Result<LotlSigningCertificates, Failure> {
    match signers {
        [] => Ok(LotlSigningCertificates::official_journal()),
        signers => Ok(LotlSigningCertificates::of(&certificates(signers)?)),
    }
}

/// Reads certificates, DER or PEM.
pub(crate) fn certificates(sources: &[Source]) -> Result<Vec<Certificate>, Failure> {
    sources.iter().map(certificate).collect()
}

/// Reads a certificate, DER or PEM.
pub(crate) fn certificate(source: &Source) -> Result<Certificate, Failure> {
    let certificate = Certificate::from_der(&decode_pem(&source.open()?));
    certificate.map_err(|error| Failure::new("INVALID_EVIDENCE", &error))
}

/// Reads every file as a list, in the order given.
fn sources(files: &[File]) -> Result<Vec<trust::Source>, Failure> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let share = files.len().div_ceil(workers).max(1);
    let read = |(name, source, written): &File| Ok(trust::read(name, &source.open()?, written.map(moment)));
    thread::scope(|scope| {
        let shares = files.chunks(share).map(|share| scope.spawn(move || share.iter().map(read).collect::<Vec<_>>()));
        let shares: Vec<_> = shares.collect();
        let defect = |_| vec![Err(Failure::plain("INTERNAL", "a defect of lacre: reading a list panicked"))];
        shares.into_iter().flat_map(|share| share.join().unwrap_or_else(defect)).collect()
    })
}
