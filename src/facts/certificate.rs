//! A certificate (RFC 5280), its extensions, and what is known about it.

use super::*;
use crate::algorithm::KeyAlgorithm;

words! {
    /// Where a certificate came from.
    pub enum CertificateSource {
        TrustedStore = "TRUSTED_STORE",
        TrustedList = "TRUSTED_LIST",
        TrustedEntities = "TRUSTED_ENTITIES",
        Signature = "SIGNATURE",
        OcspResponse = "OCSP_RESPONSE",
        Other = "OTHER",
        Aia = "AIA",
        Timestamp = "TIMESTAMP",
        EvidenceRecord = "EVIDENCE_RECORD",
        Attestation = "ATTESTATION",
        Unknown = "UNKNOWN",
    }
}

/// A distinguished name, in the two forms in which it is compared and shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NameForms {
    /// Case and white space folded, for comparison (Java's `X500Principal.CANONICAL`).
    pub canonical: String,
    /// RFC 2253.
    pub rfc2253: String,
}

/// The attributes of the subject that people ask for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SubjectAttributes {
    pub serial_number: Option<String>,
    pub common_name: Option<String>,
    pub locality: Option<String>,
    pub state: Option<String>,
    pub country: Option<String>,
    pub organization_identifier: Option<String>,
    pub organization: Option<String>,
    pub organizational_unit: Option<String>,
    pub title: Option<String>,
    pub given_name: Option<String>,
    pub surname: Option<String>,
    pub pseudonym: Option<String>,
    pub email: Option<String>,
}

/// Whether, and since and until when, a certificate is a trust anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trust {
    pub trusted: bool,
    pub start: Option<Time>,
    pub sunset: Option<Time>,
}

/// A certificate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Certificate {
    /// `C-` and the upper-case SHA-256 of the DER.
    pub id: Id,
    /// The SHA-256 of the DER, lower-case hexadecimal; `None` where imported facts do not state it.
    pub sha256: Option<String>,
    pub duplicated: bool,
    pub subject: Shared<NameForms>,
    pub issuer: Shared<NameForms>,
    /// Decimal.
    pub serial: String,
    pub attributes: Shared<SubjectAttributes>,
    pub sources: Vec<CertificateSource>,
    pub not_before: Time,
    pub not_after: Time,
    pub public_key_length: Option<u32>,
    pub public_key_algorithm: Option<KeyAlgorithm>,
    /// The same for every certificate with this key and subject.
    pub entity_key: String,
    /// The issuer's entity key, whether its key verifies this certificate, and whether its subject is this issuer.
    pub issuer_entity_key: Option<IssuerEntityKey>,
    pub basic: BasicSignature,
    /// The issuer's certificate.
    pub signing_certificate: Option<Id>,
    pub signing_public_key: Option<Octets>,
    /// From the issuer upwards.
    pub chain: Vec<Id>,
    pub trust: Trust,
    pub self_signed: bool,
    pub extensions: Shared<Extensions>,
    /// What the path above does not allow the certificate; `None` where nobody looked, as in imported facts, which need
    /// not hold the certificates' octets. In JSON absent where there are none.
    #[serde(default = "without_violations", skip_serializing_if = "is_without_violations")]
    pub path_violations: Option<Vec<PathViolation>>,
    /// Providers whose listed services cover this certificate.
    pub trust_service_providers: Vec<TrustServiceProvider>,
    /// What revocation data says of it.
    pub revocations: Vec<CertificateRevocation>,
    /// The DER, or
    pub octets: Option<Octets>,
    /// its digest.
    pub digest: Option<Digest>,
}

fn without_violations() -> Option<Vec<PathViolation>> {
    Some(Vec::new())
}

fn is_without_violations(violations: &Option<Vec<PathViolation>>) -> bool {
    violations.as_ref().is_some_and(Vec::is_empty)
}

words! {
    /// What a violation of the path is about (RFC 5280 §6.1).
    pub enum PathSubject {
        /// §6.1.3 (b), (c).
        Names = "names",
        /// §6.1.3 (d) to (f).
        Policies = "policies",
        /// §6.1.4 (l), (m).
        Length = "length",
        /// §4.2: an extension that is there twice or cannot be read.
        Extensions = "extensions",
        /// §4: what the certificate says of names, uses and limits contradicts itself.
        Profile = "profile",
    }
}

/// A way in which a certificate is not what those above it allow, whenever that is asked and whoever signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathViolation {
    pub about: PathSubject,
    /// What was found and what is allowed.
    pub found: String,
}

impl Default for Time {
    /// 1970-01-01T00:00:00Z.
    fn default() -> Self {
        Self::from_millis(0)
    }
}

/// Who issued a certificate, by key and name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct IssuerEntityKey {
    pub entity_key: String,
    /// Whether the issuer's key verifies the certificate.
    pub key: bool,
    /// Whether the issuer's subject is the certificate's issuer.
    pub subject_name: bool,
}

/// A certificate that is in no chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrphanCertificate {
    pub id: Id,
    pub encapsulation: Encapsulation,
    #[serde(default)]
    pub subject: Option<Shared<NameForms>>,
    #[serde(default)]
    pub issuer: Option<Shared<NameForms>>,
    #[serde(default)]
    pub serial: Option<String>,
    #[serde(default)]
    pub not_before: Option<Time>,
    #[serde(default)]
    pub not_after: Option<Time>,
    #[serde(default)]
    pub entity_key: Option<String>,
    #[serde(default)]
    pub trusted: Option<bool>,
    #[serde(default)]
    pub self_signed: Option<bool>,
    #[serde(default)]
    pub octets: Option<Octets>,
    #[serde(default)]
    pub digest: Option<Digest>,
}

impl OrphanCertificate {
    /// An orphan of which nothing is known but how it is there.
    pub fn new(id: Id, encapsulation: Encapsulation) -> Self {
        Self {
            id,
            encapsulation,
            subject: None,
            issuer: None,
            serial: None,
            not_before: None,
            not_after: None,
            entity_key: None,
            trusted: None,
            self_signed: None,
            octets: None,
            digest: None,
        }
    }
}

words! {
    /// RFC 5280 §4.2.1.3.
    pub enum KeyUsage {
        DigitalSignature = "digitalSignature",
        NonRepudiation = "nonRepudiation",
        KeyEncipherment = "keyEncipherment",
        DataEncipherment = "dataEncipherment",
        KeyAgreement = "keyAgreement",
        KeyCertSign = "keyCertSign",
        CrlSign = "crlSign",
        EncipherOnly = "encipherOnly",
        DecipherOnly = "decipherOnly",
    }
}

words! {
    /// RFC 5280 §4.2.1.6.
    pub enum GeneralNameType {
        OtherName = "otherName",
        Rfc822Name = "rfc822Name",
        DnsName = "dNSName",
        X400Address = "x400Address",
        DirectoryName = "directoryName",
        EdiPartyName = "ediPartyName",
        Uri = "uniformResourceIdentifier",
        IpAddress = "iPAddress",
        RegisteredId = "registeredID",
    }
}

/// One of a certificate's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralName {
    #[serde(default)]
    pub kind: Option<GeneralNameType>,
    pub value: String,
}

/// A name constraint's subtree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralSubtree {
    pub base: GeneralName,
    #[serde(default)]
    pub minimum: Option<i64>,
    #[serde(default)]
    pub maximum: Option<i64>,
}

/// A certificate policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CertificatePolicy {
    pub oid: String,
    pub cps_url: Option<String>,
}

/// OID and criticality of an extension that is there, in the order of the certificate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtensionHeader {
    pub oid: String,
    pub critical: bool,
    /// The value's octets, where they are kept.
    pub octets: Option<Octets>,
}

/// What a certificate's extensions say. A field is `None` or empty where the extension is absent;
/// `present` names all that are there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Extensions {
    pub present: Vec<ExtensionHeader>,
    pub key_usage: Option<Vec<KeyUsage>>,
    /// OIDs.
    pub extended_key_usage: Option<Vec<String>>,
    pub certificate_policies: Option<Vec<CertificatePolicy>>,
    pub subject_alternative_names: Option<Vec<GeneralName>>,
    pub basic_constraints: Option<BasicConstraints>,
    pub policy_constraints: Option<PolicyConstraints>,
    pub inhibit_any_policy: Option<i64>,
    pub name_constraints: Option<NameConstraints>,
    /// URLs.
    pub crl_distribution_points: Option<Vec<String>>,
    /// URLs.
    pub freshest_crl: Option<Vec<String>>,
    pub authority_key_identifier: Option<AuthorityKeyIdentifier>,
    pub subject_key_identifier: Option<Octets>,
    pub authority_information_access: Option<AuthorityInformationAccess>,
    pub ocsp_no_check: bool,
    /// EN 319 412-1 §5.2: validity assured, short term.
    pub short_term: bool,
    /// RFC 9608.
    pub no_rev_avail: bool,
    pub qc_statements: Option<QcStatements>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BasicConstraints {
    pub ca: bool,
    pub path_length: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyConstraints {
    pub require_explicit_policy: Option<i64>,
    pub inhibit_policy_mapping: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NameConstraints {
    pub permitted: Vec<GeneralSubtree>,
    pub excluded: Vec<GeneralSubtree>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorityKeyIdentifier {
    pub key_identifier: Option<Octets>,
    pub issuer_serial: Option<Octets>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorityInformationAccess {
    pub ca_issuers: Vec<String>,
    pub ocsp: Vec<String>,
}

/// EN 319 412-5 and TS 119 495.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QcStatements {
    /// Whether the statements were translated under mutual recognition.
    pub enacted_mra: Option<bool>,
    pub compliance: bool,
    pub limit_value: Option<QcLimitValue>,
    /// Years.
    pub retention_period: Option<i64>,
    pub sscd: bool,
    pub pds: Vec<LangText>,
    /// OIDs.
    pub types: Vec<String>,
    /// Countries; `None` when the statement is absent.
    pub cc_legislation: Option<Vec<String>>,
    /// OID.
    pub semantics_identifier: Option<String>,
    pub psd2: Option<Psd2>,
    /// Countries; `None` when the statement is absent.
    pub qscd_legislation: Option<Vec<String>>,
    /// OID.
    pub identification_method: Option<String>,
    /// OIDs of statements not named above.
    pub others: Vec<String>,
    pub mra: Option<MraCertificateMapping>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QcLimitValue {
    pub currency: String,
    pub amount: i64,
    pub exponent: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Psd2 {
    pub roles: Vec<Psd2Role>,
    pub nca_name: String,
    pub nca_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Psd2Role {
    pub oid: Option<String>,
    pub name: String,
}

/// What mutual recognition made of the QC statements, and what they were before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MraCertificateMapping {
    pub legal_identifier: String,
    pub equivalences: Vec<ContentEquivalence>,
    pub original_compliance: Option<bool>,
    pub original_sscd: Option<bool>,
    pub original_types: Option<Vec<String>>,
    pub original_cc_legislation: Option<Vec<String>>,
    pub original_qscd_legislation: Option<Vec<String>>,
    pub original_others: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentEquivalence {
    pub uri: String,
    pub enacted: bool,
}
