//! The reference HTTP server of lacre.
#![forbid(unsafe_code)]

pub mod audit;
pub mod authority;
pub mod chance;
pub mod recorder;
pub mod registry;
pub mod storage;
pub mod token;
