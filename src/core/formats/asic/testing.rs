//! ZIP files made for tests, right and wrong.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// A ZIP file to be written.
#[derive(Default)]
pub(super) struct Zip {
    pub(super) entries: Vec<Made>,
    pub(super) comment: String,
    pub(super) zip64: bool,
    /// The directory has a second entry, `b.txt`, in the place of the last.
    pub(super) overlap: bool,
}

/// An entry with what is said of it.
#[derive(Clone, Default)]
pub(super) struct Made {
    pub(super) name: String,
    pub(super) local_name: String,
    pub(super) method: u16,
    pub(super) flags: u16,
    pub(super) size: u64,
    pub(super) crc: u32,
    pub(super) data: Vec<u8>,
    pub(super) local_size: Option<u32>,
    pub(super) local_crc: Option<u32>,
    /// Sizes and checksum stand behind the data.
    pub(super) streamed: bool,
    pub(super) listed: bool,
    /// Bytes behind the entry that are none of its.
    pub(super) behind: Vec<u8>,
    /// Extra fields, of the local header and of the directory.
    pub(super) local_extra: Vec<u8>,
    pub(super) extra: Vec<u8>,
    /// External attributes: of Unix in the upper half.
    pub(super) attributes: u32,
}

impl Made {
    pub(super) fn deflate(&mut self) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.data).unwrap();
        self.data = encoder.finish().unwrap();
        self.method = 8;
    }
}

impl Zip {
    /// Makes a file of stored entries.
    pub(super) fn of(files: &[(&str, &[u8])]) -> Self {
        let entry = |(name, data): &(&str, &[u8])| {
            let mut crc = flate2::Crc::new();
            crc.update(data);
            Made {
                name: (*name).into(),
                local_name: (*name).into(),
                size: data.len() as u64,
                crc: crc.sum(),
                data: data.to_vec(),
                listed: true,
                ..Made::default()
            }
        };
        Self { entries: files.iter().map(entry).collect(), ..Self::default() }
    }

    /// Returns the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut file = vec![];
        let mut places = vec![];
        for entry in &self.entries {
            places.push(file.len());
            local(&mut file, entry);
        }
        let start = file.len();
        let mut listed = 0u64;
        for (entry, place) in self.entries.iter().zip(&places).filter(|(entry, _)| entry.listed) {
            central(&mut file, entry, *place);
            listed += 1;
        }
        if let Some((entry, place)) = self.entries.last().zip(places.last()).filter(|_| self.overlap) {
            let name = "b.txt".to_string();
            // The local header there has to say the same.
            let at = place + 30;
            file.splice(at..at + entry.name.len(), name.bytes());
            file.truncate(start);
            for (entry, place) in self.entries.iter().zip(&places).rev().skip(1) {
                central(&mut file, entry, *place);
            }
            central(&mut file, &Made { name: name.clone(), ..entry.clone() }, *place);
            central(&mut file, &Made { name, ..entry.clone() }, *place);
            listed += 1;
        }
        let size = file.len() - start;
        if self.zip64 {
            let at = file.len() as u64;
            file.extend(0x0606_4b50u32.to_le_bytes());
            file.extend(44u64.to_le_bytes());
            file.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [listed, listed, size as u64, start as u64] {
                file.extend(number.to_le_bytes());
            }
            file.extend(0x0706_4b50u32.to_le_bytes());
            file.extend(0u32.to_le_bytes());
            file.extend(at.to_le_bytes());
            file.extend(1u32.to_le_bytes());
        }
        let count = if self.zip64 { u16::MAX } else { listed as u16 };
        file.extend(0x0605_4b50u32.to_le_bytes());
        file.extend([0; 4]);
        file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        let sizes = if self.zip64 { [u32::MAX; 2] } else { [size as u32, start as u32] };
        file.extend(sizes.iter().flat_map(|number| number.to_le_bytes()));
        file.extend((self.comment.len() as u16).to_le_bytes());
        file.extend(self.comment.bytes());
        file
    }
}

fn local(file: &mut Vec<u8>, entry: &Made) {
    let flags = entry.flags | if entry.streamed { 8 } else { 0 };
    file.extend(0x0403_4b50u32.to_le_bytes());
    for number in [20, flags, entry.method, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    let stated =
        [entry.local_crc.unwrap_or(entry.crc), entry.data.len() as u32, entry.local_size.unwrap_or(entry.size as u32)];
    let stated = if entry.streamed { [0; 3] } else { stated };
    file.extend(stated.iter().flat_map(|number| number.to_le_bytes()));
    file.extend((entry.local_name.len() as u16).to_le_bytes());
    file.extend((entry.local_extra.len() as u16).to_le_bytes());
    file.extend(entry.local_name.bytes());
    file.extend(&entry.local_extra);
    file.extend(&entry.data);
    if entry.streamed {
        file.extend(0x0807_4b50u32.to_le_bytes());
        for number in [entry.crc, entry.data.len() as u32, entry.size as u32] {
            file.extend(number.to_le_bytes());
        }
    }
    file.extend(&entry.behind);
}

fn central(file: &mut Vec<u8>, entry: &Made, place: usize) {
    let flags = entry.flags | if entry.streamed { 8 } else { 0 };
    file.extend(0x0201_4b50u32.to_le_bytes());
    let made_by = if entry.attributes == 0 { 20 } else { 3 << 8 | 20 };
    for number in [made_by, 20, flags, entry.method, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    for number in [entry.crc, entry.data.len() as u32, entry.size as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend((entry.name.len() as u16).to_le_bytes());
    file.extend((entry.extra.len() as u16).to_le_bytes());
    file.extend([0; 6]);
    file.extend(entry.attributes.to_le_bytes());
    file.extend((place as u32).to_le_bytes());
    file.extend(entry.name.bytes());
    file.extend(&entry.extra);
}
