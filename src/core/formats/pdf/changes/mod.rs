//! What changed after a signature: the signed revision compared with the latest one, object by object.
//!
//! A signature in a PDF covers the file as it was when signed. Later revisions are appended (ISO 32000-1 §7.5.6) and may
//! replace any object. EN 319 142-1 leaves it to the validator to find out what they replaced, and whether the signer
//! permitted it (ISO 32000-1 table 254).
//!
//! # Method
//!
//! 1. **Pairs.** Both documents are [walked](walk) together from their catalogs. What stands at the same place in both is
//!    a [pair](pairs) of objects: the values of the same key of two dictionaries, the elements at the same index of two
//!    arrays. Fields and annotations are sets: their members are paired by object number.
//! 2. **Roles.** Each pair has a [role](role::Role): what the object is to the document, by the way that leads to it.
//!    The name of a key alone says nothing. `/V` is a value below `/AcroForm /Fields`, and content below a page.
//! 3. **Classes.** A difference has a [class](role::Class) by the role in which it was met: an *extension* (validation
//!    data, metadata), a *fill* (a signature or the value of a field), an *annotation*, or *undefined*, which no signer
//!    permits. Whatever no row of [`role`] names is content, and any change of content is undefined.
//!
//! ```text
//! catalog ─ Pages ─ Kids ─┬─ Contents, Resources, MediaBox …   content      any change is undefined
//!    │                    └─ Annots ─ annotation               by what it is: a field that is filled, a comment, …
//!    ├ AcroForm ─ Fields ─ field ─┬─ V, AP                     fill, where the value is another one
//!    │                            └─ Rect, FT, A, AA …         undefined
//!    ├ DSS, Extensions, Metadata                               extension
//!    └ Names, AF, OCProperties, OpenAction …                   undefined
//! ```
//!
//! # Example
//!
//! A form is signed, and then the text field 5 is filled in. The second revision replaces objects 5 and 7.
//!
//! ```text
//!              signed revision                    latest revision
//! 1 catalog    /Pages 2 R /AcroForm 4 R           (same bytes of the file)
//! 2 pages      /Kids [3 R]                        (same)
//! 3 page       /Contents 6 R /Annots [5 R]        (same)
//! 4 form       /Fields [5 R]                      (same)
//! 5 field      /FT /Tx /T (name) /AP <</N 7 R>>   /FT /Tx /T (name) /AP <</N 7 R>> /V (Ada)
//! 6 content    BT … ET                            (same)
//! 7 picture    BT () Tj ET                        BT (Ada) Tj ET
//!
//! walk    1 → 2 → 3 → 5 in role Annotations: a field with another value, so Filling
//!                       /V   created, in role Within(Fill)                         → fill
//!                       /AP → /N → 7: other bytes, in role Within(Fill)            → fill
//!         1 → 4 → 5 in role Fields: the same field, and the same two differences
//!         6 is not entered: nothing that it reaches changed
//! ```
//!
//! Had page 3 drawn object 7 as well, the walk would have met 7 in the role of content, and the change would be
//! undefined. An object is compared once in *each* role in which it is reached.
//!
//! # What is left out, and why that is safe
//!
//! * Two objects at the same location of the file are the same. Of these only the references count, which the [graph]
//!   remembers for all comparisons of a file; and a pair is entered only if something that it [reaches](reach) changed.
//! * What refers back to a page, field or annotation (`/P`, `/Parent`, outlines, the structure tree) does not enter it,
//!   because it is compared at its own place, where what no annotation has counts as the document's. What draws a page
//!   enters whatever it refers to.
//! * What only one revision has is created or deleted, with everything in it; none of that counts as compared.
//! * The walk keeps its own stack, so that no document is too deep for it. It spends steps of the [file's
//!   limits](super::limits); what is left when they are spent counts as changed.
//!
//! What a reader sees of the changes is for [`visible`]: pages that look different.

mod annotation_pages;
mod annotations;
mod classify;
mod comparison;
mod form;
mod graph;
mod keys;
mod output_intents;
mod pairs;
mod reach;
mod record;
mod role;
#[cfg(test)]
mod tests;
mod value;
mod variable_text;
pub(super) mod visible;
mod walk;

pub(super) use comparison::Comparison;
pub(super) use form::LatestForm;
pub(super) use graph::Graph;
pub(super) use role::Role;

use super::rectangle::Rectangle;
use crate::facts::{ModificationAction as Action, ObjectModification, ObjectModifications};

/// The differences between two revisions.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// Each difference, by its class.
    pub objects: ObjectModifications,
    /// The differences of a class that signers may permit which are seen on a page.
    pub visible: Vec<VisibleChange>,
    /// Whether everything was compared.
    pub complete: bool,
}

impl Differences {
    /// Returns whether everything was compared, and no difference is undefined.
    pub fn is_permitted(&self) -> bool {
        self.complete && self.objects.undefined.is_empty()
    }

    /// Adds a modification that no signer permits.
    pub fn add_undefined(&mut self, path: String, field_name: Option<String>, kind: Option<String>) {
        self.objects.undefined.push(ObjectModification { action: Action::Modification, path, field_name, kind });
    }

    /// Adds that a field shows something else.
    pub fn add_fill(&mut self, path: String, field_name: Option<String>) {
        let change = ObjectModification { action: Action::Modification, path, field_name, kind: None };
        self.objects.signature_or_form_fill.push(change);
    }
}

/// An annotation that looks different, or is new.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct VisibleChange {
    /// The object number of the page on which it was met.
    pub page: u32,
    /// The object number of the annotation, if it is an object of its own.
    pub annotation: Option<u32>,
    /// Where the annotation is; `None` where that may be anywhere.
    pub area: Option<Rectangle>,
    /// What happened to it.
    pub kind: VisibleChangeKind,
}

/// What happened to an annotation that is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VisibleChangeKind {
    /// It was deleted or modified.
    Changed,
    /// It was added, and is a sign of itself, such as a signature.
    Added,
    /// It was added, and next to words can be read as one of their letters: a link, a note with a look of its own.
    Annotated,
    /// It was added, and adds words or drawings to the page.
    Drawn,
    /// It is a field that was there and was filled or signed.
    Filled,
}
