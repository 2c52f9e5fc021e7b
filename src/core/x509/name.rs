//! Distinguished names: RFC 5280 §4.1.2.4, written as RFC 2253 and folded for comparison.

use super::error::{Error, field};
use crate::asn1::{Class, Oid, Reader, Tag, Tlv, oid};
use crate::facts::{NameForms, Shared, SubjectAttributes};
use crate::hex;
use crate::normalization;
use sha2::Digest as _;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A distinguished name. Two names are equal when their folded texts are.
#[derive(Clone)]
pub struct Name(Arc<Inner>);

struct Inner {
    der: Box<[u8]>,
    forms: OnceLock<Shared<NameForms>>,
    attributes: OnceLock<Shared<SubjectAttributes>>,
    rdns: usize,
    folded: OnceLock<[u8; 32]>,
}

/// The attributes of a relative distinguished name, each its type and its folded text, sorted.
pub(crate) type FoldedRdn = Vec<(String, String)>;

impl Name {
    /// Reads a `Name`: `SEQUENCE OF SET OF SEQUENCE { type OBJECT IDENTIFIER, value ANY }`.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        let wrong = field("name", "RDNSequence");
        let name = Tlv::whole(der).and_then(|tlv| tlv.expecting(Tag::SEQUENCE)).map_err(&wrong)?;
        let mut rdns = name.children();
        let mut count = 0;
        while let Some(rdn) = Reader::next(&mut rdns).map_err(&wrong)? {
            count += 1;
            let mut attributes = rdn.expecting(Tag::SET).map_err(&wrong)?.children();
            while let Some(attribute) = Reader::next(&mut attributes).map_err(&wrong)? {
                let mut parts = attribute.expecting(Tag::SEQUENCE).map_err(&wrong)?.children();
                parts.expect(Tag::OID).and_then(|_| parts.read()).map_err(&wrong)?;
            }
        }
        Ok(Self(Arc::new(Inner {
            der: der.into(),
            forms: OnceLock::new(),
            attributes: OnceLock::new(),
            rdns: count,
            folded: OnceLock::new(),
        })))
    }

    /// Returns the name's DER as sent.
    pub fn der(&self) -> &[u8] {
        &self.0.der
    }

    /// Returns whether the name has no attribute.
    pub fn is_empty(&self) -> bool {
        Tlv::whole(&self.0.der).map_or(true, |tlv| tlv.content.is_empty())
    }

    /// Returns the text that is compared: keywords and values in lower case, white space folded, NFKD.
    pub fn canonical(&self) -> &str {
        &self.forms().canonical
    }

    /// Returns the text of RFC 2253, the last attribute first.
    pub fn rfc2253(&self) -> &str {
        &self.forms().rfc2253
    }

    /// Returns both texts.
    pub fn forms(&self) -> &Shared<NameForms> {
        let forms = || NameForms { canonical: self.text(canonical_rdn), rfc2253: self.text(rfc2253_rdn) };
        self.0.forms.get_or_init(|| forms().into())
    }

    /// Returns how many relative distinguished names there are.
    pub(super) fn rdn_count(&self) -> usize {
        self.0.rdns
    }

    /// Returns the digest of the relative distinguished names as `fold` makes them, calculated once.
    pub(super) fn folded_by(&self, fold: impl FnOnce() -> Vec<FoldedRdn>) -> &[u8; 32] {
        let digest = || {
            let mut hasher = sha2::Sha256::new();
            let mut add = |bytes: &[u8]| {
                hasher.update(bytes.len().to_be_bytes());
                hasher.update(bytes);
            };
            for rdn in fold() {
                add(&rdn.len().to_be_bytes());
                rdn.iter().flat_map(|(kind, text)| [kind, text]).for_each(|part| add(part.as_bytes()));
            }
            hasher.finalize().into()
        };
        self.0.folded.get_or_init(digest)
    }

    /// Returns the relative distinguished names in order, each its attributes.
    pub fn rdns(&self) -> impl DoubleEndedIterator<Item = Vec<(Oid<'_>, Tlv<'_>)>> + ExactSizeIterator {
        let elements = Tlv::whole(&self.0.der).map(|tlv| tlv.children()).unwrap_or(Reader::new(&[]));
        let rdns: Vec<Tlv<'_>> = elements.collect();
        rdns.into_iter().map(|rdn| attributes_of(&rdn))
    }

    /// Returns the folded texts of the relative distinguished names, in order.
    pub fn canonical_rdns(&self) -> Vec<String> {
        let text = |attributes: Vec<_>| {
            let mut text = String::new();
            canonical_rdn(&attributes, &mut text);
            text
        };
        self.rdns().map(text).collect()
    }

    /// Returns the text of the first attribute of this type, also where the value is no string.
    pub fn attribute(&self, kind: Oid<'_>) -> Option<String> {
        text_of(self.rdns().flatten(), kind)
    }

    /// Returns the attributes that reports show.
    pub fn subject_attributes(&self) -> &Shared<SubjectAttributes> {
        self.0.attributes.get_or_init(|| self.read_attributes().into())
    }

    fn read_attributes(&self) -> SubjectAttributes {
        let all: Vec<_> = self.rdns().flatten().collect();
        let text = |kind| text_of(all.iter().copied(), kind);
        SubjectAttributes {
            serial_number: text(oid!("2.5.4.5")),
            common_name: text(COMMON_NAME),
            locality: text(oid!("2.5.4.7")),
            state: text(oid!("2.5.4.8")),
            country: text(oid!("2.5.4.6")),
            organization_identifier: text(oid!("2.5.4.97")),
            organization: text(oid!("2.5.4.10")),
            organizational_unit: text(oid!("2.5.4.11")),
            title: text(oid!("2.5.4.12")),
            given_name: text(oid!("2.5.4.42")),
            surname: text(oid!("2.5.4.4")),
            pseudonym: text(oid!("2.5.4.65")),
            email: text(oid!("1.2.840.113549.1.9.1")),
        }
    }

    fn text(&self, rdn: impl Fn(&[(Oid<'_>, Tlv<'_>)], &mut String)) -> String {
        let mut text = String::with_capacity(self.0.der.len());
        for (index, attributes) in self.rdns().rev().enumerate() {
            if index > 0 {
                text.push(',');
            }
            rdn(&attributes, &mut text);
        }
        text
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der || self.canonical() == other.canonical()
    }
}

impl Eq for Name {}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.rfc2253())
    }
}

fn text_of<'a>(mut attributes: impl Iterator<Item = (Oid<'a>, Tlv<'a>)>, kind: Oid<'_>) -> Option<String> {
    let (_, value) = attributes.find(|(oid, _)| *oid == kind)?;
    Some(value.string().map(|text| text.into_owned()).unwrap_or_else(|_| numeric(value.raw)))
}

fn attributes_of<'a>(rdn: &Tlv<'a>) -> Vec<(Oid<'a>, Tlv<'a>)> {
    let pair = |attribute: Tlv<'a>| {
        let mut parts = attribute.children();
        let kind = parts.expect(Tag::OID).ok()?;
        Some((Oid::from_content(kind.content), parts.read().ok()?))
    };
    rdn.children().filter_map(pair).collect()
}

const COMMON_NAME: Oid<'static> = oid!("2.5.4.3");

/// The keywords of RFC 2253 §2.3; every other attribute is named by its OID.
const KEYWORDS: [(Oid<'static>, &str); 9] = [
    (COMMON_NAME, "CN"),
    (oid!("2.5.4.6"), "C"),
    (oid!("2.5.4.7"), "L"),
    (oid!("2.5.4.8"), "ST"),
    (oid!("2.5.4.10"), "O"),
    (oid!("2.5.4.11"), "OU"),
    (oid!("2.5.4.9"), "STREET"),
    (oid!("0.9.2342.19200300.100.1.25"), "DC"),
    (oid!("0.9.2342.19200300.100.1.1"), "UID"),
];

fn keyword(kind: Oid<'_>) -> Option<&'static str> {
    KEYWORDS.iter().find(|(oid, _)| *oid == kind).map(|(_, keyword)| *keyword)
}

/// Writes a value that is no text (RFC 2253 §2.4).
fn numeric(bytes: &[u8]) -> String {
    hex::lower_after("#", bytes)
}

/// Returns the value's bytes as UTF-8 whatever the string type: so Java's `X500Principal` reads them, and the text
/// must be the one that everybody else prints.
fn value_text<'a>(value: &Tlv<'a>, types: &[u32]) -> Option<Cow<'a, str>> {
    let listed = value.tag.class == Class::Universal && types.contains(&value.tag.number);
    match value.bytes().ok().filter(|_| listed)? {
        Cow::Borrowed(bytes) => Some(String::from_utf8_lossy(bytes)),
        Cow::Owned(bytes) => Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())),
    }
}

/// Writes one RDN as RFC 2253 §2.2 to §2.4 does.
fn rfc2253_rdn(attributes: &[(Oid<'_>, Tlv<'_>)], out: &mut String) {
    for (index, (kind, value)) in attributes.iter().enumerate() {
        if index > 0 {
            out.push('+');
        }
        rfc2253_attribute(*kind, value, out);
    }
}

fn rfc2253_attribute(kind: Oid<'_>, value: &Tlv<'_>, out: &mut String) {
    const STRINGS: [u32; 6] = [12, 19, 20, 22, 27, 30];
    let keyword = push_type(kind, out);
    let Some(text) = value_text(value, &STRINGS).filter(|_| keyword) else { return out.push_str(&numeric(value.raw)) };
    let blank = |c: char| c == ' ' || c == '\r';
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ',' | '=' | '+' | '<' | '>' | '#' | ';' | '"' | '\\' => escaped.extend(['\\', c]),
            '\0' => escaped.push_str("\\00"),
            c => escaped.push(c),
        }
    }
    let body = escaped.trim_matches(blank);
    let lead = escaped.len() - escaped.trim_start_matches(blank).len();
    escaped[..lead].chars().for_each(|c| out.extend(['\\', c]));
    out.push_str(body);
    escaped[lead + body.len()..].chars().for_each(|c| out.extend(['\\', c]));
}

/// Writes what stands before a value; returns whether it is a keyword.
fn push_type(kind: Oid<'_>, out: &mut String) -> bool {
    let keyword = keyword(kind);
    match keyword {
        Some(keyword) => out.push_str(keyword),
        None => out.push_str(&kind.dotted()),
    }
    out.push('=');
    keyword.is_some()
}

/// Writes one RDN folded for comparison: attributes with a keyword first, in the order of their texts, then the others
/// in the order of their OIDs.
fn canonical_rdn(attributes: &[(Oid<'_>, Tlv<'_>)], out: &mut String) {
    if let [(kind, value)] = attributes {
        return canonical_attribute(*kind, value, out);
    }
    let text = |(kind, value): &(Oid<'_>, Tlv<'_>)| {
        let mut text = String::new();
        canonical_attribute(*kind, value, &mut text);
        text
    };
    let mut texts: Vec<_> =
        attributes.iter().map(|attribute| (keyword(attribute.0).is_none(), text(attribute), attribute.0)).collect();
    crate::order::sort_by(&mut texts, |a, b| match (a.0, b.0) {
        (true, true) => a.2.cmp(&b.2),
        _ => (a.0, &a.1).cmp(&(b.0, &b.1)),
    });
    let texts: Vec<String> = texts.into_iter().map(|(_, text, _)| text).collect();
    out.push_str(&texts.join("+"));
}

fn canonical_attribute(kind: Oid<'_>, value: &Tlv<'_>, out: &mut String) {
    const STRINGS: [u32; 2] = [12, 19];
    let start = out.len();
    let keyword = push_type(kind, out);
    match value_text(value, &STRINGS).filter(|_| keyword) {
        None => out.push_str(&numeric(value.raw)),
        Some(text) => {
            let mut folded = String::with_capacity(text.len());
            let mut white = false;
            for (index, c) in text.chars().enumerate() {
                match c {
                    ' ' if white => continue,
                    ',' | '+' | '<' | '>' | ';' | '"' | '\\' => folded.extend(['\\', c]),
                    '#' if index == 0 => folded.push_str("\\#"),
                    c => folded.push(c),
                }
                white = c == ' ';
            }
            out.push_str(folded.trim_matches(|c: char| c <= ' '));
        }
    }
    match out[start..].is_ascii() {
        true => out[start..].make_ascii_lowercase(),
        false => {
            let folded = out[start..].to_uppercase().to_lowercase();
            out.truncate(start);
            out.push_str(&normalization::nfkd(&folded));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Writer;

    fn name(rdns: &[&[(Oid<'_>, Tag, &[u8])]]) -> Name {
        let mut writer = Writer::new();
        writer.sequence(|w| {
            for rdn in rdns {
                w.set(|w| {
                    for (kind, tag, value) in *rdn {
                        w.sequence(|w| {
                            w.oid(*kind).element(*tag, value);
                        });
                    }
                });
            }
        });
        Name::from_der(&writer.finish()).unwrap()
    }

    #[test]
    fn texts() {
        let cn = oid!("2.5.4.3");
        let rows: &[(&str, Name, &str, &str)] = &[
            ("2.1", name(&[]), "", ""),
            (
                "2.1",
                name(&[
                    &[(oid!("2.5.4.6"), Tag::PRINTABLE_STRING, b"EE")],
                    &[(cn, Tag::UTF8_STRING, "Ö  ,x".as_bytes())],
                ]),
                "CN=Ö  \\,x,C=EE",
                "cn=o\u{308} \\,x,c=ee",
            ),
            (
                "2.2",
                name(&[&[(oid!("2.5.4.5"), Tag::PRINTABLE_STRING, b"1"), (cn, Tag::UTF8_STRING, b"a")]]),
                "2.5.4.5=#130131+CN=a",
                "cn=a+2.5.4.5=#130131",
            ),
            ("2.4", name(&[&[(cn, Tag::UTF8_STRING, b" #a=b ")]]), "CN=\\ \\#a\\=b\\ ", "cn=#a=b"),
            ("2.4", name(&[&[(cn, Tag::UTF8_STRING, b"#a")]]), "CN=\\#a", "cn=\\#a"),
            ("2.4", name(&[&[(cn, Tag::TELETEX_STRING, b"TP")]]), "CN=TP", "cn=#14025450"),
            ("2.4", name(&[&[(cn, Tag::BMP_STRING, b"\0T")]]), "CN=\\00T", "cn=#1e020054"),
        ];
        for (clause, name, rfc2253, canonical) in rows {
            assert_eq!(name.rfc2253(), *rfc2253, "RFC 2253 {clause}");
            assert_eq!(name.canonical(), *canonical, "RFC 2253 {clause}");
        }
        assert_eq!(name(&[&[(cn, Tag::UTF8_STRING, b"A  b")]]), name(&[&[(cn, Tag::PRINTABLE_STRING, b"a B ")]]));
        assert!(Name::from_der(&[0x30, 2, 0x31]).is_err());
    }
}
