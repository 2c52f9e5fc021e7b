//! The signed attributes: RFC 5652 §11, EN 319 122-1 §5.2.

mod certified;
mod policy;
mod signer;
mod timestamp;

pub(crate) use policy::policy_store;
pub(super) use timestamp::{check_content_timestamps, check_imprint, signature_timestamp, token};

use super::check::check;
use super::cms::{set_of, signature_algorithm_identifier};
use super::{SignatureParameters, Signer, SigningError, SigningErrorCode, cades};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Tlv, Writer, oid_content, tlv};
use crate::crypto::digest_algorithm_identifier;
use crate::formats::cms::{Attributes, oids};
use crate::x509::Certificate;
use policy::policy_identifier;
use signer::{commitment, signer_attributes, signer_location};

/// Which attributes a signature may have, and has to have.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Profile<'a> {
    /// A CAdES signature, with what is stated about its content: EN 319 122-1 §6.3.
    Cades(&'a cades::Options),
    /// A signature of a PDF: EN 319 142-1 §6.3.
    #[cfg(feature = "pdf")]
    Pades,
    /// A signature over the value of another: RFC 5652 §11.4.
    CounterSignature,
    /// A time-stamp token: RFC 3161 §2.4.2, EN 319 422 §5.
    TimestampToken,
}

impl Profile<'_> {
    /// Returns whether the time is a signed attribute: in PDF it is an entry of the signature dictionary (EN 319 142-1
    /// §6.3); in tokens it is in the content.
    fn has_signing_time(self) -> bool {
        matches!(self, Self::Cades(_) | Self::CounterSignature)
    }
}

/// Returns the signed attributes as they are signed, a SET OF in DER: RFC 5652 §5.4.
///
/// # Errors
///
/// [`SigningError`] where a parameter is not of the form that its attribute has, or excludes another.
pub(crate) fn signed_attributes(
    profile: Profile<'_>,
    signer: &Signer,
    parameters: &SignatureParameters,
    content_type: Oid<'_>,
    message_digest: &[u8],
) -> Result<Vec<u8>, SigningError> {
    if !matches!(profile, Profile::TimestampToken) {
        check(signer, parameters)?;
    }
    let mut attributes = vec![
        attribute(oids::MESSAGE_DIGEST, |w| {
            w.octet_string(message_digest);
        }),
        signing_certificate(signer.certificate(), parameters.certificate_digest)?,
    ];
    if !matches!(profile, Profile::CounterSignature) {
        attributes.push(attribute(oids::CONTENT_TYPE, |w| {
            w.oid(content_type);
        }));
    }
    if profile.has_signing_time() {
        attributes.push(attribute(oids::SIGNING_TIME, |w| {
            w.time(parameters.signing_time);
        }));
    }
    if let Profile::Cades(options) = profile {
        about_content(options, content_type, &mut attributes)?;
    }
    if !matches!(profile, Profile::TimestampToken) {
        attributes.push(algorithm_protection(signer));
        stated(profile, parameters, signer, &mut attributes)?;
    }
    let mut set = Writer::new();
    set.element(Tag::SET, &set_of(attributes.iter()));
    Ok(set.finish())
}

/// Returns the message-digest that signed attributes state: RFC 5652 §11.2.
pub(super) fn message_digest(signed_attributes: &[u8]) -> Option<Vec<u8>> {
    let set = Tlv::whole(signed_attributes).ok()?;
    Some(Attributes::parse(&set).value(oids::MESSAGE_DIGEST)?.content.to_vec())
}

/// Returns the attributes of what the signer states, whatever the content: EN 319 122-1 §5.2.
fn stated(
    profile: Profile<'_>,
    parameters: &SignatureParameters,
    signer: &Signer,
    attributes: &mut Vec<Vec<u8>>,
) -> Result<(), SigningError> {
    if !parameters.commitments.is_empty() {
        let values = parameters.commitments.iter().map(commitment).collect::<Result<Vec<_>, _>>()?;
        attributes.push(attribute_of(oids::COMMITMENT_TYPE, values));
    }
    // EN 319 142-1 §6.3: in PDF the place is an entry of the signature dictionary.
    if let Some(place) = parameters.place.as_ref().filter(|_| profile.has_signing_time()) {
        attributes.push(attribute_of(oids::SIGNER_LOCATION, vec![signer_location(place)?]));
    }
    if let Some(value) = signer_attributes(parameters, signer)? {
        attributes.push(attribute_of(oids::SIGNER_ATTRIBUTES_V2, vec![value]));
    }
    if let Some(policy) = &parameters.policy {
        attributes.push(attribute_of(oids::SIGNATURE_POLICY, vec![policy_identifier(policy)?]));
    }
    for bytes in &parameters.content_timestamps {
        attributes.push(attribute_of(oids::CONTENT_TIMESTAMP, vec![token(bytes)?.bytes.to_vec()]));
    }
    Ok(())
}

/// Returns the attributes about the content: EN 319 122-1 §5.2.4, RFC 2634 §2.7, §2.9 and §2.11.
fn about_content(
    options: &cades::Options,
    content_type: Oid<'_>,
    attributes: &mut Vec<Vec<u8>>,
) -> Result<(), SigningError> {
    if let Some(description) = &options.description {
        if options.mime_type.is_some() {
            let found =
                "found a media type and a description of the content, expected one of them (EN 319 122-1 §5.2.4)";
            return Err(SigningError::new(SigningErrorCode::ParametersConflict, found));
        }
        not_empty("description of the content", description)?;
        attributes.push(attribute(oids::CONTENT_HINT, |w| {
            w.sequence(|w| {
                w.utf8(description).oid(content_type);
            });
        }));
    } else {
        let mime_type = options.mime_type.as_deref().unwrap_or("application/octet-stream");
        if !mime_type.is_ascii() || !mime_type.contains('/') {
            return Err(invalid(format!("found the media type `{mime_type}`, expected one such as text/plain")));
        }
        attributes.push(attribute(oids::MIME_TYPE, |w| {
            w.utf8(mime_type);
        }));
    }
    if let Some(identifier) = &options.identifier {
        attributes.push(attribute(oids::CONTENT_IDENTIFIER, |w| {
            w.octet_string(identifier);
        }));
    }
    if let Some(reference) = &options.reference {
        attributes.push(attribute_of(oids::CONTENT_REFERENCE, vec![reference.der()?]));
    }
    Ok(())
}

/// Makes `SigningCertificateV2`: RFC 5035 §3, EN 319 122-1 §5.2.2.3. The default digest, SHA-256, is left out.
fn signing_certificate(certificate: &Certificate, function: DigestAlgorithm) -> Result<Vec<u8>, SigningError> {
    let digest = certificate.digest(function).filter(|_| function != DigestAlgorithm::Sha1);
    let Some(digest) = digest else {
        let found = format!("found {function} for the signing certificate, expected SHA-2 or SHA-3");
        return Err(SigningError::new(SigningErrorCode::AlgorithmNotAllowed, found));
    };
    Ok(attribute(oids::SIGNING_CERTIFICATE_V2, |w| {
        w.sequence(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    if function != DigestAlgorithm::Sha256 {
                        w.raw(&digest_algorithm_identifier(function));
                    }
                    w.octet_string(&digest);
                    w.sequence(|w| {
                        w.sequence(|w| {
                            // GeneralNames of one directoryName [4].
                            w.explicit(4, |w| {
                                w.raw(certificate.issuer().der());
                            });
                        });
                        w.integer(certificate.serial());
                    });
                });
            });
        });
    }))
}

/// Makes `CMSAlgorithmProtection`: RFC 6211 §2.
fn algorithm_protection(signer: &Signer) -> Vec<u8> {
    let algorithm = signature_algorithm_identifier(signer.algorithm());
    attribute(oids::ALGORITHM_PROTECTION, |w| {
        w.sequence(|w| {
            w.raw(&digest_algorithm_identifier(signer.digest()));
            // The same SEQUENCE under the tag [1] IMPLICIT.
            w.raw(&[0xa1]).raw(algorithm.get(1..).unwrap_or_default());
        });
    })
}

fn attribute(kind: Oid<'_>, value: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    value(&mut w);
    attribute_of(kind, vec![w.finish()])
}

/// Makes an `Attribute ::= SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF AttributeValue }`: RFC 5652 §5.3.
pub(super) fn attribute_of(kind: Oid<'_>, values: Vec<Vec<u8>>) -> Vec<u8> {
    let mut w = Writer::new();
    w.sequence(|w| {
        w.oid(kind).element(Tag::SET, &set_of(values.iter()));
    });
    w.finish()
}

/// Returns the OBJECT IDENTIFIER with these dotted numbers: X.660 §7.6 bounds the first two.
pub(super) fn identifier(dotted: &str) -> Result<Vec<u8>, SigningError> {
    let mut numbers = dotted.split('.').map(|number| number.parse::<u64>());
    let bounded = match (numbers.next(), numbers.next()) {
        (Some(Ok(0 | 1)), Some(Ok(second))) => second < 40,
        (Some(Ok(first)), Some(Ok(_))) => first == 2,
        _ => false,
    };
    let content = oid_content(dotted).filter(|_| bounded);
    let content = content.ok_or_else(|| {
        invalid(format!("found `{dotted}`, expected an object identifier such as 1.2.840.113549.1.9.16.6.5"))
    })?;
    Ok(tlv(Tag::OID, &content))
}

/// Refuses an empty text: DirectoryString and UTF8String of the attributes have at least one character (X.520).
pub(super) fn not_empty(what: &str, text: &str) -> Result<(), SigningError> {
    if text.is_empty() { Err(invalid(format!("found an empty {what}, expected a text"))) } else { Ok(()) }
}

pub(super) fn invalid(message: String) -> SigningError {
    SigningError::new(SigningErrorCode::ParameterInvalid, message)
}
