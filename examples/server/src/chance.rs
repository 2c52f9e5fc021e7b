//! The one place where randomness is asked for.

/// The system's randomness.
pub fn system() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
