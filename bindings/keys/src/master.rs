//! The key under which keys are sealed.

use lacre::signing::{CryptoRng, DigestAlgorithm, digest};
use std::fmt;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Bytes of an AES-256 key.
const LENGTH: usize = 32;
/// Bytes that tell master keys apart.
pub(crate) const CHECK: usize = 8;

/// A key of AES-256 that seals other keys; wiped when dropped, never printed.
pub struct MasterKey {
    key: Zeroizing<[u8; LENGTH]>,
    check: [u8; CHECK],
}

/// Why there is no master key.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum MasterKeyError {
    /// What should be the key is something else.
    #[error("{place}: found {found} characters, expected a master key of 64 hexadecimal digits")]
    Text {
        /// The file or variable.
        place: String,
        /// How long the text is; nothing else of it is told.
        found: usize,
    },
    /// The file cannot be read.
    #[error("{}: the master key cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file can be read by others than its owner and its group, or changed by its group.
    #[error(
        "{}: found mode {mode:03o}, expected a master key that only its owner (600) and, where the mode says so, its group can read (640, 440)",
        path.display()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The variable is not set, or is no text.
    #[error("the environment variable {0} is not set, expected a master key of 64 hexadecimal digits")]
    Variable(String),
}

impl MasterKey {
    /// Makes a new one.
    pub fn generate(randomness: &mut dyn CryptoRng) -> Self {
        let mut key = Zeroizing::new([0; LENGTH]);
        randomness.fill_bytes(&mut *key);
        Self::of(key)
    }

    /// Reads the file, which only its owner and its group may be able to read, and only its owner to change: 64
    /// hexadecimal digits.
    ///
    /// NOTE: credentials of systemd and secrets of orchestrators belong to root, and their group is the service's.
    pub fn from_file(path: &Path) -> Result<Self, MasterKeyError> {
        let failed = |source| MasterKeyError::File { path: path.to_owned(), source };
        #[cfg(unix)]
        {
            let metadata = std::fs::metadata(path).map_err(failed)?;
            let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
            if mode & 0o037 != 0 {
                return Err(MasterKeyError::Open { path: path.to_owned(), mode });
            }
        }
        let text = Zeroizing::new(std::fs::read(path).map_err(failed)?);
        Self::parse(&text).ok_or_else(|| MasterKeyError::Text { place: path.display().to_string(), found: text.len() })
    }

    /// Reads the environment variable: 64 hexadecimal digits.
    pub fn from_environment(name: &str) -> Result<Self, MasterKeyError> {
        let text = std::env::var(name).map_err(|_| MasterKeyError::Variable(name.to_owned()))?;
        let text = Zeroizing::new(text);
        Self::parse(text.as_bytes()).ok_or_else(|| MasterKeyError::Text { place: name.to_owned(), found: text.len() })
    }

    /// Returns the text that [`from_file`](Self::from_file) and [`from_environment`](Self::from_environment) read.
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity(2 * LENGTH));
        for byte in self.key.iter() {
            for half in [byte >> 4, byte & 15] {
                text.push(char::from_digit(half.into(), 16).expect("half a byte is one hexadecimal digit"));
            }
        }
        text
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        if text.len() != 2 * LENGTH {
            return None;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let mut key = Zeroizing::new([0; LENGTH]);
        for (byte, pair) in key.iter_mut().zip(text.chunks_exact(2)) {
            *byte = pair.iter().try_fold(0, |high, low| Some(high << 4 | digit(*low)?))?;
        }
        Some(Self::of(key))
    }

    fn of(key: Zeroizing<[u8; LENGTH]>) -> Self {
        let mut named = Zeroizing::new(b"lacre master key".to_vec());
        named.extend_from_slice(&*key);
        let whole = digest(DigestAlgorithm::Sha256, &named).expect("SHA-256 is always there");
        let mut check = [0; CHECK];
        check.iter_mut().zip(whole).for_each(|(byte, digest)| *byte = digest);
        Self { key, check }
    }

    /// Returns what it is called: some digits of its digest, which tell master keys apart and say nothing else about
    /// them.
    pub fn name(&self) -> String {
        self.check.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn bytes(&self) -> &[u8; LENGTH] {
        &self.key
    }

    /// Returns what tells master keys apart: 64 bits of a digest of 256 random bits, which say nothing else about them.
    pub(crate) fn check(&self) -> [u8; CHECK] {
        self.check
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_master_key() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("master");
        let digits = "0f".repeat(32);
        for (situation, text, mode, expected) in [
            ("64 digits", digits.clone(), 0o600, Ok(())),
            ("a line", format!("{digits}\n"), 0o400, Ok(())),
            ("capitals", digits.to_uppercase(), 0o600, Ok(())),
            ("too short", "0f".repeat(31), 0o600, Err("62 characters")),
            ("too long", "0f".repeat(33), 0o600, Err("66 characters")),
            ("no digit", format!("g{}", &digits[1..]), 0o600, Err("64 hexadecimal digits")),
            ("a sign is no digit", "+f".repeat(32), 0o600, Err("64 hexadecimal digits")),
            ("empty", String::new(), 0o600, Err("0 characters")),
            #[cfg(unix)]
            ("its group may read it", digits.clone(), 0o640, Ok(())),
            #[cfg(unix)]
            ("nobody may change it", digits.clone(), 0o440, Ok(())),
            #[cfg(unix)]
            ("its group may change it", digits.clone(), 0o660, Err("mode 660")),
            #[cfg(unix)]
            ("all may read it", digits.clone(), 0o644, Err("mode 644")),
            #[cfg(unix)]
            ("others may read it", digits.clone(), 0o604, Err("mode 604")),
        ] {
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, &text).expect("a file can be written");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("the file is ours");
            }
            #[cfg(not(unix))]
            let _ = mode;
            match (MasterKey::from_file(&path), expected) {
                (Ok(key), Ok(())) => assert_eq!(*key.to_text(), digits, "{situation}"),
                (Err(error), Err(expected)) => {
                    let told = error.to_string();
                    assert!(told.contains(expected), "{situation}: {told}");
                    assert!(text.len() < 8 || !told.contains(&text), "{situation}: the key is not told");
                }
                (found, expected) => panic!("{situation}: {found:?}, expected {expected:?}"),
            }
        }
        assert!(matches!(MasterKey::from_file(&folder.path().join("none")), Err(MasterKeyError::File { .. })));
        assert!(matches!(MasterKey::from_environment("LACRE_TEST_NOT_SET"), Err(MasterKeyError::Variable(_))));
        let _ = std::fs::remove_file(&path);
        let printed = format!("{:?}", MasterKey::parse(digits.as_bytes()));
        assert!(!printed.contains("0f") && !printed.contains("15"), "{printed}");
    }
}
