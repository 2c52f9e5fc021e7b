//! The index of the lists' certificates: by entity, subject, key identifier, and issuer and serial number.

use super::TrustedLists;
use super::content::{ListContent, entity};
use super::equivalence::Recognised;
use super::list::{ServiceDigitalIdentity, ServiceStatusPeriod};
use super::recognition::Agreement;
use crate::collect::{Directory, TrustAnchor};
use crate::facts::CertificateSource;
use crate::time::Time;
use crate::x509::{Certificate, Name};
use sha2::Digest as _;

/// The position of a digital identity: the list, and the index in its identities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub content: u32,
    pub identity: u32,
}

/// Positions by the first four bytes of the digest of their key. Readers compare what they find with the key itself.
#[derive(Debug, Default)]
pub(super) struct Index(pub Vec<(u32, Place)>);

/// A key of the index.
#[derive(Debug, Clone, Copy)]
enum Key<'a> {
    Entity([u8; 16]),
    Subject(&'a Name),
    Identifier(&'a [u8]),
    IssuerAndSerial(&'a Name, &'a [u8]),
}

impl Key<'_> {
    fn digest(self) -> u32 {
        let hasher = sha2::Sha256::new();
        let digest: [u8; 32] = match self {
            Self::Entity(digest) => hasher.chain_update(b"e").chain_update(digest).finalize().into(),
            Self::Subject(name) => hasher.chain_update(b"s").chain_update(name.canonical()).finalize().into(),
            Self::Identifier(identifier) => hasher.chain_update(b"k").chain_update(identifier).finalize().into(),
            Self::IssuerAndSerial(name, serial) => {
                let issuer = hasher.chain_update(b"i").chain_update(name.canonical());
                issuer.chain_update([0]).chain_update(serial).finalize().into()
            }
        };
        digest.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
    }
}

impl Index {
    /// Builds the index. Only `whole` lists hold certificates of services that sign tokens themselves, which are looked
    /// up by issuer and serial number.
    pub fn new<'c>(contents: impl Iterator<Item = &'c ListContent>, whole: bool) -> Self {
        let mut all = vec![];
        for (content, of) in (0..).zip(contents) {
            for (identity, known) in (0..).zip(&of.list().identities) {
                let place = Place { content, identity };
                let mut add = |key: Key<'_>| all.push((key.digest(), place));
                if let ServiceDigitalIdentity::Entity { digest, .. } = known {
                    add(Key::Entity(*digest));
                }
                let Some(read) = of.certificate(identity) else { continue };
                add(Key::Subject(read.subject()));
                add(Key::Identifier(&read.key_sha1()));
                if whole {
                    add(Key::IssuerAndSerial(read.issuer(), read.serial()));
                }
                entity(read).into_iter().for_each(|digest| add(Key::Entity(digest)));
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
            let certificate = self.content(place.content).and_then(|content| content.certificate(place.identity));
            let certificate = certificate.filter(|certificate| fits(certificate));
            if let Some(certificate) = certificate.filter(|certificate| !found.contains(certificate)) {
                found.push(certificate.clone());
            }
        }
        found
    }

    pub(super) fn content(&self, place: u32) -> Option<&ListContent> {
        self.0.contents.get(place as usize).map(|(_, content)| content)
    }

    /// Returns the digital identities that are the certificate's: its key and subject (TS 119 612 §5.5.3), and its right
    /// to issue.
    pub(super) fn of_entity(&self, certificate: &Certificate) -> Vec<Place> {
        let places = entity(certificate).into_iter().flat_map(|digest| self.0.index.find(Key::Entity(digest)));
        let is_of = |place: &Place| self.content(place.content).is_some_and(|c| c.is_of(place.identity, certificate));
        places.filter(is_of).collect()
    }

    /// Returns the periods in which the services with the certificate's key and subject were trusted.
    fn spans(&self, certificate: &Certificate) -> impl Iterator<Item = (Time, Option<Time>)> {
        let places = self.of_entity(certificate).into_iter();
        places.flat_map(|place| {
            let content = self.content(place.content);
            let services = content.map_or(&[][..], |content| content.services(place.identity));
            let services = services.iter().filter_map(move |(provider, service)| content?.service(*provider, *service));
            let recognition = content.and_then(|content| content.list().recognition.as_ref());
            services.flat_map(|service| &service.periods).flat_map(move |period| spans(period, recognition))
        })
    }
}

/// Returns when a service was trusted in one of its status periods: by the status itself, or by its equivalent while a
/// mutual recognition agreement is in force.
fn spans(period: &ServiceStatusPeriod, recognition: Option<&Agreement>) -> Vec<(Time, Option<Time>)> {
    if period.is_trusted() {
        return period.start.map(|start| (start, period.end)).into_iter().collect();
    }
    let (recognised, _) = recognition.map(|agreement| agreement.recognise(period, None)).unwrap_or_default();
    recognised.iter().filter(|service| service.period.is_trusted()).filter_map(Recognised::span).collect()
}

impl Directory for TrustedLists {
    /// Spans from the start of the first trusted period to the end of the last one.
    fn trust(&self, certificate: &Certificate) -> Option<TrustAnchor> {
        let mut anchor: Option<TrustAnchor> = None;
        for (start, sunset) in self.spans(certificate) {
            let start = Some(start);
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
