//! The closed lists of words, which `python/lacre/_words.py` has as enumerations; a test compares them.

use crate::failure::Failure;
use lacre::report::{
    CertificateQualification, CertificateRole, Indication, Language, Severity, SignatureLevel, SignatureQualification,
    SubIndication, TimestampQualification, WantedKind,
};
use lacre::signing::SigningErrorCode;
use lacre_core::facts::{RevocationReason, ScopeType, TimestampType, TrustState};
use pyo3::prelude::*;
use std::str::FromStr;

/// Returns the words of every list, by the name of its enumeration.
#[pyfunction]
pub(crate) fn words() -> Vec<(&'static str, Vec<String>)> {
    macro_rules! lists {
        ($($list:ident,)+) => {
            vec![$((stringify!($list), $list::ALL.iter().map(|word| word.as_str().to_owned()).collect()),)+]
        };
    }
    lists! {
        CertificateQualification,
        CertificateRole,
        Indication,
        Language,
        RevocationReason,
        ScopeType,
        Severity,
        SignatureLevel,
        SignatureQualification,
        SigningErrorCode,
        SubIndication,
        TimestampQualification,
        TimestampType,
        TrustState,
        WantedKind,
    }
}

/// Reads a word of a list; the error says what it was and what was expected.
pub(crate) fn word<T: FromStr>(
    what: &str,
    found: &str,
    known: impl Iterator<Item = &'static str>,
) -> Result<T, Failure> {
    found.parse().map_err(|_| {
        let found: String = found.escape_debug().take(64).collect();
        let known: Vec<&str> = known.collect();
        Failure::plain("INVALID_ARGUMENT", format!("{what}: found `{found}`, expected one of {}", known.join(", ")))
    })
}
