//! Additions to a `SignedData` that keep every other byte: RFC 5652 §5.
//!
//! Signers sign, and archive time-stamps cover, elements as they were sent: in BER, with indefinite lengths, in sets
//! whose order is no order. So nothing that is there is written again but the lengths of the elements around an
//! addition, each in the form in which it was sent. What is added comes last in its set.

use super::oids;
use super::signed_data::{SignedData, SignerInfo, digest_algorithm};
use super::{Attribute, Error};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv, Writer, tlv};
use crate::crypto::digest_algorithm_identifier;
use crate::output::{Output, Piece};
use std::collections::BTreeMap;

/// The version of a `SignedData` whose `crls` hold something else than CRLs: RFC 5652 §5.1.
const WITH_OTHER_REVOCATION_INFO: u8 = 5;
/// The version of a `SignedData` with a signer of version 3.
const WITH_SIGNER_3: u8 = 3;

/// Additions to the CMS file that begins with a `ContentInfo`.
#[derive(Debug)]
pub(crate) struct Edits<'a> {
    file: &'a [u8],
    signed_data: SignedData<'a>,
    /// The least version that the additions ask for.
    version: u8,
    digest_algorithms: Vec<Vec<u8>>,
    certificates: Vec<Vec<u8>>,
    revocations: Vec<Vec<u8>>,
    signers: Vec<Vec<u8>>,
    /// By the place of the signer.
    attributes: BTreeMap<usize, Vec<Vec<u8>>>,
    /// By the first byte of what is replaced.
    replaced: BTreeMap<usize, Vec<u8>>,
}

impl<'a> Edits<'a> {
    /// Begins to edit a file; what follows its `ContentInfo` is kept.
    ///
    /// # Errors
    ///
    /// [`Error`] where the file is not CMS.
    pub(crate) fn new(file: &'a [u8]) -> Result<Self, Error> {
        Ok(Self {
            file,
            signed_data: SignedData::parse(file)?,
            version: 0,
            digest_algorithms: vec![],
            certificates: vec![],
            revocations: vec![],
            signers: vec![],
            attributes: BTreeMap::new(),
            replaced: BTreeMap::new(),
        })
    }

    /// Returns what is edited.
    pub(crate) fn signed_data(&self) -> &SignedData<'a> {
        &self.signed_data
    }

    /// Adds a digest function to `digestAlgorithms`, unless it is there.
    pub(crate) fn digest_algorithm(&mut self, algorithm: DigestAlgorithm) -> &mut Self {
        if !self.signed_data.digest_algorithms.contains(&algorithm) {
            add(&mut self.digest_algorithms, None, digest_algorithm_identifier(algorithm));
        }
        self
    }

    /// Adds an X.509 certificate (DER) to `certificates`, unless it is there.
    pub(crate) fn certificate(&mut self, der: &[u8]) -> &mut Self {
        add(&mut self.certificates, self.signed_data.certificates, der.to_vec());
        self
    }

    /// Adds a CRL (DER) to `crls`, unless it is there.
    pub(crate) fn crl(&mut self, der: &[u8]) -> &mut Self {
        add(&mut self.revocations, self.signed_data.crls, der.to_vec());
        self
    }

    /// Adds an `OCSPResponse` (DER) to `crls`, unless it is there: RFC 5940 §2.
    pub(crate) fn ocsp(&mut self, response: &[u8]) -> &mut Self {
        let mut other = Writer::new();
        other.nested(Tag::context_constructed(1), |w| {
            w.oid(oids::RI_OCSP_RESPONSE).raw(response);
        });
        add(&mut self.revocations, self.signed_data.crls, other.finish());
        self.version = self.version.max(WITH_OTHER_REVOCATION_INFO);
        self
    }

    /// Adds a signer to `signerInfos`, and the digest function that it names.
    pub(crate) fn signer(&mut self, info: &[u8]) -> &mut Self {
        if let Some(read) = Tlv::whole(info).ok().and_then(|info| SignerInfo::parse(info).ok()) {
            let named = digest_algorithm(&read.digest_algorithm);
            match named {
                Some(algorithm) => self.digest_algorithm(algorithm),
                None => self,
            };
            if read.version.content == [WITH_SIGNER_3] {
                self.version = self.version.max(WITH_SIGNER_3);
            }
        }
        self.signers.push(info.to_vec());
        self
    }

    /// Adds an `Attribute` to the unsigned attributes of the signer at this place.
    pub(crate) fn unsigned_attribute(&mut self, signer: usize, attribute: Vec<u8>) -> &mut Self {
        self.attributes.entry(signer).or_default().push(attribute);
        self
    }

    /// Puts another value in the place of an unsigned attribute's only one.
    pub(crate) fn replace_value(&mut self, attribute: &Attribute<'a>, value: Vec<u8>) -> &mut Self {
        if let Some(held) = attribute.value() {
            self.replaced.insert(self.start(held.raw), value);
        }
        self
    }

    /// Tells whether nothing would change.
    pub(crate) fn is_empty(&self) -> bool {
        let lists = [&self.digest_algorithms, &self.certificates, &self.revocations, &self.signers];
        lists.iter().all(|list| list.is_empty()) && self.attributes.is_empty() && self.replaced.is_empty()
    }

    /// Returns the file with its additions.
    ///
    /// # Errors
    ///
    /// [`Error`] where a part cannot be read.
    pub(crate) fn output(&self) -> Result<Output, Error> {
        let whole = self.signed_data.whole;
        let mut outer = vec![];
        for (place, part) in elements(&whole, "ContentInfo")?.into_iter().enumerate() {
            match place {
                1 => outer.extend(self.content(part)?),
                _ => outer.push(self.kept(part.raw)),
            }
        }
        let mut pieces = self.around(whole, outer);
        pieces.push(self.kept(self.signed_data.trailing));
        Ok(Output::of(pieces))
    }

    /// Returns `content`: the explicit tag around the `SignedData`.
    fn content(&self, explicit: Tlv<'a>) -> Result<Vec<Piece>, Error> {
        let mut pieces = vec![];
        for (place, part) in elements(&explicit, "content")?.into_iter().enumerate() {
            match place {
                0 => pieces.extend(self.fields(part)?),
                _ => pieces.push(self.kept(part.raw)),
            }
        }
        Ok(self.around(explicit, pieces))
    }

    /// Returns the fields of the `SignedData`.
    fn fields(&self, signed_data: Tlv<'a>) -> Result<Vec<Piece>, Error> {
        let SignedData { certificates, crls, content_info, .. } = &self.signed_data;
        let is = |part: &Tlv<'a>, field: &Option<Tlv<'a>>| field.is_some_and(|field| same(&field, part));
        let mut pieces = vec![];
        let mut signers_seen = false;
        for (place, part) in elements(&signed_data, "SignedData")?.into_iter().enumerate() {
            match place {
                0 => pieces.extend(self.version(part)),
                1 => pieces.extend(self.extended(part, &self.digest_algorithms)),
                _ if same(content_info, &part) => {
                    pieces.push(self.kept(part.raw));
                    pieces.extend(new_set(0, *certificates, &self.certificates));
                    if certificates.is_none() {
                        pieces.extend(new_set(1, *crls, &self.revocations));
                    }
                }
                _ if is(&part, certificates) => {
                    pieces.extend(self.extended(part, &self.certificates));
                    pieces.extend(new_set(1, *crls, &self.revocations));
                }
                _ if is(&part, crls) => pieces.extend(self.extended(part, &self.revocations)),
                _ if part.is(Tag::SET) && !std::mem::replace(&mut signers_seen, true) => {
                    pieces.extend(self.signer_infos(part)?);
                }
                _ => pieces.push(self.kept(part.raw)),
            }
        }
        Ok(self.around(signed_data, pieces))
    }

    /// Returns the version, raised where an addition asks for it (RFC 5652 §5.1).
    fn version(&self, stated: Tlv<'a>) -> Vec<Piece> {
        match stated.content {
            [version] if *version < self.version => vec![Piece::New(tlv(Tag::INTEGER, &[self.version]))],
            _ => vec![self.kept(stated.raw)],
        }
    }

    fn signer_infos(&self, set: Tlv<'a>) -> Result<Vec<Piece>, Error> {
        let mut pieces = vec![];
        for part in elements(&set, "signerInfos")? {
            match self.signed_data.signers.iter().position(|signer| same(&signer.raw, &part)) {
                Some(place) => pieces.extend(self.signer_info(place)?),
                None => pieces.push(self.kept(part.raw)),
            }
        }
        pieces.extend(self.signers.iter().cloned().map(Piece::New));
        Ok(self.around(set, pieces))
    }

    fn signer_info(&self, place: usize) -> Result<Vec<Piece>, Error> {
        let signer = &self.signed_data.signers[place];
        let added = self.attributes.get(&place).map(Vec::as_slice).unwrap_or_default();
        let mut pieces = vec![];
        for part in elements(&signer.raw, "SignerInfo")? {
            match signer.unsigned_attributes {
                Some(set) if same(&set, &part) => pieces.extend(self.attributes(set, added)?),
                None if same(&signer.signature, &part) => {
                    pieces.push(self.kept(part.raw));
                    pieces.extend(new_set(1, None, added));
                }
                _ => pieces.push(self.kept(part.raw)),
            }
        }
        Ok(self.around(signer.raw, pieces))
    }

    /// Returns `unsignedAttrs`: those there, one of their values replaced perhaps, and the added ones.
    fn attributes(&self, set: Tlv<'a>, added: &[Vec<u8>]) -> Result<Vec<Piece>, Error> {
        let mut pieces = vec![];
        for part in elements(&set, "unsignedAttrs")? {
            let value = Attribute::parse(part).and_then(|attribute| {
                let value = attribute.value()?;
                Some((attribute, value, self.replaced.get(&self.start(value.raw))?))
            });
            match value {
                Some((attribute, value, new)) => {
                    let rest = attribute.values.content.get(value.raw.len()..).unwrap_or_default();
                    let values = self.around(attribute.values, vec![Piece::New(new.clone()), self.kept(rest)]);
                    pieces.extend(self.around(part, [vec![self.kept(attribute.kind.raw)], values].concat()));
                }
                None => pieces.push(self.kept(part.raw)),
            }
        }
        pieces.extend(added.iter().cloned().map(Piece::New));
        Ok(self.around(set, pieces))
    }

    /// Returns a set with more elements.
    fn extended(&self, set: Tlv<'a>, added: &[Vec<u8>]) -> Vec<Piece> {
        if added.is_empty() {
            return vec![self.kept(set.raw)];
        }
        let content = std::iter::once(self.kept(set.content)).chain(added.iter().cloned().map(Piece::New));
        self.around(set, content.collect())
    }

    /// Returns the tag, length and end of an element around other contents, the length in the form sent.
    fn around(&self, element: Tlv<'a>, content: Vec<Piece>) -> Vec<Piece> {
        let content = Output::of(content);
        let Tlv { raw, content: sent, .. } = element;
        let before = self.start(sent).saturating_sub(self.start(raw)).min(raw.len());
        let (head, rest) = raw.split_at(before);
        let end = rest.get(sent.len()..).unwrap_or_default();
        // An element of indefinite length has bytes after its contents: X.690 §8.1.5.
        let head = match end.is_empty() && content.len() != sent.len() {
            true => Piece::New(resized(head, sent.len(), content.len())),
            false => self.kept(head),
        };
        let mut pieces = vec![head];
        pieces.extend(content.pieces().iter().cloned());
        pieces.push(self.kept(end));
        pieces
    }

    /// Returns a stretch of the file.
    fn kept(&self, part: &'a [u8]) -> Piece {
        let start = self.start(part);
        Piece::Kept(start..start + part.len())
    }

    /// Returns the place of a part in the file, in bytes.
    fn start(&self, part: &[u8]) -> usize {
        (part.as_ptr() as usize).wrapping_sub(self.file.as_ptr() as usize).min(self.file.len())
    }
}

/// Returns whether two elements are one, and not only alike.
fn same(one: &Tlv<'_>, other: &Tlv<'_>) -> bool {
    std::ptr::eq(one.raw, other.raw)
}

/// Reads all elements inside another: one that cannot be read would be lost.
fn elements<'a>(outer: &Tlv<'a>, part: &'static str) -> Result<Vec<Tlv<'a>>, Error> {
    outer.children().elements().collect::<Result<_, _>>().map_err(Error::in_part(part))
}

/// Adds an element, unless it is there or to be added already.
fn add(list: &mut Vec<Vec<u8>>, there: Option<Tlv<'_>>, element: Vec<u8>) {
    let known = there.into_iter().flat_map(|set| set.children()).any(|held| held.raw == element);
    if !known && !list.contains(&element) {
        list.push(element);
    }
}

/// Returns a set under the tag `[number]` that was not there: in the order of DER (X.690 §11.6), nothing where it is
/// there or would be empty.
fn new_set(number: u32, there: Option<Tlv<'_>>, elements: &[Vec<u8>]) -> Option<Piece> {
    let mut elements = elements.to_vec();
    crate::order::sort(&mut elements);
    let set =
        (there.is_none() && !elements.is_empty()).then(|| tlv(Tag::context_constructed(number), &elements.concat()));
    set.map(Piece::New)
}

/// Returns tag and length for contents of another length. DER stays DER; a length sent in more bytes than it needs
/// stays as wide where these are enough.
fn resized(head: &[u8], sent: usize, length: usize) -> Vec<u8> {
    let long_tag = head.first().is_some_and(|first| first & 0x1f == 0x1f);
    let more = head.iter().skip(1).take_while(|byte| **byte >= 0x80).count() + 1;
    let (tag, stated) = head.split_at(if long_tag { 1 + more } else { 1 }.min(head.len()));
    let mut head = tag.to_vec();
    // What is added to is a structure, whatever it was when it was empty.
    head.iter_mut().take(1).for_each(|byte| *byte |= 0x20);
    let needed = |length: usize| match length {
        0..0x80 => 0,
        _ => (usize::BITS - length.leading_zeros()).div_ceil(8) as usize,
    };
    let wide = stated.len().saturating_sub(1);
    let width = if wide == needed(sent) { needed(length) } else { wide.max(needed(length)) };
    if width == 0 {
        head.push(length as u8);
        return head;
    }
    head.push(0x80 | width as u8);
    let bytes = length.to_be_bytes();
    head.resize(head.len() + width.saturating_sub(bytes.len()), 0);
    head.extend_from_slice(&bytes[bytes.len() - width.min(bytes.len())..]);
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::{Oid, oid};

    /// How a test's file is encoded.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Form {
        Der,
        /// Indefinite lengths: X.690 §8.1.3.6.
        Indefinite,
        /// Lengths of four bytes.
        Wide,
    }

    fn element(form: Form, tag: Tag, content: &[u8]) -> Vec<u8> {
        let plain = tlv(tag, content);
        match form {
            Form::Der => plain,
            Form::Indefinite => [&[plain[0], 0x80], content, &[0, 0]].concat(),
            Form::Wide => {
                let length = u32::try_from(content.len()).expect("tests are short").to_be_bytes();
                [&[plain[0], 0x84][..], &length, content].concat()
            }
        }
    }

    fn attribute(kind: Oid<'_>, values: &[&[u8]]) -> Vec<u8> {
        tlv(Tag::SEQUENCE, &[tlv(Tag::OID, kind.content()), tlv(Tag::SET, &values.concat())].concat())
    }

    const NUMBER: [u8; 3] = [2, 1, 7];
    const OTHER: Oid<'static> = oid!("1.2.3.4");

    fn signer(form: Form, serial: u8, unsigned: Option<&[u8]>) -> Vec<u8> {
        let sid = tlv(Tag::SEQUENCE, &[&tlv(Tag::SEQUENCE, &[])[..], &[2, 1, serial]].concat());
        let digest = digest_algorithm_identifier(DigestAlgorithm::Sha256);
        // Unsorted, which signers have sent.
        let signed =
            [attribute(oids::MESSAGE_DIGEST, &[&[4, 1, 9]]), attribute(oids::CONTENT_TYPE, &[&NUMBER])].concat();
        let mut fields = [&[2, 1, 1], &sid[..], &digest, &element(form, Tag::context_constructed(0), &signed)].concat();
        fields.extend([&digest[..], &[0x24, 0x80, 4, 1, 5, 0, 0]].concat());
        fields.extend(unsigned.map(|set| element(form, Tag::context_constructed(1), set)).unwrap_or_default());
        element(form, Tag::SEQUENCE, &fields)
    }

    /// Returns a file with these sets, in that form, bytes behind it.
    fn file(form: Form, certificates: Option<&[u8]>, crls: Option<&[u8]>, signers: &[Vec<u8>]) -> Vec<u8> {
        let data = tlv(Tag::OID, oids::DATA.content());
        // A content in pieces, one of them empty.
        let content = element(form, Tag::context_constructed(0), &[0x24, 0x80, 4, 1, 5, 4, 0, 0, 0]);
        let set = |number, set: Option<&[u8]>| {
            set.map(|content| element(form, Tag::context_constructed(number), content)).unwrap_or_default()
        };
        let fields = [
            vec![2, 1, 1],
            element(form, Tag::SET, &digest_algorithm_identifier(DigestAlgorithm::Sha256)),
            element(form, Tag::SEQUENCE, &[data, content].concat()),
            set(0, certificates),
            set(1, crls),
            element(form, Tag::SET, &signers.concat()),
        ];
        let explicit = element(form, Tag::context_constructed(0), &element(form, Tag::SEQUENCE, &fields.concat()));
        let kind = tlv(Tag::OID, oids::SIGNED_DATA.content());
        [element(form, Tag::SEQUENCE, &[kind, explicit].concat()), b"behind".to_vec()].concat()
    }

    /// Returns the elements of a set.
    fn listed(set: Option<Tlv<'_>>) -> Vec<Vec<u8>> {
        set.into_iter().flat_map(|set| set.children()).map(|element| element.raw.to_vec()).collect()
    }

    #[test]
    fn what_is_not_added_has_the_same_bytes() {
        let held = attribute(OTHER, &[&NUMBER, &[2, 1, 8]]);
        let certificates = [tlv(Tag::SEQUENCE, b"\x05\x00"), tlv(Tag::SEQUENCE, b"")].concat();
        let crl = tlv(Tag::SEQUENCE, b"\x02\x01\x01");
        let (new_certificate, new_crl) = (tlv(Tag::SEQUENCE, &[4, 0]), tlv(Tag::SEQUENCE, &[4, 1, 2]));
        let response = tlv(Tag::SEQUENCE, &[0x0a, 1, 0]);
        let stamp = attribute(oids::SIGNATURE_TIMESTAMP, &[&[0x30, 0]]);
        for form in [Form::Der, Form::Indefinite, Form::Wide] {
            for (situation, sets, unsigned) in [
                ("nothing there", (None, None), None),
                ("certificates", (Some(&certificates[..]), None), None),
                ("CRLs without certificates", (None, Some(&crl[..])), Some(&held[..])),
                ("all there", (Some(&certificates[..]), Some(&crl[..])), Some(&held[..])),
                ("empty sets", (Some(&[][..]), Some(&[][..])), Some(&[][..])),
            ] {
                let signers = [signer(form, 1, unsigned), signer(form, 2, unsigned)];
                let original = file(form, sets.0, sets.1, &signers);
                let before = SignedData::parse(&original).expect("the file is CMS");
                let mut edits = Edits::new(&original).expect("the file is CMS");
                assert_eq!(edits.output().expect("it is read").to_vec(&original), original, "nothing is edited");
                edits.certificate(&new_certificate).certificate(&new_certificate).crl(&new_crl).ocsp(&response);
                edits.digest_algorithm(DigestAlgorithm::Sha512).digest_algorithm(DigestAlgorithm::Sha256);
                edits.unsigned_attribute(1, stamp.clone());
                let output = edits.output().expect("it is read");
                let edited = output.to_vec(&original);
                let after = SignedData::parse(&edited).expect("the edited file is CMS");

                let about = format!("RFC 5652 5.1 {form:?} {situation}");
                assert_eq!(edited.len(), output.len(), "{about}");
                assert_eq!(after.content_info.raw, before.content_info.raw, "{about}");
                assert_eq!(after.signers[0].raw.raw, before.signers[0].raw.raw, "{about}");
                let fields = |signer: &SignerInfo<'_>| {
                    let SignerInfo { version, sid, digest_algorithm, signature_algorithm, signature, .. } = signer;
                    let fields =
                        [version, sid, digest_algorithm, signature_algorithm, signature].map(|f| f.raw.to_vec());
                    (fields, signer.signed_attributes.map(|set| set.raw.to_vec()))
                };
                assert_eq!(fields(&after.signers[1]), fields(&before.signers[1]), "{about}");
                let with = |mut list: Vec<Vec<u8>>, more: &[&Vec<u8>]| {
                    list.extend(more.iter().map(|element| (*element).clone()));
                    list
                };
                let other = [&[0xa1, 15][..], &tlv(Tag::OID, oids::RI_OCSP_RESPONSE.content()), &response].concat();
                assert_eq!(
                    listed(after.certificates),
                    with(listed(before.certificates), &[&new_certificate]),
                    "{about}"
                );
                assert_eq!(listed(after.crls), with(listed(before.crls), &[&new_crl, &other]), "{about}");
                let unsigned = |data: &SignedData<'_>| listed(data.signers[1].unsigned_attributes);
                assert_eq!(unsigned(&after), with(unsigned(&before), &[&stamp]), "{about}");
                assert_eq!(after.digest_algorithms, [DigestAlgorithm::Sha256, DigestAlgorithm::Sha512], "{about}");
                assert_eq!(after.trailing, b"behind", "{about}");
                let indefinite = |bytes: &[u8]| bytes[1] == 0x80;
                assert_eq!(indefinite(&edited), form == Form::Indefinite, "{about}: lengths keep their form");
                assert_eq!(edited[1..2] == [0x84], form == Form::Wide, "{about}: lengths keep their form");
            }
        }
    }

    #[test]
    fn versions() {
        let plain = file(Form::Der, None, None, &[signer(Form::Der, 1, None)]);
        let mut third = signer(Form::Der, 2, None);
        third[4] = 3;
        let version = |edit: &dyn Fn(&mut Edits<'_>) -> bool| {
            let mut edits = Edits::new(&plain).expect("the file is CMS");
            assert!(!edit(&mut edits), "there is something to write");
            let edited = edits.output().expect("it is read").to_vec(&plain);
            let data = SignedData::parse(&edited).expect("the edited file is CMS");
            let fields = data.whole.children().nth(1).and_then(|explicit| explicit.inner().ok());
            fields.and_then(|fields| fields.inner().ok()).map(|version| version.content.to_vec())
        };
        assert_eq!(version(&|edits| edits.certificate(&[0x30, 0]).crl(&[0x30, 0]).is_empty()), Some(vec![1]));
        assert_eq!(version(&|edits| edits.signer(&third).is_empty()), Some(vec![3]), "a signer of version 3");
        assert_eq!(version(&|edits| edits.ocsp(&[0x30, 0]).is_empty()), Some(vec![5]), "RFC 5652 5.1: other");
    }

    #[test]
    fn a_value_is_replaced() {
        let attributes = [attribute(OTHER, &[&[2, 1, 1]]), attribute(OTHER, &[&NUMBER, &[2, 1, 8]])].concat();
        for form in [Form::Der, Form::Indefinite, Form::Wide] {
            let original = file(form, None, None, &[signer(form, 1, Some(&attributes))]);
            let mut edits = Edits::new(&original).expect("the file is CMS");
            let attribute = *edits.signed_data().signers[0].unsigned.iter().nth(1).expect("there are two");
            edits.replace_value(&attribute, [&[4, 0x81, 200][..], &[1; 200]].concat());
            let edited = edits.output().expect("it is read").to_vec(&original);
            let after = SignedData::parse(&edited).expect("the edited file is CMS");
            let found: Vec<_> = after.signers[0].unsigned.iter().collect();
            assert_eq!(found[0].raw.raw, &attributes[..found[0].raw.raw.len()], "{form:?}: the other one");
            let values: Vec<&[u8]> = found[1].values().map(|value| value.content).collect();
            assert_eq!(values, [&[1; 200][..], &[8]], "{form:?}");
        }
    }

    #[test]
    fn damaged_files_are_refused_or_read() {
        let original = file(
            Form::Indefinite,
            Some(&[0x30, 0]),
            None,
            &[signer(Form::Wide, 1, Some(&attribute(OTHER, &[&NUMBER])))],
        );
        for at in 0..original.len() {
            for flip in [0x55, 0x80, 0xff] {
                let mut damaged = original.clone();
                damaged[at] ^= flip;
                let Ok(mut edits) = Edits::new(&damaged) else { continue };
                if edits.signed_data().signers.is_empty() {
                    continue;
                }
                edits.certificate(&[0x30, 1, 5]).ocsp(&[0x30, 0]).unsigned_attribute(0, attribute(OTHER, &[]));
                if let Ok(output) = edits.output() {
                    let edited = output.to_vec(&damaged);
                    assert_eq!(edited.len(), output.len(), "byte {at}");
                    assert!(SignedData::parse(&edited).is_ok(), "byte {at}: {damaged:02x?} {edited:02x?}");
                }
            }
        }
    }
}
