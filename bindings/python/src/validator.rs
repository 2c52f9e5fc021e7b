//! Validators: a policy, and who is trusted.

use crate::bundle::Bundle;
use crate::certificate::CertificateReport;
use crate::failure::Failure;
use crate::input::{Input, Source, moment};
use crate::report::{Report, language_of};
use crate::trust::TrustedLists;
use crate::work;
use lacre::policy::CryptographicSuite;
use lacre::report::Language;
use lacre::{Binding, Facts, Policy, Website};
use pyo3::prelude::*;
use std::sync::{Arc, LazyLock};

/// The built-in policy. To make it takes as long as to read a small document.
static POLICY: LazyLock<Arc<Policy>> = LazyLock::new(|| Policy::eidas().into());

/// A validator of the library.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Validator {
    pub(crate) validator: lacre::Validator,
    pub(crate) language: Language,
    compare_pages: bool,
}

/// A website that is asked about: its address, the binding's address and bytes, and other certificates that it names.
type Site = (String, Option<(String, Source)>, Vec<Source>);

#[pymethods]
impl Validator {
    /// Makes a validator: `policy` and `suite` are files or bytes, `policy` may be a name as well; `cache` keeps what
    /// documents have in common.
    #[new]
    #[pyo3(signature = (*, trust_anchors, trusted_lists, evidence, policy, suite, language, compare_pages, cache))]
    #[expect(clippy::too_many_arguments, reason = "Python names each of them")]
    fn new(
        py: Python<'_>,
        trust_anchors: Vec<Source>,
        trusted_lists: Option<Bound<'_, TrustedLists>>,
        evidence: Vec<Source>,
        policy: Option<Source>,
        suite: Option<Source>,
        language: &str,
        compare_pages: bool,
        cache: bool,
    ) -> PyResult<Self> {
        let language = language_of(language)?;
        let lists = trusted_lists.map(|lists| lists.get().lists.clone());
        let validator = work::run(py, || {
            let mut validator = lacre::Validator::new(policy_of(policy.as_ref(), suite.as_ref())?);
            if !cache {
                validator = validator.without_cache();
            }
            for certificate in &trust_anchors {
                validator = validator.trust_anchor(&certificate.open()?)?;
            }
            for bytes in &evidence {
                validator = validator.evidence(&bytes.open()?)?;
            }
            Ok(match &lists {
                Some(lists) => validator.trusted_lists(lists),
                None => validator,
            })
        })?;
        Ok(Self { validator, language, compare_pages })
    }

    /// Returns a validator that knows more: certificates, CRLs and OCSP responses.
    fn with_evidence(&self, py: Python<'_>, evidence: Vec<Source>) -> PyResult<Self> {
        let validator = work::run(py, || {
            let mut validator = self.validator.clone();
            for bytes in &evidence {
                validator = validator.evidence(&bytes.open()?)?;
            }
            Ok(validator)
        })?;
        Ok(Self { validator, language: self.language, compare_pages: self.compare_pages })
    }

    fn validate(&self, py: Python<'_>, document: Input, at: i64) -> PyResult<Report> {
        let report = work::run(py, || {
            document.with(|document| {
                let document = document.clone();
                let document = if self.compare_pages { document.comparing_pages() } else { document };
                Ok(self.validator.validate(&document, moment(at))?.in_language(self.language))
            })
        })?;
        Ok(Report::new(report))
    }

    /// Validates, and keeps all that the report rests on.
    fn record(&self, py: Python<'_>, document: Input, at: i64) -> PyResult<(Report, Bundle)> {
        let (report, bundle) = work::run(py, || {
            document.with(|document| {
                let document = document.clone();
                let document = if self.compare_pages { document.comparing_pages() } else { document };
                Ok(lacre::Bundle::record(&self.validator, &document, moment(at), self.language)?)
            })
        })?;
        Ok((Report::new(report), Bundle::new(bundle)))
    }

    /// Returns what is inside a document, without a verdict: the facts as JSON, and as a text for people.
    fn inspect(&self, py: Python<'_>, document: Input, at: i64) -> PyResult<(String, String)> {
        Ok(work::run(py, || {
            document.with(|document| {
                let facts = self.validator.facts(document, moment(at))?;
                Ok((facts.to_json(), facts.to_text()))
            })
        })?)
    }

    /// Judges a certificate by itself, and where a website is named the connection to it.
    #[pyo3(signature = (certificate, name, at, site))]
    fn certificate(
        &self,
        py: Python<'_>,
        certificate: Source,
        name: Option<String>,
        at: i64,
        site: Option<Site>,
    ) -> PyResult<CertificateReport> {
        let report = work::run(py, || {
            let bytes = certificate.open()?;
            let report = match &site {
                None => self.validator.certificate(&bytes, moment(at))?,
                Some((url, binding, others)) => {
                    let others = others.iter().map(|other| Ok(lacre::decode_pem(&other.open()?).into_owned()));
                    let others = others.collect::<Result<Vec<_>, Failure>>()?;
                    let others: Vec<&[u8]> = others.iter().map(Vec::as_slice).collect();
                    let opened =
                        binding.as_ref().map(|(url, bytes)| Ok::<_, Failure>((url, bytes.open()?))).transpose()?;
                    let binding = opened.as_ref().map(|(url, bytes)| Binding { url, bytes, others: &others });
                    self.validator.website(&bytes, &Website { url, binding }, moment(at))?
                }
            };
            let report = report.in_language(self.language);
            Ok(match name {
                Some(name) => report.named(name),
                None => report,
            })
        })?;
        Ok(CertificateReport::new(report))
    }

    /// Measures how many nanoseconds the library itself takes to open and to validate a document: the shortest of
    /// `times`.
    #[cfg(feature = "bench")]
    fn nanoseconds(&self, py: Python<'_>, document: Input, at: i64, times: u32) -> PyResult<Vec<u64>> {
        Ok(work::run(py, || {
            (0..times)
                .map(|_| {
                    let begun = std::time::Instant::now();
                    document.with(|document| Ok(drop(self.validator.validate(document, moment(at))?)))?;
                    Ok(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX))
                })
                .collect()
        })?)
    }
}

/// Judges stored facts, as JSON or diagnostic data of EU DSS; without a moment for the one that they state.
#[pyfunction]
#[pyo3(signature = (facts, at, policy, suite, language))]
pub(crate) fn judge(
    py: Python<'_>,
    facts: Source,
    at: Option<i64>,
    policy: Option<Source>,
    suite: Option<Source>,
    language: &str,
) -> PyResult<Report> {
    let language = language_of(language)?;
    let report = work::run(py, || {
        let facts = Facts::from_bytes(&facts.open()?).map_err(|error| Failure::new("INVALID_FACTS", &error))?;
        let time = at.map(moment).or(facts.validation_time).ok_or_else(|| {
            let message = "found facts that state no validation time, expected a moment";
            Failure::plain("INVALID_FACTS", message).with_hint(Some("say for when with `at`"))
        })?;
        Ok(lacre::judge(facts, &*policy_of(policy.as_ref(), suite.as_ref())?, time).in_language(language))
    })?;
    Ok(Report::new(report))
}

/// Returns the policy that is named, with the suite; the built-in one where none is.
fn policy_of(policy: Option<&Source>, suite: Option<&Source>) -> Result<Arc<Policy>, Failure> {
    let policy = match policy {
        None => POLICY.clone(),
        Some(source) => named(source).map_or_else(|| read_policy(source), |policy| Ok(policy.into()))?,
    };
    match suite {
        None => Ok(policy),
        Some(source) => {
            let suite = CryptographicSuite::from_bytes(&source.open()?);
            let suite = suite.map_err(|error| Failure::new("INVALID_SUITE", &error))?;
            Ok(Policy::clone(&policy).with_suite(suite).into())
        }
    }
}

fn named(source: &Source) -> Option<Policy> {
    match source {
        Source::Path(path) => Policy::named(path.to_str()?),
        Source::Bytes(_) => None,
    }
}

fn read_policy(source: &Source) -> Result<Arc<Policy>, Failure> {
    let policy = Policy::from_bytes(&source.open()?);
    Ok(policy.map_err(|error| Failure::new("INVALID_POLICY", &error))?.into())
}
