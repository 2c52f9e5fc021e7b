//! Structured logs on standard error: one JSON object a line, without names and contents.

use tracing_subscriber::EnvFilter;

/// Begins to log what the filter lets through (`info`, `lacre_server=debug`); once a process.
pub fn install(filter: EnvFilter) {
    tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter).with_writer(std::io::stderr).init();
    // A panic's message may quote what was being read; its place does not.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panic");
    }));
}
