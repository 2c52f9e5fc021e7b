//! A PDF, whole or damaged, is read or refused; its signatures become a draft or not.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::crypto::PrefixHashes;
use lacre_core::formats::DigestWork;
use lacre_core::formats::pdf::{Unpacked, draft};
use std::rc::Rc;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::default();
    let Ok(unpacked) = Unpacked::read(bytes, Some(b"secret"), &budget) else { return };
    let (beginnings, work) = (PrefixHashes::new(bytes), Rc::new(DigestWork::default()));
    let draft = draft(&unpacked, None, &beginnings, &budget, &work);
    assert!(draft.signatures.len() <= unpacked.signatures.len());
});
