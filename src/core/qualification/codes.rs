//! The words in which qualification answers: TS 119 615 §4.4 to §4.7, eIDAS article 3.

use crate::vocabulary::string_enum;

string_enum! {
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

string_enum! {
    /// What a signature is under eIDAS.
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

string_enum! {
    /// Whether a time-stamp is a qualified one.
    pub enum TimestampQualification {
        Qtsa = "QTSA",
        Tsa = "TSA",
        Na = "NA",
    }
}
