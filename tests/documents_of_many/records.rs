//! Evidence records.

use super::cms::{TEXT, with_unsigned};
use lacre_testkit::cms::{STAMPED, Signer, attribute};
use lacre_testkit::der::{children, integer, sequence};
use lacre_testkit::lab::Lab;
use lacre_testkit::{ers, pki};

pub fn record(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    ers::record(&[&vec![stamp; count]])
}

pub fn chains(lab: &Lab, count: usize) -> Vec<u8> {
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    ers::record(&vec![&chain[..]; count])
}

/// One with so many hashes, which are empty.
pub fn record_of_hashes(lab: &Lab, count: usize) -> Vec<u8> {
    ers::record(&[&[lab.archive_timestamp(&vec![vec![]; count], STAMPED)]])
}

pub fn hashes(lab: &Lab, count: usize) -> Vec<u8> {
    let hashes: Vec<Vec<u8>> = (0..count).map(|number| pki::sha256(&number.to_be_bytes())).collect();
    ers::record(&[&[lab.archive_timestamp(&hashes, STAMPED)]])
}

pub const INTERNAL_RECORD: &str = "1.2.840.113549.1.9.16.2.49";

/// Each of a version of its own, so that no two are the same.
pub fn embedded_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = |number: usize| {
        let mut record = children(&ers::record(&[std::slice::from_ref(&stamp)]));
        record[0] = integer(number as u64);
        attribute(INTERNAL_RECORD, &sequence(&[&record.concat()]))
    };
    with_unsigned(lab, (0..count).map(record).collect())
}

pub fn signers_with_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = attribute(INTERNAL_RECORD, &ers::record(&[&[stamp]]));
    let signer = |number: usize| Signer {
        identifier: sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]),
        timestamp: None,
        unsigned: vec![record.clone()],
        ..Signer::of(&lab.alice, TEXT)
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &(0..count).map(signer).collect::<Vec<_>>());
    data.certificates = vec![lab.alice.certificate.clone()];
    data.bytes()
}

/// A large message with one record of 64 chains.
pub fn chains_over_a_large_message(lab: &Lab, bytes: usize) -> Vec<u8> {
    let text = vec![b'x'; bytes];
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    let record = attribute(INTERNAL_RECORD, &ers::record(&vec![&chain[..]; 64]));
    let signer = Signer { unsigned: vec![record], ..lab.signer(&lab.alice, &text).at(STAMPED) };
    lab.signed_data(Some(&text), &text, &[signer]).bytes()
}
