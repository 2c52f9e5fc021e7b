//! Fields of the interactive form, signature fields among them: ISO 32000-1 §12.7.3, §12.7.4.5, §12.8.1.

use super::object::{Dictionary, Object, Reference};
use super::permissions::{self, Lock};
use super::revision::Revision;
use super::text::text;
use std::collections::{HashMap, HashSet};
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
    /// Whether it has a value other than a dictionary.
    pub strange: bool,
}

/// Returns the signature fields of the interactive form, in its order.
pub fn signature_fields<'a>(revision: &Revision<'a, '_>) -> Vec<SignatureField<'a>> {
    let mut found = Vec::new();
    let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
    let Some(fields) = form.and_then(|form| revision.array(&form, b"Fields")) else { return found };
    let mut seen = HashSet::new();
    let nesting = revision.limits().nesting;
    // Depth first, in the order of the form, without recursion.
    let mut todo: Vec<Node<'a>> = fields.iter().rev().map(|field| Node::root(field.clone())).collect();
    while let Some(node) = todo.pop() {
        if revision.limits().step_or_record().is_err() {
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
        let is_named = dictionary.get(b"T").is_some();
        let lock = permissions::lock_of_field(revision, &dictionary).or(node.lock.filter(|_| !is_named));
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
                lock: lock.clone(),
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
            found.push(SignatureField { name: name.unwrap_or_default(), dictionary, lock, value, strange });
        }
    }
    found
}

/// Returns the object numbers of everything in the interactive form: fields, their children, widgets.
pub(super) fn members(revision: &Revision<'_, '_>) -> HashSet<u32> {
    let mut found = HashSet::new();
    let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
    let mut todo = form.and_then(|form| revision.array(&form, b"Fields")).map_or(vec![], |fields| fields.to_vec());
    while let Some(node) = todo.pop() {
        let seen = node.reference().is_some_and(|reference| !found.insert(reference.number));
        if seen || revision.limits().step_or_record().is_err() {
            continue;
        }
        let Object::Dictionary(field) = revision.resolve(&node) else { continue };
        todo.extend(revision.array(&field, b"Kids").unwrap_or_default().iter().cloned());
    }
    found
}

/// Bounds the bytes of all names together; a field whose name would be beyond has that of its parent.
const NAMES: usize = 1 << 24;

/// Bounds the names that one field has beside the first.
const OTHER_NAMES: usize = 8;

/// The fully qualified names of the fields and widgets of the interactive form, by the numbers of their objects: ISO 32000-1
/// §12.7.3.2.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    first: HashMap<u32, Option<Rc<str>>>,
    /// The other names of those that several fields have as their kid.
    others: HashMap<u32, Vec<Rc<str>>>,
}

impl FieldNames {
    /// Finds the names by the ways from the form down.
    pub fn of(revision: &Revision<'_, '_>) -> Self {
        let (mut found, mut room) = (Self::default(), NAMES);
        let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
        let roots = form.and_then(|form| revision.array(&form, b"Fields")).unwrap_or_default();
        let mut todo: Vec<(Object<'_>, Option<Rc<str>>)> = roots.iter().map(|root| (root.clone(), None)).collect();
        while let Some((node, above)) = todo.pop() {
            let number = node.reference().map(|reference| reference.number);
            // What spends all steps is not compared to the end.
            if !revision.file().step() {
                break;
            }
            let Object::Dictionary(field) = revision.resolve(&node) else { continue };
            let partial = if room > 0 { text(&revision.lookup(&field, b"T")) } else { None };
            let name = match partial.and_then(|partial| qualified(above.as_deref(), Some(partial))) {
                Some(name) => {
                    let fits = name.len() <= room;
                    room = room.saturating_sub(name.len());
                    if fits { Some(name.into()) } else { above }
                }
                None => above,
            };
            if number.is_some_and(|number| !found.add(number, &name)) {
                continue;
            }
            let kids = revision.array(&field, b"Kids").unwrap_or_default();
            todo.extend(kids.iter().map(|kid| (kid.clone(), name.clone())));
        }
        found
    }

    /// Adds the name of an object; `false` where it is known, or one name too many.
    fn add(&mut self, number: u32, name: &Option<Rc<str>>) -> bool {
        let Some(first) = self.first.get_mut(&number) else {
            self.first.insert(number, name.clone());
            return true;
        };
        let Some(name) = name else { return false };
        if first.as_ref().is_none_or(|first| first == name) {
            return first.replace(name.clone()).is_none();
        }
        let others = self.others.entry(number).or_default();
        let is_new = others.len() <= OTHER_NAMES && !others.contains(name);
        others.extend(is_new.then(|| name.clone()));
        is_new
    }

    /// Returns the first name of an object.
    pub fn first(&self, number: u32) -> Option<&Rc<str>> {
        self.first.get(&number)?.as_ref()
    }

    /// Returns the other names of an object.
    pub fn others(&self, number: u32) -> &[Rc<str>] {
        self.others.get(&number).map_or(&[], |others| others)
    }

    /// Returns whether an object may have names that are not known, because it has too many.
    pub fn are_too_many(&self, number: u32) -> bool {
        self.others(number).len() > OTHER_NAMES
    }
}

/// A node of the field tree with what it inherits (ISO 32000-1 table 220).
struct Node<'a> {
    object: Object<'a>,
    name: Option<String>,
    kind: Option<Vec<u8>>,
    value: Option<Object<'a>>,
    /// The lock of the field of which it is a widget, if it is one.
    lock: Option<Lock>,
    depth: usize,
}

impl<'a> Node<'a> {
    fn root(object: Object<'a>) -> Self {
        Self { object, name: None, kind: None, value: None, lock: None, depth: 0 }
    }
}

/// Joins partial names by a full stop: ISO 32000-1 §12.7.3.2.
pub(super) fn qualified(parent: Option<&str>, partial: Option<String>) -> Option<String> {
    match (parent, partial) {
        (Some(parent), Some(partial)) => Some(format!("{parent}.{partial}")),
        (Some(parent), None) => Some(parent.to_string()),
        (None, partial) => partial,
    }
}

/// Bounds the parents of a field that are followed upwards.
const PARENTS: usize = 32;

/// Returns the value of an inheritable entry of a field: ISO 32000-1 table 220.
pub(super) fn inherited<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
    let own = revision.lookup(field, key);
    if own != Object::Null {
        return own;
    }
    let mut parent = revision.dictionary(field, b"Parent");
    for _ in 0..PARENTS {
        let Some(above) = parent else { break };
        let found = revision.lookup(&above, key);
        if found != Object::Null {
            return found;
        }
        parent = revision.dictionary(&above, b"Parent");
    }
    Object::Null
}

/// Returns the fully qualified name of a field: ISO 32000-1 §12.7.3.2.
pub(super) fn qualified_name<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> Option<Rc<str>> {
    let mut names: Vec<String> = text(&revision.lookup(field, b"T")).into_iter().collect();
    let mut parent = revision.dictionary(field, b"Parent");
    for _ in 0..PARENTS {
        let Some(above) = parent else { break };
        names.extend(text(&revision.lookup(&above, b"T")));
        parent = revision.dictionary(&above, b"Parent");
    }
    names.reverse();
    (!names.is_empty()).then(|| names.join(".").into())
}

#[cfg(test)]
mod tests {
    use super::*;

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
