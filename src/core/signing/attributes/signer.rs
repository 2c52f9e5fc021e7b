//! What the signer states of themselves: EN 319 122-1 §5.2.3, §5.2.5, §5.2.6.

use super::{attribute, identifier, not_empty};
use crate::asn1::{Tag, Writer, tlv};
use crate::formats::cms::oids;
use crate::signing::parameters::{Commitment, Place};
use crate::signing::{SignatureParameters, SigningError};

/// `CommitmentTypeIndication`: EN 319 122-1 §5.2.3; the values are those of RFC 5126 §5.11.1.
pub(super) fn commitment(commitment: &Commitment) -> Result<Vec<u8>, SigningError> {
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

/// ```asn1
/// SignerAttributeV2 ::= SEQUENCE { claimedAttributes [0] SEQUENCE OF Attribute OPTIONAL,
///                                  certifiedAttributesV2 [1] … OPTIONAL,
///                                  signedAssertions [2] SEQUENCE OF SignedAssertion OPTIONAL }
/// SignedAssertion ::= SEQUENCE { signedAssertionID OBJECT IDENTIFIER, signedAssertion ANY OPTIONAL }
/// ```
pub(super) fn signer_attributes(parameters: &SignatureParameters) -> Result<Vec<u8>, SigningError> {
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
