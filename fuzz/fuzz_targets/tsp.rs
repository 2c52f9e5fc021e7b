//! Time-stamps and evidence records, whole or damaged, are read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::document::Document;
use lacre_core::formats::Source;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let document = Document::new(bytes).with_content("content", b"content");
    let Ok(source) = Source::open(&document, &Budget::default()) else { return };
    let Ok(draft) = source.read() else { return };
    for record in &draft.evidence_records {
        assert!(!record.timestamps.is_empty());
    }
});
