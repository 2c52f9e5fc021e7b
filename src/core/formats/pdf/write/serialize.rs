//! Objects to bytes: ISO 32000-1 §7.3.

use super::encryption::Cipher;
use super::value::{Entries, Value};
use crate::formats::pdf::Reference;
use crate::formats::pdf::characters::is_regular;
use crate::hex;

/// Appends a value; strings are encrypted with `cipher`, where there is one.
pub(super) fn value(out: &mut Vec<u8>, value: &Value, cipher: &mut Option<Cipher<'_>>) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Boolean(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Value::Integer(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Value::Real(value) => out.extend_from_slice(real(*value).as_bytes()),
        Value::Name(written) => name(out, written),
        Value::String(bytes) => match cipher {
            Some(cipher) => hexadecimal(out, &cipher.string(bytes)),
            None => string(out, bytes),
        },
        Value::Clear(bytes) => hexadecimal(out, bytes),
        Value::Reference(to) => reference(out, *to),
        Value::Array(items) => array(out, items, cipher),
        Value::Dictionary(entries) => dictionary(out, entries, cipher),
        Value::Kept(written) => out.extend_from_slice(written),
    }
}

/// Appends the bytes of a string in hexadecimal, delimiters included: §7.3.4.3.
pub(super) fn hexadecimal(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'<');
    out.extend_from_slice(hex::upper(bytes).as_bytes());
    out.push(b'>');
}

/// Appends a dictionary: §7.3.7.
pub(super) fn dictionary(out: &mut Vec<u8>, entries: &Entries, cipher: &mut Option<Cipher<'_>>) {
    out.extend_from_slice(b"<<");
    self::entries(out, entries, cipher);
    out.extend_from_slice(b">>");
}

/// Appends the entries of a dictionary without its delimiters.
pub(super) fn entries(out: &mut Vec<u8>, entries: &Entries, cipher: &mut Option<Cipher<'_>>) {
    for (key, written) in entries.iter() {
        name(out, key);
        separated(out, written, cipher);
    }
}

fn array(out: &mut Vec<u8>, items: &[Value], cipher: &mut Option<Cipher<'_>>) {
    out.push(b'[');
    for (place, item) in items.iter().enumerate() {
        match place {
            0 => value(out, item, cipher),
            _ => separated(out, item, cipher),
        }
    }
    out.push(b']');
}

/// Appends a value after another, with a space where the two would be one token.
fn separated(out: &mut Vec<u8>, written: &Value, cipher: &mut Option<Cipher<'_>>) {
    let begins_regular = match written {
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Real(_) | Value::Reference(_) => true,
        Value::Kept(written) => written.first().is_some_and(|&byte| is_regular(byte)),
        _ => false,
    };
    if begins_regular && out.last().is_some_and(|&byte| is_regular(byte) || byte == b'/') {
        out.push(b' ');
    }
    value(out, written, cipher);
}

/// Appends a reference: §7.3.10.
pub(super) fn reference(out: &mut Vec<u8>, to: Reference) {
    out.extend_from_slice(format!("{} {} R", to.number, to.generation).as_bytes());
}

/// Appends a name: §7.3.5.
fn name(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'/');
    for &byte in name {
        if is_regular(byte) && byte != b'#' && (0x21..=0x7e).contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(hex::upper_after("#", &[byte]).as_bytes());
        }
    }
}

/// Appends a string: literally where it is printable (§7.3.4.2), else in hexadecimal.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.iter().all(|byte| (0x20..=0x7e).contains(byte)) {
        return hexadecimal(out, bytes);
    }
    out.push(b'(');
    for &byte in bytes {
        if matches!(byte, b'(' | b')' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b')');
}

/// Writes a real number, always with a decimal point and never with an exponent: §7.3.3.
fn real(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let digits = value.to_string();
    if digits.contains('.') { digits } else { digits + ".0" }
}
