//! The rules of a policy, found by place and name without a search: the judgement asks for some on every check.

use super::{Context, Place, Rule, RuleName, SubContext};
use std::collections::BTreeMap;

const CONTEXTS: usize = Context::ALL.len();
const SUB_CONTEXTS: usize = SubContext::ALL.len();
/// Two places beside contexts come before theirs, one after; each context has four and those of its certificates.
const PLACES: usize = 3 + CONTEXTS * (4 + SUB_CONTEXTS);

/// Rules by place and name.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// In the order of places, then of names.
    rows: Vec<((Place, RuleName), Rule)>,
    /// For each place and each name the number of its row, counted from 1; 0 where there is none.
    table: Vec<u16>,
}

impl Rules {
    /// The rule of that name at that place.
    pub fn get(&self, place: Place, name: RuleName) -> Option<&Rule> {
        let row = usize::from(*self.table.get(cell(place, name))?).checked_sub(1)?;
        self.rows.get(row).map(|(_, rule)| rule)
    }

    /// Every rule, in the order of places, then of names.
    pub fn iter(&self) -> impl Iterator<Item = (&(Place, RuleName), &Rule)> {
        self.rows.iter().map(|(key, rule)| (key, rule))
    }
}

impl FromIterator<((Place, RuleName), Rule)> for Rules {
    fn from_iter<I: IntoIterator<Item = ((Place, RuleName), Rule)>>(rules: I) -> Self {
        let sorted: BTreeMap<_, _> = rules.into_iter().collect();
        let mut table = vec![0; PLACES * RuleName::ALL.len()];
        for (row, &(place, name)) in (1..).zip(sorted.keys()) {
            table[cell(place, name)] = row;
        }
        Self { rows: sorted.into_iter().collect(), table }
    }
}

fn cell(place: Place, name: RuleName) -> usize {
    number(place) * RuleName::ALL.len() + name as usize
}

fn number(place: Place) -> usize {
    let of = |kind: usize, context: Context| 3 + kind * CONTEXTS + context as usize;
    match place {
        Place::Container => 0,
        Place::PdfA => 1,
        Place::Eidas => 2,
        Place::Token(context) => of(0, context),
        Place::Basic(context) => of(1, context),
        Place::SignedAttributes(context) => of(2, context),
        Place::UnsignedAttributes(context) => of(3, context),
        Place::Certificate(context, sub) => of(4 + sub as usize, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Level;
    use std::collections::BTreeSet;

    #[test]
    fn every_place_has_a_number_of_its_own() {
        let mut places = vec![Place::Container, Place::PdfA, Place::Eidas];
        for &context in Context::ALL {
            let plain = [Place::Token, Place::Basic, Place::SignedAttributes, Place::UnsignedAttributes];
            places.extend(plain.map(|place| place(context)));
            places.extend(SubContext::ALL.iter().map(|&sub| Place::Certificate(context, sub)));
        }
        let numbers: BTreeSet<usize> = places.iter().map(|&place| number(place)).collect();
        assert_eq!(numbers, (0..PLACES).collect());
        assert_eq!(places.len(), PLACES);
    }

    #[test]
    fn a_rule_is_found_where_it_stands() {
        let at = (Place::Certificate(Context::Timestamp, SubContext::CaCertificate), RuleName::KeyUsage);
        let rules: Rules = [(at, Rule::new(Level::Warn))].into_iter().collect();
        assert_eq!(rules.get(at.0, at.1), Some(&Rule::new(Level::Warn)));
        assert_eq!(rules.get(Place::Token(Context::Timestamp), at.1), None);
        assert_eq!(rules.get(at.0, RuleName::CA), None);
        assert_eq!(rules.iter().count(), 1);
    }
}
