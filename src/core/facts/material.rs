//! What tokens of every kind share: bytes, digests, matchers, the signature value, found evidence.

use super::Id;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::hex;
use crate::vocabulary::string_enum;
use base64::Engine as _;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Bytes, written as Base64 in JSON.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&base64::engine::general_purpose::STANDARD.encode(&self.0))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&base64::engine::general_purpose::STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        base64::engine::general_purpose::STANDARD.decode(text.as_bytes()).map(Self).map_err(serde::de::Error::custom)
    }
}

/// A digest: the function and the value, either of which a broken document may lack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Digest {
    /// The function; `None` when it is missing or unknown.
    pub algorithm: Option<DigestAlgorithm>,
    /// The value.
    pub value: Bytes,
}

string_enum! {
    /// What a digest matcher matches.
    pub enum MatcherType {
        Reference = "REFERENCE",
        Object = "OBJECT",
        KeyInfo = "KEY_INFO",
        Manifest = "MANIFEST",
        ManifestEntry = "MANIFEST_ENTRY",
        SignedProperties = "SIGNED_PROPERTIES",
        SignatureProperties = "SIGNATURE_PROPERTIES",
        CounterSignature = "COUNTER_SIGNATURE",
        XPointer = "XPOINTER",
        MessageDigest = "MESSAGE_DIGEST",
        ContentDigest = "CONTENT_DIGEST",
        JwsSigningInput = "JWS_SIGNING_INPUT_DIGEST",
        SigDEntry = "SIG_D_ENTRY",
        CounterSignedSignatureValue = "COUNTER_SIGNED_SIGNATURE_VALUE",
        CoseSigStructure = "COSE_SIG_STRUCTURE",
        MessageImprint = "MESSAGE_IMPRINT",
        ErArchiveObject = "EVIDENCE_RECORD_ARCHIVE_OBJECT",
        ErOrphanReference = "EVIDENCE_RECORD_ORPHAN_REFERENCE",
        ErArchiveTimestamp = "EVIDENCE_RECORD_ARCHIVE_TIME_STAMP",
        ErArchiveTimestampSequence = "EVIDENCE_RECORD_ARCHIVE_TIME_STAMP_SEQUENCE",
        ErMasterSignature = "EVIDENCE_RECORD_MASTER_SIGNATURE",
        SelectiveDisclosure = "SELECTIVE_DISCLOSURE",
        NestedSelectiveDisclosure = "NESTED_SELECTIVE_DISCLOSURE",
        OrphanSelectivelyDisclosableClaim = "ORPHAN_SELECTIVELY_DISCLOSABLE_CLAIM",
        KeyBindingSignature = "KEY_BINDING_SIGNATURE",
    }
}

/// One comparison of a stated digest with the data that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestMatcher {
    /// What is compared.
    pub kind: MatcherType,
    /// The stated digest.
    #[serde(default)]
    pub digest: Digest,
    /// Whether the data was found.
    pub data_found: bool,
    /// Whether the data has the stated digest.
    pub data_intact: bool,
    /// The reference's own id.
    #[serde(default)]
    pub id: Option<Arc<str>>,
    /// The URI to which the reference points.
    #[serde(default)]
    pub uri: Option<Arc<str>>,
    /// The name of the document that was found for it.
    #[serde(default)]
    pub document_name: Option<Arc<str>>,
    /// The ids of further references to the same object (groups of evidence records).
    #[serde(default)]
    pub object_references: Vec<String>,
    /// Whether the target is ambiguous, as where two elements have the same id.
    #[serde(default)]
    pub duplicated: bool,
}

impl DigestMatcher {
    /// Returns a comparison for which nothing was found.
    pub fn missing(kind: MatcherType) -> Self {
        Self {
            kind,
            digest: Digest::default(),
            data_found: false,
            data_intact: false,
            id: None,
            uri: None,
            document_name: None,
            object_references: vec![],
            duplicated: false,
        }
    }
}

/// The algorithms of a token's signature value, and whether it verifies.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BasicSignature {
    /// The key's algorithm and padding.
    pub key_algorithm: Option<KeyAlgorithm>,
    /// The key's length in bits; `None` when the key is not known.
    pub key_length: Option<u32>,
    /// The digest function.
    pub digest_algorithm: Option<DigestAlgorithm>,
    /// Whether the value verifies under the signing certificate's key.
    pub intact: bool,
    /// `intact`, and every digest on which the value rests matches too.
    pub valid: bool,
}

/// The result of a check of structure against a schema or profile.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StructuralValidation {
    /// Whether the structure is as its schema or profile requires.
    pub valid: bool,
    /// The deviations found.
    pub messages: Vec<String>,
}

string_enum! {
    /// Where a certificate was found inside a token.
    pub enum CertificateOrigin {
        KeyInfo = "KEY_INFO",
        SignedData = "SIGNED_DATA",
        CertificateValues = "CERTIFICATE_VALUES",
        AttrAuthoritiesCertValues = "ATTR_AUTHORITIES_CERT_VALUES",
        TimestampValidationData = "TIMESTAMP_VALIDATION_DATA",
        AnyValidationData = "ANY_VALIDATION_DATA",
        DssDictionary = "DSS_DICTIONARY",
        VriDictionary = "VRI_DICTIONARY",
        BasicOcspResponse = "BASIC_OCSP_RESP",
        EvidenceRecord = "EVIDENCE_RECORD",
        UnprotectedHeader = "UNPROTECTED_HEADER",
        Attestation = "ATTESTATION",
    }
}

string_enum! {
    /// Which attribute refers to a certificate.
    pub enum CertificateRefOrigin {
        SigningCertificate = "SIGNING_CERTIFICATE",
        CompleteCertificateRefs = "COMPLETE_CERTIFICATE_REFS",
        AttributeCertificateRefs = "ATTRIBUTE_CERTIFICATE_REFS",
        KeyIdentifier = "KEY_IDENTIFIER",
        X509Url = "X509_URL",
        UnprotectedHeaderRefs = "UNPROTECTED_HEADER_REFS",
    }
}

/// A reference to a certificate by digest, issuer and serial number, key or name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CertificateRef {
    /// The attribute that holds it.
    pub origin: CertificateRefOrigin,
    /// The DER of `IssuerSerial`, as sent.
    #[serde(default)]
    pub issuer_serial: Option<Bytes>,
    /// Whether issuer and serial number are the certificate's.
    #[serde(default)]
    pub issuer_serial_match: Option<bool>,
    /// The certificate's digest.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// Whether that digest is the certificate's.
    #[serde(default)]
    pub digest_match: Option<bool>,
    /// The signer's identifier (OCSP responder id, CMS signer identifier).
    #[serde(default)]
    pub signer: Option<SignerInfo>,
    /// JAdES `x5u`.
    #[serde(default)]
    pub x509_url: Option<String>,
}

impl CertificateRef {
    /// Returns a reference of which nothing is known but its origin.
    pub fn new(origin: CertificateRefOrigin) -> Self {
        Self {
            origin,
            issuer_serial: None,
            issuer_serial_match: None,
            digest: None,
            digest_match: None,
            signer: None,
            x509_url: None,
        }
    }

    /// Returns the digest by which the certificate is named, as text: the function, and the value in hexadecimal, of which the
    /// first 64 bytes.
    pub(crate) fn described(&self) -> Option<String> {
        let Digest { algorithm, value: Bytes(value) } = self.digest.as_ref()?;
        let algorithm = algorithm.map_or("?", |algorithm| algorithm.as_str());
        Some(format!("{algorithm} {}", hex::lower(&value[..value.len().min(64)])))
    }
}

/// A certificate embedded in a token or referred to by it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FoundCertificate {
    /// The id of the certificate or orphan certificate.
    pub certificate: Id,
    /// Whether `certificate` names an orphan.
    pub orphan: bool,
    /// Where it is embedded.
    pub origins: Vec<CertificateOrigin>,
    /// The references to it.
    pub references: Vec<CertificateRef>,
}

string_enum! {
    /// Where revocation data was found.
    pub enum RevocationOrigin {
        CmsSignedData = "CMS_SIGNED_DATA",
        RevocationValues = "REVOCATION_VALUES",
        AttributeRevocationValues = "ATTRIBUTE_REVOCATION_VALUES",
        TimestampValidationData = "TIMESTAMP_VALIDATION_DATA",
        AnyValidationData = "ANY_VALIDATION_DATA",
        DssDictionary = "DSS_DICTIONARY",
        VriDictionary = "VRI_DICTIONARY",
        AdbeRevocationInfoArchival = "ADBE_REVOCATION_INFO_ARCHIVAL",
        EvidenceRecord = "EVIDENCE_RECORD",
        InputDocument = "INPUT_DOCUMENT",
        External = "EXTERNAL",
        Cached = "CACHED",
    }
}

string_enum! {
    /// Which attribute refers to revocation data.
    pub enum RevocationRefOrigin {
        CompleteRevocationRefs = "COMPLETE_REVOCATION_REFS",
        AttributeRevocationRefs = "ATTRIBUTE_REVOCATION_REFS",
    }
}

/// A reference to a CRL or OCSP response.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RevocationRef {
    /// The attributes that hold it.
    pub origins: Vec<RevocationRefOrigin>,
    /// OCSP: `producedAt` of the response.
    pub produced_at: Option<crate::time::Time>,
    /// OCSP: the responder's identifier.
    pub responder: Option<SignerInfo>,
    /// The digest of the CRL or response.
    pub digest: Option<Digest>,
}

string_enum! {
    /// CRL or OCSP.
    pub enum RevocationType {
        Crl = "CRL",
        Ocsp = "OCSP",
    }
}

/// Revocation data embedded in a token or referred to by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundRevocation {
    /// The id of the revocation data or orphan.
    pub revocation: Id,
    /// Whether `revocation` names an orphan.
    #[serde(default)]
    pub orphan: bool,
    /// CRL or OCSP.
    pub kind: RevocationType,
    /// Where it is embedded.
    #[serde(default)]
    pub origins: Vec<RevocationOrigin>,
    /// The references to it.
    #[serde(default)]
    pub references: Vec<RevocationRef>,
}

/// The identifier by which a CMS `SignerInfo` (RFC 5652 §5.3) or an OCSP `ResponderID` (RFC 6960 §4.2.1) names a
/// certificate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignerInfo {
    /// The issuer's (OCSP: the responder's) distinguished name, in the syntax of RFC 2253.
    pub issuer: Option<String>,
    /// The serial number, decimal.
    pub serial: Option<String>,
    /// The subject key identifier (OCSP: the key's SHA-1).
    pub ski: Option<Bytes>,
    /// Whether this is the signer of the token that the list belongs to.
    pub current: Option<bool>,
}

string_enum! {
    /// How much of something is signed.
    pub enum ScopeType {
        Full = "FULL",
        Partial = "PARTIAL",
        Digest = "DIGEST",
        Archived = "ARCHIVED",
        CounterSignature = "COUNTER_SIGNATURE",
        AttestationSignature = "ATTESTATION_SIGNATURE",
        KeyBindingSignature = "KEY_BINDING_SIGNATURE",
        Signature = "SIGNATURE",
    }
}

/// What a signature or time-stamp covers: a signature scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// How much of it is covered.
    pub kind: ScopeType,
    /// The name of the file, part or signature that is covered.
    #[serde(default)]
    pub name: Option<String>,
    /// What is covered, in words.
    #[serde(default)]
    pub description: String,
    /// XML: the transforms, in words.
    #[serde(default)]
    pub transformations: Vec<String>,
    /// The id of the [`SignedData`](super::SignedData).
    pub signed_data: Id,
}

impl Scope {
    /// Returns a signature that an evidence record in it is over.
    pub fn master_signature(signature: &Id, signed_data: Id) -> Self {
        Self {
            kind: ScopeType::Signature,
            name: Some(signature.to_string()),
            description: format!("Master signature with Id : {signature}"),
            transformations: vec![],
            signed_data,
        }
    }
}

string_enum! {
    /// What kind of object a time-stamp or evidence record covers.
    pub enum CoveredKind {
        SignedData = "SIGNED_DATA",
        Signature = "SIGNATURE",
        Certificate = "CERTIFICATE",
        Revocation = "REVOCATION",
        Timestamp = "TIMESTAMP",
        EvidenceRecord = "EVIDENCE_RECORD",
        OrphanCertificate = "ORPHAN_CERTIFICATE",
        OrphanRevocation = "ORPHAN_REVOCATION",
    }
}

/// An object whose existence a time-stamp or evidence record proves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Covered {
    /// The kind of object.
    pub kind: CoveredKind,
    /// The object's id.
    pub id: Id,
}
