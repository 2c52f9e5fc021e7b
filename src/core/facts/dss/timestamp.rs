//! `Timestamp`.

use super::*;

pub(super) fn timestamp<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Timestamp> {
    let kind = pull.attribute_value(element, "Type")?;
    let kind = kind.ok_or_else(|| pull.wrong_in(element, "<Timestamp> has no attribute `Type`"))?;
    let mut production_time = None;
    let mut timestamp = Timestamp::new(id(pull, element, "Id")?, kind, Time::default());
    timestamp.duplicated = pull.flag(element, "Duplicated")?.unwrap_or(false);
    pull.children(|pull, child| {
        match child.name() {
            "TimestampFilename" => timestamp.file = Some(text(pull)?),
            "ArchiveTimestampType" => timestamp.archive_type = Some(pull.value()?),
            "EvidenceRecordTimestampType" => timestamp.evidence_record_type = Some(pull.value()?),
            "ArchiveTimestampHashIndex" => timestamp.hash_index = Some(hash_index(pull, child)?),
            "ProductionTime" => production_time = Some(pull.value()?),
            "DigestMatcher" => timestamp.digest_matchers.push(digest_matcher(pull, child)?),
            "BasicSignature" => timestamp.basic = basic_signature(pull)?,
            "SigningCertificate" => {
                let signer = signer(pull, child)?;
                timestamp.signing_certificate = signer.certificate;
                timestamp.signing_public_key = signer.public_key;
            }
            "CertificateChain" => timestamp.chain = chain(pull)?,
            "SignerInformationStore" => list(pull, "SignerInfo", &mut timestamp.signer_infos, signer_info)?,
            "TSAGeneralName" => timestamp.tsa_name = Some(tsa_name(pull, child)?),
            "PDFRevision" => timestamp.pdf_revision = Some(pdf::revision(pull)?.into()),
            "FoundCertificates" => timestamp.found_certificates = found_certificates(pull)?,
            "FoundRevocations" => timestamp.found_revocations = found_revocations(pull)?,
            "FoundEvidenceRecords" => timestamp.found_evidence_records = references(pull, "EvidenceRecord")?,
            "TimestampedObjects" => timestamp.covered = covered(pull)?,
            "TimestampScopes" => timestamp.scopes = scopes(pull)?,
            "Base64Encoded" => timestamp.bytes = Some(bytes(pull)?),
            "DigestAlgoAndValue" => timestamp.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    timestamp.production_time =
        production_time.ok_or_else(|| pull.wrong_in(element, "<Timestamp> has no <ProductionTime>"))?;
    Ok(timestamp)
}

fn hash_index<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<HashIndex> {
    let version = pull.attribute_value(element, "version")?;
    let StructuralValidation { valid, messages } = structural_validation(pull, element)?;
    Ok(HashIndex { version, valid, messages })
}

fn tsa_name<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<TsaName> {
    let content_match = pull.flag(element, "contentMatch")?.unwrap_or(false);
    let order_match = pull.flag(element, "orderMatch")?.unwrap_or(false);
    Ok(TsaName { name: text(pull)?, content_match, order_match })
}
