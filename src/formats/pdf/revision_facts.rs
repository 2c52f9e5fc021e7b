//! What a PDF says around a signature, as facts: ISO 32000-1 §12.8, and what changed after it.

use super::compare::{Comparison, Differences};
use super::field::SignatureField;
use super::graph::Graph;
use super::holding::HeldForm;
use super::object::Object;
use super::permissions::{self, Permission};
use super::revision::Revision;
use super::role::Role;
use super::signature::{PdfSignature, held};
use super::visible;
use crate::facts;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// The final file with what is the same for each of its signatures.
pub struct Final<'a, 'f> {
    /// The final file.
    pub revision: Revision<'a, 'f>,
    overlaps: OnceCell<Vec<u32>>,
    graph: RefCell<Graph>,
    form: OnceCell<Rc<HeldForm>>,
    pages: visible::Pages<'a>,
}

impl<'a, 'f> Final<'a, 'f> {
    /// Of the document that the whole file is.
    pub fn new(revision: Revision<'a, 'f>) -> Self {
        Self {
            revision,
            overlaps: OnceCell::new(),
            graph: RefCell::default(),
            form: OnceCell::new(),
            pages: visible::Pages::default(),
        }
    }

    /// The facts of one signature or document time-stamp, with the revision that it signs, where that can be read.
    pub fn facts(
        &self,
        signature: &PdfSignature<'a>,
        byte_range_valid: bool,
        signed: Option<&Revision<'a, 'f>>,
    ) -> facts::PdfRevision {
        let last = &self.revision;
        let mut graph = self.graph.borrow_mut();
        let changed = signed.filter(|signed| signed.end() < last.end());
        let form = || self.form.get_or_init(|| Rc::new(HeldForm::of(last))).clone();
        let mut comparison = changed.map(|signed| Comparison::new(signed, last, &mut graph, &form));
        let name = |value: &Option<String>| value.clone();
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
            dictionary_consistent: match (signed, &mut comparison) {
                // Nothing to compare with, and the byte range says so already.
                (None, _) => !byte_range_valid,
                (Some(_), None) => true,
                (Some(_), Some(comparison)) => consistent(comparison, signature),
            },
            modifications: signed.map(|_| {
                let permitted = permissions::doc_mdp(last, &signature.dictionary) == Some(Permission::Changes);
                self.modifications(comparison.as_mut(), permitted)
            }),
        }
    }

    /// What changed after a signature, where something could; whether its signer `permitted` annotations.
    fn modifications(&self, comparison: Option<&mut Comparison<'a, 'f, '_>>, permitted: bool) -> facts::Modifications {
        let last = &self.revision;
        let annotation_overlaps = self.overlaps.get_or_init(|| super::pages::annotation_overlaps(last)).clone();
        let Some(comparison) = comparison else {
            let objects = Some(facts::ObjectModifications::default());
            return facts::Modifications { annotation_overlaps, objects, ..Default::default() };
        };
        let signed = comparison.signed();
        let (before, after) = (super::pages::page_count(signed), super::pages::page_count(last));
        let pages = (before.min(after) + 1..=before.max(after)).rev().take(PAGES);
        let Differences { mut objects, looks, complete } = comparison.documents();
        if !complete {
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
            visual_differences: visible::changed_pages(&self.pages, last, &looks, permitted),
            page_differences: pages.filter_map(|page| u32::try_from(page).ok()).collect(),
            objects: Some(objects),
        }
    }
}

/// Pages named in a page difference: a count may claim any number.
const PAGES: usize = 1_000;

/// What of a signature field must not change: how it looks, what it does, and what it is
/// (ISO 32000-1 tables 164, 188, 220 and 232). The rest a viewer ignores once there is an appearance.
const GUARDED: [&[u8]; 19] = [
    b"Subtype",
    b"Rect",
    b"Contents",
    b"P",
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
fn consistent<'a>(comparison: &mut Comparison<'a, '_, '_>, signature: &PdfSignature<'a>) -> bool {
    let known = |field: &SignatureField<'a>| signature.fields.iter().any(|known| known.name == field.name);
    let signed = comparison.signed();
    let of_the_name = held(signed).into_iter().filter(|before| before.fields.iter().any(known));
    let Some(before) = { of_the_name }.find_map(|before| PdfSignature::read(signed, before)) else { return false };
    if !before.fields.iter().all(known) {
        return false;
    }
    signature.fields.iter().enumerate().all(|(place, field)| {
        let old = before.fields.iter().find(|old| old.name == field.name);
        old.is_some_and(|old| field_consistent(comparison, old, field, place == 0))
    })
}

fn field_consistent<'a>(
    comparison: &mut Comparison<'a, '_, '_>,
    old: &SignatureField<'a>,
    new: &SignatureField<'a>,
    with_value: bool,
) -> bool {
    GUARDED.iter().all(|&key| {
        let (before, after) = (old.dictionary.get(key), new.dictionary.get(key));
        let role = match key {
            b"V" if !with_value => return true,
            // Parents and pages change for other reasons; it must only be the same one.
            b"Parent" | b"P" => return before.and_then(Object::reference) == after.and_then(Object::reference),
            // What the page shows instead is compared with the page.
            b"AP" if after.is_none() => return true,
            b"V" => Role::Signature,
            b"AP" => Role::OwnAppearance,
            b"A" | b"AA" => Role::Document,
            _ => Role::CONTENT,
        };
        before.or(after).is_none() || entry_consistent(comparison, key, role, before, after)
    })
}

fn entry_consistent<'a>(
    comparison: &mut Comparison<'a, '_, '_>,
    key: &[u8],
    role: Role,
    before: Option<&Object<'a>>,
    after: Option<&Object<'a>>,
) -> bool {
    let [before, after] = [before, after].map(|object| object.unwrap_or(&Object::Null));
    let differences = comparison.entry(key, role, before, after);
    differences.complete && differences.objects.undefined.is_empty()
}
