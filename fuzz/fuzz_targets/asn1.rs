//! ASN.1: reading at every depth, every typed reading, and the normaliser, whose output must be its own.
#![no_main]

use lacre_core::asn1::{Tlv, to_der};
use libfuzzer_sys::fuzz_target;

fn walk(tlv: &Tlv<'_>, depth: usize) {
    let _ = (tlv.to_i64(), tlv.to_decimal(), tlv.boolean(), tlv.bytes(), tlv.bit_string(), tlv.string(), tlv.time());
    let _ = tlv.oid().map(|oid| oid.to_string());
    if tlv.tag.constructed && depth < 40 {
        tlv.children().for_each(|child| walk(&child, depth + 1));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok((tlv, _)) = Tlv::split(bytes) else { return };
    walk(&tlv, 0);
    if let Ok(der) = to_der(tlv.raw) {
        assert_eq!(to_der(&der).expect("DER is BER"), der, "DER is its own normal form");
    }
});
