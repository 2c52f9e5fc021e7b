//! One file a group of operations.

mod algorithms;
pub mod certificates;
pub mod csc;
pub mod extend;
pub mod finish;
pub mod hash;
pub mod monitoring;
pub mod page;
pub mod pki;
pub mod prepare;
pub mod validate;
