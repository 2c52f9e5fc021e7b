use crate::vocabulary::string_enum;

string_enum! {
    /// Why an authority rejects a request: `PKIFailureInfo` (RFC 3161 §2.4.2).
    pub enum Rejection {
        /// The digest function is not known, or too weak (TS 119 312 §5).
        BadAlgorithm = "badAlg",
        /// The request cannot be read, or is not permitted.
        BadRequest = "badRequest",
        /// The digest does not have the length of its function.
        BadDataFormat = "badDataFormat",
        /// The authority's source of time is not available.
        TimeNotAvailable = "timeNotAvailable",
        /// The request asks for another time-stamp policy.
        UnacceptedPolicy = "unacceptedPolicy",
        /// The request has an extension that is not known.
        UnacceptedExtension = "unacceptedExtension",
        /// The additional information is not understood or not available.
        NoAdditionalInformation = "addInfoNotAvailable",
        /// The authority failed.
        SystemFailure = "systemFailure",
    }
}

impl Rejection {
    /// Returns the number of its bit in `PKIFailureInfo`.
    pub fn bit(self) -> usize {
        match self {
            Self::BadAlgorithm => 0,
            Self::BadRequest => 2,
            Self::BadDataFormat => 5,
            Self::TimeNotAvailable => 14,
            Self::UnacceptedPolicy => 15,
            Self::UnacceptedExtension => 16,
            Self::NoAdditionalInformation => 17,
            Self::SystemFailure => 25,
        }
    }
}
