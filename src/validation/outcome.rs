//! Indications and sub-indications: EN 319 102-1 tables 5 and 6.

use crate::vocabulary::string_enum;

string_enum! {
    /// The result of a process or building block.
    pub enum Indication {
        TotalPassed = "TOTAL-PASSED",
        TotalFailed = "TOTAL-FAILED",
        Indeterminate = "INDETERMINATE",
        Passed = "PASSED",
        Failed = "FAILED",
        /// DSS's word for a document without a signature.
        NoSignatureFound = "NO_SIGNATURE_FOUND",
    }
}

string_enum! {
    /// Why a result is not PASSED.
    pub enum SubIndication {
        FormatFailure = "FORMAT_FAILURE",
        HashFailure = "HASH_FAILURE",
        SigCryptoFailure = "SIG_CRYPTO_FAILURE",
        Revoked = "REVOKED",
        Expired = "EXPIRED",
        NotYetValid = "NOT_YET_VALID",
        SigConstraintsFailure = "SIG_CONSTRAINTS_FAILURE",
        ChainConstraintsFailure = "CHAIN_CONSTRAINTS_FAILURE",
        CertificateChainGeneralFailure = "CERTIFICATE_CHAIN_GENERAL_FAILURE",
        CryptoConstraintsFailure = "CRYPTO_CONSTRAINTS_FAILURE",
        CryptoConstraintsFailureNoPoe = "CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
        PolicyProcessingError = "POLICY_PROCESSING_ERROR",
        SignaturePolicyNotAvailable = "SIGNATURE_POLICY_NOT_AVAILABLE",
        TimestampOrderFailure = "TIMESTAMP_ORDER_FAILURE",
        NoSigningCertificateFound = "NO_SIGNING_CERTIFICATE_FOUND",
        NoCertificateChainFound = "NO_CERTIFICATE_CHAIN_FOUND",
        NoCertificateChainFoundNoPoe = "NO_CERTIFICATE_CHAIN_FOUND_NO_POE",
        RevokedNoPoe = "REVOKED_NO_POE",
        RevokedCaNoPoe = "REVOKED_CA_NO_POE",
        OutOfBoundsNotRevoked = "OUT_OF_BOUNDS_NOT_REVOKED",
        OutOfBoundsNoPoe = "OUT_OF_BOUNDS_NO_POE",
        RevocationOutOfBoundsNoPoe = "REVOCATION_OUT_OF_BOUNDS_NO_POE",
        NoPoe = "NO_POE",
        TryLater = "TRY_LATER",
        SignedDataNotFound = "SIGNED_DATA_NOT_FOUND",
    }
}
