//! lacre in WebAssembly as `bindings/go` runs it: a module that imports one function, `lacre.panicked`, and does no I/O.
//!
//! A call is bytes in, bytes out, both as a frame of parts (`frame`). `boundary` holds what the module exports; below it
//! is plain Rust: `request` reads what a call says, `operations` are the calls, `failure` is why one failed.
//!
//! A module keeps one validator, made by `lacre_configure`, for all calls after it. A panic tells its message and traps;
//! the host drops the module then, so nothing depends on what a panic leaves.
#![deny(unsafe_code)]

mod boundary;
mod failure;
mod frame;
mod operations;
mod request;

pub use boundary::{
    lacre_certificate, lacre_configure, lacre_inspect, lacre_judge, lacre_lists, lacre_request, lacre_validate,
    lacre_version,
};
