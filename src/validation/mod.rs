//! The judgement: EN 319 102-1 as a pure function of facts, policy and time.
//!
//! A [`Case`](case::Case) is what is judged. Its tokens' [building blocks](bbb) come first, one file a block;
//! the processes combine them.

mod algorithm_check;
pub mod aov;
mod archival;
mod basic;
pub mod bbb;
pub mod blocks;
pub mod case;
mod certificate;
mod coherence;
pub mod crs;
pub mod cv;
pub mod engine;
mod evidence_record;
pub mod fc;
mod findings;
mod irregularities;
pub mod isc;
mod long_term;
mod lta_material;
pub mod outcome;
mod pcv;
mod poe;
mod prevailing;
mod psv;
mod rac;
pub mod rfc;
mod run;
pub mod sav;
mod selection;
mod signature_timestamps;
#[cfg(test)]
mod situations;
pub mod skip;
mod sub_xcv;
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
