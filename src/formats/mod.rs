//! Formats: one folder each, its syntax, its signature, its AdES profile.

pub mod pdf;
