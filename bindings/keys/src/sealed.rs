//! A private key as sealed bytes.
//!
//! ```text
//! "LSK" 01 | check 8 | nonce 12 | purpose: length 2, bytes | id: length 2, bytes | ciphertext | tag 16
//! ```
//!
//! AES-256-GCM (NIST SP 800-38D) over the key's PKCS#8 form; everything before the ciphertext is the associated data.
//! `check` says under which master key. A nonce is 96 random bits: §8.3 allows 2^32 keys under one master key.

use crate::Label;
use crate::master::{CHECK, MasterKey};
use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use lacre::signing::{CryptoRng, PrivateKeyError, SoftwareKey};
use zeroize::Zeroizing;

/// What every sealed key begins with; the last byte is the version.
const MAGIC: &[u8; 4] = b"LSK\x01";
const NONCE: usize = 12;
const TAG: usize = 16;

/// Why a key could not be sealed or opened.
#[non_exhaustive]
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The bytes are no sealed key, or one of a later version.
    #[error("expected a sealed key of version 1 (LSK 01)")]
    Format,
    /// Another master key sealed it.
    #[error("sealed under the master key {found}, expected {expected}")]
    MasterKey {
        /// The master key that sealed it, by its check bytes.
        found: String,
        /// The one that is here.
        expected: String,
    },
    /// It is another key.
    #[error("found the sealed key {found}, expected {expected}")]
    Label {
        /// What it says that it is.
        found: Label,
        /// What was asked for.
        expected: Label,
    },
    /// The bytes were changed.
    #[error("the sealed key was changed: its tag does not match")]
    Tag,
    /// A label that is too long.
    #[error("a label of {0} bytes, expected at most 65,535")]
    TooLong(usize),
    /// What was sealed is no key that signs here.
    #[error(transparent)]
    Key(#[from] PrivateKeyError),
}

/// Seals a key.
pub fn seal(
    key: &SoftwareKey,
    master: &MasterKey,
    label: &Label,
    randomness: &mut dyn CryptoRng,
) -> Result<Vec<u8>, SealError> {
    let mut nonce = [0; NONCE];
    randomness.fill_bytes(&mut nonce);
    let mut bytes = [MAGIC.as_slice(), &master.check(), &nonce].concat();
    for text in [&label.purpose, &label.id] {
        let length = u16::try_from(text.len()).map_err(|_| SealError::TooLong(text.len()))?;
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    let plain = key.to_pkcs8()?;
    let payload = Payload { msg: &plain, aad: &bytes };
    let sealed = cipher(master).encrypt(&Nonce::from(nonce), payload).map_err(|_| SealError::Tag)?;
    bytes.extend_from_slice(&sealed);
    Ok(bytes)
}

/// Opens a sealed key.
pub fn unseal(bytes: &[u8], master: &MasterKey, label: &Label) -> Result<SoftwareKey, SealError> {
    let parts = Parts::read(bytes).ok_or(SealError::Format)?;
    if parts.check != master.check() {
        return Err(SealError::MasterKey { found: hex(&parts.check), expected: hex(&master.check()) });
    }
    if parts.label != *label {
        return Err(SealError::Label { found: parts.label, expected: label.clone() });
    }
    let payload = Payload { msg: parts.sealed, aad: parts.associated };
    let plain = cipher(master).decrypt(&Nonce::from(parts.nonce), payload).map_err(|_| SealError::Tag)?;
    Ok(SoftwareKey::from_pkcs8(&Zeroizing::new(plain))?)
}

/// Seals a sealed key again, under another master key and the same label; `None` where it is sealed under that already.
pub fn reseal(
    bytes: &[u8],
    from: &MasterKey,
    to: &MasterKey,
    randomness: &mut dyn CryptoRng,
) -> Result<Option<Vec<u8>>, SealError> {
    let parts = Parts::read(bytes).ok_or(SealError::Format)?;
    if parts.check == to.check() {
        // That it says so is not enough: what does not open is said now, not when the old master key is gone.
        return unseal(bytes, to, &parts.label).map(|_| None);
    }
    let key = unseal(bytes, from, &parts.label)?;
    seal(&key, to, &parts.label, randomness).map(Some)
}

/// Returns what a sealed key says that it is; `None` where the bytes are no sealed key. Believed once it opened.
pub fn label(bytes: &[u8]) -> Option<Label> {
    Parts::read(bytes).map(|parts| parts.label)
}

struct Parts<'a> {
    check: [u8; CHECK],
    nonce: [u8; NONCE],
    label: Label,
    associated: &'a [u8],
    sealed: &'a [u8],
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (check, rest) = rest.split_first_chunk()?;
        let (nonce, rest) = rest.split_first_chunk()?;
        let (purpose, rest) = text(rest)?;
        let (id, sealed) = text(rest)?;
        let associated = bytes.get(..bytes.len() - sealed.len())?;
        let label = Label { purpose, id };
        (sealed.len() > TAG).then_some(Self { check: *check, nonce: *nonce, label, associated, sealed })
    }
}

fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    Some((std::str::from_utf8(text).ok()?.to_owned(), rest))
}

fn cipher(master: &MasterKey) -> Aes256Gcm {
    Aes256Gcm::new(master.bytes().into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lacre::signing::{KeyKind, SigningKey as _};

    /// Numbers that repeat from run to run.
    struct Counter(u64);

    impl rand_core::TryRng for Counter {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|number| number as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            Ok(self.0 ^ self.0 >> 29)
        }
        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            for chunk in bytes.chunks_mut(8) {
                let number = self.try_next_u64()?.to_le_bytes();
                chunk.iter_mut().zip(number).for_each(|(byte, random)| *byte = random);
            }
            Ok(())
        }
    }

    impl rand_core::TryCryptoRng for Counter {}

    #[test]
    fn what_opens_a_sealed_key() {
        let mut randomness = Counter(1);
        let (master, other) = (MasterKey::generate(&mut randomness), MasterKey::generate(&mut randomness));
        let key = SoftwareKey::generate(KeyKind::P256, &mut randomness).expect("a key is generated");
        let own = Label::new("user", "4711");
        let sealed = seal(&key, &master, &own, &mut randomness).expect("a key is sealed");
        assert_eq!(label(&sealed), Some(own.clone()));
        let opened = unseal(&sealed, &master, &own).expect("SP 800-38D 7.2: what was sealed opens");
        assert_eq!(opened.public_key(), key.public_key());

        let again = seal(&key, &master, &own, &mut randomness).expect("a key is sealed");
        assert_ne!(sealed[12..24], again[12..24], "SP 800-38D 8: no nonce twice");

        let wrong = unseal(&sealed, &other, &own).err();
        assert!(matches!(wrong, Some(SealError::MasterKey { .. })), "another master key: {wrong:?}");
        for (situation, asked) in
            [("another key", Label::new("user", "4712")), ("another purpose", Label::new("authority", "4711"))]
        {
            let found = unseal(&sealed, &master, &asked).err();
            assert_eq!(found, Some(SealError::Label { found: own.clone(), expected: asked }), "{situation}");
        }
        // Whatever is changed, nothing opens.
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(unseal(&changed, &master, &own).is_err(), "byte {at} was changed");
            assert!(unseal(&sealed[..at], &master, &own).is_err(), "cut after {at} bytes");
        }
        let moved = reseal(&sealed, &master, &other, &mut randomness).expect("it opens").expect("it was not moved");
        assert!(
            unseal(&moved, &other, &own).is_ok() && unseal(&moved, &master, &own).is_err(),
            "under the other alone"
        );
        assert_eq!(reseal(&moved, &master, &other, &mut randomness), Ok(None), "once is enough");
        assert!(reseal(&sealed, &other, &other, &mut randomness).is_err(), "the old master key is needed");
        // A label that was exchanged for another, with everything in its place.
        let mut relabelled = sealed.clone();
        let at = relabelled.windows(4).position(|bytes| bytes == b"4711").expect("the label is in the clear");
        relabelled[at + 3] = b'2';
        assert_eq!(unseal(&relabelled, &master, &Label::new("user", "4712")).err(), Some(SealError::Tag));
    }
}
