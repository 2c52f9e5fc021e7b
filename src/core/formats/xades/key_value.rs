//! Bare keys in `ds:KeyInfo`: XMLDSig 1.1 §4.5.2, as the `SubjectPublicKeyInfo` that everything else understands.

use crate::asn1::{Oid, Tag, Writer, oid_content};
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{DSIG, Element};

const DSIG11: &str = "http://www.w3.org/2009/xmldsig11#";

const RSA: Oid<'static> = Oid::from_content(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]);
const DSA: Oid<'static> = Oid::from_content(&[0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x01]);
const EC: Oid<'static> = Oid::from_content(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]);

/// Returns the `SubjectPublicKeyInfo` of the key that a `ds:KeyInfo` states outright.
pub fn public_key(key_info: Element<'_, '_>) -> Option<Vec<u8>> {
    if let Some(encoded) = key_info.child(DSIG11, "DEREncodedKeyValue") {
        return base64_text(encoded);
    }
    let value = key_info.child(DSIG, "KeyValue")?;
    if let Some(rsa) = value.child(DSIG, "RSAKeyValue") {
        let (modulus, exponent) = (part(rsa, "Modulus")?, part(rsa, "Exponent")?);
        let mut key = Writer::new();
        key.sequence(|key| {
            key.unsigned(&modulus).unsigned(&exponent);
        });
        return Some(info(
            RSA,
            |parameters| {
                parameters.null();
            },
            &key.finish(),
        ));
    }
    if let Some(dsa) = value.child(DSIG, "DSAKeyValue") {
        let [p, q, g, y] = ["P", "Q", "G", "Y"].map(|name| part(dsa, name));
        let (p, q, g) = (p?, q?, g?);
        let mut key = Writer::new();
        key.unsigned(&y?);
        let parameters = |parameters: &mut Writer| {
            parameters.sequence(|group| {
                group.unsigned(&p).unsigned(&q).unsigned(&g);
            });
        };
        return Some(info(DSA, parameters, &key.finish()));
    }
    let ec = value.child(DSIG11, "ECKeyValue")?;
    let curve = ec.child(DSIG11, "NamedCurve")?.attribute("URI")?.strip_prefix("urn:oid:")?;
    let curve = oid_content(curve)?;
    let point = base64_text(ec.child(DSIG11, "PublicKey")?)?;
    Some(info(
        EC,
        |parameters| {
            parameters.element(Tag::OID, &curve);
        },
        &point,
    ))
}

fn part(element: Element<'_, '_>, local: &str) -> Option<Vec<u8>> {
    base64_text(element.child(DSIG, local)?)
}

/// Writes `SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }`.
fn info(algorithm: Oid<'_>, parameters: impl FnOnce(&mut Writer), key: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(|info| {
        info.sequence(|identifier| {
            identifier.oid(algorithm);
            parameters(identifier);
        });
        info.element(Tag::BIT_STRING, &[&[0], key].concat());
    });
    writer.finish()
}
