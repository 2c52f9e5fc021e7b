//! Revocation freshness checker: EN 319 102-1 §5.2.5.
//!
//! Answers one question, whether revocation data is recent enough at a time. That it is authentic, and about this
//! certificate, is settled before (§5.2.6.4).

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded};
use super::outcome::outcomes;
use crate::facts::{Revocation, RevocationType};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcome of the freshness checker: EN 319 102-1 §5.2.5.3.
    enum NotFresh {
        TryLater,
    }
}

/// Checks the freshness of `revocation` at `time`, as the policy asks for that certificate of a path.
pub fn check_freshness(
    cx: &ValidationContext<'_>,
    revocation: &Revocation,
    time: Time,
    context: Context,
    sub: SubContext,
) -> Block {
    let mut block = BlockBuilder::new(BlockKind::RevocationFreshness, &revocation.id);
    let _ = run(cx, &mut block, revocation, time, PolicySection::Certificate(context, sub));
    block.finish()
}

fn run(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    revocation: &Revocation,
    time: Time,
    section: PolicySection,
) -> Result<(), Concluded> {
    let try_later = NotFresh::TryLater;
    let max_age = cx.rule(section, RuleName::RevocationFreshness);

    // 1) The policy's maximum age. Where it does not insist on one, the issuer's own interval, which must be stated.
    if max_age.is_none_or(|rule| rule.level == Level::Ignore) {
        let name = match revocation.kind {
            RevocationType::Crl => RuleName::CRLNextUpdatePresent,
            RevocationType::Ocsp => RuleName::OCSPNextUpdatePresent,
        };
        let stated = revocation.next_update.is_some();
        block.check(cx.rule(section, name), CheckId::NextUpdatePresent, stated, try_later)?;
    }

    // 2) Issued after the time less that age. The clause says "after": data exactly that old is no longer fresh.
    let younger_than =
        |age: i64| revocation.this_update.is_some_and(|issued| issued > time.plus_millis(age.saturating_neg()));
    match max_age {
        Some(rule) => {
            let fresh = younger_than(rule.duration_millis.unwrap_or(0));
            block.check(max_age, CheckId::YoungerThanMaximumAge, fresh, try_later)
        }
        None => {
            let rule = cx.rule(section, RuleName::RevocationFreshnessNextUpdate);
            let stated = revocation
                .next_update
                .map(|next| next.millis().saturating_sub(revocation.this_update.map_or(0, Time::millis)));
            // NOTE: RFC 6960 §4.2.2.1: who states none has newer data at any time. The policy may say how long such
            // data serves; DSS's cannot, and take it as never fresh.
            let interval = stated.or(rule.and_then(|rule| rule.duration_millis));
            block.check(rule, CheckId::YoungerThanIssuingInterval, interval.is_some_and(younger_than), try_later)
        }
    }
}

/// Checks that the data had not run out when a token was made at `used`: RFC 5280 §5.1.2.5, RFC 6960 §4.2.2.1. The
/// signer could have been revoked since.
pub(super) fn check_current_at_use(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    data: &Revocation,
    used: Time,
) -> Result<(), Concluded> {
    // What ran out before it was issued was never current.
    let used = data.this_update.map_or(used, |issued| used.max(issued));
    let current = data.next_update.is_none_or(|next| used <= next);
    let compared = data.next_update.map_or_else(String::new, |next| format!("{used} ≤ {next}"));
    let question = CheckId::RevocationCurrentAtUse.about(&data.id).comparing(compared);
    block.check(rule, question, current, NotFresh::TryLater)
}

#[cfg(test)]
mod tests {
    use super::check_freshness;
    use crate::policy::{Context, SubContext};
    use crate::validation::situations::{answer, check, policy};
    use crate::validation::testing::at;

    #[test]
    fn situations() {
        let rules = |rules: &str| {
            policy(&format!(
                "<SignatureConstraints><BasicSignatureConstraints><SigningCertificate>{rules}</SigningCertificate>\
                 </BasicSignatureConstraints></SignatureConstraints>"
            ))
        };
        let of = |cx: &super::ValidationContext<'_>| {
            let data = &cx.facts.revocations[0];
            answer(&check_freshness(cx, data, cx.time, Context::Signature, SubContext::SigningCertificate))
        };
        const LATER: &str = "INDETERMINATE/TRY_LATER BBB_RFC_IRIF_ANS";
        check(
            &rules("<RevocationFreshness Level='FAIL' Unit='DAYS' Value='2'/>"),
            "2021-06-03",
            of,
            &[
                ("5.2.5 2)", "exactly as old as the policy's limit", |_| {}, LATER),
                (
                    "5.2.5 2)",
                    "a second younger",
                    |f| f.revocations[0].this_update = Some(at("2021-06-01T00:00:01Z")),
                    "PASSED",
                ),
                (
                    "5.2.5 2)",
                    "issued after the time",
                    |f| f.revocations[0].this_update = Some(at("2022-01-01")),
                    "PASSED",
                ),
                ("5.2.5 2)", "no time of issue", |f| f.revocations[0].this_update = None, LATER),
            ],
        );
        check(
            &rules("<RevocationFreshnessNextUpdate Level='FAIL'/><CRLNextUpdatePresent Level='WARN'/>"),
            "2021-06-08",
            of,
            &[
                ("5.2.5 1)", "exactly as old as the issuer's interval", |_| {}, LATER),
                (
                    "5.2.5 1)",
                    "within the issuer's interval",
                    |f| f.revocations[0].next_update = Some(at("2021-06-09")),
                    "PASSED",
                ),
                (
                    "5.2.5 1)",
                    "no interval stated",
                    |f| f.revocations[0].next_update = None,
                    "INDETERMINATE/TRY_LATER BBB_RFC_NUP_ANS BBB_RFC_IRIF_ANS",
                ),
            ],
        );
    }
}
