//! Requests for OCSP responses: RFC 6960 §4.1.

use super::Certificate;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Writer, oid};
use crate::crypto::digest;

/// `id-sha1`: RFC 3279 §2.1.
const SHA1: Oid<'static> = oid!("1.3.14.3.2.26");

/// Returns the request for the status of `certificate`, which `issuer` issued, in DER.
///
/// NOTE: RFC 5019 §2.1.1 names certificates by SHA-1, which every responder knows, and asks for no nonce, so that
/// answers can be kept and shared. Nothing rests on that digest: which certificate an answer is about is compared when
/// it is read, and what it says is signed.
///
/// ```text
/// OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE { requestList SEQUENCE OF SEQUENCE { reqCert CertID } } }
/// CertID ::= SEQUENCE { hashAlgorithm, issuerNameHash OCTET STRING, issuerKeyHash OCTET STRING, serialNumber INTEGER }
/// ```
pub fn ocsp_request(certificate: &Certificate, issuer: &Certificate) -> Vec<u8> {
    let name = digest(DigestAlgorithm::Sha1, certificate.issuer().der()).unwrap_or_default();
    let mut request = Writer::new();
    request.sequence(|w| {
        w.sequence(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    w.sequence(|w| {
                        w.sequence(|w| {
                            w.oid(SHA1).null();
                        });
                        w.octet_string(&name).octet_string(&issuer.key_sha1()).integer(certificate.serial());
                    });
                });
            });
        });
    });
    request.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::{Tag, Tlv};

    #[test]
    fn a_certificate_is_named_by_its_issuer_and_serial_number() {
        let root = Certificate::from_der(include_bytes!("../../../examples/documents/root.der")).unwrap();
        let request = ocsp_request(&root, &root);
        let mut at = Tlv::whole(&request).unwrap();
        // OCSPRequest, TBSRequest, requestList, Request: the first member each time, down to CertID.
        for _ in 0..4 {
            at = at.children().expect(Tag::SEQUENCE).unwrap();
        }
        let mut parts = at.children();
        assert_eq!(parts.read().unwrap().raw, [0x30, 9, 6, 5, 0x2b, 14, 3, 2, 26, 5, 0]);
        assert_eq!(parts.read().unwrap().content, digest(DigestAlgorithm::Sha1, root.subject().der()).unwrap());
        assert_eq!(parts.read().unwrap().content, root.key_sha1());
        assert_eq!(parts.read().unwrap().content, root.serial());
        assert!(parts.next().unwrap().is_none());
    }
}
