//! OCSP responses: RFC 6960.

use super::crl::extension;
use super::{Error, Issuer, RevocationReason};
use crate::asn1::{self, Oid, Tag, Tlv, Writer, oid};
use crate::crypto::{CryptoRng, digest, digest_from_algorithm_identifier};
use crate::time::Time;
use crate::x509::Certificate;

/// The status of a certificate (RFC 6960 §2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateStatus {
    /// Issued and not revoked.
    Good,
    /// Revoked.
    Revoked {
        /// Since when.
        since: Time,
        /// Why.
        reason: RevocationReason,
    },
    /// Not issued by this authority.
    Unknown,
}

/// The times that every `SingleResponse` states (RFC 6960 §2.4).
#[derive(Debug, Clone, Copy)]
pub struct OcspUpdate {
    /// `thisUpdate`, and `producedAt` of the response.
    pub this_update: Time,
    /// `nextUpdate`.
    pub next_update: Time,
}

/// An OCSP responder: the authority itself, or a delegated one (RFC 6960 §4.2.2.2).
pub struct OcspResponder<'a> {
    authority: Certificate,
    signer: Issuer<'a>,
}

const BASIC: Oid<'_> = oid!("1.3.6.1.5.5.7.48.1.1");
const NONCE: Oid<'_> = oid!("1.3.6.1.5.5.7.48.1.2");

/// `OCSPResponseStatus`: RFC 6960 §4.2.1.
const SUCCESSFUL: u8 = 0;
const MALFORMED_REQUEST: u8 = 1;

/// More certificates than anybody asks for at once.
const MAX_REQUESTS: usize = 64;
/// RFC 9654 §2.1: nonces of up to 128 bytes are to be accepted.
const MAX_NONCE: usize = 128;

struct Request<'a> {
    /// `CertID`s as sent: an answer repeats them.
    certificates: Vec<Tlv<'a>>,
    nonce: Option<&'a [u8]>,
}

impl<'a> OcspResponder<'a> {
    /// Returns a responder for `authority`. `signer` is the authority's own certificate and key, or those of a
    /// delegated responder.
    pub fn new(authority: Certificate, signer: Issuer<'a>) -> Self {
        Self { authority, signer }
    }

    /// Returns the response to a request, in DER; to a request that cannot be read, `malformedRequest`.
    ///
    /// `status` is called with each serial number (the contents of its INTEGER) for which the request names this
    /// authority.
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] and [`Error::Signature`] where the key cannot sign.
    pub fn respond(
        &self,
        request: &[u8],
        status: &dyn Fn(&[u8]) -> CertificateStatus,
        update: OcspUpdate,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let Some(request) = read(request).ok().flatten() else {
            return Ok(response(MALFORMED_REQUEST, None));
        };
        let data = self.response_data(&request, status, update)?;
        let signed = self.signer.signed(&data, randomness)?;
        // `signed` is the BasicOCSPResponse without its last member: the responder's certificate.
        let parts = Tlv::whole(&signed).map_err(|_| Error::Structure { expected: "a BasicOCSPResponse" })?;
        let mut basic = Writer::new();
        basic.sequence(|w| {
            w.raw(parts.content);
            if self.signer.certificate().der() != self.authority.der() {
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.raw(self.signer.certificate().der());
                    });
                });
            }
        });
        Ok(response(SUCCESSFUL, Some(&basic.finish())))
    }

    /// Returns the serial numbers (the contents of their INTEGERs) for which the request names this authority, so that
    /// callers can look them up before they call [`respond`](Self::respond).
    pub fn asked<'t>(&self, request: &'t [u8]) -> Vec<&'t [u8]> {
        let request = read(request).ok().flatten();
        request.map_or_else(Vec::new, |request| request.certificates.iter().filter_map(|id| self.serial(id)).collect())
    }

    /// Makes the `ResponseData`, in which the responder is named by its key: RFC 6960 §4.2.1.
    fn response_data(
        &self,
        request: &Request<'_>,
        status: &dyn Fn(&[u8]) -> CertificateStatus,
        update: OcspUpdate,
    ) -> Result<Vec<u8>, Error> {
        let key = self.signer.certificate().key_sha1();
        let mut data = Writer::new();
        data.sequence(|w| {
            w.explicit(2, |w| {
                w.octet_string(&key);
            });
            w.generalized_time(update.this_update);
            w.sequence(|w| {
                for certificate in &request.certificates {
                    let status = self.serial(certificate).map_or(CertificateStatus::Unknown, status);
                    single_response(w, certificate, status, update);
                }
            });
            if let Some(nonce) = request.nonce {
                w.explicit(1, |w| {
                    w.sequence(|w| {
                        extension(w, NONCE, |w| {
                            w.octet_string(nonce);
                        });
                    });
                });
            }
        });
        Ok(data.finish())
    }

    /// Returns the serial number in a `CertID`, when it is of this authority: RFC 6960 §4.1.1.
    fn serial<'t>(&self, id: &Tlv<'t>) -> Option<&'t [u8]> {
        let mut parts = id.children();
        let function = digest_from_algorithm_identifier(parts.read().ok()?.raw).ok()?;
        let name = parts.expect(Tag::OCTET_STRING).ok()?.content;
        let key = parts.expect(Tag::OCTET_STRING).ok()?.content;
        let serial = parts.expect(Tag::INTEGER).ok()?.content;
        let own_name = digest(function, self.authority.subject().der())?;
        let own_key = digest(function, &self.authority.public_key_bits())?;
        (name == own_name && key == own_key).then_some(serial)
    }
}

/// Reads an `OCSPRequest`: RFC 6960 §4.1.1. `None` when it asks for nothing or for too much.
fn read(request: &[u8]) -> Result<Option<Request<'_>>, asn1::Error> {
    let mut parts = Tlv::whole(request)?.expecting(Tag::SEQUENCE)?.children();
    let mut parts = parts.expect(Tag::SEQUENCE)?.children();
    parts.context(0)?;
    parts.context(1)?;
    let mut certificates = vec![];
    let mut list = parts.expect(Tag::SEQUENCE)?.children();
    while let Some(single) = list.next()? {
        certificates.push(single.expecting(Tag::SEQUENCE)?.children().expect(Tag::SEQUENCE)?);
        if certificates.len() > MAX_REQUESTS {
            return Ok(None);
        }
    }
    let nonce = match parts.context(2)? {
        Some(extensions) => nonce(extensions.inner()?)?,
        None => None,
    };
    Ok((!certificates.is_empty()).then_some(Request { certificates, nonce }))
}

/// Returns the nonce among the extensions of a request: RFC 9654 §2.1.
fn nonce(extensions: Tlv<'_>) -> Result<Option<&[u8]>, asn1::Error> {
    let mut extensions = extensions.expecting(Tag::SEQUENCE)?.children();
    while let Some(extension) = extensions.next()? {
        let mut parts = extension.children();
        let id = parts.expect(Tag::OID)?.oid()?;
        parts.optional(Tag::BOOLEAN)?;
        let value = parts.expect(Tag::OCTET_STRING)?;
        if id == NONCE {
            // Some senders forget the OCTET STRING inside.
            let inner = Tlv::whole(value.content).and_then(|inner| inner.expecting(Tag::OCTET_STRING));
            let nonce = inner.map_or(value.content, |inner| inner.content);
            return Ok((1..=MAX_NONCE).contains(&nonce.len()).then_some(nonce));
        }
    }
    Ok(None)
}

fn single_response(w: &mut Writer, id: &Tlv<'_>, status: CertificateStatus, update: OcspUpdate) {
    w.sequence(|w| {
        w.raw(id.raw);
        match status {
            CertificateStatus::Good => {
                w.element(Tag::context(0), &[]);
            }
            CertificateStatus::Revoked { since, reason } => {
                w.explicit(1, |w| {
                    w.generalized_time(since);
                    w.explicit(0, |w| {
                        w.enumerated(reason.number());
                    });
                });
            }
            CertificateStatus::Unknown => {
                w.element(Tag::context(2), &[]);
            }
        }
        w.generalized_time(update.this_update);
        w.explicit(0, |w| {
            w.generalized_time(update.next_update);
        });
    });
}

/// Makes an `OCSPResponse`: RFC 6960 §4.2.1.
fn response(status: u8, basic: Option<&[u8]>) -> Vec<u8> {
    let mut response = Writer::new();
    response.sequence(|w| {
        w.enumerated(status);
        if let Some(basic) = basic {
            w.explicit(0, |w| {
                w.sequence(|w| {
                    w.oid(BASIC).octet_string(basic);
                });
            });
        }
    });
    response.finish()
}
