//! Certificate profiles: EN 319 412-2, -3 and -5, EN 319 411-1 and -2, RFC 5280, RFC 6960, EN 319 422.

use super::Error;
use crate::asn1::{Oid, Writer, oid};
use crate::vocabulary::string_enum;
use der::asn1::{Ia5String, ObjectIdentifier, OctetString};
use der::flagset::FlagSet;
use x509_cert::ext::pkix::crl::CrlDistributionPoints;
use x509_cert::ext::pkix::crl::dp::DistributionPoint;
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AccessDescription, AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies,
    ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectKeyIdentifier, certpolicy::PolicyInformation,
};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;

string_enum! {
    /// What a certificate is for.
    pub enum Profile {
        /// A root authority: RFC 5280 §3.2.
        Root = "root",
        /// An authority that issues to persons, responders and units, and to no other authority.
        IssuingAuthority = "ca",
        /// A natural person's signatures: EN 319 412-2, policy NCP of EN 319 411-1.
        NaturalPerson = "natural-person",
        /// The same, qualified: EN 319 412-5, policy QCP-n of EN 319 411-2.
        NaturalPersonQualified = "natural-person-qualified",
        /// The same, its key in a qualified device: policy QCP-n-qscd.
        NaturalPersonQualifiedDevice = "natural-person-qscd",
        /// A legal person's seals: EN 319 412-3, policy NCP.
        LegalPerson = "legal-person",
        /// The same, qualified: policy QCP-l.
        LegalPersonQualified = "legal-person-qualified",
        /// The same, its key in a qualified device: policy QCP-l-qscd.
        LegalPersonQualifiedDevice = "legal-person-qscd",
        /// A delegated OCSP responder: RFC 6960 §4.2.2.2.
        OcspResponder = "ocsp-responder",
        /// A time-stamping unit: EN 319 422 §6.
        TimestampUnit = "timestamp-unit",
    }
}

/// The locations at which an issuer's certificate, revocation data and statements are published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Locations {
    /// The URL of the issuer's own certificate (`id-ad-caIssuers`, RFC 5280 §4.2.2.1).
    pub issuer: Option<String>,
    /// The URL of its OCSP responder (`id-ad-ocsp`, RFC 5280 §4.2.2.1).
    pub ocsp: Option<String>,
    /// The URL of its revocation list (RFC 5280 §4.2.1.13).
    pub crl: Option<String>,
    /// The URLs of its PKI disclosure statements, each after its language, an ISO 639-1 code (EN 319 412-5 §4.3.4).
    pub disclosure: Vec<(String, String)>,
}

/// One profile. What every certificate has (key identifiers, locations) is not in it.
struct Row {
    profile: Profile,
    usage: &'static [KeyUsages],
    purpose: Option<Purpose>,
    /// An authority, with the length of path below it (none: no limit).
    authority: Option<Option<u8>>,
    /// The certificate policy; an authority's is any.
    policy: Oid<'static>,
    natural: bool,
    qualified: Option<Qualified>,
}

struct Purpose {
    oid: ObjectIdentifier,
    critical: bool,
}

/// EN 319 412-5 §4.2.3 `QcType`, and §4.2.2 whether the key is in a qualified device.
struct Qualified {
    kind: Oid<'static>,
    device: bool,
}

const ANY_POLICY: Oid<'_> = oid!("2.5.29.32.0");
/// EN 319 411-1 §5.3.
const NCP: Oid<'_> = oid!("0.4.0.2042.1.1");
/// EN 319 411-2 §5.3.
const QCP_N: Oid<'_> = oid!("0.4.0.194112.1.0");
const QCP_L: Oid<'_> = oid!("0.4.0.194112.1.1");
const QCP_N_QSCD: Oid<'_> = oid!("0.4.0.194112.1.2");
const QCP_L_QSCD: Oid<'_> = oid!("0.4.0.194112.1.3");
const ESIGN: Oid<'_> = oid!("0.4.0.1862.1.6.1");
const ESEAL: Oid<'_> = oid!("0.4.0.1862.1.6.2");
const OCSP_SIGNING: Purpose = Purpose { oid: ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.9"), critical: false };
/// RFC 3161 §2.3: critical, and alone.
const TIME_STAMPING: Purpose = Purpose { oid: ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8"), critical: true };

/// EN 319 412-2 §4.3.2 type A: a key that signs documents does nothing else.
const SIGNS_DOCUMENTS: &[KeyUsages] = &[KeyUsages::NonRepudiation];
const SIGNS_CERTIFICATES: &[KeyUsages] = &[KeyUsages::KeyCertSign, KeyUsages::CRLSign];
const SIGNS_ANSWERS: &[KeyUsages] = &[KeyUsages::DigitalSignature];

const fn authority(profile: Profile, path_length: Option<u8>) -> Row {
    Row {
        profile,
        usage: SIGNS_CERTIFICATES,
        purpose: None,
        authority: Some(path_length),
        policy: ANY_POLICY,
        natural: false,
        qualified: None,
    }
}

const fn person(profile: Profile, natural: bool, policy: Oid<'static>, qualified: Option<Qualified>) -> Row {
    Row { profile, usage: SIGNS_DOCUMENTS, purpose: None, authority: None, policy, natural, qualified }
}

const fn service(profile: Profile, purpose: Purpose) -> Row {
    Row {
        profile,
        usage: SIGNS_ANSWERS,
        purpose: Some(purpose),
        authority: None,
        policy: NCP,
        natural: false,
        qualified: None,
    }
}

const fn qualified(kind: Oid<'static>, device: bool) -> Option<Qualified> {
    Some(Qualified { kind, device })
}

#[rustfmt::skip]
const ROWS: [Row; 10] = [
    authority(Profile::Root, None),
    authority(Profile::IssuingAuthority, Some(0)),
    person(Profile::NaturalPerson, true, NCP, None),
    person(Profile::NaturalPersonQualified, true, QCP_N, qualified(ESIGN, false)),
    person(Profile::NaturalPersonQualifiedDevice, true, QCP_N_QSCD, qualified(ESIGN, true)),
    person(Profile::LegalPerson, false, NCP, None),
    person(Profile::LegalPersonQualified, false, QCP_L, qualified(ESEAL, false)),
    person(Profile::LegalPersonQualifiedDevice, false, QCP_L_QSCD, qualified(ESEAL, true)),
    service(Profile::OcspResponder, OCSP_SIGNING),
    service(Profile::TimestampUnit, TIME_STAMPING),
];

impl Profile {
    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.profile == self).expect("a test counts the rows: every profile has one")
    }

    /// Returns whether the profile is for natural persons.
    pub fn is_natural(self) -> bool {
        self.row().natural
    }

    /// Returns whether the profile is for certification authorities.
    pub fn is_authority(self) -> bool {
        self.row().authority.is_some()
    }

    /// Returns the extensions, in the order of RFC 5280 §4.2.1.
    ///
    /// `issuer_key`: the key identifier of the issuer; none in a root's own certificate (RFC 5280 §4.2.1.1).
    pub(super) fn extensions(
        self,
        subject: &Name,
        subject_key: SubjectKeyIdentifier,
        issuer_key: Option<SubjectKeyIdentifier>,
        locations: &Locations,
    ) -> Result<Vec<Extension>, Error> {
        let row = self.row();
        let mut list: Vec<Extension> = vec![];
        let issued = issuer_key.is_some();
        if let Some(SubjectKeyIdentifier(key)) = issuer_key {
            let identifier = AuthorityKeyIdentifier { key_identifier: Some(key), ..Default::default() };
            list.push(identifier.to_extension(subject, &[])?);
        }
        list.push(subject_key.to_extension(subject, &[])?);
        let usage = row.usage.iter().fold(FlagSet::default(), |flags, usage| flags | *usage);
        list.push(KeyUsage(usage).to_extension(subject, &[])?);
        list.push(policies(row)?.to_extension(subject, &[])?);
        if let Some(path_len_constraint) = row.authority {
            list.push(BasicConstraints { ca: true, path_len_constraint }.to_extension(subject, &[])?);
        }
        if let Some(purpose) = &row.purpose {
            let extension = ExtendedKeyUsage(vec![purpose.oid]).to_extension(subject, &[])?;
            list.push(Extension { critical: purpose.critical, ..extension });
        }
        if issued {
            list.extend(published(subject, locations)?);
        }
        if self == Self::OcspResponder {
            // RFC 6960 §4.2.2.2.1: id-pkix-ocsp-nocheck, whose value is NULL.
            list.push(extension(oid!("1.3.6.1.5.5.7.48.1.5"), &[5, 0])?);
        }
        if let Some(qualified) = &row.qualified {
            list.push(extension(oid!("1.3.6.1.5.5.7.1.3"), &statements(qualified, locations))?);
        }
        Ok(list)
    }
}

fn policies(row: &Row) -> Result<CertificatePolicies, Error> {
    let policy_identifier = ObjectIdentifier::from_bytes(row.policy.content())
        .map_err(|_| Error::Structure { expected: "the identifier of a certificate policy" })?;
    Ok(CertificatePolicies(vec![PolicyInformation { policy_identifier, policy_qualifiers: None }]))
}

/// Makes `AuthorityInfoAccess` (EN 319 412-2 §4.4.1) and `CRLDistributionPoints` (RFC 5280 §4.2.1.13).
fn published(subject: &Name, locations: &Locations) -> Result<Vec<Extension>, Error> {
    const CA_ISSUERS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.2");
    const OCSP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1");
    let url = |url: &String| Ia5String::new(url).map(GeneralName::UniformResourceIdentifier);
    let mut list = vec![];
    if let Some(crl) = &locations.crl {
        let name = DistributionPointName::FullName(vec![url(crl)?]);
        let point = DistributionPoint { distribution_point: Some(name), reasons: None, crl_issuer: None };
        list.push(CrlDistributionPoints(vec![point]).to_extension(subject, &[])?);
    }
    let mut access = vec![];
    for (access_method, location) in [(CA_ISSUERS, &locations.issuer), (OCSP, &locations.ocsp)] {
        if let Some(location) = location {
            access.push(AccessDescription { access_method, access_location: url(location)? });
        }
    }
    if !access.is_empty() {
        list.push(AuthorityInfoAccessSyntax(access).to_extension(subject, &[])?);
    }
    Ok(list)
}

/// Makes the `QCStatements`: EN 319 412-5 §4.2 and §4.3.4.
fn statements(qualified: &Qualified, locations: &Locations) -> Vec<u8> {
    let mut statements = Writer::new();
    statements.sequence(|w| {
        statement(w, oid!("0.4.0.1862.1.1"), |_| {});
        if qualified.device {
            statement(w, oid!("0.4.0.1862.1.4"), |_| {});
        }
        if !locations.disclosure.is_empty() {
            statement(w, oid!("0.4.0.1862.1.5"), |w| {
                w.sequence(|w| {
                    for (language, url) in &locations.disclosure {
                        w.sequence(|w| {
                            w.ia5(url).printable(language);
                        });
                    }
                });
            });
        }
        statement(w, oid!("0.4.0.1862.1.6"), |w| {
            w.sequence(|w| {
                w.oid(qualified.kind);
            });
        });
    });
    statements.finish()
}

fn statement(w: &mut Writer, id: Oid<'_>, info: impl FnOnce(&mut Writer)) {
    w.sequence(|w| {
        info(w.oid(id));
    });
}

fn extension(id: Oid<'_>, value: &[u8]) -> Result<Extension, Error> {
    let extn_id = ObjectIdentifier::from_bytes(id.content())
        .map_err(|_| Error::Structure { expected: "the identifier of an extension" })?;
    Ok(Extension { extn_id, critical: false, extn_value: OctetString::new(value)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_its_row() {
        for profile in Profile::ALL {
            assert_eq!(ROWS.iter().filter(|row| row.profile == *profile).count(), 1, "{profile}");
        }
    }
}
