//! lacre validates European electronic signatures: bytes in, a verdict that anyone can check out.
//!
//! ```
//! use lacre::{Document, Policy, Validator};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let root = std::fs::read("examples/documents/root.der")?;
//! let contract = std::fs::read("examples/documents/contract.pdf")?;
//!
//! let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
//! let report = validator.validate(&Document::new(&contract).named("contract.pdf"), "2027-01-01".parse()?)?;
//! assert_eq!(report.indication().to_string(), "TOTAL-PASSED");
//! # Ok(())
//! # }
//! ```
//!
//! That call takes three steps, each usable alone. [`Validator::facts`] reads the document, verifies signature values
//! and digests, builds certificate chains, and ends in one immutable record, [`facts::Facts`]. [`judge`] is a pure
//! function of facts, policy and time: EN 319 102-1, then TS 119 615. A [`Report`] is facts and verdicts, written down.
//!
//! Nothing here reads a clock, a file, a socket or the environment: time is an argument, and validation data that is
//! missing is [reported](Report::wanted), for the caller to supply.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::use_debug))]
#![warn(missing_docs)]

pub mod algorithm;
pub mod asn1;
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
mod order;
pub mod policy;
pub mod qualification;
pub mod report;
#[cfg(feature = "signing")]
pub mod signing;
pub mod time;
pub mod trust;
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

/// What embedders keep and share between threads is `Send` and `Sync`.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Validator>();
    is_shared::<Document<'_>>();
    is_shared::<Policy>();
    is_shared::<Report>();
    is_shared::<CertificateReport>();
    is_shared::<Bundle>();
    is_shared::<facts::Facts>();
    is_shared::<trust::TrustedLists>();
};
