//! Certificate extensions: RFC 5280 §4.2, as the record has them.

use super::general_name::{GeneralName, general_names};
use super::qc_statements;
use crate::asn1::{Error, Oid, Reader, Tag, Tlv, oid};
use crate::facts::{
    AuthorityInformationAccess, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicy, ExtensionHeader,
    Extensions, GeneralNameType, GeneralSubtree, KeyUsage, NameConstraints, PolicyConstraints,
};

pub(crate) const SUBJECT_KEY_IDENTIFIER: Oid<'static> = oid!("2.5.29.14");
pub(crate) const KEY_USAGE: Oid<'static> = oid!("2.5.29.15");
pub(crate) const SUBJECT_ALT_NAME: Oid<'static> = oid!("2.5.29.17");
pub(crate) const BASIC_CONSTRAINTS: Oid<'static> = oid!("2.5.29.19");
pub(crate) const NAME_CONSTRAINTS: Oid<'static> = oid!("2.5.29.30");
pub(crate) const CRL_DISTRIBUTION_POINTS: Oid<'static> = oid!("2.5.29.31");
pub(crate) const CERTIFICATE_POLICIES: Oid<'static> = oid!("2.5.29.32");
pub(crate) const AUTHORITY_KEY_IDENTIFIER: Oid<'static> = oid!("2.5.29.35");
pub(crate) const POLICY_CONSTRAINTS: Oid<'static> = oid!("2.5.29.36");
pub(crate) const EXTENDED_KEY_USAGE: Oid<'static> = oid!("2.5.29.37");
pub(crate) const FRESHEST_CRL: Oid<'static> = oid!("2.5.29.46");
pub(crate) const INHIBIT_ANY_POLICY: Oid<'static> = oid!("2.5.29.54");
pub(crate) const NO_REV_AVAIL: Oid<'static> = oid!("2.5.29.56");
pub(crate) const AUTHORITY_INFORMATION_ACCESS: Oid<'static> = oid!("1.3.6.1.5.5.7.1.1");
pub(crate) const QC_STATEMENTS: Oid<'static> = oid!("1.3.6.1.5.5.7.1.3");
pub(crate) const OCSP_NO_CHECK: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1.5");
pub(crate) const VALIDITY_ASSURED_SHORT_TERM: Oid<'static> = oid!("0.4.0.194121.2.1");

/// An extension: RFC 5280 §4.1.2.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension<'a> {
    /// `extnID`.
    pub oid: Oid<'a>,
    /// Whether software that does not know the extension must reject the certificate.
    pub critical: bool,
    /// The contents of `extnValue`.
    pub value: &'a [u8],
}

impl<'a> Extension<'a> {
    /// Reads `SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`.
    pub(super) fn read(element: Tlv<'a>) -> Result<Self, Error> {
        let mut parts = element.expecting(Tag::SEQUENCE)?.children();
        let oid = Oid::from_content(parts.expect(Tag::OID)?.content);
        let critical = parts.optional(Tag::BOOLEAN)?.map_or(Ok(false), |tlv| tlv.boolean())?;
        let value = parts.expect(Tag::OCTET_STRING)?;
        parts.finish()?;
        // X.690 §10.2: in DER a string is in one piece.
        if value.tag.constructed {
            return Err(Error::Malformed { expected: "OCTET STRING", found: "pieces" });
        }
        Ok(Self { oid, critical, value: value.content })
    }
}

/// The extensions that are understood in one place, each with the type of its value; `None` where it may be anything.
pub(super) type Known = [(Oid<'static>, Option<Tag>)];

/// Returns whether all extensions of CRLs and OCSP responses that are `elements` can be read, and each critical one is among
/// the `known` ones with a value of the type beside it: whoever does not understand one must not rely on the rest
/// (RFC 5280 §5.2, §5.3, RFC 6960 §4.4).
pub(super) fn are_understood(elements: Reader<'_>, known: &Known) -> bool {
    let is_known = |one: &Extension<'_>| {
        let found = known.iter().find(|(oid, _)| one.oid == *oid);
        found.is_some_and(|(_, kind)| kind.is_none_or(|kind| Tlv::whole(one.value).is_ok_and(|value| value.is(kind))))
    };
    elements.each_is(|element| Extension::read(*element).is_ok_and(|one| !one.critical || is_known(&one)))
}

/// Reads every extension that has a field; one that cannot be read is present and has no value.
pub(super) fn read<'a>(extensions: impl Iterator<Item = Extension<'a>>) -> Extensions {
    let mut out = Extensions::default();
    for extension in extensions {
        let known = read_one(&mut out, &extension).unwrap_or(true);
        out.present.push(ExtensionHeader {
            oid: extension.oid.dotted(),
            critical: extension.critical,
            bytes: (!known).then(|| extension.value.into()),
        });
    }
    out
}

/// Returns whether the extension has a field of its own.
fn read_one(out: &mut Extensions, extension: &Extension<'_>) -> Result<bool, Error> {
    let value = || Tlv::split(extension.value).map(|(tlv, _)| tlv);
    match extension.oid {
        KEY_USAGE => out.key_usage = Some(key_usage(value()?)?),
        EXTENDED_KEY_USAGE => out.extended_key_usage = Some(list(value()?, |tlv| Ok(tlv.oid()?.to_string()))?),
        CERTIFICATE_POLICIES => out.certificate_policies = Some(list(value()?, certificate_policy)?),
        SUBJECT_ALT_NAME => {
            let names = general_names(value()?.expecting(Tag::SEQUENCE)?.children())?;
            out.subject_alternative_names = Some(names.into_iter().map(GeneralName::to_facts).collect());
        }
        BASIC_CONSTRAINTS => out.basic_constraints = Some(basic_constraints(value()?)?),
        POLICY_CONSTRAINTS => out.policy_constraints = Some(policy_constraints(value()?)?),
        INHIBIT_ANY_POLICY => out.inhibit_any_policy = Some(value()?.to_i64()?),
        NAME_CONSTRAINTS => out.name_constraints = Some(name_constraints(value()?)?),
        CRL_DISTRIBUTION_POINTS => out.crl_distribution_points = Some(distribution_points(value()?)?),
        FRESHEST_CRL => out.freshest_crl = Some(distribution_points(value()?)?),
        AUTHORITY_KEY_IDENTIFIER => out.authority_key_identifier = Some(authority_key_identifier(value()?)?),
        SUBJECT_KEY_IDENTIFIER => {
            out.subject_key_identifier = Some(value()?.expecting(Tag::OCTET_STRING)?.bytes()?.into_owned().into());
        }
        AUTHORITY_INFORMATION_ACCESS => out.authority_information_access = Some(information_access(value()?)?),
        OCSP_NO_CHECK => out.ocsp_no_check = value()?.is(Tag::NULL),
        VALIDITY_ASSURED_SHORT_TERM => out.short_term = true,
        NO_REV_AVAIL => out.no_rev_avail = true,
        QC_STATEMENTS => out.qc_statements = Some(qc_statements::read(value()?)?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns the elements of a SEQUENCE OF.
pub(super) fn list<'a, T>(value: Tlv<'a>, mut each: impl FnMut(Tlv<'a>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let mut out = Vec::new();
    let mut elements = value.expecting(Tag::SEQUENCE)?.children();
    while let Some(element) = Reader::next(&mut elements)? {
        out.push(each(element)?);
    }
    Ok(out)
}

/// Reads a BIT STRING of named bits (RFC 5280 §4.2.1.3).
fn key_usage(value: Tlv<'_>) -> Result<Vec<KeyUsage>, Error> {
    let bits = value.expecting(Tag::BIT_STRING)?.bit_string()?;
    Ok(KeyUsage::ALL.iter().enumerate().filter(|(bit, _)| bits.bit(*bit)).map(|(_, usage)| *usage).collect())
}

/// Reads `SEQUENCE { policyIdentifier, policyQualifiers SEQUENCE OF SEQUENCE { id, qualifier } OPTIONAL }` (RFC 5280
/// §4.2.1.4).
fn certificate_policy(policy: Tlv<'_>) -> Result<CertificatePolicy, Error> {
    const CPS: Oid<'static> = oid!("1.3.6.1.5.5.7.2.1");
    let mut parts = policy.expecting(Tag::SEQUENCE)?.children();
    let oid = parts.expect(Tag::OID)?.oid()?.to_string();
    let mut cps_url = None;
    let qualifiers = parts.optional(Tag::SEQUENCE)?.map_or(Reader::new(&[]), |tlv| tlv.children());
    for qualifier in qualifiers {
        let mut qualifier = qualifier.children();
        if qualifier.expect(Tag::OID)?.oid()? == CPS {
            cps_url = Some(qualifier.read()?.string()?.into_owned());
        }
    }
    Ok(CertificatePolicy { oid, cps_url })
}

/// Reads `SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }` (RFC 5280 §4.2.1.9).
fn basic_constraints(value: Tlv<'_>) -> Result<BasicConstraints, Error> {
    let mut parts = value.expecting(Tag::SEQUENCE)?.children();
    let ca = parts.optional(Tag::BOOLEAN)?.map_or(Ok(false), |tlv| tlv.boolean())?;
    let path_length = parts.optional(Tag::INTEGER)?.map(|tlv| tlv.to_i64()).transpose()?;
    Ok(BasicConstraints { ca, path_length })
}

/// Reads `SEQUENCE { [0] INTEGER OPTIONAL, [1] INTEGER OPTIONAL }` (RFC 5280 §4.2.1.11).
fn policy_constraints(value: Tlv<'_>) -> Result<PolicyConstraints, Error> {
    let mut parts = value.expecting(Tag::SEQUENCE)?.children();
    Ok(PolicyConstraints {
        require_explicit_policy: parts.context(0)?.map(|tlv| tlv.to_i64()).transpose()?,
        inhibit_policy_mapping: parts.context(1)?.map(|tlv| tlv.to_i64()).transpose()?,
    })
}

/// Reads `SEQUENCE { [0] GeneralSubtrees OPTIONAL, [1] GeneralSubtrees OPTIONAL }` (RFC 5280 §4.2.1.10).
fn name_constraints(value: Tlv<'_>) -> Result<NameConstraints, Error> {
    let mut parts = value.expecting(Tag::SEQUENCE)?.children();
    Ok(NameConstraints { permitted: subtrees(parts.context(0)?)?, excluded: subtrees(parts.context(1)?)? })
}

/// Reads `SEQUENCE OF SEQUENCE { base GeneralName, minimum [0] INTEGER DEFAULT 0, maximum [1] INTEGER OPTIONAL }`.
fn subtrees(trees: Option<Tlv<'_>>) -> Result<Vec<GeneralSubtree>, Error> {
    let mut out = Vec::new();
    let Some(trees) = trees else { return Ok(out) };
    let mut trees = trees.children();
    while let Some(tree) = Reader::next(&mut trees)? {
        let mut parts = tree.expecting(Tag::SEQUENCE)?.children();
        let base = parts.read()?;
        let Some(base) = GeneralName::from_tlv(base) else { continue };
        let minimum = parts.context(0)?.map_or(Ok(0), |tlv| tlv.to_i64())?;
        let maximum = parts.context(1)?.map(|tlv| tlv.to_i64()).transpose()?;
        let mut base = base.to_facts();
        if base.value.is_empty() && base.kind != Some(GeneralNameType::DirectoryName) {
            // The subtree of every name: shown so that it is seen.
            base.value = "\"\"".into();
        }
        out.push(GeneralSubtree { base, minimum: Some(minimum), maximum });
    }
    Ok(out)
}

/// Returns the URIs of `SEQUENCE OF SEQUENCE { [0] DistributionPointName, [1] reasons, [2] cRLIssuer }` (RFC 5280
/// §4.2.1.13).
fn distribution_points(value: Tlv<'_>) -> Result<Vec<String>, Error> {
    let mut urls = Vec::new();
    for point in list(value, |point| Ok(point.children()))? {
        let mut point = point;
        // DistributionPointName ::= CHOICE { fullName [0] GeneralNames, nameRelativeToCRLIssuer [1] }
        let Some(name) = point.context(0)? else { continue };
        let Some(full_name) = name.children().context(0)? else { continue };
        urls.extend(uris(full_name.children())?);
    }
    Ok(urls)
}

fn uris(names: Reader<'_>) -> Result<Vec<String>, Error> {
    let names = general_names(names)?;
    Ok(names.iter().filter(|name| name.kind == GeneralNameType::Uri).map(GeneralName::text).collect())
}

/// Reads `SEQUENCE { [0] OCTET STRING, [1] GeneralNames, [2] INTEGER }`, each optional (RFC 5280 §4.2.1.1). The last
/// two are kept as the DER of the `IssuerSerial` that they make together.
fn authority_key_identifier(value: Tlv<'_>) -> Result<AuthorityKeyIdentifier, Error> {
    let mut parts = value.expecting(Tag::SEQUENCE)?.children();
    let key_identifier = parts.context(0)?.map(|tlv| tlv.bytes()).transpose()?;
    let issuer = parts.context(1)?;
    let serial = parts.context(2)?;
    let issuer_serial = issuer.zip(serial).map(|(issuer, serial)| {
        let mut writer = crate::asn1::Writer::new();
        writer.sequence(|w| {
            w.element(Tag::SEQUENCE, issuer.content).element(Tag::INTEGER, serial.content);
        });
        writer.finish().into()
    });
    Ok(AuthorityKeyIdentifier { key_identifier: key_identifier.map(|bytes| bytes.into_owned().into()), issuer_serial })
}

/// Reads `SEQUENCE OF SEQUENCE { accessMethod OBJECT IDENTIFIER, accessLocation GeneralName }` (RFC 5280 §4.2.2.1).
fn information_access(value: Tlv<'_>) -> Result<AuthorityInformationAccess, Error> {
    const OCSP: Oid<'static> = oid!("1.3.6.1.5.5.7.48.1");
    const CA_ISSUERS: Oid<'static> = oid!("1.3.6.1.5.5.7.48.2");
    let mut access = AuthorityInformationAccess::default();
    for mut description in list(value, |description| Ok(description.children()))? {
        let urls = match description.expect(Tag::OID)?.oid()? {
            OCSP => &mut access.ocsp,
            CA_ISSUERS => &mut access.ca_issuers,
            _ => continue,
        };
        urls.extend(uris(Reader::new(description.read()?.raw))?);
    }
    Ok(access)
}
