//! What a caller says about a document: an object of JavaScript, read field by field.

use crate::failure::Failure;
use lacre::Time;
#[cfg(feature = "render")]
use lacre::{Policy, policy::CryptographicSuite, report::Language};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// What `pkg/options.js` makes of the caller's options: every field is there and has the type written here.
    pub type Options;

    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter)]
    pub(crate) fn name(this: &Options) -> Option<String>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter)]
    pub(crate) fn password(this: &Options) -> Option<String>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter, js_name = trustAnchors)]
    pub(crate) fn trust_anchors(this: &Options) -> Vec<js_sys::Uint8Array>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter, js_name = trustedLists)]
    pub(crate) fn trusted_lists(this: &Options) -> Option<Vec<u8>>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter, js_name = packedBy)]
    pub(crate) fn packed_by(this: &Options) -> Vec<js_sys::Uint8Array>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter)]
    pub(crate) fn evidence(this: &Options) -> Vec<js_sys::Uint8Array>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter)]
    pub(crate) fn contents(this: &Options) -> Vec<js_sys::Uint8Array>;
    #[cfg(any(feature = "sign", feature = "validate"))]
    #[wasm_bindgen(method, getter, js_name = contentNames)]
    pub(crate) fn content_names(this: &Options) -> Vec<String>;

    /// Milliseconds since 1970; not there in `judge` where the facts' own time is meant.
    #[wasm_bindgen(method, getter, js_name = time)]
    fn millis(this: &Options) -> Option<f64>;
    #[cfg(feature = "render")]
    #[wasm_bindgen(method, getter, js_name = policy)]
    fn policy_file(this: &Options) -> Option<Vec<u8>>;
    #[cfg(feature = "render")]
    #[wasm_bindgen(method, getter, js_name = suite)]
    fn suite_file(this: &Options) -> Option<Vec<u8>>;
    #[cfg(feature = "render")]
    #[wasm_bindgen(method, getter, js_name = language)]
    fn language_code(this: &Options) -> String;
}

/// The moments of a JavaScript `Date`: a hundred million days before and after 1970.
const DATES: std::ops::RangeInclusive<f64> = -8.64e15..=8.64e15;

impl Options {
    /// Returns the time to judge for.
    pub(crate) fn time(&self) -> Result<Option<Time>, Failure> {
        match self.millis() {
            None => Ok(None),
            Some(millis) if DATES.contains(&millis) => Ok(Some(Time::from_millis(millis as i64))),
            Some(_) => Err(Failure::plain("INVALID_ARGUMENT", "found no moment, expected a valid Date as time")),
        }
    }

    /// Returns the policy to judge by.
    #[cfg(feature = "render")]
    pub(crate) fn policy(&self) -> Result<Policy, Failure> {
        let policy = match self.policy_file() {
            Some(bytes) => Policy::from_bytes(&bytes).map_err(|error| Failure::new("INVALID_POLICY", &error))?,
            None => Policy::eidas(),
        };
        match self.suite_file() {
            Some(bytes) => {
                let suite = CryptographicSuite::from_bytes(&bytes);
                Ok(policy.with_suite(suite.map_err(|error| Failure::new("INVALID_SUITE", &error))?))
            }
            None => Ok(policy),
        }
    }

    /// Returns the language of the report.
    #[cfg(feature = "render")]
    pub(crate) fn language(&self) -> Result<Language, Failure> {
        let code = self.language_code();
        code.parse().map_err(|_| {
            let known: Vec<_> = Language::ALL.iter().map(|language| language.as_str()).collect();
            let message = format!("found the language `{code}`, expected one of {}", known.join(", "));
            Failure::plain("INVALID_ARGUMENT", message)
        })
    }
}
