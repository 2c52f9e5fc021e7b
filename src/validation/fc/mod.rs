//! Format checking: EN 319 102-1 §5.2.2.
//!
//! Whether the file is what its format says: here what concerns every signature, in [`pdf`] what was changed after
//! signing, in [`container`] how an ASiC container is put together.

mod container;
mod coverage;
mod pdf;

pub(super) use container::Files;
pub(super) use pdf::ByteRanges;

use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::irregularities;
use super::outcome::SubIndication::FormatFailure;
use super::token::Token;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::{CoveredKind, ScopeType, Signature, SignatureForm, Timestamp, TimestampType};
use crate::policy::{Context, Level, Place, Rule, RuleName};

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
    // A counter-signature's scope is the signature that it counters: what signatures have to cover is one rule.
    let full = signature.scopes.iter().all(|scope| scope.kind == ScopeType::Full);
    let rule = case.rule(Place::Token(Context::Signature), RuleName::FullScope);
    check(steps, rule, ask!("BBB_FC_ICFD"), full)?;

    if let Some(revision) = &signature.pdf_revision {
        let rule = case.rule(basic, RuleName::SignerInformationStore);
        check(steps, rule, ask!("BBB_FC_IOSIP"), signature.signer_infos.len() == 1)?;
        pdf::revision(case, steps, &signature.id, revision, basic)?;
    }
    pdf::pdf_a(case, steps)?;
    let form = signature.level.and_then(|level| level.form());
    if form == Some(SignatureForm::Jades) {
        curve_size(case, steps, signature)?;
    }
    // DDOC: its last version allows SHA-1 only, and nothing keeps it verifiable.
    if form == Some(SignatureForm::DigidocXml) {
        steps.level(Some(Level::Warn), ask!("BBB_FC_IFSK"), false, Failure::failed(FormatFailure))?;
    }
    if let Some(container) = &case.facts.container {
        container::container(case, steps, container)?;
        container::signature_files(case, steps, container, signature)?;
    }
    irregularities::check(case, steps, basic, &signature.irregularities)
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
        container::covered_files(case, steps, timestamp)?;
    }
    // EN 319 122-1 §5.5.2
    if let Some(index) = &timestamp.hash_index {
        let rule = case.rule(Place::Token(context), RuleName::AtsHashIndex);
        check(steps, rule, ask!("BBB_FC_IAHIV"), index.valid)?;
    }
    irregularities::check(case, steps, Place::Basic(context), &timestamp.irregularities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Facts, Scope};
    use crate::policy::Policy;
    use crate::validation::situations::{answer, check, policy};

    fn of(case: &Case<'_>) -> String {
        answer(&signature(case, &case.facts.signatures[0]))
    }

    /// A scope that leaves something out.
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
                    "a digest for which there is no curve",
                    |f| jades(f, Some(DigestAlgorithm::Sha224), 256),
                    "PASSED BBB_FC_IECKSCDA_ANS4",
                ),
            ],
        );
    }
}
