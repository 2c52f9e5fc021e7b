//! `Signature`.

use super::*;

pub(super) fn signature<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Signature> {
    let mut signature = Signature {
        id: id(pull, element, "Id")?,
        duplicated: pull.flag(element, "Duplicated")?.unwrap_or(false),
        counter_signature: pull.flag(element, "CounterSignature")?.unwrap_or(false),
        parent: optional_id(pull, element, "Parent")?,
        ..Signature::default()
    };
    pull.children(|pull, child| {
        match child.name() {
            "DAIdentifier" => signature.da_identifier = Some(text(pull)?),
            "SignatureFilename" => signature.file = text(pull)?,
            "ErrorMessage" => signature.error = Some(text(pull)?),
            "ClaimedSigningTime" => signature.claimed_signing_time = Some(pull.value()?),
            "ExpirationTime" => signature.expiration_time = Some(pull.value()?),
            "SignatureFormat" => signature.level = Some(pull.value()?),
            "JWSSerializationType" => signature.jws_serialization = Some(pull.value()?),
            "SignatureType" => signature.signature_type = Some(text(pull)?),
            "StructuralValidation" => signature.structural_validation = Some(structural_validation(pull, child)?),
            "DigestMatchers" => list(pull, "DigestMatcher", &mut signature.digest_matchers, digest_matcher)?,
            "BasicSignature" => signature.basic = basic_signature(pull)?,
            "SigningCertificate" => {
                let signer = signer(pull, child)?;
                signature.signing_certificate = signer.certificate;
                signature.signing_public_key = signer.public_key;
            }
            "CertificateChain" => signature.chain = chain(pull)?,
            "ContentType" => signature.content_type = Some(text(pull)?),
            "MimeType" => signature.mime_type = Some(text(pull)?),
            "ContentIdentifier" => signature.content_identifier = Some(text(pull)?),
            "ContentHints" => signature.content_hints = Some(text(pull)?),
            "SignatureProductionPlace" => signature.production_place = Some(production_place(pull)?),
            "CommitmentTypeIndications" => {
                list(pull, "CommitmentTypeIndication", &mut signature.commitments, commitment)?
            }
            "SignerRole" => signature.roles.push(role(pull, child)?),
            "Policy" => signature.policy = Some(policy(pull)?),
            "SignaturePolicyStore" => signature.policy_store = Some(policy_store(pull)?),
            "SignerInformationStore" => list(pull, "SignerInfo", &mut signature.signer_infos, signer_info)?,
            "PDFRevision" => signature.pdf_revision = Some(pdf::revision(pull)?.into()),
            "VRIDictionaryCreationTime" => signature.vri_creation_time = Some(pull.value()?),
            "SignerDocumentRepresentations" => {
                signature.hash_only = pull.flag(child, "HashOnly")?;
                signature.document_hash_only = pull.flag(child, "DocHashOnly")?;
            }
            "FoundCertificates" => signature.found_certificates = found_certificates(pull)?,
            "FoundRevocations" => signature.found_revocations = found_revocations(pull)?,
            "FoundTimestamps" => signature.found_timestamps = references(pull, "Timestamp")?,
            "FoundEvidenceRecords" => signature.found_evidence_records = references(pull, "EvidenceRecord")?,
            "SignatureScopes" => signature.scopes = scopes(pull)?,
            "SignatureDigestReference" => signature.digest_reference = Some(digest_reference(pull)?),
            "DataToBeSignedRepresentation" => signature.data_to_be_signed = Some(digest(pull)?),
            "SignatureValue" => signature.value = bytes(pull)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(signature)
}

fn production_place(pull: &mut XmlReader<'_>) -> Result<ProductionPlace> {
    let mut place = ProductionPlace::default();
    pull.children(|pull, child| {
        match child.name() {
            "PostalAddress" => place.postal_address.push(text(pull)?),
            "City" => place.city = Some(text(pull)?),
            "StateOrProvince" => place.state = Some(text(pull)?),
            "PostOfficeBoxNumber" => place.post_office_box = Some(text(pull)?),
            "PostalCode" => place.postal_code = Some(text(pull)?),
            "CountryName" => place.country = Some(text(pull)?),
            "StreetAddress" => place.street_address = Some(text(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(place)
}

fn commitment(pull: &mut XmlReader<'_>, _: &Element<'_>) -> Result<Commitment> {
    let mut commitment = Commitment::default();
    pull.children(|pull, child| {
        match child.name() {
            "Identifier" => commitment.identifier = text(pull)?,
            "Description" => commitment.description = Some(text(pull)?),
            "DocumentationReferences" => commitment.documentation = pull.texts("DocumentationReference")?,
            "ObjectReferences" => commitment.object_references = pull.texts("ObjectReference")?,
            "AllDataSignedObjects" => commitment.all_data = Some(pull.boolean()?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(commitment)
}

fn role<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<SignerRole> {
    let category = pull.attribute_value(element, "Category")?;
    let category = category.ok_or_else(|| pull.wrong_in(element, "<SignerRole> has no attribute `Category`"))?;
    let mut role = SignerRole::new(String::new(), category);
    pull.children(|pull, child| {
        match child.name() {
            "Role" => role.role = text(pull)?,
            "NotBefore" => role.not_before = Some(pull.value()?),
            "NotAfter" => role.not_after = Some(pull.value()?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(role)
}

fn policy(pull: &mut XmlReader<'_>) -> Result<SignaturePolicy> {
    let mut policy = SignaturePolicy::default();
    pull.children(|pull, child| {
        match child.name() {
            "Id" => policy.id = text(pull)?,
            "Url" => policy.url = Some(text(pull)?),
            "UserNotice" => policy.user_notice = Some(user_notice(pull)?),
            "DocSpecification" => policy.document_specification = Some(document_specification(pull)?),
            "Description" => policy.description = Some(text(pull)?),
            "Identified" => policy.identified = pull.boolean()?,
            "Asn1Processable" => policy.asn1_processable = Some(pull.boolean()?),
            "Transformations" => policy.transformations = pull.texts("Transformation")?,
            "DocumentationReferences" => policy.documentation = pull.texts("DocumentationReference")?,
            "ProcessingError" => policy.processing_error = Some(text(pull)?),
            "DigestAlgoAndValue" => {
                policy.digest_match = pull.flag(child, "match")?;
                policy.digest_algorithms_equal = pull.flag(child, "digestAlgorithmsEqual")?;
                policy.zero_hash = pull.flag(child, "zeroHash")?.unwrap_or(false);
                policy.digest = Some(digest(pull)?);
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(policy)
}

fn user_notice(pull: &mut XmlReader<'_>) -> Result<UserNotice> {
    let mut notice = UserNotice::default();
    pull.children(|pull, child| {
        match child.name() {
            "Organization" => notice.organization = Some(text(pull)?),
            "NoticeNumbers" => notice.notice_numbers = pull.value_with(pdf::integers)?,
            "ExplicitText" => notice.explicit_text = Some(text(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(notice)
}

/// Reads one child of `SPDocSpecification`.
fn specification_part(
    pull: &mut XmlReader<'_>,
    child: &Element<'_>,
    specification: &mut DocumentSpecification,
) -> Result<()> {
    match child.name() {
        "Id" => specification.id = text(pull)?,
        "Description" => specification.description = Some(text(pull)?),
        "DocumentationReferences" => specification.documentation = pull.texts("DocumentationReference")?,
        _ => {}
    }
    Ok(())
}

fn document_specification(pull: &mut XmlReader<'_>) -> Result<DocumentSpecification> {
    let mut specification = DocumentSpecification::default();
    pull.children(|pull, child| specification_part(pull, child, &mut specification))?;
    Ok(specification)
}

fn policy_store(pull: &mut XmlReader<'_>) -> Result<SignaturePolicyStore> {
    let mut store = SignaturePolicyStore::default();
    pull.children(|pull, child| {
        match child.name() {
            "SigPolDocLocalURI" => store.local_uri = Some(text(pull)?),
            "DigestAlgoAndValue" => store.digest = Some(digest(pull)?),
            _ => specification_part(pull, child, &mut store.specification)?,
        }
        Ok(())
    })?;
    Ok(store)
}

fn digest_reference(pull: &mut XmlReader<'_>) -> Result<SignatureDigestReference> {
    let mut reference = SignatureDigestReference::default();
    pull.children(|pull, child| {
        match child.name() {
            "CanonicalizationMethod" => reference.canonicalization = Some(text(pull)?),
            "DigestMethod" => reference.digest.algorithm = digest_algorithm(pull)?,
            "DigestValue" => reference.digest.value = bytes(pull)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(reference)
}
