//! Which trusted lists were reached, and which of them count: TS 119 615 §4.1 and §4.2.

use super::lists::{analysis, failed};
use super::service::{Service, services};
use crate::facts::{Certificate, Facts, Id};
use crate::policy::Level;
use crate::validation::engine::{Ask, Block, Concluded, Message, Steps};

/// The services of acceptable lists that a certificate is related to, and what the lists' analyses found.
#[derive(Default)]
pub(crate) struct Reach<'a> {
    pub(crate) services: Vec<Service<'a>>,
    pub(crate) errors: Vec<Message>,
    pub(crate) warnings: Vec<Message>,
}

/// Follows the certificate to its trusted lists: reached, lists of lists acceptable, lists acceptable, one at least.
pub(crate) fn reach<'a>(
    steps: &mut Steps,
    facts: &'a Facts,
    analyses: &[Block],
    certificate: &'a Certificate,
    found: &mut Reach<'a>,
) -> Result<(), Concluded> {
    let reached = !certificate.trust_service_providers.is_empty();
    let ask = Ask::new("QUAL_CERT_TRUSTED_LIST_REACHED", "QUAL_CERT_TRUSTED_LIST_REACHED_ANS");
    steps.level(Some(Level::Fail), ask, reached, failed())?;
    let all = services(facts, certificate);

    let keys = ("QUAL_LIST_OF_TRUSTED_LISTS_ACCEPT", "QUAL_LIST_OF_TRUSTED_LISTS_ACCEPT_ANS");
    let lists_of_lists = distinct(all.iter().filter_map(|s| s.provider.lotl.as_ref()));
    let lists_of_lists = acceptable(steps, analyses, lists_of_lists, keys, found)?;

    let announced = |s: &&Service| s.provider.lotl.as_ref().is_none_or(|lotl| lists_of_lists.contains(&lotl));
    let keys = ("QUAL_TRUSTED_LIST_ACCEPT", "QUAL_TRUSTED_LIST_ACCEPT_ANS");
    let lists = distinct(all.iter().filter(announced).map(|s| &s.provider.trusted_list));
    let lists = acceptable(steps, analyses, lists, keys, found)?;

    let ask = Ask::new("QUAL_VALID_TRUSTED_LIST_PRESENT", "QUAL_VALID_TRUSTED_LIST_PRESENT_ANS");
    steps.level(Some(Level::Fail), ask, !lists.is_empty(), failed())?;
    found.services =
        all.iter().filter(announced).filter(|s| lists.contains(&&s.provider.trusted_list)).copied().collect();
    Ok(())
}

/// Those lists whose analysis passed; a warning for each that did not.
fn acceptable<'i>(
    steps: &mut Steps,
    analyses: &[Block],
    lists: Vec<&'i Id>,
    keys: (&'static str, &'static str),
    found: &mut Reach,
) -> Result<Vec<&'i Id>, Concluded> {
    let mut accepted = vec![];
    for list in lists {
        let Some(block) = analysis(analyses, list) else { continue };
        found.errors.extend(block.conclusion.errors.iter().cloned());
        found.warnings.extend(block.conclusion.warnings.iter().cloned());
        let passed = block.conclusion.is_passed();
        steps.level(Some(Level::Warn), Ask::new(keys.0, keys.1).about(list), passed, failed())?;
        if passed {
            accepted.push(list);
        }
    }
    Ok(accepted)
}

/// Each id once, in the order of first mention.
fn distinct<'i>(ids: impl Iterator<Item = &'i Id>) -> Vec<&'i Id> {
    let mut seen = vec![];
    for id in ids {
        if !seen.contains(&id) {
            seen.push(id);
        }
    }
    seen
}
