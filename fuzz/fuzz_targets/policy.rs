//! Policies and catalogues of algorithms are read or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lacre_core::policy::Policy::from_bytes(bytes);
    let _ = lacre_core::policy::CryptographicSuite::from_bytes(bytes);
});
