//! Errors as JavaScript expects them: an `Error` with a code.

use std::error::Error;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What could be done: a text of ours, except where the library says it of what it found.
#[cfg(not(feature = "sign"))]
type Hint = &'static str;
#[cfg(feature = "sign")]
type Hint = String;

#[cfg(all(feature = "validate", not(feature = "sign")))]
fn kept(hint: &'static str) -> Hint {
    hint
}

#[cfg(feature = "sign")]
fn kept(hint: &str) -> Hint {
    hint.to_owned()
}

fn text(hint: &Hint) -> &str {
    hint
}

/// Why a call failed. The codes are `ErrorCode` of `pkg/index.d.ts`.
#[derive(Debug)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
    hint: Option<Hint>,
}

impl Failure {
    /// Makes a failure of that code: the error, and after colons its causes.
    pub(crate) fn new(code: &'static str, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self { code, message, hint: None }
    }

    /// Makes a failure of that code, told in one sentence.
    pub(crate) fn plain(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// Adds what could be done about it.
    #[cfg(all(any(feature = "sign", feature = "validate"), not(feature = "trusted-lists")))]
    pub(crate) fn with_hint(self, hint: &'static str) -> Self {
        Self { hint: Some(kept(hint)), ..self }
    }
}

#[cfg(any(feature = "sign", feature = "validate"))]
impl From<lacre::Error> for Failure {
    fn from(error: lacre::Error) -> Self {
        use lacre_core::formats::Error as Format;
        let code = match &error {
            lacre::Error::Document(Format::Unknown { .. }) => "UNKNOWN_FORMAT",
            lacre::Error::Document(Format::Unsupported { .. } | Format::OpcPackage | Format::LeftOut { .. }) => {
                "UNSUPPORTED_FORMAT"
            }
            error if error.needs_password() => "PASSWORD",
            lacre::Error::Algorithm { .. } => "UNSUPPORTED_ALGORITHM",
            lacre::Error::Evidence { .. } => "INVALID_EVIDENCE",
            _ => "UNREADABLE",
        };
        Self { hint: error.hint().map(kept), ..Self::new(code, &error) }
    }
}

/// The codes are those of the library, which all doors have.
#[cfg(feature = "sign")]
impl From<lacre_json::Refused> for Failure {
    fn from(refused: lacre_json::Refused) -> Self {
        Self { hint: refused.hint().map(kept), ..Self::plain(refused.code().as_str(), refused.to_string()) }
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Error)]
    type Coded;
    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> Coded;
    #[wasm_bindgen(method, setter)]
    fn set_code(this: &Coded, code: &str);
    #[wasm_bindgen(method, setter)]
    fn set_hint(this: &Coded, hint: &str);
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = Coded::new(&failure.message);
        error.set_code(failure.code);
        if let Some(hint) = failure.hint {
            error.set_hint(text(&hint));
        }
        error.into()
    }
}
