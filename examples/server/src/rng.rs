//! The server's only source of random numbers.

/// Returns the operating system's generator.
pub fn system() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
