//! Access tokens of an OpenID Connect issuer: JWTs (RFC 7519) in the profile of RFC 9068.
//!
//! A token is believed when a key of the issuer's key set signed it, it is for this server, and it is not expired.
//! Then its subject is the user, and its claims say what a certificate will say of them.

mod jwk;
mod jwks;
mod jws;

pub use jwk::KeySet;
pub use jwks::Keys;

use crate::storage::{NotAUser, Person};
use jws::{Jws, JwsError};
use lacre::Time;
use serde::Deserialize;

/// Clocks differ; RFC 7519 §4.1.4 allows some minutes.
const LEEWAY: i64 = 60;

/// An issuer whose access tokens are accepted.
pub struct Issuer {
    /// Its name, as `iss` states it.
    pub name: String,
    /// This server's name, as `aud` states it.
    pub audience: String,
    /// The country of its users, where a token does not state it (ISO 3166-1 alpha-2).
    pub country: String,
    /// Its key set.
    pub keys: Keys,
}

/// Why a token is not believed. For the log: it states nothing that the token says of its holder.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    /// It is no signed JWT, or not signed by the issuer.
    #[error(transparent)]
    Jws(#[from] JwsError),
    /// The issuer's key set cannot be had.
    #[error("the issuer's key set: {0}")]
    Keys(String),
    /// A claim is missing or of another type.
    #[error("the claims: {0}")]
    Claims(serde_json::Error),
    /// It is of another issuer, for somebody else, or of another time.
    #[error("{claim}: found another than expected")]
    Claim {
        /// Which claim.
        claim: &'static str,
    },
    /// The subject cannot be a user.
    #[error(transparent)]
    Subject(#[from] NotAUser),
}

/// The claims of RFC 9068 §2.2, and of OpenID Connect Core §5.1 about a person.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    exp: f64,
    #[serde(default)]
    nbf: f64,
    sub: String,
    given_name: String,
    family_name: String,
    #[serde(default)]
    address: Address,
}

/// RFC 7519 §4.1.3: one name or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn has(&self, name: &str) -> bool {
        match self {
            Self::One(one) => one == name,
            Self::Several(several) => several.iter().any(|one| one == name),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
struct Address {
    country: Option<String>,
}

impl Issuer {
    /// Returns the person whose token this is.
    pub async fn person(&self, token: &str, now: Time) -> Result<Person, OidcError> {
        let jws = Jws::read(token)?;
        let mut keys = self.keys.known().await?;
        if keys.find(&jws).is_none() {
            // RFC 9068 §4: keys change.
            keys = self.keys.renewed().await?;
        }
        let claims = jws.verified(&keys)?;
        self.believe(serde_json::from_slice(&claims).map_err(OidcError::Claims)?, now)
    }

    /// Checks what a token claims, and returns whose it is: RFC 9068 §4, RFC 7519 §4.1.
    fn believe(&self, claims: Claims, now: Time) -> Result<Person, OidcError> {
        let now = now.seconds();
        let checks = [
            ("iss", claims.iss == self.name),
            ("aud", claims.aud.has(&self.audience)),
            ("exp", claims.exp > (now - LEEWAY) as f64),
            ("nbf", claims.nbf <= (now + LEEWAY) as f64),
        ];
        if let Some((claim, _)) = checks.into_iter().find(|(_, holds)| !holds) {
            return Err(OidcError::Claim { claim });
        }
        let country = claims.address.country.unwrap_or_else(|| self.country.clone());
        Ok(Person {
            user: claims.sub.parse()?,
            // EN 319 412-1 §5.1.3: an identifier of a scheme of one's own has two letters and a colon.
            serial_number: format!("LO:{country}-{}", claims.sub),
            country,
            given_name: claims.given_name,
            surname: claims.family_name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims() {
        let set = || KeySet::from_json(br#"{"keys":[]}"#).unwrap();
        let issuer = Issuer {
            name: "https://issuer".into(),
            audience: "lacre".into(),
            country: "PT".into(),
            keys: Keys::fixed(set()),
        };
        let good = r#""iss":"https://issuer","aud":["x","lacre"],"exp":1000,"sub":"ana","given_name":"Ana","family_name":"Sá""#;
        for (clause, claims, expected) in [
            ("RFC 9068 4", good.to_owned(), None),
            ("RFC 7519 4.1.3", good.replace(r#"["x","lacre"]"#, r#""lacre""#), None),
            ("RFC 9068 4: iss", good.replace("https://issuer", "https://other"), Some("iss")),
            ("RFC 9068 4: aud", good.replace("lacre", "other"), Some("aud")),
            ("RFC 9068 4: exp", good.replace("1000", "900"), Some("exp")),
            ("RFC 7519 4.1.5", format!(r#"{good},"nbf":1100"#), Some("nbf")),
        ] {
            let claims = serde_json::from_str(&format!("{{{claims}}}")).unwrap();
            match issuer.believe(claims, Time::from_seconds(1000)) {
                Ok(person) => assert_eq!((person.user.as_str(), expected), ("ana", None), "{clause}"),
                Err(OidcError::Claim { claim }) => assert_eq!(Some(claim), expected, "{clause}"),
                Err(error) => panic!("{clause}: {error}"),
            }
        }
    }
}
