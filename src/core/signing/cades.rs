//! CAdES-BASELINE-B: EN 319 122-1 §6.3.

use super::signed_data::{DATA, content_digest};
use super::{Content, SignedData};
use crate::algorithm::SignatureAlgorithm;
use crate::time::Time;
use crate::x509::Certificate;

/// Why a signature could not be prepared.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The algorithm leaves open which digest function it uses, or has no object identifier.
    #[error("the signature algorithm {0} cannot be stated in CMS, expected one with a digest function")]
    Algorithm(SignatureAlgorithm),
    /// The digest has not the length that its function has.
    #[error("a content digest of {found} bytes, expected {expected}")]
    DigestLength {
        /// The length of the supplied digest, in bytes.
        found: usize,
        /// The length that the function yields, in bytes.
        expected: usize,
    },
}

/// A CAdES signature that lacks only its signature value (EN 319 122-1 §6.3).
#[derive(Debug, Clone)]
pub struct Preparation<'a>(SignedData<'a>);

impl<'a> Preparation<'a> {
    /// Prepares a signature that contains its content.
    ///
    /// `chain` is embedded beside the signing certificate.
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] where the algorithm names no digest function or has no object identifier.
    pub fn enveloping(
        signer: &'a Certificate,
        chain: &'a [Certificate],
        algorithm: SignatureAlgorithm,
        content: &'a [u8],
        signing_time: Time,
    ) -> Result<Self, Error> {
        let digest = content_digest(&algorithm, content).ok_or(Error::Algorithm(algorithm))?;
        Self::new(signer, chain, algorithm, Content { kind: DATA, digest, bytes: Some(content) }, signing_time)
    }

    /// Prepares a detached signature from the digest of its content under the algorithm's digest function.
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] as for [`enveloping`](Self::enveloping); [`Error::DigestLength`] where the digest does not
    /// have the length of its function.
    pub fn detached(
        signer: &'a Certificate,
        chain: &'a [Certificate],
        algorithm: SignatureAlgorithm,
        content_digest: &[u8],
        signing_time: Time,
    ) -> Result<Self, Error> {
        let expected = algorithm.digest.ok_or(Error::Algorithm(algorithm))?.length();
        if content_digest.len() != expected {
            return Err(Error::DigestLength { found: content_digest.len(), expected });
        }
        let content = Content { kind: DATA, digest: content_digest.to_vec(), bytes: None };
        Self::new(signer, chain, algorithm, content, signing_time)
    }

    fn new(
        signer: &'a Certificate,
        chain: &'a [Certificate],
        algorithm: SignatureAlgorithm,
        content: Content<'a>,
        signing_time: Time,
    ) -> Result<Self, Error> {
        algorithm.to_algorithm_identifier().ok_or(Error::Algorithm(algorithm))?;
        // EN 319 122-1 §6.3 a): the signer's certificate is always there.
        let certificates = chain.iter().chain([signer]).collect();
        Ok(Self(SignedData { content, signer, certificates, algorithm, signing_time: Some(signing_time) }))
    }

    /// Returns the data to be signed: the signed attributes in DER (RFC 5652 §5.4).
    pub fn to_be_signed(&self) -> Vec<u8> {
        self.0.to_be_signed()
    }

    /// Returns the digest of the data to be signed: the input of a "sign hash" service.
    pub fn digest(&self) -> Vec<u8> {
        content_digest(&self.0.algorithm, &self.to_be_signed()).unwrap_or_default()
    }

    /// Returns the signature with this signature value: the bytes of a `.p7m` or `.p7s` file.
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] where the algorithm has no object identifier.
    pub fn assemble(&self, value: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.assemble(value).ok_or(Error::Algorithm(self.0.algorithm))
    }
}
