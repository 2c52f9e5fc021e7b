//! lacre validates European electronic signatures: bytes in, a verdict that anyone can check out.
//!
//! ```
//! use lacre::{Document, Policy, Validator};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let root = std::fs::read("examples/documents/root.der")?;
//! let contract = std::fs::read("examples/documents/contract.pdf")?;
//!
//! let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
//! let report = validator.validate(&Document::new(&contract).named("contract.pdf"), "2027-01-01".parse()?)?;
//! assert_eq!(report.indication().to_string(), "TOTAL-PASSED");
//! # Ok(())
//! # }
//! ```
//!
//! That call takes three steps, each usable alone. [`Validator::facts`] reads the document, verifies signature values
//! and digests, builds certificate chains, and ends in one immutable record, [`Facts`]. [`judge`] is a pure
//! function of facts, policy and time: EN 319 102-1, then TS 119 615. A [`Report`] is facts and verdicts, written down.
//!
//! Nothing here reads a clock, a file, a socket or the environment: time is an argument, and validation data that is
//! missing is [reported](Report::wanted), for the caller to supply.
//!
//! # What is where
//!
//! | To | use |
//! |---|---|
//! | validate a document | [`Validator`], [`Document`], [`Policy`] |
//! | read the result | [`Report`], and the views of [`report`]: signatures, time-stamps, evidence records, certificates, revocation data |
//! | trust somebody | [`Validator::trust_anchor`]; [`trust`] for the trusted lists of the EU |
//! | judge a certificate | [`Validator::certificate`], [`Validator::website`] |
//! | bound the work, share it | [`Budget`], [`Cache`], [`Executor`] |
//! | record a validation and repeat it | [`bundle`] |
//! | sign, and be an issuer | `signing` and `issuance`, with the feature `signing` |
//!
//! # Features
//!
//! | Feature | Default | Adds |
//! |---|---|---|
//! | `pdf` | yes | PDF documents: PAdES and document time-stamps |
//! | `xml` | yes | XML documents: XAdES and XML signatures |
//! | `asic` | yes | containers: ASiC-S and ASiC-E |
//! | `jose` | yes | JSON documents: JAdES and JSON web signatures |
//! | `trusted-lists` | yes | trusted lists (TS 119 612, TS 119 602); without them only certificates are trusted |
//! | `legacy-algorithms` | yes | MD2, RIPEMD-160, Whirlpool and DSA; without them documents that use one are refused |
//! | `ml-dsa` | yes | ML-DSA; without it documents that use it are refused |
//! | `fixed-size-rsa` | yes | arithmetic for each usual size of RSA keys, which is quicker |
//! | `languages` | yes | report texts in languages other than English |
//! | `report` | yes | reports as HTML and PDF |
//! | `native` | yes | a second backend for some signature checks, chosen at run time by what the processor has |
//! | `signing` | no | private keys, signatures, certificates, revocation lists, OCSP responses, time-stamps |
//! | `render` | no | a comparison of the pages of PDF files as they are drawn |
//!
//! CMS signatures, time-stamps and evidence records are always there.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[doc(inline)]
pub use lacre_core::{
    Binding, Bundle, Cache, CertificateReport, Document, Error, Executor, Policy, Report, Sequential, Validator,
    Website,
    budget::Budget,
    document::{Syntax, decode_pem},
    facts::{Facts, Id, ImportError},
    judge, judge_certificate, judge_certificate_within, judge_within,
    time::{InvalidTime, Time},
};

/// What a [`Report`] tells: views of each signature, time-stamp, evidence record, certificate and piece
/// of revocation data, and the words of their verdicts.
pub mod report {
    #[cfg(feature = "report")]
    #[doc(inline)]
    pub use lacre_core::report::PdfError;
    #[doc(inline)]
    pub use lacre_core::{
        facts::{SignatureLevel, TimestampType},
        qualification::{
            CertificateQualification, QualifiedConnection, QwacProfile, SignatureQualification, TimestampQualification,
        },
        report::{
            Attempt, Language, PolicyName, Tried, Wanted, WantedKind, escape_control_chars,
            view::{
                CertificateRole, CertificateView, EvidenceRecordView, Finding, IrregularityView, RevocationView,
                ScopeView, Severity, SignatureView, TimestampView,
            },
        },
        validation::outcome::{Indication, SubIndication},
    };
}

/// Policies: the constraints under which documents are judged, in the format of EU DSS, and cryptographic suites
/// (TS 119 312, TS 119 322).
pub mod policy {
    #[doc(inline)]
    pub use lacre_core::policy::{CryptographicSuite, PolicyError, SuiteError, ValidityModel};
}

/// Trusted lists (TS 119 612), lists of trusted entities (TS 119 602), and the snapshots that they are kept in.
#[cfg(feature = "trusted-lists")]
pub mod trust {
    #[doc(inline)]
    pub use lacre_core::trust::{
        ListError, ListState, Lote, LotlSigningCertificates, Missing, PivotError, Problem, ProblemKey, Role,
        SignatureDefect, SignerMismatch, SnapshotError, Source, TrustedLists, UntrustedSigner, append_signature,
        cache_name, read, read_lote,
    };
}

/// Bundles: a validation recorded with all that it used, to be repeated anywhere.
pub mod bundle {
    #[doc(inline)]
    pub use lacre_core::bundle::{BundleError, Described, Difference, Replay};
}

/// Private keys, and signatures in the profiles CAdES (EN 319 122-1) and PAdES (EN 319 142-1).
#[cfg(feature = "signing")]
pub mod signing {
    #[cfg(feature = "pdf")]
    #[doc(inline)]
    pub use lacre_core::signing::pades;
    #[doc(inline)]
    pub use lacre_core::{
        algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm},
        crypto::{
            CryptoRng, Hasher, KeyKind, PrivateKeyError, PublicKey, SignError, SigningKey, SoftwareKey, check_digest,
            digest,
        },
        signing::{
            Commitment, CommitmentQualifier, EmbeddedCertificates, ExplicitPolicy, Output, Packaging, Piece, Place,
            Prepared, SignatureParameters, SignaturePolicy, Signer, SigningError, SigningErrorCode, cades,
            usual_digest,
        },
        x509::Certificate,
    };
}

/// Extending signatures: time-stamps, certificates and revocation data for levels T, LT and LTA (EN 319 122-1,
/// EN 319 142-1).
#[cfg(feature = "signing")]
pub mod augmentation {
    #[doc(inline)]
    pub use lacre_core::augmentation::{
        Asked, EvidenceWant, Extended, ExtendedSignature, Extension, Freshness, Level, Material, Obstacle, Outlook,
        SignatureOutlook, Target, TimestampWant, Want, extend, outlook, renew, timestamp,
    };
}

/// What an issuer signs: certificates (RFC 5280), revocation lists, OCSP responses (RFC 6960) and time-stamps (RFC 3161).
#[cfg(feature = "signing")]
pub mod issuance {
    #[doc(inline)]
    pub use lacre_core::formats::tsp::{Rejection, TimestampQuery};
    #[doc(inline)]
    pub use lacre_core::issuance::{
        CertificateRequest, CertificateStatus, Error, Issuer, Locations, OcspResponder, OcspUpdate, Profile,
        RevocationList, RevocationReason, Revoked, Subject, TimestampUnit, Validity,
    };
    #[doc(inline)]
    pub use lacre_core::x509::Certificate;
}

/// What embedders keep and share between threads is `Send` and `Sync`.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Validator>();
    is_shared::<Document<'_>>();
    is_shared::<Policy>();
    is_shared::<Report>();
    is_shared::<CertificateReport>();
    is_shared::<Bundle>();
    is_shared::<Facts>();
    #[cfg(feature = "trusted-lists")]
    is_shared::<trust::TrustedLists>();
};
