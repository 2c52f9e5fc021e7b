//! Private keys in files.

use crate::input;
use crate::talk::Trouble;
use lacre::crypto::{KeyKind, PublicKey, SigningKey as _, SoftwareKey};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The private key of whoever a certificate is for.
#[derive(Debug, clap::Args)]
pub struct Key {
    /// The private key: PKCS#8, DER or PEM.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Make a new key of this kind and write it there: ecdsa-p256, ecdsa-p384, rsa-3072 or rsa-4096.
    #[arg(long, value_name = "KIND")]
    new_key: Option<KeyKind>,
}

/// The same, where there may be a request instead.
#[derive(Debug, clap::Args)]
pub struct Optional {
    /// The private key: PKCS#8, DER or PEM.
    #[arg(long, value_name = "FILE", required_unless_present = "request")]
    key: Option<PathBuf>,
    /// Make a new key of this kind and write it there: ecdsa-p256, ecdsa-p384, rsa-3072 or rsa-4096.
    #[arg(long, value_name = "KIND", requires = "key")]
    new_key: Option<KeyKind>,
}

impl Key {
    pub fn open(&self) -> Result<SoftwareKey, Trouble> {
        open(&self.key, self.new_key)
    }
}

impl Optional {
    pub fn open(&self) -> Result<SoftwareKey, Trouble> {
        let path = self.key.as_deref().ok_or_else(|| Trouble::plain("neither a key nor a request was given"))?;
        open(path, self.new_key)
    }
}

fn open(path: &Path, new: Option<KeyKind>) -> Result<SoftwareKey, Trouble> {
    let Some(kind) = new else { return read(path) };
    let wrong = |e: lacre::crypto::PrivateKeyError| Trouble::new(path.display(), &e);
    let key = SoftwareKey::generate(kind, &mut randomness()).map_err(wrong)?;
    write(path, &key.to_pkcs8().map_err(wrong)?).map_err(|e| Trouble::new(path.display(), &e))?;
    Ok(key)
}

/// A new file that only its owner can read; a key that is there already is never written over.
fn write(path: &Path, octets: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(octets)
}

/// Reads a private key.
pub fn read(path: &Path) -> Result<SoftwareKey, Trouble> {
    let octets = input::open(path)?;
    SoftwareKey::from_pkcs8(&lacre::document::unarmored(&octets)).map_err(|e| Trouble::new(path.display(), &e))
}

pub fn public(key: &SoftwareKey) -> &PublicKey {
    key.public_key()
}

/// The system's randomness: the command is where it is asked for.
pub fn randomness() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
