//! Which files of a container a manifest reaches: EN 319 162-1 §4.4 and §A.7.
//!
//! A manifest may list files that have manifests of their own, so that hundreds of archive time-stamps
//! lead to hundreds of thousands of entries. Names become numbers once, for the whole container.

use super::container_files::is_at_root;
use crate::facts::{Container, Timestamp};
use std::collections::HashMap;

/// The container's files by number, and what each manifest lists.
#[derive(Debug, Default)]
pub(super) struct Coverage<'a> {
    numbers: HashMap<&'a str, usize>,
    /// For each file what the manifest by which it signs lists; of two manifests the first counts.
    lists: Vec<Option<Vec<usize>>>,
    /// For each file whether its manifest is [complete](Self::is_complete).
    complete: Vec<bool>,
    /// For each file whether the manifest of a time-stamp lists it.
    stamped: Vec<bool>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(container: &'a Container, timestamps: &'a [Timestamp]) -> Self {
        let mut coverage = Self::default();
        for manifest in &container.manifests {
            let Some(file) = manifest.signature_file.as_deref() else { continue };
            let number = coverage.number(file);
            if coverage.lists[number].is_none() {
                let list = manifest.entries.iter().map(|entry| coverage.number(entry)).collect();
                coverage.lists[number] = Some(list);
            }
        }
        let roots: Vec<usize> =
            container.contents.iter().filter(|name| is_at_root(name)).map(|name| coverage.number(name)).collect();
        coverage.complete = coverage.completeness(&roots);
        coverage.stamped = coverage.listed_by(timestamps.iter().filter_map(|timestamp| timestamp.file.as_deref()));
        coverage
    }

    fn number(&mut self, name: &'a str) -> usize {
        let next = self.lists.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.lists.push(None);
        }
        number
    }

    /// Returns whether the manifest by which `file` signs lists every file that the manifests of its entries list, and
    /// some file at the root; `None` when there is no such manifest.
    pub(super) fn is_complete(&self, file: &str) -> Option<bool> {
        let number = *self.numbers.get(file)?;
        self.lists[number].as_ref().map(|_| self.complete[number])
    }

    /// Returns whether the manifest of another file's time-stamp lists `file`.
    pub(super) fn is_stamped(&self, file: &str) -> bool {
        self.numbers.get(file).is_some_and(|&number| self.stamped[number])
    }

    /// Returns for each file whether its manifest is complete, the shorter lists first: what a complete one lists
    /// brings nothing new, so that a manifest over hundreds of its kind need only follow the longest of them.
    fn completeness(&self, roots: &[usize]) -> Vec<bool> {
        let length = |file: usize| self.lists[file].as_ref().map_or(0, Vec::len);
        let mut order: Vec<usize> = (0..self.lists.len()).filter(|&file| self.lists[file].is_some()).collect();
        crate::order::sort_by_key(&mut order, |&file| length(file));

        let mut lists_all = vec![false; self.lists.len()];
        let mut at_root = vec![false; self.lists.len()];
        roots.iter().for_each(|&file| at_root[file] = true);
        let mut complete = vec![false; self.lists.len()];
        // The turn in which a file was last listed, and last found to bring nothing new.
        let (mut listed, mut settled) = (vec![0; self.lists.len()], vec![0; self.lists.len()]);
        for (turn, file) in (1..).zip(order) {
            let Some(list) = &self.lists[file] else { continue };
            list.iter().for_each(|&entry| listed[entry] = turn);
            let longest = list.iter().copied().max_by_key(|&entry| length(entry));
            lists_all[file] = longest.into_iter().chain(list.iter().copied()).all(|entry| {
                let Some(below) = self.lists[entry].as_ref().filter(|_| settled[entry] != turn) else { return true };
                settled[entry] = turn;
                if lists_all[entry] {
                    below.iter().for_each(|&entry| settled[entry] = turn);
                }
                below.iter().all(|&entry| listed[entry] == turn)
            });
            complete[file] = lists_all[file] && list.iter().any(|&entry| at_root[entry]);
        }
        complete
    }

    /// Returns for each file whether the manifest by which one of `files` signs lists it.
    fn listed_by<'f>(&self, files: impl Iterator<Item = &'f str>) -> Vec<bool> {
        let mut listed = vec![false; self.lists.len()];
        for &number in files.filter_map(|file| self.numbers.get(file)) {
            let list = self.lists[number].iter().flatten();
            list.filter(|&&entry| entry != number).for_each(|&entry| listed[entry] = true);
        }
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Id, Manifest, TimestampType};
    use crate::time::Time;

    /// Returns a container with `a.txt` at its root, and these manifests: the file that signs, and what is listed.
    fn container(manifests: &[(&str, &[&str])]) -> Container {
        let manifest = |(signs, entries): &(&str, &[&str])| Manifest {
            file: format!("{signs}.xml"),
            signature_file: Some((*signs).into()),
            entries: entries.iter().map(|entry| (*entry).into()).collect(),
        };
        let manifests = manifests.iter().map(manifest).collect();
        Container { manifests, contents: vec!["a.txt".into()], ..Container::default() }
    }

    #[test]
    fn completeness() {
        let rows: &[(&str, &str, &[(&str, &[&str])], Option<bool>)] = &[
            ("4.4", "no manifest", &[], None),
            ("4.4", "the file alone", &[("t3", &["a.txt"])], Some(true)),
            ("4.4", "nothing at the root", &[("t3", &["m/b.txt"])], Some(false)),
            ("4.4", "all that is below", &[("t1", &["a.txt"]), ("t3", &["t1", "a.txt"])], Some(true)),
            ("4.4", "not all of it", &[("t1", &["a.txt", "b.txt"]), ("t3", &["t1", "a.txt"])], Some(false)),
            (
                "4.4",
                "a long chain",
                &[("t1", &["a.txt"]), ("t2", &["t1", "a.txt"]), ("t3", &["t1", "a.txt", "t2"])],
                Some(true),
            ),
            (
                "4.4",
                "a long chain with a gap at its end",
                &[
                    ("t1", &["a.txt", "b.txt"]),
                    ("t2", &["t1", "a.txt", "c.txt"]),
                    ("t3", &["t2", "t1", "a.txt", "c.txt"]),
                ],
                Some(false),
            ),
            ("4.4", "two that list each other", &[("t1", &["t3", "a.txt"]), ("t3", &["t1", "a.txt"])], Some(false)),
            ("4.4", "itself", &[("t3", &["t3", "a.txt"])], Some(true)),
        ];
        for (clause, situation, manifests, expected) in rows {
            let container = container(manifests);
            assert_eq!(Coverage::new(&container, &[]).is_complete("t3"), *expected, "{clause} {situation}");
        }
    }

    #[test]
    fn what_time_stamps_list() {
        let container = container(&[("t1", &["a.txt", "t1"]), ("s", &["b.txt"])]);
        let mut timestamp = Timestamp::new(Id::new("T"), TimestampType::Container, Time::default());
        timestamp.file = Some("t1".into());
        let timestamps = [timestamp];
        let coverage = Coverage::new(&container, &timestamps);
        let stamped = ["a.txt", "b.txt", "t1", "nowhere"].map(|file| coverage.is_stamped(file));
        assert_eq!(stamped, [true, false, false, false], "A.7");
    }
}
