//! The building blocks and processes of a token as questions with answers, in the order in which people would ask them.

use super::{Check, State};
use crate::validation::blocks::BuildingBlocks;
use crate::validation::engine::{Block, BlockKind, Conclusion};
use crate::validation::{SignatureVerdict, TimestampVerdict};

/// The building blocks of every token, in the order of EN 319 102-1 §5.2 and §5.6.2.
const BLOCKS: &[BlockKind] = &[
    BlockKind::FormatChecking,
    BlockKind::IdentificationOfSigningCertificate,
    BlockKind::ValidationContextInitialization,
    BlockKind::CryptographicVerification,
    BlockKind::X509CertificateValidation,
    BlockKind::SignatureAcceptance,
    BlockKind::PastSignatureValidation,
    BlockKind::PastCertificateValidation,
    BlockKind::ValidationTimeSliding,
];

/// Returns the blocks of a signature, then its three processes.
pub(super) fn of_signature(verdict: &SignatureVerdict) -> Vec<Check> {
    let mut checks = of_blocks(&verdict.blocks);
    checks.extend([&verdict.basic, &verdict.long_term, &verdict.archival].map(|process| check(&process.block)));
    checks
}

/// Returns the blocks of a time-stamp, then its two processes.
pub(super) fn of_timestamp(verdict: &TimestampVerdict) -> Vec<Check> {
    let mut checks = of_blocks(&verdict.blocks);
    checks.extend([&verdict.basic, &verdict.archival].map(check));
    checks
}

fn of_blocks(blocks: &BuildingBlocks) -> Vec<Check> {
    BLOCKS.iter().filter_map(|kind| blocks.block(*kind)).map(check).collect()
}

/// Turns a finished block into a question with its answer.
pub(super) fn check(block: &Block) -> Check {
    let state = State::of(block.conclusion.indication);
    Check { block: block.kind, state, code: in_codes(&block.conclusion) }
}

/// Returns indication and sub-indication, as ETSI writes them.
pub(super) fn in_codes(conclusion: &Conclusion) -> String {
    match conclusion.sub_indication {
        Some(sub) => format!("{} {sub}", conclusion.indication),
        None => conclusion.indication.to_string(),
    }
}
