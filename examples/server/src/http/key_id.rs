//! A key's id in JSON: a number; or text, as numbers end at 2^53 in JavaScript and ids do not.

use super::failure::Failure;
use super::problem;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

/// How answers state ids: `?keyIds=text`, or `number`, which is what they do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyIds {
    /// As numbers.
    #[default]
    Number,
    /// As text.
    Text,
}

impl KeyIds {
    fn read(query: &str) -> Result<Self, Failure> {
        match query.split('&').find_map(|pair| pair.strip_prefix("keyIds=")) {
            None | Some("number") => Ok(Self::Number),
            Some("text") => Ok(Self::Text),
            Some(_) => Err(Failure::of(problem::BAD_PARAMETER, "keyIds: expected number or text")),
        }
    }

    /// Returns an id as it is to be stated.
    pub fn state(self, id: u64) -> JsonKeyId {
        JsonKeyId { id, form: self }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for KeyIds {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Self::read(parts.uri.query().unwrap_or_default())
    }
}

/// A key's id in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonKeyId {
    /// The id.
    pub id: u64,
    form: KeyIds,
}

impl Serialize for JsonKeyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.form {
            KeyIds::Number => serializer.serialize_u64(self.id),
            KeyIds::Text => serializer.collect_str(&self.id),
        }
    }
}

/// Either form is read, whatever answers are to have.
impl<'de> Deserialize<'de> for JsonKeyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = JsonKeyId;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an integer from 1 to 2^63 - 1, or its digits as text")
            }

            fn visit_u64<E: Error>(self, id: u64) -> Result<JsonKeyId, E> {
                Ok(KeyIds::Number.state(id))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<JsonKeyId, E> {
                let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                let id = digits.then(|| text.parse().ok()).flatten();
                id.map(|id| KeyIds::Text.state(id)).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Returns both forms, for the description.
pub fn schema() -> RefOr<Schema> {
    let number = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(1_u64))
        .maximum(Some(9_223_372_036_854_775_807_u64));
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[1-9][0-9]{0,18}$"));
    let both = OneOfBuilder::new().item(number).item(text);
    both.description(Some("A key of the caller: a number above 2^53, or its digits as text")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for (json, expected) in [
            ("1", Some(KeyIds::Number.state(1))),
            ("9223372036854775807", Some(KeyIds::Number.state(i64::MAX as u64))),
            (r#""9223372036854775807""#, Some(KeyIds::Text.state(i64::MAX as u64))),
            (r#""""#, None),
            (r#""+1""#, None),
            (r#""1 ""#, None),
            (r#""99999999999999999999""#, None),
            ("1.5", None),
            ("-1", None),
            ("null", None),
        ] {
            let found = serde_json::from_str::<JsonKeyId>(json).ok();
            assert_eq!(found, expected, "{json}");
            if let Some(found) = found {
                assert_eq!(serde_json::to_string(&found).unwrap(), json);
            }
        }
    }

    #[test]
    fn queries() {
        for (query, expected) in [
            ("", Some(KeyIds::Number)),
            ("a=b&keyIds=text", Some(KeyIds::Text)),
            ("keyIds=number", Some(KeyIds::Number)),
            ("keyIds=", None),
            ("keyIds=hexadecimal", None),
        ] {
            assert_eq!(KeyIds::read(query).ok(), expected, "{query}");
        }
    }
}
