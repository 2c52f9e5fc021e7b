//! The place of the faster backend where there is none: it decides nothing, so that the portable code verifies all.

use super::material::Material;
use super::signed::Signed;
use crate::algorithm::{KeyAlgorithm, SignatureAlgorithm};

/// No key is prepared for it.
pub(super) enum Prepared {}

impl Prepared {
    pub fn new(_: &Material) -> Option<Self> {
        None
    }
}

pub(super) fn verifies(
    prepared: Option<&Prepared>,
    _: KeyAlgorithm,
    _: &SignatureAlgorithm,
    _: Signed<'_>,
    _: &[u8],
) -> Option<bool> {
    match *prepared? {}
}

pub(super) fn decides() -> &'static [(&'static str, &'static str)] {
    &[]
}
