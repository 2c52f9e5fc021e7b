//! What a format hands over: facts as far as one token alone yields them, and what the collector needs for the rest.
//!
//! The collector (`collect`) fills in everything that depends on the certificates
//! and revocation data of the whole document: signing certificate, chain, `basic`,
//! matches of certificate references, found certificates and revocations, the
//! long-term part of the level.

use crate::algorithm::SignatureAlgorithm;
use crate::facts::{
    self, CertificateOrigin, CertificateRef, Covered, Id, RevocationOrigin, RevocationRef, RevocationType,
};
use std::borrow::Cow;

/// Everything read from one document.
#[derive(Debug, Clone, Default)]
pub struct Draft<'a> {
    /// The container's own statements.
    pub container: Option<facts::Container>,
    /// Signatures and counter-signatures, in the order in which the document is read.
    pub signatures: Vec<SignatureDraft<'a>>,
    /// Time-stamps that belong to no single signature: standing alone, of a container, of a PDF document.
    pub timestamps: Vec<TimestampDraft<'a>>,
    /// Evidence records that are not embedded in a signature.
    pub evidence_records: Vec<EvidenceRecordDraft<'a>>,
    /// What signatures and time-stamps sign; scopes and `covers` refer to it.
    pub signed_data: Vec<facts::SignedData>,
    /// Certificates and revocation data of the document as a whole (PDF document security store).
    pub material: Material<'a>,
}

/// A signature, as far as it alone tells.
#[derive(Debug, Clone)]
pub struct SignatureDraft<'a> {
    /// The facts. The collector sets `basic`, `signing_certificate`, `chain`, `found_*`, and `level` from
    /// [`levels`](Self::levels) where it is `None`.
    pub facts: facts::Signature,
    /// What the signature value is over.
    pub check: ValueCheck<'a>,
    /// How the signature names its signer, beside references in `material`.
    pub signer: SignerIdentifier<'a>,
    /// Its own certificates, revocation data and references.
    pub material: Material<'a>,
    /// Its time-stamps, in the order in which they are validated (content, signature, validation data, archive).
    pub timestamps: Vec<TimestampDraft<'a>>,
    /// Evidence records embedded in it.
    pub evidence_records: Vec<EvidenceRecordDraft<'a>>,
    /// Which profiles it fulfils, but for the question whether its material is complete.
    pub levels: Levels,
}

/// A time-stamp, as far as it alone tells.
#[derive(Debug, Clone)]
pub struct TimestampDraft<'a> {
    /// The facts. The collector sets `basic`, `signing_certificate`, `chain`, `found_*`, `covered` (from
    /// [`covers`](Self::covers)) and the matches in `tsa_name`.
    pub facts: facts::Timestamp,
    /// What the signature value is over.
    pub check: ValueCheck<'a>,
    /// How the token names its signer.
    pub signer: SignerIdentifier<'a>,
    /// The DER of the `Name` in `tsa`, where that is a directory name.
    pub tsa_name: Option<Cow<'a, [u8]>>,
    /// The token's own certificates, revocation data and references.
    pub material: Material<'a>,
    /// What the imprint covers.
    pub covers: Vec<Covers>,
    /// Evidence records embedded in it.
    pub evidence_records: Vec<EvidenceRecordDraft<'a>>,
}

/// An evidence record, as far as it alone tells.
#[derive(Debug, Clone)]
pub struct EvidenceRecordDraft<'a> {
    /// The facts. The collector sets `found_*` and `covered`.
    pub facts: facts::EvidenceRecord,
    /// Its time-stamps, oldest first.
    pub timestamps: Vec<TimestampDraft<'a>>,
    /// Certificates and revocation data held by the record itself.
    pub material: Material<'a>,
    /// What it covers.
    pub covers: Vec<Covers>,
}

/// What a signature value is over, and under which algorithm.
#[derive(Debug, Clone, Default)]
pub struct ValueCheck<'a> {
    /// The algorithm as stated; `None` when it is not known.
    pub algorithm: Option<SignatureAlgorithm>,
    /// What was signed. Several: the value may be over any of them (CMS attributes as sent, or in DER order);
    /// none: it is not at hand.
    pub signed: Vec<SignedOctets<'a>>,
    /// The signature value as `crypto::verify` takes it.
    pub value: Cow<'a, [u8]>,
}

/// Octets that a signature value is over.
#[derive(Debug, Clone)]
pub enum SignedOctets<'a> {
    /// The octets.
    Message(Cow<'a, [u8]>),
    /// Their digest, under the signature algorithm's digest function.
    Digest(Vec<u8>),
}

/// How a signature names its signer: RFC 5652 §5.3 `SignerIdentifier`, RFC 6960 `ResponderID`.
#[derive(Debug, Clone, Default)]
pub struct SignerIdentifier<'a> {
    /// The DER of the issuer's `Name`.
    pub issuer: Option<Cow<'a, [u8]>>,
    /// The contents of the serial number's INTEGER.
    pub serial: Option<Cow<'a, [u8]>>,
    /// The subject key identifier.
    pub key_identifier: Option<Cow<'a, [u8]>>,
    /// A bare public key (`SubjectPublicKeyInfo`), where the signature states one.
    pub public_key: Option<Cow<'a, [u8]>>,
}

/// Certificates, revocation data and references held by one token.
#[derive(Debug, Clone, Default)]
pub struct Material<'a> {
    /// Certificates, in the order found. The same one may be there twice, from two origins.
    pub certificates: Vec<EmbeddedCertificate<'a>>,
    /// References to certificates; `issuer_serial_match` and `digest_match` are left to the collector.
    pub certificate_refs: Vec<CertificateRef>,
    /// CRLs and OCSP responses, in the order found.
    pub revocations: Vec<EmbeddedRevocation<'a>>,
    /// References to revocation data.
    pub revocation_refs: Vec<(RevocationType, RevocationRef)>,
}

/// A certificate inside a token.
#[derive(Debug, Clone)]
pub struct EmbeddedCertificate<'a> {
    /// Where it was found.
    pub origin: CertificateOrigin,
    /// Its octets, not yet read.
    pub octets: Cow<'a, [u8]>,
}

/// A CRL or OCSP response inside a token.
#[derive(Debug, Clone)]
pub struct EmbeddedRevocation<'a> {
    /// CRL, or OCSP (`OCSPResponse` or `BasicOCSPResponse`).
    pub kind: RevocationType,
    /// Where it was found.
    pub origin: RevocationOrigin,
    /// Its octets, not yet read.
    pub octets: Cow<'a, [u8]>,
}

/// Something that a time-stamp or evidence record covers.
#[derive(Debug, Clone, PartialEq)]
pub enum Covers {
    /// A token whose id the format knows (signed data, signatures, time-stamps).
    Token(Covered),
    /// A certificate, by its octets' id.
    Certificate(Id),
    /// A CRL or OCSP response, by its octets' id; with an OCSP response go the certificates in it.
    Revocation(Id),
    /// Whatever certificate the reference means.
    CertificateRef(CertificateRef),
    /// Whatever CRL or OCSP response the reference means.
    RevocationRef(RevocationType, RevocationRef),
}

/// Which profiles a signature fulfils, but for the completeness of its validation material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// The family of words that name the level.
    pub family: Family,
    /// EN 319 122-1, 132-1, 142-1, 182-1: the baseline B requirements are met.
    pub baseline_b: bool,
    /// A signature (PDF: or document) time-stamp is there, as baseline T asks.
    pub baseline_t: bool,
    /// Nothing forbids LT (the extended references are absent); the collector adds whether the material suffices.
    pub baseline_lt: bool,
    /// An archive (PDF: document) time-stamp over the material is there.
    pub baseline_lta: bool,
    /// The extended profiles: BES.
    pub bes: bool,
    /// … with a signature policy.
    pub epes: bool,
    /// … with a signature time-stamp.
    pub t: bool,
    /// … with complete references (C).
    pub c: bool,
    /// … with a time-stamp over the references (X).
    pub x: bool,
    /// … with values, but not all that X-L asks for (LT).
    pub lt: bool,
    /// … with the values referred to (X-L).
    pub xl: bool,
    /// … with an archive time-stamp (A).
    pub a: bool,
    /// … with an evidence record (ERS).
    pub ers: bool,
}

/// Which words name a signature's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Family {
    /// CAdES-…, CMS-NOT-ETSI.
    #[default]
    Cades,
    /// XAdES-…, XML-NOT-ETSI.
    Xades,
    /// PAdES-…, PDF-NOT-ETSI.
    Pades,
    /// PKCS7-…, PDF-NOT-ETSI.
    Pkcs7,
    /// JAdES-…, JSON-NOT-ETSI.
    Jades,
}
