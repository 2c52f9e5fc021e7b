//! Randomness: of the caller, else of the system.

use crate::error::Failure;
use crate::error::lacre_status::*;
use chacha20::ChaCha20Rng;
use rand_core::SeedableRng as _;
use std::ffi::c_void;
use zeroize::Zeroizing;

/// Random bytes that a function asks a callback for, in one call: a seed of 256 bits.
pub const LACRE_RANDOM_SEED: usize = 32;

/// Fills memory with unpredictable bytes: LACRE_RANDOM_SEED of them, asked for once in each call of a function that
/// takes one, and stretched by ChaCha20 to what is needed. As a callback for signing, it must return.
///
/// @param      user_data   What was handed in with the callback.
/// @param[out] bytes      What to fill.
/// @param      bytes_len  How many bytes it has.
/// @return 0 when all were filled; any other number is a failure, and stands in the error.
/// @ingroup signing
pub type lacre_random_callback =
    Option<unsafe extern "C" fn(user_data: *mut c_void, bytes: *mut u8, bytes_len: usize) -> i32>;

/// What computations take their randomness from: it does not fail any more.
pub(crate) type Generator = ChaCha20Rng;

/// Makes a generator with a seed of the callback's, or of the system's.
///
/// # Safety
///
/// `callback` is NULL or does as its documentation says with `user_data`.
pub(crate) unsafe fn generator(callback: lacre_random_callback, user_data: *mut c_void) -> Result<Generator, Failure> {
    let mut seed = Zeroizing::new([0; LACRE_RANDOM_SEED]);
    match callback {
        None => getrandom::fill(&mut *seed)
            .map_err(|error| Failure::of(LACRE_ERROR_RANDOM, &error).about("the system gives no randomness"))?,
        Some(callback) => {
            // SAFETY: it does as its documentation says, which is the contract of this function; the memory is ours.
            let code = unsafe { callback(user_data, seed.as_mut_ptr(), LACRE_RANDOM_SEED) };
            if code != 0 {
                let message = format!("the callback for random bytes returned {code}, expected 0");
                return Err(Failure::new(LACRE_ERROR_CALLBACK, message));
            }
            // Nobody's 32 random bytes are all the same, but those of memory that was never filled are.
            if seed.iter().all(|byte| Some(byte) == seed.first()) {
                let message = "the callback for random bytes gave the same byte 32 times, expected random ones";
                return Err(Failure::new(LACRE_ERROR_CALLBACK, message));
            }
        }
    }
    Ok(ChaCha20Rng::from_seed(*seed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng as _;
    use std::ptr;

    unsafe extern "C" fn counting(calls: *mut c_void, bytes: *mut u8, len: usize) -> i32 {
        // SAFETY: the test hands in a counter, and the memory has that length.
        let (calls, bytes) = unsafe { (&mut *calls.cast::<i32>(), std::slice::from_raw_parts_mut(bytes, len)) };
        *calls += 1;
        bytes.iter_mut().zip(0..).for_each(|(byte, at)| *byte = at);
        if *calls > 2 { -1 } else { 0 }
    }

    #[test]
    fn a_callback_is_asked_once_and_may_fail() {
        let mut calls = 0_i32;
        let mut drawn = || {
            // SAFETY: the callback gets the counter that it expects.
            let generator = unsafe { generator(Some(counting), (&raw mut calls).cast()) };
            generator.map(|mut generator| [generator.next_u64(), generator.next_u64()]).map_err(|f| f.code)
        };
        let first = drawn();
        assert!(first.is_ok());
        assert_eq!(drawn(), first, "the same seed gives the same bytes");
        assert_eq!(drawn(), Err(LACRE_ERROR_CALLBACK));
        assert_eq!(calls, 3);
    }

    #[test]
    fn the_system_is_asked_where_there_is_no_callback() {
        // SAFETY: NULL is allowed.
        let drawn = || unsafe { generator(None, ptr::null_mut()) }.map(|mut g| g.next_u64()).map_err(|f| f.code);
        assert_ne!(drawn(), drawn());
    }
}
