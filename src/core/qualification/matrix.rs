//! The matrices: what a certificate is (TS 119 615 §4.4, §4.5), and a signature made with it (eIDAS articles 3, 32,
//! 40).

use super::codes::{CertificateQualification, SignatureQualification};
use super::kind::CertificateType;
use crate::validation::outcome::Indication;

use CertificateQualification as Cert;
use CertificateType as Kind;
use SignatureQualification as Sig;

/// Returns the qualification of a certificate: qualified or not, its type, whether its key is in a qualified device.
///
/// Only a qualified certificate has a device to speak of, and not one for websites.
pub(crate) fn certificate(qualified: bool, kind: CertificateType, device: bool) -> CertificateQualification {
    match (qualified, kind, device) {
        (true, Kind::ESig, true) => Cert::QcertForEsigQscd,
        (true, Kind::ESeal, true) => Cert::QcertForEsealQscd,
        (true, Kind::Unknown, true) => Cert::QcertForUnknownQscd,
        (true, Kind::ESig, false) => Cert::QcertForEsig,
        (true, Kind::ESeal, false) => Cert::QcertForEseal,
        (true, Kind::Unknown, false) => Cert::QcertForUnknown,
        (true, Kind::Wsa, _) => Cert::QcertForWsa,
        (false, Kind::ESig, _) => Cert::CertForEsig,
        (false, Kind::ESeal, _) => Cert::CertForEseal,
        (false, Kind::Wsa, _) => Cert::CertForWsa,
        (false, Kind::Unknown, _) => Cert::CertForUnknown,
    }
}

/// The qualifications of a signature whose last process ended with PASSED, INDETERMINATE, FAILED.
struct Row(Sig, Sig, Sig);

/// Returns the qualifications of signatures made with such a certificate.
const fn row(certificate: CertificateQualification) -> Row {
    match certificate {
        Cert::QcertForEsigQscd => Row(Sig::Qesig, Sig::IndeterminateQesig, Sig::NotAdesQcQscd),
        Cert::QcertForEsealQscd => Row(Sig::Qeseal, Sig::IndeterminateQeseal, Sig::NotAdesQcQscd),
        Cert::QcertForUnknownQscd => Row(Sig::UnknownQcQscd, Sig::IndeterminateUnknownQcQscd, Sig::NotAdesQcQscd),
        Cert::QcertForEsig => Row(Sig::AdesigQc, Sig::IndeterminateAdesigQc, Sig::NotAdesQc),
        Cert::QcertForEseal => Row(Sig::AdesealQc, Sig::IndeterminateAdesealQc, Sig::NotAdesQc),
        Cert::QcertForUnknown => Row(Sig::UnknownQc, Sig::IndeterminateUnknownQc, Sig::NotAdesQc),
        Cert::QcertForWsa => Row(Sig::NotAdes, Sig::NotAdes, Sig::NotAdes),
        Cert::CertForEsig => Row(Sig::Adesig, Sig::IndeterminateAdesig, Sig::NotAdes),
        Cert::CertForEseal => Row(Sig::Adeseal, Sig::IndeterminateAdeseal, Sig::NotAdes),
        Cert::CertForWsa => Row(Sig::NotAdes, Sig::NotAdes, Sig::NotAdes),
        Cert::CertForUnknown => Row(Sig::Unknown, Sig::IndeterminateUnknown, Sig::NotAdes),
        Cert::Na => Row(Sig::Na, Sig::Na, Sig::NotAdes),
    }
}

/// Returns the qualification of a signature whose last process ended with `indication`.
pub(crate) fn signature(certificate: CertificateQualification, indication: Indication) -> SignatureQualification {
    let Row(passed, indeterminate, failed) = row(certificate);
    match indication {
        Indication::Passed | Indication::TotalPassed => passed,
        Indication::Failed | Indication::TotalFailed => failed,
        Indication::Indeterminate | Indication::NoSignatureFound => indeterminate,
    }
}

impl CertificateQualification {
    /// Returns whether the certificate is a qualified one.
    pub fn is_qualified(self) -> bool {
        match self {
            Cert::QcertForEsigQscd
            | Cert::QcertForEsealQscd
            | Cert::QcertForUnknownQscd
            | Cert::QcertForEsig
            | Cert::QcertForEseal
            | Cert::QcertForUnknown
            | Cert::QcertForWsa => true,
            Cert::CertForEsig | Cert::CertForEseal | Cert::CertForWsa | Cert::CertForUnknown | Cert::Na => false,
        }
    }

    /// Returns what the certificate is for.
    pub fn kind(self) -> CertificateType {
        match self {
            Cert::QcertForEsigQscd | Cert::QcertForEsig | Cert::CertForEsig => Kind::ESig,
            Cert::QcertForEsealQscd | Cert::QcertForEseal | Cert::CertForEseal => Kind::ESeal,
            Cert::QcertForWsa | Cert::CertForWsa => Kind::Wsa,
            Cert::QcertForUnknownQscd | Cert::QcertForUnknown | Cert::CertForUnknown | Cert::Na => Kind::Unknown,
        }
    }

    /// Returns whether its key is in a qualified signature creation device.
    pub fn in_device(self) -> bool {
        matches!(self, Cert::QcertForEsigQscd | Cert::QcertForEsealQscd | Cert::QcertForUnknownQscd)
    }

    /// Returns what remains of two qualifications, at issuance and at the time of signing (TS 119 615 §4.4,
    /// PRO-4.4.4-36).
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
    fn a_qualification_says_what_it_was_made_of() {
        for &kind in CertificateType::ALL {
            for (qualified, device) in [(true, true), (true, false), (false, true), (false, false)] {
                let found = certificate(qualified, kind, device);
                let in_device = qualified && device && kind != Kind::Wsa;
                let expected = (qualified, kind, in_device);
                assert_eq!((found.is_qualified(), found.kind(), found.in_device()), expected, "{found}");
            }
        }
        assert_eq!((Cert::Na.is_qualified(), Cert::Na.kind(), Cert::Na.in_device()), (false, Kind::Unknown, false));
    }

    #[test]
    fn only_a_signature_that_passed_is_qualified() {
        assert_eq!(signature(Cert::QcertForEsigQscd, Indication::Passed), Sig::Qesig);
        assert_eq!(signature(Cert::QcertForEsealQscd, Indication::TotalPassed), Sig::Qeseal);
        for &certificate in CertificateQualification::ALL {
            for indication in [Indication::Indeterminate, Indication::Failed] {
                let code = signature(certificate, indication).as_str();
                assert!(code.starts_with("INDETERMINATE-") || code.starts_with("NOT-ADES") || code == "NA", "{code}");
            }
        }
    }
}
