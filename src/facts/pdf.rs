//! What a PDF says around a signature (ISO 32000-1 §12.8), and what changed after it.

use super::*;

words! {
    /// Which form fields a lock concerns (ISO 32000-1 table 233).
    pub enum LockAction {
        All = "ALL",
        Include = "INCLUDE",
        Exclude = "EXCLUDE",
    }
}

words! {
    /// What a certification signature permits (ISO 32000-1 table 254, `P`).
    pub enum Permission {
        NoChange = "NO_CHANGE_PERMITTED",
        MinimalChanges = "MINIMAL_CHANGES_PERMITTED",
        Changes = "CHANGES_PERMITTED",
    }
}

/// A `/Lock` or `FieldMDP` dictionary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    pub action: LockAction,
    #[serde(default)]
    pub fields: Vec<String>,
    #[serde(default)]
    pub permissions: Option<Permission>,
}

/// A signature field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignatureField {
    pub name: String,
    pub lock: Option<Lock>,
}

/// A signature's or document time-stamp's place in the PDF.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PdfRevision {
    /// The fields whose value is the signature dictionary.
    pub fields: Vec<SignatureField>,
    pub signer_name: Option<String>,
    pub dictionary_type: Option<String>,
    pub filter: Option<String>,
    pub sub_filter: Option<String>,
    pub contact_info: Option<String>,
    pub location: Option<String>,
    pub reason: Option<String>,
    pub byte_range: Vec<i64>,
    /// Whether `/ByteRange` covers its revision but for `/Contents`.
    pub byte_range_valid: Option<bool>,
    pub doc_mdp: Option<Permission>,
    pub field_mdp: Option<Lock>,
    /// Whether the dictionary is the same in its revision and in the final file.
    pub dictionary_consistent: bool,
    /// What differs between its revision and the final file; `None` when not compared.
    pub modifications: Option<Modifications>,
}

/// Differences between a signed revision and the final file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Modifications {
    /// Pages on which annotations overlap.
    pub annotation_overlaps: Vec<u32>,
    /// Pages that look different.
    pub visual_differences: Vec<u32>,
    /// Pages added or removed.
    pub page_differences: Vec<u32>,
    /// Objects that differ; `None` when objects were not compared.
    pub objects: Option<ObjectModifications>,
}

/// Changed objects by category (spec §15).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectModifications {
    pub extension: Vec<ObjectModification>,
    pub signature_or_form_fill: Vec<ObjectModification>,
    pub annotation: Vec<ObjectModification>,
    pub undefined: Vec<ObjectModification>,
}

words! {
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
    pub action: ModificationAction,
    /// The way from the catalog.
    pub path: String,
    /// The form field concerned.
    #[serde(default)]
    pub field_name: Option<String>,
    /// The object's `/Type`.
    #[serde(default)]
    pub kind: Option<String>,
}
