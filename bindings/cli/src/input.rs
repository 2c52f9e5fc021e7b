//! What the arguments name: files, times, policies.

use crate::error::CliError;
use lacre::{Document, Policy, Time, policy::CryptographicSuite};
use lacre_map::FileBytes;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Opens a file; `-` is the standard input.
pub fn open(path: &Path) -> Result<FileBytes, CliError> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| CliError::new("standard input", &e))?;
        return Ok(bytes.into());
    }
    FileBytes::open(path).map_err(|e| CliError::new(path.display(), &e))
}

/// Reads the first line of a file that holds a secret.
pub fn secret_line(path: &Path) -> Result<Zeroizing<String>, CliError> {
    let text = std::fs::read_to_string(path).map_err(|e| CliError::new(path.display(), &e))?;
    let text = Zeroizing::new(text);
    Ok(Zeroizing::new(text.lines().next().unwrap_or_default().to_owned()))
}

/// Returns the last part of a path, as the name of a document.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Checks that none of `outputs`, as far as they are there, is one of the files.
///
/// # Errors
///
/// Names the output that is.
pub fn check_not_among(files: &[PathBuf], outputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), CliError> {
    let regular = |path: &Path| path.is_file().then(|| path.canonicalize().ok()).flatten();
    let mut existing = outputs.into_iter().filter_map(|output| regular(output.as_ref())).peekable();
    if existing.peek().is_none() {
        return Ok(());
    }
    let files: HashSet<PathBuf> = files.iter().filter_map(|file| regular(file)).collect();
    match existing.find(|output| files.contains(output)) {
        Some(output) => {
            Err(CliError::plain(format!("{} is one of the files, and would be written over", output.display())))
        }
        None => Ok(()),
    }
}

/// Returns the time of this moment: the command is where the clock is read.
pub fn now() -> Time {
    Time::from_millis(jiff::Timestamp::now().as_millisecond())
}

/// What goes with a document: `--content` and `--password`.
pub struct DocumentOptions {
    contents: Vec<(String, FileBytes)>,
    password: Option<Vec<u8>>,
}

impl DocumentOptions {
    /// Opens the contents.
    pub fn open(contents: &[PathBuf], password: Option<&str>) -> Result<Self, CliError> {
        let contents = contents.iter().map(|path| Ok((name(path), open(path)?)));
        Ok(Self {
            contents: contents.collect::<Result<_, CliError>>()?,
            password: password.map(|password| password.as_bytes().to_vec()),
        })
    }

    /// Adds the contents and the password to a document.
    pub fn apply<'a>(&'a self, mut document: Document<'a>) -> Document<'a> {
        for (name, content) in &self.contents {
            document = document.with_content(name, content);
        }
        match &self.password {
            Some(password) => document.with_password(password),
            None => document,
        }
    }
}

/// `--policy` and `--crypto-suite`.
#[derive(Debug, clap::Args)]
pub struct PolicyArguments {
    /// A validation policy: a DSS constraint file, or `dss` for the default policy of EU DSS 6.5. Default: the built-in
    /// one for eIDAS, which is stricter.
    #[arg(long, value_name = "FILE|NAME")]
    policy: Option<PathBuf>,
    /// Cryptographic suites to judge algorithms by, in place of the policy's: TS 119 322, XML or JSON.
    #[arg(long, value_name = "FILE")]
    crypto_suite: Option<PathBuf>,
}

impl PolicyArguments {
    /// Returns whether one of them is there.
    pub fn is_given(&self) -> bool {
        self.policy.is_some() || self.crypto_suite.is_some()
    }

    pub fn read(&self) -> Result<Policy, CliError> {
        let policy = match &self.policy {
            Some(path) => match path.to_str().and_then(Policy::named) {
                Some(policy) => policy,
                None => Policy::from_bytes(&open(path)?).map_err(|e| CliError::new(path.display(), &e))?,
            },
            None => Policy::eidas(),
        };
        match &self.crypto_suite {
            Some(path) => {
                let suite = CryptographicSuite::from_bytes(&open(path)?);
                Ok(policy.with_suite(suite.map_err(|e| CliError::new(path.display(), &e))?))
            }
            None => Ok(policy),
        }
    }
}
