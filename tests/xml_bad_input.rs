//! XML made to cost: each is answered in under a second, with an error that names the limit.

use lacre::formats::xml::{Options, parse};
use lacre::time::Time;
use lacre::{Document, Policy, Validator};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";

fn in_a_second<T>(situation: &str, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = work();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(1), "{situation}: {took:?}");
    result
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
        let found = in_a_second(situation, || Validator::new(Policy::eidas()).facts(&document, time()).map(|_| ()));
        let found = found.map_err(|error| sentences(&error)).expect_err(situation);
        assert!(found.contains(limit), "{situation}: {found}");
    }
}

#[test]
fn entities_where_they_are_allowed() {
    let mut options = Options::default();
    options.document_type = true;
    let entity = "x".repeat(10_000);
    let text = format!("<!DOCTYPE a [<!ENTITY e '{entity}'>]><a>{}</a>", "&e;".repeat(100_000));
    let found = in_a_second("quadratic entities", || parse(&text, &options).map(|_| ()).map_err(|e| e.to_string()));
    assert!(found.is_err_and(|error| error.contains("more than 100000 octets of entities")));
}

/// A signature over `references`, inside a document with `content`.
fn signed(content: &str, references: &str) -> String {
    format!(
        "<r>{content}<ds:Signature xmlns:ds='{DSIG}'><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><ds:SignatureMethod Algorithm='m'/>{references}\
         </ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue></ds:Signature></r>"
    )
}

#[test]
fn signatures_made_to_cost() {
    let digest = "<ds:DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>AA==\
                  </ds:DigestValue>";
    let content = "<b Id='x'>text</b>".repeat(10_000);
    let ids: String = (0..9_000).map(|n| format!("<ds:Reference URI='#i{n}'>{digest}</ds:Reference>")).collect();
    let pointer = "<ds:Reference URI=\"#xpointer(//b[count(//b) > 5])\">";
    let pointers = format!("{pointer}{digest}</ds:Reference>").repeat(1_000);
    let xpath = "<ds:Reference URI=''><ds:Transforms><ds:Transform Algorithm='http://www.w3.org/TR/1999/\
                 REC-xpath-19991116'><ds:XPath>count(//b) > 5</ds:XPath></ds:Transform></ds:Transforms>";
    let xpaths = format!("{xpath}{digest}</ds:Reference>").repeat(1_000);
    for (situation, references) in
        [("9,000 ids that nothing has", ids), ("1,000 pointers", pointers), ("1,000 expressions", xpaths)]
    {
        let text = signed(&content, &references);
        let document = Document::new(text.as_bytes());
        let facts = in_a_second(situation, || Validator::new(Policy::eidas()).facts(&document, time()));
        let facts = facts.expect(situation);
        let found = facts.signatures.iter().flat_map(|signature| &signature.digest_matchers);
        assert!(found.filter(|matcher| matcher.data_found).count() < 32, "{situation}");
    }
}
