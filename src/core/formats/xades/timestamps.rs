//! The time-stamps of an XAdES signature, with what each is over and covers: EN 319 132-1 §5.2.8, §5.3, §5.5, annex A.

use super::matchers::{ComparedReference, pointed};
use super::signature::XadesSignature;
use super::{child, descend, is, material};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::IrregularityKind::MalformedHeader;
use crate::facts::{ArchiveTimestampType, Id, Irregularity, MatcherType, Scope, Shared, TimestampType};
use crate::formats::ades::bounded;
use crate::formats::content::Content;
use crate::formats::draft::{CoveredObject, SignatureFacts, TimestampDraft};
use crate::formats::tsp::{Imprint, Token};
use crate::formats::xml::transform::{self, Omitted, TransformError};
use crate::formats::xml::{Algorithm, Canonicalization, DSIG, Element, NodeId, NodeSet, Sink};
use crate::uri::unescaped;
use std::collections::{HashMap, HashSet};

impl<'r, 'u> XadesSignature<'r, 'u> {
    /// Returns the time-stamps over signed data objects (§5.2.8).
    pub(super) fn read_content_timestamps(
        &self,
        qualifying: Element<'u, 'u>,
        facts: &SignatureFacts,
    ) -> Vec<TimestampDraft<'u>> {
        let mut found = vec![];
        let content = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
        for property in content.into_iter().flat_map(|properties| properties.children()) {
            let kind = match property.local() {
                "AllDataObjectsTimeStamp" => TimestampType::AllDataObjects,
                "IndividualDataObjectsTimeStamp" => TimestampType::IndividualDataObjects,
                _ => continue,
            };
            let objects = self.data_objects(property, kind);
            let of = objects.iter().flatten();
            let scopes: Vec<Shared<Scope>> = of.filter_map(|(matched, _)| matched.scope.clone()).collect();
            let write = |method: &Canonicalization, sink: &mut dyn Sink| {
                let objects = objects.as_deref().ok_or(TransformError::Incomplete { lacks: "reference" })?;
                objects.iter().try_for_each(|(matched, data)| match data {
                    true => self.reference(matched, method, sink),
                    false => self.element(matched.reference.element, method, sink),
                })
            };
            for mut draft in self.stamps(property, &facts.id, kind, write) {
                draft.covers = CoveredObject::signed_data(&scopes).collect();
                draft.facts.scopes.clone_from(&scopes);
                found.push(draft);
            }
        }
        found
    }

    /// Returns the time-stamps in an unsigned property, each of which covers what its imprint is over (§5.3, §5.5,
    /// annex A.1.5). `signature` is what one covers that is over the value.
    pub(super) fn unsigned_timestamps(
        &self,
        place: usize,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'u>],
        preceding: &PrecedingProperties<'u>,
    ) -> Vec<TimestampDraft<'u>> {
        let property = self.properties[place];
        let before = &self.properties[..place];
        let drafts = self.stamps_in(property, before, &facts.id);
        bounded(drafts.into_iter().map(|mut draft| {
            let of = |wanted: &dyn Fn(&Element<'u, 'u>) -> bool| -> Vec<CoveredObject<'u>> {
                let wanted = before.iter().enumerate().filter(|(_, property)| wanted(property));
                wanted.flat_map(|(place, _)| preceding.at(place).iter().cloned()).collect()
            };
            draft.covers = match draft.facts.kind {
                TimestampType::Signature => signature.to_vec(),
                TimestampType::ValidationDataRefsOnly => of(&|other| is_reference(other, property)),
                TimestampType::ValidationData => {
                    [signature, &of(&|other| is_before_references(other, property))].concat()
                }
                _ => [signature, &of(&|_| true)].concat(),
            };
            if draft.facts.kind == TimestampType::Archive {
                draft.facts.scopes = facts.scopes.clone();
                let key_info = material::key_info(self.unpacked, self.signature.element);
                draft.covers.extend(CoveredObject::embedded(&key_info));
            }
            draft
        }))
    }

    /// Returns what is said of properties that should hold time-stamps, and hold something else.
    pub(super) fn malformed(&self, qualifying: Element<'u, 'u>) -> Vec<Irregularity> {
        let content = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
        let content = content.into_iter().flat_map(|properties| properties.children());
        let properties = content.chain(material::unsigned(qualifying));
        let of = |property: Element<'u, 'u>| {
            let values = property.children().filter(|element| is(*element, "EncapsulatedTimeStamp"));
            let values: Vec<&[u8]> = values.map(|element| self.unpacked.value(element).unwrap_or_default()).collect();
            // §5.1.4.2: of the two kinds of time-stamps that it may hold, nobody makes those in XML.
            let none = values.is_empty().then(|| Irregularity::about(MalformedHeader, property.local()));
            Token::malformed(property.local(), values).into_iter().chain(none).collect::<Vec<_>>()
        };
        properties
            .filter(|property| property.local().ends_with("TimeStamp") || property.local().ends_with("TimeStampV2"))
            .flat_map(of)
            .collect()
    }

    fn stamps_in(&self, property: Element<'u, 'u>, before: &[Element<'u, 'u>], id: &Id) -> Vec<TimestampDraft<'u>> {
        match property.local() {
            "SignatureTimeStamp" => {
                self.stamps(property, id, TimestampType::Signature, |method, sink| self.value(method, sink))
            }
            "SigAndRefsTimeStamp" | "SigAndRefsTimeStampV2" => {
                self.stamps(property, id, TimestampType::ValidationData, |method, sink| {
                    self.value(method, sink)?;
                    self.properties(before, &|p| is_before_references(p, property), method, sink)
                })
            }
            "RefsOnlyTimeStamp" | "RefsOnlyTimeStampV2" => {
                self.stamps(property, id, TimestampType::ValidationDataRefsOnly, |method, sink| {
                    self.properties(before, &|p| is_reference(p, property), method, sink)
                })
            }
            "ArchiveTimeStamp" => {
                let newer = property.namespace() == "http://uri.etsi.org/01903/v1.4.1#";
                let kind = if newer { ArchiveTimestampType::Xades141 } else { ArchiveTimestampType::Xades };
                let mut drafts = self.stamps(property, id, TimestampType::Archive, |method, sink| {
                    self.parts(before, newer).iter().try_for_each(|part| self.write(part, method, sink))
                });
                drafts.iter_mut().for_each(|draft| draft.facts.archive_type = Some(kind));
                drafts
            }
            _ => vec![],
        }
    }

    /// Returns the tokens in a property, over what `write` writes.
    fn stamps(
        &self,
        property: Element<'u, 'u>,
        id: &Id,
        kind: TimestampType,
        write: impl Fn(&Canonicalization, &mut dyn Sink) -> Result<(), TransformError>,
    ) -> Vec<TimestampDraft<'u>> {
        // §5.1.4.4.2.1: without a stated method it is Canonical XML 1.0.
        let stated = property.child(DSIG, "CanonicalizationMethod");
        let stated = stated.filter(|method| method.attribute("Algorithm").is_some_and(|uri| !uri.trim().is_empty()));
        let method = stated.map(transform::canonicalization);
        let method = method.unwrap_or_else(|| Ok(Canonicalization::new(Algorithm::Inclusive10)));
        let discriminator = [id.as_str().as_bytes(), property.local().as_bytes()].concat();
        let mut drafts = vec![];
        for element in property.children().filter(|element| is(*element, "EncapsulatedTimeStamp")) {
            let Some(token) = self.unpacked.value(element).and_then(|bytes| Token::parse(bytes).ok()) else {
                continue;
            };
            let compute = |algorithm: DigestAlgorithm| -> Vec<Vec<u8>> {
                let (Ok(method), Some(mut hasher)) = (&method, Hasher::new(algorithm)) else { return vec![] };
                match write(method, &mut hasher) {
                    Ok(()) => vec![hasher.finish()],
                    Err(_) => vec![],
                }
            };
            // Where what was time-stamped cannot be had, it is missing rather than another.
            let algorithm = token.info.imprint.algorithm.unwrap_or(DigestAlgorithm::Sha256);
            let computed = compute(algorithm);
            let imprint = |asked| if asked == algorithm { computed.clone() } else { compute(asked) };
            let imprint = if computed.is_empty() { Imprint::Missing } else { Imprint::Computed(&imprint) };
            drafts.push(token.draft(kind, imprint, &discriminator));
        }
        drafts
    }

    /// Writes the signature value (§5.3).
    fn value(&self, method: &Canonicalization, sink: &mut dyn Sink) -> Result<(), TransformError> {
        self.part("SignatureValue", method, sink)
    }

    fn part(&self, local: &str, method: &Canonicalization, sink: &mut dyn Sink) -> Result<(), TransformError> {
        match self.signature.element.child(DSIG, local) {
            Some(part) => self.element(part, method, sink),
            None => Ok(()),
        }
    }

    fn element(
        &self,
        element: Element<'u, 'u>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        let tree = element.tree();
        transform::canonical(tree, &NodeSet::subtree(tree, element.id(), true), method, sink)
    }

    fn properties(
        &self,
        before: &[Element<'u, 'u>],
        wanted: &dyn Fn(&Element<'u, 'u>) -> bool,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        before.iter().filter(|property| wanted(property)).try_for_each(|p| self.element(*p, method, sink))
    }

    /// Returns the references to signed data that a time-stamp is over, all or those that it includes, each with
    /// whether its data is meant, and not its element (§5.1.4.4); `None` where there are none, or one is included that
    /// is not there (§5.2.8).
    fn data_objects(
        &self,
        property: Element<'u, 'u>,
        kind: TimestampType,
    ) -> Option<Vec<(&ComparedReference<'r, 'u>, bool)>> {
        use MatcherType::{ManifestEntry, SignedProperties};
        let references = || self.matched.iter().filter(|m| !matches!(m.matcher.kind, ManifestEntry | SignedProperties));
        // Of several with one id the first counts.
        let named = references().rev().filter_map(|m| Some((m.matcher.id.as_deref()?, m)));
        let named: HashMap<&str, _> = named.collect();
        let included = |include: Element<'u, 'u>| {
            let wanted = unescaped(include.attribute("URI")?.strip_prefix('#')?);
            let found = named.get(&*wanted)?;
            Some((*found, matches!(include.attribute("referencedData").map(str::trim), Some("true" | "1"))))
        };
        let objects: Vec<_> = match kind {
            TimestampType::AllDataObjects => references().map(|reference| (reference, true)).collect(),
            _ => property.children().filter(|e| is(*e, "Include")).map(included).collect::<Option<_>>()?,
        };
        Some(objects).filter(|objects| !objects.is_empty())
    }

    /// Writes what a reference points at, transformed; nodes at the end are in the time-stamp's canonical form.
    fn reference(
        &self,
        matched: &ComparedReference<'r, 'u>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        self.reference_noting(matched, method, sink, &mut Omitted::default())
    }

    /// Writes the same as [`reference`](Self::reference), and notes what is left out.
    pub(super) fn reference_noting(
        &self,
        matched: &ComparedReference<'r, 'u>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
        omitted: &mut Omitted,
    ) -> Result<(), TransformError> {
        let tree = self.signature.element.tree();
        if matched.content.is_some_and(|content| !tree.affords_outside(content.size())) {
            return Err(TransformError::TooMuchWork);
        }
        // What is not transformed is not looked at.
        if let (Some(content), Ok([])) = (matched.content, matched.reference.transforms.as_deref()) {
            let written = content.write(&mut |piece| sink.write(piece));
            return written.ok_or(TransformError::Incomplete { lacks: "data" });
        }
        let outside = matched.content.and_then(Content::whole);
        matched.reference.bytes_by(self.signature.element, outside, method, sink, omitted)
    }

    /// Returns the references, the signature's parts, the properties before, the other objects (§5.5.2.2). TS 101 903
    /// V1.3.2 §7.7.1, whose time-stamps are not `newer`, has only those objects that no reference points at.
    pub(super) fn parts(&self, before: &[Element<'u, 'u>], newer: bool) -> Vec<Part<'_, 'r, 'u>> {
        let references = || self.matched.iter().filter(|m| m.matcher.kind != MatcherType::ManifestEntry);
        let element = self.signature.element;
        let targets: HashSet<NodeId> = references().filter_map(|m| Some(pointed(&m.reference)?.id())).collect();
        let own =
            ["SignedInfo", "SignatureValue", "KeyInfo"].into_iter().filter_map(|local| element.child(DSIG, local));
        let objects = element.children().filter(|object| object.is(DSIG, "Object"));
        let other = objects.filter(|object| child(*object, "QualifyingProperties").is_none());
        let other = other.filter(move |object| newer || !targets.contains(&object.id()));
        references()
            .map(Part::Reference)
            .chain(own.chain(before.iter().copied()).chain(other).map(Part::Element))
            .collect()
    }

    /// Writes a part as it is time-stamped.
    pub(super) fn write(
        &self,
        part: &Part<'_, 'r, 'u>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        match part {
            Part::Reference(matched) => self.reference(matched, method, sink),
            Part::Element(element) => self.element(*element, method, sink),
        }
    }
}

/// A part of a signature that is time-stamped.
pub(super) enum Part<'m, 'r, 'u> {
    /// What a reference points at, transformed.
    Reference(&'m ComparedReference<'r, 'u>),
    /// An element.
    Element(Element<'u, 'u>),
}

/// What each unsigned property before a time-stamp holds, in their order.
#[derive(Default)]
pub(super) struct PrecedingProperties<'u>(Vec<Vec<CoveredObject<'u>>>);

impl<'u> PrecedingProperties<'u> {
    /// Adds what the next property holds.
    pub(super) fn add(&mut self, covers: Vec<CoveredObject<'u>>) {
        self.0.push(covers);
    }

    /// Returns what the property at this place holds.
    fn at(&self, place: usize) -> &[CoveredObject<'u>] {
        self.0.get(place).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns what all of them hold.
    pub(super) fn all(&self) -> impl Iterator<Item = CoveredObject<'u>> {
        self.0.iter().flatten().cloned()
    }
}

/// Returns whether a time-stamp over the value and references covers the property: the signature time-stamps as well
/// (annex A.1.5.1).
fn is_before_references(property: &Element<'_, '_>, stamp: Element<'_, '_>) -> bool {
    is(*property, "SignatureTimeStamp") || is_reference(property, stamp)
}

/// Returns whether a time-stamp over references covers the property: references of its own version; those to
/// revocation data have one (annex A.1.5).
fn is_reference(property: &Element<'_, '_>, stamp: Element<'_, '_>) -> bool {
    let (certificates, attributes) = match stamp.local().ends_with("V2") {
        true => ("CompleteCertificateRefsV2", "AttributeCertificateRefsV2"),
        false => ("CompleteCertificateRefs", "AttributeCertificateRefs"),
    };
    [certificates, attributes, "CompleteRevocationRefs", "AttributeRevocationRefs"].contains(&property.local())
}
