//! Pages that were changed after signing (ISO 32000-2 §12.8).

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::{Given, Row, check, pdf};
use lacre_core::{algorithm::DigestAlgorithm, crypto::digest};
use lacre_testkit::cms::{SignedData, Signer, Token};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R] >>";
const OTHER_DIGITS: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [48 /nine /nine] >> >>";

fn evil() -> Object {
    stream("", &line(EVIL))
}

/// A form XObject that shows a line over the whole page.
fn cover(text: &str) -> Object {
    let content = [b"1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), line(text)].concat();
    stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >>", &content)
}

/// The usual page, certified or not, with changes.
fn changed(lab: &Lab, p: Option<u8>, changes: &[(u32, &str)], more: &[(u32, Object)]) -> Given {
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
fn prepared(lab: &Lab, before: &[(u32, &str)], streams: &[(u32, Object)], then: &[(u32, Object)], p: u8) -> Given {
    let mut all = objects(before);
    all.extend(streams.iter().cloned());
    let mut signed = Pdf::page("The parties agree.", all).certified(lab, p);
    signed.update(then.iter().cloned().collect());
    pdf(signed.bytes)
}

/// The page covered by an annotation with that entry.
fn covered(lab: &Lab, p: Option<u8>, entry: &str) -> Given {
    let annotation =
        format!("<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 21 0 R >> {entry} >>");
    let page = PAGE.replace("[6 0 R]", "[6 0 R 20 0 R]");
    changed(lab, p, &[(3, &page), (20, &annotation)], &[(21, cover(EVIL))])
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

/// An embedded invoice, replaced; the catalog holds it so.
fn invoice(lab: &Lab, catalog: &str, file: &str, p: Option<u8>) -> Given {
    let data = |total: &str| {
        let invoice = format!("<invoice><total>{total}</total></invoice>");
        stream("/Type /EmbeddedFile /Subtype /text#2Fxml", invoice.as_bytes())
    };
    let specification = format!(
        "<< /Type /Filespec /F (invoice.xml) /UF (invoice.xml) /AFRelationship /Alternative /EF << {file} >> >>"
    );
    let mut all = objects(&[(1, catalog), (31, &specification)]);
    all.insert(30, data("100.00"));
    let document = Pdf::page("The invoice is inside.", all);
    let mut signed = match p {
        Some(p) => document.certified(lab, p),
        None => document.signed(lab, &Field::default()),
    };
    signed.update([(30, data("999.00"))].into_iter().collect());
    pdf(signed.bytes)
}

const NAMED: &str = "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(invoice.xml) 31 0 R] >> >> >>";
const ASSOCIATED: &str =
    "<< /Type /Catalog /Pages 2 0 R /AF [31 0 R] /Names << /EmbeddedFiles << /Names [(invoice.xml) 31 0 R] >> >> >>";
const ASSOCIATED_LAST: &str =
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(invoice.xml) 31 0 R] >> >> /AF [31 0 R] >>";

const F5: &[Row] = &[
    ("eIDAS 26 d)", "an embedded file is another, by /Names and /F", NotPassed, |lab| {
        invoice(lab, NAMED, "/F 30 0 R", None)
    }),
    ("eIDAS 26 d)", "an embedded file is another, by /Names, /F and /UF", NotPassed, |lab| {
        invoice(lab, NAMED, "/F 30 0 R /UF 30 0 R", None)
    }),
    ("eIDAS 26 d)", "an embedded file is another, by /AF before /Names", NotPassed, |lab| {
        invoice(lab, ASSOCIATED, "/F 30 0 R", None)
    }),
    ("eIDAS 26 d)", "an embedded file is another, by /AF behind /Names", NotPassed, |lab| {
        invoice(lab, ASSOCIATED_LAST, "/F 30 0 R /UF 30 0 R", None)
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, an embedded file is another", NotPassed, |lab| {
        invoice(lab, ASSOCIATED, "/F 30 0 R", Some(1))
    }),
    ("ISO 32000-2 12.8.2.2", "P=1, a hidden annotation is shown", NotPassed, |lab| {
        let stamp = |flags: u8| {
            format!("<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F {flags} /P 3 0 R /AP << /N 21 0 R >> >>")
        };
        let page = PAGE.replace("[6 0 R]", "[12 0 R]");
        let shown = [(12, object(&stamp(4)))];
        prepared(lab, &[(3, &page), (12, &stamp(2))], &[(21, cover(EVIL))], &shown, 1)
    }),
    ("ISO 32000-2 12.8.2.2", "P=2, a script of the document is added", NotPassed, |lab| {
        let catalog = "<< /Type /Catalog /Pages 2 0 R /Names << >> /AcroForm << /Fields [6 0 R] /SigFlags 3 >> /Perms << /DocMDP 7 0 R >> >>";
        let script = catalog.replace(
            "/Names << >>",
            "/Names << /JavaScript << /Names [(x) << /S /JavaScript /JS (app.alert(1)) >>] >> >>",
        );
        prepared(lab, &[(1, "<< /Type /Catalog /Pages 2 0 R /Names << >> >>")], &[], &[(1, object(&script))], 2)
    }),
];

#[test]
fn f5_files_flags_and_scripts() {
    check(F5);
}

const F6: &[Row] = &[
    ("ISO 32000-2 7.6", "/Encrypt is added: the page becomes garbage", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let same = [(5, signed.objects[&5].clone())].into_iter().collect();
        pdf(signed.carried(&same, "", Carrier::Encrypted))
    }),
    ("ISO 32000-2 7.6", "P=1, /Encrypt is added", NotPassed, |lab| {
        let signed = Pdf::usual().certified(lab, 1);
        let same = [(5, signed.objects[&5].clone())].into_iter().collect();
        pdf(signed.carried(&same, "", Carrier::Encrypted))
    }),
    ("ISO 32000-2 7.6", "/Encrypt without an object, with an unknown handler", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let same = [(5, signed.objects[&5].clone())].into_iter().collect();
        pdf(signed.carried(&same, "/Encrypt << /Filter /Own /V 9 >>", Carrier::Table))
    }),
    ("ISO 32000-2 7.6", "/Encrypt for streams only", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &Field::default());
        let same = [(5, signed.objects[&5].clone())].into_iter().collect();
        let zeros = "0".repeat(96);
        let short = "0".repeat(64);
        pdf(signed.carried(&same, &format!("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <{zeros}> /U <{zeros}> /OE <{short}> /UE <{short}> /Perms <00000000000000000000000000000000> /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen >> >> /StmF /StdCF /StrF /Identity >>"), Carrier::Table))
    }),
];

#[test]
fn f6_encryption_that_is_added() {
    check(F6);
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

const F13: &[Row] = &[
    ("eIDAS 26 d)", "the content is another", NotPassed, |lab| changed(lab, None, &[], &[(4, evil())])),
    ("ISO 32000-2 12.8.2.2", "P=1, covered by a stamp", NotPassed, |lab| covered(lab, Some(1), "")),
    ("ISO 32000-2 12.8.2.2", "P=2, covered by a stamp", NotPassed, |lab| covered(lab, Some(2), "")),
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

fn amount(value: &str, more: &str) -> Object {
    object(&format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) {more} >>"
    ))
}

fn filled(lab: &Lab, dictionary: &str, more: &str) -> Given {
    let before = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    let mut all = before;
    all.insert(11, amount("100", ""));
    let mut document = Pdf::page("The parties agree.", all);
    document.sign(lab, &Field { dictionary, more, ..Field::default() }, Objects::new());
    document.update([(11, amount("999", ""))].into_iter().collect());
    pdf(document.bytes)
}

const ALL_FIELDS: &str = "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /All /V /1.2 >> >>]";

const F15: &[Row] = &[
    ("ISO 32000-2 12.8.2.4", "all fields are locked by FieldMDP, one changes", NotPassed, |lab| {
        filled(lab, ALL_FIELDS, "")
    }),
    ("ISO 32000-2 12.7.5.5", "all fields are locked by /Lock with P=1, one changes", NotPassed, |lab| {
        filled(lab, "", "/Lock << /Type /SigFieldLock /Action /All /P 1 >>")
    }),
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
fn f15_signatures_and_locks() {
    check(F15);
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
