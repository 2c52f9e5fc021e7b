//! Roles: what an object is to the document, by the way that leads to it from the catalog; and the class that a change of
//! it has.
//!
//! The role of an entry follows from the role of its dictionary and its key. Whatever no row below names is content, and
//! any change of content is undefined. No key has a meaning at a place where the standard gives it none.

/// The classes of change that a policy tells apart: ISO 32000-1 table 254, EN 319 142-1 §5.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::formats::pdf) enum Class {
    /// Validation data, and metadata that says nothing about the document.
    Extension,
    /// A signature, or the value of another field.
    Fill,
    /// An annotation.
    Annotation,
    /// Anything else, which no signer permits.
    Undefined,
}

/// The role of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::formats::pdf) enum Role {
    /// ISO 32000-1 table 28.
    Catalog,
    /// A node of the page tree or a page: tables 29 and 30.
    Pages,
    /// What a page or node names as its parent: only what is inherited from there counts (§7.7.3.4).
    Ancestor,
    /// The annotations of a page, and each of them until it is entered (§12.5).
    Annotations,
    /// The interactive form: table 218.
    Form,
    /// The fields of the form, their children, and each of these until it is entered (table 220).
    Fields,
    /// A field without signature that gets one.
    Signing,
    /// A field without value that gets a document time-stamp (EN 319 142-1 §5.4.3).
    Timestamping,
    /// A field that gets another value.
    Filling,
    /// A field whose value stays.
    Field,
    /// A comment: what table 169 calls a markup annotation, links and pop-ups.
    Markup,
    /// An annotation that is neither.
    OtherAnnotation,
    /// The flags of a field's widget (table 165); whether it is being signed.
    Flags(bool),
    /// The flags of a field (table 221).
    FieldFlags,
    /// What certification and usage rights permit (table 258).
    Permissions,
    /// Resources of the form (table 218, `DR`), and a category of them.
    FormResources,
    FormCategory,
    /// What may be there first where it was not, but not become another: its class then.
    Once(Class),
    /// A name or a number, such as the state of an appearance, of that class. Another object there has another job.
    NameOrNumber(Class),
    /// A rectangle that some writers round with all other numbers: that is of this class, any other change is of content.
    Rounded(Class),
    /// The rectangle of a field that gets a signature of that class: where nothing is shown in it, it may become a point.
    SignatureRectangle(Class),
    /// The output intents, which may come where there were none, and say what viewers do without them.
    OutputIntents,
    /// `/Version` of the catalog, which may only rise.
    Version,
    /// Whether viewers make appearances anew: that may end.
    NeedAppearances,
    /// The structure tree, and the lists in it that grow (§14.7).
    Structure,
    StructureList,
    /// The way back to a page, field or annotation, which is compared at its own place.
    Back,
    /// The signature dictionary of the signature itself (table 252), and its references (table 253).
    Signature,
    SignatureReference,
    /// The appearance of the signature's own field, and its normal one, of which what is drawn is not checked with the
    /// dictionary but with the page.
    OwnAppearance,
    OwnNormalAppearance,
    /// The trees of names and numbers, and their nodes (§7.9.6, §7.9.7). A node may be a field, too, which gets new kids.
    Tree,
    /// What refers to pages, fields and annotations: outlines, destinations, actions, names.
    Document,
    /// All that is below is of one class.
    Within(Class),
    /// Not compared.
    Outside,
}

use Class::{Annotation, Extension, Fill, Undefined};

impl Role {
    /// What is shown and extracted.
    pub const CONTENT: Self = Self::Within(Undefined);

    /// Returns the role of the entry `key` of an object in this role; `None` where that depends on more than the key.
    pub fn entry(self, key: &[u8]) -> Option<Self> {
        Some(match self {
            Self::Catalog => catalog(key),
            Self::Pages => pages(key),
            Self::Ancestor => match key {
                b"Resources" | b"MediaBox" | b"CropBox" | b"Rotate" => Self::CONTENT,
                b"Parent" => Self::Ancestor,
                _ => Self::Outside,
            },
            Self::Form => form(key),
            Self::Annotations | Self::Fields => return None,
            Self::Signing => signing(key, Fill),
            Self::Timestamping => signing(key, Extension),
            Self::Filling => filling(key),
            Self::Field => field(key),
            Self::Markup => markup(key),
            Self::OtherAnnotation => match key {
                b"P" | b"Parent" | b"Popup" => Self::Back,
                b"StructParent" => Self::Once(Extension),
                _ => Self::Document,
            },
            // Appearances are made of the form's fonts; nothing draws its other resources (§12.7.3.3).
            Self::FormResources if key == b"XObject" => Self::Within(Fill),
            Self::FormResources => Self::FormCategory,
            Self::Permissions => Self::Document,
            Self::Tree if !matches!(key, b"Names" | b"Nums") => self,
            Self::Tree => Self::Document,
            Self::Structure => match key {
                b"K" | b"ParentTree" | b"IDTree" => Self::StructureList,
                b"ParentTreeNextKey" => Self::Within(Extension),
                _ => Self::Document,
            },
            Self::StructureList => match key {
                b"K" | b"Kids" | b"Nums" | b"Names" => Self::StructureList,
                b"P" | b"Pg" | b"Obj" | b"Stm" => Self::Back,
                b"Limits" => Self::Within(Extension),
                _ => Self::Document,
            },
            Self::Signature if key == b"Reference" => Self::SignatureReference,
            // The document, which is compared for itself.
            Self::SignatureReference if key == b"Data" => Self::Outside,
            Self::Signature | Self::SignatureReference => Self::CONTENT,
            Self::OwnAppearance => match key {
                b"N" => Self::OwnNormalAppearance,
                _ => Self::CONTENT,
            },
            Self::OwnNormalAppearance if key == b"Length" => Self::Within(Annotation),
            Self::OwnNormalAppearance => self,
            Self::Document | Self::Within(_) | Self::Outside => self,
            Self::OutputIntents => Self::Document,
            Self::FormCategory => Self::Once(Fill),
            Self::Flags(_)
            | Self::FieldFlags
            | Self::NameOrNumber(_)
            | Self::Once(_)
            | Self::Rounded(_)
            | Self::SignatureRectangle(_)
            | Self::Version
            | Self::NeedAppearances
            | Self::Back => Self::CONTENT,
        })
    }

    /// Returns the class of an object that only the latest revision has.
    pub fn created(self) -> Class {
        match self {
            Self::Within(class) | Self::Once(class) => class,
            Self::Version | Self::StructureList | Self::Structure => Extension,
            Self::FormResources | Self::FormCategory | Self::Permissions => Fill,
            // To which page a widget says that it belongs; where it is, the page says.
            Self::Back => Fill,
            _ => Undefined,
        }
    }

    /// Returns the class of an object that changed or is gone.
    pub fn changed(self) -> Class {
        match self {
            Self::Within(class) => class,
            _ => Undefined,
        }
    }

    /// Returns the role in which an object is another one to other readers: whatever it is to them, a change is of this class.
    pub fn of_other_readers(self) -> Self {
        match self {
            Self::Within(_) | Self::Outside => self,
            _ => Self::CONTENT,
        }
    }

    /// Returns the bits of the roles of objects that are compared at their own place of the document, so that other ways
    /// lead back to them.
    pub fn places() -> u64 {
        [Self::Catalog, Self::Pages, Self::Form, Self::Annotations, Self::Fields, Self::StructureList]
            .iter()
            .fold(0, |places, role| places | role.bit())
    }

    /// Returns whether everything below an object in this role has this role, too.
    pub fn is_uniform(self) -> bool {
        matches!(self, Self::Document | Self::Within(_) | Self::Outside)
    }

    /// Returns whether an object in this role does not enter objects that have a place of their own. What draws a page never
    /// refers to pages or fields, and enters whatever it refers to.
    pub fn leads_back(self) -> bool {
        match self {
            Self::Document | Self::Back | Self::Structure | Self::StructureList => true,
            Self::Within(class) => class != Undefined,
            _ => false,
        }
    }

    /// Returns whether an array in this role is a set, whose members are paired by object number.
    pub fn is_set(self) -> bool {
        matches!(self, Self::Annotations | Self::Fields)
    }

    /// Returns whether an object in this role is a field or an annotation that was entered.
    pub fn is_member(self) -> bool {
        use Role::{Field, Filling, Markup, OtherAnnotation, Signing, Timestamping};
        matches!(self, Field | Filling | Markup | OtherAnnotation | Signing | Timestamping)
    }

    /// Returns the bit of this role in a set of roles.
    pub fn bit(self) -> u64 {
        let class = |class: Class| class as u32;
        1 << match self {
            Self::Catalog => 0,
            Self::Pages => 1,
            Self::Ancestor => 2,
            Self::Annotations => 3,
            Self::Form => 4,
            Self::Fields => 5,
            Self::Signing => 6,
            Self::Timestamping => 7,
            Self::Filling => 8,
            Self::Field => 9,
            Self::Markup => 10,
            Self::OtherAnnotation => 11,
            Self::Flags(signing) => 12 + u32::from(signing),
            Self::FormResources => 14,
            Self::FormCategory => 15,
            Self::Version => 16,
            Self::NeedAppearances => 17,
            Self::Structure => 18,
            Self::StructureList => 19,
            Self::Back => 20,
            Self::Signature => 21,
            Self::SignatureReference => 22,
            Self::OwnAppearance => 23,
            Self::OwnNormalAppearance => 34,
            Self::FieldFlags => 35,
            Self::Permissions => 36,
            Self::Tree => 41,
            Self::NameOrNumber(of) => 37 + class(of),
            Self::Rounded(of) => 42 + class(of),
            Self::SignatureRectangle(of) => 46 + class(of),
            Self::OutputIntents => 50,
            Self::Document => 24,
            Self::Outside => 25,
            Self::Once(of) => 26 + class(of),
            Self::Within(of) => 30 + class(of),
        }
    }
}

/// Returns the role of an entry of the catalog (ISO 32000-1 table 28, ISO 32000-2 table 29).
fn catalog(key: &[u8]) -> Role {
    match key {
        b"Pages" => Role::Pages,
        b"AcroForm" => Role::Form,
        b"DSS" | b"Extensions" | b"Metadata" => Role::Within(Extension),
        b"Version" => Role::Version,
        b"StructTreeRoot" => Role::Structure,
        b"Perms" => Role::Permissions,
        b"OutputIntents" => Role::OutputIntents,
        b"Names" | b"PageLabels" => Role::Tree,
        // What applications keep for themselves (§14.5); no viewer shows it.
        b"PieceInfo" => Role::Within(Fill),
        _ => Role::Document,
    }
}

/// Returns the role of an entry of the page tree or a page (ISO 32000-1 tables 29 and 30).
fn pages(key: &[u8]) -> Role {
    match key {
        b"Kids" => Role::Pages,
        b"Parent" => Role::Ancestor,
        b"Annots" => Role::Annotations,
        b"MediaBox" | b"CropBox" | b"BleedBox" | b"TrimBox" | b"ArtBox" => Role::Rounded(Annotation),
        b"Metadata" | b"LastModified" => Role::Within(Extension),
        b"PieceInfo" => Role::Within(Fill),
        // Which words of the structure are those of the page (§14.7.4.4).
        b"AA" | b"B" | b"Dests" | b"StructParents" => Role::Document,
        // The order in which fields are reached by the tabulator; PDF/UA asks for it where there are annotations.
        b"Tabs" => Role::Once(Extension),
        _ => Role::CONTENT,
    }
}

/// Returns the role of an entry of the interactive form (ISO 32000-1 table 218).
fn form(key: &[u8]) -> Role {
    match key {
        b"Fields" => Role::Fields,
        b"SigFlags" => Role::Within(Fill),
        b"DR" => Role::FormResources,
        b"DA" => Role::Once(Fill),
        b"NeedAppearances" => Role::NeedAppearances,
        _ => Role::Document,
    }
}

/// Returns the role of an entry of a comment (ISO 32000-1 tables 164, 170, 173 to 183 and 192). Where it goes and what
/// it does is the document's, and so is what no annotation has: a comment may have another job, such as that of a file
/// specification.
fn markup(key: &[u8]) -> Role {
    match key {
        b"P" | b"Parent" | b"Popup" | b"IRT" => Role::Back,
        b"StructParent" => Role::Once(Extension),
        // A configuration of layers has an array, a layer a string, a file specification a string in their place.
        b"AS" | b"Name" | b"F" => Role::NameOrNumber(Annotation),
        b"Type" | b"Rect" | b"Contents" | b"NM" | b"M" | b"AP" | b"Border" | b"C" | b"OC" | b"T" | b"CA" | b"ca"
        | b"BM" | b"RC" | b"CreationDate" | b"Subj" | b"RT" | b"IT" | b"ExData" | b"Open" | b"State"
        | b"StateModel" | b"H" | b"QuadPoints" | b"BS" | b"BE" | b"DA" | b"Q" | b"DS" | b"CL" | b"RD" | b"LE"
        | b"L" | b"IC" | b"LL" | b"LLE" | b"LLO" | b"Cap" | b"CP" | b"CO" | b"Measure" | b"Vertices" | b"Path"
        | b"InkList" | b"Sy" | b"RO" | b"OverlayText" | b"Repeat" | b"Rotate" | b"Lang" => Role::Within(Annotation),
        _ => Role::Document,
    }
}

/// Returns the role of an entry of a field that gets a signature: its value and how it looks, where it was.
fn signing(key: &[u8], class: Class) -> Role {
    match key {
        b"V" | b"AP" | b"MK" | b"DA" | b"M" | b"Border" | b"BS" => Role::Within(class),
        b"AS" => Role::NameOrNumber(class),
        b"Lock" | b"SV" | b"NM" => Role::Once(class),
        b"Rect" => Role::SignatureRectangle(class),
        b"F" => Role::Flags(true),
        _ => any_field(key),
    }
}

/// Returns the role of an entry of a field that gets another value, with its appearance.
fn filling(key: &[u8]) -> Role {
    match key {
        b"V" | b"RV" | b"I" | b"TI" | b"AP" | b"MK" | b"DA" | b"M" => Role::Within(Fill),
        b"AS" => Role::NameOrNumber(Fill),
        b"Q" => Role::Once(Fill),
        b"Rect" => Role::Rounded(Fill),
        _ => any_field(key),
    }
}

/// Returns the role of an entry of a field whose value stays.
fn field(key: &[u8]) -> Role {
    match key {
        b"M" => Role::Within(Fill),
        _ => any_field(key),
    }
}

/// Returns the role of an entry that is the same for all fields (ISO 32000-1 tables 164, 188 and 220).
fn any_field(key: &[u8]) -> Role {
    match key {
        b"F" => Role::Flags(false),
        b"Ff" => Role::FieldFlags,
        b"Kids" | b"Parent" => Role::Fields,
        b"P" => Role::Back,
        b"StructParent" => Role::Once(Extension),
        _ => Role::Document,
    }
}
