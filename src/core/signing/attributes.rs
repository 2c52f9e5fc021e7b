//! The signed attributes: RFC 5652 §11, EN 319 122-1 §5.2.

use super::check::check;
use super::cms::{set_of, signature_algorithm_identifier};
use super::parameters::{Commitment, ExplicitPolicy, Place, SignaturePolicy};
use super::{SignatureParameters, Signer, SigningError, SigningErrorCode, cades};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Writer, oid_content, tlv};
use crate::crypto::digest_algorithm_identifier;
use crate::formats::cms::oids;
use crate::formats::tsp::Token;
use crate::x509::Certificate;

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
    /// EN 319 142-1 §6.3: in PDF the time is an entry of the signature dictionary; in tokens it is in the content.
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
        stated(profile, parameters, &mut attributes)?;
    }
    let mut set = Writer::new();
    set.element(Tag::SET, &set_of(attributes.iter()));
    Ok(set.finish())
}

/// The attributes of what the signer states, whatever the content: EN 319 122-1 §5.2.
fn stated(
    profile: Profile<'_>,
    parameters: &SignatureParameters,
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
    if !parameters.claimed_roles.is_empty() || !parameters.signed_assertions.is_empty() {
        attributes.push(attribute_of(oids::SIGNER_ATTRIBUTES_V2, vec![signer_attributes(parameters)?]));
    }
    if let Some(policy) = &parameters.policy {
        attributes.push(attribute_of(oids::SIGNATURE_POLICY, vec![policy_identifier(policy)?]));
    }
    for bytes in &parameters.content_timestamps {
        attributes.push(attribute_of(oids::CONTENT_TIMESTAMP, vec![token(bytes)?.bytes.to_vec()]));
    }
    Ok(())
}

/// The attributes about the content: EN 319 122-1 §5.2.4, RFC 2634 §2.7 and §2.9.
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
    Ok(())
}

/// `SigningCertificateV2`: RFC 5035 §3, EN 319 122-1 §5.2.2.3. The default digest, SHA-256, is left out.
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

/// `CMSAlgorithmProtection`: RFC 6211 §2.
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

/// `CommitmentTypeIndication`: EN 319 122-1 §5.2.3; the values are those of RFC 5126 §5.11.1.
fn commitment(commitment: &Commitment) -> Result<Vec<u8>, SigningError> {
    let dotted = match commitment {
        Commitment::ProofOfOrigin => "1.2.840.113549.1.9.16.6.1",
        Commitment::ProofOfReceipt => "1.2.840.113549.1.9.16.6.2",
        Commitment::ProofOfDelivery => "1.2.840.113549.1.9.16.6.3",
        Commitment::ProofOfSender => "1.2.840.113549.1.9.16.6.4",
        Commitment::ProofOfApproval => "1.2.840.113549.1.9.16.6.5",
        Commitment::ProofOfCreation => "1.2.840.113549.1.9.16.6.6",
        Commitment::Other(dotted) => dotted,
    };
    Ok(tlv(Tag::SEQUENCE, &identifier(dotted)?))
}

/// ```asn1
/// SignerLocation ::= SEQUENCE { countryName [0] DirectoryString OPTIONAL, localityName [1] DirectoryString OPTIONAL,
///                               postalAddress [2] SEQUENCE SIZE(1..6) OF DirectoryString OPTIONAL }
/// ```
fn signer_location(place: &Place) -> Result<Vec<u8>, SigningError> {
    place.check()?;
    let mut w = Writer::new();
    w.sequence(|w| {
        for (number, text) in [(0, &place.country), (1, &place.locality)] {
            if let Some(text) = text {
                w.explicit(number, |w| {
                    w.utf8(text);
                });
            }
        }
        if !place.postal_address.is_empty() {
            w.explicit(2, |w| {
                w.sequence(|w| {
                    for line in &place.postal_address {
                        w.utf8(line);
                    }
                });
            });
        }
    });
    Ok(w.finish())
}

/// ```asn1
/// SignerAttributeV2 ::= SEQUENCE { claimedAttributes [0] SEQUENCE OF Attribute OPTIONAL,
///                                  certifiedAttributesV2 [1] … OPTIONAL,
///                                  signedAssertions [2] SEQUENCE OF SignedAssertion OPTIONAL }
/// SignedAssertion ::= SEQUENCE { signedAssertionID OBJECT IDENTIFIER, signedAssertion ANY OPTIONAL }
/// ```
fn signer_attributes(parameters: &SignatureParameters) -> Result<Vec<u8>, SigningError> {
    parameters.claimed_roles.iter().try_for_each(|role| not_empty("role", role))?;
    parameters.signed_assertions.iter().try_for_each(|assertion| not_empty("signed assertion", assertion))?;
    let mut w = Writer::new();
    w.sequence(|w| {
        if !parameters.claimed_roles.is_empty() {
            w.explicit(0, |w| {
                w.sequence(|w| {
                    for role in &parameters.claimed_roles {
                        w.raw(&attribute(oids::ROLE, |w| {
                            w.utf8(role);
                        }));
                    }
                });
            });
        }
        if !parameters.signed_assertions.is_empty() {
            w.explicit(2, |w| {
                w.sequence(|w| {
                    for assertion in &parameters.signed_assertions {
                        w.sequence(|w| {
                            w.oid(oids::SIGNED_ASSERTION).utf8(assertion);
                        });
                    }
                });
            });
        }
    });
    Ok(w.finish())
}

/// ```asn1
/// SignaturePolicy ::= CHOICE { signaturePolicyId SignaturePolicyId, signaturePolicyImplied NULL }
/// SignaturePolicyId ::= SEQUENCE { sigPolicyId OBJECT IDENTIFIER, sigPolicyHash OtherHashAlgAndValue OPTIONAL,
///                                  sigPolicyQualifiers SEQUENCE OF SigPolicyQualifierInfo OPTIONAL }
/// ```
fn policy_identifier(policy: &SignaturePolicy) -> Result<Vec<u8>, SigningError> {
    let policy = match policy {
        SignaturePolicy::Implied => return Ok(tlv(Tag::NULL, &[])),
        SignaturePolicy::Explicit(policy) => policy,
    };
    policy.check()?;
    let qualifiers = qualifiers(policy)?;
    let mut w = Writer::new();
    let oid = identifier(&policy.oid)?;
    w.sequence(|w| {
        w.raw(&oid).sequence(|w| {
            w.raw(&digest_algorithm_identifier(policy.digest_algorithm)).octet_string(&policy.digest);
        });
        if !qualifiers.is_empty() {
            w.element(Tag::SEQUENCE, &qualifiers);
        }
    });
    Ok(w.finish())
}

/// `SigPolicyQualifierInfo ::= SEQUENCE { sigPolicyQualifierId OBJECT IDENTIFIER, qualifier ANY }`, each
/// (EN 319 122-1 §5.2.9.2).
fn qualifiers(policy: &ExplicitPolicy) -> Result<Vec<u8>, SigningError> {
    let mut w = Writer::new();
    if let Some(uri) = &policy.uri {
        w.sequence(|w| {
            w.oid(oids::POLICY_URI).ia5(uri);
        });
    }
    if let Some(notice) = &policy.user_notice {
        // Its reference to a numbered notice is left out.
        w.sequence(|w| {
            w.oid(oids::POLICY_USER_NOTICE).sequence(|w| {
                w.utf8(notice);
            });
        });
    }
    if let Some(specification) = &policy.document_specification {
        w.sequence(|w| {
            w.oid(oids::POLICY_DOCUMENT_SPECIFICATION).raw(&document_specification(specification));
        });
    }
    Ok(w.finish())
}

/// `SPDocSpecification ::= CHOICE { oid OBJECT IDENTIFIER, uri IA5String }`
fn document_specification(text: &str) -> Vec<u8> {
    identifier(text).unwrap_or_else(|_| tlv(Tag::IA5_STRING, text.as_bytes()))
}

/// Returns the signature-policy-store attribute, where the document of the policy is to be held: EN 319 122-1 §5.2.10.
///
/// ```asn1
/// SignaturePolicyStore ::= SEQUENCE { spDocSpec SPDocSpecification,
///   spDocument CHOICE { sigPolicyEncoded OCTET STRING, sigPolicyLocalURI IA5String } }
/// ```
///
/// # Errors
///
/// [`SigningError`] as [`signed_attributes`] has it about the policy.
pub(crate) fn policy_store(parameters: &SignatureParameters) -> Result<Option<Vec<u8>>, SigningError> {
    let Some(SignaturePolicy::Explicit(policy)) = &parameters.policy else { return Ok(None) };
    policy.check()?;
    let held = policy.document.as_ref().zip(policy.document_specification.as_ref());
    Ok(held.map(|(document, specification)| {
        attribute(oids::SIGNATURE_POLICY_STORE, |w| {
            w.sequence(|w| {
                w.raw(&document_specification(specification)).octet_string(document);
            });
        })
    }))
}

/// Returns the signature-time-stamp attribute with this token, kept as it came: EN 319 122-1 §5.3.
pub(crate) fn signature_timestamp(token: &Token<'_>) -> Vec<u8> {
    attribute_of(oids::SIGNATURE_TIMESTAMP, vec![token.bytes.to_vec()])
}

/// Reads a time-stamp token, or a response that holds one.
///
/// # Errors
///
/// `tsa-reply-unreadable` where the bytes are neither.
pub(super) fn token(bytes: &[u8]) -> Result<Token<'_>, SigningError> {
    Token::parse(bytes).map_err(|error| {
        let found = format!("found no time-stamp token ({error}), expected one (RFC 3161 §2.4.2)");
        SigningError::new(SigningErrorCode::TsaReplyUnreadable, found)
    })
}

/// Checks that the content time-stamps are over the content, whose digests the closure computes: EN 319 122-1 §5.2.8.
///
/// # Errors
///
/// `tsa-reply-unreadable` and `tsa-imprint`.
pub(super) fn check_content_timestamps(
    parameters: &SignatureParameters,
    digest: impl Fn(DigestAlgorithm) -> Option<Vec<u8>>,
) -> Result<(), SigningError> {
    parameters.content_timestamps.iter().try_for_each(|bytes| check_imprint(&token(bytes)?, "the content", &digest))
}

/// Checks that a token is over something, whose digests the closure computes.
///
/// # Errors
///
/// `tsa-imprint` where it is not, or over a digest that cannot be computed.
pub(super) fn check_imprint(
    token: &Token<'_>,
    what: &str,
    digest: impl Fn(DigestAlgorithm) -> Option<Vec<u8>>,
) -> Result<(), SigningError> {
    let imprint = &token.info.imprint;
    let computed = imprint.algorithm.and_then(digest);
    if computed.as_ref() == Some(&imprint.value.0) {
        return Ok(());
    }
    let name = imprint.algorithm.map_or("an unknown function", DigestAlgorithm::as_str);
    let found = format!("found a time-stamp over another imprint (by {name}), expected one over {what}");
    Err(SigningError::new(SigningErrorCode::TsaImprint, found))
}

fn attribute(kind: Oid<'_>, value: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    value(&mut w);
    attribute_of(kind, vec![w.finish()])
}

/// `Attribute ::= SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF AttributeValue }`: RFC 5652 §5.3.
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

/// DirectoryString and UTF8String of the attributes: X.520 has at least one character.
pub(super) fn not_empty(what: &str, text: &str) -> Result<(), SigningError> {
    if text.is_empty() { Err(invalid(format!("found an empty {what}, expected a text"))) } else { Ok(()) }
}

pub(super) fn invalid(message: String) -> SigningError {
    SigningError::new(SigningErrorCode::ParameterInvalid, message)
}
