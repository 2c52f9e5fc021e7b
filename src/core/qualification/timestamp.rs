//! What a time-stamp is: TS 119 615 §4.6 and §4.7, eIDAS article 42.

use super::codes::TimestampQualification;
use super::lists::{Analyses, failed};
use super::reach::{Reach, reach};
use super::service::{ListedService, Service};
use super::vocabulary::TSA_QTST;
use super::{filters, gather};
use crate::facts::{Certificate, Id, Timestamp};
use crate::policy::Level;
use crate::time::Time;
use crate::validation::Findings;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded};
use crate::validation::outcome::Indication;

/// A time-stamp's qualification and how it came about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QualifiedTimestamp {
    /// Which time-stamp.
    pub id: Id,
    /// What it is.
    pub qualification: TimestampQualification,
    /// The checks, and a conclusion with the messages of everything below it.
    pub block: Block,
    /// What a reader should see of these messages; those about a trusted list name it as their token.
    pub findings: Findings,
    /// The service when the time-stamp was made, and when it is first proven to have existed.
    pub moments: Vec<TimestampServiceAt>,
}

/// Whether a qualified service stood behind a time-stamp at a moment.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TimestampServiceAt {
    /// When that was.
    pub time: Time,
    /// The status period that decided, among the trust services of the signing certificate; `None` where none did.
    pub service: Option<ListedService>,
    /// The checks that led there.
    pub block: Block,
}

/// Returns the qualification of a time-stamp that ended with `indication` and is known to have existed at `proven`.
pub(crate) fn qualify(
    analyses: &Analyses,
    timestamp: &Timestamp,
    indication: Indication,
    proven: Time,
) -> QualifiedTimestamp {
    let certificate = timestamp.signing_certificate.as_ref();
    let certificate = certificate.and_then(|id| analyses.certificate(id));
    let mut block = BlockBuilder::new(BlockKind::TimestampQualification, &timestamp.id);
    let mut reached = Reach::default();
    let outcome = certificate.map(|certificate| reach(&mut block, analyses, certificate, &mut reached));
    let moments: Vec<TimestampServiceAt> = match (outcome, certificate) {
        (Some(Ok(())), Some(unit)) => {
            let made = timestamp.production_time;
            let answering = answering(&reached.services, unit, made);
            vec![at(&timestamp.id, &answering, made), at(&timestamp.id, &reached.services, proven)]
        }
        _ => vec![],
    };
    let qualification = match &moments[..] {
        // Article 42 (1) c): nobody answers for a value or an imprint that is not the one signed.
        _ if indication == Indication::Failed => TimestampQualification::Na,
        [] => TimestampQualification::Na,
        all if all.iter().all(|at| at.block.is_passed()) => TimestampQualification::Qtsa,
        _ => TimestampQualification::Tsa,
    };
    let block = gather(block.finish(), &reached, moments.iter().map(|at| &at.block));
    let findings = Findings::of(&block.conclusion);
    QualifiedTimestamp { id: timestamp.id.clone(), qualification, block, findings, moments }
}

/// Returns the services that answer for what a unit stamped at `time`: where the list named the unit itself then, nobody
/// above it (TS 119 612 §5.5.3).
///
/// NOTE: when the time-stamp is proven to have existed the unit may be retired, and its list withdraw it; then who is above
/// it answers.
fn answering<'a>(services: &[Service<'a>], unit: &Certificate, time: Time) -> Vec<Service<'a>> {
    let same =
        |known: &Certificate| known.id == unit.id || !unit.entity_key.is_empty() && known.entity_key == unit.entity_key;
    let is_unit = |service: &Service| service.identity.is_some_and(same);
    let named = services.iter().any(|s| is_unit(s) && s.is_type(TSA_QTST) && s.active_at(time));
    filters::keep(services, |service| !named || is_unit(service))
}

/// Returns whether a qualified time-stamping service stood behind the time-stamp at `time`.
fn at(timestamp: &Id, services: &[Service], time: Time) -> TimestampServiceAt {
    let mut block = BlockBuilder::new(BlockKind::TimestampQualification, timestamp);
    let mut service = None;
    // A failing check has ended the block: there is nothing left to do.
    let _: Result<(), Concluded> = checks(&mut block, services, time, &mut service);
    TimestampServiceAt { time, service, block: block.finish() }
}

/// Makes the checks; the period that is left at the end is `decided`.
fn checks(
    block: &mut BlockBuilder,
    services: &[Service],
    time: Time,
    decided: &mut Option<ListedService>,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    let mut left = services.to_vec();
    if left.iter().any(Service::through_mutual_recognition) {
        left = filters::keep(&left, |service| filters::recognised_at(service, time));
        let question = CheckId::ServiceRecognised.comparing(format!("at {time}"));
        block.check_at(fail, question, !left.is_empty(), failed())?;
    }
    left = filters::keep(&left, |service| service.is_type(TSA_QTST));
    block.check_at(fail, CheckId::TimestampingService, !left.is_empty(), failed())?;
    let at_time = filters::keep(&left, |service| service.active_at(time));
    *decided = at_time.first().or(left.first()).map(|service| service.place);
    left = filters::keep(&left, Service::granted);
    block.check_at(fail, CheckId::ServiceGranted, !left.is_empty(), failed())?;
    left = filters::keep(&left, |service| service.active_at(time));
    if let Some(service) = left.first() {
        *decided = Some(service.place);
    }
    let question = CheckId::ServiceGrantedAtTime.comparing(format!("at {time}"));
    block.check_at(fail, question, !left.is_empty(), failed())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, list, listed, time};
    use super::super::vocabulary::CA_QC;
    use super::super::vocabulary::ServiceStatus::{self, Granted, Withdrawn};
    use super::*;
    use crate::facts::{Facts, TimestampType, TrustService};
    use crate::policy::Policy;

    #[test]
    fn qualified_when_made_and_when_proven() {
        use TimestampQualification::*;
        let service = |kind: &str, since: &str, status: ServiceStatus| TrustService {
            service_type: Some(kind.into()),
            ..entry(since, status, &[], &[])
        };
        for (situation, service, expected, error) in [
            ("granted both times", service(TSA_QTST, "2017-01-01", Granted), Qtsa, None),
            ("of another type", service(CA_QC, "2017-01-01", Granted), Tsa, Some("QUAL_HAS_QTST_ANS")),
            ("withdrawn", service(TSA_QTST, "2017-01-01", Withdrawn), Tsa, Some("QUAL_HAS_GRANTED_ANS")),
            ("granted since", service(TSA_QTST, "2020-06-01", Granted), Tsa, Some("QUAL_HAS_GRANTED_AT_ANS")),
        ] {
            let facts = Facts {
                certificates: vec![listed(certificate("2019-01-01", false, false, &[], &[]), vec![service])],
                trusted_lists: vec![list("TL-1", "2022-01-01"), list("LOTL-1", "2022-01-01")],
                ..Facts::default()
            };
            let stamp = serde_json::json!({
                "id": "T-1", "kind": TimestampType::Signature, "production_time": "2020-01-01T00:00:00Z", "signing_certificate": "C-1"
            });
            let stamp: Timestamp = serde_json::from_value(stamp).expect("a time-stamp");
            let now = time("2022-01-01T01:00:00Z");
            let lists = Analyses::new(&facts, &Policy::dss(), now);
            let found = qualify(&lists, &stamp, Indication::Passed, now);
            assert_eq!(found.qualification, expected, "TS 119 615 §4.7: {situation}");
            assert_eq!(found.block.conclusion.errors.first().map(|m| m.key()), error, "TS 119 615 §4.7: {situation}");
        }
    }
}
