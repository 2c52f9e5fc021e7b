//! Which profiles a JWS fulfils: TS 119 182-1 §6.3.

use super::header::{self, Critical};
use super::jws::Jws;
use crate::facts::TimestampType;
use crate::formats::ades::policy::store_has_digest;
use crate::formats::draft::{SignatureFacts, TimestampDraft};
use crate::formats::level::{Family, Levels};
use crate::time::Time;

/// What baseline LT does not have: §6.3, table 1.
const NOT_IN_LT: [&str; 6] = ["xRefs", "axRefs", "rRefs", "arRefs", "sigRTst", "rfsTst"];

/// Returns the profiles of a signature, with the time-stamps that belong to it.
pub(super) fn levels(jws: &Jws<'_>, facts: &SignatureFacts, timestamps: &[TimestampDraft<'_>]) -> Levels {
    let has = |kind| timestamps.iter().any(|stamp| stamp.facts.kind == kind);
    Levels {
        family: Family::Jades,
        baseline_b: baseline_b(jws, facts),
        t: has(TimestampType::Signature) && one_token_each(jws),
        // Certificates may all stand in `x5c` and the time-stamps: then there is no `xVals`.
        baseline_lt: NOT_IN_LT.iter().all(|name| jws.etsi_u.count(name) == 0),
        baseline_lta: has(TimestampType::Archive),
        a: has(TimestampType::Archive),
        ..Levels::default()
    }
}

/// Returns whether the cardinalities and requirements of level B are kept.
fn baseline_b(jws: &Jws<'_>, facts: &SignatureFacts) -> bool {
    let has = |name: &str| jws.protected.get(name).is_some();
    let references = ["x5t#S256", "x5t#o", "sigX5ts"].iter().filter(|name| has(name)).count();
    header::algorithm(jws).is_some()
        && !(facts.is_counter_signature() && has("cty"))
        && header::critical(jws) == Critical::Sound
        && !header::has_unlisted(jws)
        && signing_time_fits(jws, facts)
        && references == 1
        && jws.etsi_u.count("sigPSt") <= 1
        && store_has_digest(facts)
}

/// Returns whether requirement a) is kept: since 2025-07-15 the signing time is `iat`, before it may be `sigT`.
fn signing_time_fits(jws: &Jws<'_>, facts: &SignatureFacts) -> bool {
    let Some(time) = facts.claimed_signing_time else { return false };
    jws.protected.get("iat").is_some() || Time::from_civil(2025, 7, 15, 0, 0, 0).is_some_and(|end| time < end)
}

/// Returns whether requirement c) is kept: a `sigTst` holds one token.
fn one_token_each(jws: &Jws<'_>) -> bool {
    jws.etsi_u.members().filter(|member| member.name == "sigTst").all(|member| member.tokens.len() == 1)
}
