//! Certificates, CRLs and OCSP responses with damaged bytes are read or refused; nothing panics.
//!
//! What the fuzz targets do, on a few thousand inputs, in every run.

use lacre::Budget;
use lacre_core::{
    asn1::{Tlv, to_der},
    collect::Collector,
    facts::RevocationOrigin,
    x509::{
        Certificate, Crl, OcspResponse,
        path::{self, PathOptions},
    },
};
use lacre_testkit::files::files;
use lacre_testkit::random::Random;
use std::path::{Path, PathBuf};

/// A copy with up to four places changed, removed or repeated.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const TAGS: [u8; 16] =
        [0, 0x80, 0xff, 0x30, 0x31, 0x02, 0x03, 0x04, 0x24, 0x23, 0x05, 0x17, 0x18, 0xa0, 0x1f, 0x84];
    let mut copy = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(copy.len());
        match random.below(8) {
            0 => {
                let end = (at + random.below(20)).min(copy.len());
                copy.drain(at..end);
            }
            1 => {
                let end = (at + random.below(200)).min(copy.len());
                let piece = copy[at..end].to_vec();
                copy.splice(at..at, piece);
            }
            2 | 3 => copy[at] = random.below(256) as u8,
            _ => copy[at] = TAGS[random.below(TAGS.len())],
        }
        if copy.is_empty() {
            copy.push(0x30);
        }
    }
    copy
}

fn walk(tlv: &Tlv<'_>, depth: usize) {
    let _ = (tlv.to_i64(), tlv.to_decimal(), tlv.boolean(), tlv.bytes(), tlv.bit_string(), tlv.string(), tlv.time());
    let _ = tlv.oid().map(|oid| oid.to_string());
    if tlv.tag.constructed && depth < 40 {
        tlv.children().for_each(|child| walk(&child, depth + 1));
    }
}

/// Reads everything that can be read of a token; whether it is one.
fn read(bytes: &[u8]) -> bool {
    if let Ok((tlv, _)) = Tlv::split(bytes) {
        walk(&tlv, 0);
        if let Ok(der) = to_der(tlv.raw) {
            assert_eq!(to_der(&der).expect("DER is BER"), der, "DER is its own normal form");
        }
    }
    let mut collector = Collector::new(&Budget::default());
    let mut read = false;
    if let Ok(certificate) = Certificate::from_der(bytes) {
        read = true;
        let _ = (certificate.extensions(), certificate.entity_key(), certificate.serial_text());
        let _ = (certificate.subject().forms(), certificate.subject().subject_attributes());
        let options = PathOptions { profile: true, ..PathOptions::at(certificate.not_before()) };
        let _ = path::validate(&[certificate.clone(), certificate.clone()], &options, &Budget::default());
        collector.subject(certificate, lacre_core::facts::CertificateSource::Other);
    }
    if let Ok(crl) = Crl::from_der(bytes) {
        read = true;
        let _ = (crl.number(), crl.authority_key_identifier(), crl.expired_certs_on_crl());
        let _ = (crl.issuing_distribution_point(), crl.is_understood(), crl.is_delta());
        let _ = crl.entry(&[1], crl.issuer(), 10_000);
    }
    if let Ok(ocsp) = OcspResponse::from_der(bytes) {
        read = true;
        let again = OcspResponse::from_der(&ocsp.der()).expect("what was read is written so that it can be read");
        assert_eq!(again.id(), ocsp.id());
        for certificate in ocsp.certificates().filter_map(|bytes| Certificate::from_der(bytes).ok()) {
            collector.subject(certificate, lacre_core::facts::CertificateSource::OcspResponse);
        }
        collector.ocsp(bytes, RevocationOrigin::InputDocument);
    }
    let _ = collector.finish(lacre::Time::from_millis(0));
    read
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn damaged_tokens() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let mut paths = files(&corpus, "");
    let kind = |path: &PathBuf| {
        path.extension().is_some_and(|ext| ["cer", "crt", "crl", "ocsp", "der"].iter().any(|known| ext == *known))
    };
    paths.retain(|path| !path.starts_with(corpus.join("dss-facts")) && kind(path));
    let tokens = paths.iter().filter_map(|path| std::fs::read(path).ok());
    let tokens: Vec<Vec<u8>> = tokens.filter(|bytes| bytes.len() < 10_000 && read(bytes)).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    for token in &tokens {
        for _ in 0..40 {
            if read(&damaged(token, &mut random)) { accepted += 1 } else { refused += 1 }
        }
    }
    println!("{} tokens: {accepted} damaged copies read, {refused} refused", tokens.len());
    assert!(accepted > 0 && refused > 0, "the damage is either none or total");
}
