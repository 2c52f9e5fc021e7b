//! Trusted lists, lists of trusted entities and snapshots, whole or damaged, are read or refused, and trust nobody unasked.
#![no_main]

use lacre_core::trust::{LotlSigningCertificates, TrustedLists, read, read_lote};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let source = read("list.xml", bytes, None);
    let lists = TrustedLists::assemble(vec![source.clone(), source], &LotlSigningCertificates::of(&[]));
    assert_eq!(lists.trusted(), 0, "nobody is announced");
    let packed = lists.to_snapshot();
    assert!(TrustedLists::from_snapshot(&packed).is_ok_and(|read| read.states() == lists.states()));
    if let Ok(read) = TrustedLists::from_snapshot(bytes) {
        let _ = read.to_snapshot();
    }
    if let Ok(entities) = read_lote(bytes) {
        assert!(entities.certificates_signed_by(&[], None).is_err(), "nobody may sign it");
    }
});
