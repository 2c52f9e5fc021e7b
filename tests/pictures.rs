//! Pages as they were signed beside pages as they are.

use lacre::{Budget, Facts};
use lacre_core::formats::pdf::{Unpacked, picture};
use lacre_testkit::files::files;
use lacre_testkit::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What comparing says of a signature: pages that differ, pages that only one has, what could not be compared.
type Said = (Vec<u32>, Vec<u32>, Vec<String>);

fn compared_within(bytes: &[u8], budget: &Budget) -> Vec<Said> {
    let mut unpacked = Unpacked::read(bytes, None, budget).expect("a PDF");
    picture::compare(&mut unpacked, bytes, None, budget);
    let said = |signature: lacre_core::formats::pdf::unpacked::UnpackedSignature| {
        let changes = signature.facts.modifications.clone().unwrap_or_default();
        let subjects = signature.irregularities.iter().filter_map(|one| one.subject.as_deref().map(str::to_owned));
        (changes.visual_differences, changes.page_differences, subjects.collect())
    };
    unpacked.signatures.into_iter().map(said).collect()
}

fn compared(bytes: &[u8]) -> Vec<Said> {
    compared_within(bytes, &Budget::default())
}

/// A PDF that grows by revisions: ISO 32000-1 §7.5.6.
#[derive(Clone)]
struct Growing {
    bytes: Vec<u8>,
    last: usize,
}

const NO_RANGE: &str = "[0 0000000000 0000000000 0000000000]";

impl Growing {
    /// One page with a line of text, signed.
    fn signed() -> Self {
        Self { bytes: b"%PDF-1.7\n".to_vec(), last: 0 }.with(&[
            (1, b"<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R>>".to_vec()),
            (2, b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 100]>>".to_vec()),
            (3, page("")),
            (4, text("Pay 100 EUR")),
            (5, b"<</Fields[7 0 R]/SigFlags 3>>".to_vec()),
            (6, b"[7 0 R]".to_vec()),
            (7, field("A", 8, "0 0 0 0", None)),
            (8, signature()),
        ])
    }

    /// The next revision. The signature in it, if there is one, covers all up to its end.
    fn with(mut self, objects: &[(u32, Vec<u8>)]) -> Self {
        let from = self.bytes.len();
        let mut table = String::new();
        for (number, object) in objects {
            table += &format!("{number} 1\n{:010} 00000 n \n", self.bytes.len());
            self.bytes.extend(format!("{number} 0 obj\n").bytes());
            self.bytes.extend(object);
            self.bytes.extend(b"\nendobj\n");
        }
        let start = self.bytes.len();
        let previous = if self.last > 0 { format!("/Prev {}", self.last) } else { String::new() };
        let tail = format!("xref\n{table}trailer\n<</Size 99/Root 1 0 R{previous}>>\nstartxref\n{start}\n%%EOF\n");
        self.bytes.extend(tail.bytes());
        self.last = start;
        let find = |what: &str| self.bytes[from..].windows(what.len()).position(|w| w == what.as_bytes());
        if let Some(range) = find(NO_RANGE) {
            let hole = from + find("<00>").expect("contents");
            let rest = self.bytes.len() - hole - 4;
            let written = format!("[0 {hole:010} {:010} {rest:010}]", hole + 4);
            self.bytes[from + range..from + range + written.len()].copy_from_slice(written.as_bytes());
        }
        self
    }

    /// The next revision, with a second signature that looks so.
    fn signed_again(self, rectangle: &str, looks: &str) -> Self {
        let looks = stream("/Type/XObject/Subtype/Form/BBox[0 0 10 10]", looks.as_bytes());
        self.with(&[
            (5, b"<</Fields[7 0 R 9 0 R]/SigFlags 3>>".to_vec()),
            (6, b"[7 0 R 9 0 R]".to_vec()),
            (9, field("B", 10, rectangle, Some(11))),
            (10, signature()),
            (11, looks),
        ])
    }
}

fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<<{entries}/Length {}>>stream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

fn page(resources: &str) -> Vec<u8> {
    let font = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>";
    let rest = "/Contents 4 0 R/Annots 6 0 R";
    format!("<</Type/Page/Parent 2 0 R/Resources<<{font}{resources}>>{rest}>>").into()
}

fn text(line: &str) -> Vec<u8> {
    stream("", format!("BT /F 8 Tf 20 50 Td ({line}) Tj ET").as_bytes())
}

fn field(name: &str, value: u32, rectangle: &str, looks: Option<u32>) -> Vec<u8> {
    let looks = looks.map(|number| format!("/AP<</N {number} 0 R>>")).unwrap_or_default();
    let widget = format!("/Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[{rectangle}]{looks}");
    format!("<</FT/Sig/T({name})/V {value} 0 R{widget}>>").into()
}

fn signature() -> Vec<u8> {
    let entries = "/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached";
    format!("<<{entries}/ByteRange {NO_RANGE}/Contents <00>>>").into()
}

/// Red all over.
const RED: &str = "1 0 0 rg 0 0 10 10 re f";

#[test]
fn what_looks_different_is_named() {
    let note = b"<</Type/Annot/Subtype/Text/Rect[150 10 170 30]/AP<</N 21 0 R>>>>".to_vec();
    let looks = stream("/Type/XObject/Subtype/Form/BBox[0 0 10 10]", RED.as_bytes());
    let hidden = b"<</Type/Annot/Subtype/Text/F 2/Rect[150 10 170 30]/Contents(Hello)>>".to_vec();
    let written_otherwise = stream("/Filter/ASCIIHexDecode", b"42 54 20 2F 46 20 38 20 54 66 20 32 30 20 35 30 20 54 64 20 28 50 61 79 20 31 30 30 20 45 55 52 29 20 54 6A 20 45 54>");
    let of_other_size = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 101]>>".to_vec();
    let two = b"<</Type/Pages/Kids[3 0 R 3 0 R 20 0 R]/Count 1/MediaBox[0 0 200 100]>>".to_vec();
    type Row<'a> = (&'a str, &'a str, Vec<(u32, Vec<u8>)>, Vec<u32>, Vec<u32>);
    let rows: [Row<'_>; 9] = [
        ("7.5.6", "nothing", vec![], vec![], vec![]),
        ("7.8.2", "another number", vec![(4, text("Pay 900 EUR"))], vec![1], vec![]),
        ("7.8.2", "a full stop", vec![(4, text("Pay 1.00 EUR"))], vec![1], vec![]),
        ("7.4.2", "the same text, written otherwise", vec![(4, written_otherwise)], vec![], vec![]),
        (
            "12.8.4.3",
            "validation data",
            vec![(1, b"<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/DSS<<>>>>".to_vec())],
            vec![],
            vec![],
        ),
        ("12.5.6.4", "a note", vec![(6, b"[7 0 R 20 0 R]".to_vec()), (20, note), (21, looks)], vec![1], vec![]),
        ("12.5.3", "a hidden note", vec![(6, b"[7 0 R 20 0 R]".to_vec()), (20, hidden)], vec![], vec![]),
        ("14.11.2", "a page of another size", vec![(2, of_other_size)], vec![1], vec![]),
        ("7.7.3.2", "a page that is not counted", vec![(2, two), (20, page(""))], vec![], vec![2]),
    ];
    for (clause, situation, objects, different, alone) in rows {
        let said = compared(&Growing::signed().with(&objects).bytes);
        assert_eq!(said, [(different, alone, vec![])], "ISO 32000-1 {clause}: {situation}");
    }
}

#[test]
fn a_later_signature_is_held_against_a_page_where_it_hides_something() {
    for (situation, rectangle, looks, different) in [
        ("beside the text", "100 10 150 30", RED, vec![]),
        ("over the text", "10 40 90 70", RED, vec![1]),
        ("over the text, which shows between its lines", "10 40 90 70", "0 0 10 0.1 re f", vec![]),
        ("over all of the page", "0 0 200 100", RED, vec![1]),
        ("without an area", "0 0 0 0", RED, vec![]),
    ] {
        let said = compared(&Growing::signed().signed_again(rectangle, looks).bytes);
        let none = (vec![], vec![], vec![]);
        assert_eq!(said, [(different, vec![], vec![]), none], "ISO 32000-1 12.5.5: {situation}");
    }
}

#[test]
fn a_signature_is_held_against_nothing_that_it_signs() {
    // The second signature signs the other text, the first does not.
    let file = Growing::signed().with(&[(4, text("Pay 900 EUR"))]).signed_again("100 10 150 30", RED);
    let said: Vec<Vec<u32>> = compared(&file.bytes).into_iter().map(|said| said.0).collect();
    assert_eq!(said, [vec![1], vec![]]);
}

#[test]
fn a_stray_widget_is_no_later_signature() {
    let stray = b"<</FT/Sig/T(B)/Type/Annot/Subtype/Widget/F 4/Rect[100 50 150 70]/AP<</N 11 0 R>>>>".to_vec();
    let file = Growing::signed().signed_again("100 10 150 30", RED);
    let file = file.with(&[(6, b"[7 0 R 9 0 R 20 0 R]".to_vec()), (20, stray)]);
    let said: Vec<Vec<u32>> = compared(&file.bytes).into_iter().map(|said| said.0).collect();
    assert_eq!(said, [vec![1], vec![1]], "it is no field of the form (ISO 32000-1 12.7.2)");
}

#[test]
fn layers_switched_off_are_seen() {
    let catalog = |off| {
        let layers = format!("/OCProperties<</OCGs[20 0 R]/D<</OFF[{off}]>>>>");
        format!("<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R{layers}>>").into_bytes()
    };
    let objects = [
        (1, catalog("")),
        (3, page("/Properties<</L 20 0 R>>")),
        (4, stream("", b"/OC /L BDC BT /F 8 Tf 20 50 Td (Pay 100 EUR) Tj ET EMC")),
        (20, b"<</Type/OCG/Name(L)>>".to_vec()),
    ];
    let before = Growing::signed().with(&objects).signed_again("0 0 0 0", RED);
    let after = before.with(&[(1, catalog("20 0 R"))]);
    assert_eq!(compared(&after.bytes)[1], (vec![1], vec![], vec![]), "ISO 32000-1 8.11.4.3");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let image = |entries: &str| {
        vec![
            (3, page("/XObject<</X 20 0 R>>")),
            (4, stream("", b"/X Do")),
            (
                20,
                stream(&format!("/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8{entries}"), b"x"),
            ),
        ]
    };
    // Each form draws the next ten times.
    let mut nested = vec![(3, page("/XObject<</X20 20 0 R>>")), (4, stream("", b"/X20 Do"))];
    nested.extend((20..40).map(|number| {
        let next = number + 1;
        let entries = format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X{next} {next} 0 R>>>>");
        (number, stream(&entries, format!("/X{next} Do ").repeat(10).as_bytes()))
    }));
    let tiles =
        "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 200 100]/XStep 0.01/YStep 0.01/Resources<<>>";
    let tiled = vec![
        (3, page("/Pattern<</P 20 0 R>>")),
        (4, stream("", b"/Pattern cs /P scn 0 0 100 100 re f")),
        (20, stream(tiles, b"0 0 1 1 re f")),
    ];
    let painted = vec![(4, stream("", "0 0 200 100 re f ".repeat(5_000).as_bytes()))];
    let huge = vec![(2, b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 14400 14400]>>".to_vec())];
    let long = vec![(2, b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 1000000000000 1]>>".to_vec())];
    let elsewhere = vec![(4, stream("/F(other.bin)", b""))];
    let unknown = vec![(4, stream("/Filter/Unheard", b""))];
    let dashed = vec![(4, stream("", b"[0.000001 0.000001] 0 d 0 0 m 1000000000 1000000000 l S"))];
    let note = |rest: &str| {
        let note = format!("<</Type/Annot/Subtype/Text/Rect[150 10 170 30]{rest}>>");
        vec![(6, b"[7 0 R 20 0 R]".to_vec()), (20, note.into_bytes())]
    };
    for (situation, objects, expected) in [
        ("a note that each viewer draws its own way", note(""), "an annotation without appearance"),
        ("a note whose looks are lost", note("/AP<</N 21 0 R>>"), "an annotation that cannot be drawn"),
        ("an image of many pixels", image("/Width 60000/Height 60000"), "an image of 3600000000 pixels"),
        ("an image that is none", image("/Width 9/Height 9/Filter/DCTDecode"), "an image that cannot be drawn"),
        ("forms in forms", nested, "it takes too much work to draw it"),
        ("tiles without end", tiled, "it takes too much work to draw it"),
        ("dashes without end", dashed, "it takes too much work to draw it"),
        ("painted over and over", painted, "it takes too much work to draw it"),
        ("a page of many pixels", huge, "a page of 14400 × 14400 pixels"),
        ("a page without end", long, "a page of 999999"),
        ("a stream in another file", elsewhere, "a stream in another file"),
        ("a filter that nobody knows", unknown, "stream filter `Unheard`"),
    ] {
        let said = compared(&Growing::signed().with(&objects).bytes);
        let [(different, _, why)] = &said[..] else { panic!("one signature") };
        assert_eq!((&different[..], why.len()), (&[][..], 1), "{situation}: {said:?}");
        assert!(why[0].starts_with("page 1: ") && why[0].contains(expected), "{situation}: {why:?}");
    }
}

#[test]
fn bounds_are_kept() {
    let changed = Growing::signed().with(&[(4, text("Pay 900 EUR"))]);
    let mut budget = Budget::default();
    budget.pdf_pictures = 1;
    let said = compared_within(&changed.bytes, &budget);
    assert_eq!(said[0].2, ["page 1: too many pages of the file differ to draw them all"]);
    budget.pdf_pictures = 2;
    assert_eq!(compared_within(&changed.bytes, &budget), [(vec![1], vec![], vec![])]);
    let same = Growing::signed().with(&[]);
    budget.pdf_pictures = 0;
    assert_eq!(compared_within(&same.bytes, &budget), [(vec![], vec![], vec![])], "what is the same is not drawn");
}

#[test]
fn damaged_revisions_have_an_end() {
    let whole = Growing::signed().signed_again("10 40 90 70", RED).bytes;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        if let Ok(mut unpacked) = Unpacked::read(&bytes, None, &Budget::default()) {
            picture::compare(&mut unpacked, &bytes, None, &Budget::default());
        }
    }
}

/// Where pages are held to differ by DSS alone, or by us alone, and why.
const LEDGER: [(&str, &str); 6] = [
    (
        "dss/dss-cookbook/src/test/resources/snippets/25sigs.pdf",
        "later signatures lie on the text of the page; DSS draws the page without them",
    ),
    (
        "siva-test/src/test/resources/pdf/baseline_profile_test_files/pades_lt_two_valid_sig.pdf",
        "the second signature lies on the first",
    ),
    (FORM_UPDATE[0], "what an empty signature field showed gives way to the signature in it"),
    (FORM_UPDATE[1], "the same"),
    (FORM_UPDATE[2], "the same"),
    (FORM_UPDATE[3], "the same"),
];

macro_rules! form_update {
    ($name:literal) => {
        concat!(
            "pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/pdf/form-update-",
            $name,
            ".pdf"
        )
    };
}

const FORM_UPDATE: [&str; 4] = [
    form_update!("ap-indirect-sneaky-trailer"),
    form_update!("no-override-appearance-stream-ap-indirect-sneaky"),
    form_update!("override-appearance-stream"),
    form_update!("override-appearance-stream-ap-indirect"),
];

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn pages_that_differ_are_those_of_dss() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let all = files(&root.join("dss-facts/near"), ".pdf.xml");
    let (mut differing, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for path in &all {
        let name = path.strip_prefix(root.join("dss-facts/near")).unwrap().to_string_lossy().into_owned();
        let name = name.strip_suffix(".xml").unwrap();
        let facts = Facts::from_bytes(&std::fs::read(path).unwrap()).unwrap();
        let of_signatures = facts.signatures.iter().filter_map(|signature| signature.pdf_revision.as_deref());
        let of_timestamps = facts.timestamps.iter().filter_map(|timestamp| timestamp.pdf_revision.as_deref());
        let theirs: BTreeMap<_, _> = of_signatures
            .chain(of_timestamps)
            .map(|revision| (&revision.byte_range, revision.modifications.clone().unwrap_or_default()))
            .collect();
        let bytes = std::fs::read(root.join(name)).unwrap();
        let Ok(mut unpacked) = Unpacked::read(&bytes, None, &Budget::default()) else { continue };
        picture::compare(&mut unpacked, &bytes, None, &Budget::default());
        for own in &unpacked.signatures {
            if !own.irregularities.is_empty() {
                refused.insert(name.to_owned());
            }
            let changes = own.facts.modifications.clone().unwrap_or_default();
            let dss = theirs.get(&own.facts.byte_range).map(|dss| &dss.visual_differences);
            if dss.is_some_and(|dss| *dss != changes.visual_differences) {
                differing.insert(name.to_owned());
            }
        }
    }
    let known: BTreeSet<String> = LEDGER.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(differing, known, "the files whose pages differ otherwise than by DSS, and those of the ledger");
    let notes = "dss/dss-pades/src/test/resources/validation/dss-2236/annotation-and-visible-change.pdf".to_owned();
    assert_eq!(refused, [notes].into(), "notes without appearances were added");
}
