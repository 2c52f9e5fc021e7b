//! References to certificates and revocation data: EN 319 132-1 §5.2.2, annex A.1.

use super::policy::stated_digest;
use super::{child, is, trimmed};
use crate::asn1::{Tag, Writer, magnitude};
use crate::facts::{CertificateRefOrigin, RevocationRef, RevocationRefOrigin, RevocationType, SignerInfo};
use crate::formats::draft::CertificateRef;
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{DSIG, Element};
use crate::x509::Name;

/// Returns the `Cert` elements inside a property.
pub(super) fn refs(property: Element<'_, '_>, origin: CertificateRefOrigin) -> Vec<CertificateRef> {
    let certs = property.tree().elements(property.id()).filter(|element| is(*element, "Cert"));
    certs.map(|cert| reference(cert, origin)).collect()
}

/// Reads `<Cert URI=""><CertDigest/>(<IssuerSerial/>|<IssuerSerialV2/>)?</Cert>`: the second form is DER in Base64.
fn reference(cert: Element<'_, '_>, origin: CertificateRefOrigin) -> CertificateRef {
    let second = child(cert, "IssuerSerialV2").and_then(base64_text);
    CertificateRef {
        origin,
        issuer_serial: second.or_else(|| child(cert, "IssuerSerial").and_then(issuer_serial)).map(Into::into),
        digest: child(cert, "CertDigest").map(stated_digest),
        signer: None,
        x509_url: cert.attribute("URI").map(Into::into),
    }
}

/// Returns `ds:X509IssuerName` and `ds:X509SerialNumber` as the `IssuerSerial` of RFC 5035 §5; `None` where the name is
/// not one that can be compared.
fn issuer_serial(element: Element<'_, '_>) -> Option<Vec<u8>> {
    let name = Name::from_text(&element.child(DSIG, "X509IssuerName")?.text())?;
    let serial = magnitude(&trimmed(element.child(DSIG, "X509SerialNumber")?)?)?;
    let mut writer = Writer::new();
    writer.sequence(|pair| {
        pair.sequence(|names| {
            names.nested(Tag::context_constructed(4), |directory| {
                directory.raw(name.der());
            });
        });
        pair.unsigned(&serial);
    });
    Some(writer.finish())
}

/// Reads the `CRLRef` and `OCSPRef` elements inside a property (annex A.1.2).
pub(super) fn revocation_refs(
    property: Element<'_, '_>,
    origin: RevocationRefOrigin,
) -> Vec<(RevocationType, RevocationRef)> {
    let mut found = vec![];
    for element in property.tree().elements(property.id()) {
        let digest = child(element, "DigestAlgAndValue").map(stated_digest);
        if is(element, "CRLRef") {
            let reference = RevocationRef { origins: vec![origin], digest, ..RevocationRef::default() };
            found.push((RevocationType::Crl, reference));
        } else if is(element, "OCSPRef") {
            let identifier = child(element, "OCSPIdentifier");
            let produced = identifier.and_then(|identifier| child(identifier, "ProducedAt")).and_then(trimmed);
            let reference = RevocationRef {
                origins: vec![origin],
                produced_at: produced.and_then(|text| text.parse().ok()),
                responder: identifier.and_then(|identifier| child(identifier, "ResponderID")).map(responder),
                digest,
            };
            found.push((RevocationType::Ocsp, reference));
        }
    }
    found
}

/// Reads `<ResponderID>(<ByName/>|<ByKey/>)</ResponderID>`; versions before 1.3.2 have the name right inside.
fn responder(element: Element<'_, '_>) -> SignerInfo {
    let key = child(element, "ByKey").and_then(base64_text);
    let text = child(element, "ByName").or(Some(element).filter(|_| key.is_none())).and_then(trimmed);
    SignerInfo {
        issuer: text.and_then(|text| Name::from_text(&text)).map(|name| name.rfc2253().to_owned()),
        ski: key.map(Into::into),
        ..SignerInfo::default()
    }
}
