//! JSON Web Signatures in their three serialisations: RFC 7515 §7.

use super::base64url;
use super::etsi_u::{self, EtsiU};
use super::json::{JsonError, Node, Value, parse};
use super::material;
use crate::budget::Budget;
use crate::facts::{Irregularity, IrregularityKind, JwsSerialization};
use std::borrow::Cow;
use std::rc::Rc;

/// Counter-signatures of counter-signatures that are followed. Real files have one level.
pub(super) const COUNTER_SIGNATURES: usize = 8;

/// Elements of `etsiU` that are read. Real files: below 30.
const COMPONENTS: usize = 10_000;

/// Why a JWS cannot be read.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoseError {
    /// The text is not JSON.
    #[error("the JSON cannot be read")]
    Json(#[source] JsonError),
    /// A compact JWS that is not text.
    #[error("at byte {at}: found bytes that are not UTF-8")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
    /// RFC 7515 §7.1: header, payload, value.
    #[error("the compact JWS has {found} parts between full stops; expected three")]
    Parts {
        /// How many there are.
        found: usize,
    },
    /// More signatures than the budget has.
    #[error("there are {found} signatures, of which at most {limit} are read")]
    TooMany {
        /// How many there are.
        found: usize,
        /// The most.
        limit: usize,
    },
    /// TS 119 182-1 §5.3.1: more elements of `etsiU` than are read.
    #[error("signature {place}: there are {found} elements in `etsiU`, of which at most {limit} are read")]
    TooManyComponents {
        /// Which signature, from one on.
        place: usize,
        /// How many there are.
        found: usize,
        /// The most.
        limit: usize,
    },
    /// RFC 7515 §7.2.1: an entry of `signatures` that is no object.
    #[error("entry {place} of `signatures` is no object")]
    NotAnEntry {
        /// Which, from one on.
        place: usize,
    },
    /// RFC 7515 §5.2 2): a protected header that is not Base64url.
    #[error("signature {place}: the protected header is not Base64url")]
    HeaderEncoding {
        /// Which signature, from one on.
        place: usize,
    },
    /// RFC 7515 §5.2 3): a protected header that is not JSON.
    #[error("signature {place}: the protected header cannot be read")]
    Header {
        /// Which signature, from one on.
        place: usize,
        /// Why.
        #[source]
        source: JsonError,
    },
    /// RFC 7515 §5.2 3): a protected header that is no object.
    #[error("signature {place}: the protected header is no JSON object")]
    HeaderKind {
        /// Which signature, from one on.
        place: usize,
    },
}

impl JoseError {
    /// Returns the field of [`Budget`] that did not allow to read on, where that is why.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::Json(JsonError::TooDeep { .. }) => Some("nesting"),
            Self::Json(JsonError::TooMany { .. }) => Some("json_values"),
            Self::Json(JsonError::LongNumber { .. }) => Some("json_number"),
            Self::TooMany { .. } => Some("tokens"),
            _ => None,
        }
    }
}

/// One signature with the payload that it shares with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Jws<'t> {
    pub serialization: JwsSerialization,
    /// The protected header as it is signed.
    pub protected_text: Cow<'t, str>,
    /// The protected header.
    pub protected: Node<'static>,
    /// The payload as it is signed, which signatures share. `None` where there is none, or what is there is no text.
    payload: Option<Rc<Cow<'t, str>>>,
    /// The signature value as it is time-stamped.
    pub signature_text: Cow<'t, str>,
    /// The signature value; empty where it cannot be decoded.
    pub value: Vec<u8>,
    /// The unprotected header without the elements of `etsiU`; `null` where there is none.
    pub unprotected: Node<'t>,
    pub etsi_u: EtsiU<'t>,
    /// The time-stamp tokens in `adoTst`.
    pub content_tokens: Vec<Vec<u8>>,
    /// The certificates in `x5c`.
    pub chain: Vec<Vec<u8>>,
    /// What is irregular about the members around it.
    pub irregularities: Vec<Irregularity>,
}

/// Notes members beside those that a JWS has at a place (RFC 7515 §7.2). One that it has at another place may be taken
/// for the signed one; others are ignored by those that verify, and not by those that read.
fn beside(members: &[(Cow<'_, str>, Node<'_>)], expected: &[&str]) -> Vec<Irregularity> {
    let others = members.iter().filter(|(name, _)| !expected.contains(&&**name));
    let kind = |name: &str| match name {
        "payload" | "protected" | "header" | "signature" | "signatures" => IrregularityKind::FormatViolation,
        _ => IrregularityKind::UnsignedObject,
    };
    let about = |(name, _): &(Cow<'_, str>, Node<'_>)| {
        Irregularity::about(kind(name), name.chars().take(NAME).collect::<String>())
    };
    let mut found: Vec<Irregularity> = others.take(OTHERS).map(about).collect();
    let payload = members.iter().find(|(name, _)| name == "payload" && expected.contains(&"payload"));
    if payload.is_some_and(|(_, node)| !matches!(node.value, Value::String(_) | Value::Null)) {
        found.push(Irregularity::about(IrregularityKind::FormatViolation, "payload that is no text"));
    }
    found
}

/// Members that are named, and characters of a name that are shown. They are for messages.
const OTHERS: usize = 16;
const NAME: usize = 100;

/// Returns the `payload`; one that is not a text counts as missing: RFC 7515 §7.2.1 has a string.
fn payload<'t>(node: Option<Node<'t>>) -> Option<Rc<Cow<'t, str>>> {
    match node?.value {
        Value::String(text) => Some(Rc::new(text)),
        _ => None,
    }
}

/// Returns the signatures of a document; `None` when it is JSON without any.
pub(super) fn read<'t>(bytes: &'t [u8], compact: bool, budget: &Budget) -> Result<Option<Vec<Jws<'t>>>, JoseError> {
    if compact {
        let text = std::str::from_utf8(bytes).map_err(|error| JoseError::NotUtf8 { at: error.valid_up_to() })?;
        return Ok(Some(vec![Jws::compact(text.trim_ascii().trim_start_matches('\u{feff}'), 0, budget)?]));
    }
    let root = parse(bytes, budget).map_err(JoseError::Json)?;
    let Value::Object(members) = root.value else { return Ok(None) };
    let source = std::str::from_utf8(bytes).unwrap_or_default();
    signatures(members, source, 0, budget)
}

/// Reads the signatures in `signatures` (RFC 7515 §7.2.1) or `signature` (§7.2.2). NOTE: where both are there, which is
/// not allowed, a list with signatures in it counts; the structure is invalid then.
fn signatures<'t>(
    members: Vec<(Cow<'t, str>, Node<'t>)>,
    source: &'t str,
    depth: usize,
    budget: &Budget,
) -> Result<Option<Vec<Jws<'t>>>, JoseError> {
    let is_flattened = members.iter().any(|(name, _)| name == "signature");
    let counts = |list: &Node<'_>| !is_flattened || !list.elements().is_empty();
    let is_list = members.iter().any(|(name, list)| name == "signatures" && counts(list));
    if is_list {
        let around = beside(&members, &["payload", "signatures"]);
        let [shared, list] = take(members, ["payload", "signatures"]);
        let shared = payload(shared);
        let Some(Value::Array(entries)) = list.map(|list| list.value) else { return Ok(None) };
        if entries.len() > budget.tokens {
            return Err(JoseError::TooMany { found: entries.len(), limit: budget.tokens });
        }
        let read = |(at, entry): (usize, Node<'t>)| {
            let Value::Object(members) = entry.value else { return Err(JoseError::NotAnEntry { place: at + 1 }) };
            let mut irregularities = around.clone();
            irregularities.extend(beside(&members, &["protected", "header", "signature"]));
            let serialization = JwsSerialization::Json;
            let jws = Jws::from_members(members, shared.clone(), serialization, source, at + 1, depth, budget)?;
            Ok(Jws { irregularities, ..jws })
        };
        let mut read = entries.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        // RFC 7797 §3: one payload is not signed as it is and as what it stands for.
        if read.iter().any(Jws::is_unencoded) && !read.iter().all(Jws::is_unencoded) {
            let differ = Irregularity::about(IrregularityKind::MalformedHeader, "b64 that differs between signatures");
            read.iter_mut().for_each(|jws| jws.irregularities.push(differ.clone()));
        }
        return Ok(Some(read));
    }
    if !is_flattened {
        return Ok(None);
    }
    let own = members.iter().find(|(name, _)| name == "payload").map(|(_, value)| value.clone());
    let serialization = JwsSerialization::FlattenedJson;
    let irregularities = beside(&members, &["payload", "protected", "header", "signature"]);
    let jws = Jws::from_members(members, payload(own), serialization, source, 1, depth, budget)?;
    Ok(Some(vec![Jws { irregularities, ..jws }]))
}

/// Returns the members with these names.
fn take<'t, const N: usize>(members: Vec<(Cow<'t, str>, Node<'t>)>, names: [&str; N]) -> [Option<Node<'t>>; N] {
    let mut taken = [const { None }; N];
    for (name, value) in members {
        if let Some(slot) = names.iter().position(|wanted| *wanted == name).and_then(|at| taken.get_mut(at)) {
            *slot = Some(value);
        }
    }
    taken
}

impl<'t> Jws<'t> {
    /// Reads the compact form (RFC 7515 §7.1).
    pub(super) fn compact(text: &'t str, depth: usize, budget: &Budget) -> Result<Self, JoseError> {
        let parts: Vec<&str> = text.split('.').take(4).collect();
        let [protected, payload, signature] = parts[..] else {
            return Err(JoseError::Parts { found: text.split('.').count() });
        };
        let unprotected = Node::null();
        let payload = Some(Rc::new(Cow::Borrowed(payload)));
        Self::assemble(
            Parts {
                serialization: JwsSerialization::Compact,
                protected: Cow::Borrowed(protected),
                payload,
                signature: Cow::Borrowed(signature),
                unprotected,
            },
            "",
            1,
            depth,
            budget,
        )
    }

    fn from_members(
        members: Vec<(Cow<'t, str>, Node<'t>)>,
        payload: Option<Rc<Cow<'t, str>>>,
        serialization: JwsSerialization,
        source: &'t str,
        place: usize,
        depth: usize,
        budget: &Budget,
    ) -> Result<Self, JoseError> {
        let text = |node: Option<Node<'t>>| match node.map(|node| node.value) {
            Some(Value::String(text)) => text,
            _ => Cow::Borrowed(""),
        };
        let [protected, unprotected, signature] = take(members, ["protected", "header", "signature"]);
        let parts = Parts {
            serialization,
            protected: text(protected),
            payload,
            signature: text(signature),
            unprotected: unprotected.unwrap_or(Node::null()),
        };
        Self::assemble(parts, source, place, depth, budget)
    }

    fn assemble(
        mut parts: Parts<'t>,
        source: &'t str,
        place: usize,
        depth: usize,
        budget: &Budget,
    ) -> Result<Self, JoseError> {
        let protected = header(&parts.protected, place, budget)?;
        let found = parts.unprotected.get("etsiU").map_or(0, |list| list.elements().len());
        if found > COMPONENTS {
            return Err(JoseError::TooManyComponents { place, found, limit: COMPONENTS });
        }
        let etsi_u = EtsiU::read(parts.unprotected.take("etsiU"), source, depth, budget);
        let content_tokens = protected.get("adoTst").map(etsi_u::tokens).unwrap_or_default();
        let chain = material::decoded_chain(&protected);
        Ok(Self {
            serialization: parts.serialization,
            protected_text: parts.protected,
            protected,
            payload: parts.payload,
            value: base64url::decode_truncated(&parts.signature),
            signature_text: parts.signature,
            unprotected: parts.unprotected,
            etsi_u,
            content_tokens,
            chain,
            irregularities: vec![],
        })
    }

    /// Returns the payload that it holds, as it is signed; `None` where that is empty.
    pub(super) fn own_payload(&self) -> Option<&str> {
        self.payload.as_ref().map(|payload| &***payload).filter(|payload| !payload.is_empty())
    }

    /// Returns whether the payload is signed as it is: RFC 7797 §3.
    pub(super) fn is_unencoded(&self) -> bool {
        self.protected.get("b64").is_some_and(|b64| b64.value == Value::Bool(false))
    }

    /// Returns the same without the text that it was read from.
    pub(super) fn into_owned(self) -> Jws<'static> {
        let own = |text: Cow<'t, str>| Cow::Owned(text.into_owned());
        Jws {
            serialization: self.serialization,
            protected_text: own(self.protected_text),
            protected: self.protected,
            payload: self.payload.map(|payload| Rc::new(Cow::Owned(payload.as_ref().to_string()))),
            signature_text: own(self.signature_text),
            value: self.value,
            unprotected: self.unprotected.into_owned(),
            etsi_u: self.etsi_u.into_owned(),
            content_tokens: self.content_tokens,
            chain: self.chain,
            irregularities: self.irregularities,
        }
    }

    /// Returns the counter-signature that a `cSig` holds: a compact JWS, or an object as in RFC 7515 §7.2. `source` is the text
    /// that it stands in.
    pub(super) fn counter_signature(
        node: Node<'_>,
        source: &str,
        depth: usize,
        budget: &Budget,
    ) -> Option<Jws<'static>> {
        if depth >= COUNTER_SIGNATURES {
            return None;
        }
        match node.value {
            Value::String(text) => Jws::compact(&text, depth + 1, budget).ok().map(Jws::into_owned),
            Value::Object(members) => {
                let mut found = signatures(members, source, depth + 1, budget).ok()??.into_iter();
                found.next().filter(|_| found.next().is_none()).map(Jws::into_owned)
            }
            _ => None,
        }
    }
}

/// A JWS as written.
struct Parts<'t> {
    serialization: JwsSerialization,
    protected: Cow<'t, str>,
    payload: Option<Rc<Cow<'t, str>>>,
    signature: Cow<'t, str>,
    unprotected: Node<'t>,
}

/// Reads a protected header (RFC 7515 §5.2 2) to 4)). A JWS without one has an empty one.
fn header(text: &str, place: usize, budget: &Budget) -> Result<Node<'static>, JoseError> {
    if text.is_empty() {
        return Ok(Node { value: Value::Object(vec![]), span: 0..0 });
    }
    let bytes = base64url::decode(text).ok_or(JoseError::HeaderEncoding { place })?;
    let node = parse(&bytes, budget).map_err(|source| JoseError::Header { place, source })?;
    match node.value {
        Value::Object(_) => Ok(node.into_owned()),
        _ => Err(JoseError::HeaderKind { place }),
    }
}
