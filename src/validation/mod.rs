//! The judgement: EN 319 102-1 as a pure function of facts, policy and time.
//!
//! A [`Case`](case::Case) is what is judged. Its tokens' [building blocks](bbb) come first, one file a block;
//! the processes combine them.

pub mod bbb;
pub mod blocks;
pub mod case;
pub mod crs;
pub mod engine;
pub mod outcome;
mod rac;
pub mod rfc;
pub mod skip;
pub mod token;
mod verdict;

pub use verdict::*;
