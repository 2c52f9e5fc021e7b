//! The signature of a list: its signer, and whether it covers the whole list (TS 119 612 §5.7).

use crate::budget::Budget;
use crate::collect::{Collector, TrustAnchor};
use crate::facts::{CertificateSource, Facts};
use crate::formats::xades::Unpacked;
use crate::formats::xml::signature::{Target, XmlSignature, signatures};
use crate::formats::xml::transform::Transform;
use crate::formats::{Contents, Draft};
use crate::policy::Policy;
use crate::time::Time;
use crate::validation;
use crate::validation::outcome::Indication;
use crate::x509::Certificate;

/// Why the signature of a list or snapshot is not accepted (TS 119 612 §5.7).
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureDefect {
    /// There is no signature.
    #[error("the list is not signed")]
    Missing,
    /// There is more than one signature.
    #[error("the list has {found} signatures, expected one")]
    Several { found: usize },
    /// The signature is not a child of the root element.
    #[error("the signature is not directly inside the list's root element")]
    Misplaced,
    /// The signature does not cover the whole list.
    #[error("the signature does not cover the whole list")]
    NotWhole,
    /// The signature does not identify its signing certificate.
    #[error("the signature holds no certificate of its signer")]
    NoCertificate,
    /// The signature is not valid under EN 319 102-1; the fields name indication, sub-indication and check.
    #[error("the signature is not valid: {indication} {sub_indication} ({check})")]
    Invalid { indication: String, sub_indication: String, check: String },
}

/// Returns the signing certificate of a list whose signature is valid.
///
/// The signature is judged under EN 319 102-1 with its own certificate as the trust anchor. Whether that certificate is
/// authorised to sign the list is decided by the pointer to the list, or by the LOTL-signing certificates.
pub(super) fn signer(unpacked: &Unpacked<'_>, policy: &Policy, at: Time) -> Result<Certificate, SignatureDefect> {
    let tree = unpacked.tree();
    let root = tree.document_element().ok_or(SignatureDefect::Missing)?;
    let mut all = signatures(tree);
    let element = all.next().ok_or(SignatureDefect::Missing)?;
    let others = all.count();
    if others > 0 {
        return Err(SignatureDefect::Several { found: others + 1 });
    }
    if element.parent().map(|parent| parent.id()) != Some(root.id()) {
        return Err(SignatureDefect::Misplaced);
    }
    // §5.7.1 b): enveloped, over the whole; nothing may be left out of the list but the signature itself.
    let read = XmlSignature::read(element).map_err(|_| SignatureDefect::NotWhole)?;
    let whole = read.references.iter().any(|reference| {
        let covers = match reference.target() {
            Target::Document { .. } => true,
            Target::Element { node, ambiguous, .. } => node == root.id() && !ambiguous,
            _ => false,
        };
        let enveloped = |transform: &Transform| {
            matches!(transform, Transform::Enveloped | Transform::Canonical(_) | Transform::Final(_))
        };
        covers && reference.transforms.as_ref().is_ok_and(|transforms| transforms.iter().all(enveloped))
    });
    if !whole {
        return Err(SignatureDefect::NotWhole);
    }
    valid(unpacked.draft(&Contents::default()), policy, at)
}

/// Returns the signing certificate of the only signature of a draft, if it is valid under `policy`.
pub(super) fn valid(draft: Draft<'_>, policy: &Policy, at: Time) -> Result<Certificate, SignatureDefect> {
    let budget = Budget::default();
    let facts = facts(draft, at, &budget);
    let verdicts = validation::validate_within(&facts, policy, at, &budget);
    let verdict = verdicts.signatures.first().ok_or(SignatureDefect::Missing)?;
    let signature = facts.signatures.first().ok_or(SignatureDefect::Missing)?;
    let signer = signature.signing_certificate.as_ref().ok_or(SignatureDefect::NoCertificate)?;
    let signer = facts.certificates.iter().find(|certificate| certificate.id == *signer);
    let bytes = signer.and_then(|certificate| certificate.bytes.as_ref()).ok_or(SignatureDefect::NoCertificate)?;
    let signer = Certificate::from_der(&bytes.0).map_err(|_| SignatureDefect::NoCertificate)?;
    if verdict.indication != Indication::TotalPassed || !signature.basic.valid {
        return Err(SignatureDefect::Invalid {
            indication: verdict.indication.to_string(),
            sub_indication: verdict.sub_indication.map_or_else(String::new, |sub| sub.to_string()),
            check: verdict.findings.errors.first().map_or("", |error| error.key()).to_owned(),
        });
    }
    Ok(signer)
}

/// Collects the facts of a signature with its embedded certificates as trust anchors.
fn facts(draft: Draft<'_>, at: Time, budget: &Budget) -> Facts {
    let mut collector = Collector::new(budget);
    let anchor = TrustAnchor { source: CertificateSource::TrustedList, ..TrustAnchor::default() };
    let held = draft.signatures.iter().flat_map(|signature| &signature.material.certificates);
    for certificate in held.filter_map(|embedded| Certificate::from_der(&embedded.bytes).ok()) {
        collector.trust_anchor(certificate, anchor);
    }
    collector.document(draft);
    collector.finish(at)
}
