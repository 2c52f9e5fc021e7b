//! Which profiles an XML signature fulfils: EN 319 132-1 §6.3 (baseline), EN 319 132-2 §5 (extended).

use super::{child, descend, is, material, qualifying};
use crate::facts::{ArchiveTimestampType, MatcherType, Signature, TimestampType};
use crate::formats::draft::{Family, Levels, TimestampDraft};
use crate::formats::xml::signature::references;
use crate::formats::xml::{Canonicalization, DSIG, Element};

/// No profile: an XML signature that is not XAdES.
pub(super) fn none() -> Levels {
    Levels { family: Family::Xades, needs_embedded_signer: true, ..Levels::default() }
}

/// What baseline LT does not have: §6.3, table 2.
const NOT_IN_LT: [&str; 6] = [
    "CompleteCertificateRefs",
    "CompleteRevocationRefs",
    "AttributeCertificateRefs",
    "AttributeRevocationRefs",
    "SigAndRefsTimeStamp",
    "RefsOnlyTimeStamp",
];

/// The profiles of a signature, with the time-stamps that belong to it.
pub(super) fn levels(signature: Element<'_, '_>, facts: &Signature, timestamps: &[TimestampDraft<'_>]) -> Levels {
    let Some(qualifying) = qualifying(signature).filter(|q| child(*q, "SignedProperties").is_some()) else {
        return none();
    };
    let unsigned = material::unsigned(qualifying);
    let plain = |local: &str| local.strip_suffix("V2").unwrap_or(local).to_string();
    let count = |local: &str| unsigned.iter().filter(|property| plain(property.local()) == local).count();
    let stamps = |kind| timestamps.iter().filter(|t| t.facts.kind == kind).count();
    let newer = |t: &TimestampDraft<'_>| t.facts.archive_type == Some(ArchiveTimestampType::Xades141);
    let signed = descend(qualifying, &["SignedProperties", "SignedSignatureProperties"]);
    let own = |local: &str| {
        signed.map_or(0, |signed| signed.children().filter(|property| plain(property.local()) == local).count())
    };
    let certificate_refs = count("CompleteCertificateRefs") == 1;
    Levels {
        baseline_b: baseline_b(signature, qualifying, facts, own),
        baseline_lt: NOT_IN_LT.iter().all(|local| count(local) == 0),
        baseline_lta: timestamps.iter().any(newer),
        bes: own("SigningCertificate") > 0 || facts.digest_matchers.iter().any(|m| m.kind == MatcherType::KeyInfo),
        epes: own("SignaturePolicyIdentifier") > 0,
        t: stamps(TimestampType::Signature) > 0,
        c: certificate_refs && count("CompleteRevocationRefs") == 1,
        c_self_signed: certificate_refs && count("CompleteRevocationRefs") == 0,
        x: count("SigAndRefsTimeStamp") + count("RefsOnlyTimeStamp") > 0,
        a: stamps(TimestampType::Archive) > 0,
        ..none()
    }
}

/// §6.3: cardinalities and requirements of level B.
fn baseline_b(
    signature: Element<'_, '_>,
    qualifying: Element<'_, '_>,
    facts: &Signature,
    own: impl Fn(&str) -> usize,
) -> bool {
    let info = signature.child(DSIG, "SignedInfo");
    let canonicalization = info.and_then(|info| info.child(DSIG, "CanonicalizationMethod"));
    let known = canonicalization.and_then(|m| m.attribute("Algorithm")).and_then(Canonicalization::from_uri).is_some();
    let embedded = signature
        .child(DSIG, "KeyInfo")
        .is_some_and(|info| info.tree().elements(info.id()).any(|element| element.is(DSIG, "X509Certificate")));
    let once = ["SignaturePolicyIdentifier", "SignatureProductionPlace", "SignerRole"];
    let properties = facts.digest_matchers.iter().filter(|m| m.kind == MatcherType::SignedProperties).count();
    known
        && embedded
        && properties == 1
        && own("SigningTime") == 1
        && own("SigningCertificate") == 1
        && once.iter().all(|local| own(local) <= 1)
        && formats_stated(info, qualifying, facts)
}

/// §6.3 requirement m): every signed object but the properties has its media type stated.
fn formats_stated(info: Option<Element<'_, '_>>, qualifying: Element<'_, '_>, facts: &Signature) -> bool {
    // A counter-signature signs a signature value, which has no media type.
    if facts.counter_signature {
        return true;
    }
    let objects = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
    let formats: Vec<&str> = objects
        .into_iter()
        .flat_map(|objects| objects.children())
        .filter(|format| is(*format, "DataObjectFormat") && child(*format, "MimeType").is_some())
        .filter_map(|format| format.attribute("ObjectReference")?.strip_prefix('#'))
        .collect();
    let references = info.and_then(|info| references(info).ok()).unwrap_or_default();
    let stated = |reference: &&crate::formats::xml::signature::Reference<'_, '_>| {
        reference.element.attribute("Id").is_some_and(|id| formats.contains(&id))
    };
    let properties = |reference: &&crate::formats::xml::signature::Reference<'_, '_>| {
        reference.kind.is_some_and(|kind| kind.ends_with("#SignedProperties"))
            || super::matchers::pointed(reference).is_some_and(|element| is(element, "SignedProperties"))
    };
    references.iter().filter(|reference| !properties(reference)).all(|reference| stated(&reference))
}
