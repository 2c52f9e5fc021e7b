//! Revocation data: CRLs (RFC 5280 §5) and OCSP responses (RFC 6960).

use super::*;

words! {
    /// A certificate's status according to one piece of revocation data.
    pub enum CertificateStatus {
        Good = "GOOD",
        Revoked = "REVOKED",
        Unknown = "UNKNOWN",
    }
}

words! {
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

/// What one piece of revocation data says of one certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificateRevocation {
    pub revocation: Id,
    pub status: CertificateStatus,
    #[serde(default)]
    pub reason: Option<RevocationReason>,
    #[serde(default)]
    pub revocation_date: Option<Time>,
}

/// A CRL or OCSP response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revocation {
    pub id: Id,
    /// The SHA-256 of the CRL or OCSP response, lower-case hexadecimal; `None` where imported facts do not state it.
    #[serde(default)]
    pub sha256: Option<String>,
    #[serde(default)]
    pub duplicated: bool,
    #[serde(default)]
    pub origin: Option<RevocationOrigin>,
    pub kind: RevocationType,
    /// Where it was fetched.
    #[serde(default)]
    pub source_address: Option<String>,
    /// OCSP `producedAt`; CRL `thisUpdate`.
    #[serde(default)]
    pub production_date: Option<Time>,
    #[serde(default)]
    pub this_update: Option<Time>,
    #[serde(default)]
    pub next_update: Option<Time>,
    /// CRL: certificates that expired after this are still listed.
    #[serde(default)]
    pub expired_certs_on_crl: Option<Time>,
    /// OCSP: status is kept for certificates that expired after this.
    #[serde(default)]
    pub archive_cutoff: Option<Time>,
    #[serde(default)]
    pub cert_hash_present: bool,
    #[serde(default)]
    pub cert_hash_match: bool,
    #[serde(default)]
    pub basic: BasicSignature,
    #[serde(default)]
    pub signing_certificate: Option<Id>,
    #[serde(default)]
    pub signing_public_key: Option<Octets>,
    #[serde(default)]
    pub chain: Vec<Id>,
    #[serde(default)]
    pub found_certificates: Vec<FoundCertificate>,
    #[serde(default)]
    pub octets: Option<Octets>,
    #[serde(default)]
    pub digest: Option<Digest>,
}

words! {
    /// How an orphan is known.
    pub enum Encapsulation {
        Binaries = "BINARIES",
        Reference = "REFERENCE",
    }
}

/// Revocation data that concerns no certificate of any chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrphanRevocation {
    pub id: Id,
    pub encapsulation: Encapsulation,
    pub kind: RevocationType,
    #[serde(default)]
    pub octets: Option<Octets>,
    #[serde(default)]
    pub digest: Option<Digest>,
}
