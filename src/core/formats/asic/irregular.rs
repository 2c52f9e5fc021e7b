//! What a container holds that the standard does not foresee, and what its bytes open as elsewhere: EN 319 162-1 §4.2,
//! §4.3, §4.4 and annex A.1.

use super::name::{META_INF, Role, named};
use super::xml_files::XmlFiles;
use super::zip::{Archive, Data, Entry};
use super::{HELD, Holds, TokenFile};
use crate::budget::Budget;
use crate::confusable;
use crate::document::elsewhere::{Elsewhere, all, outside, place};
use crate::facts::{Irregularity, IrregularityKind as Kind};
use crate::formats::cms::{SignedData, after_element, is_padding};
use crate::formats::ers;
use crate::formats::pdf;
use crate::formats::tsp::Token;
use crate::formats::xml::{DSIG, DocumentTypes, Element, Kind as NodeKind, Options, decode, parse};
use std::collections::hash_map::Entry as Place;
use std::collections::{HashMap, HashSet};

/// Files that other standards put beside signatures: OCF 3.2 §4.2.6.3, ODF 1.2 part 3 §3.4.
const OTHERS: [&str; 4] = ["container.xml", "encryption.xml", "metadata.xml", "rights.xml"];
/// Bytes of such a file that are read, to see whether it is what its name says.
const READ: u64 = 1 << 20;

/// Returns what is irregular about the entries, besides what the ZIP file itself tells.
pub(super) fn of(bytes: &[u8], archive: &Archive<'_>, roles: &[Role], budget: &Budget) -> Vec<Irregularity> {
    let mut found = names(archive.names());
    let entries = archive.entries.iter().zip(roles);
    found.extend(entries.clone().filter_map(|(entry, role)| unexpected(entry, *role, budget)));
    let contents = entries.filter(|(_, role)| **role == Role::Content).map(|(entry, _)| entry.data.lie());
    // The entries are in the order in which they lie.
    let contents = contents.filter_map(|data| place(bytes, data));
    for bytes in outside(bytes, contents) {
        let others = all(bytes).filter(|other| *other != Elsewhere::Zip);
        found.extend(others.map(|other| Irregularity::about(Kind::SecondFileType, other.as_str())));
    }
    found.dedup();
    found
}

/// Notes what lies in `META-INF/` and is neither a token nor a list of files (§4.3.3, §4.4.3).
fn unexpected(entry: &Entry<'_>, role: Role, budget: &Budget) -> Option<Irregularity> {
    let inner = entry.name.strip_prefix(META_INF).filter(|_| role == Role::Other)?;
    let is_xml = || {
        let bytes = entry.bytes(READ).ok()?;
        let options = Options { document_types: DocumentTypes::All, ..Options::from(budget) };
        parse(&decode(&bytes).ok()?, &options).ok().map(drop)
    };
    if OTHERS.contains(&inner) && is_xml().is_some() {
        return None;
    }
    Some(Irregularity::about(Kind::UnexpectedContainerEntry, entry.name.as_str()))
}

/// Notes a content that is an encrypted PDF, of which a reader without the password sees nothing (ISO 32000-1 §7.6).
///
/// A compressed one is inflated to see that, and digested meanwhile; so it is looked at where its name is that of a PDF, and
/// not where it is too large to be held.
pub(super) fn encrypted(entry: &Entry<'_>, budget: &Budget) -> Option<Irregularity> {
    let is_compressed = matches!(entry.data, Data::Deflated(_));
    let is_named = entry.name.to_ascii_lowercase().ends_with(".pdf");
    if !cfg!(feature = "pdf") || is_compressed && !(is_named && entry.data.is_digested_early()) {
        return None;
    }
    let bytes = entry.content().whole_and_any()?;
    let is_encrypted = bytes.starts_with(b"%PDF-") && pdf::File::new(&bytes, budget).ok()?.states_encryption();
    is_encrypted.then(|| Irregularity::about(Kind::EncryptedContent, entry.name.as_str()))
}

/// Notes a file in the place of a signature or a proof that is not read as one: bytes that are none, or one of another
/// syntax than the container's.
pub(super) fn unread(entry: &Entry<'_>, role: Role, counts: bool, files: &mut XmlFiles) -> Option<Irregularity> {
    let bytes = entry.bytes(HELD).unwrap_or_default();
    let readable = match role {
        Role::Cades => SignedData::parse(&bytes).is_ok(),
        Role::Timestamp => Token::parse(&bytes).is_ok(),
        Role::Record => ers::parse(&bytes).is_ok(),
        Role::XmlRecord => !counts && is_xml_record(&bytes, files),
        Role::Xades if is_empty_list(&bytes, files) => return None,
        _ => false,
    };
    let kind = if readable { Kind::UnexpectedContainerEntry } else { Kind::UnreadableSignature };
    Some(Irregularity::about(kind, entry.name.as_str()))
}

/// Notes what a list of XML signatures holds besides, which none of them covers (§4.4.3.2).
pub(super) fn beside_signatures(file: &TokenFile<'_>) -> Option<Irregularity> {
    let Holds::Xades(unpacked) = &file.holds else { return None };
    let tree = unpacked.tree();
    let root = tree.document_element().filter(is_list)?;
    let found = tree.children(root.id()).find_map(|node| match tree.kind(node) {
        NodeKind::Text => Some(tree.text(node).trim()).filter(|text| !text.is_empty()).map(|_| "text"),
        NodeKind::Element => tree.element(node).filter(|element| !element.is(DSIG, "Signature")).map(Element::local),
        _ => None,
    })?;
    Some(Irregularity::about(Kind::UnexpectedContainerEntry, format!("{}: {found}", file.name)))
}

/// Notes what follows the one element of a token's file and is more than padding (RFC 5652 §3).
pub(super) fn behind(file: &TokenFile<'_>) -> Option<Irregularity> {
    let rest = after_element(file.holds.bytes()?);
    let bytes = || format!("{}: {} bytes after the ContentInfo", named(&file.name), rest.len());
    (!is_padding(rest)).then(|| Irregularity::about(Kind::UncoveredOctets, bytes()))
}

/// Returns whether the document has the element of an evidence record, whatever is in it (RFC 6283 §2.1).
fn is_xml_record(bytes: &[u8], files: &mut XmlFiles) -> bool {
    let Ok(tree) = files.read(bytes) else { return false };
    tree.document_element().is_some_and(ers::is_record)
}

fn is_list(root: &Element<'_, '_>) -> bool {
    matches!(root.local(), "XAdESSignatures" | "document-signatures")
}

/// Returns whether a list of signatures has none yet, nor anything else (§4.4.3.2, ODF 1.2 part 3 §5.2).
fn is_empty_list(bytes: &[u8], files: &mut XmlFiles) -> bool {
    let Ok(tree) = files.read(bytes) else { return false };
    let bare = |root: &Element<'_, '_>| root.children().next().is_none() && root.text().trim().is_empty();
    tree.document_element().is_some_and(|root| is_list(&root) && bare(&root))
}

/// Finds names that are one path once the files are extracted, and names that can be taken for each other.
fn names<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<Irregularity> {
    let mut found = twice(names.clone(), Kind::AmbiguousFileNames, path);
    // A file where another one needs a folder. What is in a folder follows it directly, where nothing is before its end.
    let mut paths: Vec<(String, &str)> = names.clone().map(|name| (path(name).replace('/', "\0"), name)).collect();
    crate::order::sort(&mut paths);
    for pair in paths.windows(2) {
        if let [(folder, file), (inner, name)] = pair
            && inner.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('\0'))
        {
            found.push(Irregularity::about(Kind::AmbiguousFileNames, both(file, name)));
        }
    }
    let ambiguous: HashSet<_> = found.iter().map(|irregularity| irregularity.subject.clone()).collect();
    let alike = twice(names.clone(), Kind::ConfusableFileNames, shown);
    found.extend(alike.into_iter().filter(|irregularity| !ambiguous.contains(&irregularity.subject)));
    found.extend(
        names
            .filter(|name| confusable::deceives(name))
            .map(|name| Irregularity::about(Kind::ConfusableFileNames, named(name))),
    );
    found
}

/// Returns two names in one message.
fn both(one: &str, other: &str) -> String {
    format!("{}, {}", named(one), named(other))
}

/// Returns the names that have the same form as one before them.
fn twice<'n>(names: impl Iterator<Item = &'n str>, kind: Kind, form: impl Fn(&str) -> String) -> Vec<Irregularity> {
    let (mut seen, mut found) = (HashMap::<String, &str>::new(), vec![]);
    for name in names {
        match seen.entry(form(name)) {
            Place::Occupied(first) => found.push(Irregularity::about(kind, both(first.get(), name))),
            Place::Vacant(place) => drop(place.insert(name)),
        }
    }
    found
}

/// Returns the path of a file once it is extracted (POSIX.1-2017 §4.13).
fn path(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    parts.join("/")
}

/// Returns what a name looks like, and what other file systems make of it: Windows folds capitals, ends names at a
/// colon, leaves out dots and blanks at the end, and has another separator.
fn shown(name: &str) -> String {
    let skeleton = confusable::skeleton(name);
    let parts = skeleton.split(['/', '\\']).map(|part| {
        let named = part.split(':').next().unwrap_or_default();
        let words: Vec<&str> = named.split_whitespace().collect();
        words.join(" ").trim_end_matches(['.', ' ']).to_owned()
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

impl<'d> Archive<'d> {
    /// Returns the names of all entries, and of folders that have bytes.
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let files = self.entries.iter().map(|entry| entry.name.as_str());
        files.chain(self.folders_with_bytes.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Zip;
    use super::*;
    use crate::algorithm::DigestAlgorithm;
    use crate::budget::Budget;

    /// Returns kind and subject of what is found.
    fn found(bytes: &[u8]) -> Vec<(Kind, String)> {
        let archive = Archive::read(bytes, &Budget::default()).unwrap();
        let roles: Vec<Role> = archive.entries.iter().map(|entry| Role::of(&entry.name)).collect();
        let irregularities =
            archive.irregularities.iter().cloned().chain(of(bytes, &archive, &roles, &Budget::default()));
        irregularities.map(|found| (found.kind, found.subject.unwrap_or_default().to_string())).collect()
    }

    #[test]
    fn contents_that_nobody_reads_without_a_password() {
        let pdf = |trailer: &str| {
            let body = "%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\n";
            let table = format!("xref\n1 1\n0000000009 00000 n \ntrailer <</Root 1 0 R/Size 2{trailer}>>\n");
            format!("{body}{table}startxref\n{}\n%%EOF\n", body.len()).into_bytes()
        };
        let stream = |entry: &str| {
            let body = "%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\n";
            let rows = "stream\n\nendstream endobj\n";
            let object = format!("2 0 obj <</Type/XRef/W[1 1 1]/Root 1 0 R/Size 2/Length 0{entry}>> {rows}");
            format!("{body}{object}startxref\n{}\n%%EOF\n", body.len()).into_bytes()
        };
        let (secret, open) = (pdf("/Encrypt 3 0 R"), pdf(""));
        let (secret_stream, open_stream) = (stream("/Encrypt 3 0 R"), stream(""));
        for (situation, name, bytes, deflated, expected) in [
            ("encrypted", "a.pdf", &secret, false, true),
            ("under another name", "a.bin", &secret, false, true),
            ("compressed", "A.PDF", &secret, true, true),
            ("compressed, under another name", "a.bin", &secret, true, false),
            ("encrypted, a cross-reference stream", "a.pdf", &secret_stream, false, true),
            ("not encrypted", "a.pdf", &open, false, false),
            ("not encrypted, a cross-reference stream", "a.pdf", &open_stream, false, false),
            ("not encrypted, compressed", "a.pdf", &open, true, false),
            ("no PDF", "a.pdf", &b"text /Encrypt 3 0 R".to_vec(), false, false),
            ("half a PDF", "a.pdf", &secret[..60].to_vec(), false, false),
        ] {
            let mut zip = Zip::of(&[(name, bytes)]);
            zip.entries.iter_mut().filter(|_| deflated).for_each(|entry| entry.deflate());
            let container = zip.bytes();
            let archive = Archive::read(&container, &Budget::default()).unwrap();
            let found = encrypted(&archive.entries[0], &Budget::default());
            let wanted = expected.then(|| Irregularity::about(Kind::EncryptedContent, name));
            assert_eq!(found, wanted, "{situation}");
            let digest = archive.entries[0].content().digest(DigestAlgorithm::Sha256);
            assert_eq!(digest, crate::crypto::digest(DigestAlgorithm::Sha256, bytes), "{situation}: the same digest");
        }
    }

    #[test]
    fn names_of_two_meanings() {
        use Kind::{AmbiguousFileNames as Ambiguous, ConfusableFileNames as Confusable};
        for (clause, situation, one, other, expected) in [
            ("POSIX 4.13", "the folder itself", "a.txt", "./a.txt", vec![Ambiguous]),
            ("POSIX 4.13", "two separators", "b/a.txt", "b//./a.txt", vec![Ambiguous]),
            ("POSIX 4.13", "a file as a folder", "a.txt", "a.txt/b", vec![Ambiguous]),
            ("NTFS", "capitals", "a.txt", "A.TXT", vec![Confusable]),
            ("NTFS", "a blank at the end", "a.txt", "a.txt ", vec![Confusable]),
            ("NTFS", "a dot at the end of a folder", "b/a.txt", "b./a.txt", vec![Confusable]),
            ("NTFS", "a stream", "a.txt", "a.txt:b", vec![Confusable]),
            ("NTFS", "another separator", "b/a.txt", "b\\a.txt", vec![Confusable]),
            ("HFS+", "composed and not", "\u{e9}", "e\u{301}", vec![Confusable]),
            ("UTS #39 4", "of other letters", "copy", "\u{441}\u{43e}\u{440}\u{443}", vec![Confusable]),
            ("UTS #39 5.1", "mixed in one word", "b.txt", "\u{441}ontract.txt", vec![Confusable]),
            ("UTS #39 5.1", "not seen", "b.txt", "a\u{202e}fdp.exe", vec![Confusable]),
            ("UTS #39", "told apart", "договор 1.pdf", "договор 2.pdf", vec![]),
        ] {
            let kinds: Vec<Kind> = names([one, other].into_iter()).into_iter().map(|found| found.kind).collect();
            assert_eq!(kinds, expected, "{clause} {situation}");
        }
    }

    #[test]
    fn entries_that_are_not_foreseen() {
        let about = |name: &str| vec![(Kind::UnexpectedContainerEntry, name.to_owned())];
        for (clause, situation, name, bytes, expected) in [
            ("A.1", "a content", "META-INF/contract.pdf", &b"text"[..], about("META-INF/contract.pdf")),
            ("A.1", "of OCF", "META-INF/container.xml", b"<container/>", vec![]),
            ("A.1", "no XML", "META-INF/container.xml", b"text", about("META-INF/container.xml")),
            ("A.1", "in a folder", "META-INF/a/container.xml", b"<c/>", about("META-INF/a/container.xml")),
            ("4.4.3.2", "the list of files", "META-INF/manifest.xml", b"<m/>", vec![]),
        ] {
            let zip = Zip::of(&[("mimetype", b"m"), ("a.txt", b"text"), (name, bytes)]).bytes();
            assert_eq!(found(&zip), expected, "EN 319 162-1 {clause} {situation}");
        }
    }

    #[test]
    fn what_opens_as_another_type() {
        let pdf = "%PDF-1.7\n1 0 obj<<>>endobj";
        let second = |place: &str| vec![(Kind::SecondFileType, place.to_owned())];
        let of = |files: &[(&str, &[u8])]| found(&Zip::of(files).bytes());
        assert_eq!(of(&[("mimetype", b"m"), ("a.pdf", pdf.as_bytes())]), [], "a content");
        assert_eq!(of(&[("mimetype", b"m"), ("META-INF/signatures.xml", pdf.as_bytes())]), second("PDF"), "4.4.3.2");
        assert_eq!(of(&[("mimetype", pdf.as_bytes()), ("a.txt", b"text")]), second("PDF"), "A.1");
        let commented = Zip { comment: "<html><body>x".into(), ..Zip::of(&[("a.txt", b"text")]) };
        assert_eq!(found(&commented.bytes()), second("HTML"), "APPNOTE 4.4.26");
        let mut gap = Zip::of(&[("mimetype", b"m"), ("a.txt", b"text")]);
        gap.entries[0].behind = format!("\n{pdf}").into();
        let kinds: Vec<Kind> = found(&gap.bytes()).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Kind::UncoveredOctets, Kind::SecondFileType], "APPNOTE 4.3.6: between entries");
    }
}
