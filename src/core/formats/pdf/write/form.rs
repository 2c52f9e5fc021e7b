//! The interactive form, to be added to: ISO 32000-1 §12.7.

use super::error::WriteError;
use super::page::annotate;
use super::text::text_string;
use super::update::Update;
use super::value::{Entries, Value};
use crate::formats::pdf::annotation::{LOCKED, PRINT};
use crate::formats::pdf::field::qualified;
use crate::formats::pdf::object::{Dictionary, Object, Reference};
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::collections::HashSet;
use std::rc::Rc;

/// A field of the form, or a parent of fields: ISO 32000-1 §12.7.3.
#[derive(Debug, Clone)]
pub struct FormField<'a> {
    /// Its fully qualified name (§12.7.3.2).
    pub name: String,
    /// Its object, where it is one of its own.
    pub id: Option<Reference>,
    /// Its dictionary.
    pub dictionary: Rc<Dictionary<'a>>,
    /// Its type, perhaps inherited: `Sig`, `Tx`, `Btn`, `Ch`.
    pub kind: Option<Vec<u8>>,
    /// Its value, perhaps inherited.
    pub value: Object<'a>,
    /// Whether fields are below it.
    pub is_parent: bool,
    /// Its widgets, each with its object: itself, where the two are one.
    pub widgets: Vec<(Option<Reference>, Rc<Dictionary<'a>>)>,
}

impl FormField<'_> {
    /// Tells whether it is a signature field (§12.7.4.5).
    pub fn is_signature(&self) -> bool {
        !self.is_parent && self.kind.as_deref() == Some(b"Sig")
    }

    /// Tells whether it has a value.
    pub fn is_filled(&self) -> bool {
        self.value != Object::Null
    }
}

/// Returns the fields of the form and their parents, in its order.
pub fn fields<'a>(revision: &Revision<'a, '_>) -> Vec<FormField<'a>> {
    let mut found = vec![];
    let form = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"));
    let Some(roots) = form.and_then(|form| revision.array(&form, b"Fields")) else { return found };
    let mut seen = HashSet::new();
    // Depth first, in the order of the form, without recursion: each with what it inherits.
    let root = |object: &Object<'a>| Node { object: object.clone(), name: None, kind: None, value: None };
    let mut todo: Vec<Node<'a>> = roots.iter().rev().map(root).collect();
    while let Some(node) = todo.pop() {
        if revision.limits().step_or_record().is_err() {
            break;
        }
        let id = node.object.reference().map(|reference| revision.in_use(reference.number));
        if id.is_some_and(|id| !seen.insert(id.number)) {
            continue;
        }
        let Object::Dictionary(dictionary) = revision.resolve(&node.object) else { continue };
        let kind = match revision.lookup(&dictionary, b"FT") {
            Object::Name(kind) => Some(kind.to_vec()),
            _ => node.kind,
        };
        let name = qualified(revision.limits(), node.name, revision.text_of(&dictionary, b"T"));
        if name.as_ref().is_some_and(|name| revision.limits().text(name.len()).is_err()) {
            break;
        }
        let value = dictionary.get(b"V").cloned().or(node.value);
        let kids = revision.array(&dictionary, b"Kids").unwrap_or_default();
        let read = |kid: &Object<'a>| match revision.resolve(kid) {
            Object::Dictionary(dictionary) => Some((kid.reference(), dictionary)),
            _ => None,
        };
        let kids: Vec<_> = kids.iter().filter_map(|kid| Some((kid.clone(), read(kid)?))).collect();
        // A child with a name of its own is a field, one without is a widget of this field (§12.7.3.1).
        let is_parent = kids.iter().any(|(_, (_, kid))| kid.get(b"T").is_some() || kid.get(b"FT").is_some());
        let widgets = match kids.is_empty() {
            true => vec![(id, dictionary.clone())],
            false if is_parent => vec![],
            false => kids.iter().map(|(_, (id, kid))| (id.map(|id| revision.in_use(id.number)), kid.clone())).collect(),
        };
        if is_parent {
            let child = |(object, _): &(Object<'a>, _)| Node {
                object: object.clone(),
                name: name.clone(),
                kind: kind.clone(),
                value: value.clone(),
            };
            todo.extend(kids.iter().rev().map(child));
        }
        let value = value.map_or(Object::Null, |value| revision.resolve(&value));
        let name = name.as_deref().unwrap_or_default().to_owned();
        found.push(FormField { name, id, dictionary, kind, value, is_parent, widgets });
    }
    found
}

struct Node<'a> {
    object: Object<'a>,
    name: Option<Rc<str>>,
    kind: Option<Vec<u8>>,
    value: Option<Object<'a>>,
}

/// A signature field to be made, with its widget in one dictionary: ISO 32000-1 tables 164, 188 and 232.
#[derive(Debug, Clone)]
pub struct NewField<'n> {
    /// Its fully qualified name, for which [`place`] found a place.
    pub name: &'n str,
    /// What it is for, read out to those who do not see: `/TU`.
    pub tooltip: Option<&'n str>,
    /// The page that it is on.
    pub page: Reference,
    /// Where on the page: of no size where nothing is seen.
    pub rectangle: Option<Rectangle>,
    /// Its signature.
    pub value: Option<Reference>,
    /// More entries.
    pub more: Entries,
}

/// Where a new field goes: its parent, and the partial names below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    parent: Option<Reference>,
    parts: Vec<String>,
}

impl Place {
    /// Returns whether parents have to be made.
    pub fn makes_parents(&self) -> bool {
        self.parts.len() > 1
    }
}

/// Finds the place of a new field with this name; the parents that it names may be there.
///
/// # Errors
///
/// Why no field can have the name.
pub fn place(fields: &[FormField<'_>], name: &str) -> Result<Place, String> {
    let parts: Vec<&str> = name.split('.').collect();
    if parts.iter().any(|part| part.is_empty()) {
        return Err("found an empty part".into());
    }
    if name.chars().any(char::is_control) {
        return Err("found a control character".into());
    }
    if fields.iter().any(|field| field.name == name) {
        return Err("found a field of that name".into());
    }
    for known in (1..parts.len()).rev() {
        let (above, rest) = parts.split_at(known);
        let above = above.join(".");
        let Some(parent) = fields.iter().find(|field| field.name == above) else { continue };
        // A field that is complete, or one whose parts are widgets, has no fields below it.
        if !parent.is_parent && (parent.kind.is_some() || parent.dictionary.get(b"Kids").is_some()) {
            return Err(format!("found the field {above}, which is no parent of others"));
        }
        let Some(id) = parent.id else { return Err(format!("found the field {above} inside of another object")) };
        return Ok(Place { parent: Some(id), parts: rest.iter().map(ToString::to_string).collect() });
    }
    Ok(Place { parent: None, parts: parts.iter().map(ToString::to_string).collect() })
}

/// Adds a field to the form and its widget to the page. Returns its object.
///
/// # Errors
///
/// [`WriteError::Unusual`] where the form or the page is not as the standard has it.
pub fn add_field(update: &mut Update<'_, '_, '_>, place: &Place, field: NewField<'_>) -> Result<Reference, WriteError> {
    let id = update.reserve();
    let Rectangle { left, bottom, right, top } =
        field.rectangle.unwrap_or(Rectangle { left: 0.0, bottom: 0.0, right: 0.0, top: 0.0 });
    let mut entries = Entries::new()
        .with("Type", Value::name("Annot"))
        .with("Subtype", Value::name("Widget"))
        .with("FT", Value::name("Sig"))
        .with("Rect", [left, bottom, right, top].map(number).to_vec())
        // ISO 19005-1 §6.5.3: it is printed.
        .with("F", PRINT | LOCKED)
        .with("P", field.page);
    let (last, parents) = place.parts.split_last().map_or(("", &[][..]), |(last, parents)| (&last[..], parents));
    entries.set(b"T", text_string(last));
    field.tooltip.into_iter().for_each(|tooltip| entries.set(b"TU", text_string(tooltip)));
    field.value.into_iter().for_each(|value| entries.set(b"V", value));
    field.more.iter().for_each(|(key, value)| entries.set(key, value.clone()));

    make_form(update)?;
    let mut above = place.parent;
    for part in parents {
        let parent = update.add(Entries::new().with("T", text_string(part)).with("Kids", Vec::<Value>::new()));
        enlist(update, above, parent)?;
        above = Some(parent);
    }
    update.put(id, entries);
    enlist(update, above, id)?;
    annotate(update, field.page, id)?;
    Ok(id)
}

/// Makes a form where there is none.
fn make_form(update: &mut Update<'_, '_, '_>) -> Result<(), WriteError> {
    let catalog = update.catalog();
    if update.find(catalog, &[b"AcroForm"])?.is_none() {
        let form = update.add(Entries::new().with("Fields", Vec::<Value>::new()));
        update.set(catalog, &[], b"AcroForm", form)?;
    }
    Ok(())
}

/// Puts a field below its parent, or into the form.
fn enlist(update: &mut Update<'_, '_, '_>, parent: Option<Reference>, field: Reference) -> Result<(), WriteError> {
    match parent {
        Some(parent) => {
            update.set(field, &[], b"Parent", parent)?;
            update.push(parent, &[], b"Kids", field)
        }
        None => update.push(update.catalog(), &[b"AcroForm"], b"Fields", field),
    }
}

/// Says in the form that it has a signature, or only a field for one: ISO 32000-1 table 219.
///
/// # Errors
///
/// [`WriteError::Unusual`] where there is no form.
pub fn flag_signatures(update: &mut Update<'_, '_, '_>, signed: bool) -> Result<(), WriteError> {
    let catalog = update.catalog();
    let flags = match update.find(catalog, &[b"AcroForm", b"SigFlags"])? {
        Some((_, Value::Integer(flags))) => *flags,
        _ => 0,
    };
    update.set(catalog, &[b"AcroForm"], b"SigFlags", flags | if signed { 3 } else { 1 })
}

/// Makes a number of a coordinate, without more digits than can be seen.
pub fn number(value: f64) -> Value {
    let rounded = (value * 10_000.0).round() / 10_000.0;
    if rounded.fract() == 0.0 && rounded.abs() < 1e9 { Value::Integer(rounded as i64) } else { Value::Real(rounded) }
}
