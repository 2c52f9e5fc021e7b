//! Documents that hold many of one thing.

use base64::prelude::*;
use lacre_testkit::cms::{SIGNATURE_TIMESTAMP, SIGNING_CERTIFICATE, STAMPED, SignedData, Signer, Token, attribute};
use lacre_testkit::der::{bytes, children, integer, oid, sequence, set_of, sorted, tlv, utf8};
use lacre_testkit::jws::url;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Objects, Pdf, SECOND, object, objects};
use lacre_testkit::pki::{Crl, Key, SHA256, Spec, Status, entry, extension};
use lacre_testkit::xml::{self, EXCLUSIVE, Signature, enclosed, reference};
use lacre_testkit::zip::{Entry, Zip, manifest};
use lacre_testkit::{ers, pki};
use serde_json::{Value, json};

/// Makes a document that holds so many of one thing.
pub type Make = fn(&Lab, usize) -> Vec<u8>;

/// Each thing that a document can hold many of, but for those of which each is over all others.
pub const DOCUMENTS: &[(&str, Make)] = &[
    ("signers", signers),
    ("certificates of one name", certificates),
    ("certificates of one key", certificates_of_one_key),
    ("revocation lists", revocation_lists),
    ("OCSP responses", ocsp_responses),
    ("entries of a revocation list", revoked),
    ("places of lists", places),
    ("policies", policies),
    ("signature time-stamps", timestamps),
    ("archive time-stamps", archive_timestamps),
    ("counter-signatures", counter_signatures),
    ("unsigned attributes", attributes),
    ("references to certificates", certificate_references),
    ("references in the signing-certificate attribute", signing_certificate_references),
    ("parts of a name", name_parts),
    ("extensions", extensions),
    ("XML references", references),
    ("XML signatures", xml_signatures),
    ("XML counter-signatures", xml_counter_signatures),
    ("XML namespaces", xml_namespaces),
    ("XML attributes", xml_attributes),
    ("XML elements that are left out", xml_left_out),
    ("XML siblings that are not asked for", xml_siblings),
    ("XML attributes that are inherited", xml_inherited),
    ("XML namespaces in scope", xml_scope),
    ("XML ids of a text", xml_ids),
    ("XML references to one id", xml_references_to_one_id),
    ("XML references to one manifest", xml_references_to_one_manifest),
    ("XML objects before what is referred to", xml_objects),
    ("XML values within values", xml_values),
    ("XML namespaces of nodes that are asked for", xml_namespaces_asked_for),
    ("XML types that elements state", xml_types),
    ("XML signatures, and instructions around them", xml_instructions),
    ("JWS signatures", jws_signatures),
    ("JWS time-stamps over the payload", jws_content_timestamps),
    ("members of two JWS headers", jws_members),
    ("fields of one name in a JWS", jws_fields),
    ("JWS components that are none", jws_components),
    ("files of ASiC-E", asic_files),
    ("signatures of ASiC-E", asic_signatures),
    ("manifests of ASiC-E", asic_manifests),
    ("references of ASiC-E to files of other names", asic_renamed),
    ("names of ASiC-E that are one path", asic_names),
    ("PDF fields beside the form, with long byte ranges", pdf_fields),
    ("hashes of a record", hashes),
    ("evidence records of a signature", embedded_records),
    ("signers with an evidence record", signers_with_records),
];

const INCLUSIVE: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

const TEXT: &[u8] = b"I, Alice, agree.";

/// Widgets of a signature field that are not in the form, whose byte range is that of the fields in it but for its last number.
fn pdf_fields(_: &Lab, count: usize) -> Vec<u8> {
    let range = |last: u8| object(&format!("[{} {last}]", "1 ".repeat(20 * count)));
    let list = |numbers: std::ops::Range<usize>| numbers.map(|number| format!("{number} 0 R ")).collect::<String>();
    let (in_form, beside) = (20..120, 1000..1000 + count);
    let mut all = objects(&[
        (1, &format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{}] >> >>", list(in_form.clone()))),
        (3, &format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [{}] >>", list(beside.clone()))),
        (12, "<< /ByteRange 11 0 R /Contents <00> >>"),
    ]);
    all.extend([(10, range(2)), (11, range(3))]);
    let field =
        |number: usize, value: &str| (number as u32, object(&format!("<< /FT /Sig /T ({number}) /V {value} >>")));
    all.extend(in_form.map(|number| field(number, "<< /ByteRange 10 0 R /Contents <00> >>")));
    all.extend(beside.map(|number| field(number, "12 0 R")));
    Pdf::page("", all).bytes
}

fn one(lab: &Lab) -> Signer<'_> {
    lab.signer(&lab.alice, TEXT).at(STAMPED)
}

fn with_unsigned(lab: &Lab, unsigned: Vec<Vec<u8>>) -> Vec<u8> {
    let signer = Signer { unsigned, ..one(lab) };
    lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes()
}

/// Signers by EdDSA without signed attributes, whose values are over a content of so many bytes itself: RFC 5652 §5.4, RFC 8419.
pub fn signers_of_a_large_content(lab: &Lab, count: usize, length: usize) -> Vec<u8> {
    let signer = |number: usize| {
        let identifier = sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]);
        let algorithm = sequence(&[&oid("1.3.101.112")]);
        Signer { identifier, algorithm, ..Signer::of(&lab.alice, TEXT) }.with_value(&[], &[0; 64])
    };
    let mut data = SignedData::new(Some(&vec![b'x'; length]));
    data.signers = (0..count).map(signer).collect();
    data.bytes()
}

/// Each names another certificate, which is not there.
fn signers(lab: &Lab, count: usize) -> Vec<u8> {
    let signer = |number: usize| Signer {
        identifier: sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]),
        timestamp: None,
        ..Signer::of(&lab.alice, TEXT)
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &(0..count).map(signer).collect::<Vec<_>>());
    data.certificates = vec![lab.alice.certificate.clone()];
    data.bytes()
}

pub fn signers_with_certificates(lab: &Lab, count: usize) -> Vec<u8> {
    let key = || Key::of("many");
    let people: Vec<_> = (0..count)
        .map(|number| Spec::signer(&format!("Signer {number}"), 200_000 + number as u64).issued_by(&lab.root, key()))
        .collect();
    let signers: Vec<_> = people.iter().map(|person| Signer::of(person, TEXT)).collect();
    lab.signed_data(Some(TEXT), TEXT, &signers).bytes()
}

/// Signers below a path of so many authorities.
pub fn signers_below(lab: &Lab, count: usize, depth: usize) -> Vec<u8> {
    let mut path: Vec<pki::Entity> = vec![];
    for number in 0..depth {
        let spec = Spec::named(&format!("CA {number}"), 600_000 + number as u64).with(pki::authority());
        let authority = spec.issued_by(path.last().unwrap_or(&lab.root), Key::of(&format!("authority {number}")));
        path.push(authority);
    }
    let issuer = path.last().unwrap_or(&lab.root);
    let one = |number: usize| Spec::signer(&format!("Signer {number}"), 200_000 + number as u64);
    let people: Vec<_> = (0..count).map(|number| one(number).issued_by(issuer, Key::of("many"))).collect();
    let signers: Vec<_> = people.iter().map(|person| Signer::of(person, TEXT)).collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &signers);
    data.certificates.extend(path.iter().map(|authority| authority.certificate.clone()));
    data.bytes()
}

/// A signature beside certificates that have the name of the authority, and one of so many keys in turn.
fn beside_namesakes(lab: &Lab, count: usize, keys: &[&str]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let other = Spec { subject: lab.root.subject(), ..Spec::named("", 0) }.with(pki::authority());
    data.certificates.extend((0..count).map(|number| {
        let key = Key::of(keys[number % keys.len()]);
        Spec { serial: 300_000 + number as u64, ..other.clone() }.issued_by(&lab.root, key).certificate
    }));
    data.bytes()
}

fn certificates(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["one", "two", "three", "four", "five", "six", "seven", "eight"])
}

fn certificates_of_one_key(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["root"])
}

fn revocation_lists(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.crls = (0..count).map(|number| Crl { number: number as u64, ..Crl::default() }.of(&lab.root)).collect();
    data.bytes()
}

fn ocsp_responses(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.ocsps = (0..count).map(|number| lab.ocsp(number as u64, Status::Good)).collect();
    data.bytes()
}

fn revoked(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let entries = (0..count).map(|number| entry(400_000 + number as u64, "20260601000000Z", &[])).collect();
    data.crls = vec![Crl { entries, ..Crl::default() }.of(&lab.root)];
    data.bytes()
}

/// A signature by each of so many signers, beside that revocation data; their numbers begin with 500,000.
pub fn signers_beside(lab: &Lab, count: u64, crls: Vec<Vec<u8>>, ocsps: Vec<Vec<u8>>) -> Vec<u8> {
    let one = |number| Spec::signer(&format!("Signer {number}"), number).issued_by(&lab.root, Key::of("many"));
    let entities: Vec<_> = (500_000..500_000 + count).map(one).collect();
    let signers: Vec<_> = entities.iter().map(|signer| Signer::of(signer, TEXT)).collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &signers);
    (data.crls, data.ocsps) = (crls, ocsps);
    data.bytes()
}

/// A certificate that names so many places of lists, and lists of as many other places.
fn places(lab: &Lab, count: usize) -> Vec<u8> {
    let names = |from: usize| {
        let names = (from..from + 5 * count).map(|number| tlv(0x86, &[format!("{number:06}").as_bytes()]));
        tlv(0xa0, &[&tlv(0xa0, &[&names.collect::<Vec<_>>().concat()])])
    };
    let points = extension("2.5.29.31", false, &sequence(&[&sequence(&[&names(0)])]));
    let spec = Spec { locations: false, ..Spec::signer("Places", 5) };
    let signer = spec.and(points).issued_by(&lab.root, Key::of("many"));
    let place = extension("2.5.29.28", true, &sequence(&[&names(100_000)]));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&signer, TEXT)]);
    data.crls = vec![Crl { extensions: vec![place], ..Crl::default() }.of(&lab.root)];
    data.bytes()
}

/// Two authorities and a signer with so many policies.
fn policies(lab: &Lab, count: usize) -> Vec<u8> {
    let policies: Vec<_> = (0..5 * count).map(|number| sequence(&[&oid(&format!("1.2.3.{number}"))])).collect();
    let policies = extension("2.5.29.32", false, &sequence(&[&policies.concat()]));
    let explicit = extension("2.5.29.36", true, &sequence(&[&tlv(0x80, &[&[0]])]));
    let authority = |name: &str, number| {
        Spec::named(name, number).with([pki::authority(), vec![policies.clone(), explicit.clone()]].concat())
    };
    let upper = authority("Upper", 6).issued_by(&lab.root, Key::of("upper"));
    let lower = authority("Lower", 7).issued_by(&upper, Key::of("lower"));
    let signer = Spec::signer("Policies", 5).and(policies.clone()).issued_by(&lower, Key::of("many"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&signer, TEXT)]);
    data.certificates.extend([upper.certificate, lower.certificate]);
    data.bytes()
}

fn timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp =
        |number: usize| attribute(SIGNATURE_TIMESTAMP, &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

/// By the archive-time-stamp attribute of version 3 (EN 319 122-1 §5.5.3), over nothing.
fn archive_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = |number: usize| attribute("0.4.0.1733.2.4", &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

/// So many time-stamps of that kind in the unsigned attributes, whose imprints are of that function, in a signature with a
/// large value, and with a large attribute of that kind, signed or not. What digests them all digests that again and again.
pub fn stamped_over(lab: &Lab, (kind, count, digest): (&str, usize, &str), large: Large<'_>) -> Vec<u8> {
    let index = sequence(&[&sequence(&[&oid(digest)]), &sequence(&[]), &sequence(&[]), &sequence(&[])]);
    let stamp = |number: usize| {
        let time = format!("{}0101120000Z", 2001 + number % 25);
        let token = Token { digest, ..Token::of(vec![0; 16], &time) };
        attribute(kind, &token.with_unsigned(&lab.tsa, vec![attribute("0.4.0.19122.1.5", &index)]))
    };
    let mut unsigned: Vec<Vec<u8>> = (0..count).map(stamp).collect();
    let mut signer = Signer { timestamp: None, ..Signer::of(&lab.alice, TEXT) };
    let mut value = vec![0; 64];
    match large {
        Large::Signed(length) => signer = signer.and(attribute("1.2.3.4", &bytes(&vec![0; length]))),
        Large::Unsigned(kind, length) => unsigned.push(attribute(kind, &sequence(&[&bytes(&vec![0; length])]))),
        Large::Value(length) => value = vec![0; length],
    }
    signer.unsigned = unsigned;
    let signed = tlv(0xa0, &[&sorted(&signer.attributes)]);
    let mut data = SignedData::new(Some(TEXT));
    data.signers = vec![signer.with_value(&signed, &value)];
    data.bytes()
}

/// What is large in a signature, in bytes.
pub enum Large<'k> {
    /// An attribute that is signed.
    Signed(usize),
    /// One of that kind that is not.
    Unsigned(&'k str, usize),
    /// The value itself.
    Value(usize),
}

fn counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let counter = |number: usize| {
        let signer = Signer { timestamp: None, ..Signer::of(&lab.bob, &number.to_be_bytes()) };
        attribute("1.2.840.113549.1.9.6", &signer.signed(&number.to_be_bytes()))
    };
    with_unsigned(lab, (0..count).map(counter).collect())
}

fn attributes(lab: &Lab, count: usize) -> Vec<u8> {
    with_unsigned(lab, (0..count).map(|number| attribute(&format!("1.2.3.{number}"), &utf8("x"))).collect())
}

/// Certificates of people who sign nothing.
fn others(lab: &Lab, count: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| {
        let spec = Spec::signer(&format!("Other {number}"), 600_000 + number as u64);
        spec.issued_by(&lab.root, Key::of("many")).certificate
    })
}

/// Each names an issuer and a serial number that no certificate has, among as many certificates.
fn certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
    let reference = |number: usize| {
        let name = tlv(0xa4, &[&lab.root.subject()]);
        let issuer = sequence(&[&sequence(&[&name]), &integer(700_000 + number as u64)]);
        sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&pki::sha256(&number.to_be_bytes())), &issuer])
    };
    let references: Vec<Vec<u8>> = (0..count).map(reference).map(|parts| other_cert_id(&parts)).collect();
    let attribute = attribute("1.2.840.113549.1.9.16.2.21", &sequence(&[&references.concat()]));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer { unsigned: vec![attribute], ..one(lab) }]);
    data.certificates.extend(others(lab, count));
    data.bytes()
}

/// `OtherCertID ::= SEQUENCE { otherCertHash OtherHash, issuerSerial IssuerSerial OPTIONAL }` of an algorithm, a digest, an
/// issuer.
fn other_cert_id(parts: &[u8]) -> Vec<u8> {
    let parts = children(parts);
    sequence(&[&sequence(&[&parts[0], &parts[1]]), &parts[2]])
}

/// As many references as certificates, none of which is meant.
fn signing_certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
    let reference = |number: usize| sequence(&[&bytes(&pki::sha256(&number.to_be_bytes()))]);
    let references: Vec<Vec<u8>> = (0..count).map(reference).collect();
    let value = sequence(&[&sequence(&[&references.concat()])]);
    let signer = one(lab).without(SIGNING_CERTIFICATE).and(attribute(SIGNING_CERTIFICATE, &value));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.certificates.extend(others(lab, count));
    data.bytes()
}

fn of_certificate(lab: &Lab, spec: &Spec) -> Vec<u8> {
    let person = spec.issued_by(&lab.root, Key::of("many"));
    lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&person, TEXT)]).bytes()
}

fn name_parts(lab: &Lab, count: usize) -> Vec<u8> {
    let part = |number: usize| set_of(&[sequence(&[&oid("2.5.4.11"), &utf8(&format!("unit {number}"))])]);
    let subject = sequence(&[&(0..count).map(part).collect::<Vec<_>>().concat()]);
    of_certificate(lab, &Spec { subject, ..Spec::signer("", 500_000) })
}

fn extensions(lab: &Lab, count: usize) -> Vec<u8> {
    let mut spec = Spec::signer("Many extensions", 500_001);
    spec.extensions.extend((0..count).map(|number| extension(&format!("1.2.3.{number}"), false, &utf8("x"))));
    of_certificate(lab, &spec)
}

const DOCUMENT: &str = "<doc><text Id=\"T\">I, Alice, agree.</text></doc>";
const PART: &str = "<text Id=\"T\">I, Alice, agree.</text>";

fn references(lab: &Lab, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE]); count];
    enclosed(DOCUMENT, &Signature::over(lab, references).xml()).into_bytes()
}

/// Elements of a type whose prefix is used nowhere, one inside the other by sixteen.
fn xml_types(lab: &Lab, count: usize) -> Vec<u8> {
    let element = "<a xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"p:T\">";
    let nested = [element.repeat(16), "</a>".repeat(16)].concat();
    let document = format!("<doc xmlns:p=\"urn:p\">{}</doc>", nested.repeat(count / 16 + 1));
    lab.enveloped(&document).into_bytes()
}

/// Signatures over a part, in a document that has as many instructions around it.
fn xml_instructions(lab: &Lab, count: usize) -> Vec<u8> {
    let part = "<part Id=\"P\">I agree.</part>";
    let over = || vec![reference(Some("#P"), part.as_bytes(), &[EXCLUSIVE])];
    let signature = Signature { stamped: false, ..Signature::over(lab, over()) }.xml();
    format!("{}<doc>{part}{}</doc>", "<?p?>".repeat(100 * count), signature.repeat(count / 10)).into_bytes()
}

fn xml_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let signature = |number: usize| {
        let id = format!("S{number}");
        let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
        Signature { id: &id, stamped: false, ..Signature::over(lab, references) }.xml()
    };
    enclosed(DOCUMENT, &(0..count).map(signature).collect::<String>()).into_bytes()
}

pub fn xml_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
    let xml = Signature::over(lab, references).xml();
    let stamp = lab.xades_timestamp("xades141:ArchiveTimeStamp", "http://uri.etsi.org/01903/v1.4.1#", "", b"", STAMPED);
    let end = "</xades:UnsignedSignatureProperties>";
    let xml = xml.replace(end, &(stamp.repeat(count) + end));
    enclosed(DOCUMENT, &xml).into_bytes()
}

fn xml_counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let references = || vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
    let xml = Signature::over(lab, references()).xml();
    let counter = |number: usize| {
        let id = format!("C{number}");
        let counter = Signature { id: &id, stamped: false, ..Signature::over(lab, references()) };
        format!("<xades:CounterSignature>{}</xades:CounterSignature>", counter.xml())
    };
    let end = "</xades:UnsignedSignatureProperties>";
    let xml = xml.replacen(end, &((0..count).map(counter).collect::<String>() + end), 1);
    enclosed(DOCUMENT, &xml).into_bytes()
}

fn xml_namespaces(lab: &Lab, count: usize) -> Vec<u8> {
    let declared: String = (0..count).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect();
    let document = format!("<doc{declared}>{}</doc>", "<a/>".repeat(count));
    lab.enveloped_by(&document, &document, &[xml::ENVELOPED, "http://www.w3.org/2006/12/xml-c14n11"]).into_bytes()
}

fn xml_attributes(lab: &Lab, count: usize) -> Vec<u8> {
    let attributes: String = (0..count).map(|number| format!(" a{number}=\"{number}\"")).collect();
    lab.enveloped(&format!("<doc{attributes}></doc>")).into_bytes()
}

/// A document signed by transforms that leave something else of it.
fn transformed(lab: &Lab, document: &str, transform: &str, form: &str) -> Vec<u8> {
    lab.enveloped_by(document, "", &[xml::ENVELOPED, transform, form]).into_bytes()
}

fn xml_left_out(lab: &Lab, count: usize) -> Vec<u8> {
    let document = format!("<r>{}</r>", "<x></x>".repeat(20 * count));
    transformed(lab, &document, &xml::xpath("not(ancestor-or-self::x)"), xml::EXCLUSIVE)
}

fn xml_siblings(lab: &Lab, count: usize) -> Vec<u8> {
    let document = format!("<r>{}<l>{}</l></r>", "<a></a>".repeat(10 * count), "<b></b>".repeat(5 * count));
    transformed(lab, &document, &xml::xpath("self::b[../following-sibling::c]"), xml::EXCLUSIVE)
}

/// Nineteen of them for each that is counted, up to 1,900 on one element.
fn xml_inherited(lab: &Lab, count: usize) -> Vec<u8> {
    let all: Vec<String> = (0..19 * count).map(|number| format!(" xml:a{number}=\"\"")).collect();
    let levels: String = all.chunks(1_900).map(|attributes| format!("<e{}>", attributes.concat())).collect();
    let ends = "</e>".repeat(all.len().div_ceil(1_900));
    transformed(lab, &format!("{levels}<t></t>{ends}"), &xml::filter("intersect", "//t"), INCLUSIVE)
}

fn xml_scope(lab: &Lab, count: usize) -> Vec<u8> {
    let scope: String = (0..count).map(|number| format!(" xmlns:p{number}=\"u:1\"")).collect();
    let document = format!("<r{scope}>{}</r>", "<a xmlns:x=\"u:1\"></a>".repeat(count));
    lab.enveloped_by(&document, "", &[xml::ENVELOPED, INCLUSIVE]).into_bytes()
}

fn xml_ids(lab: &Lab, count: usize) -> Vec<u8> {
    let ids: String = (0..count).map(|number| format!("<a Id=\"i{number}\"></a>")).collect();
    let document = format!("<r><t>{}</t>{ids}</r>", "a i1 ".repeat(10 * count));
    transformed(lab, &document, &xml::filter("intersect", "id(string(/r/t))"), xml::EXCLUSIVE)
}

/// A signature with so many bare references to what has that id, and something in it.
fn referring(lab: &Lab, count: usize, id: &str, inside: &str) -> String {
    let references = vec![format!("<ds:Reference URI=\"#{id}\"/>"); count];
    Signature { objects: inside.to_owned(), stamped: false, ..Signature::over(lab, references) }.xml()
}

fn xml_references_to_one_id(lab: &Lab, count: usize) -> Vec<u8> {
    let same = "<a Id=\"x\"/>".repeat(100 * count);
    enclosed(&format!("<r>{same}</r>"), &referring(lab, 100 * count, "x", "")).into_bytes()
}

fn xml_references_to_one_manifest(lab: &Lab, count: usize) -> Vec<u8> {
    let entries = "<ds:Reference/>".repeat(10 * count);
    let manifest = format!("<ds:Object><ds:Manifest Id=\"m\">{entries}</ds:Manifest></ds:Object>");
    referring(lab, 10 * count, "m", &manifest).into_bytes()
}

fn xml_objects(lab: &Lab, count: usize) -> Vec<u8> {
    let objects = "<ds:Object/>".repeat(20 * count) + "<ds:Object Id=\"o\"/>";
    referring(lab, 10 * count, "o", &objects).into_bytes()
}

/// Up to a hundred of them are within each other.
fn xml_values(lab: &Lab, count: usize) -> Vec<u8> {
    let levels = count.min(100);
    let value = "A".repeat(100 * count);
    let nested = ["<X509CRL>".repeat(levels), value, "</X509CRL>".repeat(levels)].concat();
    enclosed(&format!("<r>{nested}</r>"), &referring(lab, 1, "x", "")).into_bytes()
}

fn xml_namespaces_asked_for(lab: &Lab, count: usize) -> Vec<u8> {
    let declared: String = (0..20).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect();
    let document = format!("<r{declared}>{}</r>", "<a></a>".repeat(count));
    transformed(lab, &document, &xml::xpath("true()"), xml::EXCLUSIVE)
}

fn jws_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let payload = one.as_object_mut().and_then(|one| one.remove("payload"));
    json!({ "payload": payload, "signatures": vec![one; count] }).to_string().into_bytes()
}

pub fn jws_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let token = BASE64_STANDARD.encode(Token::over(b"", STAMPED).by(&lab.tsa));
    let stamp = json!({ "arcTst": { "tstTokens": [{ "val": token }] } });
    let unsigned = one["header"]["etsiU"].as_array_mut().expect("an array");
    unsigned.extend(vec![stamp; count]);
    one.to_string().into_bytes()
}

fn jws_content_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let token = BASE64_STANDARD.encode(Token::over(b"", STAMPED).by(&lab.tsa));
    let stamps = json!({ "adoTst": { "tstTokens": vec![json!({ "val": token }); count] } });
    lab.jws(TEXT, stamps).to_string().into_bytes()
}

fn jws_members(lab: &Lab, count: usize) -> Vec<u8> {
    let members = |prefix: &str| (0..count).map(|number| (format!("{prefix}{number}"), json!(1))).collect();
    let mut jws = lab.jws(TEXT, Value::Object(members("a")));
    jws["header"] = Value::Object(members("b"));
    jws.to_string().into_bytes()
}

fn jws_fields(lab: &Lab, count: usize) -> Vec<u8> {
    let data = json!({ "mId": "http://uri.etsi.org/19182/HttpHeaders", "pars": vec!["x"; count] });
    let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
    lab.flattened(&header, None, b"").to_string().into_bytes()
}

fn jws_components(lab: &Lab, count: usize) -> Vec<u8> {
    let mut jws = lab.jws(TEXT, json!({}));
    jws["header"]["etsiU"] = json!(vec![1; count]);
    jws.to_string().into_bytes()
}

/// A JWS without a certificate, with the rest of its members.
pub fn bare_jws(header: &Value, rest: Value) -> Vec<u8> {
    let mut jws = json!({ "protected": url(header.to_string().as_bytes()), "signature": url(&[7; 64]) });
    jws.as_object_mut().into_iter().for_each(|jws| jws.extend(rest.as_object().cloned().into_iter().flatten()));
    jws.to_string().into_bytes()
}

/// Signatures over one payload of so many bytes.
pub fn signatures_over_one_payload(algorithm: &str, count: usize, bytes: usize) -> Vec<u8> {
    let protected = url(json!({ "alg": algorithm }).to_string().as_bytes());
    let entry = |number: usize| json!({ "protected": protected, "signature": url(format!("{number:064}").as_bytes()) });
    let entries: Vec<Value> = (0..count).map(entry).collect();
    json!({ "payload": url(&vec![7; bytes]), "signatures": entries }).to_string().into_bytes()
}

/// An eighth of them: a PDF may have 500 signatures, each of which is over the whole of it.
pub fn pdf_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut pdf = Pdf::usual();
    for number in 0..count as u32 {
        let name = format!("Field {number}");
        let field = Field { field: 100 + 2 * number, value: 101 + 2 * number, name: &name, ..SECOND };
        pdf.sign_with(&field, Objects::new(), |bytes| {
            let mut data = SignedData::new(None);
            data.signers = vec![Signer::of(&lab.alice, bytes).signed(bytes)];
            data.certificates = vec![lab.alice.certificate.clone()];
            data.bytes()
        });
    }
    pdf.bytes
}

fn named(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("file{number}.txt")).collect()
}

fn asic_files(lab: &Lab, count: usize) -> Vec<u8> {
    let names = named(count);
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), TEXT)).collect();
    lab.asic_e(&files, &[]).bytes()
}

fn asic_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    with_signatures(lab.asic_e(&[("a.txt", TEXT)], &[]), count).bytes()
}

/// The same with so many files of signatures more.
fn with_signatures(mut zip: Zip, count: usize) -> Zip {
    let at = zip.entries.iter().position(|entry| entry.title().contains("signatures")).expect("an entry");
    let signature = zip.entries[at].clone();
    zip.entries.extend((0..count).map(|number| {
        let mut entry = signature.clone();
        entry.name = format!("META-INF/signatures{number:05}.xml").into_bytes();
        entry
    }));
    zip
}

fn asic_manifests(lab: &Lab, count: usize) -> Vec<u8> {
    let mut zip: Zip = lab.asic_e_cades(&[("a.txt", TEXT)]);
    let of = |zip: &Zip, part: &str| -> Entry {
        zip.entries.iter().find(|entry| entry.title().contains(part)).expect("an entry").clone()
    };
    let (manifest, signature) = (of(&zip, "anifest"), of(&zip, ".p7s"));
    let name = signature.title();
    for number in 0..count {
        let other = format!("META-INF/signature{number:05}.p7s");
        let mut entry = manifest.clone();
        entry.name = format!("META-INF/ASiCManifest{number:05}.xml").into_bytes();
        entry.data = String::from_utf8(entry.data).expect("XML").replace(&name, &other).into_bytes();
        zip.entries.push(entry);
        zip.entries.push(Entry { name: other.into_bytes(), ..signature.clone() });
    }
    zip.bytes()
}

/// A long name, and others that are the same path.
fn asic_names(lab: &Lab, count: usize) -> Vec<u8> {
    let long = format!("a{}", "/.".repeat(20 * count));
    let step = |bit: bool| if bit { "/." } else { "//" };
    let name = |at: usize| format!(".{}/a", (0..16).map(|bit| step(at >> bit & 1 == 1)).collect::<String>());
    let names: Vec<String> = (0..count).map(name).chain([long]).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().rev().map(|name| (name.as_str(), &b"x"[..])).collect();
    lab.asic_e(&[("contract.txt", b"pay 100")], &entries).bytes()
}

/// No reference has the name of a file, each the digest of one.
fn asic_renamed(lab: &Lab, count: usize) -> Vec<u8> {
    let names = named(count);
    let texts: Vec<String> = names.iter().map(|name| format!("the text of {name}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().zip(&texts).map(|(name, text)| (&**name, text.as_bytes())).collect();
    let other: Vec<String> = names.iter().map(|name| format!("other/{name}")).collect();
    let signed: Vec<(&str, &[u8])> = other.iter().zip(&texts).map(|(name, text)| (&**name, text.as_bytes())).collect();
    lab.asic_e_with(&files, &[], &lab.xades_over(&signed)).bytes()
}

/// So many manifests list 25,000 references each, of which so many differ, in an order that is never the same.
pub fn asic_references(lab: &Lab, manifests: usize, different: usize) -> Vec<u8> {
    let mut zip = lab.asic_e_cades(&[("a.txt", TEXT)]);
    let mut state = 1u64;
    for number in 0..manifests {
        let mut row = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("<DataObjectReference URI=\"a.txt\" MimeType=\"{number}-{}\"/>", (state >> 33) % different as u64)
        };
        let rows: String = (0..25_000).map(|_| row()).collect();
        let list = format!("<ASiCManifest><SigReference URI=\"META-INF/{number}.p7s\"/>{rows}</ASiCManifest>");
        zip.entries.push(Entry {
            deflated: true,
            ..Entry::new(&format!("META-INF/ASiCManifest{number}.xml"), list.as_bytes())
        });
    }
    zip.bytes()
}

/// So many hexadecimal digits, which compress to half of them.
pub fn noise(count: usize) -> String {
    let digests = (0..count.div_ceil(64)).map(|number| pki::sha256(&number.to_be_bytes()));
    digests.flatten().map(|byte| format!("{byte:02x}")).collect()
}

/// A container with so many files of signatures, each of which signs this file three times, compressed, in canonical form.
pub fn transformed_beside(lab: &Lab, file: &str, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("a.xml"), file.as_bytes(), &[EXCLUSIVE]); 3];
    let zip = lab.asic_e_with(&[("a.xml", file.as_bytes())], &[], &Signature::over(lab, references).xml());
    compressed(with_signatures(zip, count - 1))
}

/// A container with so many evidence records in XML over this file, compressed, in canonical form.
pub fn records_over(lab: &Lab, file: &str, count: usize) -> Vec<u8> {
    records_of_chains(lab, file, count, (1, 0))
}

/// The same with so many chains in each record, the first of which has so many values more, which each of the others covers.
pub fn records_of_chains(lab: &Lab, file: &str, count: usize, (chains, values): (usize, usize)) -> Vec<u8> {
    let token = BASE64_STANDARD.encode(ers::token_of(&lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)));
    let digest = BASE64_STANDARD.encode(pki::sha256(TEXT));
    let chain = |order: usize, more: &str| {
        format!(
            "<ArchiveTimeStampChain Order=\"{order}\">\
         <DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\
         <CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"/><ArchiveTimeStamp Order=\"1\"><HashTree>\
         <Sequence Order=\"1\"><DigestValue>{digest}</DigestValue>{more}</Sequence></HashTree><TimeStamp>\
         <TimeStampToken Type=\"RFC3161\">{token}</TimeStampToken></TimeStamp></ArchiveTimeStamp>\
         </ArchiveTimeStampChain>"
        )
    };
    let more = "<DigestValue>AAAA</DigestValue>".repeat(values);
    let all: String = (1..=chains).map(|order| chain(order, if order == 1 { &more } else { "" })).collect();
    let record = format!(
        "<EvidenceRecord xmlns=\"urn:ietf:params:xml:ns:ers\" Version=\"1.0\"><ArchiveTimeStampSequence>{all}\
         </ArchiveTimeStampSequence></EvidenceRecord>"
    );
    let files = [("a.xml", file.as_bytes())];
    let mut zip = lab.asic_e(&files, &[]);
    for number in 0..count {
        let name = format!("META-INF/evidencerecord{number}.xml");
        let list = manifest(&files, &name);
        zip = zip.and(&format!("META-INF/ASiCEvidenceRecordManifest{number}.xml"), &list).and(&name, record.as_bytes());
    }
    compressed(zip)
}

fn compressed(mut zip: Zip) -> Vec<u8> {
    zip.entry("a.xml").deflated = true;
    zip.bytes()
}

pub fn record(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    ers::record(&[&vec![stamp; count]])
}

pub fn chains(lab: &Lab, count: usize) -> Vec<u8> {
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    ers::record(&vec![&chain[..]; count])
}

/// One with so many hashes, which are empty.
pub fn record_of_hashes(lab: &Lab, count: usize) -> Vec<u8> {
    ers::record(&[&[lab.archive_timestamp(&vec![vec![]; count], STAMPED)]])
}

fn hashes(lab: &Lab, count: usize) -> Vec<u8> {
    let hashes: Vec<Vec<u8>> = (0..count).map(|number| pki::sha256(&number.to_be_bytes())).collect();
    ers::record(&[&[lab.archive_timestamp(&hashes, STAMPED)]])
}

const INTERNAL_RECORD: &str = "1.2.840.113549.1.9.16.2.49";

/// Each of a version of its own, so that no two are the same.
fn embedded_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = |number: usize| {
        let mut record = children(&ers::record(&[std::slice::from_ref(&stamp)]));
        record[0] = integer(number as u64);
        attribute(INTERNAL_RECORD, &sequence(&[&record.concat()]))
    };
    with_unsigned(lab, (0..count).map(record).collect())
}

fn signers_with_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = attribute(INTERNAL_RECORD, &ers::record(&[&[stamp]]));
    let signer = |number: usize| Signer {
        identifier: sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]),
        timestamp: None,
        unsigned: vec![record.clone()],
        ..Signer::of(&lab.alice, TEXT)
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &(0..count).map(signer).collect::<Vec<_>>());
    data.certificates = vec![lab.alice.certificate.clone()];
    data.bytes()
}

/// A large message with one record of 64 chains.
pub fn chains_over_a_large_message(lab: &Lab, bytes: usize) -> Vec<u8> {
    let text = vec![b'x'; bytes];
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    let record = attribute(INTERNAL_RECORD, &ers::record(&vec![&chain[..]; 64]));
    let signer = Signer { unsigned: vec![record], ..lab.signer(&lab.alice, &text).at(STAMPED) };
    lab.signed_data(Some(&text), &text, &[signer]).bytes()
}
