//! One file a group of operations.

mod algorithms;
pub mod certificates;
pub mod csc;
pub mod hash;
pub mod monitoring;
pub mod page;
pub mod pki;
pub mod validate;
