//! What of several wants is asked for, and what was asked for before.

use super::material::Material;
use super::want::EvidenceWant;
use crate::facts::Id;
use crate::report::WantedKind;
use std::collections::{BTreeSet, HashSet};

/// Why an answer that came was as good as none.
const OF_NO_USE: &str = "what it answers is not accepted, or not recent enough";

/// The evidence that was asked for in the course of an extension.
#[derive(Debug, Clone, Default)]
pub struct Asked(HashSet<(WantedKind, Id)>);

impl Asked {
    /// Returns what to ask for now: for each certificate its issuer, else an OCSP response, else a CRL.
    ///
    /// What was asked for before and is wanted again was of no use: that is noted in the material.
    pub fn next(&mut self, mut wants: Vec<EvidenceWant>, material: &mut Material) -> Vec<EvidenceWant> {
        // A responder is asked about a certificate of a known issuer; the list only where it knew nothing.
        wants.sort_by_key(|want| match want.wanted.kind {
            WantedKind::Issuer => 0,
            WantedKind::Ocsp => 1,
            _ => 2,
        });
        let (mut now, mut about) = (vec![], BTreeSet::new());
        for want in wants {
            let key = (want.wanted.kind, want.wanted.about.clone());
            if self.0.contains(&key) {
                material.in_vain(&want, OF_NO_USE);
            } else if about.insert(key.1.clone()) {
                self.0.insert(key);
                now.push(want);
            }
        }
        now
    }
}
