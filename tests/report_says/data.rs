//! Signed data and what was changed in it.

use crate::given::*;
use crate::says::{Row, Says::*, check};
use lacre_testkit::cms::{STAMPED, attribute};
use lacre_testkit::der::{oid, sequence, sorted, tlv, utf8};
use lacre_testkit::jws::url;
use lacre_testkit::pdf::{Field, Pdf, SECOND, line, stream};
use lacre_testkit::xml::{CONTRACT, ENVELOPED, EXCLUSIVE, Signature, enclosed, reference};
use lacre_testkit::zip::FILES;
use serde_json::json;

pub const ROWS: &[Row] = &[
    (
        "RFC 5652 11.2",
        "another content",
        |lab| Given::new("letter.txt.p7s", lab.detached(TEXT)).with("letter.txt", b"I, Alice, disagree."),
        &[Words(&["HASH_FAILURE"])],
    ),
    (
        "RFC 5652 5.2",
        "no content",
        |lab| Given::new("letter.txt.p7s", lab.detached(TEXT)),
        &[Words(&["SIGNED_DATA_NOT_FOUND"])],
    ),
    (
        "RFC 5652 5.4",
        "two signers, of whom the second signed something else",
        |lab| {
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
            data.signers.push(lab.signer(&lab.bob, b"Something else.").at(STAMPED).signed(b"Something else."));
            data.certificates.push(lab.bob.certificate.clone());
            letter(data.bytes())
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
        |lab| contract(Pdf::usual().signed(lab, &Field::default()).and(NOTED)),
        &[Json("/signatures/0/changes_since_signing/annotation", "1")],
    ),
    (
        "ISO 32000-1 12.8.2.2",
        "an annotation that the certification forbids",
        |lab| contract(Pdf::usual().certified(lab, 1).and(NOTED)),
        &[
            Words(&["Alice Honest", "FORMAT_FAILURE"]),
            Finding("BBB_FC_ISVADMDPD_ANS", "1", ""),
            Json("/signatures/0/changes_since_signing/annotation", "1"),
        ],
    ),
    (
        "RFC 5652 5.6",
        "another value",
        |lab| {
            let signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            let attributes = tlv(0xa0, &[&sorted(&signer.attributes)]);
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
            data.signers = vec![signer.with_value(&attributes, &lab.alice.key.sign(b"something else"))];
            data.certificates = vec![lab.alice.certificate.clone()];
            letter(data.bytes())
        },
        &[
            Words(&["Alice Honest", "2026-11-21 12:00:00 UTC", "SIG_CRYPTO_FAILURE"]),
            Finding("BBB_CV_ISI_ANS", "1", ""),
        ],
    ),
    (
        "RFC 5652 11.4",
        "a counter-signature",
        |lab| countersigned(lab, None),
        &[
            Words(&["Alice Honest", "Bob Other", "2026-11-22 12:00:00 UTC", "TOTAL-PASSED"]),
            Json("/conclusion/passed", "2"),
            Json("/signatures/1/scope/0/kind", "COUNTER_SIGNATURE"),
        ],
    ),
    (
        "RFC 5652 11.4",
        "a counter-signature over something else",
        |lab| countersigned(lab, Some(b"something else")),
        &[
            Words(&["Alice Honest", "Bob Other", "2026-11-22 12:00:00 UTC", "HASH_FAILURE"]),
            Finding("BBB_CV_IRDOI_ANS", "2", ""),
            Json("/conclusion/passed", "1"),
        ],
    ),
    (
        "EN 319 122-1 5.2",
        "role and place",
        |lab| {
            let place = sequence(&[&tlv(0xa0, &[&utf8("Portugal")]), &tlv(0xa1, &[&utf8("Lisbon")])]);
            let role = sequence(&[&oid("2.5.4.72"), &tlv(0x31, &[&utf8("Managing Director")])]);
            let roles = sequence(&[&tlv(0xa0, &[&sequence(&[&role])])]);
            message(lab, |signer| {
                let placed = signer.and(attribute("1.2.840.113549.1.9.16.2.17", &place));
                placed.and(attribute("0.4.0.19122.1.1", &roles))
            })
        },
        &[
            Words(&["Alice Honest", "Managing Director", "Lisbon, Portugal"]),
            Json("/signatures/0/roles/0/role", "Managing Director"),
            Json("/signatures/0/location", "Lisbon, Portugal"),
        ],
    ),
    (
        "EN 319 132-1 5.2",
        "role and place in XML",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
            let signature = Signature { change: at_lisbon, ..Signature::over(lab, vec![over]) };
            Given::new("contract.xml", enclosed(CONTRACT, &signature.xml()))
        },
        &[
            Words(&["Alice Honest", "Managing Director", "Lisbon"]),
            Json("/signatures/0/roles/0/role", "Managing Director"),
            Json("/signatures/0/location", "Lisbon"),
        ],
    ),
    (
        "XMLDSig 3.2.1",
        "an element is another",
        |lab| Given::new("contract.xml", lab.enveloped(CONTRACT).replace(">100<", ">900<")),
        &[Words(&["Alice Honest", "HASH_FAILURE", "contract.xml"]), Finding("BBB_CV_IRDOI_ANS", "1", "")],
    ),
    (
        "EN 319 162-1 4.4.3.2",
        "a file of a container that nobody signed",
        |lab| Given::new("contract.asice", lab.asic_e(&FILES, &[("evil.txt", b"pay 900")]).bytes()),
        &[Finding("BBB_CV_IAFS_ANS", "1", "evil.txt")],
    ),
    (
        "EN 319 122-1 5.2.3",
        "a commitment type",
        |lab| {
            let approval = sequence(&[&oid("1.2.840.113549.1.9.16.6.5")]);
            message(lab, |signer| signer.and(attribute("1.2.840.113549.1.9.16.2.16", &approval)))
        },
        &[Json("/signatures/0/commitments/0", "1.2.840.113549.1.9.16.6.5")],
    ),
    (
        "EN 319 162-1 4.4",
        "a file of a container is another",
        |lab| {
            let files: [(&str, &[u8]); 2] = [("contract.txt", b"pay 900"), FILES[1]];
            Given::new("contract.asice", lab.asic_e_with(&files, &[], &lab.xades_over(&FILES)).bytes())
        },
        &[
            Words(&["Alice Honest", "HASH_FAILURE", "annex.txt"]),
            Finding("BBB_CV_IRDOI_ANS", "contract.txt", "contract.txt"),
        ],
    ),
    (
        "RFC 7515 5.2",
        "the payload of JSON is another",
        |lab| {
            let mut jws = lab.jws(b"{\"pay\":100}", json!({}));
            jws["payload"] = url(b"{\"pay\":900}").into();
            Given::new("contract.json", jws.to_string())
        },
        &[Words(&["Alice Honest", "HASH_FAILURE", "contract.json"]), Finding("BBB_CV_IRDOI_ANS", "1", "")],
    ),
];

#[test]
fn signed_data_and_its_changes() {
    check(ROWS);
}
