//! Any text is an XPath expression or refused, and an expression has a value within its bound or not.
#![no_main]

use lacre_core::formats::xml::xpath::{Context, Item, compile, evaluate};
use lacre_core::formats::xml::{Options, parse};

const DOCUMENT: &str = "<a xmlns='u:d' xmlns:p='u:p'><b Id='1'>x</b><p:b n='3'>y<c/>z</p:b><!--k--><?t d?></a>";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let resolve = |prefix: &str| match prefix {
        "d" => Some("u:d"),
        "p" => Some("u:p"),
        _ => None,
    };
    let Ok(expression) = compile(source, &resolve) else { return };
    let tree = parse(DOCUMENT, &Options::default()).expect("it is well-formed");
    let here = tree.document_element().map(|element| element.id());
    let context = Context::new(&tree, here, 10_000);
    let _ = evaluate(&expression, &context, Item::Node(tree.root()));
});
