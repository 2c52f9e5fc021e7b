//! Signatures that are not over the document, or not readable (ISO 32000-2 §12.8.1, §12.8.3).

use super::Expect::NotPassed;
use super::pages::{changed, evil};
use super::{Given, Row, check, pdf};
use lacre_core::{algorithm::DigestAlgorithm, crypto::digest};
use lacre_testkit::cms::{SignedData, Signer};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A CMS whose content is the SHA-1 of what is signed.
fn by_sha1(lab: &Lab) -> Given {
    let mut document = Pdf::usual();
    let field = Field { filter: "adbe.pkcs7.sha1", ..Field::default() };
    document.sign_with(&field, Objects::new(), |bytes| {
        let inner = digest(DigestAlgorithm::Sha1, bytes).expect("SHA-1 is there");
        lab.signed_data(Some(&inner), &inner, &[lab.signer(&lab.alice, &inner)]).bytes()
    });
    pdf(document.bytes)
}

#[test]
fn f1_bound_by_sha1_alone() {
    check(&[("ISO 32000-2 12.8.3.3", "adbe.pkcs7.sha1: the document is bound by SHA-1 only", NotPassed, by_sha1)]);
}

const UNREADABLE: &[Row] = &[
    ("EN 319 142-1 6.3", "the first signature cannot be read, the second is good", NotPassed, |lab| {
        let mut document = Pdf::usual();
        document.sign_with(&Field::default(), Objects::new(), |_| b"\x04\x03abc".to_vec());
        document.sign(lab, &SECOND, Objects::new());
        pdf(document.bytes)
    }),
    ("EN 319 142-1 5.4.3", "the second signature is called a time-stamp, and is CAdES", NotPassed, |lab| {
        let mut document = Pdf::usual().signed(lab, &Field::default());
        document.sign(lab, &Field { kind: "DocTimeStamp", ..SECOND }, Objects::new());
        pdf(document.bytes)
    }),
];

#[test]
fn signatures_that_cannot_be_read() {
    check(UNREADABLE);
}

/// Attacks of the literature (Mladenov, Mainka et al.): they never passed, and never may.
const LITERATURE: &[Row] = &[
    ("USF", "an update whose signature has neither /ByteRange nor /Contents", NotPassed, |lab| {
        changed(
            lab,
            None,
            &[(7, "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached >>")],
            &[(4, evil())],
        )
    }),
    ("USF", "the same as null", NotPassed, |lab| {
        changed(
            lab,
            None,
            &[(
                7,
                "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange null /Contents null >>",
            )],
            &[(4, evil())],
        )
    }),
    ("USF", "/Contents has another name", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let at = rfind(&signed.bytes, b"/Contents <").expect("the value is there");
        let mut bytes = signed.bytes;
        bytes[at + 8] = b'z';
        pdf(bytes)
    }),
    ("SWA", "the second part stands again behind, and the range points to it", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let (start, end) = signed.holes[0];
        let second = signed.bytes[end..].to_vec();
        let between = b"\n9 0 obj\n<< >>\nendobj\n";
        let bytes = [&signed.bytes[..], between, &second].concat();
        let range = |end: usize| format!("[0 {start:010} {end:010} {:010}]", second.len());
        let at = find(&bytes, range(end).as_bytes(), 0).expect("the range is there");
        let moved = range(signed.bytes.len() + between.len());
        let mut bytes = bytes;
        bytes[at..at + moved.len()].copy_from_slice(moved.as_bytes());
        pdf(bytes)
    }),
    ("ISO 32000-2 12.8.1", "the signed page is another in its place", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let at = find(&signed.bytes, b"The parties agree.", 0).expect("the text is there");
        let mut bytes = signed.bytes;
        bytes[at..at + 18].copy_from_slice(b"The buyer pays 99.");
        pdf(bytes)
    }),
    ("ISO 32000-2 12.8.1", "the first signature is broken, the second good", NotPassed, |lab| {
        let mut document = Pdf::usual();
        document.sign_with(&Field::default(), Objects::new(), |bytes| lab.pades(&lab.alice, &[bytes, b"x"].concat()));
        document.sign(lab, &SECOND, Objects::new());
        pdf(document.bytes)
    }),
    ("ISO 32000-2 12.8.1", "there are no signers", NotPassed, |lab| {
        let mut document = Pdf::usual();
        document.sign_with(&Field::default(), Objects::new(), |_| {
            let mut data = SignedData::new(None);
            data.certificates = vec![lab.alice.certificate.clone()];
            data.bytes()
        });
        pdf(document.bytes)
    }),
    ("RFC 5652 5.4", "the value is over nothing that is signed", NotPassed, |lab| {
        let mut document = Pdf::usual();
        document.sign_with(&Field::default(), Objects::new(), |_| {
            let signer = Signer { bare: true, ..Signer::of(&lab.alice, b"") };
            lab.signed_data(None, b"something else", &[signer]).bytes()
        });
        pdf(document.bytes)
    }),
];

#[test]
fn attacks_of_the_literature_on_pdf() {
    check(LITERATURE);
}
