//! Each bound of the budget holds from the front door on, and where it is reached the answer says which one it was.

use lacre::{Budget, Document, Error, Facts, Validator};
use lacre_core::{
    facts::{Irregularity, IrregularityKind},
    policy::Policy,
};
use lacre_testkit::cms::{STAMPED, Token, attribute};
use lacre_testkit::der::{bytes, integer, oid, sequence, set_of, tlv};
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{Key, SHA256, Spec, extension, sha256};
use lacre_testkit::zip::{ASIC_E, Zip, manifest};

const TIME: &str = "2027-01-01T00:00:00Z";

fn example(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name);
    std::fs::read(path).expect("the examples are there")
}

fn facts(bytes: &[u8], budget: &Budget) -> Result<Facts, Error> {
    let validator = Validator::new(Policy::eidas()).budget(budget.clone()).trust_anchor(&example("root.der"))?;
    validator.facts(&Document::new(bytes), TIME.parse().expect("a time"))
}

/// The bounds that an answer names, as an error or as findings.
fn reached(bytes: &[u8], budget: &Budget) -> Vec<String> {
    let facts = match facts(bytes, budget) {
        Ok(facts) => facts,
        Err(error) => return error.bound().map(str::to_owned).into_iter().collect(),
    };
    let about = |found: &Irregularity| match found.kind {
        IrregularityKind::BudgetExceeded => found.subject.as_deref().map(str::to_owned),
        _ => None,
    };
    let of_signatures = facts.signatures.iter().flat_map(|signature| &signature.irregularities);
    let mut bounds: Vec<String> = facts.irregularities.iter().chain(of_signatures).filter_map(about).collect();
    bounds.dedup();
    bounds
}

/// An XML signature with so many references to the document, each with this transform.
fn xml(references: usize, transform: &str) -> Vec<u8> {
    const C14N: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let reference = format!(
        "<ds:Reference URI=\"\"><ds:Transforms>{transform}</ds:Transforms><ds:DigestMethod \
         Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>"
    );
    let text = format!(
        "<r><a/><a/><ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:SignedInfo>\
         <ds:CanonicalizationMethod Algorithm=\"{C14N}\"/><ds:SignatureMethod \
         Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256\"/>{}</ds:SignedInfo>\
         <ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature></r>",
        reference.repeat(references)
    );
    text.into_bytes()
}

const XPATH: &str = "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">\
                     <ds:XPath>count(//*) &gt; 1</ds:XPath></ds:Transform>";

const BASE64: &str = "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#base64\"/>";

/// A container whose signature has so many references to this file, each with this transform.
fn beside(references: usize, transform: &str, file: &str) -> Vec<u8> {
    around(&String::from_utf8(xml(references, transform)).expect("XML"), file)
}

/// The same with one reference, whose digest is of the slowest function.
fn under_md2(file: &str) -> Vec<u8> {
    let signature = String::from_utf8(xml(1, "")).expect("XML");
    around(&signature.replace("2001/04/xmlenc#sha256", "2001/04/xmldsig-more#md2"), file)
}

fn around(signature: &str, file: &str) -> Vec<u8> {
    let signature = signature.replace("URI=\"\"", "URI=\"file\"").replace("<r><a/><a/>", "<r>");
    let files: [(&str, &[u8]); 3] =
        [("mimetype", ASIC_E), ("file", file.as_bytes()), ("META-INF/signatures.xml", signature.as_bytes())];
    let mut zip = Zip::of(&files);
    zip.entry("file").deflated = true;
    zip.bytes()
}

/// A ZIP file with entries of zeros, deflated: APPNOTE.TXT §4.3.
fn zip(entries: &[(&str, usize)]) -> Vec<u8> {
    use std::io::Write;
    let (mut file, mut directory) = (vec![], vec![]);
    for (name, length) in entries {
        let plain = vec![0; *length];
        let mut sum = flate2::Crc::new();
        sum.update(&plain);
        let mut encoder = flate2::write::DeflateEncoder::new(vec![], flate2::Compression::best());
        encoder.write_all(&plain).expect("into memory");
        let deflated = encoder.finish().expect("into memory");
        let (offset, name) = (file.len() as u32, name.as_bytes());
        let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];
        for number in [sum.sum(), deflated.len() as u32, *length as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        file.extend([b"PK\x03\x04", &common[..], name, &deflated].concat());
        let place = [&[0; 10][..], &offset.to_le_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &place, name].concat());
    }
    let count = (entries.len() as u16).to_le_bytes();
    let sizes = [(directory.len() as u32).to_le_bytes(), (file.len() as u32).to_le_bytes()].concat();
    [&file[..], &directory, b"PK\x05\x06\0\0\0\0", &count, &count, &sizes, &[0, 0]].concat()
}

/// Bytes deflated for a PDF: ISO 32000-2 7.4.4.
fn zlib(plain: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
    encoder.write_all(plain).expect("into memory");
    encoder.finish().expect("into memory")
}

/// A PDF whose form lies in an object stream of 64 KiB: 7.5.7.
fn packed_pdf() -> Vec<u8> {
    let bytes: Vec<u8> = b"20 0  []".iter().copied().chain([b' '; 1 << 16]).collect();
    let bytes = zlib(&bytes);
    let head = format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/AcroForm 20 0 R>>endobj\n\
         5 0 obj<</Type/ObjStm/N 1/First 6/Filter/FlateDecode/Length {}>>stream\n",
        bytes.len()
    );
    [head.as_bytes(), &bytes, b"\nendstream endobj\ntrailer<</Root 1 0 R/Size 9>>\n"].concat()
}

/// A PDF of 700,000 bytes whose cross-references are of 150,000 objects: 7.5.8.
fn listed_pdf() -> Vec<u8> {
    let entries = zlib(&vec![0; 3 * 150_000]);
    let padding = format!("%PDF-1.7\n%{}\n1 0 obj<</Type/Catalog>>endobj\n", "x".repeat(700_000));
    let section = format!(
        "7 0 obj<</Type/XRef/Root 1 0 R/W[1 1 1]/Size 150000/Filter/FlateDecode/Length {}>>stream\n",
        entries.len()
    );
    let end = format!("\nendstream endobj\nstartxref\n{}\n%%EOF\n", padding.len());
    [padding.as_bytes(), section.as_bytes(), &entries, end.as_bytes()].concat()
}

/// A JWS with counter-signatures, each over the long value of the one that it is in: TS 119 182-1 5.3.2.
fn counter_signed(count: usize) -> Vec<u8> {
    let counters = vec![r#"{"cSig":{"signature":"AA"}}"#; count].join(",");
    let value = "A".repeat(100_000);
    format!(r#"{{"payload":"AA","signature":"{value}","header":{{"etsiU":[{counters}]}}}}"#).into_bytes()
}

const ARCHIVE_V2: &str = "1.2.840.113549.1.9.16.2.48";
const ARCHIVE_V3: &str = "0.4.0.1733.2.4";
const INTERNAL_RECORD: &str = "1.2.840.113549.1.9.16.2.49";
const MD2: &str = "1.2.840.113549.2.2";

/// A CMS signature with these unsigned attributes.
fn with_unsigned(lab: &Lab, unsigned: Vec<Vec<u8>>) -> Vec<u8> {
    let mut signer = lab.signer(&lab.alice, b"text");
    signer.unsigned = unsigned;
    lab.signed_data(Some(b"text"), b"text", &[signer]).bytes()
}

/// An attribute of seven bytes, of which there are as many as that.
fn short_attributes(count: usize) -> Vec<Vec<u8>> {
    vec![sequence(&[&oid("1.2"), &set_of(&[])]); count]
}

/// Forty archive time-stamps, each over a thousand short attributes, which its index lists where it has one (EN 319 122-1
/// §5.5.2).
fn stamped(lab: &Lab, kind: &str) -> Vec<u8> {
    let mut unsigned = short_attributes(1_000);
    let hashes = sequence(&[&bytes(&sha256(&unsigned[0]))]);
    let index = sequence(&[&sequence(&[&oid(SHA256)]), &sequence(&[]), &sequence(&[]), &hashes]);
    let index = vec![attribute("0.4.0.19122.1.4", &index)];
    let token = Token::over(b"", STAMPED).with_unsigned(&lab.tsa, if kind == ARCHIVE_V3 { index } else { vec![] });
    unsigned.extend(vec![attribute(kind, &token); 40]);
    with_unsigned(lab, unsigned)
}

/// Twenty archive time-stamps over signed attributes that are not DER, which each of them may be over as they are or as DER.
fn stamped_in_ber(lab: &Lab) -> Vec<u8> {
    let value = [&b"\x30\x80"[..], &tlv(5, &[]).repeat(10_000), &[0, 0]].concat();
    let mut signer = lab.signer(&lab.alice, b"text").and(attribute("1.2.3.4", &value));
    let index = sequence(&[&sequence(&[&oid(SHA256)]), &sequence(&[]), &sequence(&[]), &sequence(&[])]);
    let index = vec![attribute("0.4.0.19122.1.5", &index)];
    signer.unsigned = vec![attribute(ARCHIVE_V3, &Token::over(b"", STAMPED).with_unsigned(&lab.tsa, index)); 20];
    lab.signed_data(Some(b"text"), b"text", &[signer]).bytes()
}

/// `EvidenceRecord` of so many chains by that function, the first with a tree of so many hashes (RFC 4998 §4).
fn record(lab: &Lab, function: &str, chains: usize, hashes: usize) -> Vec<u8> {
    let token = Token { digest: function, ..Token::of(vec![0; 32], STAMPED) }.by(&lab.tsa);
    let chain = |number: usize| {
        let group = sequence(&[&bytes(b"").repeat(if number == 0 { hashes } else { 1 })]);
        sequence(&[&sequence(&[&tlv(0xa0, &[&oid(function)]), &tlv(0xa2, &[&group]), &token])])
    };
    let chains: Vec<Vec<u8>> = (0..chains).map(chain).collect();
    sequence(&[&integer(1), &sequence(&[&sequence(&[&oid(function)])]), &sequence(&[&chains.concat()])])
}

/// A container with a record over four hundred files, and with ten thousand hashes.
fn record_over_files(lab: &Lab) -> Vec<u8> {
    const NAME: &str = "META-INF/evidencerecord.ers";
    let names: Vec<String> = (0..400).map(|number| number.to_string()).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, name.as_bytes())).collect();
    let mut zip = Zip::of(&[("mimetype", ASIC_E)]);
    for (name, file) in &files {
        zip = zip.and(name, file);
    }
    zip = zip.and("META-INF/ASiCEvidenceRecordManifest.xml", &manifest(&files, NAME));
    zip.and(NAME, &record(lab, SHA256, 1, 10_000)).bytes()
}

/// Records in a signature with much else: RFC 4998 appendix A.
fn records_of(lab: &Lab, count: usize) -> Vec<u8> {
    let mut unsigned = short_attributes(10_000);
    let chains = |number| attribute(INTERNAL_RECORD, &record(lab, SHA256, 1 + number, 1));
    unsigned.extend((0..count).map(chains));
    with_unsigned(lab, unsigned)
}

/// An XML signature with so many unsigned properties: EN 319 132-1 §4.3.6.
fn with_properties(count: usize) -> Vec<u8> {
    const XADES: &str = "http://uri.etsi.org/01903/v1.3.2#";
    let around = ["QualifyingProperties", "UnsignedProperties", "UnsignedSignatureProperties"];
    let open: String = around.iter().map(|name| format!("<{name} xmlns=\"{XADES}\">")).collect();
    let close: String = around.iter().rev().map(|name| format!("</{name}>")).collect();
    let object = format!("<ds:Object>{open}{}{close}</ds:Object></ds:Signature>", "<a/>".repeat(count));
    String::from_utf8(xml(1, "")).expect("XML").replace("</ds:Signature>", &object).into_bytes()
}

/// What nobody writes is counted before anything is made of it: RFC 5652 §5.3, RFC 5035 §5, EN 319 122-1 annex A.
#[test]
fn lists_are_counted_before_they_are_read() {
    let lab = Lab::new();
    let references = sequence(&vec![&sequence(&[&bytes(b"")])[..]; 110_000]);
    let entries = tlv(0xa0, &[&sequence(&[&references])]);
    let attributes = |kind, value: &[u8]| with_unsigned(&lab, vec![attribute(kind, value)]);
    let inside = |attributes: Vec<Vec<u8>>| {
        let mut signer = lab.signer(&lab.alice, b"text");
        signer.unsigned = attributes;
        with_unsigned(&lab, vec![attribute("1.2.840.113549.1.9.6", &signer.signed(b"text"))])
    };
    let signed =
        lab.signer(&lab.alice, b"text").and(attribute("1.2.840.113549.1.9.16.2.47", &sequence(&[&references])));
    let names = tlv(0x30, &[&b"\x82\x01a".repeat(30_000)]);
    let named = |serial| {
        let spec = Spec::signer("Alice", serial).and(extension("2.5.29.17", false, &names));
        spec.issued_by(&lab.root, Key::of("alice")).certificate
    };
    let mut many = lab.signed_data(Some(b"text"), b"text", &[lab.signer(&lab.alice, b"text")]);
    many.certificates.extend((100..140).map(named));
    for (situation, bytes, bound) in [
        ("attributes", with_unsigned(&lab, short_attributes(40_000)), "relations"),
        ("attributes of a counter-signature", inside(short_attributes(40_000)), "relations"),
        ("ESS references", lab.signed_data(Some(b"text"), b"text", &[signed]).bytes(), "relations"),
        ("references", attributes("1.2.840.113549.1.9.16.2.21", &references), "relations"),
        (
            "references to CRLs",
            attributes("1.2.840.113549.1.9.16.2.22", &sequence(&[&sequence(&[&entries])])),
            "relations",
        ),
        ("properties of XML", with_properties(60_000), "relations"),
        ("names in certificates", many.bytes(), "certificates"),
    ] {
        assert_eq!(reached(&bytes, &Budget::default()), [bound], "{situation}");
    }
    let infos = tlv(0xa0, &[&short_attributes(40_000).concat()]);
    let record = sequence(&[&integer(1), &sequence(&[]), &infos, &sequence(&[])]);
    let refused = facts(&record, &Budget::default()).expect_err("cryptoInfos of forty thousand attributes");
    assert!(
        std::error::Error::source(&refused).is_some_and(|cause| format!("{cause:?}").contains("cryptoInfos")),
        "{refused:?}"
    );
    assert_eq!(reached(&with_unsigned(&lab, short_attributes(10_000)), &Budget::default()), Vec::<String>::new());
}

#[test]
fn each_bound_is_named_where_it_is_reached() {
    let standard = Budget::default;
    let [letter, contract, revoked] = ["letter.txt.p7s", "contract.pdf", "revoked.pdf"].map(example);
    let json = br#"{"payload":"AA","signatures":[],"header":{"a":[1234567,{"b":[]}]}}"#.to_vec();
    let (packed, listed) = (packed_pdf(), listed_pdf());
    let (nested, container) = (xml(1, ""), zip(&[("a", 1), ("b", 2)]));
    let mut rows: Vec<(&str, &str, &[u8], Budget)> = vec![];
    let mut row = |bound, situation, bytes, set: &dyn Fn(&mut Budget)| {
        let mut budget = standard();
        set(&mut budget);
        rows.push((bound, situation, bytes, budget));
    };
    row("nesting", "elements of XML", &nested, &|b| b.nesting = 4);
    row("nesting", "values of JSON", &json, &|b| b.nesting = 3);
    row("nesting", "ASN.1", &letter, &|b| b.nesting = 5);
    row("chain_steps", "a chain of two", &letter, &|b| b.chain_steps = 1);
    row("certificates", "two certificates", &letter, &|b| b.certificates = 1);
    row("verification_cost", "three values", &letter, &|b| b.verification_cost = 2);
    row("revocation_lookups", "one CRL", &revoked, &|b| b.revocation_lookups = 0);
    row("pdf_objects", "objects of a PDF", &contract, &|b| b.pdf_objects = 3);
    row("pdf_objects", "too few bytes for each", &listed, &|b| b.pdf_bytes_per_object = 1_000);
    row("pdf_inflated_ratio", "the least", &packed, &|b| (b.pdf_inflated_ratio, b.pdf_inflated_least) = (1, 1));
    row("pdf_inflated_ratio", "the ratio", &packed, &|b| (b.pdf_inflated_ratio, b.pdf_inflated_least) = (0, 20_000));
    row("pdf_inflated_ratio", "the most", &packed, &|b| b.pdf_inflated_most = 1);
    row("zip_entries", "entries of a container", &container, &|b| b.zip_entries = 1);
    row("json_values", "values of JSON", &json, &|b| b.json_values = 4);
    row("json_number", "a number of JSON", &json, &|b| b.json_number = 6);
    row("xpath_visits", "an XPath expression", xml(1, XPATH).leak(), &|b| b.xpath_visits = 10);
    row("canonical_bytes", "forty references", xml(40, "").leak(), &|b| b.canonical_bytes = 0);
    row("digested_bytes", "a content under MD2", under_md2(&"x".repeat(60_000)).leak(), &|b| b.digested_bytes = 0);
    let lab = Lab::new();
    let (v2, v3) = (stamped(&lab, ARCHIVE_V2), stamped(&lab, ARCHIVE_V3));
    row("digested_bytes", "many short attributes", &v2, &|b| b.digested_bytes = 0);
    row("digested_bytes", "many attributes looked for in many indices", &v3, &|b| b.digested_bytes = 0);
    row("digested_bytes", "elements that are not DER", stamped_in_ber(&lab).leak(), &|b| b.digested_bytes = 0);
    row("digested_bytes", "a record under MD2", record(&lab, MD2, 5, 5_000).leak(), &|b| b.digested_bytes = 0);
    row("digested_bytes", "a record over files", record_over_files(&lab).leak(), &|b| b.digested_bytes = 0);
    row("digested_bytes", "records in a signature", records_of(&lab, 4).leak(), &|b| b.digested_bytes = 0);
    row("payload_bytes", "forty counter-signatures", counter_signed(40).leak(), &|b| b.payload_bytes = 0);
    row("crl_entries", "a CRL with an entry", &revoked, &|b| b.crl_entries = 0);
    row("tokens", "one signature", &letter, &|b| b.tokens = 0);
    for (bound, situation, bytes, lower) in &rows {
        assert_eq!(reached(bytes, &standard()), Vec::<String>::new(), "{situation}: within the standard budget");
        assert!(
            reached(bytes, lower).iter().any(|name| name == bound),
            "{bound}, {situation}: {:?}",
            reached(bytes, lower)
        );
    }
}

/// Each reference to a file beside its signature is at the cost of the signature's document.
#[test]
fn references_to_other_files_share_a_bound() {
    let (list, text) = (format!("<r>{}</r>", "<a/>".repeat(100)), "AAAA".repeat(20_000));
    for (bound, transform, file) in [("xpath_visits", XPATH, &list), ("canonical_bytes", BASE64, &text)] {
        let mut budget = Budget::default();
        (budget.xpath_visits, budget.canonical_bytes) = (200_000, 300_000);
        assert_eq!(reached(&beside(1, transform, file), &budget), Vec::<String>::new(), "{bound}: one reference");
        assert_eq!(reached(&beside(20, transform, file), &budget), [bound], "{bound}: twenty of them");
    }
}

#[test]
fn a_container_that_inflates() {
    let container = zip(&[("mimetype", 1), ("b", 2 << 20)]);
    assert_eq!(reached(&container, &Budget::default()), ["zip_ratio"]);
    let mut wide = Budget::default();
    wide.zip_ratio = 10_000;
    assert_eq!(reached(&container, &wide), Vec::<String>::new());
}

#[test]
fn no_signature_passes_past_a_bound() {
    let time = TIME.parse().expect("a time");
    for (bound, situation, set) in [
        ("none", "the standard budget", (|_| {}) as fn(&mut Budget)),
        ("certificates", "one certificate", |budget| budget.certificates = 1),
        ("verification_cost", "the signature's own value only", |budget| budget.verification_cost = 1),
        ("revocation_lookups", "no lookup", |budget| budget.revocation_lookups = 0),
        ("revocation_checks", "no check while judging", |budget| budget.revocation_checks = 0),
    ] {
        let mut budget = Budget::default();
        set(&mut budget);
        let validator = Validator::new(Policy::eidas()).budget(budget).trust_anchor(&example("root.der")).expect("DER");
        let contract = example("contract.pdf");
        let report = validator.validate(&Document::new(&contract), time).expect("it can be read").to_json();
        assert_eq!(report.contains("\"TOTAL-PASSED\""), bound == "none", "{bound}: {situation}");
        assert_eq!(report.contains("BBB_FC_BUDGET_EXCEEDED"), bound != "none", "{bound}: {situation}");
    }
}

/// Doors that take no budget of their own have the standard one; nothing behind a door makes one for itself.
#[test]
fn budgets_are_made_at_doors_only() {
    const DOORS: [&str; 11] = [
        "src/core/validator.rs",
        "src/core/validator/judge.rs",
        "src/core/validation/run.rs",
        "src/core/facts/import.rs",
        "src/core/bundle/file.rs",
        "src/core/formats/xml/options.rs",
        // The canonical form of a content of an evidence record.
        "src/core/formats/ers/xml.rs",
        "src/core/trust/lote/mod.rs",
        "src/core/trust/mod.rs",
        "src/core/trust/snapshot/signature.rs",
        "src/core/trust/signature.rs",
    ];
    fn walk(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.ends_with("tests.rs")
                && !path.ends_with("testing.rs")
            {
                let text = std::fs::read_to_string(&path).expect("UTF-8");
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                if code.lines().any(|line| {
                    !line.trim_start().starts_with("//")
                        && (line.contains("Budget::default()") || line.contains("Options::default()"))
                }) {
                    found.push(path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("inside").display().to_string());
                }
            }
        }
    }
    let mut found = vec![];
    walk(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.retain(|file| !DOORS.contains(&file.as_str()));
    assert_eq!(found, Vec::<String>::new(), "a budget is made inside");
}
