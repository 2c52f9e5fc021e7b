//! CMS SignedData, CAdES and time-stamp tokens.

use crate::der::*;
use crate::lab::Lab;
use crate::pki::{Entity, SHA256, ecdsa, sha256};

pub const DATA: &str = "1.2.840.113549.1.7.1";
pub const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
pub const TST_INFO: &str = "1.2.840.113549.1.9.16.1.4";
pub const CONTENT_TYPE: &str = "1.2.840.113549.1.9.3";
pub const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
pub const SIGNING_TIME: &str = "1.2.840.113549.1.9.5";
pub const SIGNING_CERTIFICATE: &str = "1.2.840.113549.1.9.16.2.47";
pub const SIGNATURE_TIMESTAMP: &str = "1.2.840.113549.1.9.16.2.14";

pub fn attribute(kind: &str, value: &[u8]) -> Vec<u8> {
    sequence(&[&oid(kind), &tlv(0x31, &[value])])
}

fn sha256_identifier() -> Vec<u8> {
    sequence(&[&oid(SHA256)])
}

/// `SigningCertificateV2` naming that certificate.
pub fn signing_certificate(certificate: &[u8]) -> Vec<u8> {
    attribute(SIGNING_CERTIFICATE, &sequence(&[&sequence(&[&sequence(&[&bytes(&sha256(certificate))])])]))
}

/// A signer's part, before it is signed.
#[derive(Clone)]
pub struct Signer<'a> {
    pub entity: &'a Entity,
    pub kind: &'a str,
    pub attributes: Vec<Vec<u8>>,
    pub identifier: Vec<u8>,
    pub unsigned: Vec<Vec<u8>>,
    /// The identifiers of the digest function and of the signature algorithm.
    pub digest: Vec<u8>,
    pub algorithm: Vec<u8>,
    /// The authority that stamps the value, and when.
    pub timestamp: Option<(&'a Entity, &'a str)>,
    /// The value is over the content itself.
    pub bare: bool,
}

impl<'a> Signer<'a> {
    /// The attributes of CAdES-BASELINE-B over a content.
    pub fn of(entity: &'a Entity, content: &[u8]) -> Self {
        let attributes = vec![
            attribute(CONTENT_TYPE, &oid(DATA)),
            attribute(MESSAGE_DIGEST, &bytes(&sha256(content))),
            signing_certificate(&entity.certificate),
        ];
        let identifier = entity.issuer_and_serial();
        Self {
            entity,
            kind: DATA,
            attributes,
            identifier,
            unsigned: vec![],
            digest: sha256_identifier(),
            algorithm: ecdsa(),
            timestamp: None,
            bare: false,
        }
    }

    /// The same with the claimed time, which CAdES asks for and PAdES states elsewhere.
    pub fn at(mut self, time_: &str) -> Self {
        self.attributes.push(attribute(SIGNING_TIME, &time(time_)));
        self
    }

    /// The same without the attributes of that kind.
    pub fn without(mut self, kind: &str) -> Self {
        let kind = oid(kind);
        self.attributes.retain(|attribute| children(attribute)[0] != kind);
        self
    }

    pub fn and(mut self, attribute: Vec<u8>) -> Self {
        self.attributes.push(attribute);
        self
    }

    /// `SignerInfo`.
    pub fn signed(&self, content: &[u8]) -> Vec<u8> {
        let attributes = sorted(&self.attributes);
        let value = match self.bare {
            true => self.entity.key.sign(content),
            false => self.entity.key.sign(&tlv(0x31, &[&attributes])),
        };
        let signed = if self.bare { vec![] } else { tlv(0xa0, &[&attributes]) };
        self.with_value(&signed, &value)
    }

    /// `SignerInfo` with these signed attributes and this value.
    pub fn with_value(&self, signed: &[u8], value: &[u8]) -> Vec<u8> {
        let mut unsigned = self.unsigned.clone();
        if let Some((authority, time)) = self.timestamp {
            unsigned.push(attribute(SIGNATURE_TIMESTAMP, &Token::over(value, time).by(authority)));
        }
        let unsigned = if unsigned.is_empty() { vec![] } else { tlv(0xa1, &[&sorted(&unsigned)]) };
        let version = integer(1);
        let value = bytes(value);
        sequence(&[&version, &self.identifier, &self.digest, signed, &self.algorithm, &value, &unsigned])
    }
}

/// SignedData to be written.
#[derive(Clone)]
pub struct SignedData {
    pub kind: &'static str,
    /// What stands after the type of the content: `[0] { OCTET STRING }`, or whatever else.
    pub content: Vec<u8>,
    pub signers: Vec<Vec<u8>>,
    pub certificates: Vec<Vec<u8>>,
    pub crls: Vec<Vec<u8>>,
    pub ocsps: Vec<Vec<u8>>,
    pub digests: Vec<Vec<u8>>,
}

impl SignedData {
    pub fn new(content: Option<&[u8]>) -> Self {
        let content = content.map_or(vec![], |content| tlv(0xa0, &[&bytes(content)]));
        let digests = vec![sha256_identifier()];
        Self { kind: DATA, content, signers: vec![], certificates: vec![], crls: vec![], ocsps: vec![], digests }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let certificates = match self.certificates.is_empty() {
            true => vec![],
            false => tlv(0xa0, &[&sorted(&self.certificates)]),
        };
        let mut revocation = self.crls.clone();
        revocation.extend(self.ocsps.iter().map(|ocsp| tlv(0xa1, &[&oid("1.3.6.1.5.5.7.16.2"), ocsp])));
        let revocation = if revocation.is_empty() { vec![] } else { tlv(0xa1, &[&revocation.concat()]) };
        let version = if self.kind == DATA { 1 } else { 3 };
        let signed = sequence(&[
            &integer(version),
            &set_of(&self.digests),
            &sequence(&[&oid(self.kind), &self.content]),
            &certificates,
            &revocation,
            &set_of(&self.signers),
        ]);
        sequence(&[&oid(SIGNED_DATA), &tlv(0xa0, &[&signed])])
    }
}

/// A time-stamp token to be made.
#[derive(Clone)]
pub struct Token<'a> {
    /// Of which digest function the imprint is.
    pub digest: &'a str,
    pub imprint: Vec<u8>,
    pub time: &'a str,
    pub with_attributes: bool,
    pub with_signing_certificate: bool,
    pub crls: Vec<Vec<u8>>,
}

impl<'a> Token<'a> {
    pub fn over(bytes: &[u8], time: &'a str) -> Self {
        Self::of(sha256(bytes), time)
    }

    pub fn of(imprint: Vec<u8>, time: &'a str) -> Self {
        Self { digest: SHA256, imprint, time, with_attributes: true, with_signing_certificate: true, crls: vec![] }
    }

    pub fn by(&self, authority: &Entity) -> Vec<u8> {
        self.with_unsigned(authority, vec![])
    }

    /// The same with these unsigned attributes.
    pub fn with_unsigned(&self, authority: &Entity, unsigned: Vec<Vec<u8>>) -> Vec<u8> {
        let info = sequence(&[
            &integer(1),
            &oid("1.2.3.4.1"),
            &sequence(&[&sequence(&[&oid(self.digest), &tlv(5, &[])]), &bytes(&self.imprint)]),
            &integer(7),
            &generalized(self.time),
        ]);
        let mut signer =
            Signer::of(authority, &info).without(CONTENT_TYPE).and(attribute(CONTENT_TYPE, &oid(TST_INFO)));
        if !self.with_signing_certificate {
            signer = signer.without(SIGNING_CERTIFICATE);
        }
        signer.bare = !self.with_attributes;
        signer.unsigned = unsigned;
        let mut data = SignedData::new(Some(&info));
        data.kind = TST_INFO;
        data.signers = vec![signer.signed(&info)];
        data.certificates = vec![authority.certificate.clone()];
        data.crls.clone_from(&self.crls);
        data.bytes()
    }
}

/// When the laboratory's time-stamps are of.
pub const STAMPED: &str = "20261121120000Z";

impl Lab {
    /// A signer with its time-stamp.
    pub fn signer<'a>(&'a self, entity: &'a Entity, content: &[u8]) -> Signer<'a> {
        Signer { timestamp: Some((&self.tsa, STAMPED)), ..Signer::of(entity, content) }
    }

    /// SignedData by these signers with the root's list.
    pub fn signed_data(&self, content: Option<&[u8]>, signed: &[u8], signers: &[Signer<'_>]) -> SignedData {
        let mut data = SignedData::new(content);
        data.signers = signers.iter().map(|signer| signer.signed(signed)).collect();
        data.certificates = signers.iter().map(|signer| signer.entity.certificate.clone()).collect();
        data.crls = vec![self.crl.clone()];
        data
    }

    /// A CAdES signature by Alice that holds its content.
    pub fn attached(&self, content: &[u8]) -> Vec<u8> {
        self.signed_data(Some(content), content, &[self.signer(&self.alice, content).at(STAMPED)]).bytes()
    }

    /// A CAdES signature by Alice beside its content.
    pub fn detached(&self, content: &[u8]) -> Vec<u8> {
        self.signed_data(None, content, &[self.signer(&self.alice, content).at(STAMPED)]).bytes()
    }

    /// What stands in a PDF: the time is in the dictionary.
    pub fn pades(&self, entity: &Entity, content: &[u8]) -> Vec<u8> {
        self.signed_data(None, content, &[self.signer(entity, content)]).bytes()
    }
}
