//! Certificates: everything that is read lazily, too.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::x509::Certificate;
use lacre_core::x509::path::{self, PathOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(certificate) = Certificate::from_der(bytes) else { return };
    let _ = (certificate.extensions(), certificate.entity_key(), certificate.serial_text(), certificate.signature());
    let _ = (certificate.subject().forms(), certificate.subject().subject_attributes(), certificate.key_sha1());
    let options = PathOptions { profile: true, ..PathOptions::at(certificate.not_before()) };
    let _ = path::validate(&[certificate.clone(), certificate], &options, &Budget::default());
});
