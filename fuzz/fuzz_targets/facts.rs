//! Stored facts, whole or damaged, are read or refused, and what is read survives JSON and the judgement.
#![no_main]

use lacre::facts::Facts;

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    let Ok(facts) = Facts::from_bytes(octets) else { return };
    let again = Facts::from_bytes(facts.to_json().as_bytes()).expect("our own JSON is read again");
    assert!(again == facts);
});
