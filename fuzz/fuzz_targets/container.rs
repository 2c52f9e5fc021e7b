//! A container, whole or damaged, is read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::formats::asic::Unpacked;

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let Ok(unpacked) = Unpacked::read(octets, Some("a.asice"), &Budget::default()) else { return };
    let _ = unpacked.draft();
});
