use super::TstInfo;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::crypto::Hasher;
use crate::facts::{
    Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, Timestamp, TimestampType, TsaName,
};
use crate::formats::cms::{Content, Error, SignedData, attribute::Attributes, oids, references, revocation, signer};
use crate::formats::draft::{Covers, Material, SignerIdentifier, TimestampDraft, ValueCheck};
use crate::x509::Name;
use std::borrow::Cow;

/// A time-stamp token, read but not judged.
#[derive(Debug, Clone)]
pub struct Token<'a> {
    /// The token's `ContentInfo` as sent.
    pub octets: &'a [u8],
    /// Its CMS.
    pub signed_data: SignedData<'a>,
    /// What it says.
    pub info: TstInfo,
    /// The octets of `eContent`.
    content: Cow<'a, [u8]>,
}

/// The digests that a token's imprint may be, by digest function.
pub enum Imprint<'i> {
    /// What was time-stamped is not at hand.
    Missing,
    /// Computes the digests; several where the standard's versions or encodings differ.
    Computed(&'i dyn Fn(DigestAlgorithm) -> Vec<Vec<u8>>),
    /// Says whether the stated imprint is one of them, where computing all would be a waste.
    Compared(&'i dyn Fn(&Digest) -> bool),
}

impl<'a> Token<'a> {
    /// Reads a token, or a `TimeStampResp` that holds one. Its signer's attributes state the certificate of the authority, as
    /// RFC 3161 §2.4.2 and RFC 5816 §2.2.1 demand.
    pub fn parse(octets: &'a [u8]) -> Result<Self, Error> {
        let part = Error::in_part;
        let (outer, _) = Tlv::split(octets).map_err(part("TimeStampToken"))?;
        let mut reader = outer.expecting(Tag::SEQUENCE).map_err(part("TimeStampToken"))?.children();
        let first = reader.read().map_err(part("TimeStampToken"))?;
        // A response begins with PKIStatusInfo, a token with its content type.
        let token = if first.is(Tag::SEQUENCE) { reader.read().map_err(part("timeStampToken"))? } else { outer };
        let signed_data = SignedData::parse(token.raw)?;
        if signed_data.content_type != oids::TST_INFO {
            return Err(Error::NotTstInfo { found: signed_data.content_type.to_string() });
        }
        let pieces = signed_data.content_pieces().unwrap_or_default();
        let content = match pieces[..] {
            [piece] => Cow::Borrowed(piece),
            _ => Cow::Owned(pieces.concat()),
        };
        let info = TstInfo::parse(&content).map_err(part("TSTInfo"))?;
        let Some(signer) = signed_data.signers.first() else { return Err(Error::NoSigner) };
        let named = |oid| signer.signed.value(oid).is_some();
        if !named(oids::SIGNING_CERTIFICATE) && !named(oids::SIGNING_CERTIFICATE_V2) {
            return Err(Error::UnnamedAuthority);
        }
        Ok(Self { octets: token.raw, signed_data, info, content })
    }

    /// What is said of octets that stand where a token stands, and are none; nothing where all are.
    pub fn malformed<'o>(place: &str, candidates: impl IntoIterator<Item = &'o [u8]>) -> Vec<Irregularity> {
        let errors = candidates.into_iter().filter_map(|octets| Token::parse(octets).err());
        errors
            .map(|error| Irregularity::about(IrregularityKind::MalformedHeader, format!("{place}: {error}")))
            .collect()
    }

    /// The unsigned attributes of its signer.
    pub fn unsigned(&self) -> &Attributes<'a> {
        // A token without a signer is not constructed.
        &self.signed_data.signers[0].unsigned
    }

    /// The token as facts: of this kind, with its imprint compared.
    ///
    /// `salt` keeps apart the ids of the same token found in two places.
    pub fn draft(&self, kind: TimestampType, imprint: Imprint<'_>, salt: &[u8]) -> TimestampDraft<'a> {
        let signer = &self.signed_data.signers[0];
        let content = Content::pieces(vec![&*self.content]);
        let tsa = self.info.tsa.as_deref().map(tsa_name);
        let (id, digest) = named("T-", salt, self.octets);
        TimestampDraft {
            facts: Timestamp {
                digest_matchers: vec![self.compare(imprint).into()],
                signer_infos: signer::infos(self.signed_data.signers.iter(), signer),
                tsa_name: tsa.as_ref().and_then(|(facts, _)| facts.clone()),
                digest,
                irregularities: self.irregularities(),
                ..Timestamp::new(id, kind, self.info.gen_time)
            },
            check: self.check(&content),
            signer: self.signer_identifier(),
            tsa_name: tsa.and_then(|(_, name)| name).map(Cow::Owned),
            material: self.material(),
            covers: Vec::<Covers<'a>>::new(),
            evidence_records: vec![],
        }
    }

    fn irregularities(&self) -> Vec<Irregularity> {
        let signer = &self.signed_data.signers[0];
        let mut found = signer::irregularities(&self.signed_data, signer, signer::Role::Signer);
        found.extend(self.info.irregularities.iter().cloned());
        found
    }

    /// RFC 3161 §2.4.2: a token has one signer. NOTE: with more, none is the authority's.
    ///
    /// NOTE: where the authority also states a signing time (RFC 5652 §11.3), its certificate has to be valid then;
    /// no standard says so, but EU DSS takes a value from outside of it for a broken one.
    fn check(&self, content: &Content<'_>) -> ValueCheck<'a> {
        let signer = &self.signed_data.signers[0];
        let check = signer::value_check(&self.signed_data, signer, content, signer::Role::Signer);
        let certificate_valid_at = signer.signed.value(oids::SIGNING_TIME).and_then(|time| time.time().ok());
        let check = ValueCheck { certificate_valid_at, ..check };
        if self.signed_data.signers.len() == 1 { check } else { ValueCheck { signed: vec![], ..check } }
    }

    fn signer_identifier(&self) -> SignerIdentifier<'a> {
        signer::identifier(&self.signed_data.signers[0])
    }

    /// Certificates, revocation data and references of the token itself.
    pub(crate) fn material(&self) -> Material<'a> {
        let signer = &self.signed_data.signers[0];
        let mut material = Material {
            certificates: signer::certificates(&self.signed_data),
            certificate_refs: references::signing_certificate_refs(&signer.signed),
            revocations: revocation::in_signed_data(&self.signed_data),
            revocation_refs: vec![],
        };
        crate::formats::cms::add_unsigned_material(&mut material, &signer.unsigned);
        material
    }

    /// RFC 3161 §2.2: compares the imprint with what was time-stamped.
    fn compare(&self, imprint: Imprint<'_>) -> DigestMatcher {
        let stated = &self.info.imprint;
        let found = !matches!(imprint, Imprint::Missing);
        let intact = match (imprint, stated.algorithm) {
            (Imprint::Computed(compute), Some(algorithm)) => compute(algorithm).contains(&stated.value.0),
            (Imprint::Compared(is), Some(_)) => is(stated),
            _ => false,
        };
        DigestMatcher {
            digest: stated.clone(),
            data_found: found,
            data_intact: intact,
            ..DigestMatcher::missing(MatcherType::MessageImprint)
        }
    }
}

/// `tsa` for display, and its `Name` where it is one.
fn tsa_name(general_name: &[u8]) -> (Option<TsaName>, Option<Vec<u8>>) {
    let name = Tlv::split(general_name).ok().and_then(|(tlv, _)| tlv.is_context(4).then(|| tlv.inner().ok()).flatten());
    let Some(name) = name else {
        let text = String::from_utf8_lossy(Tlv::split(general_name).map(|(t, _)| t.content).unwrap_or_default());
        return (Some(TsaName { name: text.into_owned(), content_match: false, order_match: false }), None);
    };
    let text = Name::from_der(name.raw).map(|name| name.rfc2253().to_owned()).unwrap_or_default();
    (Some(TsaName { name: text, content_match: false, order_match: false }), Some(name.raw.to_vec()))
}

/// Upper-case SHA-256 of octets that follow each other.
pub(crate) fn hex(parts: &[&[u8]]) -> String {
    let mut hasher = Hasher::new(DigestAlgorithm::Sha256).expect("SHA-256 is always there");
    parts.iter().for_each(|part| hasher.update(part));
    crate::hex::upper(&hasher.finish())
}

/// The SHA-256 of a token.
pub(crate) fn digest_of(octets: &[u8]) -> Option<Digest> {
    let value = crate::crypto::digest(DigestAlgorithm::Sha256, octets)?;
    Some(Digest { algorithm: Some(DigestAlgorithm::Sha256), value: value.into() })
}

/// The name of a token, made of its salt and its SHA-256, and the latter.
pub(crate) fn named(prefix: &str, salt: &[u8], octets: &[u8]) -> (Id, Option<Digest>) {
    let digest = digest_of(octets);
    let value = digest.as_ref().map_or(&[][..], |digest| &digest.value.0);
    let id = match salt {
        [] => crate::hex::upper_after(prefix, value),
        _ => format!("{prefix}{}", hex(&[salt, value])),
    };
    (Id::new(id), digest)
}
