//! The latest revision, and what it says of each signature as facts: ISO 32000-1 §12.8, and what changed after it.

use super::changes::visible::{PageContents, changed_pages, is_beside_pages};
use super::changes::{Comparison, Differences, Graph, LatestForm, Role};
use super::field::SignatureField;
use super::object::Object;
use super::pages::{annotation_overlaps, page_count};
use super::permissions::{self, Permission};
use super::revision::Revision;
use super::signature::{PdfSignature, held};
use crate::facts;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// The document that the whole file is, with what its signatures have in common.
pub struct LatestRevision<'a, 'f> {
    /// The document.
    pub revision: Revision<'a, 'f>,
    annotation_overlaps: OnceCell<Vec<u32>>,
    graph: RefCell<Graph>,
    form: OnceCell<Rc<LatestForm>>,
    pages: PageContents<'a>,
}

impl<'a, 'f> LatestRevision<'a, 'f> {
    /// Begins with the document that the whole file is.
    pub fn new(revision: Revision<'a, 'f>) -> Self {
        Self {
            revision,
            annotation_overlaps: OnceCell::new(),
            graph: RefCell::default(),
            form: OnceCell::new(),
            pages: PageContents::default(),
        }
    }

    /// Returns the facts of one signature or document time-stamp. `signed` is the revision that it signs, where that can
    /// be read.
    pub fn facts(
        &self,
        signature: &PdfSignature<'a>,
        byte_range_valid: bool,
        signed: Option<&Revision<'a, 'f>>,
    ) -> facts::PdfRevision {
        let last = &self.revision;
        let mut graph = self.graph.borrow_mut();
        let form = || self.form.get_or_init(|| Rc::new(LatestForm::of(last))).clone();
        let earlier = signed.filter(|signed| signed.end() < last.end());
        let mut comparison = earlier.map(|signed| Comparison::new(signed, last, &mut graph, &form));
        let doc_mdp = permissions::doc_mdp(last, &signature.dictionary);
        facts::PdfRevision {
            fields: signature
                .fields
                .iter()
                .map(|field| facts::SignatureField { name: field.name.clone(), lock: field.lock.as_deref().cloned() })
                .collect(),
            signer_name: signature.text(last, b"Name"),
            dictionary_type: signature.kind.clone(),
            filter: signature.filter.clone(),
            sub_filter: signature.sub_filter.clone(),
            contact_info: signature.text(last, b"ContactInfo"),
            location: signature.text(last, b"Location"),
            reason: signature.text(last, b"Reason"),
            byte_range: signature.byte_range.clone(),
            byte_range_valid: Some(byte_range_valid),
            doc_mdp,
            field_mdp: permissions::field_mdp(last, &signature.dictionary),
            dictionary_consistent: match (signed, &mut comparison) {
                // Nothing to compare with, and the byte range says so already.
                (None, _) => !byte_range_valid,
                (Some(_), None) => true,
                (Some(_), Some(comparison)) => is_consistent(comparison, signature),
            },
            modifications: signed.map(|_| {
                let annotations_permitted = doc_mdp == Some(Permission::Changes);
                self.modifications(comparison.as_mut(), annotations_permitted)
            }),
        }
    }

    /// Returns what changed after a signature. Without `comparison` nothing could.
    fn modifications(
        &self,
        comparison: Option<&mut Comparison<'a, 'f, '_>>,
        annotations_permitted: bool,
    ) -> facts::Modifications {
        let last = &self.revision;
        let annotation_overlaps = self.annotation_overlaps.get_or_init(|| annotation_overlaps(last)).clone();
        let Some(comparison) = comparison else {
            let objects = Some(facts::ObjectModifications::default());
            return facts::Modifications { annotation_overlaps, objects, ..Default::default() };
        };
        let (before, after) = (page_count(comparison.signed()), page_count(last));
        let pages = (before.min(after) + 1..=before.max(after)).rev().take(PAGES);
        let mut found = comparison.documents();
        if !found.complete {
            // More differences than can be found are more than anybody permits.
            found.add_undefined("/Catalog".into(), None, None);
        }
        if is_beside_pages(&self.pages, last, &found.visible) {
            found.add_undefined("/Catalog /Pages".into(), None, None);
        }
        let Differences { objects, visible, .. } = found;
        facts::Modifications {
            annotation_overlaps,
            visual_differences: changed_pages(&self.pages, last, &visible, annotations_permitted),
            page_differences: pages.filter_map(|page| u32::try_from(page).ok()).collect(),
            objects: Some(objects),
        }
    }
}

/// Bounds the pages named in a page difference: a `/Count` may claim any number.
const PAGES: usize = 1_000;

/// The entries of a signature field that must not change: how it looks, what it does, and what it is
/// (ISO 32000-1 tables 164, 188, 220 and 232). Viewers ignore the others once there is an appearance.
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

/// Returns whether the signature dictionary and its fields are in the latest revision what they were when signed.
///
/// Otherwise a later revision could give the signature another name, reason or appearance: the spoofing attacks on PDF
/// signatures.
fn is_consistent<'a>(comparison: &mut Comparison<'a, '_, '_>, signature: &PdfSignature<'a>) -> bool {
    let is_own = |field: &SignatureField<'a>| signature.fields.iter().any(|own| own.name == field.name);
    let signed = comparison.signed();
    let of_the_name = held(signed).into_iter().filter(|before| before.fields.iter().any(is_own));
    let Some(before) = { of_the_name }.find_map(|before| PdfSignature::read(signed, before)) else { return false };
    if !before.fields.iter().all(is_own) {
        return false;
    }
    signature.fields.iter().enumerate().all(|(index, field)| {
        let old = before.fields.iter().find(|old| old.name == field.name);
        old.is_some_and(|old| is_field_consistent(comparison, old, field, index == 0))
    })
}

fn is_field_consistent<'a>(
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
        let values = [before, after].map(|object| object.unwrap_or(&Object::Null));
        before.or(after).is_none() || comparison.entry(key, role, values[0], values[1]).is_permitted()
    })
}
