//! What a PDF says around a signature (ISO 32000-1 §12.8), and what changed after it.

use super::*;

string_enum! {
    /// Which form fields a lock concerns (ISO 32000-1 table 233).
    pub enum LockAction {
        All = "ALL",
        Include = "INCLUDE",
        Exclude = "EXCLUDE",
    }
}

string_enum! {
    /// What a certification signature permits (ISO 32000-1 table 254, `P`).
    pub enum Permission {
        NoChange = "NO_CHANGE_PERMITTED",
        MinimalChanges = "MINIMAL_CHANGES_PERMITTED",
        Changes = "CHANGES_PERMITTED",
    }
}

/// A signature field lock or `FieldMDP` transform parameters (ISO 32000-1 tables 233 and 256).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Which fields are locked.
    pub action: LockAction,
    /// The names of the fields that are included or excluded.
    #[serde(default)]
    pub fields: Vec<String>,
    /// `/P` of the lock (ISO 32000-2 table 236): what is permitted after signing.
    #[serde(default)]
    pub permissions: Option<Permission>,
}

/// A signature field (ISO 32000-1 §12.7.4.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignatureField {
    /// Its fully qualified name.
    pub name: String,
    /// `/Lock`: the fields that signing it locks.
    pub lock: Option<Lock>,
}

/// A signature dictionary (ISO 32000-1 table 252) and the revision that it covers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PdfRevision {
    /// The fields whose value is the signature dictionary.
    pub fields: Vec<SignatureField>,
    /// `/Name`.
    pub signer_name: Option<String>,
    /// `/Type`.
    pub dictionary_type: Option<String>,
    /// `/Filter`.
    pub filter: Option<String>,
    /// `/SubFilter`.
    pub sub_filter: Option<String>,
    /// `/ContactInfo`.
    pub contact_info: Option<String>,
    /// `/Location`.
    pub location: Option<String>,
    /// `/Reason`.
    pub reason: Option<String>,
    /// `/ByteRange`: pairs of offset and length, in bytes.
    pub byte_range: Vec<i64>,
    /// Whether `/ByteRange` covers the whole revision except `/Contents`.
    pub byte_range_valid: Option<bool>,
    /// `DocMDP`: what a certification signature permits (§12.8.2.2).
    pub doc_mdp: Option<Permission>,
    /// `FieldMDP`: the fields that the signature locks (§12.8.2.4).
    pub field_mdp: Option<Lock>,
    /// Whether the dictionary is the same in its revision and in the final one.
    pub dictionary_consistent: bool,
    /// The differences between its revision and the final one; `None` when they were not compared.
    pub modifications: Option<Modifications>,
}

/// Differences between a signed revision and the final one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Modifications {
    /// Numbers of pages, from 1, on which annotations overlap.
    pub annotation_overlaps: Vec<u32>,
    /// Numbers of pages, from 1, that look different.
    pub visual_differences: Vec<u32>,
    /// Numbers of pages, from 1, that were added or removed.
    pub page_differences: Vec<u32>,
    /// The objects that differ; `None` when objects were not compared.
    pub objects: Option<ObjectModifications>,
}

/// Changed objects by category, in the categories of EU DSS.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectModifications {
    /// Objects of extensions such as the DSS dictionary and document time-stamps.
    pub extension: Vec<ObjectModification>,
    /// Objects of new signatures and of form fields that were filled in.
    pub signature_or_form_fill: Vec<ObjectModification>,
    /// Objects of annotations that were added, changed or removed.
    pub annotation: Vec<ObjectModification>,
    /// Objects whose change belongs to no category.
    pub undefined: Vec<ObjectModification>,
}

string_enum! {
    /// What happened to an object.
    pub enum ModificationAction {
        Creation = "CREATION",
        Deletion = "DELETION",
        Modification = "MODIFICATION",
    }
}

/// One changed object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectModification {
    /// Whether the object was added, removed or changed.
    pub action: ModificationAction,
    /// The path to it from the catalog.
    pub path: String,
    /// The name of the form field concerned.
    #[serde(default)]
    pub field_name: Option<String>,
    /// The object's `/Type`.
    #[serde(default)]
    pub kind: Option<String>,
}
