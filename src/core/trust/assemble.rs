//! From the LOTL-signing certificates to the national lists: the role of each file, and whether it can be relied on
//! (TS 119 615 §4.1 to §4.3).

use super::content::ListContent;
use super::index::Index;
use super::list::{List, OtherTslPointer, is_of_the_union};
use super::lotl_signers::LotlSigningCertificates;
use super::pivot::{Link, follow};
use super::recognition::Agreement;
use super::state::{ListState, Missing, Problem, ProblemKey, RecognisedService, Role};
use super::{Inner, Signed, Source, TrustedLists};
use std::collections::BTreeMap;
use std::sync::Arc;

impl TrustedLists {
    /// Follows the lists from the LOTL-signing certificates over pivots and lists of trusted lists to the national
    /// lists (TS 119 615 §4.1 to §4.3), and states for each source whether it can be relied on.
    pub fn assemble(sources: Vec<Source>, announcement: &LotlSigningCertificates) -> Self {
        let mut assembly = Assembly {
            states: sources.iter().map(ListState::of).collect(),
            announcement,
            pointed: vec![false; sources.len()],
            vouched: vec![false; sources.len()],
            announced: vec![false; sources.len()],
            agreements: vec![None; sources.len()],
            missing: vec![],
            sources: &sources,
        };
        assembly.lists_of_lists();
        assembly.rest();
        let Assembly { states, missing, mut agreements, .. } = assembly;
        let mut contents = vec![];
        for (place, (source, state)) in sources.into_iter().zip(&states).enumerate() {
            if let (true, Role::TrustedList, Ok(signed)) = (state.trusted, state.role, source.read) {
                let recognition = agreements.get_mut(place).and_then(Option::take);
                contents.push((place, ListContent::new(List { recognition, ..signed.list })));
            }
        }
        let index = Index::new(contents.iter().map(|(_, content)| content), true);
        let announced = announcement.url.clone();
        Self(Arc::new(Inner { announced, states, missing, contents, index, snapshot_signer: None }))
    }
}

struct Assembly<'s> {
    sources: &'s [Source],
    announcement: &'s LotlSigningCertificates,
    states: Vec<ListState>,
    /// The files that a trusted list points at.
    pointed: Vec<bool>,
    /// The lists of lists that a trusted one points at, signed as it says.
    vouched: Vec<bool>,
    /// The lists of lists that the announcement leads to.
    announced: Vec<bool>,
    /// What is said of mutual recognition where each file is pointed at.
    agreements: Vec<Option<Agreement>>,
    missing: Vec<Missing>,
}

impl<'s> Assembly<'s> {
    fn signed(&self, place: usize) -> Option<&'s Signed> {
        self.sources.get(place)?.read.as_ref().ok()
    }

    fn lists(&self) -> impl Iterator<Item = (usize, &'s List)> + use<'s> {
        self.sources.iter().enumerate().filter_map(|(place, source)| Some((place, &source.read.as_ref().ok()?.list)))
    }

    /// Examines every list of lists: the newest of its type and territory.
    fn lists_of_lists(&mut self) {
        let mut newest: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
        for (place, list) in self.lists().filter(|(_, list)| list.is_list_of_lists()) {
            let best = newest.entry((&list.list_type, list.territory.as_deref())).or_insert(place);
            if self.signed(*best).is_some_and(|known| known.list.sequence_number < list.sequence_number) {
                *best = place;
            }
        }
        // The Union's first: where several lead to a list, the first does.
        let (union, others): (Vec<_>, Vec<_>) = newest.into_iter().partition(|((kind, _), _)| is_of_the_union(kind));
        let mut waiting: Vec<usize> = union.into_iter().chain(others).map(|(_, place)| place).collect();
        // Those that are announced, then those that they point at; each is looked at once in each round.
        loop {
            let before = waiting.len();
            waiting.retain(|&place| !self.accept(place));
            if waiting.len() == before {
                break;
            }
        }
        for place in waiting {
            self.states[place].role = Role::ListOfLists;
            if let Err(broken) = self.chain(place) {
                self.states[place].problems.push(Problem::chain(&broken));
            }
        }
    }

    fn link(&self, place: usize) -> Option<Link<'s>> {
        let signed = self.signed(place)?;
        Some(Link { place, list: &signed.list, signer: signed.signer.as_ref() })
    }

    /// Returns the pivots on the way from the announcement.
    fn chain(&self, place: usize) -> Result<Vec<usize>, super::PivotError> {
        let Some(lotl) = self.link(place) else { return Ok(vec![]) };
        follow(lotl, self.announcement, |url| self.link(self.pivot(url, lotl.list)?))
    }

    /// Returns whether the list of lists is trusted: by the announcement, or by another one that points at it.
    fn accept(&mut self, place: usize) -> bool {
        let over = match self.chain(place) {
            Ok(over) => {
                self.announced[place] = true;
                over
            }
            Err(_) if self.vouched[place] => vec![],
            Err(_) => return false,
        };
        let Some(signed) = self.signed(place) else { return false };
        let state = &mut self.states[place];
        state.role = Role::ListOfLists;
        state.trusted = true;
        for pivot in over {
            self.states[pivot].role = Role::Pivot;
            self.states[pivot].trusted = true;
        }
        let own = signed.list.pointers.iter().find(|pointer| is_own(pointer, &signed.list));
        if let Some(own) = own {
            self.states[place].url = Some(own.location.clone());
        }
        for pointer in signed.list.pointers.iter().filter(|pointer| !is_own(pointer, &signed.list)) {
            self.follow(pointer, place);
        }
        true
    }

    /// Follows a pointer of a trusted list of lists to the list.
    fn follow(&mut self, pointer: &OtherTslPointer, from: usize) {
        let named = cache_name(&pointer.location);
        let mut candidates: Vec<usize> = self
            .lists()
            .filter(|(place, list)| *place != from && (self.sources[*place].name == named || is_meant(pointer, list)))
            .map(|(place, _)| place)
            .collect();
        let unreadable = self.sources.iter().position(|source| source.name == named && source.read.is_err());
        let there = !candidates.is_empty();
        candidates.retain(|place| self.states[*place].role == Role::Unused && !self.pointed[*place]);
        if candidates.is_empty() {
            match unreadable {
                // Another list led there before.
                _ if there => {}
                Some(place) => self.place(place, pointer, from),
                None => {
                    let (territory, url) = (pointer.territory.clone(), pointer.location.clone());
                    self.missing.push(Missing { territory, url });
                }
            }
            return;
        }
        let mut judged: Vec<(bool, Option<i64>, usize, Vec<Problem>)> = vec![];
        for place in candidates {
            let problems = self.problems(place, pointer);
            let number = self.states[place].sequence_number;
            judged.push((problems.is_empty(), number, place, problems));
        }
        // The newest that is in order; an older one is superseded.
        crate::order::sort_by_key(&mut judged, |(good, number, place, _)| {
            (std::cmp::Reverse((*good, *number)), *place)
        });
        let newest = judged.first().and_then(|(_, number, ..)| *number);
        for (rank, (good, _, place, problems)) in judged.into_iter().enumerate() {
            self.place(place, pointer, from);
            let of_lists = self.is_list_of_lists(place);
            let state = &mut self.states[place];
            let new = problems.into_iter().filter(|problem| !state.problems.contains(problem)).collect::<Vec<_>>();
            state.problems.extend(new);
            if rank > 0 && good {
                let newest = newest.map_or_else(|| "another one".into(), |number| format!("number {number}"));
                state.problems.push(Problem::new(ProblemKey::Superseded, format!("{newest} is there")));
            } else if good && of_lists {
                // What it points at is followed when its turn comes.
                state.role = Role::Unused;
                self.vouched[place] = true;
            } else {
                state.trusted = good;
            }
        }
    }

    fn is_list_of_lists(&self, place: usize) -> bool {
        self.signed(place).is_some_and(|signed| signed.list.is_list_of_lists())
    }

    fn place(&mut self, place: usize, pointer: &OtherTslPointer, from: usize) {
        self.pointed[place] = true;
        let of_the_union = self.signed(from).is_some_and(|signed| is_of_the_union(&signed.list.list_type));
        let above = &self.states[from];
        let over = !of_the_union || above.third_country || above.mutual_recognition;
        let state = &mut self.states[place];
        state.role = Role::TrustedList;
        state.url = Some(pointer.location.clone());
        state.parent = Some(from);
        state.mutual_recognition = pointer.mutual_recognition.is_some();
        state.third_country = over;
        // A list that only another list of trusted lists authorises cannot speak for the European Union.
        let agreement = pointer.mutual_recognition.as_ref().filter(|_| self.announced[from]);
        let services = agreement.into_iter().flat_map(|agreement| &agreement.equivalences);
        let now = services.filter_map(|service| Some((&service.legal_identifier, service.periods.first()?)));
        let now = now.map(|(legal_identifier, period)| RecognisedService {
            legal_identifier: legal_identifier.clone(),
            enacted: period.enacted,
            since: period.start,
        });
        state.recognised = now.collect();
        self.agreements[place] = agreement.cloned();
    }

    /// Returns what speaks against a list that a pointer leads to.
    fn problems(&self, place: usize, pointer: &OtherTslPointer) -> Vec<Problem> {
        let Some(signed) = self.signed(place) else { return vec![] };
        let mut problems = vec![];
        let (found, expected) = (signed.list.territory.as_deref(), pointer.territory.as_deref());
        if expected.is_some() && found != expected {
            let (found, expected) = (found.unwrap_or("no country"), expected.unwrap_or_default());
            problems.push(Problem::new(ProblemKey::Country, format!("the list is of {found}, expected {expected}")));
        }
        let (found, expected) = (&signed.list.list_type, pointer.list_type.as_deref());
        if expected.map_or(signed.list.is_list_of_lists(), |expected| expected != found) {
            let message = format!("the list is of type {found}, expected {}", expected.unwrap_or("a trusted list"));
            problems.push(Problem::new(ProblemKey::Type, message));
        }
        match &signed.signer {
            Ok(signer) if !pointer.signers.contains(signer.sha256()) => {
                let message = format!(
                    "the list is signed by {}, who is not among the {} signers that the list of lists names for it",
                    signer.subject().rfc2253(),
                    pointer.signers.len()
                );
                problems.push(Problem::new(ProblemKey::Signer, message));
            }
            Ok(_) => {}
            // Stated with the file.
            Err(defect) => problems.push(defect.into()),
        }
        problems
    }

    /// Returns the file that is the pivot published at `url`: by its name, else the oldest list of lists that names
    /// itself so.
    fn pivot(&self, url: &str, lotl: &List) -> Option<usize> {
        let (cached, file) = (cache_name(url), url.rsplit('/').next().unwrap_or_default());
        let same = |list: &List| list.list_type == lotl.list_type && list.territory == lotl.territory;
        let mut all = self.lists().filter(|(_, list)| same(list));
        if let Some((place, _)) = all.find(|(place, _)| [&cached[..], file].contains(&&self.sources[*place].name[..])) {
            return Some(place);
        }
        let own = |list: &List| list.information.first().is_some_and(|first| first == url);
        let named = self.lists().filter(|(_, list)| same(list) && own(list));
        // A later list of lists begins with its newest pivot, too: the pivot itself is the oldest of them, and is not
        // the list that is asked about, unless that begins with itself.
        let oldest = named.min_by_key(|(_, list)| list.sequence_number)?;
        (url.contains(&oldest.1.sequence_number.unwrap_or_default().to_string())).then_some(oldest.0)
    }

    /// Reports the lists that nothing leads to.
    fn rest(&mut self) {
        for place in 0..self.states.len() {
            if self.states[place].role != Role::Unused || self.signed(place).is_none() {
                continue;
            }
            let of_lists = self.is_list_of_lists(place);
            let state = &mut self.states[place];
            state.problems.push(match of_lists {
                true => Problem::new(
                    ProblemKey::Superseded,
                    "a newer list of lists is there, and this is none of its pivots",
                ),
                false => Problem::new(ProblemKey::NotPointedAt, "no trusted list of lists points at it"),
            });
        }
    }
}

/// Returns whether a pointer of a list of lists points at the list itself.
fn is_own(pointer: &OtherTslPointer, list: &List) -> bool {
    pointer.list_type.as_deref() == Some(&list.list_type) && pointer.territory == list.territory
}

/// Returns whether a pointer leads to a list of that type and territory.
fn is_meant(pointer: &OtherTslPointer, list: &List) -> bool {
    let (territory, list_type) =
        (pointer.territory.is_some() && pointer.territory == list.territory, &pointer.list_type);
    territory && list_type.as_deref().is_none_or(|expected| expected == list.list_type)
}

/// Returns the file name under which EU DSS caches what it fetched from `url`: the URL with everything but letters and
/// digits replaced by `_`.
///
/// ```
/// assert_eq!(lacre::trust::cache_name("https://ec.europa.eu/tl.xml"), "https___ec_europa_eu_tl_xml");
/// ```
pub fn cache_name(url: &str) -> String {
    url.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ListError, SignatureDefect};
    use super::*;
    use crate::x509::Certificate;

    const ANNOUNCED: &[u8] = include_bytes!("../../../examples/documents/root.der");

    /// Returns two signers: one whom the caller names, and one whom lists name.
    fn signers() -> (Certificate, Certificate) {
        let announced = Certificate::from_der(ANNOUNCED).expect("an example");
        // Another certificate of the same form: its last byte, of the signature, is changed.
        let mut bytes = ANNOUNCED.to_vec();
        bytes.last_mut().into_iter().for_each(|byte| *byte ^= 1);
        (announced, Certificate::from_der(&bytes).expect("its form is the same"))
    }

    fn source(name: &str, list: List, signer: &Certificate) -> Source {
        let read = Ok(Signed { list, signer: Ok(signer.clone()) });
        Source { name: name.into(), size: 1, sha256: [0; 32], loaded: None, read }
    }

    fn national(territory: &str, number: i64) -> List {
        List {
            list_type: "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric".into(),
            territory: Some(territory.into()),
            sequence_number: Some(number),
            ..List::default()
        }
    }

    fn of_lists(territory: &str, pointers: Vec<OtherTslPointer>) -> List {
        let list_type = "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists".into();
        List { list_type, territory: Some(territory.into()), sequence_number: Some(1), pointers, ..List::default() }
    }

    fn pointer(list: &List, signer: &Certificate) -> OtherTslPointer {
        OtherTslPointer {
            location: format!("https://example.org/{}.xml", list.territory.as_deref().unwrap_or_default()),
            list_type: Some(list.list_type.clone()),
            territory: list.territory.clone(),
            signers: vec![*signer.sha256()],
            ..OtherTslPointer::default()
        }
    }

    fn problems(lists: &TrustedLists, name: &str) -> Vec<ProblemKey> {
        let state = lists.states().iter().find(|state| state.name == name);
        state.into_iter().flat_map(|state| &state.problems).map(|problem| problem.key).collect()
    }

    #[test]
    fn a_list_counts_when_the_pointer_names_its_signer() {
        let (announced, named) = signers();
        let to_aa = pointer(&national("AA", 1), &named);
        let lotl = || source("lotl", of_lists("EU", vec![to_aa.clone()]), &announced);
        let unsigned = Source {
            read: Ok(Signed { list: national("AA", 3), signer: Err(SignatureDefect::Missing) }),
            ..source("unsigned", national("AA", 3), &named)
        };
        let unreadable = Source {
            read: Err(ListError::NotAList { found: "html".into() }),
            ..source(&cache_name(&to_aa.location), List::default(), &named)
        };
        use ProblemKey::*;
        let rows: [(&str, Vec<Source>, &str, usize, Vec<ProblemKey>); 7] = [
            ("5.7: by its signer", vec![source("aa", national("AA", 1), &named)], "aa", 1, vec![]),
            ("5.7: by another country's", vec![source("aa", national("AA", 1), &announced)], "aa", 0, vec![Signer]),
            ("5.3.13: of another country", vec![source("bb", national("BB", 1), &named)], "bb", 0, vec![NotPointedAt]),
            (
                "5.3.2: the newest counts",
                vec![source("aa", national("AA", 1), &named), source("aa2", national("AA", 2), &named)],
                "aa",
                1,
                vec![Superseded],
            ),
            (
                "5.3.2: what nobody signed takes no list's place",
                vec![source("aa", national("AA", 1), &named), unsigned.clone()],
                "aa",
                1,
                vec![],
            ),
            ("5.7: not signed", vec![unsigned], "unsigned", 0, vec![Signature]),
            ("annex C: no list", vec![unreadable], "https___example_org_AA_xml", 0, vec![Unreadable]),
        ];
        for (situation, mut sources, name, trusted, expected) in rows {
            sources.push(lotl());
            let lists = TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&announced)));
            assert_eq!(lists.trusted(), trusted, "TS 119 612 {situation}");
            assert_eq!(problems(&lists, name), expected, "TS 119 612 {situation}");
        }
        let lists =
            TrustedLists::assemble(vec![lotl()], &LotlSigningCertificates::of(std::slice::from_ref(&announced)));
        assert_eq!(lists.missing().len(), 1, "TS 119 612 5.3.13: not there");
    }

    #[test]
    fn pointers_that_go_round_end() {
        let (announced, named) = signers();
        let (eu, other) = (of_lists("EU", vec![]), of_lists("XX", vec![]));
        let round = |own: &List, to: &List, signer: &Certificate| {
            let pointers = vec![pointer(own, signer), pointer(to, signer), pointer(&national("AA", 1), &named)];
            List { pointers, ..own.clone() }
        };
        let sources = vec![
            source("eu", round(&eu, &other, &named), &announced),
            source("xx", round(&other, &eu, &announced), &named),
            source("aa", national("AA", 1), &named),
        ];
        let lists = TrustedLists::assemble(sources, &LotlSigningCertificates::of(&[announced]));
        assert_eq!(lists.trusted(), 1);
        let accepted = lists.states().iter().filter(|state| state.role == Role::ListOfLists && state.trusted);
        assert_eq!(lists.missing(), [], "every list is there, whoever points at it");
        assert_eq!(accepted.count(), 2, "the one that is announced, and the one that it points at");
    }
}
