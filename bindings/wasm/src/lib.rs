//! lacre in WebAssembly: what the npm package in `pkg/` stands on.
//!
//! Four modules are built from here (`build.sh`): one that reads and validates documents (feature `every-format`), a smaller
//! one that reads PDF and CMS only (feature `validate`), one, loaded on demand, that judges the facts of the others
//! again and renders reports (feature `render`), and one that signs and extends PDF and CMS (feature `sign`). Judging is a
//! pure function of facts, policy and time, so all say the same.
//!
//! Every function is stateless: bytes and `Options` in, text or bytes out. A panic becomes a JavaScript exception
//! with its message; the instance is dropped then (`pkg/src/instance.js`), so nothing depends on what a panic leaves.

#[cfg(feature = "bench")]
mod bench;
mod failure;
#[cfg(any(feature = "sign", feature = "validate"))]
mod handed_in;
mod options;
#[cfg(feature = "render")]
mod render;
#[cfg(feature = "sign")]
mod sign;
#[cfg(feature = "validate")]
mod validate;

use wasm_bindgen::prelude::wasm_bindgen;

/// Tells a panic's message to JavaScript, which otherwise sees "unreachable executed".
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}
