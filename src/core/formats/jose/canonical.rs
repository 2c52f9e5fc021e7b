//! Canonical JSON: RFC 8785 (JCS), which time-stamps over clear components of `etsiU` name.

use super::json::{Node, Value};
use crate::formats::decimal::Decimal;
use std::fmt::Write as _;

/// The URI that `canonAlg` states.
pub(super) const JCS: &str = "http://json-canonicalization.org/algorithm";

/// Returns the canonical text of a value; `None` where a number in it has none (it is beyond a 64-bit float).
pub(super) fn canonical(node: &Node<'_>) -> Option<String> {
    let mut out = String::new();
    write(node, &mut out)?;
    Some(out)
}

fn write(node: &Node<'_>, out: &mut String) -> Option<()> {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number_text(number.parse().ok()?)?),
        Value::String(text) => string(text, out),
        Value::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(element, out)?;
            }
            out.push(']');
        }
        // §3.2.3: by the UTF-16 code units of their names.
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            crate::order::sort_by(&mut sorted, |(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
            out.push('{');
            for (at, (name, value)) in sorted.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                string(name, out);
                out.push(':');
                write(value, out)?;
            }
            out.push('}');
        }
    }
    Some(())
}

/// Writes a text in quotes (§3.2.2.2).
fn string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// Returns a number as ECMAScript writes it (ECMA-262 §6.1.6.1.20), from the shortest digits that mean it (§3.2.2.3).
fn number_text(number: f64) -> Option<String> {
    let decimal = Decimal::of(number)?;
    let Decimal { digits, point } = &decimal;
    let text = if digits.is_empty() || (-5..=21).contains(point) {
        decimal.plain()
    } else {
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        let (first, rest) = digits.split_at(1);
        let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        format!("{first}{fraction}e{sign}{}", exponent.abs())
    };
    Some(if number < 0.0 { format!("-{text}") } else { text })
}

#[cfg(test)]
mod tests {
    use super::super::json::parse;
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn rfc_8785() {
        for (clause, text, expected) in [
            ("§3.2.1", "{ \"a\" : [ 1 , null ] }", Some("{\"a\":[1,null]}")),
            (
                "§3.2.2.2",
                "\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"",
                Some("\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\""),
            ),
            (
                "§3.2.2.3",
                "[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]",
                Some("[333333333.3333333,1e+30,4.5,0.002,1e-27]"),
            ),
            (
                "§3.2.3",
                "{\"\\u20ac\":1,\"\\r\":2,\"1\":3,\"\\u0080\":4,\"\\ud83d\\ude00\":5,\"\\ufb33\":6}",
                Some("{\"\\r\":2,\"1\":3,\"\u{80}\":4,\"€\":1,\"😀\":5,\"\u{fb33}\":6}"),
            ),
            (
                "appendix B",
                "[-0.0,9007199254740992,295147905179352830000,1e21,-1e-7,0.000001]",
                Some("[0,9007199254740992,295147905179352830000,1e+21,-1e-7,0.000001]"),
            ),
            ("§3.2.2.3: of two, the even one", "1888570120608320.25", Some("1888570120608320.2")),
            ("§3.2.2.3: beyond a float", "1e999", None),
        ] {
            let node = parse(text.as_bytes(), &Budget::default()).expect(clause);
            assert_eq!(canonical(&node).as_deref(), expected, "{clause}");
        }
    }
}
