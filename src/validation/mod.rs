//! The judgement: EN 319 102-1 as a pure function of facts, policy and time.
//!
//! A [`Case`](case::Case) is what is judged. Its tokens' [building blocks](bbb) come first, one file a block;
//! the processes combine them.

mod algorithm_check;
pub mod aov;
pub mod bbb;
pub mod blocks;
pub mod case;
pub mod crs;
pub mod cv;
pub mod engine;
pub mod fc;
pub mod isc;
pub mod outcome;
mod rac;
pub mod rfc;
pub mod sav;
pub mod skip;
mod sub_xcv;
pub mod token;
pub mod vci;
mod verdict;
pub mod xcv;

pub use verdict::*;
