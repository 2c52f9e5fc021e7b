//! Object identifiers of CMS (RFC 5652), ESS (RFC 2634, RFC 5035) and CAdES (EN 319 122-1).

use crate::asn1::{Oid, oid};

macro_rules! oids {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        $($(#[$doc])* pub(crate) const $name: Oid<'static> = oid!($text);)+
    };
}

oids! {
    // RFC 5652 §4, §5.1.
    DATA = "1.2.840.113549.1.7.1";
    SIGNED_DATA = "1.2.840.113549.1.7.2";
    // RFC 5652 §11.
    CONTENT_TYPE = "1.2.840.113549.1.9.3";
    MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
    SIGNING_TIME = "1.2.840.113549.1.9.5";
    COUNTER_SIGNATURE = "1.2.840.113549.1.9.6";
    // RFC 6211: the algorithms once more, this time signed.
    ALGORITHM_PROTECTION = "1.2.840.113549.1.9.52";
    // RFC 5940: OCSP in `RevocationInfoChoices`, as a response and as a basic response.
    RI_OCSP_RESPONSE = "1.3.6.1.5.5.7.16.2";
    RI_OCSP_BASIC = "1.3.6.1.5.5.7.48.1.1";
    // RFC 2634, RFC 5035.
    CONTENT_HINT = "1.2.840.113549.1.9.16.2.4";
    CONTENT_IDENTIFIER = "1.2.840.113549.1.9.16.2.7";
    CONTENT_REFERENCE = "1.2.840.113549.1.9.16.2.10";
    SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
    SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
    // EN 319 122-1 §5.2, signed attributes.
    SIGNATURE_POLICY = "1.2.840.113549.1.9.16.2.15";
    COMMITMENT_TYPE = "1.2.840.113549.1.9.16.2.16";
    SIGNER_LOCATION = "1.2.840.113549.1.9.16.2.17";
    SIGNER_ATTRIBUTES = "1.2.840.113549.1.9.16.2.18";
    CONTENT_TIMESTAMP = "1.2.840.113549.1.9.16.2.20";
    SIGNER_ATTRIBUTES_V2 = "0.4.0.19122.1.1";
    MIME_TYPE = "0.4.0.1733.2.1";
    // EN 319 122-1 annex D: an assertion in signer-attributes-v2, as text.
    #[cfg(feature = "signing")]
    SIGNED_ASSERTION = "0.4.0.19122.1.6";
    // EN 319 122-1 §5.2.9.1: qualifiers of a signature policy.
    POLICY_URI = "1.2.840.113549.1.9.16.5.1";
    POLICY_USER_NOTICE = "1.2.840.113549.1.9.16.5.2";
    POLICY_DOCUMENT_SPECIFICATION = "0.4.0.19122.2.1";
    // EN 319 122-1 §5.3 to §5.5 and annex A, unsigned attributes.
    SIGNATURE_TIMESTAMP = "1.2.840.113549.1.9.16.2.14";
    CERTIFICATE_REFS = "1.2.840.113549.1.9.16.2.21";
    REVOCATION_REFS = "1.2.840.113549.1.9.16.2.22";
    CERTIFICATE_VALUES = "1.2.840.113549.1.9.16.2.23";
    REVOCATION_VALUES = "1.2.840.113549.1.9.16.2.24";
    CADES_C_TIMESTAMP = "1.2.840.113549.1.9.16.2.25";
    REFERENCES_TIMESTAMP = "1.2.840.113549.1.9.16.2.26";
    ATTRIBUTE_CERTIFICATE_REFS = "1.2.840.113549.1.9.16.2.44";
    ATTRIBUTE_REVOCATION_REFS = "1.2.840.113549.1.9.16.2.45";
    #[cfg(feature = "signing")]
    ARCHIVE_TIMESTAMP = "1.2.840.113549.1.9.16.2.27";
    ARCHIVE_TIMESTAMP_V2 = "1.2.840.113549.1.9.16.2.48";
    ARCHIVE_TIMESTAMP_V3 = "0.4.0.1733.2.4";
    #[cfg(feature = "signing")]
    LONG_TERM_VALIDATION = "0.4.0.1733.2.2";
    HASH_INDEX = "0.4.0.1733.2.5";
    HASH_INDEX_V2 = "0.4.0.19122.1.4";
    HASH_INDEX_V3 = "0.4.0.19122.1.5";
    SIGNATURE_POLICY_STORE = "0.4.0.19122.1.3";
    // RFC 4998 appendix A.
    INTERNAL_EVIDENCE_RECORD = "1.2.840.113549.1.9.16.2.49";
    EXTERNAL_EVIDENCE_RECORD = "1.2.840.113549.1.9.16.2.50";
    // RFC 3161 §2.4.2.
    TST_INFO = "1.2.840.113549.1.9.16.1.4";
    // RFC 3281: a role in an attribute certificate.
    ROLE = "2.5.4.72";
    // PDF 32000-1 §12.8.3.3.2.
    ADBE_REVOCATION_INFO = "1.2.840.113583.1.1.8";
}
