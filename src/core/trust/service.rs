//! The reader of providers and their services with full history: TS 119 612 §5.4 to §5.6.

use super::ListError;
use super::criteria::Criteria;
use super::elements::{
    ADDITIONAL_TYPES, QUALIFICATIONS, TSL, extensions, is_critical, names, once, part, time, uris, word,
};
use super::list::{Provider, Qualification, Service, ServiceStatusPeriod};
use crate::facts::LangText;
use crate::formats::xml::Element;
use crate::formats::xml::signature::base64_text;
use std::collections::HashMap;

/// Texts of one list that are kept: names in all languages, URIs. The largest list has some 20,000.
const TEXTS: usize = 500_000;
/// Services of one list. The longest has some 600.
const SERVICES: usize = 5_000;
/// Certificates that identify the services of one list. The longest has some 900.
const IDENTITIES: usize = 20_000;
/// Former states of one service. Real ones: at most 20.
const HISTORY: usize = 500;

/// Reads services, and keeps each certificate once.
pub(super) struct Services {
    pub certificates: Vec<Box<[u8]>>,
    pub problems: Vec<String>,
    places: HashMap<Box<[u8]>, u32>,
    services: usize,
    texts: usize,
}

impl Services {
    /// Returns a reader that has read nothing yet.
    pub fn new() -> Self {
        Self { certificates: vec![], problems: vec![], places: HashMap::new(), services: 0, texts: TEXTS }
    }

    /// Reads the providers of trust services: §5.3.18.
    pub fn providers(&mut self, element: Element<'_, '_>) -> Result<Vec<Provider>, ListError> {
        let each = element.children().filter(|child| child.is(TSL, "TrustServiceProvider"));
        each.map(|element| self.provider(element)).collect()
    }

    fn provider(&mut self, element: Element<'_, '_>) -> Result<Provider, ListError> {
        let information = part(element, "TSPInformation");
        let named = |local: &str| information.and_then(|information| part(information, local)).map(names);
        let all = self.kept(named("TSPTradeName").unwrap_or_default())?;
        let (identifiers, trade_names): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|name| is_registration_identifier(&name.text));
        let mut provider = Provider {
            names: self.kept(named("TSPName").unwrap_or_default())?,
            trade_names,
            registration_identifiers: vec![],
            services: vec![],
        };
        provider.registration_identifiers = once(identifiers.into_iter().map(|name| name.text));
        // §5.4.5: none is known.
        if information.is_some_and(|information| extensions(information, "TSPInformationExtensions").any(is_critical)) {
            self.problems
                .push("a provider is left out, because it has a critical extension that is not known".to_owned());
            return Ok(provider);
        }
        let services = part(element, "TSPServices").into_iter().flat_map(Element::children);
        for service in services.filter(|child| child.is(TSL, "TSPService")) {
            self.services += 1;
            if self.services > SERVICES {
                return Err(ListError::TooMany { what: "services", limit: SERVICES });
            }
            provider.services.extend(self.service(service)?);
        }
        Ok(provider)
    }

    /// Reads a service: §5.5 and, for the former states, §5.6.
    fn service(&mut self, element: Element<'_, '_>) -> Result<Option<Service>, ListError> {
        let Some(information) = part(element, "ServiceInformation") else {
            self.problems.push("a service has no ServiceInformation".to_owned());
            return Ok(None);
        };
        let mut service =
            Service { identities: self.identities(information)?, periods: vec![self.period(information)?] };
        let history = part(element, "ServiceHistory").into_iter().flat_map(Element::children);
        for (place, former) in history.filter(|child| child.is(TSL, "ServiceHistoryInstance")).enumerate() {
            if place >= HISTORY {
                return Err(ListError::TooMany { what: "former states of a service", limit: HISTORY });
            }
            service.periods.push(self.period(former)?);
        }
        // §5.5.5: a state without a beginning ends one before it, and nobody knows when. §5.6: a former state began before.
        let current = service.periods[0].start;
        if service.periods.iter().any(|period| period.start.is_none() || period.start > current) {
            let why = "a state of it has no beginning, or a former one begins after the current one";
            self.problems.push(format!("a service is left out, because {why}"));
            return Ok(None);
        }
        // §5.6: newest first; a state ends when the next one begins.
        crate::order::sort_by_key(&mut service.periods, |period| std::cmp::Reverse(period.start));
        for newer in 1..service.periods.len() {
            service.periods[newer].end = service.periods[newer - 1].start;
        }
        Ok(Some(service))
    }

    /// Reads the certificates; names and key identifiers beside them say nothing that they do not (§5.5.3).
    fn identities(&mut self, information: Element<'_, '_>) -> Result<Vec<u32>, ListError> {
        let mut found = vec![];
        let ids = part(information, "ServiceDigitalIdentity").into_iter().flat_map(Element::children);
        for bytes in ids.filter_map(|id| part(id, "X509Certificate")).filter_map(base64_text) {
            let bytes = bytes.into_boxed_slice();
            let next = self.certificates.len() as u32;
            let place = *self.places.entry(bytes.clone()).or_insert(next);
            if place == next {
                self.certificates.push(bytes);
            }
            if self.certificates.len() > IDENTITIES {
                return Err(ListError::TooMany { what: "certificates", limit: IDENTITIES });
            }
            if !found.contains(&place) {
                found.push(place);
            }
        }
        Ok(found)
    }

    fn period(&mut self, element: Element<'_, '_>) -> Result<ServiceStatusPeriod, ListError> {
        let mut period = ServiceStatusPeriod {
            service_type: word(element, "ServiceTypeIdentifier").unwrap_or_default(),
            names: self.kept(part(element, "ServiceName").map(names).unwrap_or_default())?,
            status: word(element, "ServiceStatus").unwrap_or_default(),
            start: time(element, "StatusStartingTime"),
            ..ServiceStatusPeriod::default()
        };
        if period.start.is_none() {
            self.problems.push(format!("a service of type {} does not state since when", period.service_type));
        }
        let points = part(element, "ServiceSupplyPoints").into_iter().flat_map(Element::children);
        let points = points.filter(|child| child.is(TSL, "ServiceSupplyPoint"));
        period.supply_points = points.map(|point| point.text().trim().to_owned()).collect();
        for extension in extensions(element, "ServiceInformationExtensions") {
            let critical = is_critical(extension);
            let known = extension.children().filter(|inner| period.extend(*inner, critical)).count();
            // Whoever does not understand it cannot rely on the state that it is of; the state is there all the same.
            if critical && (known == 0 || known < extension.children().count()) {
                self.problems.push("a state of a service has a critical extension that is not known".to_owned());
                period.status.clear();
            }
        }
        self.spend(period.supply_points.len() + period.qualifications.len())?;
        Ok(period)
    }

    fn kept(&mut self, texts: Vec<LangText>) -> Result<Vec<LangText>, ListError> {
        self.spend(texts.len())?;
        Ok(texts)
    }

    fn spend(&mut self, texts: usize) -> Result<(), ListError> {
        self.texts = self.texts.checked_sub(texts).ok_or(ListError::TooMany { what: "texts", limit: TEXTS })?;
        Ok(())
    }
}

impl ServiceStatusPeriod {
    /// Takes over what an extension says; returns whether it is known (§5.5.9).
    fn extend(&mut self, element: Element<'_, '_>, critical: bool) -> bool {
        match (element.namespace(), element.local()) {
            (TSL, "AdditionalServiceInformation") => self.additional_information.extend(uris(element)),
            (TSL, "ExpiredCertsRevocationInfo") => {
                self.expired_certs_revocation_info = element.text().trim().parse().ok();
            }
            (QUALIFICATIONS, "Qualifications") => {
                let each = element.children().filter(|child| child.is(QUALIFICATIONS, "QualificationElement"));
                self.qualifications.extend(each.map(|element| qualification(element, critical)));
            }
            // §5.5.9.3: that another provider took the service over changes nothing of what it is.
            (ADDITIONAL_TYPES, "TakenOverBy") => {}
            _ => return false,
        }
        true
    }
}

fn qualification(element: Element<'_, '_>, critical: bool) -> Qualification {
    let qualifiers = element.child(QUALIFICATIONS, "Qualifiers").into_iter().flat_map(Element::children);
    // §5.5.9.2: there is one list of criteria.
    let mut lists = element.children().filter(|child| child.is(QUALIFICATIONS, "CriteriaList"));
    let criteria = match (lists.next(), lists.next()) {
        (Some(list), None) => Criteria::read(list),
        _ => Criteria::unknown("CriteriaList"),
    };
    let uris = qualifiers.filter_map(|qualifier| qualifier.attribute("uri").map(|uri| uri.trim().to_owned()));
    Qualification { qualifiers: uris.collect(), critical, criteria }
}

/// Returns whether a text is a registration identifier in the form of EN 319 412-1 §5.1.4, as in `VATBE-0876866142`
/// (§5.4.2 b)).
fn is_registration_identifier(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once('-') else { return false };
    let country = scheme.get(scheme.len().saturating_sub(2)..).unwrap_or_default();
    let kind = scheme.strip_suffix(country).unwrap_or_default();
    let national = kind.len() == 3 && kind.ends_with(':');
    let known = ["VAT", "NTR", "PAS", "IDC", "PNO", "TIN", "LEI", "CFN", "PSD"].contains(&kind) || national;
    known && country.bytes().all(|b| b.is_ascii_uppercase()) && !rest.is_empty()
}
