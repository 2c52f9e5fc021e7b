//! CRLs: their extensions and a look for an entry.
#![no_main]

use lacre_core::x509::Crl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(crl) = Crl::from_der(bytes) else { return };
    let _ = (crl.number(), crl.authority_key_identifier(), crl.expired_certs_on_crl(), crl.signature());
    let _ = (crl.issuing_distribution_point(), crl.is_understood(), crl.is_delta());
    let _ = crl.entry(&[1], crl.issuer(), 10_000);
});
