//! Private keys: in files, sealed files, PKCS#11 tokens.

use crate::error::CliError;
use crate::input;
use lacre::signing::{DigestAlgorithm, KeyKind, PrivateKeyError, SigningKey, SoftwareKey, digest};
use lacre_keys::{KeyLocation, Label, MasterKey, Pin, Pkcs11, TokenError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Where a master key may stand instead of a file.
const MASTER_KEY: &str = "LACRE_MASTER_KEY";
/// Where a PIN may stand instead of a file.
const PIN: &str = "LACRE_PKCS11_PIN";
/// Where a key's password may stand instead of a file.
const PASSWORD: &str = "LACRE_KEY_PASSWORD";

/// What opens keys that are kept under lock.
#[derive(Debug, clap::Args)]
pub struct Secrets {
    /// The key under which files with private keys are sealed: 64 hexadecimal digits. New keys are sealed where it is
    /// given. Default: the variable LACRE_MASTER_KEY, for sealed keys that are there already.
    #[arg(long, env = "LACRE_MASTER_KEY_FILE", value_name = "FILE", global = true)]
    master_key: Option<PathBuf>,
    /// The PIN of the PKCS#11 token: a file of one line. Default: the variable LACRE_PKCS11_PIN.
    #[arg(long, env = "LACRE_PKCS11_PIN_FILE", value_name = "FILE", global = true)]
    pin_file: Option<PathBuf>,
    /// The password of encrypted private keys (PKCS#8, PKCS#12): a file of one line. Default: the variable
    /// LACRE_KEY_PASSWORD.
    #[arg(long, env = "LACRE_KEY_PASSWORD_FILE", value_name = "FILE", global = true)]
    key_password_file: Option<PathBuf>,
}

/// The private key of whoever a certificate is for.
#[derive(Debug, clap::Args)]
pub struct Key {
    /// The private key: PKCS#8, DER or PEM, encrypted too, or sealed.
    #[arg(long, value_name = "FILE", required_unless_present = "pkcs11", conflicts_with = "pkcs11")]
    key: Option<PathBuf>,
    #[command(flatten)]
    more: More,
}

/// The same, where there may be a request instead.
#[derive(Debug, clap::Args)]
pub struct Optional {
    /// The private key: PKCS#8, DER or PEM, encrypted too, or sealed.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["request", "pkcs11"], conflicts_with = "pkcs11")]
    key: Option<PathBuf>,
    #[command(flatten)]
    more: More,
}

/// Where the key is, if in no file, and whether it is to be made.
#[derive(Debug, clap::Args)]
struct More {
    /// The private key in a PKCS#11 token: the module's file, the token's label, the key's label.
    #[arg(long, value_name = "MODULE/TOKEN/LABEL")]
    pkcs11: Option<KeyLocation>,
    /// Make a new key of this kind and keep it there: ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, ed448,
    /// rsa-3072, rsa-4096, ecdsa-brainpoolp256r1, ecdsa-brainpoolp384r1, ml-dsa-44, ml-dsa-65 or ml-dsa-87.
    #[arg(long, value_name = "KIND")]
    new_key: Option<KeyKind>,
}

/// The private key of an issuer.
#[derive(Debug, clap::Args)]
pub struct IssuerKey {
    /// The issuer's private key: PKCS#8, DER or PEM, or sealed.
    #[arg(long, value_name = "KEY", required_unless_present = "issuer_pkcs11", conflicts_with = "issuer_pkcs11")]
    issuer_key: Option<PathBuf>,
    /// The issuer's private key in a PKCS#11 token: the module's file, the token's label, the key's label.
    #[arg(long, value_name = "MODULE/TOKEN/LABEL")]
    issuer_pkcs11: Option<KeyLocation>,
}

impl Key {
    pub fn open(&self, secrets: &Secrets) -> Result<Box<dyn SigningKey>, CliError> {
        self.more.open(self.key.as_deref(), secrets)
    }
}

impl Optional {
    pub fn open(&self, secrets: &Secrets) -> Result<Box<dyn SigningKey>, CliError> {
        self.more.open(self.key.as_deref(), secrets)
    }
}

impl More {
    fn open(&self, file: Option<&Path>, secrets: &Secrets) -> Result<Box<dyn SigningKey>, CliError> {
        open(file, self.pkcs11.as_ref(), self.new_key, secrets)
    }
}

impl IssuerKey {
    pub fn open(&self, secrets: &Secrets) -> Result<Box<dyn SigningKey>, CliError> {
        open(self.issuer_key.as_deref(), self.issuer_pkcs11.as_ref(), None, secrets)
    }
}

pub fn open(
    file: Option<&Path>,
    token: Option<&KeyLocation>,
    new: Option<KeyKind>,
    secrets: &Secrets,
) -> Result<Box<dyn SigningKey>, CliError> {
    match (file, token, new) {
        (_, Some(location), new) => in_token(location, new, secrets),
        (Some(path), None, None) => Ok(Box::new(read(path, secrets)?)),
        (Some(path), None, Some(kind)) => Ok(Box::new(make(path, kind, secrets)?)),
        (None, None, _) => Err(CliError::plain("no key was given")),
    }
}

fn in_token(location: &KeyLocation, new: Option<KeyKind>, secrets: &Secrets) -> Result<Box<dyn SigningKey>, CliError> {
    let cli_error = |e: TokenError| CliError::new(location.label.as_str(), &e);
    let token = Pkcs11::open(&location.token, secrets.pin()?).map_err(cli_error)?;
    let key = match new {
        None => token.find(&location.label).map_err(cli_error)?,
        // Labels may repeat in a token; two keys of one label would never be found again.
        Some(_) if !matches!(token.find(&location.label), Err(TokenError::Key { kind: "private", found: 0, .. })) => {
            return Err(CliError::plain(format!("{}: the token has a key of this label already", location.label)));
        }
        Some(kind) => token.make(kind, &location.label, &mut randomness()).map_err(cli_error)?,
    };
    Ok(Box::new(key))
}

fn make(path: &Path, kind: KeyKind, secrets: &Secrets) -> Result<SoftwareKey, CliError> {
    let cli_error = |e: PrivateKeyError| CliError::new(path.display(), &e);
    let key = SoftwareKey::generate(kind, &mut randomness()).map_err(cli_error)?;
    let written = match &secrets.master_key {
        Some(_) => {
            let sealed = lacre_keys::seal(&key, &secrets.master()?, &label(&key), &mut randomness());
            write(path, &sealed.map_err(|e| CliError::new(path.display(), &e))?)
        }
        None => write(path, &key.to_pkcs8().map_err(cli_error)?),
    };
    written.map_err(|e| CliError::new(path.display(), &e))?;
    Ok(key)
}

/// Returns the label of a key in a file, which is known by its public half.
fn label(key: &SoftwareKey) -> Label {
    let digest = digest(DigestAlgorithm::Sha256, key.public_key().spki()).unwrap_or_default();
    Label::new("file", digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Writes a new file that only its owner can read; a key that is there already is never written over.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(bytes)
}

/// Reads a private key.
fn read(path: &Path, secrets: &Secrets) -> Result<SoftwareKey, CliError> {
    let bytes = input::open(path)?;
    match lacre_keys::label(&bytes) {
        Some(label) => {
            lacre_keys::unseal(&bytes, &secrets.master()?, &label).map_err(|e| CliError::new(path.display(), &e))
        }
        None => secrets.opened(path, &bytes),
    }
}

impl Secrets {
    fn master(&self) -> Result<MasterKey, CliError> {
        let key = match &self.master_key {
            Some(path) => MasterKey::from_file(path),
            None => MasterKey::from_environment(MASTER_KEY),
        };
        key.map_err(|e| CliError::new("the master key", &e))
    }

    /// Opens a private key that may be encrypted.
    fn opened(&self, path: &Path, bytes: &[u8]) -> Result<SoftwareKey, CliError> {
        let password = self.key_password()?;
        SoftwareKey::read(bytes, password.as_ref().map(|password| password.as_bytes())).map_err(|error| {
            let hint = matches!(error, PrivateKeyError::Encrypted | PrivateKeyError::Password);
            CliError::new(path.display(), &error).hint(hint.then_some("--key-password-file names a file that holds it"))
        })
    }

    /// Returns the password of encrypted keys, where there is one.
    pub fn key_password(&self) -> Result<Option<Zeroizing<String>>, CliError> {
        match &self.key_password_file {
            Some(path) => input::secret_line(path).map(Some),
            None => Ok(std::env::var(PASSWORD).ok().map(Zeroizing::new)),
        }
    }

    fn pin(&self) -> Result<Pin, CliError> {
        let pin = match &self.pin_file {
            Some(path) => Pin::from_file(path),
            None => Pin::from_environment(PIN),
        };
        pin.map_err(|e| CliError::new("the PIN", &e))
    }
}

/// Returns the system's randomness: the command is where it is asked for.
pub fn randomness() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
