use super::TstInfo;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Writer, oid};

const SHA_256: Oid<'static> = oid!("2.16.840.1.101.3.4.2.1");

/// Returns a TSTInfo with what follows `genTime`.
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
    for (situation, bytes, tsa) in rows {
        let info = TstInfo::parse(&bytes).unwrap_or_else(|error| panic!("RFC 3161 2.4.2 {situation}: {error}"));
        assert_eq!(info.imprint.algorithm, Some(DigestAlgorithm::Sha256), "{situation}");
        assert_eq!(info.gen_time.to_string(), "2026-11-21T10:00:00.500Z", "{situation}");
        assert_eq!(info.tsa, tsa, "RFC 3161 2.4.2 {situation}");
        assert!(TstInfo::parse(&bytes[..bytes.len() - 1]).is_err(), "{situation}, cut");
    }
}

/// RFC 3161 §2.4.2, EN 319 421 §7.7.2: one byte or two changed at a time.
#[test]
fn what_breaks_a_token() {
    use crate::facts::IrregularityKind::{self, CoarseTime, FormatViolation};
    let plain = tst_info(|_| {});
    let changed = |from: &[u8], to: &[u8]| {
        assert_eq!(from.len(), to.len(), "lengths stand before");
        let at = plain.windows(from.len()).position(|window| window == from).expect("it is there");
        [&plain[..at], to, &plain[at + to.len()..]].concat()
    };
    let accuracy = |seconds: &'static [u8]| {
        tst_info(move |w| {
            w.sequence(|w| {
                w.unsigned(seconds);
            });
        })
    };
    let milliseconds = |number: &'static [u8]| {
        tst_info(move |w| {
            w.sequence(|w| {
                w.element(Tag::context(0), number);
            });
        })
    };
    let extension = |name: Oid<'static>, critical: bool| {
        tst_info(move |w| {
            w.explicit(1, |w| {
                w.sequence(|w| {
                    w.oid(name).boolean(critical).octet_string(b"x");
                });
            });
        })
    };
    let other = oid!("1.2.3.4");
    let rows: [(&str, Vec<u8>, &[IrregularityKind]); 15] = [
        ("nothing", plain.clone(), &[]),
        ("an accuracy of a second", accuracy(&[1]), &[]),
        ("of a minute", accuracy(&[60]), &[]),
        ("of sixty days", accuracy(&[0x4F, 0x1A, 0]), &[CoarseTime]),
        ("beyond all measure", accuracy(&[1; 9]), &[CoarseTime]),
        ("of a day, in milliseconds", milliseconds(&[5, 0x26, 0x5C, 0]), &[CoarseTime]),
        ("of half a second", milliseconds(&[1, 0xF4]), &[]),
        ("another version", changed(&[2, 1, 1], &[2, 1, 2]), &[FormatViolation]),
        ("a local time", changed(b"100000.5Z", b"100000.55"), &[FormatViolation]),
        ("an offset", changed(b"100000.5Z", b"1000+0100"), &[FormatViolation]),
        ("no digit of a second", changed(b"100000.5Z", b"100000.,Z"), &[]),
        ("a critical extension", extension(other, true), &[FormatViolation]),
        ("one that is not critical", extension(other, false), &[]),
        ("one that is understood", extension(oid!("1.3.6.1.5.5.7.1.3"), true), &[]),
        (
            "another field",
            tst_info(|w| {
                w.element(Tag::UTF8_STRING, b"x");
            }),
            &[FormatViolation],
        ),
    ];
    for (situation, bytes, expected) in rows {
        let Ok(info) = TstInfo::parse(&bytes) else {
            assert_eq!(situation, "no digit of a second", "RFC 3161 2.4.2");
            continue;
        };
        let kinds: Vec<IrregularityKind> = info.irregularities.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, expected, "RFC 3161 2.4.2 {situation}");
    }
    let trailing = [&plain[..], b"x"].concat();
    let info = TstInfo::parse(&trailing).expect("the rest is whole");
    assert_eq!(info.irregularities.len(), 1, "RFC 3161 2.4.2 bytes after the TSTInfo");
}
