//! OCSP responses: RFC 6960 §4.2.

use super::certificate::{minimal, offset};
use super::crl::{INVALIDITY_DATE, REASON_CODE, extensions, reason};
use super::error::{Error, field};
use super::extensions::{Known, are_understood};
use super::{Certificate, Extension, Name};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Class, Oid, Reader, Tag, Tlv, Writer, oid};
use crate::crypto::{digest_from_algorithm_identifier, token_digest};
use crate::facts::{CertificateStatus, Id, RevocationReason};
use crate::order;
use crate::time::Time;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

const BASIC: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1.1");
const ARCHIVE_CUTOFF: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1.6");
const CERT_HASH: Oid<'static> = oid!("1.3.36.8.3.13");

/// The extensions of responses and answers: RFC 6960 §4.4, and `CertHash`.
const KNOWN: &Known = &[
    // The nonce. RFC 2560 §4.4.1 gave it no type, and responders of its time put bare bytes there.
    (oid!("1.3.6.1.5.5.7.48.1.2"), None),
    // Which CRL the answer is from.
    (oid!("1.3.6.1.5.5.7.48.1.3"), Some(Tag::SEQUENCE)),
    (ARCHIVE_CUTOFF, Some(Tag::GENERALIZED_TIME)),
    // What was never issued is called revoked.
    (oid!("1.3.6.1.5.5.7.48.1.9"), Some(Tag::NULL)),
    (REASON_CODE, Some(Tag::ENUMERATED)),
    (INVALIDITY_DATE, Some(Tag::GENERALIZED_TIME)),
    (CERT_HASH, Some(Tag::SEQUENCE)),
];

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
    understood: bool,
    answers: OnceLock<Vec<SingleResponse>>,
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
    /// Good, revoked or unknown; unknown, too, in place of good where something critical is not understood (RFC 6960 §4.4).
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
    id: CertId,
}

/// Which certificate an answer is about, by digests of its issuer's name and key (RFC 6960 §4.1.1).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CertId {
    algorithm: Option<DigestAlgorithm>,
    serial: Vec<u8>,
    issuer_name_hash: Vec<u8>,
    issuer_key_hash: Vec<u8>,
}

impl CertId {
    /// Returns how a certificate, issued with the key of `issuer`, is named by that function.
    fn of(certificate: &Certificate, issuer: &Certificate, algorithm: DigestAlgorithm) -> Option<Self> {
        Some(Self {
            algorithm: Some(algorithm),
            serial: certificate.minimal_serial().to_vec(),
            issuer_name_hash: certificate.issuer_digest(algorithm)?.to_vec(),
            issuer_key_hash: issuer.key_digest(algorithm)?.to_vec(),
        })
    }
}

impl SingleResponse {
    /// Returns how much it counts beside others about the same certificate: a revocation that is no hold before all else, as
    /// nothing undoes it (RFC 5280 §5.3.1), then the latest `thisUpdate`, then what does not say that all is well.
    fn rank(&self) -> (bool, Time, bool) {
        let hold = matches!(self.reason, Some(RevocationReason::CertificateHold | RevocationReason::RemoveFromCrl));
        let revoked = self.status == CertificateStatus::Revoked;
        (revoked && !hold, self.this_update, self.status != CertificateStatus::Good)
    }

    /// Returns the serial number of the certificate, two's complement without redundant bytes.
    pub fn serial(&self) -> &[u8] {
        &self.id.serial
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

    /// Reads `SEQUENCE { tbsResponseData, signatureAlgorithm, signature BIT STRING, certs [0] OPTIONAL }`.
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
        let responder = match responder.is_context(1) {
            true => ResponderId::Name(Name::from_der(inner.raw)?),
            false => ResponderId::KeyHash(inner.bytes().map_err(wrong("responderID"))?.into_owned()),
        };
        let produced_at = fields.read().and_then(|tlv| tlv.time()).map_err(wrong("producedAt"))?;
        let responses = fields.expect(Tag::SEQUENCE).map_err(wrong("responses"))?;
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
            understood: extensions_are_understood(fields),
            answers: OnceLock::new(),
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

    /// Returns the single responses that can be read, those about one certificate together: first the one that counts. Nothing is
    /// good where one cannot be read: it may say of any of the certificates that it is revoked.
    pub fn responses(&self) -> &[SingleResponse] {
        self.0.answers.get_or_init(|| {
            let list = Reader::new(&self.0.basic[self.0.responses.clone()]);
            let mut answers = Vec::new();
            let mut understood = self.0.understood;
            for answer in list.elements() {
                match answer.ok().and_then(single_response) {
                    Some(answer) => answers.push(answer),
                    None => understood = false,
                }
            }
            let good = |answer: &&mut SingleResponse| answer.status == CertificateStatus::Good;
            let doubtful = answers.iter_mut().filter(|_| !understood).filter(good);
            doubtful.for_each(|answer| answer.status = CertificateStatus::Unknown);
            order::sort_by(&mut answers, |one, other| {
                one.id.cmp(&other.id).then_with(|| other.rank().cmp(&one.rank()))
            });
            answers
        })
    }

    /// Returns the answer about a certificate of that issuer; of several, the one that counts.
    pub fn about(&self, certificate: &Certificate, issuer: &Certificate) -> Option<&SingleResponse> {
        let answers = self.responses();
        let mut best: Option<&SingleResponse> = None;
        let mut from = 0;
        // Sorted by the function of the digests first.
        while let Some(first) = answers.get(from) {
            let algorithm = first.id.algorithm;
            from += answers[from..].partition_point(|answer| answer.id.algorithm == algorithm);
            let Some(named) = algorithm.and_then(|algorithm| CertId::of(certificate, issuer, algorithm)) else {
                continue;
            };
            let found = answers.get(answers.partition_point(|answer| answer.id < named));
            let found = found.filter(|answer| answer.id == named);
            best =
                best.into_iter().chain(found).reduce(|best, next| if next.rank() > best.rank() { next } else { best });
        }
        best
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

/// Reads `[1] Extensions OPTIONAL` at the end of a structure, and returns whether nothing in it is beyond us.
fn extensions_are_understood(mut rest: Reader<'_>) -> bool {
    let stated = rest.context(1).and_then(|explicit| explicit.map(|tlv| Tlv::whole(tlv.content)).transpose());
    rest.is_empty() && stated.is_ok_and(|list| list.is_none_or(|list| are_understood(list.children(), KNOWN)))
}

/// Reads `SEQUENCE { certID, certStatus CHOICE { good [0] IMPLICIT NULL, revoked [1] IMPLICIT RevokedInfo, unknown [2]
/// IMPLICIT NULL }, thisUpdate, [0] nextUpdate OPTIONAL, [1] singleExtensions OPTIONAL }`. Nothing is good where the
/// answer is not understood.
fn single_response(response: Tlv<'_>) -> Option<SingleResponse> {
    let mut parts = response.expecting(Tag::SEQUENCE).ok()?.children();
    let mut id = parts.expect(Tag::SEQUENCE).ok()?.children();
    let algorithm = digest_from_algorithm_identifier(id.expect(Tag::SEQUENCE).ok()?.raw).ok();
    let id = CertId {
        algorithm,
        issuer_name_hash: id.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned(),
        issuer_key_hash: id.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned(),
        serial: minimal(id.expect(Tag::INTEGER).ok()?.integer_bytes().ok()?).to_vec(),
    };
    let stated = parts.read().ok()?;
    let mut revocation = (None, None);
    let mut status = match stated.tag.number {
        _ if stated.tag.class != Class::Context => return None,
        0 if stated.tag.constructed || !stated.content.is_empty() => return None,
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
    let next_update = parts.context(0).and_then(|stated| stated.map(|tlv| tlv.inner()?.time()).transpose());
    if !(next_update.is_ok() && extensions_are_understood(parts)) && status == CertificateStatus::Good {
        status = CertificateStatus::Unknown;
    }
    let list = parts.context(1).ok().flatten().and_then(|tlv| tlv.inner().ok());
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
        next_update: next_update.ok().flatten(),
        archive_cutoff: value(ARCHIVE_CUTOFF).and_then(|tlv| tlv.time().ok()),
        cert_hash: value(CERT_HASH).and_then(cert_hash),
        id,
    })
}

/// Reads `SEQUENCE { hashAlgorithm AlgorithmIdentifier, certificateHash OCTET STRING }`.
fn cert_hash(value: Tlv<'_>) -> Option<(Option<DigestAlgorithm>, Vec<u8>)> {
    let mut parts = value.children();
    let algorithm = digest_from_algorithm_identifier(parts.expect(Tag::SEQUENCE).ok()?.raw).ok();
    Some((algorithm, parts.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned()))
}
