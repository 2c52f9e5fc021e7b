//! Evidence records: RFC 4998, RFC 6283.

use crate::cms::{STAMPED, Token};
use crate::der::*;
use crate::lab::Lab;
use crate::pki::{SHA256, sha256};
use crate::xml::EXCLUSIVE;
use base64::prelude::*;

/// When an archive time-stamp is renewed for the first time, and for the second.
pub const RENEWED: [&str; 2] = ["20261126120000Z", "20261127120000Z"];

/// The hash of a list of hashes, in binary ascending order (§4.2).
pub fn node(hashes: &[Vec<u8>]) -> Vec<u8> {
    match hashes {
        [one] => one.clone(),
        _ => sha256(&sorted(hashes)),
    }
}

/// `EvidenceRecord` of these chains of archive time-stamps.
pub fn record(chains: &[&[Vec<u8>]]) -> Vec<u8> {
    let algorithms = sequence(&[&sequence(&[&oid(SHA256)])]);
    sequence(&[&integer(1), &algorithms, &sequence_of(chains)])
}

/// `ArchiveTimeStampSequence`.
pub fn sequence_of(chains: &[&[Vec<u8>]]) -> Vec<u8> {
    let chains: Vec<Vec<u8>> = chains.iter().map(|chain| sequence(&[&chain.concat()])).collect();
    sequence(&[&chains.concat()])
}

/// The time-stamp of an `ArchiveTimeStamp`, which its renewal covers.
pub fn token_of(stamp: &[u8]) -> Vec<u8> {
    children(stamp).pop().expect("it ends in its time-stamp")
}

/// What a renewal of the hash tree covers for an object: §5.3.
pub fn renewed(object: &[u8], before: &[&[Vec<u8>]]) -> Vec<u8> {
    sha256(&[sha256(object), sha256(&sequence_of(before))].concat())
}

/// The namespace of records in XML.
pub const ERS: &str = "urn:ietf:params:xml:ns:ers";

/// `TimeStamp` of a record in XML, with something behind its token; canonical where it has its namespace.
pub fn xml_time_stamp(token: &[u8], behind: &str) -> String {
    let token = BASE64_STANDARD.encode(token);
    format!("<TimeStamp><TimeStampToken Type=\"RFC3161\">{token}</TimeStampToken>{behind}</TimeStamp>")
}

/// `EvidenceRecord` in XML, of one chain of such time-stamps.
pub fn xml_record(stamps: &[String]) -> String {
    let number = |(at, stamp): (usize, &String)| {
        let order = at + 1;
        format!("<ArchiveTimeStamp Order=\"{order}\">{stamp}</ArchiveTimeStamp>")
    };
    let stamps: String = stamps.iter().enumerate().map(number).collect();
    format!(
        "<EvidenceRecord xmlns=\"{ERS}\" Version=\"1.0\"><ArchiveTimeStampSequence><ArchiveTimeStampChain Order=\"1\"><DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/><CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"/>{stamps}</ArchiveTimeStampChain></ArchiveTimeStampSequence></EvidenceRecord>"
    )
}

impl Lab {
    /// `ArchiveTimeStamp` over a tree of one list of hashes; with the root's revocation list.
    pub fn archive_timestamp(&self, hashes: &[Vec<u8>], time: &str) -> Vec<u8> {
        let token = Token { crls: vec![self.crl.clone()], ..Token::of(node(hashes), time) }.by(&self.tsa);
        let tree = match hashes {
            [_] => vec![],
            _ => {
                let list: Vec<Vec<u8>> = hashes.iter().map(|hash| bytes(hash)).collect();
                tlv(0xa2, &[&sequence(&[&list.concat()])])
            }
        };
        sequence(&[&tlv(0xa0, &[&oid(SHA256)]), &tree, &token])
    }

    /// `EvidenceRecord` over these objects, never renewed.
    pub fn evidence_record(&self, objects: &[&[u8]]) -> Vec<u8> {
        let hashes: Vec<Vec<u8>> = objects.iter().map(|object| sha256(object)).collect();
        record(&[&[self.archive_timestamp(&hashes, STAMPED)]])
    }
}
