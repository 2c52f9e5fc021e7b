//! Past certificate validation: EN 319 102-1 §5.6.2.1 with the sliding of §5.6.2.2.
//!
//! Answers at which time in the past, if any, the certificate chain of a token was valid.

use super::algorithms::{self, Parts};
use super::check_id::CheckId;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::outcomes;
use super::past_selection::Basis;
use super::token::Token;
use super::vts::{Sliding, slide};
use crate::facts::{Certificate, Id};
use crate::policy::{Context, Level, PolicySection, RuleName};
use crate::time::Time;

outcomes! {
    /// The outcomes of past certificate validation: EN 319 102-1 §5.6.2.1.
    enum NotValid {
        NoCertificateChainFound,
        NoPoe,
    }
}

/// The finished validation.
#[derive(Debug)]
pub(super) struct PastCertificate {
    /// Its checks and conclusion.
    pub block: Block,
    /// The time at which the chain was valid.
    pub control_time: Option<Time>,
    /// The sliding that counts.
    pub sliding: Option<Sliding>,
}

/// Validates the chain of `token`. Where `only` is given, the signing certificate's status is taken from that
/// revocation data alone.
pub(super) fn validate<'a>(
    basis: &Basis<'_, 'a>,
    token: Token<'a>,
    context: Context,
    only: Option<&[Id]>,
) -> PastCertificate {
    let mut block = BlockBuilder::new(BlockKind::PastCertificateValidation, token.id());
    let mut past = Past { control_time: None, sliding: None };
    let _ = run(basis, token, context, only, &mut block, &mut past);
    PastCertificate { block: block.finish(), control_time: past.control_time, sliding: past.sliding }
}

/// What the validation has found so far.
struct Past {
    control_time: Option<Time>,
    sliding: Option<Sliding>,
}

fn run<'a>(
    basis: &Basis<'_, 'a>,
    token: Token<'a>,
    context: Context,
    only: Option<&[Id]>,
    block: &mut BlockBuilder,
    past: &mut Past,
) -> Result<(), Concluded> {
    let cx = basis.cx;
    let chain = cx.index.chain(token.chain());

    // 1) A prospective chain.
    let rule = cx.rule(PolicySection::Basic(context), RuleName::ProspectiveCertificateChain);
    let trusted = chain.iter().any(|certificate| certificate.trust.trusted);
    let failure = NotValid::NoCertificateChainFound;
    block.check(rule, CheckId::ProspectiveChain, trusted, failure)?;

    // 2) Sliding towards each trust anchor; one whose trust ended may have another above it.
    let mut best: Option<Sliding> = None;
    for (depth, anchor) in chain.iter().enumerate().filter(|(_, certificate)| certificate.trust.trusted) {
        let sliding = slide(basis, token, context, anchor, only);
        // What a sliding has to say is shown with it.
        let question = CheckId::SlidingPassed.about(token.id()).of_block(BlockKind::ValidationTimeSliding).silent();
        let question = question.comparing(format!("{} {}", sliding.anchor, sliding.control_time));
        let valid = sliding.block.is_passed();
        block.check_at(Level::Warn, question, valid, Failure::relayed(&sliding.block.conclusion))?;
        let rank = |s: &Sliding| (s.block.is_passed(), s.control_time);
        if best.as_ref().is_none_or(|best| rank(&sliding) > rank(best)) {
            best = Some(sliding);
        }
        if !may_have_another_above(anchor, &chain[depth + 1..]) {
            break;
        }
    }

    // 3) The one that succeeded, with the latest control time.
    let found = best.as_ref().filter(|sliding| sliding.block.is_passed()).map(|sliding| sliding.control_time);
    let question = CheckId::SlidingReachedControlTime.of_block(BlockKind::ValidationTimeSliding);
    past.sliding = best;
    let failure = NotValid::NoPoe;
    block.check_at(Level::Fail, question, found.is_some(), failure)?;
    past.control_time = found;

    // 4) The algorithms of the chain at that time.
    let Some(control_time) = found else { return Ok(()) };
    let algorithms = algorithms::judge(cx, token, Parts::CHAIN, control_time);
    if algorithms.block.checks.is_empty() {
        let question = CheckId::AlgorithmsReliable.about(token.id()).of_block(BlockKind::AlgorithmObsolescence);
        return block.check_at(Level::Fail, question, true, NotValid::NoPoe);
    }
    algorithms::check_result(block, &algorithms)
}

/// Returns whether sliding goes on to an anchor further up: the trust in this one ended.
fn may_have_another_above(anchor: &Certificate, above: &[&Certificate]) -> bool {
    anchor.trust.sunset.is_some() && !anchor.self_signed && above.iter().any(|certificate| certificate.trust.trusted)
}
