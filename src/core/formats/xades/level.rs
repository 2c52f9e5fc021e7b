//! Which profiles an XML signature fulfils: EN 319 132-1 §6.3 (baseline), EN 319 132-2 §5 (extended).

use super::matchers::pointed;
use super::{child, descend, is, material, qualifying, trimmed};
use crate::facts::{MatcherType, SignatureLevel, TimestampType};
use crate::formats::ades::policy::store_has_digest;
use crate::formats::draft::{SignatureFacts, TimestampDraft};
use crate::formats::level::{Family, Levels};
use crate::formats::xml::signature::{Reference, references};
use crate::formats::xml::structure::is_reference;
use crate::formats::xml::{Canonicalization, DSIG, Element};
use std::collections::{HashMap, HashSet};

/// Returns the levels of no profile: of an XML signature that is not XAdES.
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

/// What baseline LT has once at most.
const ONCE_IN_LT: [&str; 4] =
    ["CertificateValues", "RevocationValues", "AttrAuthoritiesCertValues", "AttributeRevocationValues"];

/// Returns the profiles of a signature, with the time-stamps that belong to it.
pub(super) fn levels(signature: Element<'_, '_>, facts: &SignatureFacts, timestamps: &[TimestampDraft<'_>]) -> Levels {
    let Some(qualifying) = qualifying(signature).filter(|q| child(*q, "SignedProperties").is_some()) else {
        return none();
    };
    let unsigned = material::unsigned(qualifying);
    let plain = |local: &str| local.strip_suffix("V2").unwrap_or(local).to_string();
    let count = |local: &str| unsigned.iter().filter(|property| plain(property.local()) == local).count();
    let has = |kind| timestamps.iter().any(|stamp| stamp.facts.kind == kind);
    let signed = descend(qualifying, &["SignedProperties", "SignedSignatureProperties"]);
    let own = |local: &str| {
        signed.map_or(0, |signed| signed.children().filter(|property| plain(property.local()) == local).count())
    };
    let certificate_refs = count("CompleteCertificateRefs") == 1;
    let formats = Formats::read(signature, qualifying, facts);
    let places = signed.is_some_and(|signed| {
        let certificates = signed.children().filter(|property| is(*property, "SigningCertificateV2"));
        certificates.flat_map(|list| list.children()).any(|certificate| certificate.attribute("URI").is_some())
    });
    let baseline_b = formats.complete
        && formats.all_stated()
        && baseline_b(signature, facts, &own)
        // Table 2, SigningCertificateV2: without the place of a certificate.
        && !places
        && unsigned.iter().all(|property| tokens(*property) <= 1)
        && store_has_digest(facts);
    let once = ["SigningTime", "SigningCertificate", "SignatureProductionPlace", "SignerRole"];
    let signer = own("SigningCertificate") == 1 || facts.digest_matchers.iter().any(|m| m.kind == MatcherType::KeyInfo);
    Levels {
        baseline_b: formats.valid && baseline_b,
        baseline_lt: NOT_IN_LT.iter().all(|local| count(local) == 0)
            && ONCE_IN_LT.iter().all(|local| count(local) <= 1),
        baseline_lta: has(TimestampType::Archive),
        bes: formats.valid && signer && once.iter().all(|local| own(local) <= 1),
        epes: own("SignaturePolicyIdentifier") == 1 && store_has_digest(facts),
        t: has(TimestampType::Signature),
        c: certificate_refs && count("CompleteRevocationRefs") == 1,
        c_self_signed: certificate_refs && count("CompleteRevocationRefs") == 0,
        x: count("SigAndRefsTimeStamp") + count("RefsOnlyTimeStamp") > 0,
        a: has(TimestampType::Archive),
        ers: unsigned.iter().any(|property| property.local() == "SealingEvidenceRecords"),
        family: family(signature),
        ..none()
    }
}

/// Returns the family: XAdES, or the container format of its own that Estonia used before BDOC, a `SignedDoc` around
/// files and signatures.
fn family(signature: Element<'_, '_>) -> Family {
    let root = signature.tree().document_element().filter(|root| root.local() == "SignedDoc");
    let format = root.and_then(|root| root.attribute("format").zip(root.attribute("version")));
    match format {
        Some(("SK-XML" | "DIGIDOC-XML", "1.0")) => Family::DigidocXml(SignatureLevel::DigidocXml10),
        Some(("DIGIDOC-XML", "1.1")) => Family::DigidocXml(SignatureLevel::DigidocXml11),
        Some(("DIGIDOC-XML", "1.2")) => Family::DigidocXml(SignatureLevel::DigidocXml12),
        Some(("DIGIDOC-XML", "1.3")) => Family::DigidocXml(SignatureLevel::DigidocXml13),
        _ => Family::Xades,
    }
}

/// Counts the tokens of a signature time-stamp, which holds one (EN 319 132-1 §6.3).
fn tokens(property: Element<'_, '_>) -> usize {
    let stamp = is(property, "SignatureTimeStamp");
    property.children().filter(|element| stamp && is(*element, "EncapsulatedTimeStamp")).count()
}

/// Returns whether the cardinalities and requirements of level B are kept (§6.3).
fn baseline_b(signature: Element<'_, '_>, facts: &SignatureFacts, own: &dyn Fn(&str) -> usize) -> bool {
    let info = signature.child(DSIG, "SignedInfo");
    let canonicalization = info.and_then(|info| info.child(DSIG, "CanonicalizationMethod"));
    let known = canonicalization.and_then(|m| m.attribute("Algorithm")).and_then(Canonicalization::from_uri).is_some();
    let embedded = signature
        .child(DSIG, "KeyInfo")
        .is_some_and(|info| info.tree().elements(info.id()).any(|element| element.is(DSIG, "X509Certificate")));
    let once = ["SignaturePolicyIdentifier", "SignatureProductionPlace", "SignerRole"];
    // Signed twice they are still the same properties.
    let mut properties = facts.digest_matchers.iter().filter(|m| m.kind == MatcherType::SignedProperties);
    let signed = properties.next().is_some_and(|first| properties.all(|other| other.uri == first.uri));
    let references: Vec<_> =
        info.into_iter().flat_map(|info| info.children()).filter(|child| child.is(DSIG, "Reference")).collect();
    let transforms =
        |reference: &Element<'_, '_>| reference.children().filter(|child| child.is(DSIG, "Transforms")).count();
    known
        && embedded
        && references.len() >= 2
        && references.iter().all(|reference| transforms(reference) <= 1)
        && signature.children().filter(|child| child.is(DSIG, "KeyInfo")).count() == 1
        && signed
        && own("SigningTime") == 1
        && own("SigningCertificate") == 1
        && once.iter().all(|local| own(local) <= 1)
}

/// The formats of the signed data objects: §5.2.4, §6.3 requirement m).
struct Formats<'f, 't> {
    /// Whether each says something, of a reference that is there, that fits the object.
    valid: bool,
    /// Whether each has one media type, and of all else one at most.
    complete: bool,
    /// The references whose media type is stated.
    stated: HashSet<&'t str>,
    facts: &'f SignatureFacts,
}

impl<'f, 't> Formats<'f, 't> {
    fn read(signature: Element<'t, '_>, qualifying: Element<'t, '_>, facts: &'f SignatureFacts) -> Self {
        let info = signature.child(DSIG, "SignedInfo");
        let signed = info.and_then(|info| references(info).ok()).unwrap_or_default();
        let mut seen = HashSet::new();
        let manifests = signed.iter().filter_map(pointed).filter(|element| element.is(DSIG, "Manifest"));
        let manifests = manifests.filter(|manifest| seen.insert(manifest.id()));
        let entries = manifests.flat_map(|manifest| references(manifest).unwrap_or_default());
        // Of several with one id the first counts.
        let mut all: HashMap<&str, Reference<'t, '_>> = HashMap::new();
        for reference in signed.iter().cloned().chain(entries).filter(|one| is_reference(one.element)) {
            if let Some(id) = reference.element.attribute("Id") {
                all.entry(id).or_insert(reference);
            }
        }
        let mut formats = Self { valid: true, complete: true, stated: HashSet::new(), facts };
        let objects = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
        let objects = objects.into_iter().flat_map(|objects| objects.children());
        for format in objects.filter(|format| is(*format, "DataObjectFormat")) {
            let id = format.attribute("ObjectReference").and_then(|id| id.strip_prefix('#'));
            let reference = id.and_then(|id| all.get(id));
            formats.valid &= reference.is_some_and(|reference| fits(format, reference));
            let count = |part: &str| format.children().filter(|child| is(*child, part)).count();
            formats.complete &= count("MimeType") == 1;
            formats.complete &= ["Description", "ObjectIdentifier", "Encoding"].iter().all(|part| count(part) <= 1);
            formats.stated.extend(id.filter(|_| child(format, "MimeType").is_some()));
        }
        formats
    }

    /// Returns whether the media type of every signed object is stated. References to parts of the signature itself
    /// (properties, keys, manifests, a signature value) are to nothing with a media type.
    ///
    /// NOTE: references without an id cannot be named. Of several of them the last one decides, as in EU DSS: mostly it is
    /// the one to the signed properties.
    fn all_stated(&self) -> bool {
        use MatcherType::{ManifestEntry, Object, Reference, XPointer};
        let references = self.facts.digest_matchers.iter().filter(|matcher| matcher.kind != ManifestEntry);
        let last = references.clone().rfind(|matcher| matcher.id.is_none()).map(|matcher| matcher.kind);
        let unnamed = !matches!(last, Some(Reference | XPointer | Object));
        unnamed
            && references
                .filter(|matcher| matches!(matcher.kind, Reference | XPointer | Object))
                .all(|matcher| matcher.id.as_deref().is_none_or(|id| self.stated.contains(&id)))
    }
}

/// Returns whether a format says something, and says of a `ds:Object` what the object says of itself (§5.2.4).
fn fits(format: Element<'_, '_>, reference: &Reference<'_, '_>) -> bool {
    let says = ["Description", "ObjectIdentifier", "MimeType"].iter().any(|part| child(format, part).is_some());
    let object = pointed(reference).filter(|element| element.is(DSIG, "Object"));
    let same = |part: &str, attribute: &str| {
        let stated = child(format, part).and_then(trimmed);
        let own = object.and_then(|object| object.attribute(attribute));
        stated.zip(own).is_none_or(|(stated, own)| stated == own)
    };
    says && same("MimeType", "MimeType") && same("Encoding", "Encoding")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::xml::{Options, parse, signature::signatures};

    #[test]
    fn families() {
        for (situation, root, expected) in [
            ("DDOC of today", "<SignedDoc format='DIGIDOC-XML' version='1.3'", Some("DIGIDOC-XML-1.3")),
            ("the first DDOC", "<SignedDoc format='SK-XML' version='1.0'", Some("DIGIDOC-XML-1.0")),
            ("a version that there is not", "<SignedDoc format='DIGIDOC-XML' version='2.0'", None),
            ("another root", "<Document format='DIGIDOC-XML' version='1.3'", None),
        ] {
            let name = root[1..].split(' ').next().unwrap_or_default();
            let source = format!("{root}><Signature xmlns='{DSIG}'/></{name}>");
            let tree = parse(&source, &Options::default()).expect("well-formed");
            let signature = signatures(&tree).next().expect("a signature");
            let found = match family(signature) {
                Family::DigidocXml(level) => Some(level.as_str()),
                _ => None,
            };
            assert_eq!(found, expected, "{situation}");
        }
    }
}
