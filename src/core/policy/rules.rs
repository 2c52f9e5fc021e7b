//! The rules of a policy, found by section and name without a search: the judgement asks for some on every check.

use super::{Context, PolicySection, Rule, RuleName, SubContext};

const CONTEXTS: usize = Context::ALL.len();
const SUB_CONTEXTS: usize = SubContext::ALL.len();
/// Two sections beside contexts come before theirs, one after; each context has four and those of its certificates.
const SECTIONS: usize = 3 + CONTEXTS * (4 + SUB_CONTEXTS);

/// Rules by section and name.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// In the order of sections, then of names.
    rows: Vec<((PolicySection, RuleName), Rule)>,
    /// For each section and each name the number of its row, counted from 1; 0 where there is none.
    table: Vec<u16>,
}

impl Rules {
    /// Returns the rule of that name in that section.
    pub fn get(&self, section: PolicySection, name: RuleName) -> Option<&Rule> {
        let row = usize::from(*self.table.get(cell(section, name))?).checked_sub(1)?;
        self.rows.get(row).map(|(_, rule)| rule)
    }

    /// Returns every rule, in the order of sections, then of names.
    pub fn iter(&self) -> impl Iterator<Item = (&(PolicySection, RuleName), &Rule)> {
        self.rows.iter().map(|(key, rule)| (key, rule))
    }
}

impl FromIterator<((PolicySection, RuleName), Rule)> for Rules {
    fn from_iter<I: IntoIterator<Item = ((PolicySection, RuleName), Rule)>>(rules: I) -> Self {
        let sorted = crate::order::map(rules);
        let mut table = vec![0; SECTIONS * RuleName::ALL.len()];
        for (row, &(section, name)) in (1..).zip(sorted.keys()) {
            table[cell(section, name)] = row;
        }
        Self { rows: sorted.into_iter().collect(), table }
    }
}

fn cell(section: PolicySection, name: RuleName) -> usize {
    number(section) * RuleName::ALL.len() + name as usize
}

fn number(section: PolicySection) -> usize {
    let of = |kind: usize, context: Context| 3 + kind * CONTEXTS + context as usize;
    match section {
        PolicySection::Container => 0,
        PolicySection::PdfA => 1,
        PolicySection::Eidas => 2,
        PolicySection::Token(context) => of(0, context),
        PolicySection::Basic(context) => of(1, context),
        PolicySection::SignedAttributes(context) => of(2, context),
        PolicySection::UnsignedAttributes(context) => of(3, context),
        PolicySection::Certificate(context, sub) => of(4 + sub as usize, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Level;
    use std::collections::BTreeSet;

    #[test]
    fn every_place_has_a_number_of_its_own() {
        let mut sections = vec![PolicySection::Container, PolicySection::PdfA, PolicySection::Eidas];
        for &context in Context::ALL {
            let plain = [
                PolicySection::Token,
                PolicySection::Basic,
                PolicySection::SignedAttributes,
                PolicySection::UnsignedAttributes,
            ];
            sections.extend(plain.map(|section| section(context)));
            sections.extend(SubContext::ALL.iter().map(|&sub| PolicySection::Certificate(context, sub)));
        }
        let numbers: BTreeSet<usize> = sections.iter().map(|&section| number(section)).collect();
        assert_eq!(numbers, (0..SECTIONS).collect());
        assert_eq!(sections.len(), SECTIONS);
    }

    #[test]
    fn a_rule_is_found_where_it_stands() {
        let at = (PolicySection::Certificate(Context::Timestamp, SubContext::CaCertificate), RuleName::KeyUsage);
        let rules: Rules = [(at, Rule::new(Level::Warn))].into_iter().collect();
        assert_eq!(rules.get(at.0, at.1), Some(&Rule::new(Level::Warn)));
        assert_eq!(rules.get(PolicySection::Token(Context::Timestamp), at.1), None);
        assert_eq!(rules.get(at.0, RuleName::CA), None);
        assert_eq!(rules.iter().count(), 1);
    }
}
