//! What an update remembers for the next one, in a file beside the lists.

use crate::{Validators, replace};
use lacre::trust::LotlSigningCertificates;
use lacre_core::{algorithm::DigestAlgorithm, trust::List};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// The file. Its name begins with a full stop, so that it is not read as a list.
const FILE: &str = ".lacre-lists.json";
const SCHEMA: &str = "lacre-lists/1";

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By address: the SHA-256 of the copy in the folder, and its validators.
    lists: BTreeMap<String, (String, Validators)>,
    /// Validators of what this update fetched and has not yet accepted.
    came: BTreeMap<String, (String, Validators)>,
    /// The publications of LOTL-signing certificates that the LOTL named.
    announcements: Option<BTreeSet<String>>,
    /// The SHA-256 of each certificate that may sign the next LOTL.
    signers: Option<BTreeSet<String>>,
}

impl Known {
    /// Reads what was remembered; empty where that cannot be read, so that everything is fetched again.
    pub fn read(folder: &Path) -> Self {
        let text = std::fs::read(folder.join(FILE)).unwrap_or_default();
        let value: Value = serde_json::from_slice(&text).unwrap_or_default();
        if value["schema"] != SCHEMA {
            return Self::default();
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let set = |value: &Value| value.as_array().map(|list| list.iter().filter_map(text).collect());
        let list = |(url, value): (&String, &Value)| {
            let validators = Validators { etag: text(&value["etag"]), last_modified: text(&value["last_modified"]) };
            Some((url.clone(), (text(&value["sha256"])?, validators)))
        };
        let lists = value["lists"].as_object().into_iter().flatten().filter_map(list).collect();
        let (announcements, signers) = (set(&value["announcements"]), set(&value["signers"]));
        Self { lists, came: BTreeMap::new(), announcements, signers }
    }

    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let list = |(url, (sha256, known)): (&String, &(String, Validators))| {
            let value = json!({ "sha256": sha256, "etag": known.etag, "last_modified": known.last_modified });
            (url.clone(), value)
        };
        let lists: serde_json::Map<String, Value> = self.lists.iter().map(list).collect();
        let (announcements, signers) = (&self.announcements, &self.signers);
        let value = json!({ "schema": SCHEMA, "lists": lists, "announcements": announcements, "signers": signers });
        replace(&folder.join(FILE), format!("{value:#}\n").as_bytes())
    }

    /// Returns the validators of a copy; empty where the copy is not the one that was fetched.
    pub fn validators(&self, url: &str, copy: &[u8]) -> Validators {
        let known = self.lists.get(url).filter(|(digest, _)| *digest == sha256(copy));
        known.map(|(_, validators)| validators.clone()).unwrap_or_default()
    }

    /// Remembers the validators of fetched bytes.
    pub fn came(&mut self, url: &str, bytes: &[u8], validators: Validators) {
        self.came.insert(url.to_owned(), (sha256(bytes), validators));
    }

    /// Accepts fetched bytes as the copy.
    pub fn keep(&mut self, url: &str, bytes: &[u8]) {
        if let Some(came) = self.came.remove(url).filter(|(digest, _)| *digest == sha256(bytes)) {
            self.lists.insert(url.to_owned(), came);
        }
    }

    /// Returns what is new about the LOTL-signing certificates, and remembers it for the next time.
    pub fn compare(&mut self, list: &List, announcement: &LotlSigningCertificates) -> Vec<String> {
        let mut alerts = vec![];
        let is_announcement = |uri: &&String| uri.contains("://eur-lex.europa.eu/");
        let named: BTreeSet<String> = list.information.iter().filter(is_announcement).cloned().collect();
        let before = self.announcements.replace(named.clone());
        let unknown = |uri: &&String| match &before {
            Some(before) => !before.contains(*uri),
            None => announcement.url.as_ref().is_some_and(|known| known != *uri && !named.contains(known)),
        };
        for uri in named.iter().filter(unknown) {
            alerts.push(format!(
                "the list of lists names the announcement {uri}: compare the signers that it announces with those that you trust"
            ));
        }
        let own = list.pointers.iter().filter(|pointer| {
            pointer.territory == list.territory && pointer.list_type.as_deref() == Some(&list.list_type)
        });
        let signers: BTreeSet<String> = own.flat_map(|pointer| &pointer.signers).map(|digest| hex(digest)).collect();
        if let Some(before) = self.signers.replace(signers.clone()) {
            let said = |what, all: &mut dyn Iterator<Item = &String>| {
                all.map(|digest| format!("a signer of the list of lists {what}: SHA-256 {digest}")).collect::<Vec<_>>()
            };
            alerts.extend(said("is new", &mut signers.difference(&before)));
            alerts.extend(said("is gone", &mut before.difference(&signers)));
        }
        alerts
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&lacre_core::crypto::digest(DigestAlgorithm::Sha256, bytes).unwrap_or_default())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
