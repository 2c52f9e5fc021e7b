//! A PDF, whole or damaged, is read or refused; its signatures become a draft or not.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::crypto::PrefixHashes;
use lacre_core::formats::pdf::{Unpacked, draft};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let Ok(unpacked) = Unpacked::read(octets, Some(b"secret"), &Budget::default()) else { return };
    let beginnings = PrefixHashes::new(octets);
    let draft = draft(&unpacked, None, &beginnings);
    assert!(draft.signatures.len() <= unpacked.signatures.len());
});
