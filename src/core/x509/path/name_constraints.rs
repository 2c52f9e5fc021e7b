//! Name constraints: RFC 5280 §4.2.1.10.

use super::{PathError, Work};
use crate::asn1::{Reader, Tag, Tlv, oid};
use crate::facts::GeneralNameType as Kind;
use crate::x509::extensions::{NAME_CONSTRAINTS, SUBJECT_ALT_NAME};
use crate::x509::name::FoldedRdn;
use crate::x509::{Certificate, GeneralName, Name, general_names};

/// The constraints of all certificates above.
#[derive(Default)]
pub(super) struct NameConstraints {
    sets: Vec<Set>,
}

struct Set {
    permitted: Vec<Base>,
    excluded: Vec<Base>,
}

/// The base of a subtree, or the name of a certificate.
#[derive(Debug, Clone)]
struct Base {
    kind: Kind,
    text: String,
    bytes: Vec<u8>,
    /// Whether a base has the form that §4.2.1.10 gives it.
    ///
    /// NOTE: CAs of the field exclude `""`, written with its quotation marks. One base that means nothing takes nothing
    /// from the others: no name is within it, and each name of its kind may be.
    of_form: bool,
    /// The texts of a directory name's parts, folded; `None` where they cannot be read.
    rdns: Option<Vec<FoldedRdn>>,
}

impl Base {
    fn of(name: &GeneralName<'_>) -> Option<Self> {
        let rdns = match name.kind {
            Kind::DirectoryName => name.directory_name()?.texts(),
            _ => None,
        };
        Some(Self {
            kind: name.kind,
            text: name.text().to_ascii_lowercase(),
            bytes: name.tlv.content.to_vec(),
            rdns,
            of_form: true,
        })
    }
}

impl NameConstraints {
    /// Adds the constraints of a CA, which hold for everything below it (§6.1.4 (g)).
    pub fn add(&mut self, at: usize, certificate: &Certificate, work: &mut Work) -> Result<(), PathError> {
        work.read(certificate, NAME_CONSTRAINTS)?;
        let Some(extension) = certificate.extension(NAME_CONSTRAINTS) else { return Ok(()) };
        let unreadable = || PathError::Extension { at, oid: NAME_CONSTRAINTS.to_string() };
        self.sets.push(read(extension.value).ok_or_else(unreadable)?);
        Ok(())
    }

    /// Checks that every name is permitted by each certificate above and excluded by none (§6.1.3 (b), (c)).
    pub fn check(&self, at: usize, certificate: &Certificate, work: &mut Work) -> Result<(), PathError> {
        if self.sets.is_empty() {
            return Ok(());
        }
        work.read(certificate, SUBJECT_ALT_NAME)?;
        let names = names_of(certificate);
        let names = names.ok_or_else(|| PathError::Extension { at, oid: SUBJECT_ALT_NAME.to_string() })?;
        for set in &self.sets {
            for name in &names {
                work.compare(set.permitted.len() + set.excluded.len())?;
                let refused = || PathError::NameConstraints { at, name: name.text.clone() };
                let mut permitted = set.permitted.iter().filter(|base| base.kind == name.kind).peekable();
                let limited = permitted.peek().is_some();
                // A form that is not understood cannot be found within a subtree, nor outside of one.
                if limited && !permitted.any(|base| within(name, base) == Some(true)) {
                    return Err(refused());
                }
                let excluded = set.excluded.iter().filter(|base| base.kind == name.kind);
                if excluded.into_iter().any(|base| touches(name, base)) {
                    return Err(refused());
                }
            }
        }
        Ok(())
    }
}

/// Reads `SEQUENCE { permittedSubtrees [0] OPTIONAL, excludedSubtrees [1] OPTIONAL }`, at least one and not empty.
fn read(value: &[u8]) -> Option<Set> {
    let mut parts = Tlv::whole(value).ok()?.expecting(Tag::SEQUENCE).ok()?.children();
    let permitted = subtrees(parts.context(0).ok()?)?;
    let excluded = subtrees(parts.context(1).ok()?)?;
    (parts.is_empty() && !(permitted.is_empty() && excluded.is_empty())).then_some(Set { permitted, excluded })
}

/// Reads `SEQUENCE SIZE (1..MAX) OF SEQUENCE { base GeneralName, minimum [0] DEFAULT 0, maximum [1] OPTIONAL }`; the
/// profile has minimum 0 and no maximum.
fn subtrees(list: Option<Tlv<'_>>) -> Option<Vec<Base>> {
    let mut out = Vec::new();
    let Some(list) = list else { return Some(out) };
    let mut elements = list.children();
    while let Some(subtree) = Reader::next(&mut elements).ok()? {
        let mut parts = subtree.expecting(Tag::SEQUENCE).ok()?.children();
        let base = Base::of(&GeneralName::from_tlv(parts.read().ok()?)?)?;
        let minimum = parts.context(0).ok()?.map_or(Some(0), |tlv| tlv.to_u64().ok())?;
        if minimum != 0 || !parts.is_empty() {
            return None;
        }
        let of_form = is_base(&base);
        out.push(Base { of_form, ..base });
    }
    (!out.is_empty()).then_some(out)
}

/// Returns whether a subtree's base has the form that §4.2.1.10 gives it.
fn is_base(base: &Base) -> bool {
    match base.kind {
        Kind::DnsName => base.text.is_empty() || is_dns(&base.text),
        Kind::IpAddress => match base.bytes.len() {
            8 | 32 => is_mask(&base.bytes[base.bytes.len() / 2..]),
            _ => false,
        },
        _ => true,
    }
}

fn is_dns(text: &str) -> bool {
    let label =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    text.split('.').all(label)
}

/// Returns whether a mask is ones, then zeros (RFC 4632).
fn is_mask(mask: &[u8]) -> bool {
    let ones: u32 = mask.iter().map(|byte| byte.count_ones()).sum();
    let leading = mask.iter().take_while(|byte| **byte == 0xff).count();
    ones == leading as u32 * 8 + mask.get(leading).map_or(0, |byte| byte.leading_ones())
}

/// Returns the names to which constraints apply: the subject, its e-mail addresses where there is no other, alternative
/// names.
fn names_of(certificate: &Certificate) -> Option<Vec<Base>> {
    let mut names = Vec::new();
    let mut mail = false;
    if let Some(extension) = certificate.extension(SUBJECT_ALT_NAME) {
        let list = Tlv::whole(extension.value).ok()?.expecting(Tag::SEQUENCE).ok()?;
        for name in general_names(list.children()).ok()? {
            mail |= name.kind == Kind::Rfc822Name;
            names.push(Base::of(&name)?);
            names.extend(international_mailbox(&name));
        }
    }
    let subject: &Name = certificate.subject();
    if !subject.is_empty() {
        names.push(Base {
            kind: Kind::DirectoryName,
            text: subject.rfc2253().to_owned(),
            bytes: Vec::new(),
            rdns: subject.texts(),
            of_form: true,
        });
    }
    if !mail {
        for (kind, value) in subject.rdns().flatten() {
            if kind == oid!("1.2.840.113549.1.9.1") {
                names.push(mailbox(&value.string().ok()?));
            }
        }
    }
    Some(names)
}

fn mailbox(text: &str) -> Base {
    let text = text.to_ascii_lowercase();
    Base { kind: Kind::Rfc822Name, text, bytes: Vec::new(), rdns: None, of_form: true }
}

/// Returns an `SmtpUTF8Mailbox` as a mailbox: constraints of rfc822Names are for it as well (RFC 9598 §6). Its host is
/// in ASCII (§3); what cannot be read is a mailbox of nobody knows where.
fn international_mailbox(name: &GeneralName<'_>) -> Option<Base> {
    let mut parts = name.tlv.children();
    let kind = (name.kind == Kind::OtherName).then(|| parts.expect(Tag::OID)).and_then(Result::ok)?;
    let is_one = kind.oid().is_ok_and(|kind| kind == oid!("1.3.6.1.5.5.7.8.9"));
    let value = || parts.context(0).ok().flatten().and_then(|explicit| explicit.inner().ok());
    is_one.then(value).map(|value| mailbox(&value.and_then(|text| text.string().ok()).unwrap_or_default()))
}

/// Returns whether a name is within a subtree of its kind; `None` where that cannot be told.
fn within(name: &Base, base: &Base) -> Option<bool> {
    if !base.of_form {
        return None;
    }
    match name.kind {
        Kind::DnsName => {
            is_dns(name.text.strip_prefix("*.").unwrap_or(&name.text)).then(|| dns_within(&name.text, &base.text))
        }
        Kind::Rfc822Name => mail_within(&name.text, &base.text),
        Kind::Uri => host_within(uri_host(&name.text)?, &base.text),
        Kind::DirectoryName => Some(name.rdns.as_ref()?.starts_with(base.rdns.as_ref()?)),
        Kind::IpAddress => {
            let (address, mask) = base.bytes.split_at(base.bytes.len() / 2);
            let masked = |bytes: &[u8]| bytes.iter().zip(mask).map(|(a, m)| a & m).collect::<Vec<_>>();
            Some(name.bytes.len() == address.len() && masked(&name.bytes) == masked(address))
        }
        _ => None,
    }
}

/// Returns whether a name may be within an excluded subtree: when in doubt, it is.
fn touches(name: &Base, base: &Base) -> bool {
    // A wildcard stands for every label: it meets a subtree one label below it, too.
    let wildcard = name.text.strip_prefix("*.").filter(|_| name.kind == Kind::DnsName);
    let below = wildcard.is_some_and(|rest| base.text.split_once('.').is_some_and(|(_, parent)| parent == rest));
    below || within(name, base).unwrap_or(true)
}

/// Returns whether a name is within a constraint: the name itself, or with labels added on the left.
fn dns_within(name: &str, base: &str) -> bool {
    base.is_empty() || name == base || name.strip_suffix(base).is_some_and(|head| head.ends_with('.'))
}

/// Returns whether a host is within a constraint: a host stands for itself, `.domain` for the hosts in it.
fn host_within(host: &str, base: &str) -> Option<bool> {
    if base.is_empty() {
        return Some(true);
    }
    Some(if base.starts_with('.') { host.ends_with(base) && host.len() > base.len() } else { host == base })
}

/// Returns whether a mailbox is within a constraint: a mailbox stands for itself, a host for its mailboxes, `.domain` for those of its hosts.
fn mail_within(mailbox: &str, base: &str) -> Option<bool> {
    // A quoted local part may hold another `@`; nobody agrees on which mailbox that is.
    let (local, host) = mailbox.split_once('@').filter(|(local, host)| !local.is_empty() && is_dns(host))?;
    match base.rsplit_once('@') {
        Some((base_local, base_host)) => Some(local == base_local && host == base_host),
        None => host_within(host, base),
    }
}

/// Returns the host of a URI; `None` where it has none or an address instead.
fn uri_host(uri: &str) -> Option<&str> {
    let authority = uri.split_once("://")?.1.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    (is_dns(host) && !host.bytes().all(|b| b.is_ascii_digit() || b == b'.')).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_of_texts() {
        for (name, base, expected) in [
            ("host.example.com", "example.com", true),
            ("example.com", "example.com", true),
            ("bigexample.com", "example.com", false),
            ("*.example.com", "foo.example.com", false),
            ("anything", "", true),
        ] {
            assert_eq!(dns_within(name, base), expected, "4.2.1.10 dNSName {name} in {base}");
        }
        for (name, base, expected) in [
            ("a@example.com", "a@example.com", Some(true)),
            ("b@example.com", "a@example.com", Some(false)),
            ("b@example.com", "example.com", Some(true)),
            ("b@host.example.com", "example.com", Some(false)),
            ("b@host.example.com", ".example.com", Some(true)),
            ("nobody", "example.com", None),
            ("a@b@example.com", "example.com", None),
            ("a@.example.com", ".example.com", None),
        ] {
            assert_eq!(mail_within(name, base), expected, "4.2.1.10 rfc822Name {name} in {base}");
        }
        for (uri, host) in [
            ("http://a.b:80/c", Some("a.b")),
            ("ldap://u@a.b?x", Some("a.b")),
            ("urn:x", None),
            ("http://1.2.3.4/", None),
        ] {
            assert_eq!(uri_host(uri), host, "4.2.1.10 {uri}");
        }
        assert!(is_mask(&[255, 254, 0, 0]) && is_mask(&[0; 4]) && !is_mask(&[255, 0, 255, 0]));
    }
}
