//! What a canonical form or a decoded text leaves out, and readers see: namespaces of types, characters between Base64, comments of
//! HTML, files in a `SignedDoc`, attributes (Exclusive XML Canonicalization §1.3, XMLDSig §6.6.2, RFC 6283 §3.2.1).

use super::Expect::{Finding, FindingNotWhole, FindingOfTimestamp, Passed};
use super::{Given, Row, check};
use base64::prelude::*;
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::ers::{xml_record, xml_time_stamp};
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::*;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
const BASE64: &str = "http://www.w3.org/2000/09/xmldsig#base64";

fn given(document: String) -> Given {
    Given::new("contract.xml", document)
}

fn changed(document: String, from: &str, to: &str) -> Given {
    assert!(document.contains(from), "{from}");
    given(document.replacen(from, to, 1))
}

/// A contract whose amount is of a type, signed in that canonical form; where its prefix is not used, that does not write it.
fn typed(lab: &Lab, root: &str, declared: &str, written: &str, transform: &str) -> String {
    let amount = format!("<amount xmlns:xsi=\"{XSI}\" xsi:type=\"eur:Money\">100</amount>");
    let document = |declared: &str| format!("<{root}{declared}>{amount}</{root}>");
    lab.enveloped_by(&document(declared), &document(written), &[ENVELOPED, transform])
}

const EUR: &str = " xmlns:eur=\"urn:eur\"";

fn with_prefixes() -> String {
    let list = format!("<e:InclusiveNamespaces xmlns:e=\"{EXCLUSIVE}\" PrefixList=\"eur\"></e:InclusiveNamespaces>");
    format!("<ds:Transform Algorithm=\"{EXCLUSIVE}\">{list}</ds:Transform>")
}

const TYPES: &[Row] = &[
    ("Exclusive 1.3", "the prefix of a type, not written", FindingNotWhole, |lab| {
        given(typed(lab, "contract", EUR, "", EXCLUSIVE))
    }),
    ("Exclusive 1.3", "and declared as another namespace", FindingNotWhole, |lab| {
        changed(typed(lab, "contract", EUR, "", EXCLUSIVE), "urn:eur", "urn:usd")
    }),
    ("Exclusive 1.3", "and declared once more", FindingNotWhole, |lab| {
        let document = typed(lab, "eur:contract", EUR, EUR, EXCLUSIVE);
        changed(document, "<amount", "<amount xmlns:eur=\"urn:usd\"")
    }),
    ("Exclusive 3", "the prefix of a type in the list", Passed, |lab| {
        given(typed(lab, "contract", EUR, EUR, &with_prefixes()))
    }),
    ("Exclusive 3", "the prefix of an element around it", Passed, |lab| {
        given(typed(lab, "eur:contract", EUR, EUR, EXCLUSIVE))
    }),
    ("XML Schema 2 3", "a type of all schemas", Passed, |lab| {
        let schema = " xmlns:eur=\"http://www.w3.org/2001/XMLSchema\"";
        given(typed(lab, "contract", schema, "", EXCLUSIVE))
    }),
];

#[test]
fn namespaces_of_types() {
    check(TYPES);
}

/// A file, which is signed as what its Base64 stands for.
fn encoded(lab: &Lab, file: &str) -> Given {
    let signature = Signature::over(lab, vec![reference(Some("a.txt"), b"Man", &[BASE64])]).xml();
    given(signature).with("a.txt", file.as_bytes())
}

const CHARACTERS: &[Row] = &[
    ("XMLDSig 6.6.2", "Base64", Passed, |lab| encoded(lab, "TW\r\nFu\n")),
    ("XMLDSig 6.6.2", "a sentence of other letters between Base64", FindingNotWhole, |lab| {
        encoded(lab, "TWFu \u{437}\u{430}\u{43f}\u{43b}\u{430}\u{442}\u{438}\u{442}\u{44c} \u{2079}\u{2070}\u{2070}")
    }),
];

#[test]
fn characters_between_base64() {
    check(CHARACTERS);
}

fn data_file(name: &str, text: &str) -> String {
    let text = BASE64_STANDARD.encode(text);
    format!("<DataFile ContentType=\"EMBEDDED_BASE64\" Filename=\"{name}.txt\" Id=\"{name}\">{text}</DataFile>")
}

/// A `SignedDoc` whose first file is signed.
fn signed_doc(lab: &Lab, more: &str) -> Given {
    let file = data_file("D0", "pay 100");
    let signature = Signature::over(lab, vec![reference(Some("#D0"), file.as_bytes(), &[EXCLUSIVE])]).xml();
    given(format!("<SignedDoc format=\"DIGIDOC-XML\" version=\"1.3\">{file}{more}{signature}</SignedDoc>"))
}

/// What is said of a `SignedDoc`.
fn named(lab: &Lab, more: &str) -> bool {
    let given = signed_doc(lab, more);
    lab.answer(&given.bytes, given.name, &[]).about.iter().any(|finding| finding == "BBB_CV_UNSIGNED_OBJECT_ANS")
}

#[test]
fn files_in_a_signed_doc() {
    let lab = Lab::new();
    assert!(!named(&lab, ""), "DIGIDOC-XML: all files are signed");
    for (situation, more) in [
        ("a file that nobody signed", &*data_file("D1", "pay 900")),
        ("an element beside the files", "<Note>pay 900</Note>"),
        ("text beside them", "pay 900"),
    ] {
        assert!(named(&lab, more), "DIGIDOC-XML: {situation}");
    }
    let given = signed_doc(&lab, "");
    let document =
        String::from_utf8(given.bytes).expect("it is XML").replacen("<SignedDoc ", "<SignedDoc pay=\"900\" ", 1);
    let answer = lab.answer(document.as_bytes(), given.name, &[]);
    assert!(answer.about.iter().any(|finding| finding == "BBB_CV_UNSIGNED_OBJECT_ANS"), "DIGIDOC-XML: an attribute");
}

/// An enveloped signature, with an attribute at one of its elements.
fn with(lab: &Lab, element: &str, attribute: &str) -> Given {
    changed(lab.enveloped(CONTRACT), &format!("<{element}"), &format!("<{element} {attribute}"))
}

const ATTRIBUTES: &[Row] = &[
    ("XMLDSig 4.5", "an attribute of the keys", Finding, |lab| with(lab, "ds:KeyInfo", "amount=\"900\"")),
    ("XMLDSig 4.1", "of the signature", Finding, |lab| with(lab, "ds:Signature ", "amount=\"900\"")),
    ("XMLDSig 4.3", "of the value", Finding, |lab| with(lab, "ds:SignatureValue", "amount=\"900\"")),
    ("EN 319 132-1 5", "of unsigned properties", Finding, |lab| with(lab, "xades:RevocationValues", "amount=\"900\"")),
    ("XMLDSig 4.5", "an Id", Passed, |lab| with(lab, "ds:KeyInfo", "Id=\"k\"")),
    ("XML Schema 1 4.3.2", "where a schema is", Passed, |lab| {
        with(lab, "ds:KeyInfo", &format!("xmlns:x=\"{XSI}\" x:schemaLocation=\"a b\""))
    }),
];

#[test]
fn attributes_that_nobody_foresees() {
    check(ATTRIBUTES);
}

/// A counter-signature that signs an object of its own as well, and says that this is a signature too.
#[test]
fn an_object_that_is_called_a_signature() {
    const COUNTERSIGNED: &str = "http://uri.etsi.org/01903#CountersignedSignature";
    let lab = Lab::new();
    let signed = lab.enveloped(CONTRACT);
    let (start, end) = (signed.find("<ds:SignatureValue").expect("a value"), signed.find("<ds:KeyInfo").expect("keys"));
    let value = signed[start..end].replacen("<ds:SignatureValue", &format!("<ds:SignatureValue xmlns:ds=\"{DS}\""), 1);
    let object = format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"o\">pay 900</ds:Object>");
    let over =
        |uri: &str, bytes: &str| lacre_testkit::xml::typed(Some(uri), bytes.as_bytes(), &[EXCLUSIVE], COUNTERSIGNED);
    let references = vec![over("#S-val", &value), over("#o", &object)];
    let counter = Signature { id: "C", entity: &lab.bob, objects: object, ..Signature::over(&lab, references) }.xml();
    let end = "</xades:UnsignedSignatureProperties>";
    let counter = format!("<xades:CounterSignature>{counter}</xades:CounterSignature>{end}");
    let facts = super::facts(&lab, signed.replacen(end, &counter, 1));
    let counter = facts.signatures.iter().find(|one| one.da_identifier.as_deref() == Some("C")).expect("it is there");
    assert_eq!(counter.scopes.len(), 2, "EN 319 132-1 5.2.7.2: the object is signed beside the value, and said to be");
}

const PAGE: &str = "<html><body><p>pay 100</p></body></html>";

/// An evidence record in XML over the canonical form of a page, and what is handed in for it.
fn archived(lab: &Lab, page: &str) -> Given {
    let token = Token::over(PAGE.as_bytes(), STAMPED).by(&lab.tsa);
    let record = xml_record(&[xml_time_stamp(&token, "")]);
    let mut given = Given::new("record.xml", record).with("page.html", page.as_bytes());
    given.evidence.push(lab.crl.clone());
    given
}

const PAGES: &[Row] = &[
    ("RFC 6283 3.2.1", "the page", Passed, |lab| archived(lab, PAGE)),
    ("RFC 6283 3.2.1", "a comment", Passed, |lab| archived(lab, &PAGE.replace("100", "100<!-- x -->"))),
    ("HTML 13.2.5.43", "a comment that HTML shows", Finding, |lab| {
        archived(lab, &PAGE.replace("100", "<!--> 900,000 -->100"))
    }),
    ("HTML 13.2.5.42", "text that HTML hides", Finding, |lab| {
        archived(lab, &PAGE.replace("pay 100", "<![CDATA[pay 100]]>"))
    }),
];

#[test]
fn what_a_record_over_a_canonical_form_leaves_out() {
    check(PAGES);
}

/// A contract signed in inclusive form, and sealed by a record in exclusive form.
fn sealed(lab: &Lab, root: &str, written: &str) -> Given {
    let amount = format!("<amount xmlns:xsi=\"{XSI}\" xsi:type=\"eur:Money\">100</amount>");
    let document = |declared: &str| format!("<{root}{declared}>{amount}</{root}>");
    let over = reference(Some(""), document(EUR).as_bytes(), &[ENVELOPED]);
    let signature = Signature { sealed: Some(document(written)), ..Signature::over(lab, vec![over]) };
    given(enclosed(&document(EUR), &signature.xml()))
}

#[test]
fn what_a_record_in_a_signature_leaves_out() {
    check(&[
        ("RFC 6283 3.2.1", "the prefix of a type", FindingOfTimestamp, |lab| sealed(lab, "contract", "")),
        ("RFC 6283 3.2.1", "the prefix of an element around it", Passed, |lab| sealed(lab, "eur:contract", EUR)),
    ]);
}
