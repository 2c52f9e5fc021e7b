//! ZIP files and ASiC containers, written by hand.

use crate::lab::Lab;
use crate::pki::sha256;
use crate::xml;
use base64::prelude::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// An entry and what is said of it.
#[derive(Clone, Default)]
pub struct Entry {
    pub name: Vec<u8>,
    pub data: Vec<u8>,
    pub deflated: bool,
    pub flags: u16,
    pub extra: Vec<u8>,
    /// What the directory says, where that is something else.
    pub listed_name: Option<Vec<u8>>,
    pub listed_extra: Option<Vec<u8>>,
    pub local_data_length: Option<u32>,
    pub local_method: Option<u16>,
    /// The local header has no sizes: a data descriptor behind the data has them.
    pub streamed: bool,
    /// What the local header says all the same.
    pub local_size: Option<u32>,
    /// The directory leads to the entry at this place instead.
    pub listed_place: Option<usize>,
    pub unlisted: bool,
    /// Bytes behind the data.
    pub gap: Vec<u8>,
    pub attributes: u32,
    /// Whose attributes these are (APPNOTE 4.4.2): 0 those of FAT, 3 those of Unix.
    pub host: u8,
}

impl Entry {
    pub fn new(name: &str, data: &[u8]) -> Self {
        let flags = if name.is_ascii() { 0 } else { 0x800 };
        Self { name: name.as_bytes().to_vec(), data: data.to_vec(), flags, ..Self::default() }
    }

    pub fn title(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// A ZIP file to be written.
#[derive(Clone, Default)]
pub struct Zip {
    pub prefix: Vec<u8>,
    pub entries: Vec<Entry>,
    pub comment: Vec<u8>,
    /// Bytes between the entries and the directory, and behind the end.
    pub before_directory: Vec<u8>,
    pub suffix: Vec<u8>,
    /// The directory lists the entries the other way round.
    pub reversed: bool,
    /// The number of entries that the end states.
    pub stated: Option<u16>,
}

impl Zip {
    pub fn of(files: &[(&str, &[u8])]) -> Self {
        Self { entries: files.iter().map(|(name, data)| Entry::new(name, data)).collect(), ..Self::default() }
    }

    pub fn and(mut self, name: &str, data: &[u8]) -> Self {
        self.entries.push(Entry::new(name, data));
        self
    }

    pub fn entry(&mut self, name: &str) -> &mut Entry {
        let found = self.entries.iter_mut().find(|entry| entry.name == name.as_bytes());
        found.unwrap_or_else(|| panic!("no entry {name}"))
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut file = self.prefix.clone();
        // What stands before the place of the entry, which entry, what stands behind.
        let mut rows: Vec<(Vec<u8>, usize, Vec<u8>)> = vec![];
        let mut places: Vec<u32> = vec![];
        for entry in &self.entries {
            places.push(file.len() as u32);
            let mut crc = flate2::Crc::new();
            crc.update(&entry.data);
            let data = if entry.deflated { deflated(&entry.data) } else { entry.data.clone() };
            let method = if entry.deflated { 8u16 } else { 0 };
            let flags = if entry.streamed { entry.flags | 8 } else { entry.flags };
            let head = |name: &[u8], extra: &[u8], method: u16, numbers: [u32; 3]| {
                let mut head = vec![];
                head.extend([20u16, flags, method, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
                head.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                head.extend([name.len() as u16, extra.len() as u16].iter().flat_map(|number| number.to_le_bytes()));
                head
            };
            let length = entry.data.len() as u32;
            file.extend(b"PK\x03\x04");
            let numbers = [crc.sum(), data.len() as u32, length];
            let local = match (entry.streamed, entry.local_size) {
                (true, size) => [0, size.unwrap_or_default(), size.unwrap_or_default()],
                (false, size) => [numbers[0], size.unwrap_or(numbers[1]), entry.local_data_length.unwrap_or(length)],
            };
            file.extend(head(&entry.name, &entry.extra, entry.local_method.unwrap_or(method), local));
            file.extend([&entry.name[..], &entry.extra, &data].concat());
            if entry.streamed {
                file.extend(b"PK\x07\x08");
                file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            file.extend(&entry.gap);
            if !entry.unlisted {
                let name = entry.listed_name.as_ref().unwrap_or(&entry.name);
                let extra = entry.listed_extra.as_ref().unwrap_or(&entry.extra);
                let mut row = b"PK\x01\x02\x14".to_vec();
                row.push(entry.host);
                row.extend(head(name, extra, method, numbers));
                row.extend([0; 6]);
                row.extend(entry.attributes.to_le_bytes());
                rows.push((row, entry.listed_place.unwrap_or(places.len() - 1), [&name[..], extra].concat()));
            }
        }
        file.extend(&self.before_directory);
        let start = file.len() as u32;
        let place = |at: &usize| places.get(*at).copied().unwrap_or_default().to_le_bytes();
        let mut directory: Vec<Vec<u8>> =
            rows.iter().map(|(row, at, names)| [&row[..], &place(at), names].concat()).collect();
        let count = self.stated.unwrap_or(directory.len() as u16);
        if self.reversed {
            directory.reverse();
        }
        let directory = directory.concat();
        file.extend(&directory);
        file.extend(b"PK\x05\x06\0\0\0\0");
        file.extend([count, count].iter().flat_map(|number| number.to_le_bytes()));
        file.extend([directory.len() as u32, start].iter().flat_map(|number| number.to_le_bytes()));
        file.extend((self.comment.len() as u16).to_le_bytes());
        file.extend([&self.comment[..], &self.suffix].concat());
        file
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![], Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// The Unicode path extra field (0x7075): the name that is shown for the one that is stored.
pub fn unicode_path(shown: &str, stored: &str) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(stored.as_bytes());
    let mut field = 0x7075u16.to_le_bytes().to_vec();
    field.extend((5 + shown.len() as u16).to_le_bytes());
    field.push(1);
    field.extend(crc.sum().to_le_bytes());
    field.extend(shown.bytes());
    field
}

pub const ASIC_E: &[u8] = b"application/vnd.etsi.asic-e+zip";
pub const ASIC_S: &[u8] = b"application/vnd.etsi.asic-s+zip";

/// Two files.
pub const FILES: [(&str, &[u8]); 2] = [("contract.txt", b"pay 100"), ("annex.txt", b"terms")];

/// `META-INF/manifest.xml` of OpenDocument.
pub fn package(names: &[&str]) -> Vec<u8> {
    let rows: String = names
        .iter()
        .map(|name| format!("<manifest:file-entry manifest:full-path=\"{name}\" manifest:media-type=\"text/plain\"/>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"><manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"application/vnd.etsi.asic-e+zip\"/>{rows}</manifest:manifest>"
    )
    .into_bytes()
}

/// The files of signatures in a container.
pub fn signatures(signature: &str) -> Vec<u8> {
    format!("<asic:XAdESSignatures xmlns:asic=\"http://uri.etsi.org/02918/v1.2.1#\">{signature}</asic:XAdESSignatures>")
        .into_bytes()
}

/// An ASiC manifest over the files.
pub fn manifest(files: &[(&str, &[u8])], signature: &str) -> Vec<u8> {
    let rows: String = files
        .iter()
        .map(|(name, data)| {
            format!(
                "<asic:DataObjectReference URI=\"{name}\"><ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/><ds:DigestValue>{}</ds:DigestValue></asic:DataObjectReference>",
                BASE64_STANDARD.encode(sha256(data))
            )
        })
        .collect();
    format!(
        "<asic:ASiCManifest xmlns:asic=\"http://uri.etsi.org/02918/v1.2.1#\" xmlns:ds=\"{}\"><asic:SigReference URI=\"{signature}\" MimeType=\"application/x-pkcs7-signature\"/>{rows}</asic:ASiCManifest>",
        xml::DS
    )
    .into_bytes()
}

impl Lab {
    /// A XAdES signature over the files of a container.
    pub fn xades_over(&self, files: &[(&str, &[u8])]) -> String {
        let references: Vec<String> =
            files.iter().map(|(name, data)| xml::reference(Some(&name.replace(' ', "%20")), data, &[])).collect();
        xml::Signature::over(self, references).xml()
    }

    /// ASiC-E with XAdES; unsigned entries behind the signed ones.
    pub fn asic_e(&self, files: &[(&str, &[u8])], unsigned: &[(&str, &[u8])]) -> Zip {
        self.asic_e_with(files, unsigned, &self.xades_over(files))
    }

    /// The same with another signature.
    pub fn asic_e_with(&self, files: &[(&str, &[u8])], unsigned: &[(&str, &[u8])], signature: &str) -> Zip {
        let mut zip = Zip::of(&[("mimetype", ASIC_E)]);
        zip.entries.extend(files.iter().map(|(name, data)| Entry::new(name, data)));
        let outside = unsigned.iter().filter(|(name, _)| !name.starts_with("META-INF"));
        let names: Vec<&str> = files.iter().chain(outside).map(|(name, _)| *name).collect();
        zip = zip.and("META-INF/manifest.xml", &package(&names));
        zip = zip.and("META-INF/signatures001.xml", &signatures(signature));
        zip.entries.extend(unsigned.iter().map(|(name, data)| Entry::new(name, data)));
        zip
    }

    /// ASiC-E with CAdES.
    pub fn asic_e_cades(&self, files: &[(&str, &[u8])]) -> Zip {
        let manifest = manifest(files, "META-INF/signature001.p7s");
        let mut zip = Zip::of(&[("mimetype", ASIC_E)]);
        zip.entries.extend(files.iter().map(|(name, data)| Entry::new(name, data)));
        zip.and("META-INF/ASiCManifest001.xml", &manifest).and("META-INF/signature001.p7s", &self.detached(&manifest))
    }

    /// ASiC-S with this signature, in a file of that name.
    pub fn asic_s(&self, file: (&str, &[u8]), name: &str, signature: &[u8]) -> Zip {
        Zip::of(&[("mimetype", ASIC_S), file, (name, signature)])
    }
}
