//! What the catalog states of extensions: ISO 32000-1 §7.12.

use super::options::{Extensions, Options};
use crate::formats::pdf::Object;
use crate::formats::pdf::write::{Entries, Update, Value, WriteError};

/// Enters the extension that signatures of EN 319 142-1 are, unless an entry of that level or a higher one is there.
pub(super) fn enter(update: &mut Update<'_, '_, '_>, options: &Options, is_first: bool) -> Result<(), WriteError> {
    let (developer, level) = match options.extensions {
        Extensions::Automatic if is_first => ("ESIC", 2),
        Extensions::Automatic | Extensions::None => return Ok(()),
        Extensions::Etsi => ("ESIC", 2),
        Extensions::Adobe => ("ADBE", 8),
    };
    // ISO 32000-2 has these signatures itself.
    if is_second_version(update) {
        return Ok(());
    }
    let catalog = update.catalog();
    let key = developer.as_bytes();
    match update.find(catalog, &[b"Extensions", key, b"ExtensionLevel"])? {
        Some((_, Value::Integer(known))) if *known >= level => return Ok(()),
        _ => {}
    }
    let entry = Entries::new().with("BaseVersion", Value::name("1.7")).with("ExtensionLevel", level);
    match update.find(catalog, &[b"Extensions"])? {
        Some(_) => update.set(catalog, &[b"Extensions"], key, entry),
        None => update.set(catalog, &[], b"Extensions", Entries::new().with(developer, entry)),
    }
}

/// Returns whether the document is of PDF 2.0 or later, by its header or its catalog (ISO 32000-2 §7.5.2).
fn is_second_version(update: &Update<'_, '_, '_>) -> bool {
    let revision = update.revision();
    let stated = revision.catalog().map(|catalog| revision.lookup(&catalog, b"Version"));
    let in_catalog = stated.as_ref().and_then(Object::name).is_some_and(|version| version.first() >= Some(&b'2'));
    let header = revision.file().data().get(b"%PDF-".len());
    in_catalog || header >= Some(&b'2')
}
