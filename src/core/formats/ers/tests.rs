//! Rows for RFC 4998 §4 and §5 and RFC 6283 §3 and §4: trees, their leaves, chains and renewals.

use super::record::{ArchiveTimestamp, Chain, Record, SequenceBefore};
use super::verify::Object;
use crate::algorithm::DigestAlgorithm::{self, Sha256, Sha384};
use crate::asn1::{Oid, Tag, Writer, oid, tlv};
use crate::crypto::digest;
use crate::facts::{EvidenceRecordOrigin, EvidenceRecordTimestampType as Renewal, EvidenceRecordType, MatcherType};
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::EvidenceRecordDraft;
use crate::formats::tsp::Token;

fn sha(bytes: &[u8]) -> Vec<u8> {
    digest(Sha256, bytes).expect("SHA-256")
}

/// Returns the digest of several in binary ascending order (RFC 4998 §4.2).
fn node(hashes: &[&[u8]]) -> Vec<u8> {
    let mut sorted = hashes.to_vec();
    sorted.sort();
    sha(&sorted.concat())
}

/// Returns a time-stamp token over this imprint; nobody signed it.
fn token(imprint: &[u8]) -> Vec<u8> {
    token_at(imprint, b"20261121100000Z")
}

fn token_at(imprint: &[u8], time: &[u8]) -> Vec<u8> {
    const SHA_256: Oid<'static> = oid!("2.16.840.1.101.3.4.2.1");
    let algorithm = |w: &mut Writer| {
        w.sequence(|w| {
            w.oid(SHA_256);
        });
    };
    let mut info = Writer::new();
    info.sequence(|w| {
        w.unsigned(&[1]).oid(oid!("1.2.3"));
        w.sequence(|w| {
            algorithm(w);
            w.octet_string(imprint);
        });
        w.unsigned(&[5]).element(Tag::GENERALIZED_TIME, time);
    });
    let info = info.finish();
    let mut w = Writer::new();
    w.sequence(|w| {
        w.oid(oid!("1.2.840.113549.1.7.2")).explicit(0, |w| {
            w.sequence(|w| {
                w.unsigned(&[3]).set(algorithm);
                w.sequence(|w| {
                    w.oid(oid!("1.2.840.113549.1.9.16.1.4")).explicit(0, |w| {
                        w.octet_string(&info);
                    });
                });
                w.set(|w| {
                    w.sequence(|w| {
                        w.unsigned(&[3]).element(Tag::context(0), &[7; 20]);
                        algorithm(w);
                        w.explicit(0, |w| {
                            w.sequence(|w| {
                                w.oid(oid!("1.2.840.113549.1.9.16.2.47")).set(|w| {
                                    w.sequence(|w| {
                                        w.sequence(|w| {
                                            w.sequence(|w| {
                                                w.octet_string(&[7; 32]);
                                            });
                                        });
                                    });
                                });
                            });
                        });
                        algorithm(w);
                        w.octet_string(&[0; 4]);
                    });
                });
            });
        });
    });
    w.finish()
}

/// An archive time-stamp: its tree, and the bytes of its token.
type Stamp = (Vec<Vec<Vec<u8>>>, Vec<u8>);

/// Verifies a record of chains of archive time-stamps over objects with these contents.
fn verify(
    kind: EvidenceRecordType,
    digest_of: DigestAlgorithm,
    chains: &[(&[Stamp], Option<Vec<u8>>)],
    contents: &[&[u8]],
) -> EvidenceRecordDraft<'static> {
    let chain = |(stamps, before): &(&[Stamp], Option<Vec<u8>>)| Chain {
        timestamps: stamps
            .iter()
            .map(|(tree, bytes)| ArchiveTimestamp {
                digest: Some(digest_of),
                tree: tree.clone(),
                token: Token::parse(bytes.clone().leak()).expect("a token"),
                renewal_input: vec![bytes.clone().into()],
            })
            .collect(),
        sequence_before: before.clone().map(|before| match kind {
            EvidenceRecordType::Asn1 => SequenceBefore::Asn1(before.leak()),
            _ => SequenceBefore::Xml(vec![before].leak()),
        }),
        canonicalization: None,
    };
    let record = Record {
        kind,
        bytes: b"record",
        chains: chains.iter().map(chain).collect(),
        certificates: vec![],
        revocations: vec![],
    };
    let object = |content: &&[u8]| {
        let content = content.to_vec();
        Object {
            kind: MatcherType::ErArchiveObject,
            name: None,
            found: true,
            required: false,
            digests: Box::new(move |algorithm, _| digest(algorithm, &content).into_iter().collect()),
            scopes: vec![],
            covers: vec![],
        }
    };
    let objects: Vec<Object<'_, '_>> = contents.iter().map(object).collect();
    record.verify(&objects, EvidenceRecordOrigin::External, b"", &DigestWork::default())
}

/// Returns what came out: the matchers of the objects, and for each time-stamp its kind and whether all that it rests
/// on fits.
fn outcome(draft: &EvidenceRecordDraft<'_>) -> (Vec<(MatcherType, bool)>, Vec<(Renewal, bool)>) {
    let own = draft.facts.digest_matchers.iter().map(|m| (m.kind, m.data_intact)).collect();
    let stamps = draft.timestamps.iter().map(|stamp| {
        let fits =
            stamp.facts.digest_matchers.iter().all(|m| m.data_intact || m.kind == MatcherType::ErOrphanReference);
        (stamp.facts.evidence_record_type.expect("it is of a record"), fits)
    });
    (own, stamps.collect())
}

const OBJECT: MatcherType = MatcherType::ErArchiveObject;
const ORPHAN: MatcherType = MatcherType::ErOrphanReference;
const FIRST: Renewal = Renewal::First;
const TIME: Renewal = Renewal::TimestampRenewal;
const TREE: Renewal = Renewal::HashTreeRenewal;

#[test]
fn reduced_hash_trees() {
    let (a, b, c) = (sha(b"a"), sha(b"b"), sha(b"c"));
    let ab = node(&[&a, &b]);
    let root = node(&[&ab, &c]);
    let group = |hashes: &[&[u8]]| hashes.iter().map(|hash| hash.to_vec()).collect::<Vec<_>>();
    for (clause, situation, tree, imprint, contents, expected) in [
        (
            "RFC 4998 §4.2 3)",
            "no tree: the object's own digest",
            vec![],
            &a,
            &[&b"a"[..]][..],
            (vec![(OBJECT, true)], true),
        ),
        ("RFC 4998 §4.2 3)", "no tree, and the object is another", vec![], &a, &[b"x"], (vec![(OBJECT, true)], false)),
        (
            "RFC 4998 §4.3 2)",
            "a leaf",
            vec![group(&[&a, &b])],
            &ab,
            &[b"a"],
            (vec![(OBJECT, true), (ORPHAN, false)], true),
        ),
        (
            "RFC 4998 §4.3 3)",
            "carried up",
            vec![group(&[&a, &b]), group(&[&c])],
            &root,
            &[b"a"],
            (vec![(OBJECT, true), (ORPHAN, false)], true),
        ),
        (
            "RFC 4998 §4.3 3)",
            "a group of several objects",
            vec![group(&[&a, &b]), group(&[&c])],
            &root,
            &[b"a", b"b"],
            (vec![(OBJECT, true), (OBJECT, true)], true),
        ),
        (
            "RFC 4998 §4.3 4)",
            "the root is not what was time-stamped",
            vec![group(&[&a, &b])],
            &root,
            &[b"a"],
            (vec![(OBJECT, true), (ORPHAN, false)], false),
        ),
        (
            "RFC 4998 §4.3 2)",
            "a hash higher up is no leaf",
            vec![group(&[&a]), group(&[&c])],
            &node(&[&a, &c]),
            &[b"c"],
            (vec![(OBJECT, false)], true),
        ),
        ("RFC 4998 §4.3 2)", "the object was changed", vec![group(&[&a])], &a, &[b"x"], (vec![(OBJECT, false)], true)),
    ] {
        let stamps = [(tree, token(imprint))];
        let found = outcome(&verify(EvidenceRecordType::Asn1, Sha256, &[(&stamps, None)], contents));
        let (own, fits) = expected;
        assert_eq!(found, (own, vec![(FIRST, fits)]), "{clause} {situation}");
    }
}

#[test]
fn the_digest_function_is_one() {
    // RFC 4998 §4.1: all hash values, and the imprint, are under the same function.
    let stamps = [(vec![vec![digest(Sha384, b"a").expect("SHA-384")]], token(&sha(b"a")))];
    let (_, found) = outcome(&verify(EvidenceRecordType::Asn1, Sha384, &[(&stamps, None)], &[b"a"]));
    assert_eq!(found, [(FIRST, false)], "RFC 4998 §4.1");
}

#[test]
fn time_stamp_renewal() {
    let a = sha(b"a");
    let first = (vec![vec![a.clone()]], token(&a));
    let of_first = sha(&first.1);
    let other = sha(b"another time-stamp");
    for (clause, situation, second, expected) in [
        ("RFC 4998 §5.3 3)", "over the time-stamp before", (vec![], token(&of_first)), true),
        ("RFC 4998 §5.3 3)", "over another", (vec![], token(&other)), false),
        (
            "RFC 4998 §5.3 3)",
            "in a tree",
            (vec![vec![of_first.clone(), other.clone()]], token(&node(&[&of_first, &other]))),
            true,
        ),
        ("RFC 4998 §5.3 3)", "a tree without it", (vec![vec![other.clone()]], token(&other)), false),
        ("RFC 4998 §5.3 3)", "over the object instead", (vec![vec![a.clone()]], token(&a)), false),
    ] {
        let stamps = [first.clone(), second];
        let (_, found) = outcome(&verify(EvidenceRecordType::Asn1, Sha256, &[(&stamps, None)], &[b"a"]));
        assert_eq!(found, [(FIRST, true), (TIME, expected)], "{clause} {situation}");
    }
}

#[test]
fn hash_tree_renewal() {
    use EvidenceRecordType::{Asn1, Xml};
    let a = sha(b"a");
    let first = [(vec![vec![a.clone()]], token(&a))];
    let before = b"all chains before".to_vec();
    let (sequence, canonical) = (sha(&tlv(Tag::SEQUENCE, &before)), sha(&before));
    let joined = sha(&[&a[..], &sequence].concat());
    for (clause, situation, kind, leaves, expected) in [
        ("RFC 4998 §5.3 4)", "the object's digest and that of the chains, digested", Asn1, vec![joined.clone()], true),
        ("RFC 4998 §5.3 4)", "the object alone", Asn1, vec![a.clone()], false),
        ("RFC 4998 §5.3 4)", "the chains alone", Asn1, vec![sequence.clone()], false),
        ("RFC 6283 §4.2.2", "the object and the chains, each a leaf", Xml, vec![a.clone(), canonical], true),
        ("RFC 6283 §4.2.2", "without the chains", Xml, vec![a.clone()], false),
        ("RFC 6283 §4.2.2", "digested together as in RFC 4998", Xml, vec![joined.clone()], false),
    ] {
        let parts: Vec<&[u8]> = leaves.iter().map(Vec::as_slice).collect();
        let root = if let [only] = parts[..] { only.to_vec() } else { node(&parts) };
        let second = [(vec![leaves.clone()], token(&root))];
        let chains = [(&first[..], None), (&second[..], Some(before.clone()))];
        let (own, found) = outcome(&verify(kind, Sha256, &chains, &[b"a"]));
        assert_eq!(own, [(OBJECT, true)], "{clause} {situation}");
        assert_eq!(found, [(FIRST, true), (TREE, expected)], "{clause} {situation}");
    }
}

#[test]
fn order() {
    let a = sha(b"a");
    let at = |imprint: &[u8], time: &[u8; 15]| (vec![], token_at(imprint, time));
    let first = at(&a, b"20261121100000Z");
    let (renewed, before) = (sha(&first.1), b"chains".to_vec());
    let (earlier, same, later) = (b"20261120100000Z", b"20261121100000Z", b"20261122100000Z");
    for (clause, situation, time, expected) in [
        ("RFC 4998 5.1", "a renewal later on", later, 0),
        ("RFC 4998 5.1", "in the same second", same, 0),
        ("RFC 4998 5.1", "a renewal before what it renews", earlier, 1),
    ] {
        let stamps = [first.clone(), at(&renewed, time)];
        let one_chain = verify(EvidenceRecordType::Asn1, Sha256, &[(&stamps, None)], &[b"a"]);
        assert_eq!(one_chain.facts.irregularities.len(), expected, "{clause} {situation}");
        let chains = [(&stamps[..1], None), (&stamps[1..], Some(before.clone()))];
        let two_chains = verify(EvidenceRecordType::Asn1, Sha256, &chains, &[b"a"]);
        assert_eq!(two_chains.facts.irregularities.len(), expected, "{clause} {situation}, in a chain of its own");
    }
    let archive = |bytes: &[u8], digest| ArchiveTimestamp {
        digest: Some(digest),
        tree: vec![],
        token: Token::parse(bytes.to_vec().leak()).expect("a token"),
        renewal_input: vec![],
    };
    for (situation, functions, expected) in
        [("one function", [Sha256, Sha256], 0), ("two functions", [Sha256, Sha384], 1)]
    {
        let timestamps = functions.map(|function| archive(&first.1, function)).into();
        let record = Record {
            kind: EvidenceRecordType::Asn1,
            bytes: b"record",
            chains: vec![Chain { timestamps, sequence_before: None, canonicalization: None }],
            certificates: vec![],
            revocations: vec![],
        };
        let draft = record.verify(&[], EvidenceRecordOrigin::External, b"", &DigestWork::default());
        assert_eq!(draft.facts.irregularities.len(), expected, "RFC 4998 5.1 {situation}");
    }
}
