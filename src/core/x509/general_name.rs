//! `GeneralName`: RFC 5280 §4.2.1.6.

use super::Name;
use crate::asn1::{Error, Reader, Tlv};
use crate::facts::{self, GeneralNameType};
use std::net::{Ipv4Addr, Ipv6Addr};

/// One of the forms that a name takes, with its element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneralName<'a> {
    /// Which form.
    pub kind: GeneralNameType,
    /// The element, still implicitly tagged.
    pub tlv: Tlv<'a>,
}

impl<'a> GeneralName<'a> {
    /// Reads one; `None` for a tag that is none of the nine forms.
    pub fn from_tlv(tlv: Tlv<'a>) -> Option<Self> {
        let kind = *GeneralNameType::ALL.get(tlv.tag.number as usize)?;
        tlv.is_context(tlv.tag.number).then_some(Self { kind, tlv })
    }

    /// Returns the distinguished name of a `directoryName`.
    pub fn directory_name(&self) -> Option<Name> {
        (self.kind == GeneralNameType::DirectoryName).then(|| Name::from_der(self.tlv.inner().ok()?.raw).ok()).flatten()
    }

    /// Returns the name as text, and where it has none its bytes in hexadecimal after `#`.
    pub fn text(&self) -> String {
        use GeneralNameType as Kind;
        match self.kind {
            Kind::Rfc822Name | Kind::DnsName | Kind::Uri if !self.tlv.tag.constructed => match self.tlv.string() {
                Ok(text) => text.into_owned(),
                Err(_) => hex(self.tlv.content),
            },
            Kind::DirectoryName => match self.directory_name() {
                Some(name) => name.rfc2253().to_owned(),
                None => hex(self.tlv.raw),
            },
            Kind::RegisteredId => match self.tlv.oid() {
                Ok(oid) => oid.to_string(),
                Err(_) => hex(self.tlv.content),
            },
            Kind::IpAddress => {
                let bytes = self.tlv.content;
                if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
                    Ipv4Addr::from(bytes).to_string()
                } else if let Ok(bytes) = <[u8; 16]>::try_from(bytes) {
                    Ipv6Addr::from(bytes).to_string()
                } else {
                    hex(bytes)
                }
            }
            _ => hex(self.tlv.raw),
        }
    }

    /// Returns the name as the facts have it.
    pub fn to_facts(self) -> facts::GeneralName {
        facts::GeneralName { kind: Some(self.kind), value: self.text() }
    }
}

/// Returns the names of a `GeneralNames` whose elements are `names`.
pub fn general_names<'a>(mut names: Reader<'a>) -> Result<Vec<GeneralName<'a>>, Error> {
    let mut out = Vec::new();
    while let Some(tlv) = Reader::next(&mut names)? {
        out.extend(GeneralName::from_tlv(tlv));
    }
    Ok(out)
}

fn hex(bytes: &[u8]) -> String {
    crate::hex::lower_after("#", bytes)
}
