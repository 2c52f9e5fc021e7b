//! lacre behind a C ABI. `include/lacre.h` is generated from here and documents what C programs may rely on.
//!
//! Each function is its documentation, its arguments through `ffi`, and a line of the library. C sees the layout of
//! `lacre_str` only; everything else is an opaque handle.
#![allow(non_camel_case_types, reason = "types have the names that they have in C")]
#![allow(clippy::missing_safety_doc, reason = "each function's documentation is its contract: it stands in the header")]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod bundle;
mod certificate;
mod document;
mod error;
mod extension;
mod ffi;
mod fields;
mod issuance;
mod keys;
mod options;
mod output;
mod random;
mod report;
mod signing;
mod text;
mod time;
mod timestamp;
mod trust;
mod validator;
mod version;
mod view;
mod words;
