//! A key in a token.

use super::encoding;
use super::pool::Pool;
use cryptoki::mechanism::Mechanism;
use cryptoki::object::ObjectHandle;
use lacre::signing::{CryptoRng, KeyAlgorithm, PublicKey, SignError, SignatureAlgorithm, SigningKey, check_digest};
use lacre_core::algorithm::{PssParameters, ValueForm};
use std::sync::Arc;

/// A key in a token: signs there.
#[derive(Clone)]
pub struct TokenKey {
    pool: Arc<Pool>,
    handle: ObjectHandle,
    id: Vec<u8>,
    public: PublicKey,
}

impl TokenKey {
    pub(super) fn new(pool: Arc<Pool>, handle: ObjectHandle, id: Vec<u8>, public: PublicKey) -> Self {
        Self { pool, handle, id, public }
    }

    /// Returns its `CKA_ID`.
    pub fn id(&self) -> &[u8] {
        &self.id
    }

    pub(super) fn handle(&self) -> ObjectHandle {
        self.handle
    }

    /// Returns what the token is asked, and what it is given, for this algorithm.
    fn request(&self, algorithm: &SignatureAlgorithm, digest: &[u8]) -> Option<(Mechanism<'static>, Vec<u8>)> {
        let function = algorithm.digest?;
        match (self.public.algorithm(), algorithm.key) {
            (KeyAlgorithm::Ecdsa, KeyAlgorithm::Ecdsa) => {
                // FIPS 186-5 §6.4.1: of a digest longer than the order, the leftmost bits.
                let order = usize::try_from(self.public.bits()?.div_ceil(8)).ok()?;
                Some((Mechanism::Ecdsa, digest.get(..order).unwrap_or(digest).to_vec()))
            }
            (KeyAlgorithm::Rsa, KeyAlgorithm::Rsa) => {
                Some((Mechanism::RsaPkcs, encoding::digest_info(function, digest)?))
            }
            (KeyAlgorithm::Rsa, KeyAlgorithm::RsassaPss) if algorithm.pss == Some(PssParameters::of(function)) => {
                Some((Mechanism::RsaPkcsPss(encoding::pss(function)?), digest.to_vec()))
            }
            _ => None,
        }
    }
}

impl SigningKey for TokenKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Signs with the token, which has randomness of its own.
    fn sign(&self, algorithm: &SignatureAlgorithm, digest: &[u8], _: &mut dyn CryptoRng) -> Result<Vec<u8>, SignError> {
        check_digest(self.public.algorithm(), algorithm, digest)?;
        let (mechanism, input) = self
            .request(algorithm, digest)
            .ok_or_else(|| SignError::Algorithm { key: self.public.algorithm(), algorithm: algorithm.to_string() })?;
        let value = self.pool.with(|session| session.sign(&mechanism, self.handle, &input));
        let value = value.map_err(|e| SignError::Keeper(e.to_string()))?;
        Ok(match (algorithm.key, algorithm.form) {
            (KeyAlgorithm::Ecdsa, ValueForm::Usual) => encoding::ecdsa_value(&value),
            _ => value,
        })
    }
}
