//! Where work leaves Python.

use crate::failure::Failure;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does work of the library while other threads of Python run.
///
/// # Errors
///
/// What the work says; `INTERNAL` where it panics, which is a defect. What it works on is not changed by it, so nothing
/// that is seen afterwards was left half done.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).unwrap_or_else(|panic| {
        let message = format!("a defect of lacre: {}", message(&*panic));
        Err(Failure::plain("INTERNAL", message).with_hint(Some("please report it, with the document where you may")))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
