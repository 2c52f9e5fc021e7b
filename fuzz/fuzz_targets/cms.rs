//! CMS, whole or damaged, attached or over a content, is read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::document::Document;
use lacre_core::formats::{Contents, cades};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let document = Document::new(bytes).named("fuzzed.p7m").with_content("content", bytes);
    let Ok(draft) = cades::read(bytes, &Contents::of(&document), &Budget::default()) else { return };
    for signature in &draft.signatures {
        assert_eq!(signature.facts.digest_matchers.len(), 1);
    }
});
