//! Replays: the report of a bundle again, and the differences.

use super::manifest::sha256;
use super::schema;
use super::{Bundle, BundleError};
use crate::document::Document;
use crate::facts::Facts;
use crate::policy::Policy;
use crate::report::Report;
use crate::validator::{Validator, judge};
use serde_json::Value;
use std::collections::BTreeSet;

/// The most differences that are reported.
const REPORTED: usize = 100;

/// The result of a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The report.
    pub report: Report,
    /// The first hundred differences between this report, and its facts, and those of the bundle.
    pub differences: Vec<Difference>,
}

/// A difference between a replay and its bundle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: was {was}, is {is}")]
pub struct Difference {
    /// The path to it in the JSON of the report or the facts.
    pub place: String,
    /// The value in the bundle, as JSON.
    pub was: String,
    /// The value now, as JSON.
    pub is: String,
}

impl Bundle {
    /// Judges the facts of the bundle again, under its policy and for its validation time.
    ///
    /// # Errors
    ///
    /// [`BundleError::Unreadable`] where the facts or the policy cannot be read.
    pub fn replay(&self) -> Result<Replay, BundleError> {
        Ok(self.judged(self.facts()?, &self.policy()?))
    }

    /// Reads the document again with the trust anchors, trusted lists and validation data of the bundle, and judges it.
    ///
    /// # Errors
    ///
    /// [`BundleError::OtherDocument`] where it, or a content supplied with it, is not the one that was judged;
    /// otherwise as for [`Bundle::replay`], or [`BundleError::Document`].
    pub fn replay_with(&self, document: &Document<'_>) -> Result<Replay, BundleError> {
        self.check_document(document)?;
        let mut validator = Validator::new(self.policy()?);
        for anchor in &self.manifest.trust_anchors {
            validator = validator.trust_anchor(self.bytes(anchor))?;
        }
        if let Some(snapshot) = &self.manifest.trusted_lists {
            validator = self.with_lists(validator, snapshot)?;
        }
        self.read_again(document, validator)
    }

    /// Reads the document again with the validation data of the bundle, and judges it by the trust and the policy of
    /// `expected`. Whom the bundle's author trusted and `expected` does not is among the differences.
    ///
    /// # Errors
    ///
    /// As for [`Bundle::replay_with`].
    pub fn replay_trusting(&self, document: &Document<'_>, expected: &Validator) -> Result<Replay, BundleError> {
        self.check_document(document)?;
        self.read_again(document, expected.clone())
    }

    #[cfg(feature = "trusted-lists")]
    fn with_lists(&self, validator: Validator, snapshot: &str) -> Result<Validator, BundleError> {
        let lists = crate::trust::TrustedLists::from_bundle(self.bytes(snapshot));
        Ok(validator.trusted_lists(&lists.map_err(|error| self.unreadable(snapshot, &error))?))
    }

    #[cfg(not(feature = "trusted-lists"))]
    fn with_lists(&self, _: Validator, snapshot: &str) -> Result<Validator, BundleError> {
        let what = "found trusted lists, which this build of lacre does not read".to_owned();
        Err(BundleError::Unreadable { entry: self.manifest.name(snapshot), what })
    }

    /// Checks that the document and its contents are those that were judged.
    fn check_document(&self, document: &Document<'_>) -> Result<(), BundleError> {
        let then = std::iter::once(&self.manifest.document).chain(&self.manifest.contents);
        let now = std::iter::once(document.bytes()).chain(document.contents().iter().map(|c| c.bytes));
        let mut now = now.map(sha256);
        for expected in then {
            let found = now.next().unwrap_or_else(|| "of nothing".into());
            if found != expected.sha256 {
                return Err(BundleError::OtherDocument { found, expected: expected.sha256.clone() });
            }
        }
        Ok(())
    }

    /// Reads the document with the validation data of the bundle, and compares the facts, too.
    fn read_again(&self, document: &Document<'_>, mut validator: Validator) -> Result<Replay, BundleError> {
        for evidence in &self.manifest.evidence {
            validator = validator.evidence(self.bytes(evidence))?;
        }
        let facts = validator.facts(document, self.manifest.validation_time)?;
        // Both as they are read: facts of an earlier version state the same in other fields.
        let stored = self.facts()?;
        let mut differences = differences("facts", stored.to_json().as_bytes(), facts.to_json().as_bytes());
        let mut replay = self.judged(facts, validator.policy());
        differences.append(&mut replay.differences);
        differences.truncate(REPORTED);
        Ok(Replay { differences, ..replay })
    }

    fn judged(&self, facts: Facts, policy: &Policy) -> Replay {
        let report = judge(facts, policy, self.manifest.validation_time).in_language(self.manifest.language);
        let differences = of_reports(self.report(), report.to_json().as_bytes());
        Replay { report, differences }
    }
}

/// Returns the differences between the report of a bundle and that of its replay. Where the bundle's is of an earlier schema,
/// these are differences of what both schemas state in the same way.
fn of_reports(was: &[u8], is: &[u8]) -> Vec<Difference> {
    match (serde_json::from_slice::<Value>(was), serde_json::from_slice::<Value>(is)) {
        (Ok(mut was), Ok(mut is)) if schema::is_earlier(&was) => {
            schema::reduce(&mut was);
            schema::reduce(&mut is);
            let mut found = vec![];
            compare("report".to_owned(), &was, &is, &mut found);
            found
        }
        _ => differences("report", was, is),
    }
}

fn differences(name: &str, was: &[u8], is: &[u8]) -> Vec<Difference> {
    let mut found = vec![];
    if was != is {
        let read = |bytes| serde_json::from_slice(bytes).unwrap_or(Value::Null);
        let (was_value, is_value): (Value, Value) = (read(was), read(is));
        compare(name.to_owned(), &was_value, &is_value, &mut found);
        if was_value == is_value {
            // The same values, written otherwise.
            let digest = |bytes| format!("bytes with the SHA-256 {}", sha256(bytes));
            found.push(Difference { place: name.to_owned(), was: digest(was), is: digest(is) });
        }
    }
    found
}

/// Compares two values and adds their differences, as deep as they are nested, which reading has bounded.
fn compare(place: String, was: &Value, is: &Value, found: &mut Vec<Difference>) {
    if found.len() >= REPORTED || was == is {
        return;
    }
    match (was, is) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            // What an earlier version did not write, and is an empty list, says the same.
            let is_new =
                |key: &&String| !a.contains_key(*key) && b.get(*key).is_some_and(|list| *list == Value::Array(vec![]));
            for key in keys.into_iter().filter(|key| !is_new(key)) {
                let value = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                compare(format!("{place}.{key}"), &value(a), &value(b), found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for at in 0..a.len().max(b.len()) {
                let value = |list: &[Value]| list.get(at).cloned().unwrap_or(Value::Null);
                compare(format!("{place}[{at}]"), &value(a), &value(b), found);
            }
        }
        _ => found.push(Difference { place, was: was.to_string(), is: is.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_with_its_place() {
        let rows = [
            (r#"{"a":[1,2]}"#, r#"{"a":[1,3]}"#, "r.a[1]: was 2, is 3"),
            (r#"{"a":[1]}"#, r#"{"a":[1,3]}"#, "r.a[1]: was null, is 3"),
            (r#"{"a":1}"#, r#"{"b":1}"#, "r.a: was 1, is null; r.b: was null, is 1"),
            (r#"{"a":1}"#, r#"{"a":1}"#, ""),
            (r#"{"a":1}"#, r#"{"a":1,"b":[]}"#, ""),
            (r#"{"a":1}"#, r#"{"a":1,"b":[2]}"#, "r.b: was null, is [2]"),
            (r#"{"a":1,"b":[2]}"#, r#"{"a":1}"#, "r.b: was [2], is null"),
        ];
        for (was, is, expected) in rows {
            let told: Vec<String> =
                differences("r", was.as_bytes(), is.as_bytes()).iter().map(|d| d.to_string()).collect();
            assert_eq!(told.join("; "), expected);
        }
        let (was, is) = (vec![1; 1000], vec![2; 1000]);
        let json = |list: &Vec<i32>| serde_json::to_vec(list).unwrap_or_default();
        assert_eq!(differences("r", &json(&was), &json(&is)).len(), REPORTED);
        assert_eq!(differences("r", b"[1]", b"[ 1]").len(), 1, "other bytes are told, if the values are the same");
    }
}
