//! What an entry is, by its name: EN 319 162-1 §4.2, §4.3, §4.4 and annex A.7; ODF 1.2 part 3 §3.
//!
//! NOTE: the standard fixes the beginning of each name; writers have put prefixes and numbers anywhere. As in EU DSS a
//! name counts that has the word in it, and whether it is the standard's own is a check of the validation policy.

/// The media type as a file of its own (§A.1).
pub(super) const MIMETYPE: &str = "mimetype";
/// Where everything lies that is not content.
pub(super) const META_INF: &str = "META-INF/";
/// The list of a package's files (ODF 1.2 part 3 §4).
pub(super) const PACKAGE_MANIFEST: &str = "META-INF/manifest.xml";

/// What an entry of a container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Mimetype,
    /// XML signatures.
    Xades,
    /// A CMS signature.
    Cades,
    /// A time-stamp token.
    Timestamp,
    /// An evidence record of RFC 4998.
    Record,
    /// An evidence record of RFC 6283.
    XmlRecord,
    /// `ASiCManifest`.
    Manifest,
    /// `ASiCArchiveManifest`.
    ArchiveManifest,
    /// `ASiCEvidenceRecordManifest`.
    RecordManifest,
    /// `manifest.xml`.
    PackageManifest,
    /// Something else in `META-INF/`.
    Other,
    /// What is signed.
    Content,
}

impl Role {
    pub(super) fn of(name: &str) -> Self {
        let Some(inner) = name.strip_prefix(META_INF) else {
            return if name == MIMETYPE { Self::Mimetype } else { Self::Content };
        };
        let xml = inner.ends_with(".xml");
        match inner {
            _ if name == PACKAGE_MANIFEST => Self::PackageManifest,
            _ if xml && inner.starts_with("ASiCManifest") => Self::Manifest,
            _ if xml && inner.starts_with("ASiCArchiveManifest") => Self::ArchiveManifest,
            _ if xml && inner.starts_with("ASiCEvidenceRecordManifest") => Self::RecordManifest,
            _ if xml && inner.contains("signature") => Self::Xades,
            _ if inner.ends_with(".p7s") && inner.contains("signature") => Self::Cades,
            _ if inner.ends_with(".tst") && inner.contains("timestamp") => Self::Timestamp,
            _ if inner.ends_with(".ers") && inner.contains("evidencerecord") => Self::Record,
            _ if xml && inner.contains("evidencerecord") => Self::XmlRecord,
            _ => Self::Other,
        }
    }

    /// Returns whether it is an entry by which a container is known.
    pub(super) fn is_token(self) -> bool {
        matches!(self, Self::Xades | Self::Cades | Self::Timestamp | Self::Record | Self::XmlRecord)
    }

    /// Returns whether it lists what a token is over.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Manifest | Self::ArchiveManifest | Self::RecordManifest)
    }
}

/// Returns a name as it stands in a message: file systems have none that are longer.
pub(super) fn named(name: &str) -> String {
    name.chars().take(255).collect()
}

/// Returns whether the name is that of an evidence record in a container that has nothing else over its contents
/// (§4.3.3.4).
pub(super) fn is_record_alone(name: &str) -> bool {
    matches!(name.strip_prefix(META_INF), Some("evidencerecord.ers" | "evidencerecord.xml"))
}

/// Returns whether the name is of a file at the root of the container: §4.3.1 lets ASiC-S have one of them.
pub(super) fn is_at_root(name: &str) -> bool {
    !name.contains(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (clause, name, expected) in [
            ("A.1", "mimetype", Role::Mimetype),
            ("A.1", "folder/mimetype", Role::Content),
            ("4.3.3.1", "META-INF/signatures.xml", Role::Xades),
            ("4.3.3.2", "META-INF/signature.p7s", Role::Cades),
            ("4.3.3.3", "META-INF/timestamp.tst", Role::Timestamp),
            ("4.3.3.4", "META-INF/evidencerecord.ers", Role::Record),
            ("4.3.3.4", "META-INF/evidencerecord.xml", Role::XmlRecord),
            ("4.4.3.2", "META-INF/signatures001.xml", Role::Xades),
            ("4.4.4.1", "META-INF/ASiCManifest-signature.xml", Role::Manifest),
            ("A.7", "META-INF/ASiCArchiveManifest1.xml", Role::ArchiveManifest),
            ("A.7", "META-INF/ASiCEvidenceRecordManifest001.xml", Role::RecordManifest),
            ("4.4.3.2", "META-INF/manifest.xml", Role::PackageManifest),
            ("4.2", "META-INF/container.xml", Role::Other),
            ("4.2", "signatures.xml", Role::Content),
            ("4.2", "meta-inf/signatures.xml", Role::Content),
            ("ODF 1.2-3 3.5", "META-INF/documentsignatures.xml", Role::Xades),
        ] {
            assert_eq!(Role::of(name), expected, "EN 319 162-1 {clause} {name}");
        }
    }
}
