//! The matrices: what a certificate is (TS 119 615 §4.4, §4.5), and a signature made with it (eIDAS articles 3, 32, 40).

use super::codes::{CertificateQualification, SignatureQualification};
use super::kind::CertificateType;
use crate::validation::outcome::Indication;

use CertificateQualification as Cert;
use CertificateType as Kind;
use SignatureQualification as Sig;

/// Qualified, what for, in a qualified device: the certificate's qualification.
const CERTIFICATES: [(bool, Kind, bool, Cert); 11] = [
    (true, Kind::ESig, true, Cert::QcertForEsigQscd),
    (true, Kind::ESeal, true, Cert::QcertForEsealQscd),
    (true, Kind::Unknown, true, Cert::QcertForUnknownQscd),
    (true, Kind::ESig, false, Cert::QcertForEsig),
    (true, Kind::ESeal, false, Cert::QcertForEseal),
    (true, Kind::Wsa, false, Cert::QcertForWsa),
    (true, Kind::Unknown, false, Cert::QcertForUnknown),
    (false, Kind::ESig, false, Cert::CertForEsig),
    (false, Kind::ESeal, false, Cert::CertForEseal),
    (false, Kind::Wsa, false, Cert::CertForWsa),
    (false, Kind::Unknown, false, Cert::CertForUnknown),
];

/// Final certificate qualification: the signature's where the signature is PASSED, INDETERMINATE, FAILED.
const SIGNATURES: [(Cert, Sig, Sig, Sig); 12] = [
    (Cert::QcertForEsigQscd, Sig::Qesig, Sig::IndeterminateQesig, Sig::NotAdesQcQscd),
    (Cert::QcertForEsealQscd, Sig::Qeseal, Sig::IndeterminateQeseal, Sig::NotAdesQcQscd),
    (Cert::QcertForUnknownQscd, Sig::UnknownQcQscd, Sig::IndeterminateUnknownQcQscd, Sig::NotAdesQcQscd),
    (Cert::QcertForEsig, Sig::AdesigQc, Sig::IndeterminateAdesigQc, Sig::NotAdesQc),
    (Cert::QcertForEseal, Sig::AdesealQc, Sig::IndeterminateAdesealQc, Sig::NotAdesQc),
    (Cert::QcertForWsa, Sig::NotAdes, Sig::NotAdes, Sig::NotAdes),
    (Cert::QcertForUnknown, Sig::UnknownQc, Sig::IndeterminateUnknownQc, Sig::NotAdesQc),
    (Cert::CertForEsig, Sig::Adesig, Sig::IndeterminateAdesig, Sig::NotAdes),
    (Cert::CertForEseal, Sig::Adeseal, Sig::IndeterminateAdeseal, Sig::NotAdes),
    (Cert::CertForWsa, Sig::NotAdes, Sig::NotAdes, Sig::NotAdes),
    (Cert::CertForUnknown, Sig::Unknown, Sig::IndeterminateUnknown, Sig::NotAdes),
    (Cert::Na, Sig::Na, Sig::Na, Sig::NotAdes),
];

/// The qualification of a certificate.
pub(crate) fn certificate(qualified: bool, kind: CertificateType, device: bool) -> CertificateQualification {
    let row = CERTIFICATES.iter().find(|row| (row.0, row.1, row.2) == (qualified, kind, qualified && device));
    // A qualified website certificate has no device to speak of.
    row.map_or(CertificateQualification::QcertForWsa, |row| row.3)
}

/// The qualification of a signature whose last process ended with `indication`.
pub(crate) fn signature(certificate: CertificateQualification, indication: Indication) -> SignatureQualification {
    let row = SIGNATURES.iter().find(|row| row.0 == certificate);
    let (passed, indeterminate, failed) = row.map_or((Sig::Na, Sig::Na, Sig::NotAdes), |row| (row.1, row.2, row.3));
    match indication {
        Indication::Passed | Indication::TotalPassed => passed,
        Indication::Failed | Indication::TotalFailed => failed,
        Indication::Indeterminate | Indication::NoSignatureFound => indeterminate,
    }
}

impl CertificateQualification {
    /// Whether the certificate is a qualified one.
    pub fn is_qualified(self) -> bool {
        CERTIFICATES.iter().any(|row| row.0 && row.3 == self)
    }

    /// What the certificate is for.
    pub fn kind(self) -> CertificateType {
        CERTIFICATES.iter().find(|row| row.3 == self).map_or(CertificateType::Unknown, |row| row.1)
    }

    /// Whether its key is in a qualified signature creation device.
    pub fn in_device(self) -> bool {
        CERTIFICATES.iter().any(|row| row.2 && row.3 == self)
    }

    /// What remains of two qualifications, at issuance and at the time of signing (TS 119 615 §4.4, PRO-4.4.4-36).
    ///
    /// It is qualified only if it was both times, is for what both times agree on, and its key is
    /// where it was at the time of signing.
    pub(crate) fn and_at_signing(self, at_signing: Self) -> Self {
        if self == at_signing || self == Self::Na {
            return self;
        }
        if at_signing == Self::Na {
            return Self::Na;
        }
        let kind = if self.kind() == at_signing.kind() { self.kind() } else { CertificateType::Unknown };
        certificate(self.is_qualified() && at_signing.is_qualified(), kind, at_signing.in_device())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_qualified_only_if_it_was_both_times() {
        for (situation, issuance, signing, expected) in [
            ("the same", Cert::QcertForEsigQscd, Cert::QcertForEsigQscd, Cert::QcertForEsigQscd),
            ("withdrawn since", Cert::QcertForEsigQscd, Cert::CertForEsig, Cert::CertForEsig),
            ("qualified since", Cert::CertForEsig, Cert::QcertForEsigQscd, Cert::CertForEsig),
            ("in a device only since", Cert::QcertForEsig, Cert::QcertForEsigQscd, Cert::QcertForEsigQscd),
            ("in a device no longer", Cert::QcertForEsigQscd, Cert::QcertForEsig, Cert::QcertForEsig),
            ("another purpose", Cert::QcertForEsig, Cert::QcertForEseal, Cert::QcertForUnknown),
            ("contradictions at issuance", Cert::Na, Cert::QcertForEsig, Cert::Na),
            ("contradictions at signing", Cert::QcertForEsig, Cert::Na, Cert::Na),
        ] {
            assert_eq!(issuance.and_at_signing(signing), expected, "TS 119 615 §4.4: {situation}");
        }
    }

    #[test]
    fn rows_are_told_apart() {
        for row in CERTIFICATES {
            assert_eq!(certificate(row.0, row.1, row.2), row.3);
            assert_eq!((row.3.is_qualified(), row.3.kind(), row.3.in_device()), (row.0, row.1, row.2));
        }
        assert_eq!(
            certificate(false, CertificateType::ESig, true),
            Cert::CertForEsig,
            "no device without a qualified certificate"
        );
        assert_eq!(certificate(true, CertificateType::Wsa, true), Cert::QcertForWsa, "websites have no device");
    }

    #[test]
    fn only_a_signature_that_passed_is_qualified() {
        for row in SIGNATURES {
            assert_eq!(signature(row.0, Indication::Passed), row.1);
            for indication in [Indication::Indeterminate, Indication::Failed] {
                let code = signature(row.0, indication).as_str();
                assert!(code.starts_with("INDETERMINATE-") || code.starts_with("NOT-ADES") || code == "NA", "{code}");
            }
        }
    }
}
