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
//! Three steps stand behind that call, each usable alone. [`Validator::facts`] reads octets, verifies values and
//! digests, builds chains, and ends in one immutable record, [`facts::Facts`]. [`judge`] is a pure function of
//! facts, policy and time: EN 319 102-1, then TS 119 615. A [`Report`] is both, written down.
//!
//! Nothing here reads a clock, a file, a socket or the environment: time is an argument, and evidence that is
//! missing is [reported](Report::wanted), for the caller to hand in.
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
