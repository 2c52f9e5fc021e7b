use crate::asn1::{Error, Tag, Tlv};
use crate::facts::Digest;
use crate::formats::cms::digest_algorithm;
use crate::time::Time;

/// `TSTInfo`: RFC 3161 §2.4.2.
///
/// ```asn1
/// TSTInfo ::= SEQUENCE {
///   version INTEGER, policy OBJECT IDENTIFIER,
///   messageImprint SEQUENCE { hashAlgorithm AlgorithmIdentifier, hashedMessage OCTET STRING },
///   serialNumber INTEGER, genTime GeneralizedTime, accuracy Accuracy OPTIONAL,
///   ordering BOOLEAN DEFAULT FALSE, nonce INTEGER OPTIONAL, tsa [0] GeneralName OPTIONAL,
///   extensions [1] IMPLICIT Extensions OPTIONAL }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TstInfo {
    /// The policy under which it was made, dotted.
    pub policy: String,
    /// The digest that is time-stamped.
    pub imprint: Digest,
    /// The token's serial number: the contents of the INTEGER.
    pub serial: Vec<u8>,
    /// When it was made.
    pub gen_time: Time,
    /// The whole `GeneralName` of the authority.
    pub tsa: Option<Vec<u8>>,
}

impl TstInfo {
    /// Reads the contents of the token's `eContent`.
    pub fn parse(octets: &[u8]) -> Result<Self, Error> {
        let mut reader = Tlv::split(octets)?.0.expecting(Tag::SEQUENCE)?.children();
        reader.expect(Tag::INTEGER)?;
        let policy = reader.expect(Tag::OID)?.oid()?.dotted();
        let mut imprint = reader.expect(Tag::SEQUENCE)?.children();
        let algorithm = digest_algorithm(&imprint.expect(Tag::SEQUENCE)?);
        let value = imprint.expect(Tag::OCTET_STRING)?.octets()?.into_owned().into();
        let serial = reader.expect(Tag::INTEGER)?.integer_bytes()?.to_vec();
        let gen_time = reader.expect(Tag::GENERALIZED_TIME)?.time()?;
        reader.optional(Tag::SEQUENCE)?;
        reader.optional(Tag::BOOLEAN)?;
        reader.optional(Tag::INTEGER)?;
        let tsa = match reader.context(0)? {
            Some(explicit) => Some(explicit.inner()?.raw.to_vec()),
            None => None,
        };
        Ok(Self { policy, imprint: Digest { algorithm, value }, serial, gen_time, tsa })
    }
}
