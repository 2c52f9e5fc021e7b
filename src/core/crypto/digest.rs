//! Digests of byte strings and of streams.

use ::digest::{ExtendableOutput, XofReader};
use sha2::Digest;

use super::meter::{self, Count};
use crate::algorithm::DigestAlgorithm;

/// Returns the digest of `bytes`; `None` where the function is known by name only.
pub fn digest(algorithm: DigestAlgorithm, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut hasher = Hasher::new(algorithm)?;
    hasher.update(bytes);
    Some(hasher.finish())
}

/// Returns the SHA-256 of a token, by which reports name it.
pub(crate) fn token_digest(token: &[u8]) -> [u8; 32] {
    let digest = sha2::Sha256::digest(token).into();
    meter::named(digest, token.len());
    digest
}

macro_rules! functions {
    ($($(#[$gate:meta])? $name:ident: $type:ty,)+) => {
        #[derive(Clone)]
        enum Function {
            $($(#[$gate])? $name($type),)+
            Shake128(shake::Shake128, usize),
            Shake256(shake::Shake256, usize),
        }

        impl Function {
            fn new(algorithm: DigestAlgorithm) -> Option<Self> {
                match algorithm {
                    $($(#[$gate])? DigestAlgorithm::$name => Some(Self::$name(<$type>::new())),)+
                    DigestAlgorithm::Shake128 => Some(Self::Shake128(Default::default(), algorithm.length())),
                    DigestAlgorithm::Shake256 | DigestAlgorithm::Shake256_512 => {
                        Some(Self::Shake256(Default::default(), algorithm.length()))
                    }
                    #[cfg(not(feature = "legacy-algorithms"))]
                    DigestAlgorithm::Md2 | DigestAlgorithm::Ripemd160 | DigestAlgorithm::Whirlpool => None,
                }
            }

            fn update(&mut self, bytes: &[u8]) {
                match self {
                    $($(#[$gate])? Self::$name(function) => function.update(bytes),)+
                    Self::Shake128(function, _) => ::digest::Update::update(function, bytes),
                    Self::Shake256(function, _) => ::digest::Update::update(function, bytes),
                }
            }

            fn finish(self) -> Vec<u8> {
                match self {
                    $($(#[$gate])? Self::$name(function) => function.finalize().to_vec(),)+
                    Self::Shake128(function, length) => squeeze(function, length),
                    Self::Shake256(function, length) => squeeze(function, length),
                }
            }
        }
    };
}

functions! {
    #[cfg(feature = "legacy-algorithms")]
    Md2: md2::Md2,
    Md5: md5::Md5,
    Sha1: sha1::Sha1,
    Sha224: sha2::Sha224,
    Sha256: sha2::Sha256,
    Sha384: sha2::Sha384,
    Sha512: sha2::Sha512,
    Sha512_224: sha2::Sha512_224,
    Sha512_256: sha2::Sha512_256,
    Sha3_224: sha3::Sha3_224,
    Sha3_256: sha3::Sha3_256,
    Sha3_384: sha3::Sha3_384,
    Sha3_512: sha3::Sha3_512,
    #[cfg(feature = "legacy-algorithms")]
    Ripemd160: ripemd::Ripemd160,
    #[cfg(feature = "legacy-algorithms")]
    Whirlpool: whirlpool::Whirlpool,
}

fn squeeze(function: impl ExtendableOutput, length: usize) -> Vec<u8> {
    let mut output = vec![0; length];
    function.finalize_xof().read(&mut output);
    output
}

/// A digest under way.
#[derive(Clone)]
pub struct Hasher {
    algorithm: DigestAlgorithm,
    function: Function,
    count: Count,
}

impl Hasher {
    /// Begins a digest; `None` where the function is known by name only.
    pub fn new(algorithm: DigestAlgorithm) -> Option<Self> {
        Function::new(algorithm).map(|function| Self { algorithm, function, count: Count::default() })
    }

    /// Returns the digest function.
    pub fn algorithm(&self) -> DigestAlgorithm {
        self.algorithm
    }

    /// Leaves bytes out of the count that were taken in for another digest, and are no work of this one.
    pub(super) fn without_counting(mut self, bytes: usize) -> Self {
        self.count.subtract(bytes);
        self
    }

    /// Digests the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.count.add(self.algorithm, bytes.len());
        self.function.update(bytes);
    }

    /// Returns the digest.
    pub fn finish(self) -> Vec<u8> {
        meter::digested(self.algorithm, self.count);
        self.function.finish()
    }
}

impl std::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hasher({})", self.algorithm)
    }
}

/// Xors onto `target` the mask that `seed` yields (RFC 8017 appendix B.2.1, or RFC 8702 §3.1).
pub(super) fn mask(function: crate::algorithm::MaskGeneration, seed: &[u8], target: &mut [u8]) -> Option<()> {
    use crate::algorithm::MaskGeneration;
    let xor = |target: &mut [u8], mask: &[u8]| target.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    match function {
        MaskGeneration::Mgf1(algorithm) => {
            let mut seeded = Hasher::new(algorithm)?;
            seeded.update(seed);
            for (counter, piece) in target.chunks_mut(algorithm.length()).enumerate() {
                let mut hasher = seeded.clone();
                hasher.update(&u32::try_from(counter).ok()?.to_be_bytes());
                xor(piece, &hasher.finish());
            }
        }
        MaskGeneration::Shake(algorithm) => {
            let mut function = Function::new(algorithm)?;
            match &mut function {
                Function::Shake128(_, length) | Function::Shake256(_, length) => *length = target.len(),
                _ => return None,
            }
            function.update(seed);
            xor(target, &function.finish());
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_abc() {
        // The published test values of each function for "abc" (FIPS 180-4, FIPS 202, RFC 1319, RFC 1321, ISO 10118-3).
        let rows = [
            ("MD2", "da853b0d3f88d99b30283a69e6ded6bb"),
            ("MD5", "900150983cd24fb0d6963f7d28e17f72"),
            ("SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("SHA224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            ("SHA256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "SHA384",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            ),
            ("SHA512-224", "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
            ("SHA512-256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            ("SHA3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
            ("SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
            ("SHAKE128", "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8"),
            ("RIPEMD160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ];
        for (name, expected) in rows {
            let algorithm = DigestAlgorithm::from_name(name).unwrap();
            let found: String = digest(algorithm, b"abc").unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(token_digest(b"abc").as_slice(), digest(DigestAlgorithm::Sha256, b"abc").unwrap());
    }

    #[test]
    fn each_yields_its_length() {
        for algorithm in DigestAlgorithm::ALL {
            let length = digest(*algorithm, b"").map(|bytes| bytes.len());
            assert_eq!(length, Some(algorithm.length()), "{algorithm}");
        }
    }
}
