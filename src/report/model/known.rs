//! The record with its tokens by id.

use crate::facts::{Certificate, Id, Revocation, Timestamp, TrustedList};
use crate::report::Report;
use std::collections::HashMap;

/// A report, and where its tokens are.
pub(in crate::report) struct Known<'a> {
    pub(super) report: &'a Report,
    certificates: HashMap<&'a Id, &'a Certificate>,
    revocations: HashMap<&'a Id, &'a Revocation>,
    timestamps: HashMap<&'a Id, &'a Timestamp>,
    lists: HashMap<&'a Id, &'a TrustedList>,
}

impl<'a> Known<'a> {
    pub(in crate::report) fn new(report: &'a Report) -> Self {
        let facts = &report.facts;
        Self {
            report,
            certificates: facts.certificates.iter().map(|c| (&c.id, c)).collect(),
            revocations: facts.revocations.iter().map(|r| (&r.id, r)).collect(),
            timestamps: facts.timestamps.iter().map(|t| (&t.id, t)).collect(),
            lists: facts.trusted_lists.iter().map(|l| (&l.id, l)).collect(),
        }
    }

    pub(super) fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.certificates.get(id).copied()
    }

    pub(super) fn revocation(&self, id: &Id) -> Option<&'a Revocation> {
        self.revocations.get(id).copied()
    }

    pub(super) fn timestamp(&self, id: &Id) -> Option<&'a Timestamp> {
        self.timestamps.get(id).copied()
    }

    pub(super) fn list(&self, id: &Id) -> Option<&'a TrustedList> {
        self.lists.get(id).copied()
    }

    /// The name of the certificate's holder; the id of what is no certificate.
    pub(super) fn name_or_id<'i>(&self, id: &'i Id) -> &'i str
    where
        'a: 'i,
    {
        self.certificate(id).map_or(id.as_str(), name)
    }
}

/// The name by which people call the holder: common name, else the whole distinguished name.
pub(in crate::report) fn name(certificate: &Certificate) -> &str {
    let attributes = &certificate.attributes;
    attributes.common_name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&certificate.subject.rfc2253)
}
