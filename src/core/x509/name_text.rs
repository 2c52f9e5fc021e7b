//! Distinguished names from their text: RFC 4514, and the older forms that XML signatures hold (RFC 2253, RFC 1779).

use super::Name;
use super::name::FoldedRdn;
use crate::asn1::{Oid, Tag, Writer, oid, oid_content};
use std::borrow::Cow;

/// The keywords in use: RFC 4514 §3, X.520, and what libraries write beside them.
const KEYWORDS: [(&str, Oid<'static>); 33] = [
    ("CN", oid!("2.5.4.3")),
    ("C", oid!("2.5.4.6")),
    ("L", oid!("2.5.4.7")),
    ("ST", oid!("2.5.4.8")),
    ("S", oid!("2.5.4.8")),
    ("O", oid!("2.5.4.10")),
    ("OU", oid!("2.5.4.11")),
    ("STREET", oid!("2.5.4.9")),
    ("DC", oid!("0.9.2342.19200300.100.1.25")),
    ("UID", oid!("0.9.2342.19200300.100.1.1")),
    ("SERIALNUMBER", oid!("2.5.4.5")),
    ("SURNAME", oid!("2.5.4.4")),
    ("SN", oid!("2.5.4.4")),
    ("GIVENNAME", oid!("2.5.4.42")),
    ("G", oid!("2.5.4.42")),
    ("GN", oid!("2.5.4.42")),
    ("INITIALS", oid!("2.5.4.43")),
    ("GENERATION", oid!("2.5.4.44")),
    ("T", oid!("2.5.4.12")),
    ("TITLE", oid!("2.5.4.12")),
    ("DNQ", oid!("2.5.4.46")),
    ("DNQUALIFIER", oid!("2.5.4.46")),
    ("PSEUDONYM", oid!("2.5.4.65")),
    ("ORGANIZATIONIDENTIFIER", oid!("2.5.4.97")),
    ("POSTALCODE", oid!("2.5.4.17")),
    ("POSTALADDRESS", oid!("2.5.4.16")),
    ("BUSINESSCATEGORY", oid!("2.5.4.15")),
    ("DESCRIPTION", oid!("2.5.4.13")),
    ("NAME", oid!("2.5.4.41")),
    ("E", EMAIL),
    ("EMAIL", EMAIL),
    ("EMAILADDRESS", EMAIL),
    ("UNSTRUCTUREDNAME", oid!("1.2.840.113549.1.9.2")),
];

const EMAIL: Oid<'static> = oid!("1.2.840.113549.1.9.1");

impl Name {
    /// Returns the name that a text stands for; `None` where it is no such text.
    ///
    /// Which string type a value has, the text does not say: names read so are compared by
    /// [`is_like`](Self::is_like).
    pub fn from_text(text: &str) -> Option<Self> {
        let mut rdns = split(text, |byte| matches!(byte, b',' | b';'));
        // RFC 4514 §2.1: the last relative name comes first.
        rdns.reverse();
        let mut writer = Writer::new();
        let mut whole = true;
        writer.sequence(|name| {
            for rdn in rdns.iter().filter(|_| !text.trim().is_empty()) {
                name.set(|set| {
                    for attribute in split(rdn, |byte| byte == b'+') {
                        whole &= write(attribute, set).is_some();
                    }
                });
            }
        });
        Self::from_der(&writer.finish()).ok().filter(|_| whole)
    }

    /// Returns whether both have the same attributes with the same texts; string types, case, runs of blanks and order
    /// do not matter (some writers reverse the order).
    pub fn is_like(&self, other: &Self) -> bool {
        // To count is quicker than to fold.
        self == other || self.rdn_count() == other.rdn_count() && self.folded() == other.folded()
    }

    fn folded(&self) -> &[u8; 32] {
        self.folded_by(|| self.fold())
    }

    /// Returns the attributes of each relative name in order, prepared for comparison under RFC 5280 §7.1: string
    /// types, case and runs of blanks do not matter. `None` where a text cannot be read.
    pub(crate) fn texts(&self) -> Option<Vec<FoldedRdn>> {
        /// UTF8String, NumericString, PrintableString, TeletexString, IA5String, VisibleString, GeneralString,
        /// UniversalString, BMPString.
        const STRINGS: [u32; 9] = [12, 18, 19, 20, 22, 26, 27, 28, 30];
        let text = |value: &crate::asn1::Tlv<'_>| match value.string() {
            Ok(text) => {
                let text = crate::normalization::nfkd(&text.to_lowercase()).to_lowercase();
                Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Err(_) if STRINGS.contains(&value.tag.number) => None,
            Err(_) => Some(crate::hex::lower(value.raw)),
        };
        let rdn = |attributes: Vec<(Oid<'_>, crate::asn1::Tlv<'_>)>| {
            let texts = attributes.iter().map(|(kind, value)| Some((kind.dotted(), text(value)?)));
            let mut texts = texts.collect::<Option<Vec<_>>>()?;
            crate::order::sort(&mut texts);
            Some(texts)
        };
        self.rdns().map(rdn).collect()
    }

    fn fold(&self) -> Vec<FoldedRdn> {
        let fold = |value: &crate::asn1::Tlv<'_>| {
            let text = value.string().map(|text| text.to_lowercase()).unwrap_or_else(|_| crate::hex::lower(value.raw));
            text.trim().split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let rdn = |attributes: Vec<(Oid<'_>, crate::asn1::Tlv<'_>)>| {
            let mut texts: Vec<_> = attributes.iter().map(|(kind, value)| (kind.dotted(), fold(value))).collect();
            crate::order::sort(&mut texts);
            texts
        };
        let mut rdns: Vec<_> = self.rdns().map(rdn).collect();
        crate::order::sort(&mut rdns);
        rdns
    }
}

/// Writes one `keyword=value`.
fn write(attribute: &str, set: &mut Writer) -> Option<()> {
    let (keyword, value) = attribute.split_once('=')?;
    let keyword = keyword.trim();
    let dotted = keyword.strip_prefix("OID.").or(keyword.strip_prefix("oid.")).unwrap_or(keyword);
    let known = KEYWORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(keyword)).map(|(_, oid)| *oid);
    let kind = match known {
        Some(oid) => Cow::Borrowed(oid.content()),
        None => Cow::Owned(oid_content(dotted)?),
    };
    let value = value.trim_start();
    let element = match value.strip_prefix('#') {
        Some(digits) => hexadecimal(digits.trim())?,
        None => crate::asn1::tlv(Tag::UTF8_STRING, unescaped(value)?.as_bytes()),
    };
    set.sequence(|pair| {
        pair.element(Tag::OID, &kind).raw(&element);
    });
    Some(())
}

/// Returns the parts between separators that are neither escaped nor quoted.
fn split(text: &str, separates: impl Fn(u8) -> bool) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut escaped) = (vec![], 0, false, false);
    // All that counts here is ASCII, and no byte of another character is.
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            byte if !quoted && separates(byte) => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Returns a value without its quotes and escapes (RFC 4514 §2.4).
fn unescaped(value: &str) -> Option<String> {
    let trimmed = value.trim_end();
    // A blank at the end stays where it is escaped.
    let value = if trimmed.ends_with('\\') { value.get(..trimmed.len() + 1)? } else { trimmed };
    if !value.contains(['\\', '"', '\0']) {
        return Some(value.to_owned());
    }
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.chars().filter(|c| *c != '\0').peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {}
            '\\' => {
                let next = rest.next()?;
                match next.to_digit(16).zip(rest.peek().and_then(|second| second.to_digit(16))) {
                    Some((high, low)) => {
                        rest.next();
                        bytes.push((high * 16 + low) as u8);
                    }
                    None => bytes.extend(next.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
            c => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let bytes = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some((high * 16 + low) as u8),
        _ => None,
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    crate::asn1::Tlv::whole(&bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_texts() {
        for (clause, text, expected) in [
            ("RFC 4514 §2.1", "CN=a,O=b, C=EE", Some("CN=a,O=b,C=EE")),
            ("RFC 4514 §2.1: no relative names", "", Some("")),
            ("RFC 4514 §2.2", "CN=a+OU=b,C=EE", Some("CN=a+OU=b,C=EE")),
            ("RFC 4514 §2.3: an OID", "2.5.4.5=1", Some("2.5.4.5=#0c0131")),
            ("RFC 2253 §4: an OID with its prefix", "OID.2.5.4.97=1", Some("2.5.4.97=#0c0131")),
            ("RFC 4514 §2.4: hexadecimal", "2.5.4.5=#130131", Some("2.5.4.5=#130131")),
            ("RFC 4514 §2.4: escapes", "CN=a\\,b\\C3\\A9\\ ", Some("CN=a\\,bé\\ ")),
            ("RFC 1779 §2.3: quotes, semicolons", "CN=\"a,b\"; C=EE", Some("CN=a\\,b,C=EE")),
            ("RFC 4514 §2.3: a keyword that nobody knows", "WHAT=a", None),
            ("RFC 4514 §2.4: half a byte", "CN=#1", None),
            ("RFC 4514 §2.3: no value", "CN", None),
        ] {
            let name = Name::from_text(text);
            assert_eq!(name.as_ref().map(Name::rfc2253), expected, "{clause}: {text}");
        }
        let names = ["SERIALNUMBER=1,CN=A  b", "cn=a B,2.5.4.5=#130131"].map(|text| Name::from_text(text).unwrap());
        assert_ne!(names[0], names[1]);
        assert!(names[0].is_like(&names[1]), "RFC 4517 §4.2.11: string types, case and blanks aside");
    }
}
