//! What is irregular about how tokens and certificates name who signed: RFC 5652 §5.3, RFC 5035 §5.4, RFC 3161 §2.3,
//! RFC 5280 §4.1.2.6.

use super::pool::Pool;
use super::signer::{self, Signer};
use crate::facts::IrregularityKind::{FormatViolation, SignerIdentifierMismatch, TimestampingPurpose};
use crate::facts::{CertificateRefOrigin, Irregularity};
use crate::formats::draft::{CertificateRef, SignerIdentifier};
use crate::x509::{Certificate, EXTENDED_KEY_USAGE};

/// RFC 3161 §2.3 `id-kp-timeStamping`.
const TIME_STAMPING: &str = "1.3.6.1.5.5.7.3.8";

/// Returns what the token says of its signer, compared with the certificate whose key verifies its value.
///
/// A value that another certificate of the same key verifies as well says nothing of who signed: only what is signed
/// does. So a `sid` that names another certificate is a warning where a signed attribute names the right one.
pub(super) fn identifiers(
    pool: &Pool,
    signer: &Signer,
    identifier: &SignerIdentifier<'_>,
    references: &[CertificateRef],
) -> Vec<Irregularity> {
    let Some(index) = signer.certificate.filter(|_| signer.intact) else { return vec![] };
    let certificate = &pool.get(index).certificate;
    let names = |certificate: &Certificate| {
        let mut stated = references.iter().filter(|one| one.origin == CertificateRefOrigin::SigningCertificate);
        stated.any(|reference| signer::digest_match(reference, certificate) == Some(true))
    };
    let named = names(certificate);
    let mut found = vec![];
    // Where it names nobody that is known, no signing certificate is found: EN 319 102-1 §5.2.3.4.
    if !named && pool.all().any(|(_, entry)| names(&entry.certificate)) {
        let subject = format!("the signing-certificate attribute does not name {}", name(certificate));
        found.push(Irregularity::about(FormatViolation, subject));
    }
    if signer::identifies(identifier, certificate) == Some(false) {
        let kind = if named { SignerIdentifierMismatch } else { FormatViolation };
        found.push(Irregularity::about(kind, format!("the signer's identifier does not name {}", name(certificate))));
    }
    found
}

/// Checks that a time-stamping authority's certificate limits its key to time-stamping, in a critical extension
/// (RFC 3161 §2.3).
pub(super) fn purpose(pool: &Pool, signer: &Signer) -> Option<Irregularity> {
    let certificate = &pool.get(signer.certificate?).certificate;
    // That it is for time-stamping at all is asked elsewhere.
    let purposes = certificate.extensions().extended_key_usage.as_ref()?;
    let critical = certificate.extension(EXTENDED_KEY_USAGE).is_some_and(|extension| extension.critical);
    let others: Vec<&str> = purposes.iter().map(String::as_str).filter(|oid| *oid != TIME_STAMPING).collect();
    if critical && others.is_empty() {
        return None;
    }
    let what = if others.is_empty() { "not critical".to_owned() } else { format!("also {}", others.join(", ")) };
    Some(Irregularity::about(TimestampingPurpose, format!("{}: {what}", name(certificate))))
}

fn name(certificate: &Certificate) -> String {
    certificate.subject().rfc2253().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::DigestAlgorithm::Sha256;
    use crate::asn1::{Oid, Tag, Writer, oid};
    use crate::budget::Budget;
    use crate::facts::{CertificateSource, Digest, IrregularityKind};
    use std::borrow::Cow;

    const COMMON_NAME: Oid<'static> = oid!("2.5.4.3");
    const ED25519: Oid<'static> = oid!("1.3.101.112");

    fn name(w: &mut Writer, text: Option<&str>) {
        w.sequence(|w| {
            if let Some(text) = text {
                w.set(|w| {
                    w.sequence(|w| {
                        w.oid(COMMON_NAME).element(Tag::UTF8_STRING, text.as_bytes());
                    });
                });
            }
        });
    }

    /// Returns a certificate that nobody signed; `purposes` are the value of its extended key usage, and whether that
    /// is critical.
    fn certificate(subject: Option<&str>, serial: u8, purposes: Option<(&[Oid<'_>], bool)>) -> Certificate {
        let algorithm = |w: &mut Writer| {
            w.sequence(|w| {
                w.oid(ED25519);
            });
        };
        let mut w = Writer::new();
        w.sequence(|w| {
            w.sequence(|w| {
                w.explicit(0, |w| {
                    w.unsigned(&[2]);
                });
                w.unsigned(&[serial]);
                algorithm(w);
                name(w, Some("Issuer"));
                w.sequence(|w| {
                    w.element(Tag::UTC_TIME, b"260101000000Z").element(Tag::UTC_TIME, b"280101000000Z");
                });
                name(w, subject);
                w.sequence(|w| {
                    algorithm(w);
                    w.bit_string(&[9; 32]);
                });
                if let Some((purposes, critical)) = purposes {
                    let mut value = Writer::new();
                    value.sequence(|w| purposes.iter().for_each(|purpose| _ = w.oid(*purpose)));
                    let value = value.finish();
                    w.explicit(3, |w| {
                        w.sequence(|w| {
                            w.sequence(|w| {
                                w.oid(EXTENDED_KEY_USAGE);
                                if critical {
                                    w.boolean(true);
                                }
                                w.octet_string(&value);
                            });
                        });
                    });
                }
            });
            algorithm(w);
            w.bit_string(&[0; 64]);
        });
        Certificate::from_der(&w.finish()).expect("a certificate")
    }

    fn signed_by(certificate: Certificate) -> (Pool, Signer) {
        let mut pool = Pool::new(&Budget::default());
        let index = pool.add(certificate, CertificateSource::Signature);
        (pool, Signer { certificate: index, intact: true, key_length: None, refused: None, spent: Default::default() })
    }

    #[test]
    fn who_signed_is_who_is_named() {
        let (own, other) = (certificate(Some("Alice"), 1, None), certificate(Some("Bob"), 2, None));
        let reference = |named: &Certificate| CertificateRef {
            digest: named.digest(Sha256).map(|value| Digest { algorithm: Some(Sha256), value: value.to_vec().into() }),
            ..CertificateRef::new(CertificateRefOrigin::SigningCertificate)
        };
        let issuer = own.issuer().der().to_vec();
        let sid = |serial: &'static [u8]| SignerIdentifier {
            issuer: Some(Cow::Borrowed(&issuer[..])),
            serial: Some(Cow::Borrowed(serial)),
            ..SignerIdentifier::default()
        };
        let nothing = SignerIdentifier::default();
        let (mut pool, signer) = signed_by(own.clone());
        pool.add(other.clone(), CertificateSource::Signature);
        let stranger = certificate(Some("Carol"), 3, None);
        for (clause, situation, identifier, references, expected) in [
            ("RFC 5652 5.3", "both name it", &sid(&[1]), vec![reference(&own)], vec![]),
            (
                "RFC 5035 5.4",
                "the attribute goes on to the chain",
                &sid(&[1]),
                vec![reference(&own), reference(&other)],
                vec![],
            ),
            ("RFC 5652 5.3", "sid names another", &sid(&[2]), vec![reference(&own)], vec![SignerIdentifierMismatch]),
            (
                "RFC 5652 5.3",
                "sid names another, and nothing that is signed names it",
                &sid(&[2]),
                vec![],
                vec![FormatViolation],
            ),
            ("RFC 5035 5.4", "the attribute names another", &sid(&[1]), vec![reference(&other)], vec![FormatViolation]),
            (
                "EN 319 102-1 5.2.3.4",
                "the attribute names nobody known",
                &sid(&[1]),
                vec![reference(&stranger)],
                vec![],
            ),
            ("XMLDSig 4.5", "nothing is named", &nothing, vec![], vec![]),
        ] {
            let found: Vec<IrregularityKind> =
                identifiers(&pool, &signer, identifier, &references).iter().map(|one| one.kind).collect();
            assert_eq!(found, expected, "{clause} {situation}");
        }
        let unverified = Signer { intact: false, ..signer };
        assert_eq!(identifiers(&pool, &unverified, &sid(&[2]), &[]), [], "whose key does not verify it is a guess");
    }

    #[test]
    fn keys_of_time_stamping_authorities_have_one_purpose() {
        const STAMPING: Oid<'static> = oid!("1.3.6.1.5.5.7.3.8");
        const CLIENT: Oid<'static> = oid!("1.3.6.1.5.5.7.3.2");
        for (situation, purposes, expected) in [
            ("critical and alone", Some((&[STAMPING][..], true)), false),
            ("not critical", Some((&[STAMPING], false)), true),
            ("another beside it", Some((&[STAMPING, CLIENT], true)), true),
            ("no purpose stated: another rule's concern", None, false),
        ] {
            let (pool, signer) = signed_by(certificate(Some("TSA"), 1, purposes));
            assert_eq!(purpose(&pool, &signer).is_some(), expected, "RFC 3161 2.3 {situation}");
        }
    }
}
