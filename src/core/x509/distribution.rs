//! Which CRL is for which certificate: distribution points. RFC 5280 §4.2.1.13, §5.2.5, §6.3.3 (b).

use super::extensions::CRL_DISTRIBUTION_POINTS;
use super::{Certificate, GeneralName, Name, general_names};
use crate::asn1::{Error, Tag, Tlv, Writer};
use crate::order;
use std::collections::BTreeSet;

/// `DistributionPointName`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PointName {
    /// `fullName`: each name as its encoding, distinguished names as they are compared (RFC 5280 §7.1).
    Full(BTreeSet<Vec<u8>>),
    /// `nameRelativeToCRLIssuer`, as its encoding.
    Relative(Vec<u8>),
}

/// Where a certificate says that a CRL about it is: RFC 5280 §4.2.1.13.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DistributionPoint {
    /// The name of the place.
    pub name: Option<PointName>,
    /// Whether revocations for some reasons are not to be found there.
    pub some_reasons: bool,
    /// Who issues that CRL, where it is not the certificate's issuer.
    pub issuers: Vec<Name>,
}

/// Which certificates and reasons a CRL is for: RFC 5280 §5.2.5.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IssuingDistributionPoint {
    /// The name of the place where the CRL is.
    pub name: Option<PointName>,
    /// Only certificates of end entities.
    pub only_user_certificates: bool,
    /// Only certificates of CAs.
    pub only_ca_certificates: bool,
    /// Only for these reasons, as the bytes of `ReasonFlags`.
    pub only_some_reasons: Option<Vec<u8>>,
    /// Also certificates of other issuers.
    pub indirect: bool,
    /// Only attribute certificates.
    pub only_attribute_certificates: bool,
}

impl IssuingDistributionPoint {
    /// Reads `SEQUENCE { [0] DistributionPointName, [1] [2] BOOLEAN, [3] ReasonFlags, [4] [5] BOOLEAN }`, each
    /// optional.
    pub(super) fn read(value: &[u8]) -> Result<Self, Error> {
        let mut parts = Tlv::whole(value)?.expecting(Tag::SEQUENCE)?.children();
        let flag = |tlv: Option<Tlv<'_>>| tlv.map_or(Ok(false), |tlv| tlv.boolean());
        let point = Self {
            name: parts.context(0)?.map(name).transpose()?,
            only_user_certificates: flag(parts.context(1)?)?,
            only_ca_certificates: flag(parts.context(2)?)?,
            only_some_reasons: parts.context(3)?.map(|tlv| tlv.bit_string()).transpose()?.map(|b| b.bytes.into_owned()),
            indirect: flag(parts.context(4)?)?,
            only_attribute_certificates: flag(parts.context(5)?)?,
        };
        parts.finish()?;
        Ok(point)
    }

    /// Returns whether the CRL of this place, issued by `issuer`, says of all reasons whether the certificate is revoked, as far as
    /// the certificate tells: RFC 5280 §6.3.3 (b) (1), (b) (2) (i), (d) (3).
    ///
    /// A distribution point of the certificate counts for the issuers that it names, and for the certificate's own
    /// issuer where it names none; one for some reasons does not. The name of the place has to be one of its names, or one of
    /// those issuers where it has none. A CRL of the certificate's issuer may also have that issuer's name for its place, or
    /// none, whatever the certificate names.
    pub fn is_of(&self, issuer: &Name, certificate: &Certificate) -> bool {
        let own_issuer = issuer == certificate.issuer();
        let counts = |point: &&DistributionPoint| match point.issuers.as_slice() {
            _ if point.some_reasons => false,
            [] => own_issuer,
            issuers => issuers.contains(issuer),
        };
        let meets = |point: &DistributionPoint| match (&self.name, &point.name) {
            (None, _) => true,
            (Some(own), Some(name)) => own.meets(name, issuer),
            (Some(own), None) => point.issuers.iter().any(|issuer| own.has(issuer)),
        };
        own_issuer && self.name.as_ref().is_none_or(|own| own.has(issuer))
            || distribution_points(certificate).iter().filter(counts).any(meets)
    }
}

impl PointName {
    /// Returns whether both are names of one place. What is relative is so to the issuer of the CRL: §4.2.1.13.
    fn meets(&self, other: &Self, issuer: &Name) -> bool {
        match (self, other) {
            (Self::Full(own), Self::Full(others)) => !own.is_disjoint(others),
            (Self::Relative(own), Self::Relative(other)) => own == other || below(issuer, own) == below(issuer, other),
            (Self::Full(_), Self::Relative(other)) => below(issuer, other).is_some_and(|name| self.has(&name)),
            (Self::Relative(own), Self::Full(_)) => below(issuer, own).is_some_and(|name| other.has(&name)),
        }
    }

    fn has(&self, name: &Name) -> bool {
        matches!(self, Self::Full(own) if own.contains(&comparable(name)))
    }
}

/// Returns the issuer's name with one relative distinguished name more.
fn below(issuer: &Name, relative: &[u8]) -> Option<Name> {
    let mut writer = Writer::new();
    let content = Tlv::whole(issuer.der()).ok()?.content;
    writer.sequence(|w| {
        w.raw(content).element(Tag::SET, relative);
    });
    Name::from_der(&writer.finish()).ok()
}

/// Returns the distribution points of a certificate; none where they cannot be read.
pub fn distribution_points(certificate: &Certificate) -> &[DistributionPoint] {
    certificate.points_by(|| {
        let extension = certificate.extension(CRL_DISTRIBUTION_POINTS);
        extension.and_then(|extension| read(extension.value).ok()).unwrap_or_default()
    })
}

/// Reads `SEQUENCE OF SEQUENCE { [0] DistributionPointName, [1] ReasonFlags, [2] GeneralNames }`, each optional.
fn read(value: &[u8]) -> Result<Vec<DistributionPoint>, Error> {
    let mut points = vec![];
    let mut list = Tlv::whole(value)?.expecting(Tag::SEQUENCE)?.children();
    while let Some(point) = list.next()? {
        let mut parts = point.expecting(Tag::SEQUENCE)?.children();
        let name = parts.context(0)?.map(name).transpose()?;
        let reasons = parts.context(1)?.map(|tlv| tlv.bit_string()).transpose()?;
        // Bit 0 is not used: §4.2.1.13.
        let some_reasons = reasons.is_some_and(|reasons| !(1..=8).all(|reason| reasons.bit(reason)));
        let issuers = match parts.context(2)? {
            Some(names) => general_names(names.children())?.iter().filter_map(GeneralName::directory_name).collect(),
            None => vec![],
        };
        points.push(DistributionPoint { name, some_reasons, issuers });
    }
    Ok(points)
}

/// Reads `CHOICE { fullName [0] GeneralNames, nameRelativeToCRLIssuer [1] RelativeDistinguishedName }`.
fn name(tlv: Tlv<'_>) -> Result<PointName, Error> {
    let name = tlv.inner()?;
    Ok(match name.is_context(0) {
        true => PointName::Full(order::set(general_names(name.children())?.iter().map(encoding))),
        false => PointName::Relative(name.content.to_vec()),
    })
}

/// Returns a name as it is compared: the same bytes for the same name.
fn encoding(name: &GeneralName<'_>) -> Vec<u8> {
    name.directory_name().map_or_else(|| name.tlv.raw.to_vec(), |name| comparable(&name))
}

/// Returns a distinguished name as it is compared (RFC 5280 §7.1), which begins as no encoding of a name does.
fn comparable(name: &Name) -> Vec<u8> {
    [&[0], name.canonical().as_bytes()].concat()
}
