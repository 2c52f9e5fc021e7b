//! Revocation freshness checker: EN 319 102-1 §5.2.5.
//!
//! Answers one question, whether revocation data is recent enough at a time. That it is authentic, and about this
//! certificate, is settled before (§5.2.6.4).

use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::TryLater;
use crate::facts::{Revocation, RevocationType};
use crate::policy::{Context, Level, Place, RuleName, SubContext};
use crate::time::Time;

/// Checks the freshness of `revocation` at `time`, as the policy asks of certificates in that place.
pub fn rfc(case: &Case<'_>, revocation: &Revocation, time: Time, context: Context, sub: SubContext) -> Block {
    let mut steps = Steps::new(BlockKind::RevocationFreshness, Some(&revocation.id));
    let _ = run(case, &mut steps, revocation, time, Place::Certificate(context, sub));
    steps.finish()
}

fn run(case: &Case<'_>, steps: &mut Steps, revocation: &Revocation, time: Time, place: Place) -> Result<(), Concluded> {
    let try_later = || Failure::indeterminate(TryLater);
    let max_age = case.rule(place, RuleName::RevocationFreshness);

    // 1) The policy's maximum age. Where it does not insist on one, the issuer's own interval, which must be stated.
    if max_age.is_none_or(|rule| rule.level == Level::Ignore) {
        let name = match revocation.kind {
            RevocationType::Crl => RuleName::CRLNextUpdatePresent,
            RevocationType::Ocsp => RuleName::OCSPNextUpdatePresent,
        };
        let stated = revocation.next_update.is_some();
        steps.rule(case.rule(place, name), ask!("BBB_RFC_NUP"), stated, try_later())?;
    }

    // 2) Issued after the time less that age. The clause says "after": data exactly that old is no longer fresh.
    let younger_than =
        |age: i64| revocation.this_update.is_some_and(|issued| issued > time.plus_millis(age.saturating_neg()));
    match max_age {
        Some(rule) => {
            let fresh = younger_than(rule.duration_millis.unwrap_or(0));
            steps.rule(max_age, ask!("BBB_RFC_IRIF"), fresh, try_later())
        }
        None => {
            let rule = case.rule(place, RuleName::RevocationFreshnessNextUpdate);
            let stated = revocation
                .next_update
                .map(|next| next.millis().saturating_sub(revocation.this_update.map_or(0, Time::millis)));
            // NOTE: RFC 6960 §4.2.2.1: who states none has newer data at any time. The policy may say how long such
            // data serves; DSS's cannot, and take it as never fresh.
            let interval = stated.or(rule.and_then(|rule| rule.duration_millis));
            let question = Ask::new("BBB_RFC_IRIF_TUNU", "BBB_RFC_IRIF_ANS");
            steps.rule(rule, question, interval.is_some_and(younger_than), try_later())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rfc;
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
        let of = |case: &super::Case<'_>| {
            let data = &case.facts.revocations[0];
            answer(&rfc(case, data, case.time, Context::Signature, SubContext::SigningCertificate))
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
