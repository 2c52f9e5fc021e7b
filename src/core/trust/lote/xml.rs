//! The XML binding: TS 119 602 annex B.

use super::{ENTRIES, Entries, LOTE, ListError, ListOfTrustedEntities, TrustedEntity, TrustedEntityService};
use crate::facts::LangText;
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{Element, Tree};

/// Reads the list in a document.
pub(super) fn list(tree: &Tree<'_>) -> Result<ListOfTrustedEntities, ListError> {
    let root = tree.document_element();
    let Some(root) = root.filter(|root| root.is(LOTE, "ListOfTrustedEntities")) else {
        let found = root.map_or_else(String::new, |root| format!("{{{}}}{}", root.namespace(), root.local()));
        return Err(ListError::NotALote { found });
    };
    let scheme = part(root, "ListAndSchemeInformation");
    let stated = |local| scheme.and_then(|scheme| word(scheme, local));
    let named = |local| scheme.and_then(|scheme| part(scheme, local)).map(names).unwrap_or_default();
    let next = scheme.and_then(|scheme| part(scheme, "NextUpdate"));
    let mut list = ListOfTrustedEntities {
        version: stated("LoTEVersionIdentifier").and_then(|text| text.parse().ok()),
        sequence_number: stated("LoTESequenceNumber").and_then(|text| text.parse().ok()),
        list_type: stated("LoTEType"),
        operator: named("SchemeOperatorName"),
        scheme: named("SchemeName"),
        territory: stated("SchemeTerritory"),
        issue_date: stated("ListIssueDateTime").and_then(|text| text.parse().ok()),
        next_update: next.and_then(|next| word(next, "dateTime")?.parse().ok()),
        entities: vec![],
    };
    let mut entries = Entries(ENTRIES);
    for element in all(Some(root), "TrustedEntitiesList", "TrustedEntity") {
        entries.spend()?;
        let mut entity = TrustedEntity::default();
        let information = part(element, "TrustedEntityInformation");
        entity.names = information.and_then(|information| part(information, "TEName")).map(names).unwrap_or_default();
        for service in all(Some(element), "TrustedEntityServices", "TrustedEntityService") {
            entries.spend()?;
            entity
                .services
                .extend(part(service, "ServiceInformation").map(|i| self::service(i, &mut entries)).transpose()?);
        }
        list.entities.push(entity);
    }
    Ok(list)
}

fn service(information: Element<'_, '_>, entries: &mut Entries) -> Result<TrustedEntityService, ListError> {
    let mut certificates = vec![];
    for identity in all(Some(information), "ServiceDigitalIdentity", "DigitalId") {
        entries.spend()?;
        certificates.extend(part(identity, "X509Certificate").and_then(base64_text));
    }
    Ok(TrustedEntityService {
        service_type: word(information, "ServiceTypeIdentifier"),
        names: part(information, "ServiceName").map(names).unwrap_or_default(),
        // One that cannot be read is none of those in force.
        status: part(information, "ServiceStatus").map(|status| status.text().trim().to_owned()),
        start: word(information, "StatusStartingTime").and_then(|text| text.parse().ok()),
        certificates,
    })
}

/// Returns the children of that name in a child of that name.
fn all<'t, 's>(
    element: Option<Element<'t, 's>>,
    list: &'static str,
    each: &'static str,
) -> impl Iterator<Item = Element<'t, 's>> {
    let list = element.and_then(|element| part(element, list)).into_iter();
    list.flat_map(Element::children).filter(move |child| child.is(LOTE, each))
}

fn part<'t, 's>(element: Element<'t, 's>, local: &str) -> Option<Element<'t, 's>> {
    element.child(LOTE, local)
}

fn word(element: Element<'_, '_>, local: &str) -> Option<String> {
    let text = part(element, local)?.text();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn names(element: Element<'_, '_>) -> Vec<LangText> {
    let text = |name: Element<'_, '_>| LangText {
        lang: name.attributes().find(|a| a.local == "lang").map_or_else(String::new, |a| a.value.to_owned()),
        text: name.text().split_whitespace().collect::<Vec<_>>().join(" "),
    };
    element.children().filter(|child| child.is(LOTE, "Name")).map(text).collect()
}
