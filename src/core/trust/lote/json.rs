//! The JSON binding: TS 119 602 annex A.

use super::{ENTRIES, Entries, ListError, ListOfTrustedEntities, TrustedEntity, TrustedEntityService};
use crate::budget::Budget;
use crate::facts::LangText;
use crate::formats::jose::{Node, Value, parse};
use crate::formats::xml::base64;
use crate::time::Time;

/// Reads the list that a signature is over.
pub(super) fn list(bytes: &[u8], budget: &Budget) -> Result<ListOfTrustedEntities, ListError> {
    let other = |found: &str| ListError::NotALote { found: found.to_owned() };
    let root = parse(bytes, budget).map_err(|error| other(&format!("no JSON: {error}")))?;
    let list = root.get("LoTE").ok_or_else(|| other("JSON without a member LoTE"))?;
    let scheme = list.get("ListAndSchemeInformation").ok_or_else(|| other("a LoTE without scheme information"))?;
    let mut read = ListOfTrustedEntities {
        version: number(scheme, "LoTEVersionIdentifier"),
        sequence_number: number(scheme, "LoTESequenceNumber"),
        list_type: word(scheme, "LoTEType"),
        operator: names(scheme, "SchemeOperatorName"),
        scheme: names(scheme, "SchemeName"),
        territory: word(scheme, "SchemeTerritory"),
        issue_date: time(scheme, "ListIssueDateTime"),
        next_update: time(scheme, "NextUpdate"),
        entities: vec![],
    };
    let mut entries = Entries(ENTRIES);
    for node in all(list, "TrustedEntitiesList") {
        entries.spend()?;
        let information = node.get("TrustedEntityInformation");
        let mut entity = TrustedEntity {
            names: information.map(|information| names(information, "TEName")).unwrap_or_default(),
            services: vec![],
        };
        for service in all(node, "TrustedEntityServices") {
            entries.spend()?;
            let information = service.get("ServiceInformation");
            entity.services.extend(information.map(|i| self::service(i, &mut entries)).transpose()?);
        }
        read.entities.push(entity);
    }
    Ok(read)
}

fn service(information: &Node<'_>, entries: &mut Entries) -> Result<TrustedEntityService, ListError> {
    let mut certificates = vec![];
    for certificate in information.get("ServiceDigitalIdentity").map_or(&[][..], |ids| all(ids, "X509Certificates")) {
        entries.spend()?;
        certificates.extend(certificate.text_of("val").and_then(|text| base64(text.as_bytes())));
    }
    Ok(TrustedEntityService {
        service_type: word(information, "ServiceTypeIdentifier"),
        names: names(information, "ServiceName"),
        // One that cannot be read is none of those in force.
        status: information.get("ServiceStatus").map(|_| word(information, "ServiceStatus").unwrap_or_default()),
        start: time(information, "StatusStartingTime"),
        certificates,
    })
}

fn all<'n, 't>(node: &'n Node<'t>, name: &str) -> &'n [Node<'t>] {
    node.get(name).map(Node::elements).unwrap_or_default()
}

fn word(node: &Node<'_>, name: &str) -> Option<String> {
    node.text_of(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn number(node: &Node<'_>, name: &str) -> Option<i64> {
    match &node.get(name)?.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn time(node: &Node<'_>, name: &str) -> Option<Time> {
    node.text_of(name)?.trim().parse().ok()
}

fn names(node: &Node<'_>, name: &str) -> Vec<LangText> {
    let text = |node: &Node<'_>| {
        let lang = node.text_of("lang").unwrap_or_default().to_owned();
        Some(LangText { lang, text: node.text_of("value")?.to_owned() })
    };
    all(node, name).iter().filter_map(text).collect()
}
