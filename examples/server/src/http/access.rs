//! Who is calling: an access token in `X-AUTH-TOKEN`, or as `Authorization: Bearer`.

use super::failure::Failure;
use crate::app::App;
use crate::clock;
use crate::config::ValidationToken;
use crate::oidc::Issuer;
use crate::registry::{AccessError, Registry};
use crate::storage::{Person, TokenId, User};
use crate::token::Refusal;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use lacre::Time;
use std::sync::Arc;

/// The header that the documented interface has.
pub const TOKEN_HEADER: &str = "x-auth-token";

/// The person whose token came with the request; without one that is accepted the handler is not reached.
#[derive(Debug, Clone)]
pub struct Caller(pub Person);

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        person(&parts.headers, app).await.map(Self)
    }
}

/// Whoever wants to sign. Their token may be known from before; that it was revoked since is found before anything is
/// handed out: a signature by the audit log, an error by [`Signer::told`].
#[derive(Debug, Clone)]
pub struct Signer {
    /// The person.
    pub user: User,
    /// Their token, where it is one of ours.
    pub token: Option<TokenId>,
}

impl FromRequestParts<Arc<App>> for Signer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let (registry, token, now) =
            (app.registry()?, token(&parts.headers).ok_or(Failure::Unauthorized)?, clock::now());
        if let Some(issuer) = issuer(app, token) {
            // In a box: whoever asks an issuer takes much room, and few do.
            let person = Box::pin(foreign(registry, issuer, token, now)).await?;
            return Ok(Self { user: person.user, token: None });
        }
        let record = registry.signer_of(token, now).await.map_err(refused)?;
        Ok(Self { user: record.person.user.clone(), token: Some(record.id) })
    }
}

impl Signer {
    /// Returns what came of their request. What is wrong with it is told only to those whose token still is good.
    ///
    /// # Errors
    ///
    /// 401 where it is not.
    pub async fn told<T, E: From<Failure>>(&self, app: &App, done: Result<T, E>) -> Result<T, E> {
        if let (Err(_), Some(token)) = (&done, self.token) {
            app.registry()?.still_good(token, clock::now()).await.map_err(refused)?;
        }
        done
    }
}

/// That the caller may validate: anybody, or holders of a token, as configured.
#[derive(Debug, Clone, Copy)]
pub struct MayValidate;

impl FromRequestParts<Arc<App>> for MayValidate {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        if app.validation_token == ValidationToken::Required {
            person(&parts.headers, app).await?;
        }
        Ok(Self)
    }
}

async fn person(headers: &HeaderMap, app: &App) -> Result<Person, Failure> {
    let registry = app.registry()?;
    let token = token(headers).ok_or(Failure::Unauthorized)?;
    let now = clock::now();
    match issuer(app, token) {
        Some(issuer) => Box::pin(foreign(registry, issuer, token, now)).await,
        None => registry.user_of(token, now).await.map_err(refused),
    }
}

/// Returns who issues such tokens: those of our own have no dot, a JWT has two (RFC 7515 §3.1).
fn issuer<'a>(app: &'a App, token: &str) -> Option<&'a Issuer> {
    app.oidc.as_ref().filter(|_| token.contains('.'))
}

async fn foreign(registry: &Registry, issuer: &Issuer, token: &str, now: Time) -> Result<Person, Failure> {
    match issuer.person(token, now).await {
        Ok(person) => Ok(person),
        Err(error) => {
            tracing::info!(%error, "access token refused");
            Err(refused(registry.token_refused(Refusal::Oidc, now).await))
        }
    }
}

fn refused(error: AccessError) -> Failure {
    match error {
        AccessError::Refused(_) => Failure::Unauthorized,
        AccessError::Storage(error) => Failure::internal(error),
    }
}

/// Returns the token; where both headers are there, that of the documented interface.
fn token(headers: &HeaderMap) -> Option<&str> {
    let stated = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = || {
        // RFC 9110 §11.1: the scheme's name in any case.
        let (scheme, token) = stated(AUTHORIZATION.as_str())?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
    };
    stated(TOKEN_HEADER).or_else(bearer).filter(|token| !token.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_tokens_stand() {
        for (situation, headers, expected) in [
            ("documented", &[("x-auth-token", "a")][..], Some("a")),
            ("RFC 6750 2.1", &[("authorization", "Bearer b")], Some("b")),
            ("RFC 9110 11.1", &[("authorization", "bearer b")], Some("b")),
            ("both", &[("authorization", "Bearer b"), ("x-auth-token", "a")], Some("a")),
            ("another scheme", &[("authorization", "Basic b")], None),
            ("empty", &[("x-auth-token", "")], None),
            ("none", &[], None),
        ] {
            let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            assert_eq!(token(&HeaderMap::from_iter(headers)), expected, "{situation}");
        }
    }
}
