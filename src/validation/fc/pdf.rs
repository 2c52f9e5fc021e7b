//! What a PDF says around a signature, and what was changed after it: ISO 32000-1 §12.8, EN 319 142-1 §5.

use super::check;
use crate::facts::{Id, Lock, LockAction, Modifications, ObjectModifications, PdfRevision, Permission};
use crate::policy::{Place, RuleName};
use crate::validation::case::Case;
use crate::validation::engine::{Concluded, Steps, ask};

/// Checks the revision that a signature or document time-stamp covers.
pub(super) fn revision(
    case: &Case<'_>,
    steps: &mut Steps,
    token: &Id,
    revision: &PdfRevision,
    place: Place,
) -> Result<(), Concluded> {
    let rule = |name| case.rule(place, name);
    let valid = revision.byte_range_valid == Some(true);
    check(steps, rule(RuleName::ByteRange), ask!("BBB_FC_IBRV"), valid)?;
    let apart =
        revisions(case).all(|(other, range)| other == token || !collide(&revision.byte_range, &range.byte_range));
    check(steps, rule(RuleName::ByteRangeCollision), ask!("BBB_FC_DBTOOST"), apart)?;
    let all_valid = revisions(case).all(|(_, other)| other.byte_range_valid == Some(true));
    check(steps, rule(RuleName::ByteRangeAllDocument), ask!("BBB_FC_DASTHVBR"), all_valid)?;
    check(steps, rule(RuleName::PdfSignatureDictionary), ask!("BBB_FC_ISDC"), revision.dictionary_consistent)?;

    let nothing = Modifications::default();
    let changes = revision.modifications.as_ref().unwrap_or(&nothing);
    check(steps, rule(RuleName::PdfPageDifference), ask!("BBB_FC_DSFREAP"), changes.page_differences.is_empty())?;
    check(steps, rule(RuleName::PdfAnnotationOverlap), ask!("BBB_FC_IAOD"), changes.annotation_overlaps.is_empty())?;
    check(steps, rule(RuleName::PdfVisualDifference), ask!("BBB_FC_IVDBSFR"), changes.visual_differences.is_empty())?;

    let nothing = ObjectModifications::default();
    let objects = changes.objects.as_ref().unwrap_or(&nothing);
    if let Some(permission) = revision.doc_mdp {
        check(steps, rule(RuleName::DocMDP), ask!("BBB_FC_ISVADMDPD"), is_permitted(permission, objects))?;
    }
    if let Some(lock) = &revision.field_mdp {
        check(steps, rule(RuleName::FieldMDP), ask!("BBB_FC_ISVAFMDPD"), is_unlocked(lock, objects))?;
    }
    if let Some(lock) = revision.fields.iter().find_map(|field| field.lock.as_ref()) {
        let permitted = lock.permissions.is_none_or(|permission| is_permitted(permission, objects));
        check(steps, rule(RuleName::SigFieldLock), ask!("BBB_FC_ISVASFLD"), is_unlocked(lock, objects) && permitted)?;
    }
    let filled = !objects.signature_or_form_fill.is_empty();
    check(steps, rule(RuleName::FormFillChanges), ask!("BBB_FC_DSCNFFSM"), !filled)?;
    check(steps, rule(RuleName::AnnotationChanges), ask!("BBB_FC_DSCNACMDM"), objects.annotation.is_empty())?;
    check(steps, rule(RuleName::UndefinedChanges), ask!("BBB_FC_DSCNUOM"), objects.undefined.is_empty())
}

/// Every revision that is signed or time-stamped.
fn revisions<'a>(case: &Case<'a>) -> impl Iterator<Item = (&'a Id, &'a PdfRevision)> {
    let signatures = case.facts.signatures.iter().filter_map(|s| Some((&s.id, s.pdf_revision.as_ref()?)));
    signatures.chain(case.facts.timestamps.iter().filter_map(|t| Some((&t.id, t.pdf_revision.as_ref()?))))
}

/// Whether the hole of one range is neither before nor behind the whole of the other, or the other way round.
fn collide(one: &[i64], other: &[i64]) -> bool {
    let (Some(one), Some(other)) = (ends(one), ends(other)) else { return false };
    let straddles = |(hole, _): (i64, i64), (other_hole, end): (i64, i64)| (hole < other_hole) != (hole < end);
    straddles(one, other) || straddles(other, one)
}

/// Where the first part and where the second part of a byte range end.
fn ends(range: &[i64]) -> Option<(i64, i64)> {
    let &[first, first_length, second, second_length] = range else { return None };
    Some((first.checked_add(first_length)?, second.checked_add(second_length)?))
}

/// ISO 32000-1 table 254, `P`: what a certification signature permits.
fn is_permitted(permission: Permission, objects: &ObjectModifications) -> bool {
    let filled = !objects.signature_or_form_fill.is_empty();
    let annotated = !objects.annotation.is_empty();
    objects.undefined.is_empty()
        && match permission {
            Permission::NoChange => !filled && !annotated,
            Permission::MinimalChanges => !annotated,
            Permission::Changes => true,
        }
}

/// ISO 32000-1 table 233: no field that the signature locks was changed.
fn is_unlocked(lock: &Lock, objects: &ObjectModifications) -> bool {
    let ObjectModifications { extension, signature_or_form_fill, annotation, undefined } = objects;
    let changes = extension.iter().chain(signature_or_form_fill).chain(annotation).chain(undefined);
    let mut names = changes.filter_map(|change| change.field_name.as_ref());
    match lock.action {
        LockAction::All => names.next().is_none(),
        LockAction::Include => !names.any(|name| lock.fields.contains(name)),
        LockAction::Exclude => names.all(|name| lock.fields.contains(name)),
    }
}

/// PDF/A (ISO 19005), where somebody checked it.
pub(super) fn pdf_a(case: &Case<'_>, steps: &mut Steps) -> Result<(), Concluded> {
    let Some(pdf_a) = &case.facts.pdfa else { return Ok(()) };
    let rule = case.rule(Place::PdfA, RuleName::AcceptablePDFAProfiles);
    let accepted = !pdf_a.profile.is_empty() && rule.is_some_and(|rule| rule.accepts(&pdf_a.profile));
    check(steps, rule, ask!("BBB_FC_DDAPDFAF"), accepted)?;
    check(steps, case.rule(Place::PdfA, RuleName::PDFACompliant), ask!("BBB_FC_IDPDFAC"), pdf_a.compliant)
}
