//! Format checking: EN 319 102-1 §5.2.2.
//!
//! Whether the file is what its format says: here what concerns every signature, in [`pdf`] what was changed after
//! signing, in [`container`] how an ASiC container is put together.

mod container;
pub(super) use container::{covers_what_it_covers, manifest_of};
mod pdf;

use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::FormatFailure;
use super::token::Token;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::{CoveredKind, ScopeType, Signature, SignatureForm, Timestamp, TimestampType};
use crate::policy::{Level, Place, Rule, RuleName};

/// Checks the format of a signature.
pub fn signature(case: &Case<'_>, signature: &Signature) -> Block {
    let mut steps = Steps::new(BlockKind::FormatChecking, Some(&signature.id));
    let _ = signature_steps(case, &mut steps, signature);
    steps.finish()
}

/// Checks the format of a time-stamp, as far as it has one of its own.
pub fn timestamp(case: &Case<'_>, timestamp: &Timestamp) -> Block {
    let mut steps = Steps::new(BlockKind::FormatChecking, Some(&timestamp.id));
    let _ = timestamp_steps(case, &mut steps, timestamp);
    steps.finish()
}

/// Every failure of format checking is FAILED with FORMAT_FAILURE.
fn check(steps: &mut Steps, rule: Option<&Rule>, question: Ask, holds: bool) -> Result<(), Concluded> {
    steps.rule(rule, question, holds, Failure::failed(FormatFailure))
}

fn signature_steps(case: &Case<'_>, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
    let context = Token::Signature(signature).context();
    let (token, basic) = (Place::Token(context), Place::Basic(context));

    let rule = case.rule(token, RuleName::AcceptableFormats);
    let acceptable = signature.level.zip(rule).is_some_and(|(level, rule)| rule.accepts(level.as_str()));
    check(steps, rule, ask!("BBB_FC_IEFF"), acceptable)?;
    check(steps, case.rule(basic, RuleName::SignatureDuplicated), ask!("BBB_FC_ISD"), !signature.duplicated)?;
    let ambiguous = signature.digest_matchers.iter().any(|matcher| matcher.duplicated);
    steps.level(Some(Level::Fail), ask!("BBB_FC_ISRIA"), !ambiguous, Failure::failed(FormatFailure))?;
    let full = signature.scopes.iter().all(|scope| scope.kind == ScopeType::Full);
    check(steps, case.rule(token, RuleName::FullScope), ask!("BBB_FC_ICFD"), full)?;

    if let Some(revision) = &signature.pdf_revision {
        let rule = case.rule(basic, RuleName::SignerInformationStore);
        check(steps, rule, ask!("BBB_FC_IOSIP"), signature.signer_infos.len() == 1)?;
        pdf::revision(case, steps, &signature.id, revision, basic)?;
    }
    pdf::pdf_a(case, steps)?;
    if signature.level.and_then(|level| level.form()) == Some(SignatureForm::Jades) {
        curve_size(case, steps, signature)?;
    }
    if let Some(container) = &case.facts.container {
        container::container(case, steps, container)?;
        container::signature_files(case, steps, container, signature)?;
    }
    Ok(())
}

/// RFC 7518 §3.4: in JSON the digest function says which curve it is.
fn curve_size(case: &Case<'_>, steps: &mut Steps, signature: &Signature) -> Result<(), Concluded> {
    if !matches!(signature.basic.key_algorithm, Some(KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa)) {
        return Ok(());
    }
    let bits = match signature.basic.digest_algorithm {
        Some(DigestAlgorithm::Sha256) => Some(256),
        Some(DigestAlgorithm::Sha384) => Some(384),
        Some(DigestAlgorithm::Sha512) => Some(521),
        _ => None,
    };
    let length = signature.basic.key_length;
    let key = if signature.basic.digest_algorithm.is_none() {
        "BBB_FC_IECKSCDA_ANS2"
    } else if bits.is_none() {
        "BBB_FC_IECKSCDA_ANS4"
    } else {
        "BBB_FC_IECKSCDA_ANS5"
    };
    let place = Place::SignedAttributes(Token::Signature(signature).context());
    let rule = case.rule(place, RuleName::EllipticCurveKeySize);
    check(steps, rule, Ask::new("BBB_FC_IECKSCDA", key), bits.is_some() && bits == length)
}

fn timestamp_steps(case: &Case<'_>, steps: &mut Steps, timestamp: &Timestamp) -> Result<(), Concluded> {
    let context = Token::Timestamp(timestamp).context();
    let detached = !timestamp.covered.iter().any(|object| object.kind == CoveredKind::Signature);
    if let Some(revision) = &timestamp.pdf_revision {
        pdf::revision(case, steps, &timestamp.id, revision, Place::Basic(context))?;
    }
    if timestamp.kind == TimestampType::Document && detached {
        pdf::pdf_a(case, steps)?;
    }
    if let Some(container) = case.facts.container.as_ref().filter(|_| timestamp.kind == TimestampType::Container) {
        if detached {
            container::container(case, steps, container)?;
            container::timestamp_files(case, steps, container, timestamp)?;
        }
        container::covered_files(case, steps, container, timestamp)?;
    }
    // EN 319 122-1 §5.5.2
    if let Some(index) = &timestamp.hash_index {
        let rule = case.rule(Place::Token(context), RuleName::AtsHashIndex);
        check(steps, rule, ask!("BBB_FC_IAHIV"), index.valid)?;
    }
    Ok(())
}
