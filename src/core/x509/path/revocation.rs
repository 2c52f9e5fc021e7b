//! Revocation by CRL: RFC 5280 §6.3.3, complete CRLs of the issuer itself.

use super::{PathError, ValidPath};
use crate::algorithm::SignatureAlgorithm;
use crate::budget::Budget;
use crate::crypto::{Signed, verify};
use crate::facts::KeyUsage;
use crate::time::Time;
use crate::x509::{Certificate, Crl};

/// Checks that none of the CRLs says that a certificate of the path is revoked at `time`.
///
/// A CRL of the issuer's name that cannot be used is an error; a certificate that no CRL is about is left
/// undetermined, which is no error.
pub fn check_revocation(path: &ValidPath, crls: &[Crl], time: Time, budget: &Budget) -> Result<(), PathError> {
    for (at, pair) in path.certificates().windows(2).enumerate() {
        let [certificate, issuer] = pair else { continue };
        for crl in crls.iter().filter(|crl| crl.issuer() == certificate.issuer()) {
            if !usable(crl, issuer) {
                return Err(PathError::Crl { at, source: None });
            }
            let entry = crl.entry(certificate.serial(), certificate.issuer(), budget.crl_entries);
            let entry = entry.map_err(|source| PathError::Crl { at, source: Some(source) })?;
            if let Some(entry) = entry.filter(|entry| entry.date <= time) {
                return Err(PathError::Revoked { at, date: entry.date });
            }
        }
    }
    Ok(())
}

/// Returns whether a CRL is of conforming form, and signed by the issuer, who may sign CRLs (§5.2.3, §6.3.3 (f), (g)).
fn usable(crl: &Crl, issuer: &Certificate) -> bool {
    let may_sign = issuer.extensions().key_usage.as_ref().is_none_or(|usage| usage.contains(&KeyUsage::CrlSign));
    let verified = || {
        let algorithm = SignatureAlgorithm::from_algorithm_identifier(crl.signature_algorithm()).ok()?;
        verify(issuer.public_key()?, &algorithm, Signed::Message(crl.tbs()), &crl.signature()).ok()
    };
    may_sign
        && crl.number().is_some()
        && !crl.is_delta()
        && crl.is_understood()
        && crl.signature_algorithms_agree()
        && verified().is_some()
}
