//! Updates of small files, read back.

use super::*;
use crate::budget::Budget;
use crate::formats::pdf::updates::Appended as AppendedBytes;
use crate::formats::pdf::{File, Object, Reference};
use lacre_testkit::pdf::{Carrier, Form, Objects, Pdf, objects};

/// What an update is derived from.
const SEED: [u8; 32] = [7; 32];

/// Writes an update of a file, which is opened with this password.
fn updated(
    bytes: &[u8],
    password: Option<&[u8]>,
    change: impl FnOnce(&mut Update<'_, '_, '_>) -> Result<(), WriteError>,
) -> Result<Vec<u8>, WriteError> {
    let file = File::new(bytes, &Budget::default())?;
    let revision = file.open(password)?;
    let mut update = Update::begin(&revision, SEED, Accepted::default())?;
    change(&mut update)?;
    Ok([bytes, &update.finish()?.bytes].concat())
}

/// Reads a value of the latest revision, by a path from the catalog.
fn at_path<'a>(file: &File<'a>, password: Option<&[u8]>, path: &[&[u8]]) -> Object<'a> {
    let revision = file.open(password).expect("the updated file opens");
    assert!(!revision.repaired(), "7.5.6: read without repair");
    let mut value = revision.catalog().map_or(Object::Null, Object::Dictionary);
    for key in path {
        value = match value {
            Object::Dictionary(dictionary) => revision.lookup(&dictionary, key),
            Object::Array(items) => {
                items.get(usize::from(key[0] - b'0')).map_or(Object::Null, |item| revision.resolve(item))
            }
            _ => Object::Null,
        };
    }
    value
}

/// Returns the flaws that a strict reader finds in what was appended.
fn flaws(bytes: &[u8], password: Option<&[u8]>, end: usize) -> Vec<String> {
    let file = File::new(bytes, &Budget::default()).expect("a PDF");
    let last = file.open(password).expect("a revision");
    let found = AppendedBytes::default().flaws(&last, end).expect("within the limits");
    found.into_iter().map(|flaw| flaw.what).collect()
}

fn page(more: &[(u32, &str)], form: Form) -> Pdf {
    Pdf::of(Pdf::page("Text", objects(more)).objects, form)
}

#[test]
fn every_way_to_state_where_objects_are() {
    let hybrid = {
        let pdf = Pdf::usual();
        let mut changes = Objects::new();
        changes.insert(6, lacre_testkit::pdf::object("<< /Hidden true >>"));
        pdf.carried(&changes, "", Carrier::Hybrid)
    };
    let table = Pdf::usual().bytes;
    let rows = [
        ("7.5.4", "a table", table.clone(), &b"xref\n"[..]),
        ("7.5.8", "a stream", page(&[], Form::Stream).bytes, b"/XRef"),
        ("7.5.7", "object streams", page(&[], Form::Packed).bytes, b"/XRef"),
        ("7.5.8.4", "a hybrid file", hybrid, b"xref\n"),
        ("7.5.5", "no line end at the end", table[..table.len() - 1].to_vec(), b"xref\n"),
        ("7.5.5", "CR LF at the end", [&table[..table.len() - 1], b"\r\n"].concat(), b"xref\n"),
    ];
    for (clause, situation, bytes, section) in rows {
        let changed = updated(&bytes, None, |update| {
            let catalog = update.catalog();
            let stream = update.add_stream(Entries::new().with("A", 1), b"bytes of a stream".to_vec());
            update.set(catalog, &[], b"DSS", Entries::new().with("Certs", vec![stream.into()]))?;
            let no_form = update.push(catalog, &[b"AcroForm"], b"Fields", Value::Null);
            assert!(matches!(no_form, Err(WriteError::Unusual { .. })), "{clause} {situation}: {no_form:?}");
            Ok(())
        })
        .expect(situation);
        assert!(changed.starts_with(&bytes), "{clause} {situation}: what was there stays");
        let appended = &changed[bytes.len()..];
        assert!(memchr::memmem::find(appended, section).is_some(), "{clause} {situation}: the same kind of section");
        assert!(memchr::memmem::find(appended, b"XRefStm").is_none(), "{clause} {situation}: no second section");
        assert_eq!(flaws(&changed, None, bytes.len()), Vec::<String>::new(), "{clause} {situation}");
        let file = File::new(&changed, &Budget::default()).expect(situation);
        let Object::Stream(stream) = at_path(&file, None, &[b"DSS", b"Certs", b"0"]) else {
            panic!("{clause} {situation}: no stream")
        };
        let revision = file.open(None).expect(situation);
        assert_eq!(revision.decoded(&stream).as_deref(), Ok(&b"bytes of a stream"[..]), "{clause} {situation}");
        assert_eq!(at_path(&file, None, &[b"Pages", b"Count"]), Object::Integer(1), "{clause} {situation}");
    }
}

#[test]
fn what_a_rewritten_object_keeps() {
    let odd =
        "<< /Type /Catalog /Pages 2 0 R /A 0.12345678901234567890 /B (a\\(b\\051) /C <4 14> /D [+1 -.5 4. /x#20y] >>";
    for (clause, form) in [("7.5.6", Form::Table), ("7.5.7", Form::Packed)] {
        let bytes = page(&[(1, odd)], form).bytes;
        let changed = updated(&bytes, None, |update| update.set(update.catalog(), &[], b"New", 1)).expect("written");
        let kept =
            b"<</Type/Catalog/Pages 2 0 R/A 0.12345678901234567890/B(a\\(b\\051)/C<4 14>/D[+1 -.5 4./x#20y]/New 1>>";
        let appended = &changed[bytes.len()..];
        let text = String::from_utf8_lossy(appended);
        assert!(memchr::memmem::find(appended, kept).is_some(), "{clause} {form:?}: {text}");
    }
    // A key that comes twice, a comment, a missing value: readers differ, so the object is written as this one reads it.
    let loose = "<< /Type /Catalog /Pages 2 0 R /A 1 /A 2 % comment\n /B >>";
    let objects = format!("%PDF-1.7\n1 0 obj\n{loose}\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n");
    let (second, start) = (objects.find("2 0 obj").unwrap_or_default(), objects.len());
    let bytes = format!(
        "{objects}xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n{second:010} 00000 n \ntrailer\n\
         <</Size 3/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    let changed = updated(bytes.as_bytes(), None, |update| update.set(update.catalog(), &[], b"New", 1));
    let changed = changed.expect("written");
    let kept = b"<</Type/Catalog/Pages 2 0 R/A 2/B null/New 1>>";
    assert!(memchr::memmem::find(&changed, kept).is_some(), "7.3.7: {}", String::from_utf8_lossy(&changed));
}

#[test]
fn only_what_changes_is_written() {
    let bytes =
        page(&[(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R >>"), (6, "<< /SigFlags 3 >>")], Form::Table);
    let catalog = Reference { number: 1, generation: 0 };
    for (situation, flags, expected) in [("the same value", 3, false), ("another value", 1, true)] {
        let file = File::new(&bytes.bytes, &Budget::default()).expect("a PDF");
        let revision = file.open(None).expect("a revision");
        let mut update = Update::begin(&revision, SEED, Accepted::default()).expect("an update");
        update.set(catalog, &[b"AcroForm"], b"SigFlags", flags).expect("a form");
        assert_eq!(!update.is_empty(), expected, "7.5.6: {situation}");
        let written = update.finish().expect("written").bytes;
        let text = String::from_utf8_lossy(&written);
        assert_eq!(text.contains("6 0 obj"), expected, "7.5.6 {situation}: the form");
        assert!(!text.contains("1 0 obj"), "7.5.6 {situation}: not the catalog, which only refers to the form");
    }
}

#[test]
fn a_signature_and_its_gap() {
    let bytes = Pdf::usual().bytes;
    let file = File::new(&bytes, &Budget::default()).expect("a PDF");
    let revision = file.open(None).expect("a revision");
    let mut update = Update::begin(&revision, SEED, Accepted::default()).expect("an update");
    let id = update.reserve();
    update.put_signature(id, Entries::new().with("Type", Value::name("Sig")), 4);
    let mut appended = update.finish().expect("written");
    let gap = appended.gap.clone().expect("a gap");
    assert_eq!(gap.reserved(), 4, "12.8.1: as reserved");
    let expected = format!("/ByteRange[0 {} {} ", bytes.len() + gap.start, bytes.len() + gap.end);
    assert!(memchr::memmem::find(&appended.bytes, expected.as_bytes()).is_some(), "12.8.1: {expected}");
    let [before, after] = appended.covered().map(<[u8]>::len);
    assert_eq!(before + 10 + after, appended.bytes.len(), "12.8.1: all but the string with its delimiters");
    for (situation, contents, expected) in [
        ("shorter", &[0xAB, 1][..], Ok(&b"<AB010000>"[..])),
        ("as long as reserved", &[1, 2, 3, 4], Ok(b"<01020304>")),
        ("one byte too long", &[0; 5], Err(WriteError::ContentsTooSmall { needed: 5, reserved: 4 })),
    ] {
        let filled = appended.fill(contents).map(|()| &appended.bytes[gap.start..gap.end]);
        assert_eq!(filled, expected, "12.8.1: {situation}");
    }
}

#[test]
fn files_that_are_not_appended_to() {
    let good = Pdf::usual().bytes;
    let hidden = |carrier| {
        let pdf = Pdf::usual();
        let mut changes = Objects::new();
        changes.insert(4, lacre_testkit::pdf::stream("", b"BT ET"));
        pdf.carried(&changes, "", carrier)
    };
    let catalog = |text: &str| page(&[(1, text)], Form::Table).bytes;
    let mac = {
        let end = memchr::memmem::rfind(&good, b"/Root").expect("a trailer");
        [&good[..end], b"/AuthCode<<>>", &good[end..]].concat()
    };
    type Check<'c> = &'c dyn Fn(&WriteError) -> bool;
    let rows: [(&str, &str, Vec<u8>, Check<'_>); 9] = [
        ("7.5.2", "bytes before the header", [b"x\n", &good[..]].concat(), &|e| {
            matches!(e, WriteError::LeadingBytes { count: 2 })
        }),
        ("7.5.5", "something after the end", [&good[..], b"junk"].concat(), &|e| {
            matches!(e, WriteError::TrailingData { count: 5, .. })
        }),
        ("7.5.5", "much white space after the end", [&good[..], &[b' '; 1100]].concat(), &|e| {
            matches!(e, WriteError::TrailingData { .. })
        }),
        ("7.5.5", "cut short", good[..good.len() - 40].to_vec(), &|e| matches!(e, WriteError::NeedsRepair { .. })),
        ("7.5.5", "no end", good[..good.len() - 4].to_vec(), &|e| matches!(e, WriteError::NeedsRepair { .. })),
        ("7.5.8.4", "new content for some readers", hidden(Carrier::HybridNewHidden), &|e| {
            matches!(e, WriteError::TwoDocuments { object: 4 })
        }),
        ("7.5.8.4", "no content for some readers", hidden(Carrier::HybridFree), &|e| {
            matches!(e, WriteError::TwoDocuments { object: 4 })
        }),
        (
            "12.7.8",
            "a dynamic form",
            catalog("<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /XFA [] >> >>"),
            &|e| matches!(e, WriteError::DynamicXfa),
        ),
        ("ISO/TS 32004", "an authentication code", mac, &|e| matches!(e, WriteError::AuthenticationCode)),
    ];
    for (clause, situation, bytes, expected) in rows {
        let error = updated(&bytes, None, |update| update.set(update.catalog(), &[], b"A", 1)).err();
        assert!(error.as_ref().is_some_and(expected), "{clause} {situation}: {error:?}");
    }
}

#[test]
fn encrypted_files() {
    macro_rules! encrypted {
        ($name:literal) => {
            ($name, &include_bytes!(concat!("../../../../../tests/data/encrypted/", $name, ".pdf"))[..])
        };
    }
    let files = [
        encrypted!("rc4-40"),
        encrypted!("rc4-128"),
        encrypted!("aes-128"),
        encrypted!("aes-256-r5"),
        encrypted!("aes-256-r6"),
        encrypted!("aes-256-restricted"),
        encrypted!("aes-256-fill"),
    ];
    for (name, bytes) in files {
        for password in [&b"user"[..], b"owner"] {
            let write = || {
                updated(bytes, Some(password), |update| {
                    let catalog = update.catalog();
                    let stream = update.add_stream(Entries::new(), b"bytes of a stream".to_vec());
                    update.set(catalog, &[b"AcroForm"], b"New", text_string("a new string"))?;
                    update.set(catalog, &[b"AcroForm"], b"Stream", stream)?;
                    update.set(catalog, &[], b"Here", text_string("another"))
                })
                .expect(name)
            };
            let changed = write();
            assert_eq!(changed, write(), "7.6.2 {name}: the same update is the same bytes");
            let appended = &changed[bytes.len()..];
            for clear in [&b"a new string"[..], b"bytes of a stream", b"/Helv 0 Tf", b"Sign here"] {
                assert_eq!(memchr::memmem::find(appended, clear), None, "7.6.1 {name}: nothing in clear");
            }
            for opens in [&b"user"[..], b"owner"] {
                let file = File::new(&changed, &Budget::default()).expect(name);
                let text = |path: &[&[u8]]| crate::formats::pdf::text::text(&at_path(&file, Some(opens), path));
                let string = |path: &[&[u8]]| text(path).unwrap_or_default();
                assert_eq!(string(&[b"AcroForm", b"New"]), "a new string", "7.6.2 {name}");
                assert_eq!(string(&[b"AcroForm", b"DA"]), "/Helv 0 Tf 0 g", "7.6.2 {name}: what was there");
                assert_eq!(string(&[b"AcroForm", b"Fields", b"0", b"T"]), "Waiting", "7.6.2 {name}: what was there");
                assert_eq!(string(&[b"Here"]), "another", "7.6.2 {name}");
                let Object::Stream(stream) = at_path(&file, Some(opens), &[b"AcroForm", b"Stream"]) else {
                    panic!("{name}: no stream")
                };
                let revision = file.open(Some(opens)).expect(name);
                assert_eq!(revision.decoded(&stream).as_deref(), Ok(&b"bytes of a stream"[..]), "7.6.2 {name}");
            }
            assert_eq!(flaws(&changed, Some(password), bytes.len()), Vec::<String>::new(), "7.5.6 {name}");
        }
    }
}

#[test]
fn access_by_passwords() {
    let rows = [
        ("rc4-40", &include_bytes!("../../../../../tests/data/encrypted/rc4-40.pdf")[..], true, true),
        ("all allowed", include_bytes!("../../../../../tests/data/encrypted/aes-256-r6.pdf"), true, true),
        ("filling in", include_bytes!("../../../../../tests/data/encrypted/aes-256-fill.pdf"), true, false),
        ("nothing", include_bytes!("../../../../../tests/data/encrypted/aes-256-restricted.pdf"), false, false),
    ];
    for (situation, bytes, fills, adds) in rows {
        for (password, owner) in [(&b"user"[..], false), (b"owner", true)] {
            let file = File::new(bytes, &Budget::default()).expect("a PDF");
            file.open(Some(password)).expect("opens");
            let access = file.access().expect("encrypted");
            let expected = (fills || owner, adds || owner);
            assert_eq!((access.fills_fields(), access.adds_fields()), expected, "table 22: {situation} {owner}");
        }
    }
}

#[test]
fn texts_and_dates() {
    let time: crate::time::Time = "2027-01-31T23:30:05Z".parse().expect("a time");
    for (clause, situation, value, expected) in [
        ("7.9.2.2", "ASCII", text_string("a(b)"), &b"a(b)"[..]),
        ("7.9.2.2", "PDFDocEncoding", text_string("é€"), b"\xe9\xa0"),
        ("7.9.2.2", "UTF-16", text_string("Ωa"), b"\xfe\xff\x03\xa9\x00a"),
        ("7.9.2.2", "beyond the first plane", text_string("😀"), b"\xfe\xff\xd8\x3d\xde\x00"),
        ("7.9.2.2", "what would read as a byte order mark", text_string("þÿ"), b"\xfe\xff\x00\xfe\x00\xff"),
        ("7.9.4", "universal time", date(time, 0), b"D:20270131233005Z"),
        ("7.9.4", "east of Greenwich", date(time, 330), b"D:20270201050005+05'30'"),
        ("7.9.4", "west of Greenwich", date(time, -90), b"D:20270131220005-01'30'"),
    ] {
        assert_eq!(value, Value::String(expected.to_vec()), "{clause}: {situation}");
    }
}

#[test]
fn an_update_does_not_make_a_linearized_file_of_it() {
    let write = |length: usize| {
        let first = format!("<< /Linearized 1 /L {length:06} >>");
        // The dictionary has to be among the first objects of the file.
        let objects = Pdf::page("Text", objects(&[(1, "<< /Type /Catalog /Pages 2 0 R >>")])).objects;
        let mut pdf = Pdf::of(lacre_testkit::pdf::objects(&[(9, &first)]), Form::Table);
        pdf.update(objects);
        let bytes = pdf.bytes.clone();
        let changed = updated(&bytes, None, |update| update.set(update.catalog(), &[], b"A", 1)).expect("written");
        (bytes.len(), changed)
    };
    let length = write(0).1.len();
    let (end, changed) = write(length);
    assert_eq!(changed.len(), length + 1, "annex F.3.3: not as long as it says");
    assert_eq!(flaws(&changed, None, end), Vec::<String>::new(), "annex F.3.3");
}
