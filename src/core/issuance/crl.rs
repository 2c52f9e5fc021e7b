//! Certificate revocation lists: RFC 5280 §5.

use super::issuer::key_identifier;
use super::{Error, Issuer};
use crate::asn1::{Oid, Writer, oid};
use crate::crypto::CryptoRng;
use crate::time::Time;
use crate::vocabulary::string_enum;

string_enum! {
    /// Why a certificate was revoked: RFC 5280 §5.3.1.
    pub enum RevocationReason {
        Unspecified = "unspecified",
        KeyCompromise = "keyCompromise",
        CaCompromise = "cACompromise",
        AffiliationChanged = "affiliationChanged",
        Superseded = "superseded",
        CessationOfOperation = "cessationOfOperation",
        CertificateHold = "certificateHold",
        PrivilegeWithdrawn = "privilegeWithdrawn",
        AaCompromise = "aACompromise",
    }
}

impl RevocationReason {
    /// Returns its number in `CRLReason`; there is no 7, and 8 is for delta lists.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Unspecified => 0,
            Self::KeyCompromise => 1,
            Self::CaCompromise => 2,
            Self::AffiliationChanged => 3,
            Self::Superseded => 4,
            Self::CessationOfOperation => 5,
            Self::CertificateHold => 6,
            Self::PrivilegeWithdrawn => 9,
            Self::AaCompromise => 10,
        }
    }
}

/// A revoked certificate: an entry of `revokedCertificates` (RFC 5280 §5.1.2.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// The contents of the INTEGER of its serial number.
    pub serial: Vec<u8>,
    /// The revocation date.
    pub since: Time,
    /// The reason (RFC 5280 §5.3.1).
    pub reason: RevocationReason,
}

/// The contents of a certificate revocation list (RFC 5280 §5.1).
#[derive(Debug, Clone)]
pub struct RevocationList<'a> {
    /// `cRLNumber`, greater than that of every earlier list (RFC 5280 §5.2.3).
    pub number: u64,
    /// `thisUpdate` (§5.1.2.4).
    pub this_update: Time,
    /// `nextUpdate` (§5.1.2.5).
    pub next_update: Time,
    /// The revoked certificates.
    pub revoked: &'a [Revoked],
}

const CRL_NUMBER: Oid<'_> = oid!("2.5.29.20");
const REASON_CODE: Oid<'_> = oid!("2.5.29.21");
const AUTHORITY_KEY_IDENTIFIER: Oid<'_> = oid!("2.5.29.35");

impl Issuer<'_> {
    /// Issues a complete certificate revocation list (RFC 5280 §5.1), in DER.
    ///
    /// # Errors
    ///
    /// [`Error::Algorithm`] and [`Error::Signature`] where the key cannot sign.
    pub fn revocation_list(&self, list: &RevocationList<'_>, randomness: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        let algorithm = self.algorithm_identifier()?;
        let key = key_identifier(self.key().public_key())?;
        let mut to_be_signed = Writer::new();
        to_be_signed.sequence(|w| {
            // Version 2: there are extensions (§5.1.2.1).
            w.unsigned(&[1]);
            w.raw(&algorithm).raw(self.certificate().subject().der()).time(list.this_update).time(list.next_update);
            // §5.1.2.6: absent where nothing is revoked.
            if !list.revoked.is_empty() {
                w.sequence(|w| list.revoked.iter().for_each(|revoked| entry(w, revoked)));
            }
            w.explicit(0, |w| {
                w.sequence(|w| {
                    extension(w, AUTHORITY_KEY_IDENTIFIER, |w| {
                        w.sequence(|w| {
                            w.element(crate::asn1::Tag::context(0), key.0.as_bytes());
                        });
                    });
                    extension(w, CRL_NUMBER, |w| {
                        w.unsigned(&list.number.to_be_bytes());
                    });
                });
            });
        });
        self.signed(&to_be_signed.finish(), randomness)
    }
}

/// Writes one entry, with its reason unless that is unspecified: §5.3.1.
fn entry(w: &mut Writer, revoked: &Revoked) {
    w.sequence(|w| {
        w.integer(&revoked.serial).time(revoked.since);
        if revoked.reason != RevocationReason::Unspecified {
            w.sequence(|w| {
                extension(w, REASON_CODE, |w| {
                    w.enumerated(revoked.reason.number());
                });
            });
        }
    });
}

/// Writes a non-critical extension.
pub(super) fn extension(w: &mut Writer, id: Oid<'_>, value: impl FnOnce(&mut Writer)) {
    let mut inner = Writer::new();
    value(&mut inner);
    w.sequence(|w| {
        w.oid(id).octet_string(&inner.finish());
    });
}
