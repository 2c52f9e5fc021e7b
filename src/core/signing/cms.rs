//! CMS SignedData with one signer, and its SignerInfo: RFC 5652 §5.

use super::Signer;
use crate::algorithm::SignatureAlgorithm;
use crate::asn1::{Oid, Tag, Writer, header};
use crate::crypto::digest_algorithm_identifier;
use crate::formats::cms::oids;
use crate::x509::Certificate;

/// A SignedData of one signer, but for the content.
#[derive(Debug, Clone)]
pub(crate) struct SignedData<'a> {
    /// The type of the content: `id-data`, `id-ct-TSTInfo`.
    pub content_type: Oid<'a>,
    /// The certificates that it holds, DER; their order and doubles do not matter.
    pub certificates: Vec<&'a [u8]>,
    /// The signer.
    pub signer_info: SignerInfo<'a>,
}

/// A SignerInfo with its value.
#[derive(Debug, Clone)]
pub(crate) struct SignerInfo<'a> {
    /// The signer.
    pub signer: &'a Signer,
    /// The signed attributes as they were signed, a SET OF in DER.
    pub signed_attributes: &'a [u8],
    /// The value in the form of CMS.
    pub value: &'a [u8],
    /// The unsigned attributes, each an `Attribute` in DER, in the order in which they are written.
    pub unsigned_attributes: &'a [Vec<u8>],
}

impl SignedData<'_> {
    /// Returns the ContentInfo (RFC 5652 §3 and §5.1) with this content, or with none.
    pub fn der(&self, content: Option<&[u8]>) -> Vec<u8> {
        let (mut before, after) = self.around(content.map(<[u8]>::len));
        before.extend_from_slice(content.unwrap_or_default());
        before.extend_from_slice(&after);
        before
    }

    /// Returns what stands before and after a content of so many bytes, which need not be at hand: RFC 5652 §5.1.
    pub fn around(&self, content: Option<usize>) -> (Vec<u8>, Vec<u8>) {
        let length = content.unwrap_or(0);
        let digest_algorithm = digest_algorithm_identifier(self.signer_info.signer.digest());

        let mut after = Writer::new();
        let certificates = set_of(self.certificates.iter());
        if !certificates.is_empty() {
            after.element(Tag::context_constructed(0), &certificates);
        }
        after.element(Tag::SET, &self.signer_info.der());
        let after = after.finish();

        // From the inside to the outside, since each length counts the content.
        let mut kind = Writer::new();
        kind.oid(self.content_type);
        let mut encapsulated = kind.finish();
        if content.is_some() {
            let string = header(Tag::OCTET_STRING, length);
            encapsulated.extend_from_slice(&header(Tag::context_constructed(0), string.len() + length));
            encapsulated.extend_from_slice(&string);
        }
        let mut fields = Writer::new();
        // Version 3 where the content is anything but id-data, 1 otherwise.
        fields.unsigned(&[if self.content_type == oids::DATA { 1 } else { 3 }]);
        fields.element(Tag::SET, &digest_algorithm);
        let fields = [fields.finish(), header(Tag::SEQUENCE, encapsulated.len() + length), encapsulated].concat();
        let signed_data = [header(Tag::SEQUENCE, fields.len() + length + after.len()), fields].concat();
        let explicit =
            [header(Tag::context_constructed(0), signed_data.len() + length + after.len()), signed_data].concat();
        let mut kind = Writer::new();
        kind.oid(oids::SIGNED_DATA);
        let kind = kind.finish();
        let outer = header(Tag::SEQUENCE, kind.len() + explicit.len() + length + after.len());
        ([outer, kind, explicit].concat(), after)
    }
}

impl SignerInfo<'_> {
    /// Returns it in DER, version 1: the signer by issuer and serial number (RFC 5652 §5.3).
    pub fn der(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sequence(|w| {
            w.unsigned(&[1]);
            issuer_and_serial(w, self.signer.certificate());
            w.raw(&digest_algorithm_identifier(self.signer.digest()));
            // The same SET under the tag [0] IMPLICIT.
            w.raw(&[0xa0]).raw(self.signed_attributes.get(1..).unwrap_or_default());
            w.raw(&signature_algorithm_identifier(self.signer.algorithm()));
            w.octet_string(self.value);
            if !self.unsigned_attributes.is_empty() {
                w.element(Tag::context_constructed(1), &self.unsigned_attributes.concat());
            }
        });
        w.finish()
    }
}

/// Returns the AlgorithmIdentifier of an algorithm that a [`Signer`] has.
pub(super) fn signature_algorithm_identifier(algorithm: &SignatureAlgorithm) -> Vec<u8> {
    algorithm.to_algorithm_identifier().unwrap_or_default()
}

/// Returns the contents of a SET OF: each element once, in the order of their bytes (X.690 §11.6).
pub(super) fn set_of<T: AsRef<[u8]> + Ord>(elements: impl Iterator<Item = T>) -> Vec<u8> {
    let mut elements: Vec<T> = elements.collect();
    elements.sort();
    elements.dedup();
    elements.iter().flat_map(|element| element.as_ref()).copied().collect()
}

/// Writes `IssuerAndSerialNumber`, the name's bytes as the certificate has them: RFC 5652 §10.2.4.
fn issuer_and_serial(w: &mut Writer, certificate: &Certificate) {
    w.sequence(|w| {
        w.raw(certificate.issuer().der()).integer(certificate.serial());
    });
}
