//! CMS, whole or damaged, attached or over a content, is read into a draft or refused.
#![no_main]

use lacre_core::document::Document;
use lacre_core::budget::Budget;
use lacre_core::formats::{Contents, cades};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let document = Document::new(octets).named("fuzzed.p7m").with_content("content", octets);
    let Ok(draft) = cades::read(octets, &Contents::of(&document), &Budget::default()) else { return };
    for signature in &draft.signatures {
        assert_eq!(signature.facts.digest_matchers.len(), 1);
    }
});
