//! From settings to a registry: which store, which master key, which authority; or all three for a demonstration.

use crate::authority::{Authority, CertificatePolicy, ResponderError, user_key};
use crate::clock;
use crate::pki;
use crate::registry::{Registry, tokens};
use crate::storage::{self, Person, StorageError, Store};
use crate::token::Token;
use clap::Args;
use lacre::{
    issuance::{Locations, Profile},
    signing::{KeyKind, SigningKey},
};
use lacre_keys::{
    KeyLocation, KeyStore, MasterKey, MasterKeyError, Pin, PinError, Pkcs11, SealError, TokenError, TokenLocation,
    unseal,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the master key may stand instead of a file.
const MASTER_KEY: &str = "LACRE_MASTER_KEY";

/// Where the PIN may stand instead of a file.
const PIN: &str = "LACRE_PKCS11_PIN";

/// What is remembered where, and who issues.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Certificates and signatures")]
pub struct Setup {
    /// Where certificates, keys, tokens and the audit log are kept: a file, or postgresql://…; without it the server
    /// only validates.
    #[arg(long, env = "LACRE_STORE", value_name = "PLACE", hide_env_values = true)]
    pub store: Option<String>,
    /// Whom PostgreSQL's certificate has to lead to, with sslmode=require (PEM).
    #[arg(long, env = "LACRE_STORE_CA", value_name = "FILE")]
    pub store_ca: Option<PathBuf>,
    /// The key under which private keys are sealed: 64 hexadecimal digits. Default: the variable LACRE_MASTER_KEY.
    #[arg(long, env = "LACRE_MASTER_KEY_FILE", value_name = "FILE")]
    pub master_key_file: Option<PathBuf>,
    /// The certificate of the authority that issues (DER or PEM).
    #[arg(long, env = "LACRE_CA_CERTIFICATE", value_name = "FILE")]
    pub ca_certificate: Option<PathBuf>,
    /// Its key, sealed under the master key.
    #[arg(long, env = "LACRE_CA_KEY", value_name = "FILE")]
    pub ca_key: Option<PathBuf>,
    /// Its key in a PKCS#11 token: the module's file, the token's label, the key's label.
    #[arg(long, env = "LACRE_CA_PKCS11", value_name = "MODULE/TOKEN/LABEL", conflicts_with = "ca_key")]
    pub ca_pkcs11: Option<KeyLocation>,
    /// The certificate of the responder to which the authority delegated OCSP. Default: the authority answers itself.
    #[arg(long, env = "LACRE_OCSP_CERTIFICATE", value_name = "FILE")]
    pub ocsp_certificate: Option<PathBuf>,
    /// The responder's key, sealed under the master key.
    #[arg(long, env = "LACRE_OCSP_KEY", value_name = "FILE", requires = "ocsp_certificate")]
    pub ocsp_key: Option<PathBuf>,
    /// The responder's key in a PKCS#11 token.
    #[arg(
        long,
        env = "LACRE_OCSP_PKCS11",
        value_name = "MODULE/TOKEN/LABEL",
        conflicts_with = "ocsp_key",
        requires = "ocsp_certificate"
    )]
    pub ocsp_pkcs11: Option<KeyLocation>,
    /// The PKCS#11 token in which users' keys are made and kept; then there are none under the master key.
    #[arg(long, env = "LACRE_PKCS11", value_name = "MODULE/TOKEN")]
    pub pkcs11: Option<TokenLocation>,
    /// The PIN of the PKCS#11 tokens: a file of one line. Default: the variable LACRE_PKCS11_PIN.
    #[arg(long, env = "LACRE_PKCS11_PIN_FILE", value_name = "FILE")]
    pub pkcs11_pin_file: Option<PathBuf>,
    /// The certificates above it, up to the root, separated by commas.
    #[arg(long, env = "LACRE_CA_CHAIN", value_name = "FILE", value_delimiter = ',')]
    pub ca_chain: Vec<PathBuf>,
    /// Where this server is reached from outside: certificates state /pki/ca.crl and /pki/ocsp there.
    #[arg(long, env = "LACRE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    #[command(flatten)]
    pub policy: Policy,
}

/// Under which terms users get certificates.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Certificates and signatures")]
pub struct Policy {
    /// The number of the certificate policy, as users see it.
    #[arg(long, env = "LACRE_POLICY_ID", value_name = "NUMBER", default_value_t = 1)]
    pub policy_id: u32,
    /// Its name.
    #[arg(long, env = "LACRE_POLICY_NAME", value_name = "TEXT", default_value = "Certificates for signatures")]
    pub policy_name: String,
    /// What it says.
    #[arg(long, env = "LACRE_POLICY_DESCRIPTION", value_name = "TEXT", default_value = "Keys are kept by the server")]
    pub policy_description: String,
    /// What certificates say: natural-person, natural-person-qualified or natural-person-qscd.
    #[arg(long, env = "LACRE_CERTIFICATE_PROFILE", value_name = "NAME", default_value_t = Profile::NaturalPerson)]
    pub certificate_profile: Profile,
    /// The kind of users' keys: ecdsa-p256, ecdsa-p384, rsa-3072 or rsa-4096.
    #[arg(long, env = "LACRE_CERTIFICATE_KEY", value_name = "NAME", default_value_t = KeyKind::P256)]
    #[arg(value_parser = users_key)]
    pub certificate_key: KeyKind,
    /// How many days a certificate is valid.
    #[arg(long, env = "LACRE_CERTIFICATE_DAYS", value_name = "DAYS", default_value_t = 365)]
    pub certificate_days: u32,
    /// How many days before its end it is renewed.
    #[arg(long, env = "LACRE_RENEWAL_DAYS", value_name = "DAYS", default_value_t = 30)]
    pub renewal_days: u32,
}

/// Reads a kind of key that this server makes for its users: one that signs hashes, with an identifier in each of its
/// interfaces.
fn users_key(name: &str) -> Result<KeyKind, String> {
    let kinds = [KeyKind::P256, KeyKind::P384, KeyKind::Rsa3072, KeyKind::Rsa4096];
    let names = || kinds.map(KeyKind::as_str).join(", ");
    kinds.into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Why there is no registry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A setting is missing.
    #[error("{0} is not set, and a store is: certificates cannot be issued")]
    Missing(&'static str),
    /// A setting makes no sense beside another.
    #[error("certificates are renewed {renewal} days before they expire, and valid for {days} days only")]
    Renewal {
        /// How long certificates are valid.
        days: u32,
        /// How long before that they are renewed.
        renewal: u32,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The master key cannot be read.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// The PIN cannot be read.
    #[error(transparent)]
    Pin(#[from] PinError),
    /// The PKCS#11 token does not open, or lacks the key.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The authority cannot be read or made.
    #[error(transparent)]
    Authority(#[from] pki::Error),
    /// The responder is not the authority's.
    #[error(transparent)]
    Responder(#[from] ResponderError),
    /// The store's keys cannot be opened.
    #[error("the store holds keys that do not open: {0}; `lacre-server keys reseal` changes the master key of all")]
    MasterKeyOfStore(SealError),
    /// The store of a demonstration holds keys of another one.
    #[error(
        "the database holds keys of an earlier demonstration, whose master key is gone: expected an empty database, or a file (--store FILE), beside which a demonstration keeps its keys"
    )]
    EarlierDemo,
    /// There is no folder for the demonstration.
    #[error("no folder for the demonstration: {0}")]
    Folder(#[from] std::io::Error),
}

impl Setup {
    /// Opens the store; `None` where the server only validates.
    pub async fn store(&self) -> Result<Option<Arc<dyn Store>>, SetupError> {
        match &self.store {
            Some(place) => Ok(Some(storage::open(place, self.store_ca.as_deref()).await?)),
            None => Ok(None),
        }
    }

    /// Opens the registry; `None` where the server only validates.
    pub async fn registry(&self) -> Result<Option<Registry>, SetupError> {
        let policy = self.policy()?;
        let Some(store) = self.store().await? else { return Ok(None) };
        let key_store: Arc<dyn KeyStore> = match &self.pkcs11 {
            Some(location) => Arc::new(Pkcs11::open(location, self.pin()?)?),
            None => {
                let master = self.master()?;
                opens(&*store, &master).await?.map_err(SetupError::MasterKeyOfStore)?;
                Arc::new(master)
            }
        };
        let certificate = self.ca_certificate.as_ref().ok_or(SetupError::Missing("LACRE_CA_CERTIFICATE"))?;
        let key = self.key(self.ca_pkcs11.as_ref(), self.ca_key.as_deref(), "LACRE_CA_KEY")?;
        let mut authority = pki::authority(certificate, key, &self.ca_chain, self.locations())?;
        if let Some(certificate) = &self.ocsp_certificate {
            let key = self.key(self.ocsp_pkcs11.as_ref(), self.ocsp_key.as_deref(), "LACRE_OCSP_KEY")?;
            authority = authority.with_responder(pki::certificate(certificate)?, key)?;
        }
        Ok(Some(Registry::new(store, key_store, Arc::new(authority), policy)))
    }

    /// Returns a key of the authority's own, in a token or sealed in a file; `setting` is what has to be set where it
    /// is in neither.
    fn key(
        &self,
        token: Option<&KeyLocation>,
        sealed: Option<&Path>,
        setting: &'static str,
    ) -> Result<Box<dyn SigningKey>, SetupError> {
        match (token, sealed) {
            (Some(location), _) => Ok(Box::new(Pkcs11::open(&location.token, self.pin()?)?.find(&location.label)?)),
            (None, Some(path)) => Ok(pki::sealed_key(path, &self.master()?)?),
            (None, None) => Err(SetupError::Missing(setting)),
        }
    }

    /// Returns the master key.
    pub fn master(&self) -> Result<MasterKey, MasterKeyError> {
        match &self.master_key_file {
            Some(path) => MasterKey::from_file(path),
            None => MasterKey::from_environment(MASTER_KEY),
        }
    }

    fn pin(&self) -> Result<Pin, PinError> {
        match &self.pkcs11_pin_file {
            Some(path) => Pin::from_file(path),
            None => Pin::from_environment(PIN),
        }
    }

    fn policy(&self) -> Result<CertificatePolicy, SetupError> {
        let Policy { certificate_days: days, renewal_days: renewal, .. } = self.policy;
        if renewal >= days {
            return Err(SetupError::Renewal { days, renewal });
        }
        Ok(CertificatePolicy {
            id: self.policy.policy_id,
            name: self.policy.policy_name.clone(),
            description: self.policy.policy_description.clone(),
            profile: self.policy.certificate_profile,
            key: self.policy.certificate_key,
            days,
            renewal_days: renewal,
        })
    }

    fn locations(&self) -> Locations {
        let at = |path: &str| self.public_url.as_ref().map(|url| format!("{}{path}", url.trim_end_matches('/')));
        Locations { issuer: at("/pki/ca.cer"), ocsp: at("/pki/ocsp"), crl: at("/pki/ca.crl"), disclosure: vec![] }
    }
}

/// Checks that the keys in the store were sealed under this master key: asked of the first of them.
async fn opens(store: &dyn Store, master: &MasterKey) -> Result<Result<(), SealError>, StorageError> {
    let first = store.stored_keys(None, 1).await?;
    Ok(match first.first().map(|(key, stored)| unseal(stored, master, &user_key(*key))) {
        Some(Err(error @ SealError::MasterKey { .. })) => Err(error),
        // A key in a token is none of the master key's; a damaged one concerns its user.
        _ => Ok(()),
    })
}

/// A demonstration: its keys and authority are beside its store where that is a file, else gone with this value.
pub struct Demo {
    /// Its registry.
    pub registry: Registry,
    /// A token of its one user.
    pub token: Token,
    /// Its files, where they are not beside its store.
    pub folder: Option<tempfile::TempDir>,
}

impl Demo {
    /// Makes one, or goes on with the one whose store was set.
    pub async fn new(setup: &Setup) -> Result<Self, SetupError> {
        let temporary = || tempfile::Builder::new().prefix("lacre-demo-").tempdir();
        let (folder, files) = match &setup.store {
            Some(place) if !storage::is_remote(place) => (None, PathBuf::from(format!("{place}.demo"))),
            _ => {
                let folder = temporary()?;
                let files = folder.path().to_owned();
                (Some(folder), files)
            }
        };
        let now = clock::now();
        let (master, authority): (MasterKey, Authority) = pki::demo(&files, setup.locations(), now)?;
        let store = match setup.store().await? {
            Some(store) => store,
            None => storage::open(&files.join("store.redb").to_string_lossy(), None).await?,
        };
        opens(&*store, &master).await?.map_err(|_| SetupError::EarlierDemo)?;
        let token = tokens::issue(&*store, person(), None, now).await?;
        let registry = Registry::new(store, Arc::new(master), Arc::new(authority), pki::demo_policy());
        Ok(Self { registry, token, folder })
    }
}

fn person() -> Person {
    Person {
        user: "demo".parse().expect("four letters are a user's name"),
        country: "EE".into(),
        given_name: "Mari".into(),
        surname: "Maasikas".into(),
        serial_number: "PNOEE-47101010033".into(),
    }
}
