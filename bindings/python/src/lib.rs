//! lacre in Python: what the package in `python/lacre` stands on.
//!
//! Arguments come checked and in one form each (`python/lacre`); what goes back is text, bytes, or a handle. Work is done
//! while other threads of Python run (`work`). Nothing here is public to Python's users but through that package.
#![forbid(unsafe_code)]

mod bundle;
mod certificate;
#[cfg(feature = "command")]
mod command;
mod failure;
mod input;
mod issuance;
mod key;
#[cfg(feature = "online")]
mod online;
mod pkcs11;
mod pkcs12;
mod report;
mod signing;
mod trust;
mod validator;
mod words;
mod work;

/// The module `lacre._lacre`.
#[pyo3::pymodule(gil_used = false)]
mod _lacre {
    #[pymodule_export]
    use crate::bundle::Bundle;
    #[pymodule_export]
    use crate::certificate::CertificateReport;
    #[cfg(feature = "command")]
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::issuance::{Issuer, ocsp_request};
    #[pymodule_export]
    use crate::key::Key;
    #[cfg(feature = "online")]
    #[pymodule_export]
    use crate::online::Fetcher;
    #[pymodule_export]
    use crate::pkcs11::Pkcs11;
    #[pymodule_export]
    use crate::pkcs12::identity;
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::signing::{describe, extend, finish, prepare, value_by, wanted_timestamp};
    #[pymodule_export]
    use crate::trust::{TrustedLists, is_snapshot};
    #[pymodule_export]
    use crate::validator::{Validator, judge};
    #[pymodule_export]
    use crate::words::words;

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
