//! XML, whole or damaged, is read and written in every canonical form, which reads the same again; its signatures become
//! a draft or not.
#![no_main]

use lacre_core::document::Document;
use lacre_core::formats::Contents;
use lacre_core::formats::xades::{Root, Unpacked};
use lacre_core::formats::xml::{self, Algorithm, Canonicalization, NodeSet, Options, canonicalize, decode, parse};

fn canonical(text: &str, algorithm: Algorithm) -> Option<Vec<u8>> {
    let tree = parse(text, &Options::default()).ok()?;
    let method = Canonicalization { comments: true, ..Canonicalization::new(algorithm) };
    let mut out = vec![];
    _ = canonicalize(&tree, &NodeSet::subtree(&tree, tree.root(), true), &method, &mut out);
    Some(out)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes) else { return };
    for algorithm in [Algorithm::Inclusive10, Algorithm::Inclusive11, Algorithm::Exclusive] {
        let Some(once) = canonical(&text, algorithm) else { continue };
        let once = String::from_utf8(once).expect("a canonical form is UTF-8");
        let again = canonical(&once, algorithm).expect("a canonical form is XML");
        assert!(again == once.as_bytes(), "the canonical form of a canonical form is itself");
    }
    let document = Document::new(bytes).named("fuzzed.xml").with_content("content", bytes);
    if let Ok(Root::Signed(unpacked)) = xml::read(bytes, &Options::default()).map(Unpacked::of) {
        unpacked.draft(&Contents::of(&document));
    }
});
