//! Exit statuses.

use lacre::report::Indication;
use lacre::signing::SigningErrorCode;
use std::process::ExitCode;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    Passed = 0,
    Failed = 1,
    Indeterminate = 3,
    NoSignature = 4,
    NotDone = 5,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        (status as u8).into()
    }
}

impl From<Indication> for ExitStatus {
    fn from(indication: Indication) -> Self {
        match indication {
            Indication::TotalPassed | Indication::Passed => Self::Passed,
            Indication::TotalFailed | Indication::Failed => Self::Failed,
            Indication::NoSignatureFound => Self::NoSignature,
            _ => Self::Indeterminate,
        }
    }
}

/// The status of a file that is not written for that cause: 1 where the rules or the signatures in it forbid that, 4
/// where it has no signature, 0 where nothing is to be done.
impl From<SigningErrorCode> for ExitStatus {
    fn from(code: SigningErrorCode) -> Self {
        use SigningErrorCode::{
            AlgorithmNotAllowed, AlreadyAtLevel, AlreadySigned, CertificateExpired, CertificateNotForSigning,
            CertificateOutsideValidity, CertificateRevoked, CertificationNotFirst, CertifiedNoChanges,
            CoveredByArchiveTimestamp, EvidenceRecordInside, FieldSigned, LockedByField, NoSignature, NotExtendable,
            PermissionDenied, SeedValueUnmet, SignatureInvalid, SignatureNotFound, TimestampInvalid, TooLate,
            ValueDoesNotVerify,
        };
        match code {
            AlreadyAtLevel => Self::Passed,
            AlgorithmNotAllowed
            | AlreadySigned
            | CertificateExpired
            | CertificateNotForSigning
            | CertificateOutsideValidity
            | CertificateRevoked
            | CertificationNotFirst
            | CertifiedNoChanges
            | CoveredByArchiveTimestamp
            | EvidenceRecordInside
            | FieldSigned
            | LockedByField
            | PermissionDenied
            | SeedValueUnmet
            | SignatureInvalid
            | TimestampInvalid
            | TooLate
            | ValueDoesNotVerify => Self::Failed,
            NoSignature | NotExtendable | SignatureNotFound => Self::NoSignature,
            _ => Self::NotDone,
        }
    }
}

impl ExitStatus {
    /// Returns the status where nothing passed for sure: passed becomes indeterminate.
    pub fn undecided(self) -> Self {
        if self == Self::Passed { Self::Indeterminate } else { self }
    }

    /// Returns the status of several files together: not done, failed, indeterminate, no signature, passed.
    pub fn worse(self, other: Self) -> Self {
        let rank = |status| match status {
            Self::NotDone => 4,
            Self::Failed => 3,
            Self::Indeterminate => 2,
            Self::NoSignature => 1,
            Self::Passed => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}
