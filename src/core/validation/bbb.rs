//! The basic building blocks of a token in the order in which they run: EN 319 102-1 §5.2.
//!
//! Which block applies to which token is DSS's table (working specification §5): revocation data is judged
//! like a signature without format and policy, a time-stamp has a format only where something can be checked.

use super::algorithms::{self, Parts};
use super::blocks::{BuildingBlocks, Judged};
use super::context::ValidationContext;
use super::engine::{Block, Conclusion};
use super::token::Token;
use super::{cv, fc, isc, sav, vci, xcv};
use crate::facts::{Certificate, Revocation, Signature, Timestamp};
use crate::time::Time;

/// Runs the building blocks of a signature or counter-signature. `judged` holds those of its content time-stamps.
pub fn signature_blocks<'a>(cx: &ValidationContext<'a>, signature: &'a Signature, judged: &Judged) -> BuildingBlocks {
    let fc = Some(fc::signature(cx, signature));
    let vci = Some(vci::vci(cx, signature));
    signed_token(cx, Token::Signature(signature), fc, vci, None, judged)
}

/// Runs the building blocks of a time-stamp.
pub fn timestamp_blocks<'a>(cx: &ValidationContext<'a>, timestamp: &'a Timestamp) -> BuildingBlocks {
    let fc = Some(fc::timestamp(cx, timestamp)).filter(|block| !block.checks.is_empty());
    let used = Some(timestamp.production_time);
    signed_token(cx, Token::Timestamp(timestamp), fc, None, used, &Judged::new())
}

/// Runs the building blocks of revocation data.
pub fn revocation_blocks<'a>(cx: &ValidationContext<'a>, revocation: &'a Revocation) -> BuildingBlocks {
    let used = revocation.production_date;
    signed_token(cx, Token::Revocation(revocation), None, None, used, &Judged::new())
}

/// Runs the building blocks of a certificate that is judged for itself: there is only its chain.
pub fn certificate_blocks<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> BuildingBlocks {
    let token = Token::Certificate(certificate);
    let algorithms = algorithms::judge(cx, token, Parts::CHAIN, cx.time);
    let xcv = xcv::xcv(cx, certificate, certificate.not_before, token.context(), &algorithms);
    conclude(BuildingBlocks { xcv: Some(xcv), algorithms: Some(algorithms), ..nothing(token) })
}

/// Runs ISC, XCV, CV, SAV and AOV, which every signed token has. Its certificate was used at the time `used`, or, for a
/// signature, when it was issued.
fn signed_token<'a>(
    cx: &ValidationContext<'a>,
    token: Token<'a>,
    fc: Option<Block>,
    vci: Option<Block>,
    used: Option<Time>,
    judged: &Judged,
) -> BuildingBlocks {
    let certificate = token.signing_certificate().and_then(|id| cx.index.certificate(id));
    let algorithms = algorithms::judge(cx, token, Parts::ALL, cx.time);
    let xcv = certificate.map(|certificate| {
        xcv::xcv(cx, certificate, used.unwrap_or(certificate.not_before), token.context(), &algorithms)
    });
    conclude(BuildingBlocks {
        fc,
        isc: Some(isc::isc(cx, token)),
        vci,
        xcv,
        cv: Some(cv::cv(cx, token)),
        sav: Some(sav::sav(cx, token, &algorithms, judged)),
        algorithms: Some(algorithms),
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
        algorithms: None,
        psv: None,
        psv_selection: None,
        pcv: None,
        vts: None,
        vts_selections: vec![],
        conclusion: Conclusion::passed(),
    }
}
