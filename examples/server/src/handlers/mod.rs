//! One file a group of operations.

pub mod monitoring;
pub mod page;
pub mod validate;
