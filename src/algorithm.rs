//! The names of algorithms, in every notation in which signatures state them.
//!
//! One row an algorithm: DSS's name, OID, XML signature URI, JOSE name. What an
//! algorithm computes is in [`crypto`](crate::crypto); whether it is still good
//! enough is the policy's question.

use crate::vocabulary::words;

words! {
    /// A digest function.
    pub enum DigestAlgorithm {
        Md2 = "MD2",
        Md5 = "MD5",
        Sha1 = "SHA1",
        Sha224 = "SHA224",
        Sha256 = "SHA256",
        Sha384 = "SHA384",
        Sha512 = "SHA512",
        Sha512_224 = "SHA512-224",
        Sha512_256 = "SHA512-256",
        Sha3_224 = "SHA3-224",
        Sha3_256 = "SHA3-256",
        Sha3_384 = "SHA3-384",
        Sha3_512 = "SHA3-512",
        Shake128 = "SHAKE128",
        Shake256 = "SHAKE256",
        Shake256_512 = "SHAKE256-512",
        Ripemd160 = "RIPEMD160",
        Whirlpool = "WHIRLPOOL",
    }
}

words! {
    /// What kind of key makes a signature, and with which padding: DSS's "encryption algorithm".
    pub enum KeyAlgorithm {
        Rsa = "RSA",
        RsassaPss = "RSASSA-PSS",
        Dsa = "DSA",
        Ecdsa = "ECDSA",
        PlainEcdsa = "PLAIN-ECDSA",
        X25519 = "X25519",
        X448 = "X448",
        EdDsa = "EDDSA",
        Hmac = "HMAC",
        MlDsa = "ML-DSA",
    }
}
