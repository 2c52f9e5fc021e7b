//! What a signer permits to change: ISO 32000-1 §12.8.2, and `/Lock` of table 233.

use super::object::{Dictionary, Object};
use super::revision::Revision;
use super::text::text;
use crate::facts;
use std::rc::Rc;

pub use crate::facts::{LockAction, Permission};

/// A `/Lock` or `FieldMDP` dictionary.
pub type Lock = facts::Lock;

/// Returns the permission of a `/P`: ISO 32000-1 table 254. The default is 2.
fn permission(value: Option<i64>) -> Option<Permission> {
    match value {
        Some(1) => Some(Permission::NoChange),
        Some(2) => Some(Permission::MinimalChanges),
        Some(3) => Some(Permission::Changes),
        _ => None,
    }
}

/// Reads a lock: ISO 32000-1 tables 233 and 256.
pub fn lock<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>) -> Option<Lock> {
    let action = revision.lookup(dictionary, b"Action");
    let action = match action.name()? {
        b"All" => LockAction::All,
        b"Include" => LockAction::Include,
        b"Exclude" => LockAction::Exclude,
        _ => return None,
    };
    let fields = revision.array(dictionary, b"Fields").unwrap_or_default();
    let fields = fields.iter().filter_map(|field| text(&revision.resolve(field))).collect();
    let permissions = permission(revision.lookup(dictionary, b"P").integer());
    Some(Lock { action, fields, permissions })
}

/// Returns the parameters of a signature's transforms by a method (ISO 32000-1 table 253). A reference that is not in an
/// array is taken as the only one.
fn transforms<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>, method: &[u8]) -> Vec<Rc<Dictionary<'a>>> {
    let references = match revision.lookup(signature, b"Reference") {
        Object::Array(references) => references.to_vec(),
        one => vec![one],
    };
    let parameters = |reference: &Object<'a>| {
        let Object::Dictionary(reference) = revision.resolve(reference) else { return None };
        (revision.lookup(&reference, b"TransformMethod").name() == Some(method)).then_some(())?;
        revision.dictionary(&reference, b"TransformParams")
    };
    references.iter().filter_map(parameters).collect()
}

/// Returns what a certification signature permits: ISO 32000-1 §12.8.2.2. Of several permissions the least counts; a value
/// that is none of the three permits nothing.
pub fn doc_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Permission> {
    let permitted = |parameters: &Rc<Dictionary<'a>>| match revision.lookup(parameters, b"P") {
        Object::Null => Permission::MinimalChanges,
        stated => permission(stated.integer()).unwrap_or(Permission::NoChange),
    };
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
    let copied = copied.iter().filter_map(|parameters| lock(revision, parameters)?.permissions);
    let all = doc_mdp(revision, signature).into_iter().chain(locks.flatten()).chain(copied);
    all.min_by_key(|permission| level(*permission))
}

/// Returns which fields a signature locks: ISO 32000-1 §12.8.2.4. Of several locks all count: those that name fields are
/// put together, any other one locks every field.
pub fn field_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Lock> {
    let parameters = transforms(revision, signature, b"FieldMDP");
    let mut locks = parameters.iter().filter_map(|parameters| lock(revision, parameters));
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

    /// What signatures of these references permit, and which fields they lock.
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
        ] {
            let lock = read(&references).1.expect("a lock");
            assert_eq!((lock.action, lock.fields.join(" ")), (action, fields.to_string()), "12.8.2.4: {situation}");
        }
    }
}
