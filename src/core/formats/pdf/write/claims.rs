//! What a document claims to be: PDF/A (ISO 19005-1 §6.7.11) and PDF/UA (ISO 14289-1 §5), in its metadata.

use crate::formats::pdf::object::Object;
use crate::formats::pdf::revision::Revision;

/// What a document claims to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Claims {
    /// The part of PDF/A, from one to four.
    pub archive_part: Option<u8>,
    /// Whether it is PDF/UA, for those who do not see.
    pub is_accessible: bool,
}

impl Claims {
    /// Reads the metadata of the catalog; a document whose metadata cannot be read claims nothing.
    pub fn read(revision: &Revision<'_, '_>) -> Self {
        let metadata = revision.catalog().map(|catalog| revision.lookup(&catalog, b"Metadata"));
        let Some(Object::Stream(stream)) = metadata else { return Self::default() };
        let text = revision.decoded(&stream).unwrap_or_default();
        let part = stated(&text, b"pdfaid:part").filter(u8::is_ascii_digit).map(|digit| digit - b'0');
        Self { archive_part: part, is_accessible: stated(&text, b"pdfuaid:part").is_some() }
    }
}

/// Returns the first character of a property, which is an element or an attribute.
fn stated(text: &[u8], property: &[u8]) -> Option<u8> {
    memchr::memmem::find_iter(text, property).find_map(|at| {
        let after = text.get(at + property.len()..)?.trim_ascii_start();
        let value = match after.split_first()? {
            (b'>', value) => value,
            (b'=', value) => value.trim_ascii_start().get(1..)?,
            _ => return None,
        };
        value.trim_ascii_start().first().copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties() {
        for (situation, text, expected) in [
            ("an element", "<pdfaid:part>1</pdfaid:part>", Some(b'1')),
            ("an attribute", "<x pdfaid:part='2' pdfaid:conformance=\"B\"/>", Some(b'2')),
            ("with space", "<pdfaid:part > 3 </pdfaid:part>", Some(b'3')),
            ("only its end", "</pdfaid:partial>", None),
            ("none", "", None),
        ] {
            assert_eq!(stated(text.as_bytes(), b"pdfaid:part"), expected, "ISO 19005-1 6.7.11: {situation}");
        }
    }
}
