//! The words in which qualification answers, each with a plain sentence: TS 119 615 §4.4 to §4.7, eIDAS article 3.

use crate::vocabulary::words;

words! {
    /// How far a certificate is qualified, what it is for, and where its key is.
    pub enum CertificateQualification {
        QcertForEsigQscd = "QCERT-FOR-ESIG-QSCD",
        QcertForEsealQscd = "QCERT-FOR-ESEAL-QSCD",
        QcertForEsig = "QCERT-FOR-ESIG",
        QcertForEseal = "QCERT-FOR-ESEAL",
        QcertForWsa = "QCERT-FOR-WSA",
        QcertForUnknownQscd = "QCERT-FOR-UNKNOWN-QSCD",
        QcertForUnknown = "QCERT-FOR-UNKNOWN",
        CertForEsig = "CERT-FOR-ESIG",
        CertForEseal = "CERT-FOR-ESEAL",
        CertForWsa = "CERT-FOR-WSA",
        CertForUnknown = "CERT-FOR-UNKNOWN",
        Na = "NA",
    }
}

words! {
    /// What a signature is in the eyes of eIDAS.
    pub enum SignatureQualification {
        Qesig = "QESIG",
        Qeseal = "QESEAL",
        UnknownQcQscd = "UNKNOWN-QC-QSCD",
        AdesigQc = "ADESIG-QC",
        AdesealQc = "ADESEAL-QC",
        UnknownQc = "UNKNOWN-QC",
        Adesig = "ADESIG",
        Adeseal = "ADESEAL",
        Unknown = "UNKNOWN",
        IndeterminateQesig = "INDETERMINATE-QESIG",
        IndeterminateQeseal = "INDETERMINATE-QESEAL",
        IndeterminateUnknownQcQscd = "INDETERMINATE-UNKNOWN-QC-QSCD",
        IndeterminateAdesigQc = "INDETERMINATE-ADESIG-QC",
        IndeterminateAdesealQc = "INDETERMINATE-ADESEAL-QC",
        IndeterminateUnknownQc = "INDETERMINATE-UNKNOWN-QC",
        IndeterminateAdesig = "INDETERMINATE-ADESIG",
        IndeterminateAdeseal = "INDETERMINATE-ADESEAL",
        IndeterminateUnknown = "INDETERMINATE-UNKNOWN",
        NotAdesQcQscd = "NOT-ADES-QC-QSCD",
        NotAdesQc = "NOT-ADES-QC",
        NotAdes = "NOT-ADES",
        Na = "NA",
    }
}

words! {
    /// Whether a time-stamp is a qualified one.
    pub enum TimestampQualification {
        Qtsa = "QTSA",
        Tsa = "TSA",
        Na = "NA",
    }
}

impl CertificateQualification {
    /// The same in a plain sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::QcertForEsigQscd => {
                "A qualified certificate for electronic signatures, its key in a qualified signature creation device."
            }
            Self::QcertForEsealQscd => {
                "A qualified certificate for electronic seals, its key in a qualified seal creation device."
            }
            Self::QcertForEsig => "A qualified certificate for electronic signatures.",
            Self::QcertForEseal => "A qualified certificate for electronic seals.",
            Self::QcertForWsa => "A qualified certificate for website authentication.",
            Self::QcertForUnknownQscd => {
                "A qualified certificate, its key in a qualified device; whether for signatures or seals is not clear."
            }
            Self::QcertForUnknown => "A qualified certificate; what it is for is not clear.",
            Self::CertForEsig => "A certificate for electronic signatures that is not known to be qualified.",
            Self::CertForEseal => "A certificate for electronic seals that is not known to be qualified.",
            Self::CertForWsa => "A certificate for website authentication that is not known to be qualified.",
            Self::CertForUnknown => "A certificate that is not known to be qualified, nor what it is for.",
            Self::Na => "No trusted list says what the certificate is.",
        }
    }
}

impl SignatureQualification {
    /// The same in a plain sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Qesig => "A qualified electronic signature.",
            Self::Qeseal => "A qualified electronic seal.",
            Self::UnknownQcQscd => {
                "A qualified electronic signature or seal: the certificate is qualified and its key in a qualified device."
            }
            Self::AdesigQc => "An advanced electronic signature with a qualified certificate.",
            Self::AdesealQc => "An advanced electronic seal with a qualified certificate.",
            Self::UnknownQc => "An advanced electronic signature or seal with a qualified certificate.",
            Self::Adesig => "An advanced electronic signature.",
            Self::Adeseal => "An advanced electronic seal.",
            Self::Unknown => "An advanced electronic signature or seal.",
            Self::IndeterminateQesig => "A qualified electronic signature, if it can be shown to be valid.",
            Self::IndeterminateQeseal => "A qualified electronic seal, if it can be shown to be valid.",
            Self::IndeterminateUnknownQcQscd => {
                "A qualified electronic signature or seal, if it can be shown to be valid."
            }
            Self::IndeterminateAdesigQc => {
                "An advanced electronic signature with a qualified certificate, if it can be shown to be valid."
            }
            Self::IndeterminateAdesealQc => {
                "An advanced electronic seal with a qualified certificate, if it can be shown to be valid."
            }
            Self::IndeterminateUnknownQc => {
                "An advanced electronic signature or seal with a qualified certificate, if it can be shown to be valid."
            }
            Self::IndeterminateAdesig => "An advanced electronic signature, if it can be shown to be valid.",
            Self::IndeterminateAdeseal => "An advanced electronic seal, if it can be shown to be valid.",
            Self::IndeterminateUnknown => "An advanced electronic signature or seal, if it can be shown to be valid.",
            Self::NotAdesQcQscd => {
                "Not a valid signature or seal, though with a qualified certificate and a key in a qualified device."
            }
            Self::NotAdesQc => "Not a valid signature or seal, though with a qualified certificate.",
            Self::NotAdes => "Not an advanced electronic signature or seal.",
            Self::Na => "No trusted list says what the signature is.",
        }
    }
}

impl TimestampQualification {
    /// The same in a plain sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Qtsa => "A time-stamp of a qualified time-stamping service.",
            Self::Tsa => "A time-stamp of a service that is listed, but not as a qualified one.",
            Self::Na => "No trusted list says what the time-stamp is.",
        }
    }
}
