//! Reading a list: TS 119 612 §5 and annex C. What the standard asks for and the list has not is noted, not refused.

use super::list::{Identity, List, Pointer};
use super::recognition::Agreement;
use super::service::Services;
use super::{ADDITIONAL_TYPES, ListError, TSL};
use crate::facts::LangText;
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{Element, Tree};
use crate::time::Time;
use sha2::Digest as _;

/// Texts of one list that are kept: names in all languages, URIs. The largest list has some 20,000.
pub(super) const TEXTS: usize = 500_000;
/// Pointers of one list, and signers of one pointer. The list of lists has 60 with at most 10 each.
const POINTERS: usize = 1_000;

/// Reads the list in a document.
pub(super) fn list(tree: &Tree<'_>) -> Result<List, ListError> {
    let root = tree.document_element().filter(|root| root.is(TSL, "TrustServiceStatusList"));
    let Some(root) = root else {
        let found = tree
            .document_element()
            .map_or_else(String::new, |root| format!("{{{}}}{}", root.namespace(), root.local()));
        return Err(ListError::NotAList { found });
    };
    let mut problems = vec![];
    let scheme = part(root, "SchemeInformation");
    if scheme.is_none() {
        problems.push("it has no SchemeInformation".to_owned());
    }
    let mut stated = |local: &'static str| {
        let text = scheme.and_then(|scheme| word(scheme, local));
        if text.is_none() {
            problems.push(format!("it states no {local}"));
        }
        text
    };
    let mut list = List {
        version: stated("TSLVersionIdentifier").and_then(|text| text.parse().ok()),
        sequence_number: stated("TSLSequenceNumber").and_then(|text| text.parse().ok()),
        list_type: stated("TSLType").unwrap_or_default(),
        territory: stated("SchemeTerritory"),
        issue_date: stated("ListIssueDateTime").and_then(|text| text.parse().ok()),
        ..List::default()
    };
    if let Some(scheme) = scheme {
        list.operator = part(scheme, "SchemeOperatorName").map(names).unwrap_or_default();
        list.information = part(scheme, "SchemeInformationURI").map(uris).unwrap_or_default();
        match part(scheme, "NextUpdate") {
            Some(next) => list.next_update = time(next, "dateTime"),
            None => problems.push("it has no NextUpdate".to_owned()),
        }
        let pointers = part(scheme, "PointersToOtherTSL").into_iter().flat_map(Element::children);
        for element in pointers.filter(|child| child.is(TSL, "OtherTSLPointer")) {
            if list.pointers.len() >= POINTERS {
                return Err(ListError::TooMany { what: "pointers", limit: POINTERS });
            }
            list.pointers.extend(pointer(element, &mut problems)?);
        }
    }
    if list.is_list_of_lists() && list.pointers.is_empty() {
        problems.push("it is a list of lists and points at none".to_owned());
    }
    let mut services = Services::new(TEXTS);
    if let Some(providers) = part(root, "TrustServiceProviderList") {
        list.providers = services.providers(providers)?;
    }
    list.identities = services.certificates.into_iter().map(Identity::Certificate).collect();
    list.problems = problems;
    list.problems.extend(services.problems);
    Ok(list)
}

/// §5.3.13. Locations of the same list in a form for reading (PDF) are no pointers to a list.
fn pointer(element: Element<'_, '_>, problems: &mut Vec<String>) -> Result<Option<Pointer>, ListError> {
    let Some(location) = word(element, "TSLLocation") else { return Ok(None) };
    let mut pointer = Pointer { location, ..Pointer::default() };
    let identities = part(element, "ServiceDigitalIdentities").into_iter().flat_map(Element::children);
    for identity in identities.flat_map(Element::children) {
        let certificates = identity.children().filter(|child| child.is(TSL, "X509Certificate"));
        for octets in certificates.filter_map(base64_text) {
            let digest: [u8; 32] = sha2::Sha256::digest(octets).into();
            if pointer.signers.len() < POINTERS && !pointer.signers.contains(&digest) {
                pointer.signers.push(digest);
            }
        }
    }
    let information = part(element, "AdditionalInformation").into_iter().flat_map(Element::children);
    for other in information.filter(|child| child.is(TSL, "OtherInformation")).flat_map(Element::children) {
        let text = || Some(other.text().trim().to_owned());
        match (other.namespace(), other.local()) {
            (TSL, "TSLType") => pointer.list_type = text(),
            (TSL, "SchemeTerritory") => pointer.territory = text(),
            (ADDITIONAL_TYPES, "MimeType") => pointer.mime_type = text(),
            (_, "MutualRecognitionAgreementInformation") => {
                // Two agreements would contradict each other.
                pointer.mutual_recognition = Some(match pointer.mutual_recognition {
                    None => Agreement::read(other, problems)?,
                    Some(_) => Agreement::default(),
                });
            }
            _ => {}
        }
    }
    let xml = pointer.mime_type.as_deref().is_none_or(|mime| mime.contains("xml"));
    Ok(xml.then_some(pointer))
}

/// The first child of that name.
pub(super) fn part<'t, 's>(element: Element<'t, 's>, local: &str) -> Option<Element<'t, 's>> {
    element.child(TSL, local)
}

/// The text of the first child of that name, where it has one.
pub(super) fn word(element: Element<'_, '_>, local: &str) -> Option<String> {
    let text = part(element, local)?.text();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The moment in a child of that name.
pub(super) fn time(element: Element<'_, '_>, local: &str) -> Option<Time> {
    word(element, local)?.parse().ok()
}

/// §5.1.4: the same text in several languages.
pub(super) fn names(element: Element<'_, '_>) -> Vec<LangText> {
    let text = |name: Element<'_, '_>| LangText {
        lang: name.attributes().find(|a| a.local == "lang").map_or_else(String::new, |a| a.value.to_owned()),
        text: name.text().split_whitespace().collect::<Vec<_>>().join(" "),
    };
    element.children().filter(|child| child.is(TSL, "Name")).map(text).collect()
}

/// The URIs inside, each once, in their order.
pub(super) fn uris(element: Element<'_, '_>) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    for uri in element.children().filter(|child| child.is(TSL, "URI")) {
        let text = uri.text();
        let text = text.trim();
        if !text.is_empty() && !found.iter().any(|known| known == text) {
            found.push(text.to_owned());
        }
    }
    found
}
