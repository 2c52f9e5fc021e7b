//! How an ASiC container is put together: EN 319 162-1 §4.

use super::check;
use crate::facts::{
    Container, ContainerType, Covered, CoveredKind, EvidenceRecord, Manifest, Scope, ScopeType, Shared, Signature,
    SignatureForm, Timestamp,
};
use crate::policy::{Context, Level, PolicySection, RuleName};
use crate::validation::check_id::CheckId;
use crate::validation::context::ValidationContext;
use crate::validation::engine::{BlockBuilder, Concluded};
use crate::validation::index::ContainerFiles;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Checks what the container says of itself.
pub(super) fn container(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    container: &Container,
) -> Result<(), Concluded> {
    let rule = |name| cx.rule(PolicySection::Container, name);
    let types = rule(RuleName::AcceptableContainerTypes);
    let accepted = container.kind.zip(types).is_some_and(|(kind, rule)| rule.accepts(kind.as_str()));
    check(block, types, CheckId::ContainerTypeAccepted, accepted)?;

    // §A.1: the media type as the comment of the ZIP file,
    let comment = container.zip_comment.as_deref().filter(|comment| !comment.trim().is_empty());
    check(block, rule(RuleName::ZipCommentPresent), CheckId::ZipCommentPresent, comment.is_some())?;
    if let Some(comment) = comment {
        let comments = rule(RuleName::AcceptableZipComment);
        check(block, comments, CheckId::ZipCommentAccepted, comments.is_some_and(|rule| rule.accepts(comment)))?;
    }
    // or as an entry of its own.
    check(block, rule(RuleName::MimeTypeFilePresent), CheckId::MimeTypePresent, container.mimetype_present)?;
    if container.mimetype_present {
        let contents = rule(RuleName::AcceptableMimeTypeFileContent);
        let content = container.mimetype.as_deref().filter(|content| !content.is_empty());
        let accepted = content.zip(contents).is_some_and(|(content, rule)| rule.accepts(content));
        check(block, contents, CheckId::MimeTypeAccepted, accepted)?;
    }

    // §4.4: ASiC-E has a manifest, and files; §4.3: ASiC-S has one file.
    let manifest = container.kind != Some(ContainerType::AsicE) || !container.manifests.is_empty();
    check(block, rule(RuleName::ManifestFilePresent), CheckId::ManifestPresent, manifest)?;
    let files = rule(RuleName::SignedFilesPresent);
    match container.kind {
        Some(ContainerType::AsicS) => check(block, files, CheckId::ExactlyOneSignedFile, cx.index.files.at_root == 1),
        _ => check(block, files, CheckId::SignedFilePresent, !container.contents.is_empty()),
    }
}

/// Checks the names of a signature's file and manifest, and that it signs every file.
pub(super) fn signature_files(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    container: &Container,
    signature: &Signature,
) -> Result<(), Concluded> {
    let form = signature.level.and_then(|level| level.form());
    let manifest = cx.index.files.manifests.get(signature.file.as_str());
    let names = cx.rule(PolicySection::Container, RuleName::FilenameAdherence);
    let adheres = match (container.kind, form) {
        (Some(ContainerType::AsicS), Some(SignatureForm::Xades)) => signature.file == "META-INF/signatures.xml",
        (Some(ContainerType::AsicS), Some(SignatureForm::Cades)) => signature.file == "META-INF/signature.p7s",
        (_, Some(SignatureForm::Xades)) => is_in_meta_inf(&signature.file, "signatures", ".xml"),
        (_, Some(SignatureForm::Cades)) => is_in_meta_inf(&signature.file, "signature", ".p7s"),
        _ => false,
    };
    check(block, names, CheckId::SignatureFileName, adheres)?;

    if let Some(manifest) = manifest {
        // In ASiC-S a manifest is no part of the format, and may be called anything.
        let adheres = match (container.kind, form) {
            (Some(ContainerType::AsicS), _) => true,
            (_, Some(SignatureForm::Xades)) => manifest.file == PACKAGE_MANIFEST,
            _ => is_asic_manifest(&manifest.file),
        };
        check(block, names, CheckId::ManifestFileName, adheres)?;
    }

    let others = |files: BTreeSet<&str>| cx.index.files.others(&files);
    // The files that are left out; `None` where the signature signs none by name.
    let left = match container.kind {
        Some(ContainerType::AsicS) => (container.contents.len() == 1).then(Vec::new),
        Some(ContainerType::AsicE) => {
            let listed =
                manifest.map(|manifest| others(crate::order::set(manifest.entries.iter().map(|name| &**name))));
            let by_manifest = listed.or_else(|| (form != Some(SignatureForm::Cades)).then(Vec::new));
            let signed = || if form == Some(SignatureForm::Cades) { vec![] } else { others(fully(&signature.scopes)) };
            let left = by_manifest.map(|left| if left.is_empty() { signed() } else { left });
            left.map(|left| left.into_iter().chain(of_package(container, signature)).collect())
        }
        _ => None,
    };
    let all = left.as_ref().is_some_and(Vec::is_empty);
    let question = CheckId::AllFilesSigned.naming(left.unwrap_or_default());
    check(block, cx.rule(PolicySection::Container, RuleName::AllFilesSigned), question, all)
}

/// Returns what describes an OpenDocument package and belongs to what a signature of the document is over, where that leaves it
/// out: ODF 1.2 part 3 §3.5.
fn of_package(container: &Container, signature: &Signature) -> Vec<&'static str> {
    let media_type = container.mimetype.as_deref().unwrap_or_default().trim_start_matches('\u{feff}');
    let is_package = media_type.starts_with("application/vnd.oasis.opendocument.");
    let has_list = container.manifests.iter().any(|manifest| manifest.file == PACKAGE_MANIFEST);
    let describes = [("mimetype", true), (PACKAGE_MANIFEST, has_list)];
    let signed = fully(&signature.scopes);
    let left = describes.into_iter().filter(|(name, is_there)| *is_there && !signed.contains(name));
    left.filter(|_| is_package).map(|(name, _)| name).collect()
}

/// The list of a package's files.
const PACKAGE_MANIFEST: &str = "META-INF/manifest.xml";

/// Checks the names of a container time-stamp's file and manifest.
pub(super) fn timestamp_files(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    container: &Container,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    let file = timestamp.file.as_deref().unwrap_or_default();
    let manifest = cx.index.files.manifests.get(file);
    let names = cx.rule(PolicySection::Container, RuleName::FilenameAdherence);
    let usual = is_in_meta_inf(file, "timestamp", ".tst");
    let adheres = match container.kind {
        Some(ContainerType::AsicS) => {
            let archive = manifest.is_some_and(|manifest| is_archive_manifest(&manifest.file));
            file == "META-INF/timestamp.tst" || archive && usual
        }
        _ => usual,
    };
    check(block, names, CheckId::SignatureFileName, adheres)?;
    if let Some(manifest) = manifest {
        let adheres =
            container.kind == Some(ContainerType::AsicS) || is_timestamp_manifest(&cx.index.files, manifest, file);
        check(block, names, CheckId::ManifestFileName, adheres)?;
    }
    all_files(cx, block, &timestamp.scopes)
}

/// Checks the container of an evidence record that is over no signature, where the policy asks for that, and that the record is
/// over every file.
pub(in crate::validation) fn evidence_record(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    record: &EvidenceRecord,
) -> Result<(), Concluded> {
    let Some(facts) = &cx.facts.container else { return Ok(()) };
    let asked = cx.rule(PolicySection::Container, RuleName::EvidenceRecordContainer);
    if asked.is_some_and(|rule| rule.level != Level::Ignore) {
        container(cx, block, facts)?;
        evidence_record_files(cx, block, facts, record)?;
    }
    all_files(cx, block, &record.scopes)
}

/// Checks the names of an evidence record's file and manifest: §A.7.
fn evidence_record_files(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    facts: &Container,
    record: &EvidenceRecord,
) -> Result<(), Concluded> {
    let file = record.file.as_deref().unwrap_or_default();
    let names = cx.rule(PolicySection::Container, RuleName::FilenameAdherence);
    let adheres = match facts.kind {
        Some(ContainerType::AsicS) => matches!(file, "META-INF/evidencerecord.ers" | "META-INF/evidencerecord.xml"),
        _ => [".ers", ".xml"].iter().any(|extension| is_in_meta_inf(file, "evidencerecord", extension)),
    };
    check(block, names, CheckId::SignatureFileName, adheres)?;
    let Some(manifest) = cx.index.files.manifests.get(file) else { return Ok(()) };
    let adheres = facts.kind == Some(ContainerType::AsicS)
        || is_in_meta_inf(&manifest.file, "ASiCEvidenceRecordManifest", ".xml");
    check(block, names, CheckId::ManifestFileName, adheres)
}

/// Checks that a time-stamp or evidence record that is over no signature is over every file: §4.3.1, §4.4.3.3, §4.4.3.4.
fn all_files(cx: &ValidationContext<'_>, block: &mut BlockBuilder, scopes: &[Shared<Scope>]) -> Result<(), Concluded> {
    let left = cx.index.files.others(&fully(scopes));
    let all = left.is_empty();
    let question = CheckId::AllFilesSigned.naming(left);
    check(block, cx.rule(PolicySection::Container, RuleName::AllFilesSigned), question, all)
}

/// Checks that a container time-stamp covers what is signed or time-stamped below it.
pub(super) fn covered_files(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    timestamp: &Timestamp,
) -> Result<(), Concluded> {
    use CoveredKind::{EvidenceRecord, Signature, Timestamp};
    let over_tokens = |object: &Covered| matches!(object.kind, Signature | Timestamp | EvidenceRecord);
    if !timestamp.covered.iter().any(over_tokens) {
        return Ok(());
    }
    let complete = cx.index.files.covers_what_it_covers(timestamp.file.as_deref().unwrap_or_default());
    let Some(complete) = complete else { return Ok(()) };
    let rule = cx.rule(PolicySection::Token(Context::Timestamp), RuleName::ContainerSignedAndTimestampedFilesCovered);
    check(block, rule, CheckId::CoveredFilesCovered, complete)
}

/// Returns whether a name in `META-INF/` has the word and the extension: §A.7.
fn is_in_meta_inf(name: &str, word: &str, extension: &str) -> bool {
    name.starts_with("META-INF/") && name.contains(word) && name.ends_with(extension)
}

fn is_asic_manifest(name: &str) -> bool {
    name.starts_with("META-INF/ASiCManifest") && name.ends_with(".xml")
}

fn is_archive_manifest(name: &str) -> bool {
    is_in_meta_inf(name, "ASiCArchiveManifest", ".xml")
}

/// Returns whether a manifest is named as §A.7 asks: over signatures, time-stamps or evidence records it is an archive
/// manifest, the last of them without number.
fn is_timestamp_manifest(files: &ContainerFiles<'_>, manifest: &Manifest, file: &str) -> bool {
    let archival = |entry: &Arc<str>| {
        entry.starts_with("META-INF/") && ["signature", "timestamp", "evidencerecord"].iter().any(|w| entry.contains(w))
    };
    if !manifest.entries.iter().any(archival) {
        return is_asic_manifest(&manifest.file);
    }
    if files.is_stamped(file) {
        is_archive_manifest(&manifest.file)
    } else {
        manifest.file == "META-INF/ASiCArchiveManifest.xml"
    }
}

/// Returns the files that a token is over as a whole.
fn fully(scopes: &[Shared<Scope>]) -> BTreeSet<&str> {
    let full = scopes.iter().filter(|scope| scope.kind == ScopeType::Full);
    crate::order::set(full.filter_map(|scope| scope.name.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Facts, Id, SignatureLevel, TimestampType};
    use crate::policy::Policy;
    use crate::validation::fc;
    use crate::validation::situations::{answer, check};

    fn of(cx: &ValidationContext<'_>) -> String {
        answer(&fc::signature(cx, &cx.facts.signatures[0]))
    }

    fn manifest(file: &str, signs: &str, entries: &[&str]) -> Manifest {
        let entries = entries.iter().map(|entry| (*entry).into()).collect();
        Manifest { file: file.into(), signature_file: Some(signs.into()), entries }
    }

    /// Returns an ASiC-E container with a CAdES signature over two files.
    fn asic_e(facts: &mut Facts) -> &mut Container {
        facts.signatures[0].file = "META-INF/signature.p7s".into();
        facts.container.insert(Container {
            kind: Some(ContainerType::AsicE),
            zip_comment: None,
            mimetype_present: true,
            mimetype: Some("application/vnd.etsi.asic-e+zip".into()),
            manifests: vec![manifest("META-INF/ASiCManifest.xml", "META-INF/signature.p7s", &["a.txt", "b/c.txt"])],
            contents: vec!["a.txt".into(), "b/c.txt".into()],
        })
    }

    /// Returns the scope of a file that is covered as a whole.
    fn whole(name: &str) -> Shared<Scope> {
        Scope {
            kind: ScopeType::Full,
            name: Some(name.into()),
            description: String::new(),
            transformations: vec![],
            signed_data: Id::new("D"),
        }
        .into()
    }

    /// Returns an ASiC-S container.
    fn asic_s(facts: &mut Facts) -> &mut Container {
        let container = asic_e(facts);
        container.kind = Some(ContainerType::AsicS);
        container.manifests.clear();
        container.contents.pop();
        container
    }

    #[test]
    fn signatures() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("EN 319 162-1 §4.4", "ASiC-E", |f| _ = asic_e(f), "PASSED"),
                (
                    "EN 319 162-1 §4.2",
                    "a container of no known kind",
                    |f| asic_e(f).kind = None,
                    "FAILED/FORMAT_FAILURE BBB_FC_IECTF_ANS",
                ),
                (
                    "EN 319 162-1 §4.4",
                    "ASiC-E without a manifest",
                    |f| asic_e(f).manifests.clear(),
                    "FAILED/FORMAT_FAILURE BBB_FC_IMFP_ASICE_ANS",
                ),
                (
                    "EN 319 162-1 §4.4",
                    "ASiC-E without files",
                    |f| asic_e(f).contents.clear(),
                    "FAILED/FORMAT_FAILURE BBB_FC_ISFP_ASICE_ANS",
                ),
                (
                    "EN 319 162-1 §A.1",
                    "another media type",
                    |f| asic_e(f).mimetype = Some("application/zip".into()),
                    "PASSED BBB_FC_IEMCF_ANS",
                ),
                (
                    "EN 319 162-1 §A.7",
                    "a manifest of another name",
                    |f| asic_e(f).manifests[0].file = "META-INF/list.xml".into(),
                    "PASSED BBB_FC_IMFCS_ANS",
                ),
                (
                    "EN 319 162-1 §A.7",
                    "a signature of another name",
                    |f| {
                        asic_e(f).manifests[0].signature_file = Some("META-INF/s.p7s".into());
                        f.signatures[0].file = "META-INF/s.p7s".into();
                    },
                    "PASSED BBB_FC_ISFCS_ANS",
                ),
                (
                    "EN 319 162-1 §4.4",
                    "a file that is not signed",
                    |f| asic_e(f).contents.push("d.txt".into()),
                    "PASSED BBB_CV_IAFS_ANS",
                ),
                ("EN 319 162-1 §4.3", "ASiC-S", |f| _ = asic_s(f), "PASSED"),
                (
                    "EN 319 162-1 §4.3",
                    "ASiC-S with two files",
                    |f| asic_s(f).contents.push("b.txt".into()),
                    "FAILED/FORMAT_FAILURE BBB_FC_ISFP_ASICS_ANS",
                ),
                (
                    "EN 319 162-1 §4.4",
                    "XAdES signs by its references, not by the manifest",
                    |f| {
                        let container = asic_e(f);
                        container.manifests = vec![manifest("META-INF/manifest.xml", "", &[])];
                        f.signatures[0].file = "META-INF/signatures1.xml".into();
                        f.signatures[0].level = Some(SignatureLevel::XadesBaselineB);
                        f.signatures[0].scopes = ["a.txt", "b/c.txt"].map(whole).into();
                    },
                    "PASSED",
                ),
            ],
        );
    }

    #[test]
    fn timestamps() {
        /// Returns a container time-stamp with a manifest over the signature and what it signs.
        fn stamped<'f>(facts: &'f mut Facts, list: &str) -> &'f mut Container {
            asic_e(facts);
            let timestamp = &mut facts.timestamps[0];
            timestamp.kind = TimestampType::Container;
            timestamp.file = Some("META-INF/timestamp.tst".into());
            timestamp.covered.push(Covered { kind: CoveredKind::SignedData, id: Id::new("D") });
            timestamp.scopes = ["a.txt", "b/c.txt"].map(whole).into();
            let container = facts.container.as_mut().unwrap();
            let entries = ["META-INF/signature.p7s", "META-INF/ASiCManifest.xml", "a.txt", "b/c.txt"];
            container.manifests.push(manifest(list, "META-INF/timestamp.tst", &entries));
            container
        }
        let of = |cx: &ValidationContext<'_>| answer(&fc::timestamp(cx, &cx.facts.timestamps[0]));
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                (
                    "EN 319 162-1 §4.4.4",
                    "over all below it",
                    |f| _ = stamped(f, "META-INF/ASiCArchiveManifest.xml"),
                    "PASSED",
                ),
                (
                    "EN 319 162-1 §4.4.4",
                    "leaving a signed file out",
                    |f| _ = stamped(f, "META-INF/ASiCArchiveManifest.xml").manifests[1].entries.pop(),
                    "FAILED/FORMAT_FAILURE BBB_FC_ISFP_ASTFORAMC_ANS",
                ),
                (
                    "EN 319 162-1 §4.4.3.3",
                    "over no signature, leaving a file out",
                    |f| {
                        stamped(f, "META-INF/ASiCArchiveManifest.xml");
                        f.timestamps[0].covered.retain(|object| object.kind != CoveredKind::Signature);
                        f.timestamps[0].scopes.pop();
                    },
                    "PASSED BBB_CV_IAFS_ANS",
                ),
            ],
        );
        // What is signed is not looked at: the name of the manifest.
        let alone = |cx: &ValidationContext<'_>| {
            let of_timestamp = &cx.index.files.manifests["META-INF/timestamp.tst"];
            is_timestamp_manifest(&cx.index.files, of_timestamp, "META-INF/timestamp.tst").to_string()
        };
        check(
            &Policy::dss(),
            "2021-06-02",
            alone,
            &[
                ("EN 319 162-1 §A.7", "the last", |f| _ = stamped(f, "META-INF/ASiCArchiveManifest.xml"), "true"),
                ("EN 319 162-1 §A.7", "numbered", |f| _ = stamped(f, "META-INF/ASiCArchiveManifest1.xml"), "false"),
                (
                    "EN 319 162-1 §A.7",
                    "numbered, below a later one",
                    |f| {
                        let container = stamped(f, "META-INF/ASiCArchiveManifest1.xml");
                        let later = ["META-INF/timestamp.tst"];
                        container.manifests.push(manifest(
                            "META-INF/ASiCArchiveManifest.xml",
                            "META-INF/2.tst",
                            &later,
                        ));
                        let mut timestamp = f.timestamps[0].clone();
                        timestamp.id = Id::new("T2");
                        timestamp.file = Some("META-INF/2.tst".into());
                        f.timestamps.push(timestamp);
                    },
                    "true",
                ),
            ],
        );
    }
}
