//! The basic building blocks of one token, and what each of them leaves for the later processes: EN 319 102-1 §5.2.

use super::check_id::CheckId;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion, Failure};
use super::outcome::Indication;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::Id;
use crate::policy::{Context, Rule, SubContext};
use crate::time::Time;
use std::collections::HashMap;
use std::sync::Arc;

/// The building blocks of every token judged so far.
pub type Judged = HashMap<Id, BuildingBlocks>;

/// The results of a token's building blocks; `None` where a block does not apply to it.
#[derive(Debug, Clone)]
pub struct BuildingBlocks {
    /// The token.
    pub token: Id,
    /// What kind it is.
    pub context: Context,
    /// Format checking.
    pub fc: Option<Block>,
    /// Identification of the signing certificate.
    pub isc: Option<Block>,
    /// Validation context initialization.
    pub vci: Option<Block>,
    /// X.509 certificate validation.
    pub xcv: Option<Xcv>,
    /// Cryptographic verification.
    pub cv: Option<Block>,
    /// Signature acceptance validation.
    pub sav: Option<Block>,
    /// Algorithm obsolescence at the validation time.
    pub algorithms: Option<AlgorithmObsolescence>,
    /// Past signature validation, where it ran.
    pub psv: Option<Block>,
    /// Its selection of revocation data.
    pub psv_selection: Option<RevocationSelection>,
    /// Past certificate validation, where it ran.
    pub pcv: Option<Block>,
    /// Validation time sliding, where it ran.
    pub vts: Option<Block>,
    /// Its selections of revocation data, one a certificate.
    pub vts_selections: Vec<RevocationSelection>,
    /// What the blocks FC to SAV conclude together.
    pub conclusion: Conclusion,
}

impl BuildingBlocks {
    /// Concludes: the last block that is not PASSED gives the token's result; the errors of all add up.
    pub(super) fn conclude(&mut self) {
        let mut conclusion = Conclusion::passed();
        for block in [&self.fc, &self.isc, &self.vci, &self.xcv.as_ref().map(|x| x.block.clone()), &self.cv, &self.sav]
            .into_iter()
            .flatten()
        {
            let inner = &block.conclusion;
            if inner.indication != Indication::Passed {
                conclusion.indication = inner.indication;
                conclusion.sub_indication = inner.sub_indication;
                conclusion.errors.extend(inner.errors.iter().cloned());
            }
            conclusion.warnings.extend(inner.warnings.iter().cloned());
            conclusion.infos.extend(inner.infos.iter().cloned());
        }
        self.conclusion = conclusion;
    }

    /// Returns the block of that kind, where it was run: FC, ISC, VCI, XCV, CV, SAV, AOV, PSV, PCV or VTS.
    pub fn block(&self, kind: BlockKind) -> Option<&Block> {
        match kind {
            BlockKind::FormatChecking => self.fc.as_ref(),
            BlockKind::IdentificationOfSigningCertificate => self.isc.as_ref(),
            BlockKind::ValidationContextInitialization => self.vci.as_ref(),
            BlockKind::X509CertificateValidation => self.xcv.as_ref().map(|xcv| &xcv.block),
            BlockKind::CryptographicVerification => self.cv.as_ref(),
            BlockKind::SignatureAcceptance => self.sav.as_ref(),
            BlockKind::AlgorithmObsolescence => self.algorithms.as_ref().map(|algorithms| &algorithms.block),
            BlockKind::PastSignatureValidation => self.psv.as_ref(),
            BlockKind::PastCertificateValidation => self.pcv.as_ref(),
            BlockKind::ValidationTimeSliding => self.vts.as_ref(),
            _ => None,
        }
    }

    /// Returns the result for that certificate of the chain, if it was reached.
    pub fn certificate_in_path(&self, certificate: &Id) -> Option<&CertificateInPath> {
        self.xcv.as_ref()?.certificates.iter().map(|sub| &**sub).find(|sub| sub.certificate == *certificate)
    }
}

/// X.509 certificate validation of a token.
#[derive(Debug, Clone)]
pub struct Xcv {
    /// Its checks.
    pub block: Block,
    /// One result a certificate, from the signing certificate upwards.
    pub certificates: Vec<Arc<CertificateInPath>>,
}

/// One certificate within X.509 certificate validation.
#[derive(Debug, Clone)]
pub struct CertificateInPath {
    /// The certificate.
    pub certificate: Id,
    /// Signing certificate or CA.
    pub sub_context: SubContext,
    /// Whether it was judged to be the trust anchor.
    pub trust_anchor: bool,
    /// Its checks.
    pub block: Block,
    /// The selection of revocation data, where revocation data was required and there was some.
    pub selection: Option<Arc<RevocationSelection>>,
    /// Whether the selected data is fresh.
    pub freshness: Option<Block>,
}

/// Selection of revocation data for one certificate.
#[derive(Debug, Clone)]
pub struct RevocationSelection {
    /// The certificate.
    pub certificate: Id,
    /// Its checks.
    pub block: Block,
    /// The acceptance of each candidate, in the order of the facts.
    pub candidates: Vec<Arc<RevocationAcceptance>>,
    /// The candidates that are acceptable.
    pub acceptable: Vec<Id>,
    /// The acceptable one that was produced last.
    pub latest: Option<Id>,
}

impl RevocationSelection {
    /// Relays the result to another block, under the rule `AcceptableRevocationDataFound`.
    pub(super) fn relay(&self, block: &mut BlockBuilder, rule: Option<&Rule>) -> Result<(), Concluded> {
        let question = CheckId::AcceptableRevocationDataFound.about(&self.certificate);
        let question = question.of_block(BlockKind::RevocationDataSelection);
        block.check(rule, question, self.block.is_passed(), Failure::relayed(&self.block.conclusion))
    }
}

/// Acceptance of one piece of revocation data for one certificate.
#[derive(Debug, Clone)]
pub struct RevocationAcceptance {
    /// The certificate.
    pub certificate: Id,
    /// The revocation data.
    pub revocation: Id,
    /// Its checks.
    pub block: Block,
    /// Selections for the certificates of its issuer's chain.
    pub selections: Vec<Arc<RevocationSelection>>,
}

/// Whether the algorithms of a token are reliable at a time.
#[derive(Debug, Clone)]
pub struct AlgorithmObsolescence {
    /// The time.
    pub time: Time,
    /// Its checks.
    pub block: Block,
    /// The signature value's algorithm.
    pub signature: Option<AlgorithmCheck>,
    /// The digests of references to the signing certificate: the decisive one.
    pub signed_attributes: Option<AlgorithmCheck>,
    /// The digests of what is signed: the decisive one.
    pub digest_matchers: Option<AlgorithmCheck>,
    /// The certificates below the anchor.
    pub chain: Vec<AlgorithmCheck>,
}

impl AlgorithmObsolescence {
    /// Returns every check, in the order in which they decide.
    pub fn all(&self) -> impl Iterator<Item = &AlgorithmCheck> {
        [&self.signature, &self.signed_attributes, &self.digest_matchers].into_iter().flatten().chain(&self.chain)
    }
}

/// One algorithm, checked.
#[derive(Debug, Clone)]
pub struct AlgorithmCheck {
    /// The token that uses it.
    pub token: Id,
    /// The kind of key; `None` when the check is of a digest alone.
    pub key: Option<KeyAlgorithm>,
    /// The digest function.
    pub digest: Option<DigestAlgorithm>,
    /// The key's length in bits.
    pub key_length: Option<u32>,
    /// What uses it, in words.
    pub concerns: Option<Box<str>>,
    /// Until when it is reliable; `None` when no end is known, or when it never was.
    pub not_after: Option<Time>,
    /// The result.
    pub conclusion: Conclusion,
}
