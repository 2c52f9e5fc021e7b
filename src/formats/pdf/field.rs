//! Signature fields and what they hold: ISO 32000-1 §12.7.3, §12.7.4.5, §12.8.1.

use super::object::{Dictionary, Object, Reference};
use super::permissions::{self, Lock};
use super::revision::Revision;
use std::collections::HashSet;
use std::rc::Rc;

/// A signature field: ISO 32000-1 §12.7.4.5.
#[derive(Debug, Clone)]
pub struct SignatureField<'a> {
    /// Its fully qualified name (§12.7.3.2).
    pub name: String,
    /// Its dictionary.
    pub dictionary: Rc<Dictionary<'a>>,
    /// Its `/Lock` (table 233).
    pub lock: Option<Lock>,
    /// The signature dictionary and its object number, where it is signed.
    pub value: Option<(Option<Reference>, Rc<Dictionary<'a>>)>,
    /// Whether it has a value that is no dictionary.
    pub strange: bool,
}

/// The signature fields of the interactive form, in its order.
pub fn signature_fields<'a>(revision: &Revision<'a, '_>) -> Vec<SignatureField<'a>> {
    let mut found = Vec::new();
    let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
    let Some(fields) = form.and_then(|form| revision.array(&form, b"Fields")) else { return found };
    let mut seen = HashSet::new();
    let nesting = revision.limits().0;
    // Depth first, in the order of the form, without recursion.
    let mut todo: Vec<Node<'a>> = fields.iter().rev().map(|field| Node::root(field.clone())).collect();
    while let Some(node) = todo.pop() {
        if revision.bounds().step_kept().is_err() {
            break;
        }
        if node.object.reference().is_some_and(|reference| !seen.insert(reference.number)) {
            continue;
        }
        let Object::Dictionary(dictionary) = revision.resolve(&node.object) else { continue };
        let kind = match revision.lookup(&dictionary, b"FT") {
            Object::Name(kind) => Some(kind.to_vec()),
            _ => node.kind,
        };
        let name = qualified(node.name.as_deref(), text(&revision.lookup(&dictionary, b"T")));
        let value = dictionary.get(b"V").cloned().or(node.value);
        let lock = revision.dictionary(&dictionary, b"Lock");
        // A child with a name of its own is a field, one without is a widget of this field (§12.7.3.1).
        let kids = revision.array(&dictionary, b"Kids").unwrap_or_default();
        let is_field = |kid: &Object<'a>| match revision.resolve(kid) {
            Object::Dictionary(kid) => kid.get(b"T").is_some() || kid.get(b"FT").is_some(),
            _ => false,
        };
        if node.depth < nesting && kids.iter().any(is_field) {
            todo.extend(kids.iter().rev().map(|kid| Node {
                object: kid.clone(),
                name: name.clone(),
                kind: kind.clone(),
                value: value.clone(),
                depth: node.depth + 1,
            }));
        } else if kind.as_deref() == Some(b"Sig") {
            let mut strange = false;
            let value = value.and_then(|value| match revision.resolve(&value) {
                Object::Dictionary(signature) => Some((value.reference(), signature)),
                other => {
                    strange = other != Object::Null;
                    None
                }
            });
            let lock = lock.and_then(|lock| permissions::lock(revision, &lock));
            found.push(SignatureField { name: name.unwrap_or_default(), dictionary, lock, value, strange });
        }
    }
    found
}

/// The object numbers of all that stands in the interactive form: fields, their children, widgets.
pub(super) fn members(revision: &Revision<'_, '_>) -> HashSet<u32> {
    let mut found = HashSet::new();
    let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
    let mut todo = form.and_then(|form| revision.array(&form, b"Fields")).map_or(vec![], |fields| fields.to_vec());
    while let Some(node) = todo.pop() {
        let seen = node.reference().is_some_and(|reference| !found.insert(reference.number));
        if seen || revision.bounds().step_kept().is_err() {
            continue;
        }
        let Object::Dictionary(field) = revision.resolve(&node) else { continue };
        todo.extend(revision.array(&field, b"Kids").unwrap_or_default().iter().cloned());
    }
    found
}

/// A node of the field tree with what it inherits (ISO 32000-1 table 220).
struct Node<'a> {
    object: Object<'a>,
    name: Option<String>,
    kind: Option<Vec<u8>>,
    value: Option<Object<'a>>,
    depth: usize,
}

impl<'a> Node<'a> {
    fn root(object: Object<'a>) -> Self {
        Self { object, name: None, kind: None, value: None, depth: 0 }
    }
}

/// ISO 32000-1 §12.7.3.2: partial names joined by full stops.
fn qualified(parent: Option<&str>, partial: Option<String>) -> Option<String> {
    match (parent, partial) {
        (Some(parent), Some(partial)) => Some(format!("{parent}.{partial}")),
        (Some(parent), None) => Some(parent.to_string()),
        (None, partial) => partial,
    }
}

/// A text string: ISO 32000-1 §7.9.2.2, ISO 32000-2 also UTF-8.
pub fn text(object: &Object<'_>) -> Option<String> {
    let bytes = object.string()?.bytes();
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    Some(match bytes.as_ref() {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        plain => plain.iter().map(|&octet| pdf_doc_encoding(octet)).collect(),
    })
}

/// ISO 32000-1 annex D.3: as Latin-1, but for two stretches.
fn pdf_doc_encoding(octet: u8) -> char {
    const LOW: [char; 8] = ['\u{2D8}', '\u{2C7}', '\u{2C6}', '\u{2D9}', '\u{2DD}', '\u{2DB}', '\u{2DA}', '\u{2DC}'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}', '€',
    ];
    match octet {
        0x18..=0x1F => LOW[usize::from(octet - 0x18)],
        0x80..=0xA0 => HIGH[usize::from(octet - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::pdf::lexer::Lexer;

    #[test]
    fn texts() {
        let rows = [
            ("7.9.2.2", "PDFDocEncoding", "(caf\\351 \\240)", "café €"),
            ("7.9.2.2", "UTF-16, big end first", "<FEFF00410142>", "Ał"),
            ("7.9.2.2", "UTF-8 (ISO 32000-2)", "<EFBBBFC582>", "ł"),
        ];
        for (clause, situation, string, expected) in rows {
            let object = Lexer::new(string.as_bytes(), 0, 8).object().expect(situation);
            assert_eq!(text(&object).as_deref(), Some(expected), "{clause}: {situation}");
        }
    }

    #[test]
    fn names() {
        let rows = [
            ("12.7.3.2", "root", None, Some("a"), Some("a")),
            ("12.7.3.2", "child", Some("a"), Some("b"), Some("a.b")),
            ("12.7.3.2", "a widget has its field's name", Some("a"), None, Some("a")),
        ];
        for (clause, situation, parent, partial, expected) in rows {
            assert_eq!(qualified(parent, partial.map(String::from)).as_deref(), expected, "{clause}: {situation}");
        }
    }
}
