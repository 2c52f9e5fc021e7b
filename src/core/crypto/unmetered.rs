//! Nothing, in place of `meter.rs`: what is shipped keeps no log.

use super::{PublicKey, Signed};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};

#[derive(Clone, Copy, Default)]
pub(super) struct Count();

impl Count {
    #[inline(always)]
    pub(super) fn add(&mut self, _: DigestAlgorithm, _: usize) {}

    #[inline(always)]
    pub(super) fn subtract(&mut self, _: usize) {}
}

#[inline(always)]
pub(super) fn digested(_: DigestAlgorithm, _: Count) {}

#[inline(always)]
pub(super) fn named(_: [u8; 32], _: usize) {}

#[inline(always)]
pub(super) fn verified<T>(
    _: &PublicKey,
    _: &SignatureAlgorithm,
    _: Signed<'_>,
    _: &[u8],
    check: impl FnOnce() -> T,
) -> T {
    check()
}
