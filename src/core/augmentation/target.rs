//! What an extension is to reach, and how.

use crate::algorithm::DigestAlgorithm;
use crate::facts::{Id, SignatureLevel};
use crate::vocabulary::string_enum;
use std::collections::BTreeSet;

string_enum! {
    /// A level above B: EN 319 122-1 §6, EN 319 142-1 §6.
    pub enum Level {
        /// A trusted time after signing.
        T = "T",
        /// All certificates and revocation data that a validation needs.
        Lt = "LT",
        /// A time-stamp over all of it.
        Lta = "LTA",
    }
}

impl Level {
    /// Returns the level that a signature has by its profile, in the words of the baseline; `None` at B and where it
    /// fulfils no profile.
    pub fn of(level: SignatureLevel) -> Option<Self> {
        use SignatureLevel::*;
        match level {
            XadesT | XadesC | XadesX | CadesT | CadesC | CadesX | XadesBaselineT | CadesBaselineT | PadesBaselineT
            | JadesBaselineT | Pkcs7T => Some(Self::T),
            XadesLt | XadesXl | CadesLt | CadesXl | XadesBaselineLt | CadesBaselineLt | PadesBaselineLt
            | JadesBaselineLt | Pkcs7Lt => Some(Self::Lt),
            XadesA | XadesErs | CadesA | CadesErs | PadesLtv | XadesBaselineLta | CadesBaselineLta
            | PadesBaselineLta | JadesBaselineLta | Pkcs7Lta => Some(Self::Lta),
            _ => None,
        }
    }
}

string_enum! {
    /// How recent revocation data has to be.
    pub enum Freshness {
        /// Issued at the time of the signature's first time-stamp or later, so that a revocation before it is in it.
        /// For a time-stamp of level LT: issued at its own time or later.
        Strict = "strict",
        /// Also issued before, as long as it was current at that time.
        AcceptOlder = "accept-older",
    }
}

string_enum! {
    /// Something that keeps a signature from being extended, unless the caller overlooks it.
    pub enum Obstacle {
        /// One of its time-stamps is broken: the others are built upon.
        BrokenTimestamp = "broken-timestamp",
        /// The signing certificate had expired before anything proved that the signature exists.
        ExpiredCertificate = "expired-certificate",
        /// A chain ends at no trust anchor: what is there of it is written.
        UntrustedChain = "untrusted-chain",
        /// Revocation data is missing that cannot be had: the rest is written, and the level may not be reached.
        MissingRevocation = "missing-revocation",
    }
}

/// What an extension is to reach, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The level.
    pub level: Level,
    /// The signatures, by the ids that a report on the document has; `None` for all of them. In a PDF a document
    /// time-stamp and the DSS dictionary serve all others as well.
    pub only: Option<BTreeSet<Id>>,
    /// How recent revocation data has to be.
    pub freshness: Freshness,
    /// The digest function of time-stamps. Where the newest time-stamp has a longer one, that is taken.
    pub digest: DigestAlgorithm,
    /// Whether signatures of level LTA get another archive time-stamp (renewal).
    pub renewal: bool,
    /// Whether a PDF's VRI dictionaries are written (EN 319 142-1 §5.4.2.3), which no validation needs.
    pub vri: bool,
    /// What is overlooked.
    pub overlooked: BTreeSet<Obstacle>,
}

impl Target {
    /// Makes the target of this level: all signatures, strictly fresh revocation data, SHA-256, with renewal, nothing
    /// overlooked.
    pub fn new(level: Level) -> Self {
        Self {
            level,
            only: None,
            freshness: Freshness::Strict,
            digest: DigestAlgorithm::Sha256,
            renewal: true,
            vri: false,
            overlooked: BTreeSet::new(),
        }
    }

    /// Chooses a signature by its id; the first choice leaves out all others.
    pub fn only(mut self, signature: Id) -> Self {
        self.only.get_or_insert_default().insert(signature);
        self
    }

    /// Sets how recent revocation data has to be.
    pub fn freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }

    /// Sets the digest function of time-stamps.
    pub fn digest(mut self, digest: DigestAlgorithm) -> Self {
        self.digest = digest;
        self
    }

    /// Leaves signatures of level LTA as they are.
    pub fn without_renewal(mut self) -> Self {
        self.renewal = false;
        self
    }

    /// Writes VRI dictionaries as well.
    pub fn with_vri(mut self) -> Self {
        self.vri = true;
        self
    }

    /// Overlooks an obstacle.
    pub fn overlooking(mut self, obstacle: Obstacle) -> Self {
        self.overlooked.insert(obstacle);
        self
    }

    /// Returns whether the obstacle is overlooked.
    pub(super) fn overlooks(&self, obstacle: Obstacle) -> bool {
        self.overlooked.contains(&obstacle)
    }
}
