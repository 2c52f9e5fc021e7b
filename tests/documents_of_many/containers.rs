//! ASiC containers.

use super::cms::TEXT;
use base64::prelude::*;
use lacre_testkit::cms::STAMPED;
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::{EXCLUSIVE, Signature, reference};
use lacre_testkit::zip::{Entry, Zip, manifest};
use lacre_testkit::{ers, pki};

pub fn named(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("file{number}.txt")).collect()
}

pub fn asic_files(lab: &Lab, count: usize) -> Vec<u8> {
    let names = named(count);
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), TEXT)).collect();
    lab.asic_e(&files, &[]).bytes()
}

pub fn asic_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    with_signatures(lab.asic_e(&[("a.txt", TEXT)], &[]), count).bytes()
}

/// The same with so many files of signatures more.
pub fn with_signatures(mut zip: Zip, count: usize) -> Zip {
    let at = zip.entries.iter().position(|entry| entry.title().contains("signatures")).expect("an entry");
    let signature = zip.entries[at].clone();
    zip.entries.extend((0..count).map(|number| {
        let mut entry = signature.clone();
        entry.name = format!("META-INF/signatures{number:05}.xml").into_bytes();
        entry
    }));
    zip
}

pub fn asic_manifests(lab: &Lab, count: usize) -> Vec<u8> {
    let mut zip: Zip = lab.asic_e_cades(&[("a.txt", TEXT)]);
    let of = |zip: &Zip, part: &str| -> Entry {
        zip.entries.iter().find(|entry| entry.title().contains(part)).expect("an entry").clone()
    };
    let (manifest, signature) = (of(&zip, "anifest"), of(&zip, ".p7s"));
    let name = signature.title();
    for number in 0..count {
        let other = format!("META-INF/signature{number:05}.p7s");
        let mut entry = manifest.clone();
        entry.name = format!("META-INF/ASiCManifest{number:05}.xml").into_bytes();
        entry.data = String::from_utf8(entry.data).expect("XML").replace(&name, &other).into_bytes();
        zip.entries.push(entry);
        zip.entries.push(Entry { name: other.into_bytes(), ..signature.clone() });
    }
    zip.bytes()
}

/// A long name, and others that are the same path.
pub fn asic_names(lab: &Lab, count: usize) -> Vec<u8> {
    let long = format!("a{}", "/.".repeat(20 * count));
    let step = |bit: bool| if bit { "/." } else { "//" };
    let name = |at: usize| format!(".{}/a", (0..16).map(|bit| step(at >> bit & 1 == 1)).collect::<String>());
    let names: Vec<String> = (0..count).map(name).chain([long]).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().rev().map(|name| (name.as_str(), &b"x"[..])).collect();
    lab.asic_e(&[("contract.txt", b"pay 100")], &entries).bytes()
}

/// No reference has the name of a file, each the digest of one.
pub fn asic_renamed(lab: &Lab, count: usize) -> Vec<u8> {
    let names = named(count);
    let texts: Vec<String> = names.iter().map(|name| format!("the text of {name}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().zip(&texts).map(|(name, text)| (&**name, text.as_bytes())).collect();
    let other: Vec<String> = names.iter().map(|name| format!("other/{name}")).collect();
    let signed: Vec<(&str, &[u8])> = other.iter().zip(&texts).map(|(name, text)| (&**name, text.as_bytes())).collect();
    lab.asic_e_with(&files, &[], &lab.xades_over(&signed)).bytes()
}

/// So many manifests list 25,000 references each, of which so many differ, in an order that is never the same.
pub fn asic_references(lab: &Lab, manifests: usize, different: usize) -> Vec<u8> {
    let mut zip = lab.asic_e_cades(&[("a.txt", TEXT)]);
    let mut state = 1u64;
    for number in 0..manifests {
        let mut row = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("<DataObjectReference URI=\"a.txt\" MimeType=\"{number}-{}\"/>", (state >> 33) % different as u64)
        };
        let rows: String = (0..25_000).map(|_| row()).collect();
        let list = format!("<ASiCManifest><SigReference URI=\"META-INF/{number}.p7s\"/>{rows}</ASiCManifest>");
        zip.entries.push(Entry {
            deflated: true,
            ..Entry::new(&format!("META-INF/ASiCManifest{number}.xml"), list.as_bytes())
        });
    }
    zip.bytes()
}

/// So many hexadecimal digits, which compress to half of them.
pub fn noise(count: usize) -> String {
    let digests = (0..count.div_ceil(64)).map(|number| pki::sha256(&number.to_be_bytes()));
    digests.flatten().map(|byte| format!("{byte:02x}")).collect()
}

/// A container with so many files of signatures, each of which signs this file three times, compressed, in canonical form.
pub fn transformed_beside(lab: &Lab, file: &str, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("a.xml"), file.as_bytes(), &[EXCLUSIVE]); 3];
    let zip = lab.asic_e_with(&[("a.xml", file.as_bytes())], &[], &Signature::over(lab, references).xml());
    compressed(with_signatures(zip, count - 1))
}

/// A container with so many evidence records in XML over this file, compressed, in canonical form.
pub fn records_over(lab: &Lab, file: &str, count: usize) -> Vec<u8> {
    records_of_chains(lab, file, count, (1, 0))
}

/// The same with so many chains in each record, the first of which has so many values more, which each of the others covers.
pub fn records_of_chains(lab: &Lab, file: &str, count: usize, (chains, values): (usize, usize)) -> Vec<u8> {
    let token = BASE64_STANDARD.encode(ers::token_of(&lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)));
    let digest = BASE64_STANDARD.encode(pki::sha256(TEXT));
    let chain = |order: usize, more: &str| {
        format!(
            "<ArchiveTimeStampChain Order=\"{order}\">\
         <DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\
         <CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"/><ArchiveTimeStamp Order=\"1\"><HashTree>\
         <Sequence Order=\"1\"><DigestValue>{digest}</DigestValue>{more}</Sequence></HashTree><TimeStamp>\
         <TimeStampToken Type=\"RFC3161\">{token}</TimeStampToken></TimeStamp></ArchiveTimeStamp>\
         </ArchiveTimeStampChain>"
        )
    };
    let more = "<DigestValue>AAAA</DigestValue>".repeat(values);
    let all: String = (1..=chains).map(|order| chain(order, if order == 1 { &more } else { "" })).collect();
    let record = format!(
        "<EvidenceRecord xmlns=\"urn:ietf:params:xml:ns:ers\" Version=\"1.0\"><ArchiveTimeStampSequence>{all}\
         </ArchiveTimeStampSequence></EvidenceRecord>"
    );
    let files = [("a.xml", file.as_bytes())];
    let mut zip = lab.asic_e(&files, &[]);
    for number in 0..count {
        let name = format!("META-INF/evidencerecord{number}.xml");
        let list = manifest(&files, &name);
        zip = zip.and(&format!("META-INF/ASiCEvidenceRecordManifest{number}.xml"), &list).and(&name, record.as_bytes());
    }
    compressed(zip)
}

pub fn compressed(mut zip: Zip) -> Vec<u8> {
    zip.entry("a.xml").deflated = true;
    zip.bytes()
}
