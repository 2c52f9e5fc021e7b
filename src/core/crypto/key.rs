//! Public keys: SubjectPublicKeyInfo, RFC 5280 §4.1.2.7.

use std::fmt;
use std::sync::{Arc, OnceLock};

use der::asn1::{AnyRef, BitStringRef};
use der::{Decode, Tagged};
use spki::SubjectPublicKeyInfo;

use super::bytes::{strip_leading_zeros, unhex};
use super::curve::{self, Curve};
use super::error::VerifyError;
use super::identifier::pss_parameters;
use super::material::{Material, PssRestriction};
use super::{dsa, native, rsa, validation};
use crate::algorithm::{ED448, ED25519, KeyAlgorithm};
use crate::asn1::{self, Oid, Tag, Tlv, oid};

/// Why a public key could not be read.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The bytes are not a SubjectPublicKeyInfo.
    #[error("expected a SubjectPublicKeyInfo")]
    Structure(#[from] spki::Error),
    /// The key or its parameters are not what their algorithm prescribes.
    #[error("the public key of {algorithm} is not {expected}")]
    Content {
        /// The algorithm that the key states.
        algorithm: KeyAlgorithm,
        /// What its standard prescribes.
        expected: &'static str,
    },
    /// No signature algorithm that is known uses such keys.
    #[error("public key of an unknown algorithm {oid}")]
    UnknownAlgorithm {
        /// The object identifier found, dotted.
        oid: String,
    },
}

impl From<der::Error> for KeyError {
    fn from(error: der::Error) -> Self {
        Self::Structure(error.into())
    }
}

/// A public key as certificates hold it. Cheap to clone; it caches what verification derives from it.
#[derive(Clone)]
pub struct PublicKey(Arc<Inner>);

struct Inner {
    spki: Box<[u8]>,
    algorithm: KeyAlgorithm,
    bits: Option<u32>,
    material: Material,
    prepared: OnceLock<Option<native::Prepared>>,
    validated: OnceLock<Result<(), &'static str>>,
}

impl PublicKey {
    /// Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    ///
    /// # Errors
    ///
    /// [`KeyError`] where the structure, or the key in it, cannot be read.
    pub fn from_spki(spki: &[u8]) -> Result<Self, KeyError> {
        let der = asn1::to_der(spki).map_err(|_| der::Error::from(der::ErrorKind::Failed))?;
        let info = SubjectPublicKeyInfo::<AnyRef<'_>, BitStringRef<'_>>::from_der(&der)?;
        let oid = info.algorithm.oid.to_string();
        let parameters = info.algorithm.parameters.filter(|any| any.tag() != der::Tag::Null);
        let algorithm = KeyAlgorithm::from_oid(&oid).ok_or_else(|| KeyError::UnknownAlgorithm { oid: oid.clone() })?;
        // X.690 §8.6: every key below is whole bytes.
        let key = info.subject_public_key.as_bytes();
        let key = key.ok_or(KeyError::Content { algorithm, expected: "a bit string of whole bytes" })?;
        let (bits, material) = read(algorithm, &oid, parameters, key)?;
        Ok(Self(Arc::new(Inner {
            spki: spki.into(),
            algorithm,
            bits,
            material,
            prepared: OnceLock::new(),
            validated: OnceLock::new(),
        })))
    }

    /// Checks that only the holder of the private half can sign for the key, as far as the key shows (SP 800-89 §5.3):
    /// sizes, ranges, points of the curve, orders. Computed once; [`verify`](super::verify) accepts no other key.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Key`] with what its standard prescribes.
    pub fn validate(&self) -> Result<(), VerifyError> {
        let found =
            *self.0.validated.get_or_init(|| validation::validate(&self.0.material, || self.prepared().is_some()));
        found.map_err(|expected| VerifyError::Key { expected })
    }

    /// Returns the kind of key.
    pub fn algorithm(&self) -> KeyAlgorithm {
        self.0.algorithm
    }

    /// Returns its size in bits: of the modulus (RSA, DSA) or of the field (elliptic curves).
    pub fn bits(&self) -> Option<u32> {
        self.0.bits
    }

    /// Returns the name of its curve, if it is a known one (`secp256r1`, `brainpoolP384r1`, `Ed25519`).
    pub fn curve(&self) -> Option<&'static str> {
        match &self.0.material {
            Material::Ec { curve, .. } => Some(curve.name),
            Material::Ed25519(_) => Some("Ed25519"),
            Material::Ed448(_) => Some("Ed448"),
            _ => None,
        }
    }

    /// Returns the SubjectPublicKeyInfo from which it was read.
    pub fn spki(&self) -> &[u8] {
        &self.0.spki
    }

    pub(super) fn material(&self) -> &Material {
        &self.0.material
    }

    /// Returns the key in the faster backend's form, made at the first call.
    pub(super) fn prepared(&self) -> Option<&native::Prepared> {
        self.0.prepared.get_or_init(|| native::Prepared::new(&self.0.material)).as_ref()
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.spki == other.0.spki
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("algorithm", &self.0.algorithm).field("bits", &self.0.bits).finish()
    }
}

fn read(
    algorithm: KeyAlgorithm,
    oid: &str,
    parameters: Option<AnyRef<'_>>,
    key: &[u8],
) -> Result<(Option<u32>, Material), KeyError> {
    let wrong = |expected| KeyError::Content { algorithm, expected };
    match algorithm {
        KeyAlgorithm::Rsa if parameters.is_some() => Err(wrong("without parameters or with NULL (RFC 3279 §2.3.1)")),
        KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss => {
            let key = rsa_key(key).ok_or(wrong("RSAPublicKey (RFC 8017 appendix A.1.1)"))?;
            let only = match parameters.filter(|_| algorithm == KeyAlgorithm::RsassaPss) {
                None => None,
                Some(any) => {
                    let (digest, parameters) = element(any)
                        .and_then(|tlv| pss_parameters(&tlv).ok())
                        .ok_or(wrong("accompanied by RSASSA-PSS-params (RFC 4055 §3.1)"))?;
                    Some(PssRestriction { digest, parameters })
                }
            };
            Ok((Some(key.bits()), Material::Rsa { key, only }))
        }
        KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa => {
            let parameters = parameters.ok_or(wrong("accompanied by curve parameters (RFC 5480 §2.1.1)"))?;
            match ec_parameters(parameters).ok_or(wrong("accompanied by a curve (RFC 5480 §2.1.1)"))? {
                EcParameters::Known(curve) => Ok((Some(curve.bits), Material::Ec { curve, point: key.into() })),
                EcParameters::Unknown { bits } => Ok((bits, Material::Other)),
            }
        }
        KeyAlgorithm::Dsa => {
            // RFC 3279 §2.3.2: parameters may be inherited from the issuer, which nobody does.
            let parameters = parameters.ok_or(wrong("accompanied by Dss-Parms (RFC 3279 §2.3.2)"))?;
            let key = dsa_key(parameters, key).ok_or(wrong("an integer with Dss-Parms (RFC 3279 §2.3.2)"))?;
            Ok((Some(key.bits()), Material::Dsa(key)))
        }
        KeyAlgorithm::EdDsa if oid == ED25519 => {
            let key = key.try_into().map_err(|_| wrong("32 bytes (RFC 8410 §4)"))?;
            Ok((Some(256), Material::Ed25519(key)))
        }
        KeyAlgorithm::EdDsa if oid == ED448 => {
            let key = key.try_into().map_err(|_| wrong("57 bytes (RFC 8410 §4)"))?;
            Ok((Some(448), Material::Ed448(key)))
        }
        KeyAlgorithm::MlDsa44 => ml_dsa_key(key, 1312).ok_or(wrong("1312 bytes (RFC 9881 §4)")),
        KeyAlgorithm::MlDsa65 => ml_dsa_key(key, 1952).ok_or(wrong("1952 bytes (RFC 9881 §4)")),
        KeyAlgorithm::MlDsa87 => ml_dsa_key(key, 2592).ok_or(wrong("2592 bytes (RFC 9881 §4)")),
        KeyAlgorithm::X25519 => Ok((Some(256), Material::Other)),
        KeyAlgorithm::X448 => Ok((Some(448), Material::Other)),
        KeyAlgorithm::EdDsa | KeyAlgorithm::Hmac => Err(KeyError::UnknownAlgorithm { oid: oid.to_owned() }),
    }
}

fn element(any: AnyRef<'_>) -> Option<Tlv<'_>> {
    let tag = match any.tag() {
        der::Tag::Sequence => Tag::SEQUENCE,
        der::Tag::ObjectIdentifier => Tag::OID,
        _ => return None,
    };
    Some(Tlv { tag, raw: any.value(), content: any.value() })
}

fn ml_dsa_key(key: &[u8], length: usize) -> Option<(Option<u32>, Material)> {
    (key.len() == length).then(|| (Some(length as u32 * 8), Material::MlDsa(key.into())))
}

/// Reads `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }`.
///
/// NOTE: some issuers forget the zero byte before a modulus whose top bit is set, which makes it negative; like
/// others we read both numbers as unsigned.
fn rsa_key(bytes: &[u8]) -> Option<rsa::Key> {
    let sequence = Tlv::whole(bytes).ok()?.expecting(Tag::SEQUENCE).ok()?;
    let mut parts = sequence.children();
    let modulus = unsigned(&parts.expect(Tag::INTEGER).ok()?);
    let exponent = unsigned(&parts.expect(Tag::INTEGER).ok()?);
    parts.finish().ok()?;
    rsa::Key::new(modulus, exponent)
}

/// Reads `DSAPublicKey ::= INTEGER` and `Dss-Parms ::= SEQUENCE { p INTEGER, q INTEGER, g INTEGER }`.
fn dsa_key(parameters: AnyRef<'_>, key: &[u8]) -> Option<dsa::Key> {
    let y = Tlv::whole(key).ok()?.expecting(Tag::INTEGER).ok()?;
    let mut parts = element(parameters)?.expecting(Tag::SEQUENCE).ok()?.children();
    let mut next = || parts.expect(Tag::INTEGER).ok().map(|part| unsigned(&part));
    let (p, q, g) = (next()?, next()?, next()?);
    dsa::Key::new(p, q, g, unsigned(&y))
}

/// Returns the bytes of an INTEGER without leading zeros, sign disregarded.
fn unsigned<'a>(integer: &Tlv<'a>) -> &'a [u8] {
    strip_leading_zeros(integer.content)
}

enum EcParameters {
    Known(&'static Curve),
    Unknown { bits: Option<u32> },
}

/// Reads `ECParameters ::= CHOICE { namedCurve OBJECT IDENTIFIER, specifiedCurve …, implicitCurve NULL }` (RFC 5480
/// §2.1.1).
fn ec_parameters(any: AnyRef<'_>) -> Option<EcParameters> {
    let element = element(any)?;
    if element.is(Tag::OID) {
        let oid = element.oid().ok()?;
        return Some(Curve::from_oid(oid).map_or(EcParameters::Unknown { bits: None }, EcParameters::Known));
    }
    specified_curve(&element)
}

/// Reads a curve written out (X9.62 §C.2; RFC 5480 forbids it, passports and old certificates have it).
///
/// It is accepted only if every number is that of a known curve. The generator is part of that: with another one,
/// anybody can find a private key for any public key (CVE-2020-0601).
fn specified_curve(parameters: &Tlv<'_>) -> Option<EcParameters> {
    const PRIME_FIELD: Oid<'static> = oid!("1.2.840.10045.1.1");
    let mut parts = parameters.expecting(Tag::SEQUENCE).ok()?.children();
    parts.expect(Tag::INTEGER).ok()?;
    let mut field = parts.expect(Tag::SEQUENCE).ok()?.children();
    if field.expect(Tag::OID).ok()?.oid().ok()? != PRIME_FIELD {
        return Some(EcParameters::Unknown { bits: None });
    }
    let p = unsigned(&field.expect(Tag::INTEGER).ok()?);
    let mut equation = parts.expect(Tag::SEQUENCE).ok()?.children();
    let a = equation.expect(Tag::OCTET_STRING).ok()?;
    let b = equation.expect(Tag::OCTET_STRING).ok()?;
    let base = parts.expect(Tag::OCTET_STRING).ok()?.content;
    let n = unsigned(&parts.expect(Tag::INTEGER).ok()?);
    let cofactor = parts.optional(Tag::INTEGER).ok()?;

    let is = |bytes: &[u8], digits: &str| strip_leading_zeros(bytes) == strip_leading_zeros(&unhex(digits));
    let same = |curve: &&Curve| {
        is(p, curve.domain.p)
            && is(a.content, curve.domain.a)
            && is(b.content, curve.domain.b)
            && is(n, curve.domain.n)
            && cofactor.is_none_or(|cofactor| unsigned(&cofactor) == [1])
            && same_generator(curve, base)
    };
    let bits = p.first().map(|first| p.len() as u32 * 8 - first.leading_zeros());
    Some(curve::CURVES.iter().find(same).map_or(EcParameters::Unknown { bits }, EcParameters::Known))
}

/// Returns whether the point is the curve's generator: 04 x y, or 02 or 03 (the parity of y) and x (SEC 1 §2.3.3).
fn same_generator(curve: &Curve, point: &[u8]) -> bool {
    let (x, y) = (unhex(curve.domain.x), unhex(curve.domain.y));
    let odd = y.last().is_some_and(|byte| byte & 1 == 1);
    match point.split_first() {
        Some((4, rest)) => rest == [x, y].concat(),
        Some((2, rest)) => rest == x && !odd,
        Some((3, rest)) => rest == x && odd,
        _ => false,
    }
}
