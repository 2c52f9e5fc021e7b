//! lacre behind a C ABI.
