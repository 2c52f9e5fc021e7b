//! The basic building blocks of a token in the order in which they run: EN 319 102-1 §5.2.
//!
//! Which block applies to which token is DSS's table (working specification §5): revocation data is judged
//! like a signature without format and policy, a time-stamp has a format only where something can be checked.

use super::blocks::BuildingBlocks;
use super::case::Case;
use super::engine::Conclusion;
use super::token::Token;
use crate::facts::{Certificate, Id, Revocation, Signature, Timestamp};
use std::collections::BTreeMap;

/// The building blocks of every token judged so far.
pub type Judged = BTreeMap<Id, BuildingBlocks>;

/// The building blocks of a signature or counter-signature. `judged` holds those of its content time-stamps.
pub fn signature_blocks(case: &Case<'_>, signature: &Signature, judged: &Judged) -> BuildingBlocks {
    let _ = (case, judged);
    empty(Token::Signature(signature))
}

/// The building blocks of a time-stamp.
pub fn timestamp_blocks(case: &Case<'_>, timestamp: &Timestamp) -> BuildingBlocks {
    let _ = case;
    empty(Token::Timestamp(timestamp))
}

/// The building blocks of revocation data.
pub fn revocation_blocks(case: &Case<'_>, revocation: &Revocation) -> BuildingBlocks {
    let _ = case;
    empty(Token::Revocation(revocation))
}

/// The building blocks of a certificate that is judged for itself.
pub fn certificate_blocks(case: &Case<'_>, certificate: &Certificate) -> BuildingBlocks {
    let _ = case;
    empty(Token::Certificate(certificate))
}

fn empty(token: Token<'_>) -> BuildingBlocks {
    BuildingBlocks {
        token: token.id().clone(),
        context: token.context(),
        fc: None,
        isc: None,
        vci: None,
        xcv: None,
        cv: None,
        sav: None,
        aov: None,
        psv: None,
        psv_crs: None,
        pcv: None,
        vts: None,
        vts_crs: vec![],
        conclusion: Conclusion::passed(),
    }
}
