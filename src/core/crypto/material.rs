//! The numbers that make up a public key.

use super::curve::Curve;
use super::{dsa, rsa};
use crate::algorithm::{DigestAlgorithm, PssParameters};

/// The numbers that make up a key.
pub(super) enum Material {
    Rsa {
        key: rsa::Key,
        only: Option<PssRestriction>,
    },
    Ec {
        curve: &'static Curve,
        point: Box<[u8]>,
    },
    Dsa(dsa::Key),
    Ed25519([u8; 32]),
    Ed448([u8; 57]),
    MlDsa(Box<[u8]>),
    /// Of a known kind, but nothing here verifies with it: another curve, key agreement.
    Other,
}

/// The RSASSA-PSS parameters to which a key is restricted: RFC 4055 §1.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PssRestriction {
    pub digest: DigestAlgorithm,
    pub parameters: PssParameters,
}
