//! What a PDF says around a signature, as facts: ISO 32000-1 §12.8, and what changed after it.

use super::classify::classify;
use super::compare::{compare, compare_entry};
use super::field::SignatureField;
use super::file::{File, Revision};
use super::object::{Dictionary, Object};
use super::permissions;
use super::signature::{PdfSignature, signatures};
use crate::facts;

/// The final file with what is the same for each of its signatures.
pub struct Final<'a, 'f> {
    /// The final file.
    pub revision: Revision<'a, 'f>,
    overlaps: std::cell::OnceCell<Vec<u32>>,
}

impl<'a, 'f> Final<'a, 'f> {
    /// Of the document that the whole file is.
    pub fn new(revision: Revision<'a, 'f>) -> Self {
        Self { revision, overlaps: std::cell::OnceCell::new() }
    }

    /// The facts of one signature or document time-stamp, with the revision that it signs, where that can be read.
    pub fn facts(&self, signature: &PdfSignature<'a>, signed: Option<&Revision<'a, 'f>>) -> facts::PdfRevision {
        let file = self.revision.file();
        let last = &self.revision;
        let name = |value: &Option<String>| value.clone();
        let byte_range_valid = signature.covered(file.data()).is_some();
        facts::PdfRevision {
            fields: signature
                .fields
                .iter()
                .map(|field| facts::SignatureField { name: field.name.clone(), lock: field.lock.clone() })
                .collect(),
            signer_name: signature.text(last, b"Name"),
            dictionary_type: name(&signature.kind),
            filter: name(&signature.filter),
            sub_filter: name(&signature.sub_filter),
            contact_info: signature.text(last, b"ContactInfo"),
            location: signature.text(last, b"Location"),
            reason: signature.text(last, b"Reason"),
            byte_range: signature.byte_range.clone(),
            byte_range_valid: Some(byte_range_valid),
            doc_mdp: permissions::doc_mdp(last, &signature.dictionary),
            field_mdp: permissions::field_mdp(last, &signature.dictionary),
            // Without a revision there is nothing to compare with, and the byte range says so already.
            dictionary_consistent: signed.map_or(!byte_range_valid, |signed| consistent(signed, last, signature)),
            modifications: signed.map(|signed| self.modifications(file, signed)),
        }
    }

    fn modifications(&self, file: &File<'a>, signed: &Revision<'a, 'f>) -> facts::Modifications {
        let last = &self.revision;
        let annotation_overlaps = self.overlaps.get_or_init(|| super::pages::annotation_overlaps(last)).clone();
        // Nothing after the signed revision: nothing to compare.
        if signed.end() == file.data().len() {
            let objects = Some(facts::ObjectModifications::default());
            return facts::Modifications { annotation_overlaps, objects, ..Default::default() };
        }
        let (before, after) = (super::pages::page_count(signed), super::pages::page_count(last));
        let pages = (before.min(after) + 1..=before.max(after)).rev().take(PAGES);
        let differences = compare(signed, last);
        let mut objects = classify(signed, last, &differences.changes);
        if !differences.complete {
            // More than can be told apart is more than anybody permits.
            objects.undefined.push(facts::ObjectModification {
                action: facts::ModificationAction::Modification,
                path: "/Catalog".into(),
                field_name: None,
                kind: None,
            });
        }
        facts::Modifications {
            annotation_overlaps,
            visual_differences: Vec::new(),
            page_differences: pages.filter_map(|page| u32::try_from(page).ok()).collect(),
            objects: Some(objects),
        }
    }
}

/// Pages named in a page difference: a count may claim any number.
const PAGES: usize = 1_000;

/// What of a signature field must not change: how it looks, what it does, and what it is
/// (ISO 32000-1 tables 164, 188, 220 and 232). The rest a viewer ignores once there is an appearance.
const GUARDED: [&[u8]; 20] = [
    b"Subtype",
    b"Rect",
    b"Contents",
    b"P",
    b"F",
    b"AP",
    b"AS",
    b"OC",
    b"AF",
    b"MK",
    b"A",
    b"AA",
    b"FT",
    b"T",
    b"TU",
    b"TM",
    b"V",
    b"Parent",
    b"Lock",
    b"SV",
];

/// Whether the signature dictionary and its fields are in the final file what they were when signed.
///
/// Without this, a later revision could give the signature another name, reason or appearance:
/// the spoofing attacks on PDF signatures.
fn consistent<'a>(signed: &Revision<'a, '_>, last: &Revision<'a, '_>, signature: &PdfSignature<'a>) -> bool {
    // Nothing after the signed revision.
    if signed.end() == last.end() {
        return true;
    }
    let names = |signature: &PdfSignature<'a>| signature.fields.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let known = names(signature);
    let before = signatures(signed).into_iter().find(|before| names(before).iter().any(|name| known.contains(name)));
    let Some(before) = before else { return false };
    if before.fields.iter().any(|field| !known.contains(&field.name)) {
        return false;
    }
    signature.fields.iter().enumerate().all(|(place, field)| {
        let old = before.fields.iter().find(|old| old.name == field.name);
        old.is_some_and(|old| field_consistent(signed, last, old, field, place == 0))
    })
}

fn field_consistent<'a>(
    signed: &Revision<'a, '_>,
    last: &Revision<'a, '_>,
    old: &SignatureField<'a>,
    new: &SignatureField<'a>,
    with_value: bool,
) -> bool {
    GUARDED.iter().all(|&key| {
        let (before, after) = (old.dictionary.get(key), new.dictionary.get(key));
        match key {
            b"V" if !with_value => true,
            // Parents and pages change for other reasons; it must only be the same one.
            b"Parent" | b"P" => before.and_then(Object::reference) == after.and_then(Object::reference),
            _ => entry_consistent(signed, last, &old.dictionary, &new.dictionary, key),
        }
    })
}

fn entry_consistent<'a>(
    signed: &Revision<'a, '_>,
    last: &Revision<'a, '_>,
    old: &Dictionary<'a>,
    new: &Dictionary<'a>,
    key: &[u8],
) -> bool {
    let value = |revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>| {
        Some(revision.lookup(dictionary, key)).filter(|object| *object != Object::Null)
    };
    let differences = compare_entry(signed, last, &[b"Field", key], value(signed, old), value(last, new));
    let mut changes = differences.changes;
    // ISO 32000-1 table 253: `/Data` of a reference is the document, which is compared for itself.
    changes.retain(|change| {
        let through = |key: &[u8]| change.keys.iter().any(|on_way| **on_way == *key);
        !(through(b"Reference") && through(b"Data"))
    });
    differences.complete && classify(signed, last, &changes).undefined.is_empty()
}
