//! Mutual recognition agreements, as pointers to another country's list state them: eIDAS article 14, TS 119 615
//! §4.3.4, in the schema of the European Commission.
//!
//! An agreement names legally equivalent services one by one: since when each is equivalent, and which types, statuses,
//! qualifiers and QC statements of the other country stand for which of the European Union. An equivalence that cannot
//! be read completely is left out, so that no service is recognised on part of its conditions.

use super::ListError;
use super::criteria::{Assert, Criteria, Criterion};
use super::elements::{Parts, RECOGNITION, TSL, part, uris, word};
use super::qc_statement::QcStatement;
use crate::formats::xml::Element;
use crate::time::Time;
use crate::vocabulary::string_enum;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The status of an equivalence in force.
const ENACTED: &str = "http://ec.europa.eu/tools/lotl/mra/enacted";

/// Equivalences of one agreement, former ones included. A dozen services and their history are far below.
const EQUIVALENCES: usize = 500;

/// A mutual recognition agreement (eIDAS article 14, TS 119 615 §4.3.4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// The services that the agreement covers.
    pub equivalences: Vec<Equivalence>,
}

/// The equivalence of a service of another country with one of the European Union.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalence {
    /// `TrustServiceLegalIdentifier`.
    pub legal_identifier: String,
    /// The current state followed by the history, newest first.
    pub periods: Vec<EquivalencePeriod>,
}

/// The state of an equivalence in one period.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalencePeriod {
    /// Whether the equivalence is in force.
    pub enacted: bool,
    /// The start of the period.
    pub start: Time,
    /// The start of the next period; `None` for the current one.
    pub end: Option<Time>,
    /// Service types: the other country's, and the equivalent of the European Union.
    pub types: Vec<(ServiceKind, ServiceKind)>,
    /// Service statuses, URIs: the other country's, and the equivalent of the European Union.
    pub statuses: Vec<(String, String)>,
    /// Certificate content equivalences.
    pub contents: Vec<ContentRule>,
    /// Qualifiers, URIs: the other country's, and the equivalent of the European Union.
    pub qualifiers: Vec<(String, String)>,
}

/// A service type with its additional information.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceKind {
    /// `ServiceTypeIdentifier`, a URI.
    pub service_type: String,
    /// `AdditionalServiceInformation`, a URI.
    pub information: Option<String>,
}

string_enum! {
    /// What statements of a certificate a rule is about.
    pub enum ContentContext {
        /// That it is qualified.
        Compliance = "http://ec.europa.eu/tools/lotl/mra/QcCompliance",
        /// What it is for.
        Type = "http://ec.europa.eu/tools/lotl/mra/QcType",
        /// That its key is in a qualified device.
        Device = "http://ec.europa.eu/tools/lotl/mra/QcQSCD",
    }
}

/// A certificate content equivalence: which QC statements a certificate of the other country stands for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRule {
    /// The context, a URI: one of [`ContentContext`] where it is known here.
    pub context: String,
    /// The criteria that a certificate must meet.
    pub criteria: Criteria,
    /// The statements that a certificate that meets the criteria is taken to make.
    pub stated: Vec<QcStatement>,
    /// The statements that such a certificate is taken not to make.
    pub not_stated: Vec<QcStatement>,
}

impl Agreement {
    /// Reads a `MutualRecognitionAgreementInformation`; what cannot be read of it is noted among `problems`.
    pub(super) fn read(element: Element<'_, '_>, problems: &mut Vec<String>) -> Result<Self, ListError> {
        let mut agreement = Self::default();
        // The only forms that there are.
        let form = |name| element.attribute(name).map(str::trim) == Some("1");
        if element.namespace() != RECOGNITION || !form("technicalType") || !form("version") {
            problems.push("an agreement on mutual recognition is in a form that is not known".to_owned());
            return Ok(agreement);
        }
        let mut left = EQUIVALENCES;
        for service in each(element, "TrustServiceEquivalenceInformation") {
            let history = || each(service, "TrustServiceEquivalenceHistory");
            let former = history().flat_map(Element::children);
            let mut periods = vec![];
            if !history().all(|history| HISTORY.contains(history)) {
                periods.push(Err("history"));
            }
            for instance in std::iter::once(service).chain(former) {
                left = left
                    .checked_sub(1)
                    .ok_or(ListError::TooMany { what: "equivalences in an agreement", limit: EQUIVALENCES })?;
                periods.push(EquivalencePeriod::read(instance));
            }
            let legal_identifier = text(service, "TrustServiceLegalIdentifier").unwrap_or_default();
            match periods.into_iter().collect() {
                Ok(periods) => agreement.equivalences.push(Equivalence::new(legal_identifier, periods)),
                Err(lacking) => problems.push(format!(
                    "an agreement on mutual recognition says nothing of {legal_identifier}: it has no {lacking} that can be read"
                )),
            }
        }
        Ok(agreement)
    }
}

const PERIOD: Parts = Parts(&[
    "TrustServiceLegalIdentifier",
    "TrustServiceTSLTypeEquivalenceList",
    "TrustServiceEquivalenceStatus",
    "TrustServiceEquivalenceStatusStartingTime",
    "TrustServiceTSLStatusEquivalenceList",
    "CertificateContentReferencesEquivalenceList",
    "TrustServiceTSLQualificationExtensionEquivalenceList",
    "TrustServiceEquivalenceHistory",
]);
const HISTORY: Parts = Parts(&["TrustServiceEquivalenceHistoryInstance"]);
const CONTENT: Parts = Parts(&[
    "CertificateContentReferenceEquivalenceContext",
    "CertificateContentDeclarationPointingParty",
    "CertificateContentDeclarationPointedParty",
]);
const QUALIFIER: Parts = Parts(&["QualifierPointingParty", "QualifierPointedParty"]);
/// The first names the extension of either party; there is only one with qualifiers.
const EXTENSION: Parts = Parts(&["TrustServiceTSLQualificationExtensionName", "QualifierEquivalenceList"]);

impl Equivalence {
    fn new(legal_identifier: String, mut periods: Vec<EquivalencePeriod>) -> Self {
        crate::order::sort_by_key(&mut periods, |period| std::cmp::Reverse(period.start));
        let starts: Vec<Time> = periods.iter().map(|period| period.start).collect();
        for (period, next) in periods.iter_mut().skip(1).zip(starts) {
            period.end = Some(next);
        }
        Self { legal_identifier, periods }
    }
}

impl EquivalencePeriod {
    /// Reads one, or says what it lacks: a former state that is left out would seem to go on.
    fn read(element: Element<'_, '_>) -> Result<Self, &'static str> {
        let start = text(element, "TrustServiceEquivalenceStatusStartingTime").and_then(|text| text.parse().ok());
        let status = text(element, "TrustServiceEquivalenceStatus");
        if !PERIOD.contains(element) {
            return Err("meaning that is known in one of its parts");
        }
        let contents = child(element, "CertificateContentReferencesEquivalenceList").into_iter();
        let contents = contents.flat_map(Element::children);
        let qualifiers = child(element, "TrustServiceTSLQualificationExtensionEquivalenceList");
        if !qualifiers.is_none_or(|list| EXTENSION.contains(list)) {
            return Err("meaning that is known of its qualifiers");
        }
        let qualifiers = qualifiers.into_iter();
        let qualifiers = qualifiers.flat_map(|list| each(list, "QualifierEquivalenceList"));
        let qualifiers = qualifiers.flat_map(Element::children);
        Ok(Self {
            enacted: status.ok_or("status")? == ENACTED,
            start: start.ok_or("time since when it holds")?,
            end: None,
            types: types(element).ok_or("types")?,
            statuses: statuses(element).ok_or("states")?,
            contents: contents.map(content_rule).collect::<Option<_>>().ok_or("statements of certificates")?,
            qualifiers: qualifiers.map(qualifier).collect::<Option<_>>().ok_or("qualifiers")?,
        })
    }
}

/// Returns the pair of parts that are of the country whose list it is, and of the Union.
fn parties<'t, 's>(element: Element<'t, 's>, name: &str) -> Option<(Element<'t, 's>, Element<'t, 's>)> {
    Some((child(element, &format!("{name}PointedParty"))?, child(element, &format!("{name}PointingParty"))?))
}

/// Reads the types of services, each the country's and the Union's. Several of the Union for one would leave open which
/// one it is.
fn types(element: Element<'_, '_>) -> Option<Vec<(ServiceKind, ServiceKind)>> {
    let (theirs, ours) = parties(child(element, "TrustServiceTSLTypeEquivalenceList")?, "TrustServiceTSLTypeList")?;
    let kinds = |side| each(side, "TrustServiceTSLType").map(kind).collect::<Option<Vec<_>>>();
    let (theirs, ours) = (kinds(theirs)?, kinds(ours)?);
    match (&ours[..], theirs.len()) {
        (_, 0) => None,
        ([one], _) => Some(theirs.into_iter().map(|kind| (kind, one.clone())).collect()),
        (several, count) if several.len() == count => Some(theirs.into_iter().zip(ours).collect()),
        _ => None,
    }
}

fn kind(element: Element<'_, '_>) -> Option<ServiceKind> {
    let information = part(element, "AdditionalServiceInformation").map(uris).unwrap_or_default();
    let information = information.into_iter().next();
    Some(ServiceKind { service_type: word(element, "ServiceTypeIdentifier")?, information })
}

/// Reads those that stand for a valid state and for an invalid one; each of the country's states for the first of the
/// Union's.
fn statuses(element: Element<'_, '_>) -> Option<Vec<(String, String)>> {
    let list = child(element, "TrustServiceTSLStatusEquivalenceList")?;
    let (mut pairs, mut seen) = (vec![], HashSet::new());
    for name in ["TrustServiceTSLStatusValidEquivalence", "TrustServiceTSLStatusInvalidEquivalence"] {
        let (theirs, ours) = parties(child(list, name)?, "TrustServiceTSLStatusList")?;
        let ours = word(ours, "ServiceStatus")?;
        for status in theirs.children().filter(|status| status.is(TSL, "ServiceStatus")) {
            let status = status.text().trim().to_owned();
            // What is valid and invalid at once is neither.
            if !seen.insert(status.clone()) {
                return None;
            }
            pairs.push((status, ours.clone()));
        }
    }
    Some(pairs)
}

fn content_rule(element: Element<'_, '_>) -> Option<ContentRule> {
    let (theirs, ours) = parties(element, "CertificateContentDeclaration")
        .filter(|_| CONTENT.are_all(element, "CertificateContentReferenceEquivalence"))?;
    let context = text(element, "CertificateContentReferenceEquivalenceContext")?;
    let mut rule = ContentRule { context, criteria: Criteria::read(theirs), ..ContentRule::default() };
    rule.replace(&Criteria::read(ours), true);
    // Every certificate would meet none.
    (!rule.criteria.list.is_empty()).then_some(rule)
}

impl ContentRule {
    /// Adds what the Union's side says: a certificate of hers would have that, and would not have this.
    fn replace(&mut self, criteria: &Criteria, stated: bool) {
        let (wanted, stated) = match criteria.assert {
            Assert::All => (&criteria.list[..], stated),
            // Any of them would do, so that the first does.
            Assert::AtLeastOne => (criteria.list.get(..1).unwrap_or_default(), stated),
            Assert::None => (&criteria.list[..], false),
        };
        for criterion in wanted {
            match criterion {
                Criterion::Nested(inner) => self.replace(inner, stated),
                Criterion::Statements(all) if stated => self.stated.extend(all.iter().cloned()),
                Criterion::Statements(all) => self.not_stated.extend(all.iter().cloned()),
                _ => {}
            }
        }
    }
}

fn qualifier(element: Element<'_, '_>) -> Option<(String, String)> {
    let (theirs, ours) =
        parties(element, "Qualifier").filter(|_| QUALIFIER.are_all(element, "QualifierEquivalence"))?;
    let uri = |side: Element<'_, '_>| side.attribute("uri").map(|uri| uri.trim().to_owned());
    Some((uri(theirs)?, uri(ours)?))
}

fn each<'t, 's>(element: Element<'t, 's>, local: &str) -> impl Iterator<Item = Element<'t, 's>> {
    element.children().filter(move |child| child.is(RECOGNITION, local))
}

fn child<'t, 's>(element: Element<'t, 's>, local: &str) -> Option<Element<'t, 's>> {
    element.child(RECOGNITION, local)
}

fn text(element: Element<'_, '_>, local: &str) -> Option<String> {
    let text = child(element, local)?.text();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
