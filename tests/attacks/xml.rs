//! XML signatures: what transforms leave out, what is not covered, wrapping (XMLDSig §8.1).

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::{Given, Row, check, facts};
use lacre_core::facts::{IrregularityKind, MatcherType, ScopeType, TimestampType};
use lacre_testkit::cms::STAMPED;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::Crl;
use lacre_testkit::xml::*;

fn document(text: String) -> Given {
    Given::new("contract.xml", text)
}

const KEPT: &str = "<contract><iban>PT50 1111</iban></contract>";
/// The Id of web services (WS-Security 1.1 §4).
const WSU: &str =
    "xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\" wsu:Id=";
const OTHER: &str = "<contract><amount>900,000</amount></contract>";

fn without_amount(lab: &Lab) -> String {
    let transform = xpath("not(ancestor-or-self::ds:Signature) and not(ancestor-or-self::amount)");
    lab.enveloped_by(CONTRACT, KEPT, &[&transform, EXCLUSIVE])
}

fn raised(text: &str) -> Given {
    document(text.replace(">100<", ">900,000<"))
}

/// An element signed by its Id, the signature beside it.
fn by_id(lab: &Lab) -> (String, String) {
    let signed = CONTRACT.replacen("<contract>", "<contract Id=\"c1\">", 1);
    let signature = Signature::over(lab, vec![reference(Some("#c1"), signed.as_bytes(), &[EXCLUSIVE])]).xml();
    (signed, signature)
}

const F7: &[Row] = &[
    ("XMLDSig 8.1.1", "XPath leaves an element out", FindingNotWhole, |lab| document(without_amount(lab))),
    ("XMLDSig 8.1.1", "XPath leaves an element out, and that is another", FindingNotWhole, |lab| {
        raised(&without_amount(lab))
    }),
    ("XMLDSig 8.1.1", "a filter keeps one element, and another changes", FindingNotWhole, |lab| {
        let only = filter("intersect", "//iban");
        raised(&lab.enveloped_by(CONTRACT, "<iban>PT50 1111</iban>", &[ENVELOPED, &only, EXCLUSIVE]))
    }),
    ("XMLDSig 8.1.1", "XPath leaves everything out", NotPassed, |lab| {
        raised(&lab.enveloped_by(CONTRACT, "", &[&xpath("false()"), EXCLUSIVE]))
    }),
    ("XMLDSig 8.1.2", "an object in the signature that nobody signed", FindingNotWhole, |lab| {
        let object = format!("<ds:Object>{OTHER}</ds:Object></ds:Signature>");
        document(lab.enveloped(CONTRACT).replace("</ds:Signature>", &object))
    }),
    ("XMLDSig 4.2", "two signature values, the false one second", NotPassed, |lab| {
        let second = "</ds:SignatureValue><ds:SignatureValue>AAAA</ds:SignatureValue>";
        document(lab.enveloped(CONTRACT).replace("</ds:SignatureValue>", second))
    }),
];

/// A signature over a file beside it, with something around it.
fn over_file(lab: &Lab, before: &str, behind: &str) -> Given {
    let signature = Signature::over(lab, vec![reference(Some("hello.txt"), b"hello", &[])]).xml();
    document(format!("{before}{signature}{behind}")).with("hello.txt", b"hello")
}

const BESIDE: &[Row] = &[
    ("XMLDSig 8.1.2", "over a file, a contract beside the signature", FindingNotWhole, |lab| {
        over_file(lab, &format!("<root>{OTHER}"), "</root>")
    }),
    ("XMLDSig 8.1.2", "over a file, a style sheet before the signature", FindingNotWhole, |lab| {
        over_file(lab, "<?xml-stylesheet href=\"evil.xsl\"?>", "")
    }),
    ("XMLDSig 8.1.2", "over a file, in an element that says nothing", Passed, |lab| {
        over_file(lab, "<signatures>", "</signatures>")
    }),
];

#[test]
fn f7_what_stands_beside_signatures() {
    check(BESIDE);
}

#[test]
fn f7_what_transforms_leave_out() {
    check(F7);
}

const F8: &[Row] = &[
    ("EN 319 102-1 5.2.2", "enveloped, a content given that nobody signed", NotPassed, |lab| {
        document(lab.enveloped(CONTRACT)).with("evil.txt", b"evil")
    }),
    ("XMLDSig 4.4.3.2", "the content of that name is another, the signed one has another name", NotPassed, |lab| {
        let signature = Signature::over(lab, vec![reference(Some("hello.txt"), b"hello", &[])]).xml();
        document(signature).with("hello.txt", b"evil").with("other.txt", b"hello")
    }),
    ("XMLDSig 4.4.3.1", "a reference without URI, two contents", NotPassed, |lab| {
        let signature = Signature::over(lab, vec![reference(None, b"hello", &[])]).xml();
        document(signature).with("evil.txt", b"evil").with("hello.txt", b"hello")
    }),
    ("XMLDSig 5.1", "a manifest of files, only an unknown one given", NotPassed, |lab| {
        let manifest = format!(
            "<ds:Manifest xmlns:ds=\"{DS}\" Id=\"m\">{}</ds:Manifest>",
            reference(Some("hello.txt"), b"hello", &[])
        );
        let over = typed(Some("#m"), manifest.as_bytes(), &[EXCLUSIVE], "http://www.w3.org/2000/09/xmldsig#Manifest");
        let objects = format!("<ds:Object>{manifest}</ds:Object>");
        document(Signature { objects, ..Signature::over(lab, vec![over]) }.xml()).with("evil.txt", b"evil")
    }),
    ("XMLDSig 4.4.3.2", "the content of that name", Passed, |lab| {
        let signature = Signature::over(lab, vec![reference(Some("hello.txt"), b"hello", &[])]).xml();
        document(signature).with("hello.txt", b"hello")
    }),
];

#[test]
fn f8_contents_beside_xml() {
    check(F8);
}

/// Attacks of the literature (McIntosh and Austel, and those after them): they never passed, and never may.
const LITERATURE: &[Row] = &[
    ("XMLDSig 2.1", "a signed element is another", NotPassed, |lab| raised(&lab.enveloped(CONTRACT))),
    ("XSW2", "two elements have the Id", NotPassed, |lab| {
        let (signed, signature) = by_id(lab);
        document(format!("<root>{}{signed}{signature}</root>", signed.replace("100", "900")))
    }),
    ("XSW3", "Id and ID", NotPassed, |lab| {
        let (signed, signature) = by_id(lab);
        document(format!("<root>{}{signed}{signature}</root>", signed.replace("100", "900").replace("Id=", "ID=")))
    }),
    ("XSW4", "Id and xml:id", NotPassed, |lab| {
        let (signed, signature) = by_id(lab);
        document(format!("<root>{}{signed}{signature}</root>", signed.replace("100", "900").replace("Id=", "xml:id=")))
    }),
    ("XSW4", "Id and wsu:Id", NotPassed, |lab| {
        let (signed, signature) = by_id(lab);
        let other = signed.replace("100", "900").replace("Id=", WSU);
        document(format!("<root>{other}{signed}{signature}</root>"))
    }),
    ("XML 1.0 3.3.2", "a default attribute is declared", NotPassed, |lab| {
        document(format!("<!DOCTYPE contract [<!ATTLIST amount currency CDATA \"USD\">]>{}", lab.enveloped(CONTRACT)))
    }),
    ("XML 1.0 4.2", "an entity is declared", NotPassed, |lab| {
        document(format!("<!DOCTYPE contract [<!ENTITY e \"900\">]>{}", lab.enveloped(CONTRACT)))
    }),
    ("XMLDSig 4.2", "two SignedInfo, the false one first", NotPassed, |lab| {
        let two = "<ds:SignedInfo><ds:Reference/></ds:SignedInfo><ds:SignedInfo";
        document(lab.enveloped(CONTRACT).replacen("<ds:SignedInfo", two, 1))
    }),
    ("XAdES 4.3.2", "the properties are others", NotPassed, |lab| {
        document(lab.enveloped(CONTRACT).replace("2026-11-21T12:00:00Z", "2020-11-21T12:00:00Z"))
    }),
    ("XMLDSig 8.1", "text behind the document element", NotPassed, |lab| document(lab.enveloped(CONTRACT) + "<evil/>")),
];

#[test]
fn attacks_of_the_literature_on_xml() {
    check(LITERATURE);
}

/// What is signed as a part is called a part.
#[test]
fn a_part_is_no_whole() {
    let lab = Lab::new();
    let (signed, signature) = by_id(&lab);
    let moved = signature.replace("</ds:Signature>", &format!("<ds:Object>{signed}</ds:Object></ds:Signature>"));
    for (situation, text) in [
        ("the signature beside", format!("<root>{signed}{signature}</root>")),
        ("XSW1: the element moved into the signature, another in its place", format!("<root>{OTHER}{moved}</root>")),
        ("another element before it", format!("<root>{OTHER}{signed}{signature}</root>")),
        (
            "a signed document within another",
            format!("<root>{OTHER}{}</root>", {
                let over = vec![reference(Some("#c1"), signed.as_bytes(), &[ENVELOPED, EXCLUSIVE])];
                enclosed(&signed, &Signature::over(&lab, over).xml())
            }),
        ),
    ] {
        let answer = lab.answer(text.as_bytes(), "contract.xml", &[]);
        assert!(!(answer.passed() && answer.whole()), "XMLDSig 8.1.1: {situation}: {}", answer.line());
    }
}

const CONTROLS: &[Row] = &[
    ("XMLDSig 6.6.4", "enveloped", Passed, |lab| document(lab.enveloped(CONTRACT))),
    ("XMLDSig 6.6.3", "enveloped by the XPath that leaves out signatures", Passed, |lab| {
        let transform = xpath("not(ancestor-or-self::ds:Signature)");
        document(lab.enveloped_by(CONTRACT, CONTRACT, &[&transform, EXCLUSIVE]))
    }),
    ("Canonical XML 1.0 2.3", "enveloped by an expression, below a default namespace", Passed, |lab| {
        let signed = "<contract xmlns=\"urn:x\"><amount>100</amount></contract>";
        let transform = xpath("not(ancestor-or-self::ds:Signature) and true()");
        document(lab.enveloped_by(signed, signed, &[&transform, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"]))
    }),
    ("XML 1.0 2.1", "a line end behind the document element", Passed, |lab| document(lab.enveloped(CONTRACT) + "\n")),
    ("XMLDSig 4.4.3.3", "the document element by its Id", Passed, |lab| {
        let signed = CONTRACT.replacen("<contract>", "<contract Id=\"c1\">", 1);
        let over = vec![reference(Some("#c1"), signed.as_bytes(), &[ENVELOPED, EXCLUSIVE])];
        document(enclosed(&signed, &Signature::over(lab, over).xml()))
    }),
    ("WS-Security 1.1 4", "the document element by its wsu:Id", Passed, |lab| {
        let signed = CONTRACT.replacen("<contract>", &format!("<contract {WSU}\"c1\">"), 1);
        let over = vec![reference(Some("#c1"), signed.as_bytes(), &[ENVELOPED, EXCLUSIVE])];
        document(enclosed(&signed, &Signature::over(lab, over).xml()))
    }),
    ("XMLDSig 4.5", "an object that is signed", Passed, |lab| {
        let object = format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"o\">{CONTRACT}</ds:Object>");
        let over = vec![reference(Some("#o"), object.as_bytes(), &[EXCLUSIVE])];
        document(Signature { objects: object, ..Signature::over(lab, over) }.xml())
    }),
    ("Canonical XML 1.0 1.1", "a comment in signed text", Passed, |lab| {
        document(lab.enveloped(CONTRACT).replace("PT50 1111", "PT50 <!-- x -->1111"))
    }),
    ("XMLDSig 4.4.4", "an unsigned KeyName", Passed, |lab| {
        document(lab.enveloped(CONTRACT).replace("<ds:KeyInfo>", "<ds:KeyInfo><ds:KeyName>Alice</ds:KeyName>"))
    }),
];

#[test]
fn xml_as_it_should_be() {
    check(CONTROLS);
}

/// EN 319 132-1 §5.5.2: an archive time-stamp is over the unsigned properties before it. A counter-signature that was added
/// after it is none of these: it gets no proof of existence at that time, which would outlive a revocation in between.
#[test]
fn a_time_stamp_covers_no_counter_signature_behind_it() {
    let lab = Lab::new();
    let references = vec![reference(Some("#T"), b"<text Id=\"T\">I agree.</text>", &[EXCLUSIVE])];
    let signed = Signature::over(&lab, references).xml();
    let counter = |id: &str| {
        let references =
            vec![typed(Some("#S-val"), b"", &[EXCLUSIVE], "http://uri.etsi.org/01903#CountersignedSignature")];
        let counter = Signature { id, entity: &lab.bob, stamped: false, ..Signature::over(&lab, references) };
        format!("<xades:CounterSignature>{}</xades:CounterSignature>", counter.xml())
    };
    let archive = lab.xades_timestamp("xades141:ArchiveTimeStamp", NEWER, "", b"", ARCHIVED);
    let end = "</xades:UnsignedSignatureProperties>";
    let signed = signed.replacen(end, &[&counter("before"), &*archive, &counter("behind"), end].concat(), 1);
    let document = enclosed("<doc><text Id=\"T\">I agree.</text></doc>", &signed);
    let facts = facts(&lab, &document);
    let id = |name: &str| {
        let found = facts.signatures.iter().find(|signature| signature.da_identifier.as_deref() == Some(name));
        found.expect(name).id.clone()
    };
    let archive = facts.timestamps.iter().find(|stamp| stamp.kind == TimestampType::Archive).expect("it is there");
    let covers = |name: &str| archive.covered.iter().any(|covered| covered.id == id(name));
    assert_eq!((covers("S"), covers("before"), covers("behind")), (true, true, false));
}

#[test]
fn a_counter_signature_is_over_the_value_around_it() {
    let lab = Lab::new();
    let references = vec![reference(Some("#T"), b"<text Id=\"T\">I agree.</text>", &[EXCLUSIVE])];
    let signed = Signature::over(&lab, references).xml();
    let (_, value) = signed.split_once("<ds:SignatureValue").expect("it has a value");
    let value = value.split_inclusive("</ds:SignatureValue>").next().unwrap_or_default();
    let value = format!("<ds:SignatureValue xmlns:ds=\"{DS}\"{value}");
    let nothing = xpath("false()");
    let rows: [(&str, &[&str], bool); 3] =
        [(&value, &[EXCLUSIVE], true), ("another value", &[EXCLUSIVE], false), ("", &[&nothing, EXCLUSIVE], false)];
    for (digested, transforms, over) in rows {
        let counter = "http://uri.etsi.org/01903#CountersignedSignature";
        let references = vec![typed(Some("#S-val"), digested.as_bytes(), transforms, counter)];
        let counter =
            Signature { id: "C", entity: &lab.bob, stamped: false, ..Signature::over(&lab, references) }.xml();
        let end = "</xades:UnsignedSignatureProperties>";
        let counter = format!("<xades:CounterSignature>{counter}</xades:CounterSignature>{end}");
        let signed = signed.replacen(end, &counter, 1);
        let facts = facts(&lab, enclosed("<doc><text Id=\"T\">I agree.</text></doc>", &signed));
        let [own, counter] = &facts.signatures[..] else { panic!("two signatures") };
        let scopes: Vec<_> = counter.scopes.iter().map(|scope| (scope.kind, scope.name.as_deref())).collect();
        let expected = over.then_some((ScopeType::CounterSignature, Some(own.id.as_str())));
        assert_eq!(scopes, Vec::from_iter(expected), "EN 319 132-1 5.2.7.2");
    }
}

#[test]
fn a_counter_signature_over_another_value_is_over_none_of_the_one_around_it() {
    let lab = Lab::new();
    let other = format!("<ds:SignatureValue xmlns:ds=\"{DS}\" Id=\"other\">AAAA</ds:SignatureValue>");
    let references = vec![reference(Some("#T"), b"<text Id=\"T\">I agree.</text>", &[EXCLUSIVE])];
    let signed = Signature::over(&lab, references).xml();
    let (_, value) = signed.split_once("<ds:SignatureValue").expect("it has a value");
    let attributes = value.split('>').next().unwrap_or_default();
    let bare = format!("<ds:SignatureValue xmlns:ds=\"{DS}\"{attributes}></ds:SignatureValue>");
    let (no_text, counter) = (xpath("not(self::text())"), "http://uri.etsi.org/01903#CountersignedSignature");
    let references = vec![
        typed(Some("#other"), other.as_bytes(), &[EXCLUSIVE], counter),
        typed(Some("#S-val"), bare.as_bytes(), &[&no_text, EXCLUSIVE], counter),
    ];
    let counter = Signature { id: "C", entity: &lab.bob, stamped: false, ..Signature::over(&lab, references) }.xml();
    let end = "</xades:UnsignedSignatureProperties>";
    let counter = format!("<xades:CounterSignature>{counter}</xades:CounterSignature>{end}");
    let document = format!("<doc><text Id=\"T\">I agree.</text>{other}</doc>");
    let facts = facts(&lab, enclosed(&document, &signed.replacen(end, &counter, 1)));
    let [_, counter] = &facts.signatures[..] else { panic!("two signatures") };
    let intact = counter.digest_matchers.iter().filter(|m| m.kind == MatcherType::CounterSignature && m.data_intact);
    assert_eq!(intact.count(), 2, "both references have their digests");
    let over = counter.scopes.iter().filter(|scope| scope.kind == ScopeType::CounterSignature).count();
    assert_eq!(over, 0, "EN 319 132-1 5.2.7.2, XMLDSig 8.1.1");
    let said = counter.irregularities.iter().any(|one| one.kind == IrregularityKind::PartlySignedContent);
    assert!(said, "{:?}", counter.irregularities);
}

/// A signature of somebody who was revoked on 2026-11-23, with properties among its unsigned ones, and an archive time-stamp
/// of 2026-11-26 over all of it.
fn by_revoked(stamped: bool, properties: impl Fn(&Lab) -> String) -> Given {
    let mut lab = Lab::new();
    lab.crl = Crl { revoked: vec![(1002, "20261123000000Z", Some(1))], ..Crl::default() }.of(&lab.root);
    let text = "<text Id=\"T\">I agree.</text>";
    let properties = properties(&lab);
    let archived = Some(("xades141:ArchiveTimeStamp", NEWER, [text.to_owned(), properties.clone()]));
    let references = vec![reference(Some("#T"), text.as_bytes(), &[EXCLUSIVE])];
    let signed = Signature { entity: &lab.bob, stamped, archived, ..Signature::over(&lab, references) }.xml();
    let archive = "<xades141:ArchiveTimeStamp";
    let signed = signed.replacen(archive, &(properties + archive), 1);
    document(enclosed(&format!("<doc>{text}</doc>"), &signed))
}

const NEWER: &str = "http://uri.etsi.org/01903/v1.4.1#";

/// References to certificates, and a time-stamp of that name over what it is to be over of them.
fn over_references(lab: &Lab, name: &str) -> String {
    let references = format!(
        "<xades:CompleteCertificateRefs xmlns:xades=\"{XADES}\"><xades:CertRefs></xades:CertRefs></xades:CompleteCertificateRefs>"
    );
    let stamp = lab.xades_timestamp(&format!("xades:{name}"), XADES, "", references.as_bytes(), STAMPED);
    references + &stamp
}

const PROOFS: &[Row] = &[
    ("EN 319 132-1 5.3", "revoked after a time-stamp over the value", Passed, |_| by_revoked(true, |_| String::new())),
    ("EN 319 132-1 5.3", "revoked, no time-stamp", NotPassed, |_| by_revoked(false, |_| String::new())),
    ("EN 319 132-1 A.1.5.2", "revoked after a time-stamp over references only", NotPassed, |_| {
        by_revoked(false, |lab| over_references(lab, "RefsOnlyTimeStamp"))
    }),
    ("EN 319 132-1 A.1.5.1", "revoked after a time-stamp that is not over the value", NotPassed, |_| {
        by_revoked(false, |lab| over_references(lab, "SigAndRefsTimeStamp"))
    }),
];

#[test]
fn a_time_stamp_proves_the_existence_of_what_it_is_over() {
    check(PROOFS);
}

/// Two tokens in one property are over the same: neither is over the other.
#[test]
fn tokens_of_one_property_do_not_cover_each_other() {
    let lab = Lab::new();
    let references = vec![reference(Some("#T"), b"<text Id=\"T\">I agree.</text>", &[EXCLUSIVE])];
    let signed = Signature::over(&lab, references).xml();
    let stamp = |bytes: &[u8]| lab.xades_timestamp("xades141:ArchiveTimeStamp", NEWER, "", bytes, ARCHIVED);
    let (first, second) = (stamp(b"first"), stamp(b"second"));
    let token = second.find("<xades:EncapsulatedTimeStamp").expect("a token");
    let both = first.replacen("</xades141:ArchiveTimeStamp>", &second[token..], 1);
    let end = "</xades:UnsignedSignatureProperties>";
    let document = enclosed("<doc><text Id=\"T\">I agree.</text></doc>", &signed.replacen(end, &(both + end), 1));
    let facts = facts(&lab, &document);
    let archive: Vec<_> = facts.timestamps.iter().filter(|stamp| stamp.kind == TimestampType::Archive).collect();
    let [first, second] = archive[..] else { panic!("{} archive time-stamps", archive.len()) };
    let covers = |id| second.covered.iter().any(|covered| covered.id == id);
    let signature = facts.timestamps.iter().find(|stamp| stamp.kind == TimestampType::Signature).expect("a time-stamp");
    assert_eq!((covers(signature.id.clone()), covers(first.id.clone())), (true, false));
}
