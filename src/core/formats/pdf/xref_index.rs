//! The index of cross-references: ISO 32000-1 §7.5.6.
//!
//! Each update of a file appends a cross-reference section. A revision has the sections up to its end; it is named by its
//! *newer sections*, which is how many sections the whole file has beyond these. One table holds the entries of all
//! sections, so that one search finds what any revision says of an object.

use super::xref::{Entry, Section};
use std::ops::Range;
use std::rc::Rc;

/// The cross-reference sections of a whole file, from the newest to the oldest, and their entries in one table.
pub(super) struct XrefIndex<'a> {
    sections: Vec<Rc<Section<'a>>>,
    /// By number, then by section. A single section has its own table.
    entries: Vec<(u32, u32, Entry)>,
    /// Where the entries of each number begin. Empty where numbers are far apart.
    begins: Vec<u32>,
    /// The number below which all objects are dense: zero where numbers are far apart.
    dense_numbers: usize,
}

impl<'a> XrefIndex<'a> {
    /// Indexes `sections`, from the newest to the oldest.
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
            crate::order::sort_by_key(&mut entries, |&(number, rank, _)| (number, rank));
            return Self { sections: sections.to_vec(), entries, begins: Vec::new(), dense_numbers: numbers };
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
        Self { sections: sections.to_vec(), entries, begins, dense_numbers: numbers }
    }

    /// Returns how many sections are newer than `sections`, where these are the oldest ones.
    pub fn newer_sections(&self, sections: &[Rc<Section<'a>>]) -> Option<usize> {
        let newer = self.sections.len().checked_sub(sections.len())?;
        self.sections[newer..].iter().zip(sections).all(|(own, other)| Rc::ptr_eq(own, other)).then_some(newer)
    }

    /// Returns the entry of an object in the revision without the newest `newer` sections.
    pub fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.entry_and_revisions(number, newer).map(|(entry, _)| entry)
    }

    /// Returns the generation of an object in the revision without the newest `newer` sections; `None` where it is not in
    /// use.
    pub fn generation(&self, number: u32, newer: usize) -> Option<u64> {
        let entry = self.entry(number, newer)?;
        (entry != Entry::Free).then(|| self.section(number, newer).map_or(0, |section| section.generation(number)))
    }

    /// Returns whether the section that has the entry of an object, without the newest `newer` ones, has another entry of it.
    pub fn is_ambiguous(&self, number: u32, newer: usize) -> bool {
        self.section(number, newer).is_some_and(|section| section.is_ambiguous(number))
    }

    /// Returns the section that has the entry of an object, without the newest `newer` ones.
    pub fn section(&self, number: u32, newer: usize) -> Option<&Section<'a>> {
        let (_, revisions) = self.entry_and_revisions(number, newer)?;
        Some(self.sections.get(revisions.end.checked_sub(1)?)?)
    }

    /// Returns the sections, from the newest to the oldest.
    pub fn sections(&self) -> &[Rc<Section<'a>>] {
        &self.sections
    }

    /// Returns the number below which all objects are dense: zero where numbers are far apart.
    pub fn dense_numbers(&self) -> usize {
        self.dense_numbers
    }

    /// Returns the entry of an object in the revision without the newest `newer` sections, and all revisions that have
    /// this entry: a range of newer sections.
    pub fn entry_and_revisions(&self, number: u32, newer: usize) -> Option<(Entry, Range<usize>)> {
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

/// Where an object is in the file. Two objects at the same location are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// At a byte of the file.
    At(usize),
    /// In the object stream at a byte of the file, with its index there.
    In(usize, u32),
}

/// Returns where an object is by the cross-references that `entry` looks into.
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

/// Adds the entries of its hidden stream to the table of a hybrid section (§7.5.8.4).
pub(super) fn hybrid<'a>(table: &Section<'a>, hidden: &Section<'a>) -> Section<'a> {
    let mut entries: Vec<_> = hidden.entries().to_vec();
    entries.extend(
        table.entries().iter().filter(|(number, entry)| *entry != Entry::Free || hidden.entry(*number).is_none()),
    );
    let generations = hidden.generations().iter().chain(table.generations()).copied().collect();
    let both = Section::new(table.offset, entries, table.trailer.clone());
    both.with_generations(generations).with_ambiguous_of([table, hidden])
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
            let index = XrefIndex::new(&sections);
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
