//! Public suites of test vectors, packed in `tests/data` by `tests/data/pack`.

use serde_json::Value;
use std::io::Read as _;

/// x509-limbo's cases of path validation, those of the CA/Browser Forum left out.
pub fn limbo() -> Vec<Value> {
    let text = unpacked(include_bytes!("../../data/x509-limbo/limbo.json.br"));
    let mut suite: Value = serde_json::from_str(&text).expect("the suite is JSON");
    let Value::Array(cases) = suite["testcases"].take() else { panic!("the suite has test cases") };
    cases
}

/// Wycheproof's files for the verification of signatures, each read when it is its turn: `file` is its name.
pub fn wycheproof() -> impl Iterator<Item = Value> {
    let text = unpacked(include_bytes!("../../data/wycheproof/vectors.jsonl.br"));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.into_iter().map(|line| serde_json::from_str(&line).expect("a line is JSON"))
}

/// The text of a file compressed with Brotli.
fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    let mut reader = brotli_decompressor::Decompressor::new(packed, 1 << 16);
    reader.read_to_string(&mut text).expect("the suite is compressed UTF-8");
    text
}
