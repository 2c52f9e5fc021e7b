//! What a signer's certificate is really for.

use crate::facts::{Irregularity, IrregularityKind, KeyUsage};
use crate::x509::Certificate;

/// Refuses the certificate of a certification authority, whose key signs no documents (EN 319 411-1 §6.5.1).
pub(super) fn of_signer(certificate: &Certificate) -> Option<Irregularity> {
    let stated = certificate.extensions();
    let ca = stated.basic_constraints.is_some_and(|constraints| constraints.ca);
    let signs_certificates = stated.key_usage.iter().flatten().any(|usage| *usage == KeyUsage::KeyCertSign);
    let subject = certificate.subject().rfc2253();
    (ca || signs_certificates).then(|| Irregularity::about(IrregularityKind::CaSigner, subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Self-signed, a CA.
    const ROOT: &[u8] = include_bytes!("../../../examples/documents/root.der");

    #[test]
    fn a_certification_authority_signs_no_documents() {
        let root = Certificate::from_der(ROOT).unwrap();
        assert_eq!(of_signer(&root).map(|found| found.kind), Some(IrregularityKind::CaSigner), "EN 319 411-1 6.5.1");
    }
}
