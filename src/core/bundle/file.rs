//! Bundles as ZIP files: stored entries, nothing in them that could differ from one writing to the next.

use super::manifest::{FOLDER, Manifest, SCHEMA, sha256};
use super::{Bundle, BundleError};
use crate::budget::Budget;
use crate::formats::asic::zip::Archive;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;

impl Bundle {
    /// Returns the bundle as a ZIP file. The same bundle gives the same bytes.
    pub fn to_zip(&self) -> Vec<u8> {
        let manifest = serde_json::to_vec_pretty(&self.manifest).expect("every key is a text");
        let mut entries = vec![(format!("{FOLDER}/{}.json", sha256(&manifest)), manifest.as_slice())];
        let objects = self.manifest.entries.iter().map(|entry| (entry.name(), self.bytes(&entry.sha256)));
        entries.extend(objects);
        written(&entries).expect("writing into memory does not fail")
    }

    /// Reads a bundle that [`Bundle::to_zip`] wrote.
    ///
    /// # Errors
    ///
    /// [`BundleError`] where any byte differs from what was written; the error names the entry.
    ///
    /// ```
    /// use lacre::{Bundle, bundle::BundleError};
    ///
    /// assert!(matches!(Bundle::from_zip(b"no ZIP file"), Err(BundleError::Zip(_))));
    /// ```
    pub fn from_zip(bytes: &[u8]) -> Result<Self, BundleError> {
        Self::from_zip_within(bytes, &Budget::default())
    }

    /// Reads a bundle as [`from_zip`](Self::from_zip), within a budget.
    ///
    /// # Errors
    ///
    /// As [`from_zip`](Self::from_zip).
    pub fn from_zip_within(bytes: &[u8], budget: &Budget) -> Result<Self, BundleError> {
        let archive = Archive::read(bytes, budget)?;
        let mut manifest = None;
        let mut objects = BTreeMap::new();
        for entry in &archive.entries {
            // Stored, or the file is not as it was written, which is found below.
            let read = entry.bytes(0)?;
            let found = sha256(&read);
            let (folder, file) = entry.name.split_once('/').unwrap_or_default();
            let named = file.split_once('.').unwrap_or_default().0;
            if named != found {
                return Err(BundleError::Changed { entry: entry.name.clone(), found });
            }
            match folder {
                FOLDER => manifest = Some((entry.name.clone(), read)),
                _ => drop(objects.insert(found, (entry.name.clone(), read.into_owned()))),
            }
        }
        let (name, text) = manifest.ok_or_else(|| BundleError::Missing { entry: format!("{FOLDER}/….json") })?;
        let manifest = parsed(&name, &text)?;
        listed(&manifest, &objects)?;
        let objects = objects.into_iter().map(|(sha256, (_, bytes))| (sha256, bytes)).collect();
        let bundle = Self { manifest, objects };
        same(&bundle.to_zip(), bytes, &archive)?;
        Ok(bundle)
    }
}

fn written(entries: &[(String, &[u8])]) -> Result<Vec<u8>, std::io::Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in entries {
        let builder = archive.new_file(name.as_str()).compression_method(CompressionMethod::STORE);
        let (mut entry, config) = builder.start().map_err(std::io::Error::other)?;
        let mut data = config.wrap(&mut entry);
        data.write_all(bytes)?;
        let (_, output) = data.finish().map_err(std::io::Error::other)?;
        entry.finish(output).map_err(std::io::Error::other)?;
    }
    archive.finish().map_err(std::io::Error::other)
}

fn parsed(name: &str, text: &[u8]) -> Result<Manifest, BundleError> {
    let unreadable = |error: serde_json::Error| BundleError::Unreadable { entry: name.into(), what: error.to_string() };
    let value: serde_json::Value = serde_json::from_slice(text).map_err(unreadable)?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => serde_json::from_value(value).map_err(unreadable),
        found => Err(BundleError::Schema { found: found.unwrap_or("unknown").to_owned(), expected: SCHEMA }),
    }
}

/// Checks that the manifest lists what is there, and what it names is there.
fn listed(manifest: &Manifest, objects: &BTreeMap<String, (String, Vec<u8>)>) -> Result<(), BundleError> {
    let mut listed = HashSet::new();
    for entry in &manifest.entries {
        // Each entry once, or what is written for the manifest outgrows the file.
        if !listed.insert(&entry.sha256) {
            return Err(BundleError::Unreadable { entry: entry.name(), what: "it is listed twice".to_owned() });
        }
        if objects.get(&entry.sha256).is_none_or(|(name, _)| *name != entry.name()) {
            return Err(BundleError::Missing { entry: entry.name() });
        }
    }
    for (sha256, (name, _)) in objects {
        if !listed.contains(sha256) {
            return Err(BundleError::Unlisted { entry: name.clone() });
        }
    }
    match manifest.named().find(|sha256| !objects.contains_key(*sha256)) {
        Some(sha256) => Err(BundleError::Missing { entry: sha256.clone() }),
        None => Ok(()),
    }
}

/// Checks that the file is byte for byte the one that is written for its entries.
fn same(expected: &[u8], found: &[u8], archive: &Archive<'_>) -> Result<(), BundleError> {
    if expected == found {
        return Ok(());
    }
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    let offset = first.unwrap_or(expected.len().min(found.len()));
    // The entry whose name stands last before that place: in a header of its own, or, in the same order, in the directory.
    let mut before = found.get(..offset + 1).unwrap_or(found);
    let headers = archive.entries.iter().chain(&archive.entries).map_while(|entry| {
        let place = memchr::memmem::find(before, entry.name.as_bytes())?;
        before = before.get(place + entry.name.len()..)?;
        Some(&entry.name)
    });
    let entry = headers.last().cloned().unwrap_or_default();
    Err(BundleError::Rearranged { entry, offset })
}
