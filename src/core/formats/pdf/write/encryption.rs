//! Encryption of what is written: ISO 32000-1 §7.6.2, ISO 32000-2 algorithm 1.A.
//!
//! Vectors of AES are derived, so that the same update is the same bytes. CBC needs vectors that nobody can predict
//! before the text is chosen (NIST SP 800-38A appendix C): they depend on the key to the file, and on the text itself, so
//! that no two texts have the same.

use crate::formats::pdf::Reference;
use crate::formats::pdf::crypt::{Method, Security, cbc_encrypt_blocks, rc4};
use sha2::{Digest, Sha256};

/// What encrypts the strings and the stream of one object.
pub(super) struct Cipher<'s> {
    security: &'s Security,
    seed: &'s [u8; 32],
    id: Reference,
    /// How many vectors were derived for the object.
    vectors: u32,
}

impl<'s> Cipher<'s> {
    /// Prepares to encrypt object `id`.
    pub fn new(security: &'s Security, seed: &'s [u8; 32], id: Reference) -> Self {
        Self { security, seed, id, vectors: 0 }
    }

    /// Encrypts a string.
    pub fn string(&mut self, plain: &[u8]) -> Vec<u8> {
        self.encrypt(self.security.strings, plain)
    }

    /// Encrypts the bytes of a stream.
    pub fn stream(&mut self, plain: &[u8]) -> Vec<u8> {
        self.encrypt(self.security.streams, plain)
    }

    fn encrypt(&mut self, method: Method, plain: &[u8]) -> Vec<u8> {
        match method {
            Method::Identity => plain.to_vec(),
            Method::Rc4 => rc4(&self.security.object_key(self.id, false), plain),
            Method::Aes128 => self.cbc::<aes::Aes128>(&self.security.object_key(self.id, true), plain),
            Method::Aes256 => self.cbc::<aes::Aes256>(&self.security.key, plain),
        }
    }

    /// Encrypts to vector and blocks, with the padding of RFC 8018.
    fn cbc<C>(&mut self, key: &[u8], plain: &[u8]) -> Vec<u8>
    where
        C: aes::cipher::BlockCipherEncrypt + aes::cipher::KeyInit,
    {
        let vector = self.vector(plain);
        let padding = 16 - plain.len() % 16;
        let mut blocks = plain.to_vec();
        blocks.resize(plain.len() + padding, padding as u8);
        cbc_encrypt_blocks::<C>(key, &vector, &mut blocks);
        [&vector[..], &blocks].concat()
    }

    fn vector(&mut self, plain: &[u8]) -> [u8; 16] {
        let mut digest = Sha256::new();
        digest.update((self.security.key.len() as u64).to_le_bytes());
        digest.update(&self.security.key);
        digest.update(self.seed);
        digest.update(self.id.number.to_le_bytes());
        digest.update(self.id.generation.to_le_bytes());
        digest.update(self.vectors.to_le_bytes());
        digest.update(plain);
        self.vectors += 1;
        let digest = digest.finalize();
        std::array::from_fn(|index| digest[index])
    }
}
