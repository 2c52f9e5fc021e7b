//! Annotations and appearances that were added or changed after signing (ISO 32000-2 §12.5).

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::pages::{changed, prepared};
use super::revisions::{PAGE, cover};
use super::{Given, Row, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// The page covered by an annotation with that entry.
fn covered(lab: &Lab, p: Option<u8>, entry: &str) -> Given {
    let annotation =
        format!("<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 21 0 R >> {entry} >>");
    let page = PAGE.replace("[6 0 R]", "[6 0 R 20 0 R]");
    changed(lab, p, &[(3, &page), (20, &annotation)], &[(21, cover(EVIL))])
}

/// A text on the page, and the same with another rectangle.
fn text_at(lab: &Lab, area: &str) -> Given {
    let text = |area: &str| {
        format!(
            "<< /Type /Annot /Subtype /FreeText /Rect {area} /F 4 /P 3 0 R /Contents (Signed under protest.) /DA (/F 12 Tf) /AP << /N 21 0 R >> >>"
        )
    };
    let page = PAGE.replace("[6 0 R]", "[12 0 R]");
    let mut all = objects(&[(3, &page), (12, &text("[72 180 300 210]"))]);
    all.insert(21, cover("Signed under protest."));
    let mut signed = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
    signed.update(objects(&[(12, &text(area))]));
    pdf(signed.bytes)
}

#[test]
fn f12_texts_that_disappear() {
    check(&[
        ("ISO 32000-2 7.9.5", "the rectangle of a text has three numbers", FindingNotWhole, |lab| {
            text_at(lab, "[72 180 300]")
        }),
        ("ISO 32000-2 7.9.5", "the rectangle of a text has none among its numbers", FindingNotWhole, |lab| {
            text_at(lab, "[72 180 null 210]")
        }),
        ("ISO 32000-2 12.5.2", "the rectangle of a text is empty", FindingNotWhole, |lab| {
            text_at(lab, "[72 180 72 180]")
        }),
        ("ISO 32000-2 12.5.2", "the same text again", Passed, |lab| text_at(lab, "[72 180 300 210]")),
    ]);
}

const F3: &[Row] = &[
    ("ISO 32000-2 12.8.2.2", "P=1, covered by what calls itself a time-stamp", NotPassed, |lab| {
        covered(lab, Some(1), "/V << /Type /DocTimeStamp >>")
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, covered by what calls itself a time-stamp", NotPassed, |lab| {
        covered(lab, Some(2), "/V << /Type /DocTimeStamp >>")
    }),
    ("eIDAS 26 d)", "P=3, covered by what calls itself a time-stamp", FindingNotWhole, |lab| {
        covered(lab, Some(3), "/V << /Type /DocTimeStamp >>")
    }),
    ("eIDAS 26 d)", "covered by what calls itself a time-stamp", FindingNotWhole, |lab| {
        covered(lab, None, "/V << /Type /DocTimeStamp >>")
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, covered by what calls itself a signature", NotPassed, |lab| {
        covered(lab, Some(1), "/V << /Type /Sig >>")
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, covered by what calls itself a signature", NotPassed, |lab| {
        covered(lab, Some(2), "/V << /Type /Sig >>")
    }),
    ("eIDAS 26 d)", "covered by what calls itself a signature", FindingNotWhole, |lab| {
        covered(lab, None, "/V << /Type /Sig >>")
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, covered by a stamp", NotPassed, |lab| covered(lab, Some(1), "")),
    ("ISO 32000-2 12.8.2.2", "P=2, covered by a stamp", NotPassed, |lab| covered(lab, Some(2), "")),
    ("eIDAS 26 d)", "P=3, covered by a stamp", FindingNotWhole, |lab| covered(lab, Some(3), "")),
    ("eIDAS 26 d)", "covered by a stamp", FindingNotWhole, |lab| covered(lab, None, "")),
    ("eIDAS 26 d)", "covered by a field of the signature's name", FindingNotWhole, |lab| {
        covered(lab, None, "/FT /Sig /T (Signature) /V 7 0 R")
    }),
    ("eIDAS 26 d)", "the example's page covered by what calls itself a time-stamp", FindingNotWhole, |_| {
        let read = |name: &str| {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name);
            std::fs::read(path).expect("the example is there")
        };
        let mut example = Pdf::read(&read("contract.pdf")).expect("the example is read");
        let annotation = "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 61 0 R >> /V << /Type /DocTimeStamp >> >>";
        let mut page = example.objects[&3].clone();
        page.value.get_mut("Annots").expect("the signature is on the page").push("60 0 R");
        let changes = [(3, page), (60, object(annotation)), (61, cover(EVIL))];
        example.update(changes.into_iter().collect());
        pdf(example.bytes).trusting(&read("root.der"))
    }),
];

#[test]
fn f3_annotations_that_pose() {
    check(F3);
}

/// A small appearance that says who signed.
fn label(text: &str) -> Object {
    let content = format!("BT /F 10 Tf 2 20 Td ({text}) Tj ET");
    stream("/Type /XObject /Subtype /Form /BBox [0 0 300 60] /Resources << /Font << /F 5 0 R >> >>", content.as_bytes())
}

fn visible(lab: &Lab, p: Option<u8>, then: &[(u32, Object)]) -> Given {
    let dictionary = p.map(certified).unwrap_or_default();
    let field = Field {
        rectangle: "[72 600 372 660]",
        more: "/AP << /N 21 0 R >>",
        dictionary: &dictionary,
        catalog: if p.is_some() { PERMS } else { "" },
        ..Field::default()
    };
    let mut document = Pdf::usual();
    document.sign(lab, &field, [(21, label("Signed by Alice Honest"))].into_iter().collect());
    document.update(then.iter().cloned().collect());
    pdf(document.bytes)
}

/// A form XObject of that name, swapped in a document certified with P = 1.
fn named(lab: &Lab, name: &str) -> Given {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /{name} 12 0 R >> >> >>"
    );
    let content = stream("", format!("/{name} Do").as_bytes());
    let streams = [(4, content), (12, cover("The parties agree."))];
    prepared(lab, &[(3, &page)], &streams, &[(12, cover(EVIL))], 1)
}

/// An annotation of the page changed, certified with P = 2.
fn annotation(lab: &Lab, before: &str, shown: Object, then: &[(u32, Object)]) -> Given {
    let page = PAGE.replace("[6 0 R]", "[12 0 R]");
    prepared(lab, &[(3, &page), (12, before)], &[(21, shown)], then, 2)
}

const STAMP: &str = "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 21 0 R >> >>";
const LINK: &str =
    "<< /Type /Annot /Subtype /Link /Rect [1 1 2 2] /F 4 /P 3 0 R /Border [0 0 0] /AP << /N 21 0 R >> >>";

const F12: &[Row] = &[
    ("eIDAS 26 d)", "the signature's appearance is another", FindingNotWhole, |lab| {
        visible(lab, None, &[(21, label("Signed by the President"))])
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, the signature's appearance is another", NotPassed, |lab| {
        visible(lab, Some(1), &[(21, label("Signed by the President"))])
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, an annotation's appearance is another", NotPassed, |lab| {
        annotation(lab, STAMP, label(""), &[(21, cover(EVIL))])
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, a small annotation grows over the page", NotPassed, |lab| {
        let grown = object(&LINK.replace("[1 1 2 2]", "[0 0 595 842]"));
        annotation(lab, LINK, label(""), &[(12, grown), (21, cover(EVIL))])
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /DSS is another", NotPassed, |lab| named(lab, "DSS")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /Extensions is another", NotPassed, |lab| named(lab, "Extensions")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /F is another", NotPassed, |lab| named(lab, "F")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /ITXT is another", NotPassed, |lab| named(lab, "ITXT")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /Metadata is another", NotPassed, |lab| named(lab, "Metadata")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /Names is another", NotPassed, |lab| named(lab, "Names")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /PieceInfo is another", NotPassed, |lab| named(lab, "PieceInfo")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /Type is another", NotPassed, |lab| named(lab, "Type")),
    ("ISO 32000-2 12.8.2.2", "P=1, a form named /AcroForm is another", NotPassed, |lab| named(lab, "AcroForm")),
];

#[test]
fn f12_appearances_and_names() {
    check(F12);
}
