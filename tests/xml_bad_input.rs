//! XML made to cost: each is refused in little memory, with an error that names the limit.

use allocation_counter::measure;
use lacre::{Document, Policy, Time, Validator};
use lacre_core::formats::xml::{DocumentTypes, Options, parse};
use std::fmt::Write as _;

/// Bytes of memory that one of these documents, a megabyte or so, may make the reader ask for in all.
const MOST: u64 = 64 << 20;

/// Does the work, which may ask for so many bytes of memory in all.
fn within<T>(most: u64, situation: &str, work: impl FnOnce() -> T) -> T {
    let mut result = None;
    let memory = measure(|| result = Some(work())).bytes_total;
    assert!(memory < most, "{situation}: {memory} bytes asked for, at most {most}");
    result.expect("the work was done")
}

fn time() -> Time {
    "2026-01-01T00:00:00Z".parse().expect("a time")
}

/// The sentences of an error and its causes.
fn sentences(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    std::iter::once(error.to_string()).chain(causes.map(ToString::to_string)).collect::<Vec<_>>().join(": ")
}

#[test]
fn documents_made_to_cost() {
    let mut attributes = String::from("<a ");
    (0..60_000).for_each(|n| write!(attributes, "a{n}='' ").expect("a string"));
    attributes.push_str("/>");
    let levels = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
    let mut laughs = String::from("<!DOCTYPE a [<!ENTITY l0 'lol'>");
    (1..=30).for_each(|n| write!(laughs, "<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)).expect("a string"));
    laughs.push_str("]><a>&l30;</a>");
    let mut namespaces = String::new();
    (0..100).for_each(|level| {
        let declared: String = (0..100).map(|n| format!(" xmlns:p{level}x{n}='u:{level}:{n}'")).collect();
        write!(namespaces, "<a{declared}>").expect("a string");
    });
    namespaces.push_str(&"</a>".repeat(100));
    for (situation, document, limit) in [
        ("60,000 attributes", &attributes, "more than 2000 attributes of one element"),
        ("200,000 levels", &levels, "more than 128 elements inside each other"),
        ("a billion laughs", &laughs, "a document type is declared, which signed documents may not have"),
        ("quadratic namespaces", &namespaces, "more than 500 namespaces in scope"),
    ] {
        let document = Document::new(document.as_bytes());
        let found = within(MOST, situation, || Validator::new(Policy::eidas()).facts(&document, time()).map(|_| ()));
        let found = found.map_err(|error| sentences(&error)).expect_err(situation);
        assert!(found.contains(limit), "{situation}: {found}");
    }
}

#[test]
fn entities_where_they_are_allowed() {
    let mut options = Options::default();
    options.document_types = DocumentTypes::All;
    let entity = "x".repeat(10_000);
    let text = format!("<!DOCTYPE a [<!ENTITY e '{entity}'>]><a>{}</a>", "&e;".repeat(100_000));
    let found = within(MOST, "quadratic entities", || parse(&text, &options).map(|_| ()).map_err(|e| e.to_string()));
    assert!(found.is_err_and(|error| error.contains("more than 100000 bytes of entities")));
}
