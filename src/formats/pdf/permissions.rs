//! What a signer permits to change: ISO 32000-1 §12.8.2, and `/Lock` of table 233.

use super::file::Revision;
use super::object::{Dictionary, Object};
use crate::facts;
use std::rc::Rc;

pub use crate::facts::{LockAction, Permission};

/// A `/Lock` or `FieldMDP` dictionary.
pub type Lock = facts::Lock;

/// ISO 32000-1 table 254, `P`; 2 is what is meant when nothing is said.
fn permission(value: Option<i64>) -> Option<Permission> {
    match value {
        Some(1) => Some(Permission::NoChange),
        Some(2) => Some(Permission::MinimalChanges),
        Some(3) => Some(Permission::Changes),
        _ => None,
    }
}

/// ISO 32000-1 tables 233 and 256.
pub fn lock<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>) -> Option<Lock> {
    let action = revision.lookup(dictionary, b"Action");
    let action = match action.name()? {
        b"All" => LockAction::All,
        b"Include" => LockAction::Include,
        b"Exclude" => LockAction::Exclude,
        _ => return None,
    };
    let fields = revision.array(dictionary, b"Fields").unwrap_or_default();
    let fields = fields.iter().filter_map(|field| super::field::text(&revision.resolve(field))).collect();
    let permissions = permission(revision.lookup(dictionary, b"P").integer());
    Some(Lock { action, fields, permissions })
}

/// The parameters of a signature's transform method, with its reference dictionary (ISO 32000-1 table 253).
fn transform<'a>(
    revision: &Revision<'a, '_>,
    signature: &Dictionary<'a>,
    method: &[u8],
) -> Option<(Rc<Dictionary<'a>>, Rc<Dictionary<'a>>)> {
    let references = revision.array(signature, b"Reference")?;
    references.iter().find_map(|reference| {
        let Object::Dictionary(reference) = revision.resolve(reference) else { return None };
        (revision.lookup(&reference, b"TransformMethod").name() == Some(method)).then_some(())?;
        let parameters = revision.dictionary(&reference, b"TransformParams")?;
        Some((parameters, reference))
    })
}

/// What a certification signature permits: ISO 32000-1 §12.8.2.2.
pub fn doc_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Permission> {
    let (parameters, _) = transform(revision, signature, b"DocMDP")?;
    Some(permission(revision.lookup(&parameters, b"P").integer()).unwrap_or(Permission::MinimalChanges))
}

/// Which fields a signature locks: ISO 32000-1 §12.8.2.4.
pub fn field_mdp<'a>(revision: &Revision<'a, '_>, signature: &Dictionary<'a>) -> Option<Lock> {
    let (parameters, _) = transform(revision, signature, b"FieldMDP")?;
    // `P` is for DocMDP and locks alone.
    Some(Lock { permissions: None, ..lock(revision, &parameters)? })
}
