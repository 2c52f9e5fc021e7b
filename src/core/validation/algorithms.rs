//! Algorithm obsolescence validation (DSS's AOV): whether the algorithms that a token rests on are reliable at a time
//! (EN 319 102-1 §5.2.8.4.1, working specification §6).
//!
//! Unlike in other blocks a failure does not end this one: every algorithm is looked at, the first failure
//! concludes, and the messages of all add up.

use super::algorithm_check::{check_digest, check_signature};
use super::blocks::{AlgorithmCheck, AlgorithmObsolescence};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Concluded, Conclusion, Failure, Message, Question};
use super::token::Token;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{Certificate, DigestMatcher, Id, MatcherType};
use crate::policy::{Context, CryptographicSuite, Level, PolicySection, RuleName, SubContext};
use crate::time::Time;

/// Which of a token's algorithms are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// That of the signature value.
    pub signature: bool,
    /// The digests in references to the signing certificate.
    pub signed_attributes: bool,
    /// The digests of what is signed or time-stamped.
    pub digest_matchers: bool,
    /// Those of the certificates below the trust anchor.
    pub chain: bool,
}

impl Parts {
    /// The whole token.
    pub const ALL: Self = Self { signature: true, signed_attributes: true, digest_matchers: true, chain: true };
    /// The signature value and the signed attributes.
    pub const SIGNATURE: Self = Self { digest_matchers: false, chain: false, ..Self::ALL };
    /// What is signed or time-stamped.
    pub const DIGEST_MATCHERS: Self = Self { digest_matchers: true, ..Self::NONE };
    /// The certificates.
    pub const CHAIN: Self = Self { chain: true, ..Self::NONE };
    const NONE: Self = Self { signature: false, signed_attributes: false, digest_matchers: false, chain: false };
}

/// Judges those algorithms of `token` at `time`.
pub fn judge(cx: &ValidationContext<'_>, token: Token<'_>, parts: Parts, time: Time) -> AlgorithmObsolescence {
    let context = token.context();
    let suite = cx.suite(context, None);
    let mut run = Run::new(token.id(), time);
    if let Some(suite) = suite.filter(|_| parts.signature && !matches!(token, Token::EvidenceRecord(_))) {
        run.signature = Some(run.record(check_signature(suite, token.id(), token.basic(), time), None));
    }
    if parts.signed_attributes && matches!(token, Token::Signature(_) | Token::Timestamp(_)) {
        run.references(cx, token);
    }
    if let Some(suite) = suite.filter(|_| parts.digest_matchers) {
        run.digests(suite, token);
    }
    if parts.chain {
        run.chain(cx, token, context);
    }
    run.finish()
}

/// Judges the algorithm by which a certificate is signed.
pub fn judge_certificate(
    cx: &ValidationContext<'_>,
    certificate: &Certificate,
    context: Context,
    sub: SubContext,
    time: Time,
) -> AlgorithmObsolescence {
    let mut run = Run::new(&certificate.id, time);
    if let Some(suite) = cx.suite(context, Some(sub)) {
        run.signature = Some(run.record(check_signature(suite, &certificate.id, &certificate.basic, time), None));
    }
    run.finish()
}

/// Relays the result to another block: failing, or only warning of what was only warned of.
pub fn check_result(block: &mut BlockBuilder, algorithms: &AlgorithmObsolescence) -> Result<(), Concluded> {
    if algorithms.block.checks.is_empty() {
        return Ok(());
    }
    let conclusion = &algorithms.block.conclusion;
    let holds = finding(conclusion).is_none();
    block.check_at(level(conclusion), relay(algorithms), holds, Failure::relayed(conclusion))
}

/// Checks that the algorithm of the token's value was reliable at `time`, also where something else is what is wrong at
/// present: EN 319 102-1 §5.5.4 7), §5.2.8.4.
pub(super) fn check_value(
    block: &mut BlockBuilder,
    cx: &ValidationContext<'_>,
    token: Token<'_>,
    time: Time,
) -> Result<(), Concluded> {
    let rule = cx.rule(PolicySection::Token(token.context()), RuleName::AlgorithmAtBestSignatureTime);
    if rule.is_none() {
        return Ok(());
    }
    let algorithms = judge(cx, token, Parts::SIGNATURE, time);
    let conclusion = &algorithms.block.conclusion;
    block.check(rule, relay(&algorithms), conclusion.is_passed(), Failure::relayed(conclusion))
}

/// Asks for the result of the algorithms of a token.
fn relay(algorithms: &AlgorithmObsolescence) -> Question {
    CheckId::AlgorithmsReliable.about(algorithms.block.token.as_ref()).of_block(BlockKind::AlgorithmObsolescence)
}

/// Relays what was found of one certificate of the token's chain. Where something was, messages and strictness are
/// those of the whole token.
pub(super) fn check_certificate(
    block: &mut BlockBuilder,
    algorithms: &AlgorithmObsolescence,
    certificate: &Id,
) -> Result<(), Concluded> {
    let Some(own) = algorithms.chain.iter().find(|check| check.token == *certificate) else { return Ok(()) };
    let question = CheckId::AlgorithmsReliable.about(certificate).of_block(BlockKind::AlgorithmObsolescence);
    let holds = finding(&own.conclusion).is_none();
    let whole = &algorithms.block.conclusion;
    block.check_at(level(whole), question, holds, Failure::relayed(whole))
}

/// Returns what a conclusion reports first.
fn finding(conclusion: &Conclusion) -> Option<&Message> {
    let Conclusion { errors, warnings, infos, .. } = conclusion;
    errors.first().or(warnings.first()).or(infos.first())
}

/// Asks whether the algorithms are reliable, with the failure that a conclusion reports first.
fn ask(conclusion: &Conclusion) -> Question {
    let check = CheckId::AlgorithmsReliable;
    let found = finding(conclusion);
    let question = Question::from(check).relaying(found.map_or(check, |found| found.check));
    match found.and_then(|found| found.compared.clone()) {
        Some(values) => question.comparing(values),
        None => question,
    }
}

/// Returns how strict the check was that reported something.
fn level(conclusion: &Conclusion) -> Level {
    if !conclusion.is_passed() || conclusion.warnings.is_empty() && conclusion.infos.is_empty() {
        Level::Fail
    } else if !conclusion.warnings.is_empty() {
        Level::Warn
    } else {
        Level::Inform
    }
}

/// The validation while it runs.
struct Run {
    time: Time,
    block: BlockBuilder,
    signature: Option<AlgorithmCheck>,
    signed_attributes: Option<AlgorithmCheck>,
    digest_matchers: Option<AlgorithmCheck>,
    chain: Vec<AlgorithmCheck>,
}

impl Run {
    fn new(token: &Id, time: Time) -> Self {
        let block = BlockBuilder::new(BlockKind::AlgorithmObsolescence, token);
        Self { time, block, signature: None, signed_attributes: None, digest_matchers: None, chain: vec![] }
    }

    /// Records the result of one algorithm.
    fn record(&mut self, check: AlgorithmCheck, about: Option<&Id>) -> AlgorithmCheck {
        let conclusion = &check.conclusion;
        let question = ask(conclusion).about(about);
        let holds = finding(conclusion).is_none();
        let _ = self.block.check_at(level(conclusion), question, holds, Failure::relayed(conclusion));
        check
    }

    /// Judges the digests by which the token refers to certificates (ESS, RFC 5035): for each certificate one is
    /// enough.
    fn references(&mut self, cx: &ValidationContext<'_>, token: Token<'_>) {
        let rule =
            cx.rule(PolicySection::SignedAttributes(token.context()), RuleName::SigningCertificateDigestAlgorithm);
        let own = token.signing_reference().map(|(certificate, _)| certificate);
        let mut groups: Vec<(&Id, Vec<Option<DigestAlgorithm>>)> = vec![];
        for (certificate, reference) in token.signing_references() {
            let digest = reference.digest.as_ref().and_then(|digest| digest.algorithm);
            match groups.iter_mut().find(|(id, _)| *id == certificate) {
                Some((_, digests)) => digests.push(digest),
                None => groups.push((certificate, vec![digest])),
            }
        }
        for (certificate, digests) in groups {
            let sub = if own == Some(certificate) { SubContext::SigningCertificate } else { SubContext::CaCertificate };
            let Some(suite) = cx.suite(token.context(), Some(sub)) else { continue };
            let mut checks = digests.iter().map(|digest| check_digest(suite, token.id(), *digest, self.time));
            let Some(first) = checks.next() else { continue };
            let check = if first.conclusion.is_passed() {
                first
            } else {
                let last = checks.find(|check| check.conclusion.is_passed());
                last.unwrap_or(first)
            };
            let question = ask(&check.conclusion).about(certificate);
            let failure = Failure::relayed(&check.conclusion);
            // NOTE: the rule softens what the suite says of the digest function. To ignore it softens nothing, as in EU
            // DSS: the suite's own level stands.
            let level = rule.map(|rule| if rule.level == Level::Ignore { Level::Fail } else { rule.level });
            let _ = self.block.check_at(level, question, check.conclusion.is_passed(), failure);
            let decisive = |known: &AlgorithmCheck| known.conclusion.is_passed() && !check.conclusion.is_passed();
            if self.signed_attributes.as_ref().is_none_or(decisive) {
                self.signed_attributes = Some(check);
            }
        }
    }

    /// Judges the digests of what is signed, one check for each function and kind of thing.
    fn digests(&mut self, suite: &CryptographicSuite, token: Token<'_>) {
        let all = token.digest_matchers();
        let mut stated: Vec<&DigestMatcher> =
            all.iter().map(|m| &**m).filter(|m| m.digest.algorithm.is_some() || !is_computed(m.kind)).collect();
        if stated.is_empty() {
            stated = all.iter().map(|m| &**m).collect();
        }
        let digests = distinct(stated.iter().map(|m| m.digest.algorithm));
        let kinds = distinct(stated.iter().map(|m| thing(m.kind)));
        for digest in digests {
            for &kind in &kinds {
                let alike = |m: &&DigestMatcher| {
                    m.digest.algorithm == digest
                        && thing(m.kind) == kind
                        && m.kind != MatcherType::CounterSignedSignatureValue
                };
                if !stated.iter().copied().any(|m| alike(&m)) {
                    continue;
                }
                let mut check = check_digest(suite, token.id(), digest, self.time);
                check.concerns = Some(kind.as_str().into());
                let check = self.record(check, None);
                let decisive = |known: &AlgorithmCheck| known.conclusion.is_passed() && !check.conclusion.is_passed();
                if self.digest_matchers.as_ref().is_none_or(decisive) {
                    self.digest_matchers = Some(check);
                }
            }
        }
    }

    /// Judges the certificates below the trust anchor of that time.
    fn chain(&mut self, cx: &ValidationContext<'_>, token: Token<'_>, context: Context) {
        let own = matches!(token, Token::Certificate(_)).then_some(token.id());
        let chain = own.into_iter().chain(token.chain()).filter_map(|id| cx.index.certificate(id));
        for (depth, certificate) in chain.enumerate() {
            let sub = SubContext::at_depth(depth);
            if cx.is_trust_anchor(certificate, self.time, context, sub) {
                break;
            }
            let Some(suite) = cx.suite(context, Some(sub)) else { continue };
            let check = check_signature(suite, &certificate.id, &certificate.basic, self.time);
            let check = self.record(check, Some(&certificate.id));
            self.chain.push(check);
        }
    }

    fn finish(self) -> AlgorithmObsolescence {
        let Self { time, block, signature, signed_attributes, digest_matchers, chain } = self;
        AlgorithmObsolescence { time, block: block.finish(), signature, signed_attributes, digest_matchers, chain }
    }
}

/// Returns whether digests were computed for the comparison and are nowhere stated, unless their function is known.
fn is_computed(kind: MatcherType) -> bool {
    use MatcherType::*;
    matches!(
        kind,
        CounterSignedSignatureValue
            | ErArchiveObject
            | ErArchiveTimestamp
            | ErArchiveTimestampSequence
            | ErMasterSignature
    )
}

/// Returns the kind of thing: references to objects of any kind are one, and so are those to a counter-signed
/// signature.
fn thing(kind: MatcherType) -> MatcherType {
    match kind {
        MatcherType::Object | MatcherType::XPointer => MatcherType::Reference,
        MatcherType::CounterSignedSignatureValue => MatcherType::CounterSignature,
        kind => kind,
    }
}

fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut result = vec![];
    for item in items {
        if !result.contains(&item) {
            result.push(item);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::policy::Policy;
    use crate::validation::situations::{answer, check, policy, signature};
    use crate::validation::testing::{at, certificate_mut, valid};

    const OBSOLETE: &str = "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE";

    /// Returns which parts of the signature fail.
    fn failing(algorithms: &AlgorithmObsolescence) -> String {
        let parts = [
            ("value", &algorithms.signature),
            ("attributes", &algorithms.signed_attributes),
            ("data", &algorithms.digest_matchers),
        ];
        let chain = algorithms.chain.iter().map(|check| (check.token.as_str(), check));
        let all = parts.into_iter().filter_map(|(part, check)| Some((part, check.as_ref()?))).chain(chain);
        all.filter(|(_, check)| !check.conclusion.is_passed()).map(|(part, _)| format!(" {part}")).collect()
    }

    fn of(cx: &ValidationContext<'_>) -> String {
        let algorithms = judge(cx, signature(cx), Parts::ALL, cx.time);
        answer(&algorithms.block) + &failing(&algorithms)
    }

    fn weaken(facts: &mut Facts, name: &str) {
        certificate_mut(facts, name).basic.digest_algorithm = Some(DigestAlgorithm::Sha1);
    }

    #[test]
    fn situations() {
        let obsolete = |rest: &str| format!("{OBSOLETE} {rest}");
        let (value, data) = (obsolete("ASCCM_AR_ANS_AKSNR value"), obsolete("ASCCM_AR_ANS_ANR data"));
        let (attributes, signer) = (obsolete("ASCCM_AR_ANS_ANR attributes"), obsolete("ASCCM_AR_ANS_AKSNR SIGNER"));
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.8.4.1", "all is reliable", |_| {}, "PASSED"),
                (
                    "5.2.8.4.1",
                    "the value is not",
                    |f| f.signatures[0].basic.digest_algorithm = Some(DigestAlgorithm::Sha1),
                    value.leak(),
                ),
                (
                    "5.2.8.4.1",
                    "the digest of the data is not",
                    |f| f.signatures[0].digest_matchers[0].digest.algorithm = Some(DigestAlgorithm::Sha1),
                    data.leak(),
                ),
                ("5.2.8.4.1", "the signer's certificate is not", |f| weaken(f, "SIGNER"), signer.leak()),
                ("5.2.8.4.1", "the anchor's certificate need not be", |f| weaken(f, "ROOT"), "PASSED"),
                (
                    "5.2.8.4.2.1",
                    "the reference to the certificate is not, which is only warned of",
                    |f| {
                        let reference = &mut f.signatures[0].found_certificates[0].references[0];
                        reference.digest.as_mut().unwrap().algorithm = Some(DigestAlgorithm::Sha1);
                    },
                    attributes.replace(OBSOLETE, "PASSED").leak(),
                ),
                (
                    "5.2.8.4.2.1",
                    "one of two references to it is",
                    |f| {
                        let references = &mut f.signatures[0].found_certificates[0].references;
                        references.push(references[0].clone());
                        references[0].digest.as_mut().unwrap().algorithm = Some(DigestAlgorithm::Sha1);
                    },
                    "PASSED",
                ),
            ],
        );
    }

    #[test]
    fn references_under_each_level() {
        for (level, expected) in
            [("FAIL", OBSOLETE), ("IGNORE", OBSOLETE), ("WARN", "PASSED"), ("INFORM", "PASSED"), ("", "PASSED")]
        {
            let rule = format!("<SigningCertificateDigestAlgorithm Level='{level}'/>");
            let policy = policy(&format!(
                "<SignatureConstraints><SignedAttributes>{}</SignedAttributes></SignatureConstraints>\
                 <Cryptographic Level='FAIL'><AcceptableEncryptionAlgo><Algo>RSA</Algo></AcceptableEncryptionAlgo>\
                 <AcceptableDigestAlgo><Algo>SHA256</Algo></AcceptableDigestAlgo></Cryptographic>",
                if level.is_empty() { "" } else { &rule }
            ));
            let mut facts = valid();
            let reference = &mut facts.signatures[0].found_certificates[0].references[0];
            reference.digest.as_mut().unwrap().algorithm = Some(DigestAlgorithm::Sha1);
            let cx = ValidationContext::new(&facts, &policy, at("2021-06-02"));
            let answer = of(&cx);
            assert!(answer.starts_with(expected), "5.2.8.4.2.1, level `{level}`: {answer}");
        }
    }

    #[test]
    fn at_a_time_when_it_was_reliable() {
        let earlier =
            |cx: &ValidationContext<'_>| answer(&judge(cx, signature(cx), Parts::SIGNATURE, at("2011-01-01")).block);
        let weak: fn(&mut Facts) = |f| {
            f.signatures[0].basic.digest_algorithm = Some(DigestAlgorithm::Sha1);
            f.signatures[0].basic.key_length = Some(2048);
        };
        check(&Policy::dss(), "2021-06-02", earlier, &[("5.2.8.4.1", "before the end", weak, "PASSED")]);
    }
}
