//! Attributes: RFC 5652 §5.3.

use super::oids;
use crate::asn1::{Oid, Tag, Tlv, element_count};

/// Types whose values have their lists further inside.
const DEEP: [Oid<'static>; 7] = [
    oids::REVOCATION_VALUES,
    oids::ADBE_REVOCATION_INFO,
    oids::REVOCATION_REFS,
    oids::ATTRIBUTE_REVOCATION_REFS,
    oids::SIGNER_LOCATION,
    oids::SIGNER_ATTRIBUTES,
    oids::SIGNER_ATTRIBUTES_V2,
];

/// Returns how many attributes a signer has, those of its counter-signatures included, with what they list: values,
/// references, certificates; what is in a token or a certificate is not counted.
pub(super) fn extent(signer: &Tlv<'_>) -> usize {
    fn signers(of: &Tlv<'_>, depth: usize) -> usize {
        let sets = of.children().filter(|set| set.is_context(0) || set.is_context(1));
        let listed = |attribute: Tlv<'_>| match attribute.inner().and_then(|kind| kind.oid()) {
            Ok(oids::COUNTER_SIGNATURE) if depth > 0 => {
                let values = attribute.children().skip(1).flat_map(|values| values.children());
                values.map(|signer| 1 + signers(&signer, depth - 1)).sum()
            }
            Ok(oid) if DEEP.contains(&oid) => element_count(attribute.children(), 6),
            _ => element_count(attribute.children(), 3),
        };
        sets.flat_map(|set| set.children()).map(|attribute| 1 + listed(attribute)).sum()
    }
    signers(signer, 8)
}

/// One attribute: `SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF AttributeValue }`.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// Its type.
    pub oid: Oid<'a>,
    /// The whole element.
    pub raw: Tlv<'a>,
    /// The element that holds the type.
    pub kind: Tlv<'a>,
    /// The element that holds the values.
    pub values: Tlv<'a>,
}

impl<'a> Attribute<'a> {
    /// Reads one attribute; `None` where it is not one.
    pub fn parse(raw: Tlv<'a>) -> Option<Self> {
        let mut reader = raw.expecting(Tag::SEQUENCE).ok()?.children();
        let kind = reader.expect(Tag::OID).ok()?;
        let values = reader.expect(Tag::SET).ok().filter(|values| values.children().each_is(|_| true))?;
        Some(Self { oid: kind.oid().ok()?, raw, kind, values })
    }

    /// Tells whether it is an archive time-stamp before version 3, which covers the certificates, CRLs and unsigned attributes
    /// as they stand: EN 319 122-1 §A.2.4, TS 101 733 §6.4.1 and annex K.
    #[cfg(feature = "signing")]
    pub(crate) fn is_older_archive_timestamp(&self) -> bool {
        [oids::ARCHIVE_TIMESTAMP, oids::ARCHIVE_TIMESTAMP_V2, oids::LONG_TERM_VALIDATION].contains(&self.oid)
    }

    /// Returns its first value.
    pub fn value(&self) -> Option<Tlv<'a>> {
        self.values.children().read().ok()
    }

    /// Returns its values.
    pub fn values(&self) -> impl Iterator<Item = Tlv<'a>> + use<'a> {
        self.values.children()
    }
}

/// A SET OF attributes, in the order sent. An element that is no attribute is skipped.
#[derive(Debug, Clone, Default)]
pub struct Attributes<'a>(Vec<Attribute<'a>>);

impl<'a> Attributes<'a> {
    /// Reads the elements of `set`.
    pub fn parse(set: &Tlv<'a>) -> Self {
        Self(set.children().filter_map(Attribute::parse).collect())
    }

    /// Returns all attributes.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute<'a>> {
        self.0.iter()
    }

    /// Returns the attributes of this type.
    pub fn all(&self, oid: Oid<'static>) -> impl Iterator<Item = &Attribute<'a>> {
        self.0.iter().filter(move |attribute| attribute.oid == oid)
    }

    /// Returns the first attribute of this type.
    pub fn first(&self, oid: Oid<'static>) -> Option<&Attribute<'a>> {
        self.all(oid).next()
    }

    /// Returns the value of the attribute of this type; none for several attributes or values, since RFC 5652 §11 allows one
    /// instance with one value and does not say which of several counts.
    pub fn value(&self, oid: Oid<'static>) -> Option<Tlv<'a>> {
        let mut attributes = self.all(oid);
        let only = attributes.next().filter(|_| attributes.next().is_none());
        let mut values = only?.values();
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns what is wrong with the attributes of a type that stands at most once, with one value: that there are several, or
    /// that the value is not one that `is_readable`.
    pub fn fault(&self, oid: Oid<'static>, name: &str, is_readable: fn(&Tlv<'_>) -> bool) -> Option<String> {
        let count = self.count(oid);
        match self.value(oid) {
            Some(value) if is_readable(&value) => None,
            Some(_) => Some(format!("{name} that cannot be read")),
            None => (count > 0).then(|| {
                let values = self.all(oid).map(|attribute| attribute.values().count()).sum::<usize>();
                format!("{name} in {count} attributes of {values} values")
            }),
        }
    }

    /// Returns the number of attributes of this type.
    pub fn count(&self, oid: Oid<'static>) -> usize {
        self.all(oid).count()
    }

    /// Returns the number of attributes of this type that have one value.
    pub fn count_valued(&self, oid: Oid<'static>) -> usize {
        self.all(oid).filter(|attribute| attribute.values().count() == 1).count()
    }
}

impl<'a, 's> IntoIterator for &'s Attributes<'a> {
    type Item = &'s Attribute<'a>;
    type IntoIter = std::slice::Iter<'s, Attribute<'a>>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
