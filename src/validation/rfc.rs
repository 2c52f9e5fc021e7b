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
            let interval = revocation
                .next_update
                .map(|next| next.millis().saturating_sub(revocation.this_update.map_or(0, Time::millis)));
            let question = Ask::new("BBB_RFC_IRIF_TUNU", "BBB_RFC_IRIF_ANS");
            let rule = case.rule(place, RuleName::RevocationFreshnessNextUpdate);
            steps.rule(rule, question, interval.is_some_and(younger_than), try_later())
        }
    }
}
