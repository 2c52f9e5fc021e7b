//! `Revocation`, `OrphanRevocationToken` and `CertificateRevocation`.

use super::*;

pub(super) fn revocation<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Revocation> {
    let mut kind = None;
    let mut revocation = Revocation::new(id(pull, element, "Id")?, RevocationType::Crl);
    revocation.duplicated = pull.flag(element, "Duplicated")?.unwrap_or(false);
    pull.children(|pull, child| {
        match child.name() {
            "Origin" => revocation.origin = Some(pull.value()?),
            "Type" => kind = Some(pull.value()?),
            "SourceAddress" => revocation.source_address = Some(text(pull)?),
            "ProductionDate" => revocation.production_date = Some(pull.value()?),
            "ThisUpdate" => revocation.this_update = Some(pull.value()?),
            "NextUpdate" => revocation.next_update = Some(pull.value()?),
            "ExpiredCertsOnCRL" => revocation.expired_certs_on_crl = Some(pull.value()?),
            "ArchiveCutOff" => revocation.archive_cutoff = Some(pull.value()?),
            "CertHashExtensionPresent" => revocation.cert_hash_present = pull.boolean()?,
            "CertHashExtensionMatch" => revocation.cert_hash_match = pull.boolean()?,
            "BasicSignature" => revocation.basic = basic_signature(pull)?,
            "SigningCertificate" => {
                let signer = signer(pull, child)?;
                revocation.signing_certificate = signer.certificate;
                revocation.signing_public_key = signer.public_key;
            }
            "CertificateChain" => revocation.chain = chain(pull)?,
            "FoundCertificates" => revocation.found_certificates = found_certificates(pull)?,
            "Base64Encoded" => revocation.bytes = Some(bytes(pull)?),
            "DigestAlgoAndValue" => revocation.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    revocation.kind = kind.ok_or_else(|| pull.wrong_in(element, "<Revocation> has no <Type>"))?;
    Ok(revocation)
}

pub(super) fn orphan<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<OrphanRevocation> {
    let id = id(pull, element, "Id")?;
    let encapsulation = pull.attribute_value(element, "EncapsulationType")?.unwrap_or(Encapsulation::Binaries);
    let (mut kind, mut encoded, mut hashed) = (None, None, None);
    pull.children(|pull, child| {
        match child.name() {
            "RevocationType" => kind = Some(pull.value()?),
            "Base64Encoded" => encoded = Some(bytes(pull)?),
            "DigestAlgoAndValue" => hashed = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    let kind = kind.ok_or_else(|| pull.wrong_in(element, "<OrphanRevocation> has no <RevocationType>"))?;
    Ok(OrphanRevocation { id, encapsulation, kind, bytes: encoded, digest: hashed })
}

pub(super) fn certificate_revocation<'a>(
    pull: &mut XmlReader<'a>,
    element: &Element<'a>,
) -> Result<CertificateRevocation> {
    let revocation = id(pull, element, "Revocation")?;
    let (mut status, mut reason, mut revocation_date) = (None, None, None);
    pull.children(|pull, child| {
        match child.name() {
            "Status" => status = Some(pull.value()?),
            "Reason" => reason = Some(pull.value()?),
            "RevocationDate" => revocation_date = Some(pull.value()?),
            _ => {}
        }
        Ok(())
    })?;
    let status = status.ok_or_else(|| pull.wrong_in(element, "<CertificateRevocation> has no <Status>"))?;
    Ok(CertificateRevocation { revocation, status, reason, revocation_date, invalidity_date: None })
}
