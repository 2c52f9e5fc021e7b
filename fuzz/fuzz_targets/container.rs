//! A container, whole or damaged, is read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::formats::asic::Unpacked;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(unpacked) = Unpacked::read(bytes, Some("a.asice"), &Budget::default()) else { return };
    let _ = unpacked.draft();
});
