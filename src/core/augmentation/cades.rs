//! Extending CMS files: CAdES, EN 319 122-1.

use super::carrier::{Carrier, Step};
use super::material::Tokens;
use super::needs::Needs;
use super::state::State;
use super::want::TimestampWant;
use crate::algorithm::DigestAlgorithm;
use crate::crypto;
use crate::document::Document;
use crate::facts::TimestampType;
use crate::formats::Contents;
use crate::formats::cades::archive_timestamp::{ArchiveTimestamp, attribute};
use crate::formats::cades::content;
use crate::formats::cms::edit::Edits;
use crate::formats::cms::{self, Attribute, SignedData, SignerInfo, oids};
use crate::formats::tsp::Token;
use crate::output::Output;
use crate::signing::{SigningError, SigningErrorCode};

/// A CMS file, with the contents beside it.
pub(super) struct CmsFile<'d> {
    contents: Contents<'d>,
}

impl<'d> CmsFile<'d> {
    /// Takes the contents beside a document, whose bytes are these in BER.
    pub(super) fn of(document: &Document<'d>, file: &[u8]) -> Result<Self, SigningError> {
        let signed_data = SignedData::parse(file).map_err(|error| unreadable(&error))?;
        if signed_data.content_type == oids::TST_INFO {
            let error = SigningError::new(
                SigningErrorCode::NotExtendable,
                "found a time-stamp, expected a CAdES or PAdES signature",
            );
            return Err(error.with_hint("a time-stamp that stands alone is renewed, and not extended"));
        }
        Ok(Self { contents: Contents::of(document) })
    }
}

impl Carrier for CmsFile<'_> {
    fn stamp(
        &self,
        file: &[u8],
        state: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError> {
        let mut edits = edits(file)?;
        let mut step = Step::default();
        for &place in signatures {
            let Some((signer, info)) = signer(&edits, state, place) else { continue };
            // TS 101 733 §6.4.1: it covers the attributes that are there, in a way that allows no others.
            if info.unsigned.iter().any(Attribute::is_older_archive_timestamp) {
                step.failed.push((place, covered("a time-stamp over the signature")));
                continue;
            }
            if let Some(error) = too_late(state, place) {
                step.failed.push((place, error));
                continue;
            }
            let imprint = crypto::digest(digest, &info.value).ok_or_else(|| digest_left_out(digest))?;
            match tokens.find(digest, &imprint) {
                Some(token) => {
                    edits.unsigned_attribute(signer, attribute(oids::SIGNATURE_TIMESTAMP, token));
                }
                None => step.want(place, want(state, place, digest, imprint, TimestampType::Signature)),
            }
        }
        step.output = output(&edits)?;
        Ok(step)
    }

    fn fill(&self, file: &[u8], state: &State<'_>, needs: &[(usize, Needs)]) -> Result<Step, SigningError> {
        let mut edits = edits(file)?;
        let mut step = Step::default();
        let frozen = edits
            .signed_data()
            .signers
            .iter()
            .any(|signer| signer.unsigned.iter().any(Attribute::is_older_archive_timestamp));
        for (place, needs) in needs.iter().filter(|(_, needs)| !needs.is_empty()) {
            if !frozen {
                add(&mut edits, needs);
                continue;
            }
            // The older form of archive time-stamps covers the sets of the file, and nothing of the newest token's own.
            let signer = signer(&edits, state, *place).map(|(_, info)| info);
            match signer.and_then(newest_archive) {
                Some((attribute, token)) => {
                    edits.replace_value(&attribute, filled(token.bytes, needs)?);
                }
                None => step.failed.push((*place, covered("certificates and revocation data"))),
            }
        }
        step.output = output(&edits)?;
        Ok(step)
    }

    fn archive(
        &self,
        file: &[u8],
        state: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError> {
        let mut edits = edits(file)?;
        let mut step = Step::default();
        for &place in signatures {
            let signed_data = edits.signed_data();
            let Some((signer, info)) = signer(&edits, state, place) else { continue };
            let digest = newest_archive(info).map_or(digest, |(_, token)| longer(digest, token.info.imprint.algorithm));
            let content = content(signed_data, &self.contents);
            let Some(prepared) = ArchiveTimestamp::prepare(signed_data, info, &content, digest) else {
                let message =
                    format!("the content, or its {digest} digest, is not there; an archive time-stamp covers it");
                let error = SigningError::new(SigningErrorCode::ContentNeeded, message);
                step.failed.push((place, error.with_hint("hand in the signed file with the signature")));
                continue;
            };
            match tokens.find(digest, &prepared.imprint) {
                Some(token) => {
                    let attribute = prepared.attribute(token).map_err(|error| unreadable(&error))?;
                    edits.unsigned_attribute(signer, attribute).digest_algorithm(digest);
                }
                None => step.want(place, want(state, place, digest, prepared.imprint, TimestampType::Archive)),
            }
        }
        step.output = output(&edits)?;
        Ok(step)
    }
}

/// Finds the signer of a signature, and its place: counter-signatures stand in the record as well.
fn signer<'s, 'a>(edits: &'s Edits<'a>, state: &State<'_>, place: usize) -> Option<(usize, &'s SignerInfo<'a>)> {
    let signatures = &state.report.facts().signatures;
    let signature = signatures.get(place)?;
    let at = signatures[..place].iter().filter(|signature| !signature.counter_signature).count();
    let info = edits.signed_data().signers.get(at)?;
    (info.value[..] == signature.value.0).then_some((at, info))
}

/// Refuses a signature time-stamp once the signing certificate has expired: it is made before (EN 319 122-1 §6.3 m)).
/// PDF has no such requirement.
fn too_late(state: &State<'_>, place: usize) -> Option<SigningError> {
    let signature = state.report.facts().signatures.get(place)?;
    let signer = state.certificate(signature.signing_certificate.as_ref()?)?;
    let name = state.name(&signer.id);
    let message = format!("the certificate of {name} expired at {}, expected it to be valid", signer.not_after);
    let error = SigningError::new(SigningErrorCode::CertificateExpired, message);
    (signer.not_after <= state.time).then(|| error.with_hint("a signature time-stamp made now would prove nothing"))
}

fn want(
    state: &State<'_>,
    place: usize,
    algorithm: DigestAlgorithm,
    imprint: Vec<u8>,
    kind: TimestampType,
) -> TimestampWant {
    let about = state.report.facts().signatures.get(place).map(|signature| signature.id.clone());
    TimestampWant { algorithm, imprint, kind, about }
}

fn add(edits: &mut Edits<'_>, needs: &Needs) {
    for certificate in &needs.certificates {
        edits.certificate(certificate);
    }
    for crl in &needs.crls {
        edits.crl(crl);
    }
    for response in &needs.ocsps {
        edits.ocsp(response);
    }
}

/// Returns a token with validation data, which its signer does not sign.
pub(super) fn filled(token: &[u8], needs: &Needs) -> Result<Vec<u8>, SigningError> {
    let mut edits = edits(token)?;
    add(&mut edits, needs);
    Ok(edits.output().map_err(|error| unreadable(&error))?.to_vec(token))
}

/// Returns the newest archive time-stamp of a signer, by its time.
fn newest_archive<'a>(signer: &SignerInfo<'a>) -> Option<(Attribute<'a>, Token<'a>)> {
    let archive = |attribute: &&Attribute<'a>| {
        attribute.is_older_archive_timestamp() || attribute.oid == oids::ARCHIVE_TIMESTAMP_V3
    };
    let tokens = signer.unsigned.iter().filter(archive).filter_map(|attribute| {
        let token = Token::parse(attribute.value()?.raw).ok()?;
        Some((*attribute, token))
    });
    tokens.max_by_key(|(_, token)| token.info.gen_time)
}

/// Returns the digest function of a renewal, no weaker than that of what it renews.
pub(super) fn longer(digest: DigestAlgorithm, last: Option<DigestAlgorithm>) -> DigestAlgorithm {
    use DigestAlgorithm::{Sha3_384, Sha3_512, Sha384, Sha512};
    let last = last.filter(|last| matches!(last, Sha384 | Sha512 | Sha3_384 | Sha3_512));
    last.filter(|last| last.length() > digest.length()).unwrap_or(digest)
}

fn edits(file: &[u8]) -> Result<Edits<'_>, SigningError> {
    Edits::new(file).map_err(|error| unreadable(&error))
}

fn output(edits: &Edits<'_>) -> Result<Option<Output>, SigningError> {
    (!edits.is_empty()).then(|| edits.output().map_err(|error| unreadable(&error))).transpose()
}

fn unreadable(error: &cms::Error) -> SigningError {
    SigningError::new(SigningErrorCode::DocumentUnreadable, error.to_string())
}

/// Returns the error that an archive time-stamp of an older form covers what would have to be changed.
fn covered(what: &str) -> SigningError {
    let message = format!("an archive time-stamp of an older form covers the place of {what}; expected none");
    SigningError::new(SigningErrorCode::CoveredByArchiveTimestamp, message).with_hint("renew its archive time-stamp")
}

pub(super) fn digest_left_out(digest: DigestAlgorithm) -> SigningError {
    let message = format!("found {digest}, which this build does not compute; expected another digest function");
    SigningError::new(SigningErrorCode::AlgorithmNotAllowed, message)
}
