//! OCSP responses: RFC 6960 §4.2.

use super::certificate::{minimal, offset};
use super::crl::{INVALIDITY_DATE, extensions, reason};
use super::error::{Error, field};
use super::{Certificate, Extension, Name};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Reader, Tag, Tlv, Writer, oid};
use crate::crypto::{digest_from_algorithm_identifier, token_digest};
use crate::facts::{CertificateStatus, Id, RevocationReason};
use crate::time::Time;
use std::ops::Range;
use std::sync::Arc;

const BASIC: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1.1");
const ARCHIVE_CUTOFF: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1.6");
const CERT_HASH: Oid<'static> = oid!("1.3.36.8.3.13");

/// A basic OCSP response, its bytes as sent.
#[derive(Clone)]
pub struct OcspResponse(Arc<Inner>);

struct Inner {
    basic: Box<[u8]>,
    sha256: [u8; 32],
    id: Id,
    tbs: Range<usize>,
    signature_algorithm: Range<usize>,
    signature: Range<usize>,
    responder: ResponderId,
    produced_at: Time,
    responses: Range<usize>,
    certificates: Range<usize>,
    unknown_critical: bool,
}

/// Who answers: by name or by the SHA-1 of the key (RFC 6960 §4.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponderId {
    /// The subject of the responder's certificate.
    Name(Name),
    /// The SHA-1 of its key.
    KeyHash(Vec<u8>),
}

/// The answer for one certificate: RFC 6960 §4.2.1 `SingleResponse`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleResponse {
    /// Good, revoked or unknown.
    pub status: CertificateStatus,
    /// Revoked since.
    pub revocation_date: Option<Time>,
    /// Why; `None` where it is not said.
    pub reason: Option<RevocationReason>,
    /// `invalidityDate` (RFC 6960 §4.4.5, RFC 5280 §5.3.2): since when the certificate is not to be relied on.
    pub invalidity_date: Option<Time>,
    /// When the status was known to be so.
    pub this_update: Time,
    /// When there will be newer information.
    pub next_update: Option<Time>,
    /// RFC 6960 §4.4.4: status is kept for certificates that expired since.
    pub archive_cutoff: Option<Time>,
    /// Common PKI `CertHash`: the digest of the certificate that the answer is about.
    pub cert_hash: Option<(Option<DigestAlgorithm>, Vec<u8>)>,
    /// Whether an extension is critical that is not known here.
    pub unknown_critical: bool,
    id: CertId,
}

/// Which certificate an answer is about, by digests of its issuer's name and key (RFC 6960 §4.1.1).
#[derive(Debug, Clone, PartialEq, Eq)]
struct CertId {
    algorithm: Option<DigestAlgorithm>,
    issuer_name_hash: Vec<u8>,
    issuer_key_hash: Vec<u8>,
    serial: Vec<u8>,
}

impl SingleResponse {
    /// Returns whether the answer is about `certificate`, issued with the key of `issuer`.
    pub fn is_about(&self, certificate: &Certificate, issuer: &Certificate) -> bool {
        let Some(algorithm) = self.id.algorithm else { return false };
        certificate.has_serial(&self.id.serial)
            && certificate.issuer_digest(algorithm).is_some_and(|hash| *hash == *self.id.issuer_name_hash)
            && issuer.key_digest(algorithm).is_some_and(|hash| *hash == *self.id.issuer_key_hash)
    }

    /// Returns whether it states a revocation that nothing undoes.
    fn is_final(&self) -> bool {
        let hold = matches!(self.reason, Some(RevocationReason::CertificateHold | RevocationReason::RemoveFromCrl));
        self.status == CertificateStatus::Revoked && !hold
    }

    /// Returns the serial number of the certificate, two's complement without redundant bytes.
    pub fn serial(&self) -> &[u8] {
        minimal(&self.id.serial)
    }

    /// Returns whether `cert_hash` is the certificate's digest; `None` where there is none.
    pub fn cert_hash_matches(&self, certificate: &Certificate) -> Option<bool> {
        let (algorithm, stated) = self.cert_hash.as_ref()?;
        Some(algorithm.is_some_and(|algorithm| certificate.has_digest(algorithm, stated)))
    }
}

impl OcspResponse {
    /// Reads an `OCSPResponse` or the `BasicOCSPResponse` in it; what follows it is ignored.
    pub fn from_der(input: &[u8]) -> Result<Self, Error> {
        let wrong = |name| field("OCSP response", name);
        let (outer, _) = Tlv::split(input).map_err(wrong("OCSPResponse"))?;
        let mut parts = outer.expecting(Tag::SEQUENCE).map_err(wrong("OCSPResponse"))?.children();
        let Some(status) = parts.optional(Tag::ENUMERATED).map_err(wrong("responseStatus"))? else {
            return Self::from_basic(outer.raw);
        };
        let status = status.to_u64().map_err(wrong("responseStatus"))?;
        let bytes = parts.context(0).map_err(wrong("responseBytes"))?;
        let Some(bytes) = bytes.filter(|_| status == 0) else { return Err(Error::NotSuccessful { status }) };
        let mut parts = bytes.inner().map_err(wrong("responseBytes"))?.children();
        let kind = parts.expect(Tag::OID).and_then(|tlv| tlv.oid()).map_err(wrong("responseType"))?;
        if kind != BASIC {
            return Err(Error::ResponseType { found: kind.to_string() });
        }
        let response = parts.expect(Tag::OCTET_STRING).and_then(|tlv| tlv.bytes()).map_err(wrong("response"))?;
        Self::from_basic(&response)
    }

    /// `SEQUENCE { tbsResponseData, signatureAlgorithm, signature BIT STRING, certs [0] OPTIONAL }`.
    fn from_basic(input: &[u8]) -> Result<Self, Error> {
        let wrong = |name| field("OCSP response", name);
        let (outer, _) = Tlv::split(input).map_err(wrong("BasicOCSPResponse"))?;
        let at = |part: &[u8]| offset(outer.raw, part);
        let mut parts = outer.expecting(Tag::SEQUENCE).map_err(wrong("BasicOCSPResponse"))?.children();
        let tbs = parts.expect(Tag::SEQUENCE).map_err(wrong("tbsResponseData"))?;
        let signature_algorithm = parts.expect(Tag::SEQUENCE).map_err(wrong("signatureAlgorithm"))?;
        let signature = parts.expect(Tag::BIT_STRING).map_err(wrong("signature"))?;
        let certificates = match parts.context(0).map_err(wrong("certs"))? {
            Some(explicit) => explicit.inner().map(|tlv| at(tlv.content)).unwrap_or(0..0),
            None => 0..0,
        };

        let mut fields = tbs.children();
        fields.context(0).map_err(wrong("version"))?;
        let responder = fields.read().map_err(wrong("responderID"))?;
        let inner = responder.inner().map_err(wrong("responderID"))?;
        let responder = match responder.tag.number {
            1 => ResponderId::Name(Name::from_der(inner.raw)?),
            _ => ResponderId::KeyHash(inner.bytes().map_err(wrong("responderID"))?.into_owned()),
        };
        let produced_at = fields.read().and_then(|tlv| tlv.time()).map_err(wrong("producedAt"))?;
        let responses = fields.expect(Tag::SEQUENCE).map_err(wrong("responses"))?;
        let stated = fields.context(1).ok().flatten().and_then(|tlv| tlv.inner().ok());
        let unknown_critical =
            stated.is_some_and(|tlv| extensions(tlv.children()).any(|one| is_unknown_and_critical(&one)));
        let sha256 = token_digest(&as_response(outer.raw));
        Ok(Self(Arc::new(Inner {
            sha256,
            id: super::id("R-", &sha256),
            tbs: at(tbs.raw),
            signature_algorithm: at(signature_algorithm.raw),
            signature: at(signature.raw),
            responder,
            produced_at,
            responses: at(responses.content),
            certificates,
            unknown_critical,
            basic: outer.raw.into(),
        })))
    }

    /// Returns the `BasicOCSPResponse` as sent.
    pub fn basic(&self) -> &[u8] {
        &self.0.basic
    }

    /// Returns the successful `OCSPResponse` around it.
    pub fn der(&self) -> Vec<u8> {
        as_response(&self.0.basic)
    }

    /// Returns the SHA-256 of that `OCSPResponse`.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.0.sha256
    }

    /// Returns `R-` and the SHA-256 in upper-case hexadecimal: its id in the facts.
    pub fn id(&self) -> &Id {
        &self.0.id
    }

    /// Returns `tbsResponseData`: what the responder signed.
    pub fn tbs(&self) -> &[u8] {
        &self.0.basic[self.0.tbs.clone()]
    }

    /// Returns the DER of `signatureAlgorithm`.
    pub fn signature_algorithm(&self) -> &[u8] {
        &self.0.basic[self.0.signature_algorithm.clone()]
    }

    /// Returns the signature value; empty where it cannot be read.
    pub fn signature(&self) -> Vec<u8> {
        let value = Tlv::whole(&self.0.basic[self.0.signature.clone()]).and_then(|tlv| tlv.bit_string());
        value.map(|bits| bits.bytes.into_owned()).unwrap_or_default()
    }

    /// Returns the responder's identifier.
    pub fn responder(&self) -> &ResponderId {
        &self.0.responder
    }

    /// Returns `producedAt`.
    pub fn produced_at(&self) -> Time {
        self.0.produced_at
    }

    /// Returns the embedded certificates, each in DER.
    pub fn certificates(&self) -> impl Iterator<Item = &[u8]> {
        Reader::new(&self.0.basic[self.0.certificates.clone()]).map(|tlv| tlv.raw)
    }

    /// Returns the single responses that can be read.
    pub fn responses(&self) -> impl Iterator<Item = SingleResponse> {
        Reader::new(&self.0.basic[self.0.responses.clone()]).filter_map(single_response)
    }

    /// Returns the answer about a certificate of that issuer; of several, a revocation that is no hold (RFC 5280 §5.3.1: nothing
    /// undoes it), then the one with the latest `thisUpdate`.
    pub fn about(&self, certificate: &Certificate, issuer: &Certificate) -> Option<SingleResponse> {
        // RFC 6960 §4.4: with a critical extension that is not understood, an answer does not say that all is well.
        let understood = |mut one: SingleResponse| {
            let doubtful = one.unknown_critical || self.0.unknown_critical;
            if doubtful && one.status == CertificateStatus::Good {
                one.status = CertificateStatus::Unknown;
            }
            one
        };
        let answers = self.responses().filter(|response| response.is_about(certificate, issuer));
        answers.map(understood).reduce(|best, next| {
            let rank = |one: &SingleResponse| (one.is_final(), one.this_update);
            if rank(&next) > rank(&best) { next } else { best }
        })
    }
}

impl std::fmt::Debug for OcspResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.id(), self.responder())
    }
}

fn as_response(basic: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(|w| {
        w.element(Tag::ENUMERATED, &[0]).explicit(0, |w| {
            w.sequence(|w| {
                w.oid(BASIC).octet_string(basic);
            });
        });
    });
    writer.finish()
}

/// `SEQUENCE { certID, certStatus CHOICE, thisUpdate, [0] nextUpdate OPTIONAL, [1] singleExtensions OPTIONAL }`.
fn single_response(response: Tlv<'_>) -> Option<SingleResponse> {
    let mut parts = response.children();
    let mut id = parts.expect(Tag::SEQUENCE).ok()?.children();
    let algorithm = digest_from_algorithm_identifier(id.expect(Tag::SEQUENCE).ok()?.raw).ok();
    let id = CertId {
        algorithm,
        issuer_name_hash: id.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned(),
        issuer_key_hash: id.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned(),
        serial: id.expect(Tag::INTEGER).ok()?.integer_bytes().ok()?.to_vec(),
    };
    let stated = parts.read().ok()?;
    let mut revocation = (None, None);
    let status = match stated.tag.number {
        0 => CertificateStatus::Good,
        1 => {
            let mut info = stated.children();
            // Without a date that can be read it is revoked all the same.
            let date = info.read().ok().and_then(|tlv| tlv.time().ok());
            let code = info.context(0).ok().flatten().and_then(|tlv| tlv.inner().ok()?.to_u64().ok());
            revocation = (date, code.and_then(reason));
            CertificateStatus::Revoked
        }
        _ => CertificateStatus::Unknown,
    };
    let this_update = parts.read().ok()?.time().ok()?;
    let next_update = parts.context(0).ok()?.and_then(|tlv| tlv.inner().ok()?.time().ok());
    let list = parts.context(1).ok()?.and_then(|tlv| tlv.inner().ok());
    let listed: Vec<Extension<'_>> = list.map(|tlv| extensions(tlv.children()).collect()).unwrap_or_default();
    let value = |oid: Oid<'_>| {
        let extension = listed.iter().find(|extension| extension.oid == oid)?;
        Tlv::whole(extension.value).ok()
    };
    Some(SingleResponse {
        status,
        revocation_date: revocation.0,
        reason: revocation.1,
        invalidity_date: value(INVALIDITY_DATE).and_then(|tlv| tlv.time().ok()),
        this_update,
        next_update,
        archive_cutoff: value(ARCHIVE_CUTOFF).and_then(|tlv| tlv.time().ok()),
        cert_hash: value(CERT_HASH).and_then(cert_hash),
        unknown_critical: listed.iter().any(is_unknown_and_critical),
        id,
    })
}

/// Returns whether an extension is critical and none of RFC 6960 §4.4 and §5, and no `CertHash`.
fn is_unknown_and_critical(extension: &Extension<'_>) -> bool {
    let of_ocsp = extension.oid.dotted().starts_with("1.3.6.1.5.5.7.48.1.");
    extension.critical && !of_ocsp && extension.oid != CERT_HASH
}

/// `SEQUENCE { hashAlgorithm AlgorithmIdentifier, certificateHash OCTET STRING }`.
fn cert_hash(value: Tlv<'_>) -> Option<(Option<DigestAlgorithm>, Vec<u8>)> {
    let mut parts = value.children();
    let algorithm = digest_from_algorithm_identifier(parts.expect(Tag::SEQUENCE).ok()?.raw).ok();
    Some((algorithm, parts.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned()))
}
