//! A trust service that a certificate was issued under, during one of its status periods: TS 119 612 §5.5.

use super::lists::Analyses;
use super::vocabulary::{EIDAS, ServicePurpose, ServiceQualifier, ServiceStatus};
use crate::facts::{Certificate, TrustService, TrustServiceProvider, TrustedList};
use crate::time::Time;

/// The place of a status period among the trust services of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListedService {
    provider: usize,
    period: usize,
}

impl ListedService {
    /// Returns the provider and the status period, in the facts of the same certificate.
    pub fn of(self, certificate: &Certificate) -> Option<(&TrustServiceProvider, &TrustService)> {
        let provider = certificate.trust_service_providers.get(self.provider)?;
        Some((provider, provider.services.get(self.period)?))
    }
}

/// One status period of a service, with the list that states it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service<'a> {
    pub(crate) place: ListedService,
    pub(crate) provider: &'a TrustServiceProvider,
    pub(crate) entry: &'a TrustService,
    /// `None` where the record does not hold the list; such a service is never used.
    pub(crate) list: Option<&'a TrustedList>,
    /// The certificate by which the list names the service.
    pub(crate) identity: Option<&'a Certificate>,
}

/// Returns every service period that the trusted lists relate to the certificate.
pub(crate) fn services<'a>(analyses: &Analyses<'a>, certificate: &'a Certificate) -> Vec<Service<'a>> {
    let mut found = vec![];
    for (at, provider) in certificate.trust_service_providers.iter().enumerate() {
        let list = analyses.list(&provider.trusted_list);
        found.extend(provider.services.iter().enumerate().map(|(period, entry)| {
            let place = ListedService { provider: at, period };
            Service { place, provider, entry, list, identity: analyses.certificate(&entry.certificate) }
        }));
    }
    found
}

impl Service<'_> {
    /// Returns whether the period covers `time`; both ends belong to it.
    pub(crate) fn active_at(&self, time: Time) -> bool {
        self.entry.start.is_some_and(|start| start <= time) && self.entry.end.is_none_or(|end| time <= end)
    }

    /// Returns whether the period began under eIDAS.
    pub(crate) fn under_eidas(&self) -> bool {
        self.entry.start.is_some_and(|start| start >= EIDAS)
    }

    /// Returns whether the service is of that type.
    pub(crate) fn is_type(&self, service_type: &str) -> bool {
        self.entry.service_type.as_deref() == Some(service_type)
    }

    /// Returns its status, where that is a word of TS 119 612.
    pub(crate) fn status(&self) -> Option<ServiceStatus> {
        self.entry.status.as_deref()?.parse().ok()
    }

    /// Returns whether the status makes the service a qualified one: `granted`, or before eIDAS one of supervision or
    /// accreditation.
    pub(crate) fn granted(&self) -> bool {
        use ServiceStatus::*;
        match self.status() {
            Some(Granted) => self.under_eidas(),
            Some(UnderSupervision | SupervisionInCessation | Accredited) => !self.under_eidas(),
            _ => false,
        }
    }

    /// Returns whether that qualifier applies to the certificate.
    pub(crate) fn qualifies(&self, qualifier: ServiceQualifier) -> bool {
        self.entry.qualifiers.iter().any(|q| q.uri == qualifier.as_str())
    }

    /// Returns whether one of those qualifiers applies to the certificate.
    pub(crate) fn qualifies_any(&self, qualifiers: &[ServiceQualifier]) -> bool {
        qualifiers.iter().any(|q| self.qualifies(*q))
    }

    /// Returns whether the service states that it issues certificates for that purpose.
    pub(crate) fn serves(&self, purpose: ServicePurpose) -> bool {
        self.entry.additional_service_info.iter().any(|uri| uri == purpose.as_str())
    }

    /// Returns whether only mutual recognition (eIDAS article 14) lets the list speak for the Union.
    pub(crate) fn through_mutual_recognition(&self) -> bool {
        self.list.is_some_and(|list| list.mra || list.third_country)
    }

    /// Returns the name by which a reader knows the service.
    pub(crate) fn name(&self) -> &str {
        let names = &self.entry.names;
        names.iter().find(|n| n.lang == "en").or(names.first()).map_or("", |n| &n.text)
    }
}
