//! What a report has to say, and whether it does, in every form and language.

use crate::given::Given;
use Says::{Finding, Json, Words};
use lacre::report::Language;
use lacre::{Document, Report};
use lacre_testkit::authorities::time;
use lacre_testkit::lab::{AT, Lab};
use serde_json::Value;

/// What a report has to say.
pub enum Says {
    /// A finding with that key, about a subject whose name has that part, with that part among the compared values.
    Finding(&'static str, &'static str, &'static str),
    /// These words, in any language: names, dates, codes.
    Words(&'static [&'static str]),
    /// The value at that place of the JSON.
    Json(&'static str, &'static str),
}

pub type Row = (&'static str, &'static str, fn(&Lab) -> Given, &'static [Says]);

/// The languages in which every row is read.
const LANGUAGES: [Language; 3] = [Language::English, Language::German, Language::Estonian];

/// Fails where a report on a row's document lacks something.
pub fn check(rows: &[Row]) {
    let wrong: Vec<String> = rows.iter().flat_map(|row| missing(row, &LANGUAGES, str::to_owned, &forms)).collect();
    assert!(wrong.is_empty(), "{} things:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns what a report on the row's document does not say, in each language and each form. The expected words are read
/// the same way as the forms.
pub fn missing(
    (clause, situation, make, says): &Row,
    languages: &[Language],
    read: fn(&str) -> String,
    forms: &dyn Fn(&Report) -> Vec<Form>,
) -> Vec<String> {
    let lab = Lab::new();
    let given = make(&lab);
    let mut document = Document::new(&given.bytes).named(given.name);
    for (name, content) in &given.contents {
        document = document.with_content(*name, content);
    }
    let validator = given.validator.clone().unwrap_or_else(|| lab.validator());
    let report = match validator.validate(&document, time(AT)) {
        Ok(report) => report,
        Err(error) => return vec![format!("{clause}: {situation}: refused: {error}")],
    };
    let mut wrong = vec![];
    for language in languages {
        let report = report.clone().in_language(*language);
        let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
        let forms = forms(&report);
        let lacking = says.iter().flat_map(|said| lacks(&json, &forms, read, said)).chain(nameless(&json));
        wrong.extend(lacking.map(|what| format!("{clause}: {situation} ({language}): {what}")));
    }
    wrong
}

/// Returns what the report does not say in one of its forms.
fn lacks(json: &Value, forms: &[Form], read: fn(&str) -> String, said: &Says) -> Vec<String> {
    let absent = |words: &[&str]| -> Vec<String> {
        let lacking = |(form, text): &Form| {
            let missing: Vec<&str> = words.iter().copied().filter(|word| !text.contains(&read(word))).collect();
            (!missing.is_empty()).then(|| format!("{form} lacks {missing:?}:\n{text}"))
        };
        forms.iter().filter_map(lacking).collect()
    };
    match said {
        Words(words) => absent(words),
        Json(place, expected) => match json.pointer(place) {
            Some(Value::String(found)) if found == expected => vec![],
            Some(Value::Number(found)) if found.as_u64() == expected.parse().ok() => vec![],
            found => vec![format!("JSON has {found:?} at {place}, expected {expected}")],
        },
        Finding(key, subject, value) => {
            let all = findings(json);
            let about = |f: &&Value| {
                f["check"] == *key
                    && f["subject"].as_str().is_some_and(|name| name.contains(subject))
                    && (value.is_empty() || f["compared"].as_str().is_some_and(|values| values.contains(value)))
            };
            match all.iter().find(about) {
                Some(found) => {
                    absent(&["subject", "message", "compared"].map(|part| found[part].as_str().unwrap_or("")))
                }
                None => vec![format!("no finding {key} about {subject:?} with {value:?} in {all:#?}")],
            }
        }
    }
}

/// Returns the findings that have no subject, or no token.
fn nameless(json: &Value) -> Vec<String> {
    let nameless = findings(json).into_iter().filter(|finding| {
        finding["subject"].as_str().is_none_or(str::is_empty) || finding["token"].as_str().is_none_or(str::is_empty)
    });
    nameless.map(|finding| format!("a finding without subject or token: {finding}")).collect()
}

/// Returns all findings, those on the qualification as well.
fn findings(json: &Value) -> Vec<Value> {
    let tokens = ["signatures", "timestamps", "evidence_records"].iter().filter_map(|list| json[*list].as_array());
    let lists = tokens.flatten().flat_map(|token| [&token["findings"], &token["qualification_findings"]]);
    lists.filter_map(Value::as_array).flatten().cloned().collect()
}

/// A form of a report, and its text.
pub type Form = (&'static str, String);

/// Returns the report as text, and the text of the HTML.
fn forms(report: &Report) -> Vec<Form> {
    let html = report.to_html();
    let mut text = String::with_capacity(html.len());
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    vec![("text", report.to_text()), ("HTML", text.replace("&amp;", "&"))]
}
