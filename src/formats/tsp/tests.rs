use super::TstInfo;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Writer, oid};

const SHA_256: Oid<'static> = oid!("2.16.840.1.101.3.4.2.1");

/// A TSTInfo with what follows `genTime`.
fn tst_info(rest: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    w.sequence(|w| {
        w.unsigned(&[1]).oid(oid!("1.2.3"));
        w.sequence(|w| {
            w.sequence(|w| {
                w.oid(SHA_256);
            });
            w.octet_string(&[9; 32]);
        });
        w.unsigned(&[5]).element(Tag::GENERALIZED_TIME, b"20261121100000.5Z");
        rest(w);
    });
    w.finish()
}

#[test]
fn what_a_token_says() {
    let general_name = [0x82, 1, b'a'];
    let rows: [(&str, Vec<u8>, Option<Vec<u8>>); 3] = [
        ("nothing optional", tst_info(|_| {}), None),
        (
            "accuracy, ordering, nonce and name",
            tst_info(|w| {
                w.sequence(|w| {
                    w.unsigned(&[1]);
                });
                w.boolean(true).unsigned(&[3]).explicit(0, |w| {
                    w.raw(&general_name);
                });
            }),
            Some(general_name.to_vec()),
        ),
        (
            "extensions",
            tst_info(|w| {
                w.explicit(1, |w| {
                    w.null();
                });
            }),
            None,
        ),
    ];
    for (situation, octets, tsa) in rows {
        let info = TstInfo::parse(&octets).unwrap_or_else(|error| panic!("RFC 3161 2.4.2 {situation}: {error}"));
        assert_eq!(info.imprint.algorithm, Some(DigestAlgorithm::Sha256), "{situation}");
        assert_eq!(info.gen_time.to_string(), "2026-11-21T10:00:00.500Z", "{situation}");
        assert_eq!(info.tsa, tsa, "RFC 3161 2.4.2 {situation}");
        assert!(TstInfo::parse(&octets[..octets.len() - 1]).is_err(), "{situation}, cut");
    }
}
