//! A key that a remote signing service keeps: `--csc` (CSC API v2).

use crate::error::CliError;
use crate::input;
use crate::online::NetworkArguments;
use crate::terminal;
use lacre::signing::{DigestAlgorithm, SignatureAlgorithm, SigningErrorCode};
use lacre_fetch::csc::{
    AccessToken, AuthorizationData, AuthorizationMode, AuthorizationObject, Credential, CscError, Hashes, OAuth,
    ServiceInfo, SigningService,
};
use lacre_fetch::{Fetcher, Limits, Session};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// Where the name and the secret of the client may stand instead of a file.
const LOGIN: &str = "LACRE_CSC_LOGIN";
/// Where a token may stand instead of a file.
const TOKEN: &str = "LACRE_CSC_TOKEN";
/// The method by which digests are authorised.
const AUTHORIZE: &str = "credentials/authorize";
/// How long before its end a token is not used any more.
const MARGIN: Duration = Duration::from_secs(30);

/// Which key of which service, and as whom.
#[derive(Debug, clap::Args)]
pub struct CscArguments {
    /// The private key at a remote signing service (CSC API v2), by the service's address, as in
    /// https://service.example/csc/v2. What the service returns is verified before anything is written.
    #[arg(long, value_name = "URL", group = "with")]
    csc: Option<String>,
    /// The name of the credential there. Default: the only one.
    #[arg(long, value_name = "ID", requires = "csc")]
    csc_credential: Option<String>,
    /// The name and the secret of the client that the service knows (OAuth 2.0 client credentials): a file of one line,
    /// NAME:SECRET. Default: the variable LACRE_CSC_LOGIN.
    #[arg(long, value_name = "FILE", env = "LACRE_CSC_LOGIN_FILE")]
    csc_login: Option<PathBuf>,
    /// An access token that was had elsewhere, in place of a login: a file of one line. Default: the variable
    /// LACRE_CSC_TOKEN.
    #[arg(long, value_name = "FILE", env = "LACRE_CSC_TOKEN_FILE")]
    csc_token: Option<PathBuf>,
    /// The address of the OAuth 2.0 server. Default: as the service says.
    #[arg(long, value_name = "URL", requires = "csc")]
    csc_oauth: Option<String>,
    /// What authorises a signature, such as PIN or OTP, by the name that the service has for it: a file of one line.
    /// Default: it is asked for on the terminal.
    #[arg(long, value_name = "NAME=FILE", requires = "csc", value_parser = named_file)]
    csc_auth: Vec<(String, PathBuf)>,
}

/// Reads a name and a file.
fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected a name and a file, as in PIN=pin.txt".into()),
    }
}

impl CscArguments {
    /// Opens the key, where one is named.
    pub fn open(&self, network: &NetworkArguments) -> Result<Option<RemoteKey>, CliError> {
        let Some(address) = &self.csc else { return Ok(None) };
        let fetcher = network.fetcher()?;
        let session = session(&fetcher);
        let service = SigningService::at(address);
        let info = service.info(&session).map_err(|error| refused(address, &error))?;
        let access = self.access(address, &info, &session)?;
        let service = service.with_token(access.token.clone());
        let id = match &self.csc_credential {
            Some(id) => id.clone(),
            None => only(address, service.credentials(&session, None).map_err(|error| refused(address, &error))?)?,
        };
        let credential = service.credential(&session, &id).map_err(|error| refused(address, &error))?;
        let authorises = match &credential.mode {
            AuthorizationMode::Explicit => true,
            AuthorizationMode::Implicit => info.has(AUTHORIZE),
            // RFC 6749: a token that was had in a browser authorises.
            AuthorizationMode::OAuth2Code if access.oauth.is_none() => false,
            AuthorizationMode::OAuth2Code => {
                let error =
                    format!("{address}: the credential {id} is authorised in a browser, expected a token of that");
                return Err(CliError::plain(error).hint(Some("--csc-token names a file with the token")));
            }
            other => {
                let error =
                    format!("{address}: the credential {id} is authorised in a way that is not known: {other:?}");
                return Err(CliError::plain(error));
            }
        };
        let data = self.csc_auth.iter().map(|(id, path)| Ok((id.clone(), input::secret_line(path)?)));
        let data = data.collect::<Result<Vec<_>, CliError>>()?;
        if let Some((id, _)) = data.iter().find(|(id, _)| !credential.objects.iter().any(|object| object.id == *id)) {
            let names: Vec<&str> = credential.objects.iter().map(|object| &object.id[..]).collect();
            let error = format!("{address}: found {id}, which the credential does not ask for");
            return Err(CliError::plain(error).hint(Some(format!("it asks for: {}", names.join(", ")))));
        }
        Ok(Some(RemoteKey { address: address.clone(), fetcher, access, credential, authorises, data }))
    }

    /// Returns who is known to the service, and by what.
    fn access(&self, address: &str, info: &ServiceInfo, session: &Session<'_>) -> Result<Access, CliError> {
        if let Some(token) = secret(self.csc_token.as_ref(), TOKEN)? {
            return Ok(Access { oauth: None, token: AccessToken::new(token.as_str()), until: None });
        }
        let Some(login) = secret(self.csc_login.as_ref(), LOGIN)? else {
            let error = CliError::plain(format!("{address}: nobody was named whom the service knows"));
            return Err(error.hint(Some("--csc-login names a file with the name and the secret of a client")));
        };
        let Some((client, password)) = login.split_once(':') else {
            return Err(CliError::plain("the login: found a line without a colon, expected NAME:SECRET"));
        };
        let Some(base) = self.csc_oauth.as_ref().or(info.oauth2.as_ref()) else {
            let error = CliError::plain(format!("{address}: the service names no OAuth 2.0 server, expected one"));
            return Err(error.hint(Some("--csc-oauth names it")));
        };
        let oauth = OAuth::at(base, client, Some(&Zeroizing::new(password.to_owned())));
        let oauth = oauth.map_err(|error| refused(base, &error))?;
        Access::of(oauth, session).map_err(|error| refused(base, &error))
    }
}

/// Reads a secret from a file, or from a variable.
fn secret(file: Option<&PathBuf>, variable: &str) -> Result<Option<Zeroizing<String>>, CliError> {
    match file {
        Some(path) => input::secret_line(path).map(Some),
        None => Ok(std::env::var(variable).ok().map(Zeroizing::new)),
    }
}

fn only(address: &str, ids: Vec<String>) -> Result<String, CliError> {
    match <[String; 1]>::try_from(ids) {
        Ok([id]) => Ok(id),
        Err(ids) => {
            let error = format!("{address}: found {} credentials, expected one", ids.len());
            let names: Vec<&str> = ids.iter().take(20).map(|id| &id[..]).collect();
            let hint = format!("--csc-credential names one of them: {}", names.join(", "));
            Err(CliError::plain(error).hint((!ids.is_empty()).then_some(hint)))
        }
    }
}

/// Returns a connection that waits for people who authorise on another device.
fn session(fetcher: &Fetcher) -> Session<'_> {
    let [patience, time] = [120, 300].map(Duration::from_secs);
    fetcher.session(Limits { patience, time, ..Limits::default() })
}

fn refused(address: &str, error: &CscError) -> CliError {
    let hint = match error {
        CscError::Fetch(_) => Some("--allow-address permits an address of the own network"),
        CscError::Algorithm { .. } => Some("--digest and --pss choose another algorithm"),
        _ => None,
    };
    CliError::plain(format!("{address}: {error} ({})", error.code())).coded(SigningErrorCode::KeyRefused).hint(hint)
}

/// A token, and how the next one is had.
struct Access {
    oauth: Option<OAuth>,
    token: AccessToken,
    until: Option<Instant>,
}

impl Access {
    fn of(oauth: OAuth, session: &Session<'_>) -> Result<Self, CscError> {
        let token = oauth.client_credentials(session)?;
        let until = token.expires_in().and_then(|time| Instant::now().checked_add(time.saturating_sub(MARGIN)));
        Ok(Self { oauth: Some(oauth), token, until })
    }
}

/// A key that a service keeps.
pub struct RemoteKey {
    address: String,
    fetcher: Fetcher,
    access: Access,
    credential: Credential,
    /// Whether digests are authorised by a call of their own.
    authorises: bool,
    /// What authorises, as far as it stands in files.
    data: Vec<(String, Zeroizing<String>)>,
}

impl RemoteKey {
    /// Returns the service's address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the credential.
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Returns how many digests it signs by one authorisation.
    pub fn at_once(&self) -> usize {
        usize::try_from(self.credential.multisign).unwrap_or(usize::MAX).max(1)
    }

    /// Checks that it signs by this algorithm.
    pub fn check(&self, algorithm: &SignatureAlgorithm) -> Result<(), CliError> {
        self.credential.check_algorithm(algorithm).map_err(|error| refused(&self.address, &error))
    }

    /// Gets digests of documents authorised, exactly these, and signed.
    pub fn sign(
        &mut self,
        algorithm: &SignatureAlgorithm,
        function: DigestAlgorithm,
        digests: Vec<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, CliError> {
        // What people type takes its time, which is not the service's.
        let data = if self.authorises { self.authorisation(digests.len())? } else { vec![] };
        self.signed(algorithm, function, digests, &data).map_err(|error| refused(&self.address, &error))
    }

    fn signed(
        &mut self,
        algorithm: &SignatureAlgorithm,
        function: DigestAlgorithm,
        digests: Vec<Vec<u8>>,
        data: &[AuthorizationData],
    ) -> Result<Vec<Vec<u8>>, CscError> {
        let session = session(&self.fetcher);
        if self.access.until.is_some_and(|until| until <= Instant::now())
            && let Some(oauth) = self.access.oauth.take()
        {
            self.access = Access::of(oauth, &session)?;
        }
        let service = SigningService::at(&self.address).with_token(self.access.token.clone());
        let hashes = Hashes::new(function, digests)?;
        let activation = match self.authorises {
            true => Some(service.authorize(&session, &self.credential, &hashes, data, None)?),
            false => None,
        };
        service.sign(&session, &self.credential, &hashes, algorithm, activation)
    }

    /// Returns what authorises: from files, else from the terminal.
    fn authorisation(&self, count: usize) -> Result<Vec<AuthorizationData>, CliError> {
        let value = |object: &AuthorizationObject| {
            let value = match self.data.iter().find(|(id, _)| *id == object.id) {
                Some((_, value)) => value.clone(),
                None => self.asked(object, count)?,
            };
            Ok(AuthorizationData { id: object.id.clone(), value })
        };
        self.credential.objects.iter().map(value).collect()
    }

    fn asked(&self, object: &AuthorizationObject, count: usize) -> Result<Zeroizing<String>, CliError> {
        let name = if object.label.is_empty() { &object.id } else { &object.label };
        let words = format!("{name}, for {count} signature{} at {}", if count == 1 { "" } else { "s" }, self.address);
        terminal::ask_secret(&words).map_err(|error| CliError::new(&self.address, &error))?.ok_or_else(|| {
            let error = format!("{}: found no {}, which authorises a signature", self.address, object.id);
            let hint = format!("--csc-auth {}=FILE names a file that holds it", object.id);
            CliError::plain(error).coded(SigningErrorCode::KeyRefused).hint(Some(hint))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_what_authorises() {
        assert_eq!(named_file("PIN=a=b"), Ok(("PIN".to_owned(), "a=b".into())));
        for wrong in ["PIN", "=a", "PIN=", ""] {
            assert!(named_file(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_credential_that_is_not_named_is_the_only_one() {
        assert_eq!(only("a", vec!["x".into()]).ok().as_deref(), Some("x"));
        for ids in [vec![], vec!["x".into(), "y".into()]] {
            assert!(only("a", ids).is_err());
        }
    }
}
