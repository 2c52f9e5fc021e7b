//! `EvidenceRecord`.

use super::*;

pub(super) fn evidence_record<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<EvidenceRecord> {
    let (mut kind, mut origin) = (None, None);
    let mut record = EvidenceRecord {
        duplicated: pull.flag(element, "Duplicated")?.unwrap_or(false),
        embedded: pull.flag(element, "Embedded")?.unwrap_or(false),
        parent: optional_id(pull, element, "Parent")?,
        ..EvidenceRecord::new(id(pull, element, "Id")?, EvidenceRecordType::Xml, EvidenceRecordOrigin::External)
    };
    pull.children(|pull, child| {
        match child.name() {
            "DocumentName" => record.file = Some(text(pull)?),
            "Type" => kind = Some(pull.value()?),
            "Origin" => origin = Some(pull.value()?),
            "IncorporationType" => record.incorporation = Some(pull.value()?),
            "StructuralValidation" => record.structural_validation = Some(structural_validation(pull, child)?),
            "DigestMatchers" => list(pull, "DigestMatcher", &mut record.digest_matchers, digest_matcher)?,
            "EvidenceRecordTimestamps" => record.timestamps = references(pull, "Timestamp")?,
            "FoundCertificates" => record.found_certificates = found_certificates(pull)?,
            "FoundRevocations" => record.found_revocations = found_revocations(pull)?,
            "TimestampedObjects" => record.covered = covered(pull)?,
            "EvidenceRecordScopes" => record.scopes = scopes(pull)?,
            "Base64Encoded" => record.bytes = Some(bytes(pull)?),
            "DigestAlgoAndValue" => record.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    record.kind = kind.ok_or_else(|| pull.wrong_in(element, "<EvidenceRecord> has no <Type>"))?;
    record.origin = origin.ok_or_else(|| pull.wrong_in(element, "<EvidenceRecord> has no <Origin>"))?;
    Ok(record)
}
