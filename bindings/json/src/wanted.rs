//! What an extension cannot go on without: as JSON, with the request that asks for it.

use crate::Base64;
use lacre::Id;
use lacre::augmentation::{EvidenceWant, TimestampWant, Want};
use lacre::issuance::TimestampQuery;
use lacre::report::{Attempt, Tried, WantedKind};
use lacre::signing::Certificate;
use lacre_core::x509::ocsp_request;
use serde::{Deserialize, Serialize};

/// Something that an extension cannot go on without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// `timestamp`; `ocsp`, `crl` or `issuer`: of several about one certificate one is enough.
    #[cfg_attr(feature = "schemas", schema(value_type = String, pattern = "^(timestamp|ocsp|crl|issuer)$"))]
    pub kind: &'static str,
    /// Where it may be had; empty for a time-stamp, which any authority makes.
    pub urls: Vec<String>,
    /// What it is about, by its id in a report: a signature, or a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub about: Option<String>,
    /// The name of the certificate that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub name: Option<String>,
    /// What is posted to ask for it: a time-stamp request (RFC 3161 §2.4.1), or an OCSP request (RFC 6960 §4.1); nothing where
    /// the address itself is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub request: Option<Base64>,
    /// The media type of that request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, value_type = Option<String>))]
    pub content_type: Option<&'static str>,
    /// Of a time-stamp: the digest function of the imprint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub digest_algorithm: Option<String>,
    /// Of a time-stamp: the imprint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub imprint: Option<Base64>,
    /// Revocation data issued before does not help (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, format = DateTime))]
    pub not_before: Option<String>,
    /// When its issuer will have issued the next (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, format = DateTime))]
    pub retry_at: Option<String>,
    /// Where it was looked for in vain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schemas", schema(required = false))]
    pub tried: Vec<TriedAddress>,
}

/// Where something was looked for in vain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct TriedAddress {
    /// The address.
    pub url: String,
    /// Why it was of no use.
    pub reason: String,
}

/// Something that the caller looked for in vain.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VainSearch {
    /// What kind: `ocsp`, `crl` or `issuer`.
    pub kind: WantedKind,
    /// What it is about, by its id.
    pub about: String,
    /// The address.
    pub url: String,
    /// Why it was of no use.
    pub reason: String,
}

impl From<VainSearch> for Attempt {
    fn from(search: VainSearch) -> Self {
        let tried = Tried { url: search.url, reason: search.reason };
        Self { kind: search.kind, about: Id::new(search.about.as_str()), tried }
    }
}

/// Returns what is wanted, as it is told.
pub fn wanted(want: &Want) -> Wanted {
    match want {
        Want::Timestamp(want) => Wanted::of_timestamp(want),
        Want::Evidence(want) => Wanted::of_evidence(want),
    }
}

impl Wanted {
    /// Returns a time-stamp that is wanted.
    pub fn of_timestamp(want: &TimestampWant) -> Self {
        // Without a nonce: the answer is found by its imprint, which is over a value that nobody knew before.
        let request = TimestampQuery::new(want.algorithm, &want.imprint).map(|query| Base64(query.to_der()));
        Self {
            kind: "timestamp",
            urls: vec![],
            about: want.about.as_ref().map(ToString::to_string),
            name: None,
            request,
            content_type: Some("application/timestamp-query"),
            digest_algorithm: Some(want.algorithm.to_string()),
            imprint: Some(Base64(want.imprint.clone())),
            not_before: None,
            retry_at: None,
            tried: vec![],
        }
    }

    fn of_evidence(want: &EvidenceWant) -> Self {
        let certificate = |der: &[u8]| Certificate::from_der(der).ok();
        let is_ocsp = want.wanted.kind == WantedKind::Ocsp;
        let request = is_ocsp
            .then(|| Some(ocsp_request(&certificate(&want.certificate)?, &certificate(want.issuer.as_deref()?)?)))
            .flatten();
        let tried = want.wanted.tried.iter();
        Self {
            kind: want.wanted.kind.as_str(),
            urls: want.wanted.urls.clone(),
            about: Some(want.wanted.about.to_string()),
            name: Some(want.name.clone()),
            content_type: request.as_ref().map(|_| "application/ocsp-request"),
            request: request.map(Base64),
            digest_algorithm: None,
            imprint: None,
            not_before: want.not_before.map(|time| time.to_string()),
            retry_at: want.retry_at.map(|time| time.to_string()),
            tried: tried.map(|tried| TriedAddress { url: tried.url.clone(), reason: tried.reason.clone() }).collect(),
        }
    }
}
