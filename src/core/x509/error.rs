use crate::asn1;

/// Why bytes are not the X.509 structure that was expected.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The structure cannot be read.
    #[error("{structure}: {field} cannot be read")]
    Field {
        /// Certificate, CRL, OCSP response.
        structure: &'static str,
        /// The component.
        field: &'static str,
        /// What is wrong with it.
        source: asn1::Error,
    },
    /// An OCSP response that carries no answer (RFC 6960 §4.2.1).
    #[error("OCSP response with status {status}, expected 0 (successful)")]
    NotSuccessful {
        /// The status.
        status: u64,
    },
    /// An OCSP response of a type other than `id-pkix-ocsp-basic`.
    #[error("OCSP response of type {found}, expected id-pkix-ocsp-basic")]
    ResponseType {
        /// The type's OID.
        found: String,
    },
}

/// Adds the names of the structure and its component to an ASN.1 error.
pub(crate) fn field(structure: &'static str, field: &'static str) -> impl Fn(asn1::Error) -> Error {
    move |source| Error::Field { structure, field, source }
}
