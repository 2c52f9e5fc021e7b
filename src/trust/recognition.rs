//! What a pointer to another country's list says of mutual recognition: eIDAS article 14, TS 119 615 §4.3.4, in the
//! Commission's schema for it.
//!
//! An agreement names legally equivalent services one by one. Of each it says since when it is so, which of the country's
//! types, states and qualifiers stand for which of the Union's, and which statements in certificates do. What of it
//! cannot be read in full is left out: nobody is recognised by half a sentence.

use super::criteria::{Criteria, Criterion};
use super::read::{part, uris, word};
use super::{ListError, TSL};
use crate::formats::xml::Element;
use crate::time::Time;
use crate::vocabulary::words;
use serde::{Deserialize, Serialize};

/// The namespace of mutual recognition.
pub(super) const RECOGNITION: &str = "http://ec.europa.eu/tools/lotl/mra/schema/v2#";

/// The status of an equivalence in force.
const ENACTED: &str = "http://ec.europa.eu/tools/lotl/mra/enacted";

/// Equivalences of one agreement, former ones included. A dozen services and their history are far below.
const EQUIVALENCES: usize = 500;

/// An agreement on mutual recognition.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// The services that it is about.
    pub equivalences: Vec<Equivalence>,
}

/// A service that an agreement is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalence {
    /// How the agreement calls it.
    pub legal_identifier: String,
    /// What holds and, after it, what held before, newest first.
    pub periods: Vec<EquivalencePeriod>,
}

/// What an agreement says of a service, since and until when.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalencePeriod {
    /// Whether the equivalence is in force.
    pub enacted: bool,
    /// Since when.
    pub start: Time,
    /// When the next period began.
    pub end: Option<Time>,
    /// Types of the country's services, each with the Union's.
    pub types: Vec<(ServiceKind, ServiceKind)>,
    /// States of the country's services, each with the Union's.
    pub statuses: Vec<(String, String)>,
    /// What statements in certificates stand for.
    pub contents: Vec<ContentRule>,
    /// Qualifiers of the country's list, each with the Union's.
    pub qualifiers: Vec<(String, String)>,
}

/// A type of service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceKind {
    /// A URI.
    pub service_type: String,
    /// Additional service information: a URI.
    pub information: Option<String>,
}

words! {
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

/// Which statements of the country's certificates stand for which of the Union's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRule {
    /// What it is about: a URI, one of [`ContentContext`] where it is known here.
    pub context: String,
    /// What a certificate has to have.
    pub criteria: Criteria,
    /// What then counts as stated,
    pub stated: Vec<QcStatement>,
    /// and what as not stated.
    pub not_stated: Vec<QcStatement>,
}

/// A statement in a certificate: EN 319 412-5.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QcStatement {
    /// An OID.
    pub id: String,
    /// Of a statement on types: which one, an OID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qc_type: Option<String>,
    /// Of a statement on legislation: which country's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legislation: Option<String>,
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

/// The parts that an element may have. What stands in none of them is not passed over: it could take something back.
struct Parts(&'static [&'static str]);

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

impl Parts {
    /// Whether the element has no others.
    fn contains(&self, element: Element<'_, '_>) -> bool {
        element.children().all(|child| child.namespace() == RECOGNITION && self.0.contains(&child.local()))
    }

    /// Whether the element is one of that name and has no others.
    fn are_all(&self, element: Element<'_, '_>, name: &str) -> bool {
        element.is(RECOGNITION, name) && self.contains(element)
    }
}

impl Equivalence {
    fn new(legal_identifier: String, mut periods: Vec<EquivalencePeriod>) -> Self {
        periods.sort_by_key(|period| std::cmp::Reverse(period.start));
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

/// The pair of parts that are of the country whose list it is, and of the Union.
fn parties<'t, 's>(element: Element<'t, 's>, name: &str) -> Option<(Element<'t, 's>, Element<'t, 's>)> {
    Some((child(element, &format!("{name}PointedParty"))?, child(element, &format!("{name}PointingParty"))?))
}

/// Several types of the Union for one of the country's would leave open which one it is.
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

/// Those that stand for a valid state and for an invalid one; each of the country's states for the first of the Union's.
fn statuses(element: Element<'_, '_>) -> Option<Vec<(String, String)>> {
    let list = child(element, "TrustServiceTSLStatusEquivalenceList")?;
    let mut pairs: Vec<(String, String)> = vec![];
    for name in ["TrustServiceTSLStatusValidEquivalence", "TrustServiceTSLStatusInvalidEquivalence"] {
        let (theirs, ours) = parties(child(list, name)?, "TrustServiceTSLStatusList")?;
        let ours = word(ours, "ServiceStatus")?;
        for status in theirs.children().filter(|status| status.is(TSL, "ServiceStatus")) {
            let status = status.text().trim().to_owned();
            // What is valid and invalid at once is neither.
            if pairs.iter().any(|(known, _)| *known == status) {
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
    /// What the Union's side says: a certificate of hers would have that, and would not have this.
    fn replace(&mut self, criteria: &Criteria, stated: bool) {
        use super::criteria::Assert;
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

/// Reads a `QcStatementSet`; `None` where something of it is not known, or nothing is in it.
pub(super) fn statements(element: Element<'_, '_>) -> Option<Vec<QcStatement>> {
    let all: Option<Vec<_>> = element.children().map(statement).collect();
    all.filter(|all| !all.is_empty())
}

fn statement(element: Element<'_, '_>) -> Option<QcStatement> {
    let parts = Parts(&["QcStatementId", "QcStatementInfo"]);
    if !element.is(RECOGNITION, "QcStatement") || !parts.contains(element) {
        return None;
    }
    let id = child(element, "QcStatementId").map(super::criteria::identifier).filter(|id| !id.is_empty())?;
    let mut statement = QcStatement { id, qc_type: None, legislation: None };
    for information in child(element, "QcStatementInfo").into_iter().flat_map(Element::children) {
        match (information.namespace(), information.local()) {
            (RECOGNITION, "QcType") => statement.qc_type = Some(super::criteria::identifier(information)),
            (RECOGNITION, "QcCClegislation") => statement.legislation = Some(information.text().trim().to_owned()),
            _ => return None,
        }
    }
    Some(statement)
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
