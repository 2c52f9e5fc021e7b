//! Every form of a report names subject, reason and date of what is wrong, in each language.
//!
//! Each row makes a document in the laboratory: the clause, the situation, the document, what the report has to name.
//! JSON is asked for the finding; text and HTML have to say the same sentence about the same subject.

use lacre::report::Language;
use lacre::{Document, Report};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::crypto::digest;
use lacre_testkit::cms::{STAMPED, Signer, Token};
use lacre_testkit::der::*;
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::{Field, Pdf, SECOND, line, objects, stream};
use lacre_testkit::pki::*;
use serde_json::Value;

const TEXT: &[u8] = b"I, Alice, agree.";
const ALICE: u64 = 1001;
const TSA: u64 = 1003;

/// The languages in which every row is read.
const LANGUAGES: [Language; 3] = [Language::English, Language::German, Language::Estonian];

/// What a report has to say.
enum Says {
    /// A finding with that key, about a subject whose name has that part, with that part among the compared values.
    Finding(&'static str, &'static str, &'static str),
    /// These words, in any language: names, dates, codes.
    Words(&'static [&'static str]),
    /// The value at that place of the JSON.
    Json(&'static str, &'static str),
}
use Says::{Finding, Json, Words};

struct Given {
    name: &'static str,
    bytes: Vec<u8>,
    contents: Vec<(&'static str, Vec<u8>)>,
}

type Row = (&'static str, &'static str, fn(&Lab) -> Given, &'static [Says]);

fn letter(bytes: Vec<u8>) -> Given {
    Given { name: "letter.p7m", bytes, contents: vec![] }
}

fn contract(document: Pdf) -> Given {
    Given { name: "contract.pdf", bytes: document.octets, contents: vec![] }
}

/// A message by that signer with those lists and responses, time-stamped.
fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    letter(data.octets())
}

fn revoked(lab: &Lab, serial: u64, reason: Option<u8>) -> Vec<u8> {
    Crl { revoked: vec![(serial, "20260601000000Z", reason)], ..Crl::default() }.of(&lab.root)
}

/// A message by a signer of that name.
fn called(lab: &Lab, attributes: &[(&str, &str)]) -> Given {
    let spec = Spec { subject: distinguished(attributes), ..Spec::signer("", 1060) };
    by(lab, &spec.issued_by(&lab.root, Key::of("named")), std::slice::from_ref(&lab.crl), &[])
}

/// A message with that time-stamp in the place of the usual one.
fn stamped<'a>(lab: &'a Lab, authority: &'a Entity, time: &'a str) -> Given {
    let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
    signer.timestamp = Some((authority, time));
    letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
}

fn crl(lab: &Lab, this_update: &'static str, next_update: &'static str) -> Vec<u8> {
    Crl { this_update, next_update, ..Crl::default() }.of(&lab.root)
}

/// The usual page, signed, then changed.
fn changed(lab: &Lab, field: &Field<'_>, changes: &[(u32, &str)]) -> Given {
    let mut document = Pdf::usual().signed(lab, field);
    document.update(objects(changes));
    contract(document)
}

const REVOCATION: &[Row] = &[
    (
        "RFC 5280 5.3.1",
        "revoked, with a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, Some(1))], &[]),
        &[
            Words(&["Alice Honest", "2026-06-01 00:00:00 UTC", "keyCompromise", "CRL", "Attack Lab Root"]),
            Json("/revocations/0/reason", "keyCompromise"),
            Json("/revocations/0/status", "REVOKED"),
            Json("/revocations/0/revocation_time", "2026-06-01T00:00:00Z"),
            Json("/revocations/0/producer", "Attack Lab Root"),
            Finding("BBB_XCV_ISCR_ANS", "Alice Honest", ""),
        ],
    ),
    (
        "RFC 5280 5.3.1",
        "revoked, without a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, None)], &[]),
        &[Words(&["2026-06-01 00:00:00 UTC"]), Json("/revocations/0/reason", "unspecified")],
    ),
    (
        "RFC 6960 2.2",
        "an OCSP response says revoked",
        |lab| {
            let said = [lab.ocsp(ALICE, Status::Revoked("20260601000000Z")), lab.ocsp(TSA, Status::Good)];
            by(lab, &lab.alice, &[], &said)
        },
        &[Words(&["2026-06-01 00:00:00 UTC", "OCSP", "Attack Lab OCSP", "2026-11-25 00:00:00 UTC"])],
    ),
    (
        "RFC 5280 5",
        "not revoked: who says so, and when",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Alice Honest", "CRL", "Attack Lab Root"]), Json("/revocations/0/status", "GOOD")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "no revocation data",
        |lab| by(lab, &lab.alice, &[], &[]),
        &[Finding("BBB_XCV_IRDPFC_ANS", "Alice Honest", "")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "only a list that ended before the signature",
        |lab| by(lab, &lab.alice, &[crl(lab, "20260201000000Z", "20260301000000Z")], &[]),
        &[Words(&["Attack Lab Root", "2026-02-01"])],
    ),
    (
        "RFC 5280 5.1.2.4",
        "a list of the future",
        |lab| by(lab, &lab.alice, &[crl(lab, "20300101000000Z", "20310101000000Z")], &[]),
        &[Words(&["2030-01-01"])],
    ),
    (
        "RFC 5280 5.3.1",
        "the time-stamping authority is revoked",
        |lab| by(lab, &lab.alice, &[revoked(lab, TSA, Some(4))], &[]),
        &[Words(&["Attack Lab TSA", "superseded", "2026-06-01"])],
    ),
];

#[test]
fn revocation_status_date_reason_and_producer() {
    check(REVOCATION);
}

const TIMESTAMPS: &[Row] = &[
    (
        "EN 319 102-1 5.4",
        "a time-stamp that counts",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "PASSED"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority that nobody trusts",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let tsa = Spec::timestamp_unit("Unknown TSA", 7).issued_by(&root, Key::of("tsa2"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Unknown TSA", "2026-11-21 12:00:00 UTC", "NO_CERTIFICATE_CHAIN_FOUND"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority whose certificate had ended",
        |lab| {
            let spec = Spec { to: "20261101000000Z", ..Spec::timestamp_unit("Ended TSA", 8) };
            let tsa = spec.issued_by(&lab.root, Key::of("tsa3"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Ended TSA", "2026-11-01"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp over something else",
        |lab| {
            let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned = vec![lacre_testkit::cms::attribute(
                "1.2.840.113549.1.9.16.2.14",
                &Token::over(b"something else", STAMPED).by(&lab.tsa),
            )];
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
        },
        &[Words(&["Attack Lab TSA", "HASH_FAILURE"])],
    ),
    (
        "EN 319 102-1 5.5",
        "two time-stamps, of which the second is over something else",
        |lab| {
            let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned.push(lacre_testkit::cms::attribute(
                "1.2.840.113549.1.9.16.2.14",
                &Token::over(b"something else", "20261122120000Z").by(&lab.tsa),
            ));
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
        },
        &[Words(&["HASH_FAILURE", "2026-11-22 12:00:00 UTC", "2026-11-21 12:00:00 UTC"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp of the future",
        |lab| stamped(lab, &lab.tsa, "20280101000000Z"),
        &[Words(&["2028-01-01 00:00:00 UTC"])],
    ),
];

#[test]
fn time_stamps_have_a_line_of_their_own() {
    check(TIMESTAMPS);
}

const CERTIFICATES: &[Row] = &[
    (
        "RFC 5280 4.1.2.5",
        "a certificate that has ended, and no proof from before",
        |lab| {
            let spec = Spec { to: "20261225000000Z", ..Spec::signer("Frank Ended", 1042) };
            let frank = spec.issued_by(&lab.root, Key::of("frank"));
            let mut signer = Signer::of(&frank, TEXT).at(STAMPED);
            signer.timestamp = None;
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
        },
        &[Words(&["Frank Ended", "2026-12-25"])],
    ),
    (
        "RFC 5280 4.1.2.5",
        "a certificate that is not valid yet",
        |lab| {
            let spec = Spec { from: "20271225000000Z", to: "20301225000000Z", ..Spec::signer("Frank Early", 1043) };
            by(lab, &spec.issued_by(&lab.root, Key::of("frank")), std::slice::from_ref(&lab.crl), &[])
        },
        &[Words(&["Frank Early", "2027-12-25"])],
    ),
    (
        "RFC 5280 6.1",
        "an issuer that nobody trusts",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let mallory = Spec::signer("Mallory", 9).issued_by(&root, Key::of("mallory"));
            by(lab, &mallory, std::slice::from_ref(&lab.crl), &[])
        },
        &[Finding("BBB_XCV_CCCBB_SIG_ANS", "Mallory", ""), Words(&["Mallory", "NO_CERTIFICATE_CHAIN_FOUND"])],
    ),
    (
        "EN 319 411-1 6.6.1",
        "a certificate for authorities only",
        |lab| {
            let spec = Spec::named("Key Signer", 1061).with(vec![key_usage(&[5])]);
            by(lab, &spec.issued_by(&lab.root, Key::of("keysigner")), std::slice::from_ref(&lab.crl), &[])
        },
        &[Finding("BBB_XCV_SIGNING_KEY_USAGE_ANS", "Key Signer", "keyCertSign")],
    ),
    (
        "TS 119 312 4.5",
        "a digest function that was reliable until 2009",
        |lab| {
            let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            signer.digest = sequence(&[&oid("1.3.14.3.2.26")]);
            signer.algorithm = sequence(&[&oid("1.2.840.10045.4.1")]);
            let content = digest(DigestAlgorithm::Sha1, TEXT).expect("SHA-1 is there");
            signer = signer
                .without("1.2.840.113549.1.9.4")
                .and(lacre_testkit::cms::attribute("1.2.840.113549.1.9.4", &octets(&content)));
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
        },
        &[Words(&["SHA1"])],
    ),
];

#[test]
fn certificates_are_named_with_their_dates() {
    check(CERTIFICATES);
}

const NAMES: &[Row] = &[
    (
        "X.520 6.4.3",
        "given name and surname, no common name",
        |lab| called(lab, &[("2.5.4.42", "Zoë"), ("2.5.4.4", "Ångström")]),
        &[
            Words(&["Zoë Ångström"]),
            Json("/signatures/0/signer/name", "Zoë Ångström"),
            Json("/signatures/0/signer/surname", "Ångström"),
            Json("/signatures/0/signing_certificate/subject", "surname=Ångström,givenName=Zoë"),
        ],
    ),
    (
        "EN 319 412-1 5.1.3",
        "a national personal number",
        |lab| called(lab, &[("2.5.4.3", "Mari Maasikas"), ("2.5.4.5", "PNOEE-38001085718")]),
        &[
            Words(&["Mari Maasikas", "PNOEE-38001085718", "EE)"]),
            Json("/signatures/0/signer/serial_number/type", "PNO"),
            Json("/signatures/0/signer/serial_number/country", "EE"),
        ],
    ),
    (
        "EN 319 412-1 5.1.4",
        "an organisation with its number",
        |lab| called(lab, &[("2.5.4.10", "Example SA"), ("2.5.4.97", "VATPT-500000000")]),
        &[
            Words(&["Example SA", "VATPT-500000000"]),
            Json("/signatures/0/signer/name", "Example SA"),
            Json("/signatures/0/signer/organisation", "Example SA"),
            Json("/signatures/0/signer/organisation_identifier/type", "VAT"),
            Json("/signatures/0/signing_certificate/subject", "organizationIdentifier=VATPT-500000000,O=Example SA"),
        ],
    ),
    (
        "EN 319 412-2 4.2.4",
        "a pseudonym",
        |lab| called(lab, &[("2.5.4.65", "Nightingale")]),
        &[Words(&["Nightingale"]), Json("/signatures/0/signer/pseudonym", "Nightingale")],
    ),
];

#[test]
fn people_are_called_by_name() {
    check(NAMES);
}

const DATA: &[Row] = &[
    (
        "RFC 5652 11.2",
        "another content",
        |lab| Given {
            name: "letter.txt.p7s",
            bytes: lab.detached(TEXT),
            contents: vec![("letter.txt", b"I, Alice, disagree.".to_vec())],
        },
        &[Words(&["HASH_FAILURE"])],
    ),
    (
        "RFC 5652 5.2",
        "no content",
        |lab| Given { name: "letter.txt.p7s", bytes: lab.detached(TEXT), contents: vec![] },
        &[Words(&["SIGNED_DATA_NOT_FOUND"])],
    ),
    (
        "RFC 5652 5.4",
        "two signers, of whom the second signed something else",
        |lab| {
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
            data.signers.push(lab.signer(&lab.bob, b"Something else.").at(STAMPED).signed(b"Something else."));
            data.certificates.push(lab.bob.certificate.clone());
            letter(data.octets())
        },
        &[Words(&["Alice Honest", "Bob Other", "HASH_FAILURE"])],
    ),
    (
        "ISO 32000-1 table 252",
        "reason and place",
        |lab| {
            let field = Field { dictionary: "/Reason (I approve) /Location (Lisbon)", ..Field::default() };
            contract(Pdf::usual().signed(lab, &field))
        },
        &[
            Words(&["I approve", "Lisbon"]),
            Json("/signatures/0/reason", "I approve"),
            Json("/signatures/0/location", "Lisbon"),
        ],
    ),
    (
        "EN 319 142-1 5.4",
        "the page is another",
        |lab| {
            let mut document = Pdf::usual().signed(lab, &Field::default());
            document.update([(4, stream("", &line("Another text.")))].into_iter().collect());
            contract(document)
        },
        &[Json("/signatures/0/changes_since_signing/undefined", "2")],
    ),
    (
        "EN 319 142-1 5.4",
        "a second signature",
        |lab| contract(Pdf::usual().signed(lab, &Field::default()).signed(lab, &SECOND)),
        &[Words(&["Alice Honest"]), Json("/conclusion/signatures", "2")],
    ),
    (
        "EN 319 142-1 5.4",
        "an annotation",
        |lab| {
            changed(
                lab,
                &Field::default(),
                &[
                    (
                        3,
                        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R 20 0 R] >>",
                    ),
                    (20, "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (A note) >>"),
                ],
            )
        },
        &[Json("/signatures/0/changes_since_signing/annotation", "1")],
    ),
];

#[test]
fn signed_data_and_its_changes() {
    check(DATA);
}

/// In a container each time-stamp may belong to each signature: text has so many of one signature, and says how many more
/// there are; JSON has all.
#[test]
fn many_time_stamps_of_one_signature() {
    let lab = Lab::new();
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let kind = "1.2.840.113549.1.9.16.2.14";
    let stamp = |n: u8| lacre_testkit::cms::attribute(kind, &Token::over(&[n], "20261122120000Z").by(&lab.tsa));
    signer.unsigned = (0..60).map(stamp).collect();
    let bytes = lab.signed_data(Some(TEXT), TEXT, &[signer]).octets();
    let report = lab.validator().validate(&Document::new(&bytes), AT.parse().expect("a time")).expect("it is CMS");
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let all = json["timestamps"].as_array().map_or(0, Vec::len);
    assert!(all >= 60, "{all}");
    let text = report.to_text();
    assert_eq!(text.matches("tokens and data covered").count(), 40);
    assert!(text.contains(&format!("{} more", all - 40)), "{text}");
}

fn check(rows: &[Row]) {
    let mut wrong = vec![];
    for (clause, situation, make, says) in rows {
        let lab = Lab::new();
        let given = make(&lab);
        let mut document = Document::new(&given.bytes).named(given.name);
        for (name, content) in &given.contents {
            document = document.with_content(*name, content);
        }
        let report = match lab.validator().validate(&document, AT.parse().expect("a time")) {
            Ok(report) => report,
            Err(error) => {
                wrong.push(format!("{clause}: {situation}: refused: {error}"));
                continue;
            }
        };
        for language in LANGUAGES {
            let report = report.clone().in_language(language);
            let missing = says.iter().flat_map(|said| lacks(&report, said));
            wrong.extend(missing.map(|what| format!("{clause}: {situation} ({language}): {what}")));
            wrong.extend(nameless(&report).map(|what| format!("{clause}: {situation} ({language}): {what}")));
        }
    }
    assert!(wrong.is_empty(), "{} things:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns what the report does not say in one of its forms.
fn lacks(report: &Report, said: &Says) -> Vec<String> {
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let forms = forms(report);
    match said {
        Words(words) => {
            let absent = |(form, text): &(&str, String)| {
                let missing: Vec<&str> = words.iter().copied().filter(|word| !text.contains(word)).collect();
                (!missing.is_empty()).then(|| format!("{form} lacks {missing:?}:\n{text}"))
            };
            forms.iter().filter_map(absent).collect()
        }
        Json(place, expected) => match json.pointer(place) {
            Some(Value::String(found)) if found == expected => vec![],
            Some(Value::Number(found)) if found.as_u64() == expected.parse().ok() => vec![],
            found => vec![format!("JSON has {found:?} at {place}, expected {expected}")],
        },
        Finding(key, subject, value) => {
            let all = findings(&json);
            let about = |f: &&Value| {
                f["check"] == *key
                    && f["subject"].as_str().is_some_and(|name| name.contains(subject))
                    && (value.is_empty() || f["compared"].as_str().is_some_and(|values| values.contains(value)))
            };
            let Some(found) = all.iter().find(about) else {
                return vec![format!("no finding {key} about {subject:?} with {value:?} in {all:#?}")];
            };
            let parts = ["subject", "message", "compared"].map(|part| found[part].as_str().unwrap_or_default());
            let absent = |(form, text): &(&str, String)| {
                let missing: Vec<&str> = parts.into_iter().filter(|part| !text.contains(part)).collect();
                (!missing.is_empty()).then(|| format!("{form} lacks {missing:?}:\n{text}"))
            };
            forms.iter().filter_map(absent).collect()
        }
    }
}

/// Returns the findings that have no subject, or no token.
fn nameless(report: &Report) -> impl Iterator<Item = String> {
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let nameless = findings(&json).into_iter().filter(|finding| {
        finding["subject"].as_str().is_none_or(str::is_empty) || finding["token"].as_str().is_none_or(str::is_empty)
    });
    nameless.map(|finding| format!("a finding without subject or token: {finding}")).collect::<Vec<_>>().into_iter()
}

fn findings(json: &Value) -> Vec<Value> {
    let tokens = ["signatures", "timestamps", "evidence_records"].iter().filter_map(|list| json[*list].as_array());
    tokens.flatten().filter_map(|token| token["findings"].as_array()).flatten().cloned().collect()
}

/// Returns the report as text, and the text of the HTML.
fn forms(report: &Report) -> [(&'static str, String); 2] {
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
    [("text", report.to_text()), ("HTML", text.replace("&amp;", "&"))]
}
