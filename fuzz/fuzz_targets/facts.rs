//! Stored facts, whole or damaged, are read or refused, and what is read survives JSON and the judgement.
#![no_main]

use lacre_core::facts::Facts;
use lacre_core::policy::Policy;
use lacre_core::{qualification, validation};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(facts) = Facts::from_bytes(bytes) else { return };
    let again = Facts::from_bytes(facts.to_json().as_bytes()).expect("our own JSON is read again");
    assert!(again == facts);
    let policy = Policy::eidas();
    let time = facts.validation_time.unwrap_or_default();
    let verdicts = validation::validate(&facts, &policy, time);
    let _ = qualification::qualify(&facts, &policy, &verdicts, time);
});
