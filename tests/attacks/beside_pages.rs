//! What a document has beside its pages, changed after signing: embedded files, flags, scripts, encryption (ISO 32000-2 §7.6,
//! §7.7, §7.11).

use super::Expect::{NotPassed, Passed};
use super::pages::prepared;
use super::revisions::{PAGE, cover};
use super::{Given, Row, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

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

/// A tree of names or numbers whose root is a field, too; then it gets another kid.
fn tree_of_fields(lab: &Lab, tree: &str, first: &str, second: &str) -> Given {
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R {tree} /AcroForm << /Fields [50 0 R] /SigFlags 3 >> >>");
    let all =
        objects(&[(1, &catalog), (50, "<< /T (a) /Kids [51 0 R] >>"), (51, first), (53, "<< /T (b) /Kids [] >>")]);
    let mut signed = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
    signed.update(objects(&[(50, "<< /T (a) /Kids [51 0 R 52 0 R] >>"), (52, second)]));
    pdf(signed.bytes)
}

#[test]
fn trees_that_are_fields() {
    check(&[
        ("ISO 32000-2 7.9.6", "a script is added", NotPassed, |lab| {
            let script = |name: &str| {
                format!("<< /Limits [({name}) ({name})] /Names [({name}) << /S /JavaScript /JS (var a = 1) >>] >>")
            };
            tree_of_fields(lab, "/Names << /JavaScript 50 0 R >>", &script("a"), &script("b"))
        }),
        ("ISO 32000-2 7.9.6", "a file is added, in a kid of a kid", NotPassed, |lab| {
            let file = "<< /T (c) /Kids [<< /Names [(x) << /Type /Filespec /UF (x.pdf) >>] >>] >>";
            tree_of_fields(lab, "/Names << /EmbeddedFiles 50 0 R >>", "<< /Names [] >>", file)
        }),
        ("ISO 32000-2 7.9.7", "pages are counted otherwise", NotPassed, |lab| {
            tree_of_fields(lab, "/PageLabels 50 0 R", "<< /Nums [0 << /S /D >>] >>", "<< /Nums [1 << /S /r >>] >>")
        }),
        ("ISO 32000-2 12.7.4.1", "a field gets another field as its kid", Passed, |lab| {
            tree_of_fields(lab, "/PageLabels << /Nums [] >>", "<< /T (x) /FT /Tx >>", "<< /T (y) /FT /Tx >>")
        }),
    ]);
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

/// A title that readers show above the page, and another one then.
fn title(lab: &Lab, after: &str) -> Given {
    let catalog = "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>";
    let mut all = objects(&[(1, catalog), (30, "<< /Title (Offer) /ModDate (D:20260101000000Z) >>")]);
    all.insert(31, stream("", b"x"));
    let mut document = Pdf::page("The parties agree.", all);
    let at = rfind(&document.bytes, b"/Root").expect("the trailer");
    document.bytes.splice(at..at, *b"/Info 30 0 R ");
    document.sign(lab, &Field::default(), Objects::new());
    document.update(objects(&[(30, after)]));
    pdf(document.bytes)
}

#[test]
fn titles() {
    check(&[
        ("ISO 32000-2 14.3.3", "the date of a change", Passed, |lab| {
            title(lab, "<< /Title <4f66666572> /ModDate (D:20270101000000Z) /Producer (x) >>")
        }),
        ("ISO 32000-2 table 349", "another title", NotPassed, |lab| title(lab, "<< /Title (Order) >>")),
        ("ISO 32000-2 table 349", "no title", NotPassed, |lab| title(lab, "<< >>")),
    ]);
}

/// Metadata of that title, and then such.
fn described(lab: &Lab, before: &str, after: &str) -> Given {
    let metadata = |title: &str| {
        let text = format!(
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description xmp:ModifyDate=\"{}\">{title}</rdf:Description></rdf:RDF></x:xmpmeta>",
            title.len()
        );
        stream("/Type /Metadata /Subtype /XML", text.as_bytes())
    };
    let mut all = objects(&[(1, "<< /Type /Catalog /Pages 2 0 R /Metadata 30 0 R >>")]);
    all.insert(30, metadata(before));
    let mut document = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
    document.update([(30, metadata(after))].into_iter().collect());
    pdf(document.bytes)
}

#[test]
fn titles_in_metadata() {
    const OFFER: &str = "<dc:title><rdf:Alt><rdf:li>Offer</rdf:li></rdf:Alt></dc:title>";
    const SPACED: &str = "<dc:title>\n <rdf:Alt> <rdf:li>Offer</rdf:li>\n </rdf:Alt>\n</dc:title>";
    const ORDER: &str = "<dc:title><rdf:Alt><rdf:li>Order</rdf:li></rdf:Alt></dc:title>";
    check(&[
        ("ISO 32000-2 14.3.2", "the date of a change, and blanks", Passed, |lab| described(lab, OFFER, SPACED)),
        ("ISO 32000-2 14.3.2", "another title", NotPassed, |lab| described(lab, OFFER, ORDER)),
        ("ISO 32000-2 14.3.2", "another behind a comment", NotPassed, |lab| {
            described(lab, OFFER, &format!("<!-- {OFFER} -->{ORDER}"))
        }),
        ("ISO 32000-2 14.3.2", "the first title", NotPassed, |lab| described(lab, "", OFFER)),
        ("ISO 32000-2 14.3.2", "no title", NotPassed, |lab| described(lab, OFFER, "")),
        ("ISO 32000-2 14.3.2", "none before and after", Passed, |lab| described(lab, "", "<pdf:Producer/>")),
    ]);
}

/// A signature, then a certification that the catalog names.
fn certified_later(lab: &Lab, by_another: bool) -> Given {
    let mut document = Pdf::usual().signed(lab, &Field::default());
    let dictionary = certified(2);
    if by_another {
        let field = Field { dictionary: &dictionary, catalog: "/Perms << /DocMDP 9 0 R >>", ..SECOND };
        document.sign_with(&field, Objects::new(), |bytes| lab.pades(&lab.bob, bytes));
    } else {
        let mut catalog = document.value(1).clone();
        catalog.set("Perms", "<< /DocMDP 7 0 R >>");
        document.update([(1, Object { value: catalog, stream: None })].into_iter().collect());
    }
    pdf(document.bytes)
}

#[test]
fn signatures_that_become_certifications() {
    check(&[
        ("ISO 32000-2 12.8.2.2.1", "the one that was there", NotPassed, |lab| certified_later(lab, false)),
        ("ISO 32000-2 12.8.2.2.1", "another one", Passed, |lab| certified_later(lab, true)),
    ]);
}
