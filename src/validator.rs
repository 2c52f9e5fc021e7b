//! The front door: a policy, who is trusted, what else is known; then documents.

mod website;

pub use website::{Binding, Website};

use crate::budget::Budget;
use crate::bundle::{Bundle, HandedIn};
use crate::collect::{Collector, Memo, TrustAnchor};
use crate::document::{Document, beginning, unarmored};
use crate::facts::{CertificateSource, Facts, Id, TrustStore};
use crate::formats::{self, Source};
use crate::hex;
use crate::policy::Policy;
use crate::qualification;
use crate::report::{CertificateReport, Language, PolicyName, Report};
use crate::time::Time;
use crate::trust::TrustedLists;
use crate::validation;
use crate::x509::Certificate;
use std::sync::Arc;

/// Validates documents under one policy with one set of trust anchors.
///
/// It remembers the certificates of its documents, and which values of certificates and revocation data they needed verified
/// ([`forget`](Self::forget)), so that to keep one for many documents saves time. Clones share that.
#[derive(Debug, Clone)]
pub struct Validator {
    policy: Arc<Policy>,
    budget: Budget,
    anchors: Vec<Certificate>,
    evidence: Vec<Vec<u8>>,
    lists: Option<TrustedLists>,
    memo: Option<Arc<Memo>>,
}

/// Why a document was not judged at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The document cannot be read as anything that holds signatures.
    #[error(transparent)]
    Document(formats::Error),
    /// A bound of the budget was reached, so that nothing was judged.
    #[error("beyond the bound {bound} of the budget, which is {limit}")]
    Budget {
        /// The field of [`Budget`].
        bound: &'static str,
        /// What it is.
        limit: u64,
    },
    /// A trust anchor or piece of evidence is not what it should be.
    #[error("found {found}, expected {expected}")]
    Evidence {
        /// What the octets are.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
}

impl From<formats::Error> for Error {
    fn from(error: formats::Error) -> Self {
        match error {
            formats::Error::Budget { bound, limit } => Self::Budget { bound, limit },
            other => Self::Document(other),
        }
    }
}

impl Error {
    /// The field of [`Budget`] that did not allow to judge the document, where that is why.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::Budget { bound, .. } => Some(bound),
            Self::Document(error) => error.bound(),
            Self::Evidence { .. } => None,
        }
    }

    /// What the user could do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Document(formats::Error::Unknown { .. }) => Some(
                "lacre reads PDF, CMS (also in PEM or Base64), XML, JWS, ASiC containers and RFC 3161 time-stamps; is this the signed file?",
            ),
            Self::Document(formats::Error::Unsupported { .. }) => None,
            Self::Document(formats::Error::LeftOut { .. }) => Some(
                "formats are features of the library: `pdf`, `xml`, `asic` and `jose`; in JavaScript they are modules",
            ),
            Self::Budget { .. } => Some("the file asks for more work than files of honest makers do"),
            Self::Document(error) if error.bound().is_some() => {
                Some("the file asks for more work than files of honest makers do")
            }
            Self::Document(_) => Some("the file may be truncated or damaged; get it again from its source"),
            Self::Evidence { .. } => Some("certificates, CRLs and OCSP responses are read in DER and PEM"),
        }
    }
}

impl Validator {
    /// A validator under `policy`, which several may share, that trusts nobody yet.
    pub fn new(policy: impl Into<Arc<Policy>>) -> Self {
        let (budget, memo) = (Budget::default(), Some(Arc::default()));
        Self { policy: policy.into(), budget, anchors: vec![], evidence: vec![], lists: None, memo }
    }

    /// Trusts the certificate (DER or PEM).
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the octets are no certificate.
    pub fn trust_anchor(mut self, certificate: &[u8]) -> Result<Self, Error> {
        self.add_trust_anchor(certificate)?;
        Ok(self)
    }

    /// The same in place; an error leaves the validator as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the octets are no certificate.
    pub fn add_trust_anchor(&mut self, certificate: &[u8]) -> Result<(), Error> {
        self.anchors.push(read(certificate)?);
        Ok(())
    }

    /// Trusts the services of trusted lists.
    pub fn trusted_lists(mut self, lists: &TrustedLists) -> Self {
        self.set_trusted_lists(lists);
        self
    }

    /// The same in place.
    pub fn set_trusted_lists(&mut self, lists: &TrustedLists) {
        self.lists = Some(lists.clone());
    }

    /// Hands in a certificate, CRL or OCSP response (DER or PEM) that the documents may lack.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the octets are none of these.
    pub fn evidence(mut self, octets: &[u8]) -> Result<Self, Error> {
        self.add_evidence(octets)?;
        Ok(self)
    }

    /// The same in place; an error leaves the validator as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the octets are none of these.
    pub fn add_evidence(&mut self, octets: &[u8]) -> Result<(), Error> {
        let der = unarmored(octets);
        let mut collector = Collector::new(&self.budget);
        if collector.evidence(&der).is_none() {
            if let Some(error) = self.beyond(&collector) {
                return Err(error);
            }
            return Err(Error::Evidence {
                found: beginning(octets),
                expected: "a certificate, a CRL or an OCSP response",
            });
        }
        self.evidence.push(der.into_owned());
        Ok(())
    }

    /// The first bound past which the collector left something out.
    fn beyond(&self, collector: &Collector<'_>) -> Option<Error> {
        let bound = *collector.bounds_reached().first()?;
        let limit = if bound == "tokens" { self.budget.tokens } else { self.budget.certificates };
        Some(Error::Budget { bound, limit: limit as u64 })
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Bounds the work that a document may cause.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Forgets what it remembers of earlier documents; so does every clone. Reports are the same with and without it.
    pub fn forget(&self) {
        if let Some(memo) = &self.memo {
            memo.clear();
        }
    }

    /// For one document only: it remembers nothing, which would take time and be of no use. Reports are the same.
    pub fn for_one_document(mut self) -> Self {
        self.memo = None;
        self
    }

    /// Collects the facts of a document, as of `time`, and concludes nothing.
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn facts(&self, document: &Document<'_>, time: Time) -> Result<Facts, Error> {
        let source = Source::open(document, &self.budget)?;
        Ok(self.finished(self.collector(document, &source)?, time))
    }

    /// What is known once the document has been read.
    fn collector<'s>(&self, document: &Document<'s>, source: &'s Source<'_>) -> Result<Collector<'s>, Error> {
        let draft = source.read()?;
        let mut collector = Collector::new(&self.budget).remembering(self.memo.as_ref()).helped_by(document.hands());
        self.hand_in(&mut collector);
        let facts = collector.facts_mut();
        facts.document.name = document.name().map(str::to_owned);
        facts.document.size = Some(document.bytes().len() as u64);
        facts.document.sha256 = Some(hex::lower(&source.sha256()));
        collector.document(draft);
        Ok(collector)
    }

    /// What is known before anything is read.
    fn without_document(&self) -> Collector<'_> {
        let mut collector = Collector::new(&self.budget).remembering(self.memo.as_ref());
        self.hand_in(&mut collector);
        collector
    }

    /// Asks the trusted lists about everything collected, to which nothing is added afterwards.
    fn ask_lists(&self, collector: &mut Collector<'_>) {
        if let Some(lists) = &self.lists {
            collector.directory(lists);
        }
    }

    /// The record of what was collected.
    fn finished(&self, mut collector: Collector<'_>, time: Time) -> Facts {
        self.ask_lists(&mut collector);
        self.described(collector.finish(time))
    }

    /// The record with what the trusted lists say of its certificates.
    fn described(&self, mut facts: Facts) -> Facts {
        let time = facts.validation_time.unwrap_or_default();
        let lists = self.lists.as_ref().map(|lists| lists.store(time));
        facts.trust_store = Some(TrustStore { anchors: self.anchors.len(), lists });
        if let Some(lists) = &self.lists {
            lists.describe(&mut facts);
        }
        facts
    }

    /// Adds what the caller trusts and knows.
    fn hand_in(&self, collector: &mut Collector<'_>) {
        for anchor in &self.anchors {
            collector.trust_anchor(anchor.clone(), TrustAnchor::default());
        }
        for octets in &self.evidence {
            collector.evidence(octets);
        }
    }

    /// Validates every signature of a document, as of `time`.
    ///
    /// A document whose signatures are bad is `Ok`: the verdict is in the report.
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn validate(&self, document: &Document<'_>, time: Time) -> Result<Report, Error> {
        Ok(judge_within(self.facts(document, time)?, &self.policy, time, &self.budget))
    }

    /// Judges a certificate (DER or PEM) by itself, as of `time`: its path, its revocation, and what it is under eIDAS,
    /// when it was issued and then.
    ///
    /// A certificate that is not good is `Ok`: the verdict is in the report.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the octets are no certificate.
    pub fn certificate(&self, octets: &[u8], time: Time) -> Result<CertificateReport, Error> {
        let certificate = read(octets)?;
        let mut collector = self.without_document();
        let Some(id) = collector.subject(certificate, CertificateSource::Other) else {
            return Err(Error::Budget { bound: "certificates", limit: self.budget.certificates as u64 });
        };
        let facts = self.finished(collector, time);
        let report = judge_certificate_within(facts, &self.policy, &id, time, &self.budget);
        report
            .ok_or(Error::Evidence { found: "a certificate that is not in the record".into(), expected: "one that is" })
    }

    /// Validates as [`Validator::validate`] does, and keeps everything that the report, in that language, rests on.
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn bundle(&self, document: &Document<'_>, time: Time, language: Language) -> Result<(Report, Bundle), Error> {
        let source = Source::open(document, &self.budget)?;
        let mut collector = self.collector(document, &source)?;
        self.ask_lists(&mut collector);
        let (facts, crls) = collector.finish_with_crls(time);
        let facts = self.described(facts);
        let trusted_lists = self.lists.as_ref().map(|lists| lists.snapshot_of_used(&facts));
        let report = judge_within(facts, &self.policy, time, &self.budget).in_language(language);
        let handed_in = HandedIn {
            trust_anchors: self.anchors.iter().map(Certificate::der).collect(),
            evidence: self.evidence.iter().map(Vec::as_slice).collect(),
            trusted_lists,
        };
        let bundle = Bundle::new(&report, &self.policy, document, &handed_in, &crls);
        Ok((report, bundle))
    }
}

/// Judges facts under a policy, as of `time`: EN 319 102-1, then TS 119 615.
pub fn judge(facts: Facts, policy: &Policy, time: Time) -> Report {
    judge_within(facts, policy, time, &Budget::default())
}

/// Judges as [`judge`] does, within a budget.
pub fn judge_within(facts: Facts, policy: &Policy, time: Time, budget: &Budget) -> Report {
    let verdicts = validation::validate_within(&facts, policy, time, budget);
    let qualifications = qualification::qualify(&facts, policy, &verdicts, time);
    let name = PolicyName { name: policy.name.clone(), sha256: policy.sha256().to_owned() };
    Report::new(facts, verdicts, qualifications, name)
}

/// Judges one certificate of a record by itself, as of `time`: EN 319 102-1 §5.2.6, then TS 119 615 §4.4. `None` when
/// the record does not hold it.
pub fn judge_certificate(facts: Facts, policy: &Policy, id: &Id, time: Time) -> Option<CertificateReport> {
    judge_certificate_within(facts, policy, id, time, &Budget::default())
}

/// Judges as [`judge_certificate`] does, within a budget.
pub fn judge_certificate_within(
    facts: Facts,
    policy: &Policy,
    id: &Id,
    time: Time,
    budget: &Budget,
) -> Option<CertificateReport> {
    let verdict = validation::validate_certificate(&facts, policy, id, time, budget)?;
    let qualified = qualification::certificate(&facts, policy, id, time).filter(|_| policy.has_eidas());
    Some(CertificateReport::new(judge_within(facts, policy, time, budget), verdict, qualified))
}

fn read(octets: &[u8]) -> Result<Certificate, Error> {
    Certificate::from_der(&unarmored(octets)).map_err(|error| Error::Evidence {
        found: format!("{} ({error})", beginning(octets)),
        expected: "a certificate",
    })
}
