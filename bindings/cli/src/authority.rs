//! Who makes time-stamps: `--tsa`, or `--tsa-key` with `--tsa-certificate`.

use crate::error::CliError;
use crate::input;
use crate::issue::{Secrets, key};
use crate::online::NetworkArguments;
use crate::trust::certificate;
use lacre::Time;
use lacre::issuance::{Certificate, Issuer, Locations, TimestampQuery, TimestampUnit};
use lacre::signing::{DigestAlgorithm, SigningErrorCode, SigningKey};
use lacre_fetch::{Credentials, Fetcher, Limits, TimestampAuthority, TimestampError};
use lacre_keys::KeyLocation;
use std::path::{Path, PathBuf};

/// Bytes of room for a token of an authority of which nothing is known.
const UNKNOWN: usize = 32 * 1024;
/// Bytes by which a token may be longer than another one of the same unit.
const SLACK: usize = 64;

/// Who makes time-stamps, and how.
#[derive(Debug, clap::Args)]
pub struct AuthorityArguments {
    /// The address of a time-stamping authority (RFC 3161). Several are asked in their order, until one answers; none
    /// is asked without need.
    #[arg(long, value_name = "URL", conflicts_with_all = ["tsa_key", "tsa_pkcs11"])]
    tsa: Vec<String>,
    /// The digest function of time-stamps. Default: SHA256, which every authority knows.
    #[arg(long, value_name = "NAME", value_parser = digest_function)]
    tsa_digest: Option<DigestAlgorithm>,
    /// The policy under which the authority is to stamp. Default: its own choice.
    #[arg(long, value_name = "OID", requires = "tsa")]
    tsa_policy: Option<String>,
    /// Send no nonce, to an authority that refuses requests with one.
    #[arg(long, requires = "tsa")]
    no_nonce: bool,
    /// The name and the password by which the authority knows you: a file of one line, NAME:PASSWORD. They are sent
    /// over TLS only.
    #[arg(long, value_name = "FILE", requires = "tsa")]
    tsa_login: Option<PathBuf>,
    /// The private key of a time-stamping unit of your own, which stamps without a network: PKCS#8, or sealed.
    #[arg(long, value_name = "KEY", requires = "tsa_certificate", conflicts_with = "tsa_pkcs11")]
    tsa_key: Option<PathBuf>,
    /// The same in a PKCS#11 token.
    #[arg(long, value_name = "MODULE/TOKEN/LABEL", requires = "tsa_certificate")]
    tsa_pkcs11: Option<KeyLocation>,
    /// The certificate of that unit.
    #[arg(long, value_name = "CERT")]
    tsa_certificate: Option<PathBuf>,
}

/// Returns a digest function by its name.
pub fn digest_function(name: &str) -> Result<DigestAlgorithm, String> {
    DigestAlgorithm::from_name(name).ok_or_else(|| "no such digest function; expected SHA256, SHA384, SHA512 …".into())
}

impl AuthorityArguments {
    /// Returns whether anybody is named.
    pub fn is_given(&self) -> bool {
        !self.tsa.is_empty() || self.tsa_key.is_some() || self.tsa_pkcs11.is_some()
    }

    /// Returns whether it is asked over the network, so that its time is the real one.
    pub fn is_remote(&self) -> bool {
        !self.tsa.is_empty()
    }

    /// Returns the digest function of time-stamps.
    pub fn digest(&self) -> DigestAlgorithm {
        self.tsa_digest.unwrap_or(DigestAlgorithm::Sha256)
    }

    /// Opens the authority that is named, if any.
    pub fn open(&self, network: &NetworkArguments, secrets: &Secrets) -> Result<Authority, CliError> {
        if let Some(path) = self.tsa_certificate.as_deref().filter(|_| !self.is_remote()) {
            let key = key::open(self.tsa_key.as_deref(), self.tsa_pkcs11.as_ref(), None, secrets)?;
            let certificate = certificate(path)?;
            // That the key is the certificate's is known before anything is signed.
            Issuer::new(certificate.clone(), &*key, Locations::default())
                .map_err(|error| CliError::new(path.display(), &error))?;
            return Ok(Authority::Own { key, certificate });
        }
        if self.tsa.is_empty() {
            return Ok(Authority::None);
        }
        let login = self.tsa_login.as_deref().map(credentials).transpose()?;
        let authority = |url: &String| {
            let mut authority = TimestampAuthority::at(url);
            if let Some(login) = &login {
                authority = authority.with_credentials(login.clone());
            }
            if let Some(policy) = &self.tsa_policy {
                authority = authority.with_policy(policy);
            }
            if self.no_nonce { authority.without_nonce() } else { authority }
        };
        Ok(Authority::Remote { fetcher: network.fetcher()?, authorities: self.tsa.iter().map(authority).collect() })
    }
}

/// Reads `NAME:PASSWORD`.
fn credentials(path: &Path) -> Result<Credentials, CliError> {
    let text = input::secret_line(path)?;
    let (user, password) = text.split_once(':').ok_or_else(|| {
        CliError::plain(format!("{}: found a line without a colon, expected NAME:PASSWORD", path.display()))
    })?;
    Ok(Credentials::Basic { user: user.to_owned(), password: password.to_owned().into() })
}

/// Somebody who makes time-stamps, or nobody.
pub enum Authority {
    /// Nobody is named.
    None,
    /// A unit of our own.
    Own { key: Box<dyn SigningKey>, certificate: Certificate },
    /// Authorities that are asked over the network.
    Remote { fetcher: Fetcher, authorities: Vec<TimestampAuthority> },
}

impl Authority {
    /// Returns how many bytes are to be reserved for a token, in a file that is laid out before it is made.
    pub fn room(&self, function: DigestAlgorithm, now: Time) -> usize {
        match self {
            // One of ours is as long as the next, but for some bytes of the value.
            Self::Own { key, certificate } => {
                let imprint = vec![0; function.length()];
                own(&**key, certificate, function, &imprint, now).map_or(UNKNOWN, |token| token.len() + SLACK)
            }
            Self::None | Self::Remote { .. } => UNKNOWN,
        }
    }

    /// Returns a time-stamp token over a digest, of now. What else was noticed is added to `notes`.
    pub fn token(
        &self,
        function: DigestAlgorithm,
        imprint: &[u8],
        now: Time,
        notes: &mut Vec<String>,
    ) -> Result<Vec<u8>, CliError> {
        match self {
            Self::None => {
                let hint = "--tsa names one; --tsa-key and --tsa-certificate are one of your own";
                let error = CliError::plain("a time-stamp is needed, and no authority is named that makes one");
                Err(error.coded(SigningErrorCode::TsaUnreachable).hint(Some(hint)))
            }
            Self::Own { key, certificate } => own(&**key, certificate, function, imprint, now),
            Self::Remote { fetcher, authorities } => {
                let session = fetcher.session(Limits::default());
                let stamp = session.timestamp(authorities, function, imprint, now).map_err(|error| refused(&error))?;
                notes.extend(stamp.failures.iter().map(|failure| format!("no time-stamp from {failure}")));
                Ok(stamp.token)
            }
        }
    }
}

fn own(
    key: &dyn SigningKey,
    certificate: &Certificate,
    function: DigestAlgorithm,
    imprint: &[u8],
    now: Time,
) -> Result<Vec<u8>, CliError> {
    let cli_error = |error: lacre::issuance::Error| CliError::new("the time-stamping unit", &error);
    if !certificate.is_valid_at(now) {
        let (from, to) = (certificate.not_before(), certificate.not_after());
        let found = format!("the time-stamping unit's certificate is valid from {from} to {to}, expected at {now}");
        return Err(CliError::plain(found).coded(SigningErrorCode::TsaCertificate));
    }
    let query = TimestampQuery::new(function, imprint)
        .ok_or_else(|| CliError::plain(format!("found an imprint of {} bytes for {function}", imprint.len())))?;
    let unit = Issuer::new(certificate.clone(), key, Locations::default()).map_err(cli_error)?;
    TimestampUnit::new(unit).token(&query, now, &mut key::randomness()).map_err(cli_error)
}

/// Makes the error that says why no authority gave a time-stamp, in one line, with the advice about the last one.
fn refused(error: &TimestampError) -> CliError {
    let each: Vec<String> = error.failures.iter().map(ToString::to_string).collect();
    let hint = error.failures.last().map(|failure| failure.error.hint());
    CliError::plain(format!("no time-stamp: {}", each.join("; "))).coded(error.code()).hint(hint)
}
