//! The foreign function interface: checks arguments, catches panics, and turns values into handles and back.
//!
//! Whatever a C program can get wrong and a library can notice is noticed here, so that each exported function is its
//! arguments and one line of safe Rust.

use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// A type that C holds by pointer only.
pub(crate) trait Handle: Sized {
    /// Its name in C.
    const NAME: &'static str;
}

/// Runs the body of an exported function, and turns its failure or panic into a code and an error.
///
/// # Safety
///
/// `error_out` is NULL or may be written.
pub(crate) unsafe fn run(error_out: *mut *mut lacre_error, body: impl FnOnce() -> Result<(), Failure>) -> lacre_status {
    if !error_out.is_null() {
        // SAFETY: not NULL, hence writable: the contract of this function.
        unsafe { error_out.write(ptr::null_mut()) };
    }
    // What a panic leaves behind is never looked at again: a body writes to the caller's handles only as its last
    // step, or not at all.
    let Err(failure) = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panic_failure(&*panic))) else {
        return LACRE_OK;
    };
    let code = failure.code;
    if !error_out.is_null() {
        // SAFETY: as above.
        unsafe { error_out.write(into_handle(failure.into_error())) };
    }
    code
}

fn panic_failure(panic: &(dyn Any + Send)) -> Failure {
    let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    Failure::new(LACRE_ERROR_INTERNAL, format!("a defect of lacre: {}", said.unwrap_or("a panic without words")))
}

/// Panics, so that the tests see what becomes of a defect in a library that C has loaded. Exists in debug builds only,
/// and in no header.
///
/// cbindgen:ignore
#[cfg(debug_assertions)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lacre_debug_panic(error_out: *mut *mut lacre_error) -> lacre_status {
    // SAFETY: the test supplies NULL or a place for an error.
    unsafe { run(error_out, || panic!("the tests asked for it")) }
}

/// Reads a property of a handle; returns `otherwise` for NULL and for a handle that is not live.
///
/// # Safety
///
/// `pointer` is NULL or a live handle that nothing changes meanwhile; the answer does not outlive it.
pub(crate) unsafe fn read<'a, T: Handle + 'a, R>(pointer: *const T, otherwise: R, of: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: the contract of this function.
    let Ok(handle) = (unsafe { handle(pointer, T::NAME) }) else { return otherwise };
    catch_unwind(AssertUnwindSafe(|| of(handle))).unwrap_or(otherwise)
}

/// Reads a property of a part of a handle, which lives as long as the handle; returns `otherwise` for NULL.
///
/// # Safety
///
/// `pointer` is NULL or points into a live handle; the answer does not outlive it.
pub(crate) unsafe fn read_part<'a, T: 'a, R>(pointer: *const T, otherwise: R, of: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: the contract of this function.
    unsafe { pointer.as_ref() }.map_or(otherwise, of)
}

/// Returns the handle behind a pointer.
///
/// # Safety
///
/// `pointer` is NULL or a live handle, and stays one for `'a`; debug builds say so where it is not.
pub(crate) unsafe fn handle<'a, T: Handle>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: not NULL, hence a live handle: the contract of this function.
    Ok(unsafe { &*pointer })
}

/// Returns the handle behind a pointer, to be changed.
///
/// # Safety
///
/// As [`handle`], and nothing else uses the handle for `'a`.
pub(crate) unsafe fn handle_mut<'a, T: Handle>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: not NULL, hence a live handle, and nobody else's for now: the contract of this function.
    Ok(unsafe { &mut *pointer })
}

fn check<T: Handle>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    if !live::is(pointer.addr(), T::NAME) {
        return Err(not_live(T::NAME));
    }
    Ok(())
}

fn not_live(kind: &str) -> Failure {
    let message = format!("found a pointer to no live {kind} (freed already, or of another type), expected one");
    Failure::new(LACRE_ERROR_INVALID_HANDLE, message)
}

fn null(name: &str) -> Failure {
    Failure::new(LACRE_ERROR_NULL_ARGUMENT, format!("{name} is NULL, expected something"))
}

/// Turns a value into a handle of the caller, who frees it.
pub(crate) fn into_handle<T: Handle>(value: T) -> *mut T {
    let pointer = Box::into_raw(Box::new(value));
    live::add(pointer.addr(), T::NAME);
    pointer
}

/// Takes a handle back from the caller, and drops it.
///
/// # Safety
///
/// `pointer` is NULL or came from [`into_handle`], and nothing uses it any more; debug builds say so where it was taken
/// back before.
pub(crate) unsafe fn free<T: Handle>(pointer: *mut T) -> lacre_status {
    if pointer.is_null() {
        return LACRE_OK;
    }
    if !live::remove(pointer.addr(), T::NAME) {
        return LACRE_ERROR_INVALID_HANDLE;
    }
    // SAFETY: it came from `Box::into_raw`, and the caller gives it up: the contract of this function.
    let handle = unsafe { Box::from_raw(pointer) };
    // Dropping may call the caller's release function; a panic in ours must not reach C.
    catch_unwind(AssertUnwindSafe(|| drop(handle))).map_or(LACRE_ERROR_INTERNAL, |()| LACRE_OK)
}

/// An out-parameter for a handle.
pub(crate) struct Out<T>(*mut *mut T);

/// Checks an out-parameter and sets it to NULL, so that it is NULL whenever the function fails.
///
/// # Safety
///
/// `place` is NULL or may be written until the function returns.
pub(crate) unsafe fn out_param<T: Handle>(place: *mut *mut T, name: &str) -> Result<Out<T>, Failure> {
    if place.is_null() {
        return Err(null(name));
    }
    // SAFETY: not NULL, hence writable: the contract of this function.
    unsafe { place.write(ptr::null_mut()) };
    Ok(Out(place))
}

impl<T: Handle> Out<T> {
    /// Sets it to a new handle.
    pub(crate) fn set(self, value: T) {
        // SAFETY: it was written when this was made, and may be written until the function returns.
        unsafe { self.0.write(into_handle(value)) };
    }
}

/// Returns the bytes that the caller supplies.
///
/// # Safety
///
/// `data` is NULL or points to `len` bytes that nothing changes for `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: usize, name: &str) -> Result<&'a [u8], Failure> {
    if isize::try_from(len).is_err() {
        return Err(Failure::argument(format!("{name} has {len} bytes, expected at most {}", isize::MAX)));
    }
    match (data.is_null(), len) {
        (true, 0) => Ok(&[]),
        (true, _) => Err(null(name)),
        // SAFETY: not NULL, hence `len` bytes, and not more than a slice may have.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(data, len) }),
    }
}

/// Returns the text in UTF-8 that the caller supplies.
///
/// # Safety
///
/// `text` is NULL or points to a NUL-terminated text that nothing changes for `'a`.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: the contract of this function.
    let text = unsafe { c_string(text, name) }?;
    std::str::from_utf8(text).map_err(|error| {
        let message = format!("{name}: byte {} is not UTF-8", error.valid_up_to());
        Failure::new(LACRE_ERROR_INVALID_UTF8, message)
    })
}

/// Returns the NUL-terminated text that the caller supplies, in any encoding.
///
/// # Safety
///
/// As [`text`].
pub(crate) unsafe fn c_string<'a>(text: *const c_char, name: &str) -> Result<&'a [u8], Failure> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: not NULL, hence NUL-terminated: the contract of this function.
    Ok(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// The handles that live, in debug builds: a pointer that is not among them is reported to the caller.
#[cfg(debug_assertions)]
mod live {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    /// Their addresses and kinds. A diagnostic, and the only thing of the library that outlives a call; release
    /// builds have none.
    static LIVE: Mutex<BTreeMap<usize, &'static str>> = Mutex::new(BTreeMap::new());

    fn with<R>(work: impl FnOnce(&mut BTreeMap<usize, &'static str>) -> R) -> R {
        work(&mut LIVE.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn add(address: usize, kind: &'static str) {
        with(|live| live.insert(address, kind));
    }

    pub(super) fn is(address: usize, kind: &str) -> bool {
        with(|live| live.get(&address).is_some_and(|known| *known == kind))
    }

    pub(super) fn remove(address: usize, kind: &str) -> bool {
        with(|live| live.get(&address).is_some_and(|known| *known == kind) && live.remove(&address).is_some())
    }
}

/// Release builds take the caller's word.
#[cfg(not(debug_assertions))]
mod live {
    pub(super) fn add(_: usize, _: &str) {}

    pub(super) fn is(_: usize, _: &str) -> bool {
        true
    }

    pub(super) fn remove(_: usize, _: &str) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{lacre_error_code, lacre_error_free, lacre_error_message};

    /// Runs a body; its code, and the code and message of its error.
    fn run_body(body: impl FnOnce() -> Result<(), Failure>) -> (lacre_status, Option<(lacre_status, String)>) {
        let mut error = ptr::null_mut();
        // SAFETY: `error` is writable, and a live handle or NULL afterwards.
        unsafe {
            let code = run(&raw mut error, body);
            let told = (!error.is_null()).then(|| {
                let message = lacre_error_message(error);
                let message = bytes(message.data.cast(), message.len, "message").expect("it is a text");
                (lacre_error_code(error), String::from_utf8_lossy(message).into_owned())
            });
            assert_eq!(lacre_error_free(error), LACRE_OK);
            (code, told)
        }
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        std::panic::set_hook(Box::new(|_| {}));
        let nothing: Option<u8> = None;
        let (code, told) = run_body(|| nothing.map(|_| ()).ok_or(()).map_err(|()| panic!("number {}", 7)));
        assert_eq!(code, LACRE_ERROR_INTERNAL);
        assert_eq!(told, Some((LACRE_ERROR_INTERNAL, "a defect of lacre: number 7".into())));
        // SAFETY: NULL is allowed.
        let code = unsafe { run(ptr::null_mut(), || panic!("no place for an error")) };
        assert_eq!(code, LACRE_ERROR_INTERNAL);
        let error = into_handle(Failure::argument("x").into_error());
        // SAFETY: the handle is live until it is freed.
        unsafe {
            assert_eq!(read(error, 5, |_| panic!("in an accessor")), 5);
            assert_eq!(free(error), LACRE_OK);
        }
        let _ = std::panic::take_hook();
    }

    #[test]
    fn arguments_are_checked() {
        let text_of = |bytes: &CStr| -> Result<String, lacre_status> {
            // SAFETY: a `CStr` is NUL-terminated.
            unsafe { text(bytes.as_ptr(), "text") }.map(str::to_owned).map_err(|failure| failure.code)
        };
        assert_eq!(text_of(c"\xc3\xa9"), Ok("\u{e9}".to_owned()));
        assert_eq!(text_of(c"\xc3"), Err(LACRE_ERROR_INVALID_UTF8));
        // SAFETY: NULL and impossible lengths are what is tried; no byte is read.
        unsafe {
            assert_eq!(bytes(ptr::null(), 0, "data").map_err(|f| f.code), Ok(&[][..]));
            assert_eq!(bytes(ptr::null(), 1, "data").map_err(|f| f.code), Err(LACRE_ERROR_NULL_ARGUMENT));
            let one = 1_u8;
            let long = bytes(&raw const one, usize::MAX, "data").map_err(|f| f.code);
            assert_eq!(long, Err(LACRE_ERROR_INVALID_ARGUMENT));
            assert_eq!(text(ptr::null(), "text").map_err(|f| f.code), Err(LACRE_ERROR_NULL_ARGUMENT));
            assert!(out_param::<lacre_error>(ptr::null_mut(), "out").is_err());
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    fn a_handle_is_freed_once_and_is_of_one_kind() {
        struct Other;
        impl Handle for Other {
            const NAME: &'static str = "other";
        }
        let error = into_handle(Failure::argument("x").into_error());
        // SAFETY: debug builds look the address up before anything is read.
        unsafe {
            assert!(handle(error.cast::<Other>(), "other").is_err_and(|f| f.code == LACRE_ERROR_INVALID_HANDLE));
            assert_eq!(free(error.cast::<Other>()), LACRE_ERROR_INVALID_HANDLE);
            assert_eq!(free(error), LACRE_OK);
            assert_eq!(free(error), LACRE_ERROR_INVALID_HANDLE);
            assert_eq!(lacre_error_code(error), LACRE_OK, "nothing is read");
        }
    }
}
