//! What a signer's certificate is really for.

use crate::facts::{Irregularity, IrregularityKind, KeyUsage};
use crate::x509::Certificate;

/// `id-kp-timeStamping`.
const TIME_STAMPING: &str = "1.3.6.1.5.5.7.3.8";

const EXTENDED_KEY_USAGE: &str = "2.5.29.37";

/// EN 319 411-1 §6.5.1: the key of a certification authority signs no documents.
pub(super) fn of_signer(certificate: &Certificate) -> Option<Irregularity> {
    let stated = certificate.extensions();
    let ca = stated.basic_constraints.is_some_and(|constraints| constraints.ca);
    let signs_certificates = stated.key_usage.iter().flatten().any(|usage| *usage == KeyUsage::KeyCertSign);
    let subject = certificate.subject().rfc2253();
    (ca || signs_certificates).then(|| Irregularity::about(IrregularityKind::CaSigner, subject))
}

/// RFC 3161 §2.3: the extended key usage of a time-stamping authority is critical and holds `id-kp-timeStamping` only.
/// That it lacks this purpose has a rule of its own.
pub(super) fn of_authority(certificate: &Certificate) -> Option<Irregularity> {
    let purposes = certificate.extensions().extended_key_usage.as_ref()?;
    let critical = certificate
        .extensions()
        .present
        .iter()
        .any(|extension| extension.oid == EXTENDED_KEY_USAGE && extension.critical);
    let others: Vec<&str> = purposes.iter().map(String::as_str).filter(|oid| *oid != TIME_STAMPING).collect();
    let found = match (others.is_empty(), critical) {
        (true, true) => return None,
        (true, false) => "extKeyUsage is not critical".into(),
        (false, _) => format!("extKeyUsage: {}", others.join(", ")),
    };
    Some(Irregularity::about(IrregularityKind::TimestampingPurpose, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Self-signed, a CA.
    const ROOT: &[u8] = include_bytes!("../../examples/documents/root.der");

    #[test]
    fn a_certification_authority_signs_no_documents() {
        let root = Certificate::from_der(ROOT).unwrap();
        assert_eq!(of_signer(&root).map(|found| found.kind), Some(IrregularityKind::CaSigner), "EN 319 411-1 6.5.1");
        assert_eq!(of_authority(&root), None, "RFC 3161 2.3: no extended key usage");
    }
}
