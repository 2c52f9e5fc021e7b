//! What a PDF says around a signature, and what was changed after it: ISO 32000-1 §12.8, EN 319 142-1 §5.

use super::check;
use crate::facts::{Id, Lock, LockAction, Modifications, ObjectModifications, PdfRevision, Permission};
use crate::policy::{PolicySection, RuleName};
use crate::validation::check_id::CheckId;
use crate::validation::context::ValidationContext;
use crate::validation::engine::{BlockBuilder, Concluded};

/// Checks the revision that a signature or document time-stamp covers.
pub(super) fn revision(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    token: &Id,
    revision: &PdfRevision,
    section: PolicySection,
) -> Result<(), Concluded> {
    let rule = |name| cx.rule(section, name);
    let valid = revision.byte_range_valid == Some(true);
    check(block, rule(RuleName::ByteRange), CheckId::ByteRangeValid, valid)?;
    let ranges = &cx.index.byte_ranges;
    let apart = !ranges.collides(token, &revision.byte_range);
    check(block, rule(RuleName::ByteRangeCollision), CheckId::ByteRangesApart, apart)?;
    check(block, rule(RuleName::ByteRangeAllDocument), CheckId::AllByteRangesValid, ranges.all_valid)?;
    check(
        block,
        rule(RuleName::PdfSignatureDictionary),
        CheckId::SignatureDictionaryConsistent,
        revision.dictionary_consistent,
    )?;

    let nothing = Modifications::default();
    let changes = revision.modifications.as_ref().unwrap_or(&nothing);
    for (name, check_id, pages) in [
        (RuleName::PdfPageDifference, CheckId::PagesSame, &changes.page_differences),
        (RuleName::PdfAnnotationOverlap, CheckId::AnnotationsApart, &changes.annotation_overlaps),
        (RuleName::PdfVisualDifference, CheckId::PagesLookSame, &changes.visual_differences),
    ] {
        check(block, rule(name), check_id.naming(pages.iter().map(u32::to_string)), pages.is_empty())?;
    }

    let nothing = ObjectModifications::default();
    let objects = changes.objects.as_ref().unwrap_or(&nothing);
    if let Some(permission) = revision.doc_mdp {
        check(block, rule(RuleName::DocMDP), CheckId::DocMdpRespected, is_permitted(permission, objects))?;
    }
    if let Some(lock) = &revision.field_mdp {
        check(block, rule(RuleName::FieldMDP), CheckId::FieldMdpRespected, is_unlocked(lock, objects))?;
    }
    let locks: Vec<&Lock> = revision.fields.iter().filter_map(|field| field.lock.as_ref()).collect();
    if !locks.is_empty() {
        let respected = locks.iter().all(|lock| {
            let permitted = lock.permissions.is_none_or(|permission| is_permitted(permission, objects));
            permitted && is_unlocked(lock, objects)
        });
        check(block, rule(RuleName::SigFieldLock), CheckId::SigFieldLockRespected, respected)?;
    }
    let filled = !objects.signature_or_form_fill.is_empty();
    check(block, rule(RuleName::FormFillChanges), CheckId::FormFieldsUnchanged, !filled)?;
    check(block, rule(RuleName::AnnotationChanges), CheckId::AnnotationsUnchanged, objects.annotation.is_empty())?;
    check(block, rule(RuleName::UndefinedChanges), CheckId::NoUndefinedChanges, objects.undefined.is_empty())
}

/// Returns whether a certification signature permits the changes: ISO 32000-1 table 254, `P`.
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

/// Returns whether no field that the signature locks was changed: ISO 32000-1 table 233.
///
/// What is added for the long term fills in no field. A name locks the field of that name and all below it (§12.7.3.2).
fn is_unlocked(lock: &Lock, objects: &ObjectModifications) -> bool {
    let ObjectModifications { extension: _, signature_or_form_fill, annotation, undefined } = objects;
    let changes = signature_or_form_fill.iter().chain(annotation).chain(undefined);
    let mut names = changes.filter_map(|change| change.field_name.as_deref());
    let named = |name: &str| lock.fields.iter().any(|locked| is_within(name, locked));
    // A change in what stands above a locked field changes that, too.
    let concerns = |name: &str| named(name) || lock.fields.iter().any(|locked| is_within(locked, name));
    match lock.action {
        LockAction::All => names.next().is_none(),
        LockAction::Include => !names.any(concerns),
        LockAction::Exclude => names.all(named),
    }
}

/// Returns whether a fully qualified name is that of a field or of one below it: ISO 32000-1 §12.7.3.2.
fn is_within(name: &str, field: &str) -> bool {
    name.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Checks PDF/A (ISO 19005), where the facts say something of it.
pub(super) fn pdf_a(cx: &ValidationContext<'_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let Some(pdf_a) = &cx.facts.pdfa else { return Ok(()) };
    let rule = cx.rule(PolicySection::PdfA, RuleName::AcceptablePDFAProfiles);
    let accepted = !pdf_a.profile.is_empty() && rule.is_some_and(|rule| rule.accepts(&pdf_a.profile));
    check(block, rule, CheckId::PdfAProfileAccepted, accepted)?;
    check(block, cx.rule(PolicySection::PdfA, RuleName::PDFACompliant), CheckId::PdfACompliant, pdf_a.compliant)
}

#[cfg(test)]
mod tests {
    use crate::facts::{
        Facts, Id, Lock, LockAction, ModificationAction, Modifications, ObjectModification, ObjectModifications,
        PdfRevision, Permission, Signature, SignatureField, SignerInfo,
    };
    use crate::policy::Policy;
    use crate::validation::context::ValidationContext;
    use crate::validation::fc;
    use crate::validation::situations::{answer, check};

    fn of(cx: &ValidationContext<'_>) -> String {
        answer(&fc::signature(cx, &cx.facts.signatures[0]))
    }

    fn revision(range: [i64; 4]) -> PdfRevision {
        PdfRevision {
            byte_range: range.to_vec(),
            byte_range_valid: Some(true),
            dictionary_consistent: true,
            ..PdfRevision::default()
        }
    }

    /// Returns a PDF whose first revision is signed.
    fn pdf(facts: &mut Facts) -> &mut PdfRevision {
        facts.signatures[0].signer_infos = vec![SignerInfo::default()];
        facts.signatures[0].pdf_revision.insert(revision([0, 100, 200, 100]).into())
    }

    /// Adds another signature.
    fn other(facts: &mut Facts, range: [i64; 4]) {
        pdf(facts);
        let pdf_revision = Some(revision(range).into());
        facts.signatures.push(Signature { id: Id::new("S2"), pdf_revision, ..Signature::default() });
    }

    /// Returns a later change of a form field.
    fn filled(facts: &mut Facts) -> &mut PdfRevision {
        let change = ObjectModification {
            action: ModificationAction::Modification,
            path: "/AcroForm".into(),
            field_name: Some("Name".into()),
            kind: None,
        };
        let objects = ObjectModifications { signature_or_form_fill: vec![change], ..Default::default() };
        let revision = pdf(facts);
        revision.modifications = Some(Modifications { objects: Some(objects), ..Default::default() });
        revision
    }

    /// Says which field was changed.
    fn name(revision: &mut PdfRevision, field: &str) {
        let objects = revision.modifications.get_or_insert_default().objects.get_or_insert_default();
        objects.signature_or_form_fill.iter_mut().for_each(|change| change.field_name = Some(field.into()));
    }

    fn lock(action: LockAction, field: &str) -> Option<Lock> {
        Some(Lock { action, fields: vec![field.into()], permissions: None })
    }

    #[test]
    fn byte_ranges() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("EN 319 142-1 §5", "one signature", |f| _ = pdf(f), "PASSED"),
                (
                    "ISO 32000-1 §12.8.1",
                    "bytes that nobody signed",
                    |f| pdf(f).byte_range_valid = Some(false),
                    "FAILED/FORMAT_FAILURE BBB_FC_IBRV_ANS",
                ),
                ("ISO 32000-1 §12.8.1", "a later revision", |f| other(f, [0, 400, 500, 100]), "PASSED"),
                (
                    "ISO 32000-1 §12.8.1",
                    "another hole behind this one",
                    |f| other(f, [0, 250, 280, 100]),
                    "PASSED BBB_FC_DBTOOST_ANS",
                ),
                (
                    "ISO 32000-1 §12.8.1",
                    "the same range twice",
                    |f| other(f, [0, 100, 200, 100]),
                    "PASSED BBB_FC_DBTOOST_ANS",
                ),
                (
                    "ISO 32000-1 §12.8.1",
                    "this hole behind another",
                    |f| other(f, [0, 50, 60, 400]),
                    "PASSED BBB_FC_DBTOOST_ANS",
                ),
                ("ISO 32000-1 §12.8.1", "a range beyond all numbers", |f| other(f, [1, i64::MAX, 0, 0]), "PASSED"),
                (
                    "EN 319 142-1 §5",
                    "two signer infos",
                    |f| {
                        pdf(f);
                        f.signatures[0].signer_infos.push(SignerInfo::default());
                    },
                    "FAILED/FORMAT_FAILURE BBB_FC_IOSIP_ANS",
                ),
                (
                    "ISO 32000-1 §12.8.1",
                    "the signature dictionary was changed later",
                    |f| pdf(f).dictionary_consistent = false,
                    "FAILED/FORMAT_FAILURE BBB_FC_ISDC_ANS",
                ),
            ],
        );
    }

    #[test]
    fn later_changes() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("ISO 32000-1 §12.8.2.2", "a form is filled", |f| _ = filled(f), "PASSED"),
                (
                    "ISO 32000-1 table 254",
                    "a form is filled, which is permitted",
                    |f| filled(f).doc_mdp = Some(Permission::MinimalChanges),
                    "PASSED",
                ),
                (
                    "ISO 32000-1 table 254",
                    "a form is filled, and no change is permitted",
                    |f| filled(f).doc_mdp = Some(Permission::NoChange),
                    "PASSED BBB_FC_ISVADMDPD_ANS",
                ),
                (
                    "ISO 32000-1 table 233",
                    "a locked field is filled",
                    |f| filled(f).field_mdp = lock(LockAction::Include, "Name"),
                    "PASSED BBB_FC_ISVAFMDPD_ANS",
                ),
                (
                    "ISO 32000-1 table 233",
                    "a field that is not locked is filled",
                    |f| filled(f).field_mdp = lock(LockAction::Include, "Other"),
                    "PASSED",
                ),
                (
                    "ISO 32000-1 §12.7.3.2",
                    "a field below a locked one is filled",
                    |f| {
                        let revision = filled(f);
                        revision.field_mdp = lock(LockAction::Include, "Person");
                        name(revision, "Person.Name");
                    },
                    "PASSED BBB_FC_ISVAFMDPD_ANS",
                ),
                (
                    "ISO 32000-1 §12.7.3.2",
                    "a field whose name begins like that of a locked one",
                    |f| {
                        let revision = filled(f);
                        revision.field_mdp = lock(LockAction::Include, "Per");
                        name(revision, "Person");
                    },
                    "PASSED",
                ),
                (
                    "ISO 32000-1 §12.7.3.2",
                    "a field below one that is not locked",
                    |f| {
                        let revision = filled(f);
                        revision.field_mdp = lock(LockAction::Exclude, "Person");
                        name(revision, "Person.Name");
                    },
                    "PASSED",
                ),
                (
                    "EN 319 142-1 §5.4.3",
                    "all fields are locked, and a time-stamp is added",
                    |f| {
                        let revision = filled(f);
                        revision.field_mdp = lock(LockAction::All, "");
                        let objects = revision.modifications.get_or_insert_default().objects.get_or_insert_default();
                        objects.extension = std::mem::take(&mut objects.signature_or_form_fill);
                    },
                    "PASSED",
                ),
                (
                    "ISO 32000-1 table 233",
                    "all fields but another are locked",
                    |f| filled(f).field_mdp = lock(LockAction::Exclude, "Other"),
                    "PASSED BBB_FC_ISVAFMDPD_ANS",
                ),
                (
                    "ISO 32000-1 table 232",
                    "the signature's own field locks all",
                    |f| {
                        let lock = lock(LockAction::All, "");
                        filled(f).fields = vec![SignatureField { name: "S".into(), lock }];
                    },
                    "PASSED BBB_FC_ISVASFLD_ANS",
                ),
                (
                    "EN 319 142-1 §5",
                    "pages were added",
                    |f| pdf(f).modifications.get_or_insert_default().page_differences = vec![2],
                    "FAILED/FORMAT_FAILURE BBB_FC_DSFREAP_ANS",
                ),
            ],
        );
    }
}
