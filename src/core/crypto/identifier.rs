//! AlgorithmIdentifier, RFC 5280 §4.1.1.2: what it says of a signature or a digest.

use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, RSASSA_PSS, SignatureAlgorithm};
use crate::asn1::{Oid, Tag, Tlv, Writer, oid};
use der::oid::ObjectIdentifier;

/// Why an AlgorithmIdentifier says nothing that is known.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentifierError {
    /// The bytes are not an AlgorithmIdentifier.
    #[error("expected an AlgorithmIdentifier")]
    Structure(#[from] crate::asn1::Error),
    /// The algorithm has no row in the table of names.
    #[error("unknown algorithm {oid}")]
    Unknown {
        /// The object identifier found, dotted.
        oid: String,
    },
    /// RSASSA-PSS with a mask generation function other than MGF1.
    #[error("RSASSA-PSS with mask generation {oid}, expected MGF1")]
    UnknownMask {
        /// The object identifier found, dotted.
        oid: String,
    },
    /// An RSA algorithm with parameters other than NULL.
    #[error("parameters {found} of {oid}, expected NULL or none (RFC 4055 §5)")]
    Parameters {
        /// The algorithm, dotted.
        oid: String,
        /// The tag found.
        found: Tag,
    },
    /// RSASSA-PSS with a salt length or trailer that RFC 8017 appendix A.2.3 does not know.
    #[error("RSASSA-PSS with {what} {found}")]
    PssNumber {
        /// Which number.
        what: &'static str,
        /// What was found.
        found: String,
    },
}

impl SignatureAlgorithm {
    /// Reads an AlgorithmIdentifier with its parameters.
    pub fn from_algorithm_identifier(identifier: &[u8]) -> Result<Self, IdentifierError> {
        let (oid, parameters) = split(identifier)?;
        if oid == RSASSA_PSS {
            // RFC 4055 §3.1 wants the parameters with a signature; without them their defaults are meant.
            let (digest, pss) = match parameters {
                Some(parameters) if parameters.is(Tag::SEQUENCE) => pss_parameters(&parameters)?,
                other => null(&oid, other).map(|()| DEFAULT_PSS)?,
            };
            return Ok(Self { pss: Some(pss), ..Self::new(KeyAlgorithm::RsassaPss, Some(digest)) });
        }
        let Some(algorithm) = Self::from_oid(&oid) else { return Err(IdentifierError::Unknown { oid }) };
        if algorithm.key == KeyAlgorithm::Rsa {
            null(&oid, parameters)?;
        }
        // BSI TR-03111 and X9.62 (ecdsa-with-Specified, ecdsa-with-Recommended) leave nothing else in parameters.
        Ok(algorithm)
    }

    /// Writes the AlgorithmIdentifier: RFC 4055 §3 and §5, RFC 5758 §3.2, RFC 8410 §3. `None` without an identifier.
    pub fn to_algorithm_identifier(&self) -> Option<Vec<u8>> {
        let oid = ObjectIdentifier::new(self.oid()?).ok()?;
        let mut identifier = Writer::new();
        identifier.sequence(|w| {
            w.oid(Oid::from_content(oid.as_bytes()));
            match (self.key, self.digest.zip(self.pss)) {
                (KeyAlgorithm::RsassaPss, Some((digest, pss))) => write_pss_parameters(w, digest, &pss),
                (KeyAlgorithm::Rsa, _) => {
                    w.null();
                }
                _ => {}
            }
        });
        Some(identifier.finish())
    }
}

/// Writes the AlgorithmIdentifier of a digest function: without parameters (RFC 5754 §2), but for the length of
/// id-shake256-len (RFC 8419 §2.3).
pub fn digest_algorithm_identifier(algorithm: DigestAlgorithm) -> Vec<u8> {
    let mut identifier = Writer::new();
    if algorithm == DigestAlgorithm::Shake256_512 {
        identifier.sequence(|w| {
            w.oid(SHAKE256_LENGTH).unsigned(&512_u16.to_be_bytes());
        });
    } else {
        write_identifier(&mut identifier, algorithm.oid(), false);
    }
    identifier.finish()
}

/// RFC 8419 §2.3: id-shake256-len, with the length in bits.
const SHAKE256_LENGTH: Oid<'_> = oid!("2.16.840.1.101.3.4.2.18");

fn write_identifier(w: &mut Writer, oid: &str, null: bool) {
    let oid = ObjectIdentifier::new(oid).expect("the tables of names hold object identifiers");
    w.sequence(|w| {
        w.oid(Oid::from_content(oid.as_bytes()));
        if null {
            w.null();
        }
    });
}

/// Writes the parameters of [`pss_parameters`], all written out but the trailer, which has only one value.
fn write_pss_parameters(w: &mut Writer, digest: DigestAlgorithm, pss: &PssParameters) {
    let salt = pss.salt_length.unwrap_or(digest.length() as u32);
    w.sequence(|w| {
        w.explicit(0, |w| write_identifier(w, digest.oid(), true));
        if let MaskGeneration::Mgf1(mask) = pss.mask {
            w.explicit(1, |w| {
                w.sequence(|w| {
                    w.oid(MGF1);
                    write_identifier(w, mask.oid(), true);
                });
            });
        }
        w.explicit(2, |w| {
            w.unsigned(&salt.to_be_bytes());
        });
    });
}

/// RFC 8017 appendix B.2.1.
const MGF1: Oid<'_> = oid!("1.2.840.113549.1.1.8");

/// Reads an AlgorithmIdentifier of a digest function.
///
/// CMS writers put the name of a signature algorithm there now and then (`sha256WithRSAEncryption`); its digest is
/// meant.
pub fn digest_from_algorithm_identifier(identifier: &[u8]) -> Result<DigestAlgorithm, IdentifierError> {
    let (oid, _) = split(identifier)?;
    DigestAlgorithm::from_oid(&oid)
        .or_else(|| SignatureAlgorithm::from_oid(&oid).and_then(|algorithm| algorithm.digest))
        .ok_or(IdentifierError::Unknown { oid })
}

fn split(identifier: &[u8]) -> Result<(String, Option<Tlv<'_>>), IdentifierError> {
    let mut parts = Tlv::whole(identifier)?.expecting(Tag::SEQUENCE)?.children();
    let oid = parts.expect(Tag::OID)?.oid()?.dotted();
    Ok((oid, parts.next()?))
}

/// Expects no parameters, or NULL: RFC 4055 §5.
fn null(oid: &str, parameters: Option<Tlv<'_>>) -> Result<(), IdentifierError> {
    match parameters {
        Some(other) if !(other.is(Tag::NULL) && other.content.is_empty()) => {
            Err(IdentifierError::Parameters { oid: oid.to_owned(), found: other.tag })
        }
        _ => Ok(()),
    }
}

/// RFC 8017 appendix A.2.3: SHA-1, MGF1 with SHA-1, 20 bytes.
const DEFAULT_PSS: (DigestAlgorithm, PssParameters) =
    (DigestAlgorithm::Sha1, PssParameters { mask: MaskGeneration::Mgf1(DigestAlgorithm::Sha1), salt_length: Some(20) });

/// Reads the parameters of RSASSA-PSS.
///
/// ```text
/// RSASSA-PSS-params ::= SEQUENCE {
///     hashAlgorithm    [0] HashAlgorithm    DEFAULT sha1,
///     maskGenAlgorithm [1] MaskGenAlgorithm DEFAULT mgf1SHA1,
///     saltLength       [2] INTEGER          DEFAULT 20,
///     trailerField     [3] TrailerField     DEFAULT trailerFieldBC }
/// ```
pub(super) fn pss_parameters(parameters: &Tlv<'_>) -> Result<(DigestAlgorithm, PssParameters), IdentifierError> {
    let (mut digest, mut pss) = DEFAULT_PSS;
    let mut parts = parameters.expecting(Tag::SEQUENCE)?.children();
    if let Some(part) = parts.context(0)? {
        digest = digest_from_algorithm_identifier(part.content)?;
    }
    if let Some(part) = parts.context(1)? {
        let (oid, inner) = split(part.content)?;
        pss.mask = match inner.filter(|_| oid == MGF1.to_string()) {
            Some(inner) => MaskGeneration::Mgf1(digest_from_algorithm_identifier(inner.raw)?),
            None => return Err(IdentifierError::UnknownMask { oid }),
        };
    }
    if let Some(part) = parts.context(2)? {
        let length = part.inner()?.expecting(Tag::INTEGER)?;
        let small = length.to_u64().ok().and_then(|length| u32::try_from(length).ok());
        pss.salt_length = Some(small.ok_or_else(|| IdentifierError::PssNumber {
            what: "salt length",
            found: length.to_decimal().unwrap_or_default(),
        })?);
    }
    if let Some(part) = parts.context(3)? {
        let trailer = part.inner()?.expecting(Tag::INTEGER)?.to_decimal()?;
        if trailer != "1" {
            return Err(IdentifierError::PssNumber { what: "trailer field", found: trailer });
        }
    }
    parts.finish()?;
    Ok((digest, pss))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::encode_oid;

    /// Returns an AlgorithmIdentifier of RSASSA-PSS with these parameters.
    fn identifier(parameters: &[u8]) -> Vec<u8> {
        let (oid, length) = encode_oid(RSASSA_PSS);
        let mut writer = crate::asn1::Writer::new();
        writer.sequence(|parts| {
            parts.element(Tag::OID, &oid[..length]).raw(parameters);
        });
        writer.finish()
    }

    #[test]
    fn parameters_of_rsassa_pss() {
        let sha1 = DigestAlgorithm::Sha1;
        let rows: &[(&str, &str, &[u8], Option<(DigestAlgorithm, u32)>)] = &[
            ("RFC 4055 3.1", "none", &[], Some((sha1, 20))),
            ("RFC 4055 3.1", "NULL", &[5, 0], Some((sha1, 20))),
            ("RFC 8017 A.2.3", "all by default", &[0x30, 0], Some((sha1, 20))),
            ("RFC 8017 A.2.3", "salt of 32", &[0x30, 5, 0xa2, 3, 2, 1, 32], Some((sha1, 32))),
            ("RFC 8017 A.2.3", "salt below zero", &[0x30, 5, 0xa2, 3, 2, 1, 0xff], None),
            ("RFC 8017 A.2.3", "trailer 1", &[0x30, 5, 0xa3, 3, 2, 1, 1], Some((sha1, 20))),
            ("RFC 8017 A.2.3", "trailer 2", &[0x30, 5, 0xa3, 3, 2, 1, 2], None),
            ("RFC 8017 A.2.3", "something more", &[0x30, 5, 0xa4, 3, 2, 1, 1], None),
            ("RFC 8017 A.2.3", "mask without its digest", &[0x30, 7, 0xa1, 5, 0x30, 3, 6, 1, 0x2a], None),
        ];
        for (clause, situation, parameters, expected) in rows {
            let found = SignatureAlgorithm::from_algorithm_identifier(&identifier(parameters)).ok();
            let found = found.map(|found| (found.digest.unwrap(), found.pss.unwrap().salt_length.unwrap()));
            assert_eq!(found, *expected, "{clause} {situation}");
        }
    }

    /// What is written is read again as it was.
    #[test]
    fn identifiers_that_are_written() {
        use DigestAlgorithm::{Sha1, Sha256, Sha384, Sha512, Shake256_512};
        let pss = |digest, mask, salt| SignatureAlgorithm {
            pss: Some(PssParameters { mask: MaskGeneration::Mgf1(mask), salt_length: Some(salt) }),
            ..SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(digest))
        };
        for algorithm in [
            pss(Sha256, Sha256, 32),
            pss(Sha512, Sha384, 20),
            pss(Sha1, Sha1, 0),
            pss(Sha384, Sha384, 300),
            SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(Sha256)),
            SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(Sha384)),
            SignatureAlgorithm::new(KeyAlgorithm::EdDsa, Some(Sha512)),
            SignatureAlgorithm::new(KeyAlgorithm::MlDsa65, None),
        ] {
            let written = algorithm.to_algorithm_identifier().expect("it has an identifier");
            assert_eq!(SignatureAlgorithm::from_algorithm_identifier(&written).ok(), Some(algorithm));
            // RFC 8017 appendix A.2: with RSA there is NULL; RFC 5758 §3.2, RFC 8410 §3: else nothing.
            let null = written.ends_with(&[5, 0]);
            assert_eq!(null, algorithm.key == KeyAlgorithm::Rsa, "{algorithm:?}");
        }
        for digest in [Sha1, Sha256, Sha512, Shake256_512] {
            let written = digest_algorithm_identifier(digest);
            let length = if digest == Shake256_512 { 17 } else { written.len() };
            assert_eq!(written.len(), length, "RFC 8419 §2.3: id-shake256-len has a length, {digest}");
            let read = Tlv::whole(&written).expect("an element").children().count();
            assert_eq!(read, if digest == Shake256_512 { 2 } else { 1 }, "RFC 5754 §2, {digest}");
        }
    }

    #[test]
    fn parameters_of_rsa() {
        let rows: [(&str, &str, &[u8], bool); 5] = [
            ("RFC 4055 5", "NULL", &[5, 0], true),
            ("RFC 4055 5", "none", &[], true),
            ("RFC 4055 5", "a BOOLEAN without a value", &[1, 0], false),
            ("RFC 4055 5", "a sequence", &[0x30, 0], false),
            ("X.690 8.8.2", "a NULL that holds something", &[5, 1, 0], false),
        ];
        for (clause, situation, parameters, expected) in rows {
            let sha256 = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11];
            let content = [&sha256, parameters].concat();
            let bytes = [&[0x30, content.len() as u8], &content[..]].concat();
            let found = SignatureAlgorithm::from_algorithm_identifier(&bytes);
            assert_eq!(found.is_ok(), expected, "{clause} {situation}: {found:?}");
        }
    }

    #[test]
    fn the_length_of_shake256_is_stated() {
        let written = digest_algorithm_identifier(DigestAlgorithm::Shake256_512);
        assert!(written.ends_with(&[2, 2, 2, 0]), "RFC 8419 2.3: the parameter is 512: {written:02x?}");
        assert_eq!(digest_from_algorithm_identifier(&written), Ok(DigestAlgorithm::Shake256_512));
    }

    #[test]
    fn digests_by_the_name_of_a_signature_algorithm() {
        // sha256WithRSAEncryption where a digest algorithm belongs.
        let bytes = [0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11, 5, 0];
        assert_eq!(digest_from_algorithm_identifier(&bytes), Ok(DigestAlgorithm::Sha256));
    }
}
