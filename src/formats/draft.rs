//! What a format hands over: facts as far as one token alone yields them, and what the collector needs for the rest.
//!
//! The collector (`collect`) fills in everything that depends on the certificates
//! and revocation data of the whole document: signing certificate, chain, `basic`,
//! matches of certificate references, found certificates and revocations, the
//! long-term part of the level.

use crate::algorithm::SignatureAlgorithm;
use crate::facts::{
    self, CertificateOrigin, CertificateRef, Covered, CoveredKind, RevocationOrigin, RevocationRef, RevocationType,
    Scope, ScopeType, Shared, SignatureLevel,
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
    pub irregularities: Vec<facts::Irregularity>,
}

impl Draft<'_> {
    /// The digests of what signatures, time-stamps and evidence records say that they sign.
    pub fn signed_digests(&self) -> Vec<&facts::Digest> {
        let signatures = self.signatures.iter().flat_map(|draft| &draft.facts.scopes);
        let timestamps = self.timestamps.iter().flat_map(|draft| &draft.facts.scopes);
        let records = self.evidence_records.iter().flat_map(|draft| &draft.facts.scopes);
        let signed: HashSet<&facts::Id> =
            signatures.chain(timestamps).chain(records).map(|scope| &scope.signed_data).collect();
        self.signed_data.iter().filter(|data| signed.contains(&data.id)).map(|data| &data.digest).collect()
    }

    /// Notes octets of the file that nothing covers: with them no file is signed as a whole.
    pub fn uncovered(&mut self, octets: impl Into<Arc<str>>) {
        self.irregularities.push(facts::Irregularity::about(facts::IrregularityKind::UncoveredOctets, octets));
        let signatures = self.signatures.iter_mut().flat_map(|draft| &mut draft.facts.scopes);
        let timestamps = self.timestamps.iter_mut().flat_map(|draft| &mut draft.facts.scopes);
        signatures.chain(timestamps).for_each(in_part);
    }

    /// How many signatures and time-stamps there are, those inside others included.
    pub fn tokens(&self) -> usize {
        let of_records = |records: &[EvidenceRecordDraft<'_>]| -> usize {
            records.iter().map(|record| record.timestamps.len()).sum()
        };
        let of_timestamps = |timestamps: &[TimestampDraft<'_>]| -> usize {
            timestamps.iter().map(|timestamp| 1 + of_records(&timestamp.evidence_records)).sum()
        };
        let of_signature = |signature: &SignatureDraft<'_>| {
            1 + of_timestamps(&signature.timestamps) + of_records(&signature.evidence_records)
        };
        let signatures: usize = self.signatures.iter().map(of_signature).sum();
        signatures + of_timestamps(&self.timestamps) + of_records(&self.evidence_records)
    }
}

/// Makes of a scope over a whole file one over a part of it.
pub fn in_part(scope: &mut Shared<Scope>) {
    if scope.kind == ScopeType::Full {
        *scope = Scope { kind: ScopeType::Partial, description: PART.into(), ..(**scope).clone() }.into();
    }
}

/// How a scope that is a part of something is described.
pub const PART: &str = "Part of the document";

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
    pub covers: Vec<Covers<'a>>,
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
    pub covers: Vec<Covers<'a>>,
}

/// What a signature value is over, and under which algorithm.
#[derive(Debug, Clone, Default)]
pub struct ValueCheck<'a> {
    /// The algorithm as stated; `None` when it is not known.
    pub algorithm: Option<SignatureAlgorithm>,
    /// What was signed. Several: the value may be over any of them; none: it is not at hand.
    pub signed: Vec<SignedOctets<'a>>,
    /// The signature value as `crypto::verify` takes it.
    pub value: Cow<'a, [u8]>,
    /// A moment at which the certificate must be valid for the value to count.
    pub certificate_valid_at: Option<Time>,
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
pub enum Covers<'a> {
    /// A token whose id the format knows (signed data, signatures, time-stamps).
    Token(Covered),
    /// The certificate with these octets.
    Certificate(Cow<'a, [u8]>),
    /// The CRL or OCSP response with these octets; with an OCSP response go the certificates in it.
    Revocation(RevocationType, Cow<'a, [u8]>),
    /// Whatever certificate the reference means.
    CertificateRef(Arc<CertificateRef>),
    /// Whatever CRL or OCSP response the reference means.
    RevocationRef(RevocationType, Arc<RevocationRef>),
}

impl Covers<'_> {
    /// Whatever certificate the reference means.
    pub fn certificate_ref(reference: CertificateRef) -> Self {
        Self::CertificateRef(reference.into())
    }

    /// Whatever CRL or OCSP response the reference means.
    pub fn revocation_ref(kind: RevocationType, reference: RevocationRef) -> Self {
        Self::RevocationRef(kind, reference.into())
    }
}

/// Time-stamps that a later one covers, and what they hold. For where what they cover in turn is named already.
pub fn previous<'a>(drafts: &[TimestampDraft<'a>]) -> Vec<Covers<'a>> {
    let mut covers = vec![];
    for draft in drafts {
        covers.push(Covers::Token(Covered { kind: CoveredKind::Timestamp, id: draft.facts.id.clone() }));
        covers.extend(draft.material.certificates.iter().map(|c| Covers::Certificate(c.octets.clone())));
        covers.extend(draft.material.revocations.iter().map(|r| Covers::Revocation(r.kind, r.octets.clone())));
    }
    covers
}

/// Leaves each thing once, where it is first named.
///
/// Where a time-stamp chooses what it covers (an index of hashes), what the earlier ones cover goes with them, and the
/// lists of a chain would double with every link of it.
pub fn once(covers: &mut Vec<Covers<'_>>) {
    let mut seen = HashSet::with_capacity(covers.len());
    let first: Vec<bool> = covers.iter().map(|one| seen.insert(Sameness::of(one))).collect();
    let mut first = first.into_iter();
    covers.retain(|_| first.next().unwrap_or(true));
}

/// What tells two [`Covers`] apart. Octets of the document are told by their place: reading them would cost more than
/// naming the same ones twice.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Sameness<'c> {
    Token(&'c Covered),
    Place(Option<RevocationType>, *const u8, usize),
    Octets(Option<RevocationType>, &'c [u8]),
    CertificateRef(&'c CertificateRef),
    RevocationRef(RevocationType, &'c RevocationRef),
}

impl<'c> Sameness<'c> {
    pub(crate) fn of(covers: &'c Covers<'_>) -> Self {
        match covers {
            Covers::Token(token) => Self::Token(token),
            Covers::Certificate(octets) => Self::octets(None, octets),
            Covers::Revocation(kind, octets) => Self::octets(Some(*kind), octets),
            Covers::CertificateRef(reference) => Self::CertificateRef(reference),
            Covers::RevocationRef(kind, reference) => Self::RevocationRef(*kind, reference),
        }
    }

    #[allow(clippy::ptr_arg, reason = "borrowed and owned octets are told apart")]
    fn octets(kind: Option<RevocationType>, octets: &'c Cow<'_, [u8]>) -> Self {
        match octets {
            Cow::Borrowed(octets) => Self::Place(kind, octets.as_ptr(), octets.len()),
            Cow::Owned(octets) => Self::Octets(kind, octets),
        }
    }
}

/// Which profiles a signature fulfils, as far as it alone tells: one answer for each profile's requirements.
///
/// EN 319 122, 132, 142 and 182: part 1 has the baseline profiles, part 2 the extended ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// The family of words that name the level.
    pub family: Family,
    /// Baseline B.
    pub baseline_b: bool,
    /// Whether baseline B asks for the signing certificate among the signature's own certificates.
    pub needs_embedded_signer: bool,
    /// Nothing forbids baseline LT (references and values of the extended profiles).
    pub baseline_lt: bool,
    /// Baseline LTA: an archive (PDF: document, ASiC: container) time-stamp as it asks for.
    pub baseline_lta: bool,
    /// BES of the extended profiles; PDF without an ETSI subfilter: the signature can be read at all.
    pub bes: bool,
    /// EPES: a signature policy.
    pub epes: bool,
    /// T, baseline and extended: a signature (PDF: also document) time-stamp.
    pub t: bool,
    /// C: complete references.
    pub c: bool,
    /// C for a signature whose certificates are all self-signed: no references to revocation data.
    pub c_self_signed: bool,
    /// X: a time-stamp over the references.
    pub x: bool,
    /// A: an archive time-stamp.
    pub a: bool,
    /// ERS: an evidence record.
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
    /// PKCS7-…: PDF with a CMS signature that is not PAdES.
    Pkcs7,
    /// JAdES-…, JSON-NOT-ETSI.
    Jades,
    /// DIGIDOC-XML-…, of that version, whatever else it fulfils.
    DigidocXml(SignatureLevel),
}

/// What only the certificates and revocation data of the document tell of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LevelEvidence {
    /// The signing certificate is among the signature's own certificates.
    pub signer_embedded: bool,
    /// The end of the signing certificate's validity.
    pub signer_not_after: Option<Time>,
    /// The newest signature time-stamp.
    pub newest_signature_timestamp: Option<Time>,
    /// There are certificates, and all are self-signed.
    pub all_self_signed: bool,
    /// The signature holds revocation data, and there is some for every certificate of the signature, of its
    /// time-stamps, the newest archive time-stamp aside, and of the revocation data's signers, that needs it.
    pub material_complete: bool,
}

impl Levels {
    /// The level: the highest one whose requirements, and those of the levels below it, are met.
    pub fn level(&self, evidence: &LevelEvidence) -> SignatureLevel {
        use SignatureLevel::*;
        let b = self.baseline_b && (!self.needs_embedded_signer || evidence.signer_embedded);
        // A time-stamp made after the signing certificate's expiry proves nothing: EN 319 122-1 §6.3 m).
        let late = evidence.signer_not_after.zip(evidence.newest_signature_timestamp).is_some_and(|(end, t)| t >= end);
        // EN 319 142-1 §6.3 has no such requirement.
        let late = late && !matches!(self.family, Family::Pades | Family::Pkcs7);
        let t = self.t && !late;
        let lt = t && evidence.material_complete;
        let c = t && (self.c || self.c_self_signed && evidence.all_self_signed);
        let baseline_lt = b && lt && self.baseline_lt;
        match self.family {
            Family::Cades | Family::Xades => self.cades_or_xades(b, t, lt, c),

            Family::Pades if !self.bes => PdfNotEtsi,
            // EN 319 142-2 §5.5: with a document time-stamp.
            Family::Pades if !b && lt && self.a => PadesLtv,
            Family::Pades if !b && self.epes => PadesEpes,
            Family::Pades if !b => PadesBes,
            Family::Pades if baseline_lt && self.baseline_lta => PadesBaselineLta,
            Family::Pades if baseline_lt => PadesBaselineLt,
            Family::Pades if t => PadesBaselineT,
            Family::Pades => PadesBaselineB,

            Family::Pkcs7 if !b => PdfNotEtsi,
            Family::Pkcs7 if baseline_lt && self.baseline_lta => Pkcs7Lta,
            Family::Pkcs7 if baseline_lt => Pkcs7Lt,
            Family::Pkcs7 if t => Pkcs7T,
            Family::Pkcs7 => Pkcs7B,

            Family::Jades if !b => JsonNotEtsi,
            Family::Jades if baseline_lt && self.baseline_lta => JadesBaselineLta,
            Family::Jades if baseline_lt => JadesBaselineLt,
            Family::Jades if t => JadesBaselineT,
            Family::Jades => JadesBaselineB,

            Family::DigidocXml(_) if !b && !self.bes => XmlNotEtsi,
            Family::DigidocXml(version) => version,
        }
    }

    /// EN 319 122-1 §6, EN 319 122-2 §5; EN 319 132-1 §6, EN 319 132-2 §5: what is not BES is nothing; the baseline goes before
    /// the extended levels where it reaches LT.
    fn cades_or_xades(&self, b: bool, t: bool, lt: bool, c: bool) -> SignatureLevel {
        use SignatureLevel::*;
        let name = |cades, xades| if self.family == Family::Cades { cades } else { xades };
        let baseline_lt = b && lt && self.baseline_lt;
        match () {
            () if !self.bes => name(CmsNotEtsi, XmlNotEtsi),
            () if b && !t => name(CadesBaselineB, XadesBaselineB),
            () if !t && self.epes => name(CadesEpes, XadesEpes),
            () if !t => name(CadesBes, XadesBes),
            () if lt && self.ers => name(CadesErs, XadesErs),
            () if baseline_lt && self.baseline_lta => name(CadesBaselineLta, XadesBaselineLta),
            () if baseline_lt => name(CadesBaselineLt, XadesBaselineLt),
            () if lt && self.a => name(CadesA, XadesA),
            () if c && self.x && lt => name(CadesXl, XadesXl),
            () if c && self.x => name(CadesX, XadesX),
            () if c => name(CadesC, XadesC),
            () if lt => name(CadesLt, XadesLt),
            () if b => name(CadesBaselineT, XadesBaselineT),
            () => name(CadesT, XadesT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Id;

    #[test]
    fn what_a_chain_covers_grows_by_what_each_link_adds() {
        let id = |name: &str| Covered { kind: CoveredKind::Timestamp, id: Id::new(name) };
        let octets = [1, 2, 3];
        let mut earlier: Vec<Covers<'_>> = vec![Covers::Certificate(Cow::Borrowed(&octets))];
        for link in 0..64 {
            let mut covers = earlier.clone();
            covers.push(Covers::Certificate(Cow::Owned(octets.to_vec())));
            once(&mut covers);
            earlier.push(Covers::Token(id(&format!("T-{link}"))));
            earlier.extend(covers);
            once(&mut earlier);
        }
        assert_eq!(earlier.len(), 64 + 2, "EN 319 122-1 5.5: 64 archive time-stamps, a certificate from two places");
        assert_eq!(earlier[1], Covers::Token(id("T-0")), "the order is the one in which things are named");
    }

    #[test]
    fn a_crl_and_a_certificate_of_the_same_octets_are_two_things() {
        let octets = [0x30, 0];
        let mut covers = vec![
            Covers::Certificate(Cow::Borrowed(&octets)),
            Covers::Revocation(RevocationType::Crl, Cow::Borrowed(&octets)),
            Covers::Revocation(RevocationType::Ocsp, Cow::Borrowed(&octets)),
            Covers::Revocation(RevocationType::Crl, Cow::Borrowed(&octets)),
        ];
        once(&mut covers);
        assert_eq!(covers.len(), 3);
    }

    #[test]
    fn pades_ltv_has_a_document_timestamp() {
        let evidence = LevelEvidence { material_complete: true, ..LevelEvidence::default() };
        let level = |a| Levels { family: Family::Pades, bes: true, t: true, a, ..Levels::default() }.level(&evidence);
        assert_eq!(level(true), SignatureLevel::PadesLtv, "EN 319 142-2 5.5");
        assert_eq!(level(false), SignatureLevel::PadesBes, "EN 319 142-2 5.3: a signature time-stamp alone");
    }
}
