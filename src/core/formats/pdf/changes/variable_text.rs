//! Variable text: values that viewers show by themselves, with the font and the string that the form names.
//! ISO 32000-1 §12.7.3.3.

use crate::formats::pdf::characters::is_regular;
use crate::formats::pdf::field::inherited;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// Returns whether viewers show the value of a field by themselves: it has no appearance stream, or viewers make all of
/// these anew.
pub(super) fn is_shown_by_viewers<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    let are_made_anew = || {
        let form = form(revision).map(|form| revision.lookup(&form, b"NeedAppearances"));
        form == Some(Object::Boolean(true))
    };
    inherited(revision, field, b"FT").name() != Some(b"Sig")
        && inherited(revision, field, b"V") != Object::Null
        && (revision.lookup(field, b"AP") == Object::Null || are_made_anew())
}

/// Returns the default appearance string of a field, and whether the font that it names is there.
pub(super) fn variable_text<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> (Vec<u8>, bool) {
    let form = form(revision);
    let of_form = |key: &[u8]| form.as_ref().map_or(Object::Null, |form| revision.lookup(form, key));
    let text = match inherited(revision, field, b"DA") {
        Object::String(text) => Object::String(text),
        _ => of_form(b"DA"),
    };
    let text = text.string().map(|text| text.bytes().into_owned()).unwrap_or_default();
    let name = text.split(|byte| *byte == b'/').nth(1).unwrap_or_default();
    let name = &name[..name.iter().take_while(|byte| is_regular(**byte)).count()];
    let resources = match of_form(b"DR") {
        Object::Dictionary(resources) => revision.dictionary(&resources, b"Font"),
        _ => None,
    };
    let is_there = resources.is_some_and(|fonts| revision.lookup(&fonts, name) != Object::Null);
    (text, is_there)
}

fn form<'a>(revision: &Revision<'a, '_>) -> Option<Rc<Dictionary<'a>>> {
    revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"))
}
