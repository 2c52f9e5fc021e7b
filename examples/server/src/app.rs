//! What handlers share.

use crate::config::{Config, ValidationToken};
use crate::http::failure::Failure;
use crate::http::problem;
use crate::http::upload::Uploads;
use crate::oidc::Issuer;
use crate::registry::Registry;
use crate::trusted::Trusted;
use crate::workers::Workers;
use metrics_exporter_prometheus::PrometheusHandle;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What handlers share; cloned for each request.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The parts.
pub struct Inner {
    /// Receives bodies.
    pub uploads: Uploads,
    /// Runs validations.
    pub workers: Workers,
    /// Whom validations trust.
    pub trusted: Trusted,
    /// Whether validating needs a token.
    pub validation_token: ValidationToken,
    /// Whose access tokens are accepted besides our own.
    pub oidc: Option<Issuer>,
    registry: Option<Registry>,
    /// What Prometheus scrapes.
    pub metrics: PrometheusHandle,
    stopping: AtomicBool,
}

impl App {
    /// The parts as configured.
    pub fn new(config: &Config, registry: Option<Registry>, oidc: Option<Issuer>, metrics: PrometheusHandle) -> Self {
        let limits = &config.limits;
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self(Arc::new(Inner {
            uploads: Uploads {
                limit: limits.max_body,
                time: limits.upload_timeout,
                folder: limits.temp.clone().unwrap_or_else(std::env::temp_dir),
            },
            workers: Workers::new(limits.workers.unwrap_or_else(cores).get(), limits.queue),
            trusted: Trusted::default(),
            validation_token: config.validation_token,
            oidc,
            registry,
            metrics,
            stopping: AtomicBool::new(false),
        }))
    }

    /// Users, their certificates and their keys.
    ///
    /// # Errors
    ///
    /// 404 where the server has no storage and only validates.
    pub fn registry(&self) -> Result<&Registry, Failure> {
        let registry = self.0.registry.as_ref();
        registry.ok_or_else(|| Failure::of(problem::NOT_FOUND, "this server only validates: it has no storage"))
    }

    /// From now on the server is not ready, so that a load balancer sends nothing more.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
        crate::metrics::ready(false);
    }

    /// Whether the server was told to stop.
    pub fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }
}

impl std::ops::Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
