//! The state that handlers share.

use crate::config::{Config, ValidationToken};
use crate::fetching::Fetching;
use crate::http::failure::Failure;
use crate::http::problem;
use crate::http::upload::Uploads;
use crate::local_issuer::{self, LocalIssuer};
use crate::oidc::Issuer;
use crate::registry::Registry;
use crate::trusted::Trusted;
use crate::workers::Workers;
use lacre::{Time, Validator};
use metrics_exporter_prometheus::PrometheusHandle;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state that handlers share.
pub struct App {
    /// Receives bodies.
    pub uploads: Uploads,
    /// Runs validations.
    pub workers: Workers,
    /// Holds the validator, once its trust anchors and lists are loaded.
    pub trusted: Trusted,
    /// Whether validating needs a token.
    pub validation_token: ValidationToken,
    /// The OpenID Connect issuer whose access tokens are accepted besides our own.
    pub oidc: Option<Issuer>,
    /// Asks for time-stamps and evidence.
    pub fetching: Fetching,
    registry: Option<Registry>,
    local_issuer: LocalIssuer,
    /// What Prometheus scrapes.
    pub metrics: PrometheusHandle,
    stopping: AtomicBool,
}

impl App {
    /// Returns the state as configured.
    pub fn new(
        config: &Config,
        registry: Option<Registry>,
        oidc: Option<Issuer>,
        fetching: Fetching,
        metrics: PrometheusHandle,
    ) -> Arc<Self> {
        let limits = &config.limits;
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Arc::new(Self {
            uploads: Uploads {
                limit: limits.max_body,
                time: limits.upload_timeout,
                folder: limits.temp.clone().unwrap_or_else(std::env::temp_dir),
            },
            workers: Workers::new(limits.workers.unwrap_or_else(cores).get(), limits.queue),
            trusted: Trusted::new(config.trust.lists_max_age),
            validation_token: config.validation_token,
            oidc,
            fetching,
            registry,
            local_issuer: LocalIssuer::default(),
            metrics,
            stopping: AtomicBool::new(false),
        })
    }

    /// Users, their certificates and their keys.
    ///
    /// # Errors
    ///
    /// 404 where the server has no storage and only validates.
    pub fn registry(&self) -> Result<&Registry, Failure> {
        let registry = self.registry.as_ref();
        registry.ok_or_else(|| Failure::of(problem::NOT_FOUND, "this server only validates: it has no storage"))
    }

    /// Returns the validator, with the chain and revocation list of the server's own authority.
    ///
    /// # Errors
    ///
    /// 503 until the trust anchors and lists are loaded.
    pub async fn validator(&self, now: Time) -> Result<Arc<Validator>, Failure> {
        let validator = self.trusted.validator()?;
        match &self.registry {
            Some(registry) => Ok(self.local_issuer.validator(registry, validator, now).await),
            None => Ok(validator),
        }
    }

    /// Returns the certificates of the server's own authority and its revocation list as of now, where that is not too
    /// long to be handed to a judgement.
    pub async fn own_evidence(&self, now: Time) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
        let Some(registry) = &self.registry else { return (vec![], None) };
        let authority = registry.authority();
        let chain = std::iter::once(authority.certificate()).chain(authority.chain());
        let list = registry.revocation_list(now).await;
        let list = list.inspect_err(|error| tracing::warn!(%error, "extending without the authority's own list"));
        let short = |list: &Vec<u8>| list.len() <= local_issuer::MOST;
        (chain.map(|certificate| certificate.der().to_vec()).collect(), list.ok().filter(short))
    }

    /// Checks that requests should come here: the trusted lists are loaded and recent, the storage answers, and the
    /// server is not stopping.
    ///
    /// # Errors
    ///
    /// 503 where not, with the reason.
    pub async fn ready(&self, now: Time) -> Result<(), Failure> {
        let found = self.readiness(now).await;
        crate::metrics::ready(found.is_ok());
        found
    }

    async fn readiness(&self, now: Time) -> Result<(), Failure> {
        let not_ready = |reason: &str| Failure::of(problem::NOT_READY, reason);
        if self.is_stopping() {
            return Err(not_ready("the server is stopping"));
        }
        self.trusted.ready(now)?;
        let Some(registry) = &self.registry else { return Ok(()) };
        registry.ready().await.map_err(|error| {
            tracing::error!(%error, "not ready");
            not_ready("the storage does not answer")
        })
    }

    /// Makes the server not ready, so that a load balancer sends nothing more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        crate::metrics::ready(false);
    }

    /// Returns whether the server is stopping.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
