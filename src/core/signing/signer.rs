//! Who signs: the certificate, its chain, the algorithm.

use super::{EmbeddedCertificates, SigningError, SigningErrorCode};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::crypto::PublicKey;
use crate::x509::Certificate;

/// The signer: the signing certificate, the certificates above it, and the algorithm of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        let own = (algorithm.key == KeyAlgorithm::EdDsa).then(|| of_curve(key));
        let algorithm = algorithm.or_digest(own);
        let fits = match algorithm.key {
            KeyAlgorithm::RsassaPss => matches!(key.algorithm(), KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss),
            KeyAlgorithm::PlainEcdsa => key.algorithm() == KeyAlgorithm::Ecdsa,
            // RFC 8419 §2.3: each curve has its own digest function.
            KeyAlgorithm::EdDsa => key.algorithm() == algorithm.key && algorithm.digest == Some(of_curve(key)),
            kind => key.algorithm() == kind,
        };
        let names_digest = algorithm.digest.is_some() || algorithm.needs_message();
        // The value is written as CMS has it, whatever form the service gives it.
        let form = SignatureAlgorithm::new(algorithm.key, algorithm.digest).form;
        let algorithm = SignatureAlgorithm { form, ..algorithm };
        if !fits || !names_digest || algorithm.to_algorithm_identifier().is_none() {
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
    /// NOTE: ML-DSA states none. RFC 9882 §3.3 has SHA-512 for all its sizes.
    pub fn digest(&self) -> DigestAlgorithm {
        self.algorithm.digest.unwrap_or(DigestAlgorithm::Sha512)
    }

    /// Returns the certificates that a signature is to hold: the signing certificate always (EN 319 122-1 §6.3).
    pub(crate) fn embedded(&self, which: EmbeddedCertificates) -> Vec<&Certificate> {
        let above = self.chain.iter().filter(|above| match which {
            EmbeddedCertificates::Signer => false,
            EmbeddedCertificates::Chain => !above.is_self_issued(),
            EmbeddedCertificates::ChainWithRoot => true,
        });
        std::iter::once(&self.certificate).chain(above).collect()
    }
}

/// Returns the digest function that is as strong as a key (TS 119 312 §9): SHA-384 for P-384, SHA-512 for larger curves and for RSA of
/// more than 3,072 bits, else SHA-256.
pub fn usual_digest(key: &PublicKey) -> DigestAlgorithm {
    let bits = key.bits().unwrap_or_default();
    match key.algorithm() {
        KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss if bits <= 3072 => DigestAlgorithm::Sha256,
        KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss => DigestAlgorithm::Sha512,
        _ if bits <= 256 => DigestAlgorithm::Sha256,
        _ if bits <= 384 => DigestAlgorithm::Sha384,
        _ => DigestAlgorithm::Sha512,
    }
}

/// Returns the digest function of Ed25519 or Ed448: RFC 8419 §3.1.
fn of_curve(key: &PublicKey) -> DigestAlgorithm {
    match key.curve() {
        Some("Ed448") => DigestAlgorithm::Shake256_512,
        _ => DigestAlgorithm::Sha512,
    }
}
