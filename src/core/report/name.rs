//! Names as a reader knows them: distinguished names without hexadecimal, and identifiers with their kind.

use super::messages::MessageId;
use super::model::LocalizedText;
use crate::facts::Certificate;
use crate::vocabulary::string_enum;
use der::asn1::{Ia5StringRef, PrintableStringRef, TeletexStringRef, Utf8StringRef};
use der::{Decode as _, Tag, Tagged as _};
use std::borrow::Cow;

/// The names of attribute types that RFC 2253 has no keyword for: RFC 4519 §2, X.520, PKCS #9, EV Guidelines §9.2.
const ATTRIBUTES: [(&str, &str); 22] = [
    ("2.5.4.4", "surname"),
    ("2.5.4.5", "serialNumber"),
    ("2.5.4.12", "title"),
    ("2.5.4.13", "description"),
    ("2.5.4.15", "businessCategory"),
    ("2.5.4.16", "postalAddress"),
    ("2.5.4.17", "postalCode"),
    ("2.5.4.20", "telephoneNumber"),
    ("2.5.4.41", "name"),
    ("2.5.4.42", "givenName"),
    ("2.5.4.43", "initials"),
    ("2.5.4.44", "generationQualifier"),
    ("2.5.4.45", "x500UniqueIdentifier"),
    ("2.5.4.46", "dnQualifier"),
    ("2.5.4.54", "dmdName"),
    ("2.5.4.65", "pseudonym"),
    ("2.5.4.97", "organizationIdentifier"),
    ("1.2.840.113549.1.9.1", "emailAddress"),
    ("1.2.840.113549.1.9.2", "unstructuredName"),
    ("1.3.6.1.4.1.311.60.2.1.1", "jurisdictionLocalityName"),
    ("1.3.6.1.4.1.311.60.2.1.2", "jurisdictionStateOrProvinceName"),
    ("1.3.6.1.4.1.311.60.2.1.3", "jurisdictionCountryName"),
];

/// The names of a certificate as reports write them, each where the facts have it otherwise: read once, and borrowed
/// wherever the certificate is named.
#[derive(Debug, Clone)]
pub(super) struct Names {
    subject: Option<Box<str>>,
    issuer: Option<Box<str>>,
    /// Given name and surname.
    person: Option<Box<str>>,
}

impl Names {
    /// Reads the names of a certificate.
    pub(super) fn of(certificate: &Certificate) -> Self {
        let written = |name: &str| match readable(name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(name) => Some(name.into()),
        };
        let names = &certificate.attributes;
        let person = stated(&names.given_name).zip(stated(&names.surname));
        Self {
            subject: written(&certificate.subject.rfc2253),
            issuer: written(&certificate.issuer.rfc2253),
            person: person.map(|(given_name, surname)| format!("{given_name} {surname}").into()),
        }
    }

    /// Returns the distinguished name of the subject.
    pub(super) fn subject<'a>(&'a self, certificate: &'a Certificate) -> &'a str {
        self.subject.as_deref().unwrap_or(&certificate.subject.rfc2253)
    }

    /// Returns the distinguished name of the issuer.
    pub(super) fn issuer<'a>(&'a self, certificate: &'a Certificate) -> &'a str {
        self.issuer.as_deref().unwrap_or(&certificate.issuer.rfc2253)
    }

    /// Returns the name by which people call the subject.
    pub(super) fn common<'a>(&'a self, certificate: &'a Certificate) -> &'a str {
        let names = &certificate.attributes;
        stated(&names.common_name)
            .or(self.person.as_deref())
            .or_else(|| stated(&names.given_name))
            .or_else(|| stated(&names.surname))
            .or_else(|| stated(&names.pseudonym))
            .or_else(|| stated(&names.organization))
            .unwrap_or_else(|| self.subject(certificate))
    }
}

/// Returns a name that is there and not blank.
fn stated(name: &Option<String>) -> Option<&str> {
    name.as_deref().filter(|name| !name.trim().is_empty())
}

/// Returns a distinguished name with attribute types by name, and values as text, where RFC 2253 has object identifiers
/// and hexadecimal.
///
/// What has no name or is no string stays as it is.
pub(crate) fn readable(name: &str) -> Cow<'_, str> {
    if !name.contains("=#") && !name.contains(".") {
        return Cow::Borrowed(name);
    }
    let mut written = String::with_capacity(name.len());
    for (attribute, separator) in attributes(name) {
        match attribute.split_once('=') {
            Some((kind, value)) => {
                let known = ATTRIBUTES.iter().find(|(oid, _)| *oid == kind);
                written.push_str(known.map_or(kind, |(_, keyword)| keyword));
                written.push('=');
                match value.strip_prefix('#').and_then(string) {
                    Some(text) => push_escaped(&mut written, &text),
                    None => written.push_str(value),
                }
            }
            None => written.push_str(attribute),
        }
        written.extend(separator);
    }
    Cow::Owned(written)
}

/// Splits a name at the commas and plus signs that are neither escaped nor quoted: RFC 2253 §3.
fn attributes(name: &str) -> Vec<(&str, Option<char>)> {
    let (mut parts, mut start, mut escaped, mut quoted) = (vec![], 0, false, false);
    for (at, c) in name.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ',' | '+' if !quoted => {
                parts.push((&name[start..at], Some(c)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((&name[start..], None));
    parts
}

/// Returns the text of a string whose DER is written in hexadecimal; `None` where it is none.
fn string(digits: &str) -> Option<String> {
    let digit = |c: u8| char::from(c).to_digit(16);
    let pairs = digits.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> =
        pairs.map(|pair| Some((digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?) as u8)).collect();
    let bytes = bytes?;
    let value = der::asn1::AnyRef::from_der(&bytes).ok()?;
    Some(match value.tag() {
        Tag::Utf8String => value.decode_as::<Utf8StringRef<'_>>().ok()?.as_str().to_owned(),
        Tag::PrintableString => value.decode_as::<PrintableStringRef<'_>>().ok()?.as_str().to_owned(),
        Tag::Ia5String => value.decode_as::<Ia5StringRef<'_>>().ok()?.as_str().to_owned(),
        Tag::TeletexString => value.decode_as::<TeletexStringRef<'_>>().ok()?.as_str().to_owned(),
        Tag::BmpString => {
            let (units, rest) = value.value().as_chunks::<2>();
            let units: Vec<u16> = units.iter().map(|unit| u16::from_be_bytes(*unit)).collect();
            String::from_utf16(&units).ok().filter(|_| rest.is_empty())?
        }
        _ => return None,
    })
}

/// Appends a value with the escapes of RFC 2253 §2.4.
fn push_escaped(written: &mut String, text: &str) {
    for (at, c) in text.char_indices() {
        let is_outer_blank = c == ' ' && (at == 0 || at + 1 == text.len());
        if is_outer_blank || matches!(c, ',' | '+' | '"' | '\\' | '<' | '>' | ';') || c == '#' && at == 0 {
            written.push('\\');
        }
        written.push(c);
    }
}

string_enum! {
    /// The kind of an identifier of a natural or legal person: EN 319 412-1 §5.1.3, §5.1.4.
    pub enum IdentifierKind {
        /// A passport.
        Passport = "PAS",
        /// A national identity card.
        IdentityCard = "IDC",
        /// A national personal number.
        PersonalNumber = "PNO",
        /// A tax reference number of former versions of the standard.
        TaxReference = "TAX",
        /// A tax identification number of a natural person.
        TaxNumber = "TIN",
        /// A number for value added tax.
        Vat = "VAT",
        /// A number in a national trade register.
        TradeRegister = "NTR",
        /// An authorisation number of a payment service provider: TS 119 495 §5.2.1.
        PaymentServices = "PSD",
        /// A legal entity identifier: ISO 17442.
        LegalEntity = "LEI",
    }
}

impl IdentifierKind {
    /// Returns the kind of an identifier such as `PNOEE-38001085718`, and the country that gave it; `None` where it does
    /// not follow the standard.
    pub(super) fn of(identifier: &str) -> Option<(Self, &str)> {
        let kind = identifier.get(..3)?.parse().ok()?;
        let country = identifier.get(3..5).filter(|code| code.bytes().all(|c| c.is_ascii_uppercase()))?;
        identifier.get(5..)?.strip_prefix('-').filter(|value| !value.is_empty())?;
        Some((kind, country))
    }

    fn message(self) -> MessageId {
        match self {
            Self::Passport => MessageId::IdentifierPassport,
            Self::IdentityCard => MessageId::IdentifierCard,
            Self::PersonalNumber => MessageId::IdentifierPerson,
            Self::TaxReference | Self::TaxNumber => MessageId::IdentifierTax,
            Self::Vat => MessageId::IdentifierVat,
            Self::TradeRegister => MessageId::IdentifierRegister,
            Self::PaymentServices => MessageId::IdentifierPayment,
            Self::LegalEntity => MessageId::IdentifierEntity,
        }
    }
}

/// Describes an identifier: itself, its kind and its country.
pub(super) fn identifier(text: &str) -> LocalizedText {
    match IdentifierKind::of(text) {
        Some((kind, country)) => LocalizedText::new(kind.message()).with("value", text).with("country", country),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{IdentifierKind, readable};

    #[test]
    fn names_are_text() {
        let rows = [
            ("RFC 2253 2.3: a keyword stays", "CN=A. B.,O=C", "CN=A. B.,O=C"),
            ("X.520 6.2.9: a printable string", "2.5.4.5=#130541422d3132,CN=A", "serialNumber=AB-12,CN=A"),
            ("EN 319 412-1 5.1.4: UTF-8", "2.5.4.97=#0c0856415445452d3132", "organizationIdentifier=VATEE-12"),
            ("RFC 2253 2.4: a comma is escaped", "2.5.4.4=#0c03412c42", "surname=A\\,B"),
            ("RFC 2253 2.4: blanks at the ends", "2.5.4.4=#0c03204120", "surname=\\ A\\ "),
            ("RFC 2253 3: several attributes", "CN=a\\,b+2.5.4.42=#0c0141,C=EE", "CN=a\\,b+givenName=A,C=EE"),
            ("X.690 8.23: UCS-2", "2.5.4.42=#1e0400410042", "givenName=AB"),
            ("an integer is no string", "2.5.4.5=#020101", "serialNumber=#020101"),
            ("hexadecimal without an end", "2.5.4.5=#130", "serialNumber=#130"),
            ("a type without a name", "1.2.3.4=#0c0141", "1.2.3.4=A"),
            ("a keyword with hexadecimal", "CN=#0c0141", "CN=A"),
        ];
        for (clause, name, expected) in rows {
            assert_eq!(readable(name), expected, "{clause}");
        }
    }

    #[test]
    fn identifiers_have_a_kind() {
        let rows = [
            ("EN 319 412-1 5.1.3", "PNOEE-38001085718", Some((IdentifierKind::PersonalNumber, "EE"))),
            ("EN 319 412-1 5.1.4", "VATPT-500000000", Some((IdentifierKind::Vat, "PT"))),
            ("EN 319 412-1 5.1.3: no value", "PNOEE-", None),
            ("EN 319 412-1 5.1.3: no country", "PNO-1234", None),
            ("EN 319 412-1 5.1.3: no such kind", "XYZEE-1", None),
            ("letters of several bytes", "éééé-1", None),
            ("short", "PN", None),
        ];
        for (clause, text, expected) in rows {
            assert_eq!(IdentifierKind::of(text), expected, "{clause}: {text}");
        }
    }
}
