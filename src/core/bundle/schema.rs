//! Reports of an earlier schema beside those of the present one: what both state in the same way.

use crate::report::name::readable;
use serde_json::Value;
use std::collections::HashSet;

/// The schema before `lacre-report/2`.
const EARLIER: &str = "lacre-report/1";

/// The members that `lacre-report/2` added, or writes in other words, by what they are members of.
const DIFFERENT: [(&str, &[&str]); 9] = [
    (
        "signatures",
        &[
            "signer",
            "reason",
            "location",
            "roles",
            "commitments",
            "changes_since_signing",
            "qualification_findings",
            "qualification_text",
        ],
    ),
    ("timestamps", &["qualification_findings", "qualification_text"]),
    ("signing_certificate", &["name"]),
    ("certificates", &["name"]),
    ("revocations", &["producer", "certificate", "status", "revocation_time", "reason"]),
    ("scope", &["data"]),
    ("findings", &["subject", "message", "token", "compared"]),
    ("wanted", &["territory"]),
    ("lists", &["closed", "missing_lists", "unusable_lists"]),
];

/// The members that are distinguished names, which `lacre-report/2` writes without hexadecimal.
const WRITTEN: [&str; 2] = ["subject", "issuer"];

/// Returns whether a report is of the earlier schema.
pub(super) fn is_earlier(report: &Value) -> bool {
    report["schema"] == EARLIER
}

/// Leaves of a report what both schemas state in the same way: every verdict, time, digest, distinguished name and key of a
/// check, but no sentence and no compared value.
pub(super) fn reduce(report: &mut Value) {
    if let Value::Object(members) = report {
        members.remove("schema");
    }
    reduce_member("", report);
}

fn reduce_member(name: &str, value: &mut Value) {
    match value {
        Value::Object(members) => {
            let different = DIFFERENT.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, members)| members);
            different.iter().for_each(|member| {
                members.remove(*member);
            });
            members.iter_mut().for_each(|(name, value)| reduce_member(name, value));
            for member in WRITTEN {
                if let Some(Value::String(name)) = members.get_mut(member) {
                    *name = readable(name).into_owned();
                }
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| reduce_member(name, item));
            // A CRL had one entry for all certificates; a finding stood once for all tokens.
            if matches!(name, "revocations" | "findings") {
                let mut seen = HashSet::new();
                items.retain(|item| seen.insert(item.clone()));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_both_schemas_state_is_left() {
        let mut earlier = json!({
            "schema": "lacre-report/1",
            "document": {"name": "a.pdf"},
            "signatures": [{"indication": "TOTAL-PASSED", "qualification_text": "old words", "findings": [
                {"check": "A", "severity": "error", "message": "old words", "token": null}
            ], "signing_certificate": {"sha256": "00", "subject": "2.5.4.4=#0c0141"}}],
            "revocations": [{"id": "R-1"}]
        });
        let mut present = json!({
            "schema": "lacre-report/2",
            "document": {"name": "a.pdf"},
            "signatures": [{"indication": "TOTAL-PASSED", "qualification_text": "new words", "signer": {}, "findings": [
                {"check": "A", "severity": "error", "message": "new words", "token": "S-1", "subject": "signature 1"},
                {"check": "A", "severity": "error", "message": "new words", "token": "C-1", "subject": "certificate"}
            ], "signing_certificate": {"sha256": "00", "subject": "surname=A", "name": "A"}}],
            "revocations": [{"id": "R-1", "certificate": "C-1"}, {"id": "R-1", "certificate": "C-2"}]
        });
        assert!(is_earlier(&earlier) && !is_earlier(&present));
        reduce(&mut earlier);
        reduce(&mut present);
        assert_eq!(earlier, present);
        assert_eq!(earlier["document"]["name"], "a.pdf");
        for (place, other) in [
            ("/signatures/0/indication", json!("TOTAL-FAILED")),
            ("/signatures/0/findings/0/check", json!("B")),
            ("/signatures/0/signing_certificate/sha256", json!("01")),
            ("/signatures/0/signing_certificate/subject", json!("surname=B")),
            ("/document/name", json!("b.pdf")),
        ] {
            let mut changed = present.clone();
            *changed.pointer_mut(place).expect("it is there") = other;
            assert_ne!(earlier, changed, "{place}");
        }
    }
}
