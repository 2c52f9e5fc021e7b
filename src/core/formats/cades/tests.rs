//! CMS made by hand: no key, only structure.

use super::SignerInfoReader;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Tlv, Writer};
use crate::crypto::digest;
use crate::facts::{MatcherType, SignatureLevel};
use crate::formats::cms::{SignedData, oids};
use crate::formats::content::Content;
use crate::formats::draft::{SignatureDraft, SignedBytes};
use crate::formats::level::{Family, LevelEvidence};
use crate::formats::scope::SignedScope;

const SHA_256: Oid<'static> = crate::asn1::oid!("2.16.840.1.101.3.4.2.1");
const RSA: Oid<'static> = crate::asn1::oid!("1.2.840.113549.1.1.1");
const CONTENT: &[u8] = b"content";

/// Returns an attribute with one value.
fn attribute(oid: Oid<'_>, value: &[u8]) -> Vec<u8> {
    let mut w = Writer::new();
    w.sequence(|w| {
        w.oid(oid).set(|w| {
            w.raw(value);
        });
    });
    w.finish()
}

fn bytes(value: &[u8]) -> Vec<u8> {
    crate::asn1::tlv(Tag::OCTET_STRING, value)
}

fn content_type() -> Vec<u8> {
    attribute(oids::CONTENT_TYPE, &crate::asn1::tlv(Tag::OID, oids::DATA.content()))
}

fn message_digest(of: &[u8]) -> Vec<u8> {
    attribute(oids::MESSAGE_DIGEST, &bytes(&digest(DigestAlgorithm::Sha256, of).unwrap()))
}

/// Returns a SignedData over `CONTENT` whose only signer has these signed and unsigned attributes, in this order.
fn signed_data(signed: &[Vec<u8>], unsigned: &[Vec<u8>], attached: bool) -> Vec<u8> {
    let content = if attached { crate::asn1::tlv(Tag::context_constructed(0), &bytes(CONTENT)) } else { vec![] };
    holding(&content, oids::DATA, signed, unsigned, [&[]; 3])
}

/// Returns the same with this in `encapContentInfo` after the type, and these after the fields of signer, `SignedData`
/// and `ContentInfo`.
fn holding(content: &[u8], kind: Oid<'_>, signed: &[Vec<u8>], unsigned: &[Vec<u8>], after: [&[u8]; 3]) -> Vec<u8> {
    let algorithm = |w: &mut Writer, oid: Oid<'_>| {
        w.sequence(|w| {
            w.oid(oid).null();
        });
    };
    let mut w = Writer::new();
    w.sequence(|w| {
        w.oid(oids::SIGNED_DATA).explicit(0, |w| {
            w.sequence(|w| {
                w.unsigned(&[1]).set(|w| algorithm(w, SHA_256));
                w.sequence(|w| {
                    w.oid(kind).raw(content);
                });
                w.set(|w| {
                    w.sequence(|w| {
                        w.unsigned(&[1]).sequence(|w| {
                            w.sequence(|_| {}).unsigned(&[7]);
                        });
                        algorithm(w, SHA_256);
                        if !signed.is_empty() {
                            w.element(Tag::context_constructed(0), &signed.concat());
                        }
                        algorithm(w, RSA);
                        w.octet_string(b"value");
                        if !unsigned.is_empty() {
                            w.element(Tag::context_constructed(1), &unsigned.concat());
                        }
                        w.raw(after[0]);
                    });
                });
                w.raw(after[1]);
            });
        });
        w.raw(after[2]);
    });
    w.finish()
}

/// RFC 5652: what stands beside the fields is seen by some readers and signed by nobody.
#[test]
fn irregularities() {
    use crate::facts::IrregularityKind::{self, ContentTypeMismatch, FormatViolation};
    const TST_INFO: Oid<'static> = oids::TST_INFO;
    let explicit = |content: &[u8]| crate::asn1::tlv(Tag::context_constructed(0), content);
    let own = explicit(&bytes(CONTENT));
    let beside = bytes(b"something else");
    let none: [&[u8]; 3] = [&[]; 3];
    let attributes = [content_type(), message_digest(CONTENT)];
    let sequence = explicit(&crate::asn1::tlv(Tag::SEQUENCE, CONTENT));
    let two = explicit(&[bytes(CONTENT), beside.clone()].concat());
    let twice = [own.clone(), own.clone()].concat();
    let mut constructed = bytes(&[bytes(CONTENT), vec![5, 0]].concat());
    constructed[0] |= 0x20;
    let strings = explicit(&constructed);
    let rows: [(&str, &str, Vec<u8>, &[IrregularityKind]); 10] = [
        ("5.2", "one content", holding(&own, oids::DATA, &attributes, &[], none), &[]),
        ("5.2", "no content", holding(&[], oids::DATA, &attributes, &[], none), &[]),
        ("5.2", "two elements in eContent", holding(&two, oids::DATA, &attributes, &[], none), &[FormatViolation]),
        ("5.2", "eContent twice", holding(&twice, oids::DATA, &attributes, &[], none), &[FormatViolation]),
        (
            "5.2",
            "a NULL among its octet strings",
            holding(&strings, oids::DATA, &attributes, &[], none),
            &[FormatViolation],
        ),
        ("5.2.1", "a SEQUENCE", holding(&sequence, oids::DATA, &attributes, &[], none), &[ContentTypeMismatch]),
        (
            "5.3",
            "after the signer's fields",
            holding(&own, oids::DATA, &attributes, &[], [&beside, &[], &[]]),
            &[FormatViolation],
        ),
        (
            "5.1",
            "after the signers",
            holding(&own, oids::DATA, &attributes, &[], [&[], &beside, &[]]),
            &[FormatViolation],
        ),
        (
            "3",
            "after the content",
            holding(&own, oids::DATA, &attributes, &[], [&[], &[], &beside]),
            &[FormatViolation],
        ),
        ("5.3", "no signed attributes, and not id-data", holding(&own, TST_INFO, &[], &[], none), &[FormatViolation]),
    ];
    for (clause, situation, cms, expected) in rows {
        let found = with_draft(&cms, Content::missing(), |draft| {
            draft.facts.irregularities.iter().map(|one| one.kind).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "RFC 5652 {clause} {situation}");
    }
    assert_eq!(SignedData::parse(&[signed_data(&[], &[], true), b"more".to_vec()].concat()).unwrap().trailing, b"more");
}

/// Returns what becomes of the first signer; the second answer is its signed bytes, if there are any.
fn with_draft<T>(cms: &[u8], content: Content<'_>, use_it: impl FnOnce(&SignatureDraft<'_>) -> T) -> T {
    let signed_data = SignedData::parse(cms).unwrap();
    let content = match signed_data.content_pieces() {
        Some(pieces) => Content::pieces(pieces),
        None => content,
    };
    let reader = SignerInfoReader {
        file: "test.p7m",
        family: Family::Cades,
        discriminator: b"",
        signatures: 5_000,
        relations: &Default::default(),
        work: &Default::default(),
    };
    let mut subject = SignedScope::whole(&content);
    let drafts = reader.read(&signed_data, &signed_data.signers[0], &content, &mut subject);
    use_it(&drafts[0])
}

#[test]
fn what_a_value_is_over() {
    let der = [content_type(), message_digest(CONTENT)];
    let reversed = [message_digest(CONTENT), content_type()];
    let set = |attributes: &[Vec<u8>]| crate::asn1::tlv(Tag::SET, &attributes.concat());
    let rows: &[(&str, &str, Vec<u8>, Option<Vec<u8>>)] = &[
        ("5.4", "the attributes as a SET OF", signed_data(&der, &[], true), Some(set(&der))),
        ("5.4", "sent in another order: their DER", signed_data(&reversed, &[], true), Some(set(&der))),
        ("5.3", "no content-type", signed_data(&der[1..], &[], true), None),
        (
            "11.1",
            "content-type twice",
            signed_data(&[content_type(), content_type(), message_digest(CONTENT)], &[], true),
            None,
        ),
        ("11.2", "another content's digest", signed_data(&[content_type(), message_digest(b"else")], &[], true), None),
        ("5.4", "no content", signed_data(&der, &[], false), None),
        ("5.4", "no attributes: the content", signed_data(&[], &[], true), digest(DigestAlgorithm::Sha256, CONTENT)),
    ];
    for (clause, situation, cms, expected) in rows {
        let found = with_draft(cms, Content::missing(), |draft| match &draft.check.signed[..] {
            [] => None,
            [SignedBytes::Message(bytes)] => Some(bytes.to_vec()),
            [SignedBytes::Shared(bytes)] => Some(bytes.to_vec()),
            [SignedBytes::Digest(digest)] => Some(digest.clone()),
            _ => panic!("RFC 5652 {clause} {situation}: more than one"),
        });
        assert_eq!(&found, expected, "RFC 5652 {clause} {situation}");
    }
}

#[test]
fn digest_matchers() {
    let attributes = [content_type(), message_digest(CONTENT)];
    let sha256 = |of: &[u8]| {
        let value = digest(DigestAlgorithm::Sha256, of).unwrap().into();
        Content::digests([crate::facts::Digest { algorithm: Some(DigestAlgorithm::Sha256), value }])
    };
    use MatcherType::{ContentDigest, MessageDigest};
    let rows = [
        ("attached", true, &attributes[..], Content::missing(), (MessageDigest, true, true)),
        ("detached", false, &attributes, Content::pieces(vec![b"con", b"tent"]), (MessageDigest, true, true)),
        ("detached, by digest", false, &attributes, sha256(CONTENT), (MessageDigest, true, true)),
        ("detached, another", false, &attributes, sha256(b"else"), (MessageDigest, true, false)),
        ("detached, missing", false, &attributes, Content::missing(), (MessageDigest, false, false)),
        ("no attributes", true, &[], Content::missing(), (ContentDigest, true, true)),
        ("no attributes, no content", false, &[], Content::missing(), (ContentDigest, false, false)),
    ];
    for (situation, attached, attributes, content, expected) in rows {
        let cms = signed_data(attributes, &[], attached);
        let found = with_draft(&cms, content, |draft| {
            let matcher = &draft.facts.digest_matchers[0];
            (matcher.kind, matcher.data_found, matcher.data_intact)
        });
        assert_eq!(found, expected, "RFC 5652 5.4 {situation}");
    }
}

#[test]
fn levels() {
    let mut reference = Writer::new();
    reference.sequence(|w| {
        w.sequence(|w| {
            w.sequence(|w| {
                w.octet_string(&[1; 32]);
            });
        });
    });
    let reference = reference.finish();
    let signing = attribute(oids::SIGNING_CERTIFICATE_V2, &reference);
    let v1 = attribute(oids::SIGNING_CERTIFICATE, &reference);
    let base = [content_type(), message_digest(CONTENT)];
    let with = |more: &[&Vec<u8>]| [&base[..], &more.iter().map(|a| (*a).clone()).collect::<Vec<_>>()].concat();
    let rows: &[(&str, &str, Vec<Vec<u8>>, SignatureLevel)] = &[
        ("122-1 6.3", "no reference to the certificate", base.to_vec(), SignatureLevel::CmsNotEtsi),
        ("122-2 5.1", "no signing time", with(&[&signing]), SignatureLevel::CadesBes),
        ("122-1 6.3", "two references", with(&[&signing, &v1]), SignatureLevel::CmsNotEtsi),
        ("122-1 6.3 h)", "a v1 reference is SHA-1 and fits", with(&[&v1]), SignatureLevel::CadesBes),
    ];
    for (clause, situation, signed, expected) in rows {
        let cms = signed_data(signed, &[], true);
        let found = with_draft(&cms, Content::missing(), |draft| draft.levels.level(&LevelEvidence::default()));
        assert_eq!(found, *expected, "EN 319 {clause} {situation}");
    }
}

#[test]
fn damaged_input_is_refused_or_read() {
    let whole =
        signed_data(&[content_type(), message_digest(CONTENT)], &[attribute(oids::SIGNATURE_TIMESTAMP, &[5, 0])], true);
    assert!(SignedData::parse(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(SignedData::parse(&whole[..length]).is_err(), "cut at {length}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        if let Ok(signed_data) = SignedData::parse(&damaged)
            && let Some(signer) = signed_data.signers.first()
        {
            let content = Content::pieces(signed_data.content_pieces().unwrap_or_default());
            let reader = SignerInfoReader {
                file: "",
                family: Family::Pades,
                discriminator: b"",
                signatures: 5_000,
                relations: &Default::default(),
                work: &Default::default(),
            };
            let drafts = reader.read(&signed_data, signer, &content, &mut SignedScope::default());
            assert!(drafts[0].timestamps.is_empty(), "byte {at}");
        }
    }
    let padded = [&whole[..], &[0; 100]].concat();
    assert_eq!(SignedData::parse(&padded).unwrap().signers.len(), 1, "PDF pads /Contents with zeros");
    assert!(Tlv::whole(&whole).is_ok());
}
