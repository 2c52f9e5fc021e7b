//! Evidence records of both syntaxes, whole or damaged, are read and their trees walked, or refused.
#![no_main]

use lacre_core::document::Document;
use lacre_core::formats::Contents;
use lacre_core::formats::ers::{XmlRecord, parse, standalone};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let document = Document::new(bytes).named("fuzzed.ers").with_content("content", b"content");
    let contents = Contents::of(&document);
    if let Ok(record) = parse(bytes) {
        assert_eq!(standalone(&record, &contents).evidence_records.len(), 1);
    }
    if let Ok(Some(unpacked)) = XmlRecord::parse(bytes, &lacre_core::budget::Budget::default())
        && let Ok(record) = unpacked.record()
    {
        assert_eq!(standalone(&record, &contents).evidence_records.len(), 1);
    }
});
