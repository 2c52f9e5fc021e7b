//! A document as it is judged between two steps.

use super::target::{Level, Obstacle, Target};
use crate::crypto;
use crate::document::Document;
use crate::facts::{self, Bytes, Id, RevocationReason, TimestampType};
use crate::hex;
use crate::report::Report;
use crate::report::view::{SignatureView, TimestampView};
use crate::signing::{SigningError, SigningErrorCode};
use crate::time::Time;
use crate::validation::context::ValidationContext;
use crate::validation::outcome::SubIndication;
use crate::validator::{self, Validator};
use std::collections::{BTreeMap, HashSet};

/// The judgement of a document, with the bytes of its revocation lists, which a report does not hold.
#[derive(Debug)]
pub(super) struct State<'v> {
    pub validator: &'v Validator,
    pub report: Report,
    pub time: Time,
    /// Whether time-stamps of authorities that nobody trusts count.
    strangers: bool,
    /// CRLs by their SHA-256, lower-case hexadecimal.
    crls: BTreeMap<String, Bytes>,
}

impl<'v> State<'v> {
    /// Judges a document.
    pub(super) fn of(
        validator: &'v Validator,
        document: &Document<'_>,
        time: Time,
        target: &Target,
    ) -> Result<Self, SigningError> {
        let (facts, crls) = validator.facts_with_crls(document, time).map_err(|error| unreadable(document, &error))?;
        let digest = |crl: &Bytes| crypto::digest(crate::algorithm::DigestAlgorithm::Sha256, &crl.0);
        let crls = crls.into_iter().filter_map(|crl| Some((hex::lower(&digest(&crl)?), crl))).collect();
        let strangers = target.overlooks(Obstacle::UntrustedChain);
        Ok(Self { validator, report: validator.judged(facts, time), time, strangers, crls })
    }

    /// Returns the context in which revocation data is selected.
    pub(super) fn context(&self) -> ValidationContext<'_> {
        let (facts, policy, budget) = (self.report.facts(), self.validator.policy(), self.validator.limits());
        ValidationContext::within(facts, policy, self.time, budget)
    }

    /// Returns the signature at that place of the record.
    pub(super) fn signature(&self, place: usize) -> Option<SignatureView<'_>> {
        let facts = self.report.facts().signatures.get(place)?;
        self.report.signature(&facts.id)
    }

    /// Returns the DER of revocation data.
    pub(super) fn revocation_bytes<'s>(&'s self, data: &'s facts::Revocation) -> Option<&'s [u8]> {
        let held = data.bytes.as_ref().or_else(|| self.crls.get(data.sha256.as_ref()?));
        held.map(|bytes| &bytes.0[..])
    }

    /// Returns the name of a certificate for people.
    pub(super) fn name(&self, id: &Id) -> String {
        self.report.certificate(id).map_or_else(|| id.to_string(), |certificate| certificate.name().to_owned())
    }

    /// Returns the level that a signature has.
    pub(super) fn level(&self, signature: &SignatureView<'_>) -> Option<Level> {
        Level::of(signature.level()?)
    }

    /// Returns the time-stamps that prove the signature to exist, those of evidence records left aside.
    pub(super) fn proofs<'s>(
        &'s self,
        signature: &SignatureView<'s>,
    ) -> impl Iterator<Item = TimestampView<'s>> + use<'s> {
        let signature = *signature;
        signature.timestamps().filter(|stamp| proves_signature(stamp.kind()))
    }

    /// Returns whether a usable time-stamp covers the signature together with validation data, in whatever form.
    pub(super) fn is_archived(&self, signature: &SignatureView<'_>) -> bool {
        self.proofs(signature).any(|stamp| stamp.facts().archive_type.is_some() && self.is_usable(&stamp))
    }

    /// Returns since when the signature is known to exist: the time of its first usable time-stamp.
    ///
    /// NOTE: the judgement asks for revocation data of the authorities first, which is what is still missing.
    pub(super) fn existence(&self, signature: &SignatureView<'_>) -> Option<Time> {
        let usable = self.proofs(signature).filter(|stamp| self.is_usable(stamp));
        usable.map(|stamp| stamp.time()).min()
    }

    /// Returns whether a time-stamp can be built upon.
    pub(super) fn is_usable(&self, stamp: &TimestampView<'_>) -> bool {
        let of_a_stranger = |defect: &SigningError| defect.code() == SigningErrorCode::ChainNotTrusted;
        self.defect(stamp).is_none_or(|defect| self.strangers && of_a_stranger(&defect))
    }

    /// Returns why a time-stamp cannot be built upon, as far as revocation data is not what is missing.
    pub(super) fn defect(&self, stamp: &TimestampView<'_>) -> Option<SigningError> {
        use SigningErrorCode::{ChainNotTrusted, TimestampInvalid, TsaCertificate, TsaImprint};
        let facts = stamp.facts();
        let name = facts.signing_certificate.as_ref().map_or_else(|| "an unknown authority".into(), |id| self.name(id));
        let error = |code, found: &str| {
            Some(SigningError::new(code, format!("the time-stamp of {} by {name}: {found}", facts.production_time)))
        };
        if facts.digest_matchers.iter().any(|matcher| !matcher.data_intact) {
            return error(TsaImprint, "its imprint is of other data than it should cover");
        }
        if !facts.basic.valid {
            return error(TsaCertificate, "its signature does not verify");
        }
        let trusted = |certificate: &facts::Certificate| {
            certificate.trust.trusted || self.chain(&certificate.chain).any(|issuer| issuer.trust.trusted)
        };
        let signer = facts.signing_certificate.as_ref().and_then(|id| self.certificate(id));
        if !signer.is_some_and(trusted) {
            return error(ChainNotTrusted, "its chain ends at no trust anchor");
        }
        match stamp.sub_indication() {
            // Revocation data is wanted elsewhere, and refused where it speaks against the authority.
            Some(SubIndication::TryLater | SubIndication::CertificateChainGeneralFailure)
                if !self.is_revoked(facts) =>
            {
                None
            }
            _ if stamp.verdict().conclusion().is_passed() => None,
            sub => {
                let why = sub.map_or("no reason given", |sub| sub.as_str());
                error(TimestampInvalid, &format!("{}, {why}", stamp.indication()))
            }
        }
    }

    /// Returns whether revocation data states that the authority of a time-stamp, or one above it, is revoked or on
    /// hold.
    fn is_revoked(&self, stamp: &facts::Timestamp) -> bool {
        let below = self.chain(&stamp.chain).take_while(|certificate| !certificate.trust.trusted);
        below
            .flat_map(|certificate| &certificate.revocations)
            .any(|said| said.status == facts::CertificateStatus::Revoked)
    }

    /// Returns the certificates with those ids.
    pub(super) fn chain<'s>(&'s self, ids: &'s [Id]) -> impl Iterator<Item = &'s facts::Certificate> {
        ids.iter().filter_map(|id| self.certificate(id))
    }

    /// Returns the certificate with that id.
    pub(super) fn certificate(&self, id: &Id) -> Option<&facts::Certificate> {
        self.report.certificate(id).map(|view| view.facts())
    }

    /// Returns the ids of the certificates and revocation data that a signature and its time-stamps hold.
    pub(super) fn held(&self, signature: &facts::Signature) -> HashSet<Id> {
        let ids: HashSet<&Id> = signature.found_timestamps.iter().collect();
        let stamps: Vec<_> = self.report.facts().timestamps.iter().filter(|stamp| ids.contains(&stamp.id)).collect();
        let certificates =
            stamps.iter().flat_map(|stamp| &stamp.found_certificates).chain(&signature.found_certificates);
        let certificates =
            certificates.filter(|found| !found.origins.is_empty()).map(|found| found.certificate.clone());
        let revocations = stamps.iter().flat_map(|stamp| &stamp.found_revocations).chain(&signature.found_revocations);
        let revocations = revocations.filter(|found| !found.origins.is_empty()).map(|found| found.revocation.clone());
        certificates.chain(revocations).collect()
    }

    /// Returns the ids of the certificates and revocation data that time-stamps and evidence records hold.
    pub(super) fn held_by_timestamps(&self) -> impl Iterator<Item = Id> {
        let facts = self.report.facts();
        let stamps = facts.timestamps.iter().map(|stamp| (&stamp.found_certificates, &stamp.found_revocations));
        let records =
            facts.evidence_records.iter().map(|record| (&record.found_certificates, &record.found_revocations));
        stamps.chain(records).flat_map(|(certificates, revocations)| {
            let certificates = certificates.iter().filter(|found| !found.origins.is_empty());
            let revocations = revocations.iter().filter(|found| !found.origins.is_empty());
            certificates.map(|found| found.certificate.clone()).chain(revocations.map(|found| found.revocation.clone()))
        })
    }

    /// Returns whether a signature has reached a level, whatever its profile calls it.
    pub(super) fn has_reached(&self, signature: &SignatureView<'_>, level: Level, target: &Target) -> bool {
        if target.overlooks(Obstacle::MissingRevocation) && level != Level::T {
            return true;
        }
        let has_words = signature.level().is_some_and(|level| !level.as_str().ends_with("ES"));
        self.level(signature).is_some_and(|reached| reached >= level)
            // The profiles BES and EPES of PDF have no word for a level.
            || !has_words && match level {
                Level::T | Level::Lt => self.existence(signature).is_some(),
                Level::Lta => self.proofs(signature).any(|stamp| stamp.kind() == TimestampType::Document),
            }
    }
}

/// Returns whether time-stamps of that kind are over the value of a signature, perhaps among others.
pub(super) fn proves_signature(kind: TimestampType) -> bool {
    use TimestampType::{Archive, Container, Document, Signature, ValidationData};
    matches!(kind, Archive | Container | Document | Signature | ValidationData)
}

/// Returns whether a revocation may be taken back: RFC 5280 §5.3.1.
pub(super) fn is_hold(reason: Option<RevocationReason>) -> bool {
    reason == Some(RevocationReason::CertificateHold)
}

/// Says why a document cannot be judged.
fn unreadable(document: &Document<'_>, error: &validator::Error) -> SigningError {
    let code = match error.needs_password() {
        true if document.password().is_some() => SigningErrorCode::PasswordWrong,
        true => SigningErrorCode::PasswordNeeded,
        false => SigningErrorCode::DocumentUnreadable,
    };
    let made = SigningError::new(code, error.to_string());
    match error.hint() {
        Some(hint) => made.with_hint(hint),
        None => made,
    }
}
