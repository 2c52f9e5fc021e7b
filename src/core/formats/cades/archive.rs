//! The imprints of CAdES's time-stamps: EN 319 122-1 §5.3, §5.5, annex A.1.5; TS 101 733 annex K for the older ones.
//!
//! Whole documents and CRLs are in an imprint, a signature may have several time-stamps, and writers differed in how
//! they encoded what they digested. So the variants are tried one after the other, the usual one first, and what
//! two imprints begin with is digested once.

use super::hash_index::HashIndex;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, header, tlv};
use crate::facts::Digest;
use crate::formats::cms::{Attribute, SignedData, SignerInfo, oids};
use crate::formats::content::Content;
use crate::formats::digest_work::{BoundedHasher, DigestWork};
use crate::formats::tsp::Token;
use crate::time::Time;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// How elements enter an imprint. EN 319 122-1 §5.5.3 says as they are; writers normalised them first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Encoding {
    AsSent,
    Der,
}

const ENCODINGS: [Encoding; 2] = [Encoding::AsSent, Encoding::Der];

impl Encoding {
    fn of<'e>(self, element: &'e [u8], work: &DigestWork) -> Cow<'e, [u8]> {
        let der = if self == Self::Der { work.der(element) } else { None };
        der.map_or(Cow::Borrowed(element), Cow::Owned)
    }
}

/// An unsigned attribute in each encoding.
struct Unsigned<'a> {
    sent: &'a [u8],
    /// Made when it is asked for: the other encoding is nearly always the one.
    der: OnceCell<Cow<'a, [u8]>>,
    /// Of an archive time-stamp, its time; none of one that cannot be read.
    archive: Option<Option<Time>>,
}

impl<'a> Unsigned<'a> {
    fn new(attribute: &Attribute<'a>) -> Self {
        let archive = is_archive(attribute).then(|| time(attribute));
        Self { sent: attribute.raw.raw, der: OnceCell::new(), archive }
    }

    /// Returns whether a time-stamp of that time covers the attribute: archive time-stamps that are not older are left
    /// out (TS 101 733 annex K).
    fn is_covered(&self, time: Time) -> bool {
        self.archive.is_none_or(|made| made.is_some_and(|made| made < time))
    }

    fn der(&self, work: &DigestWork) -> &Cow<'a, [u8]> {
        self.der.get_or_init(|| Encoding::Der.of(self.sent, work))
    }

    fn bytes(&self, encoding: Encoding, work: &DigestWork) -> &[u8] {
        match encoding {
            Encoding::AsSent => self.sent,
            Encoding::Der => self.der(work),
        }
    }

    /// Returns whether DER makes something else of it.
    fn is_changed(&self, work: &DigestWork) -> bool {
        matches!(self.der(work), Cow::Owned(_))
    }
}

/// One signer's archive time-stamps.
pub(crate) struct Archive<'s, 'a> {
    signed_data: &'s SignedData<'a>,
    signer: &'s SignerInfo<'a>,
    content: &'s Content<'s>,
    work: &'s DigestWork,
    attributes: Vec<Unsigned<'a>>,
    /// Whether DER makes something else of what comes before them.
    fields_change: OnceCell<bool>,
    /// What every imprint of an archive time-stamp v2 begins with, already digested.
    beginnings: RefCell<HashMap<(DigestAlgorithm, Encoding), Option<BoundedHasher<'s>>>>,
}

impl<'s, 'a> Archive<'s, 'a> {
    pub(crate) fn new(
        signed_data: &'s SignedData<'a>,
        signer: &'s SignerInfo<'a>,
        content: &'s Content<'s>,
        work: &'s DigestWork,
    ) -> Self {
        Self {
            signed_data,
            signer,
            content,
            work,
            attributes: signer.unsigned.iter().map(Unsigned::new).collect(),
            fields_change: OnceCell::new(),
            beginnings: RefCell::default(),
        }
    }

    /// Returns whether an archive time-stamp v2 of that time is over the unsigned attribute at this place.
    pub(crate) fn is_over(&self, place: usize, time: Time) -> bool {
        self.attributes.get(place).is_none_or(|attribute| attribute.is_covered(time))
    }

    /// Returns whether the imprint is over content type, digest of the content, the signer's fields and the hash index
    /// (§5.5.3).
    pub(crate) fn is_v3(&self, imprint: &Digest, index: Option<&HashIndex<'_>>) -> bool {
        let content = imprint.algorithm.and_then(|algorithm| self.content.digest(algorithm));
        let Some((index, content)) = index.zip(content) else { return false };
        let beginning = [tlv(Tag::OID, self.signed_data.content_type.content()), content].concat();
        let mut elements: Vec<&[u8]> = self.signer_fields().collect();
        elements.push(index.element.raw);
        is_digest(imprint, self.work, &beginning, &elements)
    }

    /// Returns the imprint of a new archive time-stamp v3 with this hash index; `None` where the content is not at
    /// hand.
    #[cfg(feature = "signing")]
    pub(crate) fn imprint_v3(&self, algorithm: DigestAlgorithm, index: &[u8]) -> Option<Vec<u8>> {
        let mut hasher = self.work.hasher(algorithm)?;
        hasher.update(&tlv(Tag::OID, self.signed_data.content_type.content()));
        hasher.update(&self.content.digest(algorithm)?);
        self.signer_fields().for_each(|field| hasher.update(field));
        hasher.update(index);
        hasher.finish()
    }

    /// Returns whether the imprint is over everything one after the other, less the archive time-stamps that are not
    /// older than the one examined (TS 101 733 annex K, tables K.2 and K.3).
    ///
    /// NOTE: editions differ in whether the tag and length of `unsignedAttrs` count; a note in the later one asks to
    /// try both.
    pub(crate) fn is_v2(&self, imprint: &Digest, time: Time) -> bool {
        let Some(algorithm) = imprint.algorithm else { return false };
        let covered: Vec<&Unsigned<'_>> = self.attributes.iter().filter(|one| one.is_covered(time)).collect();
        let changes = || {
            let fields =
                || self.before_signer().chain(self.signer_fields()).any(|field| self.work.der(field).is_some());
            covered.iter().any(|attribute| attribute.is_changed(self.work)) || *self.fields_change.get_or_init(fields)
        };
        ENCODINGS.into_iter().filter(|encoding| *encoding == Encoding::AsSent || changes()).any(|encoding| {
            let Some(beginning) = self.beginning(algorithm, encoding) else { return false };
            let attributes = || covered.iter().map(|attribute| attribute.bytes(encoding, self.work));
            let header = header(Tag::context_constructed(1), attributes().map(<[u8]>::len).sum());
            [&header[..], &[]].into_iter().any(|header| {
                let mut hasher = beginning.clone();
                hasher.update(header);
                attributes().for_each(|attribute| hasher.update(attribute));
                hasher.finish().is_some_and(|digest| digest == imprint.value.0)
            })
        })
    }

    /// Returns the digest under way after content, certificates, CRLs and the signer's fields; none where the content
    /// is not at hand.
    fn beginning(&self, algorithm: DigestAlgorithm, encoding: Encoding) -> Option<BoundedHasher<'s>> {
        let digest = || {
            let mut hasher = self.work.hasher(algorithm)?;
            for (place, element) in self.before_signer().enumerate() {
                hasher.update(&encoding.of(element, self.work));
                if place == 0 && self.signed_data.is_detached() {
                    self.content.write(&mut |piece| hasher.update(piece))?;
                }
            }
            self.signer_fields().for_each(|field| hasher.update(&encoding.of(field, self.work)));
            Some(hasher)
        };
        self.beginnings.borrow_mut().entry((algorithm, encoding)).or_insert_with(digest).clone()
    }

    /// Returns `encapContentInfo`, `certificates` and `crls`.
    fn before_signer(&self) -> impl Iterator<Item = &'a [u8]> {
        let SignedData { content_info, certificates, crls, .. } = self.signed_data;
        [Some(*content_info), *certificates, *crls].into_iter().flatten().map(|element| element.raw)
    }

    /// Returns `version`, `sid`, `digestAlgorithm`, `signedAttrs`, `signatureAlgorithm` and `signature`.
    fn signer_fields(&self) -> impl Iterator<Item = &'a [u8]> {
        let signer = self.signer;
        let first = [signer.version, signer.sid, signer.digest_algorithm].into_iter().chain(signer.signed_attributes);
        first.chain([signer.signature_algorithm, signer.signature]).map(|field| field.raw)
    }
}

/// Returns whether the attribute is for an archive time-stamp, v2 or v3.
fn is_archive(attribute: &Attribute<'_>) -> bool {
    attribute.oid == oids::ARCHIVE_TIMESTAMP_V2 || attribute.oid == oids::ARCHIVE_TIMESTAMP_V3
}

/// Returns the time of the time-stamp in an attribute.
pub(super) fn time(attribute: &Attribute<'_>) -> Option<Time> {
    Token::parse(attribute.value()?.raw).ok().map(|token| token.info.gen_time)
}

/// Returns whether the imprint is over the references (annex A.1.5.2), in CAdES-C preceded by the signature value and
/// the signature time-stamps (A.1.5.1).
pub(crate) fn is_references(
    imprint: &Digest,
    signer: &SignerInfo<'_>,
    with_signature: bool,
    work: &DigestWork,
) -> bool {
    let kinds: &[Oid<'static>] = &[oids::SIGNATURE_TIMESTAMP, oids::CERTIFICATE_REFS, oids::REVOCATION_REFS];
    let (kinds, value) = if with_signature { (kinds, &signer.value[..]) } else { (&kinds[1..], &[][..]) };
    let attributes = kinds.iter().flat_map(|kind| signer.unsigned.all(*kind));
    let elements: Vec<_> = attributes.flat_map(|attribute| [attribute.kind.raw, attribute.values.raw]).collect();
    is_digest(imprint, work, value, &elements)
}

/// Returns whether the imprint is the digest of the beginning and the elements after it, in one of the encodings.
fn is_digest(imprint: &Digest, work: &DigestWork, beginning: &[u8], elements: &[&[u8]]) -> bool {
    let digest = |elements: &[Cow<'_, [u8]>]| {
        let mut hasher = work.hasher(imprint.algorithm?)?;
        hasher.update(beginning);
        elements.iter().for_each(|element| hasher.update(element));
        hasher.finish()
    };
    let is = |elements: &[Cow<'_, [u8]>]| digest(elements).is_some_and(|digest| digest == imprint.value.0);
    let encoded = |encoding: Encoding| elements.iter().map(|element| encoding.of(element, work)).collect::<Vec<_>>();
    if is(&encoded(Encoding::AsSent)) {
        return true;
    }
    let der = encoded(Encoding::Der);
    der.iter().any(|element| matches!(element, Cow::Owned(_))) && is(&der)
}
