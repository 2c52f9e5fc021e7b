//! lacre validates European electronic signatures: bytes in, a verdict that anyone can check out.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod algorithm;
pub mod asn1;
pub mod budget;
pub mod collect;
pub mod crypto;
pub mod document;
pub mod facts;
pub mod formats;
pub mod policy;
mod pull;
pub mod qualification;
pub mod report;
pub mod time;
pub mod validation;
pub mod vocabulary;
pub mod x509;
