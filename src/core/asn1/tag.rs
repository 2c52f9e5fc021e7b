//! Tags: X.690 §8.1.2.

use std::fmt;

/// The class of a tag (X.690 §8.1.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The types of ASN.1 itself.
    Universal,
    /// Types of an application.
    Application,
    /// A component, named by its place in its structure.
    Context,
    /// Types of a private agreement.
    Private,
}

/// A tag: class, form and number (X.690 §8.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// The class.
    pub class: Class,
    /// Whether the contents are elements.
    pub constructed: bool,
    /// The number.
    pub number: u32,
}

impl Tag {
    /// BOOLEAN.
    pub const BOOLEAN: Self = Self::universal(1);
    /// INTEGER.
    pub const INTEGER: Self = Self::universal(2);
    /// BIT STRING.
    pub const BIT_STRING: Self = Self::universal(3);
    /// OCTET STRING.
    pub const OCTET_STRING: Self = Self::universal(4);
    /// NULL.
    pub const NULL: Self = Self::universal(5);
    /// OBJECT IDENTIFIER.
    pub const OID: Self = Self::universal(6);
    /// ENUMERATED.
    pub const ENUMERATED: Self = Self::universal(10);
    /// UTF8String.
    pub const UTF8_STRING: Self = Self::universal(12);
    /// SEQUENCE and SEQUENCE OF.
    pub const SEQUENCE: Self = Self { constructed: true, ..Self::universal(16) };
    /// SET and SET OF.
    pub const SET: Self = Self { constructed: true, ..Self::universal(17) };
    /// NumericString.
    pub const NUMERIC_STRING: Self = Self::universal(18);
    /// PrintableString.
    pub const PRINTABLE_STRING: Self = Self::universal(19);
    /// TeletexString.
    pub const TELETEX_STRING: Self = Self::universal(20);
    /// IA5String.
    pub const IA5_STRING: Self = Self::universal(22);
    /// UTCTime.
    pub const UTC_TIME: Self = Self::universal(23);
    /// GeneralizedTime.
    pub const GENERALIZED_TIME: Self = Self::universal(24);
    /// VisibleString.
    pub const VISIBLE_STRING: Self = Self::universal(26);
    /// UniversalString.
    pub const UNIVERSAL_STRING: Self = Self::universal(28);
    /// BMPString.
    pub const BMP_STRING: Self = Self::universal(30);

    const fn universal(number: u32) -> Self {
        Self { class: Class::Universal, constructed: false, number }
    }

    /// Returns a tag of one byte, its number below 31.
    pub(super) const fn of_byte(byte: u8) -> Self {
        const CLASSES: [Class; 4] = [Class::Universal, Class::Application, Class::Context, Class::Private];
        Self { class: CLASSES[(byte >> 6) as usize], constructed: byte & 0x20 != 0, number: (byte & 0x1f) as u32 }
    }

    /// Returns `[number]` on a primitive type: an implicit tag.
    pub const fn context(number: u32) -> Self {
        Self { class: Class::Context, constructed: false, number }
    }

    /// Returns `[number]` on elements: an explicit tag, or an implicit one on a SEQUENCE or SET.
    pub const fn context_constructed(number: u32) -> Self {
        Self { class: Class::Context, constructed: true, number }
    }

    /// Returns whether class and number are the same. BER leaves the form of strings open.
    pub const fn is(self, other: Self) -> bool {
        self.class as u8 == other.class as u8 && self.number == other.number
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 31] = [
            "end of contents",
            "BOOLEAN",
            "INTEGER",
            "BIT STRING",
            "OCTET STRING",
            "NULL",
            "OBJECT IDENTIFIER",
            "ObjectDescriptor",
            "EXTERNAL",
            "REAL",
            "ENUMERATED",
            "EMBEDDED PDV",
            "UTF8String",
            "RELATIVE-OID",
            "TIME",
            "type 15",
            "SEQUENCE",
            "SET",
            "NumericString",
            "PrintableString",
            "TeletexString",
            "VideotexString",
            "IA5String",
            "UTCTime",
            "GeneralizedTime",
            "GraphicString",
            "VisibleString",
            "GeneralString",
            "UniversalString",
            "CHARACTER STRING",
            "BMPString",
        ];
        match (self.class, NAMES.get(self.number as usize)) {
            (Class::Universal, Some(name)) => f.write_str(name),
            (Class::Universal, None) => write!(f, "[UNIVERSAL {}]", self.number),
            (Class::Application, _) => write!(f, "[APPLICATION {}]", self.number),
            (Class::Context, _) => write!(f, "[{}]", self.number),
            (Class::Private, _) => write!(f, "[PRIVATE {}]", self.number),
        }
    }
}
