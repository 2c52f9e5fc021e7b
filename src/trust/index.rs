//! Certificates of lists, found by what documents say of issuers and signers.

use super::TrustedLists;
use super::list::{List, Period, Service};
use crate::collect::{Directory, TrustAnchor};
use crate::facts::CertificateSource;
use crate::x509::{Certificate, Name};
use sha2::Digest as _;
use std::sync::OnceLock;

/// What a trusted list says, with its certificates read as they are asked for.
#[derive(Debug)]
pub(super) struct Content {
    pub list: List,
    certificates: Vec<OnceLock<Option<Certificate>>>,
    /// The services of each certificate: provider, and service of it.
    services: Vec<Vec<(u32, u32)>>,
}

impl Content {
    pub fn new(list: List) -> Self {
        let mut services = vec![vec![]; list.certificates.len()];
        for (provider, service, entry) in each(&list) {
            for certificate in &entry.certificates {
                if let Some(of) = services.get_mut(*certificate as usize) {
                    of.push((provider, service));
                }
            }
        }
        let certificates = list.certificates.iter().map(|_| OnceLock::new()).collect();
        Self { list, certificates, services }
    }

    pub fn certificate(&self, place: u32) -> Option<&Certificate> {
        let read = || Certificate::from_der(&self.list.certificates.get(place as usize)?.0).ok();
        self.certificates.get(place as usize)?.get_or_init(read).as_ref()
    }

    pub fn services(&self, certificate: u32) -> &[(u32, u32)] {
        self.services.get(certificate as usize).map_or(&[], Vec::as_slice)
    }

    pub fn service(&self, provider: u32, service: u32) -> Option<&Service> {
        self.list.providers.get(provider as usize)?.services.get(service as usize)
    }
}

fn each(list: &List) -> impl Iterator<Item = (u32, u32, &Service)> {
    let providers = (0..).zip(&list.providers);
    providers.flat_map(|(place, provider)| {
        (0..).zip(&provider.services).map(move |(service, entry)| (place, service, entry))
    })
}

/// A certificate of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub content: u32,
    pub certificate: u32,
}

/// Places by the first octets of digests of what they are looked up by.
#[derive(Debug, Default)]
pub(super) struct Index(Vec<(u64, Place)>);

/// What a certificate is looked up by.
#[derive(Debug, Clone, Copy)]
enum Key<'a> {
    Subject(&'a Name),
    Identifier(&'a [u8]),
    IssuerAndSerial(&'a Name, &'a [u8]),
}

impl Key<'_> {
    fn digest(self) -> u64 {
        let hasher = sha2::Sha256::new();
        let digest = match self {
            Self::Subject(name) => hasher.chain_update(b"s").chain_update(name.canonical()),
            Self::Identifier(identifier) => hasher.chain_update(b"k").chain_update(identifier),
            Self::IssuerAndSerial(name, serial) => {
                hasher.chain_update(b"i").chain_update(name.canonical()).chain_update([0]).chain_update(serial)
            }
        };
        let digest: [u8; 32] = digest.finalize().into();
        digest.iter().take(8).fold(0, |number, octet| number << 8 | u64::from(*octet))
    }
}

impl Index {
    pub fn new<'c>(contents: impl Iterator<Item = &'c Content>) -> Self {
        let mut all = vec![];
        for (content, of) in (0..).zip(contents) {
            for certificate in 0..of.list.certificates.len() as u32 {
                let Some(read) = of.certificate(certificate) else { continue };
                let place = Place { content, certificate };
                let mut add = |key: Key<'_>| all.push((key.digest(), place));
                add(Key::Subject(read.subject()));
                add(Key::Identifier(&read.key_sha1()));
                add(Key::IssuerAndSerial(read.issuer(), read.serial()));
                if let Some(stated) = &read.extensions().subject_key_identifier {
                    add(Key::Identifier(&stated.0));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    fn find(&self, key: Key<'_>) -> impl Iterator<Item = Place> {
        let digest = key.digest();
        let first = self.0.partition_point(|(known, _)| *known < digest);
        let same = self.0.get(first..).unwrap_or_default().iter();
        same.take_while(move |(known, _)| *known == digest).map(|(_, place)| *place)
    }
}

impl TrustedLists {
    fn found(&self, key: Key<'_>, fits: impl Fn(&Certificate) -> bool) -> Vec<Certificate> {
        let mut found: Vec<Certificate> = vec![];
        for place in self.0.index.find(key) {
            let certificate = self.certificate(place).filter(|certificate| fits(certificate));
            if let Some(certificate) = certificate.filter(|certificate| !found.contains(certificate)) {
                found.push(certificate.clone());
            }
        }
        found
    }

    pub(super) fn certificate(&self, place: Place) -> Option<&Certificate> {
        self.content(place.content)?.certificate(place.certificate)
    }

    pub(super) fn content(&self, place: u32) -> Option<&Content> {
        self.0.contents.get(place as usize).map(|(_, content)| content)
    }

    /// The certificates of the entity: those with its key and its subject (TS 119 612 §5.5.3).
    pub(super) fn of_entity(&self, certificate: &Certificate) -> Vec<Place> {
        let places = self.0.index.find(Key::Subject(certificate.subject()));
        places
            .filter(|place| {
                self.certificate(*place).is_some_and(|known| {
                    known.sha256() == certificate.sha256() || known.entity_key() == certificate.entity_key()
                })
            })
            .collect()
    }

    /// The status periods of the entity's services.
    fn periods(&self, certificate: &Certificate) -> impl Iterator<Item = &Period> {
        let places = self.of_entity(certificate).into_iter();
        places.flat_map(|place| {
            let content = self.content(place.content);
            let services = content.map_or(&[][..], |content| content.services(place.certificate));
            let services = services.iter().filter_map(move |(provider, service)| content?.service(*provider, *service));
            services.flat_map(|service| &service.periods)
        })
    }
}

impl Directory for TrustedLists {
    /// From when the first period of trust began to when the last one ended.
    fn trust(&self, certificate: &Certificate) -> Option<TrustAnchor> {
        let mut anchor: Option<TrustAnchor> = None;
        for period in self.periods(certificate).filter(|period| period.is_trusted() && period.start.is_some()) {
            let (start, sunset) = (period.start, period.end);
            let source = CertificateSource::TrustedList;
            anchor = Some(match anchor {
                None => TrustAnchor { source, start, sunset },
                Some(known) => TrustAnchor {
                    source,
                    start: known.start.min(start),
                    sunset: known.sunset.zip(sunset).map(|(known, end)| known.max(end)),
                },
            });
        }
        anchor
    }

    fn by_subject(&self, subject: &Name) -> Vec<Certificate> {
        self.found(Key::Subject(subject), |certificate| certificate.subject() == subject)
    }

    fn by_key_identifier(&self, identifier: &[u8]) -> Vec<Certificate> {
        let stated = |certificate: &Certificate| {
            certificate.key_sha1() == identifier
                || certificate.extensions().subject_key_identifier.as_ref().is_some_and(|own| own.0 == identifier)
        };
        self.found(Key::Identifier(identifier), stated)
    }

    fn by_issuer_and_serial(&self, issuer: &Name, serial: &[u8]) -> Vec<Certificate> {
        let fits = |certificate: &Certificate| certificate.has_serial(serial) && certificate.issuer() == issuer;
        self.found(Key::IssuerAndSerial(issuer, serial), fits)
    }
}
