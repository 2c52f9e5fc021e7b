//! The names of algorithms, in every notation in which signatures state them.
//!
//! One row an algorithm: DSS's name, OID, XML signature URI, JOSE name. What an
//! algorithm computes is in [`crypto`](crate::crypto); whether it is still strong
//! enough is a question of the policy.

use std::borrow::Cow;

use crate::vocabulary::string_enum;

string_enum! {
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

string_enum! {
    /// What kind of key makes a signature, and with which padding or encoding: DSS's "encryption algorithm".
    pub enum KeyAlgorithm {
        Rsa = "RSA",
        RsassaPss = "RSASSA-PSS",
        Dsa = "DSA",
        Ecdsa = "ECDSA",
        PlainEcdsa = "PLAIN-ECDSA",
        X25519 = "X25519",
        X448 = "X448",
        EdDsa = "EdDSA",
        Hmac = "HMAC",
        MlDsa44 = "ML-DSA-44",
        MlDsa65 = "ML-DSA-65",
        MlDsa87 = "ML-DSA-87",
    }
}

/// One digest function in every notation. An empty text: the notation has no name for it.
struct DigestNames {
    algorithm: DigestAlgorithm,
    oid: &'static str,
    /// The first is the one that we write.
    uris: &'static [&'static str],
    /// RFC 7518 §3.1 has no digests; TS 119 182-1 (JAdES) derives these from its names.
    jose: &'static str,
    /// Length of the output in bytes.
    length: usize,
}

const fn names(
    algorithm: DigestAlgorithm,
    oid: &'static str,
    uris: &'static [&'static str],
    jose: &'static str,
    length: usize,
) -> DigestNames {
    DigestNames { algorithm, oid, uris, jose, length }
}

/// OIDs: RFC 8017 appendix B.1, RFC 8702 §2, ISO/IEC 10118-3, TeleTrusT. URIs: RFC 9231 §2.1, XML Encryption §5.8.
#[rustfmt::skip]
const DIGESTS: &[DigestNames] = {
    use DigestAlgorithm::*;
    &[
        names(Md2, "1.2.840.113549.2.2", &["http://www.w3.org/2001/04/xmldsig-more#md2"], "", 16),
        names(Md5, "1.2.840.113549.2.5", &["http://www.w3.org/2001/04/xmldsig-more#md5"], "", 16),
        names(Sha1, "1.3.14.3.2.26", &["http://www.w3.org/2000/09/xmldsig#sha1"], "S1", 20),
        names(Sha224, "2.16.840.1.101.3.4.2.4", &["http://www.w3.org/2001/04/xmldsig-more#sha224"], "S224", 28),
        names(Sha256, "2.16.840.1.101.3.4.2.1", &["http://www.w3.org/2001/04/xmlenc#sha256"], "S256", 32),
        names(Sha384, "2.16.840.1.101.3.4.2.2", &["http://www.w3.org/2001/04/xmldsig-more#sha384", "http://www.w3.org/2001/04/xmlenc#sha384"], "S384", 48),
        names(Sha512, "2.16.840.1.101.3.4.2.3", &["http://www.w3.org/2001/04/xmlenc#sha512"], "S512", 64),
        names(Sha512_224, "2.16.840.1.101.3.4.2.5", &[], "", 28),
        names(Sha512_256, "2.16.840.1.101.3.4.2.6", &[], "", 32),
        names(Sha3_224, "2.16.840.1.101.3.4.2.7", &["http://www.w3.org/2007/05/xmldsig-more#sha3-224"], "S3-224", 28),
        names(Sha3_256, "2.16.840.1.101.3.4.2.8", &["http://www.w3.org/2007/05/xmldsig-more#sha3-256"], "S3-256", 32),
        names(Sha3_384, "2.16.840.1.101.3.4.2.9", &["http://www.w3.org/2007/05/xmldsig-more#sha3-384"], "S3-384", 48),
        names(Sha3_512, "2.16.840.1.101.3.4.2.10", &["http://www.w3.org/2007/05/xmldsig-more#sha3-512"], "S3-512", 64),
        names(Shake128, "2.16.840.1.101.3.4.2.11", &["http://www.w3.org/2021/04/xmldsig-more#shake128"], "", 32),
        names(Shake256, "2.16.840.1.101.3.4.2.12", &["http://www.w3.org/2021/04/xmldsig-more#shake256"], "", 64),
        // RFC 8419 §2.3: id-shake256-len with 512 bits, the digest that goes with Ed448 in CMS.
        names(Shake256_512, "2.16.840.1.101.3.4.2.18", &[], "", 64),
        names(Ripemd160, "1.3.36.3.2.1", &["http://www.w3.org/2001/04/xmlenc#ripemd160"], "", 20),
        names(Whirlpool, "1.0.10118.3.0.55", &["http://www.w3.org/2007/05/xmldsig-more#whirlpool"], "", 64),
    ]
};

impl DigestAlgorithm {
    fn names(self) -> &'static DigestNames {
        DIGESTS.iter().find(|row| row.algorithm == self).expect("a test counts the rows: every digest has one")
    }

    /// Returns the digest function with this object identifier (dotted).
    pub fn from_oid(oid: &str) -> Option<Self> {
        DIGESTS.iter().find(|row| row.oid == oid).map(|row| row.algorithm)
    }

    /// Returns the digest function that XML signatures name by this URI, which may also be `urn:oid:…` (RFC 3061).
    pub fn from_uri(uri: &str) -> Option<Self> {
        match uri.strip_prefix(OID_URN) {
            Some(oid) => Self::from_oid(oid),
            None => DIGESTS.iter().find(|row| row.uris.contains(&uri)).map(|row| row.algorithm),
        }
    }

    /// Returns the digest function with this name in JAdES (`S256`).
    pub fn from_jose(name: &str) -> Option<Self> {
        DIGESTS.iter().find(|row| !row.jose.is_empty() && row.jose == name).map(|row| row.algorithm)
    }

    /// Returns the digest function with this name in DSS's policies (`SHA3-256`), its reports (`SHA3_256`) or elsewhere
    /// (`SHA-256`).
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = |text: &str| text.replace(['-', '_', '/'], "").to_ascii_uppercase();
        let same = |algorithm: &Self| plain(algorithm.as_str()) == plain(name);
        let exact = Self::ALL.iter().copied().find(|algorithm| algorithm.as_str() == name);
        exact.or_else(|| Self::ALL.iter().copied().find(same))
    }

    /// Returns its object identifier, dotted.
    pub fn oid(self) -> &'static str {
        self.names().oid
    }

    /// Returns its URI in XML signatures; where none is registered, its object identifier as a URN.
    pub fn uri(self) -> Cow<'static, str> {
        match self.names().uris.first() {
            Some(uri) => Cow::Borrowed(uri),
            None => Cow::Owned(format!("{OID_URN}{}", self.oid())),
        }
    }

    /// Returns its name in JAdES, where it has one.
    pub fn jose(self) -> Option<&'static str> {
        Some(self.names().jose).filter(|name| !name.is_empty())
    }

    /// Returns the length of its output in bytes. SHAKE128 and SHAKE256 are taken at RFC 8702's 32 and 64.
    pub fn length(self) -> usize {
        self.names().length
    }

    /// Returns how many times as long as the quick functions it takes, rounded. Measured, without instructions made for it.
    pub(crate) fn weight(self) -> u64 {
        use DigestAlgorithm::*;
        match self {
            Md2 => 64,
            Sha3_224 | Sha3_256 | Sha3_384 | Sha3_512 | Shake128 | Shake256 | Shake256_512 => 8,
            Whirlpool => 4,
            Ripemd160 => 2,
            Md5 | Sha1 | Sha224 | Sha256 | Sha384 | Sha512 | Sha512_224 | Sha512_256 => 1,
        }
    }
}

impl KeyAlgorithm {
    /// Returns the kind of key with this name in DSS's policies and reports; they write `EdDSA` and `EDDSA`, `-` and
    /// `_`.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = |text: &str| text.replace(['-', '_'], "").to_ascii_uppercase();
        let same = |algorithm: &Self| plain(algorithm.as_str()) == plain(name);
        let exact = Self::ALL.iter().copied().find(|algorithm| algorithm.as_str() == name);
        exact.or_else(|| Self::ALL.iter().copied().find(same))
    }

    /// Returns the kind of key that a SubjectPublicKeyInfo, or TS 119 312 and TS 119 322, names by this object
    /// identifier.
    pub fn from_oid(oid: &str) -> Option<Self> {
        KEYS.iter().find(|(name, _)| *name == oid).map(|(_, algorithm)| *algorithm)
    }

    /// Returns its object identifier; for Edwards curves, which have one each, that of Ed25519.
    pub fn oid(self) -> Option<&'static str> {
        KEYS.iter().find(|(_, algorithm)| *algorithm == self).map(|(name, _)| *name)
    }
}

/// RFC 3279 §2.3, RFC 4055 §1.2, RFC 8410 §3, RFC 9881 §2, BSI TR-03111 §5.2.1.
const KEYS: &[(&str, KeyAlgorithm)] = &[
    ("1.2.840.113549.1.1.1", KeyAlgorithm::Rsa),
    ("2.5.8.1.1", KeyAlgorithm::Rsa),
    (RSASSA_PSS, KeyAlgorithm::RsassaPss),
    ("1.2.840.10040.4.1", KeyAlgorithm::Dsa),
    ("1.2.840.10045.2.1", KeyAlgorithm::Ecdsa),
    ("0.4.0.127.0.7.1.1.4.1", KeyAlgorithm::PlainEcdsa),
    ("1.3.101.110", KeyAlgorithm::X25519),
    ("1.3.101.111", KeyAlgorithm::X448),
    (ED25519, KeyAlgorithm::EdDsa),
    (ED448, KeyAlgorithm::EdDsa),
    ("2.16.840.1.101.3.4.3.17", KeyAlgorithm::MlDsa44),
    ("2.16.840.1.101.3.4.3.18", KeyAlgorithm::MlDsa65),
    ("2.16.840.1.101.3.4.3.19", KeyAlgorithm::MlDsa87),
];

/// RFC 3061's prefix of an object identifier written as a URI.
const OID_URN: &str = "urn:oid:";
/// RFC 8017 appendix A.2.3: the parameters say digest, mask and salt.
pub(crate) const RSASSA_PSS: &str = "1.2.840.113549.1.1.10";

/// The name of RSASSA-PSS in XML signatures, whose parameters stand beside it: RFC 9231 §2.3.9.
pub(crate) const RSA_PSS_URI: &str = "http://www.w3.org/2007/05/xmldsig-more#rsa-pss";
/// RFC 8410 §3.
pub(crate) const ED25519: &str = "1.3.101.112";
/// RFC 8410 §3.
pub(crate) const ED448: &str = "1.3.101.113";

/// How RSASSA-PSS derives its mask from a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaskGeneration {
    /// RFC 8017 appendix B.2.1, over this digest.
    Mgf1(DigestAlgorithm),
    /// RFC 8702 §3.1: the output of the SHAKE function itself.
    Shake(DigestAlgorithm),
}

/// RSASSA-PSS-params without the digest of the message: RFC 8017 appendix A.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PssParameters {
    /// The mask generation function.
    pub mask: MaskGeneration,
    /// The length of the salt in bytes; `None` accepts that of the value (XML and some APIs leave it open).
    pub salt_length: Option<u32>,
}

impl PssParameters {
    /// Returns the usual parameters, which RFC 7518 §3.5 and RFC 9231 §2.3.10 require: the message's digest also in the
    /// mask, and a salt as long as the digest.
    pub fn of(digest: DigestAlgorithm) -> Self {
        let mask = match digest {
            DigestAlgorithm::Shake128 | DigestAlgorithm::Shake256 => MaskGeneration::Shake(digest),
            _ => MaskGeneration::Mgf1(digest),
        };
        Self { mask, salt_length: Some(digest.length() as u32) }
    }
}

/// How the two integers of an ECDSA or DSA signature are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueForm {
    /// `SEQUENCE { r INTEGER, s INTEGER }`: RFC 3279 §2.2.3; and the only form of all other algorithms.
    Usual,
    /// Both at full length one after the other: BSI TR-03111 §5.2.2.
    Concatenated,
    /// One after the other, each half of the value: XML Signature 1.1 §6.4.3. NOTE: it has both at full length; EU DSS
    /// writes both without bytes that are zero in both, which every fourth value of P-521 has.
    Halves,
    /// Both at full length one after the other, and the key on this curve: RFC 7518 §3.4, RFC 8812 §3.2.
    OnCurve(&'static str),
}

/// A signature algorithm as a document states it.
///
/// It says which algorithm is meant. The policy says whether it is strong enough, and
/// [`crypto::verify`](crate::crypto::verify) whether a value verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SignatureAlgorithm {
    /// The kind of key, and with RSA the padding.
    pub key: KeyAlgorithm,
    /// The digest of the message; `None` where the statement leaves it open (CMS with `rsaEncryption`, JOSE `EdDSA`).
    pub digest: Option<DigestAlgorithm>,
    /// Mask and salt of RSASSA-PSS.
    pub pss: Option<PssParameters>,
    /// How the value is written.
    pub form: ValueForm,
}

/// One signature algorithm in every notation. An empty text: the notation has no name for it.
struct SignatureNames {
    key: KeyAlgorithm,
    digest: Option<DigestAlgorithm>,
    oids: &'static [&'static str],
    uris: &'static [&'static str],
    jose: &'static str,
}

const fn row(
    key: KeyAlgorithm,
    digest: DigestAlgorithm,
    oids: &'static [&'static str],
    uris: &'static [&'static str],
    jose: &'static str,
) -> SignatureNames {
    SignatureNames { key, digest: Some(digest), oids, uris, jose }
}

const fn open(key: KeyAlgorithm, oids: &'static [&'static str], jose: &'static str) -> SignatureNames {
    SignatureNames { key, digest: None, oids, uris: &[], jose }
}

/// OIDs: RFC 3279, RFC 4055, RFC 5758, RFC 8702, RFC 8410, RFC 9881, NIST CSOR, BSI TR-03111, TeleTrusT, OIW.
/// URIs: RFC 9231, XML Signature 1.1 §6. JOSE: RFC 7518 §3.1, RFC 8037 §3.1, RFC 8812 §3.2, RFC 9864 §2.2.
#[rustfmt::skip]
const SIGNATURES: &[SignatureNames] = {
    use DigestAlgorithm::*;
    use KeyAlgorithm::*;
    &[
        row(Rsa, Md2, &["1.2.840.113549.1.1.2", "1.3.14.7.2.3.1"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-md2"], ""),
        row(Rsa, Md5, &["1.2.840.113549.1.1.4", "1.3.14.3.2.3"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-md5"], ""),
        row(Rsa, Sha1, &["1.2.840.113549.1.1.5", "1.3.14.3.2.29", "1.3.14.3.2.15"], &["http://www.w3.org/2000/09/xmldsig#rsa-sha1"], "RS1"),
        row(Rsa, Sha224, &["1.2.840.113549.1.1.14"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-sha224"], ""),
        row(Rsa, Sha256, &["1.2.840.113549.1.1.11"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"], "RS256"),
        row(Rsa, Sha384, &["1.2.840.113549.1.1.12"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-sha384"], "RS384"),
        row(Rsa, Sha512, &["1.2.840.113549.1.1.13"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"], "RS512"),
        row(Rsa, Sha512_224, &["1.2.840.113549.1.1.15"], &[], ""),
        row(Rsa, Sha512_256, &["1.2.840.113549.1.1.16"], &[], ""),
        row(Rsa, Sha3_224, &["2.16.840.1.101.3.4.3.13"], &[], ""),
        row(Rsa, Sha3_256, &["2.16.840.1.101.3.4.3.14"], &[], ""),
        row(Rsa, Sha3_384, &["2.16.840.1.101.3.4.3.15"], &[], ""),
        row(Rsa, Sha3_512, &["2.16.840.1.101.3.4.3.16"], &[], ""),
        // The second URI is no name of any standard, but Austrian signatures have it.
        row(Rsa, Ripemd160, &["1.3.36.3.3.1.2"], &["http://www.w3.org/2001/04/xmldsig-more#rsa-ripemd160", "http://www.w3.org/2001/04/xmldsig-more/rsa-ripemd160"], ""),
        row(Rsa, Whirlpool, &[], &["http://www.w3.org/2007/05/xmldsig-more#rsa-whirlpool"], ""),
        open(Rsa, &["1.2.840.113549.1.1.1"], ""),

        row(RsassaPss, Md2, &[], &["http://www.w3.org/2007/05/xmldsig-more#md2-rsa-MGF1"], ""),
        row(RsassaPss, Md5, &[], &["http://www.w3.org/2007/05/xmldsig-more#md5-rsa-MGF1"], ""),
        row(RsassaPss, Sha1, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1"], ""),
        row(RsassaPss, Sha224, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha224-rsa-MGF1"], ""),
        row(RsassaPss, Sha256, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"], "PS256"),
        row(RsassaPss, Sha384, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1"], "PS384"),
        row(RsassaPss, Sha512, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1"], "PS512"),
        row(RsassaPss, Sha3_224, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha3-224-rsa-MGF1"], ""),
        row(RsassaPss, Sha3_256, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha3-256-rsa-MGF1"], ""),
        row(RsassaPss, Sha3_384, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha3-384-rsa-MGF1"], ""),
        row(RsassaPss, Sha3_512, &[], &["http://www.w3.org/2007/05/xmldsig-more#sha3-512-rsa-MGF1"], ""),
        row(RsassaPss, Shake128, &["1.3.6.1.5.5.7.6.30"], &[], ""),
        row(RsassaPss, Shake256, &["1.3.6.1.5.5.7.6.31"], &[], ""),
        row(RsassaPss, Ripemd160, &[], &["http://www.w3.org/2007/05/xmldsig-more#ripemd160-rsa-MGF1"], ""),
        row(RsassaPss, Whirlpool, &[], &["http://www.w3.org/2007/05/xmldsig-more#whirlpool-rsa-MGF1"], ""),
        open(RsassaPss, &[RSASSA_PSS], ""),

        row(Ecdsa, Sha1, &["1.2.840.10045.4.1"], &["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1"], ""),
        row(Ecdsa, Sha224, &["1.2.840.10045.4.3.1"], &["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha224"], ""),
        row(Ecdsa, Sha256, &["1.2.840.10045.4.3.2"], &["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"], "ES256"),
        row(Ecdsa, Sha384, &["1.2.840.10045.4.3.3"], &["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384"], "ES384"),
        row(Ecdsa, Sha512, &["1.2.840.10045.4.3.4"], &["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512"], "ES512"),
        row(Ecdsa, Sha3_224, &["2.16.840.1.101.3.4.3.9"], &["http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-224"], ""),
        row(Ecdsa, Sha3_256, &["2.16.840.1.101.3.4.3.10"], &["http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-256"], ""),
        row(Ecdsa, Sha3_384, &["2.16.840.1.101.3.4.3.11"], &["http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-384"], ""),
        row(Ecdsa, Sha3_512, &["2.16.840.1.101.3.4.3.12"], &["http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-512"], ""),
        row(Ecdsa, Shake128, &["1.3.6.1.5.5.7.6.32"], &[], ""),
        row(Ecdsa, Shake256, &["1.3.6.1.5.5.7.6.33"], &[], ""),
        row(Ecdsa, Ripemd160, &["0.4.0.127.0.7.1.1.4.2.6"], &["http://www.w3.org/2007/05/xmldsig-more#ecdsa-ripemd160"], ""),
        row(Ecdsa, Whirlpool, &[], &["http://www.w3.org/2007/05/xmldsig-more#ecdsa-whirlpool"], ""),
        // The name of the key algorithm in the place of the signature algorithm occurs; the digest stands elsewhere.
        open(Ecdsa, &["1.2.840.10045.2.1"], ""),
        // RFC 8812 §3.2: the curve secp256k1 is the key's.
        row(Ecdsa, Sha256, &[], &[], "ES256K"),

        row(PlainEcdsa, Sha1, &["0.4.0.127.0.7.1.1.4.1.1"], &[], ""),
        row(PlainEcdsa, Sha224, &["0.4.0.127.0.7.1.1.4.1.2"], &[], ""),
        row(PlainEcdsa, Sha256, &["0.4.0.127.0.7.1.1.4.1.3"], &[], ""),
        row(PlainEcdsa, Sha384, &["0.4.0.127.0.7.1.1.4.1.4"], &[], ""),
        row(PlainEcdsa, Sha512, &["0.4.0.127.0.7.1.1.4.1.5"], &[], ""),
        row(PlainEcdsa, Ripemd160, &["0.4.0.127.0.7.1.1.4.1.6"], &[], ""),
        row(PlainEcdsa, Sha3_224, &["0.4.0.127.0.7.1.1.4.1.8"], &[], ""),
        row(PlainEcdsa, Sha3_256, &["0.4.0.127.0.7.1.1.4.1.9"], &[], ""),
        row(PlainEcdsa, Sha3_384, &["0.4.0.127.0.7.1.1.4.1.10"], &[], ""),
        row(PlainEcdsa, Sha3_512, &["0.4.0.127.0.7.1.1.4.1.11"], &[], ""),

        row(Dsa, Sha1, &["1.2.840.10040.4.3", "1.3.14.3.2.27"], &["http://www.w3.org/2000/09/xmldsig#dsa-sha1"], ""),
        row(Dsa, Sha224, &["2.16.840.1.101.3.4.3.1"], &[], ""),
        row(Dsa, Sha256, &["2.16.840.1.101.3.4.3.2"], &["http://www.w3.org/2009/xmldsig11#dsa-sha256"], ""),
        row(Dsa, Sha384, &["2.16.840.1.101.3.4.3.3"], &[], ""),
        row(Dsa, Sha512, &["2.16.840.1.101.3.4.3.4"], &[], ""),
        row(Dsa, Sha3_224, &["2.16.840.1.101.3.4.3.5"], &[], ""),
        row(Dsa, Sha3_256, &["2.16.840.1.101.3.4.3.6"], &[], ""),
        row(Dsa, Sha3_384, &["2.16.840.1.101.3.4.3.7"], &[], ""),
        row(Dsa, Sha3_512, &["2.16.840.1.101.3.4.3.8"], &[], ""),
        open(Dsa, &["1.2.840.10040.4.1"], ""),

        // RFC 8419 §2.3 names these digests beside the two curves.
        row(EdDsa, Sha512, &[ED25519], &["http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519"], "Ed25519"),
        row(EdDsa, Shake256_512, &[ED448], &["http://www.w3.org/2021/04/xmldsig-more#eddsa-ed448"], "Ed448"),
        open(EdDsa, &[], "EdDSA"),

        open(MlDsa44, &["2.16.840.1.101.3.4.3.17"], "ML-DSA-44"),
        open(MlDsa65, &["2.16.840.1.101.3.4.3.18"], "ML-DSA-65"),
        open(MlDsa87, &["2.16.840.1.101.3.4.3.19"], "ML-DSA-87"),

        row(Hmac, Md5, &["1.3.6.1.5.5.8.1.1"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-md5"], ""),
        row(Hmac, Sha1, &["1.2.840.113549.2.7"], &["http://www.w3.org/2000/09/xmldsig#hmac-sha1"], "HS1"),
        row(Hmac, Sha224, &["1.2.840.113549.2.8"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-sha224"], ""),
        row(Hmac, Sha256, &["1.2.840.113549.2.9"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"], "HS256"),
        row(Hmac, Sha384, &["1.2.840.113549.2.10"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-sha384"], "HS384"),
        row(Hmac, Sha512, &["1.2.840.113549.2.11"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-sha512"], "HS512"),
        row(Hmac, Sha3_224, &["2.16.840.1.101.3.4.2.13"], &[], ""),
        row(Hmac, Sha3_256, &["2.16.840.1.101.3.4.2.14"], &[], ""),
        row(Hmac, Sha3_384, &["2.16.840.1.101.3.4.2.15"], &[], ""),
        row(Hmac, Sha3_512, &["2.16.840.1.101.3.4.2.16"], &[], ""),
        row(Hmac, Ripemd160, &["1.3.6.1.5.5.8.1.4"], &["http://www.w3.org/2001/04/xmldsig-more#hmac-ripemd160"], ""),
    ]
};

impl SignatureAlgorithm {
    /// Returns the algorithm of this kind with this digest: PSS as [`PssParameters::of`], the value in its usual form.
    pub fn new(key: KeyAlgorithm, digest: Option<DigestAlgorithm>) -> Self {
        let pss = digest.filter(|_| key == KeyAlgorithm::RsassaPss).map(PssParameters::of);
        let form = if key == KeyAlgorithm::PlainEcdsa { ValueForm::Concatenated } else { ValueForm::Usual };
        Self { key, digest, pss, form }
    }

    /// Returns the algorithm with this digest (of CMS's `digestAlgorithm`) where it leaves the digest open.
    pub fn or_digest(self, digest: Option<DigestAlgorithm>) -> Self {
        match self.digest {
            Some(_) => self,
            None => Self { form: self.form, ..Self::new(self.key, digest) },
        }
    }

    /// Returns whether the algorithm needs the message itself, since it digests internally.
    pub fn needs_message(&self) -> bool {
        use KeyAlgorithm::*;
        matches!(self.key, EdDsa | MlDsa44 | MlDsa65 | MlDsa87)
    }

    /// Returns the algorithm with the value's two integers one after the other.
    pub fn concatenated(self) -> Self {
        Self { form: ValueForm::Concatenated, ..self }
    }

    /// Returns the algorithm with this object identifier (dotted), without parameters.
    ///
    /// A whole AlgorithmIdentifier is read by [`from_algorithm_identifier`](Self::from_algorithm_identifier).
    pub fn from_oid(oid: &str) -> Option<Self> {
        SIGNATURES.iter().find(|row| row.oids.contains(&oid)).map(|row| Self::new(row.key, row.digest))
    }

    /// Returns the algorithm that XML signatures name by this URI, which may also be `urn:oid:…`.
    ///
    /// XML Signature 1.1 §6.4.3 and RFC 9231 §2.3.6 write the integers of ECDSA and DSA one after the other.
    /// `…xmldsig-more#rsa-pss` has its parameters in an element beside it and is not found here.
    pub fn from_uri(uri: &str) -> Option<Self> {
        match uri.strip_prefix(OID_URN) {
            Some(oid) => Self::from_oid(oid),
            None => {
                let row = SIGNATURES.iter().find(|row| row.uris.contains(&uri))?;
                Some(Self { form: ValueForm::Halves, ..Self::new(row.key, row.digest) })
            }
        }
    }

    /// Returns the algorithm that a JOSE header's `alg` names: RFC 7518 §3.1. `none` is not an algorithm.
    pub fn from_jose(name: &str) -> Option<Self> {
        let row = SIGNATURES.iter().find(|row| !row.jose.is_empty() && row.jose == name)?;
        let curve = match name {
            "ES256" => Some("secp256r1"),
            "ES384" => Some("secp384r1"),
            "ES512" => Some("secp521r1"),
            "ES256K" => Some("secp256k1"),
            _ => None,
        };
        let form = curve.map_or(ValueForm::Concatenated, ValueForm::OnCurve);
        Some(Self { form, ..Self::new(row.key, row.digest) })
    }

    fn names(&self) -> Option<&'static SignatureNames> {
        let open = |row: &&SignatureNames| row.digest.is_none();
        SIGNATURES
            .iter()
            .find(|row| row.key == self.key && row.digest == self.digest)
            .or_else(|| SIGNATURES.iter().filter(open).find(|row| row.key == self.key))
    }

    /// Returns its object identifier, dotted.
    pub fn oid(&self) -> Option<&'static str> {
        let own = self.names().and_then(|row| row.oids.first().copied());
        own.or((self.key == KeyAlgorithm::RsassaPss).then_some(RSASSA_PSS))
    }

    /// Returns its URI in XML signatures; where none is registered, its object identifier as a URN.
    pub fn uri(&self) -> Option<Cow<'static, str>> {
        match self.names().and_then(|row| row.uris.first()) {
            Some(uri) => Some(Cow::Borrowed(uri)),
            None => self.oid().map(|oid| Cow::Owned(format!("{OID_URN}{oid}"))),
        }
    }

    /// Returns its name in a JOSE header, where it has one.
    pub fn jose(&self) -> Option<&'static str> {
        self.names().map(|row| row.jose).filter(|name| !name.is_empty())
    }
}

/// `SHA256withRSA`, `SHA256withRSASSA-PSS`: the digest, then the kind of key.
impl std::fmt::Display for SignatureAlgorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.digest {
            Some(digest) => write!(f, "{digest}with{}", self.key),
            None => f.write_str(self.key.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_digest_has_its_row() {
        for digest in DigestAlgorithm::ALL {
            assert_eq!(DigestAlgorithm::from_oid(digest.oid()), Some(*digest));
            assert_eq!(DigestAlgorithm::from_uri(&digest.uri()), Some(*digest));
            assert_eq!(DigestAlgorithm::from_name(digest.as_str()), Some(*digest));
        }
    }

    #[test]
    fn no_name_means_two_algorithms() {
        let mut seen = HashSet::new();
        for row in SIGNATURES {
            for name in row.oids.iter().chain(row.uris).chain(Some(&row.jose).filter(|name| !name.is_empty())) {
                assert!(seen.insert(*name), "{name} stands twice");
            }
        }
    }

    #[test]
    fn names_of_the_field() {
        use DigestAlgorithm::*;
        use KeyAlgorithm::*;
        let rows = [
            ("RFC 8017 A.2.4", SignatureAlgorithm::from_oid("1.2.840.113549.1.1.11"), Some((Rsa, Some(Sha256)))),
            ("CMS leaves the digest open", SignatureAlgorithm::from_oid("1.2.840.113549.1.1.1"), Some((Rsa, None))),
            ("TR-03111", SignatureAlgorithm::from_oid("0.4.0.127.0.7.1.1.4.1.3"), Some((PlainEcdsa, Some(Sha256)))),
            ("RFC 7518", SignatureAlgorithm::from_jose("PS384"), Some((RsassaPss, Some(Sha384)))),
            ("RFC 7518: none", SignatureAlgorithm::from_jose("none"), None),
            ("no name", SignatureAlgorithm::from_jose(""), None),
            ("no URI", SignatureAlgorithm::from_uri(""), None),
            (
                "RFC 9231",
                SignatureAlgorithm::from_uri("http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384"),
                Some((Ecdsa, Some(Sha384))),
            ),
            ("RFC 3061", SignatureAlgorithm::from_uri("urn:oid:1.2.840.10045.4.3.2"), Some((Ecdsa, Some(Sha256)))),
        ];
        for (clause, found, expected) in rows {
            assert_eq!(found.map(|algorithm| (algorithm.key, algorithm.digest)), expected, "{clause}");
        }
    }

    #[test]
    fn the_form_of_the_value_follows_the_notation() {
        let form = |algorithm: Option<SignatureAlgorithm>| algorithm.map(|algorithm| algorithm.form);
        assert_eq!(form(SignatureAlgorithm::from_oid("1.2.840.10045.4.3.2")), Some(ValueForm::Usual));
        assert_eq!(form(SignatureAlgorithm::from_oid("0.4.0.127.0.7.1.1.4.1.3")), Some(ValueForm::Concatenated));
        assert_eq!(form(SignatureAlgorithm::from_jose("ES256")), Some(ValueForm::OnCurve("secp256r1")));
        let uri = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
        assert_eq!(form(SignatureAlgorithm::from_uri(uri)), Some(ValueForm::Halves));
    }
}
