//! What a field asks of its signer: seed values, ISO 32000-1 tables 234 and 235, ISO 32000-2 table 237.

mod writing;

use super::options::Options;
use super::{Lock, LockAction, Permission, level};
use crate::asn1::{Oid, oid};
use crate::facts::KeyUsage;
use crate::formats::pdf::object::Dictionary;
use crate::formats::pdf::text::text;
use crate::formats::pdf::{Object, Revision};
use crate::signing::{SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::x509::Certificate;

/// What a field asks of its signer. What it does not require is advice; a new field's is made required by
/// [`required`](Self::required).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SeedValues {
    /// Which of the others are required: `/Ff`.
    required: i64,
    /// The signature handler: `/Filter`.
    pub filter: Option<String>,
    /// The encodings of the signature that are allowed: `/SubFilter`.
    pub sub_filters: Vec<String>,
    /// The version of these values that a writer has to know: `/V`.
    pub version: Option<f64>,
    /// The digest functions that are allowed: `/DigestMethod`.
    pub digests: Vec<String>,
    /// The reasons that can be chosen: `/Reasons`. One of `.` stands for none.
    pub reasons: Option<Vec<String>>,
    /// What a certification permits, from one to three; zero for no certification: `/MDP`.
    pub certify: Option<i64>,
    /// The address of a time-stamp authority: `/TimeStamp`.
    pub timestamp_url: Option<String>,
    /// Whether a signature-time-stamp is required.
    pub timestamp_required: bool,
    /// Whether the document is to be locked: `/LockDocument`.
    pub lock_document: Option<bool>,
    /// Whether the signature has to hold revocation data in the way of Adobe: `/AddRevInfo`.
    pub revocation_information: bool,
    /// The name of an appearance that viewers keep: `/AppearanceFilter`.
    pub appearance: Option<String>,
    /// Whether attestations about the document are asked for: `/LegalAttestation`.
    pub attestations: bool,
    certificate: Option<CertificateValues>,
}

/// What is asked of the signing certificate: table 235.
#[derive(Debug, Clone, PartialEq, Default)]
struct CertificateValues {
    required: i64,
    subjects: Vec<Vec<u8>>,
    issuers: Vec<Vec<u8>>,
    policies: Vec<String>,
    names: Vec<Vec<(String, String)>>,
    key_usages: Vec<String>,
}

// Bits of `/Ff`: table 234.
const FILTER: i64 = 1;
const SUB_FILTER: i64 = 1 << 1;
const VERSION: i64 = 1 << 2;
const REASONS: i64 = 1 << 3;
const ATTESTATION: i64 = 1 << 4;
const REVOCATION: i64 = 1 << 5;
const DIGEST: i64 = 1 << 6;
const LOCK: i64 = 1 << 7;
const APPEARANCE: i64 = 1 << 8;

// Bits of `/Ff` of the certificate's: table 235.
const SUBJECT: i64 = 1;
const ISSUER: i64 = 1 << 1;
const POLICY: i64 = 1 << 2;
const NAME: i64 = 1 << 3;
const USAGE: i64 = 1 << 5;

/// The version of seed values that is known: ISO 32000-2 table 237.
const KNOWN: f64 = 3.0;

impl SeedValues {
    /// Reads the seed values of a field.
    pub(super) fn of<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> Self {
        let Some(values) = revision.dictionary(field, b"SV") else { return Self::default() };
        let get = |key: &[u8]| revision.lookup(&values, key);
        let timestamp = revision.dictionary(&values, b"TimeStamp");
        let of_timestamp = |key: &[u8]| timestamp.as_ref().map(|timestamp| revision.lookup(timestamp, key));
        let name = |object: &Object<'a>| object.name().map(|name| String::from_utf8_lossy(name).into_owned());
        let mdp = revision.dictionary(&values, b"MDP");
        Self {
            required: get(b"Ff").integer().unwrap_or(0),
            filter: name(&get(b"Filter")),
            sub_filters: list(revision, &values, b"SubFilter", name),
            version: get(b"V").number(),
            digests: list(revision, &values, b"DigestMethod", |object| name(object).or_else(|| text(object))),
            reasons: values.get(b"Reasons").map(|_| list(revision, &values, b"Reasons", text)),
            certify: mdp.and_then(|mdp| revision.lookup(&mdp, b"P").integer()),
            timestamp_url: of_timestamp(b"URL").and_then(|url| text(&url)),
            timestamp_required: of_timestamp(b"Ff")
                .and_then(|flags| flags.integer())
                .is_some_and(|flags| flags & 1 != 0),
            lock_document: match get(b"LockDocument").name() {
                Some(b"true") => Some(true),
                Some(b"false") => Some(false),
                _ => None,
            },
            revocation_information: get(b"AddRevInfo") == Object::Boolean(true),
            appearance: text(&get(b"AppearanceFilter")),
            attestations: values.get(b"LegalAttestation").is_some(),
            certificate: revision.dictionary(&values, b"Cert").map(|values| CertificateValues::of(revision, &values)),
        }
    }

    fn requires(&self, bit: i64) -> bool {
        self.required & bit != 0
    }

    /// Returns the lock that is asked for, where the field has none: of all fields, and of all else (table 233, `P` 1).
    pub(super) fn lock(&self, has_lock: bool) -> Option<Lock> {
        let wanted = self.lock_document == Some(true) && self.requires(LOCK) && !has_lock;
        wanted.then(|| Lock { action: LockAction::All, fields: vec![], permissions: Some(Permission::NoChange) })
    }

    /// Checks that what is required is met.
    ///
    /// # Errors
    ///
    /// `seed-value-unmet`.
    pub(super) fn check(
        &self,
        parameters: &SignatureParameters,
        options: &Options,
        signer: &Signer,
    ) -> Result<(), SigningError> {
        if let Some(filter) = self.filter.as_ref().filter(|filter| *filter != "Adobe.PPKLite" && self.requires(FILTER))
        {
            return unmet(format!("found Adobe.PPKLite, expected the signature handler {filter}"));
        }
        let sub_filter = "ETSI.CAdES.detached";
        if !self.sub_filters.is_empty()
            && self.requires(SUB_FILTER)
            && !self.sub_filters.iter().any(|f| f == sub_filter)
        {
            return unmet(format!("found {sub_filter}, expected {}", self.sub_filters.join(" or ")));
        }
        if let Some(version) = self.version.filter(|version| *version > KNOWN && self.requires(VERSION)) {
            return unmet(format!("found a writer that knows version {KNOWN}, expected {version}"));
        }
        self.check_reason(options)?;
        if self.attestations && self.requires(ATTESTATION) && options.certify.is_some() {
            return unmet("found no attestations about the document, expected some".into());
        }
        if self.revocation_information && self.requires(REVOCATION) {
            return unmet("found a CAdES signature, expected one with revocation data in the way of Adobe".into());
        }
        let function = signer.digest().as_str();
        let is_it = |allowed: &String| allowed.replace('-', "").eq_ignore_ascii_case(&function.replace('-', ""));
        if !self.digests.is_empty() && self.requires(DIGEST) && !self.digests.iter().any(is_it) {
            return unmet(format!("found {function}, expected {}", self.digests.join(" or ")));
        }
        if self.lock_document == Some(false) && self.requires(LOCK) && options.lock.is_some() {
            return unmet("found a lock, expected none".into());
        }
        if let Some(appearance) = self.appearance.as_ref().filter(|_| self.requires(APPEARANCE)) {
            return unmet(format!("found no appearance of that name, expected {appearance}"));
        }
        self.check_certification(options)?;
        if self.timestamp_required && options.timestamp.is_none() {
            return unmet("found no room for a signature-time-stamp, expected one".into());
        }
        let certificate = self.certificate.as_ref();
        certificate.map_or(Ok(()), |values| values.check(parameters, signer))
    }

    fn check_reason(&self, options: &Options) -> Result<(), SigningError> {
        let Some(allowed) = self.reasons.as_ref().filter(|_| self.requires(REASONS)) else { return Ok(()) };
        match (&options.reason, &allowed[..]) {
            (None, []) => Ok(()),
            (None, [none]) if none == "." => Ok(()),
            (Some(reason), []) => unmet(format!("found the reason `{reason}`, expected none")),
            (Some(reason), [none]) if none == "." => unmet(format!("found the reason `{reason}`, expected none")),
            (Some(reason), allowed) if allowed.contains(reason) => Ok(()),
            (found, allowed) => {
                let found = found.as_ref().map_or("no reason".into(), |reason| format!("the reason `{reason}`"));
                unmet(format!("found {found}, expected one of: {}", allowed.join("; ")))
            }
        }
    }

    /// Checks a certification against `MDP` (table 234), which is always required.
    fn check_certification(&self, options: &Options) -> Result<(), SigningError> {
        let found = options.certify.map_or(0, |permission| i64::from(level(permission)));
        let said = |level: i64| match level {
            0 => "no certification".to_owned(),
            level => format!("a certification that permits changes of level {level}"),
        };
        match self.certify {
            Some(expected @ 0..=3) if expected != found => {
                unmet(format!("found {}, expected {}", said(found), said(expected)))
            }
            _ => Ok(()),
        }
    }
}

impl CertificateValues {
    fn of<'a>(revision: &Revision<'a, '_>, values: &Dictionary<'a>) -> Self {
        let bytes = |object: &Object<'a>| object.string().map(|string| string.bytes().into_owned());
        let names = |object: &Object<'a>| match object {
            Object::Dictionary(name) => Some(
                name.iter()
                    .map(|(key, value)| {
                        let value = text(&revision.resolve(value)).unwrap_or_default();
                        (String::from_utf8_lossy(key).into_owned(), value)
                    })
                    .collect(),
            ),
            _ => None,
        };
        Self {
            required: revision.lookup(values, b"Ff").integer().unwrap_or(0),
            subjects: list(revision, values, b"Subject", bytes),
            issuers: list(revision, values, b"Issuer", bytes),
            policies: list(revision, values, b"OID", text),
            names: list(revision, values, b"SubjectDN", names),
            key_usages: list(revision, values, b"KeyUsage", text),
        }
    }

    fn check(&self, _: &SignatureParameters, signer: &Signer) -> Result<(), SigningError> {
        let certificate = signer.certificate();
        let requires = |bit: i64, is_stated: bool| self.required & bit != 0 && is_stated;
        let subject = certificate.subject().rfc2253();
        if requires(SUBJECT, !self.subjects.is_empty()) && !self.subjects.iter().any(|der| der == certificate.der()) {
            return unmet(format!("found the certificate of {subject}, expected one of those that the field names"));
        }
        let is_above = |der: &Vec<u8>| {
            signer.chain().iter().any(|above| above.der() == der)
                || Certificate::from_der(der).is_ok_and(|issuer| issuer.subject() == certificate.issuer())
        };
        if requires(ISSUER, !self.issuers.is_empty()) && !self.issuers.iter().any(is_above) {
            let issuer = certificate.issuer().rfc2253();
            return unmet(format!("found a certificate of {issuer}, expected one of the issuers that the field names"));
        }
        let policies = &certificate.extensions().certificate_policies;
        let has = |oid: &String| policies.iter().flatten().any(|policy| &policy.oid == oid);
        if requires(POLICY, !self.policies.is_empty()) && !self.policies.iter().any(has) {
            return unmet(format!("found a certificate without the policy {}", self.policies.join(" or ")));
        }
        let is_named = |name: &Vec<(String, String)>| {
            name.iter().all(|(key, value)| attribute(certificate, key).as_ref() == Some(value))
        };
        if requires(NAME, !self.names.is_empty()) && !self.names.iter().any(is_named) {
            return unmet(format!("found the certificate of {subject}, expected another name"));
        }
        let usages = certificate.extensions().key_usage.as_deref().unwrap_or_default();
        if requires(USAGE, !self.key_usages.is_empty()) && !self.key_usages.iter().any(|wanted| allows(wanted, usages))
        {
            let usages: Vec<&str> = usages.iter().map(|usage| usage.as_str()).collect();
            return unmet(format!(
                "found the key usage {}, expected {}",
                usages.join(", "),
                self.key_usages.join(" or ")
            ));
        }
        Ok(())
    }
}

/// Returns the attribute of a certificate's subject that a field names as it is written in names.
fn attribute(certificate: &Certificate, key: &str) -> Option<String> {
    const KINDS: [(&str, Oid<'static>); 10] = [
        ("CN", oid!("2.5.4.3")),
        ("SN", oid!("2.5.4.4")),
        ("SERIALNUMBER", oid!("2.5.4.5")),
        ("C", oid!("2.5.4.6")),
        ("L", oid!("2.5.4.7")),
        ("ST", oid!("2.5.4.8")),
        ("O", oid!("2.5.4.10")),
        ("OU", oid!("2.5.4.11")),
        ("GN", oid!("2.5.4.42")),
        ("E", oid!("1.2.840.113549.1.9.1")),
    ];
    let (_, kind) = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
    certificate.subject().attribute(*kind)
}

/// Returns whether key usages are those that a field asks for, a character each: `1` has to be there, `0` must not, `X` may
/// (table 235).
fn allows(wanted: &str, usages: &[KeyUsage]) -> bool {
    wanted.chars().zip(KeyUsage::ALL).all(|(wanted, usage)| match wanted {
        '1' => usages.contains(usage),
        '0' => !usages.contains(usage),
        _ => true,
    })
}

/// Returns what an array holds, as far as it is of one type; one that is not in an array is taken as the only one.
fn list<'a, T>(
    revision: &Revision<'a, '_>,
    dictionary: &Dictionary<'a>,
    key: &[u8],
    read: impl Fn(&Object<'a>) -> Option<T>,
) -> Vec<T> {
    match revision.lookup(dictionary, key) {
        Object::Array(items) => items.iter().filter_map(|item| read(&revision.resolve(item))).collect(),
        one => read(&one).into_iter().collect(),
    }
}

fn unmet(found: String) -> Result<(), SigningError> {
    Err(SigningError::new(SigningErrorCode::SeedValueUnmet, format!("{found}, which the field requires (/SV)"))
        .with_hint("do as the field asks, sign another field, or say that seed values are not obeyed"))
}
