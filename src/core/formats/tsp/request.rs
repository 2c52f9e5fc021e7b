//! What is asked of a time-stamping authority: RFC 3161 §2.4.1.

use super::Rejection;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{self, Oid, Tag, Tlv, Writer, oid_content};
use crate::crypto::{digest_algorithm_identifier, digest_from_algorithm_identifier};
use std::borrow::Cow;

/// A request for a time-stamp: `TimeStampReq`.
///
/// ```asn1
/// TimeStampReq ::= SEQUENCE {
///   version INTEGER, messageImprint MessageImprint, reqPolicy OBJECT IDENTIFIER OPTIONAL,
///   nonce INTEGER OPTIONAL, certReq BOOLEAN DEFAULT FALSE, extensions [0] IMPLICIT Extensions OPTIONAL }
/// MessageImprint ::= SEQUENCE { hashAlgorithm AlgorithmIdentifier, hashedMessage OCTET STRING }
/// ```
///
/// What is written asks for the authority's certificate in the token (`certReq`): without it, nobody can check the
/// token offline. It has no extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimestampQuery<'a> {
    /// `messageImprint`, the whole element: the token repeats it.
    message_imprint: Cow<'a, [u8]>,
    function: DigestAlgorithm,
    imprint: Cow<'a, [u8]>,
    /// `reqPolicy`, dotted.
    policy: Option<String>,
    /// The contents of the nonce's INTEGER.
    nonce: Option<Cow<'a, [u8]>>,
    wants_certificate: bool,
}

impl<'a> TimestampQuery<'a> {
    /// Makes the request for a time-stamp over this digest, which states neither a policy nor a nonce.
    ///
    /// `None` where the digest does not have the length of its function.
    pub fn new(function: DigestAlgorithm, digest: &'a [u8]) -> Option<Self> {
        let mut message_imprint = Writer::new();
        message_imprint.sequence(|w| {
            // RFC 5754 §2: without parameters.
            w.raw(&digest_algorithm_identifier(function)).octet_string(digest);
        });
        (digest.len() == function.length()).then(|| Self {
            message_imprint: Cow::Owned(message_imprint.finish()),
            function,
            imprint: Cow::Borrowed(digest),
            policy: None,
            nonce: None,
            wants_certificate: true,
        })
    }

    /// Adds a nonce: random bytes, 8 to 16 of them, by which the response is known to be new.
    ///
    /// NOTE: they are written as a positive number without a leading zero byte, since clients and authorities were
    /// found that compare nonces as bytes: the first byte's top bit is cleared and its lowest bit set.
    pub fn with_nonce(mut self, mut random: Vec<u8>) -> Self {
        if let Some(first) = random.first_mut() {
            *first = *first & 0x7f | 1;
        }
        self.nonce = (!random.is_empty()).then_some(Cow::Owned(random));
        self
    }

    /// Adds the policy under which the time-stamp is to be made, an object identifier (dotted).
    ///
    /// `None` where it is no object identifier.
    pub fn with_policy(mut self, policy: &str) -> Option<Self> {
        oid_content(policy)?;
        self.policy = Some(policy.to_owned());
        Some(self)
    }

    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Rejection`] with the reason for which RFC 3161 §2.4.2 refuses the request.
    pub fn from_der(bytes: &'a [u8]) -> Result<Self, Rejection> {
        let bad = |_: asn1::Error| Rejection::BadRequest;
        let mut parts = Tlv::whole(bytes).and_then(|whole| whole.expecting(Tag::SEQUENCE)).map_err(bad)?.children();
        if parts.expect(Tag::INTEGER).and_then(|version| version.to_u64()).map_err(bad)? != 1 {
            return Err(Rejection::BadRequest);
        }
        let message_imprint = parts.expect(Tag::SEQUENCE).map_err(bad)?;
        let (function, imprint) = message_imprint_of(&message_imprint)?;
        let policy =
            parts.optional(Tag::OID).and_then(|policy| policy.map(|oid| oid.oid()).transpose()).map_err(bad)?;
        let nonce = parts.optional(Tag::INTEGER).and_then(|nonce| nonce.map(|n| n.integer_bytes()).transpose());
        let nonce = nonce.map_err(bad)?.map(Cow::Borrowed);
        let wants_certificate = match parts.optional(Tag::BOOLEAN).map_err(bad)? {
            Some(wants) => wants.boolean().map_err(bad)?,
            None => false,
        };
        if parts.context(0).map_err(bad)?.is_some() {
            return Err(Rejection::UnacceptedExtension);
        }
        parts.finish().map_err(bad)?;
        let policy = policy.map(|policy| policy.dotted());
        let message_imprint = Cow::Borrowed(message_imprint.raw);
        Ok(Self { message_imprint, function, imprint: Cow::Borrowed(imprint), policy, nonce, wants_certificate })
    }

    /// Returns the request in DER.
    pub fn to_der(&self) -> Vec<u8> {
        let mut request = Writer::new();
        request.sequence(|w| {
            w.unsigned(&[1]).raw(&self.message_imprint);
            if let Some(policy) = self.policy.as_deref().and_then(oid_content) {
                w.oid(Oid::from_content(&policy));
            }
            if let Some(nonce) = &self.nonce {
                w.integer(nonce);
            }
            if self.wants_certificate {
                w.boolean(true);
            }
        });
        request.finish()
    }

    /// Returns the `messageImprint` element.
    pub fn message_imprint(&self) -> &[u8] {
        &self.message_imprint
    }

    /// Returns the digest function of the imprint.
    pub fn function(&self) -> DigestAlgorithm {
        self.function
    }

    /// Returns the digest that is to be time-stamped.
    pub fn imprint(&self) -> &[u8] {
        &self.imprint
    }

    /// Returns the policy that is asked for, dotted.
    pub fn policy(&self) -> Option<&str> {
        self.policy.as_deref()
    }

    /// Returns the nonce: the contents of its INTEGER.
    pub fn nonce(&self) -> Option<&[u8]> {
        self.nonce.as_deref()
    }

    /// Returns whether the token is to hold the authority's certificate.
    pub fn wants_certificate(&self) -> bool {
        self.wants_certificate
    }
}

fn message_imprint_of<'a>(message_imprint: &Tlv<'a>) -> Result<(DigestAlgorithm, &'a [u8]), Rejection> {
    let mut parts = message_imprint.children();
    let function = parts.read().ok().and_then(|identifier| digest_from_algorithm_identifier(identifier.raw).ok());
    let function = function.ok_or(Rejection::BadAlgorithm)?;
    let imprint = parts.expect(Tag::OCTET_STRING).map_err(|_| Rejection::BadRequest)?;
    parts.finish().map_err(|_| Rejection::BadRequest)?;
    match imprint.content.len() == function.length() {
        true => Ok((function, imprint.content)),
        false => Err(Rejection::BadDataFormat),
    }
}
