//! The basic building blocks of a token in the order in which they run: EN 319 102-1 §5.2.
//!
//! Which block applies to which token is DSS's table (working specification §5): revocation data is judged
//! like a signature without format and policy, a time-stamp has a format only where something can be checked.

use super::aov::{self, Parts};
use super::blocks::BuildingBlocks;
use super::case::Case;
use super::engine::{Block, Conclusion};
use super::token::Token;
use super::{cv, fc, isc, sav, vci, xcv};
use crate::facts::{Certificate, Id, Revocation, Signature, Timestamp};
use crate::time::Time;
use std::collections::HashMap;

/// The building blocks of every token judged so far.
pub type Judged = HashMap<Id, BuildingBlocks>;

/// The building blocks of a signature or counter-signature. `judged` holds those of its content time-stamps.
pub fn signature_blocks<'a>(case: &Case<'a>, signature: &'a Signature, judged: &Judged) -> BuildingBlocks {
    let fc = Some(fc::signature(case, signature));
    let vci = Some(vci::vci(case, signature));
    signed_token(case, Token::Signature(signature), fc, vci, None, judged)
}

/// The building blocks of a time-stamp.
pub fn timestamp_blocks<'a>(case: &Case<'a>, timestamp: &'a Timestamp) -> BuildingBlocks {
    let fc = Some(fc::timestamp(case, timestamp)).filter(|block| !block.checks.is_empty());
    let used = Some(timestamp.production_time);
    signed_token(case, Token::Timestamp(timestamp), fc, None, used, &Judged::new())
}

/// The building blocks of revocation data.
pub fn revocation_blocks<'a>(case: &Case<'a>, revocation: &'a Revocation) -> BuildingBlocks {
    let used = revocation.production_date;
    signed_token(case, Token::Revocation(revocation), None, None, used, &Judged::new())
}

/// The building blocks of a certificate that is judged for itself: there is only its chain.
pub fn certificate_blocks<'a>(case: &Case<'a>, certificate: &'a Certificate) -> BuildingBlocks {
    let token = Token::Certificate(certificate);
    let aov = aov::aov(case, token, Parts::CHAIN, case.time);
    let xcv = xcv::xcv(case, certificate, certificate.not_before, token.context(), &aov);
    conclude(BuildingBlocks { xcv: Some(xcv), aov: Some(aov), ..nothing(token) })
}

/// ISC, XCV, CV, SAV and AOV, which every signed token has. Its certificate was used at the time `used`, or, for a
/// signature, when it was issued.
fn signed_token<'a>(
    case: &Case<'a>,
    token: Token<'a>,
    fc: Option<Block>,
    vci: Option<Block>,
    used: Option<Time>,
    judged: &Judged,
) -> BuildingBlocks {
    let certificate = token.signing_certificate().and_then(|id| case.certificate(id));
    let aov = aov::aov(case, token, Parts::ALL, case.time);
    let xcv = certificate
        .map(|certificate| xcv::xcv(case, certificate, used.unwrap_or(certificate.not_before), token.context(), &aov));
    conclude(BuildingBlocks {
        fc,
        isc: Some(isc::isc(case, token)),
        vci,
        xcv,
        cv: Some(cv::cv(case, token)),
        sav: Some(sav::sav(case, token, &aov, judged)),
        aov: Some(aov),
        ..nothing(token)
    })
}

fn conclude(mut blocks: BuildingBlocks) -> BuildingBlocks {
    blocks.conclude();
    blocks
}

fn nothing(token: Token<'_>) -> BuildingBlocks {
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
