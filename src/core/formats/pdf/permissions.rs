//! What a signer permits to change: ISO 32000-1 §12.8.2, and `/Lock` of table 233.

use super::object::{Dictionary, Object};
use super::revision::Revision;
use crate::facts;
use std::rc::Rc;

pub use crate::facts::{LockAction, Permission};

/// A `/Lock` or `FieldMDP` dictionary.
pub type Lock = facts::Lock;

/// How many bytes of text a name in a lock, or a reference of a signature, counts as, however short it is.
pub(super) const ENTRY: usize = size_of::<String>();

/// Returns the permission of a `/P`: ISO 32000-1 table 254. The default is 2.
fn permission(value: Option<i64>) -> Option<Permission> {
    match value {
        Some(1) => Some(Permission::NoChange),
        Some(2) => Some(Permission::MinimalChanges),
        Some(3) => Some(Permission::Changes),
        _ => None,
    }
}

/// Returns the permission that a `/P` states; `None` where there is none. A value that is none of the three permits nothing.
fn stated<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>) -> Option<Permission> {
    match revision.lookup(dictionary, b"P") {
        Object::Null => None,
        stated => Some(permission(stated.integer()).unwrap_or(Permission::NoChange)),
    }
}

/// Reads a lock: ISO 32000-1 tables 233 and 256. One that does not say which fields it locks, which both require, locks all.
fn lock<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>) -> Lock {
    let permissions = stated(revision, dictionary);
    let action = match revision.lookup(dictionary, b"Action").name() {
        Some(b"Include") => LockAction::Include,
        Some(b"Exclude") => LockAction::Exclude,
        _ => LockAction::All,
    };
    let name = |field: &Object<'a>| revision.limits().text(ENTRY).ok().and_then(|()| revision.text(field));
    let names = |fields: Rc<[Object<'a>]>| fields.iter().map(name).collect();
    match (action, revision.array(dictionary, b"Fields").and_then(names)) {
        (LockAction::Include | LockAction::Exclude, None) => {
            Lock { action: LockAction::All, fields: vec![], permissions }
        }
        (action, fields) => Lock { action, fields: fields.unwrap_or_default(), permissions },
    }
}

/// Returns the `/Lock` of a signature field: ISO 32000-1 table 232.
pub fn lock_of_field<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> Option<Lock> {
    match revision.lookup(field, b"Lock") {
        Object::Null => None,
        Object::Dictionary(dictionary) => Some(lock(revision, &dictionary)),
        _ => Some(lock(revision, &Dictionary::default())),
    }
}

/// Returns the parameters of a signature's transforms by a method (ISO 32000-1 table 253). A reference that is not in an
/// array is taken as the only one; one without parameters has none that are not the default.
fn transforms<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>, method: &[u8]) -> Vec<Rc<Dictionary<'a>>> {
    let references = match revision.lookup(signature, b"Reference") {
        Object::Array(references) => references.to_vec(),
        one => vec![one],
    };
    let parameters = |reference: &Object<'a>| {
        revision.limits().text(ENTRY).ok()?;
        let Object::Dictionary(reference) = revision.resolve(reference) else { return None };
        (revision.lookup(&reference, b"TransformMethod").name() == Some(method)).then_some(())?;
        Some(revision.dictionary(&reference, b"TransformParams").unwrap_or_default())
    };
    references.iter().filter_map(parameters).collect()
}

/// Returns what a certification signature permits: ISO 32000-1 §12.8.2.2. Of several permissions the least counts; a value
/// that is none of the three permits nothing.
pub fn doc_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Permission> {
    let permitted =
        |parameters: &Rc<Dictionary<'a>>| stated(revision, parameters).unwrap_or(Permission::MinimalChanges);
    transforms(revision, signature, b"DocMDP").iter().map(permitted).min_by_key(|permission| level(*permission))
}

/// Returns the `/P` of a permission: ISO 32000-1 table 254.
pub(crate) fn level(permission: Permission) -> u8 {
    match permission {
        Permission::NoChange => 1,
        Permission::MinimalChanges => 2,
        Permission::Changes => 3,
    }
}

/// Returns what is permitted after a signature was made: by its certification, by the locks of its fields (ISO 32000-2 table
/// 236), and by what some writers copy from these into the parameters of `FieldMDP`. The least counts.
#[cfg(all(feature = "signing", feature = "pdf"))]
pub(crate) fn permitted_after<'a>(
    revision: &Revision<'a, '_>,
    signature: &Dictionary<'a>,
    locks: impl Iterator<Item = Option<Permission>>,
) -> Option<Permission> {
    let copied = transforms(revision, signature, b"FieldMDP");
    let copied = copied.iter().filter_map(|parameters| stated(revision, parameters));
    let all = doc_mdp(revision, signature).into_iter().chain(locks.flatten()).chain(copied);
    all.min_by_key(|permission| level(*permission))
}

/// Returns which fields a signature locks: ISO 32000-1 §12.8.2.4. Of several locks all count: those that name fields are
/// put together, any other one locks every field.
pub fn field_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Lock> {
    let parameters = transforms(revision, signature, b"FieldMDP");
    let mut locks = parameters.iter().map(|parameters| lock(revision, parameters));
    // `P` is for DocMDP and locks alone.
    let first = Lock { permissions: None, ..locks.next()? };
    Some(locks.fold(first, |mut together, next| {
        match (together.action, next.action) {
            (LockAction::Include, LockAction::Include) => together.fields.extend(next.fields),
            _ => together = Lock { action: LockAction::All, fields: Default::default(), permissions: None },
        }
        together
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::pdf::File;
    use crate::formats::pdf::lexer::Lexer;

    /// Returns what signatures of these references permit, and which fields they lock.
    fn read(references: &str) -> (Option<Permission>, Option<Lock>) {
        let bytes =
            b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\nxref\n1 1\n0000000009 00000 n \ntrailer<</Root 1 0 R>>\n\
            startxref\n40\n%%EOF\n";
        let file = File::new(bytes, &Budget::default()).expect("a PDF");
        let revision = file.open(None).expect("a revision");
        let text = format!("<</Reference {references}>>");
        let Ok(Object::Dictionary(signature)) = Lexer::new(text.as_bytes(), 0, 8).object() else { return (None, None) };
        (doc_mdp(&revision, &signature), field_mdp(&revision, &signature))
    }

    #[test]
    fn certifications() {
        let one = |value: &str| format!("<</TransformMethod/DocMDP/TransformParams<<{value}>>>>");
        for (situation, references, expected) in [
            ("nothing said", format!("[{}]", one("")), Some(Permission::MinimalChanges)),
            ("annotations", format!("[{}]", one("/P 3")), Some(Permission::Changes)),
            ("no such value", format!("[{}]", one("/P 0")), Some(Permission::NoChange)),
            ("without parameters", "[<</TransformMethod/DocMDP>>]".into(), Some(Permission::MinimalChanges)),
            ("not in an array", one("/P 1"), Some(Permission::NoChange)),
            ("the least of two", format!("[{}{}]", one("/P 3"), one("/P 1")), Some(Permission::NoChange)),
            ("none", "[]".into(), None),
        ] {
            assert_eq!(read(&references).0, expected, "12.8.2.2: {situation}");
        }
    }

    #[test]
    fn locked_fields() {
        let one = |value: &str| format!("<</TransformMethod/FieldMDP/TransformParams<<{value}>>>>");
        let (a, b, all) = (one("/Action/Include/Fields[(a)]"), one("/Action/Include/Fields[(b)]"), one("/Action/All"));
        for (situation, references, action, fields) in [
            ("one", format!("[{a}]"), LockAction::Include, "a"),
            ("two", format!("[{a}{b}]"), LockAction::Include, "a b"),
            ("one of them all", format!("[{a}{all}]"), LockAction::All, ""),
            ("no action", format!("[{}]", one("/Fields[(a)]")), LockAction::All, "a"),
            ("no such action", format!("[{}]", one("/Action/include/Fields[(a)]")), LockAction::All, "a"),
            ("some fields without name", format!("[{}]", one("/Action/Include/Fields[(a)/b]")), LockAction::All, ""),
            ("no parameters", "[<</TransformMethod/FieldMDP>>]".into(), LockAction::All, ""),
        ] {
            let lock = read(&references).1.expect("a lock");
            assert_eq!((lock.action, lock.fields.join(" ")), (action, fields.to_string()), "12.8.2.4: {situation}");
        }
    }
}
