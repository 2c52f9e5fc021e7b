//! Namespaces of trusted lists, and the elements that their readers share.

use crate::facts::LangText;
use crate::formats::xml::Element;
use crate::time::Time;
use std::collections::HashSet;

/// The namespace of trusted lists.
pub(super) const TSL: &str = "http://uri.etsi.org/02231/v2#";
/// The namespace of additional types.
pub(super) const ADDITIONAL_TYPES: &str = "http://uri.etsi.org/02231/v2/additionaltypes#";
/// The namespace of qualifications.
pub(super) const QUALIFICATIONS: &str = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";
/// The namespace of mutual recognition.
pub(super) const RECOGNITION: &str = "http://ec.europa.eu/tools/lotl/mra/schema/v2#";

/// Returns the first child of that name.
pub(super) fn part<'t, 's>(element: Element<'t, 's>, local: &str) -> Option<Element<'t, 's>> {
    element.child(TSL, local)
}

/// Returns the text of the first child of that name, where it has one.
pub(super) fn word(element: Element<'_, '_>, local: &str) -> Option<String> {
    let text = part(element, local)?.text();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the moment in a child of that name.
pub(super) fn time(element: Element<'_, '_>, local: &str) -> Option<Time> {
    word(element, local)?.parse().ok()
}

/// Returns the same text in several languages (§5.1.4).
pub(super) fn names(element: Element<'_, '_>) -> Vec<LangText> {
    let text = |name: Element<'_, '_>| LangText {
        lang: name.attributes().find(|a| a.local == "lang").map_or_else(String::new, |a| a.value.to_owned()),
        text: name.text().split_whitespace().collect::<Vec<_>>().join(" "),
    };
    element.children().filter(|child| child.is(TSL, "Name")).map(text).collect()
}

/// Returns the URIs inside, each once, in their order.
pub(super) fn uris(element: Element<'_, '_>) -> Vec<String> {
    let texts = element.children().filter(|child| child.is(TSL, "URI")).map(|uri| uri.text().trim().to_owned());
    once(texts.filter(|text| !text.is_empty()))
}

/// Returns each text once, in their order.
pub(super) fn once(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

/// Returns the extensions of an element (§5.3.17).
pub(super) fn extensions<'t, 's>(element: Element<'t, 's>, local: &str) -> impl Iterator<Item = Element<'t, 's>> {
    let all = part(element, local).into_iter().flat_map(Element::children);
    all.filter(|child| child.is(TSL, "Extension"))
}

/// Returns whether an extension has to be understood (§5.3.17).
pub(super) fn is_critical(extension: Element<'_, '_>) -> bool {
    matches!(extension.attribute("Critical").map(str::trim), Some("true" | "1"))
}

/// Returns the OID of an `ObjectIdentifierType`.
pub(super) fn identifier(element: Element<'_, '_>) -> String {
    let identifier = element.children().find(|inner| inner.local() == "Identifier").unwrap_or(element);
    let text = identifier.text();
    let text = text.trim();
    let urn = text.get(..8).filter(|start| start.eq_ignore_ascii_case("urn:oid:")).and(text.get(8..));
    urn.unwrap_or(text).to_owned()
}

/// The children that an element of an agreement may have. Another child is not skipped: it could restrict the
/// agreement.
pub(super) struct Parts(pub &'static [&'static str]);

impl Parts {
    /// Returns whether the element has no others.
    pub fn contains(&self, element: Element<'_, '_>) -> bool {
        element.children().all(|child| child.namespace() == RECOGNITION && self.0.contains(&child.local()))
    }

    /// Returns whether the element is one of that name and has no others.
    pub fn are_all(&self, element: Element<'_, '_>, name: &str) -> bool {
        element.is(RECOGNITION, name) && self.contains(element)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::list;
    use crate::formats::xml::{Options, parse};

    /// As many as 1.6 MB hold: each is not compared with each.
    #[test]
    fn many_texts_are_kept_once() {
        let (uris, names) = (90_000, 60_000);
        let uri: String = (0..uris).map(|at| format!("<URI>{at}</URI>")).collect();
        let name: String = (0..names).map(|at| format!("<Name>VATBE-{at}</Name>")).collect();
        let provider = format!(
            "<TrustServiceProvider><TSPInformation><TSPTradeName>{name}{name}</TSPTradeName></TSPInformation></TrustServiceProvider>"
        );
        let text = format!(
            "<TrustServiceStatusList xmlns=\"{}\"><SchemeInformation><SchemeInformationURI>{uri}<URI>0</URI></SchemeInformationURI></SchemeInformation><TrustServiceProviderList>{provider}</TrustServiceProviderList></TrustServiceStatusList>",
            super::TSL
        );
        let tree = parse(&text, &Options::default()).expect("it is XML");
        let read = list(&tree).expect("it is a list");
        assert_eq!(read.information.len(), uris, "TS 119 612 5.3.7");
        assert_eq!(read.providers[0].registration_identifiers.len(), names, "TS 119 612 5.4.2");
    }
}
