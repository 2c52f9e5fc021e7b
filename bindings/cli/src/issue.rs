//! `lacre issue`: certificates, revocation lists, OCSP responses, time-stamps.

pub mod key;
mod status;
mod subject;

pub use key::{Key, Secrets};

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input;
use clap::Subcommand;
use lacre::{
    Time,
    issuance::{
        Certificate, CertificateRequest, Issuer, Locations, OcspResponder, OcspUpdate, Profile, RevocationList,
        TimestampUnit, Validity,
    },
};
use std::path::{Path, PathBuf};

/// Issues certificates, revocation lists, OCSP responses, time-stamps.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    secrets: Secrets,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A root authority's certificate, which signs itself.
    Root(Root),
    /// An issuing authority's certificate.
    Ca(End),
    /// A person's certificate; with --profile, also a responder's or a time-stamping unit's.
    User(User),
    /// A certificate revocation list.
    Crl(Crl),
    /// The response to an OCSP request.
    Ocsp(Ocsp),
    /// The response to a time-stamp request.
    Timestamp(Timestamp),
}

/// Where to write, and what is published where.
#[derive(Debug, clap::Args)]
struct Common {
    /// Where to write it, in DER.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The moment of issue. Default: now.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
}

impl Common {
    fn now(&self) -> Time {
        self.at.unwrap_or_else(input::now)
    }

    fn write(&self, bytes: &[u8]) -> Result<ExitStatus, CliError> {
        std::fs::write(&self.output, bytes).map_err(|e| CliError::new(self.output.display(), &e))?;
        Ok(ExitStatus::Passed)
    }
}

/// Where an issuer publishes.
#[derive(Debug, clap::Args)]
struct Published {
    /// Where the issuer's certificate is published.
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// The issuer's OCSP responder.
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,
    /// The issuer's revocation list.
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,
    /// The disclosure statement of qualified certificates, in English.
    #[arg(long, value_name = "URL")]
    disclosure_url: Option<String>,
}

impl Published {
    fn locations(&self) -> Locations {
        Locations {
            issuer: self.issuer_url.clone(),
            ocsp: self.ocsp_url.clone(),
            crl: self.crl_url.clone(),
            disclosure: self.disclosure_url.iter().map(|url| ("en".to_owned(), url.clone())).collect(),
        }
    }
}

/// Who issues.
#[derive(Debug, clap::Args)]
struct IssuerArguments {
    /// The issuer's certificate.
    #[arg(long, value_name = "CERT")]
    issuer: PathBuf,
    #[command(flatten)]
    key: key::IssuerKey,
}

impl IssuerArguments {
    fn with<T>(
        &self,
        secrets: &Secrets,
        locations: Locations,
        work: impl FnOnce(&Issuer<'_>) -> Result<T, lacre::issuance::Error>,
    ) -> Result<T, CliError> {
        let key = self.key.open(secrets)?;
        let cli_error = |e: lacre::issuance::Error| CliError::new(self.issuer.display(), &e);
        let issuer = Issuer::new(certificate(&self.issuer)?, &*key, locations).map_err(cli_error)?;
        work(&issuer).map_err(cli_error)
    }
}

#[derive(Debug, clap::Args)]
struct Root {
    #[command(flatten)]
    subject: subject::Legal,
    #[command(flatten)]
    key: Key,
    /// How many days it is valid.
    #[arg(long, default_value_t = 7300)]
    days: u32,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct End {
    #[command(flatten)]
    issuer: IssuerArguments,
    #[command(flatten)]
    subject: subject::Legal,
    #[command(flatten)]
    key: Key,
    /// How many days it is valid.
    #[arg(long, default_value_t = 3650)]
    days: u32,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct User {
    #[command(flatten)]
    issuer: IssuerArguments,
    /// What it is for: natural-person, natural-person-qualified, natural-person-qscd, legal-person,
    /// legal-person-qualified, legal-person-qscd, ocsp-responder or timestamp-unit.
    #[arg(long, default_value_t = Profile::NaturalPerson)]
    profile: Profile,
    #[command(flatten)]
    subject: subject::Any,
    /// A PKCS#10 request, which proves that the person holds the key.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "pkcs11", "new_key"])]
    request: Option<PathBuf>,
    #[command(flatten)]
    key: key::Optional,
    /// How many days it is valid.
    #[arg(long, default_value_t = 1095)]
    days: u32,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Crl {
    #[command(flatten)]
    issuer: IssuerArguments,
    /// Its number, greater than that of every list before.
    #[arg(long)]
    number: u64,
    /// In how many days the next one is there.
    #[arg(long, default_value_t = 7)]
    days: u32,
    #[command(flatten)]
    status: status::Arguments,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Ocsp {
    /// The certificate of the authority that issued what is asked about.
    #[arg(long, value_name = "CERT")]
    authority: PathBuf,
    #[command(flatten)]
    issuer: IssuerArguments,
    /// The request.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    /// In how many days newer information is there.
    #[arg(long, default_value_t = 1)]
    days: u32,
    #[command(flatten)]
    status: status::Arguments,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Timestamp {
    #[command(flatten)]
    issuer: IssuerArguments,
    /// The request.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    #[command(flatten)]
    common: Common,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let secrets = &arguments.secrets;
    match &arguments.what {
        What::Root(root) => issue_root(root, secrets),
        What::Ca(authority) => {
            let key = authority.key.open(secrets)?;
            let validity = Validity::days(authority.common.now(), authority.days);
            let issued = authority.issuer.with(secrets, authority.published.locations(), |issuer| {
                let (profile, subject) = (Profile::IssuingAuthority, authority.subject.subject());
                issuer.issue(profile, &subject, key.public_key(), validity, &mut key::randomness())
            })?;
            authority.common.write(issued.der())
        }
        What::User(user) => issue_user(user, secrets),
        What::Crl(crl) => {
            let (revoked, this_update) = (crl.status.revoked()?, crl.common.now());
            let next_update = Validity::days(this_update, crl.days).to;
            let list = RevocationList { number: crl.number, this_update, next_update, revoked: &revoked };
            let issued = crl
                .issuer
                .with(secrets, Locations::default(), |issuer| issuer.revocation_list(&list, &mut key::randomness()))?;
            crl.common.write(&issued)
        }
        What::Ocsp(ocsp) => respond(ocsp, secrets),
        What::Timestamp(timestamp) => {
            let request = input::open(&timestamp.request)?;
            let key = timestamp.issuer.key.open(secrets)?;
            let cli_error = |e: lacre::issuance::Error| CliError::new(timestamp.issuer.issuer.display(), &e);
            let unit = certificate(&timestamp.issuer.issuer)?;
            let unit = TimestampUnit::new(Issuer::new(unit, &*key, Locations::default()).map_err(cli_error)?);
            let response = unit.respond(&request, timestamp.common.now(), &mut key::randomness()).map_err(cli_error)?;
            timestamp.common.write(&response)
        }
    }
}

fn issue_root(root: &Root, secrets: &Secrets) -> Result<ExitStatus, CliError> {
    let key = root.key.open(secrets)?;
    let validity = Validity::days(root.common.now(), root.days);
    let issuer =
        Issuer::root(&root.subject.subject(), &*key, validity, root.published.locations(), &mut key::randomness())
            .map_err(|e| CliError::new("the root certificate", &e))?;
    root.common.write(issuer.certificate().der())
}

fn issue_user(user: &User, secrets: &Secrets) -> Result<ExitStatus, CliError> {
    if user.profile.is_authority() {
        let hint = "`lacre issue root` and `lacre issue ca` issue to authorities";
        return Err(CliError::plain(format!("the profile {} is not for users", user.profile)).hint(Some(hint)));
    }
    let subject = user.subject.subject(user.profile)?;
    let validity = Validity::days(user.common.now(), user.days);
    let request = match &user.request {
        Some(path) => {
            let bytes = input::open(path)?;
            let request = CertificateRequest::from_der(&lacre::decode_pem(&bytes));
            Some(request.map_err(|e| CliError::new(path.display(), &e))?)
        }
        None => None,
    };
    let public = match &request {
        Some(request) => request.public_key().clone(),
        None => user.key.open(secrets)?.public_key().clone(),
    };
    let issued = user.issuer.with(secrets, user.published.locations(), |issuer| {
        issuer.issue(user.profile, &subject, &public, validity, &mut key::randomness())
    })?;
    user.common.write(issued.der())
}

fn respond(ocsp: &Ocsp, secrets: &Secrets) -> Result<ExitStatus, CliError> {
    let (revoked, this_update) = (ocsp.status.revoked()?, ocsp.common.now());
    let request = input::open(&ocsp.request)?;
    let key = ocsp.issuer.key.open(secrets)?;
    let cli_error = |e: lacre::issuance::Error| CliError::new(ocsp.issuer.issuer.display(), &e);
    let signer = Issuer::new(certificate(&ocsp.issuer.issuer)?, &*key, Locations::default()).map_err(cli_error)?;
    let responder = OcspResponder::new(certificate(&ocsp.authority)?, signer);
    let update = OcspUpdate { this_update, next_update: Validity::days(this_update, ocsp.days).to };
    let status = |serial: &[u8]| status::of(serial, &revoked);
    let response = responder.respond(&request, &status, update, &mut key::randomness()).map_err(cli_error)?;
    ocsp.common.write(&response)
}

/// Reads a certificate, DER or PEM.
fn certificate(path: &Path) -> Result<Certificate, CliError> {
    let bytes = input::open(path)?;
    Certificate::from_der(&lacre::decode_pem(&bytes)).map_err(|e| CliError::new(path.display(), &e))
}
