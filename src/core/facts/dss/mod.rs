//! Reads DSS's diagnostic data (`DiagnosticData.xsd` of DSS 5.x to 6.5) into [`Facts`].
//!
//! One function a type of the schema. Elements that no judgement reads, and
//! those of versions to come, are skipped; a word, number or date that cannot be
//! understood is an error with its place, since a fact silently dropped could
//! turn a verdict.

mod certificate;
mod evidence_record;
mod extensions;
mod material;
mod pdf;
mod revocation;
mod signature;
mod timestamp;
mod trust;

use super::*;
use crate::xml_reader::{Element, Error, XmlReader};
use material::*;

type Result<T> = std::result::Result<T, Error>;

/// Returns the facts in the diagnostic data `text`.
pub(super) fn read(text: &str, nesting: usize) -> Result<Facts> {
    let mut pull = XmlReader::new(text, nesting);
    let root = pull.root()?;
    if root.name() != "DiagnosticData" {
        let what = format!("found the root element <{}>, expected DSS's <DiagnosticData>", root.name());
        return Err(pull.wrong_in(&root, what));
    }
    let facts = diagnostic_data(&mut pull)?;
    pull.end()?;
    Ok(facts)
}

fn diagnostic_data(pull: &mut XmlReader<'_>) -> Result<Facts> {
    let mut facts = Facts::default();
    pull.children(|pull, child| {
        match child.name() {
            "DocumentName" => facts.document.name = Some(text(pull)?),
            "ValidationDate" => facts.validation_time = Some(pull.value()?),
            "ContainerInfo" => facts.container = Some(container(pull)?),
            "PDFAInfo" => facts.pdfa = Some(pdf::pdfa(pull, child)?),
            "ConnectionInfo" => facts.connection = Some(connection(pull, child)?),
            "Signatures" => list(pull, "Signature", &mut facts.signatures, signature::signature)?,
            "EvidenceRecords" => {
                list(pull, "EvidenceRecord", &mut facts.evidence_records, evidence_record::evidence_record)?
            }
            "UsedCertificates" => list(pull, "Certificate", &mut facts.certificates, certificate::certificate)?,
            "UsedRevocations" => list(pull, "Revocation", &mut facts.revocations, revocation::revocation)?,
            "UsedTimestamps" => list(pull, "Timestamp", &mut facts.timestamps, timestamp::timestamp)?,
            "OrphanTokens" => pull.children(|pull, child| {
                match child.name() {
                    "OrphanCertificate" => facts.orphan_certificates.push(certificate::orphan(pull, child)?),
                    "OrphanRevocation" => facts.orphan_revocations.push(revocation::orphan(pull, child)?),
                    _ => {}
                }
                Ok(())
            })?,
            "OriginalDocuments" => list(pull, "SignerData", &mut facts.signed_data, signed_data)?,
            "TrustedLists" => list(pull, "TrustedList", &mut facts.trusted_lists, trust::trusted_list)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(facts)
}

fn container(pull: &mut XmlReader<'_>) -> Result<Container> {
    let mut container = Container::default();
    pull.children(|pull, child| {
        match child.name() {
            "ContainerType" => container.kind = Some(pull.value()?),
            "ZipComment" => container.zip_comment = Some(text(pull)?),
            "MimeTypeFilePresent" => container.mimetype_present = pull.boolean()?,
            "MimeTypeContent" => container.mimetype = Some(text(pull)?),
            "ManifestFiles" => list(pull, "ManifestFile", &mut container.manifests, manifest)?,
            "ContentFiles" => container.contents = pull.texts("ContentFile")?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(container)
}

fn manifest(pull: &mut XmlReader<'_>, _: &Element<'_>) -> Result<Manifest> {
    let mut manifest = Manifest::default();
    pull.children(|pull, child| {
        match child.name() {
            "Filename" => manifest.file = text(pull)?,
            "SignatureFilename" => manifest.signature_file = Some(text(pull)?),
            "Entries" => manifest.entries = pull.texts("Entry")?.into_iter().map(Into::into).collect(),
            _ => {}
        }
        Ok(())
    })?;
    Ok(manifest)
}

fn connection<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Connection> {
    let mut connection = Connection { url: pull.required(element, "url")?, ..Connection::default() };
    pull.children(|pull, child| {
        match child.name() {
            "TLSCertificate" => connection.tls_certificate = Some(id(pull, child, "Certificate")?),
            "TLSCertificateBindingUrl" => connection.binding_url = Some(text(pull)?),
            "TLSCertificateBindingSignature" => connection.binding_signature = Some(id(pull, child, "Signature")?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(connection)
}

fn signed_data<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<SignedData> {
    let mut data = SignedData {
        id: id(pull, element, "Id")?,
        parent: optional_id(pull, element, "Parent")?,
        ..SignedData::default()
    };
    pull.children(|pull, child| {
        match child.name() {
            "ReferencedName" => data.name = Some(text(pull)?),
            "DigestAlgoAndValue" => data.digest = digest(pull)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(data)
}
