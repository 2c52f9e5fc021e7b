use super::*;
use crate::budget::Budget;
use crate::formats::pdf::{File, Reference};

/// A well-formed update of [`signed`]. Runs of a capital letter stand for offsets: of `4 0 obj`, of the
/// cross-references, of those before, and of object 2 in the revision before.
const UPDATE: &str = "4 0 obj\n<</Length 5/A 2 0 R>>\nstream\nother\nendstream\nendobj\nxref\n4 1\nOOOOOOOOOO 00000 n \n\
    trailer\n<</Size 6/Root 1 0 R/Prev PPPPPPPPPP>>\nstartxref\nXXXXXXXXXX\n%%EOF\n";

/// Returns a revision, and where its cross-references stand.
fn signed() -> (Vec<u8>, usize) {
    signed_after("%PDF-1.7\n", 0)
}

/// Returns the same with a header, and offsets that are so much lower.
fn signed_after(header: &str, shift: usize) -> (Vec<u8>, usize) {
    let mut bytes = header.as_bytes().to_vec();
    let mut table = "xref\n0 1\n0000000000 65535 f \n".to_string();
    for (number, object) in [
        (1, "<</Type/Catalog/Pages 2 0 R>>"),
        (2, "<</Kids[3 0 R]/Count 1>>"),
        (3, "<</Type/Page/Contents 4 0 R>>"),
        (4, "<</Length 3>>\nstream\nabc\nendstream"),
    ] {
        table += &format!("{number} 1\n{:010} 00000 n \n", bytes.len() - shift);
        bytes.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let start = bytes.len() - shift;
    bytes.extend(format!("{table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
    (bytes, start)
}

#[test]
fn another_generation() {
    let all = UPDATE.replacen("4 0 obj", "4 2 obj", 1).replacen("00000 n", "00002 n", 1);
    let (bytes, end) = updated(&all.replacen("OOOOOOOOOO", "GGGGGGGGGG", 1));
    let at = format!("{:010}", place(&bytes, end, "4 2 obj"));
    let bytes = String::from_utf8(bytes).expect("ASCII").replacen("GGGGGGGGGG", &at, 1).into_bytes();
    let flaws = found(&bytes, end);
    assert_eq!(flaws.len(), 1, "7.5.4: {flaws:?}");
    assert!(flaws[0].what.contains("object 4 2 was of another generation"), "7.5.4: {flaws:?}");
}

/// Returns the flaws of what follows the first `end` bytes.
fn found(bytes: &[u8], end: usize) -> Vec<Flaw> {
    let file = File::new(bytes, &Budget::default()).expect("a PDF");
    let last = file.open(None).expect("a revision");
    Appended::default().flaws(&last, end).expect("within the limits")
}

fn place(bytes: &[u8], from: usize, of: &str) -> usize {
    from + memchr::memmem::find(&bytes[from..], of.as_bytes()).unwrap_or_default()
}

/// Returns `update` after the signed revision, its offsets filled in, and where it begins.
fn updated(update: &str) -> (Vec<u8>, usize) {
    let (mut bytes, start) = signed();
    let end = bytes.len();
    bytes.extend(update.bytes());
    let offsets = [
        ("OOOOOOOOOO", place(&bytes, end, "4 0 obj")),
        ("XXXXXXXXXX", place(&bytes, end, "xref\n")),
        ("PPPPPPPPPP", start),
        ("QQQQQQQQQQ", place(&bytes, 0, "2 0 obj")),
    ];
    let mut text = update.to_string();
    for (letters, offset) in offsets {
        text = text.replace(letters, &format!("{offset:010}"));
    }
    bytes.truncate(end);
    bytes.extend(text.bytes());
    (bytes, end)
}

#[test]
fn one_update() {
    let rows: &[(&str, &str, &str, &str, &str)] = &[
        ("7.5.6", "as it should be", "", "", ""),
        ("7.2.4", "the producer's name before startxref", "startxref", "%Producer 1.0\nstartxref", ""),
        ("7.5.5", "line ends after it", "%%EOF\n", "%%EOF\r\n\r\n", ""),
        ("7.5.4", "the row of an old object again", "xref\n", "xref\n2 1\nQQQQQQQQQQ 00000 n \n", ""),
        ("7.5.6", "white space before its objects", "4 0 obj", "\r\n\n4 0 obj", ""),
        ("7.5.4", "an object that is deleted", "xref\n", "xref\n3 1\n0000000000 00001 f \n", ""),
        ("7.5.5", "a comment behind startxref", "startxref\n", "startxref%\n", "no startxref"),
        ("7.5.5", "a comment before the number", "startxref\n", "startxref\n%\n", "no startxref"),
        ("7.5.5", "another startxref", "%%EOF\n", "%%EOF\nstartxref\nPPPPPPPPPP\n", "no part of an update"),
        ("7.5.5", "another startxref with its mark", "%%EOF\n", "%%EOF\nstartxref\n0\n%%EOF\n", "no part of an update"),
        ("7.5.5", "startxref in a comment", "%%EOF\n", "%%EOF\n% startxref PPPPPPPPPP\n", "a comment"),
        ("7.5.5", "startxref in a longer word", "%%EOF\n", "%%EOF\nxstartxrefy 9\n%%EOF\n", "no part of an update"),
        ("7.5.5", "startxref in a string", "%%EOF\n", "%%EOF\n(startxref 9)\n%%EOF\n", "no part of an update"),
        ("7.5.6", "an object behind", "%%EOF\n", "%%EOF\n4 0 obj null endobj\n", "no part of an update"),
        ("7.5.6", "an object that is nowhere listed", "xref\n", "5 0 obj null endobj\nxref\n", "object 5 0 is not"),
        ("7.5.6", "an object twice", "xref\n4", "4 0 obj null endobj\nxref\n4", "object 4 0 is not"),
        ("7.5.4", "a row of another generation", "00000 n", "00001 n", "object 4 0 is not"),
        ("7.5.4", "a row of another place", "OOOOOOOOOO", "QQQQQQQQQQ", "object 4 0 is not"),
        ("7.5.4", "a row without object", "4 1\n", "5 1\n0000000099 00000 n \n4 1\n", "object 5 is not where"),
        ("7.5.4", "a number twice", "4 1\n", "4 1\nQQQQQQQQQQ 00000 n \n4 1\n", "object 4 is cross-referenced twice"),
        ("7.5.4", "a row of 19 bytes", " n \n", " n\n", "no row"),
        ("7.5.5", "/Size too small for what is new", "/Size 6", "/Size 4", "/Size"),
        ("7.5.5", "/Size too small for what is old", "/Size 6", "/Size 3", "/Size"),
        ("7.3.7", "/Prev twice", "/Prev", "/Prev 0/Prev", "readers differ"),
        ("C.2", "/Size above what readers count to", "/Size 6", "/Size 99999999", "more objects"),
        ("7.5.4", "a number that is 4 for who counts to 2^32", "4 1\n", "4294967300 1\n", "no subsection"),
        ("7.5.4", "number zero in use", "4 1\n", "0 1\nQQQQQQQQQQ 00000 n \n4 1\n", "object 0 is"),
        ("7.3.10", "a reference to 4 for who counts to 2^32", "/A 2 0 R", "/A 4294967300 0 R", "readers differ"),
        ("7.5.5", "/Prev somewhere else", "PPPPPPPPPP", "0", "/Prev"),
        ("7.5.5", "/Prev missing", "/Prev PPPPPPPPPP", "", "/Prev"),
        ("7.5.8.4", "a stream that is none", "/Prev", "/XRefStm 9/Prev", "/XRefStm"),
        ("7.5.5", "another catalog", "/Root 1", "/Root 3", "/Root"),
        ("7.6.1", "encryption that begins", "/Prev", "/Encrypt 4 0 R/Prev", "/Encrypt"),
        ("7.3.8.2", "a length that is too short", "/Length 5", "/Length 4", "a stream that does not end"),
        ("7.3.7", "a key twice", "/Length 5", "/Length 9/Length 5", "readers differ"),
        ("7.3.7", "a key twice, spelt in two ways", "/A 2 0 R", "/A 2 0 R/#41 3 0 R", "readers differ"),
        ("7.3.3", "a number that is none", "/A 2 0 R", "/A 1.2.3", "readers differ"),
        ("7.3.10", "a reference of another generation", "/A 2 0 R", "/A 2 1 R", "a reference to 2 1"),
        ("7.3.10", "an object that does not end", "endstream\nendobj", "endstream", "an object that does not end"),
    ];
    for (clause, situation, from, to, expected) in rows {
        let (bytes, end) = updated(&UPDATE.replacen(from, to, usize::from(!from.is_empty())));
        let flaws = found(&bytes, end);
        match *expected {
            "" => assert_eq!(flaws, [], "{clause}: {situation}"),
            text => assert!(flaws.iter().any(|flaw| flaw.what.contains(text)), "{clause}: {situation}: {flaws:?}"),
        }
    }
}

#[test]
fn no_update() {
    for (clause, situation, rest, expected) in [
        ("7.5.5", "line ends", "\r\n\r\n".to_string(), 0),
        ("H.3.18", "more than readers look through", " ".repeat(TAIL), 1),
        ("H.3.18", "more than readers look through, in a comment", format!("%{}", "x".repeat(TAIL)), 1),
        ("7.5.6", "an object", "4 0 obj null endobj\n".into(), 1),
        ("7.5.6", "what is no object", "<html>".into(), 1),
    ] {
        let (mut bytes, _) = signed();
        let end = bytes.len();
        bytes.extend(rest.bytes());
        assert_eq!(found(&bytes, end).len(), expected, "{clause}: {situation}");
    }
}

#[test]
fn other_beginnings() {
    let linearized = |length: usize| format!("%PDF-1.7\n9 0 obj<</Linearized 1/L {length:010}>>endobj\n");
    let length = updated(UPDATE).0.len() - "%PDF-1.7\n".len() + linearized(0).len();
    for (clause, situation, header, [before, shift], expected) in [
        ("7.5.2", "offsets that count from the first byte", "junk\n%PDF-1.7\n".to_string(), [0, 0], ""),
        (
            "7.5.2",
            "offsets of the update that count from the header",
            "junk\n%PDF-1.7\n".into(),
            [0, 5],
            "cross-references that are not those of this update",
        ),
        ("7.5.2", "offsets of all that count from the header", "junk\n%PDF-1.7\n".into(), [5, 5], ""),
        ("F.3.3", "linearized, of another length", linearized(length + 1), [0, 0], ""),
        (
            "F.3.3",
            "linearized, as long as it says once it is updated",
            linearized(length),
            [0, 0],
            "with it the file is as long",
        ),
    ] {
        let (mut bytes, start) = signed_after(&header, before);
        let end = bytes.len();
        let at = end - shift;
        let table = end + place(UPDATE.as_bytes(), 0, "xref\n") - shift;
        let update = UPDATE.replace("OOOOOOOOOO", &format!("{at:010}"));
        let update =
            update.replace("XXXXXXXXXX", &format!("{table:010}")).replace("PPPPPPPPPP", &format!("{start:010}"));
        bytes.extend(update.bytes());
        let flaws = found(&bytes, end);
        match expected {
            "" => assert_eq!(flaws, [], "{clause}: {situation}"),
            text => assert!(flaws.iter().any(|flaw| flaw.what.contains(text)), "{clause}: {situation}: {flaws:?}"),
        }
    }
}

#[test]
fn objects_that_were_read_before() {
    for (situation, entries, count) in [("well-formed", "/A 2 0 R", 0), ("a key twice", "/A 2 0 R/A 2 0 R", 1)] {
        let (bytes, end) = updated(&UPDATE.replacen("/A 2 0 R", entries, 1));
        let file = File::new(&bytes, &Budget::default()).expect("a PDF");
        let last = file.open(None).expect("a revision");
        let object = last.get(Reference { number: 4, generation: 0 });
        assert!(matches!(object, Object::Stream(_)), "7.5.6: {situation}: {object:?}");
        let flaws = Appended::default().flaws(&last, end).expect("within the limits");
        assert_eq!(flaws, found(&bytes, end), "7.5.6: {situation}: the same as when it is read for the first time");
        assert_eq!(flaws.len(), count, "7.5.6: {situation}: {flaws:?}");
    }
}

#[test]
fn one_after_the_other() {
    let (first, end) = updated(UPDATE);
    let middle = first.len();
    let previous = place(&first, end, "xref\n");
    let second = |table: &str| {
        let mut bytes = first.clone();
        let (at, start) = (bytes.len(), bytes.len() + 20);
        bytes.extend(format!("5 0 obj null endobj\nxref\n5 1\n{at:010} 00000 n \n{table}").bytes());
        let trailer = format!("trailer\n<</Size 6/Root 1 0 R/Prev {previous}>>\nstartxref\n{start}\n%%EOF\n");
        bytes.extend(trailer.bytes());
        bytes
    };
    let good = second("");
    let bad = second("1 1\n0000000011 00000 n \n");
    let file = File::new(&bad, &Budget::default()).expect("a PDF");
    let last = file.open(None).expect("a revision");
    let mut appended = Appended::default();
    for (situation, bytes, end, expected) in
        [("two", &good, end, 0), ("the second", &good, middle, 0), ("two", &bad, end, 1), ("none", &bad, bad.len(), 0)]
    {
        assert_eq!(found(bytes, end).len(), expected, "7.5.6: {situation}");
        if bytes == &bad {
            let flaws = appended.flaws(&last, end).expect("within the limits");
            assert_eq!(flaws.len(), expected, "7.5.6: {situation}, with what is known");
        }
    }
    assert_eq!(appended.flaws(&last, middle).expect("within the limits").len(), 1, "7.5.6: the second alone");
}

#[test]
fn hybrid_sections() {
    for (situation, keys, table, hidden, flawed) in [
        ("the stream repeats the table", "", 0, 0, false),
        ("the stream has another place", "", 0, 9, true),
        ("the table has another place", "", 9, 0, true),
        ("the stream names other revisions", "/Prev 0", 0, 0, true),
    ] {
        let (mut bytes, previous) = signed();
        let end = bytes.len();
        bytes.extend(b"4 0 obj null endobj\n");
        let stream = bytes.len();
        let head = format!("6 0 obj\n<</Type/XRef/Size 8/W[1 2 1]/Index[4 1]/Length 4{keys}>>stream\n");
        bytes.extend(head.bytes());
        let place = if hidden == 0 { end } else { hidden };
        bytes.extend([1, (place >> 8) as u8, place as u8, 0]);
        bytes.extend(b"\nendstream\nendobj\n");
        let (start, place) = (bytes.len(), if table == 0 { end } else { table });
        let rows = format!("xref\n4 1\n{place:010} 00000 n \n6 1\n{stream:010} 00000 n \n");
        let links = format!("/Prev {previous}/XRefStm {stream}");
        let trailer = format!("trailer\n<</Size 8/Root 1 0 R{links}>>\nstartxref\n{start}\n%%EOF\n");
        bytes.extend((rows + &trailer).bytes());
        let flaws = found(&bytes, end);
        assert_eq!(!flaws.is_empty(), flawed, "7.5.8.4: {situation}: {flaws:?}");
    }
}

#[test]
fn object_streams() {
    for (clause, situation, content, index, flawed) in [
        ("7.5.7", "as it should be", "3 0 5 5 null true", 0, false),
        ("table 17", "a number without a count in /Index", "3 0 5 5 null true ", 0, true),
        ("7.5.8.3", "at the index of another object", "3 0 5 5 null true", 1, true),
        ("7.5.7", "the number twice", "3 0 3 5 null true", 0, true),
        ("7.5.7", "one object inside the other", "3 0 5 0 null true", 0, true),
        ("7.3.7", "an object that readers read differently", "3 0 5 5 <<>  true", 0, true),
    ] {
        let (mut bytes, previous) = signed();
        let end = bytes.len();
        let head = format!("6 0 obj\n<</Type/ObjStm/N 2/First 8/Length {}>>stream\n", content.len());
        bytes.extend(format!("{head}{content}\nendstream\nendobj\n").bytes());
        let start = bytes.len();
        let odd = if clause == "table 17" { " 9" } else { "" };
        let head = format!("/Type/XRef/Size 8/W[1 2 1]/Index[3 1 6 2{odd}]/Root 1 0 R/Length 12");
        bytes.extend(format!("7 0 obj\n<<{head}/Prev {previous}>>stream\n").bytes());
        bytes.extend([2, 0, 6, index]);
        for offset in [end, start] {
            bytes.extend([1, (offset >> 8) as u8, offset as u8, 0]);
        }
        bytes.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
        let flaws = found(&bytes, end);
        assert_eq!(!flaws.is_empty(), flawed, "{clause}: {situation}: {flaws:?}");
    }
}
