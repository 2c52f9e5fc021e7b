//! Pages that are others after signing, and what may be done to them (ISO 32000-2 §12.8).

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::revisions::{PAGE, cover};
use super::{Given, Row, check, pdf};
use lacre_testkit::cms::Token;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

const OTHER_DIGITS: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [48 /nine /nine] >> >>";

/// The content of the page, another one.
pub(super) fn evil() -> Object {
    stream("", &line(EVIL))
}

/// The usual page, certified or not, with changes.
pub(super) fn changed(lab: &Lab, p: Option<u8>, changes: &[(u32, &str)], more: &[(u32, Object)]) -> Given {
    let mut signed = match p {
        Some(p) => Pdf::usual().certified(lab, p),
        None => Pdf::usual().signed(lab, &Field::default()),
    };
    let mut all = objects(changes);
    all.extend(more.iter().cloned());
    signed.update(all);
    pdf(signed.bytes)
}

/// A document prepared with these objects, certified with P = 1, then changed.
pub(super) fn prepared(
    lab: &Lab,
    before: &[(u32, &str)],
    streams: &[(u32, Object)],
    then: &[(u32, Object)],
    p: u8,
) -> Given {
    let mut all = objects(before);
    all.extend(streams.iter().cloned());
    let mut signed = Pdf::page("The parties agree.", all).certified(lab, p);
    signed.update(then.iter().cloned().collect());
    pdf(signed.bytes)
}

/// Two pages in that font, with those resources.
fn two(lab: &Lab, then: &[(u32, &str)]) -> Given {
    let page = |number: u32| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number} 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Fm0 12 0 R >> >> >>"
        )
    };
    let (one, other) = (page(4), page(11));
    let mut all = objects(&[(2, "<< /Type /Pages /Kids [3 0 R 10 0 R] /Count 2 >>"), (3, &one), (10, &other)]);
    all.insert(4, stream("", b"/Fm0 Do BT /F1 14 Tf 72 700 Td (Page one: the parties agree.) Tj ET"));
    all.insert(11, stream("", b"/Fm0 Do BT /F1 14 Tf 72 700 Td (Price 1000 euros.) Tj ET"));
    all.insert(12, cover("General terms apply."));
    let mut signed = Pdf::page("", all).signed(lab, &Field::default());
    let mut changes = objects(then);
    if changes.contains_key(&10) {
        changes.insert(21, cover(EVIL));
    }
    signed.update(changes);
    pdf(signed.bytes)
}

const CATALOG: &str = "<< /Metadata 8 0 R /Pages 2 0 R /Type /Catalog >>";

fn hung(lab: &Lab, p: Option<u8>) -> Given {
    let metadata = |entry: &str| stream(&format!("/Type /Metadata /Subtype /XML {entry}"), b"<a/> ");
    let mut all = objects(&[(1, CATALOG)]);
    all.insert(8, metadata(""));
    let document = Pdf::page("The parties agree.", all);
    let mut signed = match p {
        Some(p) => document.certified(lab, p),
        None => document.signed(lab, &Field::default()),
    };
    signed.update([(8, metadata("/Contents 4 0 R")), (4, evil())].into_iter().collect());
    pdf(signed.bytes)
}

/// The document security store changes, and the catalog has another entry of that name.
fn beside_the_store(lab: &Lab, name: &str) -> Given {
    let catalog = "<< /DSS << /Foo 1 >> /Pages 2 0 R /Type /Catalog >>";
    let mut signed = Pdf::page("The parties agree.", objects(&[(1, catalog)])).signed(lab, &Field::default());
    let mut catalog = signed.value(1).clone();
    catalog.set("DSS", "<< /Foo 2 >>");
    if !name.is_empty() {
        catalog.set(name, "1");
    }
    signed.update([(1, Object { value: catalog, stream: None })].into_iter().collect());
    pdf(signed.bytes)
}

/// The form is an object of its own, before the pages.
fn form_first(lab: &Lab, form: &str, streams: &[(u32, Object)]) -> Given {
    let all = objects(&[
        (1, "<< /AcroForm 12 0 R /Pages 2 0 R /Type /Catalog >>"),
        (12, "<< /DR << /Font << /F 5 0 R >> >> /Fields [] /SigFlags 3 >>"),
    ]);
    let mut signed = Pdf::page("Price 1000 euros", all).certified(lab, 2);
    let mut changes: Objects = streams.iter().cloned().collect();
    if !form.is_empty() {
        changes.insert(12, object(form));
    }
    signed.update(changes);
    pdf(signed.bytes)
}

const F4: &[Row] = &[
    ("eIDAS 26 d)", "the content also hangs in /Metadata, and is another", NotPassed, |lab| hung(lab, None)),
    ("ISO 32000-2 12.8.2.2", "P=1, the content also hangs in /Metadata, and is another", NotPassed, |lab| {
        hung(lab, Some(1))
    }),
    ("eIDAS 26 d)", "the content also hangs in a link, and is another", NotPassed, |lab| {
        let link = |entry: &str| {
            object(&format!(
                "<< /Type /Annot /Subtype /Link /Rect [10 10 20 20] /Border [0 0 0] /A << /S /URI /URI (http://a.example) >> {entry} >>"
            ))
        };
        let page = "<< /Annots [12 0 R] /Contents 4 0 R /MediaBox [0 0 595 842] /Parent 2 0 R /Resources << /Font << /F 5 0 R >> >> /Type /Page >>";
        let mut all = objects(&[(3, page)]);
        all.insert(12, link(""));
        let mut signed = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
        signed.update([(12, link("/Contents 4 0 R")), (4, evil())].into_iter().collect());
        pdf(signed.bytes)
    }),
    ("eIDAS 26 d)", "a font of the second page is another under the name that both pages have", NotPassed, |lab| {
        two(
            lab,
            &[
                (
                    10,
                    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 11 0 R /Resources << /Font << /F1 20 0 R >> /XObject << /Fm0 12 0 R >> >> >>",
                ),
                (20, OTHER_DIGITS),
            ],
        )
    }),
    ("eIDAS 26 d)", "a form of the second page is another under the name that both pages have", NotPassed, |lab| {
        two(
            lab,
            &[(
                10,
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 11 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Fm0 21 0 R >> >> >>",
            )],
        )
    }),
    ("eIDAS 26 d)", "the pages in another order", NotPassed, |lab| {
        two(lab, &[(2, "<< /Type /Pages /Kids [10 0 R 3 0 R] /Count 2 >>")])
    }),
    ("eIDAS 26 d)", "/Parent is another: inherited fonts are others", NotPassed, |lab| {
        let tree =
            "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F 5 0 R >> >> /MediaBox [0 0 595 842] >>";
        let mut signed = Pdf::page(
            "Price 1000 euros",
            objects(&[(2, tree), (3, "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>")]),
        )
        .signed(lab, &Field::default());
        let other = tree.replace("5 0 R", "21 0 R");
        signed.update(objects(&[
            (3, "<< /Type /Page /Parent 20 0 R /Contents 4 0 R /Annots [6 0 R] >>"),
            (20, &other),
            (21, OTHER_DIGITS),
        ]));
        pdf(signed.bytes)
    }),
    ("ISO 32000-2 7.3.7", "/Contents twice, the other first", FindingNotWhole, |lab| {
        let page = PAGE.replace("/Contents 4 0 R", "/Contents 20 0 R /Contents 4 0 R");
        changed(lab, None, &[(3, &page)], &[(20, evil())])
    }),
    ("ISO 32000-2 7.3.7", "/Contents twice, the other last", NotPassed, |lab| {
        let page = PAGE.replace("/Contents 4 0 R", "/Contents 4 0 R /Contents 20 0 R");
        changed(lab, None, &[(3, &page)], &[(20, evil())])
    }),
    ("EN 319 142-1 5.4", "the document security store has another entry", Passed, |lab| beside_the_store(lab, "")),
    ("eIDAS 26 d)", "the catalog has an entry more", NotPassed, |lab| beside_the_store(lab, "Other")),
    (
        "eIDAS 26 d)",
        "the catalog has an entry more, named like the path of a change that is permitted",
        NotPassed,
        |lab| beside_the_store(lab, "DSS#20#2FFoo"),
    ),
    ("ISO 32000-2 12.8.2.2", "P=2, the form's font is that of the page, and is another", NotPassed, |lab| {
        form_first(lab, "", &[(5, object(OTHER_DIGITS))])
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, the content hangs in /DR, and is another", NotPassed, |lab| {
        let form = "<< /DR << /Font << /F 5 0 R >> /Contents 4 0 R >> /Fields [6 0 R] /SigFlags 3 >>";
        form_first(lab, form, &[(4, evil())])
    }),
];

#[test]
fn f4_objects_compared_in_pairs() {
    check(F4);
}

const F13: &[Row] = &[
    ("eIDAS 26 d)", "the content is another", NotPassed, |lab| changed(lab, None, &[], &[(4, evil())])),
    ("eIDAS 26 d)", "a page is added, /Count stays", NotPassed, |lab| {
        let added = PAGE.replace("/Contents 4 0 R", "/Contents 21 0 R").replace("/Annots [6 0 R]", "");
        changed(lab, None, &[(2, "<< /Type /Pages /Kids [3 0 R 20 0 R] /Count 1 >>"), (20, &added)], &[(21, evil())])
    }),
    ("ISO 32000-2 7.5.5", "/Root is another", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let page = PAGE.replace("/Contents 4 0 R", "/Contents 23 0 R").replace("/Parent 2 0 R", "/Parent 21 0 R");
        let mut changes = objects(&[
            (20, "<< /Type /Catalog /Pages 21 0 R /AcroForm << /Fields [6 0 R] /SigFlags 3 >> >>"),
            (21, "<< /Type /Pages /Kids [22 0 R] /Count 1 >>"),
            (22, &page),
        ]);
        changes.insert(23, evil());
        let mut other = signed.clone();
        other.root = 20;
        pdf(other.carried(&changes, "", Carrier::Table))
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, /Parent is another: the inherited box shows a corner", NotPassed, |lab| {
        let page = PAGE.replace("/Parent 2 0 R", "/Parent 20 0 R");
        changed(
            lab,
            Some(1),
            &[(3, &page), (20, "<< /Type /Pages /Kids [3 0 R] /Count 1 /CropBox [0 0 200 200] /Parent 2 0 R >>")],
            &[],
        )
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, a hidden layer is switched on", NotPassed, |lab| {
        let page = PAGE
            .replace("/Font << /F 5 0 R >>", "/Font << /F 5 0 R >> /Properties << /O1 30 0 R >>")
            .replace("/Annots [6 0 R]", "");
        let before = [
            (1, "<< /Type /Catalog /OCProperties 31 0 R /Pages 2 0 R >>"),
            (3, page.as_str()),
            (30, "<< /Type /OCG /Name (x) >>"),
            (31, "<< /OCGs [30 0 R] /D << /Order [30 0 R] /OFF [30 0 R] >> >>"),
        ];
        let content = [line("The parties agree."), b" /OC /O1 BDC ".to_vec(), line(EVIL), b" EMC".to_vec()].concat();
        let on = object("<< /OCGs [30 0 R] /D << /Order [30 0 R] /ON [30 0 R] >> >>");
        prepared(lab, &before, &[(4, stream("", &content))], &[(31, on)], 1)
    }),
    ("eIDAS 26 d)", "the page is turned", NotPassed, |lab| {
        changed(lab, None, &[(3, &PAGE.replace("/MediaBox", "/Rotate 180 /MediaBox"))], &[])
    }),
    ("eIDAS 26 d)", "the unit of the page is another", NotPassed, |lab| {
        changed(lab, None, &[(3, &PAGE.replace("/MediaBox", "/UserUnit 9 /MediaBox"))], &[])
    }),
];

#[test]
fn f13_pages_that_are_others() {
    check(F13);
}

pub(super) fn amount(value: &str, more: &str) -> Object {
    object(&format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) {more} >>"
    ))
}

fn proven(lab: &Lab, mut document: Pdf) -> Given {
    let proofs = document.proofs(&[&lab.root.certificate, &lab.alice.certificate], &[&lab.crl]);
    document.update(proofs);
    pdf(document.bytes)
}

fn stamped(lab: &Lab, mut document: Pdf) -> Given {
    let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", name: "TimeStamp", ..SECOND };
    document.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261126120000Z").by(&lab.tsa));
    pdf(document.bytes)
}

const NOTE: &str = "<< /Type /Annot /Subtype /Text /Rect [500 780 520 800] /F 28 /P 3 0 R /T (Bob) /Contents (Read this.) /Name /Note >>";

/// A text field, filled with its appearance.
fn form_filled(lab: &Lab, p: Option<u8>) -> Given {
    let shown = |text: &str| {
        let content = format!("/Tx BMC q BT /F 12 Tf 2 5 Td ({text}) Tj ET Q EMC");
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 5 0 R >> >>",
            content.as_bytes(),
        )
    };
    let mut all = objects(&[
        (
            1,
            "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> /SigFlags 3 >> >>",
        ),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    all.insert(11, amount("", "/AP << /N 12 0 R >>"));
    all.insert(12, shown(""));
    let document = Pdf::page("The parties agree.", all);
    let mut signed = match p {
        Some(p) => document.certified(lab, p),
        None => document.signed(lab, &Field::default()),
    };
    signed.update([(11, amount("100", "/AP << /N 12 0 R >>")), (12, shown("100"))].into_iter().collect());
    pdf(signed.bytes)
}

const CONTROLS: &[Row] = &[
    ("EN 319 142-1 6.1", "signed", Passed, |lab| pdf(Pdf::usual().signed(lab, &Field::default()).bytes)),
    ("ISO 32000-2 7.5.8", "signed in cross-reference streams", Passed, |lab| {
        let objects = Pdf::usual().objects;
        pdf(Pdf::of(objects, Form::Packed).signed(lab, &Field::default()).bytes)
    }),
    ("EN 319 142-1 5.4.2", "proofs added", Passed, |lab| proven(lab, Pdf::usual().signed(lab, &Field::default()))),
    ("ISO 32000-2 12.8.4", "P=1, proofs added", Passed, |lab| proven(lab, Pdf::usual().certified(lab, 1))),
    ("EN 319 142-1 5.4.3", "time-stamp added", Passed, |lab| stamped(lab, Pdf::usual().signed(lab, &Field::default()))),
    ("EN 319 142-1 5.4.3", "P=1, time-stamp added", Passed, |lab| stamped(lab, Pdf::usual().certified(lab, 1))),
    ("ISO 32000-2 12.8.2.2", "P=2, signed by another", Passed, |lab| {
        let mut document = Pdf::usual().certified(lab, 2);
        document.sign_with(&SECOND, Objects::new(), |bytes| lab.pades(&lab.bob, bytes));
        pdf(document.bytes)
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, a field filled", Passed, |lab| form_filled(lab, Some(2))),
    ("ISO 32000-2 12.8.2.2", "P=3, a field filled", Passed, |lab| form_filled(lab, Some(3))),
    ("ISO 32000-2 12.8.2.2", "a field filled", Passed, |lab| form_filled(lab, None)),
    ("ISO 32000-2 12.8.2.2", "P=3, a note in the margin", Passed, |lab| {
        changed(lab, Some(3), &[(3, &PAGE.replace("[6 0 R]", "[6 0 R 20 0 R]")), (20, NOTE)], &[])
    }),
    ("ISO 32000-2 12.8.2.2", "a note in the margin", Passed, |lab| {
        changed(lab, None, &[(3, &PAGE.replace("[6 0 R]", "[6 0 R 20 0 R]")), (20, NOTE)], &[])
    }),
    ("ISO 32000-2 7.5.6", "objects written again as they were", Passed, |lab| {
        changed(lab, None, &[(3, PAGE), (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")], &[])
    }),
    ("ISO 32000-2 7.5.5", "line ends behind the last %%EOF", Passed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        pdf([signed.bytes, b"\r\n\r\n".to_vec()].concat())
    }),
];

#[test]
fn what_may_be_done_to_pages() {
    check(CONTROLS);
}
