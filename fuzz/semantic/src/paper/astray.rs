//! Any object, entry, atom or stream: changed without a thought of what it is.

use super::{Done, Draft, Edit, edits, never};
use crate::random::Random;
use lacre_testkit::pdf::{EVIL, Object, Value, line, object, stream};

pub(super) const EDITS: &[Edit] = edits! {
    never reference_astray,
    never entry_astray,
    never atom_astray,
    never item_dropped,
    never items_swapped,
    never stream_astray,
    never stream_exchanged,
    never object_null,
    never object_exchanged,
};

/// Replaces the reference at that place in reading order.
fn redirect(value: &mut Value, at: &mut usize, to: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| redirect(item, at, to)),
        Value::Dictionary(entries) => entries.iter_mut().for_each(|(_, entry)| redirect(entry, at, to)),
        Value::Atom(text) if text.ends_with(" R") => {
            if *at == 0 {
                *text = to.to_owned();
            }
            *at = at.wrapping_sub(1);
        }
        Value::Atom(_) => {}
    }
}

fn count_references(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_references).sum(),
        Value::Dictionary(entries) => entries.iter().map(|(_, entry)| count_references(entry)).sum(),
        Value::Atom(text) => usize::from(text.ends_with(" R")),
    }
}

/// Any reference of any object, to any other object.
fn reference_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| count_references(&object.value) > 0);
    let number = *random.pick(&all)?;
    let mut object = draft.get(number)?;
    let target = match random.below(4) {
        0 => draft.add_cover(),
        1 => {
            let font = draft.other_font();
            draft.add(font)
        }
        2 => draft.add(stream("", &line(EVIL))),
        _ => format!("{} 0 R", random.pick(&draft.such(|_| true))?),
    };
    let mut at = random.below(count_references(&object.value));
    redirect(&mut object.value, &mut at, &target);
    draft.put(number, object);
    Some(())
}

/// Any entry of any dictionary: removed, emptied, or that of another.
fn entry_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| !object.value.entries().is_empty() && object.value.get("ByteRange").is_none());
    let (number, other) = (*random.pick(&all)?, *random.pick(&all)?);
    let mut object = draft.get(number)?;
    let (key, _) = random.pick(object.value.entries())?.clone();
    let (other_key, other) = random.pick(draft.get(other)?.value.entries())?.clone();
    match random.below(4) {
        0 => object.value.remove(&key),
        1 => object.value.set(&key, random.of(&["null", "0", "[]", "<< >>", "/X", "(x)", "true"])),
        2 => object.value.put(&key, other),
        _ => object.value.add(&other_key, other),
    }
    draft.put(number, object);
    Some(())
}

/// Replaces the atom at that place in reading order.
fn change_atom(value: &mut Value, at: &mut usize, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change_atom(item, at, change)),
        Value::Dictionary(entries) => entries.iter_mut().for_each(|(_, entry)| change_atom(entry, at, change)),
        Value::Atom(text) => {
            if *at == 0 {
                change(text);
            }
            *at = at.wrapping_sub(1);
        }
    }
}

fn count_atoms(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_atoms).sum(),
        Value::Dictionary(entries) => entries.iter().map(|(_, entry)| count_atoms(entry)).sum(),
        Value::Atom(_) => 1,
    }
}

/// An object that may be changed in any way: signatures stay as they are.
fn any(draft: &Draft<'_>, random: &mut Random, is: impl Fn(&Object) -> bool) -> Option<u32> {
    random.pick(&draft.such(|object| object.value.get("ByteRange").is_none() && is(object))).copied()
}

/// Any number, name, string or reference of any object.
fn atom_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |object| count_atoms(&object.value) > 0)?;
    let mut object = draft.get(number)?;
    let mut at = random.below(count_atoms(&object.value));
    let mut change = |text: &mut String| {
        *text = match text.as_bytes().first() {
            Some(b'/') => random.of(&["/X", "/Off", "/Yes", "/Link", "/Widget", "/Sig", "/Form", "/Page"]).to_owned(),
            Some(b'(') => random.of(&["(900,000)", "()", "(Mallory)"]).to_owned(),
            _ => random.of(&["0", "1", "2", "300", "-1", "0.5", "null", "true"]).to_owned(),
        };
    };
    let value = object.value.get("V").cloned();
    change_atom(&mut object.value, &mut at, &mut change);
    // Another value of a field is one that was filled in.
    (object.value.get("FT").is_none() || object.value.get("V").cloned() == value).then_some(())?;
    draft.put(number, object);
    Some(())
}

/// The arrays of an object, the object itself or its entries.
fn of_array(draft: &mut Draft<'_>, random: &mut Random, change: impl FnOnce(&mut Vec<Value>, &mut Random)) -> Done {
    let long = |value: &Value| value.items().len() > 1;
    let number = any(draft, random, |object| {
        long(&object.value) || object.value.entries().iter().any(|(_, entry)| long(entry))
    })?;
    let mut object = draft.get(number)?;
    let lists: Vec<String> =
        object.value.entries().iter().filter(|(_, entry)| long(entry)).map(|(key, _)| key.clone()).collect();
    let list = match random.pick(&lists) {
        Some(key) => object.value.get_mut(key)?,
        None => &mut object.value,
    };
    let Value::Array(items) = list else { return None };
    change(items, random);
    draft.put(number, object);
    Some(())
}

fn item_dropped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    of_array(draft, random, |items, random| drop(items.remove(random.below(items.len()))))
}

fn items_swapped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    of_array(draft, random, |items, random| {
        let by = 1 + random.below(items.len() - 1);
        items.rotate_left(by);
    })
}

/// The bytes of any stream.
fn stream_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |object| object.stream.is_some())?;
    let mut object = draft.get(number)?;
    let old = object.stream.take()?;
    let new = match random.below(4) {
        0 => vec![],
        1 => [&old[..], b" ", &line(EVIL)].concat(),
        2 => line(EVIL),
        _ => old.iter().map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect(),
    };
    object.value.set("Length", &new.len().to_string());
    object.stream = Some(new);
    draft.put(number, object);
    Some(())
}

/// The bytes of a stream in another.
fn stream_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let streams = |object: &Object| object.stream.is_some();
    let (one, other) = (any(draft, random, streams)?, any(draft, random, streams)?);
    let mut object = draft.get(one)?;
    object.stream = draft.get(other)?.stream;
    (one != other).then_some(())?;
    object.value.set("Length", &object.stream.as_ref().map_or(0, Vec::len).to_string());
    draft.put(one, object);
    Some(())
}

fn object_null(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |_| true)?;
    draft.put(number, object("null"));
    Some(())
}

/// An object under the number of another.
fn object_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let one = any(draft, random, |_| true)?;
    let kind = draft.get(one)?.value.get("Type").cloned();
    // Mostly such as stand in the same places.
    let alike = random.chance(3);
    let other = any(draft, random, |object| alike || object.value.get("Type").cloned() == kind)?;
    let object = draft.get(other)?;
    (one != other).then_some(())?;
    draft.put(one, object);
    Some(())
}
