//! Who signed a list, and whether the signature covers all of it: TS 119 612 §5.7.

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

/// Why a list's signature does not count.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureDefect {
    /// There is none.
    #[error("the list is not signed")]
    Missing,
    /// Another than one.
    #[error("the list has {found} signatures, expected one")]
    Several { found: usize },
    /// Somewhere else.
    #[error("the signature is not directly inside the list's root element")]
    Misplaced,
    /// Over something else, or over a part.
    #[error("the signature does not cover the whole list")]
    NotWhole,
    /// The signature does not say whose it is.
    #[error("the signature holds no certificate of its signer")]
    NoCertificate,
    /// The signature is not valid.
    #[error("the signature is not valid: {indication} {sub_indication} ({check})")]
    Invalid { indication: String, sub_indication: String, check: String },
}

/// The signer of a list whose signature is valid, whoever that is.
///
/// The signature is judged as every other one is (EN 319 102-1), with its own certificate as the trust anchor. Whether
/// that certificate may sign the list, others say: the list that points at it, the Official Journal.
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

/// The signer of the one signature in a draft, where that is valid under a policy that is given.
pub(super) fn valid(draft: Draft<'_>, policy: &Policy, at: Time) -> Result<Certificate, SignatureDefect> {
    let budget = Budget::default();
    let facts = facts(draft, at, &budget);
    let verdicts = validation::validate_within(&facts, policy, at, &budget);
    let verdict = verdicts.signatures.first().ok_or(SignatureDefect::Missing)?;
    let signature = facts.signatures.first().ok_or(SignatureDefect::Missing)?;
    let signer = signature.signing_certificate.as_ref().ok_or(SignatureDefect::NoCertificate)?;
    let signer = facts.certificates.iter().find(|certificate| certificate.id == *signer);
    let octets = signer.and_then(|certificate| certificate.octets.as_ref()).ok_or(SignatureDefect::NoCertificate)?;
    let signer = Certificate::from_der(&octets.0).map_err(|_| SignatureDefect::NoCertificate)?;
    if verdict.indication != Indication::TotalPassed || !signature.basic.valid {
        return Err(SignatureDefect::Invalid {
            indication: verdict.indication.to_string(),
            sub_indication: verdict.sub_indication.map_or_else(String::new, |sub| sub.to_string()),
            check: verdict.findings.errors.first().map_or("", |error| error.key()).to_owned(),
        });
    }
    Ok(signer)
}

/// The facts of the signature, with the certificates that it holds as trust anchors.
fn facts(draft: Draft<'_>, at: Time, budget: &Budget) -> Facts {
    let mut collector = Collector::new(budget);
    let anchor = TrustAnchor { source: CertificateSource::TrustedList, ..TrustAnchor::default() };
    let held = draft.signatures.iter().flat_map(|signature| &signature.material.certificates);
    for certificate in held.filter_map(|embedded| Certificate::from_der(&embedded.octets).ok()) {
        collector.trust_anchor(certificate, anchor);
    }
    collector.document(draft);
    collector.finish(at)
}
