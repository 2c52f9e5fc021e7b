//! Keys with their certificates in one file under a password: PKCS#12 (RFC 7292), also known as PFX.
//!
//! Read only, and in BER as well as DER. Schemes that nobody should use any more are opened, since the files of many
//! cards and authorities have them: RC2 with 40 bits, Triple DES.

mod bags;
mod error;
mod integrity;
mod opening;

pub use error::Pkcs12Error;

use bags::{Bags, Held};
use lacre::signing::{PrivateKeyError, SigningKey as _, SoftwareKey};
use lacre_core::algorithm::SignatureAlgorithm;
use lacre_core::crypto::{Signed, verify};
use lacre_core::x509::Certificate;

/// A private key with its certificate and the certificates above it.
pub struct Identity {
    /// `friendlyName` of the key, or of its certificate.
    pub alias: Option<String>,
    /// The key.
    pub key: SoftwareKey,
    /// The key's certificate.
    pub certificate: Certificate,
    /// The certificates above it that the file has, each followed by its issuer's.
    pub chain: Vec<Certificate>,
}

/// A PKCS#12 file, opened.
pub struct Pkcs12 {
    identities: Vec<Identity>,
}

impl Pkcs12 {
    /// Opens a file with its password. Its integrity is checked where it has a MAC, as nearly all have.
    ///
    /// # Errors
    ///
    /// [`Pkcs12Error`] where it is no PKCS#12 file, the password does not open it, or it has no key with its
    /// certificate.
    pub fn open(bytes: &[u8], password: &str) -> Result<Self, Pkcs12Error> {
        let bags = Bags::open(bytes, password)?;
        let mut identities = vec![];
        let mut refused: Option<Pkcs12Error> = None;
        for key in &bags.keys {
            match identity(key, &bags.certificates) {
                Ok(identity) => identities.push(identity),
                // Another key of the file may be the one that is wanted.
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match (identities.is_empty(), refused) {
            (false, _) => Ok(Self { identities }),
            (true, Some(error)) => Err(error),
            (true, None) => Err(Pkcs12Error::NoKey { certificates: bags.certificates.len() }),
        }
    }

    /// Returns the names of the keys, in the order of the file.
    pub fn aliases(&self) -> impl Iterator<Item = Option<&str>> {
        self.identities.iter().map(|identity| identity.alias.as_deref())
    }

    /// Returns the key of that name; without a name, the only one.
    ///
    /// # Errors
    ///
    /// [`Pkcs12Error::Several`] and [`Pkcs12Error::Alias`] with the names that there are.
    pub fn identity(mut self, alias: Option<&str>) -> Result<Identity, Pkcs12Error> {
        let found: Vec<usize> = (0..self.identities.len())
            .filter(|at| alias.is_none() || self.identities[*at].alias.as_deref() == alias)
            .collect();
        let names = || self.aliases().map(|name| name.unwrap_or("(no name)").to_owned()).collect();
        match (&found[..], alias) {
            ([one], _) => Ok(self.identities.swap_remove(*one)),
            ([], Some(asked)) => Err(Pkcs12Error::Alias { asked: asked.to_owned(), names: names() }),
            _ => Err(Pkcs12Error::Several { names: names() }),
        }
    }
}

fn identity(held: &Held, certificates: &[Held]) -> Result<Identity, Pkcs12Error> {
    let key = SoftwareKey::from_pkcs8(&held.bytes).map_err(|error| match error {
        // Without a MAC, a wrong password may leave a padding that is right.
        PrivateKeyError::Format { .. } if held.was_sealed => Pkcs12Error::Password,
        error => error.into(),
    })?;
    let readable = certificates.iter().filter_map(|held| Some((held, Certificate::from_der(&held.bytes).ok()?)));
    let readable: Vec<(&Held, Certificate)> = readable.collect();
    let own = readable.iter().filter(|(_, certificate)| certificate.spki() == key.public_key().spki());
    // RFC 2985 §5.5.2: localKeyId joins a key and its certificate; of several for one key, the one that lasts longest.
    let own = own.max_by_key(|(other, certificate)| {
        (held.local_key_id.is_some() && held.local_key_id == other.local_key_id, certificate.not_after())
    });
    let Some((named, certificate)) = own else {
        return Err(Pkcs12Error::NoCertificate { certificates: certificates.len() });
    };
    let alias = held.friendly_name.clone().or_else(|| named.friendly_name.clone());
    let others = readable.iter().map(|(_, certificate)| certificate).collect::<Vec<_>>();
    Ok(Identity { alias, key, certificate: certificate.clone(), chain: chain(certificate, &others) })
}

/// Returns the certificates above one, each followed by its issuer's, as far as the file has them.
fn chain(certificate: &Certificate, certificates: &[&Certificate]) -> Vec<Certificate> {
    let mut chain: Vec<Certificate> = vec![];
    let mut current = certificate;
    while !current.is_self_issued() {
        let issues = |above: &&&Certificate| {
            above.subject() == current.issuer()
                && ***above != *certificate
                && !chain.contains(above)
                && signed(current, above)
        };
        let Some(above) = certificates.iter().find(issues) else { break };
        chain.push((**above).clone());
        current = above;
    }
    chain
}

/// Returns whether the key of the certificate above made the signature: authorities that renewed their key have one
/// name.
fn signed(certificate: &Certificate, above: &Certificate) -> bool {
    let algorithm = SignatureAlgorithm::from_algorithm_identifier(certificate.signature_algorithm());
    let (Ok(algorithm), Some(key)) = (algorithm, above.public_key()) else { return false };
    verify(key, &algorithm, Signed::Message(certificate.tbs()), &certificate.signature()).is_ok()
}
