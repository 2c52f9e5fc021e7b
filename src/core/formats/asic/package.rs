//! The list of a package's files, `META-INF/manifest.xml`, which nobody need sign: ODF 1.2 part 3 §4, EN 319 162-1 §4.4.3.2.

use super::Error;
use super::manifest::within;
use super::name::named;
use super::xml_files::XmlFiles;
use super::zip::Entry;
use crate::budget::RELATIONS;
use crate::facts::{self, Irregularity, IrregularityKind};
use crate::formats::media_type::{differ, shown};
use crate::formats::xml::Element;
use std::collections::{HashMap, HashSet};

/// The namespace of the list (§4.1).
const PACKAGE: &str = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0";
/// The path of the package itself (§4.3).
const ROOT: &str = "/";
/// Files that are named where they are listed otherwise than they are.
const NAMED: usize = 10;

/// A list of files that was read. It covers nothing by itself.
pub(super) struct Package {
    /// Its facts: the files that it lists, folders left out.
    pub(super) facts: facts::Manifest,
    /// What it lists otherwise than it is.
    pub(super) irregularities: Vec<Irregularity>,
}

impl Package {
    /// Reads the list of a container, and notes the media types with its entries; `None` where it is none.
    pub(super) fn read(file: &str, bytes: &[u8], files: &mut XmlFiles, container: &Container<'_, '_>) -> Option<Self> {
        let tree = files.read_typed(bytes).ok()?;
        let root = tree.document_element().filter(|root| root.local() == "manifest")?;
        let entry = |entry| Some((attribute(entry, "full-path")?, attribute(entry, "media-type").unwrap_or_default()));
        let listed = || root.children().filter(|child| child.local() == "file-entry").filter_map(entry);
        let entries = listed().map(|(path, _)| path).filter(|path| !path.ends_with('/')).map(Into::into).collect();
        container.state_types(listed());
        let irregularities = container.irregularities(listed());
        Some(Self { facts: facts::Manifest { file: file.into(), signature_file: None, entries }, irregularities })
    }
}

fn attribute<'t>(entry: Element<'t, '_>, local: &str) -> Option<&'t str> {
    let found = entry.attributes().find(|a| a.local == local && [PACKAGE, ""].contains(&a.namespace));
    found.map(|found| found.value)
}

/// The container that the list is of.
pub(super) struct Container<'c, 'd> {
    pub(super) entries: &'c [Entry<'d>],
    /// The names of its contents.
    pub(super) contents: &'c [String],
    /// What the file `mimetype` has.
    pub(super) media_type: Option<&'c str>,
}

impl Container<'_, '_> {
    /// Notes the media types with the contents. Of two for one file the last counts.
    fn state_types<'t>(&self, listed: impl Iterator<Item = (&'t str, &'t str)>) {
        let types: HashMap<&str, &str> = listed.filter(|(_, media_type)| !media_type.is_empty()).collect();
        for entry in self.entries {
            if let Some(media_type) = types.get(entry.name.as_str()) {
                entry.content().state_type(media_type);
            }
        }
    }

    /// Returns what is listed otherwise than it is: files that are not there, are left out or are listed twice; another media
    /// type of the package than the file `mimetype` has.
    fn irregularities<'t>(&self, listed: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<Irregularity> {
        let names: HashSet<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
        let (mut seen, mut other, mut root) = (HashSet::new(), vec![], None);
        for (path, media_type) in listed {
            if path == ROOT {
                root = Some(media_type);
            }
            if path.ends_with('/') {
                continue;
            }
            let is_there = names.contains(path);
            if (!is_there || seen.contains(path)) && other.len() < NAMED {
                other.push(named(path));
            }
            if is_there {
                seen.insert(path);
            }
        }
        let left_out = self.contents.iter().filter(|name| !seen.contains(name.as_str()));
        other.extend(left_out.take(NAMED).map(|name| named(name)));
        let differ = root.zip(self.media_type).filter(|(stated, own)| differ(stated, own));
        other.extend(differ.map(|(stated, own)| format!("mimetype: {}, {}", shown(own), shown(stated))));
        let about = |subject| Irregularity::about(IrregularityKind::PackageManifestMismatch, subject);
        other.into_iter().map(about).collect()
    }
}

/// Checks how much a list names for so many files of signatures, each of which has the list.
pub(super) fn check_listed(listed: &[Package], signed: usize) -> Result<(), Error> {
    listed.iter().map(|list| &list.facts).try_for_each(|list| {
        let listed = within(list.entries.len().saturating_mul(signed), RELATIONS, "references in manifests");
        listed.map_err(|source| Error::Xml { file: list.file.clone(), source })
    })
}
