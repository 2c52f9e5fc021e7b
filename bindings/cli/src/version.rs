//! What `lacre --version` says beside the version: which implementation decides about signature values here.

use std::sync::OnceLock;

/// Returns the version and the implementations. It is asked for by each run, and made once.
pub fn long() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let rows = lacre_core::crypto::implementations().map(|(what, by)| format!("\n  {what}: {by}"));
        let rows: String = rows.collect();
        format!("{}\nSignature values are accepted by, first row that fits:{rows}", env!("CARGO_PKG_VERSION"))
    })
}
