//! Fetching one item of missing validation data, and checking that it is what was requested.
//!
//! Whether it is genuine is the judgement's to say; here only what cannot help is turned away, so that another address
//! may be asked.

use crate::{Failure, FetchError, Session};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{
    Facts, Id, decode_pem,
    report::{Wanted, WantedKind},
};
use lacre_core::{
    augmentation::EvidenceWant,
    document::preview,
    formats::cms::SignedData,
    x509::{Certificate, Crl, OcspResponse, ocsp_request},
};

/// Below this length an OCSP request is sent in the address, where caches see it: RFC 6960 appendix A.1.
const LONGEST_IN_ADDRESS: usize = 255;
/// Certificates taken from one answer. A PKCS#7 file of an authority holds a few.
const CERTIFICATES: usize = 16;

/// A certificate of the record, and its issuer's where it is known.
struct Subject {
    certificate: Certificate,
    issuer: Option<Certificate>,
}

/// Fetches the requested item from the first address that has it; also returns why the others failed.
pub(crate) fn fetch(session: &Session<'_>, wanted: &Wanted, facts: &Facts) -> (Vec<Vec<u8>>, Vec<Failure>) {
    match subject(facts, &wanted.about) {
        Some(subject) => fetch_about(session, wanted, &subject),
        None => (vec![], vec![]),
    }
}

impl Session<'_> {
    /// Asks for what an extension wants, at the first address that has it; also returns why the others failed.
    pub fn evidence(&self, want: &EvidenceWant) -> (Vec<Vec<u8>>, Vec<Failure>) {
        let Ok(certificate) = Certificate::from_der(&want.certificate) else { return (vec![], vec![]) };
        let issuer = want.issuer.as_deref().and_then(|der| Certificate::from_der(der).ok());
        fetch_about(self, &want.wanted, &Subject { certificate, issuer })
    }
}

fn fetch_about(session: &Session<'_>, wanted: &Wanted, subject: &Subject) -> (Vec<Vec<u8>>, Vec<Failure>) {
    let mut failures = vec![];
    for url in &wanted.urls {
        let found = match wanted.kind {
            WantedKind::Ocsp => ocsp(session, url, subject),
            WantedKind::Crl => crl(session, url, subject),
            WantedKind::Issuer => issuers(session, url, subject),
            // Lists are updated by themselves, contents are the caller's.
            _ => Ok(vec![]),
        };
        match found {
            Ok(bytes) => return (bytes, failures),
            Err(error) => {
                let (about, url) = (wanted.about.clone(), url.clone());
                failures.push(Failure { kind: wanted.kind, about, url, error });
            }
        }
    }
    (vec![], failures)
}

fn subject(facts: &Facts, id: &Id) -> Option<Subject> {
    let of = |id: &Id| {
        let found = facts.certificates.iter().find(|certificate| certificate.id == *id)?;
        Some((Certificate::from_der(&found.bytes.as_ref()?.0).ok()?, found.signing_certificate.clone()))
    };
    let (certificate, issuer) = of(id)?;
    Some(Subject { certificate, issuer: issuer.and_then(|id| Some(of(&id)?.0)) })
}

/// Asks a responder: by GET where the request is short, else by POST (RFC 6960 appendix A). Some responders take only
/// one of them.
fn ocsp(session: &Session<'_>, url: &str, subject: &Subject) -> Result<Vec<Vec<u8>>, FetchError> {
    let expected = || format!("an OCSP response about the certificate {}", subject.certificate.serial_text());
    let Some(issuer) = &subject.issuer else {
        let found = "not asked for: the issuer of the certificate is not known".to_owned();
        return Err(FetchError::Content { found, expected: expected() });
    };
    let request = ocsp_request(&subject.certificate, issuer);
    let text: String = url::form_urlencoded::byte_serialize(BASE64_STANDARD.encode(&request).as_bytes()).collect();
    let post = || session.post(url, "application/ocsp-request", &request);
    let answer = match text.len() < LONGEST_IN_ADDRESS {
        true => session.get(&format!("{}/{text}", url.trim_end_matches('/'))).and_then(|bytes| {
            // A server that does not understand the address may answer with a page.
            if OcspResponse::from_der(&bytes).is_ok() { Ok(bytes) } else { post() }
        }),
        false => post(),
    };
    let bytes = match answer {
        Err(FetchError::Status { .. }) if text.len() < LONGEST_IN_ADDRESS => post()?,
        other => other?,
    };
    let response = OcspResponse::from_der(&bytes).map_err(|error| FetchError::Content {
        found: format!("{} ({error})", preview(&bytes)),
        expected: expected(),
    })?;
    let certificate = &subject.certificate;
    match response.about(certificate, issuer) {
        Some(_) => Ok(vec![bytes]),
        None => Err(FetchError::Content { found: "an OCSP response about others".into(), expected: expected() }),
    }
}

fn crl(session: &Session<'_>, url: &str, subject: &Subject) -> Result<Vec<Vec<u8>>, FetchError> {
    let bytes = session.get(url)?;
    let expected = || format!("a CRL of {}", subject.certificate.issuer().rfc2253());
    let der = decode_pem(&bytes);
    let crl = Crl::from_der(&der).map_err(|error| FetchError::Content {
        found: format!("{} ({error})", preview(&bytes)),
        expected: expected(),
    })?;
    // RFC 5280 §5.2.5: an indirect CRL is of another issuer and says so.
    let indirect = matches!(crl.issuing_distribution_point(), Ok(Some(point)) if point.indirect);
    if crl.issuer() != subject.certificate.issuer() && !indirect {
        let found = format!("a CRL of {}", crl.issuer().rfc2253());
        return Err(FetchError::Content { found, expected: expected() });
    }
    Ok(vec![der.into_owned()])
}

/// Fetches the issuers of a certificate: one, or a "certs-only" CMS message (RFC 5280 §4.2.2.1). PEM occurs.
fn issuers(session: &Session<'_>, url: &str, subject: &Subject) -> Result<Vec<Vec<u8>>, FetchError> {
    let bytes = session.get(url)?;
    let der = decode_pem(&bytes);
    let mut found: Vec<Vec<u8>> = match SignedData::parse(&der) {
        Ok(message) => message.x509_certificates().take(CERTIFICATES).map(<[u8]>::to_vec).collect(),
        Err(_) => vec![der.to_vec()],
    };
    let issuer = subject.certificate.issuer();
    found.retain(|der| Certificate::from_der(der).is_ok());
    let issues = |der: &Vec<u8>| Certificate::from_der(der).is_ok_and(|certificate| certificate.subject() == issuer);
    match found.iter().any(issues) {
        true => Ok(found),
        false => Err(FetchError::Content {
            found: if found.is_empty() { preview(&bytes) } else { "a certificate of others".into() },
            expected: format!("the certificate of {}", issuer.rfc2253()),
        }),
    }
}
