//! The files of an ASiC container, found by name: EN 319 162-1 §4.

use super::coverage::Coverage;
use crate::facts::{Container, Facts, Manifest};
use crate::validation::engine::NAMED;
use std::collections::{BTreeMap, BTreeSet};

/// A container's files, found by name.
#[derive(Debug, Default)]
pub(in crate::validation) struct ContainerFiles<'a> {
    /// The manifests by the file that signs them.
    pub manifests: BTreeMap<&'a str, &'a Manifest>,
    contents: BTreeSet<&'a str>,
    /// How many files are in no folder.
    pub at_root: usize,
    coverage: Coverage<'a>,
}

impl<'a> ContainerFiles<'a> {
    /// Indexes the files of the facts' container.
    pub fn new(facts: &'a Facts) -> Self {
        let Some(container) = &facts.container else { return Self::default() };
        Self {
            manifests: by_signature_file(container),
            contents: crate::order::set(container.contents.iter().map(String::as_str)),
            at_root: container.contents.iter().filter(|name| is_at_root(name)).count(),
            coverage: Coverage::new(container, &facts.timestamps),
        }
    }

    /// Returns whether the manifest by which `file` signs covers all that the files in it cover; `None` without a
    /// manifest.
    pub fn covers_what_it_covers(&self, file: &str) -> Option<bool> {
        self.coverage.is_complete(file)
    }

    /// Returns whether the manifest of another file's time-stamp lists `file`.
    pub fn is_stamped(&self, file: &str) -> bool {
        self.coverage.is_stamped(file)
    }

    /// Returns the first of the contents that are not among these files: as many as a report names, and one more.
    pub fn others(&self, files: &BTreeSet<&str>) -> Vec<&'a str> {
        self.contents.iter().filter(|file| !files.contains(*file)).take(NAMED + 1).copied().collect()
    }
}

fn by_signature_file(container: &Container) -> BTreeMap<&str, &Manifest> {
    // Of two with the same name the first counts.
    let manifests = container.manifests.iter().rev();
    crate::order::map(manifests.filter_map(|manifest| Some((manifest.signature_file.as_deref()?, manifest))))
}

/// Returns whether a file is in no folder.
pub(super) fn is_at_root(name: &str) -> bool {
    !name.contains(['/', '\\'])
}
