//! What the module exports. No pointer is read here: the host writes into the buffer that it was given, and reads the
//! buffer that it is told of.
//!
//! The only place of the crate where `unsafe` stands: names without mangling, which no other library of a module can
//! have, and the import.
#![allow(unsafe_code)]

use crate::failure::Failure;
use crate::frame;
use crate::operations::{self, Answer};
use crate::request::Request;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the host writes: the frame of the next call.
static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// What the host reads: the frame of the answer to the last call.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn locked(buffer: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the place for a request of so many bytes, valid until the next call; null where there is no room for it.
// SAFETY: the name begins with the library's, and nothing else in a module has it.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_request(length: usize) -> *mut u8 {
    *locked(&ANSWER) = Vec::new();
    let mut request = locked(&REQUEST);
    *request = Vec::new();
    if request.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    request.resize(length, 0);
    request.as_mut_ptr()
}

/// Answers the request that was written: where the answer is, in the upper 32 bits, and its length.
fn answer(operation: fn(&Request<'_>) -> Result<Answer, Failure>) -> u64 {
    let request = std::mem::take(&mut *locked(&REQUEST));
    let answered = frame::parts(&request).and_then(|parts| operation(&Request::read(&parts)?));
    // Before the answer is framed: a document may be large.
    drop(request);
    // The first part is why the call failed: empty where it did not.
    let framed = match answered {
        Ok(parts) => frame::write(std::iter::once(&vec![]).chain(&parts)),
        Err(failure) => frame::write(&[failure.to_json()]),
    };
    let mut answer = locked(&ANSWER);
    *answer = framed;
    ((answer.as_ptr() as u64) << 32) | answer.len() as u64
}

/// Makes the validator of this module.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_configure() -> u64 {
    answer(operations::configure)
}

/// Judges a document: the report and the facts, each as JSON.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_validate() -> u64 {
    answer(operations::validate)
}

/// Says what is inside a document: the facts as JSON, or a text.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_inspect() -> u64 {
    answer(operations::inspect)
}

/// Judges facts: the report in one of its forms.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_judge() -> u64 {
    answer(operations::judge)
}

/// Judges a certificate: the report, and the certificate's DER.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_certificate() -> u64 {
    answer(operations::certificate)
}

/// Reads trusted lists: what became of them as JSON, and their snapshot.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_lists() -> u64 {
    answer(operations::lists)
}

/// Says the library's version.
// SAFETY: as `lacre_request`.
#[unsafe(no_mangle)]
pub extern "C" fn lacre_version() -> u64 {
    answer(|_| Ok(vec![env!("CARGO_PKG_VERSION").into()]))
}

#[cfg(target_family = "wasm")]
mod panics {
    // SAFETY: the host reads so many bytes at that place, and keeps neither.
    #[link(wasm_import_module = "lacre")]
    unsafe extern "C" {
        safe fn panicked(message: *const u8, length: usize);
    }

    /// Tells a panic's message to the host, which otherwise sees "unreachable".
    // SAFETY: the name is that of the start function of a WebAssembly library, and nothing else here defines one.
    #[unsafe(no_mangle)]
    pub extern "C" fn _initialize() {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            panicked(message.as_ptr(), message.len());
        }));
    }
}
