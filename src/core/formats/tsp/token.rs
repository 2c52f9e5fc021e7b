use super::TstInfo;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::facts::{Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, TimestampType};
use crate::formats::cms::{Attributes, Error, SignedData, material, oids, signer};
use crate::formats::content::Content;
use crate::formats::draft::{Material, SignerIdentifier, StatedTsa, TimestampDraft, TimestampFacts, ValueCheck};
use crate::formats::ids;
use crate::x509::Name;
use std::borrow::Cow;

/// A time-stamp token, read but not judged.
#[derive(Debug, Clone)]
pub struct Token<'a> {
    /// The token's `ContentInfo` as sent.
    pub bytes: &'a [u8],
    /// Its CMS.
    pub signed_data: SignedData<'a>,
    /// What it says.
    pub info: TstInfo,
    /// The bytes of `eContent`.
    pub(super) content: Cow<'a, [u8]>,
}

/// The most unreadable tokens of a signature of which each is a finding by itself.
pub(in crate::formats) const SAID: usize = 16;

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
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let part = Error::in_part;
        let (outer, _) = Tlv::split(bytes).map_err(part("TimeStampToken"))?;
        let mut reader = outer.expecting(Tag::SEQUENCE).map_err(part("TimeStampToken"))?.children();
        let first = reader.read().map_err(part("TimeStampToken"))?;
        // A response begins with PKIStatusInfo, a token with its content type.
        let token = if first.is(Tag::SEQUENCE) {
            let status = first.children().expect(Tag::INTEGER).and_then(|status| status.to_u64());
            // §2.4.2: only what is granted, or granted with modifications, comes with a token.
            let status = status.map_err(part("PKIStatusInfo"))?;
            if status > 1 {
                return Err(Error::Rejected { status });
            }
            reader.read().map_err(part("timeStampToken"))?
        } else {
            outer
        };
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
        Ok(Self { bytes: token.raw, signed_data, info, content })
    }

    /// Returns what is said of bytes that stand where a token stands, and are none; nothing where all are.
    pub fn malformed<'o>(place: &str, candidates: impl IntoIterator<Item = &'o [u8]>) -> Vec<Irregularity> {
        let errors = candidates.into_iter().filter_map(|bytes| Token::parse(bytes).err());
        errors
            .take(SAID)
            .map(|error| Irregularity::about(IrregularityKind::MalformedHeader, format!("{place}: {error}")))
            .collect()
    }

    /// Returns the unsigned attributes of its signer.
    pub fn unsigned(&self) -> &Attributes<'a> {
        // A token without a signer is not constructed.
        &self.signed_data.signers[0].unsigned
    }

    /// Returns the token as a draft: of this kind, with its imprint compared.
    ///
    /// `discriminator` tells its id from that of the same token found elsewhere.
    pub fn draft(&self, kind: TimestampType, imprint: Imprint<'_>, discriminator: &[u8]) -> TimestampDraft<'a> {
        let signer = &self.signed_data.signers[0];
        let content = Content::pieces(vec![&*self.content]);
        let (id, digest) = self.named(discriminator);
        let check = self.check(&content);
        let mut digest_matchers = vec![self.compare(imprint).into()];
        // RFC 5652 §5.4: what is stamped rests on the digest of the content, too, which may be by another function than the value.
        if signer.digest() != check.algorithm.and_then(|algorithm| algorithm.digest) {
            digest_matchers.push(signer::digest_matcher(&self.signed_data, signer, &content).into());
        }
        TimestampDraft {
            facts: TimestampFacts {
                id,
                kind,
                file: None,
                archive_type: None,
                evidence_record_type: None,
                hash_index: None,
                production_time: self.info.gen_time,
                digest_matchers,
                signer_infos: signer::infos(&self.signed_data, signer, signer::Role::Signer),
                pdf_revision: None,
                scopes: vec![],
                digest,
                evidence_records_elsewhere: vec![],
                irregularities: self.irregularities(),
            },
            check,
            signer: self.signer_identifier(),
            tsa: self.info.tsa.as_deref().map(stated_tsa),
            material: self.material(),
            covers: vec![],
        }
    }

    /// Returns the id that [`draft`](Self::draft) gives the token with this discriminator.
    pub(crate) fn id(&self, discriminator: &[u8]) -> Id {
        self.named(discriminator).0
    }

    fn named(&self, discriminator: &[u8]) -> (Id, Digest) {
        ids::of_token("T-", discriminator, self.bytes)
    }

    pub(super) fn irregularities(&self) -> Vec<Irregularity> {
        let signer = &self.signed_data.signers[0];
        let mut found = signer::irregularities(&self.signed_data, signer, signer::Role::Signer);
        found.extend(self.info.irregularities.iter().cloned());
        found
    }

    /// Returns what there is to check of the value of the one signer that a token has (RFC 3161 §2.4.2). NOTE: with
    /// more, none is the authority's.
    ///
    /// NOTE: where the authority also states a signing time (RFC 5652 §11.3), its certificate has to be valid then;
    /// no standard says so, but EU DSS takes a value from outside of it for a broken one.
    pub(super) fn check(&self, content: &Content<'_>) -> ValueCheck<'a> {
        let signer = &self.signed_data.signers[0];
        let check = signer::value_check(&self.signed_data, signer, content, signer::Role::Signer);
        let certificate_valid_at = signer.signed.value(oids::SIGNING_TIME).and_then(|time| time.time().ok());
        let check = ValueCheck { certificate_valid_at, ..check };
        if self.signed_data.signers.len() == 1 { check } else { ValueCheck { signed: vec![], ..check } }
    }

    pub(super) fn signer_identifier(&self) -> SignerIdentifier<'a> {
        signer::identifier(&self.signed_data.signers[0])
    }

    /// Returns certificates, revocation data and references of the token itself.
    pub(crate) fn material(&self) -> Material<'a> {
        let signer = &self.signed_data.signers[0];
        let mut material = material::signed(&self.signed_data, signer);
        material::add_unsigned(&mut material, &signer.unsigned);
        material
    }

    /// Compares the imprint with what was time-stamped (RFC 3161 §2.2).
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

/// Reads a `GeneralName` for display, and its `Name` where it is one.
fn stated_tsa(general_name: &[u8]) -> StatedTsa {
    let name = Tlv::split(general_name).ok().and_then(|(tlv, _)| tlv.is_context(4).then(|| tlv.inner().ok()).flatten());
    let Some(name) = name else {
        let text = String::from_utf8_lossy(Tlv::split(general_name).map(|(t, _)| t.content).unwrap_or_default());
        return StatedTsa { name: text.into_owned(), directory_name: None };
    };
    let text = Name::from_der(name.raw).map(|name| name.rfc2253().to_owned()).unwrap_or_default();
    StatedTsa { name: text, directory_name: Some(name.raw.to_vec()) }
}
