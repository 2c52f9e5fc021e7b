//! A trusted list's services and certificates, read at their first use.

use super::list::{List, Service, ServiceDigitalIdentity};
use super::section::PackedList;
use crate::hex;
use crate::x509::Certificate;
use std::sync::OnceLock;

/// The content of a trusted list; that of a snapshot is inflated at its first use.
#[derive(Debug)]
pub(super) struct ListContent {
    packed: Option<PackedList>,
    opened: OnceLock<Opened>,
}

/// An inflated list, with its certificates read at their first use.
#[derive(Debug, Default)]
struct Opened {
    list: List,
    certificates: Vec<OnceLock<Option<Certificate>>>,
    /// The services of each identity: provider, and service of it.
    services: Vec<Vec<(u32, u32)>>,
}

impl ListContent {
    pub fn new(list: List) -> Self {
        Self { packed: None, opened: OnceLock::from(Opened::new(list)) }
    }

    pub fn packed(packed: PackedList) -> Self {
        Self { packed: Some(packed), opened: OnceLock::new() }
    }

    fn opened(&self) -> &Opened {
        // A damaged list makes no certificate a trust anchor.
        let open = || self.packed.as_ref().and_then(PackedList::open).map(Opened::new).unwrap_or_default();
        self.opened.get_or_init(open)
    }

    pub fn list(&self) -> &List {
        &self.opened().list
    }

    /// Returns the certificate of a digital identity, where the list holds it.
    pub fn certificate(&self, place: u32) -> Option<&Certificate> {
        let opened = self.opened();
        let read = || match opened.list.identities.get(place as usize)? {
            ServiceDigitalIdentity::Certificate(der) => Certificate::from_der(der).ok(),
            ServiceDigitalIdentity::Entity { .. } => None,
        };
        opened.certificates.get(place as usize)?.get_or_init(read).as_ref()
    }

    /// Returns whether a digital identity has the certificate's key and subject, and may issue where the certificate
    /// may: whoever has the key of a listed unit can write a certificate of an authority for it.
    pub fn is_of(&self, place: u32, certificate: &Certificate) -> bool {
        let (same, authority) = match self.list().identities.get(place as usize) {
            Some(ServiceDigitalIdentity::Certificate(_)) => match self.certificate(place) {
                Some(known) => (known.entity_key() == certificate.entity_key(), may_issue(known)),
                None => return false,
            },
            Some(ServiceDigitalIdentity::Entity { digest, authority }) => {
                (entity(certificate).is_some_and(|entity| entity == *digest), *authority)
            }
            None => return false,
        };
        same && (authority || !may_issue(certificate))
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

/// Returns whether a certificate may issue others (RFC 5280 §6.1.4 (k)). One of version 1 does not say.
pub(super) fn may_issue(certificate: &Certificate) -> bool {
    certificate.version() != 3 || certificate.extensions().basic_constraints.is_some_and(|constraints| constraints.ca)
}

/// Returns the first half of the digest of the certificate's key and subject. 128 bits suffice: another key for a given
/// digest cannot be found.
pub(super) fn entity(certificate: &Certificate) -> Option<[u8; 16]> {
    let digest: [u8; 32] = hex::array(certificate.entity_key().strip_prefix("EK-")?)?;
    digest.first_chunk().copied()
}
