//! Starts, serves, stops.

use crate::app::App;
use crate::config::{Config, Limits};
use crate::fetching::Fetching;
use crate::setup::Demo;
use crate::{clock, metrics, routes};
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt as _;
use tower_http::normalize_path::NormalizePath;

/// Who signed the documents in examples/documents: trusted by demonstrations.
const EXAMPLES: &[u8] = include_bytes!("../../documents/root.der");

/// How often measurements are folded together, which keeps them small.
const UPKEEP: Duration = Duration::from_secs(5);

/// Serves until the process is told to stop (SIGTERM, SIGINT), then lets requests finish.
///
/// # Errors
///
/// When the server cannot start.
pub async fn serve(config: &Config) -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let measured = match config.metrics_listen {
        Some(address) => Some(TcpListener::bind(address).await?),
        None => None,
    };
    let (registry, _folder) = match config.demo {
        true => {
            let Demo { registry, token, folder } = Demo::new(&config.setup).await?;
            println!("export SERVER=http://{address} TOKEN={}", token.text());
            (Some(registry), folder)
        }
        false => (config.setup.registry().await?, None),
    };
    let mut anchors = vec![];
    if let Some(registry) = registry.as_ref().filter(|_| config.demo) {
        anchors.push(registry.authority().certificate().der().to_vec());
        anchors.push(EXAMPLES.to_vec());
    }
    let addresses = config.network.addresses()?;
    let fetching = Fetching::new(&config.augmentation, addresses.clone())?;
    let app = App::new(config, registry, config.oidc.issuer(&addresses), fetching, metrics::install()?);
    let metrics_address =
        measured.as_ref().and_then(|listener| listener.local_addr().ok()).map(|address| address.to_string());
    tracing::info!(%address, metrics_address, version = env!("CARGO_PKG_VERSION"), "listening");

    let (loading, trust) = (Arc::clone(&app), config.trust.clone());
    tokio::spawn(async move { loading.trusted.keep(&trust, &anchors).await });
    tokio::spawn(upkeep(Arc::clone(&app)));
    let (stop, stopping) = watch::channel(false);
    let mut table = routes::table();
    match measured {
        Some(listener) => {
            let service = routes::surrounded(routes::measured(), Arc::clone(&app));
            tokio::spawn(accept(listener, service, config.limits.clone(), stopping.clone()));
        }
        None => table = table.merge(routes::metrics()),
    }
    let service = routes::surrounded(table, Arc::clone(&app));
    let served = tokio::spawn(accept(listener, service, config.limits.clone(), stopping));

    let told = told_to_stop().await?;
    tracing::info!("stopping");
    app.stop();
    if told == Told::Terminate {
        // Who is told again, or by hand, does not wait.
        let _ = tokio::time::timeout(config.limits.drain, told_to_stop()).await;
    }
    let _ = stop.send(true);
    served.await?;
    tracing::info!("stopped");
    Ok(())
}

async fn upkeep(app: Arc<App>) {
    loop {
        let now = clock::now();
        app.metrics.run_upkeep();
        app.trusted.measure(now);
        // Who is not ready says so when asked; here it is measured.
        let _ = app.ready(now).await;
        tokio::time::sleep(UPKEEP).await;
    }
}

/// By what the server was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// By SIGTERM: whoever runs it takes it out of service.
    Terminate,
    /// By SIGINT: somebody at a terminal.
    Interrupt,
}

async fn told_to_stop() -> std::io::Result<Told> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(tokio::select! {
        _ = terminate.recv() => Told::Terminate,
        _ = interrupt.recv() => Told::Interrupt,
    })
}

/// Accepts connections until told to stop, then waits for those that are busy.
async fn accept(
    listener: TcpListener,
    service: NormalizePath<Router>,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { break };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of descriptors, mostly: connections that end make room.
                    tracing::warn!(%error, "could not accept");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            _ = stopping.changed() => break,
        };
        let (service, stopping) = (service.clone(), stopping.clone());
        let header_timeout = limits.header_timeout;
        tokio::spawn(async move {
            connection(stream, service, header_timeout, stopping).await;
            drop(place);
        });
    }
    drop(listener);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if tokio::time::timeout(limits.shutdown_grace, places.acquire_many(all)).await.is_err() {
        tracing::warn!("requests were cut off at the end of the grace period");
    }
}

async fn connection(
    stream: TcpStream,
    service: NormalizePath<Router>,
    header_timeout: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    // Answers are one write each: waiting for more to send only delays them.
    let _ = stream.set_nodelay(true);
    let service = service.map_request(|request: Request<Incoming>| request.map(axum::body::Body::new));
    let service = service.map_err(|never: Infallible| never);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::pin!(connection);
    tokio::select! {
        // What goes wrong here is the other side's: it hung up, or does not speak HTTP.
        _ = connection.as_mut() => return,
        _ = stopping.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
