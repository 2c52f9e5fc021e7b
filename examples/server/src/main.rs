//! The reference HTTP server.

fn main() {}
