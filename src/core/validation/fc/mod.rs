//! Format checking: EN 319 102-1 §5.2.2.
//!
//! Whether the file is what its format says: here what concerns every signature, in `pdf` what was changed after
//! signing, in `container` how an ASiC container is put together.

mod container;
mod pdf;

pub(super) use container::evidence_record;

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Question};
use super::irregularities;
use super::outcome::outcomes;
use super::token::Token;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::{CoveredKind, ScopeType, Signature, SignatureForm, Timestamp, TimestampType};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName};

outcomes! {
    /// The outcome of format checking: EN 319 102-1 §5.2.2.3.
    enum NotWellFormed {
        FormatFailure,
    }
}

/// Checks the format of a signature.
pub fn signature(cx: &ValidationContext<'_>, signature: &Signature) -> Block {
    let mut block = BlockBuilder::new(BlockKind::FormatChecking, &signature.id);
    let _ = check_signature(cx, &mut block, signature);
    block.finish()
}

/// Checks the format of a time-stamp, as far as it has one of its own.
pub fn timestamp(cx: &ValidationContext<'_>, timestamp: &Timestamp) -> Block {
    let mut block = BlockBuilder::new(BlockKind::FormatChecking, &timestamp.id);
    let _ = check_timestamp(cx, &mut block, timestamp);
    block.finish()
}

/// Makes a check of the format, which can only fail in one way.
fn check(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    question: impl Into<Question>,
    holds: bool,
) -> Result<(), Concluded> {
    block.check(rule, question, holds, NotWellFormed::FormatFailure)
}

fn check_signature(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    signature: &Signature,
) -> Result<(), Concluded> {
    let context = Token::Signature(signature).context();
    let (token, basic) = (PolicySection::Token(context), PolicySection::Basic(context));

    let rule = cx.rule(token, RuleName::AcceptableFormats);
    let acceptable = signature.level.zip(rule).is_some_and(|(level, rule)| rule.accepts(level.as_str()));
    check(block, rule, CheckId::FormatAccepted, acceptable)?;
    check(block, cx.rule(basic, RuleName::SignatureDuplicated), CheckId::SignatureIdUnique, !signature.duplicated)?;
    let ambiguous = signature.digest_matchers.iter().any(|matcher| matcher.duplicated);
    block.check_at(Level::Fail, CheckId::ReferencesUnambiguous, !ambiguous, NotWellFormed::FormatFailure)?;
    // A counter-signature's scope is the signature that it counters: what signatures have to cover is one rule.
    let full = signature.scopes.iter().all(|scope| scope.kind == ScopeType::Full);
    let rule = cx.rule(PolicySection::Token(Context::Signature), RuleName::FullScope);
    check(block, rule, CheckId::FullScope, full)?;

    if let Some(revision) = &signature.pdf_revision {
        let rule = cx.rule(basic, RuleName::SignerInformationStore);
        check(block, rule, CheckId::OneSigner, signature.signer_infos.len() == 1)?;
        pdf::revision(cx, block, &signature.id, revision, basic)?;
    }
    pdf::pdf_a(cx, block)?;
    let form = signature.level.and_then(|level| level.form());
    if form == Some(SignatureForm::Jades) {
        curve_size(cx, block, signature)?;
    }
    // DDOC: its last version allows SHA-1 only, and nothing keeps it verifiable.
    if form == Some(SignatureForm::DigidocXml) {
        block.check_at(Level::Warn, CheckId::FormatMaintained, false, NotWellFormed::FormatFailure)?;
    }
    if let Some(container) = &cx.facts.container {
        container::container(cx, block, container)?;
        container::signature_files(cx, block, container, signature)?;
    }
    irregularities::check(cx, block, basic, &signature.irregularities)
}

/// Checks the curve, which in JSON follows from the digest function: RFC 7518 §3.4.
fn curve_size(cx: &ValidationContext<'_>, block: &mut BlockBuilder, signature: &Signature) -> Result<(), Concluded> {
    if !matches!(signature.basic.key_algorithm, Some(KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa)) {
        return Ok(());
    }
    let Some(length) = signature.basic.key_length else { return Ok(()) };
    let bits = match signature.basic.digest_algorithm {
        Some(DigestAlgorithm::Sha256) => Some(256),
        Some(DigestAlgorithm::Sha384) => Some(384),
        Some(DigestAlgorithm::Sha512) => Some(521),
        _ => None,
    };
    let fits = if signature.basic.digest_algorithm.is_none() {
        CheckId::CurveDigestKnown
    } else if bits.is_none() {
        CheckId::CurveForDigestKnown
    } else {
        CheckId::CurveFitsDigest
    };
    let section = PolicySection::SignedAttributes(Token::Signature(signature).context());
    let rule = cx.rule(section, RuleName::EllipticCurveKeySize);
    check(block, rule, fits, bits == Some(length))
}

fn check_timestamp(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    let context = Token::Timestamp(timestamp).context();
    let detached = !timestamp.covered.iter().any(|object| object.kind == CoveredKind::Signature);
    if let Some(revision) = &timestamp.pdf_revision {
        pdf::revision(cx, block, &timestamp.id, revision, PolicySection::Basic(context))?;
    }
    if timestamp.kind == TimestampType::Document && detached {
        pdf::pdf_a(cx, block)?;
    }
    if let Some(container) = cx.facts.container.as_ref().filter(|_| timestamp.kind == TimestampType::Container) {
        if detached {
            container::container(cx, block, container)?;
            container::timestamp_files(cx, block, container, timestamp)?;
        }
        container::covered_files(cx, block, timestamp)?;
    }
    // EN 319 122-1 §5.5.2
    if let Some(index) = &timestamp.hash_index {
        let rule = cx.rule(PolicySection::Token(context), RuleName::AtsHashIndex);
        check(block, rule, CheckId::HashIndexValid, index.valid)?;
    }
    irregularities::check(cx, block, PolicySection::Basic(context), &timestamp.irregularities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Facts, Scope};
    use crate::policy::Policy;
    use crate::validation::situations::{answer, check, policy};

    fn of(cx: &ValidationContext<'_>) -> String {
        answer(&signature(cx, &cx.facts.signatures[0]))
    }

    /// Returns a scope that leaves something out.
    fn part() -> Scope {
        Scope {
            kind: ScopeType::Partial,
            name: None,
            description: String::new(),
            transformations: vec![],
            signed_data: crate::facts::Id::new("D"),
        }
    }

    #[test]
    fn every_signature() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.2", "an ordinary signature", |_| {}, "PASSED"),
                (
                    "5.2.2",
                    "two signatures with the same id",
                    |f| f.signatures[0].duplicated = true,
                    "FAILED/FORMAT_FAILURE BBB_FC_ISD_ANS",
                ),
                (
                    "5.2.2",
                    "a reference that may mean one thing or another",
                    |f| f.signatures[0].digest_matchers[0].duplicated = true,
                    "FAILED/FORMAT_FAILURE BBB_FC_ISRIA_ANS",
                ),
            ],
        );
        let formats = policy(
            "<SignatureConstraints><AcceptableFormats Level='FAIL'><Id>PAdES-BASELINE-B</Id></AcceptableFormats>\
             <FullScope Level='FAIL'/></SignatureConstraints>",
        );
        check(
            &formats,
            "2021-06-02",
            of,
            &[
                ("5.2.2", "a format that is not accepted", |_| {}, "FAILED/FORMAT_FAILURE BBB_FC_IEFF_ANS"),
                (
                    "5.2.2",
                    "only a part is signed",
                    |f| {
                        f.signatures[0].level = Some(crate::facts::SignatureLevel::PadesBaselineB);
                        f.signatures[0].scopes = vec![part().into()];
                    },
                    "FAILED/FORMAT_FAILURE BBB_FC_ICFD_ANS",
                ),
            ],
        );
    }

    #[test]
    fn counter_signatures_follow_the_scope_of_signatures() {
        let rules = |section: &str| policy(&format!("<{section}><FullScope Level='FAIL'/></{section}>"));
        let partial: fn(&mut Facts) = |f| {
            f.signatures[0].counter_signature = true;
            f.signatures[0].scopes = vec![part().into()];
        };
        for (section, expected) in [
            ("SignatureConstraints", "FAILED/FORMAT_FAILURE BBB_FC_ICFD_ANS"),
            ("CounterSignatureConstraints", "PASSED"),
        ] {
            check(&rules(section), "2021-06-02", of, &[("5.2.2", section, partial, expected)]);
        }
    }

    #[test]
    fn outdated_formats() {
        let ddoc = |facts: &mut Facts| facts.signatures[0].level = Some(crate::facts::SignatureLevel::DigidocXml13);
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("DIGIDOC-XML 1.3", "said to be outdated, not refused", ddoc, "PASSED BBB_FC_IFSK_ANS"),
                ("EN 319 122-1", "a format of today", |_| {}, "PASSED"),
            ],
        );
    }

    #[test]
    fn curves_in_json() {
        fn jades(facts: &mut Facts, digest: Option<DigestAlgorithm>, bits: u32) {
            facts.signatures[0].level = Some(crate::facts::SignatureLevel::JadesBaselineB);
            let basic = &mut facts.signatures[0].basic;
            (basic.key_algorithm, basic.digest_algorithm) = (Some(KeyAlgorithm::Ecdsa), digest);
            basic.key_length = Some(bits);
        }
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("RFC 7518 §3.4", "ES256 on P-256", |f| jades(f, Some(DigestAlgorithm::Sha256), 256), "PASSED"),
                ("RFC 7518 §3.4", "ES512 on P-521", |f| jades(f, Some(DigestAlgorithm::Sha512), 521), "PASSED"),
                (
                    "RFC 7518 §3.4",
                    "ES256 on P-384",
                    |f| jades(f, Some(DigestAlgorithm::Sha256), 384),
                    "PASSED BBB_FC_IECKSCDA_ANS5",
                ),
                ("RFC 7518 §3.4", "no digest", |f| jades(f, None, 256), "PASSED BBB_FC_IECKSCDA_ANS2"),
                (
                    "RFC 7518 §3.4",
                    "a key that nobody has",
                    |f| {
                        jades(f, Some(DigestAlgorithm::Sha256), 256);
                        f.signatures[0].basic.key_length = None;
                    },
                    "PASSED",
                ),
                (
                    "RFC 7518 §3.4",
                    "a digest for which there is no curve",
                    |f| jades(f, Some(DigestAlgorithm::Sha224), 256),
                    "PASSED BBB_FC_IECKSCDA_ANS4",
                ),
            ],
        );
    }
}
