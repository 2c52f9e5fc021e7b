//! A certificate (RFC 5280), its extensions, and what is known about it.

use super::*;
use crate::algorithm::KeyAlgorithm;

string_enum! {
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
    /// With case and white space folded, for comparison (Java's `X500Principal.CANONICAL`).
    pub canonical: String,
    /// In the syntax of RFC 2253.
    pub rfc2253: String,
}

/// The attributes of the subject's distinguished name that reports show (RFC 5280 §4.1.2.6, EN 319 412).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SubjectAttributes {
    /// `serialNumber`: an identifier of the subject, not of the certificate.
    pub serial_number: Option<String>,
    /// `commonName`.
    pub common_name: Option<String>,
    /// `localityName`.
    pub locality: Option<String>,
    /// `stateOrProvinceName`.
    pub state: Option<String>,
    /// `countryName`, an ISO 3166 code.
    pub country: Option<String>,
    /// `organizationIdentifier` (EN 319 412-1 §5.1.4).
    pub organization_identifier: Option<String>,
    /// `organizationName`.
    pub organization: Option<String>,
    /// `organizationalUnitName`.
    pub organizational_unit: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// `givenName`.
    pub given_name: Option<String>,
    /// `surname`.
    pub surname: Option<String>,
    /// `pseudonym`.
    pub pseudonym: Option<String>,
    /// `emailAddress` (PKCS #9).
    pub email: Option<String>,
}

/// Whether a certificate is a trust anchor, and in which period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trust {
    /// Whether it is a trust anchor.
    pub trusted: bool,
    /// The start of the period in which it is trusted; `None` is unlimited.
    pub start: Option<Time>,
    /// The sunset date: the end of the period in which it is trusted (EN 319 102-1 §5.2.6.4); `None` is unlimited.
    pub sunset: Option<Time>,
}

/// A certificate (RFC 5280 §4).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Certificate {
    /// `C-` and the upper-case SHA-256 of the DER.
    pub id: Id,
    /// The SHA-256 of the DER, lower-case hexadecimal; `None` where imported facts do not state it.
    pub sha256: Option<String>,
    /// Whether another certificate has the same id.
    pub duplicated: bool,
    /// The subject's distinguished name.
    pub subject: Shared<NameForms>,
    /// The issuer's distinguished name.
    pub issuer: Shared<NameForms>,
    /// The serial number, decimal.
    pub serial: String,
    /// Attributes of the subject, one by one.
    pub attributes: Shared<SubjectAttributes>,
    /// Where the certificate was found.
    pub sources: Vec<CertificateSource>,
    /// The start of the validity period.
    pub not_before: Time,
    /// The end of the validity period, inclusive.
    pub not_after: Time,
    /// The key's length in bits; `None` when it is not known.
    pub public_key_length: Option<u32>,
    /// The key's algorithm; `None` when it is not known.
    pub public_key_algorithm: Option<KeyAlgorithm>,
    /// Identifies key and subject: equal for all certificates of one key and one subject.
    pub entity_key: String,
    /// The entity key of the issuer, and what links this certificate to it.
    pub issuer_entity_key: Option<IssuerEntityKey>,
    /// The algorithms of the certificate's signature and whether it verifies.
    pub basic: BasicSignature,
    /// The issuer's certificate.
    pub signing_certificate: Option<Id>,
    /// The issuer's public key (`SubjectPublicKeyInfo`, DER) where there is no certificate of it.
    pub signing_public_key: Option<Bytes>,
    /// The certificate path from the issuer's certificate upwards.
    pub chain: Vec<Id>,
    /// Whether and when it is a trust anchor.
    pub trust: Trust,
    /// Whether its own key verifies it.
    pub self_signed: bool,
    /// What its extensions say.
    pub extensions: Shared<Extensions>,
    /// Violations of RFC 5280 §6.1 by this certificate as part of its path; `None` when the path was not examined, as
    /// in imported facts, which may lack the certificates' bytes. Absent from the JSON where the list is empty.
    #[serde(default = "without_violations", skip_serializing_if = "is_without_violations")]
    pub path_violations: Option<Vec<PathViolation>>,
    /// Trust service providers whose listed services cover this certificate.
    pub trust_service_providers: Vec<TrustServiceProvider>,
    /// What each piece of revocation data says about it.
    pub revocations: Vec<CertificateRevocation>,
    /// The DER; `None` where it is not kept.
    #[serde(rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the DER.
    pub digest: Option<Digest>,
}

fn without_violations() -> Option<Vec<PathViolation>> {
    Some(Vec::new())
}

fn is_without_violations(violations: &Option<Vec<PathViolation>>) -> bool {
    violations.as_ref().is_some_and(Vec::is_empty)
}

string_enum! {
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

/// A violation of RFC 5280 §6.1 that depends neither on time nor on keys: the certificate is not what those above it
/// permit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathViolation {
    /// The part of the path validation that found it.
    pub about: PathSubject,
    /// The certificate of the path that is not as it must be; `None` in facts that do not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Id>,
    /// What was found and what is permitted, in words.
    pub found: String,
}

impl Default for Time {
    /// Returns 1970-01-01T00:00:00Z.
    fn default() -> Self {
        Self::from_millis(0)
    }
}

/// Who issued a certificate, by key and name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct IssuerEntityKey {
    /// The issuer's entity key.
    pub entity_key: String,
    /// Whether the issuer's key verifies the certificate.
    pub key: bool,
    /// Whether the issuer's subject is the certificate's issuer.
    pub subject_name: bool,
}

/// A certificate that is in no chain: embedded, or only referred to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrphanCertificate {
    /// `C-` and the upper-case SHA-256 of the DER, or of the reference.
    pub id: Id,
    /// Whether its bytes or only a reference are there.
    pub encapsulation: Encapsulation,
    /// The subject's distinguished name.
    #[serde(default)]
    pub subject: Option<Shared<NameForms>>,
    /// The issuer's distinguished name.
    #[serde(default)]
    pub issuer: Option<Shared<NameForms>>,
    /// The serial number, decimal.
    #[serde(default)]
    pub serial: Option<String>,
    /// The start of the validity period.
    #[serde(default)]
    pub not_before: Option<Time>,
    /// The end of the validity period, inclusive.
    #[serde(default)]
    pub not_after: Option<Time>,
    /// The entity key, as in [`Certificate::entity_key`].
    #[serde(default)]
    pub entity_key: Option<String>,
    /// Whether it is a trust anchor.
    #[serde(default)]
    pub trusted: Option<bool>,
    /// Whether its own key verifies it.
    #[serde(default)]
    pub self_signed: Option<bool>,
    /// The DER; `None` when only a reference is known.
    #[serde(default, rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the DER.
    #[serde(default)]
    pub digest: Option<Digest>,
}

impl OrphanCertificate {
    /// Returns an orphan of which nothing is known but how it is there.
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
            bytes: None,
            digest: None,
        }
    }
}

string_enum! {
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

string_enum! {
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

/// One of a certificate's names (RFC 5280 §4.2.1.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralName {
    /// The kind of name; `None` when it is not known.
    #[serde(default)]
    pub kind: Option<GeneralNameType>,
    /// The name as text.
    pub value: String,
}

/// A subtree of a name constraint (RFC 5280 §4.2.1.10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralSubtree {
    /// The name below which the subtree lies.
    pub base: GeneralName,
    /// `minimum`; RFC 5280 permits only 0.
    #[serde(default)]
    pub minimum: Option<i64>,
    /// `maximum`; RFC 5280 requires that it is absent.
    #[serde(default)]
    pub maximum: Option<i64>,
}

/// A certificate policy (RFC 5280 §4.2.1.4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CertificatePolicy {
    /// The policy's OID in dotted form.
    pub oid: String,
    /// The URL of the certification practice statement.
    pub cps_url: Option<String>,
}

/// An extension that is present: its OID and criticality (RFC 5280 §4.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtensionHeader {
    /// `extnID`, an OID in dotted form.
    pub oid: String,
    /// Whether the extension is critical.
    pub critical: bool,
    /// The value's bytes, where they are kept.
    #[serde(rename = "octets")]
    pub bytes: Option<Bytes>,
}

/// What a certificate's extensions say (RFC 5280 §4.2). A field is `None` or empty where its extension is absent;
/// `present` names all extensions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Extensions {
    /// All extensions, in the order of the certificate.
    pub present: Vec<ExtensionHeader>,
    /// `keyUsage` (§4.2.1.3).
    pub key_usage: Option<Vec<KeyUsage>>,
    /// `extKeyUsage` (§4.2.1.12): OIDs in dotted form.
    pub extended_key_usage: Option<Vec<String>>,
    /// `certificatePolicies` (§4.2.1.4).
    pub certificate_policies: Option<Vec<CertificatePolicy>>,
    /// `subjectAltName` (§4.2.1.6).
    pub subject_alternative_names: Option<Vec<GeneralName>>,
    /// `basicConstraints` (§4.2.1.9).
    pub basic_constraints: Option<BasicConstraints>,
    /// `policyConstraints` (§4.2.1.11).
    pub policy_constraints: Option<PolicyConstraints>,
    /// `inhibitAnyPolicy` (§4.2.1.14): the number of further certificates in which `anyPolicy` is accepted.
    pub inhibit_any_policy: Option<i64>,
    /// `nameConstraints` (§4.2.1.10).
    pub name_constraints: Option<NameConstraints>,
    /// `cRLDistributionPoints` (§4.2.1.13): URLs.
    pub crl_distribution_points: Option<Vec<String>>,
    /// `freshestCRL` (§4.2.1.15): URLs of delta CRLs.
    pub freshest_crl: Option<Vec<String>>,
    /// `authorityKeyIdentifier` (§4.2.1.1).
    pub authority_key_identifier: Option<AuthorityKeyIdentifier>,
    /// `subjectKeyIdentifier` (§4.2.1.2).
    pub subject_key_identifier: Option<Bytes>,
    /// `authorityInfoAccess` (§4.2.2.1).
    pub authority_information_access: Option<AuthorityInformationAccess>,
    /// `id-pkix-ocsp-nocheck` (RFC 6960 §4.2.2.2.1): the responder's certificate is not to be checked for revocation.
    pub ocsp_no_check: bool,
    /// `ext-etsi-valassured-ST-certs` (EN 319 412-1 §5.2.2): validity assured, short term.
    pub short_term: bool,
    /// `noRevAvail` (RFC 9608): the issuer publishes no revocation information.
    pub no_rev_avail: bool,
    /// `qcStatements` (RFC 3739 §3.2.6).
    pub qc_statements: Option<QcStatements>,
}

/// Basic constraints (RFC 5280 §4.2.1.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BasicConstraints {
    /// Whether the subject is a certification authority.
    pub ca: bool,
    /// The maximum number of non-self-issued intermediate certificates that may follow.
    pub path_length: Option<i64>,
}

/// Policy constraints (RFC 5280 §4.2.1.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyConstraints {
    /// The number of further certificates before an explicit policy is required.
    pub require_explicit_policy: Option<i64>,
    /// The number of further certificates before policy mapping is inhibited.
    pub inhibit_policy_mapping: Option<i64>,
}

/// Name constraints (RFC 5280 §4.2.1.10).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NameConstraints {
    /// Subtrees within which names must lie.
    pub permitted: Vec<GeneralSubtree>,
    /// Subtrees within which no name may lie.
    pub excluded: Vec<GeneralSubtree>,
}

/// The identifier of the issuer's key (RFC 5280 §4.2.1.1).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorityKeyIdentifier {
    /// The issuer's subject key identifier.
    pub key_identifier: Option<Bytes>,
    /// Name and serial number of the issuer's certificate: the DER of `IssuerSerial`.
    pub issuer_serial: Option<Bytes>,
}

/// Access to information about the issuer (RFC 5280 §4.2.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorityInformationAccess {
    /// `id-ad-caIssuers`: URLs of the issuer's certificates.
    pub ca_issuers: Vec<String>,
    /// `id-ad-ocsp`: URLs of OCSP responders.
    pub ocsp: Vec<String>,
}

/// The statements of a qualified certificate (EN 319 412-5, TS 119 495).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QcStatements {
    /// Whether mutual recognition translated the statements; `None` where no agreement applies.
    pub enacted_mra: Option<bool>,
    /// `QcCompliance` (EN 319 412-5 §4.2.1): an EU qualified certificate.
    pub compliance: bool,
    /// `QcEuLimitValue` (§4.3.2): the limit on the value of transactions.
    pub limit_value: Option<QcLimitValue>,
    /// `QcEuRetentionPeriod` (§4.3.3), in years.
    pub retention_period: Option<i64>,
    /// `QcSSCD` (§4.2.2): the private key is in a qualified signature or seal creation device.
    pub sscd: bool,
    /// `QcEuPDS` (§4.3.4): the URLs of the PKI disclosure statements, each with its language.
    pub pds: Vec<LangText>,
    /// `QcType` (§4.2.3): OIDs in dotted form.
    pub types: Vec<String>,
    /// `QcCClegislation` (§4.2.4): ISO 3166 codes of countries; `None` when the statement is absent.
    pub cc_legislation: Option<Vec<String>>,
    /// `SemanticsInformation` (RFC 3739 §3.2.6.1, EN 319 412-1 §5.1): an OID in dotted form.
    pub semantics_identifier: Option<String>,
    /// The PSD2 statement (TS 119 495 §5.1).
    pub psd2: Option<Psd2>,
    /// `QcQSCDlegislation` (EN 319 412-5): ISO 3166 codes of countries; `None` when the statement is absent.
    pub qscd_legislation: Option<Vec<String>>,
    /// `QcIdentMethod` (EN 319 412-5): an OID in dotted form.
    pub identification_method: Option<String>,
    /// OIDs, in dotted form, of statements not named above.
    pub others: Vec<String>,
    /// The translation under mutual recognition.
    pub mra: Option<MraCertificateMapping>,
}

/// The limit on the value of transactions (EN 319 412-5 §4.3.2): `amount` × 10^`exponent`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QcLimitValue {
    /// The currency, an ISO 4217 code.
    pub currency: String,
    /// The amount.
    pub amount: i64,
    /// The power of ten by which the amount is multiplied.
    pub exponent: i64,
}

/// The statement of a payment service provider (TS 119 495 §5.1).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Psd2 {
    /// The roles of the payment service provider.
    pub roles: Vec<Psd2Role>,
    /// The name of the national competent authority.
    pub nca_name: String,
    /// The identifier of the national competent authority.
    pub nca_id: String,
}

/// A role of a payment service provider (TS 119 495 §5.1).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Psd2Role {
    /// The role's OID in dotted form.
    pub oid: Option<String>,
    /// The role's name.
    pub name: String,
}

/// The QC statements before mutual recognition translated them (TS 119 612, TS 119 615 on mutual recognition
/// agreements).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MraCertificateMapping {
    /// The URI of the trust service legal identifier of the equivalence.
    pub legal_identifier: String,
    /// The certificate content equivalences of the agreement.
    pub equivalences: Vec<ContentEquivalence>,
    /// `QcCompliance` before the translation.
    pub original_compliance: Option<bool>,
    /// `QcSSCD` before the translation.
    pub original_sscd: Option<bool>,
    /// `QcType` before the translation.
    pub original_types: Option<Vec<String>>,
    /// `QcCClegislation` before the translation.
    pub original_cc_legislation: Option<Vec<String>>,
    /// `QcQSCDlegislation` before the translation.
    pub original_qscd_legislation: Option<Vec<String>>,
    /// Other statements before the translation.
    pub original_others: Option<Vec<String>>,
}

/// A certificate content equivalence of a mutual recognition agreement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentEquivalence {
    /// The URI of its context.
    pub uri: String,
    /// Whether it was applied to the certificate.
    pub enacted: bool,
}
