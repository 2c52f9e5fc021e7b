//! In the place of the faster backend where it is not: nothing is verified, so the portable code does all.

use super::key::Material;
use super::{PublicKey, Signed};
use crate::algorithm::SignatureAlgorithm;

/// No key is prepared for it.
pub(super) enum Prepared {}

impl Prepared {
    pub fn new(_: &Material) -> Option<Self> {
        None
    }
}

pub(super) fn verifies(key: &PublicKey, _: &SignatureAlgorithm, _: Signed<'_>, _: &[u8]) -> bool {
    match key.prepared() {
        None => false,
        Some(never) => match *never {},
    }
}
