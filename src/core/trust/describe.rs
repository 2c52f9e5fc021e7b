//! Trust services in the facts: the services that cover each certificate (TS 119 612 §5.5, TS 119 615 §4.3).

use super::TrustedLists;
use super::content::ListContent;
use super::equivalence::{self, RESTRICTING, Recognised};
use super::index::Place;
use super::list::{Provider, ServiceStatusPeriod};
use super::state::{ListState, Missing, Role};
use crate::facts::{self, Facts, Id, ListStore, MraServiceMapping, QcStatements, Qualifier};
use crate::time::Time;
use crate::x509::Certificate;
use std::collections::{BTreeMap, HashMap};

impl TrustedLists {
    /// Writes into the record, for each certificate, the services of it and of the certificates above it, and the lists
    /// that list them.
    pub(crate) fn describe(&self, facts: &mut Facts) {
        let read = |certificate: &facts::Certificate| Certificate::from_der(&certificate.bytes.as_ref()?.0).ok();
        let known: HashMap<Id, (Certificate, Vec<Place>)> = facts
            .certificates
            .iter()
            .filter_map(|certificate| Some((certificate.id.clone(), read(certificate)?)))
            .map(|(id, certificate)| (id, (certificate.clone(), self.of_entity(&certificate))))
            .collect();
        let mut lists = vec![];
        for certificate in &mut facts.certificates {
            let Some((own, _)) = known.get(&certificate.id) else { continue };
            let chain = std::iter::once(&certificate.id).chain(&certificate.chain);
            let places = chain.filter_map(|id| known.get(id)).map(|(member, places)| (member, &places[..]));
            let (providers, statements) = self.providers(own, places, &mut lists);
            certificate.trust_service_providers.extend(providers);
            if let Some(statements) = statements {
                certificate.extensions.qc_statements = Some(statements);
            }
        }
        for content in lists {
            self.list(content, facts);
        }
    }

    /// Returns what was loaded, as of `time`.
    pub(crate) fn store(&self, time: Time) -> ListStore {
        let all = || self.states().iter();
        let lotl = all().find(|state| state.role == Role::ListOfLists && state.trusted);
        let usable = || all().filter(|state| state.trusted && state.role == Role::TrustedList);
        ListStore {
            sequence_number: lotl.and_then(|lotl| lotl.sequence_number),
            issue_date: lotl.and_then(|lotl| lotl.issue_date),
            trusted: usable().count(),
            current: usable().filter(|state| state.next_update.is_some() && !state.is_expired_at(time)).count(),
            closed: usable().filter(|state| state.next_update.is_none()).count(),
            unusable: all().filter(|state| !state.trusted).count(),
            unusable_lists: all().filter(|state| !state.trusted).map(unusable).collect(),
            missing: self.missing().len(),
            missing_lists: self.missing().iter().map(absent).collect(),
            snapshot_signer: self.snapshot_signer().cloned(),
        }
    }

    /// Returns the providers of services that a certificate was issued under, and its QC statements as mutual
    /// recognition reads them.
    fn providers<'p>(
        &self,
        certificate: &Certificate,
        chain: impl Iterator<Item = (&'p Certificate, &'p [Place])>,
        lists: &mut Vec<u32>,
    ) -> (Vec<facts::TrustServiceProvider>, Option<QcStatements>) {
        // By list and provider; a service once, whichever of its certificates leads to it.
        let mut found: BTreeMap<(u32, u32), BTreeMap<u32, Id>> = BTreeMap::new();
        for (member, places) in chain {
            for place in places {
                let Some(content) = self.content(place.content) else { continue };
                // Where the list holds this very certificate, or only the digest of its key and subject, that names it.
                let other = content.certificate(place.identity).filter(|known| known.id() != member.id());
                for (provider, service) in content.services(place.identity) {
                    let services = found.entry((place.content, *provider)).or_default();
                    let id = services.entry(*service).or_insert_with(|| other.unwrap_or(member).id().clone());
                    if other.is_none() {
                        *id = member.id().clone();
                    }
                }
            }
        }
        let (mut providers, mut recognised, mut of_the_union) = (vec![], vec![], false);
        for ((content, provider), services) in found {
            let Some(of) = self.content(content) else { continue };
            let services = described(of, provider, services, certificate, &mut recognised);
            let (Some(stated), false) = (of.list().providers.get(provider as usize), services.is_empty()) else {
                continue;
            };
            if !lists.contains(&content) {
                lists.push(content);
            }
            let foreign = |state: &ListState| state.mutual_recognition || state.third_country;
            of_the_union |= self.state(content as usize).is_none_or(|state| !foreign(state));
            providers.extend(self.provider(content, stated, services));
        }
        // Where a list that needs no recognition knows the issuer, statements are read as they stand.
        let statements = (!of_the_union).then(|| equivalence::statements(certificate, &recognised)).flatten();
        (providers, statements)
    }

    fn provider(
        &self,
        content: u32,
        stated: &Provider,
        services: Vec<facts::TrustService>,
    ) -> Option<facts::TrustServiceProvider> {
        let state = self.state(content as usize)?;
        Some(facts::TrustServiceProvider {
            trusted_list: state.id(),
            lotl: state.parent.and_then(|parent| Some(self.0.states.get(parent)?.id())),
            names: stated.names.clone(),
            trade_names: stated.trade_names.clone(),
            registration_identifiers: stated.registration_identifiers.clone(),
            services,
        })
    }

    /// Adds the list, and the one that points at it, to the record.
    fn list(&self, content: u32, facts: &mut Facts) {
        let Some(state) = self.state(content as usize) else { return };
        let parent = state.parent.and_then(|parent| self.0.states.get(parent));
        facts.trusted_lists.push(state.facts(parent.map(|parent| parent.id())));
        if let Some(parent) = parent
            && !facts.trusted_lists.iter().any(|known| known.id == parent.id())
        {
            facts.trusted_lists.push(parent.facts(None));
        }
    }
}

/// Returns the periods of the services that were not over when the certificate was issued.
fn described<'c>(
    content: &'c ListContent,
    provider: u32,
    services: BTreeMap<u32, Id>,
    certificate: &Certificate,
    recognised: &mut Vec<Recognised<'c>>,
) -> Vec<facts::TrustService> {
    let mut described = vec![];
    for (service, identity) in services {
        let Some(service) = content.service(provider, service) else { continue };
        let periods = service.periods.iter().filter(|period| period.start.is_some());
        let periods = periods.filter(|period| period.end.is_none_or(|end| end >= certificate.not_before()));
        let Some(agreement) = &content.list().recognition else {
            described.extend(periods.map(|period| of_period(period, &identity, certificate)));
            continue;
        };
        for period in periods {
            let (known, mut others) = agreement.recognise(period, Some(certificate.not_before()));
            // A service is recognised for what it is recognised for.
            let (known, for_others): (Vec<_>, Vec<_>) =
                known.into_iter().partition(|service| service.serves(certificate));
            others.extend(for_others.into_iter().map(|service| service.original));
            described.extend(known.iter().map(|service| of_recognised(service, &identity, certificate)));
            described.extend(others.iter().map(|period| of_period(period, &identity, certificate)));
            recognised.extend(known);
        }
    }
    described
}

fn of_recognised(service: &Recognised<'_>, identity: &Id, certificate: &Certificate) -> facts::TrustService {
    let original = &service.original;
    facts::TrustService {
        enacted_mra: Some(service.under.enacted),
        mra: Some(MraServiceMapping {
            legal_identifier: service.equivalence.legal_identifier.clone(),
            equivalence_start: Some(service.under.start),
            equivalence_end: service.under.end,
            original_type: Some(original.service_type.clone()),
            original_status: Some(original.status.clone()),
            original_qualifiers: qualifiers(original, certificate),
            original_additional_service_info: original.additional_information.clone(),
        }),
        ..of_period(&service.period, identity, certificate)
    }
}

fn of_period(period: &ServiceStatusPeriod, identity: &Id, certificate: &Certificate) -> facts::TrustService {
    // TS 119 612 §5.3.17: who does not understand what is critical does not rely on the rest, as far as it is about the certificate.
    let unknown = period.qualifications.iter().any(|one| one.critical && one.criteria.met_by(certificate).is_none());
    facts::TrustService {
        certificate: identity.clone(),
        names: period.names.clone(),
        service_type: Some(period.service_type.clone()),
        status: Some(period.status.clone()).filter(|_| !unknown),
        start: period.start,
        end: period.end,
        qualifiers: qualifiers(period, certificate),
        additional_service_info: period.additional_information.clone(),
        supply_points: period.supply_points.clone(),
        expired_certs_revocation_info: period.expired_certs_revocation_info,
        enacted_mra: None,
        mra: None,
    }
}

/// Returns the qualifiers whose criteria the certificate meets.
fn qualifiers(period: &ServiceStatusPeriod, certificate: &Certificate) -> Vec<Qualifier> {
    let mut found: Vec<Qualifier> = vec![];
    for qualification in &period.qualifications {
        let met = qualification.criteria.met_by(certificate);
        for uri in &qualification.qualifiers {
            let counts = met.unwrap_or_else(|| RESTRICTING.iter().any(|end| uri.ends_with(end)));
            if counts && !found.iter().any(|known| known.uri == *uri) {
                found.push(Qualifier { uri: uri.clone(), critical: Some(qualification.critical) });
            }
        }
    }
    found
}
/// Returns a file that is not relied on as it stands in the record.
fn unusable(state: &ListState) -> facts::UnusableList {
    let problems: Vec<&str> = state.problems.iter().map(|problem| &*problem.message).collect();
    facts::UnusableList { name: state.name.clone(), territory: state.territory.clone(), reason: problems.join("; ") }
}

/// Returns an absent list as it stands in the record.
fn absent(missing: &Missing) -> facts::MissingList {
    facts::MissingList { territory: missing.territory.clone(), url: missing.url.clone() }
}
