//! What the signer states of themselves: EN 319 122-1 §5.2.3, §5.2.5, §5.2.6.

use super::certified::check_certified;
use super::{attribute, identifier, invalid, not_empty};
use crate::asn1::{Tag, Tlv, Writer, tlv};
use crate::formats::cms::oids;
use crate::signing::parameters::{Commitment, CommitmentQualifier, Place};
use crate::signing::{SignatureParameters, Signer, SigningError};

/// Makes a `CommitmentTypeIndication`. The values are those of RFC 5126 §5.11.1.
///
/// ```asn1
/// CommitmentTypeIndication ::= SEQUENCE { commitmentTypeId OBJECT IDENTIFIER,
///   commitmentTypeQualifier SEQUENCE SIZE (1..MAX) OF CommitmentTypeQualifier OPTIONAL }
/// CommitmentTypeQualifier ::= SEQUENCE { commitmentQualifierId OBJECT IDENTIFIER, qualifier ANY OPTIONAL }
/// ```
pub(super) fn commitment(commitment: &Commitment) -> Result<Vec<u8>, SigningError> {
    let dotted = match commitment {
        Commitment::ProofOfOrigin => "1.2.840.113549.1.9.16.6.1",
        Commitment::ProofOfReceipt => "1.2.840.113549.1.9.16.6.2",
        Commitment::ProofOfDelivery => "1.2.840.113549.1.9.16.6.3",
        Commitment::ProofOfSender => "1.2.840.113549.1.9.16.6.4",
        Commitment::ProofOfApproval => "1.2.840.113549.1.9.16.6.5",
        Commitment::ProofOfCreation => "1.2.840.113549.1.9.16.6.6",
        Commitment::Other(oid) | Commitment::Qualified { oid, .. } => oid,
    };
    let mut content = identifier(dotted)?;
    if let Commitment::Qualified { qualifiers, .. } = commitment {
        if qualifiers.is_empty() {
            return Err(invalid(format!("found no qualifier of the commitment {dotted}, expected at least one")));
        }
        let all = qualifiers.iter().map(qualifier).collect::<Result<Vec<_>, _>>()?.concat();
        content.extend(tlv(Tag::SEQUENCE, &all));
    }
    Ok(tlv(Tag::SEQUENCE, &content))
}

fn qualifier(qualifier: &CommitmentQualifier) -> Result<Vec<u8>, SigningError> {
    let mut content = identifier(&qualifier.oid)?;
    if let Some(value) = &qualifier.value {
        if Tlv::whole(value).is_err() {
            let oid = &qualifier.oid;
            return Err(invalid(format!("found a qualifier {oid} of a commitment that is no DER, expected one value")));
        }
        content.extend_from_slice(value);
    }
    Ok(tlv(Tag::SEQUENCE, &content))
}

/// Makes a `SignerLocation`:
///
/// ```asn1
/// SignerLocation ::= SEQUENCE { countryName [0] DirectoryString OPTIONAL, localityName [1] DirectoryString OPTIONAL,
///                               postalAddress [2] SEQUENCE SIZE(1..6) OF DirectoryString OPTIONAL }
/// ```
pub(super) fn signer_location(place: &Place) -> Result<Vec<u8>, SigningError> {
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

/// Makes a `SignerAttributeV2`, where anything is stated for it:
///
/// ```asn1
/// SignerAttributeV2 ::= SEQUENCE { claimedAttributes [0] SEQUENCE OF Attribute OPTIONAL,
///                                  certifiedAttributesV2 [1] … OPTIONAL,
///                                  signedAssertions [2] SEQUENCE OF SignedAssertion OPTIONAL }
/// CertifiedAttributesV2 ::= SEQUENCE OF CHOICE { attributeCertificate [0] AttributeCertificate, … }
/// SignedAssertion ::= SEQUENCE { signedAssertionID OBJECT IDENTIFIER, signedAssertion ANY OPTIONAL }
/// ```
pub(super) fn signer_attributes(
    parameters: &SignatureParameters,
    signer: &Signer,
) -> Result<Option<Vec<u8>>, SigningError> {
    let certified = &parameters.certified_attributes;
    if parameters.claimed_roles.is_empty() && certified.is_empty() && parameters.signed_assertions.is_empty() {
        return Ok(None);
    }
    parameters.claimed_roles.iter().try_for_each(|role| not_empty("role", role))?;
    parameters.signed_assertions.iter().try_for_each(|assertion| not_empty("signed assertion", assertion))?;
    certified.iter().try_for_each(|der| check_certified(der, signer, parameters.signing_time))?;
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
        if !certified.is_empty() {
            w.explicit(1, |w| {
                w.sequence(|w| {
                    for der in certified {
                        w.explicit(0, |w| {
                            w.raw(der);
                        });
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
    Ok(Some(w.finish()))
}
