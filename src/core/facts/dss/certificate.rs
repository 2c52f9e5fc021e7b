//! `Certificate` and `OrphanCertificateToken`.

use super::*;

pub(super) fn certificate<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Certificate> {
    let (mut not_before, mut not_after) = (None, None);
    let mut certificate = Certificate {
        id: id(pull, element, "Id")?,
        duplicated: pull.flag(element, "Duplicated")?.unwrap_or(false),
        ..Certificate::default()
    };
    pull.children(|pull, child| {
        let c = &mut certificate;
        match child.name() {
            "SubjectDistinguishedName" => name_form(pull, child, &mut c.subject)?,
            "IssuerDistinguishedName" => name_form(pull, child, &mut c.issuer)?,
            "SerialNumber" => c.serial = text(pull)?,
            "SubjectSerialNumber" => c.attributes.serial_number = Some(text(pull)?),
            "CommonName" => c.attributes.common_name = Some(text(pull)?),
            "Locality" => c.attributes.locality = Some(text(pull)?),
            "State" => c.attributes.state = Some(text(pull)?),
            "CountryName" => c.attributes.country = Some(text(pull)?),
            "OrganizationIdentifier" => c.attributes.organization_identifier = Some(text(pull)?),
            "OrganizationName" => c.attributes.organization = Some(text(pull)?),
            "OrganizationalUnit" => c.attributes.organizational_unit = Some(text(pull)?),
            "Title" => c.attributes.title = Some(text(pull)?),
            "GivenName" => c.attributes.given_name = Some(text(pull)?),
            "Surname" => c.attributes.surname = Some(text(pull)?),
            "Pseudonym" => c.attributes.pseudonym = Some(text(pull)?),
            "Email" => c.attributes.email = Some(text(pull)?),
            "Sources" => list(pull, "Source", &mut c.sources, |pull, _| pull.value())?,
            "NotAfter" => not_after = Some(pull.value()?),
            "NotBefore" => not_before = Some(pull.value()?),
            "PublicKeySize" => c.public_key_length = pull.text()?.trim().parse().ok(),
            "PublicKeyEncryptionAlgo" => c.public_key_algorithm = key_algorithm(pull)?,
            "EntityKey" => c.entity_key = text(pull)?,
            "IssuerEntityKey" => c.issuer_entity_key = Some(issuer_entity_key(pull, child)?),
            "BasicSignature" => c.basic = basic_signature(pull)?,
            "SigningCertificate" => {
                let signer = signer(pull, child)?;
                c.signing_certificate = signer.certificate;
                c.signing_public_key = signer.public_key;
            }
            "CertificateChain" => c.chain = chain(pull)?,
            "Trusted" => c.trust = trust(pull, child)?,
            "SelfSigned" => c.self_signed = pull.boolean()?,
            "CertificateExtensions" => c.extensions = extensions::extensions(pull)?.into(),
            "TrustServiceProviders" => {
                list(pull, "TrustServiceProvider", &mut c.trust_service_providers, trust::provider)?
            }
            "Revocations" => {
                list(pull, "CertificateRevocation", &mut c.revocations, revocation::certificate_revocation)?
            }
            "Base64Encoded" => c.bytes = Some(bytes(pull)?),
            "DigestAlgoAndValue" => c.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    certificate.not_before = not_before.ok_or_else(|| pull.wrong_in(element, "<Certificate> has no <NotBefore>"))?;
    certificate.not_after = not_after.ok_or_else(|| pull.wrong_in(element, "<Certificate> has no <NotAfter>"))?;
    Ok(certificate)
}

fn issuer_entity_key<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<IssuerEntityKey> {
    let key = pull.flag(element, "key")?.unwrap_or(false);
    let subject_name = pull.flag(element, "subjectName")?.unwrap_or(false);
    Ok(IssuerEntityKey { entity_key: text(pull)?, key, subject_name })
}

fn trust<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Trust> {
    let start = pull.attribute_value(element, "startDate")?;
    let sunset = pull.attribute_value(element, "sunsetDate")?;
    Ok(Trust { trusted: pull.boolean()?, start, sunset })
}

pub(super) fn orphan<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<OrphanCertificate> {
    let encapsulation = pull.attribute_value(element, "EncapsulationType")?.unwrap_or(Encapsulation::Binaries);
    let mut orphan = OrphanCertificate::new(id(pull, element, "Id")?, encapsulation);
    pull.children(|pull, child| {
        match child.name() {
            "SubjectDistinguishedName" => name_form(pull, child, orphan.subject.get_or_insert_default())?,
            "IssuerDistinguishedName" => name_form(pull, child, orphan.issuer.get_or_insert_default())?,
            "SerialNumber" => orphan.serial = Some(text(pull)?),
            "NotAfter" => orphan.not_after = Some(pull.value()?),
            "NotBefore" => orphan.not_before = Some(pull.value()?),
            "EntityKey" => orphan.entity_key = Some(text(pull)?),
            "Trusted" => orphan.trusted = Some(pull.boolean()?),
            "SelfSigned" => orphan.self_signed = Some(pull.boolean()?),
            "Base64Encoded" => orphan.bytes = Some(bytes(pull)?),
            "DigestAlgoAndValue" => orphan.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(orphan)
}
