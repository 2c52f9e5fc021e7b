use crate::asn1;

/// Why bytes are not a CMS `SignedData`.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A part is not the ASN.1 that it has to be.
    #[error("CMS {part} cannot be read")]
    Asn1 {
        /// Which part.
        part: &'static str,
        /// What was found.
        source: asn1::Error,
    },
    /// The outermost content type.
    #[error("CMS content type is {found}, not signed-data (1.2.840.113549.1.7.2)")]
    NotSignedData {
        /// The content type, dotted.
        found: String,
    },
    /// The encapsulated content of a time-stamp token.
    #[error("time-stamp token holds {found}, not TSTInfo (1.2.840.113549.1.9.16.1.4)")]
    NotTstInfo {
        /// The content type, dotted.
        found: String,
    },
    /// More certificates, attributes, and references in these than honest files have.
    #[error("CMS lists {found} certificates, attributes and references in these, expected at most {limit}")]
    TooMany {
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// No signer.
    #[error("CMS has no SignerInfo, expected at least one")]
    NoSigner,
    /// A time-stamp token in a response that rejects the request: RFC 3161 §2.4.2.
    #[error(
        "the response of the time-stamping authority has status {status}, expected granted (0) or granted with mods (1)"
    )]
    Rejected {
        /// `PKIStatus`.
        status: u64,
    },
    /// A time-stamp token that does not say whose it is: RFC 3161 §2.4.2.
    #[error("the time-stamp has no signing-certificate attribute, expected the authority's")]
    UnnamedAuthority,
}

impl Error {
    /// Adds which part could not be read.
    pub(crate) fn in_part(part: &'static str) -> impl Fn(asn1::Error) -> Self {
        move |source| Self::Asn1 { part, source }
    }
}
