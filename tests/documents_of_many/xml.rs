//! XML signatures.

use lacre_testkit::cms::STAMPED;
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::{self, EXCLUSIVE, Signature, enclosed, reference};

pub const INCLUSIVE: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

pub const DOCUMENT: &str = "<doc><text Id=\"T\">I, Alice, agree.</text></doc>";
pub const PART: &str = "<text Id=\"T\">I, Alice, agree.</text>";

pub fn references(lab: &Lab, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE]); count];
    enclosed(DOCUMENT, &Signature::over(lab, references).xml()).into_bytes()
}

/// Elements of a type whose prefix is used nowhere, one inside the other by sixteen.
pub fn xml_types(lab: &Lab, count: usize) -> Vec<u8> {
    let element = "<a xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"p:T\">";
    let nested = [element.repeat(16), "</a>".repeat(16)].concat();
    let document = format!("<doc xmlns:p=\"urn:p\">{}</doc>", nested.repeat(count / 16 + 1));
    lab.enveloped(&document).into_bytes()
}

/// Signatures over a part, in a document that has as many instructions around it.
pub fn xml_instructions(lab: &Lab, count: usize) -> Vec<u8> {
    let part = "<part Id=\"P\">I agree.</part>";
    let over = || vec![reference(Some("#P"), part.as_bytes(), &[EXCLUSIVE])];
    let signature = Signature { stamped: false, ..Signature::over(lab, over()) }.xml();
    format!("{}<doc>{part}{}</doc>", "<?p?>".repeat(100 * count), signature.repeat(count / 10)).into_bytes()
}

pub fn xml_signatures(lab: &Lab, count: usize) -> Vec<u8> {
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

pub fn xml_counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
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

pub fn xml_namespaces(lab: &Lab, count: usize) -> Vec<u8> {
    let declared: String = (0..count).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect();
    let document = format!("<doc{declared}>{}</doc>", "<a/>".repeat(count));
    lab.enveloped_by(&document, &document, &[xml::ENVELOPED, "http://www.w3.org/2006/12/xml-c14n11"]).into_bytes()
}

pub fn xml_attributes(lab: &Lab, count: usize) -> Vec<u8> {
    let attributes: String = (0..count).map(|number| format!(" a{number}=\"{number}\"")).collect();
    lab.enveloped(&format!("<doc{attributes}></doc>")).into_bytes()
}

/// A document signed by transforms that leave something else of it.
pub fn transformed(lab: &Lab, document: &str, transform: &str, form: &str) -> Vec<u8> {
    lab.enveloped_by(document, "", &[xml::ENVELOPED, transform, form]).into_bytes()
}

pub fn xml_left_out(lab: &Lab, count: usize) -> Vec<u8> {
    let document = format!("<r>{}</r>", "<x></x>".repeat(20 * count));
    transformed(lab, &document, &xml::xpath("not(ancestor-or-self::x)"), xml::EXCLUSIVE)
}

pub fn xml_siblings(lab: &Lab, count: usize) -> Vec<u8> {
    let document = format!("<r>{}<l>{}</l></r>", "<a></a>".repeat(10 * count), "<b></b>".repeat(5 * count));
    transformed(lab, &document, &xml::xpath("self::b[../following-sibling::c]"), xml::EXCLUSIVE)
}

/// Nineteen of them for each that is counted, up to 1,900 on one element.
pub fn xml_inherited(lab: &Lab, count: usize) -> Vec<u8> {
    let all: Vec<String> = (0..19 * count).map(|number| format!(" xml:a{number}=\"\"")).collect();
    let levels: String = all.chunks(1_900).map(|attributes| format!("<e{}>", attributes.concat())).collect();
    let ends = "</e>".repeat(all.len().div_ceil(1_900));
    transformed(lab, &format!("{levels}<t></t>{ends}"), &xml::filter("intersect", "//t"), INCLUSIVE)
}

pub fn xml_scope(lab: &Lab, count: usize) -> Vec<u8> {
    let scope: String = (0..count).map(|number| format!(" xmlns:p{number}=\"u:1\"")).collect();
    let document = format!("<r{scope}>{}</r>", "<a xmlns:x=\"u:1\"></a>".repeat(count));
    lab.enveloped_by(&document, "", &[xml::ENVELOPED, INCLUSIVE]).into_bytes()
}

pub fn xml_ids(lab: &Lab, count: usize) -> Vec<u8> {
    let ids: String = (0..count).map(|number| format!("<a Id=\"i{number}\"></a>")).collect();
    let document = format!("<r><t>{}</t>{ids}</r>", "a i1 ".repeat(10 * count));
    transformed(lab, &document, &xml::filter("intersect", "id(string(/r/t))"), xml::EXCLUSIVE)
}

/// A signature with so many bare references to what has that id, and something in it.
pub fn referring(lab: &Lab, count: usize, id: &str, inside: &str) -> String {
    let references = vec![format!("<ds:Reference URI=\"#{id}\"/>"); count];
    Signature { objects: inside.to_owned(), stamped: false, ..Signature::over(lab, references) }.xml()
}

pub fn xml_references_to_one_id(lab: &Lab, count: usize) -> Vec<u8> {
    let same = "<a Id=\"x\"/>".repeat(100 * count);
    enclosed(&format!("<r>{same}</r>"), &referring(lab, 100 * count, "x", "")).into_bytes()
}

pub fn xml_references_to_one_manifest(lab: &Lab, count: usize) -> Vec<u8> {
    let entries = "<ds:Reference/>".repeat(10 * count);
    let manifest = format!("<ds:Object><ds:Manifest Id=\"m\">{entries}</ds:Manifest></ds:Object>");
    referring(lab, 10 * count, "m", &manifest).into_bytes()
}

pub fn xml_objects(lab: &Lab, count: usize) -> Vec<u8> {
    let objects = "<ds:Object/>".repeat(20 * count) + "<ds:Object Id=\"o\"/>";
    referring(lab, 10 * count, "o", &objects).into_bytes()
}

/// Up to a hundred of them are within each other.
pub fn xml_values(lab: &Lab, count: usize) -> Vec<u8> {
    let levels = count.min(100);
    let value = "A".repeat(100 * count);
    let nested = ["<X509CRL>".repeat(levels), value, "</X509CRL>".repeat(levels)].concat();
    enclosed(&format!("<r>{nested}</r>"), &referring(lab, 1, "x", "")).into_bytes()
}

pub fn xml_namespaces_asked_for(lab: &Lab, count: usize) -> Vec<u8> {
    let declared: String = (0..20).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect();
    let document = format!("<r{declared}>{}</r>", "<a></a>".repeat(count));
    transformed(lab, &document, &xml::xpath("true()"), xml::EXCLUSIVE)
}
