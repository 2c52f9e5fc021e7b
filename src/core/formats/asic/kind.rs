//! ASiC-S or ASiC-E: EN 319 162-1 §4.3, §4.4 and annex A.1.

use crate::facts::ContainerType;

/// The media types of containers, whole or the beginnings of families of them.
const TYPES: [(&str, ContainerType); 6] = [
    ("application/vnd.etsi.asic-s+zip", ContainerType::AsicS),
    ("application/vnd.etsi.asic-e+zip", ContainerType::AsicE),
    // BDOC 1.0; BDOC 2 is an ASiC-E.
    ("application/vnd.bdoc", ContainerType::AsicE),
    // ODF 1.2 part 3 §3.3; a package is shaped like ASiC-E.
    ("application/vnd.oasis.opendocument.", ContainerType::AsicE),
    ("application/vnd.etsi.asic-s", ContainerType::AsicS),
    ("application/vnd.etsi.asic-e", ContainerType::AsicE),
];

/// Returns what the media type says, `None` where it is not a container's.
pub(super) fn of_media_type(text: &str) -> Option<ContainerType> {
    // Writers put a byte order mark in front and line ends behind.
    let text = text.trim_start_matches('\u{feff}').trim();
    TYPES.iter().find(|(begin, _)| text.starts_with(begin)).map(|(_, kind)| *kind)
}

/// Returns the kind of a container: by the file `mimetype`, else by the comment of the ZIP file (§A.1), else by what is
/// in it and the file name's extension (§4.3.2, §4.4.2).
///
/// NOTE: the standard wants the media type to be there. Where it is not, one file at the root is what ASiC-S has.
pub(super) fn kind(
    mimetype: Option<&str>,
    comment: Option<&str>,
    at_root: usize,
    name: Option<&str>,
) -> Option<ContainerType> {
    let commented = comment.and_then(|comment| comment.strip_prefix("mimetype="));
    let stated = mimetype.and_then(of_media_type).or_else(|| commented.and_then(of_media_type));
    let extended = || match name?.rsplit_once('.')?.1 {
        "asice" | "sce" | "bdoc" => Some(ContainerType::AsicE),
        "asics" | "scs" => Some(ContainerType::AsicS),
        _ => None,
    };
    stated.or(if at_root > 1 { Some(ContainerType::AsicE) } else { extended() }).or(match at_root {
        0 => None,
        _ => Some(ContainerType::AsicS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        use ContainerType::{AsicE, AsicS};
        for (clause, situation, mimetype, comment, at_root, name, expected) in [
            ("4.3.3.1", "ASiC-S", Some("application/vnd.etsi.asic-s+zip"), None, 3, None, Some(AsicS)),
            ("4.4.3.2", "ASiC-E", Some("application/vnd.etsi.asic-e+zip"), None, 1, None, Some(AsicE)),
            (
                "A.1",
                "with a byte order mark",
                Some("\u{feff}application/vnd.etsi.asic-e+zip\r\n"),
                None,
                1,
                None,
                Some(AsicE),
            ),
            ("A.1", "in the comment", None, Some("mimetype=application/vnd.etsi.asic-e+zip"), 1, None, Some(AsicE)),
            (
                "A.1",
                "the file before the comment",
                Some("application/vnd.etsi.asic-s+zip"),
                Some("mimetype=application/vnd.etsi.asic-e+zip"),
                1,
                None,
                Some(AsicS),
            ),
            ("4.3.1", "of the contained file, one file", Some("text/plain"), None, 1, None, Some(AsicS)),
            ("4.4.1", "of the contained file, several", Some("text/plain"), None, 2, None, Some(AsicE)),
            ("4.2", "nothing signed", None, None, 0, None, None),
            ("ODF 1.2-3 3.3", "a package", Some("application/vnd.oasis.opendocument.text"), None, 3, None, Some(AsicE)),
            ("4.4.2", "by its extension", None, None, 1, Some("a.asice"), Some(AsicE)),
            ("4.3.2", "several files whatever its extension", None, None, 2, Some("a.asics"), Some(AsicE)),
        ] {
            assert_eq!(kind(mimetype, comment, at_root, name), expected, "EN 319 162-1 {clause} {situation}");
        }
    }
}
