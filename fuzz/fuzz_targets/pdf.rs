//! A PDF, whole or damaged, is read or refused; its signatures become a draft or not.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::crypto::PrefixHashes;
use lacre_core::formats::pdf::{Unpacked, draft};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(unpacked) = Unpacked::read(bytes, Some(b"secret"), &Budget::default()) else { return };
    let beginnings = PrefixHashes::new(bytes);
    let draft = draft(&unpacked, None, &beginnings);
    assert!(draft.signatures.len() <= unpacked.signatures.len());
});
