//! Fields of the interactive form, signature fields among them: ISO 32000-1 §12.7.3, §12.7.4.5, §12.8.1.

use super::limits::Limits;
use super::object::{Dictionary, Object, Reference};
use super::permissions::{self, Lock};
use super::revision::Revision;
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
    pub lock: Option<Rc<Lock>>,
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
    // The kids that were met again, with the parent whose lock is on them, too.
    let mut met_again = HashSet::new();
    let nesting = revision.limits().nesting;
    // Depth first, in the order of the form, without recursion.
    let mut todo: Vec<Node<'a>> = fields.iter().rev().map(|field| Node::root(field.clone())).collect();
    while let Some(node) = todo.pop() {
        if revision.limits().step_or_record().is_err() {
            break;
        }
        let number = node.object.reference().map_or(0, |reference| reference.number);
        let is_known = number != 0 && !seen.insert(number);
        if is_known && !(node.lock.is_some() && met_again.insert((number, node.parent))) {
            continue;
        }
        let Object::Dictionary(dictionary) = revision.resolve(&node.object) else { continue };
        let is_named = dictionary.get(b"T").is_some();
        if is_known && is_named {
            continue;
        }
        let is_signature = match revision.lookup(&dictionary, b"FT") {
            Object::Name(kind) => *kind == *b"Sig",
            _ => node.is_signature,
        };
        let value = dictionary.get(b"V").cloned().or(node.value);
        let own_lock = permissions::lock_of_field(revision, &dictionary).map(Rc::new);
        let lock = own_lock.or(node.lock.filter(|_| !is_named));
        let name = || qualified(revision.limits(), node.name.clone(), revision.text_of(&dictionary, b"T"));
        // A child with a name of its own is a field, one without is a widget of this field (§12.7.3.1).
        let kids = revision.array(&dictionary, b"Kids").unwrap_or_default();
        let is_field = |kid: &Object<'a>| match revision.resolve(kid) {
            Object::Dictionary(kid) => kid.get(b"T").is_some() || kid.get(b"FT").is_some(),
            _ => false,
        };
        if node.depth < nesting && kids.iter().any(is_field) {
            let name = name();
            todo.extend(kids.iter().rev().map(|kid| Node {
                object: kid.clone(),
                name: name.clone(),
                is_signature,
                value: value.clone(),
                lock: lock.clone(),
                parent: number,
                depth: node.depth + 1,
            }));
        } else if is_signature {
            found.extend(SignatureField::read(revision, name().unwrap_or_default(), dictionary, lock, value));
        }
    }
    found
}

impl<'a> SignatureField<'a> {
    /// Makes the field of that name and value; `None` where it takes more than the limits allow.
    fn read(
        revision: &Revision<'a, '_>,
        name: Rc<str>,
        dictionary: Rc<Dictionary<'a>>,
        lock: Option<Rc<Lock>>,
        value: Option<Object<'a>>,
    ) -> Option<Self> {
        let locked =
            lock.iter().flat_map(|lock| &lock.fields).map(|name| name.len() + permissions::ENTRY).sum::<usize>();
        revision.limits().text(name.len() + locked).ok()?;
        let mut strange = false;
        let value = value.and_then(|value| match revision.resolve(&value) {
            Object::Dictionary(signature) => Some((value.reference(), signature)),
            other => {
                strange = other != Object::Null;
                None
            }
        });
        Some(SignatureField { name: name.to_string(), dictionary, lock, value, strange })
    }
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
        let mut found = Self::default();
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
            let name = qualified(revision.limits(), above, revision.text_of(&field, b"T"));
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
    name: Option<Rc<str>>,
    is_signature: bool,
    value: Option<Object<'a>>,
    /// The lock of the field of which it is a widget, if it is one.
    lock: Option<Rc<Lock>>,
    /// The object number of its parent; zero, which no object has, where there is none.
    parent: u32,
    depth: usize,
}

impl<'a> Node<'a> {
    fn root(object: Object<'a>) -> Self {
        Self { object, name: None, is_signature: false, value: None, lock: None, parent: 0, depth: 0 }
    }
}

/// Joins partial names by a full stop: ISO 32000-1 §12.7.3.2. A name beyond the limits is none.
pub(super) fn qualified(limits: &Limits, parent: Option<Rc<str>>, partial: Option<String>) -> Option<Rc<str>> {
    match (parent, partial) {
        (Some(parent), Some(partial)) => {
            limits.text(parent.len()).ok()?;
            Some(format!("{parent}.{partial}").into())
        }
        (parent, partial) => parent.or(partial.map(Rc::from)),
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
    let mut above = ancestors(revision, field).map(|one| revision.lookup(&one, key));
    above.find(|found| *found != Object::Null).unwrap_or(Object::Null)
}

/// Returns the ancestors of a field or page, the nearest first.
pub(super) fn ancestors<'a, 'f, 'r>(
    revision: &'r Revision<'a, 'f>,
    of: &Dictionary<'a>,
) -> impl Iterator<Item = Rc<Dictionary<'a>>> + use<'a, 'f, 'r> {
    let parent = |of: &Dictionary<'a>| revision.dictionary(of, b"Parent");
    std::iter::successors(parent(of), move |one| parent(one)).take(PARENTS)
}

/// Returns the fully qualified name of a field: ISO 32000-1 §12.7.3.2.
pub(super) fn qualified_name<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> Option<Rc<str>> {
    let mut names: Vec<String> = revision.text_of(field, b"T").into_iter().collect();
    names.extend(ancestors(revision, field).filter_map(|one| revision.text_of(&one, b"T")));
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
            let limits = Limits::new(&crate::budget::Budget::default(), 1);
            let found = qualified(&limits, parent.map(Rc::from), partial.map(String::from));
            assert_eq!(found.as_deref(), expected, "{clause}: {situation}");
        }
    }
}
