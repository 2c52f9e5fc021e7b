//! Evidence bundles: what is read is written as it was, and replays without a panic.
#![no_main]

use lacre::Bundle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(bundle) = Bundle::from_zip(bytes) else { return };
    assert_eq!(bundle.to_zip(), bytes, "a bundle is the bytes that are written for it");
    let _ = bundle.replay();
});
