//! Which trusted lists were reached, and which of them count: TS 119 615 §4.1 and §4.2.

use super::lists::{Analyses, failed};
use super::service::{Service, services};
use crate::facts::{Certificate, Id};
use crate::policy::Level;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{BlockBuilder, Concluded, Message};
use std::collections::HashSet;

/// Whether facts can name providers of trusted lists at all. Where they cannot, all that follows from one is left out of the build.
const READS_LISTS: bool = cfg!(any(feature = "imported-facts", feature = "trusted-lists"));

/// The services of acceptable lists that a certificate is related to, and what the lists' analyses found.
#[derive(Default)]
pub(crate) struct Reach<'a> {
    pub(crate) services: Vec<Service<'a>>,
    pub(crate) errors: Vec<Message>,
    pub(crate) warnings: Vec<Message>,
    pub(crate) infos: Vec<Message>,
}

/// Follows the certificate to its trusted lists: reached, lists of lists acceptable, lists acceptable, one at least.
pub(crate) fn reach<'a>(
    block: &mut BlockBuilder,
    analyses: &Analyses<'a>,
    certificate: &'a Certificate,
    found: &mut Reach<'a>,
) -> Result<(), Concluded> {
    let reached = READS_LISTS && !certificate.trust_service_providers.is_empty();
    block.check_at(Level::Fail, CheckId::TrustedListReached, reached, failed())?;
    if !READS_LISTS {
        return Err(Concluded);
    }
    let all = services(analyses, certificate);

    let check = CheckId::ListOfTrustedListsAccepted;
    let lists_of_lists = distinct(all.iter().filter_map(|s| s.provider.lotl.as_ref()));
    let lists_of_lists = acceptable(block, analyses, lists_of_lists, check, found)?;

    let announced = |s: &&Service| s.provider.lotl.as_ref().is_none_or(|lotl| lists_of_lists.contains(lotl));
    let check = CheckId::TrustedListAccepted;
    let lists = distinct(all.iter().filter(announced).map(|s| &s.provider.trusted_list));
    let lists = acceptable(block, analyses, lists, check, found)?;

    let question = CheckId::AcceptedTrustedListPresent;
    block.check_at(Level::Fail, question, !lists.is_empty(), failed())?;
    found.services =
        all.iter().filter(announced).filter(|s| lists.contains(&s.provider.trusted_list)).copied().collect();
    Ok(())
}

/// Returns those lists whose analysis passed; a warning for each that did not.
fn acceptable<'i>(
    block: &mut BlockBuilder,
    analyses: &Analyses,
    lists: Vec<&'i Id>,
    check: CheckId,
    found: &mut Reach,
) -> Result<HashSet<&'i Id>, Concluded> {
    let mut accepted = HashSet::new();
    for list in lists {
        let Some(analysis) = analyses.of(list) else { continue };
        let of_list = |message: &Message| Message { token: Some(list.clone()), ..message.clone() };
        found.errors.extend(analysis.conclusion.errors.iter().map(of_list));
        found.warnings.extend(analysis.conclusion.warnings.iter().map(of_list));
        found.infos.extend(analysis.conclusion.infos.iter().map(of_list));
        let passed = analysis.conclusion.is_passed();
        block.check_at(Level::Warn, check.about(list), passed, failed())?;
        if passed {
            accepted.insert(list);
        }
    }
    Ok(accepted)
}

/// Returns each id once, in the order of first mention.
fn distinct<'i>(ids: impl Iterator<Item = &'i Id>) -> Vec<&'i Id> {
    let mut seen = HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}
