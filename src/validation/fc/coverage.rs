//! Which files of a container a manifest reaches: EN 319 162-1 §4.4 and §A.7.
//!
//! A manifest may list files that have manifests of their own, so that hundreds of archive time-stamps
//! lead to hundreds of thousands of entries. Names become numbers once, for the whole container.

use super::container::is_at_root;
use crate::facts::Container;
use std::collections::HashMap;

/// The container's files by number, and what each manifest lists.
#[derive(Debug, Default)]
pub(super) struct Coverage<'a> {
    numbers: HashMap<&'a str, usize>,
    /// For each file what the manifest by which it signs lists; of two manifests the first counts.
    lists: Vec<Option<Vec<usize>>>,
    at_root: Vec<usize>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(container: &'a Container) -> Self {
        let mut coverage = Self::default();
        for manifest in &container.manifests {
            let Some(file) = manifest.signature_file.as_deref() else { continue };
            let number = coverage.number(file);
            if coverage.lists[number].is_none() {
                let list = manifest.entries.iter().map(|entry| coverage.number(entry)).collect();
                coverage.lists[number] = Some(list);
            }
        }
        let roots = container.contents.iter().filter(|name| is_at_root(name));
        coverage.at_root = roots.map(|name| coverage.number(name)).collect();
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

    /// Whether the manifest by which `file` signs lists every file that the manifests of its entries list, and
    /// some file at the root; `None` when there is no such manifest.
    pub(super) fn is_complete(&self, file: &str) -> Option<bool> {
        let list = self.lists[*self.numbers.get(file)?].as_ref()?;
        let (mut listed, mut seen) = (vec![false; self.lists.len()], vec![false; self.lists.len()]);
        list.iter().for_each(|&entry| listed[entry] = true);
        let mut open = vec![list];
        while let Some(current) = open.pop() {
            for &entry in current {
                if !listed[entry] {
                    return Some(false);
                }
                if !std::mem::replace(&mut seen[entry], true) {
                    open.extend(&self.lists[entry]);
                }
            }
        }
        Some(self.at_root.iter().any(|&file| listed[file]))
    }
}
