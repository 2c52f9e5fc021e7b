//! Certification path validation: RFC 5280 §6.
//!
//! [`validate`] is the algorithm. It is the only constructor of a [`ValidPath`], so that such a path is known to be
//! valid. [`inspect`] is what of it depends on neither keys nor times: the record of a document holds its answers, and
//! the judgement of signatures (EN 319 102-1) maps them to its rules.

mod build;
mod inspect;
mod name_constraints;
mod policies;
mod profile;
mod revocation;

pub use build::find;
pub use inspect::{Subject, inspect};
pub use revocation::check_revocation;

use super::{Certificate, Error, extensions};
use crate::algorithm::SignatureAlgorithm;
use crate::asn1::Oid;
use crate::budget::Budget;
use crate::crypto::{KeyError, PublicKey, Signed, VerifyError, verify};
use crate::facts::KeyUsage;
use crate::time::Time;
use name_constraints::NameConstraints;
use policies::PolicyGraph;

/// The inputs of path validation: RFC 5280 §6.1.1.
#[derive(Debug, Clone)]
pub struct PathOptions {
    /// The moment at which every certificate must be valid.
    pub time: Time,
    /// The policies that are acceptable; empty: any (c).
    pub policies: Vec<String>,
    /// Whether policies may not be mapped (e).
    pub inhibit_policy_mapping: bool,
    /// Whether the path must be valid for one of the policies (f).
    pub require_explicit_policy: bool,
    /// Whether anyPolicy does not count (g).
    pub inhibit_any_policy: bool,
    /// The extended key usage that the first certificate must allow, where it limits them.
    pub extended_key_usage: Option<String>,
    /// The most certificates that are not self-issued between the first and the anchor.
    pub max_intermediates: Option<usize>,
    /// Whether every certificate must also keep to the profile of RFC 5280 §4.
    pub profile: bool,
}

impl PathOptions {
    /// Returns the inputs for `time` with any policy, no limits, and the path algorithm alone.
    pub fn at(time: Time) -> Self {
        Self {
            time,
            policies: Vec::new(),
            inhibit_policy_mapping: false,
            require_explicit_policy: false,
            inhibit_any_policy: false,
            extended_key_usage: None,
            max_intermediates: None,
            profile: false,
        }
    }
}

/// A path that was found valid.
#[derive(Debug, Clone)]
pub struct ValidPath {
    certificates: Vec<Certificate>,
    policies: Vec<String>,
}

impl ValidPath {
    /// Returns the certificates, the first one first, the anchor last.
    pub fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// Returns the policies for which it is valid; `2.5.29.32.0` stands for any.
    pub fn policies(&self) -> &[String] {
        &self.policies
    }
}

/// Why a path is not valid. `at` counts certificates from 0, the first one, upwards.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There are not even a certificate and an anchor.
    #[error("a path of {found} certificates, expected at least one and its anchor")]
    TooShort {
        /// How many.
        found: usize,
    },
    /// No path leads to an anchor.
    #[error("no path to a trust anchor")]
    NoPath,
    /// The work allowed was not enough.
    #[error("{what} exceed the budget of {limit}")]
    Budget {
        /// Of what.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// §6.1.3 (a) (1): the signature.
    #[error("certificate {at}: the signature does not verify")]
    Signature {
        /// Which.
        at: usize,
        /// Why.
        source: VerifyError,
    },
    /// The issuer's key cannot be read.
    #[error("certificate {at}: the issuer's key cannot be read")]
    Key {
        /// Which.
        at: usize,
        /// Why.
        source: KeyError,
    },
    /// The signature's algorithm is not known, or §4.1.1.2 is not kept.
    #[error("certificate {at}: the signature algorithm is unknown or stated twice differently")]
    Algorithm {
        /// Which.
        at: usize,
    },
    /// §6.1.3 (a) (2): the validity.
    #[error("certificate {at}: valid from {not_before} to {not_after}, asked for {time}")]
    Validity {
        /// Which.
        at: usize,
        /// Valid from.
        not_before: Time,
        /// Valid until.
        not_after: Time,
        /// The requested time.
        time: Time,
    },
    /// §6.1.3 (a) (4): the issuer's name.
    #[error("certificate {at}: issued by `{issuer}`, but the next certificate is of `{subject}`")]
    Name {
        /// Which.
        at: usize,
        /// Whom it names.
        issuer: String,
        /// Who is next.
        subject: String,
    },
    /// §6.1.3 (b), (c): a name that a CA above may not certify.
    #[error("certificate {at}: the name constraints above do not allow {name}")]
    NameConstraints {
        /// Which.
        at: usize,
        /// The name.
        name: String,
    },
    /// §6.1.3 (f), §6.1.5 (g): no acceptable policy.
    #[error("certificate {at}: no certificate policy is left, but one is required")]
    Policy {
        /// Which.
        at: usize,
    },
    /// §6.1.4 (a): a mapping from or to anyPolicy.
    #[error("certificate {at}: maps anyPolicy")]
    PolicyMapping {
        /// Which.
        at: usize,
    },
    /// §6.1.4 (k): not a CA.
    #[error("certificate {at}: issued another, but is no CA's")]
    NotCa {
        /// Which.
        at: usize,
    },
    /// §6.1.4 (l), (m): too many below.
    #[error("certificate {at}: its path length is {limit}, but there are more certificates below")]
    PathLength {
        /// Which.
        at: usize,
        /// How many it allows.
        limit: usize,
    },
    /// §6.1.4 (n): may not sign certificates.
    #[error("certificate {at}: issued another, but its key usage has no keyCertSign")]
    KeyUsage {
        /// Which.
        at: usize,
    },
    /// §4.2.1.12: not for the requested purpose.
    #[error("certificate {at}: its extended key usage has no {expected}")]
    ExtendedKeyUsage {
        /// Which.
        at: usize,
        /// The purpose.
        expected: String,
    },
    /// §6.1.4 (o), §6.1.5 (f): a critical extension that is not processed.
    #[error("certificate {at}: unknown critical extension {oid}")]
    CriticalExtension {
        /// Which.
        at: usize,
        /// The extension.
        oid: String,
    },
    /// An extension that decides and cannot be read.
    #[error("certificate {at}: the extension {oid} cannot be read")]
    Extension {
        /// Which.
        at: usize,
        /// The extension.
        oid: String,
    },
    /// The profile of §4 is not kept.
    #[error("certificate {at}: {breach} (RFC 5280 §{clause})")]
    Profile {
        /// Which.
        at: usize,
        /// The clause.
        clause: &'static str,
        /// What is wrong.
        breach: &'static str,
    },
    /// §6.3: revoked.
    #[error("certificate {at}: revoked on {date}")]
    Revoked {
        /// Which.
        at: usize,
        /// Since when.
        date: Time,
    },
    /// A CRL for the certificate cannot be used.
    #[error("certificate {at}: its CRL cannot be used")]
    Crl {
        /// Which.
        at: usize,
        /// Why, where it cannot be read.
        source: Option<Error>,
    },
}

/// Extensions that the algorithm processes, so that they may be critical.
const PROCESSED: [Oid<'static>; 10] = [
    extensions::KEY_USAGE,
    extensions::SUBJECT_ALT_NAME,
    extensions::BASIC_CONSTRAINTS,
    extensions::NAME_CONSTRAINTS,
    extensions::CERTIFICATE_POLICIES,
    policies::POLICY_MAPPINGS,
    extensions::POLICY_CONSTRAINTS,
    extensions::EXTENDED_KEY_USAGE,
    extensions::INHIBIT_ANY_POLICY,
    extensions::QC_STATEMENTS,
];

/// What may still be spent on paths, over a whole search or record.
#[derive(Debug, Clone)]
pub struct Work {
    comparisons: usize,
    limit: usize,
}

impl Work {
    /// Allows as much as the budget does.
    pub fn new(budget: &Budget) -> Self {
        Self { comparisons: budget.name_comparisons, limit: budget.name_comparisons }
    }

    /// Spends what it costs to read an extension once more: as much as a comparison for every few bytes.
    fn read(&mut self, certificate: &Certificate, extension: Oid<'_>) -> Result<(), PathError> {
        const BYTES: usize = 32;
        let length = certificate.extension(extension).map_or(0, |extension| extension.value.len());
        self.compare(length / BYTES)
    }

    /// Spends comparisons of names and policies.
    fn compare(&mut self, cost: usize) -> Result<(), PathError> {
        let too_many = PathError::Budget { what: "comparisons of names and policies", limit: self.limit };
        self.comparisons = self.comparisons.checked_sub(cost).ok_or(too_many)?;
        Ok(())
    }
}

/// §6.1.2: the state that goes down a path.
struct State<'p> {
    names: NameConstraints,
    policies: PolicyGraph<'p>,
    /// How many certificates that are not self-issued may still follow.
    path_length: usize,
}

impl State<'_> {
    /// Makes the state for a path of that many certificates below its anchor.
    fn new(options: &PathOptions, length: usize) -> Self {
        Self {
            names: NameConstraints::default(),
            policies: PolicyGraph::new(options, length),
            path_length: options.max_intermediates.unwrap_or(length),
        }
    }

    /// Counts one more certificate, unless it is self-issued, and applies its own limit (§6.1.4 (l), (m)).
    fn descend(&mut self, at: usize, certificate: &Certificate) -> Result<(), PathError> {
        let left = if certificate.is_self_issued() { Some(self.path_length) } else { self.path_length.checked_sub(1) };
        self.path_length = left.unwrap_or(0);
        self.limit(at, certificate)?;
        left.map(|_| ()).ok_or(PathError::PathLength { at, limit: 0 })
    }

    /// Applies the limit that a certificate states (§6.1.4 (m)).
    fn limit(&mut self, at: usize, certificate: &Certificate) -> Result<(), PathError> {
        self.path_length = self.path_length.min(stated_path_length(at, certificate)?.unwrap_or(usize::MAX));
        Ok(())
    }
}

/// Validates a path, the certificate asked about first, the trust anchor last: RFC 5280 §6.1.
pub fn validate(path: &[Certificate], options: &PathOptions, budget: &Budget) -> Result<ValidPath, PathError> {
    validate_within(path, options, budget, &mut Work::new(budget))
}

/// Validates as [`validate`] does, with work that is shared with others.
fn validate_within(
    path: &[Certificate],
    options: &PathOptions,
    budget: &Budget,
    work: &mut Work,
) -> Result<ValidPath, PathError> {
    let Some((anchor, below)) = path.split_last().filter(|(_, below)| !below.is_empty()) else {
        return Err(PathError::TooShort { found: path.len() });
    };
    if path.len() > budget.chain_steps {
        return Err(PathError::Budget { what: "certificates of a path", limit: budget.chain_steps });
    }
    if options.profile {
        path.iter().enumerate().try_for_each(|(at, certificate)| profile::check(at, certificate, at == below.len()))?;
    }
    // §6.1.2: the state. An anchor given as a certificate limits what is below it (RFC 5937).
    let top = below.len();
    let mut state = State::new(options, top);
    in_validity(top, anchor, options.time)?;
    no_unknown_critical(top, anchor)?;
    state.names.add(top, anchor, work)?;
    state.limit(top, anchor)?;

    let mut issuer = anchor;
    for (at, certificate) in below.iter().enumerate().rev() {
        let last = at == 0;
        let self_issued = certificate.is_self_issued();
        // §6.1.3: basic processing.
        signature(at, certificate, issuer)?;
        in_validity(at, certificate, options.time)?;
        if certificate.issuer() != issuer.subject() {
            return Err(PathError::Name {
                at,
                issuer: certificate.issuer().rfc2253().to_owned(),
                subject: issuer.subject().rfc2253().to_owned(),
            });
        }
        if !self_issued || last {
            state.names.check(at, certificate, work)?;
        }
        state.policies.process(at, certificate, last, work)?;
        no_unknown_critical(at, certificate)?;
        if last {
            break;
        }
        // §6.1.4: preparation for the next certificate.
        state.policies.prepare(at, certificate, work)?;
        state.names.add(at, certificate, work)?;
        may_issue(at, certificate)?;
        state.descend(at, certificate)?;
        purpose(at, certificate, options)?;
        issuer = certificate;
    }
    purpose(0, &below[0], options)?;
    // §6.1.5: wrap-up.
    let policies = state.policies.finish(&below[0])?;
    Ok(ValidPath { certificates: path.to_vec(), policies })
}

fn signature(at: usize, certificate: &Certificate, issuer: &Certificate) -> Result<(), PathError> {
    let algorithm = SignatureAlgorithm::from_algorithm_identifier(certificate.signature_algorithm());
    let Some(algorithm) = algorithm.ok().filter(|_| certificate.signature_algorithms_agree()) else {
        return Err(PathError::Algorithm { at });
    };
    let key = PublicKey::from_spki(issuer.spki()).map_err(|source| PathError::Key { at, source })?;
    verify(&key, &algorithm, Signed::Message(certificate.tbs()), &certificate.signature())
        .map_err(|source| PathError::Signature { at, source })
}

fn in_validity(at: usize, certificate: &Certificate, time: Time) -> Result<(), PathError> {
    // Certificates state whole seconds: the second in which the validity ends belongs to it.
    let second = Time::from_seconds(time.seconds());
    if certificate.not_before() <= time && second <= certificate.not_after() {
        return Ok(());
    }
    let (not_before, not_after) = (certificate.not_before(), certificate.not_after());
    Err(PathError::Validity { at, not_before, not_after, time })
}

fn no_unknown_critical(at: usize, certificate: &Certificate) -> Result<(), PathError> {
    let unknown = certificate.raw_extensions().find(|ext| ext.critical && !PROCESSED.contains(&ext.oid));
    unknown.map_or(Ok(()), |ext| Err(PathError::CriticalExtension { at, oid: ext.oid.to_string() }))
}

/// Checks that a certificate may issue others (§6.1.4 (k), (n)).
fn may_issue(at: usize, certificate: &Certificate) -> Result<(), PathError> {
    let stated = certificate.extensions();
    if !stated.basic_constraints.is_some_and(|constraints| constraints.ca) {
        return Err(PathError::NotCa { at });
    }
    match &stated.key_usage {
        Some(usage) if usage.contains(&KeyUsage::KeyCertSign) => Ok(()),
        None if certificate.extension(extensions::KEY_USAGE).is_none() => Ok(()),
        _ => Err(PathError::KeyUsage { at }),
    }
}

/// Returns the path length that a certificate states (§6.1.4 (m)).
fn stated_path_length(at: usize, certificate: &Certificate) -> Result<Option<usize>, PathError> {
    let unreadable = || PathError::Extension { at, oid: extensions::BASIC_CONSTRAINTS.to_string() };
    match certificate.extensions().basic_constraints {
        None if certificate.extension(extensions::BASIC_CONSTRAINTS).is_some() => Err(unreadable()),
        Some(constraints) if constraints.ca => {
            constraints.path_length.map(|limit| usize::try_from(limit).map_err(|_| unreadable())).transpose()
        }
        _ => Ok(None),
    }
}

/// Checks that a certificate that limits its purposes allows the requested one; so must those above it (§4.2.1.12).
fn purpose(at: usize, certificate: &Certificate, options: &PathOptions) -> Result<(), PathError> {
    const ANY: &str = "2.5.29.37.0";
    let Some(expected) = &options.extended_key_usage else { return Ok(()) };
    let stated = &certificate.extensions().extended_key_usage;
    let allows = match stated {
        Some(stated) => stated.iter().any(|oid| oid == expected || oid == ANY),
        None => certificate.extension(extensions::EXTENDED_KEY_USAGE).is_none(),
    };
    if allows { Ok(()) } else { Err(PathError::ExtendedKeyUsage { at, expected: expected.clone() }) }
}
