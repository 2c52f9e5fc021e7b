//! Who signs: the certificate, its chain, the algorithm.

use super::{SigningError, SigningErrorCode};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::x509::Certificate;

/// The signer: the signing certificate, the certificates above it, and the algorithm of the key.
#[derive(Debug, Clone)]
pub struct Signer {
    certificate: Certificate,
    chain: Vec<Certificate>,
    algorithm: SignatureAlgorithm,
}

impl Signer {
    /// Makes the signer with this certificate, whose key signs with this algorithm.
    ///
    /// # Errors
    ///
    /// `algorithm-key-mismatch` where the algorithm is for another kind of key, or names no digest function.
    pub fn new(certificate: Certificate, algorithm: SignatureAlgorithm) -> Result<Self, SigningError> {
        let mismatch = |found: String| {
            SigningError::new(
                SigningErrorCode::AlgorithmKeyMismatch,
                format!("found {found}, expected an algorithm of the certificate's key"),
            )
        };
        let Some(key) = certificate.public_key() else {
            return Err(mismatch("a certificate whose key is not known".into()));
        };
        let fits = match algorithm.key {
            KeyAlgorithm::RsassaPss => matches!(key.algorithm(), KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss),
            KeyAlgorithm::PlainEcdsa => key.algorithm() == KeyAlgorithm::Ecdsa,
            kind => key.algorithm() == kind,
        };
        if !fits || algorithm.to_algorithm_identifier().is_none() {
            return Err(mismatch(format!("the algorithm {algorithm} and a key of {}", key.algorithm())));
        }
        Ok(Self { certificate, chain: vec![], algorithm })
    }

    /// Adds the certificates above the signing certificate, in any order; they are embedded.
    pub fn with_chain(mut self, chain: Vec<Certificate>) -> Self {
        self.chain = chain;
        self
    }

    /// Returns the signing certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Returns the certificates above it.
    pub fn chain(&self) -> &[Certificate] {
        &self.chain
    }

    /// Returns the algorithm of the signature.
    pub fn algorithm(&self) -> &SignatureAlgorithm {
        &self.algorithm
    }

    /// Returns the digest function for attributes and content: that of the algorithm.
    ///
    /// NOTE: EdDSA states none. RFC 8419 §3.1 has SHA-512 with Ed25519 and SHAKE256 of 512 bits with Ed448.
    pub fn digest(&self) -> DigestAlgorithm {
        let of_curve = || match self.certificate.public_key().and_then(|key| key.bits()) {
            Some(0..=256) | None => DigestAlgorithm::Sha512,
            Some(_) => DigestAlgorithm::Shake256_512,
        };
        self.algorithm.digest.unwrap_or_else(of_curve)
    }
}
