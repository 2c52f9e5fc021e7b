//! Drafts: what a format knows of a document, before its certificates are known.
//!
//! A draft holds what the document states, which digests match, and what every signature value is over. Whose certificate
//! made a value, and which chains and revocation data there are, depends on the material of the whole document: the
//! collector (`collect`) turns drafts into the record (`facts`). The types here have no place for its answers, so that
//! what it has to add is what the compiler asks of it.

mod covered;
mod stated;

pub(crate) use covered::DedupKey;
pub use covered::{CoveredObject, once, previous, previous_with_covered};
pub use stated::{EvidenceRecordFacts, SignatureFacts, StatedTsa, TimestampFacts};

use super::level::Levels;
use crate::algorithm::SignatureAlgorithm;
use crate::facts::{
    self, Bytes, CertificateOrigin, CertificateRefOrigin, Digest, Id, Irregularity, IrregularityKind, RevocationOrigin,
    RevocationRef, RevocationType, Scope, ScopeType, Shared, SignerInfo,
};
use crate::time::Time;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

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
    /// Certificates and revocation data of the document as a whole (a PDF's document security stores of all
    /// revisions), whether or not they are a signature's own as well.
    pub material: Material<'a>,
    /// What is irregular about the document as a whole.
    pub irregularities: Vec<Irregularity>,
    /// Pairs of a token and what it holds or covers. Past a million (`budget::RELATIONS`), no more is read.
    pub relations: usize,
}

impl Draft<'_> {
    /// Returns the digests of what signatures, time-stamps and evidence records say that they sign.
    pub fn signed_digests(&self) -> Vec<&Digest> {
        let signatures = self.signatures.iter().flat_map(|draft| &draft.facts.scopes);
        let timestamps = self.timestamps.iter().flat_map(|draft| &draft.facts.scopes);
        let records = self.evidence_records.iter().flat_map(|draft| &draft.facts.scopes);
        let signed: HashSet<&Id> =
            signatures.chain(timestamps).chain(records).map(|scope| &scope.signed_data).collect();
        self.signed_data.iter().filter(|data| signed.contains(&data.id)).map(|data| &data.digest).collect()
    }

    /// Records bytes of the file that no token covers: no scope is over the whole of the file then.
    pub fn uncovered(&mut self, bytes: impl Into<Arc<str>>) {
        self.irregularities.push(Irregularity::about(IrregularityKind::UncoveredOctets, bytes));
        let signatures = self.signatures.iter_mut().flat_map(|draft| &mut draft.facts.scopes);
        let timestamps = self.timestamps.iter_mut().flat_map(|draft| &mut draft.facts.scopes);
        signatures.chain(timestamps).for_each(in_part);
    }

    /// Returns the number of signatures and time-stamps, those inside others included.
    pub fn tokens(&self) -> usize {
        let of_records = |records: &[EvidenceRecordDraft<'_>]| -> usize {
            records.iter().map(|record| record.timestamps.len()).sum()
        };
        let of_signature =
            |signature: &SignatureDraft<'_>| 1 + signature.timestamps.len() + of_records(&signature.evidence_records);
        let signatures: usize = self.signatures.iter().map(of_signature).sum();
        signatures + self.timestamps.len() + of_records(&self.evidence_records)
    }
}

/// Turns a scope over a whole file into one over a part of it.
pub fn in_part(scope: &mut Shared<Scope>) {
    if scope.kind == ScopeType::Full {
        *scope = Scope { kind: ScopeType::Partial, description: PART.into(), ..(**scope).clone() }.into();
    }
}

/// Describes a scope that is a part of a document.
pub const PART: &str = "Part of the document";

/// A signature, as far as its format knows it.
#[derive(Debug, Clone)]
pub struct SignatureDraft<'a> {
    /// What the signature states, and which of its digests match.
    pub facts: SignatureFacts,
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

/// A time-stamp, as far as its format knows it.
#[derive(Debug, Clone)]
pub struct TimestampDraft<'a> {
    /// What the token states, and whether its imprint matches.
    pub facts: TimestampFacts,
    /// What the signature value is over.
    pub check: ValueCheck<'a>,
    /// How the token names its signer.
    pub signer: SignerIdentifier<'a>,
    /// The name that the token gives its issuer (RFC 3161 `tsa`).
    pub tsa: Option<StatedTsa>,
    /// The token's own certificates, revocation data and references.
    pub material: Material<'a>,
    /// What the imprint covers.
    pub covers: Vec<CoveredObject<'a>>,
}

impl TimestampDraft<'_> {
    /// Returns the number of things that it holds or covers.
    pub(crate) fn relations(&self) -> usize {
        self.covers.len() + self.material.len()
    }
}

/// An evidence record, as far as its format knows it.
#[derive(Debug, Clone)]
pub struct EvidenceRecordDraft<'a> {
    /// What the record states, and which of its digests match.
    pub facts: EvidenceRecordFacts,
    /// Its time-stamps, oldest first.
    pub timestamps: Vec<TimestampDraft<'a>>,
    /// Certificates and revocation data held by the record itself.
    pub material: Material<'a>,
    /// What it covers.
    pub covers: Vec<CoveredObject<'a>>,
}

/// What a signature value is over, and under which algorithm.
#[derive(Debug, Clone, Default)]
pub struct ValueCheck<'a> {
    /// The algorithm as stated; `None` when it is not known.
    pub algorithm: Option<SignatureAlgorithm>,
    /// What was signed. Several: the value may be over any of them; none: it is not at hand.
    pub signed: Vec<SignedBytes<'a>>,
    /// The signature value as `crypto::verify` takes it.
    pub value: Cow<'a, [u8]>,
    /// A moment at which the certificate must be valid for the value to count.
    pub certificate_valid_at: Option<Time>,
}

/// Bytes that a signature value is over.
#[derive(Debug, Clone)]
pub enum SignedBytes<'a> {
    /// The bytes.
    Message(Cow<'a, [u8]>),
    /// The bytes of a content, which many signatures may sign.
    Shared(Arc<[u8]>),
    /// The bytes in pieces, which are put together when they are verified: many signatures share a payload.
    Pieces(Vec<Cow<'a, [u8]>>),
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
    /// References to certificates.
    pub certificate_refs: Vec<CertificateRef>,
    /// CRLs and OCSP responses, in the order found.
    pub revocations: Vec<EmbeddedRevocation<'a>>,
    /// References to revocation data.
    pub revocation_refs: Vec<(RevocationType, RevocationRef)>,
}

impl Material<'_> {
    /// Returns the number of certificates, revocation data and references.
    pub(crate) fn len(&self) -> usize {
        self.certificates.len() + self.certificate_refs.len() + self.revocations.len() + self.revocation_refs.len()
    }
}

/// A reference to a certificate by digest, issuer and serial number, or name, as stated.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CertificateRef {
    /// The attribute that holds it.
    pub origin: CertificateRefOrigin,
    /// The DER of `IssuerSerial`, as sent.
    pub issuer_serial: Option<Bytes>,
    /// The certificate's digest.
    pub digest: Option<Digest>,
    /// The identifier of the certificate's holder.
    pub signer: Option<SignerInfo>,
    /// JAdES `x5u`.
    pub x509_url: Option<String>,
}

impl CertificateRef {
    /// Returns a reference that states nothing yet.
    pub fn new(origin: CertificateRefOrigin) -> Self {
        Self { origin, issuer_serial: None, digest: None, signer: None, x509_url: None }
    }
}

/// A certificate inside a token.
#[derive(Debug, Clone)]
pub struct EmbeddedCertificate<'a> {
    /// Where it was found.
    pub origin: CertificateOrigin,
    /// Its bytes, not yet read.
    pub bytes: Cow<'a, [u8]>,
}

/// A CRL or OCSP response inside a token.
#[derive(Debug, Clone)]
pub struct EmbeddedRevocation<'a> {
    /// CRL, or OCSP (`OCSPResponse` or `BasicOCSPResponse`).
    pub kind: RevocationType,
    /// Where it was found.
    pub origin: RevocationOrigin,
    /// Its bytes, not yet read.
    pub bytes: Cow<'a, [u8]>,
}
