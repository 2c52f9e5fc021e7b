//! Colours that depend on no device: ISO 32000-1 §8.6.5.
//!
//! PDF/A allows those of devices only where the document says what device it is for (ISO 19005-1 §6.2.3); an update does
//! not rely on that.

use super::options::Colour;
use crate::formats::pdf::write::{Entries, Value};

/// The white point of sRGB, D65.
const WHITE: [f64; 3] = [0.9505, 1.0, 1.089];

/// Red, green and blue of sRGB.
const PRIMARIES: [f64; 9] = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505];

/// Returns the colour space of three components, sRGB with a plain exponent: §8.6.5.3.
pub(super) fn rgb() -> Value {
    let entries = Entries::new()
        .with("WhitePoint", WHITE.map(Value::Real).to_vec())
        .with("Gamma", [2.2; 3].map(Value::Real).to_vec())
        .with("Matrix", PRIMARIES.map(Value::Real).to_vec());
    Value::Array(vec![Value::name("CalRGB"), entries.into()])
}

/// Returns the colour space of grey: §8.6.5.2.
pub(super) fn grey() -> Value {
    let entries = Entries::new().with("WhitePoint", WHITE.map(Value::Real).to_vec()).with("Gamma", Value::Real(2.2));
    Value::Array(vec![Value::name("CalGray"), entries.into()])
}

/// Returns a colour as operands.
pub(super) fn operands(colour: Colour) -> String {
    let part = |value: u8| {
        let thousandths = (u32::from(value) * 1000 + 127) / 255;
        format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
    };
    [colour.red, colour.green, colour.blue].map(part).join(" ")
}
