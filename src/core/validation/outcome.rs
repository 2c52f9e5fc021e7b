//! Indications and sub-indications: EN 319 102-1 tables 5 and 6; and the outcomes that a clause allows.

use crate::vocabulary::string_enum;

/// Defines what a clause may conclude besides PASSED: an enum whose variants are sub-indications.
///
/// A check takes such an outcome as its [`Failure`](super::engine::Failure), and nothing else but the conclusion of an
/// inner block: a sub-indication that the clause does not allow cannot be written there.
macro_rules! outcomes {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "the words are the standard's")]
        $vis enum $name { $($variant,)+ }

        impl $crate::validation::outcome::Outcome for $name {
            fn sub_indication(self) -> $crate::validation::outcome::SubIndication {
                match self { $(Self::$variant => $crate::validation::outcome::SubIndication::$variant,)+ }
            }
        }
    };
}
pub(crate) use outcomes;

/// An outcome of a clause, defined by `outcomes!`.
pub trait Outcome {
    /// Returns its sub-indication.
    fn sub_indication(self) -> SubIndication;
}

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

impl SubIndication {
    /// Returns the main status indication that the standard puts it under.
    pub fn indication(self) -> Indication {
        match self {
            Self::FormatFailure
            | Self::HashFailure
            | Self::SigCryptoFailure
            | Self::Revoked
            | Self::Expired
            | Self::NotYetValid => Indication::Failed,
            _ => Indication::Indeterminate,
        }
    }
}

/// Returns whether a basic result lets past validation be tried, where it is that of revocation data or of a
/// time-stamp: EN 319 102-1 §5.6.2.4, and DSS's lists for its selectors.
pub fn allows_past_validation(indication: Indication, sub: Option<SubIndication>) -> bool {
    use SubIndication::*;
    indication == Indication::Passed
        || indication == Indication::Indeterminate
            && matches!(
                sub,
                Some(
                    RevokedNoPoe
                        | RevokedCaNoPoe
                        | OutOfBoundsNoPoe
                        | OutOfBoundsNotRevoked
                        | CryptoConstraintsFailureNoPoe
                        | RevocationOutOfBoundsNoPoe
                        | NoCertificateChainFoundNoPoe
                )
            )
}
