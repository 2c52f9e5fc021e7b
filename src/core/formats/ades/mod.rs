//! What CAdES, PAdES, XAdES and JAdES have in common.

pub(crate) mod attribute_certificate;
pub(crate) mod policy;
mod reader;

pub(crate) use reader::{AdesSignature, CounterSignatures, Tokens, bounded, read};
