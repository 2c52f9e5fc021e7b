//! A value is good or bad here as it is to RustCrypto: ECDSA on P-256, P-384 and secp256k1, RSA with PKCS#1 v1.5 padding.
//!
//! The input says which, a private key (RSA has one), how the message is handed in, changes to the value that the key makes
//! (pairs of a place and a mask), and the message. What never verifies teaches nothing: so values begin as good ones.
#![no_main]

use std::sync::OnceLock;

use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use lacre_core::crypto::{PublicKey, Signed, digest, verify};
use p256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use p256::pkcs8::EncodePublicKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{Pkcs1v15Sign, PrivateKey};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([kind, form, count], rest)) = bytes.split_first_chunk::<3>() else { return };
    let Some((changes, rest)) = rest.split_at_checked(2 * usize::from(count % 8)) else { return };
    let work = Work { by_digest: form & 1 == 1, negated: form & 2 == 2, changes };
    match kind % 4 {
        0 => work.p256(rest),
        1 => work.p384(rest),
        2 => work.k256(rest),
        _ => work.rsa(rest),
    };
});

struct Work<'a> {
    by_digest: bool,
    negated: bool,
    changes: &'a [u8],
}

/// One function for each curve: its key in the first bytes, the message in the others.
macro_rules! curve {
    ($curve:ident, $length:literal, $function:expr) => {
        fn $curve(&self, bytes: &[u8]) -> Option<()> {
            let (secret, message) = bytes.split_first_chunk::<$length>()?;
            let key = $curve::ecdsa::SigningKey::from_slice(secret).ok()?;
            let digest = digest($function, message)?;
            let made: $curve::ecdsa::Signature = key.sign_prehash(&digest).ok()?;
            let mut value = made.to_bytes().to_vec();
            if self.negated {
                // n − s is as good as s.
                let (r, s) = (made.r(), -*made.s());
                value = $curve::ecdsa::Signature::from_scalars(r.to_bytes(), s.to_bytes()).ok()?.to_bytes().to_vec();
            }
            self.change(&mut value);
            let theirs = $curve::ecdsa::Signature::from_slice(&value).is_ok_and(|value| {
                // Bitcoin's readers take the smaller s only.
                key.verifying_key().verify_prehash(&digest, &value.normalize_s()).is_ok()
            });
            let spki = key.verifying_key().to_public_key_der().ok()?;
            let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some($function)).concatenated();
            assert_eq!(self.is_good(spki.as_bytes(), &algorithm, message, &digest, &value), theirs);
            Some(())
        }
    };
}

impl Work<'_> {
    curve!(p256, 32, DigestAlgorithm::Sha256);
    curve!(p384, 48, DigestAlgorithm::Sha384);
    curve!(k256, 32, DigestAlgorithm::Sha256);

    fn rsa(&self, message: &[u8]) -> Option<()> {
        static KEY: OnceLock<(PrivateKey, Vec<u8>)> = OnceLock::new();
        let (key, spki) = KEY.get_or_init(|| {
            let key = PrivateKey::from_pkcs8_der(include_bytes!("../../tests/data/rsa-3072.pk8")).expect("a key");
            let spki = rsa::PublicKey::from(&key).to_public_key_der().expect("a key").into_vec();
            (key, spki)
        });
        let digest = digest(DigestAlgorithm::Sha256, message)?;
        let padding = || Pkcs1v15Sign::new::<sha2::Sha256>();
        let mut value = key.sign(padding(), &digest).ok()?;
        self.change(&mut value);
        let theirs = rsa::PublicKey::from(key).verify(padding(), &digest, &value).is_ok();
        let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(DigestAlgorithm::Sha256));
        assert_eq!(self.is_good(spki, &algorithm, message, &digest, &value), theirs);
        Some(())
    }

    fn change(&self, value: &mut [u8]) {
        for pair in self.changes.chunks_exact(2) {
            let at = usize::from(pair[0]) % value.len();
            value[at] ^= pair[1];
        }
    }

    fn is_good(
        &self,
        spki: &[u8],
        algorithm: &SignatureAlgorithm,
        message: &[u8],
        digest: &[u8],
        value: &[u8],
    ) -> bool {
        let key = PublicKey::from_spki(spki).expect("RustCrypto wrote it");
        let signed = if self.by_digest { Signed::Digest(digest) } else { Signed::Message(message) };
        verify(&key, algorithm, signed, value).is_ok()
    }
}
