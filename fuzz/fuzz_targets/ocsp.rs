//! OCSP responses: their answers and certificates.
#![no_main]

use lacre_core::x509::{Certificate, OcspResponse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(ocsp) = OcspResponse::from_der(bytes) else { return };
    let certificates: Vec<_> = ocsp.certificates().filter_map(|bytes| Certificate::from_der(bytes).ok()).collect();
    for response in ocsp.responses() {
        for certificate in &certificates {
            let _ = response.cert_hash_matches(certificate);
        }
    }
    for certificate in &certificates {
        let _ = ocsp.about(certificate, certificate);
    }
    let again = OcspResponse::from_der(&ocsp.der()).expect("what was read is written so that it can be read");
    assert_eq!(again.id(), ocsp.id());
});
