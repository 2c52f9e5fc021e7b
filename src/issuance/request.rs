//! Certification requests: RFC 2986 (PKCS#10).

use super::Error;
use crate::algorithm::SignatureAlgorithm;
use crate::asn1::Tlv;
use crate::crypto::{PublicKey, Signed, verify};
use der::{Decode, Encode};
use x509_cert::request::CertReq;

/// A request whose signature shows that whoever made it holds the private key.
#[derive(Debug, Clone)]
pub struct CertificateRequest {
    key: PublicKey,
    subject: String,
}

impl CertificateRequest {
    /// Reads a request and checks its signature: RFC 2986 §3.
    pub fn from_der(octets: &[u8]) -> Result<Self, Error> {
        const EXPECTED: Error = Error::Structure { expected: "a certification request (RFC 2986 §4)" };
        let request = CertReq::from_der(octets).map_err(|_| EXPECTED)?;
        let key = PublicKey::from_spki(&request.info.public_key.to_der()?)?;
        // What is signed is taken as it was sent, never written again.
        let info = Tlv::whole(octets).and_then(|whole| whole.children().read()).map_err(|_| EXPECTED)?;
        let algorithm = SignatureAlgorithm::from_algorithm_identifier(&request.algorithm.to_der()?)
            .map_err(|_| Error::Possession)?;
        let value = request.signature.as_bytes().ok_or(Error::Possession)?;
        verify(&key, &algorithm, Signed::Message(info.raw), value).map_err(|_| Error::Possession)?;
        Ok(Self { key, subject: request.info.subject.to_string() })
    }

    /// The key that it asks a certificate for.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// The name that it asks for, RFC 4514; nothing is taken from it.
    pub fn subject(&self) -> &str {
        &self.subject
    }
}
