//! Sections of a snapshot: one trusted list each, deflated, and read when it is needed.

use super::list::{List, ServiceDigitalIdentity};
use crate::inflate::{Inflater, Wrapping};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that a manifest or a section may inflate to. The largest list has 1.5 MB.
const INFLATED: usize = 64 << 20;

/// The section of a snapshot that holds one list.
#[derive(Debug, Clone)]
pub(super) struct PackedList {
    pub(super) file: Arc<[u8]>,
    pub(super) section: Range<usize>,
}

impl PackedList {
    /// Inflates and reads the list; `None` if the section is damaged.
    pub fn open(&self) -> Option<List> {
        let bytes = inflated(self.file.get(self.section.clone())?)?;
        let mut reader = Reader(&bytes);
        let mut list: List = serde_json::from_slice(reader.sized()?).ok()?;
        while let Some(length) = reader.number() {
            list.identities.push(match length {
                // No certificate is that short.
                0 | 1 => {
                    let digest = *reader.take(16)?.first_chunk()?;
                    ServiceDigitalIdentity::Entity { digest, authority: length == 1 }
                }
                length => ServiceDigitalIdentity::Certificate(reader.take(length as usize)?.into()),
            });
        }
        Some(list)
    }
}

/// Encodes a list as a section.
pub(super) fn section(list: &List) -> Vec<u8> {
    let json = serde_json::to_vec(list).expect("a list is texts and numbers");
    let mut bytes = (json.len() as u32).to_be_bytes().to_vec();
    bytes.extend(json);
    for identity in &list.identities {
        match identity {
            ServiceDigitalIdentity::Entity { digest, authority } => {
                bytes.extend(u32::from(*authority).to_be_bytes());
                bytes.extend(digest);
            }
            ServiceDigitalIdentity::Certificate(der) => {
                bytes.extend((der.len() as u32).to_be_bytes());
                bytes.extend(der);
            }
        }
    }
    deflated(&bytes)
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![], Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes what is written")
}

pub(super) fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let inflated = Inflater::new(bytes, Wrapping::None).whole(bytes.len().saturating_mul(8), INFLATED).ok()?;
    (inflated.len() != INFLATED).then_some(inflated)
}

/// Reads numbers and lengths from what is left of a byte string.
pub(super) struct Reader<'o>(pub &'o [u8]);

impl<'o> Reader<'o> {
    pub fn take(&mut self, length: usize) -> Option<&'o [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(*self.take(4)?.first_chunk()?))
    }

    pub fn short(&mut self) -> Option<u32> {
        Some(u16::from_be_bytes(*self.take(2)?.first_chunk()?).into())
    }

    pub fn sized(&mut self) -> Option<&'o [u8]> {
        let length = self.number()?;
        self.take(length as usize)
    }
}
