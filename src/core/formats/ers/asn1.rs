//! The ASN.1 syntax: RFC 4998 §3, §4, §5.

use super::TooMany;
use super::record::{ArchiveTimestamp, Chain, Record, SequenceBefore, encodings};
use crate::asn1::{self, Reader, Tag, Tlv, element_count};
use crate::facts::{CertificateOrigin, EvidenceRecordType, RevocationOrigin, RevocationType};
use crate::formats::cms::{self, digest_algorithm};
use crate::formats::draft::{EmbeddedCertificate, EmbeddedRevocation};
use crate::formats::tsp::Token;
use std::borrow::Cow;

/// Why bytes are not an evidence record.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A part is not the ASN.1 that it has to be.
    #[error("evidence record {part} cannot be read")]
    Asn1 {
        /// Which part.
        part: &'static str,
        /// What was found.
        source: asn1::Error,
    },
    /// A time-stamp that cannot be read.
    #[error("a time-stamp of the evidence record cannot be read")]
    Timestamp(#[source] cms::Error),
    /// More than records of honest makers hold.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// No archive time-stamp at all.
    #[error("evidence record without an archive time-stamp, expected at least one")]
    Empty,
}

/// Reads an evidence record.
///
/// ```asn1
/// EvidenceRecord ::= SEQUENCE { version INTEGER, digestAlgorithms SEQUENCE OF AlgorithmIdentifier,
///   cryptoInfos [0] CryptoInfos OPTIONAL, encryptionInfo [1] EncryptionInfo OPTIONAL,
///   archiveTimeStampSequence SEQUENCE OF ArchiveTimeStampChain }
/// ArchiveTimeStampChain ::= SEQUENCE OF ArchiveTimeStamp
/// ```
pub fn parse(bytes: &[u8]) -> Result<Record<'_>, Error> {
    let part = |part| move |source| Error::Asn1 { part, source };
    let (outer, _) = Tlv::split(bytes).map_err(part("EvidenceRecord"))?;
    let mut reader = outer.expecting(Tag::SEQUENCE).map_err(part("EvidenceRecord"))?.children();
    reader.expect(Tag::INTEGER).map_err(part("version"))?;
    reader.expect(Tag::SEQUENCE).map_err(part("digestAlgorithms"))?;
    let crypto_infos = reader.context_structure(0).map_err(part("cryptoInfos"))?;
    TooMany::check_infos(crypto_infos.map_or(0, |infos| element_count(infos.children(), 2)))?;
    reader.context_structure(1).map_err(part("encryptionInfo"))?;
    let sequence = reader.expect(Tag::SEQUENCE).map_err(part("archiveTimeStampSequence"))?;
    reader.finish().map_err(part("EvidenceRecord"))?;

    let mut chains: Vec<Chain<'_>> = Vec::new();
    let (mut before, mut count, mut hashes) = (0, 0, 0);
    let mut reader = sequence.children();
    while let Some(chain) = Reader::next(&mut reader).map_err(part("ArchiveTimeStampChain"))? {
        let mut timestamps = Vec::new();
        let mut inner = chain.expecting(Tag::SEQUENCE).map_err(part("ArchiveTimeStampChain"))?.children();
        while let Some(timestamp) = Reader::next(&mut inner).map_err(part("ArchiveTimeStamp"))? {
            count += 1;
            TooMany::check(chains.len(), count)?;
            timestamps.push(archive_timestamp(&timestamp, &mut hashes)?);
        }
        if timestamps.is_empty() {
            return Err(Error::Empty);
        }
        let sequence_before = sequence.content.get(..before).filter(|before| !before.is_empty());
        let sequence_before = sequence_before.map(SequenceBefore::Asn1);
        chains.push(Chain { timestamps, sequence_before, canonicalization: None });
        before += chain.raw.len();
    }
    if chains.is_empty() {
        return Err(Error::Empty);
    }
    let (certificates, revocations) = crypto_infos.map(|infos| material(&infos)).unwrap_or_default();
    Ok(Record { kind: EvidenceRecordType::Asn1, bytes: outer.raw, chains, certificates, revocations })
}

/// Reads an archive time-stamp.
///
/// ```asn1
/// ArchiveTimeStamp ::= SEQUENCE { digestAlgorithm [0] AlgorithmIdentifier OPTIONAL, attributes [1] Attributes OPTIONAL,
///   reducedHashtree [2] SEQUENCE OF PartialHashtree OPTIONAL, timeStamp ContentInfo }
/// PartialHashtree ::= SEQUENCE OF OCTET STRING
/// ```
///
/// Its hashes are added to those of the record.
fn archive_timestamp<'a>(element: &Tlv<'a>, hashes: &mut usize) -> Result<ArchiveTimestamp<'a>, Error> {
    let part = |part| move |source| Error::Asn1 { part, source };
    let mut reader = element.expecting(Tag::SEQUENCE).map_err(part("ArchiveTimeStamp"))?.children();
    let stated = reader.context_structure(0).map_err(part("digestAlgorithm"))?;
    reader.context_structure(1).map_err(part("attributes"))?;
    let tree = reader.context_structure(2).map_err(part("reducedHashtree"))?;
    let timestamp = reader.expect(Tag::SEQUENCE).map_err(part("timeStamp"))?;
    reader.finish().map_err(part("ArchiveTimeStamp"))?;
    let token = Token::parse(timestamp.raw).map_err(Error::Timestamp)?;
    let mut groups = Vec::new();
    let mut tree = tree.map(|tree| tree.children()).unwrap_or_default();
    while let Some(group) = Reader::next(&mut tree).map_err(part("reducedHashtree"))? {
        let mut group = group.expecting(Tag::SEQUENCE).map_err(part("PartialHashtree"))?.children();
        // An empty group counts as well.
        *hashes += group.count().max(1);
        TooMany::check_hashes(*hashes)?;
        let mut values = Vec::new();
        while let Some(hash) = Reader::next(&mut group).map_err(part("PartialHashtree"))? {
            let value = hash.expecting(Tag::OCTET_STRING).and_then(|hash| hash.bytes());
            values.push(value.map_err(part("PartialHashtree"))?.into_owned());
        }
        groups.push(values);
    }
    // The tag [0] is implicit in the RFC's module; writers have made it explicit.
    let explicit = |tlv: &Tlv<'_>| tlv.children().read().ok().filter(|inner| inner.is(Tag::SEQUENCE)).is_some();
    let digest = match stated {
        Some(tlv) if explicit(&tlv) => tlv.inner().ok().and_then(|inner| digest_algorithm(&inner)),
        Some(tlv) => digest_algorithm(&tlv),
        None => token.info.imprint.algorithm,
    };
    Ok(ArchiveTimestamp { digest, tree: groups, renewal_input: encodings(timestamp.raw), token })
}

/// The certificates and revocation data in `cryptoInfos`.
type Evidence<'a> = (Vec<EmbeddedCertificate<'a>>, Vec<EmbeddedRevocation<'a>>);

/// Reads `CryptoInfos ::= SEQUENCE OF Attribute`, whose values RFC 4998 §3.1 leaves open: certificates and CRLs are
/// known by their shape.
fn material<'a>(infos: &Tlv<'a>) -> Evidence<'a> {
    let (mut certificates, mut revocations): Evidence<'a> = Default::default();
    let attributes = cms::Attributes::parse(infos);
    for value in attributes.iter().flat_map(|attribute| attribute.values()) {
        let bytes = Cow::Borrowed(value.raw);
        if crate::x509::Certificate::from_der(value.raw).is_ok() {
            certificates.push(EmbeddedCertificate { origin: CertificateOrigin::EvidenceRecord, bytes });
        } else {
            let kind = if is_ocsp(&value) { RevocationType::Ocsp } else { RevocationType::Crl };
            revocations.push(EmbeddedRevocation { kind, origin: RevocationOrigin::EvidenceRecord, bytes });
        }
    }
    (certificates, revocations)
}

/// Returns whether a value begins with an ENUMERATED, as an `OCSPResponse` does (RFC 6960 §4.2.1).
fn is_ocsp(value: &Tlv<'_>) -> bool {
    value.children().read().is_ok_and(|first| first.is(Tag::ENUMERATED))
}
