//! What an operator says: a flag, else its `LACRE_*` variable, else the default.

use crate::oidc::{Issuer, Keys};
use crate::setup::Setup;
use clap::{ArgMatches, Args, Command};
use lacre::signing::DigestAlgorithm;
use lacre_fetch::Addresses;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that can be set.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Where to listen for plain HTTP; TLS is the proxy's.
    #[arg(long, env = "LACRE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Where to serve /metrics, besides /healthz and /readyz. Default: with everything else.
    #[arg(long, env = "LACRE_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// Try it out: a new embedded store, certification authority and token, all of it gone when the server stops; with
    /// --store FILE it stays, its keys in the folder FILE.demo.
    #[arg(long)]
    pub demo: bool,
    #[command(flatten)]
    pub trust: Trust,
    #[command(flatten)]
    pub setup: Setup,
    #[command(flatten)]
    pub oidc: Oidc,
    #[command(flatten)]
    pub augmentation: Augmentation,
    #[command(flatten)]
    pub network: Network,
    #[command(flatten)]
    pub limits: Limits,
    /// Whether validating needs an access token as signing does.
    #[arg(long, env = "LACRE_VALIDATION_TOKEN", value_enum, default_value_t = ValidationToken::Open)]
    pub validation_token: ValidationToken,
    /// What is logged: error, warn, info, debug, or a filter as in `info,lacre_server=debug`.
    #[arg(long, env = "LACRE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
}

/// Whom the judgement trusts, and by which rules it judges.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Validation")]
pub struct Trust {
    /// Certificates to trust (DER or PEM), separated by commas.
    #[arg(long, env = "LACRE_TRUST_ANCHORS", value_name = "FILE", value_delimiter = ',')]
    pub trust_anchor: Vec<PathBuf>,
    /// Trusted lists: a snapshot, as `lacre lists pack` writes it, or a folder, as `lacre lists update` keeps it.
    #[arg(long, env = "LACRE_TRUSTED_LISTS", value_name = "PLACE")]
    pub trusted_lists: Option<PathBuf>,
    /// Certificates that may sign the list of lists in a folder, separated by commas. Default: those announced in the
    /// Official Journal.
    #[arg(long, env = "LACRE_LOTL_SIGNERS", value_name = "FILE", value_delimiter = ',')]
    pub lotl_signer: Vec<PathBuf>,
    /// Take lists from a snapshot only that was signed with one of these certificates, separated by commas.
    #[arg(long, env = "LACRE_PACKED_BY", value_name = "FILE", value_delimiter = ',', requires = "trusted_lists")]
    pub packed_by: Vec<PathBuf>,
    /// How many hours after it was fetched the list of lists is too old for the server to be ready.
    #[arg(long, env = "LACRE_LISTS_MAX_AGE", value_name = "HOURS", default_value = "168", value_parser = hours)]
    pub lists_max_age: Duration,
    /// How often the files are looked at: those that changed are loaded again.
    #[arg(long, env = "LACRE_TRUST_REFRESH", value_name = "SECONDS", default_value = "300", value_parser = interval)]
    pub trust_refresh: Duration,
    /// Certificates, CRLs and OCSP responses that uploaded files may lack, separated by commas.
    #[arg(long, env = "LACRE_EVIDENCE", value_name = "FILE", value_delimiter = ',')]
    pub evidence: Vec<PathBuf>,
    /// A validation policy (a DSS constraint file) in place of the built-in one.
    #[arg(long, env = "LACRE_POLICY", value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Cryptographic suites (TS 119 322) in place of the policy's.
    #[arg(long, env = "LACRE_CRYPTO_SUITE", value_name = "FILE")]
    pub crypto_suite: Option<PathBuf>,
}

/// Whose access tokens are accepted besides those of `lacre-server token issue`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "OpenID Connect")]
pub struct Oidc {
    /// The issuer, as tokens state it in `iss`.
    #[arg(long, env = "LACRE_OIDC_ISSUER", value_name = "NAME", requires_all = ["oidc_audience", "oidc_jwks"])]
    pub oidc_issuer: Option<String>,
    /// This server, as tokens state it in `aud`.
    #[arg(long, env = "LACRE_OIDC_AUDIENCE", value_name = "NAME")]
    pub oidc_audience: Option<String>,
    /// Where the issuer's key set is fetched.
    #[arg(long, env = "LACRE_OIDC_JWKS", value_name = "URL")]
    pub oidc_jwks: Option<String>,
    /// The country of users whose tokens do not state it in `address` (ISO 3166-1 alpha-2).
    #[arg(long, env = "LACRE_OIDC_COUNTRY", value_name = "CODE", default_value = "EU")]
    pub oidc_country: String,
}

impl Oidc {
    /// Returns the issuer, at one of these addresses; `None` where there is none.
    pub fn issuer(&self, addresses: &Addresses) -> Option<Issuer> {
        let (Some(name), Some(audience), Some(url)) = (&self.oidc_issuer, &self.oidc_audience, &self.oidc_jwks) else {
            return None;
        };
        Some(Issuer {
            name: name.clone(),
            audience: audience.clone(),
            country: self.oidc_country.clone(),
            keys: Keys::at(url.clone(), addresses.clone()),
        })
    }
}

/// With what documents are signed and extended above level B.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Signing and extending")]
pub struct Augmentation {
    /// The addresses of time-stamping authorities (RFC 3161), separated by commas: asked in their order, until one answers.
    #[arg(long, env = "LACRE_TSA", value_name = "URL", value_delimiter = ',')]
    pub tsa: Vec<String>,
    /// A file with the name and the password by which they know this server: one line, NAME:PASSWORD. They are sent over TLS
    /// only.
    #[arg(long, env = "LACRE_TSA_LOGIN_FILE", value_name = "FILE", requires = "tsa")]
    pub tsa_login_file: Option<PathBuf>,
    /// The policy under which they are to stamp, an object identifier. Default: their own choice.
    #[arg(long, env = "LACRE_TSA_POLICY", value_name = "OID", requires = "tsa")]
    pub tsa_policy: Option<String>,
    /// The digest function of time-stamps.
    #[arg(long, env = "LACRE_TSA_DIGEST", value_name = "NAME", default_value = "SHA-256", value_parser = digest)]
    pub tsa_digest: DigestAlgorithm,
    /// Fetch what extended documents lack from where their certificates say: issuers, OCSP responses and CRLs. Otherwise the
    /// caller has to hand it in.
    #[arg(long, env = "LACRE_FETCH_EVIDENCE")]
    pub fetch_evidence: bool,
}

/// Which addresses may be asked for anything.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Network")]
pub struct Network {
    /// Private addresses that may be asked, as in `10.1.2.3` or `127.0.0.1:8081`, separated by commas. Default: none.
    #[arg(long, env = "LACRE_FETCH_ALLOW", value_name = "ADDRESS", value_delimiter = ',')]
    pub fetch_allow: Vec<String>,
}

impl Network {
    /// Returns the addresses: every public one, and those that are allowed besides.
    ///
    /// # Errors
    ///
    /// When an allowed address is none.
    pub fn addresses(&self) -> Result<Addresses, String> {
        self.fetch_allow.iter().try_fold(Addresses::public(), |addresses, text| {
            addresses.and(text).ok_or_else(|| format!("{text}: expected an address as in 127.0.0.1:8081"))
        })
    }
}

fn digest(name: &str) -> Result<DigestAlgorithm, String> {
    DigestAlgorithm::from_name(name).ok_or_else(|| "expected SHA-256, SHA-384 or SHA-512".to_owned())
}

/// What requests may cost.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// The longest file, in bytes.
    #[arg(long, env = "LACRE_MAX_BODY", value_name = "BYTES", default_value_t = 50_000_000)]
    pub max_body: u64,
    /// How long a request's body may take to arrive.
    #[arg(long, env = "LACRE_UPLOAD_TIMEOUT", value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub upload_timeout: Duration,
    /// How long a request's head may take to arrive.
    #[arg(long, env = "LACRE_HEADER_TIMEOUT", value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub header_timeout: Duration,
    /// Validations at once. Default: one a core.
    #[arg(long, env = "LACRE_WORKERS", value_name = "NUMBER")]
    pub workers: Option<NonZeroUsize>,
    /// Validations that wait for a worker; more are answered 503.
    #[arg(long, env = "LACRE_QUEUE", value_name = "NUMBER", default_value_t = 64)]
    pub queue: usize,
    /// Connections at once; more wait to be accepted.
    #[arg(long, env = "LACRE_CONNECTIONS", value_name = "NUMBER", default_value_t = 1024)]
    pub connections: usize,
    /// How long a server that is told to stop (SIGTERM) still takes connections while /readyz answers 503, so that whoever
    /// distributes requests hears of it first.
    #[arg(long, env = "LACRE_DRAIN", value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    pub drain: Duration,
    /// How long a stopping server lets requests finish.
    #[arg(long, env = "LACRE_SHUTDOWN_GRACE", value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    pub shutdown_grace: Duration,
    /// Where large uploads are kept while they are judged. Default: the system's folder for temporary files.
    #[arg(long, env = "LACRE_TEMP", value_name = "FOLDER")]
    pub temp: Option<PathBuf>,
}

/// Whether validating needs an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ValidationToken {
    /// Anybody may validate.
    Open,
    /// Only holders of a token.
    Required,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| format!("found `{text}`, expected a number of seconds"))?;
    Ok(Duration::from_secs(seconds))
}

/// Reads an interval, which is not zero: that would be all the time.
fn interval(text: &str) -> Result<Duration, String> {
    seconds(text).and_then(|time| if time.is_zero() { Err("expected at least 1 second".to_owned()) } else { Ok(time) })
}

fn hours(text: &str) -> Result<Duration, String> {
    let hours: u64 = text.parse().map_err(|_| format!("found `{text}`, expected a number of hours"))?;
    Ok(Duration::from_secs(hours.saturating_mul(3600)))
}

/// Returns the settings in force as `NAME=value` lines; values of secrets are left out.
pub fn print(command: &Command, matches: &ArgMatches) -> String {
    let mut lines = String::new();
    for argument in command.get_arguments() {
        let Some(name) = argument.get_env() else { continue };
        let values = matches.get_raw(argument.get_id().as_str()).unwrap_or_default();
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        let value = match argument.is_hide_env_values_set() && !values.is_empty() {
            true => "(not shown)".to_owned(),
            false => values.join(","),
        };
        lines.push_str(&format!("{}={value}\n", name.to_string_lossy()));
    }
    lines
}
