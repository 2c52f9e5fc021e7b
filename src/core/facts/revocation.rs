//! Revocation data: CRLs (RFC 5280 §5) and OCSP responses (RFC 6960).

use super::*;

string_enum! {
    /// A certificate's status according to one piece of revocation data.
    pub enum CertificateStatus {
        Good = "GOOD",
        Revoked = "REVOKED",
        Unknown = "UNKNOWN",
    }
}

string_enum! {
    /// Why a certificate was revoked, as DSS spells RFC 5280's `CRLReason`.
    pub enum RevocationReason {
        Unspecified = "unspecified",
        KeyCompromise = "keyCompromise",
        CaCompromise = "cACompromise",
        AffiliationChanged = "affiliationChanged",
        Superseded = "superseded",
        CessationOfOperation = "cessationOfOperation",
        CertificateHold = "certificateHold",
        RemoveFromCrl = "removeFromCRL",
        PrivilegeWithdrawn = "privilegeWithdrawn",
        AaCompromise = "aACompromise",
    }
}

/// What one piece of revocation data says about one certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificateRevocation {
    /// The CRL or OCSP response.
    pub revocation: Id,
    /// The certificate's status.
    pub status: CertificateStatus,
    /// `CRLReason` (RFC 5280 §5.3.1), where one is stated.
    #[serde(default)]
    pub reason: Option<RevocationReason>,
    /// The revocation time, where the certificate is revoked.
    #[serde(default)]
    pub revocation_date: Option<Time>,
    /// `invalidityDate` (RFC 5280 §5.3.2, RFC 6960 §4.4.5), where the certificate is revoked: since when its key is known or
    /// suspected to be compromised, or it is not to be relied on for another reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalidity_date: Option<Time>,
}

/// A CRL (RFC 5280 §5) or OCSP response (RFC 6960).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revocation {
    /// `R-` and the upper-case SHA-256 of the bytes.
    pub id: Id,
    /// The SHA-256 of the CRL or OCSP response, lower-case hexadecimal; `None` where imported facts do not state it.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Whether other revocation data has the same id.
    #[serde(default)]
    pub duplicated: bool,
    /// Where it was found.
    #[serde(default)]
    pub origin: Option<RevocationOrigin>,
    /// CRL or OCSP response.
    pub kind: RevocationType,
    /// The URL from which it was fetched.
    #[serde(default)]
    pub source_address: Option<String>,
    /// OCSP `producedAt`; CRL `thisUpdate`.
    #[serde(default)]
    pub production_date: Option<Time>,
    /// `thisUpdate`: the time at which the status is known to be correct.
    #[serde(default)]
    pub this_update: Option<Time>,
    /// `nextUpdate`: the time by which newer data is published.
    #[serde(default)]
    pub next_update: Option<Time>,
    /// CRL `expiredCertsOnCRL` (X.509 §9.5.2.8): certificates that expired after this time are still listed.
    #[serde(default)]
    pub expired_certs_on_crl: Option<Time>,
    /// OCSP `ArchiveCutoff` (RFC 6960 §4.4.4): the status is retained for certificates that expired after this time.
    #[serde(default)]
    pub archive_cutoff: Option<Time>,
    /// OCSP: whether the response has `CertHash` (Common PKI), the digest of the certificate that it is about.
    #[serde(default)]
    pub cert_hash_present: bool,
    /// OCSP: whether that digest is the certificate's.
    #[serde(default)]
    pub cert_hash_match: bool,
    /// The algorithms of its signature and whether it verifies.
    #[serde(default)]
    pub basic: BasicSignature,
    /// The certificate of the CRL issuer or OCSP responder.
    #[serde(default)]
    pub signing_certificate: Option<Id>,
    /// The signer's public key (`SubjectPublicKeyInfo`, DER) where there is no certificate of it.
    #[serde(default)]
    pub signing_public_key: Option<Bytes>,
    /// The certificate path from the signer's certificate upwards.
    #[serde(default)]
    pub chain: Vec<Id>,
    /// Certificates embedded in it.
    #[serde(default)]
    pub found_certificates: Vec<Shared<FoundCertificate>>,
    /// The DER; `None` where it is not kept.
    #[serde(default, rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the DER.
    #[serde(default)]
    pub digest: Option<Digest>,
}

impl Revocation {
    /// Returns revocation data of which nothing is known but its kind.
    pub fn new(id: Id, kind: RevocationType) -> Self {
        Self {
            id,
            sha256: None,
            duplicated: false,
            origin: None,
            kind,
            source_address: None,
            production_date: None,
            this_update: None,
            next_update: None,
            expired_certs_on_crl: None,
            archive_cutoff: None,
            cert_hash_present: false,
            cert_hash_match: false,
            basic: BasicSignature::default(),
            signing_certificate: None,
            signing_public_key: None,
            chain: vec![],
            found_certificates: vec![],
            bytes: None,
            digest: None,
        }
    }
}

string_enum! {
    /// Whether an orphan's bytes are there or only a reference to them.
    pub enum Encapsulation {
        Binaries = "BINARIES",
        Reference = "REFERENCE",
    }
}

/// Revocation data that concerns no certificate of any chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrphanRevocation {
    /// `R-` and the upper-case SHA-256 of the bytes, or of the reference.
    pub id: Id,
    /// Whether its bytes or only a reference are there.
    pub encapsulation: Encapsulation,
    /// CRL or OCSP response.
    pub kind: RevocationType,
    /// The DER; `None` when only a reference is known.
    #[serde(default, rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the DER.
    #[serde(default)]
    pub digest: Option<Digest>,
}
