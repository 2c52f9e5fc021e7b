//! CMS SignedData with one signer: RFC 5652 §5.

use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::asn1::{Oid, Tag, Writer, oid};
use crate::crypto::{digest, digest_algorithm_identifier};
use crate::time::Time;
use crate::x509::Certificate;

const SIGNED_DATA: Oid<'_> = oid!("1.2.840.113549.1.7.2");
pub(crate) const DATA: Oid<'_> = oid!("1.2.840.113549.1.7.1");
const CONTENT_TYPE: Oid<'_> = oid!("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: Oid<'_> = oid!("1.2.840.113549.1.9.4");
const SIGNING_TIME: Oid<'_> = oid!("1.2.840.113549.1.9.5");
const SIGNING_CERTIFICATE_V2: Oid<'_> = oid!("1.2.840.113549.1.9.16.2.47");

/// What is signed.
#[derive(Debug, Clone)]
pub(crate) struct Content<'a> {
    /// Its type: `id-data`, `id-ct-TSTInfo`.
    pub kind: Oid<'a>,
    /// Its digest, under the digest function of the signature algorithm.
    pub digest: Vec<u8>,
    /// Its bytes, where the signature holds them.
    pub bytes: Option<&'a [u8]>,
}

/// A SignedData that lacks only its signature value.
#[derive(Debug, Clone)]
pub(crate) struct SignedData<'a> {
    pub content: Content<'a>,
    pub signer: &'a Certificate,
    /// The certificates that it holds.
    pub certificates: Vec<&'a Certificate>,
    pub algorithm: SignatureAlgorithm,
    /// The `signing-time` attribute, where there is to be one: RFC 5652 §11.3.
    pub signing_time: Option<Time>,
}

impl SignedData<'_> {
    fn digest_algorithm(&self) -> DigestAlgorithm {
        self.algorithm.digest.unwrap_or(DigestAlgorithm::Sha256)
    }

    /// Returns the signed attributes as they are signed, a SET OF in DER: RFC 5652 §5.4.
    pub fn to_be_signed(&self) -> Vec<u8> {
        let mut attributes = vec![
            attribute(CONTENT_TYPE, |w| {
                w.oid(self.content.kind);
            }),
            attribute(MESSAGE_DIGEST, |w| {
                w.octet_string(&self.content.digest);
            }),
            attribute(SIGNING_CERTIFICATE_V2, |w| signing_certificate_v2(w, self.signer)),
        ];
        if let Some(time) = self.signing_time {
            attributes.push(attribute(SIGNING_TIME, |w| {
                w.time(time);
            }));
        }
        // X.690 §11.6: the elements of a SET OF stand in the order of their bytes.
        attributes.sort();
        let mut set = Writer::new();
        set.set(|w| {
            w.raw(&attributes.concat());
        });
        set.finish()
    }

    /// Returns the ContentInfo, complete with this signature value: RFC 5652 §3 and §5.1. `None` when the algorithm has
    /// no object identifier.
    pub fn assemble(&self, value: &[u8]) -> Option<Vec<u8>> {
        let signature_algorithm = self.algorithm.to_algorithm_identifier()?;
        let digest_algorithm = digest_algorithm_identifier(self.digest_algorithm());
        // §5.1: version 3 where the content is anything but id-data, 1 otherwise.
        let version = if self.content.kind == DATA { 1 } else { 3 };
        let mut info = Writer::new();
        info.sequence(|w| {
            w.oid(SIGNED_DATA);
            w.explicit(0, |w| {
                w.sequence(|w| {
                    w.unsigned(&[version]);
                    w.set(|w| {
                        w.raw(&digest_algorithm);
                    });
                    w.sequence(|w| {
                        w.oid(self.content.kind);
                        if let Some(bytes) = self.content.bytes {
                            w.explicit(0, |w| {
                                w.octet_string(bytes);
                            });
                        }
                    });
                    let mut certificates: Vec<&[u8]> = self.certificates.iter().map(|held| held.der()).collect();
                    certificates.sort();
                    certificates.dedup();
                    if !certificates.is_empty() {
                        w.nested(Tag::context_constructed(0), |w| {
                            w.raw(&certificates.concat());
                        });
                    }
                    w.set(|w| self.signer_info(w, &digest_algorithm, &signature_algorithm, value));
                });
            });
        });
        Some(info.finish())
    }

    /// `SignerInfo`, version 1: the signer by issuer and serial number (§5.3).
    fn signer_info(&self, w: &mut Writer, digest_algorithm: &[u8], signature_algorithm: &[u8], value: &[u8]) {
        w.sequence(|w| {
            w.unsigned(&[1]);
            issuer_and_serial(w, self.signer);
            w.raw(digest_algorithm);
            // The same SET under the tag [0] IMPLICIT.
            let mut attributes = self.to_be_signed();
            attributes[0] = 0xa0;
            w.raw(&attributes);
            w.raw(signature_algorithm);
            w.octet_string(value);
        });
    }
}

fn attribute(kind: Oid<'_>, value: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut attribute = Writer::new();
    attribute.sequence(|w| {
        w.oid(kind);
        w.set(value);
    });
    attribute.finish()
}

fn issuer_and_serial(w: &mut Writer, certificate: &Certificate) {
    w.sequence(|w| {
        w.raw(certificate.issuer().der()).integer(certificate.serial());
    });
}

/// `SigningCertificateV2` with the default digest, SHA-256, left out: RFC 5035 §3, EN 319 122-1 §5.2.2.3.
fn signing_certificate_v2(w: &mut Writer, certificate: &Certificate) {
    w.sequence(|w| {
        w.sequence(|w| {
            w.sequence(|w| {
                w.octet_string(certificate.sha256());
                w.sequence(|w| {
                    w.sequence(|w| {
                        // GeneralNames of one directoryName [4].
                        w.explicit(4, |w| {
                            w.raw(certificate.issuer().der());
                        });
                    });
                    w.integer(certificate.serial());
                });
            });
        });
    });
}

/// Returns the content's digest, for contents at hand.
pub(crate) fn content_digest(algorithm: &SignatureAlgorithm, bytes: &[u8]) -> Option<Vec<u8>> {
    digest(algorithm.digest?, bytes)
}
