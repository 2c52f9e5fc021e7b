//! Maps a file read-only, for the command, the C library and the server.
//!
//! A signed file may be larger than memory; only its digests flow. This crate is
//! the one place besides the C bindings where `unsafe` is allowed, for the one
//! call that needs it.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A file's bytes. Small files are read, larger ones mapped.
#[derive(Debug)]
pub struct FileBytes(Inner);

#[derive(Debug)]
enum Inner {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// Below this length reading is as fast as mapping, and immune to changes of the file meanwhile.
const MAP_FROM: u64 = 1 << 20;

impl FileBytes {
    /// Opens the file at `path`.
    ///
    /// # Errors
    ///
    /// Whatever the operating system says when the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() && metadata.len() >= MAP_FROM {
            // SAFETY: the map is read-only and private to this value. Another process that
            // truncates the file while it is mapped makes reads beyond its new end fail with
            // SIGBUS, as with every mapped file: a crash of this process, never a wrong read
            // of its memory. Changed bytes are only ever compared with digests.
            let map = unsafe { memmap2::Mmap::map(&file)? };
            // Advice only: a system that does not take it reads the same bytes.
            #[cfg(unix)]
            let _ = map.advise(memmap2::Advice::Sequential);
            return Ok(Self(Inner::Mapped(map)));
        }
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut { file }, &mut bytes)?;
        Ok(Self(Inner::Read(bytes)))
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Inner::Read(bytes))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Inner::Read(bytes) => bytes,
            Inner::Mapped(map) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn reads_small_and_maps_large_files() {
        let folder = std::env::temp_dir().join(format!("lacre-map-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for length in [0, 10, (MAP_FROM + 3) as usize] {
            let path = folder.join(length.to_string());
            let expected: Vec<u8> = (0..length).map(|i| i as u8).collect();
            File::create(&path).unwrap().write_all(&expected).unwrap();
            let bytes = FileBytes::open(&path).unwrap();
            assert_eq!(&*bytes, &expected[..]);
            assert_eq!(matches!(bytes.0, Inner::Mapped(_)), length as u64 >= MAP_FROM);
        }
        assert!(FileBytes::open(&folder.join("missing")).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
