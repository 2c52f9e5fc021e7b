//! The imprints of CAdES's time-stamps: EN 319 122-1 §5.3, §5.5, annex A.1.5; TS 101 733 annex K for the older ones.

use super::attribute::Attribute;
use super::content::Content;
use super::hash_index::HashIndex;
use super::oids;
use super::signed_data::{SignedData, SignerInfo};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, tlv, to_der};
use crate::crypto::Hasher;
use crate::formats::tsp::Token;
use crate::time::Time;
use std::borrow::Cow;

/// How elements enter an imprint. EN 319 122-1 §5.5.3 says as they are; writers normalised them first.
#[derive(Clone, Copy)]
enum Encoding {
    AsSent,
    Der,
}

const ENCODINGS: [Encoding; 2] = [Encoding::AsSent, Encoding::Der];

impl Encoding {
    fn of(self, element: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::AsSent => Cow::Borrowed(element),
            Self::Der => to_der(element).unwrap_or(Cow::Borrowed(element)),
        }
    }
}

/// Annex A.1.5.2 (of references) and A.1.5.1 (CAdES-C: preceded by the signature value and the signature time-stamps).
pub(crate) fn references(signer: &SignerInfo<'_>, with_signature: bool, algorithm: DigestAlgorithm) -> Vec<Vec<u8>> {
    let kinds: &[Oid<'static>] = &[oids::SIGNATURE_TIMESTAMP, oids::CERTIFICATE_REFS, oids::REVOCATION_REFS];
    let kinds = if with_signature { kinds } else { &kinds[1..] };
    digests(algorithm, |encoding, hasher| {
        if with_signature {
            hasher.update(&signer.value);
        }
        for attribute in kinds.iter().flat_map(|kind| signer.unsigned.all(*kind)) {
            hasher.update(attribute.kind.raw);
            hasher.update(&encoding.of(attribute.values.raw));
        }
    })
}

/// §5.5.3: content type, digest of the content, the signer's fields, the hash index.
pub(crate) fn v3(
    signed_data: &SignedData<'_>,
    signer: &SignerInfo<'_>,
    content: &Content<'_>,
    index: Option<&HashIndex<'_>>,
    algorithm: DigestAlgorithm,
) -> Vec<Vec<u8>> {
    let Some((index, content)) = index.zip(content.digest(algorithm)) else { return vec![] };
    digests(algorithm, |encoding, hasher| {
        hasher.update(&tlv(Tag::OID, signed_data.content_type.content()));
        hasher.update(&content);
        signer_fields(signer, encoding, hasher);
        hasher.update(&encoding.of(index.element.raw));
    })
}

/// TS 101 733 annex K, tables K.2 and K.3: everything one after the other, less the archive time-stamps that are not
/// older than the one examined.
///
/// NOTE: editions differ in whether the tag and length of `unsignedAttrs` count; a note in the later one asks to try
/// both.
pub(crate) fn v2(
    signed_data: &SignedData<'_>,
    signer: &SignerInfo<'_>,
    content: &Content<'_>,
    time: Time,
    algorithm: DigestAlgorithm,
) -> Vec<Vec<u8>> {
    if signed_data.is_detached() && content.digest(algorithm).is_none() {
        return vec![];
    }
    let covered: Vec<&Attribute<'_>> = signer.unsigned.iter().filter(|attribute| is_covered(attribute, time)).collect();
    let mut found = Vec::new();
    for tagged in [true, false] {
        found.extend(digests(algorithm, |encoding, hasher| {
            hasher.update(&encoding.of(signed_data.content_info.raw));
            if signed_data.is_detached() {
                // That they can be had is known by now.
                _ = content.write(&mut |piece| hasher.update(piece));
            }
            for set in [signed_data.certificates, signed_data.crls].into_iter().flatten() {
                hasher.update(&encoding.of(set.raw));
            }
            signer_fields(signer, encoding, hasher);
            let attributes: Vec<u8> = covered.iter().flat_map(|a| encoding.of(a.raw.raw).into_owned()).collect();
            if tagged {
                hasher.update(&tlv(Tag::context_constructed(1), &attributes));
            } else {
                hasher.update(&attributes);
            }
        }));
    }
    found
}

/// Whether an archive time-stamp v2 of that time covers the attribute.
fn is_covered(attribute: &Attribute<'_>, time: Time) -> bool {
    let archive = attribute.oid == oids::ARCHIVE_TIMESTAMP_V2 || attribute.oid == oids::ARCHIVE_TIMESTAMP_V3;
    !archive || attribute.value().is_some_and(|v| Token::parse(v.raw).is_ok_and(|t| t.info.gen_time < time))
}

/// `version`, `sid`, `digestAlgorithm`, `signedAttrs`, `signatureAlgorithm` and `signature`.
fn signer_fields(signer: &SignerInfo<'_>, encoding: Encoding, hasher: &mut Hasher) {
    let fields = [Some(signer.version), Some(signer.sid), Some(signer.digest_algorithm), signer.signed_attributes];
    for field in fields.into_iter().flatten().chain([signer.signature_algorithm, signer.signature]) {
        hasher.update(&encoding.of(field.raw));
    }
}

fn digests(algorithm: DigestAlgorithm, feed: impl Fn(Encoding, &mut Hasher)) -> Vec<Vec<u8>> {
    let digest = |encoding| {
        let mut hasher = Hasher::new(algorithm)?;
        feed(encoding, &mut hasher);
        Some(hasher.finish())
    };
    ENCODINGS.into_iter().filter_map(digest).collect()
}
