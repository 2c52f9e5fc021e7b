//! XML as signatures need it: every byte accounted for (XML 1.0, Namespaces in XML, Canonical XML).
//!
//! A general XML library hands over meaning; a signature is over bytes. So the
//! tree here keeps what canonicalisation writes out again (prefixes, the order
//! and declarations of attributes, where each node lies in the source), and
//! nothing is done twice: line ends and attribute values are normalised while
//! reading, canonical bytes flow straight into a digest.
//!
//! Documents with a document type are refused unless the caller asks
//! otherwise: what a signature covers must not depend on declarations that it
//! does not cover.

mod base;
mod canonical;
mod characters;
mod decode;
mod document_type;
mod element;
mod error;
mod escape;
pub mod html;
pub mod ids;
mod method;
mod node_set;
mod options;
mod parse;
mod references;
mod search;
pub mod signature;
pub mod structure;
pub mod transform;
mod tree;
mod type_names;
mod work;
pub mod xpath;

pub use canonical::{Algorithm, Canonicalization, KEPT, Sink, canonical_bytes, canonicalize};
pub use decode::decode;
pub use element::{Attribute, Declaration, Element};
pub use error::XmlError;
pub use node_set::NodeSet;
pub use options::{DocumentTypes, Options};
pub use parse::{parse, read};
pub use tree::{Kind, NodeId, Span, Tree};
pub use type_names::unsigned_types;
pub use work::{SharedWork, is_held, nodes, nodes_held};

/// The namespace of the prefix `xml`.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of the prefix `xmlns`.
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
/// The namespace of XML signatures.
pub const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
/// The namespace of what instances say to readers of schemas: XML Schema 1 §2.6.
pub const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// The namespace of exclusive canonicalisation's prefix lists.
pub const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";

/// Base64 as signatures hold it: padding is not insisted on, and the bits that it leaves over may be anything.
pub(super) const BASE64: base64::engine::GeneralPurpose = base64::engine::GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    base64::engine::GeneralPurposeConfig::new()
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Returns the bytes that Base64 stands for. White space and what else is no digit is left out: XMLDSig §4.4.3.6 and
/// §6.6.2 take the encoding of RFC 2045 §6.8, whose readers have to ignore it. Then nothing else may be missing.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    // Mostly it is one line.
    if memchr::memchr(b'\n', text).is_none()
        && let Some(bytes) = decoded(text)
    {
        return Some(bytes);
    }
    // Looked at together, which is quicker than to find where the first one is.
    let has_no_white_space = |bytes: &[u8]| bytes.iter().fold(0, |found, o| found | u8::from(*o <= b' ')) == 0;
    let mut digits = Vec::with_capacity(text.len());
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        let line = &text[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if has_no_white_space(line) {
            digits.extend_from_slice(line);
        } else {
            digits.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
        }
        start = end + 1;
    }
    decoded(&digits).or_else(|| {
        let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        let stray = digits.len();
        digits.retain(is_digit);
        if digits.len() < stray && digits.len().is_multiple_of(4) { decoded(&digits) } else { None }
    })
}

/// Decodes Base64: long values are most of some documents; what the quick way refuses, as padding cut short, the other
/// may still take.
fn decoded(digits: &[u8]) -> Option<Vec<u8>> {
    base64_simd::forgiving_decode_to_vec(digits).or_else(|_| base64::Engine::decode(&BASE64, digits)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_texts() {
        for (situation, text, expected) in [
            ("nothing", "", Some(&b""[..])),
            ("one line", "TWFu", Some(b"Man")),
            ("lines", "TWFu\nTWFu\r\nTWFu", Some(b"ManManMan")),
            ("a last line end", "TWFu\n", Some(b"Man")),
            ("white space everywhere", " T\tW\rF u \n\n TQ == ", Some(b"ManM")),
            ("a line end within a group", "TW\nFu", Some(b"Man")),
            ("bits to spare, no padding", "TR", Some(b"M")),
            ("half of the padding", "TQ=", Some(b"M")),
            ("padding in between", "TQ==TWFu", None),
            ("another control character", "TWFu\0", Some(b"Man")),
            ("another character", "TW\nF*u", Some(b"Man")),
            ("nothing but other characters", "!", Some(b"")),
            ("a sentence", "Hello World!", None),
            ("one digit", "T", None),
        ] {
            assert_eq!(base64(text.as_bytes()).as_deref(), expected, "RFC 2045 §6.8: {situation}");
        }
    }
}
