//! Past certificate validation: EN 319 102-1 §5.6.2.1 with the sliding of §5.6.2.2.
//!
//! Answers at which time in the past, if any, the certificate chain of a token was valid.

use super::aov::{self, Parts};
use super::engine::{Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication;
use super::selection::Evidence;
use super::token::Token;
use super::vts::{Sliding, slide};
use crate::facts::{Certificate, Id};
use crate::policy::{Context, Level, Place, RuleName};
use crate::time::Time;

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
    evidence: &Evidence<'_, 'a>,
    token: Token<'a>,
    context: Context,
    only: Option<&[Id]>,
) -> PastCertificate {
    let mut steps = Steps::new(BlockKind::PastCertificateValidation, Some(token.id()));
    let mut result = PastCertificate { block: steps_of_nothing(token), control_time: None, sliding: None };
    let _ = run(evidence, token, context, only, &mut steps, &mut result);
    // What a sliding has to say is shown with it.
    result.block = steps.finish_showing(|check| check.block != Some(BlockKind::ValidationTimeSliding));
    result
}

fn steps_of_nothing(token: Token<'_>) -> Block {
    Steps::new(BlockKind::PastCertificateValidation, Some(token.id())).finish()
}

fn run<'a>(
    evidence: &Evidence<'_, 'a>,
    token: Token<'a>,
    context: Context,
    only: Option<&[Id]>,
    steps: &mut Steps,
    result: &mut PastCertificate,
) -> Result<(), Concluded> {
    let case = evidence.case;
    let chain = case.chain(token.chain());

    // 1) A prospective chain.
    let rule = case.rule(Place::Basic(context), RuleName::ProspectiveCertificateChain);
    let trusted = chain.iter().any(|certificate| certificate.trust.trusted);
    let failure = Failure::indeterminate(SubIndication::NoCertificateChainFound);
    steps.rule(rule, ask!("BBB_XCV_CCCBB"), trusted, failure)?;

    // 2) Sliding towards each trust anchor; one whose trust ended may have another above it.
    let mut best: Option<Sliding> = None;
    for (depth, anchor) in chain.iter().enumerate().filter(|(_, certificate)| certificate.trust.trusted) {
        let sliding = slide(evidence, token, context, anchor, only);
        let question = ask!("PCV_IVTSC").about(token.id()).of_block(BlockKind::ValidationTimeSliding);
        let question = question.comparing(format!("{} {}", sliding.anchor, sliding.control_time));
        let valid = sliding.block.is_passed();
        steps.level(Some(Level::Warn), question, valid, Failure::relayed(&sliding.block.conclusion))?;
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
    let question = ask!("PCV_ICCSVTSF").of_block(BlockKind::ValidationTimeSliding);
    result.sliding = best;
    let failure = Failure::indeterminate(SubIndication::NoPoe);
    steps.level(Some(Level::Fail), question, found.is_some(), failure)?;
    result.control_time = found;

    // 4) The algorithms of the chain at that time.
    let Some(control_time) = found else { return Ok(()) };
    let algorithms = aov::aov(case, token, Parts::CHAIN, control_time);
    if algorithms.block.checks.is_empty() {
        let question = ask!("ACCM").about(token.id()).of_block(BlockKind::AlgorithmObsolescence);
        return steps.level(Some(Level::Fail), question, true, Failure::indeterminate(SubIndication::NoPoe));
    }
    aov::check_result(steps, &algorithms)
}

/// Whether sliding goes on to an anchor further up: the trust in this one ended.
fn may_have_another_above(anchor: &Certificate, above: &[&Certificate]) -> bool {
    anchor.trust.sunset.is_some() && !anchor.self_signed && above.iter().any(|certificate| certificate.trust.trusted)
}
