//! The command, in the process of the interpreter.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is its name; gives the exit status back. Standard input and
/// output are those of the process.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| lacre_cli::run(arguments))
}
