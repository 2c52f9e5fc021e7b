//! lacre in WebAssembly.
