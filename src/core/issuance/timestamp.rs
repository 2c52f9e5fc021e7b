//! Time-stamp tokens: RFC 3161, EN 319 422.

use super::issuer::{algorithm, sign};
use super::{Error, Issuer};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Writer, oid};
use crate::crypto::{CryptoRng, digest};
use crate::formats::cms::oids;
use crate::formats::tsp::{Rejection, TimestampQuery};
use crate::signing::{Profile, SignatureParameters, SignedData, Signer, SignerInfo, signed_attributes};
use crate::time::Time;

/// EN 319 421 §5.2: best practices time-stamp policy.
const BEST_PRACTICES: Oid<'_> = oid!("0.4.0.2023.1.1");

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
        match TimestampQuery::from_der(request).and_then(accepted) {
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
        request: &TimestampQuery<'_>,
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
            certificates: if request.wants_certificate() { vec![signer.certificate().der()] } else { vec![] },
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

/// Checks what this kind of unit accepts: a digest function for new signatures (TS 119 312 §5.2), its own policy or
/// none.
fn accepted(request: TimestampQuery<'_>) -> Result<TimestampQuery<'_>, Rejection> {
    use DigestAlgorithm::*;
    if !matches!(request.function(), Sha256 | Sha384 | Sha512 | Sha512_256 | Sha3_256 | Sha3_384 | Sha3_512) {
        return Err(Rejection::BadAlgorithm);
    }
    match request.policy().is_none_or(|policy| policy == BEST_PRACTICES.dotted()) {
        true => Ok(request),
        false => Err(Rejection::UnacceptedPolicy),
    }
}

/// Makes a `TSTInfo`, accurate to a second: RFC 3161 §2.4.2, EN 319 422 §5.2.
fn tst_info(request: &TimestampQuery<'_>, time: Time, randomness: &mut dyn CryptoRng) -> Vec<u8> {
    let mut serial = [0; 16];
    randomness.fill_bytes(&mut serial);
    let mut info = Writer::new();
    info.sequence(|w| {
        w.unsigned(&[1]).oid(BEST_PRACTICES).raw(request.message_imprint()).unsigned(&serial).generalized_time(time);
        w.sequence(|w| {
            w.unsigned(&[1]);
        });
        if let Some(nonce) = request.nonce() {
            w.integer(nonce);
        }
    });
    info.finish()
}

/// Makes a response that grants a token: `PKIStatus` 0.
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

/// Makes a response that rejects the request: `PKIStatus` 2, with one bit of `PKIFailureInfo`.
fn rejected(rejection: Rejection) -> Vec<u8> {
    let bit = rejection.bit();
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
