//! Signatures in a file that is signed: parallel ones (RFC 5652 §5.1), counter-signatures (§11.4).
//!
//! What others signed keeps every byte: a signer is added to the set of signers, a counter-signature to the unsigned
//! attributes of its signer, certificates to the set of certificates.

use super::body::Placement;
use super::{Options, Subject, unreadable};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tlv, set_to_der};
use crate::document::Document;
use crate::facts::Id;
use crate::formats::cms::{Attribute, SignedData, SignerInfo, oids};
use crate::formats::{Content, ids};
use crate::signing::prepared::Input;
use crate::signing::{Prepared, SignatureParameters, Signer, SigningError, SigningErrorCode};

/// Prepares another signature over the content of a signed file; `digests` has the digest of a content that is elsewhere.
pub(super) fn parallel(
    file: &Document<'_>,
    digests: Option<Content<'_>>,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
) -> Result<Prepared, SigningError> {
    let signed_data = read(file)?;
    let (beside, given) = (file.contents(), digests.is_some());
    let content = match (signed_data.content_pieces(), beside, digests) {
        (Some(pieces), [], None) => Content::pieces(pieces),
        (None, [], Some(digests)) if signed_data.is_detached() => digests,
        (None, [content], None) if signed_data.is_detached() => Content::pieces(vec![content.bytes]),
        (None, [], None) if signed_data.is_detached() => {
            let found = "found a signature without its content, expected the content beside it, or its digest";
            return Err(SigningError::new(SigningErrorCode::ContentNeeded, found));
        }
        _ => {
            let holds = if signed_data.is_detached() { "no content" } else { "its content" };
            let and = if given { "a digest" } else { "a content" };
            let found = format!(
                "found a file that holds {holds}, and {} beside it{}, expected one content",
                beside.len(),
                if given { format!(" with {and}") } else { String::new() },
            );
            return Err(SigningError::new(SigningErrorCode::PackagingDiffers, found));
        }
    };
    check_certificates(&signed_data, parameters, signer)?;
    let input = Input::of(file.bytes(), DigestAlgorithm::Sha256, None)?;
    let subject = Subject { content, placement: Placement::Parallel };
    let prepared = subject.prepare(Some(input), signed_data.content_type, parameters, options, signer)?;
    check_is_new(&prepared, signed_data.signers.iter())?;
    Ok(prepared)
}

/// Checks that none of the signatures states the very same: the signed attributes name the signing certificate, the content
/// and the time, so that a second one would tell nothing new. With a deterministic algorithm it would have the same value,
/// and a SET OF holds each value once (X.690 §11.6).
fn check_is_new<'s, 'a: 's>(
    prepared: &Prepared,
    mut signers: impl Iterator<Item = &'s SignerInfo<'a>>,
) -> Result<(), SigningError> {
    let Ok(stated) = Tlv::whole(prepared.to_be_signed()) else { return Ok(()) };
    let states_it = |signer: &SignerInfo<'_>| {
        signer.signed_attributes.is_some_and(|set| set_to_der(&set).is_ok_and(|der| *der == *stated.content))
    };
    if !signers.any(states_it) {
        return Ok(());
    }
    let found = "found a signature by this certificate over this content, with the same time and statements";
    Err(SigningError::new(SigningErrorCode::AlreadySigned, found)
        .with_hint("the file is signed already; a later signing time makes it another signature"))
}

/// Prepares a counter-signature.
pub(super) fn counter(
    file: &Document<'_>,
    id: &Id,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
) -> Result<Prepared, SigningError> {
    if !options.is_empty() {
        let found = "found a description of the content, which a counter-signature does not have (RFC 5652 §11.4)";
        return Err(SigningError::new(SigningErrorCode::ParameterNotInFormat, found).with_hint("leave it out"));
    }
    let signed_data = read(file)?;
    // As the reader of CAdES names signatures that are no counter-signatures.
    let place = signed_data.signers.iter().position(|signer| ids::of_parts("S-", &[signer.raw.raw]) == *id);
    let Some((place, counter_signed)) = place.and_then(|place| Some((place, signed_data.signers.get(place)?))) else {
        let found = format!("found no signature {id}, expected one of the {} there", signed_data.signers.len());
        return Err(SigningError::new(SigningErrorCode::SignatureNotFound, found)
            .with_hint("counter-signatures themselves, and signatures in other files, are not counter-signed"));
    };
    if is_covered(counter_signed) {
        return Err(covered());
    }
    check_certificates(&signed_data, parameters, signer)?;
    let input = Input::of(file.bytes(), DigestAlgorithm::Sha256, None)?;
    // RFC 5652 §11.4: the content is the signature value.
    let content = Content::pieces(vec![&counter_signed.value]);
    let subject = Subject { content, placement: Placement::Counter { signer: place } };
    let prepared = subject.prepare(Some(input), oids::DATA, parameters, options, signer)?;
    let there = counter_signed.unsigned.all(oids::COUNTER_SIGNATURE).flat_map(|attribute| attribute.values());
    let there: Vec<SignerInfo<'_>> = there.filter_map(|value| SignerInfo::parse(value).ok()).collect();
    check_is_new(&prepared, there.iter())?;
    Ok(prepared)
}

/// Reads a file to which signatures can be added.
fn read<'a>(file: &Document<'a>) -> Result<SignedData<'a>, SigningError> {
    let signed_data = SignedData::parse(file.bytes()).map_err(|error| unreadable(&error))?;
    // What readers see differently is not signed.
    if let Some(irregular) = signed_data.irregularities.first() {
        let subject = irregular.subject.as_deref().unwrap_or_default();
        let found = format!("found a signature in which {subject}, expected what RFC 5652 §5.1 has");
        return Err(SigningError::new(SigningErrorCode::DocumentUnreadable, found));
    }
    if signed_data.content_type == oids::TST_INFO {
        let found = "found a time-stamp token, expected a signature";
        return Err(SigningError::new(SigningErrorCode::DocumentUnreadable, found));
    }
    if signed_data.signers.is_empty() {
        let found = "found a CMS file without a signer, expected a signature";
        return Err(SigningError::new(SigningErrorCode::NoSignature, found));
    }
    // RFC 4998 appendix A: a record is over the whole file.
    let has_record = |signer: &SignerInfo<'_>| {
        let records = [oids::INTERNAL_EVIDENCE_RECORD, oids::EXTERNAL_EVIDENCE_RECORD];
        records.iter().any(|kind| signer.unsigned.count(*kind) > 0)
    };
    if signed_data.signers.iter().any(has_record) {
        let found = "found an evidence record over the file, expected none: nothing can be added";
        return Err(SigningError::new(SigningErrorCode::EvidenceRecordInside, found));
    }
    Ok(signed_data)
}

fn is_covered(signer: &SignerInfo<'_>) -> bool {
    signer.unsigned.iter().any(Attribute::is_older_archive_timestamp)
}

/// Checks that the certificates of the new signer may be added, or are there.
fn check_certificates(
    signed_data: &SignedData<'_>,
    parameters: &SignatureParameters,
    signer: &Signer,
) -> Result<(), SigningError> {
    let held: Vec<&[u8]> = signed_data.x509_certificates().collect();
    let adds = signer.embedded(parameters.embedded).iter().any(|needed| !held.contains(&needed.der()));
    if adds && signed_data.signers.iter().any(is_covered) { Err(covered()) } else { Ok(()) }
}

fn covered() -> SigningError {
    let found = "found an archive time-stamp of a form that covers what would be added, expected none or version 3";
    SigningError::new(SigningErrorCode::CoveredByArchiveTimestamp, found)
        .with_hint("make a signature of its own beside the file")
}
