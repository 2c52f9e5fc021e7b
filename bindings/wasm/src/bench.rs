//! The lower bound of a validation, for `tests/js/bench.mjs`; not part of the package.

use crate::failure::Failure;
use crate::options::Options;
use lacre_core::crypto::meter::{self, Work};
use wasm_bindgen::prelude::wasm_bindgen;

/// The cryptographic work of one validation.
#[wasm_bindgen]
pub struct LowerBound(Work);

/// Validates, and keeps the digests and signature checks that it took.
#[wasm_bindgen(js_name = lowerBound)]
pub fn lower_bound(document: &[u8], options: &Options) -> Result<LowerBound, Failure> {
    meter::start();
    let done = crate::validate::validate(document, options);
    let log = meter::stop();
    done.map(|_| LowerBound(log.work()))
}

#[wasm_bindgen]
impl LowerBound {
    /// Does that work again, alone: every digest by itself.
    pub fn replay(&self) {
        self.0.replay();
    }

    /// Does the same, but what digests have in common only once.
    #[wasm_bindgen(js_name = replayShared)]
    pub fn replay_shared(&self) {
        self.0.replay_shared();
    }

    /// Does the same as `replay`, but no token is named.
    #[wasm_bindgen(js_name = replayUnnamed)]
    pub fn replay_unnamed(&self) {
        self.0.replay_unnamed();
    }
}
