//! A signed revision compared with the latest one: their documents, their trailers, and what reading them depends on.

use super::form::LatestForm;
use super::graph::Graph;
use super::role::Role;
use super::value::equal;
use super::variable_text::{is_shown_by_viewers, variable_text};
use super::walk::{Place, Walk};
use super::{Differences, ObjectModification};
use crate::formats::pdf::field::{self, qualified_name};
use crate::formats::pdf::object::{Object, Reference, Stream};
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// A signed revision beside the latest one.
pub(in crate::formats::pdf) struct Comparison<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    graph: &'r mut Graph,
    form: &'r dyn Fn() -> Rc<LatestForm>,
}

impl<'a, 'f, 'r> Comparison<'a, 'f, 'r> {
    /// Begins the comparison of `signed` with `last`, to which `graph` and `form` belong.
    pub fn new(
        signed: &'r Revision<'a, 'f>,
        last: &'r Revision<'a, 'f>,
        graph: &'r mut Graph,
        form: &'r dyn Fn() -> Rc<LatestForm>,
    ) -> Self {
        graph.begin_comparison(signed, last);
        Self { signed, last, graph, form }
    }

    /// Makes it compare everything, whatever its location.
    #[cfg(test)]
    pub fn ignoring_locations(self) -> Self {
        self.graph.ignore_locations();
        self
    }

    /// Returns the signed revision.
    pub fn signed(&self) -> &'r Revision<'a, 'f> {
        self.signed
    }

    /// Compares the documents.
    pub fn documents(&mut self) -> Differences {
        let catalog = |revision: &Revision<'a, '_>| revision.catalog().map(Object::Dictionary);
        let (before, after) = (catalog(self.signed), catalog(self.last));
        let root = root(self.signed).filter(|number| root(self.last) == Some(*number));
        let mut found = self.walk(b"Catalog", Role::Catalog, |walk, place| {
            if let Some(number) = root {
                walk.enter_root(place, number);
            }
            walk.pair(place, before, after);
        });
        self.trailers(&mut found);
        self.object_streams(&mut found);
        self.variable_texts(&mut found);
        found
    }

    /// Compares two values of an entry, in a role.
    pub fn entry(&mut self, key: &[u8], role: Role, before: &Object<'a>, after: &Object<'a>) -> Differences {
        self.walk(key, role, |walk, place| walk.values(place, before, after))
    }

    /// Returns whether two values of an entry are the same content.
    fn is_same_content(&mut self, key: &[u8], before: &Object<'a>, after: &Object<'a>) -> bool {
        self.entry(key, Role::CONTENT, before, after).is_permitted()
    }

    fn walk(&mut self, name: &[u8], role: Role, begin: impl FnOnce(&mut Walk<'a, 'f, '_>, Place)) -> Differences {
        self.graph.begin_walk();
        let key = self.graph.keys.key(name);
        let path = self.graph.keys.path(key);
        let mut walk = Walk::new(self.signed, self.last, self.graph, self.form);
        begin(&mut walk, Place { path, object: None, role });
        walk.run()
    }

    /// Compares the trailers (ISO 32000-1 table 15) but for `/Root`, which is the document. Encryption is that of the
    /// file from its start (§7.6.1). Of the information, viewers show the title.
    fn trailers(&mut self, found: &mut Differences) {
        let [before, after] = [self.signed, self.last].map(|revision| revision.encryption());
        let is_same = match (&before, &after) {
            (Object::Null, Object::Null) => true,
            (Object::Null, _) | (_, Object::Null) => false,
            _ => self.is_same_content(b"Encrypt", &before, &after),
        };
        let identifier = |revision: &Revision<'a, '_>| match revision.trailer(b"ID") {
            Object::Array(items) => items.first().map_or(Object::Null, |item| revision.resolve(item)),
            _ => Object::Null,
        };
        // Part of the key where the file is encrypted (§7.6.3.3); writers change it otherwise.
        let is_same_key = before == Object::Null || equal(&identifier(self.signed), &identifier(self.last));
        if !is_same || !is_same_key {
            found.add_undefined("/Trailer /Encrypt".into(), None, None);
        }
        // What viewers call the document (§14.3.3, table 150).
        let [before, after] = [self.signed, self.last].map(|revision| match revision.trailer(b"Info") {
            Object::Dictionary(information) => revision.text_of(&information, b"Title"),
            _ => None,
        });
        if before != after {
            found.add_undefined("/Trailer /Info /Title".into(), None, None);
        }
        // And others by the metadata (§14.3.2).
        let [before, after] = [self.signed, self.last].map(metadata);
        if before.as_ref().map(|stream| stream.start) != after.as_ref().map(|stream| stream.start)
            && title(self.signed, before) != title(self.last, after)
        {
            found.add_undefined("/Catalog /Metadata /dc:title".into(), None, None);
        }
    }

    /// Compares what object streams need to be read (ISO 32000-1 §7.5.7): if that changed, an object in them may be
    /// another one though nothing else says so.
    fn object_streams(&mut self, found: &mut Differences) {
        for &number in self.graph.dependent_object_streams(self.last).iter() {
            let Some((Object::Stream(stream), _)) = self.signed.in_place(number) else { continue };
            let entries = stream.dictionary.clone();
            let is_same = [&b"Length"[..], b"N", b"First", b"Filter", b"DecodeParms"].iter().all(|key| {
                let value = entries.get(key).unwrap_or(&Object::Null);
                self.is_same_content(key, value, value)
            });
            if !is_same {
                found.add_undefined(format!("{number} 0 R"), None, Some("ObjStm".into()));
            }
        }
    }

    /// Compares the font and the string with which viewers show values that have no appearance stream (ISO 32000-1
    /// §12.7.3.3).
    fn variable_texts(&mut self, found: &mut Differences) {
        let keys = ["/DR", "/DA", "/NeedAppearances"];
        let touches = |change: &ObjectModification| keys.iter().any(|key| change.path.contains(key));
        if !found.objects.signature_or_form_fill.iter().any(touches) {
            return;
        }
        for number in field::members(self.signed) {
            if !self.last.file().step() {
                found.complete = false;
                return;
            }
            let reference = Object::Reference(Reference { number, generation: 0 });
            let resolved = [self.signed, self.last].map(|revision| revision.resolve(&reference));
            let [Object::Dictionary(old), Object::Dictionary(new)] = resolved else { continue };
            let is_shown = [is_shown_by_viewers(self.signed, &old), is_shown_by_viewers(self.last, &new)];
            let name = || qualified_name(self.signed, &old).map(|name| name.to_string());
            match is_shown {
                [true, true] if variable_text(self.signed, &old) != variable_text(self.last, &new) => {
                    found.add_undefined(format!("/AcroForm {number} 0 R /DA"), name(), None);
                }
                // It is shown by its appearance stream now, which may say something else.
                [true, false] if self.last.lookup(&new, b"AP") != Object::Null => {
                    found.add_fill(format!("/AcroForm {number} 0 R /AP"), name());
                }
                _ => {}
            }
        }
    }
}

/// Returns the number of the catalog's object.
fn root(revision: &Revision<'_, '_>) -> Option<u32> {
    let given = revision.sections().iter().find_map(|section| section.trailer.get(b"Root"));
    given.and_then(Object::reference).map(|reference| reference.number)
}

/// Returns the metadata of the document.
fn metadata<'a>(revision: &Revision<'a, '_>) -> Option<Rc<Stream<'a>>> {
    match revision.lookup(&*revision.catalog()?, b"Metadata") {
        Object::Stream(metadata) => Some(metadata),
        _ => None,
    }
}

/// Returns what metadata says from where a title begins to where the last one ends, but for white space: ISO 16684-1 §8.3.
fn title<'a>(revision: &Revision<'a, '_>, metadata: Option<Rc<Stream<'a>>>) -> Option<Vec<u8>> {
    let mut text = revision.decoded(&*metadata?).ok()?;
    // Characters may have two bytes.
    text.retain(|byte| *byte != 0 && !byte.is_ascii_whitespace());
    let first = memchr::memmem::find(&text, b"title")?;
    text.truncate(memchr::memmem::rfind(&text, b"title")?);
    Some(text.split_off(first))
}
