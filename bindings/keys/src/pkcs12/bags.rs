//! The structure of a file: RFC 7292 §4.

use super::error::Pkcs12Error;
use super::integrity;
use super::opening::{self, Password};
use lacre_core::asn1::{Reader, Tag, Tlv};
use zeroize::Zeroizing;

const DATA: &str = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA: &str = "1.2.840.113549.1.7.6";
/// The bags of RFC 7292 §4.2.
const KEY_BAG: &str = "1.2.840.113549.1.12.10.1.1";
const SHROUDED_KEY_BAG: &str = "1.2.840.113549.1.12.10.1.2";
const CERTIFICATE_BAG: &str = "1.2.840.113549.1.12.10.1.3";
const SAFE_CONTENTS_BAG: &str = "1.2.840.113549.1.12.10.1.6";
/// `x509Certificate`: RFC 7292 §4.2.3.
const X509_CERTIFICATE: &str = "1.2.840.113549.1.9.22.1";
/// Attributes: RFC 2985 §5.5.1, §5.5.2.
const FRIENDLY_NAME: &str = "1.2.840.113549.1.9.20";
const LOCAL_KEY_ID: &str = "1.2.840.113549.1.9.21";
/// Bags in bags that are followed. Files have none.
const MOST_NESTING: usize = 4;

/// What a bag holds.
pub struct Held {
    /// `PrivateKeyInfo`, or a certificate.
    pub bytes: Zeroizing<Vec<u8>>,
    /// Whether a password opened it.
    pub was_sealed: bool,
    pub friendly_name: Option<String>,
    pub local_key_id: Option<Vec<u8>>,
}

/// What the bags of a file hold, in their order.
#[derive(Default)]
pub struct Bags {
    pub keys: Vec<Held>,
    pub certificates: Vec<Held>,
}

impl Bags {
    /// Reads and opens a file.
    ///
    /// ```asn1
    /// PFX ::= SEQUENCE { version INTEGER, authSafe ContentInfo, macData MacData OPTIONAL }
    /// AuthenticatedSafe ::= SEQUENCE OF ContentInfo
    /// ```
    pub fn open(bytes: &[u8], password: &str) -> Result<Self, Pkcs12Error> {
        let pfx = Tlv::split(bytes).map_err(Pkcs12Error::part("PFX"))?.0;
        let mut parts = pfx.expecting(Tag::SEQUENCE).map_err(Pkcs12Error::part("PFX"))?.children();
        let version = parts.expect(Tag::INTEGER).and_then(|version| version.to_u64());
        if version.map_err(Pkcs12Error::part("PFX"))? != 3 {
            return Err(Pkcs12Error::Format { part: "the version of PFX" });
        }
        let safe = parts.expect(Tag::SEQUENCE).map_err(Pkcs12Error::part("authSafe"))?;
        let mac_data = parts.optional(Tag::SEQUENCE).map_err(Pkcs12Error::part("macData"))?;
        let (kind, content) = content_info(&safe)?;
        if kind != DATA {
            // RFC 7292 §3.1: public-key integrity, by a signature.
            return Err(Pkcs12Error::Integrity { found: format!("content of the type {kind}") });
        }
        let content = content.ok_or(Pkcs12Error::Format { part: "authSafe" })?;
        let content = content.expecting(Tag::OCTET_STRING).and_then(|octets| octets.bytes());
        let content = Zeroizing::new(content.map_err(Pkcs12Error::part("authSafe"))?.into_owned());
        let passwords = Password::forms(password);
        match (&mac_data, &passwords[..]) {
            (Some(mac_data), passwords) => Self::of(&content, integrity::check(mac_data, &content, passwords)?),
            (None, [usual, others @ ..]) => {
                let otherwise =
                    |first| others.iter().find_map(|password| Self::of(&content, password).ok()).ok_or(first);
                Self::of(&content, usual).or_else(otherwise)
            }
            (None, []) => Err(Pkcs12Error::Password),
        }
    }

    fn of(content: &[u8], password: &Password) -> Result<Self, Pkcs12Error> {
        let mut bags = Self::default();
        let part = Pkcs12Error::part("the authenticated safe");
        let mut infos = Tlv::whole(content).and_then(|safe| safe.expecting(Tag::SEQUENCE)).map_err(part)?.children();
        while let Some(info) = Reader::next(&mut infos).map_err(Pkcs12Error::part("the authenticated safe"))? {
            let (kind, content) = content_info(&info)?;
            let content = content.ok_or(Pkcs12Error::Format { part: "a ContentInfo" })?;
            match kind.as_str() {
                DATA => {
                    let octets = content.expecting(Tag::OCTET_STRING).and_then(|octets| octets.bytes());
                    let contents = Zeroizing::new(octets.map_err(Pkcs12Error::part("SafeContents"))?.into_owned());
                    bags.add(&contents, password, false, 0)?;
                }
                ENCRYPTED_DATA => {
                    let contents = opened(&content, password)?;
                    // A wrong password shows by its padding in 255 of 256 cases; what is left has no form.
                    if !Tlv::whole(&contents).is_ok_and(|all| all.is(Tag::SEQUENCE)) {
                        return Err(Pkcs12Error::Password);
                    }
                    bags.add(&contents, password, true, 0)?;
                }
                // RFC 7292 §3.1: public-key privacy.
                _ => return Err(Pkcs12Error::Encryption { found: format!("content of the type {kind}") }),
            }
        }
        Ok(bags)
    }

    /// Adds what the bags hold:
    ///
    /// ```asn1
    /// SafeContents ::= SEQUENCE OF SafeBag
    /// SafeBag ::= SEQUENCE { bagId OBJECT IDENTIFIER, bagValue [0] EXPLICIT ANY, bagAttributes SET OF Attribute
    /// OPTIONAL }
    /// ```
    fn add(&mut self, contents: &[u8], password: &Password, sealed: bool, depth: usize) -> Result<(), Pkcs12Error> {
        let part = |_| Pkcs12Error::Format { part: "SafeContents" };
        let mut bags = Tlv::whole(contents).and_then(|all| all.expecting(Tag::SEQUENCE)).map_err(part)?.children();
        while let Some(bag) = Reader::next(&mut bags).map_err(part)? {
            let mut parts = bag.expecting(Tag::SEQUENCE).map_err(part)?.children();
            let kind = parts.expect(Tag::OID).and_then(|oid| oid.oid()).map_err(part)?.dotted();
            let value = parts.context(0).map_err(part)?.ok_or(Pkcs12Error::Format { part: "SafeBag" })?;
            let value = value.inner().map_err(part)?;
            let (friendly_name, local_key_id) = attributes(parts.optional(Tag::SET).map_err(part)?);
            let held = |bytes, was_sealed| Held { bytes, was_sealed, friendly_name, local_key_id };
            match kind.as_str() {
                KEY_BAG => self.keys.push(held(Zeroizing::new(value.raw.to_vec()), sealed)),
                SHROUDED_KEY_BAG => {
                    let mut parts = value.children();
                    let algorithm = parts.expect(Tag::SEQUENCE).map_err(part)?;
                    let bytes = parts.expect(Tag::OCTET_STRING).and_then(|octets| octets.bytes()).map_err(part)?;
                    self.keys.push(held(opening::open(&algorithm, &bytes, password)?, true));
                }
                CERTIFICATE_BAG => {
                    let certificate = certificate(&value).map_err(part)?;
                    self.certificates.extend(certificate.map(|bytes| held(Zeroizing::new(bytes), sealed)));
                }
                SAFE_CONTENTS_BAG if depth < MOST_NESTING => self.add(value.raw, password, sealed, depth + 1)?,
                // CRLs, secrets, and what others put there.
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reads a `ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY OPTIONAL }`: RFC 5652
/// §3.
fn content_info<'a>(info: &Tlv<'a>) -> Result<(String, Option<Tlv<'a>>), Pkcs12Error> {
    let part = |_| Pkcs12Error::Format { part: "a ContentInfo" };
    let mut parts = info.expecting(Tag::SEQUENCE).map_err(part)?.children();
    let kind = parts.expect(Tag::OID).and_then(|oid| oid.oid()).map_err(part)?.dotted();
    let content = parts.context(0).and_then(|explicit| explicit.map(|content| content.inner()).transpose());
    Ok((kind, content.map_err(part)?))
}

/// Opens `EncryptedData`:
///
/// ```asn1
/// EncryptedData ::= SEQUENCE { version INTEGER, encryptedContentInfo SEQUENCE {
///   contentType OBJECT IDENTIFIER, contentEncryptionAlgorithm AlgorithmIdentifier,
///   encryptedContent [0] IMPLICIT OCTET STRING OPTIONAL } }
/// ```
fn opened(data: &Tlv<'_>, password: &Password) -> Result<Zeroizing<Vec<u8>>, Pkcs12Error> {
    let part = |_| Pkcs12Error::Format { part: "EncryptedData" };
    let mut parts = data.expecting(Tag::SEQUENCE).map_err(part)?.children();
    parts.expect(Tag::INTEGER).map_err(part)?;
    let mut info = parts.expect(Tag::SEQUENCE).map_err(part)?.children();
    info.expect(Tag::OID).map_err(part)?;
    let algorithm = info.expect(Tag::SEQUENCE).map_err(part)?;
    let sealed = info.context(0).map_err(part)?.ok_or(Pkcs12Error::Format { part: "EncryptedData" })?;
    opening::open(&algorithm, &sealed.bytes().map_err(part)?, password)
}

/// Reads a `CertBag ::= SEQUENCE { certId OBJECT IDENTIFIER, certValue [0] EXPLICIT ANY }`; `None` where it is no X.509
/// certificate.
fn certificate(bag: &Tlv<'_>) -> Result<Option<Vec<u8>>, lacre_core::asn1::Error> {
    let mut parts = bag.expecting(Tag::SEQUENCE)?.children();
    let kind = parts.expect(Tag::OID)?.oid()?.dotted();
    let Some(value) = parts.context(0)?.filter(|_| kind == X509_CERTIFICATE) else { return Ok(None) };
    Ok(Some(value.inner()?.expecting(Tag::OCTET_STRING)?.bytes()?.into_owned()))
}

/// Reads `friendlyName` and `localKeyId`.
fn attributes(set: Option<Tlv<'_>>) -> (Option<String>, Option<Vec<u8>>) {
    let (mut name, mut id) = (None, None);
    for attribute in set.into_iter().flat_map(|set| set.children()) {
        let mut parts = attribute.children();
        let Ok(oid) = parts.expect(Tag::OID).and_then(|oid| oid.oid()) else { continue };
        let Ok(value) = parts.expect(Tag::SET).and_then(|values| values.children().read()) else { continue };
        match oid.dotted().as_str() {
            FRIENDLY_NAME => name = value.string().ok().map(std::borrow::Cow::into_owned),
            LOCAL_KEY_ID => id = value.bytes().ok().map(std::borrow::Cow::into_owned),
            _ => {}
        }
    }
    (name, id)
}
