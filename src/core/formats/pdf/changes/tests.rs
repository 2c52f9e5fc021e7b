use super::*;
use crate::budget::Budget;
use crate::formats::pdf::File;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Returns a file of revisions, each made of these objects, and where the first ends.
fn file(revisions: &[&[(u32, &str)]]) -> (Vec<u8>, usize) {
    let (mut bytes, mut ends, mut previous) = (b"%PDF-1.7\n".to_vec(), vec![], String::new());
    for objects in revisions {
        let mut table = String::from("xref\n");
        for (number, object) in *objects {
            table += &format!("{number} 1\n{:010} 00000 n \n", bytes.len());
            bytes.extend(format!("{number} 0 obj {object} endobj\n").bytes());
        }
        let start = bytes.len();
        bytes.extend(format!("{table}trailer <</Root 1 0 R{previous}>>\nstartxref\n{start}\n%%EOF\n").bytes());
        previous = format!("/Prev {start}");
        ends.push(bytes.len());
    }
    (bytes, ends[0])
}

/// Returns each change with its class.
fn listed(objects: ObjectModifications) -> Vec<String> {
    let ObjectModifications { extension, signature_or_form_fill, annotation, undefined } = objects;
    let classes = [
        ("extension", extension),
        ("fill", signature_or_form_fill),
        ("annotation", annotation),
        ("undefined", undefined),
    ];
    let line = |class: &str, change: &ObjectModification| format!("{class} {:?} {}", change.action, change.path);
    classes.iter().flat_map(|(class, changes)| changes.iter().map(|change| line(class, change))).collect()
}

/// Returns the paths of the changes since the first revision.
fn changes(revisions: &[&[(u32, &str)]]) -> Vec<String> {
    let (bytes, end) = file(revisions);
    compared(&bytes, end)
}

/// Returns the changes behind those first bytes of a file.
fn compared(bytes: &[u8], end: usize) -> Vec<String> {
    let file = File::new(bytes, &Budget::default()).expect("a PDF");
    let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
    let signed = file.revision(end).expect("a revision");
    let form = || Rc::new(LatestForm::of(&last));
    let found = Comparison::new(&signed, &last, &mut graph, &form).documents();
    assert!(found.complete);
    listed(found.objects)
}

#[test]
fn what_changed() {
    let catalog = (1, "<</Type/Catalog/Pages 2 0 R/Extra 5 0 R/Again[3 0 R]>>");
    let pages = (2, "<</Kids[3 0 R 4 0 R]/Count 2>>");
    let (first, second) = ((3, "<</Parent 2 0 R/Contents 6 0 R>>"), (4, "<</Parent 2 0 R/V 8 0 R>>"));
    let (stream, length) = ((6, "<</Length 7 0 R>>stream\nabc endstream"), (7, "3"));
    let signed = [catalog, pages, first, second, stream, length];
    let rows: [(&str, &[(u32, &str)], &[&str]); 10] = [
        ("nothing", &[], &[]),
        ("written again, the same", &[pages, first, second], &[]),
        (
            "a page, which another entry refers back to",
            &[(3, "<</Parent 2 0 R/Contents 6 0 R/Rotate 90>>")],
            &["undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Rotate"],
        ),
        (
            "what an unchanged object refers to appears",
            &[(5, "<</New true>>")],
            &["undefined Creation /Catalog /Extra 5 0 R"],
        ),
        (
            "the length of a stream that is not written again",
            &[(6, "<</Length 7 0 R>>stream\nabcd endstream"), (7, "4")],
            &[
                "undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R /Length 7 0 R",
                "undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R stream",
            ],
        ),
        (
            "a value where no field is",
            &[(8, "<</Type/DocTimeStamp>>")],
            &["undefined Creation /Catalog /Pages 2 0 R /Kids 4 0 R /V 8 0 R"],
        ),
        (
            "a page is gone",
            &[(2, "<</Kids[3 0 R]/Count 1>>")],
            &[
                "undefined Deletion /Catalog /Pages 2 0 R /Kids 4 0 R",
                "undefined Modification /Catalog /Pages 2 0 R /Count",
            ],
        ),
        (
            "a page twice, whatever is counted",
            &[(2, "<</Kids[3 0 R 4 0 R 3 0 R]/Count 2>>")],
            &["undefined Creation /Catalog /Pages 2 0 R /Kids 3 0 R"],
        ),
        (
            "another generation of the same number",
            &[(3, "<</Parent 2 0 R/Contents 6 1 R>>")],
            &["undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R"],
        ),
        ("what nothing refers to", &[(9, "<</Alone true>>")], &[]),
    ];
    for (situation, update, expected) in rows {
        assert_eq!(changes(&[&signed, update]), expected, "EN 319 142-1 5.4: {situation}");
    }
}

/// §7.5.4: an object that was deleted leaves its number to another one of the next generation, and references to it refer to
/// nothing. Not every reader heeds generations.
#[test]
fn another_generation() {
    const SIGNED: [(u32, &str); 4] = [
        (1, "<</Type/Catalog/Pages 2 0 R>>"),
        (2, "<</Kids[3 0 R]/Count 1>>"),
        (3, "<</Parent 2 0 R/Contents 4 0 R>>"),
        (4, "<</Length 3>>stream\nabc endstream"),
    ];
    let (bytes, end) = file(&[&SIGNED, &[SIGNED[3]]]);
    let (signed, update) = bytes.split_at(end);
    let update = String::from_utf8_lossy(update).replacen("4 0 obj", "4 1 obj", 1).replacen("00000 n", "00001 n", 1);
    let bytes = [signed, update.as_bytes()].concat();
    let found = compared(&bytes, end);
    assert_eq!(found, ["undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 4 0 R"]);
}

/// §14.11.2: the box of a page, by a program that rounds all numbers of a page that gets a note.
#[test]
fn a_rounded_page() {
    let page = |width: &str| format!("<</Parent 2 0 R/MediaBox[0 0 {width} 842]>>");
    let (first, second, third) = (page("595.276"), page("595.28"), page("595.29"));
    let signed = [(1, "<</Type/Catalog/Pages 2 0 R>>"), (2, "<</Kids[3 0 R]/Count 1>>"), (3, &first[..])];
    for (page, class) in [(&second, "annotation"), (&third, "undefined")] {
        let expected = format!("{class} Modification /Catalog /Pages 2 0 R /Kids 3 0 R /MediaBox");
        assert_eq!(changes(&[&signed, &[(3, page)]]), [expected]);
    }
    let same = "<</Parent 2 0 R/MediaBox[0.0 0 595.2760 842.0]>>";
    assert_eq!(changes(&[&signed, &[(3, same)]]), [""; 0]);
}

/// A page with everything that may change, and what may not.
const DOCUMENT: [(u32, &str); 14] = [
    (1, "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>>>"),
    (2, "<</Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 200 200]>>"),
    (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R]>>"),
    (4, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R>>"),
    (6, "<</Length 3>>stream\nabc endstream"),
    (7, "<</Font<</F 8 0 R>>/XObject<</DSS 14 0 R/AP 14 0 R>>>>"),
    (8, "<</BaseFont/Helvetica>>"),
    (9, "<</Length 1>>stream\n1 endstream"),
    (10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R>>>>/DA(/F)>>"),
    (11, "<</Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9 9]/AP<</N 15 0 R>>>>"),
    (12, "<</Subtype/Link/Rect[0 20 9 29]/A 16 0 R/F 2>>"),
    (13, "<</Subtype/Watermark/Rect[0 40 9 49]/AP<</N 14 0 R>>>>"),
    (14, "<</Length 1>>stream\n2 endstream"),
    (15, "<</Length 1>>stream\n3 endstream"),
];

#[test]
fn classes() {
    let stream = "<</Length 1>>stream\n9 endstream";
    let filled = (11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]/AP<</N 15 0 R>>>>");
    let rows: [(&str, &str, &[(u32, &str)], &str); 32] = [
        (
            "EN 319 142-1 5.4.2",
            "validation data",
            &[(
                1,
                "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>/DSS<</Certs[]>>>>",
            )],
            "extension",
        ),
        ("14.3.2", "metadata", &[(9, stream)], "extension"),
        (
            "14.3.2",
            "metadata that refer to the content, which is another",
            &[(9, "<</Contents 6 0 R/Length 1>>stream\n1 endstream"), (6, stream)],
            "extension undefined",
        ),
        ("7.8.3", "a resource called like validation data", &[(14, stream)], "undefined"),
        ("7.8.2", "the content of two pages", &[(6, stream)], "undefined"),
        (
            "7.8.3",
            "resources of the second page",
            &[(4, "<</Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F 9 0 R>>/XObject<</DSS 14 0 R/AP 14 0 R>>>>>>")],
            "undefined",
        ),
        ("7.7.3.2", "the order of pages", &[(2, "<</Kids[4 0 R 3 0 R]/Count 2/MediaBox[0 0 200 200]>>")], "undefined"),
        (
            "7.7.3.4",
            "what is inherited from another parent",
            &[(4, "<</Parent 21 0 R/Contents 6 0 R/Resources 7 0 R>>"), (21, "<</MediaBox[0 0 100 200]>>")],
            "undefined",
        ),
        ("12.7.4.3", "a text is filled in", &[filled, (15, stream)], "fill"),
        ("12.7.4.3", "an appearance without another value", &[(15, stream)], "undefined"),
        (
            "12.7.4.3",
            "an appearance that the page draws, too",
            &[filled, (15, stream), (7, "<</Font<</F 8 0 R>>/XObject<</DSS 15 0 R/AP 14 0 R>>>>")],
            "fill undefined",
        ),
        (
            "12.7.4.3",
            "a dictionary is no text",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V<</Type/DocTimeStamp>>/Rect[0 0 9 9]/AP<</N 15 0 R>>>>")],
            "undefined",
        ),
        (
            "12.5.2",
            "a field grows while it is filled",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 200 200]/AP<</N 15 0 R>>>>")],
            "fill undefined",
        ),
        (
            "12.6.3",
            "a field gets an action",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]/AP<</N 15 0 R>>/AA<<>>>>")],
            "fill undefined",
        ),
        ("12.7.2", "a font of the form that the page has, too", &[(8, "<</BaseFont/Symbol>>")], "undefined"),
        (
            "12.7.2",
            "another font for the form",
            &[(10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R/G 8 0 R>>>>/DA(/F)>>")],
            "fill",
        ),
        (
            "12.7.2",
            "the form's own script",
            &[(10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R>>>>/DA(/F)/XFA()>>")],
            "undefined",
        ),
        (
            "12.5.6.4",
            "a note",
            &[
                (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                (22, "<</Subtype/Text/Rect[0 60 9 69]>>"),
            ],
            "annotation",
        ),
        (
            "12.8.5",
            "what calls itself a time-stamp",
            &[
                (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                (22, "<</Subtype/Widget/FT/Sig/Rect[0 60 9 69]/V<</Type/DocTimeStamp>>>>"),
            ],
            "undefined",
        ),
        (
            "12.6.4.16",
            "a note with an action",
            &[
                (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                (22, "<</Subtype/Text/Rect[0 60 9 69]/A<</S/JavaScript>>>>"),
            ],
            "undefined",
        ),
        (
            "12.5.2",
            "annotations in another order",
            &[(3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[12 0 R 11 0 R 13 0 R]>>")],
            "undefined",
        ),
        ("12.5.3", "a hidden link is shown", &[(12, "<</Subtype/Link/Rect[0 20 9 29]/A 16 0 R/F 4>>")], "annotation"),
        (
            "12.5.2",
            "a field and annotations say what they are",
            &[
                (11, "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9 9]/AP<</N 15 0 R>>>>"),
                (12, "<</Type/Annot/Subtype/Link/Rect[0 20 9 29]/A 16 0 R/F 2>>"),
                (13, "<</Type/Annot/Subtype/Watermark/Rect[0 40 9 49]/AP<</N 14 0 R>>>>"),
            ],
            "",
        ),
        (
            "12.5.2",
            "a field says that it is something else",
            &[(11, "<</Type/Page/Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9 9]/AP<</N 15 0 R>>>>")],
            "undefined",
        ),
        (
            "12.5.2",
            "what a field has says that it is an annotation",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9 9]/AP<</N 15 0 R/Type/Annot>>>>")],
            "undefined",
        ),
        (
            "12.7.4.3",
            "a field is filled by a program that rounds",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9.004 9]/AP<</N 15 0 R>>>>"), (15, stream)],
            "fill",
        ),
        (
            "12.7.4.3",
            "a field moves by more than is rounded",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9.01 9]/AP<</N 15 0 R>>>>"), (15, stream)],
            "fill undefined",
        ),
        (
            "12.5.2",
            "a rounded field that is not filled",
            &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9.004 9]/AP<</N 15 0 R>>>>")],
            "undefined",
        ),
        (
            "12.5.6.22",
            "a watermark is another one",
            &[(13, "<</Subtype/Watermark/Rect[0 40 9 49]/AP<</N 15 0 R>>>>")],
            "undefined",
        ),
        ("7.11.4", "an attached file appears", &[(20, "<</EF<</F 14 0 R>>>>")], "undefined"),
        (
            "7.6.1",
            "all the same, and a key twice",
            &[(3, "<</Parent 2 0 R/Contents 9 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R]>>")],
            "undefined",
        ),
        (
            "8.11.4.2",
            "layers",
            &[(
                1,
                "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>/OCProperties<<>>>>",
            )],
            "undefined",
        ),
    ];
    for (clause, situation, update, expected) in rows {
        let found = changes(&[&DOCUMENT, update]);
        let classes: BTreeSet<_> = found.iter().filter_map(|line| line.split(' ').next()).collect();
        let classes: Vec<_> = classes.into_iter().collect();
        assert_eq!(classes.join(" "), expected, "{clause} {situation}: {found:?}");
    }
}

#[test]
fn going_only_where_something_changed_finds_the_same() {
    // Nine objects that refer to each other at random, in four revisions.
    let mut seed = 1_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..300 {
        let mut object = |number: u32| {
            let mut some = || random(12) + 1;
            let [a, b, c, d, value] = [some(), some(), some(), some(), some()];
            let head = match number {
                1 => "/Type/Catalog/Pages 2 0 R/AcroForm 3 0 R",
                2 => "/Kids[4 0 R 5 0 R]",
                4 => "/Annots[6 0 R]",
                _ => "",
            };
            let refers = if value > 8 { format!("/B {b} 0 R") } else { String::new() };
            (number, format!("<<{head}/A {a} 0 R/L[{b} 0 R {c} 0 R]/D<</A {d} 0 R>>/N {}{refers}>>", value % 3))
        };
        let signed: Vec<_> = (1..10).map(&mut object).collect();
        let numbers = [[2, 3], [4, 5], [3, 10]].map(|numbers| numbers.map(|number| number + round % 3));
        let updates = numbers.map(|numbers| numbers.map(&mut object).to_vec());
        let written: Vec<Vec<_>> = std::iter::once(&signed)
            .chain(&updates)
            .map(|objects| objects.iter().map(|(number, object)| (*number, object.as_str())).collect())
            .collect();
        let written: Vec<&[_]> = written.iter().map(Vec::as_slice).collect();
        let ends: Vec<usize> = (1..4).map(|count| file(&written[..count]).0.len()).collect();
        let bytes = file(&written).0;
        let file = File::new(&bytes, &Budget::default()).expect("a PDF");
        let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
        for end in ends {
            let signed = file.revision(end).expect("a revision");
            let form = || Rc::new(LatestForm::of(&last));
            let mut found = |by_location: bool| {
                let comparison = Comparison::new(&signed, &last, &mut graph, &form);
                let mut comparison = if by_location { comparison } else { comparison.ignoring_locations() };
                listed(comparison.documents().objects)
            };
            assert_eq!(found(true), found(false), "round {round}, the revision that ends at {end}");
        }
    }
}

#[test]
fn what_signers_did_not_permit() {
    let catalog = (1, "<</Pages 2 0 R/AcroForm 5 0 R/StructTreeRoot 6 0 R/Names<</EmbeddedFiles 7 0 R>>>>");
    let pages = (2, "<</Kids[3 0 R]/Count 1>>");
    let page = (3, "<</Parent 2 0 R/Annots[<</Subtype/Stamp/NM(a)>> 4 0 R 8 0 R 9 0 R]>>");
    let stamp = (4, "<</Subtype/Stamp/NM(b)>>");
    let form = (5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R>>>>>>");
    let structure = (6, "<</IDTree 7 0 R/K[]>>");
    let names = (7, "<</Names[]>>");
    let button = (8, "<</Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 9 9]>>");
    let text = (9, "<</Subtype/Widget/FT/Tx/T(t)/V(100)/DA(/F 9 Tf)/Rect[0 0 9 9]>>");
    let signed = [catalog, pages, page, stamp, form, structure, names, button, text];
    let rows: [(&str, &[(u32, &str)], bool); 13] = [
        ("14.7: a name tree is no list of elements", &[(7, "<</Names[(a)<</F(a)/EF<</F 4 0 R>>>>]>>")], true),
        ("14.7: nor is a script", &[(7, "<</Names[(a)<</S/JavaScript/JS(a)>>]>>")], true),
        (
            "14.7: an element about an annotation",
            &[(6, "<</IDTree 7 0 R/K[<</S/Form/K<</Type/OBJR/Obj 8 0 R>>>>]>>")],
            false,
        ),
        ("14.9.4: other words for the page", &[(6, "<</IDTree 7 0 R/K[<</S/P/ActualText(a)>>]>>")], true),
        (
            "12.5.2: the order of annotations, some of them direct",
            &[(3, "<</Parent 2 0 R/Annots[4 0 R<</Subtype/Stamp/NM(a)>> 8 0 R 9 0 R]>>")],
            true,
        ),
        (
            "12.7.4.2.2: a push-button with a value",
            &[(8, "<</Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 9 9]/V/a/MK<<>>>>")],
            true,
        ),
        (
            "12.7.4.3: a text that is filled in",
            &[(9, "<</Subtype/Widget/FT/Tx/T(t)/V(99)/DA(/F 9 Tf)/Rect[0 0 9 9]>>")],
            false,
        ),
        (
            "12.7.3.2: a field with another parent",
            &[(9, "<</Subtype/Widget/FT/Tx/T(t)/V(100)/DA(/F 9 Tf)/Rect[0 0 9 9]/Parent<</T(p)>>>>")],
            true,
        ),
        (
            "12.7.3.3: the font of a value that has no appearance",
            &[(5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R/F<</Subtype/Type3>>>>>>>>")],
            true,
        ),
        (
            "12.7.3.3: a font that no value is shown with",
            &[(5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R/H<</Subtype/Type3>>>>>>>>")],
            false,
        ),
        ("12.7.3.3: a font that was not there", &[(12, "<</Subtype/Type3>>")], false),
        (
            "12.5.6.15: a note",
            &[(3, "<</Parent 2 0 R/Annots[<</Subtype/Stamp/NM(a)>> 4 0 R 8 0 R 9 0 R<</Subtype/Text>>]>>")],
            false,
        ),
        ("written again, the same", &signed, false),
    ];
    for (situation, update, undefined) in rows {
        let found = changes(&[&signed, update]);
        assert_eq!(found.iter().any(|line| line.starts_with("undefined")), undefined, "{situation}: {found:?}");
    }
    let without = [(1, "<</Pages 2 0 R>>"), pages, (3, "<</Parent 2 0 R>>")];
    let update = [(1, "<</Pages 2 0 R/StructTreeRoot<</K<</S/P/Pg 3 0 R/K 0/ActualText(a)>>>>>>")];
    let found = changes(&[&without, &update]);
    assert!(found[0].starts_with("undefined"), "14.7.2: structure of a page that had none: {found:?}");
}

#[test]
fn another_place_in_an_object_stream() {
    for (value, other) in [("4", "7"), ("4", "4")] {
        let mut bytes = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Extra 5 0 R>>endobj\n".to_vec();
        let mut previous = String::new();
        let mut ends = vec![];
        for first in [value, other] {
            let at = bytes.len();
            bytes.extend(format!("8 0 obj {first} endobj\n").bytes());
            let container = bytes.len();
            if ends.is_empty() {
                bytes.extend(b"4 0 obj<</Type/ObjStm/N 1/First 8 0 R/Length 9>>stream\n5 0 12 34 endstream endobj\n");
            }
            let start = bytes.len();
            let row = |offset: usize| [1, (offset >> 8) as u8, offset as u8, 0];
            let rows = match ends.is_empty() {
                true => vec![row(9), row(container), [2, 0, 4, 0], row(at)],
                false => vec![row(at)],
            };
            let index = if ends.is_empty() { "1 1 4 2 8 1" } else { "8 1" };
            let length = rows.len() * 4;
            bytes.extend(
                format!("7 0 obj<</Type/XRef/W[1 2 1]/Index[{index}]/Length {length}/Root 1 0 R{previous}>>stream\n")
                    .bytes(),
            );
            bytes.extend(rows.iter().flatten());
            bytes.extend(format!("\nendstream endobj\nstartxref\n{start}\n%%EOF\n").bytes());
            previous = format!("/Prev {start}");
            ends.push(bytes.len());
        }
        let file = File::new(&bytes, &Budget::default()).expect("a PDF");
        let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
        let signed = file.revision(ends[0]).expect("a revision");
        let form = || Rc::new(LatestForm::of(&last));
        let found = listed(Comparison::new(&signed, &last, &mut graph, &form).documents().objects);
        let expected: &[&str] = if value == other { &[] } else { &["undefined Modification 4 0 R"] };
        assert_eq!(found, expected, "7.5.7: /First {value}, then {other}");
    }
}

#[test]
fn another_object_stream_in_the_same_place() {
    let numbers = |value: &str| format!("<</Type/ObjStm/N 1/First 4/Length 6>>stream\n5 0 {value} endstream");
    let mut bytes = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Extra 5 0 R>>endobj\n".to_vec();
    let mut previous = String::new();
    let mut ends = vec![];
    for value in ["12", "34"] {
        let container = bytes.len();
        bytes.extend(format!("4 0 obj {} endobj\n", numbers(value)).bytes());
        let start = bytes.len();
        let rows: &[[u8; 4]] = match ends.is_empty() {
            true => &[[1, 0, 9, 0], [1, (container >> 8) as u8, container as u8, 0], [2, 0, 4, 0]],
            false => &[[1, (container >> 8) as u8, container as u8, 0]],
        };
        let index = if ends.is_empty() { "1 1 4 2" } else { "4 1" };
        let length = rows.len() * 4;
        let head =
            format!("7 0 obj<</Type/XRef/W[1 2 1]/Index[{index}]/Length {length}/Root 1 0 R{previous}>>stream\n");
        bytes.extend(head.bytes());
        bytes.extend(rows.iter().flatten());
        bytes.extend(format!("\nendstream endobj\nstartxref\n{start}\n%%EOF\n").bytes());
        previous = format!("/Prev {start}");
        ends.push(bytes.len());
    }
    let file = File::new(&bytes, &Budget::default()).expect("a PDF");
    let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
    let signed = file.revision(ends[0]).expect("a revision");
    let form = || Rc::new(LatestForm::of(&last));
    let found = listed(Comparison::new(&signed, &last, &mut graph, &form).documents().objects);
    assert_eq!(
        found,
        ["undefined Modification /Catalog /Extra 5 0 R"],
        "7.5.7: the entry of object 5 is the old one, its stream is not"
    );
}
