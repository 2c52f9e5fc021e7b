//! Who a certificate is for: EN 319 412-2 §4.2.4 (natural persons), EN 319 412-3 §4.2.1 (legal persons).

use super::Error;
use crate::asn1::{Oid, Tag, Writer, oid};
use x509_cert::name::Name;

/// The subject of a certificate (EN 319 412-2 §4.2.4, EN 319 412-3 §4.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A natural person.
    NaturalPerson {
        /// ISO 3166-1 alpha-2.
        country: String,
        /// Given names.
        given_name: String,
        /// Surname.
        surname: String,
        /// Tells persons of one name apart; EN 319 412-1 §5.1.3 forms (`PASSK-P3000180`) say what it is.
        serial_number: String,
    },
    /// A legal person; also the operator of an authority, responder or time-stamping unit.
    LegalPerson {
        /// ISO 3166-1 alpha-2.
        country: String,
        /// Its full registered name.
        organization: String,
        /// EN 319 412-1 §5.1.4 (`VATBE-0876866142`).
        organization_identifier: String,
        /// The name that it is commonly known by, or the name of the authority or unit.
        common_name: String,
    },
}

const COMMON_NAME: Oid<'_> = oid!("2.5.4.3");
const SURNAME: Oid<'_> = oid!("2.5.4.4");
const SERIAL_NUMBER: Oid<'_> = oid!("2.5.4.5");
const COUNTRY: Oid<'_> = oid!("2.5.4.6");
const ORGANIZATION: Oid<'_> = oid!("2.5.4.10");
const GIVEN_NAME: Oid<'_> = oid!("2.5.4.42");
const ORGANIZATION_IDENTIFIER: Oid<'_> = oid!("2.5.4.97");

/// One attribute: its name, and the most characters that RFC 5280 appendix A.1 gives it.
struct Kind {
    name: &'static str,
    oid: Oid<'static>,
    most: usize,
    expected: &'static str,
}

const fn kind(name: &'static str, oid: Oid<'static>, most: usize, expected: &'static str) -> Kind {
    Kind { name, oid, most, expected }
}

const TEXT_64: &str = "1 to 64 characters, none of them a control character";

#[rustfmt::skip]
const KINDS: [Kind; 7] = [
    kind("countryName", COUNTRY, 2, "two capital letters (ISO 3166-1)"),
    kind("organizationName", ORGANIZATION, 64, TEXT_64),
    kind("organizationIdentifier", ORGANIZATION_IDENTIFIER, 64, TEXT_64),
    kind("givenName", GIVEN_NAME, 64, TEXT_64),
    kind("surname", SURNAME, 64, TEXT_64),
    kind("serialNumber", SERIAL_NUMBER, 64, "1 to 64 characters of PrintableString"),
    kind("commonName", COMMON_NAME, 64, TEXT_64),
];

impl Subject {
    /// Returns whether the subject is a natural person.
    pub fn is_natural(&self) -> bool {
        matches!(self, Self::NaturalPerson { .. })
    }

    /// Returns the distinguished name.
    pub(super) fn name(&self) -> Result<Name, Error> {
        let given: Vec<(Oid<'_>, String)> = match self {
            Self::NaturalPerson { country, given_name, surname, serial_number } => vec![
                (COUNTRY, country.clone()),
                (GIVEN_NAME, given_name.clone()),
                (SURNAME, surname.clone()),
                (SERIAL_NUMBER, serial_number.clone()),
                (COMMON_NAME, first_characters(&format!("{given_name} {surname}"), 64)),
            ],
            Self::LegalPerson { country, organization, organization_identifier, common_name } => vec![
                (COUNTRY, country.clone()),
                (ORGANIZATION, organization.clone()),
                (ORGANIZATION_IDENTIFIER, organization_identifier.clone()),
                (COMMON_NAME, common_name.clone()),
            ],
        };
        let attributes = given.iter().map(|(oid, value)| attribute(*oid, value)).collect::<Result<Vec<_>, _>>()?;
        let mut name = Writer::new();
        name.sequence(|w| {
            w.raw(&attributes.concat());
        });
        Ok(der::Decode::from_der(&name.finish())?)
    }
}

fn first_characters(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Makes a relative distinguished name of one attribute.
fn attribute(oid: Oid<'_>, value: &str) -> Result<Vec<u8>, Error> {
    let kind = KINDS.iter().find(|kind| kind.oid == oid).expect("every attribute above has its row");
    let length = value.chars().count();
    // X.520: country and serial number are PrintableString.
    let printable = matches!(oid, COUNTRY | SERIAL_NUMBER);
    let fits = length >= 1
        && length <= kind.most
        && !value.chars().any(char::is_control)
        && (!printable || value.bytes().all(is_printable))
        && (oid != COUNTRY || length == 2 && value.bytes().all(|byte| byte.is_ascii_uppercase()));
    if !fits {
        return Err(Error::Subject { attribute: kind.name, found: value.to_owned(), expected: kind.expected });
    }
    let mut rdn = Writer::new();
    rdn.set(|w| {
        w.sequence(|w| {
            w.oid(oid);
            w.element(if printable { Tag::PRINTABLE_STRING } else { Tag::UTF8_STRING }, value.as_bytes());
        });
    });
    Ok(rdn.finish())
}

/// Returns whether PrintableString has a character: X.680 table 10.
fn is_printable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_held_to_their_standards() {
        let person = |country: &str, surname: &str, serial: &str| Subject::NaturalPerson {
            country: country.into(),
            given_name: "Ana".into(),
            surname: surname.into(),
            serial_number: serial.into(),
        };
        for (clause, subject, expected) in [
            (
                "EN 319 412-2 4.2.4",
                person("PT", "Silva", "PASPT-1"),
                Ok("CN=Ana Silva,serialNumber=PASPT-1,SN=Silva,GN=Ana,C=PT"),
            ),
            ("ISO 3166-1: capitals", person("pt", "Silva", "1"), Err("countryName")),
            ("ISO 3166-1: two letters", person("PRT", "Silva", "1"), Err("countryName")),
            ("RFC 5280 A.1: not empty", person("PT", "", "1"), Err("surname")),
            ("RFC 5280 A.1: ub-common-name", person("PT", &"x".repeat(65), "1"), Err("surname")),
            ("X.520: PrintableString", person("PT", "Silva", "é"), Err("serialNumber")),
            ("control characters", person("PT", "Sil\nva", "1"), Err("surname")),
        ] {
            let found = subject.name().map(|name| name.to_string());
            match (&found, expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found.to_ascii_uppercase(), expected.to_ascii_uppercase(), "{clause}")
                }
                (Err(Error::Subject { attribute, .. }), Err(expected)) => assert_eq!(*attribute, expected, "{clause}"),
                other => panic!("{clause}: {other:?}"),
            }
        }
    }
}
