//! What tokens of every kind share.

use super::*;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::xml_reader::shortened;
use base64::Engine as _;

/// Returns the element's text.
pub(super) fn text(pull: &mut XmlReader<'_>) -> Result<String> {
    Ok(pull.text()?.into_owned())
}

/// Reads every child named `name` into `all`.
pub(super) fn list<'a, T>(
    pull: &mut XmlReader<'a>,
    name: &str,
    all: &mut Vec<T>,
    read: impl Fn(&mut XmlReader<'a>, &Element<'a>) -> Result<T>,
) -> Result<()> {
    pull.children(|pull, child| {
        if child.name() == name {
            all.push(read(pull, child)?);
        }
        Ok(())
    })
}

/// Returns the token that an attribute names.
pub(super) fn id<'a>(pull: &XmlReader<'a>, element: &Element<'a>, attribute: &str) -> Result<Id> {
    pull.required_with(element, attribute, |name| Id::new(name))
}

/// Returns the token that an attribute names, where it does.
pub(super) fn optional_id<'a>(pull: &XmlReader<'a>, element: &Element<'a>, attribute: &str) -> Result<Option<Id>> {
    pull.attribute_with(element, attribute, |name| Id::new(name))
}

/// Reads an `xs:base64Binary`.
pub(super) fn bytes(pull: &mut XmlReader<'_>) -> Result<Bytes> {
    pull.value_with(|text| {
        let engine = base64::engine::general_purpose::STANDARD;
        let decoded = if text.contains(|c: char| c.is_ascii_whitespace()) {
            engine.decode(text.split_ascii_whitespace().collect::<String>())
        } else {
            engine.decode(text)
        };
        decoded.map(Bytes).map_err(|_| format!("`{}` is not Base64", shortened(text)))
    })
}

/// Reads a digest function; `None` for one that we do not know, which no policy accepts.
pub(super) fn digest_algorithm(pull: &mut XmlReader<'_>) -> Result<Option<DigestAlgorithm>> {
    Ok(DigestAlgorithm::from_name(pull.text()?.trim()))
}

/// Reads a key algorithm; `None` for one that we do not know, which no policy accepts.
pub(super) fn key_algorithm(pull: &mut XmlReader<'_>) -> Result<Option<KeyAlgorithm>> {
    Ok(KeyAlgorithm::from_name(pull.text()?.trim()))
}

/// Reads one child of `DigestAlgoAndValue`.
fn digest_part(pull: &mut XmlReader<'_>, child: &Element<'_>, digest: &mut Digest) -> Result<()> {
    match child.name() {
        "DigestMethod" => digest.algorithm = digest_algorithm(pull)?,
        "DigestValue" => digest.value = bytes(pull)?,
        _ => {}
    }
    Ok(())
}

/// Reads a `DigestAlgoAndValue`.
pub(super) fn digest(pull: &mut XmlReader<'_>) -> Result<Digest> {
    let mut digest = Digest::default();
    pull.children(|pull, child| digest_part(pull, child, &mut digest))?;
    Ok(digest)
}

/// Reads a `DigestMatcher`.
pub(super) fn digest_matcher<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Shared<DigestMatcher>> {
    let kind = pull.required_with(element, "type", |word| match word {
        // DSS 6.5 renamed the word.
        "JWS_SIGNING_INPUT" => Ok(MatcherType::JwsSigningInput),
        _ => word.parse(),
    })?;
    let text = |pull: &mut XmlReader<'_>, name: &str| Ok(pull.attribute(element, name)?.map(Into::into));
    let mut matcher = DigestMatcher {
        kind: kind.map_err(|error| pull.wrong_in(element, format!("{error}")))?,
        digest: Digest::default(),
        data_found: false,
        data_intact: false,
        id: text(pull, "id")?,
        uri: text(pull, "uri")?,
        document_name: text(pull, "documentName")?,
        object_references: vec![],
        duplicated: pull.flag(element, "duplicated")?.unwrap_or(false),
    };
    pull.children(|pull, child| {
        match child.name() {
            "DataFound" => matcher.data_found = pull.boolean()?,
            "DataIntact" => matcher.data_intact = pull.boolean()?,
            "DataObjectReferences" => matcher.object_references = pull.texts("ObjectReference")?,
            _ => digest_part(pull, child, &mut matcher.digest)?,
        }
        Ok(())
    })?;
    Ok(matcher.into())
}

/// Reads a `BasicSignature`.
pub(super) fn basic_signature(pull: &mut XmlReader<'_>) -> Result<BasicSignature> {
    let mut basic = BasicSignature::default();
    pull.children(|pull, child| {
        match child.name() {
            "EncryptionAlgoUsedToSignThisToken" => basic.key_algorithm = key_algorithm(pull)?,
            // DSS writes `?` for a length that it does not know.
            "KeyLengthUsedToSignThisToken" => basic.key_length = pull.text()?.trim().parse().ok(),
            "DigestAlgoUsedToSignThisToken" => basic.digest_algorithm = digest_algorithm(pull)?,
            "SignatureIntact" => basic.intact = pull.boolean()?,
            "SignatureValid" => basic.valid = pull.boolean()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(basic)
}

/// Who signed a token.
#[derive(Default)]
pub(super) struct Signer {
    pub certificate: Option<Id>,
    pub public_key: Option<Bytes>,
}

/// Reads a `SigningCertificate`.
pub(super) fn signer<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Signer> {
    let mut signer = Signer { certificate: optional_id(pull, element, "Certificate")?, public_key: None };
    pull.children(|pull, child| {
        if child.name() == "PublicKey" {
            signer.public_key = Some(bytes(pull)?);
        }
        Ok(())
    })?;
    Ok(signer)
}

/// Reads a `CertificateChain`.
pub(super) fn chain(pull: &mut XmlReader<'_>) -> Result<Vec<Id>> {
    let mut chain = vec![];
    list(pull, "ChainItem", &mut chain, |pull, child| id(pull, child, "Certificate"))?;
    Ok(chain)
}

/// Reads a `StructuralValidation` and what extends it.
pub(super) fn structural_validation<'a>(
    pull: &mut XmlReader<'a>,
    element: &Element<'a>,
) -> Result<StructuralValidation> {
    let valid = pull.flag(element, "valid")?.unwrap_or(false);
    Ok(StructuralValidation { valid, messages: pull.texts("Message")? })
}

/// Reads a `SignerInfo`, also as `SerialInfo` and `ResponderId`.
pub(super) fn signer_info<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<SignerInfo> {
    let mut info = SignerInfo { current: pull.flag(element, "Current")?, ..SignerInfo::default() };
    pull.children(|pull, child| {
        match child.name() {
            "IssuerName" => info.issuer = Some(text(pull)?),
            "SerialNumber" => info.serial = Some(text(pull)?),
            "Ski" => info.ski = Some(bytes(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(info)
}

/// Reads `FoundCertificates`.
pub(super) fn found_certificates(pull: &mut XmlReader<'_>) -> Result<Vec<Shared<FoundCertificate>>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        match child.name() {
            "RelatedCertificate" => {
                let certificate = id(pull, child, "Certificate")?;
                all.push(found_certificate(pull, certificate, false)?.into());
            }
            "OrphanCertificate" => {
                let certificate = id(pull, child, "Token")?;
                all.push(found_certificate(pull, certificate, true)?.into());
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(all)
}

fn found_certificate(pull: &mut XmlReader<'_>, certificate: Id, orphan: bool) -> Result<FoundCertificate> {
    let mut found = FoundCertificate { certificate, orphan, ..FoundCertificate::default() };
    pull.children(|pull, child| {
        match child.name() {
            "Origin" => found.origins.push(pull.value()?),
            "CertificateRef" => found.references.push(certificate_ref(pull, child)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn certificate_ref<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<CertificateRef> {
    let mut origin = None;
    let mut reference = CertificateRef::new(CertificateRefOrigin::SigningCertificate);
    pull.children(|pull, child| {
        match child.name() {
            "Origin" => origin = Some(pull.value()?),
            "IssuerSerial" => {
                reference.issuer_serial_match = pull.flag(child, "match")?;
                reference.issuer_serial = Some(bytes(pull)?);
            }
            "DigestAlgoAndValue" => {
                reference.digest_match = pull.flag(child, "match")?;
                reference.digest = Some(digest(pull)?);
            }
            "SerialInfo" => reference.signer = Some(signer_info(pull, child)?),
            "X509Url" => reference.x509_url = Some(text(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    reference.origin = origin.ok_or_else(|| pull.wrong_in(element, "<CertificateRef> has no <Origin>"))?;
    Ok(reference)
}

/// Reads `FoundRevocations`.
pub(super) fn found_revocations(pull: &mut XmlReader<'_>) -> Result<Vec<FoundRevocation>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        let (attribute, orphan) = match child.name() {
            "RelatedRevocation" => ("Revocation", false),
            "OrphanRevocation" => ("Token", true),
            _ => return Ok(()),
        };
        let revocation = id(pull, child, attribute)?;
        let (mut kind, mut origins, mut references) = (None, vec![], vec![]);
        pull.children(|pull, child| {
            match child.name() {
                "Type" => kind = Some(pull.value()?),
                "Origin" => origins.push(pull.value()?),
                "RevocationRef" => references.push(revocation_ref(pull)?),
                _ => {}
            }
            Ok(())
        })?;
        let kind = kind.ok_or_else(|| pull.wrong_in(child, format!("<{}> has no <Type>", child.name())))?;
        all.push(FoundRevocation { revocation, orphan, kind, origins, references });
        Ok(())
    })?;
    Ok(all)
}

fn revocation_ref(pull: &mut XmlReader<'_>) -> Result<RevocationRef> {
    let mut reference = RevocationRef::default();
    pull.children(|pull, child| {
        match child.name() {
            "Origin" => reference.origins.push(pull.value()?),
            "ProducedAt" => reference.produced_at = Some(pull.value()?),
            "ResponderId" => reference.responder = Some(signer_info(pull, child)?),
            "DigestAlgoAndValue" => reference.digest = Some(digest(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(reference)
}

/// Returns the ids in the attribute `attribute` of every child: `FoundTimestamps`, `FoundEvidenceRecords`.
pub(super) fn references(pull: &mut XmlReader<'_>, attribute: &str) -> Result<Vec<Id>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        all.push(id(pull, child, attribute)?);
        Ok(())
    })?;
    Ok(all)
}

/// Reads `SignatureScopes` and its like.
pub(super) fn scopes(pull: &mut XmlReader<'_>) -> Result<Vec<Shared<Scope>>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        all.push(scope(pull, child)?.into());
        Ok(())
    })?;
    Ok(all)
}

fn scope<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Scope> {
    let signed_data = id(pull, element, "SignerData")?;
    let mut kind = None;
    let mut scope =
        Scope { kind: ScopeType::Full, name: None, description: String::new(), transformations: vec![], signed_data };
    pull.children(|pull, child| {
        match child.name() {
            "Scope" => kind = Some(pull.value()?),
            "Name" => scope.name = Some(text(pull)?),
            "Description" => scope.description = text(pull)?,
            "Transformations" => scope.transformations = pull.texts("Transformation")?,
            _ => {}
        }
        Ok(())
    })?;
    scope.kind = kind.ok_or_else(|| pull.wrong_in(element, format!("<{}> has no <Scope>", element.name())))?;
    Ok(scope)
}

/// Reads `TimestampedObjects`.
pub(super) fn covered(pull: &mut XmlReader<'_>) -> Result<Vec<Covered>> {
    let mut all = vec![];
    list(pull, "TimestampedObject", &mut all, |pull, child| {
        let category = pull.attribute_value(child, "Category")?;
        let kind = category.ok_or_else(|| pull.wrong_in(child, "<TimestampedObject> has no attribute `Category`"))?;
        Ok(Covered { kind, id: id(pull, child, "Token")? })
    })?;
    Ok(all)
}

/// Reads a `DistinguishedName`, which comes once for each form.
pub(super) fn name_form<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>, name: &mut NameForms) -> Result<()> {
    match pull.attribute(element, "Format")?.as_deref() {
        Some("CANONICAL") => name.canonical = text(pull)?,
        Some("RFC2253") => name.rfc2253 = text(pull)?,
        _ => {}
    }
    Ok(())
}
