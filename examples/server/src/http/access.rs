//! Who is calling: an access token in `X-AUTH-TOKEN`, or as `Authorization: Bearer`.

use super::failure::Failure;
use crate::app::App;
use crate::clock;
use crate::config::ValidationToken;
use crate::registry::AccessError;
use crate::storage::Person;
use crate::token::Refusal;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

/// The header that the documented interface has.
pub const TOKEN_HEADER: &str = "x-auth-token";

/// The person whose token came with the request; without one that is accepted the handler is not reached.
#[derive(Debug, Clone)]
pub struct Caller(pub Person);

impl FromRequestParts<App> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        person(&parts.headers, app).await.map(Self)
    }
}

/// That the caller may validate: anybody, or holders of a token, as configured.
#[derive(Debug, Clone, Copy)]
pub struct MayValidate;

impl FromRequestParts<App> for MayValidate {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
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
    let person = match &app.oidc {
        // Three parts and two dots: RFC 7515 §3.1. Tokens of our own have no dot.
        Some(issuer) if token.contains('.') => match issuer.person(token, now).await {
            Ok(person) => Ok(person),
            Err(error) => {
                tracing::info!(%error, "access token refused");
                Err(registry.token_refused(Refusal::Oidc, now).await)
            }
        },
        _ => registry.user_of(token, now).await,
    };
    person.map_err(|error| match error {
        AccessError::Refused(_) => Failure::Unauthorized,
        AccessError::Storage(error) => Failure::internal(error),
    })
}

/// The token; where both headers are there, that of the documented interface.
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
