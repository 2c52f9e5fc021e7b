//! The media types that are signed of files in a container, and of objects: EN 319 132-1 §5.2.4.

use super::matchers::{ComparedReference, pointed};
use super::signature::XadesSignature;
use super::{child, descend, is, trimmed};
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::media_type::{differ, shown};
use crate::formats::xml::{DSIG, Element};
use crate::uri::unescaped;
use std::collections::HashMap;

/// Returns what is stated to be of another media type than the signer stated: files, in the list of their container, which nobody
/// need sign, and objects in the signature, whose tags a transform may leave out. Programs that open them go by that.
pub(super) fn other_types(read: &XadesSignature<'_, '_>) -> Vec<Irregularity> {
    let files = read.matched.iter().rev().filter_map(|m| Some((m.matcher.id.as_deref()?, m)));
    let matched: HashMap<&str, &ComparedReference<'_, '_>> = files.collect();
    let objects = read.qualifying.and_then(|own| descend(own, &["SignedProperties", "SignedDataObjectProperties"]));
    let formats = objects.into_iter().flat_map(|objects| objects.children());
    let other = |format: Element<'_, '_>| {
        let reference = unescaped(format.attribute("ObjectReference")?.trim().strip_prefix('#')?);
        let signed = child(format, "MimeType").and_then(trimmed)?;
        let matched = matched.get(&*reference)?;
        matched.content.and_then(|content| content.other_type(&signed)).or_else(|| other_object(matched, &signed))
    };
    formats.filter(|format| is(*format, "DataObjectFormat")).filter_map(other).collect()
}

/// Notes an object whose `MimeType` is another than the signed one (XMLDSig §4.5).
fn other_object(matched: &ComparedReference<'_, '_>, signed: &str) -> Option<Irregularity> {
    let object = pointed(&matched.reference).filter(|object| object.is(DSIG, "Object"))?;
    let stated = object.attribute("MimeType").filter(|stated| differ(stated, signed))?;
    let name = matched.matcher.uri.as_deref().unwrap_or_default();
    let subject = format!("{name}: {}, {}", shown(signed), shown(stated));
    Some(Irregularity::about(IrregularityKind::ContentTypeMismatch, subject))
}
