//! Policies and catalogues of algorithms are read or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let _ = lacre::policy::Policy::from_bytes(octets);
    let _ = lacre::policy::CryptographicSuite::from_bytes(octets);
});
