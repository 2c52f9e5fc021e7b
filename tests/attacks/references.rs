//! References of XML signatures that leave out what they point at, manifests, time-stamps over nothing: XMLDSig §5.1, §8.1.1,
//! EN 319 132-1 §4.4, §5.2.8.

use super::Expect::{Finding, FindingOfTimestamp, NotPassed, Passed};
use super::{Given, Row, check};
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::*;

const OBJECT: &str = "http://www.w3.org/2000/09/xmldsig#Object";
const MANIFEST: &str = "http://www.w3.org/2000/09/xmldsig#Manifest";
const PROPERTIES: &str = "http://uri.etsi.org/01903#SignedProperties";
const TEXT: &str = "<text Id=\"T\">I agree.</text>";

fn text() -> String {
    reference(Some("#T"), TEXT.as_bytes(), &[EXCLUSIVE])
}

/// A document with a text, something else, and a signature.
fn beside(other: &str, signature: &Signature<'_>) -> String {
    format!("<doc>{TEXT}{other}{}</doc>", signature.xml())
}

fn given(document: String) -> Given {
    Given::new("contract.xml", document)
}

/// The document after a change.
fn changed(document: String, from: &str, to: &str) -> Given {
    assert!(document.contains(from), "{from}");
    given(document.replace(from, to))
}

/// A signature whose properties are its own by another reference.
fn by_own(lab: &Lab, bytes: &[u8], transform: &str) -> String {
    let own = typed(Some("#S-props"), bytes, &[transform, EXCLUSIVE], PROPERTIES);
    beside("", &Signature { own: Some(own), ..Signature::over(lab, vec![text()]) })
}

fn without_time(lab: &Lab) -> String {
    let all = Signature::over(lab, vec![]).properties();
    let (before, rest) = all.split_once("<xades:SigningTime>").expect("it is there");
    let (_, behind) = rest.split_once("</xades:SigningTime>").expect("it is there");
    by_own(lab, [before, behind].concat().as_bytes(), &xpath("not(ancestor-or-self::*[local-name()='SigningTime'])"))
}

/// A signature over the text, and over an element of it of which a transform leaves nothing.
fn with_nothing_of(lab: &Lab, kind: &str, transform: &str, inner: &str) -> String {
    let nothing = typed(Some("#o"), b"", &[transform, EXCLUSIVE], kind);
    beside("", &Signature { objects: inner.into(), ..Signature::over(lab, vec![text(), nothing]) })
}

fn object() -> String {
    format!("<ds:Object Id=\"o\">{CONTRACT}</ds:Object>")
}

const NOTHING_LEFT: &[Row] = &[
    ("XMLDSig 6.6.4", "enveloped-signature over the signed properties, another time", NotPassed, |lab| {
        changed(by_own(lab, b"", ENVELOPED), "2026-11-21T12:00:00Z", "2026-11-20T12:00:00Z")
    }),
    ("EN 319 132-1 4.4", "XPath leaves the signing time out, another time", Finding, |lab| {
        changed(without_time(lab), "2026-11-21T12:00:00Z", "2026-11-20T12:00:00Z")
    }),
    ("XMLDSig 6.6.4", "enveloped-signature over an object, which changes", NotPassed, |lab| {
        changed(with_nothing_of(lab, OBJECT, ENVELOPED, &object()), ">100<", ">900,000<")
    }),
    ("XMLDSig 8.1.1", "XPath without signatures over an object, which changes", NotPassed, |lab| {
        let transform = xpath("not(ancestor-or-self::ds:Signature)");
        changed(with_nothing_of(lab, "", &transform, &object()), ">100<", ">900,000<")
    }),
    ("XMLDSig 6.6.4", "enveloped-signature over a manifest, which changes", NotPassed, |lab| {
        let entry = reference(Some("#T"), TEXT.as_bytes(), &[EXCLUSIVE]);
        let manifest = format!("<ds:Object><ds:Manifest Id=\"o\">{entry}<!-- x --></ds:Manifest></ds:Object>");
        changed(with_nothing_of(lab, MANIFEST, ENVELOPED, &manifest), "<!-- x -->", &entry)
    }),
    ("XMLDSig 6.6.4", "the properties as they should be", Passed, |lab| {
        given(beside("", &Signature::over(lab, vec![text()])))
    }),
];

#[test]
fn references_that_leave_nothing() {
    check(NOTHING_LEFT);
}

/// A signature over a manifest, which lists an annex that many times.
fn manifest(lab: &Lab, times: usize, annex: &str) -> String {
    let entry = reference(Some("#A"), b"<annex Id=\"A\">I pay 100.</annex>", &[EXCLUSIVE]).repeat(times);
    let object = format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"o\"><ds:Manifest>{entry}</ds:Manifest></ds:Object>");
    let over = typed(Some("#o"), object.as_bytes(), &[EXCLUSIVE], OBJECT);
    beside(annex, &Signature { objects: object, ..Signature::over(lab, vec![over]) })
}

const MANIFESTS: &[Row] = &[
    ("XMLDSig 5.1", "an entry", Passed, |lab| given(manifest(lab, 1, "<annex Id=\"A\">I pay 100.</annex>"))),
    ("XMLDSig 5.1", "an entry that is another", NotPassed, |lab| {
        given(manifest(lab, 1, "<annex Id=\"A\">I pay 900.</annex>"))
    }),
    ("XMLDSig 5.1", "an entry that is another, and renamed", NotPassed, |lab| {
        given(manifest(lab, 1, "<annex Id=\"B\">I pay 900.</annex>"))
    }),
    ("XMLDSig 5.1", "more entries than are read", NotPassed, |lab| {
        given(manifest(lab, 10_001, "<annex Id=\"A\">I pay 900.</annex>"))
    }),
];

#[test]
fn manifests_are_compared() {
    check(MANIFESTS);
}

/// A signature whose data has a time-stamp that includes these, made over those bytes.
fn stamped(lab: &Lab, includes: &[&str], bytes: &[u8]) -> Given {
    let include = |uri: &&str| format!("<xades:Include URI=\"{uri}\" referencedData=\"true\"></xades:Include>");
    let includes: String = includes.iter().map(include).collect();
    let stamp = lab.xades_timestamp("xades:IndividualDataObjectsTimeStamp", XADES, &includes, bytes, "20261120120000Z");
    let stamp = stamp.replace(&format!(" xmlns:xades=\"{XADES}\""), "");
    let data_properties = format!("<xades:SignedDataObjectProperties>{stamp}</xades:SignedDataObjectProperties>");
    let text = text().replacen("<ds:Reference ", "<ds:Reference Id=\"R\" ", 1);
    given(beside("", &Signature { data_properties, ..Signature::over(lab, vec![text]) }))
}

const TIMESTAMPS: &[Row] = &[
    ("EN 319 132-1 5.2.8", "a time-stamp over the text", Passed, |lab| stamped(lab, &["#R"], TEXT.as_bytes())),
    ("EN 319 132-1 5.1.4.4", "over nothing, by an Include that leads nowhere", FindingOfTimestamp, |lab| {
        stamped(lab, &["#nowhere"], b"")
    }),
    ("EN 319 132-1 5.1.4.4", "over the text, and by an Include that leads nowhere", FindingOfTimestamp, |lab| {
        stamped(lab, &["#R", "#nowhere"], TEXT.as_bytes())
    }),
    ("EN 319 132-1 5.2.8", "over nothing, without an Include", FindingOfTimestamp, |lab| stamped(lab, &[], b"")),
];

#[test]
fn time_stamps_over_data() {
    check(TIMESTAMPS);
}

/// A signature over its own properties, called data.
fn over_own(lab: &Lab, uri: &str) -> Given {
    let properties = Signature::over(lab, vec![]).properties();
    given(beside("", &Signature::over(lab, vec![reference(Some(uri), properties.as_bytes(), &[EXCLUSIVE])])))
}

const STATEMENTS: &[Row] = &[
    ("EN 319 132-1 4.3", "its own properties by their Id", NotPassed, |lab| over_own(lab, "#S-props")),
    ("EN 319 132-1 4.3", "by a pointer", NotPassed, |lab| over_own(lab, "#xpointer(id('S-props'))")),
];

#[test]
fn what_a_signature_states_of_itself_is_no_data() {
    check(STATEMENTS);
}

/// A document with an enveloped signature that has no time-stamp, and something before one of its tags.
fn with(lab: &Lab, before: &str, inner: &str) -> Given {
    let over = vec![reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE])];
    let document = enclosed(CONTRACT, &Signature { stamped: false, ..Signature::over(lab, over) }.xml());
    changed(document, before, &[inner, before].concat())
}

fn evil(namespace: &str) -> String {
    format!("<contract xmlns=\"{namespace}\" amount=\"900,000\"></contract>")
}

const XADES_X: &str = "http://uri.etsi.org/01903/x";
const UNFORESEEN: &[Row] = &[
    ("XMLDSig 4.3", "an element in the value", Finding, |lab| with(lab, "</ds:SignatureValue>", &evil("urn:x"))),
    ("XMLDSig 4.5", "an element in a certificate", Finding, |lab| with(lab, "</ds:X509Certificate>", &evil("urn:x"))),
    ("XMLDSig 4.5", "of an invented XAdES among the keys", Finding, |lab| with(lab, "</ds:KeyInfo>", &evil(XADES_X))),
    ("XMLDSig 4.5", "of XMLDSig, among the keys", Finding, |lab| with(lab, "</ds:KeyInfo>", &evil(DS))),
    ("XMLDSig 4.5", "text in what has certificates in it", Finding, |lab| {
        with(lab, "</ds:KeyInfo>", "<ds:X509Data>pay 900</ds:X509Data>")
    }),
    ("EN 319 132-1 5", "text for a counter-signature", Finding, |lab| {
        with(lab, "</xades:UnsignedSignatureProperties>", "<xades:CounterSignature>pay 900</xades:CounterSignature>")
    }),
    ("EN 319 132-1 5.1.4.2", "a time-stamp without a token", Finding, |lab| {
        with(lab, "</xades:UnsignedSignatureProperties>", "<xades:SignatureTimeStamp></xades:SignatureTimeStamp>")
    }),
    ("EN 319 132-1 5.1.4.2", "a time-stamp in XML", Finding, |lab| {
        let stamp =
            "<xades:SignatureTimeStamp><xades:XMLTimeStamp>pay 900</xades:XMLTimeStamp></xades:SignatureTimeStamp>";
        with(lab, "</xades:UnsignedSignatureProperties>", stamp)
    }),
    ("XMLDSig 4.5", "a property among the keys", Finding, |lab| {
        with(lab, "</ds:KeyInfo>", &format!("<x:Description xmlns:x=\"{XADES}\">900</x:Description>"))
    }),
    ("EN 319 132-1 5", "of an invented XAdES in a property", Finding, |lab| {
        with(lab, "</xades:RevocationValues>", &evil(XADES_X))
    }),
    ("EN 319 132-1 5", "of XAdES, in a property", Finding, |lab| with(lab, "</xades:RevocationValues>", &evil(XADES))),
    ("XMLDSig 8.1.2", "the seventeenth instruction", Finding, |lab| {
        let inner = format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"o\">{}</ds:Object>", "<?p?>".repeat(16));
        let over = typed(Some("#o"), inner.as_bytes(), &[EXCLUSIVE], OBJECT);
        let signature = Signature { objects: inner, ..Signature::over(lab, vec![text(), over]) };
        changed(beside("", &signature), "</ds:Object></ds:Signature>", "</ds:Object><?evil?></ds:Signature>")
    }),
];

#[test]
fn what_nobody_foresees_in_a_signature() {
    check(UNFORESEEN);
}

/// A signature whose properties have this target, before another signature over the same text.
fn targeted(lab: &Lab, target: &str) -> Given {
    let other = Signature { id: "S2", ..Signature::over(lab, vec![text()]) }.xml();
    let document = beside("", &Signature::over(lab, vec![text()])).replace("</doc>", &(other + "</doc>"));
    changed(document, " Target=\"#S\"", target)
}

const TARGETS: &[Row] = &[
    ("EN 319 132-1 4.3.1", "another signature", Finding, |lab| targeted(lab, " Target=\"#S2\"")),
    ("EN 319 132-1 4.3.1", "another signature, escaped", Finding, |lab| targeted(lab, " Target=\"#%532\"")),
    ("EN 319 132-1 4.3.1", "another signature, as a path", Finding, |lab| targeted(lab, " Target=\"S2\"")),
    ("EN 319 132-1 4.3.1", "its signature", Passed, |lab| targeted(lab, " Target=\"#S\"")),
    ("EN 319 132-1 4.3.1", "its signature, as invoices of Saudi Arabia have it", Passed, |lab| {
        targeted(lab, " Target=\"S\"")
    }),
    ("EN 319 132-1 4.3.1", "nothing that is there", Passed, |lab| targeted(lab, " Target=\"#s\"")),
    ("EN 319 132-1 4.3.1", "empty", Passed, |lab| targeted(lab, " Target=\"\"")),
    ("EN 319 132-1 4.3.1", "absent", Passed, |lab| targeted(lab, "")),
];

#[test]
fn properties_of_another_signature() {
    check(TARGETS);
}
