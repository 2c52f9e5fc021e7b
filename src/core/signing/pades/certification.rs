//! What a signature permits afterwards: ISO 32000-1 §12.8.2, ISO 32000-2 table 236.

use super::{Lock, LockAction, Permission};
use crate::formats::pdf::Reference;
use crate::formats::pdf::permissions::level;
use crate::formats::pdf::write::{Entries, Update, Value, WriteError, text_string};

/// What a signature permits afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Terms {
    /// What is permitted to all, where it is a certification.
    pub certify: Option<Permission>,
    /// The fields that are locked.
    pub lock: Option<Lock>,
    /// Whether the lock is to be written into the field, which has none.
    pub lock_is_new: bool,
}

/// Returns the signature references: ISO 32000-1 table 253. The certification is the first.
pub(super) fn references(terms: &Terms, catalog: Reference) -> Vec<Value> {
    let mut references = vec![];
    // Of two permissions the lesser counts; writers that have both write it into both.
    let locked = terms.lock.as_ref().and_then(|lock| lock.permissions);
    let certified = terms.certify.into_iter().chain(locked).min_by_key(|permission| level(*permission));
    if let Some(permission) = certified.filter(|_| terms.certify.is_some()) {
        let parameters = Entries::new().with("P", i64::from(level(permission)));
        references.push(reference("DocMDP", parameters, None));
    }
    if let Some(lock) = &terms.lock {
        let parameters = of_lock(lock, terms.certify.is_none());
        references.push(reference("FieldMDP", parameters, Some(catalog)));
    }
    references
}

fn reference(method: &'static str, parameters: Entries, data: Option<Reference>) -> Value {
    let mut entries = Entries::new().with("Type", Value::name("SigRef")).with("TransformMethod", Value::name(method));
    data.into_iter().for_each(|data| entries.set(b"Data", data));
    let mut all = Entries::new().with("Type", Value::name("TransformParams"));
    parameters.iter().for_each(|(key, value)| all.set(key, value.clone()));
    entries.with("TransformParams", all.with("V", Value::name("1.2"))).into()
}

/// Returns the entries that a lock and the parameters of `FieldMDP` have in common: ISO 32000-1 tables 233 and 256.
fn of_lock(lock: &Lock, with_permissions: bool) -> Entries {
    let action = match lock.action {
        LockAction::All => "All",
        LockAction::Include => "Include",
        LockAction::Exclude => "Exclude",
    };
    let mut entries = Entries::new().with("Action", Value::name(action));
    if lock.action != LockAction::All {
        entries.set(b"Fields", lock.fields.iter().map(|name| text_string(name)).collect::<Vec<_>>());
    }
    if let Some(permission) = lock.permissions.filter(|_| with_permissions) {
        entries.set(b"P", i64::from(level(permission)));
    }
    entries
}

/// Returns the lock dictionary of a field: ISO 32000-1 table 233, ISO 32000-2 table 236.
pub(super) fn lock_dictionary(lock: &Lock) -> Entries {
    let mut entries = Entries::new().with("Type", Value::name("SigFieldLock"));
    of_lock(lock, true).iter().for_each(|(key, value)| entries.set(key, value.clone()));
    entries
}

/// Enters a certification into the catalog: ISO 32000-1 table 258. What usage rights are there stays.
pub(super) fn enter(update: &mut Update<'_, '_, '_>, signature: Reference, terms: &Terms) -> Result<(), WriteError> {
    if terms.certify.is_none() {
        return Ok(());
    }
    let catalog = update.catalog();
    match update.find(catalog, &[b"Perms"])? {
        Some(_) => update.set(catalog, &[b"Perms"], b"DocMDP", signature),
        None => update.set(catalog, &[], b"Perms", Entries::new().with("DocMDP", signature)),
    }
}
