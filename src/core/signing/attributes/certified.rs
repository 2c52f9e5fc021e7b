//! Attributes of the signer that others certify: attribute certificates, EN 319 122-1 §5.2.6, RFC 5755 §4.1.

use super::invalid;
use crate::asn1::{Tag, Tlv};
use crate::signing::{Signer, SigningError};
use crate::time::Time;

/// Checks that bytes are an attribute certificate of this signer, valid at the claimed time. Whether its issuer may certify
/// the attributes, a validator says.
///
/// ```asn1
/// AttributeCertificate ::= SEQUENCE { acinfo AttributeCertificateInfo, signatureAlgorithm AlgorithmIdentifier,
///                                     signatureValue BIT STRING }
/// AttributeCertificateInfo ::= SEQUENCE { version INTEGER { v2(1) }, holder Holder, issuer AttCertIssuer, signature …,
///   serialNumber …, attrCertValidityPeriod SEQUENCE { notBeforeTime GeneralizedTime, notAfterTime … }, … }
/// ```
pub(super) fn check_certified(der: &[u8], signer: &Signer, at: Time) -> Result<(), SigningError> {
    let refused = |found: &str| {
        let expected = "expected an attribute certificate (RFC 5755 §4.1) of the signer, valid at the claimed time";
        Err(invalid(format!("found {found}, {expected}")))
    };
    let Some((holder, period)) = parts(der) else { return refused("something else among certified attributes") };
    if !is_of(&holder, signer) {
        return refused("an attribute certificate of another holder");
    }
    match period {
        Some([from, to]) if from <= at && at <= to => Ok(()),
        Some([from, to]) => refused(&format!("an attribute certificate that is valid from {from} to {to}")),
        None => refused("an attribute certificate without a validity period"),
    }
}

/// Returns the holder, and the validity period as far as it is one.
fn parts(der: &[u8]) -> Option<(Tlv<'_>, Option<[Time; 2]>)> {
    let whole = Tlv::whole(der).ok()?.expecting(Tag::SEQUENCE).ok()?;
    let mut reader = whole.children();
    let info = reader.expect(Tag::SEQUENCE).ok()?;
    reader.expect(Tag::SEQUENCE).ok()?;
    reader.expect(Tag::BIT_STRING).ok()?;
    if reader.next().ok()?.is_some() {
        return None;
    }
    let mut reader = info.children();
    let version = reader.expect(Tag::INTEGER).ok()?.to_u64().ok()?;
    let holder = reader.expect(Tag::SEQUENCE).ok().filter(|_| version == 1)?;
    // Issuer, signature algorithm, serial number.
    let period = reader.nth(3)?;
    let mut times = period.children().map(|time| time.time().ok());
    let period = times.next().flatten().zip(times.next().flatten()).map(|(from, to)| [from, to]);
    Some((holder, period))
}

/// Returns whether a holder is the signer: by issuer and serial number, or by name. What it states has to agree; a digest
/// alone is not compared (RFC 5755 §7.3).
///
/// ```asn1
/// Holder ::= SEQUENCE { baseCertificateID [0] IssuerSerial OPTIONAL, entityName [1] GeneralNames OPTIONAL,
///                       objectDigestInfo [2] ObjectDigestInfo OPTIONAL }
/// ```
fn is_of(holder: &Tlv<'_>, signer: &Signer) -> bool {
    let certificate = signer.certificate();
    // GeneralName ::= CHOICE { …, directoryName [4] Name, … }
    let names = |names: Tlv<'_>, name: &[u8]| {
        names.children().any(|one| one.is_context(4) && one.inner().is_ok_and(|inner| inner.raw == name))
    };
    let agrees = |part: Tlv<'_>| match part.tag.number {
        0 => {
            let mut reader = part.children();
            let issuer = reader.expect(Tag::SEQUENCE).is_ok_and(|issuer| names(issuer, certificate.issuer().der()));
            issuer && reader.expect(Tag::INTEGER).is_ok_and(|serial| serial.content == certificate.serial())
        }
        1 => names(part, certificate.subject().der()),
        _ => true,
    };
    !holder.content.is_empty() && holder.children().all(agrees)
}
