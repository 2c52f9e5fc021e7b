//! `CertificateList`: RFC 5280 §5, read lazily.

use super::certificate::{minimal, offset};
use super::error::{Error, field};
use super::extensions::{AUTHORITY_KEY_IDENTIFIER, Known, are_understood};
use super::general_name::general_names;
use super::{Extension, IssuingDistributionPoint, Name};
use crate::asn1::{self, Oid, Reader, Tag, Tlv, oid};
use crate::crypto::token_digest;
use crate::facts::{Id, RevocationReason};
use crate::time::Time;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

const ISSUING_DISTRIBUTION_POINT: Oid<'static> = oid!("2.5.29.28");
const DELTA_CRL_INDICATOR: Oid<'static> = oid!("2.5.29.27");
const CRL_NUMBER: Oid<'static> = oid!("2.5.29.20");
pub(super) const REASON_CODE: Oid<'static> = oid!("2.5.29.21");
pub(super) const INVALIDITY_DATE: Oid<'static> = oid!("2.5.29.24");
const CERTIFICATE_ISSUER: Oid<'static> = oid!("2.5.29.29");
const EXPIRED_CERTS_ON_CRL: Oid<'static> = oid!("2.5.29.60");

/// The extensions of a list that may be critical: RFC 5280 §5.2 says of its number and key identifier that they must not.
const OF_LIST: &Known = &[
    (ISSUING_DISTRIBUTION_POINT, Some(Tag::SEQUENCE)),
    (DELTA_CRL_INDICATOR, Some(Tag::INTEGER)),
    (EXPIRED_CERTS_ON_CRL, Some(Tag::GENERALIZED_TIME)),
];

/// The extensions of an entry: RFC 5280 §5.3.
const OF_ENTRY: &Known = &[
    (REASON_CODE, Some(Tag::ENUMERATED)),
    (INVALIDITY_DATE, Some(Tag::GENERALIZED_TIME)),
    (CERTIFICATE_ISSUER, Some(Tag::SEQUENCE)),
];

/// How often certificates are looked for in the list as it is, before its entries are put in order for those that follow.
const SEARCHES: usize = 16;

/// A CRL, with its bytes as sent. Its entries are read at their first use.
#[derive(Clone)]
pub struct Crl(Arc<Inner>);

struct Inner {
    der: Box<[u8]>,
    sha256: [u8; 32],
    id: Id,
    version: u64,
    tbs: Range<usize>,
    signature_algorithm: Range<usize>,
    tbs_signature_algorithm: Range<usize>,
    signature: Range<usize>,
    issuer: Name,
    this_update: Time,
    next_update: Option<Time>,
    entries: Range<usize>,
    extensions: Range<usize>,
    understood: OnceLock<bool>,
    delta: OnceLock<bool>,
    point: OnceLock<Result<Option<IssuingDistributionPoint>, Error>>,
    survey: OnceLock<Result<Survey, asn1::Error>>,
    searches: AtomicUsize,
    located: OnceLock<Result<Entries, Error>>,
}

/// What the entries of a list are, all in all.
#[derive(Debug, Clone, Copy)]
struct Survey {
    length: usize,
    understood: bool,
}

/// Where entries lie, by the number of the certificate's issuer and the serial number.
#[derive(Default)]
struct Entries {
    issuers: HashMap<String, usize>,
    entries: HashMap<(usize, Vec<u8>), Range<usize>>,
}

impl Entries {
    /// Returns the number of an issuer, a new one where it has none.
    fn number(&mut self, issuer: &Name) -> usize {
        let next = self.issuers.len();
        match self.issuers.get(issuer.canonical()) {
            Some(&known) => known,
            None => *self.issuers.entry(issuer.canonical().to_owned()).or_insert(next),
        }
    }

    fn find(&self, issuer: &Name, serial: &[u8]) -> Option<Range<usize>> {
        let number = *self.issuers.get(issuer.canonical())?;
        self.entries.get(&(number, serial.to_vec())).cloned()
    }
}

/// What a CRL says of one certificate: RFC 5280 §5.1.2.6, §5.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrlEntry {
    /// Revoked since.
    pub date: Time,
    /// Why; `None` where it is not said.
    pub reason: Option<RevocationReason>,
    /// `invalidityDate` (§5.3.2): since when the key is known or suspected to be compromised, or the certificate to be invalid.
    pub invalidity_date: Option<Time>,
}

impl Crl {
    /// Reads a CRL; what follows it is ignored.
    ///
    /// `SEQUENCE { tbsCertList, signatureAlgorithm, signatureValue BIT STRING }`.
    pub fn from_der(input: &[u8]) -> Result<Self, Error> {
        let wrong = |name| field("CRL", name);
        let (outer, _) = Tlv::split(input).map_err(wrong("CertificateList"))?;
        let at = |part: &[u8]| offset(outer.raw, part);
        let mut parts = outer.expecting(Tag::SEQUENCE).map_err(wrong("CertificateList"))?.children();
        let tbs = parts.expect(Tag::SEQUENCE).map_err(wrong("tbsCertList"))?;
        let signature_algorithm = parts.expect(Tag::SEQUENCE).map_err(wrong("signatureAlgorithm"))?;
        let signature = parts.expect(Tag::BIT_STRING).map_err(wrong("signatureValue"))?;

        let mut fields = tbs.children();
        let version = match fields.optional(Tag::INTEGER).map_err(wrong("version"))? {
            Some(version) => version.to_u64().map_err(wrong("version"))?.saturating_add(1),
            None => 1,
        };
        let tbs_signature_algorithm = fields.expect(Tag::SEQUENCE).map_err(wrong("signature"))?;
        let issuer = Name::from_der(fields.expect(Tag::SEQUENCE).map_err(wrong("issuer"))?.raw)?;
        let this_update = fields.read().and_then(|tlv| tlv.time()).map_err(wrong("thisUpdate"))?;
        let next = fields.peek().filter(|tlv| tlv.is(Tag::UTC_TIME) || tlv.is(Tag::GENERALIZED_TIME));
        let next_update = match next {
            Some(_) => Some(fields.read().and_then(|tlv| tlv.time()).map_err(wrong("nextUpdate"))?),
            None => None,
        };
        let entries = fields.optional(Tag::SEQUENCE).map_err(wrong("revokedCertificates"))?;
        let extensions = match fields.context(0).map_err(wrong("crlExtensions"))? {
            Some(explicit) => at(Tlv::whole(explicit.content).map_err(wrong("crlExtensions"))?.content),
            None => 0..0,
        };
        fields.finish().map_err(wrong("tbsCertList"))?;
        let sha256 = token_digest(outer.raw);
        Ok(Self(Arc::new(Inner {
            sha256,
            id: super::id("R-", &sha256),
            version,
            tbs: at(tbs.raw),
            signature_algorithm: at(signature_algorithm.raw),
            tbs_signature_algorithm: at(tbs_signature_algorithm.raw),
            signature: at(signature.raw),
            issuer,
            this_update,
            next_update,
            entries: entries.map_or(0..0, |tlv| at(tlv.content)),
            extensions,
            understood: OnceLock::new(),
            delta: OnceLock::new(),
            point: OnceLock::new(),
            survey: OnceLock::new(),
            searches: AtomicUsize::new(0),
            located: OnceLock::new(),
            der: outer.raw.into(),
        })))
    }

    /// Returns the CRL as sent.
    pub fn der(&self) -> &[u8] {
        &self.0.der
    }

    /// Returns the SHA-256 of the CRL.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.0.sha256
    }

    /// Returns `R-` and the SHA-256 in upper-case hexadecimal: its id in the facts.
    pub fn id(&self) -> &Id {
        &self.0.id
    }

    /// Returns the version: 1 or 2.
    pub fn version(&self) -> u64 {
        self.0.version
    }

    /// Returns `tbsCertList`: what the issuer signed.
    pub fn tbs(&self) -> &[u8] {
        &self.0.der[self.0.tbs.clone()]
    }

    /// Returns the DER of the outer `signatureAlgorithm`.
    pub fn signature_algorithm(&self) -> &[u8] {
        &self.0.der[self.0.signature_algorithm.clone()]
    }

    /// Returns whether `tbsCertList` states the same algorithm (RFC 5280 §5.1.1.2).
    pub fn signature_algorithms_agree(&self) -> bool {
        self.0.der[self.0.tbs_signature_algorithm.clone()] == *self.signature_algorithm()
    }

    /// Returns the signature value; empty where it cannot be read.
    pub fn signature(&self) -> Vec<u8> {
        let value = Tlv::whole(&self.0.der[self.0.signature.clone()]).and_then(|tlv| tlv.bit_string());
        value.map(|bits| bits.bytes.into_owned()).unwrap_or_default()
    }

    /// Returns the issuer's name.
    pub fn issuer(&self) -> &Name {
        &self.0.issuer
    }

    /// Returns `thisUpdate`.
    pub fn this_update(&self) -> Time {
        self.0.this_update
    }

    /// Returns `nextUpdate`.
    pub fn next_update(&self) -> Option<Time> {
        self.0.next_update
    }

    /// Returns the extensions of the list.
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        extensions(Reader::new(&self.0.der[self.0.extensions.clone()]))
    }

    /// Returns the first extension of this type.
    pub fn extension(&self, oid: Oid<'_>) -> Option<Extension<'_>> {
        self.extensions().find(|extension| extension.oid == oid)
    }

    /// Returns whether its extensions are all understood, and none is there twice, so that readers could differ on which counts:
    /// else the CRL must not be used (RFC 5280 §5.2).
    pub fn is_understood(&self) -> bool {
        *self.0.understood.get_or_init(|| {
            let mut seen = HashSet::new();
            are_understood(Reader::new(&self.0.der[self.0.extensions.clone()]), OF_LIST)
                && self.extensions().all(|extension| seen.insert(extension.oid))
        })
    }

    /// Returns whether every entry is understood: else the CRL says of no certificate that it is good (RFC 5280 §5.3).
    pub fn are_entries_understood(&self) -> bool {
        self.survey().as_ref().is_ok_and(|survey| survey.understood)
    }

    /// Returns whether it is a delta CRL (RFC 5280 §5.2.4).
    pub fn is_delta(&self) -> bool {
        *self.0.delta.get_or_init(|| self.extension(DELTA_CRL_INDICATOR).is_some())
    }

    /// Returns `cRLNumber`, two's complement.
    pub fn number(&self) -> Option<Vec<u8>> {
        let extension = self.extension(CRL_NUMBER)?;
        Some(Tlv::whole(extension.value).ok()?.integer_bytes().ok()?.to_vec())
    }

    /// Returns the issuer's key identifier, as stated.
    pub fn authority_key_identifier(&self) -> Option<Vec<u8>> {
        let extension = self.extension(AUTHORITY_KEY_IDENTIFIER)?;
        let key = Tlv::whole(extension.value).ok()?.children().context(0).ok()??;
        Some(key.bytes().ok()?.into_owned())
    }

    /// Returns `expiredCertsOnCRL` (ITU-T X.509 §9.5.2.8): certificates that expired after this time are still listed.
    pub fn expired_certs_on_crl(&self) -> Option<Time> {
        Tlv::whole(self.extension(EXPIRED_CERTS_ON_CRL)?.value).ok()?.time().ok()
    }

    /// Reads `issuingDistributionPoint`; an error where it is there and cannot be read.
    pub fn issuing_distribution_point(&self) -> Result<Option<&IssuingDistributionPoint>, Error> {
        let read = |extension: Extension<'_>| {
            IssuingDistributionPoint::read(extension.value).map_err(field("CRL", "issuingDistributionPoint"))
        };
        let point = self.0.point.get_or_init(|| self.extension(ISSUING_DISTRIBUTION_POINT).map(read).transpose());
        point.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// Returns the entry of the certificate with this serial number (two's complement) and issuer.
    ///
    /// At most `limit` entries are looked at; `Err` past it, or where the list cannot be read.
    pub fn entry(&self, serial: &[u8], issuer: &Name, limit: usize) -> Result<Option<CrlEntry>, Error> {
        let wrong = |name| field("CRL", name);
        let indirect = self.issuing_distribution_point()?.is_some_and(|point| point.indirect);
        let serial = minimal(serial);
        let entries = &self.0.der[self.0.entries.clone()];
        let too_many = || wrong("revokedCertificates")(asn1::Error::TooLarge { what: "list" });
        let often = self.0.searches.fetch_add(1, Ordering::Relaxed) >= SEARCHES;
        // Nearly always the number is not in the list: to look for its bytes is quicker than to read the entries.
        if !often && memchr::memmem::find(entries, serial).is_none() {
            let survey = self.survey().as_ref().map_err(|error| wrong("revokedCertificates")(error.clone()))?;
            return if survey.length <= limit { Ok(None) } else { Err(too_many()) };
        }
        if indirect || often {
            if self.is_longer_than(limit) {
                return Err(too_many());
            }
            let all = self.located(indirect).as_ref().map_err(Clone::clone)?;
            let Some(at) = all.find(if indirect { issuer } else { self.issuer() }, serial) else { return Ok(None) };
            let entry = Tlv::whole(&self.0.der[at]).map_err(wrong("revokedCertificates"))?;
            let mut parts = entry.children();
            parts.read().map_err(wrong("userCertificate"))?;
            return dated_entry(parts).map(Some);
        }
        let mut entries = Reader::new(entries);
        for _ in 0..limit {
            let Some(entry) = Reader::next(&mut entries).map_err(wrong("revokedCertificates"))? else {
                return Ok(None);
            };
            let mut parts = entry.children();
            let number = parts.expect(Tag::INTEGER).map_err(wrong("userCertificate"))?;
            if minimal(number.content) == serial {
                return dated_entry(parts).map(Some);
            }
        }
        if entries.is_empty() { Ok(None) } else { Err(too_many()) }
    }

    /// Returns where the entries lie, those of other issuers' certificates too in an indirect CRL: read once.
    fn located(&self, indirect: bool) -> &Result<Entries, Error> {
        self.0.located.get_or_init(|| {
            let wrong = |name| field("CRL", name);
            let mut all = Entries::default();
            let mut current = all.number(self.issuer());
            let mut entries = Reader::new(&self.0.der[self.0.entries.clone()]);
            while let Some(entry) = Reader::next(&mut entries).map_err(wrong("revokedCertificates"))? {
                let mut parts = entry.children();
                let number = parts.expect(Tag::INTEGER).map_err(wrong("userCertificate"))?;
                // RFC 5280 §5.3.3: without the extension, the issuer is that of the entry before.
                if indirect && let Some(extension) = certificate_issuer(parts) {
                    let stated = issuer_name(extension).ok_or(asn1::Error::Missing { expected: Tag::context(4) });
                    current = all.number(&stated.map_err(wrong("certificateIssuer"))?);
                }
                // The first entry counts where there are several.
                let at = offset(&self.0.der, entry.raw);
                all.entries.entry((current, minimal(number.content).to_vec())).or_insert(at);
            }
            Ok(all)
        })
    }

    /// Returns whether it has more entries than that.
    pub(crate) fn is_longer_than(&self, limit: usize) -> bool {
        self.survey().as_ref().is_ok_and(|survey| survey.length > limit)
    }

    /// Returns how many entries there are, and whether all are understood; an error where they cannot be told apart.
    fn survey(&self) -> &Result<Survey, asn1::Error> {
        self.0.survey.get_or_init(|| survey(Reader::new(&self.0.der[self.0.entries.clone()])))
    }
}

impl std::fmt::Debug for Crl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.id(), self.issuer())
    }
}

/// Looks at every entry: RFC 5280 §5.1.2.6.
fn survey(mut entries: Reader<'_>) -> Result<Survey, asn1::Error> {
    let mut survey = Survey { length: 0, understood: true };
    // Most entries have the extensions of the one before.
    let mut understood: &[u8] = &[];
    while let Some(entry) = Reader::next(&mut entries)? {
        survey.length += 1;
        let mut parts = entry.children();
        let (number, date) = (parts.read()?, parts.read()?);
        // Whom an entry is about that has no number, nobody knows.
        survey.understood &= entry.is(Tag::SEQUENCE)
            && number.is(Tag::INTEGER)
            && number.integer_bytes().is_ok()
            && (date.is(Tag::UTC_TIME) || date.is(Tag::GENERALIZED_TIME));
        let stated = parts.rest();
        if stated.is_empty() || stated == understood {
            continue;
        }
        let known = |list: Tlv<'_>| list.is(Tag::SEQUENCE) && are_understood(list.children(), OF_ENTRY);
        survey.understood &= Tlv::whole(stated).is_ok_and(known);
        understood = stated;
    }
    Ok(survey)
}

/// Returns the extensions of `SEQUENCE OF Extension` that can be read.
pub(super) fn extensions(elements: Reader<'_>) -> impl Iterator<Item = Extension<'_>> {
    elements.filter_map(|element| Extension::read(element).ok())
}

/// Returns the reason that a code stands for (RFC 5280 §5.3.1).
pub(super) fn reason(code: u64) -> Option<RevocationReason> {
    use RevocationReason::*;
    Some(match code {
        0 => Unspecified,
        1 => KeyCompromise,
        2 => CaCompromise,
        3 => AffiliationChanged,
        4 => Superseded,
        5 => CessationOfOperation,
        6 => CertificateHold,
        8 => RemoveFromCrl,
        9 => PrivilegeWithdrawn,
        10 => AaCompromise,
        _ => return None,
    })
}

fn entry_extensions(mut rest: Reader<'_>) -> impl Iterator<Item = Extension<'_>> {
    let list = rest.optional(Tag::SEQUENCE).ok().flatten();
    extensions(list.map_or(Reader::new(&[]), |tlv| tlv.children()))
}

/// Reads what follows the serial number of an entry.
fn dated_entry(mut rest: Reader<'_>) -> Result<CrlEntry, Error> {
    let date = rest.read().and_then(|tlv| tlv.time()).map_err(field("CRL", "revocationDate"))?;
    Ok(read_entry(date, rest))
}

fn read_entry(date: Time, rest: Reader<'_>) -> CrlEntry {
    let mut entry = CrlEntry { date, reason: None, invalidity_date: None };
    for extension in entry_extensions(rest) {
        match extension.oid {
            REASON_CODE => {
                let code = Tlv::whole(extension.value).and_then(|tlv| tlv.to_u64()).ok();
                entry.reason = code.and_then(reason);
            }
            INVALIDITY_DATE => {
                entry.invalidity_date = Tlv::whole(extension.value).and_then(|tlv| tlv.time()).ok();
            }
            _ => {}
        }
    }
    entry
}

/// Returns the certificate issuer of an entry (RFC 5280 §5.3.3); `rest` still has the revocation date.
fn certificate_issuer(mut rest: Reader<'_>) -> Option<Extension<'_>> {
    rest.read().ok()?;
    entry_extensions(rest).find(|extension| extension.oid == CERTIFICATE_ISSUER)
}

/// Returns the distinguished name in a `certificateIssuer`.
fn issuer_name(extension: Extension<'_>) -> Option<Name> {
    let names = general_names(Tlv::whole(extension.value).ok()?.children()).ok()?;
    names.iter().find_map(|name| name.directory_name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Writer;

    fn name(text: &str) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.sequence(|w| {
            w.set(|w| {
                w.sequence(|w| {
                    w.oid(oid!("2.5.4.3")).element(Tag::UTF8_STRING, text.as_bytes());
                });
            });
        });
        writer.finish()
    }

    fn extension(w: &mut Writer, oid: Oid<'_>, critical: bool, value: &[u8]) {
        w.sequence(|w| {
            w.oid(oid).boolean(critical).octet_string(value);
        });
    }

    /// An entry: serial number, reason, and the issuer where another one is stated.
    type Row<'a> = (u8, Option<u8>, Option<&'a str>);

    fn crl(entries: &[Row<'_>], point: Option<&[u8]>, delta: bool) -> Crl {
        let mut writer = Writer::new();
        writer.sequence(|w| {
            w.sequence(|w| {
                w.integer(&[1]).sequence(|_| {});
                w.raw(&name("CA")).element(Tag::UTC_TIME, b"200101000000Z");
                w.sequence(|w| {
                    for (serial, reason, issuer) in entries {
                        w.sequence(|w| {
                            w.integer(&[*serial]).element(Tag::UTC_TIME, b"190101000000Z");
                            w.sequence(|w| {
                                if let Some(reason) = reason {
                                    extension(w, REASON_CODE, false, &[10, 1, *reason]);
                                }
                                if let Some(issuer) = issuer {
                                    let mut names = Writer::new();
                                    names.sequence(|w| {
                                        w.explicit(4, |w| {
                                            w.raw(&name(issuer));
                                        });
                                    });
                                    extension(w, CERTIFICATE_ISSUER, true, &names.finish());
                                }
                            });
                        });
                    }
                });
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        extension(w, CRL_NUMBER, false, &[2, 1, 7]);
                        if let Some(point) = point {
                            extension(w, ISSUING_DISTRIBUTION_POINT, true, point);
                        }
                        if delta {
                            extension(w, DELTA_CRL_INDICATOR, true, &[2, 1, 6]);
                        }
                    });
                });
            });
            w.sequence(|_| {}).element(Tag::BIT_STRING, &[0, 1]);
        });
        Crl::from_der(&writer.finish()).unwrap()
    }

    const INDIRECT: &[u8] = &[0x30, 3, 0x84, 1, 0xff];

    #[test]
    fn entries() {
        let issuer = |text: &str| Name::from_der(&name(text)).unwrap();
        let direct = crl(&[(5, Some(1), None), (6, None, None)], None, false);
        let indirect = crl(&[(5, Some(1), None), (6, None, Some("B")), (7, Some(6), None)], Some(INDIRECT), false);
        let rows = [
            ("5.3.1", "with a reason", &direct, 5, "CA", Some(Some(RevocationReason::KeyCompromise))),
            ("5.3.1", "without a reason", &direct, 6, "CA", Some(None)),
            ("5.1.2.6", "not listed", &direct, 7, "CA", None),
            ("5.1.2.6", "not listed, though its bytes are there", &direct, 0x17, "CA", None),
            ("5.3.3", "the CRL's own issuer", &indirect, 5, "CA", Some(Some(RevocationReason::KeyCompromise))),
            ("5.3.3", "another issuer", &indirect, 6, "CA", None),
            ("5.3.3", "the issuer stated", &indirect, 6, "B", Some(None)),
            (
                "5.3.3",
                "the issuer of the entry before",
                &indirect,
                7,
                "B",
                Some(Some(RevocationReason::CertificateHold)),
            ),
            ("5.3.3", "no longer the CRL's own issuer", &indirect, 7, "CA", None),
        ];
        for (clause, situation, crl, serial, of, expected) in rows {
            let found = crl.entry(&[0, serial], &issuer(of), 10).unwrap();
            assert_eq!(found.map(|entry| entry.reason), expected, "RFC 5280 {clause} {situation}");
        }
        assert!(direct.entry(&[7], &issuer("CA"), 1).is_err(), "more entries than the budget allows");
        for search in 0..2 * SEARCHES {
            let found = [5, 6, 7].map(|serial| direct.entry(&[serial], &issuer("CA"), 10).unwrap().is_some());
            assert_eq!(found, [true, true, false], "after {search} searches");
        }
        assert!(direct.entry(&[7], &issuer("CA"), 1).is_err(), "more entries than the budget allows, put in order");
    }

    #[test]
    fn scope() {
        let point = |value: &[u8]| crl(&[], Some(value), false).issuing_distribution_point().map(Option::<&_>::cloned);
        assert_eq!(crl(&[], None, false).issuing_distribution_point(), Ok(None));
        assert!(point(INDIRECT).unwrap().unwrap().indirect, "5.2.5 indirectCRL");
        assert!(point(&[0x30, 3, 0x81, 1, 0xff]).unwrap().unwrap().only_user_certificates, "5.2.5");
        assert!(point(&[0x30, 3, 0x82, 1, 0xff]).unwrap().unwrap().only_ca_certificates, "5.2.5");
        assert_eq!(point(&[0x30, 4, 0x83, 2, 6, 0x40]).unwrap().unwrap().only_some_reasons, Some(vec![0x40]), "5.2.5");
        assert!(point(&[0x30, 3, 0x8f, 1, 0xff]).is_err(), "5.2.5 unreadable");
        let mut cut = crl(&[], None, true).der().to_vec();
        let at = cut.windows(3).position(|three| three == [0xa0, 0x20, 0x30]).unwrap();
        cut[at] = 0xa1;
        assert!(Crl::from_der(&cut).is_err(), "5.1.2: something else in the place of the extensions");
        let delta = crl(&[], None, true);
        assert!(delta.is_delta() && delta.is_understood(), "5.2.4");
        assert_eq!(delta.number(), Some(vec![7]), "5.2.3");
    }
}
