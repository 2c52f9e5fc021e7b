//! Small PDFs whose streams inflate to much are refused in little memory, and the limit is named.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lacre::Budget;
use lacre_core::formats::pdf::{PdfError, Unpacked};
use peak_alloc::PeakAlloc;
use std::io::Write as _;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// What a thread may take beside the file: the least bound, twice while it grows, and the objects read from it.
const MEMORY: usize = 64 << 20;

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(vec![], Compression::best());
    encoder.write_all(bytes).expect("a Vec takes all");
    encoder.finish().expect("a Vec takes all")
}

/// So many bytes of `piece`, again and again, after `start`.
fn filled(start: &str, piece: &str, length: usize) -> Vec<u8> {
    start.bytes().chain(piece.bytes().cycle()).take(length).collect()
}

fn stream(number: u32, entries: &str, filters: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("{number} 0 obj<<{entries}/Filter{filters}/Length {}>>stream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream endobj\n"].concat()
}

/// A PDF whose objects have to be searched for; its catalog is object 1.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let catalog = b"%PDF-1.7\n1 0 obj<</Type/Catalog/AcroForm 20 0 R/DSS<</Certs[9 0 R]>>>>endobj\n".to_vec();
    let trailer = b"trailer<</Root 1 0 R/Size 9>>\n".to_vec();
    [&[catalog], objects, &[trailer]].concat().concat()
}

fn object_stream(number: u32, bytes: &[u8]) -> Vec<u8> {
    stream(number, "/Type/ObjStm/N 1/First 6", "/FlateDecode", &deflated(bytes))
}

#[test]
fn bombs_are_refused() {
    const HUGE: usize = 64 << 20;
    let budget = Budget::default();
    let zeros = deflated(&vec![0; HUGE]);
    let objects = |text: &str, length| object_stream(5, &filled("20 0  ", text, length));
    let many: Vec<_> = (30..60).map(|number| object_stream(number, &filled("20 0  ", "null ", 1 << 20))).collect();
    let sections = [
        b"%PDF-1.7\n".to_vec(),
        stream(7, &format!("/Type/XRef/Root 1 0 R/W[8 8 8]/Index[0 0]/Size {HUGE}"), "/FlateDecode", &zeros),
        b"startxref\n9\n%%EOF".to_vec(),
    ];
    let rows = [
        ("7.5.7: an object stream", file(&[objects("[]", HUGE)])),
        ("7.5.7: many of them", file(&many)),
        ("7.5.8: cross-references", sections.concat()),
        ("7.4.1: two filters", file(&[stream(9, "", "[/FlateDecode/FlateDecode]", &deflated(&zeros))])),
        ("12.8.4.3: validation data", file(&[stream(9, "", "/FlateDecode", &zeros)])),
    ];
    for (situation, bytes) in rows {
        assert!(bytes.len() < 1 << 20, "{situation}: {} bytes", bytes.len());
        PEAK.reset_peak_usage();
        let before = PEAK.current_usage();
        let found = Unpacked::read(&bytes, None, &budget).map(|_| ());
        let memory = PEAK.peak_usage().saturating_sub(before);
        let named = match &found {
            Err(error @ PdfError::TooMuchInflated { limit }) => error.to_string().contains(&limit.to_string()),
            // Cross-references name objects, of which there may be fewer still.
            Err(PdfError::TooManyObjects { .. }) => situation.starts_with("7.5.8"),
            _ => false,
        };
        assert!(named, "{situation}: {found:?}");
        assert!(memory < MEMORY, "{situation}: {memory} bytes");
    }
    texts_are_bounded();
    // What is not read would be taken for missing, and could be a signature.
    let numbers = 30..330;
    let fields: Vec<String> = numbers.clone().map(|number| format!("{number} 0 R")).collect();
    let form = format!(
        "20 0 obj<</Fields[{}]>>endobj
",
        fields.join(" ")
    )
    .into_bytes();
    let unclosed = |number| filled(&format!("{number} 0 obj("), "text ", 1000);
    let overlapping: Vec<_> = std::iter::once(form).chain(numbers.map(unclosed)).collect();
    let found = Unpacked::read(&file(&overlapping), None, &budget).map(|_| ());
    assert!(matches!(found, Err(PdfError::TooMuchWork { .. })), "7.3.10: objects that overlap: {found:?}");
    let found = Unpacked::read(&file(&[filled("20 0 obj", "[", 1000)]), None, &budget).map(|_| ());
    assert!(matches!(found, Err(PdfError::NestingTooDeep { .. })), "7.3.6: arrays in arrays: {found:?}");
    for (open, element, close) in [("[", "() ", "]"), ("[", "[]", "]"), ("<<", "/A 1", ">>")] {
        let bytes = file(&[format!("20 0 obj{open}{}{close}endobj\n", element.repeat(1_000_001)).into_bytes()]);
        let found = Unpacked::read(&bytes, None, &budget).map(|_| ());
        assert!(matches!(found, Err(PdfError::TooManyObjects { .. })), "7.3.6: {element} again and again: {found:?}");
    }
    // One test, so that nothing else is on the heap. Ten times what the corpora's largest inflate to:
    let bytes = file(&[object_stream(5, &filled("20 0  ", "[1 0 R 2 0 R] ", 5 << 20))]);
    let found = Unpacked::read(&bytes, None, &Budget::default()).map(|unpacked| unpacked.repaired);
    assert_eq!(found, Ok(true), "7.5.7: an object stream of 5 MiB in a file of {} bytes", bytes.len());
}

/// A file with a signature, and an update after it.
fn updated(signed: &str, update: &str) -> Vec<u8> {
    let catalog = if signed.contains("/Catalog") {
        ""
    } else {
        "1 0 obj<</Type/Catalog/AcroForm<</Fields[6 0 R 10 0 R]>>>>endobj\n"
    };
    let first = format!(
        "%PDF-1.7\n{catalog}6 0 obj<</FT/Sig/T(S)/V<</Type/Sig/ByteRange[0 1 2 00000000]/Contents<00>>>>>endobj\n{signed}trailer<</Root 1 0 R>>\n"
    );
    let first = first.replace("00000000", &format!("{:08}", first.len() - 2));
    format!("{first}{update}trailer<</Root 1 0 R>>\n").into_bytes()
}

/// Texts that a file has once, and many places name, are not copied for each.
fn texts_are_bounded() {
    const LONG: usize = 200_000;
    const COUNT: u32 = 2_000;
    let long = "x".repeat(LONG);
    let kids: String = (20..20 + COUNT).map(|number| format!("{number} 0 R ")).collect();
    let each = |kid: &dyn Fn(u32) -> String| -> String {
        (20..20 + COUNT).map(|number| format!("{number} 0 obj<<{}>>endobj\n", kid(number))).collect()
    };
    let parent = |more: &str| format!("10 0 obj<</T({long})/FT/Tx/Kids[{kids}]{more}>>endobj\n");
    let list = |value: &str| {
        let catalog = "1 0 obj<</Type/Catalog/AcroForm<</Fields[6 0 R]>>/";
        format!("{catalog}{long}[{}]>>endobj\n", format!("{value} ").repeat(COUNT as usize))
    };
    let form = |more: &str| {
        format!(
            "10 0 obj<</Kids[{kids}]>>endobj\n1 0 obj<</Type/Catalog/AcroForm<</Fields[6 0 R 10 0 R]/DA({long}){more}>>>>endobj\n"
        )
    };
    let signature =
        |number: u32| format!("/FT/Sig/T(a{number})/V<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>/Reason 9 0 R>>");
    let rows = [
        (
            "12.7.4.2: kids have the name of their parent",
            updated(&(parent("") + &each(&|n| format!("/FT/Sig/T(k{n})/Parent 10 0 R"))), ""),
        ),
        (
            "12.7.4.2: the same where the parent changes",
            updated(&(parent("") + &each(&|n| format!("/T(k{n})/Parent 10 0 R"))), &parent("/M(b)")),
        ),
        (
            "12.7.4.2: widgets of one field change",
            updated(&(parent("") + &each(&|_| "/Parent 10 0 R/M(a)".into())), &each(&|_| "/Parent 10 0 R/M(b)".into())),
        ),
        (
            "12.8.2.4: references to locks of empty names",
            updated(
                &format!(
                    "10 0 obj<</FT/Sig/T(L)/V<</ByteRange[0 1 2 3]/Contents<00>/Reference[{}]>>>>endobj\n11 0 obj<</TransformMethod/FieldMDP/TransformParams<</Action/Include/Fields[{}]>>>>endobj\n",
                    "11 0 R ".repeat(5_000),
                    "()".repeat(5_000)
                ),
                "",
            ),
        ),
        (
            "12.8.4.3: VRI dictionaries of one list",
            updated(
                &format!(
                    "1 0 obj<</Type/Catalog/AcroForm<</Fields[6 0 R]>>/DSS<</VRI<<{}>>>>>>endobj\n10 0 obj<</Cert 11 0 R/CRL 11 0 R>>endobj\n11 0 obj[{}]endobj\n12 0 obj<</Length 1>>stream\nx\nendstream endobj\n",
                    (0..5_000).map(|key| format!("/A{key} 10 0 R")).collect::<String>(),
                    "12 0 R ".repeat(10_000)
                ),
                "",
            ),
        ),
        ("7.3.7: a key with many values that change", updated(&list("0"), &list("1"))),
        (
            "12.7.4.3: values in the form's appearance string",
            updated(&(form("") + &each(&|n| format!("/T(k{n})/FT/Tx/V(a)"))), &form("/DR<</Font<</A<<>>>>>>")),
        ),
        (
            "12.8.1: reasons in one place",
            updated(
                &format!(
                    "9 0 obj({long})endobj\n{}10 0 obj<</Kids[{kids}]>>endobj\n",
                    each(&|n| if n < 420 { signature(n) } else { "/T(b)".into() })
                ),
                "",
            ),
        ),
    ];
    for (situation, bytes) in rows {
        assert!(bytes.len() < 1 << 20, "{situation}: {} bytes", bytes.len());
        PEAK.reset_peak_usage();
        let before = PEAK.current_usage();
        let found = Unpacked::read(&bytes, None, &Budget::default()).map(|_| ());
        let memory = PEAK.peak_usage().saturating_sub(before);
        // Too many differences are an undefined change.
        let is_bounded =
            matches!(found, Err(PdfError::TooMuchText { .. })) || situation.starts_with("7.3.7") && found.is_ok();
        assert!(is_bounded, "{situation}: {found:?}");
        assert!(memory < 2 * MEMORY, "{situation}: {memory} bytes");
    }
}
