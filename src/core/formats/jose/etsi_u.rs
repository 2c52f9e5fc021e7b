//! The unsigned header parameter `etsiU`: TS 119 182-1 §5.3.1.
//!
//! Its array holds either Base64url texts of JSON objects, or the objects themselves; what time-stamps
//! cover are those texts exactly as they stand.

use super::base64url;
use super::canonical::canonical;
use super::json::{Node, Value, parse};
use super::jws::Jws;
use super::material::EmbeddedMaterial;
use crate::budget::Budget;
use std::borrow::Cow;

/// The components in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EtsiU<'t> {
    pub components: Vec<Component<'t>>,
    /// §5.3.1: all elements are of one form, and each could be read.
    pub well_formed: bool,
}

/// One element of the array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component<'t> {
    /// The element as it stands in the document: Base64url, or the JSON of the object.
    pub text: Cow<'t, str>,
    /// Whether that is Base64url.
    pub encoded: bool,
    /// Its only member; `None` where it could not be read.
    pub member: Option<Box<Member<'t>>>,
}

/// The member of an element, with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member<'t> {
    pub name: String,
    /// Its value; of a `cSig` null, for the counter-signature has it.
    pub value: Node<'t>,
    /// The canonical form of the value of a `cSig`.
    pub canonical: Option<String>,
    /// The time-stamp tokens in it.
    pub tokens: Vec<Vec<u8>>,
    /// The certificates and revocation data in it.
    pub held: EmbeddedMaterial,
    /// The counter-signature that a `cSig` holds.
    pub counter_signature: Option<Box<Jws<'t>>>,
}

impl<'t> EtsiU<'t> {
    /// Reads the array. `source` is the text that clear elements stand in.
    pub(super) fn read(array: Option<Node<'t>>, source: &'t str, depth: usize, budget: &Budget) -> Self {
        let Some(array) = array else { return Self { well_formed: true, ..Self::default() } };
        let elements = if let Value::Array(elements) = array.value { elements } else { vec![] };
        let components: Vec<Component<'t>> =
            elements.into_iter().map(|element| Component::read(element, source, depth, budget)).collect();
        let encoded = components.iter().filter(|component| component.encoded).count();
        let well_formed = !components.is_empty()
            && (encoded == 0 || encoded == components.len())
            && components.iter().all(|component| component.member.is_some());
        Self { components, well_formed }
    }

    /// Returns whether elements of both forms are there: then it is not known what a time-stamp covers.
    pub(super) fn is_mixed(&self) -> bool {
        let encoded = self.components.iter().filter(|component| component.encoded).count();
        encoded != 0 && encoded != self.components.len()
    }

    /// Returns how many components have this name.
    pub(super) fn count(&self, name: &str) -> usize {
        self.components.iter().filter(|component| component.name() == name).count()
    }

    /// Returns the members that could be read.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member<'t>> {
        self.components.iter().filter_map(|component| component.member.as_deref())
    }

    /// Returns the same without the text that it was read from.
    pub(super) fn into_owned(self) -> EtsiU<'static> {
        let member = |member: Box<Member<'t>>| {
            let Member { name, value, canonical, tokens, held, counter_signature } = *member;
            let counter_signature = counter_signature.map(|jws| Box::new(jws.into_owned()));
            Box::new(Member { name, value: value.into_owned(), canonical, tokens, held, counter_signature })
        };
        let own = |component: Component<'t>| Component {
            text: Cow::Owned(component.text.into_owned()),
            encoded: component.encoded,
            member: component.member.map(member),
        };
        EtsiU { components: self.components.into_iter().map(own).collect(), well_formed: self.well_formed }
    }
}

impl<'t> Component<'t> {
    /// Returns the name of its member; it is empty where that could not be read.
    pub(super) fn name(&self) -> &str {
        self.member.as_ref().map_or("", |member| &member.name)
    }

    fn read(element: Node<'t>, source: &'t str, depth: usize, budget: &Budget) -> Self {
        let Value::String(text) = element.value else {
            let text = Cow::Borrowed(source.get(element.span.clone()).unwrap_or_default());
            return Self { text, encoded: false, member: only(element, source, depth, budget) };
        };
        let decoded = base64url::decode(&text).unwrap_or_default();
        let object = parse(&decoded, budget).ok().map(Node::into_owned);
        let source = std::str::from_utf8(&decoded).unwrap_or_default();
        let member = object.and_then(|object| only(object, source, depth, budget));
        Self { text, encoded: true, member }
    }
}

/// Returns the only member of an object that stands in `source`.
fn only<'t>(object: Node<'t>, source: &str, depth: usize, budget: &Budget) -> Option<Box<Member<'t>>> {
    let Value::Object(members) = object.value else { return None };
    let [(name, value)] = <[_; 1]>::try_from(members).ok().filter(|[(name, _)]| !name.is_empty())?;
    Some(Box::new(Member::of(name.into_owned(), value, source, depth, budget)))
}

impl<'t> Member<'t> {
    fn of(name: String, value: Node<'t>, source: &str, depth: usize, budget: &Budget) -> Self {
        let tokens = if is_timestamp(&name) { tokens(&value) } else { vec![] };
        let held = EmbeddedMaterial::of(&name, &value);
        if name != "cSig" {
            return Self { name, value, canonical: None, tokens, held, counter_signature: None };
        }
        let canonical = canonical(&value);
        let counter = Jws::counter_signature(value, source, depth, budget);
        let counter_signature = counter.map(|jws| Box::new(jws) as Box<Jws<'t>>);
        Self { name, value: Node::null(), canonical, tokens, held, counter_signature }
    }
}

/// Returns whether a component with this name holds time-stamps.
pub(super) fn is_timestamp(name: &str) -> bool {
    matches!(name, "sigTst" | "sigRTst" | "rfsTst" | "arcTst")
}

/// Returns the tokens of a `tstContainer`: §5.4.3.3. One that is not Base64 is empty.
pub(super) fn tokens(container: &Node<'_>) -> Vec<Vec<u8>> {
    let list = container.get("tstTokens").map(|list| list.elements()).unwrap_or_default();
    list.iter().map(|token| token.text_of("val").and_then(base64url::decode_any).unwrap_or_default()).collect()
}
