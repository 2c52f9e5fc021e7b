//! The time-stamps of an XAdES signature, with what each is over and covers: EN 319 132-1 §5.2.8, §5.3, §5.5, annex A.

use super::evidence_records::Sealed;
use super::matchers::Matched;
use super::{Unpacked, child, descend, is, material};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{
    ArchiveTimestampType, Covered, CoveredKind, Id, Irregularity, MatcherType, Scope, Shared, SignedData, TimestampType,
};
use crate::formats::cms::Content;
use crate::formats::draft::{Covers, EvidenceRecordDraft, TimestampDraft, previous};
use crate::formats::tsp::{Imprint, Token};
use crate::formats::xml::signature::{Target, XmlSignature, unescaped};
use crate::formats::xml::transform::{self, TransformError};
use crate::formats::xml::{Algorithm, Canonicalization, DSIG, Element, NodeSet, Sink};

/// A signature whose time-stamps are read.
pub(super) struct Stamped<'r, 'd, 't, 's, 'u> {
    pub(super) unpacked: &'u Unpacked<'u>,
    pub(super) signature: &'r XmlSignature<'t, 's>,
    pub(super) matched: &'r [Matched<'r, 'd, 't, 's>],
    pub(super) id: &'r Id,
    pub(super) scopes: &'r [Shared<Scope>],
    pub(super) counter_signatures: &'r [Id],
}

/// The tokens of a signature that are not its own value.
#[derive(Default)]
pub(super) struct Tokens<'u> {
    pub(super) timestamps: Vec<TimestampDraft<'u>>,
    pub(super) evidence_records: Vec<EvidenceRecordDraft<'u>>,
    /// What stands for the signature in its evidence records.
    pub(super) signed_data: Vec<SignedData>,
}

impl<'d, 't, 's, 'u> Stamped<'_, 'd, 't, 's, 'u> {
    /// The time-stamps and evidence records in order: content first, then as the unsigned properties stand.
    pub(super) fn read(&self, sealed: &Sealed<'_, '_, 't, 's, 'u>) -> Tokens<'u> {
        let qualifying = sealed.qualifying;
        let mut tokens = Tokens::default();
        let data: Vec<Covers<'u>> =
            self.scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)).collect();
        let mut done: Vec<TimestampDraft<'u>> = vec![];
        let content = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
        for property in content.into_iter().flat_map(|properties| properties.children()) {
            let kind = match property.local() {
                "AllDataObjectsTimeStamp" => TimestampType::AllDataObjects,
                "IndividualDataObjectsTimeStamp" => TimestampType::IndividualDataObjects,
                _ => continue,
            };
            let objects = self.data_objects(property, kind);
            let scopes: Vec<Shared<Scope>> = objects.iter().filter_map(|matched| matched.scope.clone()).collect();
            let write = |method: &Canonicalization, sink: &mut dyn Sink| {
                objects.iter().try_for_each(|matched| self.reference(matched, method, sink))
            };
            for mut draft in self.tokens(property, kind, write) {
                draft.covers = scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)).collect();
                draft.facts.scopes.clone_from(&scopes);
                done.push(draft);
            }
        }
        let mut base = data;
        base.push(token(CoveredKind::Signature, self.id));
        base.extend(material::signing_certificate_refs(qualifying).into_iter().map(Covers::certificate_ref));
        base.extend(previous(&done));
        let properties = material::unsigned(qualifying);
        let mut earlier: Vec<Covers<'u>> = vec![];
        for (index, property) in properties.iter().enumerate() {
            let before = &properties[..index];
            let drafts = self.unsigned(*property, before);
            for mut draft in drafts {
                draft.covers = base.clone();
                if draft.facts.kind != TimestampType::Signature {
                    draft.covers.extend(earlier.iter().cloned());
                }
                if draft.facts.kind == TimestampType::Archive {
                    draft.facts.scopes = self.scopes.to_vec();
                    let held = material::key_info(self.unpacked, self.signature.element).certificates;
                    draft.covers.extend(held.into_iter().map(|c| Covers::Certificate(c.octets)));
                }
                earlier.extend(previous(std::slice::from_ref(&draft)));
                done.push(draft);
            }
            let before: Vec<Covers<'u>> = base.iter().chain(&earlier).cloned().collect();
            for (draft, data) in sealed.read(*property, &before) {
                earlier.push(token(CoveredKind::EvidenceRecord, &draft.facts.id));
                earlier.extend(previous(&draft.timestamps));
                tokens.evidence_records.push(draft);
                tokens.signed_data.push(data);
            }
            earlier.extend(material::covers(self.unpacked, *property));
            if is(*property, "CounterSignature") {
                earlier.extend(self.counter_signatures.iter().map(|id| token(CoveredKind::Signature, id)));
            }
        }
        Tokens { timestamps: done, ..tokens }
    }

    /// What is said of properties that should hold time-stamps, and hold something else.
    pub(super) fn malformed(&self, qualifying: Element<'t, 's>) -> Vec<Irregularity> {
        let content = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
        let content = content.into_iter().flat_map(|properties| properties.children());
        let properties = content.chain(material::unsigned(qualifying));
        let of = |property: Element<'t, 's>| {
            let values = property.children().filter(|element| is(*element, "EncapsulatedTimeStamp"));
            Token::malformed(property.local(), values.map(|element| self.unpacked.value(element).unwrap_or_default()))
        };
        properties
            .filter(|property| property.local().ends_with("TimeStamp") || property.local().ends_with("TimeStampV2"))
            .flat_map(of)
            .collect()
    }

    fn unsigned(&self, property: Element<'t, 's>, before: &[Element<'t, 's>]) -> Vec<TimestampDraft<'u>> {
        match property.local() {
            "SignatureTimeStamp" => {
                self.tokens(property, TimestampType::Signature, |method, sink| self.value(method, sink))
            }
            "SigAndRefsTimeStamp" | "SigAndRefsTimeStampV2" => {
                let covered = |p: &Element<'_, '_>| is(*p, "SignatureTimeStamp") || is_reference(p, property);
                self.tokens(property, TimestampType::ValidationData, |method, sink| {
                    self.value(method, sink)?;
                    self.properties(before, &covered, method, sink)
                })
            }
            "RefsOnlyTimeStamp" | "RefsOnlyTimeStampV2" => {
                self.tokens(property, TimestampType::ValidationDataRefsOnly, |method, sink| {
                    self.properties(before, &|p| is_reference(p, property), method, sink)
                })
            }
            "ArchiveTimeStamp" => {
                let newer = property.namespace() == "http://uri.etsi.org/01903/v1.4.1#";
                let kind = if newer { ArchiveTimestampType::Xades141 } else { ArchiveTimestampType::Xades };
                let mut drafts = self.tokens(property, TimestampType::Archive, |method, sink| {
                    self.parts(before, newer).iter().try_for_each(|part| self.write(part, method, sink))
                });
                drafts.iter_mut().for_each(|draft| draft.facts.archive_type = Some(kind));
                drafts
            }
            _ => vec![],
        }
    }

    /// The tokens in a property, over what `write` writes.
    fn tokens(
        &self,
        property: Element<'t, 's>,
        kind: TimestampType,
        write: impl Fn(&Canonicalization, &mut dyn Sink) -> Result<(), TransformError>,
    ) -> Vec<TimestampDraft<'u>> {
        // §5.1.4.4.2.1: without a stated method it is Canonical XML 1.0.
        let stated = property.child(DSIG, "CanonicalizationMethod");
        let stated = stated.filter(|method| method.attribute("Algorithm").is_some_and(|uri| !uri.trim().is_empty()));
        let method = stated.map(transform::canonicalization);
        let method = method.unwrap_or_else(|| Ok(Canonicalization::new(Algorithm::Inclusive10)));
        let salt = [self.id.as_str().as_bytes(), property.local().as_bytes()].concat();
        let mut drafts = vec![];
        for element in property.children().filter(|element| is(*element, "EncapsulatedTimeStamp")) {
            let Some(token) = self.unpacked.value(element).and_then(|octets| Token::parse(octets).ok()) else {
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
            drafts.push(token.draft(kind, imprint, &salt));
        }
        drafts
    }

    /// §5.3: the signature value.
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
        element: Element<'t, 's>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        let tree = element.tree();
        transform::canonical(tree, &NodeSet::subtree(tree, element.id(), true), method, sink)
    }

    fn properties(
        &self,
        before: &[Element<'t, 's>],
        wanted: &dyn Fn(&Element<'t, 's>) -> bool,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        before.iter().filter(|property| wanted(property)).try_for_each(|p| self.element(*p, method, sink))
    }

    /// §5.2.8: the references to signed data that a time-stamp is over: all, or those that it includes.
    fn data_objects(&self, property: Element<'t, 's>, kind: TimestampType) -> Vec<&Matched<'_, 'd, 't, 's>> {
        let included: Vec<&str> = property
            .children()
            .filter(|element| is(*element, "Include"))
            .filter_map(|include| include.attribute("URI")?.strip_prefix('#'))
            .collect();
        let all = kind == TimestampType::AllDataObjects;
        let wanted = |matched: &&Matched<'_, 'd, 't, 's>| {
            let id = matched.matcher.id.as_deref();
            all || included.iter().any(|wanted| id == Some(&*unescaped(wanted)))
        };
        self.matched.iter().filter(|m| m.matcher.kind != MatcherType::SignedProperties).filter(wanted).collect()
    }

    /// What a reference points at, transformed; nodes at the end are in the time-stamp's canonical form.
    fn reference(
        &self,
        matched: &Matched<'_, '_, 't, 's>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
    ) -> Result<(), TransformError> {
        // What is not transformed is not looked at.
        if let (Some(content), Ok([])) = (matched.content, matched.reference.transforms.as_deref()) {
            let written = content.write(&mut |piece| sink.write(piece));
            return written.ok_or(TransformError::Incomplete { lacks: "data" });
        }
        let outside = matched.content.and_then(Content::whole);
        matched.reference.octets_by(self.signature.element, outside, method, sink)
    }

    /// §5.5.2.2: the references, the signature's parts, the properties before, the other objects. TS 101 903 V1.3.2
    /// §7.7.1, whose time-stamps are not `newer`, has only those objects that no reference points at.
    pub(super) fn parts(&self, before: &[Element<'t, 's>], newer: bool) -> Vec<Part<'_, 'd, 't, 's>> {
        let references = || self.matched.iter().filter(|m| m.matcher.kind != MatcherType::ManifestEntry);
        let element = self.signature.element;
        let own =
            ["SignedInfo", "SignatureValue", "KeyInfo"].into_iter().filter_map(|local| element.child(DSIG, local));
        let referenced = |object: &Element<'t, 's>| {
            let at = |target| matches!(target, Target::Element { node, .. } if node == object.id());
            references().any(|matched| at(matched.reference.target()))
        };
        let objects = element.children().filter(|object| object.is(DSIG, "Object"));
        let other = objects.filter(|object| child(*object, "QualifyingProperties").is_none());
        let other = other.filter(|object| newer || !referenced(object));
        references()
            .map(Part::Reference)
            .chain(own.chain(before.iter().copied()).chain(other).map(Part::Element))
            .collect()
    }

    /// Writes a part as it is time-stamped.
    pub(super) fn write(
        &self,
        part: &Part<'_, 'd, 't, 's>,
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
pub(super) enum Part<'r, 'd, 't, 's> {
    /// What a reference points at, transformed.
    Reference(&'r Matched<'r, 'd, 't, 's>),
    /// An element.
    Element(Element<'t, 's>),
}

/// Annex A.1.5: a time-stamp over references covers those of its own version; references to revocation data have one.
fn is_reference(property: &Element<'_, '_>, stamp: Element<'_, '_>) -> bool {
    let (certificates, attributes) = match stamp.local().ends_with("V2") {
        true => ("CompleteCertificateRefsV2", "AttributeCertificateRefsV2"),
        false => ("CompleteCertificateRefs", "AttributeCertificateRefs"),
    };
    [certificates, attributes, "CompleteRevocationRefs", "AttributeRevocationRefs"].contains(&property.local())
}

fn token<'u>(kind: CoveredKind, id: &Id) -> Covers<'u> {
    Covers::Token(Covered { kind, id: id.clone() })
}
