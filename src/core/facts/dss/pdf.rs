//! `PDFRevision` and what is in it; `PDFAInfo`.

use super::*;

pub(super) fn pdfa<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<PdfA> {
    let mut pdfa = PdfA { compliant: pull.flag(element, "compliant")?.unwrap_or(false), ..PdfA::default() };
    pull.children(|pull, child| {
        match child.name() {
            "ProfileId" => pdfa.profile = text(pull)?,
            "ValidationMessages" => pdfa.messages = pull.texts("Error")?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(pdfa)
}

pub(super) fn revision(pull: &mut XmlReader<'_>) -> Result<PdfRevision> {
    let mut revision = PdfRevision::default();
    pull.children(|pull, child| {
        match child.name() {
            "SignatureField" => revision.fields.push(field(pull, child)?),
            "PDFSignatureDictionary" => dictionary(pull, child, &mut revision)?,
            "ModificationDetection" => revision.modifications = Some(modifications(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(revision)
}

fn field<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<SignatureField> {
    let mut field = SignatureField { name: pull.attribute(element, "name")?.unwrap_or_default(), lock: None };
    pull.children(|pull, child| {
        if child.name() == "SigFieldLock" {
            field.lock = Some(lock(pull, child)?);
        }
        Ok(())
    })?;
    Ok(field)
}

fn lock<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Lock> {
    let (mut action, mut fields, mut permissions) = (None, vec![], None);
    pull.children(|pull, child| {
        match child.name() {
            "Action" => action = Some(pull.value()?),
            "Field" => fields.push(text(pull)?),
            "Permissions" => permissions = Some(pull.value()?),
            _ => {}
        }
        Ok(())
    })?;
    let action = action.ok_or_else(|| pull.wrong_in(element, format!("<{}> has no <Action>", element.name())))?;
    Ok(Lock { action, fields, permissions })
}

fn dictionary<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>, revision: &mut PdfRevision) -> Result<()> {
    revision.dictionary_consistent = pull.flag(element, "consistent")?.unwrap_or(false);
    pull.children(|pull, child| {
        match child.name() {
            "SignerName" => revision.signer_name = Some(text(pull)?),
            "Type" => revision.dictionary_type = Some(text(pull)?),
            "Filter" => revision.filter = Some(text(pull)?),
            "SubFilter" => revision.sub_filter = Some(text(pull)?),
            "ContactInfo" => revision.contact_info = Some(text(pull)?),
            "Location" => revision.location = Some(text(pull)?),
            "Reason" => revision.reason = Some(text(pull)?),
            "SignatureByteRange" => {
                revision.byte_range_valid = pull.flag(child, "valid")?;
                revision.byte_range = pull.value_with(integers)?;
            }
            "DocMDP" => pull.children(|pull, child| {
                if child.name() == "Permissions" {
                    revision.doc_mdp = Some(pull.value()?);
                }
                Ok(())
            })?,
            "FieldMDP" => revision.field_mdp = Some(lock(pull, child)?),
            _ => {}
        }
        Ok(())
    })
}

/// Reads an `xs:list` of `xs:integer`.
pub(super) fn integers(text: &str) -> std::result::Result<Vec<i64>, String> {
    let number =
        |word: &str| word.parse().map_err(|_| format!("`{}` is not a number", crate::xml_reader::shortened(word)));
    text.split_ascii_whitespace().map(number).collect()
}

fn modifications(pull: &mut XmlReader<'_>) -> Result<Modifications> {
    let mut modifications = Modifications::default();
    pull.children(|pull, child| {
        let pages = match child.name() {
            "AnnotationOverlap" => &mut modifications.annotation_overlaps,
            "VisualDifference" => &mut modifications.visual_differences,
            "PageDifference" => &mut modifications.page_differences,
            "ObjectModifications" => {
                modifications.objects = Some(object_modifications(pull)?);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let page = pull.attribute_value(child, "Page")?;
        pages.push(page.ok_or_else(|| pull.wrong_in(child, format!("<{}> has no attribute `Page`", child.name())))?);
        Ok(())
    })?;
    Ok(modifications)
}

fn object_modifications(pull: &mut XmlReader<'_>) -> Result<ObjectModifications> {
    let mut objects = ObjectModifications::default();
    pull.children(|pull, child| {
        let category = match child.name() {
            "ExtensionChange" => &mut objects.extension,
            "SignatureOrFormFill" => &mut objects.signature_or_form_fill,
            "AnnotationChange" => &mut objects.annotation,
            "Undefined" => &mut objects.undefined,
            _ => return Ok(()),
        };
        let action = pull.attribute_value(child, "action")?;
        let action =
            action.ok_or_else(|| pull.wrong_in(child, format!("<{}> has no attribute `action`", child.name())))?;
        let field_name = pull.attribute(child, "fieldName")?;
        let kind = pull.attribute(child, "type")?;
        category.push(ObjectModification { action, path: text(pull)?, field_name, kind });
        Ok(())
    })?;
    Ok(objects)
}
