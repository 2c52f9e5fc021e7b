//! Certification requests: RFC 2986 (PKCS#10).

use super::Error;
use crate::algorithm::SignatureAlgorithm;
use crate::asn1::Tlv;
use crate::crypto::{PublicKey, Signed, verify};
use der::{Decode, Encode};
use x509_cert::request::CertReq;

/// A certification request (RFC 2986) whose signature proves possession of the private key.
#[derive(Debug, Clone)]
pub struct CertificateRequest {
    key: PublicKey,
    subject: String,
}

impl CertificateRequest {
    /// Reads a request and checks its signature (RFC 2986 §3).
    ///
    /// # Errors
    ///
    /// [`Error::Structure`] where the bytes are not a request, [`Error::PublicKey`] where its key cannot be read,
    /// [`Error::Possession`] where its signature does not verify.
    ///
    /// ```
    /// use lacre::issuance::{CertificateRequest, Error};
    ///
    /// assert!(matches!(CertificateRequest::from_der(b"no request"), Err(Error::Structure { .. })));
    /// ```
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        const EXPECTED: Error = Error::Structure { expected: "a certification request (RFC 2986 §4)" };
        let request = CertReq::from_der(bytes).map_err(|_| EXPECTED)?;
        let key = PublicKey::from_spki(&request.info.public_key.to_der()?)?;
        // What is signed is taken as it was sent, never written again.
        let info = Tlv::whole(bytes).and_then(|whole| whole.children().read()).map_err(|_| EXPECTED)?;
        let algorithm = SignatureAlgorithm::from_algorithm_identifier(&request.algorithm.to_der()?)
            .map_err(|_| Error::Possession)?;
        let value = request.signature.as_bytes().ok_or(Error::Possession)?;
        verify(&key, &algorithm, Signed::Message(info.raw), value).map_err(|_| Error::Possession)?;
        Ok(Self { key, subject: request.info.subject.to_string() })
    }

    /// Returns the key for which it requests a certificate.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the name that it requests, in the syntax of RFC 4514. No certificate takes its subject from it.
    pub fn subject(&self) -> &str {
        &self.subject
    }
}
