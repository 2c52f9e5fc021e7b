//! Variable text: values that viewers show by themselves, with the font and the string that the form names.
//! ISO 32000-1 §12.7.3.3.

use crate::formats::pdf::annotation::is_drawn_by_viewers;
use crate::formats::pdf::characters::is_regular;
use crate::formats::pdf::field::inherited;
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// Bounds how deep the operands of such a string are nested.
const NESTING: usize = 8;

/// Returns whether viewers show the value of a field by themselves: it has no appearance stream, or viewers make all of
/// these anew.
pub(super) fn is_shown_by_viewers<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    let are_made_anew = || {
        let form = form(revision).map(|form| revision.lookup(&form, b"NeedAppearances"));
        form == Some(Object::Boolean(true))
    };
    inherited(revision, field, b"FT").name() != Some(b"Sig")
        && [inherited(revision, field, b"V"), revision.lookup(field, b"MK")].iter().any(|shown| *shown != Object::Null)
        && (is_drawn_by_viewers(revision, field) || are_made_anew())
}

/// Returns the default appearance string of a field, and which of the fonts that it names are there.
pub(super) fn variable_text<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> (Vec<u8>, Vec<bool>) {
    let form = form(revision);
    let of_form = |key: &[u8]| form.as_ref().map_or(Object::Null, |form| revision.lookup(form, key));
    let text = match inherited(revision, field, b"DA") {
        Object::String(text) => Object::String(text),
        _ => of_form(b"DA"),
    };
    let text = text.string().filter(|text| revision.limits().text(text.written().len()).is_ok());
    let text = text.map(|text| text.bytes().into_owned()).unwrap_or_default();
    let resources = match of_form(b"DR") {
        Object::Dictionary(resources) => revision.dictionary(&resources, b"Font"),
        _ => None,
    };
    let is_there = |name: &[u8]| resources.as_ref().is_some_and(|fonts| revision.lookup(fonts, name) != Object::Null);
    let are_there = names(&text).iter().map(|name| is_there(name)).collect();
    (text, are_there)
}

/// Returns the names in a string of operators and operands.
fn names(text: &[u8]) -> Vec<Vec<u8>> {
    let (mut lexer, mut found) = (Lexer::new(text, 0, NESTING), Vec::new());
    loop {
        lexer.skip_space();
        let start = lexer.position();
        if start >= text.len() {
            return found;
        }
        match lexer.object() {
            Ok(Object::Name(name)) => found.push(name.to_vec()),
            Ok(_) => {}
            // An operator, or a bracket that nothing opened.
            Err(_) => {
                let operator = text[start..].iter().take_while(|byte| is_regular(**byte)).count();
                lexer.go_to(start + operator.max(1));
            }
        }
    }
}

fn form<'a>(revision: &Revision<'a, '_>) -> Option<Rc<Dictionary<'a>>> {
    revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"))
}
