//! How an ASiC container is put together: EN 319 162-1 §4.

use super::check;
use crate::facts::{
    Container, ContainerType, Covered, CoveredKind, Manifest, ScopeType, Signature, SignatureForm, Timestamp,
};
use crate::policy::{Context, Place, RuleName};
use crate::validation::case::Case;
use crate::validation::engine::{Concluded, Steps, ask};
use std::collections::BTreeSet;

/// Checks what the container says of itself.
pub(super) fn container(case: &Case<'_>, steps: &mut Steps, container: &Container) -> Result<(), Concluded> {
    let rule = |name| case.rule(Place::Container, name);
    let types = rule(RuleName::AcceptableContainerTypes);
    let accepted = container.kind.zip(types).is_some_and(|(kind, rule)| rule.accepts(kind.as_str()));
    check(steps, types, ask!("BBB_FC_IECTF"), accepted)?;

    // §A.1: the media type as the comment of the ZIP file,
    let comment = container.zip_comment.as_deref().filter(|comment| !comment.trim().is_empty());
    check(steps, rule(RuleName::ZipCommentPresent), ask!("BBB_FC_ITZCP"), comment.is_some())?;
    if let Some(comment) = comment {
        let comments = rule(RuleName::AcceptableZipComment);
        check(steps, comments, ask!("BBB_FC_ITEZCF"), comments.is_some_and(|rule| rule.accepts(comment)))?;
    }
    // or as an entry of its own.
    check(steps, rule(RuleName::MimeTypeFilePresent), ask!("BBB_FC_ITMFP"), container.mimetype_present)?;
    if container.mimetype_present {
        let contents = rule(RuleName::AcceptableMimeTypeFileContent);
        let content = container.mimetype.as_deref().filter(|content| !content.is_empty());
        let accepted = content.zip(contents).is_some_and(|(content, rule)| rule.accepts(content));
        check(steps, contents, ask!("BBB_FC_IEMCF"), accepted)?;
    }

    // §4.4: ASiC-E has a manifest, and files; §4.3: ASiC-S has one file.
    let manifest = container.kind != Some(ContainerType::AsicE) || !container.manifests.is_empty();
    check(steps, rule(RuleName::ManifestFilePresent), ask!("BBB_FC_IMFP_ASICE"), manifest)?;
    let files = rule(RuleName::SignedFilesPresent);
    match container.kind {
        Some(ContainerType::AsicS) => {
            let roots = container.contents.iter().filter(|name| is_at_root(name)).count();
            check(steps, files, ask!("BBB_FC_ISFP_ASICS"), roots == 1)
        }
        _ => check(steps, files, ask!("BBB_FC_ISFP_ASICE"), !container.contents.is_empty()),
    }
}

/// Checks the names of a signature's file and manifest, and that it signs every file.
pub(super) fn signature_files(
    case: &Case<'_>,
    steps: &mut Steps,
    container: &Container,
    signature: &Signature,
) -> Result<(), Concluded> {
    let form = signature.level.and_then(|level| level.form());
    let manifest = manifest_of(container, &signature.file);
    let names = case.rule(Place::Container, RuleName::FilenameAdherence);
    let adheres = match (container.kind, form) {
        (Some(ContainerType::AsicS), Some(SignatureForm::Xades)) => signature.file == "META-INF/signatures.xml",
        (Some(ContainerType::AsicS), Some(SignatureForm::Cades)) => signature.file == "META-INF/signature.p7s",
        (_, Some(SignatureForm::Xades)) => is_in_meta_inf(&signature.file, "signatures", ".xml"),
        (_, Some(SignatureForm::Cades)) => is_in_meta_inf(&signature.file, "signature", ".p7s"),
        _ => false,
    };
    check(steps, names, ask!("BBB_FC_ISFCS"), adheres)?;

    if let Some(manifest) = manifest {
        // In ASiC-S a manifest is no part of the format, and may be called anything.
        let adheres = match (container.kind, form) {
            (Some(ContainerType::AsicS), _) => true,
            (_, Some(SignatureForm::Xades)) => manifest.file == "META-INF/manifest.xml",
            _ => is_asic_manifest(&manifest.file),
        };
        check(steps, names, ask!("BBB_FC_IMFCS"), adheres)?;
    }

    let covers = |files: &BTreeSet<&str>| container.contents.iter().all(|file| files.contains(file.as_str()));
    let all = match container.kind {
        Some(ContainerType::AsicS) => container.contents.len() == 1,
        Some(ContainerType::AsicE) => {
            let listed = manifest.map(|manifest| manifest.entries.iter().map(String::as_str).collect());
            let by_manifest = listed.map_or(form != Some(SignatureForm::Cades), |listed| covers(&listed));
            by_manifest && (form != Some(SignatureForm::Xades) || covers(&fully_signed(signature)))
        }
        _ => false,
    };
    check(steps, case.rule(Place::Container, RuleName::AllFilesSigned), ask!("BBB_CV_IAFS"), all)
}

/// Checks the names of a container time-stamp's file and manifest.
pub(super) fn timestamp_files(
    case: &Case<'_>,
    steps: &mut Steps,
    container: &Container,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    let file = timestamp.file.as_deref().unwrap_or_default();
    let manifest = manifest_of(container, file);
    let names = case.rule(Place::Container, RuleName::FilenameAdherence);
    let usual = is_in_meta_inf(file, "timestamp", ".tst");
    let adheres = match container.kind {
        Some(ContainerType::AsicS) => {
            let archive = manifest.is_some_and(|manifest| is_archive_manifest(&manifest.file));
            file == "META-INF/timestamp.tst" || archive && usual
        }
        _ => usual,
    };
    check(steps, names, ask!("BBB_FC_ISFCS"), adheres)?;
    if let Some(manifest) = manifest {
        let adheres =
            container.kind == Some(ContainerType::AsicS) || is_timestamp_manifest(case, container, manifest, file);
        check(steps, names, ask!("BBB_FC_IMFCS"), adheres)?;
    }
    Ok(())
}

/// Checks that a container time-stamp covers what is signed or time-stamped below it.
pub(super) fn covered_files(
    case: &Case<'_>,
    steps: &mut Steps,
    container: &Container,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    use CoveredKind::{EvidenceRecord, Signature, Timestamp};
    let over_tokens = |object: &Covered| matches!(object.kind, Signature | Timestamp | EvidenceRecord);
    let manifest = manifest_of(container, timestamp.file.as_deref().unwrap_or_default());
    let Some(manifest) = manifest.filter(|_| timestamp.covered.iter().any(over_tokens)) else { return Ok(()) };
    let rule = case.rule(Place::Token(Context::Timestamp), RuleName::ContainerSignedAndTimestampedFilesCovered);
    check(steps, rule, ask!("BBB_FC_ISFP_ASTFORAMC"), covers_what_it_covers(container, manifest))
}

/// Whether a manifest lists every file that the manifests of its entries list, and some file at the root.
pub(in crate::validation) fn covers_what_it_covers(container: &Container, manifest: &Manifest) -> bool {
    let listed: BTreeSet<&str> = manifest.entries.iter().map(String::as_str).collect();
    let mut open = vec![manifest];
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(current) = open.pop() {
        for entry in &current.entries {
            if !listed.contains(entry.as_str()) {
                return false;
            }
            if seen.insert(entry) {
                open.extend(manifest_of(container, entry));
            }
        }
    }
    container.contents.iter().any(|file| is_at_root(file) && listed.contains(file.as_str()))
}

/// The manifest by which that file signs.
pub(in crate::validation) fn manifest_of<'a>(container: &'a Container, file: &str) -> Option<&'a Manifest> {
    container.manifests.iter().find(|manifest| manifest.signature_file.as_deref() == Some(file))
}

fn is_at_root(name: &str) -> bool {
    !name.contains(['/', '\\'])
}

/// §A.7: any name in `META-INF/` that has the word and the extension.
fn is_in_meta_inf(name: &str, word: &str, extension: &str) -> bool {
    name.starts_with("META-INF/") && name.contains(word) && name.ends_with(extension)
}

fn is_asic_manifest(name: &str) -> bool {
    name.starts_with("META-INF/ASiCManifest") && name.ends_with(".xml")
}

fn is_archive_manifest(name: &str) -> bool {
    is_in_meta_inf(name, "ASiCArchiveManifest", ".xml")
}

/// §A.7: over signatures, time-stamps or evidence records it is an archive manifest, the last of them without number.
fn is_timestamp_manifest(case: &Case<'_>, container: &Container, manifest: &Manifest, file: &str) -> bool {
    let archival = |entry: &String| {
        entry.starts_with("META-INF/") && ["signature", "timestamp", "evidencerecord"].iter().any(|w| entry.contains(w))
    };
    if !manifest.entries.iter().any(archival) {
        return is_asic_manifest(&manifest.file);
    }
    let is_covered = case.facts.timestamps.iter().filter_map(|timestamp| timestamp.file.as_deref()).any(|other| {
        other != file && manifest_of(container, other).is_some_and(|m| m.entries.iter().any(|entry| entry == file))
    });
    if is_covered { is_archive_manifest(&manifest.file) } else { manifest.file == "META-INF/ASiCArchiveManifest.xml" }
}

/// The files that a signature signs whole.
fn fully_signed(signature: &Signature) -> BTreeSet<&str> {
    let full = signature.scopes.iter().filter(|scope| scope.kind == ScopeType::Full);
    full.filter_map(|scope| scope.name.as_deref()).collect()
}
