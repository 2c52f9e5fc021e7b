//! Website certificates, and the connections that they are presented for: TS 119 411-5.

use super::{Error, Validator, judge_certificate_within, read};
use crate::document::Document;
use crate::facts::{CertificateSource, Connection};
use crate::formats::Source;
use crate::hex;
use crate::qualification;
use crate::report::CertificateReport;
use crate::time::Time;
use crate::validation::engine::Conclusion;

/// A website as a client found it.
#[derive(Debug, Clone, Copy)]
pub struct Website<'a> {
    /// The place of the connection, as in `https://example.org/`. Its host has to be one that the certificate names.
    pub url: &'a str,
    /// The certificate binding, where the site offers one.
    pub binding: Option<Binding<'a>>,
}

/// A signature by which the holder of a qualified certificate answers for TLS certificates: TS 119 411-5 annex B.
#[derive(Debug, Clone, Copy)]
pub struct Binding<'a> {
    /// Where it is: what the site's `Link` header states (§6.2.2).
    pub url: &'a str,
    /// The signature, JAdES in compact form.
    pub bytes: &'a [u8],
    /// The other TLS certificates that it names, as DER.
    pub others: &'a [&'a [u8]],
}

impl Validator {
    /// Judges a TLS certificate (DER or PEM) as [`Validator::certificate`] does, and whether the connection to `website`
    /// is one of a qualified website certificate: TS 119 411-5 §5.2, §6.2.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the bytes are no certificate; [`Error::Document`] when those of the binding are no signature.
    pub fn website(&self, bytes: &[u8], website: &Website<'_>, time: Time) -> Result<CertificateReport, Error> {
        let certificate = read(bytes)?;
        let name = certificate.id().to_string();
        let binding = website.binding.map(|binding| {
            let document = Document::new(binding.bytes).with_content(name.clone(), certificate.der());
            let others = binding.others.iter().enumerate();
            others.fold(document, |document, (at, der)| document.with_content(format!("{name}-{at}"), der))
        });
        let source = binding.as_ref().map(|document| Source::open(document, &self.budget)).transpose()?;
        let mut collector = match binding.as_ref().zip(source.as_ref()) {
            Some((document, source)) => self.collected(document, source)?,
            None => self.collector(),
        };
        let Some(id) = collector.subject(certificate.clone(), CertificateSource::Other) else {
            return Err(Error::Budget { bound: "certificates", limit: self.budget.certificates as u64 });
        };
        let mut facts = self.finished(collector, time);
        facts.document.sha256 = source.as_ref().map(|source| hex::lower(&source.sha256()));
        facts.connection = Some(Connection {
            url: website.url.to_owned(),
            tls_certificate: Some(id.clone()),
            binding_url: website.binding.map(|binding| binding.url.to_owned()),
            binding_signature: facts.signatures.first().map(|signature| signature.id.clone()),
        });
        let missing =
            || Error::Evidence { found: "a certificate that is not in the record".into(), expected: "one that is" };
        let report = judge_certificate_within(facts, &self.policy, &id, time, &self.budget).ok_or_else(missing)?;
        let path = Conclusion {
            indication: report.indication(),
            sub_indication: report.sub_indication(),
            ..Conclusion::passed()
        };
        let connection =
            qualification::connection(report.facts(), &self.policy, report.around().verdicts(), &path, time);
        Ok(report.on(connection.ok_or_else(missing)?))
    }
}
