//! Making signatures: the data to be signed, the value over it, the signed structure.
//!
//! Three steps, because the key is often somewhere else: [`cades::Preparation`] says what is to be signed, a
//! [`SigningKey`](crate::crypto::SigningKey) or a remote service makes the value, and
//! [`assemble`](cades::Preparation::assemble) puts both together.

pub mod cades;
mod signed_data;

pub(crate) use signed_data::{Content, SignedData};
