//! What a password opens: PBES2 (RFC 8018), and the older schemes of PKCS#12 (RFC 7292 appendix C).

use super::error::Pkcs12Error;
use cbc::Decryptor;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockCipherDecrypt, BlockModeDecrypt as _, InnerIvInit, KeyInit as _};
use des::{TdesEde2, TdesEde3};
use lacre::signing::PrivateKeyError;
use lacre_core::asn1::{Tag, Tlv};
use lacre_core::crypto::decrypt_with_password;
use pkcs12::kdf::{Pkcs12KeyType, derive_key};
use rc2::Rc2;
use sha1::Sha1;
use zeroize::Zeroizing;

/// Rounds of deriving a key: some seconds.
pub const MOST_ROUNDS: i32 = 10_000_000;
/// Bytes of a block of RC2 and of Triple DES.
const BLOCK: usize = 8;

/// A password as the schemes take it. Wiped when dropped.
pub struct Password {
    utf8: Zeroizing<Vec<u8>>,
    utf16: Zeroizing<Vec<u8>>,
}

impl Password {
    /// Returns the forms of a password, the usual one first: RFC 7292 §B.1. NOTE: of an empty one there are two, with
    /// the two zero bytes at the end and without them.
    pub fn forms(text: &str) -> Vec<Self> {
        let utf8 = || Zeroizing::new(text.as_bytes().to_vec());
        let mut utf16 = Zeroizing::new(Vec::with_capacity(2 * text.len() + 2));
        text.encode_utf16().chain([0]).for_each(|unit| utf16.extend_from_slice(&unit.to_be_bytes()));
        let usual = Self { utf8: utf8(), utf16 };
        match text.is_empty() {
            true => vec![usual, Self { utf8: utf8(), utf16: Zeroizing::default() }],
            false => vec![usual],
        }
    }

    /// Returns the password in UTF-16, big-endian, with two zero bytes at its end.
    pub fn utf16(&self) -> &[u8] {
        &self.utf16
    }
}

/// The schemes of RFC 7292 appendix C that are opened, by the last number of 1.2.840.113549.1.12.1.
#[derive(Clone, Copy)]
enum Scheme {
    TripleDes,
    TwoKeyTripleDes,
    Rc2 { bytes: usize },
}

const OLD: &str = "1.2.840.113549.1.12.1.";

/// Opens what was sealed as the AlgorithmIdentifier says.
pub fn open(algorithm: &Tlv<'_>, sealed: &[u8], password: &Password) -> Result<Zeroizing<Vec<u8>>, Pkcs12Error> {
    let part = |_| Pkcs12Error::Format { part: "an encryption algorithm" };
    let mut parts = algorithm.children();
    let oid = parts.expect(Tag::OID).and_then(|oid| oid.oid()).map_err(part)?.dotted();
    let scheme = match oid.strip_prefix(OLD) {
        Some("3") => Scheme::TripleDes,
        Some("4") => Scheme::TwoKeyTripleDes,
        Some("5") => Scheme::Rc2 { bytes: 16 },
        Some("6") => Scheme::Rc2 { bytes: 5 },
        // RC4 with 128 and 40 bits, which no program was found to write.
        Some(_) => return Err(Pkcs12Error::Encryption { found: oid }),
        None => {
            return decrypt_with_password(algorithm.raw, sealed, &password.utf8).map_err(|error| match error {
                PrivateKeyError::Encryption { found } => Pkcs12Error::Encryption { found },
                _ => Pkcs12Error::Password,
            });
        }
    };
    let mut parameters = parts.expect(Tag::SEQUENCE).map_err(part)?.children();
    let salt = parameters.expect(Tag::OCTET_STRING).and_then(|salt| salt.bytes()).map_err(part)?;
    let rounds = parameters.expect(Tag::INTEGER).and_then(|rounds| rounds.to_u64()).map_err(part)?;
    let costly = || Pkcs12Error::Encryption { found: format!("{oid} with {rounds} rounds") };
    let rounds = i32::try_from(rounds).ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds)).ok_or_else(costly)?;
    let derived = |kind, length| Zeroizing::new(derive_key::<Sha1>(password.utf16(), &salt, kind, rounds, length));
    let iv = derived(Pkcs12KeyType::Iv, BLOCK);
    let key = |length| derived(Pkcs12KeyType::EncryptionKey, length);
    match scheme {
        Scheme::TripleDes => by(TdesEde3::new_from_slice(&key(24)).ok(), &iv, sealed),
        Scheme::TwoKeyTripleDes => by(TdesEde2::new_from_slice(&key(16)).ok(), &iv, sealed),
        // RFC 2268 §2: as many effective bits as the key has.
        Scheme::Rc2 { bytes } => by(Some(Rc2::new_with_eff_key_len(&key(bytes), bytes * 8)), &iv, sealed),
    }
}

/// Decrypts CBC with the padding of RFC 8018 §6.1.1; a wrong one is how a wrong password shows.
fn by<C: BlockCipherDecrypt>(cipher: Option<C>, iv: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, Pkcs12Error> {
    let decryptor = cipher.and_then(|cipher| Decryptor::inner_iv_slice_init(cipher, iv).ok());
    let mut bytes = Zeroizing::new(sealed.to_vec());
    let opened = decryptor.and_then(|decryptor| decryptor.decrypt_padded::<Pkcs7>(&mut bytes).ok().map(<[u8]>::len));
    let length = opened.ok_or(Pkcs12Error::Password)?;
    bytes.truncate(length);
    Ok(bytes)
}
