//! The kinds of PDF that are signed: creation.md §6.4, rows P1 to P7.

use crate::cell::hex;
use lacre_testkit::pdf::{Form, Objects, Pdf, line, object, objects, stream};
use std::process::Command;

/// A document to be signed.
#[derive(Clone)]
pub struct Source {
    pub name: String,
    pub bytes: Vec<u8>,
    pub password: Option<&'static str>,
}

fn source(name: &str, bytes: Vec<u8>) -> Source {
    Source { name: name.into(), bytes, password: None }
}

/// Writes a file with a contiguous cross-reference table, as most programs do.
pub struct Table {
    pub version: &'static str,
    pub identified: bool,
    pub end: &'static str,
    pub eol: &'static str,
}

impl Default for Table {
    fn default() -> Self {
        Self { version: "1.7", identified: true, end: "\n", eol: "\n" }
    }
}

impl Table {
    /// The file with these objects, of which 1 is the catalog.
    pub fn write(&self, objects: &Objects) -> Vec<u8> {
        let eol = self.eol;
        let mut bytes = format!("%PDF-{}{eol}%", self.version).into_bytes();
        bytes.extend(b"\xe2\xe3\xcf\xd3");
        bytes.extend(eol.bytes());
        let last = *objects.keys().next_back().expect("there are objects");
        let mut rows = vec![None; last as usize + 1];
        for (number, object) in objects {
            rows[*number as usize] = Some(bytes.len());
            bytes.extend(format!("{number} 0 obj{eol}").bytes());
            bytes.extend(object.value.bytes());
            if let Some(content) = &object.stream {
                bytes.extend(format!("{eol}stream\n").bytes());
                bytes.extend(content);
                bytes.extend(format!("{eol}endstream").bytes());
            }
            bytes.extend(format!("{eol}endobj{eol}").bytes());
        }
        let start = bytes.len();
        bytes.extend(format!("xref{eol}0 {}{eol}", rows.len()).bytes());
        // Free numbers are a list: each row names the next.
        for (number, row) in rows.iter().enumerate() {
            let next = (number + 1..rows.len()).find(|next| rows[*next].is_none()).unwrap_or(0);
            let two = if eol.len() == 2 { "\r\n" } else { " \n" };
            let text = match row {
                Some(place) => format!("{place:010} 00000 n{two}"),
                None if number == 0 => format!("{next:010} 65535 f{two}"),
                None => format!("{next:010} 00001 f{two}"),
            };
            bytes.extend(text.bytes());
        }
        let id = "0123456789ABCDEF0123456789ABCDEF";
        let id = if self.identified { format!(" /ID [<{id}> <{id}>]") } else { String::new() };
        let size = rows.len();
        bytes.extend(
            format!("trailer{eol}<< /Size {size} /Root 1 0 R{id} >>{eol}startxref{eol}{start}{eol}%%EOF{}", self.end)
                .bytes(),
        );
        bytes
    }
}

/// A page with a line of text, and more objects or others.
pub fn page(more: &[(u32, &str)]) -> Objects {
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R >>"),
        (2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        (
            3,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        ),
        (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    ]);
    all.insert(4, stream("", &line("The parties agree.")));
    all.extend(objects(more));
    all
}

/// The usual file.
pub fn plain() -> Vec<u8> {
    Table::default().write(&page(&[]))
}

const TEXT_FIELD: &str = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Ines) /Rect [72 600 300 620] /P 3 0 R /F 4 /DA (/F 12 Tf 0 g) >>";
const WITH_ANNOTATIONS: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots";

/// Many pages under a tree of two levels, from which they inherit.
fn many_pages(count: u32) -> Objects {
    let mut all = page(&[]);
    let mut branches = vec![];
    let mut number = 10;
    for branch in 0..count.div_ceil(10) {
        let own = number;
        number += 1;
        let mut leaves = vec![];
        for leaf in 0..10.min(count - branch * 10) {
            all.insert(number, object(&format!("<< /Type /Page /Parent {own} 0 R /Contents {} 0 R >>", number + 1)));
            all.insert(number + 1, stream("", &line(&format!("Page {}", branch * 10 + leaf + 1))));
            leaves.push(format!("{number} 0 R"));
            number += 2;
        }
        let count = leaves.len();
        all.insert(
            own,
            object(&format!("<< /Type /Pages /Parent 2 0 R /Kids [{}] /Count {count} >>", leaves.join(" "))),
        );
        branches.push(format!("{own} 0 R"));
    }
    let tree = format!(
        "<< /Type /Pages /Kids [{}] /Count {count} /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >> >>",
        branches.join(" ")
    );
    all.insert(2, object(&tree));
    all.remove(&3);
    all.remove(&4);
    all
}

/// A file as office programs write it (ISO 32000-2 §7.5.8.4): a table, and beside it a stream that knows of objects in an
/// object stream.
fn hybrid() -> Vec<u8> {
    let table = Table { version: "1.5", end: "\n", ..Table::default() };
    let mut objects =
        page(&[(1, "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R /MarkInfo << /Marked false >> >>")]);
    let (first, second) = ("<< /Type /StructTreeRoot /K 7 0 R >>", "<< /Type /StructElem /S /Document /P 6 0 R >>");
    let head = format!("6 0 7 {} ", first.len() + 1);
    let body = format!("{head}{first} {second}");
    objects.insert(8, stream(&format!("/Type /ObjStm /N 2 /First {}", head.len()), body.as_bytes()));
    // Rows of the hidden objects: in object stream 8, at index 0 and 1.
    let rows = [2, 0, 0, 0, 8, 0, 2, 0, 0, 0, 8, 1];
    objects.insert(9, stream("/Type /XRef /Size 10 /W [1 4 1] /Index [6 2] /Root 1 0 R", &rows));
    let bytes = table.write(&objects);
    let place = lacre_testkit::pdf::find(&bytes, b"9 0 obj", 0).expect("it was written");
    let trailer = lacre_testkit::pdf::rfind(&bytes, b"/Root 1 0 R").expect("it was written");
    let entry = format!("/XRefStm {place} ");
    [&bytes[..trailer], entry.as_bytes(), &bytes[trailer..]].concat()
}

/// What qpdf makes of a file.
pub fn qpdf(bytes: &[u8], arguments: &[&str]) -> Result<Vec<u8>, String> {
    let name = lacre::signing::digest(
        lacre::signing::DigestAlgorithm::Sha256,
        &[bytes, arguments.join(" ").as_bytes()].concat(),
    );
    let stem = std::env::temp_dir().join(format!("lacre-creation-{}", hex(&name.expect("SHA-256 is known")[..12])));
    let (input, output) = (stem.with_extension("in.pdf"), stem.with_extension("out.pdf"));
    std::fs::write(&input, bytes).map_err(|e| e.to_string())?;
    let done =
        Command::new("qpdf").args(["--static-id", "--static-aes-iv"]).args(arguments).arg(&input).arg(&output).output();
    let done = done.map_err(|e| format!("qpdf: {e}"))?;
    let made = std::fs::read(&output).map_err(|e| format!("qpdf: {e}: {}", String::from_utf8_lossy(&done.stderr)));
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(output);
    made
}

/// Row P1: documents of every build.
pub fn builds() -> Vec<Source> {
    let mut all = vec![];
    for version in ["1.3", "1.4", "1.5", "1.6", "1.7", "2.0"] {
        all.push(source(&format!("table {version}"), Table { version, ..Table::default() }.write(&page(&[]))));
    }
    let direct = "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >> >>";
    let annotations = format!("{WITH_ANNOTATIONS} [6 0 R] >>");
    let form = page(&[(1, direct), (3, &annotations), (6, TEXT_FIELD)]);
    all.push(source("form direct, annotations direct", Table::default().write(&form)));
    let indirect = format!("{WITH_ANNOTATIONS} 9 0 R >>");
    let form = page(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 7 0 R >>"),
        (3, &indirect),
        (6, TEXT_FIELD),
        (7, "<< /Fields 8 0 R /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>"),
        (8, "[6 0 R]"),
        (9, "[6 0 R]"),
    ]);
    all.push(source("form, fields and annotations indirect", Table::default().write(&form)));
    let form = page(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 7 0 R >>"),
        (3, &annotations),
        (6, TEXT_FIELD),
        (7, "<< /Fields [6 0 R] /NeedAppearances true /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>"),
    ]);
    all.push(source("form with NeedAppearances", Table::default().write(&form)));
    let empty = page(&[(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>")]);
    all.push(source("form without fields", Table::default().write(&empty)));
    let odd = page(&[
        (
            1,
            "<< /Type /Catalog /Pages 2 0 R /Lang (pt-PT) /Names << /Empty#20Name (x) >> /ViewerPreferences << /DisplayDocTitle true >> >>",
        ),
        (
            3,
            "<< /Contents [4 0 R] /Type /Page /Parent 2 0 R /MediaBox [ 0.0 -0 595.276 +842 ] /Resources << /Font << /F 5 0 R >> >> /A#20B (\\(\\051\\n) /C <414 > /Annots [] >>",
        ),
    ]);
    all.push(source("odd names, strings and numbers", Table::default().write(&odd)));
    all.push(source("no identifier", Table { identified: false, ..Table::default() }.write(&page(&[]))));
    all.push(source("no line end at the end", Table { end: "", ..Table::default() }.write(&page(&[]))));
    all.push(source("carriage returns", Table { eol: "\r\n", end: "\r\n", ..Table::default() }.write(&page(&[]))));
    all.push(source("carriage return at the end", Table { end: "\r", ..Table::default() }.write(&page(&[]))));
    all.push(source("blanks at the end", Table { end: "\n\n  \n", ..Table::default() }.write(&page(&[]))));
    let mut free = page(&[]);
    free.insert(12, object("<< /Producer (Somebody) >>"));
    all.push(source("free numbers", Table::default().write(&free)));
    all.push(source("120 pages, inherited", Table::default().write(&many_pages(120))));
    all.push(source("cross-reference stream", Pdf::of(page(&[]), Form::Stream).bytes));
    all.push(source("object stream", Pdf::of(page(&[]), Form::Packed).bytes));
    let updated = |form: Form| {
        let mut pdf = Pdf::of(page(&[]), form);
        for at in 0..3 {
            pdf.update([(4, stream("", &line(&format!("Draft {at}."))))].into());
        }
        pdf.bytes
    };
    all.push(source("updates in tables", updated(Form::Table)));
    all.push(source("updates in streams", updated(Form::Stream)));
    all.push(source("updates in object streams", updated(Form::Packed)));
    all.push(source("hybrid", hybrid()));
    let mut long = Pdf::of(page(&[]), Form::Table);
    for at in 0..400 {
        long.update([(4, stream("", &line(&format!("Draft {at}."))))].into());
    }
    all.push(source("400 updates", long.bytes));
    let base = plain();
    let pages = Table::default().write(&many_pages(30));
    for (name, bytes, arguments) in [
        ("qpdf, object streams", &base, &["--object-streams=generate"][..]),
        ("qpdf, 30 pages in object streams", &pages, &["--object-streams=generate"]),
        ("linearized", &pages, &["--linearize"]),
        ("linearized, object streams", &pages, &["--linearize", "--object-streams=generate"]),
        ("qpdf, 2.0", &base, &["--force-version=2.0", "--object-streams=generate"]),
        ("qpdf, newline before endstream", &base, &["--newline-before-endstream", "--object-streams=disable"]),
    ] {
        match qpdf(bytes, arguments) {
            Ok(bytes) => all.push(source(name, bytes)),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    all
}

/// Row P4: encrypted documents, each with the password by which it is opened.
pub fn encrypted() -> Vec<Source> {
    let mut all = vec![];
    let objects = page(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 7 0 R /Lang (pt) >>"),
        (3, &format!("{WITH_ANNOTATIONS} [6 0 R] >>")),
        (6, TEXT_FIELD),
        (7, "<< /Fields [6 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>"),
    ]);
    let base = Table::default().write(&objects);
    let ways: [(&str, &[&str], &[&str]); 8] = [
        ("RC4-40", &["40"], &[]),
        ("RC4-128", &["128", "--use-aes=n"], &[]),
        ("AES-128", &["128", "--use-aes=y"], &[]),
        ("AES-128, object streams", &["128", "--use-aes=y"], &["--object-streams=generate"]),
        ("AES-128, metadata clear", &["128", "--use-aes=y", "--cleartext-metadata"], &[]),
        ("AES-256 R5", &["256", "--force-R5"], &[]),
        ("AES-256 R6", &["256"], &[]),
        ("AES-256 R6, object streams", &["256"], &["--object-streams=generate"]),
    ];
    for (name, way, more) in ways {
        for (who, user, password) in
            [("owner", "user", "owner"), ("user", "user", "user"), ("no user password", "", "")]
        {
            let mut arguments = vec!["--allow-weak-crypto"];
            arguments.extend(more);
            arguments.extend(["--encrypt", user, "owner"]);
            arguments.extend(way);
            arguments.push("--");
            match qpdf(&base, &arguments) {
                Ok(bytes) => all.push(Source { name: format!("{name}, {who}"), bytes, password: Some(password) }),
                Err(error) => eprintln!("{name}: {error}"),
            }
        }
    }
    all
}

/// Encrypted so that users may not change anything.
pub fn restricted() -> Result<Source, String> {
    let arguments = ["--allow-weak-crypto", "--encrypt", "user", "owner", "128", "--use-aes=y", "--modify=none", "--"];
    Ok(Source { name: "restricted".into(), bytes: qpdf(&plain(), &arguments)?, password: Some("user") })
}
