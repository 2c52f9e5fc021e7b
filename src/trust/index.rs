//! Certificates of lists, found by what documents say of issuers and signers.

use super::TrustedLists;
use super::equivalence::Recognised;
use super::list::{Identity, List, Period, Service};
use super::recognition::Agreement;
use super::snapshot::Packed;
use crate::collect::{Directory, TrustAnchor};
use crate::facts::CertificateSource;
use crate::hex;
use crate::time::Time;
use crate::x509::{Certificate, Name};
use sha2::Digest as _;
use std::sync::OnceLock;

/// What a trusted list says; that of a snapshot is opened when it is first asked for.
#[derive(Debug)]
pub(super) struct Content {
    packed: Option<Packed>,
    opened: OnceLock<Opened>,
}

/// An opened list, with its certificates read as they are asked for.
#[derive(Debug, Default)]
struct Opened {
    list: List,
    certificates: Vec<OnceLock<Option<Certificate>>>,
    /// The services of each identity: provider, and service of it.
    services: Vec<Vec<(u32, u32)>>,
}

impl Content {
    pub fn new(list: List) -> Self {
        Self { packed: None, opened: OnceLock::from(Opened::new(list)) }
    }

    pub fn packed(packed: Packed) -> Self {
        Self { packed: Some(packed), opened: OnceLock::new() }
    }

    fn opened(&self) -> &Opened {
        // What cannot be opened makes nobody trusted.
        let open = || self.packed.as_ref().and_then(Packed::open).map(Opened::new).unwrap_or_default();
        self.opened.get_or_init(open)
    }

    pub fn list(&self) -> &List {
        &self.opened().list
    }

    /// The certificate with that place, where the list holds it.
    pub fn certificate(&self, place: u32) -> Option<&Certificate> {
        let opened = self.opened();
        let read = || match opened.list.identities.get(place as usize)? {
            Identity::Certificate(der) => Certificate::from_der(der).ok(),
            Identity::Entity(_) => None,
        };
        opened.certificates.get(place as usize)?.get_or_init(read).as_ref()
    }

    /// Whether the identity with that place is the certificate's entity.
    fn is_of(&self, place: u32, certificate: &Certificate) -> bool {
        match self.list().identities.get(place as usize) {
            Some(Identity::Certificate(_)) => {
                self.certificate(place).is_some_and(|known| known.entity_key() == certificate.entity_key())
            }
            Some(Identity::Entity(digest)) => entity(certificate).is_some_and(|entity| entity == *digest),
            None => false,
        }
    }

    pub fn services(&self, identity: u32) -> &[(u32, u32)] {
        self.opened().services.get(identity as usize).map_or(&[], Vec::as_slice)
    }

    pub fn service(&self, provider: u32, service: u32) -> Option<&Service> {
        self.list().providers.get(provider as usize)?.services.get(service as usize)
    }
}

impl Opened {
    fn new(list: List) -> Self {
        let mut services = vec![vec![]; list.identities.len()];
        for (provider, of) in (0..).zip(&list.providers) {
            for (service, entry) in (0..).zip(&of.services) {
                for identity in &entry.identities {
                    if let Some(known) = services.get_mut(*identity as usize) {
                        known.push((provider, service));
                    }
                }
            }
        }
        let certificates = list.identities.iter().map(|_| OnceLock::new()).collect();
        Self { list, certificates, services }
    }
}

/// The first half of the digest of the certificate's key and subject: 128 bits, for which nobody finds another key.
pub(super) fn entity(certificate: &Certificate) -> Option<[u8; 16]> {
    let digest: [u8; 32] = hex::array(certificate.entity_key().strip_prefix("EK-")?)?;
    digest.first_chunk().copied()
}

/// An identity of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub content: u32,
    pub identity: u32,
}

/// Places by the first octets of digests of what they are looked up by. Who is found by them is then looked at.
#[derive(Debug, Default)]
pub(super) struct Index(pub Vec<(u32, Place)>);

/// What a certificate is looked up by.
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
        digest.iter().take(4).fold(0, |number, octet| number << 8 | u32::from(*octet))
    }
}

impl Index {
    /// An index of what contents hold. Only `whole` lists hold the certificates of those who sign tokens themselves, which
    /// are looked up by issuer and serial number.
    pub fn new<'c>(contents: impl Iterator<Item = &'c Content>, whole: bool) -> Self {
        let mut all = vec![];
        for (content, of) in (0..).zip(contents) {
            for (identity, known) in (0..).zip(&of.list().identities) {
                let place = Place { content, identity };
                let mut add = |key: Key<'_>| all.push((key.digest(), place));
                if let Identity::Entity(digest) = known {
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

    pub(super) fn content(&self, place: u32) -> Option<&Content> {
        self.0.contents.get(place as usize).map(|(_, content)| content)
    }

    /// The identities that are the certificate's entity: its key and its subject (TS 119 612 §5.5.3).
    pub(super) fn of_entity(&self, certificate: &Certificate) -> Vec<Place> {
        let places = entity(certificate).into_iter().flat_map(|digest| self.0.index.find(Key::Entity(digest)));
        let is_of = |place: &Place| self.content(place.content).is_some_and(|c| c.is_of(place.identity, certificate));
        places.filter(is_of).collect()
    }

    /// When the entity's services were trusted.
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

/// When a service was trusted by what a period says of it: in the standard's words, or, while an agreement on mutual
/// recognition is in force, in words that it translates.
fn spans(period: &Period, recognition: Option<&Agreement>) -> Vec<(Time, Option<Time>)> {
    if period.is_trusted() {
        return period.start.map(|start| (start, period.end)).into_iter().collect();
    }
    let (recognised, _) = recognition.map(|agreement| agreement.recognise(period, None)).unwrap_or_default();
    recognised.iter().filter(|service| service.period.is_trusted()).filter_map(Recognised::span).collect()
}

impl Directory for TrustedLists {
    /// From when the first period of trust began to when the last one ended.
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
