//! PDF files: written, signed and updated by hand.

mod carrier;
mod value;

pub use carrier::Carrier;
pub use value::{Object, Objects, Reader, Value, latin, object, stream, value};

use crate::cms::STAMPED;
use crate::lab::Lab;
use std::collections::BTreeMap;

/// How a revision states where its objects are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Table,
    /// A cross-reference stream.
    Stream,
    /// The same, and what is no stream stands in an object stream.
    Packed,
}

/// A file with what its last revision says.
#[derive(Clone)]
pub struct Pdf {
    pub bytes: Vec<u8>,
    pub objects: Objects,
    /// Where each object was last written by itself.
    pub places: BTreeMap<u32, usize>,
    pub previous: Option<usize>,
    pub size: u32,
    pub form: Form,
    pub root: u32,
    /// The signature values with their delimiters, from where to where.
    pub holes: Vec<(usize, usize)>,
}

/// A signature field to be made.
#[derive(Clone)]
pub struct Field<'a> {
    pub field: u32,
    pub value: u32,
    pub name: &'a str,
    pub page: u32,
    pub rectangle: &'a str,
    /// The flags of its annotation.
    pub flags: u32,
    /// More entries of the field, of the signature dictionary, of the catalog.
    pub more: &'a str,
    pub dictionary: &'a str,
    pub catalog: &'a str,
    pub kind: &'a str,
    pub filter: &'a str,
    pub room: usize,
}

impl Default for Field<'_> {
    fn default() -> Self {
        Self {
            field: 6,
            value: 7,
            name: "Signature",
            page: 3,
            rectangle: "[0 0 0 0]",
            flags: 132,
            more: "",
            dictionary: "",
            catalog: "",
            kind: "Sig",
            filter: "ETSI.CAdES.detached",
            room: 8192,
        }
    }
}

/// The second field of a document.
pub const SECOND: Field<'static> = Field {
    field: 8,
    value: 9,
    name: "Second",
    page: 3,
    rectangle: "[0 0 0 0]",
    flags: 132,
    more: "",
    dictionary: "",
    catalog: "",
    kind: "Sig",
    filter: "ETSI.CAdES.detached",
    room: 8192,
};

/// `/Reference` of a certification with that P.
pub fn certified(p: u8) -> String {
    format!(
        "/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P {p} /V /1.2 >> >>]"
    )
}

/// `/Perms` beside it, where the signature is object 7.
pub const PERMS: &str = "/Perms << /DocMDP 7 0 R >>";

const HEADER: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
const PLACEHOLDER: &str = "[0 0000000000 0000000000 0000000000]";

/// A page's content that shows a line of text in font /F.
pub fn line(text: &str) -> Vec<u8> {
    latin(&format!("BT /F 14 Tf 72 760 Td ({text}) Tj ET"))
}

/// What nobody signed.
pub const EVIL: &str = "The buyer pays 1,000,000 euros.";

pub fn objects(list: &[(u32, &str)]) -> Objects {
    list.iter().map(|(number, text)| (*number, object(text))).collect()
}

impl Pdf {
    /// The file with these objects, of which 1 is the catalog.
    pub fn of(objects: Objects, form: Form) -> Self {
        let mut pdf = Self {
            bytes: HEADER.to_vec(),
            objects: Objects::new(),
            places: BTreeMap::new(),
            previous: None,
            size: 1,
            form,
            root: 1,
            holes: vec![],
        };
        pdf.update(objects);
        pdf
    }

    /// A file of one page with a line of text; `more` objects replace those that are usual.
    pub fn page(text: &str, more: Objects) -> Self {
        let mut all = objects(&[
            (1, "<< /Type /Catalog /Pages 2 0 R >>"),
            (2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
            (
                3,
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
            ),
            (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        ]);
        all.insert(4, stream("", &line(text)));
        all.extend(more);
        Self::of(all, Form::Table)
    }

    /// The usual page.
    pub fn usual() -> Self {
        Self::page("The parties agree.", Objects::new())
    }

    /// Reads a file that has every object by itself, as ours have.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut pdf = Self {
            bytes: bytes.to_vec(),
            objects: Objects::new(),
            places: BTreeMap::new(),
            previous: None,
            size: 1,
            form: Form::Table,
            root: 1,
            holes: vec![],
        };
        let mut at = 0;
        while let Some(found) = find(bytes, b" 0 obj\n", at) {
            at = found + 7;
            let start = bytes[..found].iter().rposition(|byte| !byte.is_ascii_digit())? + 1;
            let number: u32 = std::str::from_utf8(&bytes[start..found]).ok()?.parse().ok()?;
            let mut reader = Reader { bytes, at };
            let value = reader.value()?;
            at = reader.at;
            let stream = bytes[at..].strip_prefix(b"\nstream\n").and_then(|rest| {
                let length: usize = value.get("Length")?.text().parse().ok()?;
                Some(rest.get(..length)?.to_vec())
            });
            at += stream.as_ref().map_or(0, Vec::len);
            pdf.places.insert(number, start);
            pdf.objects.insert(number, Object { value, stream });
            pdf.size = pdf.size.max(number + 1);
        }
        let start = rfind(bytes, b"startxref\n")? + 10;
        let digits: Vec<u8> = bytes[start..].iter().copied().take_while(u8::is_ascii_digit).collect();
        pdf.previous = Some(std::str::from_utf8(&digits).ok()?.parse().ok()?);
        Some(pdf)
    }

    pub fn value(&self, number: u32) -> &Value {
        &self.objects.get(&number).unwrap_or_else(|| panic!("no object {number}")).value
    }

    /// A number that no object has.
    pub fn free(&self) -> u32 {
        self.size
    }

    /// Adds a well-formed revision.
    pub fn update(&mut self, changes: Objects) {
        let carrier = match self.form {
            Form::Table => Carrier::Table,
            Form::Stream => Carrier::Stream,
            Form::Packed => Carrier::Packed,
        };
        let mut at = self.places.clone();
        let (bytes, start, size) = carrier::revision(self, &changes, "", carrier, &mut at);
        self.bytes = bytes;
        self.places = at;
        self.previous = Some(start);
        self.size = size;
        self.objects.extend(changes);
    }

    /// Adds a revision of these objects.
    pub fn and(mut self, changes: &[(u32, &str)]) -> Self {
        self.update(objects(changes));
        self
    }

    /// The file with these objects changed, as that carrier writes it.
    pub fn carried(&self, changes: &Objects, trailer: &str, carrier: Carrier) -> Vec<u8> {
        carrier::write(self, changes, trailer, carrier)
    }

    /// Adds a revision with a signature field, its value by `make` over what is signed.
    pub fn sign_with(&mut self, field: &Field<'_>, more: Objects, make: impl FnOnce(&[u8]) -> Vec<u8>) {
        let mut changes = more;
        let hole = "0".repeat(2 * field.room);
        let Field { field: number, value: dictionary, name, page, rectangle, flags, .. } = field;
        changes.insert(
            *number,
            object(&format!(
                "<< /Type /Annot /Subtype /Widget /FT /Sig /T ({name}) /V {dictionary} 0 R /P {page} 0 R /Rect {rectangle} /F {flags} {} >>",
                field.more
            )),
        );
        changes.insert(
            *dictionary,
            object(&format!(
                "<< /Type /{} /Filter /Adobe.PPKLite /SubFilter /{} /ByteRange {PLACEHOLDER} /M (D:{STAMPED}) /Reason (Agreed) {} /Contents <{hole}> >>",
                field.kind, field.filter, field.dictionary
            )),
        );
        self.enter(&mut changes, *number, *page, field.catalog);
        self.update(changes);
        let start = rfind(&self.bytes, format!("<{hole}>").as_bytes()).expect("the hole was written");
        let end = start + hole.len() + 2;
        let range = format!("[0 {start:010} {end:010} {:010}]", self.bytes.len() - end);
        let at = rfind(&self.bytes, PLACEHOLDER.as_bytes()).expect("the range was written");
        self.bytes[at..at + range.len()].copy_from_slice(range.as_bytes());
        let signed = [&self.bytes[..start], &self.bytes[end..]].concat();
        let digits: String = make(&signed).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(digits.len() <= hole.len(), "{} digits are no room for {}", hole.len(), digits.len());
        self.bytes[start + 1..start + 1 + digits.len()].copy_from_slice(digits.as_bytes());
        self.holes.push((start, end));
        let read = value(&self.value(*dictionary).to_string().replace(PLACEHOLDER, &range).replacen(&hole, &digits, 1));
        self.objects.insert(*dictionary, Object { value: read, stream: None });
    }

    /// Puts the field into the form and on its page, where it is not there yet.
    fn enter(&self, changes: &mut Objects, field: u32, page: u32, catalog: &str) {
        let mut root = changes.get(&self.root).cloned().unwrap_or_else(|| self.objects[&self.root].clone());
        for (key, entry) in value(&format!("<< {catalog} >>")).entries() {
            root.value.put(key, entry.clone());
        }
        let shared = root.value.get("AcroForm").and_then(Value::reference);
        if root.value.get("AcroForm").is_none() {
            root.value.set("AcroForm", "<< /Fields [] /SigFlags 3 >>");
        }
        match shared {
            Some(number) => {
                let mut form = changes.get(&number).cloned().unwrap_or_else(|| self.objects[&number].clone());
                enlist(&mut form.value, field);
                changes.insert(number, form);
            }
            None => enlist(root.value.get_mut("AcroForm").expect("it is there"), field),
        }
        changes.insert(self.root, root);
        let mut shown = changes.get(&page).cloned().unwrap_or_else(|| self.objects[&page].clone());
        if shown.value.get("Annots").is_none() {
            shown.value.set("Annots", "[]");
        }
        shown.value.get_mut("Annots").expect("it is there").enlist(field);
        changes.insert(page, shown);
    }

    /// Signs as Alice.
    pub fn sign(&mut self, lab: &Lab, field: &Field<'_>, more: Objects) {
        self.sign_with(field, more, |bytes| lab.pades(&lab.alice, bytes));
    }

    /// The same on a copy.
    pub fn signed(mut self, lab: &Lab, field: &Field<'_>) -> Self {
        self.sign(lab, field, Objects::new());
        self
    }

    /// Certified with that P.
    pub fn certified(mut self, lab: &Lab, p: u8) -> Self {
        let dictionary = certified(p);
        self.sign(lab, &Field { dictionary: &dictionary, catalog: PERMS, ..Field::default() }, Objects::new());
        self
    }

    /// A page on which annotations are permitted; then that many stamps beside the words, each of another size and all of one look,
    /// which shows a letter and a line so often.
    pub fn stamped(lab: &Lab, count: u32, letters: usize) -> Vec<u8> {
        let mut pdf = Self::usual().certified(lab, 3);
        let mut page = pdf.value(3).clone();
        let form = "/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Resources << /Font << /F 5 0 R >> >>";
        let content = "BT /F 5 Tf 1 1 Td (a) Tj ET 1 1 m 5 4 l S\n".repeat(letters);
        let mut changes: Objects = [(30, stream(form, content.as_bytes()))].into_iter().collect();
        for number in 31..31 + count {
            let (x, y, size) = (60 + number % 40 * 12, 60 + number / 40 * 12, 4.0 + f64::from(number) / 200.0);
            let (right, top) = (f64::from(x) + size, f64::from(y) + size);
            let stamp = format!(
                "<< /Type /Annot /Subtype /Stamp /F 4 /P 3 0 R /Rect [{x} {y} {right} {top}] /AP << /N 30 0 R >> >>"
            );
            changes.insert(number, object(&stamp));
            page.get_mut("Annots").expect("it has a field").push(&format!("{number} 0 R"));
        }
        changes.insert(3, Object { value: page, stream: None });
        pdf.update(changes);
        pdf.bytes
    }

    /// An object with an entry set.
    pub fn with(&self, number: u32, key: &str, text: &str) -> Object {
        let mut object = self.objects[&number].clone();
        object.value.set(key, text);
        object
    }

    /// Changes for long-term validation: a new /DSS with what the present one has, these certificates and revocation
    /// lists.
    pub fn proofs(&self, certificates: &[&[u8]], crls: &[&[u8]]) -> Objects {
        let mut changes = Objects::new();
        let mut next = self.free();
        let store = self.value(self.root).get("DSS").map(|store| store.reference().map_or(store, |at| self.value(at)));
        let mut list = |key: &str, bytes: &[&[u8]]| {
            let present = store.and_then(|store| store.get(key)).map_or(&[][..], Value::items);
            let mut references: Vec<String> = present.iter().map(Value::to_string).collect();
            for bytes in bytes {
                changes.insert(next, stream("", bytes));
                references.push(format!("{next} 0 R"));
                next += 1;
            }
            format!("[{}]", references.join(" "))
        };
        let text = format!("<< /Type /DSS /Certs {} /CRLs {} >>", list("Certs", certificates), list("CRLs", crls));
        changes.insert(next, object(&text));
        changes.insert(self.root, self.with(self.root, "DSS", &format!("{next} 0 R")));
        changes
    }
}

fn enlist(form: &mut Value, field: u32) {
    if form.get("Fields").is_none() {
        form.set("Fields", "[]");
    }
    form.get_mut("Fields").expect("it is there").enlist(field);
    form.set("SigFlags", "3");
}

pub fn find(bytes: &[u8], word: &[u8], from: usize) -> Option<usize> {
    bytes.get(from..)?.windows(word.len()).position(|window| window == word).map(|at| at + from)
}

pub fn rfind(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).rposition(|window| window == word)
}
