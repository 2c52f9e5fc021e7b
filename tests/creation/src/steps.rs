//! The steps that make a file: a signature, then each level in turn.

use crate::cell::Level;
use crate::random;
use crate::world::{User, World};
use lacre::Document;
use lacre::signing::{Prepared, SigningError, SigningKey};

/// The value of a prepared signature.
pub fn value(user: &User, prepared: &Prepared) -> Vec<u8> {
    let numbers = &mut random::of("values");
    let value = user.key.sign(prepared.algorithm(), &prepared.digest(), numbers);
    value.expect("the key signs what was prepared for it")
}

/// Finishes a prepared signature, from its written form.
pub fn finish(user: &User, prepared: &Prepared, document: &Document<'_>) -> Result<Vec<u8>, SigningError> {
    let restored = Prepared::from_json(&prepared.to_json())?;
    Ok(restored.finish(document, &value(user, &restored))?.to_vec(document.bytes()))
}

/// The file at a higher level, step by step, each at its moment.
pub fn climb(world: &World, document: &Document<'_>, from: Level, to: Level) -> Result<Vec<u8>, String> {
    let mut bytes = document.bytes().to_vec();
    for level in Level::ALL.into_iter().filter(|level| *level > from && *level <= to) {
        bytes = extend(world, &with_bytes(document, &bytes), level)
            .map_err(|error| format!("to {}: {error}", level.name()))?;
    }
    Ok(bytes)
}

/// A document with other bytes and the same contents.
fn with_bytes<'a>(document: &Document<'a>, bytes: &'a [u8]) -> Document<'a> {
    let mut other = Document::new(bytes);
    for content in document.contents() {
        other = other.with_content(content.name.clone(), content.bytes);
    }
    other
}

/// The file at that level.
pub fn extend(_world: &World, _document: &Document<'_>, _level: Level) -> Result<Vec<u8>, String> {
    Err("there is no extension yet".into())
}
