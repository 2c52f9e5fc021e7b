//! Tokens of OAuth 2.0 (RFC 6749): client credentials, and the authorisation code with PKCE (RFC 7636). The protocol is
//! the `oauth2` crate's; requests go through a [`Session`].

use super::{CscError, Hashes};
use crate::exchange::{Question, short};
use crate::{Credentials, FetchError, Session};
use oauth2::basic::{BasicClient, BasicErrorResponse, BasicTokenResponse};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, TokenResponse as _, TokenUrl,
};
use std::fmt;
use std::time::Duration;
use ureq::http::HeaderValue;
use ureq::http::header::AUTHORIZATION;
use url::Url;
use zeroize::Zeroizing;

/// Bytes of the longest answer.
const LONGEST: u64 = 1 << 20;

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// The OAuth 2.0 server of a service, and who its client is.
pub struct OAuth {
    client: Client,
}

/// A token. Wiped when dropped, never printed.
#[derive(Clone)]
pub struct AccessToken {
    token: Zeroizing<String>,
    expires_in: Option<Duration>,
}

/// What a token is to allow.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// The use of the service.
    Service,
    /// One signature with a credential: over exactly these digests.
    Credential {
        /// The name of the credential.
        id: &'a str,
        /// The digests.
        hashes: &'a Hashes,
    },
}

/// An authorisation that the user has yet to give, in a browser.
pub struct Pending {
    /// Where the browser is to go.
    pub url: String,
    redirect: RedirectUrl,
    state: CsrfToken,
    verifier: PkceCodeVerifier,
}

impl AccessToken {
    /// Takes a token that was had elsewhere.
    pub fn new(token: impl Into<String>) -> Self {
        Self { token: Zeroizing::new(token.into()), expires_in: None }
    }

    /// Returns how long it is good for, where the server said.
    pub fn expires_in(&self) -> Option<Duration> {
        self.expires_in
    }

    pub(super) fn header(&self) -> Result<HeaderValue, FetchError> {
        Credentials::Bearer(self.token.clone()).header()
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

impl fmt::Debug for OAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OAuth(…)")
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pending(…)")
    }
}

impl OAuth {
    /// Makes the server at `base`, as `info` names it, with `/oauth2/authorize` and `/oauth2/token` below it, and the
    /// client that is known there.
    ///
    /// # Errors
    ///
    /// [`FetchError::Address`] where it is no address.
    pub fn at(base: &str, client_id: &str, secret: Option<&Zeroizing<String>>) -> Result<Self, CscError> {
        let address = |path: &str| format!("{}/oauth2/{path}", base.trim_end_matches('/'));
        let client = BasicClient::new(ClientId::new(client_id.to_owned()))
            .set_auth_uri(AuthUrl::new(address("authorize")).map_err(FetchError::from)?)
            .set_token_uri(TokenUrl::new(address("token")).map_err(FetchError::from)?);
        Ok(Self {
            client: match secret {
                Some(secret) => client.set_client_secret(ClientSecret::new(secret.to_string())),
                None => client,
            },
        })
    }

    /// Asks for a token for the client itself: RFC 6749 §4.4.
    ///
    /// # Errors
    ///
    /// [`CscError`] where the server refuses, or does not answer.
    pub fn client_credentials(&self, session: &Session<'_>) -> Result<AccessToken, CscError> {
        let scope = oauth2::Scope::new("service".into());
        let asked = self.client.exchange_client_credentials().add_scope(scope);
        asked.request(&|request| send(session, request)).map(token).map_err(refused)
    }

    /// Begins an authorisation by the user: RFC 6749 §4.1.1, RFC 7636 §4.3. `redirect` is where the browser is sent
    /// afterwards.
    ///
    /// # Errors
    ///
    /// [`FetchError::Address`] where `redirect` is no address.
    pub fn begin(&self, redirect: &str, scope: Scope<'_>) -> Result<Pending, CscError> {
        let redirect = RedirectUrl::new(redirect.to_owned()).map_err(FetchError::from)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut asked = self.client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
        asked = asked.set_redirect_uri(std::borrow::Cow::Owned(redirect.clone()));
        asked = match scope {
            Scope::Service => asked.add_scope(oauth2::Scope::new("service".into())),
            Scope::Credential { id, hashes } => asked
                .add_scope(oauth2::Scope::new("credential".into()))
                .add_extra_param("credentialID", id.to_owned())
                .add_extra_param("numSignatures", hashes.len().to_string())
                .add_extra_param("hashes", hashes.base64url())
                .add_extra_param("hashAlgorithmOID", hashes.function().oid()),
        };
        let (url, state) = asked.url();
        Ok(Pending { url: url.into(), redirect, state, verifier })
    }

    /// Ends an authorisation: `returned` is the address to which the browser was sent, with its parameters. RFC 6749
    /// §4.1.2, §4.1.3.
    ///
    /// # Errors
    ///
    /// [`CscError::Redirect`] where the address is of another authorisation; [`CscError::Service`] where the user or
    /// the server refused; [`CscError`] where the server does not answer.
    pub fn finish(&self, session: &Session<'_>, pending: Pending, returned: &str) -> Result<AccessToken, CscError> {
        let returned = Url::parse(returned).map_err(FetchError::from)?;
        let only = |name: &str| {
            let mut values = returned.query_pairs().filter(|(key, _)| key == name).map(|(_, value)| value);
            values.next().filter(|_| values.next().is_none()).map(std::borrow::Cow::into_owned)
        };
        // RFC 6749 §10.12: what another page sent the browser to is looked at no further.
        if only("state").map(CsrfToken::new).as_ref() != Some(&pending.state) {
            let found = "of another authorisation (state)".to_owned();
            return Err(CscError::Redirect { found, expected: "the one that was begun" });
        }
        if let Some(error) = only("error") {
            let description = only("error_description").unwrap_or_default();
            return Err(CscError::Service { status: 302, error: short(&error), description: short(&description) });
        }
        let missing = || CscError::Redirect { found: "without a code".into(), expected: "a code" };
        let code = AuthorizationCode::new(only("code").ok_or_else(missing)?);
        let asked = self.client.exchange_code(code).set_pkce_verifier(pending.verifier);
        let asked = asked.set_redirect_uri(std::borrow::Cow::Owned(pending.redirect));
        asked.request(&|request| send(session, request)).map(token).map_err(refused)
    }
}

/// Sends a request of the crate, whose body holds a secret.
fn send(session: &Session<'_>, request: HttpRequest) -> Result<HttpResponse, FetchError> {
    let authorization = request.headers().get(AUTHORIZATION).cloned().map(|mut value| {
        value.set_sensitive(true);
        value
    });
    let (head, body) = request.into_parts();
    let body = Zeroizing::new(body);
    let answer = session.exchange(&Question {
        address: &head.uri.to_string(),
        content_type: "application/x-www-form-urlencoded",
        accept: "application/json",
        authorization,
        is_secret: true,
        content: &body,
        longest: LONGEST,
    })?;
    match answer.head.status().as_u16() {
        // RFC 6749 §5.2: what the server says in JSON, the crate reads.
        200 | 400 | 401 => {
            let (parts, ()) = answer.head.into_parts();
            Ok(HttpResponse::from_parts(parts, answer.bytes))
        }
        status => {
            answer.success()?;
            Err(FetchError::Status { status })
        }
    }
}

fn token(answer: BasicTokenResponse) -> AccessToken {
    AccessToken { token: Zeroizing::new(answer.access_token().secret().clone()), expires_in: answer.expires_in() }
}

fn refused(error: RequestTokenError<FetchError, BasicErrorResponse>) -> CscError {
    match error {
        RequestTokenError::ServerResponse(answer) => CscError::Service {
            status: 400,
            error: short(answer.error().as_ref()),
            description: short(answer.error_description().map_or("", String::as_str)),
        },
        RequestTokenError::Request(error) => CscError::Fetch(error),
        // What cannot be read may hold a token, and is not repeated.
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => CscError::Answer {
            method: "oauth2/token",
            found: "other than the protocol has".into(),
            expected: "a JSON object of RFC 6749 §5",
        },
    }
}
