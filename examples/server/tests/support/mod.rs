//! What several suites need.
#![allow(dead_code, reason = "each suite uses its part")]

pub mod postgres;
pub mod server;
