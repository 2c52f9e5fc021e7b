//! A document on its way through the decades, step by step.

use lacre::augmentation::{EvidenceWant, Extension, Material, Target, TimestampWant, Want, extend};
use lacre::report::SignatureLevel;
use lacre::signing::SigningErrorCode;
use lacre::{Document, Report, Time};
use lacre_testkit::cms::SIGNED_DATA;
use lacre_testkit::decades::Decades;
use lacre_testkit::der::{children, oid, sequence, tlv};

pub const SECOND: i64 = 1000;
pub const DAY: i64 = 86_400_000;
pub const YEAR: i64 = 365 * DAY;
pub const TEXT: &[u8] = b"Dear Ines,\r\nall is well.\r\n";

pub fn start() -> Time {
    "2027-03-01T12:00:00Z".parse().expect("a time")
}

/// The levels of the signatures of a report.
pub fn levels(report: &Report) -> Vec<&'static str> {
    report.signatures().map(|signature| signature.level().map_or("none", SignatureLevel::as_str)).collect()
}

/// What was done with a document on its way, step by step.
pub struct Life<'w> {
    pub world: &'w Decades,
    pub file: Vec<u8>,
    pub content: Option<&'w [u8]>,
    pub now: Time,
}

impl<'w> Life<'w> {
    pub fn of(world: &'w Decades, file: Vec<u8>, now: Time) -> Self {
        Self { world, file, content: None, now }
    }

    pub fn document(&self) -> Document<'_> {
        let document = Document::new(&self.file);
        match self.content {
            Some(content) => document.with_content("letter.txt", content),
            None => document,
        }
    }

    /// Extends the file, which is judged afterwards with nothing but what is in it.
    pub fn extend(&mut self, target: &Target, situation: &str) -> Report {
        let mut now = self.now;
        let extended = self.world.extend(&self.document(), target, &mut now);
        let extended = extended.unwrap_or_else(|error| panic!("{situation}: {} {error}", error.code()));
        let file = extended.output.to_vec(&self.file);
        (self.file, self.now) = (file, now);
        let judged = self.world.validator().validate(&self.document(), now).expect("it is read");
        assert_eq!(levels(&judged), levels(&extended.report), "{situation}: the report that was returned");
        judged
    }

    /// What an extension answers that has no material.
    pub fn first(&self, target: &Target) -> Result<Extension, SigningErrorCode> {
        let material = Material::new();
        let first = extend(&self.world.validator(), &self.document(), target, &material, self.now);
        first.map_err(|error| error.code())
    }

    pub fn wants(&self, target: &Target, material: &Material) -> Vec<Want> {
        match extend(&self.world.validator(), &self.document(), target, material, self.now) {
            Ok(Extension::Wanted(wants)) => wants,
            Ok(Extension::Done(_)) => panic!("found that nothing is wanted"),
            Err(error) => panic!("{} {error}", error.code()),
        }
    }
}

pub fn timestamps(wants: &[Want]) -> Vec<&TimestampWant> {
    wants.iter().filter_map(|want| if let Want::Timestamp(want) = want { Some(want) } else { None }).collect()
}

pub fn evidence(wants: &[Want]) -> Vec<&EvidenceWant> {
    wants.iter().filter_map(|want| if let Want::Evidence(want) = want { Some(want) } else { None }).collect()
}

/// How often something stands in a file.
pub fn count(file: &[u8], word: &[u8]) -> usize {
    file.windows(word.len()).filter(|window| *window == word).count()
}

/// The fields of the `SignedData` in a file in DER.
pub fn fields(cms: &[u8]) -> Vec<Vec<u8>> {
    children(&children(&children(cms)[1])[0])
}

/// A file with these fields of a `SignedData`.
pub fn with_fields(fields: &[Vec<u8>]) -> Vec<u8> {
    sequence(&[&oid(SIGNED_DATA), &tlv(0xa0, &[&sequence(&[&fields.concat()])])])
}

/// A file in DER whose first signer has another unsigned attribute.
pub fn with_attribute(cms: &[u8], attribute: &[u8]) -> Vec<u8> {
    let mut fields = fields(cms);
    let mut signers = children(&fields[fields.len() - 1]);
    let mut parts = children(&signers[0]);
    let unsigned = parts.pop().expect("it has unsigned attributes");
    parts.push(tlv(0xa1, &[&children(&unsigned).concat(), attribute]));
    signers[0] = sequence(&[&parts.concat()]);
    let place = fields.len() - 1;
    fields[place] = tlv(0x31, &[&signers.concat()]);
    with_fields(&fields)
}

/// An element of indefinite length.
pub fn indefinite(element: &[u8], content: &[u8]) -> Vec<u8> {
    [&[element[0], 0x80], content, &[0, 0]].concat()
}
