//! Qualifications as the URIs that EU DSS gives them in `SignatureQuality`.

use crate::qualification::{SignatureQualification as S, TimestampQualification as T};

/// Returns the URI of a signature's qualification.
pub(in crate::report) fn signature_uri(qualification: S) -> &'static str {
    match qualification {
        S::Qesig => "urn:cef:dss:signatureQualification:QESig",
        S::Qeseal => "urn:cef:dss:signatureQualification:QESeal",
        S::UnknownQcQscd => "urn:cef:dss:signatureQualification:UnknownQCwithQSCD",
        S::AdesigQc => "urn:cef:dss:signatureQualification:AdESigQC",
        S::AdesealQc => "urn:cef:dss:signatureQualification:AdESealQC",
        S::UnknownQc => "urn:cef:dss:signatureQualification:UnknownQC",
        S::Adesig => "urn:cef:dss:signatureQualification:AdESig",
        S::Adeseal => "urn:cef:dss:signatureQualification:AdESeal",
        S::Unknown => "urn:cef:dss:signatureQualification:Unknown",
        S::IndeterminateQesig => "urn:cef:dss:signatureQualification:indeterminateQESig",
        S::IndeterminateQeseal => "urn:cef:dss:signatureQualification:indeterminateQESeal",
        S::IndeterminateUnknownQcQscd => "urn:cef:dss:signatureQualification:indeterminateUnknownQCwithQSCD",
        S::IndeterminateAdesigQc => "urn:cef:dss:signatureQualification:indeterminateAdESigQC",
        S::IndeterminateAdesealQc => "urn:cef:dss:signatureQualification:indeterminateAdESealQC",
        S::IndeterminateUnknownQc => "urn:cef:dss:signatureQualification:indeterminateUnknownQC",
        S::IndeterminateAdesig => "urn:cef:dss:signatureQualification:indeterminateAdESig",
        S::IndeterminateAdeseal => "urn:cef:dss:signatureQualification:indeterminateAdESeal",
        S::IndeterminateUnknown => "urn:cef:dss:signatureQualification:indeterminateUnknown",
        S::NotAdesQcQscd => "urn:cef:dss:signatureQualification:notAdESbutQCwithQSCD",
        S::NotAdesQc => "urn:cef:dss:signatureQualification:notAdESbutQC",
        S::NotAdes => "urn:cef:dss:signatureQualification:notAdES",
        S::Na => "urn:cef:dss:signatureQualification:notApplicable",
    }
}

/// Returns the URI of a time-stamp's qualification.
pub(in crate::report) fn timestamp_uri(qualification: T) -> &'static str {
    match qualification {
        T::Qtsa => "urn:cef:dss:timestampQualification:QTSA",
        T::Tsa => "urn:cef:dss:timestampQualification:TSA",
        T::Na => "urn:cef:dss:timestampQualification:notApplicable",
    }
}
