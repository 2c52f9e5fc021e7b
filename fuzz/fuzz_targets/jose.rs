//! JSON and JSON signatures, whole or damaged, are read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::document::Document;
use lacre_core::facts::MatcherType;
use lacre_core::formats::Contents;
use lacre_core::formats::jose::{Unpacked, parse};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::default();
    if let Ok(node) = parse(bytes, &budget) {
        assert!(node.span.start < node.span.end && node.span.end <= bytes.len());
        assert!(parse(&bytes[node.span.clone()], &budget).is_ok(), "a value stands alone");
    }
    let document = Document::new(bytes).named("fuzzed.json").with_content("content", bytes);
    for compact in [true, false] {
        let Ok(Some(unpacked)) = Unpacked::read(bytes, compact, &budget) else { continue };
        let Some(draft) = unpacked.draft(&Contents::of(&document), &budget) else { continue };
        for signature in draft.signatures {
            let input = |kind| signature.facts.digest_matchers.iter().filter(|matcher| matcher.kind == kind).count();
            assert_eq!(input(MatcherType::JwsSigningInput), 1);
        }
    }
});
