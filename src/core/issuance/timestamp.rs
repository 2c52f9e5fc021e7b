//! Time-stamp tokens: RFC 3161, EN 319 422.

use super::issuer::{algorithm, sign};
use super::{Error, Issuer};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{self, Oid, Tag, Tlv, Writer, oid};
use crate::crypto::{CryptoRng, digest, digest_from_algorithm_identifier};
use crate::formats::cms::oids;
use crate::signing::{Profile, SignatureParameters, SignedData, Signer, SignerInfo, signed_attributes};
use crate::time::Time;

/// EN 319 421 §5.2: best practices time-stamp policy.
const BEST_PRACTICES: Oid<'_> = oid!("0.4.0.2023.1.1");

/// A request for a time-stamp: `TimeStampReq` (RFC 3161 §2.4.1).
#[derive(Debug, Clone)]
pub struct TimestampRequest<'a> {
    /// The message imprint as sent: the token repeats it.
    imprint: &'a [u8],
    nonce: Option<&'a [u8]>,
    wants_certificate: bool,
}

/// Why a request is rejected: `PKIFailureInfo`, by bit number (RFC 3161 §2.4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    /// The digest function is not known, or too weak (TS 119 312 §5).
    BadAlgorithm = 0,
    /// The digest does not have the length of its function.
    BadDataFormat = 5,
    /// The request cannot be read.
    BadRequest = 2,
    /// The request asks for another time-stamp policy.
    UnacceptedPolicy = 15,
    /// The request has an extension; none is known.
    UnacceptedExtension = 16,
}

impl<'a> TimestampRequest<'a> {
    /// Reads a `TimeStampReq`.
    ///
    /// # Errors
    ///
    /// [`Rejection`] with the reason for which RFC 3161 §2.4.2 refuses the request.
    pub fn from_der(bytes: &'a [u8]) -> Result<Self, Rejection> {
        let next = |_: asn1::Error| Rejection::BadRequest;
        let mut parts = read(bytes).map_err(next)?;
        let imprint = parts.expect(Tag::SEQUENCE).map_err(next)?;
        check_imprint(&imprint)?;
        if let Some(policy) = parts.optional(Tag::OID).map_err(next)?
            && policy.oid().map_err(next)? != BEST_PRACTICES
        {
            return Err(Rejection::UnacceptedPolicy);
        }
        let nonce = parts.optional(Tag::INTEGER).map_err(next)?.map(|nonce| nonce.content);
        let wants_certificate = match parts.optional(Tag::BOOLEAN).map_err(next)? {
            Some(wants) => wants.boolean().map_err(next)?,
            None => false,
        };
        if parts.context(0).map_err(next)?.is_some() {
            return Err(Rejection::UnacceptedExtension);
        }
        parts.finish().map_err(next)?;
        Ok(Self { imprint: imprint.raw, nonce, wants_certificate })
    }
}

/// Returns the members after the version, which is 1.
fn read(bytes: &[u8]) -> Result<asn1::Reader<'_>, asn1::Error> {
    let mut parts = Tlv::whole(bytes)?.expecting(Tag::SEQUENCE)?.children();
    match parts.expect(Tag::INTEGER)?.to_u64()? {
        1 => Ok(parts),
        _ => Err(asn1::Error::Malformed { expected: "version 1", found: "another version" }),
    }
}

fn check_imprint(imprint: &Tlv<'_>) -> Result<(), Rejection> {
    use DigestAlgorithm::*;
    let mut parts = imprint.children();
    let function = parts.read().ok().and_then(|identifier| digest_from_algorithm_identifier(identifier.raw).ok());
    let function = function.ok_or(Rejection::BadAlgorithm)?;
    if !matches!(function, Sha256 | Sha384 | Sha512 | Sha512_256 | Sha3_256 | Sha3_384 | Sha3_512) {
        return Err(Rejection::BadAlgorithm);
    }
    let hashed = parts.expect(Tag::OCTET_STRING).map_err(|_| Rejection::BadRequest)?;
    if hashed.content.len() == function.length() { Ok(()) } else { Err(Rejection::BadDataFormat) }
}

/// A time-stamping unit: its certificate and key (EN 319 422).
pub struct TimestampUnit<'a>(Issuer<'a>);

impl<'a> TimestampUnit<'a> {
    /// Returns the unit with this certificate, of the profile [`TimestampUnit`](super::Profile::TimestampUnit), and
    /// key.
    pub fn new(signer: Issuer<'a>) -> Self {
        Self(signer)
    }

    /// Returns the `TimeStampResp` to a request, in DER; to a request that is not accepted, the rejection with its
    /// reason (RFC 3161 §2.4.2).
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] and [`Error::Signature`] where the key cannot sign.
    pub fn respond(&self, request: &[u8], time: Time, randomness: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        match TimestampRequest::from_der(request) {
            Ok(request) => Ok(granted(&self.token(&request, time, randomness)?)),
            Err(rejection) => Ok(rejected(rejection)),
        }
    }

    /// Returns the time-stamp token over the request's message imprint, in DER (RFC 3161 §2.4.2).
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] and [`Error::Signature`] where the key cannot sign.
    pub fn token(
        &self,
        request: &TimestampRequest<'_>,
        time: Time,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let key = self.0.key();
        let signer = Signer::new(self.0.certificate().clone(), algorithm(key)).map_err(|_| Error::Algorithm)?;
        let info = tst_info(request, time, randomness);
        let digest = digest(signer.digest(), &info).ok_or(Error::Algorithm)?;
        let (profile, parameters) = (Profile::TimestampToken, SignatureParameters::new(time));
        let attributes = signed_attributes(profile, &signer, &parameters, oids::TST_INFO, &digest);
        let attributes = attributes.map_err(|_| Error::Algorithm)?;
        let token = SignedData {
            content_type: oids::TST_INFO,
            certificates: if request.wants_certificate { vec![signer.certificate().der()] } else { vec![] },
            signer_info: SignerInfo {
                signer: &signer,
                signed_attributes: &attributes,
                value: &sign(key, &attributes, randomness)?,
                unsigned_attributes: &[],
            },
        };
        Ok(token.der(Some(&info)))
    }
}

/// `TSTInfo`, accurate to a second: RFC 3161 §2.4.2, EN 319 422 §5.2.
fn tst_info(request: &TimestampRequest<'_>, time: Time, randomness: &mut dyn CryptoRng) -> Vec<u8> {
    let mut serial = [0; 16];
    randomness.fill_bytes(&mut serial);
    let mut info = Writer::new();
    info.sequence(|w| {
        w.unsigned(&[1]).oid(BEST_PRACTICES).raw(request.imprint).unsigned(&serial).generalized_time(time);
        w.sequence(|w| {
            w.unsigned(&[1]);
        });
        if let Some(nonce) = request.nonce {
            w.integer(nonce);
        }
    });
    info.finish()
}

/// `PKIStatus` 0.
fn granted(token: &[u8]) -> Vec<u8> {
    let mut response = Writer::new();
    response.sequence(|w| {
        w.sequence(|w| {
            w.unsigned(&[0]);
        });
        w.raw(token);
    });
    response.finish()
}

/// `PKIStatus` 2, with one bit of `PKIFailureInfo`.
fn rejected(rejection: Rejection) -> Vec<u8> {
    let bit = rejection as usize;
    let mut bytes = vec![0_u8; bit / 8 + 2];
    // X.690 §8.6.2, §11.2.2: the first byte counts the unused bits, none of the last byte's end.
    bytes[0] = 7 - (bit % 8) as u8;
    bytes[bit / 8 + 1] = 0x80 >> (bit % 8);
    let mut response = Writer::new();
    response.sequence(|w| {
        w.sequence(|w| {
            w.unsigned(&[2]).element(Tag::BIT_STRING, &bytes);
        });
    });
    response.finish()
}
