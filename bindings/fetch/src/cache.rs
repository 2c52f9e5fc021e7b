//! The cache of responses on disk: RFC 9111.
//!
//! A file holds the response from one address and is named by the SHA-256 of the address: a line with the header fields
//! that govern caching, then the body. Files are replaced by renaming, so that a reader finds a complete one or none. A
//! file that cannot be read is ignored.

use http_cache_semantics::{AfterResponse, CacheOptions, CachePolicy};
use lacre_core::algorithm::DigestAlgorithm;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;
use ureq::http::{Request, Response};

/// A folder of cached responses.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    written: AtomicU64,
}

/// The most files in a cache; the oldest are removed. A user who validates every day meets a few hundred addresses.
const FILES: usize = 4_000;
/// The most bytes in a cache; the oldest files are removed.
const BYTES: u64 = 1 << 30;
/// The number of files written before the folder is searched for old ones.
const BETWEEN_LOOKS: u64 = 64;

/// A cached response.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub policy: CachePolicy,
    pub body: Vec<u8>,
}

impl Stored {
    pub fn new(request: &Request<()>, head: &Response<()>, body: Vec<u8>) -> Self {
        // For one user, not a shared proxy: what is `private` may be kept, too.
        let options = CacheOptions { shared: false, ..CacheOptions::default() };
        Self { policy: CachePolicy::new_options(request, head, SystemTime::now(), options), body }
    }

    /// Updates the stored header fields of a body that the server confirmed: RFC 9111 §4.3.4.
    pub fn renewed(self, request: &Request<()>, head: &Response<()>, now: SystemTime) -> Self {
        match self.policy.after_response(request, head, now) {
            AfterResponse::NotModified(policy, _) => Self { policy, ..self },
            // A 304 that names no version: there was one copy to ask about.
            AfterResponse::Modified(..) => self,
        }
    }
}

impl Cache {
    /// Returns the cache in that folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// When the folder can be neither found nor made.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, written: AtomicU64::new(0) })
    }

    fn path(&self, address: &str) -> PathBuf {
        let digest = lacre_core::crypto::digest(DigestAlgorithm::Sha256, address.as_bytes()).unwrap_or_default();
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name)
    }

    pub(crate) fn find(&self, address: &str) -> Option<Stored> {
        let mut file = fs::read(self.path(address)).ok()?;
        let line = file.iter().position(|byte| *byte == b'\n')?;
        let (policy, of): (CachePolicy, String) = serde_json::from_slice(file.get(..line)?).ok()?;
        file.drain(..=line);
        (of == address).then_some(Stored { policy, body: file })
    }

    /// Stores a response. One that cannot be written is not cached, and fetched again the next time.
    pub(crate) fn store(&self, address: &str, stored: &Stored) {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let Ok(mut file) = serde_json::to_vec(&(&stored.policy, address)) else { return };
        file.push(b'\n');
        file.extend_from_slice(&stored.body);
        let _ = replace(&self.path(address), &file);
        if number.is_multiple_of(BETWEEN_LOOKS) {
            self.shrink();
        }
    }

    /// Removes the oldest files until the rest is within the bounds.
    fn shrink(&self) {
        let entry = |entry: fs::DirEntry| {
            let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((about.modified().ok()?, about.len(), entry.path()))
        };
        let Ok(listed) = fs::read_dir(&self.folder) else { return };
        let mut files: Vec<_> = listed.flatten().filter_map(entry).collect();
        files.sort();
        let (mut count, mut bytes) = (files.len(), files.iter().map(|(_, length, _)| length).sum::<u64>());
        for (_, length, path) in files {
            if count <= FILES && bytes <= BYTES {
                break;
            }
            let _ = fs::remove_file(path);
            (count, bytes) = (count - 1, bytes - length);
        }
    }
}

/// Replaces a file by renaming a new one: a reader finds the old file or the new one, complete.
///
/// # Errors
///
/// The error of the operating system.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}-{number}", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}
