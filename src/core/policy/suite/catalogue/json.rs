//! The JSON form: TS 119 322 annex B.

use super::*;
use serde::Deserialize;

pub(super) fn read(text: &str) -> Result<Catalogue, SuiteError> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what).to_owned();
        SuiteError::Json { line: error.line(), column: error.column(), what }
    })?;
    Ok(file.policy.catalogue())
}

#[derive(Deserialize)]
struct File {
    // The schema's own name for the type occurs in the section of the member's.
    #[serde(rename = "SecuritySuitabilityPolicy", alias = "SecuritySuitabilityPolicyType")]
    policy: Policy,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Policy {
    policy_name: PolicyName,
    #[serde(default)]
    policy_issue_date: Option<Date>,
    algorithm: Vec<Algorithm>,
    #[serde(default, rename = "Signature")]
    _signature: Option<Signature>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PolicyName {
    name: String,
}

/// A signature is an object or the text of one; anything else is none.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a signature is a text or an object")]
enum Signature {
    Text(#[allow(dead_code, reason = "only the form is asked for")] String),
    Object(#[allow(dead_code, reason = "only the form is asked for")] serde_json::Map<String, serde_json::Value>),
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Algorithm {
    algorithm_identifier: AlgorithmIdentifier,
    evaluation: OneOrMany<EvaluationObject>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct AlgorithmIdentifier {
    #[serde(default)]
    name: String,
    #[serde(default, alias = "Objectidentifier")]
    object_identifier: OneOrMany<String>,
    #[serde(default, rename = "URI")]
    uri: OneOrMany<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct EvaluationObject {
    #[serde(default)]
    parameter: OneOrMany<Parameter>,
    #[serde(default)]
    validity: Validity,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    #[serde(rename = "name")]
    name: String,
    #[serde(default)]
    min: Option<Bits>,
    #[serde(default)]
    max: Option<Bits>,
}

/// A number, which some catalogues write as a text.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "serde_json::Value")]
struct Bits(u32);

impl TryFrom<serde_json::Value> for Bits {
    type Error = String;

    fn try_from(value: serde_json::Value) -> Result<Self, String> {
        let number = match &value {
            serde_json::Value::String(text) => text.trim().parse().ok(),
            other => other.as_u64().and_then(|number| u32::try_from(number).ok()),
        };
        number.map(Self).ok_or_else(|| format!("`{}` is not a number of bits", shortened(&value.to_string())))
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase")]
struct Validity {
    #[serde(default)]
    start: Option<Date>,
    #[serde(default)]
    end: Option<Date>,
}

struct Date(Time);

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        date(&text).map(Self).map_err(serde::de::Error::custom)
    }
}

/// Published catalogues leave the brackets away around a single value.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    Many(Vec<T>),
    One(T),
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(vec![])
    }
}

impl<T> OneOrMany<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            Self::Many(all) => all,
            Self::One(one) => vec![one],
        }
    }
}

impl Policy {
    fn catalogue(self) -> Catalogue {
        let algorithms = self.algorithm.into_iter().map(|algorithm| {
            let identifier = algorithm.algorithm_identifier;
            let identifier = Identifier {
                name: identifier.name,
                oids: identifier.object_identifier.into_vec(),
                uris: identifier.uri.into_vec(),
            };
            (identifier, algorithm.evaluation.into_vec().into_iter().filter_map(EvaluationObject::evaluation).collect())
        });
        Catalogue {
            name: Some(self.policy_name.name),
            issued: self.policy_issue_date.map(|date| date.0),
            algorithms: algorithms.collect(),
        }
    }
}

impl EvaluationObject {
    /// Returns `None` for one that is about a parameter that we do not understand.
    fn evaluation(self) -> Option<Evaluation> {
        let parameters = self.parameter.into_vec();
        if !parameters.iter().all(|parameter| is_understood(&parameter.name)) {
            return None;
        }
        let key = parameters.iter().filter(|parameter| is_key_length(&parameter.name));
        let (mut minimum, mut maximum) = (0, None);
        for parameter in key {
            minimum = parameter.min.map_or(0, |bits| bits.0);
            maximum = parameter.max.map(|bits| bits.0);
        }
        let period = self.validity;
        Some(Evaluation { minimum, maximum, start: period.start.map(|d| d.0), end: period.end.map(|d| d.0) })
    }
}
