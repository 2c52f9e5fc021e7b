//! Closed word lists of the standards as Rust enums.
//!
//! Signature formats, token kinds, indications: the standards define them as
//! lists of words, and the same words stand in DSS's XML, in our JSON and in
//! the reports. `string_enum!` writes such a list once, with its spelling.

/// Defines an enum whose variants each have one fixed spelling.
///
/// The spelling is used by `as_str`, `Display`, `FromStr` and serde alike, so
/// there is no second place where a word could be spelt differently.
macro_rules! string_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(clippy::enum_variant_names, reason = "the words are the standards'")]
        $vis enum $name { $($(#[$vmeta])* #[doc = concat!("`", $word, "`")] $variant,)+ }

        impl $name {
            /// Every word of the list, in the order in which it is defined.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the word as the standard (or DSS) spells it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|w| w.as_str() == word).ok_or_else(|| {
                    $crate::vocabulary::UnknownWord { list: stringify!($name), found: word.into() }
                })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str>>::deserialize(d)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use string_enum;

/// A word that is not in the list in which it was looked up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a known {list}")]
pub struct UnknownWord {
    /// The name of the list.
    pub list: &'static str,
    /// The word that was looked up.
    pub found: Box<str>,
}
