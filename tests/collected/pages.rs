//! PDF: levels, and what the dictionary of a signature makes of it.

use super::messages::policy;
use super::{Row, check, file};
use lacre_testkit::cms::{SIGNING_CERTIFICATE, STAMPED, Signer, Token, attribute};
use lacre_testkit::der::{oid, sequence};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Objects, Pdf, SECOND};
use lacre_testkit::pki::{Key, Spec, authority};

/// A file signed by that CMS, with more entries in the signature dictionary.
fn signed_by(make: impl Fn(&[u8]) -> Vec<u8>, field: &Field<'_>) -> Pdf {
    let mut pdf = Pdf::usual();
    pdf.sign_with(field, Objects::new(), make);
    pdf
}

/// The same with proofs of the chains, and a document time-stamp where asked for.
fn with_proofs(lab: &Lab, crls: &[&[u8]], stamped: bool) -> Pdf {
    let signer = |bytes: &[u8]| {
        let mut data = lab.signed_data(None, bytes, &[lab.signer(&lab.alice, bytes)]);
        data.crls = vec![];
        data.bytes()
    };
    let mut pdf = signed_by(signer, &Field::default());
    let certificates: [&[u8]; 3] = [&lab.alice.certificate, &lab.tsa.certificate, &lab.root.certificate];
    let proofs = pdf.proofs(&certificates, crls);
    pdf.update(proofs);
    if stamped {
        let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", ..SECOND };
        pdf.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261122120000Z").by(&lab.tsa));
    }
    pdf
}

/// The same with another entry for the proofs in a last revision.
fn with_other_proofs(lab: &Lab, entry: &str) -> Pdf {
    let mut pdf = with_proofs(lab, &[&lab.crl], false);
    let catalog = pdf.with(pdf.root, "DSS", entry);
    pdf.update([(pdf.root, catalog)].into());
    pdf
}

/// A signature by Alice, one by Bob, and proofs of both chains.
fn two_signatures(lab: &Lab, stamped: bool) -> Pdf {
    let mut pdf = signed_by(|bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes)]), &Field::default());
    let second = |bytes: &[u8]| without_crl(lab, bytes, &[lab.signer(&lab.bob, bytes)]);
    pdf.sign_with(&SECOND, Objects::new(), second);
    let certificates: [&[u8]; 4] =
        [&lab.alice.certificate, &lab.bob.certificate, &lab.tsa.certificate, &lab.root.certificate];
    let proofs = pdf.proofs(&certificates, &[&lab.crl]);
    pdf.update(proofs);
    if stamped {
        let free = pdf.free();
        let (field, value) = (free, free + 1);
        let field =
            Field { field, value, name: "Stamp", kind: "DocTimeStamp", filter: "ETSI.RFC3161", ..Field::default() };
        pdf.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261122120000Z").by(&lab.tsa));
    }
    pdf
}

fn without_crl(lab: &Lab, bytes: &[u8], signers: &[Signer<'_>]) -> Vec<u8> {
    let mut data = lab.signed_data(None, bytes, signers);
    data.crls = vec![];
    data.bytes()
}

/// A CMS over those bytes that holds a content.
fn holding(lab: &Lab, content: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(content), bytes, &[lab.signer(&lab.alice, bytes)]);
    data.crls = vec![];
    data.bytes()
}

const PAGES: &[Row] = &[
    (
        "EN 319 142-1 6.3",
        "T",
        |lab| file(signed_by(|bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes)]), &Field::default())),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "B",
        |lab| file(signed_by(|bytes| without_crl(lab, bytes, &[Signer::of(&lab.alice, bytes)]), &Field::default())),
        &["PAdES-BASELINE-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    ("EN 319 142-1 6.3", "LT", |lab| file(with_proofs(lab, &[&lab.crl], false)), &["PAdES-BASELINE-LT TOTAL-PASSED"]),
    ("EN 319 142-1 6.3", "LTA", |lab| file(with_proofs(lab, &[&lab.crl], true)), &["PAdES-BASELINE-LTA TOTAL-PASSED"]),
    (
        "EN 319 142-1 6.3",
        "proofs without revocation data",
        |lab| file(with_proofs(lab, &[], false)),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "proofs without revocation data, time-stamped",
        |lab| file(with_proofs(lab, &[], true)),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 5.4.2",
        "the proofs taken out of the catalog later",
        |lab| file(with_other_proofs(lab, "null")),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 5.4.2",
        "the proofs replaced by none later",
        |lab| file(with_other_proofs(lab, "<< /Type /DSS >>")),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 5.3",
        "with a policy",
        |lab| {
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes).and(policy())]),
                &Field::default(),
            ))
        },
        &["PAdES-BES INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "the time is in an attribute, too",
        |lab| {
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[Signer::of(&lab.alice, bytes).at(STAMPED)]),
                &Field::default(),
            ))
        },
        &["PAdES-BES INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "two SignerInfos",
        |lab| {
            let both =
                |bytes: &[u8]| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes), lab.signer(&lab.bob, bytes)]);
            file(signed_by(both, &Field::default()))
        },
        &["PDF-NOT-ETSI TOTAL-FAILED FORMAT_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3.1",
        "a CMS that holds the same bytes",
        |lab| {
            let own = |bytes: &[u8]| holding(lab, bytes, bytes);
            file(signed_by(own, &Field { room: 16384, ..Field::default() }))
        },
        &["PDF-NOT-ETSI INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3.1",
        "a CMS with a content of no bytes",
        |lab| {
            let own = |bytes: &[u8]| holding(lab, b"", bytes);
            file(signed_by(own, &Field::default()))
        },
        &["PDF-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3",
        "adbe.pkcs7.detached with a time-stamp",
        |lab| {
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes)]),
                &Field { filter: "adbe.pkcs7.detached", ..Field::default() },
            ))
        },
        &["PKCS7-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3",
        "adbe.pkcs7.detached without the attribute",
        |lab| {
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[Signer::of(&lab.alice, bytes).without(SIGNING_CERTIFICATE)]),
                &Field { filter: "adbe.pkcs7.detached", ..Field::default() },
            ))
        },
        &["PKCS7-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "a SubFilter of nobody",
        |lab| {
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes)]),
                &Field { filter: "Example.detached", ..Field::default() },
            ))
        },
        &["PDF-NOT-ETSI INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 5.3",
        "a reason and a commitment",
        |lab| {
            let commitment = sequence(&[&oid("1.2.840.113549.1.9.16.6.1")]);
            let commitment = attribute("1.2.840.113549.1.9.16.2.16", &commitment);
            file(signed_by(
                |bytes| without_crl(lab, bytes, &[lab.signer(&lab.alice, bytes).and(commitment.clone())]),
                &Field::default(),
            ))
        },
        &["PDF-NOT-ETSI INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "two signatures, one store of proofs for both",
        |lab| file(two_signatures(lab, false)),
        &["PAdES-BASELINE-LT TOTAL-PASSED", "PAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 142-1 6.3",
        "two signatures, one store of proofs for both, time-stamped",
        |lab| file(two_signatures(lab, true)),
        &["PAdES-BASELINE-LTA TOTAL-PASSED", "PAdES-BASELINE-LTA TOTAL-PASSED"],
    ),
    (
        "EN 319 142-1 6.3",
        "proofs that do not cover the chain of the time-stamp",
        |lab| {
            let authority = Spec::named("Attack Lab Sub CA", 1021).with(authority());
            let authority = authority.issued_by(&lab.root, Key::of("sub"));
            let unit = Spec::timestamp_unit("Other TSA", 1022).issued_by(&authority, Key::of("other tsa"));
            let signer = |bytes: &[u8]| {
                let signer = Signer { timestamp: Some((&unit, STAMPED)), ..Signer::of(&lab.alice, bytes) };
                let mut data = lab.signed_data(None, bytes, &[signer]);
                data.crls = vec![];
                data.bytes()
            };
            let mut pdf = signed_by(signer, &Field { room: 16384, ..Field::default() });
            let certificates: [&[u8]; 3] = [&lab.alice.certificate, &authority.certificate, &unit.certificate];
            let proofs = pdf.proofs(&certificates, &[&lab.crl]);
            pdf.update(proofs);
            file(pdf)
        },
        &["PAdES-BASELINE-T TOTAL-PASSED"],
    ),
    (
        "EN 319 142-1 5.4.3",
        "a document time-stamp that cannot be read",
        |lab| {
            let mut pdf = with_proofs(lab, &[&lab.crl], false);
            let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", ..SECOND };
            pdf.sign_with(&field, Objects::new(), |_| b"no token".to_vec());
            file(pdf)
        },
        &["PAdES-BASELINE-LT TOTAL-PASSED"],
    ),
];

#[test]
fn pages() {
    check(PAGES, &["signatures"]);
}
