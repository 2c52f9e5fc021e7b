//! Whether a trusted list may be relied on: TS 119 615 §4.1 and §4.2.

use super::vocabulary::END_OF_TRANSITION;
use crate::facts::{Certificate, Facts, Id, TrustedList};
use crate::policy::{Level, Policy, PolicySection, RuleName};
use crate::time::Time;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure};
use std::collections::HashMap;

/// The analyses of the lists of a record, and what qualification looks up in it, by their ids.
#[derive(Default)]
pub(crate) struct Analyses<'a> {
    /// In the order of the record; empty where the policy has no eIDAS part.
    pub(crate) blocks: Vec<Block>,
    lists: HashMap<&'a Id, (usize, &'a TrustedList)>,
    certificates: HashMap<&'a Id, &'a Certificate>,
}

impl<'a> Analyses<'a> {
    pub(crate) fn new(facts: &'a Facts, policy: &Policy, now: Time) -> Self {
        if !policy.has_eidas() {
            return Self::default();
        }
        let mut found = Self::default();
        for (place, list) in facts.trusted_lists.iter().enumerate() {
            found.blocks.push(analyse(list, policy, now));
            found.lists.entry(&list.id).or_insert((place, list));
        }
        for certificate in &facts.certificates {
            found.certificates.entry(&certificate.id).or_insert(certificate);
        }
        found
    }

    /// Returns the list with that id.
    pub(crate) fn list(&self, id: &Id) -> Option<&'a TrustedList> {
        self.lists.get(id).map(|(_, list)| *list)
    }

    /// Returns the analysis of the list with that id.
    pub(crate) fn of(&self, id: &Id) -> Option<&Block> {
        self.lists.get(id).and_then(|(place, _)| self.blocks.get(*place))
    }

    /// Returns the certificate with that id.
    pub(crate) fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.certificates.get(id).copied()
    }
}

/// Returns a failing check of qualification: FAILED, without a sub-indication.
pub(crate) fn failed() -> Failure {
    Failure::failed()
}

/// Returns the analysis of one list.
fn analyse(list: &TrustedList, policy: &Policy, now: Time) -> Block {
    let mut block = BlockBuilder::new(BlockKind::TrustedListAnalysis, &list.id);
    // A failing check has ended the analysis: there is nothing left to do.
    let _: Result<(), Concluded> = checks(&mut block, list, policy, now);
    block.finish()
}

fn checks(block: &mut BlockBuilder, list: &TrustedList, policy: &Policy, now: Time) -> Result<(), Concluded> {
    let rule = |name| policy.rule(PolicySection::Eidas, name);
    let shown = |time: Option<Time>| time.map_or("none".into(), |t| t.to_string());

    // Loaded recently enough to show the present state.
    let freshness = rule(RuleName::TLFreshness);
    let oldest = now.plus_millis(-freshness.and_then(|r| r.duration_millis).unwrap_or(0));
    let question = CheckId::TrustedListFresh.comparing(format!("loaded {}, after {oldest}", shown(list.last_loading)));
    block.check(freshness, question, list.last_loading.is_some_and(|loaded| loaded > oldest), failed())?;

    // Not past its next update. A closed list states none (TS 119 612 §5.3.15).
    let (issued, next) = (shown(list.issue_date), shown(list.next_update));
    let question =
        CheckId::TrustedListNotExpired.comparing(format!("issued {issued}, next update {next}, after {now}"));
    block.check(rule(RuleName::TLNotExpired), question, list.next_update.is_none_or(|next| next > now), failed())?;

    // Issued by the time judged for: what comes later says what will be.
    let question =
        CheckId::TrustedListNotInFuture.comparing(format!("issued {}, not after {now}", shown(list.issue_date)));
    let begun = list.issue_date.is_none_or(|issued| issued <= now);
    block.check(rule(RuleName::TLNotInFuture), question, begun, failed())?;

    // Of a version in use. Until the end of the transition also older ones were.
    let version = rule(RuleName::TLVersion);
    let stated = list.version.map_or(String::new(), |v| v.to_string());
    let question = CheckId::TrustedListVersionAccepted
        .comparing(format!("version {stated}, one of {}", version.map_or(String::new(), |r| r.values.join(", "))));
    let accepted = now < END_OF_TRANSITION || version.is_some_and(|r| r.accepts(&stated));
    block.check(version, question, accepted, failed())?;

    // As its schema wants it; where nobody looked, nothing is known against it.
    let question = CheckId::TrustedListStructureValid;
    let valid = list.structural_validation.as_ref().is_none_or(|structure| structure.valid);
    block.check(rule(RuleName::TLStructure), question, valid, failed())?;

    // Signed by whom the list of lists announces.
    block.check(rule(RuleName::TLWellSigned), CheckId::TrustedListWellSigned, list.well_signed, failed())?;

    // Worth knowing: reached through mutual recognition.
    if list.mra {
        block.check_at(Level::Inform, CheckId::TrustedListOfUnion, true, failed())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, time};
    use super::*;
    use crate::policy::Rule;

    #[test]
    fn a_list_of_the_future() {
        let now = time("2024-01-01T06:00:00Z");
        for (issued, expected) in [("2024-01-01T06:00:00Z", false), ("2024-01-01T06:00:01Z", true)] {
            let list = TrustedList { issue_date: Some(time(issued)), ..list("TL-1", "2024-01-01T00:00:00.001Z") };
            let block = analyse(&list, &Policy::eidas(), now);
            let warned = block.conclusion.warnings.iter().any(|message| message.key() == "QUAL_TL_BEGUN_ANS");
            assert_eq!(warned, expected, "TS 119 612 §5.3.14 issued {issued}");
        }
    }

    #[test]
    fn a_list_that_may_be_relied_on() {
        let now = time("2024-01-01T06:00:00Z");
        let good = list("TL-1", "2024-01-01T00:00:00.001Z");
        let rows: [(&str, TrustedList, Time, Option<&str>); 8] = [
            ("§4.1: in good order", good.clone(), now, None),
            ("§4.1: loaded exactly six hours ago", list("TL-1", "2024-01-01"), now, Some("QUAL_TL_FRESH_ANS")),
            ("§4.1: never loaded", TrustedList { last_loading: None, ..good.clone() }, now, Some("QUAL_TL_FRESH_ANS")),
            (
                "TS 119 612 §5.3.15: past its update",
                TrustedList { next_update: Some(now), ..good.clone() },
                now,
                Some("QUAL_TL_EXP_ANS"),
            ),
            (
                "TS 119 612 §5.3.1: version 4",
                TrustedList { version: Some(4), ..good.clone() },
                now,
                Some("QUAL_TL_VERSION_ANS"),
            ),
            (
                "TS 119 612 §5.3.1: version 4 in the transition",
                TrustedList { version: Some(4), last_loading: Some(time("2017-01-01")), ..good.clone() },
                time("2017-01-01T01:00:00Z"),
                None,
            ),
            (
                "TS 119 612 annex C: not as the schema wants it",
                TrustedList { structural_validation: Some(Default::default()), ..good.clone() },
                now,
                Some("QUAL_TL_SV_ANS"),
            ),
            (
                "TS 119 612 §5.7: not signed by whom it should",
                TrustedList { well_signed: false, ..good.clone() },
                now,
                Some("QUAL_TL_WS_ANS"),
            ),
        ];
        let mut policy = Policy::dss();
        let strict = policy.rules.iter().map(|(key, rule)| (*key, Rule { level: Level::Fail, ..rule.clone() }));
        policy.rules = strict.collect();
        for (clause, list, now, expected) in rows {
            let block = analyse(&list, &policy, now);
            assert_eq!(block.conclusion.errors.first().map(|m| m.key()), expected, "{clause}");
        }
        let only = ((PolicySection::Eidas, RuleName::TLWellSigned), Rule::new(Level::Warn));
        policy.rules = [only].into_iter().collect();
        let block = analyse(&TrustedList { well_signed: false, ..good }, &policy, now);
        assert!(block.conclusion.is_passed() && block.conclusion.warnings.len() == 1, "only a warning by policy");
    }
}
