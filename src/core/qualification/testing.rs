//! Small certificates and services for the rows of the tests beside each clause.

use super::service::{ListedService, Service};
use super::vocabulary::{CA_QC, ServicePurpose, ServiceQualifier, ServiceStatus};
use crate::facts::{
    Certificate, CertificatePolicy, Id, QcStatements, Qualifier, TrustService, TrustServiceProvider, TrustedList,
};
use crate::time::Time;

pub(crate) fn time(text: &str) -> Time {
    text.parse().expect("a test's time is well formed")
}

/// Returns a certificate issued then, with QcCompliance, QcSSCD, those QC types and policies.
pub(crate) fn certificate(
    issued: &str,
    compliance: bool,
    sscd: bool,
    types: &[&str],
    policies: &[&str],
) -> Certificate {
    let mut certificate = Certificate { id: Id::new("C-1"), not_before: time(issued), ..Certificate::default() };
    certificate.extensions.qc_statements = Some(QcStatements {
        compliance,
        sscd,
        types: types.iter().map(|oid| oid.to_string()).collect(),
        ..QcStatements::default()
    });
    certificate.extensions.certificate_policies =
        Some(policies.iter().map(|oid| CertificatePolicy { oid: oid.to_string(), cps_url: None }).collect());
    certificate
}

/// Returns a CA/QC service since then, of that status, with those qualifiers and purposes.
pub(crate) fn entry(
    since: &str,
    status: ServiceStatus,
    qualifiers: &[ServiceQualifier],
    purposes: &[ServicePurpose],
) -> TrustService {
    TrustService {
        service_type: Some(CA_QC.into()),
        status: Some(status.as_str().into()),
        start: Some(time(since)),
        qualifiers: qualifiers.iter().map(|q| Qualifier { uri: q.as_str().into(), critical: None }).collect(),
        additional_service_info: purposes.iter().map(|p| p.as_str().into()).collect(),
        ..TrustService::default()
    }
}

/// Returns the certificate, related to those services by one list under one list of lists.
pub(crate) fn listed(certificate: Certificate, services: Vec<TrustService>) -> Certificate {
    let provider = TrustServiceProvider {
        trusted_list: Id::new("TL-1"),
        lotl: Some(Id::new("LOTL-1")),
        services,
        ..TrustServiceProvider::default()
    };
    Certificate { trust_service_providers: vec![provider], ..certificate }
}

/// Returns a list in good order, loaded at that time.
pub(crate) fn list(id: &str, loaded: &str) -> TrustedList {
    TrustedList {
        id: Id::new(id),
        version: Some(5),
        last_loading: Some(time(loaded)),
        well_signed: true,
        ..TrustedList::default()
    }
}

/// Runs `check` with a service made of that entry.
pub(crate) fn with_service<T>(entry: &TrustService, check: impl FnOnce(&Service) -> T) -> T {
    let provider = TrustServiceProvider::default();
    check(&Service { place: ListedService::default(), provider: &provider, entry, list: None, identity: None })
}
