//! Every way to write a document, and documents that are not signed.

use crate::desk::*;
use lacre::Document;
use lacre::signing::SigningErrorCode as Code;
use lacre::signing::pades::{Appearance, Field, Options, Placement, Rectangle};
use lacre_testkit::pdf::{self, Carrier, Form, Objects, Pdf, objects};

#[test]
fn new_fields_in_every_kind_of_document() {
    let desk = Desk::new();
    let link = "<< /Type /Annot /Subtype /Link /Rect [1 2 3 4] /Border [0 0 0] >>";
    let text =
        "<< /FT /Tx /T (Text) /Type /Annot /Subtype /Widget /Rect [9 9 50 20] /P 3 0 R /DA (/F 9 Tf) /V (x) /F 4 >>";
    let hidden = {
        let changes = objects(&[(6, "<< /Hidden true >>")]);
        Pdf::usual().carried(&changes, "", Carrier::Hybrid)
    };
    for form in [Form::Table, Form::Stream, Form::Packed] {
        let rows: [(&str, &str, &str, Vec<(u32, &str)>); 8] = [
            ("no form, no annotations", "", "", vec![]),
            ("a form inside of the catalog", "/AcroForm << /Fields [] >>", "", vec![]),
            ("a form of its own", "/AcroForm 7 0 R", "", vec![(7, "<< /Fields [] /SigFlags 1 >>")]),
            ("an array of fields of its own", "/AcroForm 7 0 R", "", vec![(7, "<< /Fields 8 0 R >>"), (8, "[]")]),
            ("a form that is null", "/AcroForm null", "/Annots null", vec![]),
            ("annotations inside of the page", "", "/Annots [7 0 R]", vec![(7, link)]),
            ("annotations of their own", "", "/Annots 8 0 R", vec![(7, link), (8, "[7 0 R]")]),
            (
                "another field",
                "/AcroForm 8 0 R",
                "/Annots [7 0 R]",
                vec![(7, text), (8, "<< /Fields [7 0 R] /NeedAppearances true /DA (/F 9 Tf) >>")],
            ),
        ];
        for (situation, catalog, page, more) in rows {
            let pdf = document(catalog, page, &more, form);
            desk.check_signed(&format!("{situation}, {form:?}"), &pdf.bytes, &Options::default());
        }
    }
    desk.check_signed("a hybrid file", &hidden, &Options::default());
    let usual = Pdf::usual().bytes;
    desk.check_signed("no line end at the end", &usual[..usual.len() - 1], &Options::default());
    let pages = pages(300);
    desk.check_signed("many pages", &pages, &new_field(|field| field.page = -1));
}

#[test]
fn encrypted_documents() {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encrypted/");
    for (name, fills, adds) in [
        ("rc4-40", true, true),
        ("rc4-128", true, true),
        ("aes-128", true, true),
        ("aes-256-r5", true, true),
        ("aes-256-r6", true, true),
        ("aes-256-fill", true, false),
        ("aes-256-restricted", false, false),
    ] {
        let bytes = std::fs::read(format!("{folder}{name}.pdf")).expect("a file of the tests");
        for (password, is_owner) in [(&b"user"[..], false), (b"owner", true)] {
            let document = Document::new(&bytes).with_password(password);
            let reason = |field: Field| {
                with(|options| {
                    options.field = field;
                    options.reason = Some("A secret reason".into());
                })
            };
            for (field, allowed) in [(Field::default(), adds), (Field::Named("Waiting".into()), fills)] {
                let signed = desk.try_sign(&document, &reason(field.clone()), &desk.lab.alice);
                if !(allowed || is_owner) {
                    let code = signed.err().map(|error| error.code());
                    assert_eq!(code, Some(Code::PermissionDenied), "table 22: {name} {field:?}");
                    continue;
                }
                let signed = signed.unwrap_or_else(|error| panic!("{name} {field:?}: {error}"));
                let again = desk.try_sign(&document, &reason(field), &desk.lab.alice).expect("signed again");
                assert_eq!(signed, again, "{name}: the same bytes");
                assert_eq!(pdf::find(&signed, b"A secret", 0), None, "7.6.1: {name}");
                let opened = Document::new(&signed).with_password(b"user");
                desk.check(name, &opened, 1);
                let facts = desk.facts(&opened);
                let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
                assert_eq!(revision.reason.as_deref(), Some("A secret reason"), "7.6.2: {name}");
            }
        }
        for (password, expected) in [(None, Code::PasswordNeeded), (Some(&b"x"[..]), Code::PasswordWrong)] {
            let document = Document::new(&bytes);
            let document = password.into_iter().fold(document, |document, password| document.with_password(password));
            let refusal = desk.try_sign(&document, &Options::default(), &desk.lab.alice).err();
            assert_eq!(refusal.map(|error| error.code()), Some(expected), "7.6.1: {name}");
        }
    }
}

#[test]
fn documents_that_are_not_signed() {
    let desk = Desk::new();
    let good = Pdf::usual().bytes;
    let dynamic = document("/NeedsRendering true /AcroForm << /Fields [] /XFA [] >>", "", &[], Form::Table).bytes;
    let mut moved = good.clone();
    let at = pdf::rfind(&moved, b"startxref\n").expect("an end") + 10;
    moved[at] = b'9';
    let hidden = {
        let mut changes = Objects::new();
        changes.insert(4, pdf::stream("", &pdf::line(pdf::EVIL)));
        Pdf::usual().carried(&changes, "", Carrier::HybridFree)
    };
    let mut cut = desk.sign(&good, &Options::default());
    cut.pop();
    for (situation, bytes, expected) in [
        ("cross-references elsewhere", moved, Code::PdfNeedsRepair),
        ("junk at the end", [&good[..], b"PK"].concat(), Code::PdfTrailingData),
        ("junk at the beginning", [&b"junk\n"[..], &good].concat(), Code::PdfLeadingBytes),
        ("a dynamic form", dynamic, Code::XfaDynamic),
        ("another page to some readers", hidden, Code::PdfNeedsRepair),
        ("no PDF", b"Hello".to_vec(), Code::DocumentUnreadable),
        ("cut short after it was signed", cut, Code::SignatureInvalid),
        ("cut short", good[..good.len() / 2].to_vec(), Code::DocumentUnreadable),
    ] {
        let refusal = desk.refusal(&bytes, &Options::default());
        let is_expected =
            refusal == Some(expected) || situation == "cut short" && refusal == Some(Code::PdfNeedsRepair);
        assert!(is_expected, "{situation}: {refusal:?}, expected {expected}");
    }
}

/// The metadata of a document that claims these properties.
fn claiming(properties: &str) -> pdf::Object {
    pdf::stream("/Type /Metadata /Subtype /XML", format!("<rdf:Description {properties}/>").as_bytes())
}

#[test]
fn what_documents_claim_to_be() {
    let desk = Desk::new();
    let with = |catalog: &str, properties: &str, more: &[(u32, &str)]| {
        let mut pdf = document(&format!("/Metadata 20 0 R {catalog}"), "/StructParents 0", more, Form::Packed).objects;
        pdf.insert(20, claiming(properties));
        Pdf::of(pdf, Form::Packed).bytes
    };
    let signed = desk.check_signed("PDF/A-1", &with("", "pdfaid:part='1'", &[]), &Options::default());
    assert!(pdf::find(&signed, b"/AP<</N ", 0).is_some(), "ISO 19005-1 6.9: an appearance");
    let signed = desk.check_signed("PDF/A-2", &with("", "pdfaid:part='2'", &[]), &Options::default());
    assert!(pdf::find(&signed, b"/AP<</N ", 0).is_none(), "ISO 19005-2 6.4: none is needed");

    let tree = "/StructTreeRoot 21 0 R /MarkInfo << /Marked true >>";
    let element = "<< /Type /StructElem /S /Document /P 21 0 R /K [24 0 R] >>";
    let leaf = "<< /Nums [0 [24 0 R]] >>";
    let paragraph = "<< /Type /StructElem /S /P /P 23 0 R /Pg 3 0 R /K 0 >>";
    for (situation, root, numbers, expected) in [
        ("numbers in the root", "/K [23 0 R] /ParentTreeNextKey 1", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("no next number is stated", "/K 23 0 R", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("the next number is too low", "/K 23 0 R /ParentTreeNextKey 0", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("numbers below", "/K 23 0 R", "<< /Kids [25 0 R] >>", Some("/Limits[8 8]/Nums[8 ")),
        ("no numbers", "/K 23 0 R", "<< >>", None),
    ] {
        let root = format!("<< /Type /StructTreeRoot /ParentTree 22 0 R {root} >>");
        let below = "<< /Limits [0 7] /Nums [0 [24 0 R] 7 null] >>";
        let more = [(21, &root[..]), (22, numbers), (23, element), (24, paragraph), (25, below)];
        let bytes = with(tree, "pdfuaid:part='1'", &more);
        let added = |options: &Options| {
            let signed = desk.check_signed(situation, &bytes, options);
            let text = String::from_utf8_lossy(&signed[bytes.len()..]).into_owned();
            assert!(text.contains("/Tabs/S"), "ISO 14289-1 7.18.3: {situation}");
            text
        };
        let unseen = added(&Options::default());
        assert!(!unseen.contains("/S/Form"), "ISO 14289-1 7.18.1: {situation}: outside of the page");
        assert!(unseen.contains("/Rect[-1 -1 -1 -1]"), "ISO 14289-1 7.18.1: {situation}: {unseen}");
        let seen = Placement::Page(Rectangle { left: 20.0, bottom: 20.0, right: 80.0, top: 40.0 });
        let text = added(&new_field(|field| field.placement = Some(seen)));
        assert!(text.contains("/TU(Signature1)"), "ISO 14289-1 7.18.1: {situation}");
        assert_eq!(text.contains("/S/Form/P 23 0 R"), expected.is_some(), "ISO 14289-1 7.18.4: {situation}");
        assert!(expected.is_none_or(|expected| text.contains(expected)), "7.9.7: {situation}: {text}");
    }
    desk.check_signed("no structure", &with("", "pdfuaid:part='1'", &[]), &Options::default());
}

#[test]
fn references_to_nothing_stay_so() {
    let desk = Desk::new();
    let page = "/Resources << /XObject << /A 21 0 R /B 8 0 R >> >>";
    for form in [Form::Table, Form::Stream] {
        let bytes = document("", page, &[], form).bytes;
        let signed = desk.check_signed("references to nothing", &bytes, &Options::default());
        let again = desk.sign(&signed, &Options::default());
        assert!(pdf::find(&again, b"\n21 0 obj", 0).is_none(), "7.3.10, {form:?}");
        assert!(pdf::find(&again, b"\n22 0 obj", 0).is_some(), "7.3.10, {form:?}");
    }
}

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

#[test]
fn damaged_documents_are_refused_or_signed_well() {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encrypted/");
    let file = |name: &str| std::fs::read(format!("{folder}{name}")).expect("a file of the tests");
    let hybrid = Pdf::usual().carried(&objects(&[(6, "<< /Hidden true >>")]), "", Carrier::Hybrid);
    let tagged = "/StructTreeRoot << /K [] /ParentTree << /Nums [] >> >> /Metadata 20 0 R";
    let mut accessible = document(tagged, "", &[], Form::Table).objects;
    accessible.insert(20, claiming("pdfuaid:part='1' pdfaid:part='1'"));
    let signed = desk.sign(&with_field("", &[]), &named("Here"));
    let seeds = [
        with_field("/Lock << /Action /All >> /SV << /Ff 8 /Reasons [(x)] >>", &[]),
        document("/AcroForm << /Fields [] >>", "/Annots []", &[], Form::Stream).bytes,
        document("/AcroForm << /Fields [] >>", "/Annots []", &[], Form::Packed).bytes,
        Pdf::of(accessible, Form::Table).bytes,
        hybrid,
        signed,
        file("aes-128.pdf"),
        file("rc4-128.pdf"),
    ];
    let (mut dice, mut count) = (Dice(1), 0);
    for (place, seed) in seeds.iter().enumerate() {
        for round in 0..400 {
            let mut bytes = seed.clone();
            for _ in 0..=dice.below(3) {
                let at = dice.below(bytes.len());
                match dice.below(4) {
                    0 => bytes[at] = b"<>[]()/%0123456789 R"[dice.below(20)],
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"<>[]()/% 019"[dice.below(12)]),
                    _ => bytes[at] ^= 1 << dice.below(8),
                }
            }
            let document = Document::new(&bytes).with_password(b"owner");
            let options = match round % 3 {
                0 => Options::default(),
                1 => with(|options| options.field = Field::OnlyEmpty),
                _ => visible(Appearance::saying("{name}")),
            };
            let Ok(signed) = desk.try_sign(&document, &options, &desk.lab.alice) else { continue };
            count += 1;
            let what = format!("seed {place}, round {round}");
            assert!(signed.starts_with(&bytes), "{what}: what was there stays");
            let facts = desk.facts(&Document::new(&signed).with_password(b"owner"));
            let length = signed.len() as i64;
            let whole = facts.signatures.iter().find(|signature| {
                let ranges = signature.pdf_revision.as_ref().map(|revision| revision.byte_range.clone());
                ranges.is_some_and(|ranges| ranges[2] + ranges[3] == length)
            });
            let new = whole.unwrap_or_else(|| panic!("{what}: no signature over the whole file"));
            assert!(new.basic.intact && new.basic.valid, "{what}: the signature");
            let revision = new.pdf_revision.as_ref().expect("a PDF");
            assert_eq!(revision.byte_range_valid, Some(true), "{what}: the byte range");
            assert_eq!(new.level.map(|level| level.to_string()).as_deref(), Some("PAdES-BASELINE-B"), "{what}");
        }
    }
    assert!(count > 400, "much damage is harmless: {count} signed");
}

#[test]
fn beside_a_signature_that_cannot_be_read() {
    let desk = Desk::new();
    let outside = Pdf::usual().and(&[
        (6, "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Hidden) /Rect [0 0 0 0] /F 4 /P 3 0 R /V 7 0 R >>"),
        (7, "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 1 2 3] /Contents <30> >>"),
    ]);
    let page = outside.with(3, "Annots", "[6 0 R]").value.to_string();
    let refused = desk.refusal(&outside.and(&[(3, &page)]).bytes, &Options::default());
    assert_eq!(refused, Some(Code::SignatureInvalid), "ISO 32000-1 12.7.2: on a page, and there is no form");
    let mut signed = desk.sign(&Pdf::usual().bytes, &Options::default());
    let at = pdf::find(&signed, b"/Contents<30", 0).expect("it is there");
    signed[at + b"/Contents<".len()] = b'4';
    let refused = desk.refusal(&signed, &Options::default());
    assert_eq!(refused, Some(Code::SignatureInvalid), "EN 319 102-1 5.2.2: no signature of that file would hold");
}
