//! Signature dictionaries: ISO 32000-1 §12.8.1, EN 319 142-1 §6.

use super::characters::{decode_hexadecimal, is_hexadecimal};
use super::field::{SignatureField, inherited, signature_fields};
use super::file::File;
use super::object::{Dictionary, Object, Reference};
use super::pages::annotation_lists;
use super::revision::Revision;
use super::string::PdfString;
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::tsp::Token;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// A signature or document time-stamp and the fields that hold it.
#[derive(Debug, Clone)]
pub struct PdfSignature<'a> {
    /// The dictionary, as the latest revision has it.
    pub dictionary: Rc<Dictionary<'a>>,
    /// The fields whose value it is.
    pub fields: Vec<SignatureField<'a>>,
    /// `/ByteRange` as it is written.
    pub byte_range: Vec<i64>,
    /// `/Contents`.
    pub contents: Rc<PdfString<'a>>,
    /// `/Type`.
    pub kind: Option<String>,
    /// `/Filter`.
    pub filter: Option<String>,
    /// `/SubFilter`.
    pub sub_filter: Option<String>,
}

/// The purpose of a signature dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A signature.
    Signature,
    /// A document time-stamp: EN 319 142-1 §5.4.3.
    DocumentTimestamp,
}

/// A dictionary that is the value of signature fields, with these fields.
pub struct Held<'a> {
    dictionary: Rc<Dictionary<'a>>,
    /// The fields whose value it is.
    pub fields: Vec<SignatureField<'a>>,
}

impl Held<'_> {
    /// Returns the names of its fields.
    fn names(&self) -> String {
        self.fields.iter().map(|field| &*field.name).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the values of the signature fields, each dictionary once, in the order of the form.
pub fn held<'a>(revision: &Revision<'a, '_>) -> Vec<Held<'a>> {
    held_by(signature_fields(revision))
}

fn held_by(fields: Vec<SignatureField<'_>>) -> Vec<Held<'_>> {
    let mut found: Vec<Held<'_>> = Vec::new();
    let mut places: HashMap<Reference, usize> = HashMap::new();
    for field in fields {
        let Some((id, dictionary)) = field.value.clone() else { continue };
        let known = id.map(|id| *places.entry(id).or_insert(found.len()));
        match known.and_then(|place| found.get_mut(place)) {
            Some(known) => known.fields.push(field),
            None => found.push(Held { dictionary, fields: vec![field] }),
        }
    }
    found
}

/// The values of the signature fields of a document.
#[derive(Debug, Default)]
pub struct Signatures<'a> {
    /// Every signature and time-stamp with its fields, in the order of the form.
    pub readable: Vec<(Purpose, PdfSignature<'a>)>,
    /// Time-stamps whose type is that of a signature, which are not judged.
    pub mistyped: Vec<PdfSignature<'a>>,
    /// The fields whose value cannot be read as one.
    pub irregular: Vec<Irregularity>,
}

/// Reads what every signature field holds: EN 319 102-1 §5.2.2 wants none left out because it cannot be read.
pub fn signatures<'a>(revision: &Revision<'a, '_>) -> Signatures<'a> {
    let fields = signature_fields(revision);
    let strange = fields.iter().filter(|field| field.strange);
    let strange: Vec<_> = strange.map(|field| format!("{}: the value is no dictionary", field.name)).collect();
    let held = held_by(fields);
    let without_signature = strange.into_iter().chain(outside_of_form(revision, &held)).map(unreadable);
    let mut found = Signatures { irregular: without_signature.collect(), ..Signatures::default() };
    for held in held {
        let names = held.names();
        let Some(signature) = PdfSignature::read(revision, held) else {
            found.irregular.push(unreadable(format!("{names}: no /Contents or /ByteRange")));
            continue;
        };
        match signature.purpose() {
            Some(purpose) => found.readable.push((purpose, signature)),
            None => {
                let irregularity = contradictory(&signature, &names);
                if irregularity.kind == IrregularityKind::MalformedHeader {
                    found.mistyped.push(signature);
                }
                found.irregular.push(irregularity);
            }
        }
    }
    found
}

/// Makes the irregularity that a field cannot be read as a signature.
pub(super) fn unreadable(subject: String) -> Irregularity {
    Irregularity::about(IrregularityKind::UnreadableSignature, subject)
}

/// Makes the irregularity that the type and the sub-filter of a signature contradict each other.
///
/// NOTE: EU DSS once wrote time-stamps of the type `Sig`. One that is a time-stamp by its bytes as well can be taken for
/// nothing else; it is left out, as EU DSS does today, and that is reported.
fn contradictory(signature: &PdfSignature<'_>, names: &str) -> Irregularity {
    let shown = |name: &Option<String>| name.clone().unwrap_or_default();
    let [kind, sub_filter] = [&signature.kind, &signature.sub_filter].map(shown);
    let subject = format!("{names}: /Type {kind}, /SubFilter {sub_filter}");
    if kind == "Sig" && sub_filter == "ETSI.RFC3161" && Token::parse(&signature.contents.bytes()).is_ok() {
        return Irregularity::about(IrregularityKind::MalformedHeader, subject);
    }
    unreadable(subject)
}

/// Returns the names of signed signature fields that are on a page but not in the form. Some viewers show them.
fn outside_of_form<'a>(revision: &Revision<'a, '_>, held: &[Held<'a>]) -> Vec<String> {
    let known: Vec<_> = held.iter().map(|held| byte_range(revision, &held.dictionary)).collect();
    let is_left = || revision.limits().step_or_record().is_ok();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for (annotations, _) in annotation_lists(revision) {
        for annotation in annotations.iter().take_while(|_| is_left()) {
            if annotation.reference().is_some_and(|reference| !seen.insert(reference.number)) {
                continue;
            }
            let Object::Dictionary(field) = revision.resolve(annotation) else { continue };
            if inherited(revision, &field, b"FT").name() != Some(b"Sig") {
                continue;
            }
            let Object::Dictionary(signature) = inherited(revision, &field, b"V") else { continue };
            let own = byte_range(revision, &signature);
            let is_known = known.iter().take_while(|_| is_left()).any(|known| *known == own);
            if !is_known && signature.get(b"Contents").is_some() {
                let name = revision.text_of(&field, b"T").unwrap_or_default();
                found.push(format!("{name}: a field that is not in the form"));
            }
        }
    }
    found
}

/// Returns the `/ByteRange` of a signature dictionary. A fifth number makes it invalid, whatever follows.
pub(super) fn byte_range<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Vec<i64>> {
    let range = revision.array(signature, b"ByteRange")?;
    Some(range.iter().take(5).map(|item| revision.resolve(item).integer().unwrap_or(-1)).collect())
}

impl<'a> PdfSignature<'a> {
    /// Reads a signature dictionary.
    ///
    /// Without `/Contents` or a `/ByteRange` of two ranges it signs nothing. More numbers make it invalid.
    pub fn read(revision: &Revision<'a, '_>, held: Held<'a>) -> Option<Self> {
        let Held { dictionary, fields } = held;
        let byte_range = byte_range(revision, &dictionary).filter(|range| range.len() >= 4)?;
        let Object::String(contents) = revision.lookup(&dictionary, b"Contents") else { return None };
        let name = |key| match revision.lookup(&dictionary, key) {
            Object::Name(name) if revision.limits().text(name.len()).is_ok() => {
                Some(String::from_utf8_lossy(&name).into_owned())
            }
            _ => None,
        };
        Some(Self {
            byte_range,
            contents,
            kind: name(b"Type"),
            filter: name(b"Filter"),
            sub_filter: name(b"SubFilter"),
            dictionary,
            fields,
        })
    }

    /// Returns its purpose; `None` where type and sub-filter contradict each other.
    ///
    /// EN 319 142-1 §5.4.3: a time-stamp has the type `DocTimeStamp` and the sub-filter `ETSI.RFC3161`.
    /// NOTE: TS 102 778-4 had no type for it, so that it may be missing.
    pub fn purpose(&self) -> Option<Purpose> {
        let timestamp = self.sub_filter.as_deref() == Some("ETSI.RFC3161");
        match (self.kind.as_deref(), timestamp) {
            (None | Some("DocTimeStamp"), true) => Some(Purpose::DocumentTimestamp),
            (None | Some("Sig"), false) => Some(Purpose::Signature),
            _ => None,
        }
    }

    /// Returns the two ranges that it covers, if they are what they must be in `data`: ISO 32000-1 §12.8.1.
    ///
    /// There are four numbers. The first range starts at zero, the second ends within the file, and between the two is
    /// exactly the hexadecimal string of `/Contents` with its delimiters.
    pub fn covered(&self, data: &[u8]) -> Option<[Range<usize>; 2]> {
        let &[start, length, second, second_length] = &self.byte_range[..] else { return None };
        let [length, second, second_length] = [length, second, second_length].map(|n| usize::try_from(n).ok());
        let (length, second, second_length) = (length?, second?, second_length?);
        let end = second.checked_add(second_length)?;
        if start != 0 || length == 0 || second_length == 0 || length >= second || end > data.len() {
            return None;
        }
        let hole = data.get(length..second)?;
        let digits = hole.strip_prefix(b"<")?.strip_suffix(b">")?;
        // Nobody signs what is there: only digits, and white space between them (§7.3.4.3).
        if !is_hexadecimal(digits) {
            return None;
        }
        // Another string may stand there; it has to be the same one.
        let itself = self.contents.span == Some(length..second);
        let same = || memchr::memchr(b'>', digits).is_none() && *decode_hexadecimal(digits) == *self.contents.bytes();
        if !itself && !same() {
            return None;
        }
        Some([0..length, second..end])
    }

    /// Returns the byte where its revision ends, if `/ByteRange` states one within `data`.
    pub fn revision_end(&self, data: &[u8]) -> Option<usize> {
        let &[_, _, second, length] = &self.byte_range[..] else { return None };
        usize::try_from(second.checked_add(length)?).ok().filter(|&end| end <= data.len())
    }

    /// Returns a text of the dictionary, such as `/Reason` (ISO 32000-1 table 252).
    pub fn text(&self, revision: &Revision<'a, '_>, key: &[u8]) -> Option<String> {
        revision.text_of(&self.dictionary, key).filter(|text| !text.is_empty())
    }
}

/// Sorts signatures from the innermost to the outermost, as their byte ranges nest.
pub fn sorted<'a>(
    file: &File<'a>,
    mut signatures: Vec<(Purpose, PdfSignature<'a>)>,
) -> Vec<(Purpose, PdfSignature<'a>)> {
    // A range that is not valid has no place; it keeps the one that it claims.
    let end = |signature: &PdfSignature<'_>| signature.revision_end(file.data()).unwrap_or(usize::MAX);
    crate::order::sort_by_key(&mut signatures, |(_, signature)| (end(signature), signature.byte_range.get(1).copied()));
    signatures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    /// Returns a document with one signature field, whose value is the object.
    fn document(value: &str, in_form: bool) -> String {
        let fields = if in_form { "4 0 R" } else { "" };
        let mut text = "%PDF-1.7\n".to_string();
        let mut table = "xref\n".to_string();
        for (number, object) in [
            (1, format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{fields}]>>>>")),
            (2, "<</Kids[3 0 R]/Count 1>>".into()),
            (3, "<</Annots[4 0 R]>>".into()),
            (4, "<</FT/Sig/T(Name)/V 5 0 R>>".into()),
            (5, value.to_string()),
        ] {
            table += &format!("{number} 1\n{:010} 00000 n \n", text.len());
            text += &format!("{number} 0 obj {object} endobj\n");
        }
        let start = text.len();
        text + &format!("{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n")
    }

    #[test]
    fn every_field_counts() {
        let range = "/Contents<00>/ByteRange[0 1 2 3]";
        let rows = [
            ("12.8.1", "a signature", format!("<</SubFilter/ETSI.CAdES.detached{range}>>"), true, 1, None),
            ("12.7.5.5", "not signed", "null".into(), true, 0, None),
            ("12.8.1", "no range", "<</Contents<00>>>".into(), true, 0, Some("Name: no /Contents or /ByteRange")),
            ("12.8.1", "no contents", "<</ByteRange[0 1 2 3]>>".into(), true, 0, Some("Name: no /Contents")),
            ("12.7.5.5", "a number", "7".into(), true, 0, Some("Name: the value is no dictionary")),
            (
                "EN 319 142-1 5.4.3",
                "a time-stamp that is a signature",
                format!("<</Type/DocTimeStamp/SubFilter/ETSI.CAdES.detached{range}>>"),
                true,
                0,
                Some("Name: /Type DocTimeStamp, /SubFilter ETSI.CAdES.detached"),
            ),
            ("12.7.3", "a field only on its page", format!("<<{range}>>"), false, 0, Some("Name: a field that is not")),
            ("12.7.3", "an empty field only on its page", "null".into(), false, 0, None),
        ];
        for (clause, situation, value, in_form, readable, unreadable) in rows {
            let bytes = document(&value, in_form);
            let file = File::new(bytes.as_bytes(), &Budget::default()).expect("a PDF");
            let found = signatures(&file.open(None).expect("a revision"));
            assert_eq!(found.readable.len(), readable, "{clause}: {situation}");
            let subjects: Vec<_> =
                found.irregular.iter().filter_map(|irregular| irregular.subject.as_deref()).collect();
            assert_eq!(subjects.len(), usize::from(unreadable.is_some()), "{clause}: {situation}");
            let reason = unreadable.unwrap_or_default();
            assert!(subjects.iter().all(|said| said.starts_with(reason)), "{clause}: {situation}: {subjects:?}");
        }
    }

    #[test]
    fn a_widget_of_a_field_outside_of_the_form() {
        let text = document("<</Contents<00>/ByteRange[0 1 2 3]>>", false);
        // The same widget, which inherits all of it.
        let text = text.replace("4 0 obj <</FT/Sig/T(Name)/V 5 0 R>>", "4 0 obj <</Parent<</FT/Sig/V 5 0 R>>>>");
        let file = File::new(text.as_bytes(), &Budget::default()).expect("a PDF");
        let found = signatures(&file.open(None).expect("a revision"));
        assert_eq!(found.irregular.len(), 1, "12.7.3.2: {:?}", found.irregular);
    }

    #[test]
    fn what_the_hole_holds() {
        for (situation, hole, expected) in [
            ("digits", "<00ff>", true),
            ("white space between them", "<00 f\nf>", true),
            ("an object", "<00\n4 0 obj[(a)]endobj\n>", false),
            ("a comment", "<00%>", false),
        ] {
            let start = format!("<</SubFilter/ETSI.CAdES.detached/ByteRange[0 RRR SSS 0009]/Contents{hole}>>");
            let text = document(&start, true);
            let at = text.find(&format!("/Contents{hole}")).expect("the hole") + "/Contents".len();
            let text = text.replace("RRR", &format!("{at:03}")).replace("SSS", &format!("{:03}", at + hole.len()));
            let file = File::new(text.as_bytes(), &Budget::default()).expect("a PDF");
            let found = signatures(&file.open(None).expect("a revision"));
            let covered = found.readable.iter().any(|(_, signature)| signature.covered(text.as_bytes()).is_some());
            assert_eq!(covered, expected, "7.3.4.3, 12.8.1: {situation}");
        }
    }
}
