//! The reader of trusted lists: TS 119 612 §5 and annex C. A list that lacks a required element is read, and the lack
//! reported.

use super::ListError;
use super::elements::{ADDITIONAL_TYPES, TSL, extensions, is_critical, names, part, time, uris, word};
use super::list::{List, OtherTslPointer, ServiceDigitalIdentity};
use super::recognition::Agreement;
use super::service::Services;
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{Element, Tree};
use crate::time::Time;
use sha2::Digest as _;

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
    // §5.3.17: none is known.
    let critical = scheme.and_then(|scheme| extensions(scheme, "SchemeExtensions").find(|one| is_critical(*one)));
    if let Some(extension) = critical {
        let found = extension.children().map(|inner| inner.local()).collect::<Vec<_>>().join(", ");
        return Err(ListError::CriticalExtension { found });
    }
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
        list.next_update = next_update(scheme).unwrap_or_else(|problem| {
            problems.push(problem);
            Some(list.issue_date.unwrap_or_default())
        });
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
    let mut services = Services::new();
    if let Some(providers) = part(root, "TrustServiceProviderList") {
        list.providers = services.providers(providers)?;
    }
    list.identities = services.certificates.into_iter().map(ServiceDigitalIdentity::Certificate).collect();
    list.problems = problems;
    list.problems.extend(services.problems);
    Ok(list)
}

/// Reads the `NextUpdate` (§5.3.15); `None` for a closed list, whose element is empty.
fn next_update(scheme: Element<'_, '_>) -> Result<Option<Time>, String> {
    let next = part(scheme, "NextUpdate").ok_or("it has no NextUpdate")?;
    match time(next, "dateTime") {
        None if next.children().next().is_some() || !next.text().trim().is_empty() => {
            Err("its NextUpdate cannot be read".to_owned())
        }
        time => Ok(time),
    }
}

/// Reads a pointer to another list (§5.3.13). Locations of the same list in a form for reading (PDF) are no pointers to
/// a list.
fn pointer(element: Element<'_, '_>, problems: &mut Vec<String>) -> Result<Option<OtherTslPointer>, ListError> {
    let Some(location) = word(element, "TSLLocation") else { return Ok(None) };
    let mut pointer = OtherTslPointer { location, ..OtherTslPointer::default() };
    let identities = part(element, "ServiceDigitalIdentities").into_iter().flat_map(Element::children);
    for identity in identities.flat_map(Element::children) {
        let certificates = identity.children().filter(|child| child.is(TSL, "X509Certificate"));
        for bytes in certificates.filter_map(base64_text) {
            let digest: [u8; 32] = sha2::Sha256::digest(bytes).into();
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
