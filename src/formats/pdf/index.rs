//! The index of cross-references: the sections of a file from the newest to the oldest, and their entries in one table, so
//! that what any revision says of an object is found by one search. ISO 32000-1 §7.5.6.

use super::xref::{Entry, Section};
use std::ops::Range;
use std::rc::Rc;

/// The sections of the whole file, from the newest to the oldest, and their entries in one table: what any of its
/// revisions has is found by one search.
pub(super) struct Index<'a> {
    sections: Vec<Rc<Section<'a>>>,
    /// By number, then by section. A single section has its own table.
    entries: Vec<(u32, u32, Entry)>,
    /// Where the entries of each number begin. Empty where numbers are far apart.
    begins: Vec<u32>,
    /// Below which number they are close together.
    numbers: usize,
}

impl<'a> Index<'a> {
    /// Of `sections`, from the newest to the oldest.
    pub fn new(sections: &[Rc<Section<'a>>]) -> Self {
        let several = if sections.len() > 1 { sections } else { &[] };
        let entries = || {
            let of_each = (0..).zip(several);
            of_each
                .flat_map(|(rank, section)| section.entries().iter().map(move |&(number, entry)| (number, rank, entry)))
        };
        let highest = sections.iter().filter_map(|section| section.entries().last()).map(|(number, _)| *number).max();
        let count: usize = sections.iter().map(|section| section.entries().len()).sum();
        let numbers = highest.map_or(0, |highest| highest as usize + 1);
        let numbers = if numbers <= 4 * count { numbers } else { 0 };
        if numbers == 0 || several.is_empty() {
            let mut entries: Vec<_> = entries().collect();
            entries.sort_by_key(|&(number, rank, _)| (number, rank));
            return Self { sections: sections.to_vec(), entries, begins: Vec::new(), numbers };
        }
        // Sorted by counting: how many have a lower number says where those of a number begin.
        let mut begins = vec![0u32; numbers + 1];
        entries().for_each(|(number, ..)| begins[number as usize + 1] += 1);
        for number in 0..numbers {
            begins[number + 1] += begins[number];
        }
        let (mut next, mut sorted) = (begins.clone(), vec![(0, 0, Entry::Free); count]);
        for entry in entries() {
            let place = &mut next[entry.0 as usize];
            sorted[*place as usize] = entry;
            *place += 1;
        }
        let entries = sorted;
        Self { sections: sections.to_vec(), entries, begins, numbers }
    }

    /// How many sections are newer than `sections`, where these are the last ones.
    pub fn newer(&self, sections: &[Rc<Section<'a>>]) -> Option<usize> {
        let newer = self.sections.len().checked_sub(sections.len())?;
        self.sections[newer..].iter().zip(sections).all(|(own, other)| Rc::ptr_eq(own, other)).then_some(newer)
    }

    /// What the sections after the first `newer` say of an object.
    pub fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.standing(number, newer).map(|(entry, _)| entry)
    }

    /// The generation of an object that is in use, by the sections after the first `newer`.
    pub fn generation(&self, number: u32, newer: usize) -> u64 {
        let section =
            self.standing(number, newer).and_then(|(_, without)| self.sections.get(without.end.checked_sub(1)?));
        section.map_or(0, |section| section.generation(number))
    }

    /// The sections, from the newest to the oldest.
    pub fn sections(&self) -> &[Rc<Section<'a>>] {
        &self.sections
    }

    /// Below which number the objects are close together: zero where they are not.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// The same, with the numbers of newer sections without which that is so.
    pub fn standing(&self, number: u32, newer: usize) -> Option<(Entry, Range<usize>)> {
        if let [only] = &self.sections[..] {
            return only.entry(number).map(|entry| (entry, 0..1)).filter(|_| newer == 0);
        }
        let of_number = match self.begins.get(number as usize..(number as usize).saturating_add(2)) {
            Some(&[begin, end]) => self.entries.get(begin as usize..end as usize)?,
            _ if self.begins.is_empty() => &self.entries,
            _ => return None,
        };
        let place = of_number.partition_point(|&(n, rank, _)| (n, rank as usize) < (number, newer));
        let &(_, rank, entry) = of_number.get(place).filter(|(n, ..)| *n == number)?;
        let before = place.checked_sub(1).and_then(|place| of_number.get(place)).filter(|(n, ..)| *n == number);
        Some((entry, before.map_or(0, |(_, rank, _)| *rank as usize + 1)..rank as usize + 1))
    }
}

/// Where an object was found: two objects at the same place are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// At an octet of the file.
    At(usize),
    /// In the object stream at an octet of the file.
    In(usize, u32),
}

/// Where an object is by the cross-references that `entry` looks into.
pub(super) fn location(number: u32, entry: impl Fn(u32) -> Option<Entry>) -> Option<Location> {
    match entry(number)? {
        Entry::Free => None,
        Entry::Offset(offset) => Some(Location::At(usize::try_from(offset).ok()?)),
        Entry::Compressed { stream, index } => match entry(stream)? {
            Entry::Offset(offset) => Some(Location::In(usize::try_from(offset).ok()?, index)),
            _ => None,
        },
    }
}

/// A table with what its hidden stream adds.
pub(super) fn hybrid<'a>(table: &Section<'a>, hidden: &Section<'a>) -> Section<'a> {
    let mut entries: Vec<_> = hidden.entries().to_vec();
    entries.extend(
        table.entries().iter().filter(|(number, entry)| *entry != Entry::Free || hidden.entry(*number).is_none()),
    );
    let generations = hidden.generations().iter().chain(table.generations()).copied().collect();
    Section::new(table.offset, entries, table.trailer.clone()).with_generations(generations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::pdf::Dictionary;

    #[test]
    fn what_sections_say_of_an_object() {
        let section = |entries: &[(u32, u64)]| {
            let entries = entries.iter().map(|(number, offset)| (*number, Entry::Offset(*offset))).collect();
            Rc::new(Section::new(0, entries, Dictionary::default()))
        };
        for (situation, last) in [("numbers close together", 7), ("numbers far apart", u32::MAX)] {
            let sections =
                [section(&[(2, 30), (last, 31)]), section(&[(2, 20), (5, 21)]), section(&[(0, 10), (2, 11)])];
            let index = Index::new(&sections);
            assert_eq!(index.begins.is_empty(), last == u32::MAX, "7.5.6: {situation}");
            for newer in 0..=sections.len() {
                for number in [0, 1, 2, 3, 5, 6, 7, 8, u32::MAX] {
                    let expected = sections[newer..].iter().find_map(|section| section.entry(number));
                    assert_eq!(index.entry(number, newer), expected, "7.5.6: {situation}, {number} from {newer}");
                }
            }
        }
    }
}
