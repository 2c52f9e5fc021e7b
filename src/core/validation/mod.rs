//! The judgement: EN 319 102-1 as a pure function of facts, policy and time.
//!
//! A [`ValidationContext`](context::ValidationContext) holds what is judged and by what. The [building blocks](bbb) of
//! its tokens come first, one file a block; the processes combine them.
//!
//! The files use each other in one direction only (`tests/validation_order.rs`), from right to left:
//!
//! ```text
//! words          facts alone        the context       a block each                 the processes
//!
//! outcome        validity           selection_cache   fc  irregularities           basic
//! check_id       poe                context           isc  vci  cv                 lta_material
//! engine         coherence                            algorithm_check, algorithms  signature_timestamps
//! blocks         token                                revocation_walk              past_selection
//! verdict        index                                revocation_freshness         past_chain
//! findings                                            prevailing                   vts, pcv, psv
//!                                                     revocation_required          long_term
//!                                                     path_rules                   archival, timestamp
//!                                                     revocation_acceptance        evidence_record
//!                                                     revocation_selection         run, certificate
//!                                                     certificate_in_path, xcv
//!                                                     sav, bbb
//! ```

mod algorithm_check;
pub mod algorithms;
mod archival;
mod basic;
pub mod bbb;
pub mod blocks;
mod certificate;
mod certificate_in_path;
pub mod check_id;
mod coherence;
pub mod context;
pub mod cv;
pub mod engine;
mod evidence_record;
pub mod fc;
mod findings;
pub mod index;
mod irregularities;
pub mod isc;
mod long_term;
mod lta_material;
pub mod outcome;
mod past_chain;
mod past_selection;
mod path_rules;
mod pcv;
mod poe;
pub(crate) mod prevailing;
mod psv;
mod revocation_acceptance;
pub mod revocation_freshness;
pub mod revocation_required;
pub mod revocation_selection;
mod revocation_walk;
mod run;
pub mod sav;
mod selection_cache;
mod signature_timestamps;
#[cfg(test)]
mod situations;
#[cfg(test)]
mod testing;
mod timestamp;
pub mod token;
mod validity;
pub mod vci;
mod verdict;
mod vts;
pub mod xcv;

pub use certificate::validate_certificate;
pub use run::{validate, validate_within};
pub use verdict::*;
