//! From settings to a registry: which store, which master key, which authority; or all three for a demonstration.

use crate::authority::{Authority, CertificatePolicy};
use crate::clock;
use crate::pki;
use crate::registry::{Registry, tokens};
use crate::storage::{self, Person, StorageError, Store};
use crate::token::Token;
use clap::Args;
use lacre::crypto::KeyKind;
use lacre::issuance::{Locations, Profile};
use lacre_keys::{MasterKey, MasterKeyError};
use std::path::PathBuf;
use std::sync::Arc;

/// Where the master key may stand instead of a file.
const MASTER_KEY: &str = "LACRE_MASTER_KEY";

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
    pub certificate_key: KeyKind,
    /// How many days a certificate is valid.
    #[arg(long, env = "LACRE_CERTIFICATE_DAYS", value_name = "DAYS", default_value_t = 365)]
    pub certificate_days: u32,
    /// How many days before its end it is renewed.
    #[arg(long, env = "LACRE_RENEWAL_DAYS", value_name = "DAYS", default_value_t = 30)]
    pub renewal_days: u32,
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
    /// The authority cannot be read or made.
    #[error(transparent)]
    Authority(#[from] pki::Error),
    /// There is no folder for the demonstration.
    #[error("no folder for the demonstration: {0}")]
    Folder(#[from] std::io::Error),
}

impl Setup {
    /// The store; `None` where the server only validates.
    pub async fn store(&self) -> Result<Option<Arc<dyn Store>>, SetupError> {
        match &self.store {
            Some(place) => Ok(Some(storage::open(place, self.store_ca.as_deref()).await?)),
            None => Ok(None),
        }
    }

    /// The registry; `None` where the server only validates.
    pub async fn registry(&self) -> Result<Option<Registry>, SetupError> {
        let policy = self.policy()?;
        let Some(store) = self.store().await? else { return Ok(None) };
        let master = match &self.master_key_file {
            Some(path) => MasterKey::from_file(path)?,
            None => MasterKey::from_environment(MASTER_KEY)?,
        };
        let certificate = self.ca_certificate.as_ref().ok_or(SetupError::Missing("LACRE_CA_CERTIFICATE"))?;
        let key = self.ca_key.as_ref().ok_or(SetupError::Missing("LACRE_CA_KEY"))?;
        let key = pki::sealed_key(key, &master)?;
        let authority = pki::authority(certificate, key, &self.ca_chain, self.locations())?;
        Ok(Some(Registry::new(store, Arc::new(master), Arc::new(authority), policy)))
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

/// A demonstration: everything new, and gone with this value.
pub struct Demo {
    /// Its registry, embedded.
    pub registry: Registry,
    /// A token of its one user.
    pub token: Token,
    /// Its files.
    pub folder: tempfile::TempDir,
}

impl Demo {
    /// Makes one. A store that was set is used in place of the embedded one.
    pub async fn new(setup: &Setup) -> Result<Self, SetupError> {
        let folder = tempfile::Builder::new().prefix("lacre-demo-").tempdir()?;
        let now = clock::now();
        let (master, authority): (MasterKey, Authority) = pki::demo(folder.path(), setup.locations(), now)?;
        let store = match setup.store().await? {
            Some(store) => store,
            None => storage::open(&folder.path().join("store.redb").to_string_lossy(), None).await?,
        };
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
