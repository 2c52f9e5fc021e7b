//! The judgement: EN 319 102-1 as a pure function of facts, policy and time.

pub mod engine;
pub mod outcome;
mod verdict;

pub use verdict::*;
