//! Name constraints along a path: RFC 5280 §4.2.1.10 and §6.1.3 (b), (c), §6.1.4 (g).
//!
//! Only the certificate in question is held against the constraints of its issuers; each issuer is held against
//! those above it in its own turn. Names come as text, directory names in the form of RFC 2253.

use crate::facts::{Certificate, GeneralName, GeneralNameType, GeneralSubtree};
use crate::validation::context::ValidationContext;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Subtrees<'a> = HashMap<GeneralNameType, BTreeSet<&'a str>>;

/// Returns whether the names of `certificate` are within what its issuers permit, and outside what they exclude.
pub fn is_within<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> bool {
    let mut permitted: Option<Subtrees<'a>> = None;
    let mut excluded: Subtrees<'a> = HashMap::new();
    for issuer in cx.index.issuers(certificate).into_iter().rev() {
        let Some(constraints) = &issuer.extensions.name_constraints else { continue };
        // §6.1.4 (g)(1): what is permitted shrinks,
        if let Some(subtrees) = by_type(&constraints.permitted) {
            permitted = Some(match permitted {
                Some(before) => intersection(before, subtrees),
                None => subtrees,
            });
        }
        // (2): what is excluded grows.
        for (kind, names) in by_type(&constraints.excluded).into_iter().flatten() {
            excluded.entry(kind).or_default().extend(names);
        }
    }

    let subject = certificate.subject.rfc2253.as_str();
    let names = names(certificate);
    let permitted = permitted.unwrap_or_default();
    let directory = GeneralNameType::DirectoryName;
    permitted.get(&directory).is_none_or(|subtrees| in_directory(subject, subtrees))
        && names.iter().all(|(kind, name)| permitted.get(kind).is_none_or(|s| in_any(*kind, name, s)))
        && !excluded.get(&directory).is_some_and(|subtrees| in_directory(subject, subtrees))
        && !names
            .iter()
            .any(|(kind, name)| excluded.get(kind).is_some_and(|s| s.contains("") || in_any(*kind, name, s)))
}

/// Returns the subject's alternative names. Without a mail address among them, those in the subject count.
fn names(certificate: &Certificate) -> Vec<(GeneralNameType, &str)> {
    let alternative = certificate.extensions.subject_alternative_names.iter().flatten();
    let mut names: Vec<_> =
        alternative.filter_map(|name: &GeneralName| Some((name.kind?, name.value.as_str()))).collect();
    if !names.iter().any(|(kind, _)| *kind == GeneralNameType::Rfc822Name) {
        let mail = attributes(&certificate.subject.rfc2253).into_iter().find(|(kind, _)| *kind == EMAIL_ADDRESS);
        names.extend(mail.into_iter().flat_map(|(_, mail)| mail).map(|mail| (GeneralNameType::Rfc822Name, mail)));
    }
    names
}

/// PKCS #9 `emailAddress`, which RFC 2253 has no name for.
const EMAIL_ADDRESS: &str = "1.2.840.113549.1.9.1";

fn by_type(subtrees: &[GeneralSubtree]) -> Option<Subtrees<'_>> {
    let mut result = Subtrees::new();
    for subtree in subtrees {
        if let Some(kind) = subtree.base.kind {
            result.entry(kind).or_default().insert(subtree.base.value.as_str());
        }
    }
    (!result.is_empty()).then_some(result)
}

/// Returns of each type the narrower of any two subtrees of which one is within the other.
fn intersection<'a>(before: Subtrees<'a>, mut after: Subtrees<'a>) -> Subtrees<'a> {
    for (kind, outer) in before {
        let both = match after.get(&kind) {
            None => outer,
            Some(inner) => {
                let pairs = outer.iter().flat_map(|o| inner.iter().map(move |i| (*o, *i)));
                let narrower = |(o, i)| if is_in(kind, o, i) { Some(o) } else { is_in(kind, i, o).then_some(i) };
                crate::order::set(pairs.filter_map(narrower))
            }
        };
        after.insert(kind, both);
    }
    after
}

fn in_any(kind: GeneralNameType, name: &str, subtrees: &BTreeSet<&str>) -> bool {
    subtrees.iter().any(|subtree| is_in(kind, name, subtree))
}

fn in_directory(subject: &str, subtrees: &BTreeSet<&str>) -> bool {
    subtrees.iter().any(|subtree| is_in_directory(subject, subtree))
}

/// Returns whether a name is within a subtree of its type.
fn is_in(kind: GeneralNameType, name: &str, subtree: &str) -> bool {
    use GeneralNameType::*;
    if name.is_empty() || subtree.is_empty() || kind != IpAddress && subtree.len() > name.len() {
        return false;
    }
    match kind {
        Uri => is_in_domain(&domain(name), &domain(subtree)),
        Rfc822Name => is_in_mail(name, subtree),
        DnsName => is_in_dns(name, subtree),
        DirectoryName => is_in_directory(name, subtree),
        IpAddress => is_in_network(name, subtree),
        _ => name == subtree,
    }
}

/// Returns whether a host is within a constraint. One that begins with a dot is about the hosts below, any other about
/// one host.
fn is_in_domain(host: &str, constraint: &str) -> bool {
    if constraint.starts_with('.') {
        host.to_lowercase().ends_with(&constraint.to_lowercase())
    } else {
        host.eq_ignore_ascii_case(constraint)
    }
}

/// Returns the host of a URI, without `www.`.
fn domain(uri: &str) -> String {
    let authority = uri.rsplit_once("://").map_or(uri, |(_, rest)| rest).replace("www.", "");
    let end = authority.find(['?', '=', ':', '#', '/']).unwrap_or(authority.len());
    authority[..end].to_owned()
}

fn is_in_mail(address: &str, constraint: &str) -> bool {
    if constraint.contains('@') {
        return address.eq_ignore_ascii_case(constraint);
    }
    is_in_domain(address.split_once('@').map_or(address, |(_, host)| host), constraint)
}

/// Returns whether a name is the constraint with labels added on the left only.
fn is_in_dns(name: &str, constraint: &str) -> bool {
    let labels = |text: &str| text.split('.').map(str::to_ascii_lowercase).collect::<Vec<_>>();
    labels(name).ends_with(&labels(constraint))
}

/// Returns whether every attribute of the subtree is one of the name's.
fn is_in_directory(name: &str, subtree: &str) -> bool {
    let name = attributes(name);
    attributes(subtree).iter().all(|(key, values)| name.get(key).is_some_and(|having| values.is_subset(having)))
}

/// Returns the attributes of a name in the form of RFC 2253.
fn attributes(name: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut result: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut start = 0;
    let escaped = |at: usize| at == 0 || name.as_bytes()[at - 1] == b'\\';
    let commas = name.bytes().enumerate().filter(|(at, byte)| *byte == b',' && !escaped(*at)).map(|(at, _)| at);
    for end in commas.chain([name.len()]) {
        if let Some((key, value)) = name.get(start..end).and_then(|rdn| rdn.split_once('=')) {
            result.entry(key).or_default().insert(value);
        }
        start = end + 1;
    }
    result
}

/// Returns whether an address is within a constraint, a network and its mask (§4.2.1.10); DSS writes both in
/// hexadecimal after `#`.
fn is_in_network(address: &str, constraint: &str) -> bool {
    let (Some(address), Some(constraint)) = (hexadecimal(address), hexadecimal(constraint)) else { return false };
    let (network, mask) = constraint.split_at(constraint.len() / 2);
    let masked = |bytes: &[u8]| bytes.iter().zip(mask).map(|(byte, mask)| byte & mask).collect::<Vec<_>>();
    address.len() == network.len() && mask.len() == network.len() && masked(&address) == masked(network)
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix('#')?;
    let nibble = |c: char| c.to_digit(16).map(|digit| digit as u8);
    let nibbles = digits.chars().map(nibble).collect::<Option<Vec<_>>>()?;
    (nibbles.len() % 2 == 0).then(|| nibbles.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees() {
        use GeneralNameType::*;
        for (clause, situation, kind, name, subtree, expected) in [
            ("4.2.1.10", "the host itself", Uri, "https://host.example.com/a?b", "host.example.com", true),
            ("4.2.1.10", "a host below a dotted constraint", Uri, "http://host.example.com", ".example.com", true),
            ("4.2.1.10", "the domain itself, dotted", Uri, "http://example.com", ".example.com", false),
            ("4.2.1.10", "one mailbox", Rfc822Name, "a@example.com", "a@example.com", true),
            ("4.2.1.10", "another mailbox", Rfc822Name, "bb@example.com", "a@example.com", false),
            ("4.2.1.10", "any mailbox of a host", Rfc822Name, "a@example.com", "example.com", true),
            ("4.2.1.10", "labels added on the left", DnsName, "www.host.example.com", "example.com", true),
            ("4.2.1.10", "half a label added", DnsName, "myexample.com", "example.com", false),
            ("4.2.1.10", "attributes within", DirectoryName, "CN=a,O=Org\\, Inc,C=PT", "O=Org\\, Inc,C=PT", true),
            ("4.2.1.10", "another country", DirectoryName, "CN=a,O=Org,C=ES", "O=Org,C=PT", false),
            ("4.2.1.10", "an address in the network", IpAddress, "#0a000001", "#0a000000ff000000", true),
            ("4.2.1.10", "an address outside", IpAddress, "#0b000001", "#0a000000ff000000", false),
            ("4.2.1.10", "an address of another family", IpAddress, "#0a", "#0a000000ff000000", false),
            ("4.2.1.10", "not an address", IpAddress, "10.0.0.1", "#0a000000ff000000", false),
        ] {
            assert_eq!(is_in(kind, name, subtree), expected, "{clause} {situation}");
        }
    }
}
