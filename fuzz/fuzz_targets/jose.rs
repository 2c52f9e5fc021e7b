//! JSON and JSON signatures, whole or damaged, are read into a draft or refused.
#![no_main]

use lacre_core::budget::Budget;
use lacre_core::document::Document;
use lacre_core::facts::MatcherType;
use lacre_core::formats::Contents;
use lacre_core::formats::jose::{Unpacked, parse};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let budget = Budget::default();
    if let Ok(node) = parse(octets, &budget) {
        assert!(node.span.start < node.span.end && node.span.end <= octets.len());
        assert!(parse(&octets[node.span.clone()], &budget).is_ok(), "a value stands alone");
    }
    let document = Document::new(octets).named("fuzzed.json").with_content("content", octets);
    for compact in [true, false] {
        let Ok(Some(unpacked)) = Unpacked::read(octets, compact, &budget) else { continue };
        for signature in unpacked.draft(&Contents::of(&document)).signatures {
            let input = |kind| signature.facts.digest_matchers.iter().filter(|matcher| matcher.kind == kind).count();
            assert_eq!(input(MatcherType::JwsSigningInput), 1);
        }
    }
});
