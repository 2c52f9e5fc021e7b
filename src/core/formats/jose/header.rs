//! What the protected header says of the signature as such: RFC 7515 §4.1, TS 119 182-1 §5.1, §5.2.

use super::base64url;
use super::json::{Node, Value};
use super::jws::Jws;
use super::{material, payload};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::digest;
use crate::facts::{Irregularity, IrregularityKind};
use crate::time::Time;
use std::collections::HashSet;

/// RFC 7515 §4.1.11: the extensions that are understood here (TS 119 182-1 §5.1.9, RFC 7797 §3), beside `exp` of RFC
/// 7519 §4.1.4, which TS 119 411-5 demands of bindings to TLS certificates, and `nbf` of §4.1.5.
const UNDERSTOOD: [&str; 14] = [
    "sigT", "iat", "exp", "nbf", "x5t#o", "sigX5ts", "srCms", "sigPl", "srAts", "adoTst", "sigPId", "sigD", "b64",
    "etsiU",
];

/// RFC 7515 §4.1 and RFC 7518 §4: names that `crit` does not list, being understood by everybody.
const NEVER_CRITICAL: [&str; 20] = [
    "alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit", "epk", "apu", "apv", "iv",
    "tag", "p2s", "p2c", "enc", "zip",
];

/// What `crit` is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Critical {
    /// It is as RFC 7515 asks, or absent.
    Sound,
    /// It is not, but everything that it lists is understood.
    Malformed,
    /// It lists what nobody here understands: the signature does not count.
    NotUnderstood,
}

/// Checks what the signature states to be critical (RFC 7515 §4.1.11).
///
/// NOTE: a list that is malformed (a text, a name twice, a name of RFC 7515 itself) takes the profile from the
/// signature, as EU DSS has it, and not its validity: the danger is in what is not understood.
pub(super) fn critical(jws: &Jws<'_>) -> Critical {
    let Some(crit) = jws.protected.get("crit") else { return Critical::Sound };
    let mut names = vec![];
    gather(crit, &mut names);
    let known = |name: &&str| UNDERSTOOD.contains(name) || NEVER_CRITICAL.contains(name);
    if !names.iter().all(known) || is_out_of_time(jws, &names) {
        return Critical::NotUnderstood;
    }
    let list: Option<Vec<&str>> = crit.elements().iter().map(Node::text).collect();
    let present = |name: &&str| jws.protected.get(name).is_some() || jws.unprotected.get(name).is_some();
    // `nbf` is no parameter of JAdES.
    let sound = list.is_some_and(|list| {
        !list.is_empty()
            && list.iter().enumerate().all(|(at, name)| !list[..at].contains(name))
            && list.iter().all(|name| present(name) && !NEVER_CRITICAL.contains(name) && *name != "nbf")
    });
    if sound { Critical::Sound } else { Critical::Malformed }
}

/// Gathers every text in a value. The parser bounds its depth.
fn gather<'n>(node: &'n Node<'_>, names: &mut Vec<&'n str>) {
    match &node.value {
        Value::String(text) => names.push(text),
        Value::Array(elements) => elements.iter().for_each(|element| gather(element, names)),
        // Nothing else is the name of a parameter; an empty name is not understood.
        _ => names.push(""),
    }
}

/// Returns whether `nbf` or `exp`, where it is critical, does not permit the claimed signing time (RFC 7519 §4.1.4,
/// §4.1.5).
fn is_out_of_time(jws: &Jws<'_>, critical: &[&str]) -> bool {
    let claimed = signing_time(jws);
    let not_before = jws.protected.get("nbf").and_then(numeric_date).zip(claimed);
    let expires = expiration_time(jws).zip(claimed);
    critical.contains(&"nbf") && not_before.is_none_or(|(not_before, claimed)| claimed < not_before)
        || critical.contains(&"exp") && expires.is_none_or(|(expires, claimed)| claimed >= expires)
}

/// Returns whether a parameter is not listed that has to be listed wherever it is (TS 119 182-1 §6.3).
pub(super) fn has_unlisted(jws: &Jws<'_>) -> bool {
    ["b64", "sigD"].iter().any(|name| jws.protected.get(name).is_some() && !is_listed(jws, name))
}

/// Returns what is irregular about the headers: RFC 7515 §4.1.11, RFC 7797 §3 and §6, TS 119 182-1 §5.1.9.
pub(super) fn irregularities(jws: &Jws<'_>) -> Vec<Irregularity> {
    use IrregularityKind::{FormatViolation, MalformedHeader, SignerIdentifierMismatch};
    let mut found = vec![];
    // §4.1.6: the first certificate is the signer's, and §4.1.8 names that one.
    let stated = jws.protected.text_of("x5t#S256").and_then(base64url::decode);
    let first = jws.chain.first().filter(|first| !first.is_empty());
    let first = first.and_then(|first| digest(DigestAlgorithm::Sha256, first));
    if stated.zip(first).is_some_and(|(stated, first)| stated != first) {
        found.push(Irregularity::about(SignerIdentifierMismatch, "x5t#S256, x5c"));
    }
    if material::is_chain_malformed(jws) {
        found.push(Irregularity::about(MalformedHeader, "x5c"));
    }
    let critical = critical(jws);
    if critical != Critical::Sound {
        let mut names = vec![];
        jws.protected.get("crit").into_iter().for_each(|crit| gather(crit, &mut names));
        let names: String = names.join(", ").chars().take(100).collect();
        let kind = if critical == Critical::Malformed { MalformedHeader } else { FormatViolation };
        found.push(Irregularity::about(kind, format!("crit [{names}]")));
    }
    let twice = twice(jws).map(|name| name.chars().take(100).collect::<String>());
    found.extend(twice.map(|name| Irregularity::about(FormatViolation, format!("{name} in both headers"))));
    // TS 119 182-1 §5.3.1: what is in it there is not read.
    if jws.protected.get("etsiU").is_some() {
        found.push(Irregularity::about(MalformedHeader, "etsiU that is protected"));
    }
    // RFC 7519 §4.1.4: it had ended when it was signed.
    if expiration_time(jws).zip(signing_time(jws)).is_some_and(|(expires, claimed)| claimed >= expires) {
        found.push(Irregularity::about(MalformedHeader, "exp"));
    }
    for name in ["crit", "b64", "sigD"].into_iter().filter(|name| jws.unprotected.get(name).is_some()) {
        found.push(Irregularity::about(MalformedHeader, format!("{name} that is not protected")));
    }
    // A reader that does not know the parameter takes another payload for the signed one.
    if jws.protected.get("b64").is_some_and(|b64| b64.value != Value::Bool(true)) && !is_listed(jws, "b64") {
        found.push(Irregularity::about(FormatViolation, "b64 that is not in crit"));
    }
    if jws.protected.get("sigD").is_some() && !is_listed(jws, "sigD") {
        found.push(Irregularity::about(MalformedHeader, "sigD that is not in crit"));
    }
    // TS 119 182-1 §5.2.8.1: objects that are referred to are not beside a payload.
    if jws.protected.get("sigD").is_some() && jws.own_payload().is_some() {
        found.push(Irregularity::about(FormatViolation, "sigD and a payload"));
    }
    // TS 119 182-1 §5.2.8.1: one type for each object.
    let sig_d = jws.protected.get("sigD").filter(|sig_d| sig_d.get("ctys").is_some());
    if sig_d.is_some_and(|sig_d| sig_d.texts_of("ctys").len() != sig_d.texts_of("pars").len()) {
        found.push(Irregularity::about(MalformedHeader, "ctys"));
    }
    if payload::names_a_field_twice(jws) {
        found.push(Irregularity::about(FormatViolation, "sigD with a field twice"));
    }
    found
}

fn is_listed(jws: &Jws<'_>, name: &str) -> bool {
    let list = jws.protected.get("crit").map(|crit| crit.elements()).unwrap_or_default();
    list.iter().any(|element| element.text() == Some(name))
}

/// Returns the first parameter that stands in both headers, where it may stand in one of them (RFC 7515 §4).
pub(super) fn twice<'j>(jws: &'j Jws<'_>) -> Option<&'j str> {
    let protected: HashSet<&str> = jws.protected.members().iter().map(|(name, _)| &**name).collect();
    jws.unprotected.members().iter().map(|(name, _)| &**name).find(|name| protected.contains(name))
}

/// Returns `alg`, which counts in the protected header only (RFC 7515 §4.1.1).
pub(super) fn algorithm<'j>(jws: &'j Jws<'_>) -> Option<&'j str> {
    jws.protected.text_of("alg").filter(|name| !name.is_empty())
}

/// Returns `typ` (RFC 7515 §4.1.9).
pub(super) fn signature_type(jws: &Jws<'_>) -> Option<String> {
    jws.protected.text_of("typ").and_then(media_type)
}

/// Returns `cty` (RFC 7515 §4.1.10); of detached objects the first in `ctys` (TS 119 182-1 §5.2.8).
pub(super) fn content_type(jws: &Jws<'_>) -> Option<String> {
    let detached = || jws.protected.get("sigD").map(|sig_d| sig_d.texts_of("ctys")).unwrap_or_default();
    jws.protected.text_of("cty").and_then(media_type).or_else(|| media_type(detached().first()?))
}

/// Returns the media type in full: without `/` it is one of `application/`.
fn media_type(text: &str) -> Option<String> {
    match text {
        "" => None,
        whole if whole.contains('/') => Some(whole.into()),
        short => Some(format!("application/{short}")),
    }
}

/// Returns the claimed signing time: `iat` (TS 119 182-1 §5.1.11) or `sigT` (§5.2.1). Where both are there it is not
/// known which one counts.
pub(super) fn signing_time(jws: &Jws<'_>) -> Option<Time> {
    match (jws.protected.get("iat"), jws.protected.get("sigT")) {
        (Some(issued), None) => numeric_date(issued),
        (None, Some(stated)) => stated.text()?.parse().ok(),
        _ => None,
    }
}

/// Returns `exp` (RFC 7519 §4.1.4); a date in text occurs.
pub(super) fn expiration_time(jws: &Jws<'_>) -> Option<Time> {
    let node = jws.protected.get("exp")?;
    numeric_date(node).or_else(|| node.text()?.parse().ok())
}

/// Reads a `NumericDate`: seconds since 1970, also with a fraction (RFC 7519 §2).
fn numeric_date(node: &Node<'_>) -> Option<Time> {
    let Value::Number(number) = &node.value else { return None };
    // The year 9999 ends the dates that can be written.
    const LAST: f64 = 253_402_300_799.0;
    let seconds: f64 = number.parse().ok().filter(|seconds: &f64| seconds.abs() <= LAST)?;
    Some(Time::from_millis((seconds * 1000.0) as i64))
}
