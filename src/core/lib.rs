//! The rooms of lacre: bytes become facts, facts are judged, verdicts become reports.
//!
//! **Unstable.** Everything here may change with each version. Programs use the crate `lacre`, which exports from here
//! what an embedder needs; lacre's own bindings, tests and benches look further inside. The rooms, and which may use
//! which, are drawn in `docs/architecture.md` and held by `tests/layering.rs`.
//!
//! [`Validator::facts`] reads the document, verifies signature values and digests, builds certificate chains, and ends
//! in one immutable record, [`facts::Facts`]. [`judge`] is a pure function of facts, policy and time: EN 319 102-1, then
//! TS 119 615. A [`Report`] is facts and verdicts, written down.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::use_debug))]
#![warn(missing_docs)]

pub mod algorithm;
pub mod asn1;
#[cfg(feature = "signing")]
pub mod augmentation;
pub mod budget;
pub mod bundle;
pub mod collect;
mod confusable;
pub mod crypto;
pub mod document;
mod executor;
pub mod facts;
pub mod formats;
mod hashed;
mod hex;
mod inflate;
#[cfg(feature = "signing")]
pub mod issuance;
mod normalization;
mod order;
#[cfg(feature = "signing")]
mod output;
pub mod policy;
pub mod qualification;
pub mod report;
#[cfg(feature = "signing")]
pub mod signing;
pub mod time;
#[cfg(feature = "trusted-lists")]
pub mod trust;
#[cfg(any(feature = "report", feature = "visible-signatures"))]
mod typeface;
pub mod uri;
pub mod validation;
mod validator;
pub mod vocabulary;
pub mod x509;
mod xml_reader;

pub use bundle::Bundle;
pub use collect::Cache;
pub use document::Document;
pub use executor::{Executor, Sequential};
pub use policy::Policy;
pub use report::{CertificateReport, Report};
pub use validator::{
    Binding, Error, Validator, Website, judge, judge_certificate, judge_certificate_within, judge_within,
};
